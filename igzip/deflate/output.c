/* Output of a stream: bytes, bits and tokens, as far as there is room.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/output.h"

/* Appends n bytes. There must be room for them, and the bit buffer must be empty. */
static void append_bytes(struct isal_zstream *stream, const uint8_t *bytes, uint32_t n)
{
    if (n > 0)
        memcpy(stream->next_out, bytes, n);
    advance_output(stream, n);
}

int isalk_deflate_write_bytes(struct isal_zstream *stream, const uint8_t *bytes, uint32_t n)
{
    uint32_t *written = &state_of(stream)->item_written;
    uint32_t part = n - *written < stream->avail_out ? n - *written : stream->avail_out;

    append_bytes(stream, bytes + *written, part);
    *written += part;
    return *written == n;
}

int isalk_deflate_write_header(struct isal_zstream *stream, const uint8_t *bytes, uint32_t bits)
{
    struct deflate_state *state = state_of(stream);
    uint32_t *written = &state->item_written;

    if (!drain(stream))
        return 0;
    if (state->bit_count == 0 && *written % 8 == 0) {
        uint32_t whole = (bits - *written) / 8;
        uint32_t n = whole < stream->avail_out ? whole : stream->avail_out;

        append_bytes(stream, bytes + *written / 8, n);
        *written += 8 * n;
    }
    for (; bits - *written >= 64 && stream->avail_out >= 8; *written += 64) {
        uint64_t v = load_le64(bytes + *written / 8);

        store_le64(stream->next_out, state->bits | v << state->bit_count);
        advance_output(stream, 8);
        state->bits = v >> 8 >> (56 - state->bit_count);
    }
    while (*written < bits) {
        uint32_t n = bits - *written < 32 ? bits - *written : 32;
        uint64_t v = 0;

        if (!drain(stream))
            return 0;
        for (uint32_t i = 0; i < (n + 7) / 8; i++)
            v |= (uint64_t) bytes[*written / 8 + i] << 8 * i;
        append_bits(stream, v & (((uint64_t) 1 << n) - 1), n);
        *written += n;
    }
    return 1;
}

const uint32_t *isalk_deflate_write_tokens(struct isal_zstream *stream, const uint32_t *token,
                                           const uint32_t *token_end,
                                           const struct deflate_codes *codes)
{
    struct deflate_state *state = state_of(stream);

    if (!drain(stream))
        return token;
    if (stream->avail_out >= 8) {
        struct deflate_encode e = {
            token,
            token_end,
            stream->next_out,
            stream->next_out + stream->avail_out - 8,
            state->bits,
            state->bit_count,
            codes,
        };

        KERNEL_CALL(isalk_deflate_encode_slot)(&e);
        advance_output(stream, (uint32_t) (e.out - stream->next_out));
        state->bits = e.bits;
        state->bit_count = e.count;
        token = e.token;
    }
    for (; token < token_end && drain(stream); token++) {
        uint32_t n;
        uint64_t bits = token_bits(*token, codes, &n);

        append_bits(stream, bits, n);
    }
    drain(stream);
    return token;
}

int isalk_deflate_write_marker(struct isal_zstream *stream)
{
    if (!drain(stream))
        return 0;
    if (state_of(stream)->marker_flush == FLUSH_BLOCK)
        return 1;
    if (state_of(stream)->marker_flush == FLUSH_PARTIAL) {
        append_bits(stream, DEFLATE_FIXED << 1, EMPTY_STATIC_BITS);
        return 1;
    }
    append_bits(stream, DEFLATE_STORED << 1, 3);
    pad_to_byte(stream);
    append_bits(stream, 0xffff0000u, 32); /* length 0 and its complement */
    return 1;
}
