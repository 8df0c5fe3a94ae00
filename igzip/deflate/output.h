/* The bit buffer of a stream.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_OUTPUT_H
#define DEFLATE_OUTPUT_H

#include "igzip/deflate/stream.h"

/* Advances the output by n bytes already written. */
ISALK_INLINE void advance_output(struct isal_zstream *stream, uint32_t n)
{
    stream->next_out += n;
    stream->avail_out -= n;
    stream->total_out += n;
}

/* Writes the whole bytes of the bit buffer; returns whether fewer than 8 bits remain. */
ISALK_INLINE int drain(struct isal_zstream *stream)
{
    struct deflate_state *state = state_of(stream);
    uint32_t n = state->bit_count / 8;

    if (n == 0)
        return 1;
    if (stream->avail_out >= 8) {
        store_le64(stream->next_out, state->bits);
        advance_output(stream, n);
        state->bits = n < 8 ? state->bits >> 8 * n : 0;
        state->bit_count %= 8;
        return 1;
    }
    for (; state->bit_count >= 8 && stream->avail_out > 0; state->bit_count -= 8) {
        *stream->next_out = (uint8_t) state->bits;
        state->bits >>= 8;
        advance_output(stream, 1);
    }
    return state->bit_count < 8;
}

/* Appends n <= 56 bits to a drained bit buffer. */
ISALK_INLINE void append_bits(struct isal_zstream *stream, uint64_t bits, uint32_t n)
{
    struct deflate_state *state = state_of(stream);

    state->bits |= bits << state->bit_count;
    state->bit_count += n;
}

ISALK_INLINE void pad_to_byte(struct isal_zstream *stream)
{
    state_of(stream)->bit_count = (state_of(stream)->bit_count + 7) & ~7u;
}

/* Appends n <= 56 bits where there is room for 8 bytes. */
ISALK_INLINE void append_code(struct deflate_encode *e, uint64_t bits, uint32_t n)
{
    e->bits |= bits << e->count;
    e->count += n;
    store_le64(e->out, e->bits);
    e->out += e->count / 8;
    e->bits >>= e->count & ~7u;
    e->count %= 8;
}

/* Level 0: the bits of a token in the caller's tables, first bit lowest. */
ISALK_INLINE uint64_t table_token_bits(uint32_t token, const struct isal_hufftables *tables,
                                       uint32_t *count)
{
    uint32_t first = token & TOKEN_MASK, second = token >> TOKEN_SECOND_SHIFT & TOKEN_MASK;
    uint64_t bits, second_bits = 0, extra_bits = 0;
    uint32_t n, second_n = 0, extra_n = 0;

    if (first < TOKEN_LENGTHS) {
        bits = tables->lit_table[first];
        n = tables->lit_table_sizes[first];
        if (second >= TOKEN_LITERALS) {
            second_bits = tables->lit_table[second - TOKEN_LITERALS];
            second_n = tables->lit_table_sizes[second - TOKEN_LITERALS];
        }
    } else {
        const uint32_t symbol = second - TOKEN_DISTANCES;

        bits = tables->len_table[first - TOKEN_LENGTHS] >> HUFFTABLE_SIZE_BITS;
        n = tables->len_table[first - TOKEN_LENGTHS] & HUFFTABLE_SIZE_MASK;
        second_bits = tables->dcodes[symbol];
        second_n = tables->dcodes_sizes[symbol];
        extra_n = deflate_distances[symbol].extra;
        extra_bits = (uint64_t) (token & TOKEN_EXTRA_MASK) >> (32 - extra_n);
    }
    *count = n + second_n + extra_n;
    return bits | second_bits << n | extra_bits << (n + second_n);
}

#endif
