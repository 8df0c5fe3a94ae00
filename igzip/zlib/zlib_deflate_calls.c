/* zlib-compatible compression: functions that programs call between calls of deflate().
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/output.h"
#include "igzip/format/wrapper.h"
#include "igzip/zlib/zlib_deflate.h"

/* ---- Dictionary ---- */

ISAL_PUBLIC int deflateSetDictionary(z_stream *strm, const uint8_t *dictionary, unsigned length)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);

    if (d == NULL || dictionary == NULL || d->wrap == WRAP_GZIP ||
        (d->wrap == WRAP_ZLIB && d->status != STATUS_NEW) || !isalk_zlib_between_blocks(d))
        return Z_STREAM_ERROR;
    if (d->wrap == WRAP_ZLIB) {
        d->dictionary_id = (uint32_t) adler32(strm->adler, dictionary, length);
        d->has_dictionary = 1;
        strm->adler = d->dictionary_id;
    }
    strm->total_in += length < 1u << d->window_bits ? length : 1u << d->window_bits; /* as zlib */
    isalk_deflate_add_history(state_of(&d->s), dictionary, length);
    return Z_OK;
}

ISAL_PUBLIC int deflateGetDictionary(z_stream *strm, uint8_t *dictionary, unsigned *length)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);
    const struct deflate_state *state;
    uint32_t n;

    if (d == NULL)
        return Z_STREAM_ERROR;
    state = state_of(&d->s);
    n = state->buffered < 1u << d->window_bits ? state->buffered : 1u << d->window_bits;
    if (dictionary != NULL && n > 0)
        memcpy(dictionary, state->buffer + state->buffered - n, n);
    if (length != NULL)
        *length = n;
    return Z_OK;
}

/* ---- Parameters ---- */

/* Changing to a level of the same class does not end the block. */
static int class_of(int level)
{
    return level == Z_NO_COMPRESSION ? 0 : level <= 3 ? 1 : 2;
}

ISAL_PUBLIC int deflateParams(z_stream *strm, int level, int strategy)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);
    struct level_choice choice = {level, strategy};

    if (d == NULL || !isalk_zlib_valid_choice(&choice))
        return Z_STREAM_ERROR;
    if (choice.strategy == d->current.strategy &&
        class_of(choice.level) == class_of(d->current.level)) {
        d->next = choice;
        return Z_OK;
    }
    if (d->last_flush != FLUSH_NONE) {
        if (deflate(strm, Z_BLOCK) == Z_STREAM_ERROR)
            return Z_STREAM_ERROR;
        if (strm->avail_in > 0 || !isalk_zlib_between_blocks(d))
            return Z_BUF_ERROR;
    }
    return isalk_zlib_use_level(d, choice) ? Z_OK : Z_MEM_ERROR;
}

ISAL_PUBLIC int deflateTune(z_stream *strm, int good_length, int max_lazy, int nice_length,
                            int max_chain)
{
    (void) good_length;
    (void) max_lazy;
    (void) nice_length;
    (void) max_chain;
    return isalk_zlib_deflate_state(strm) != NULL ? Z_OK : Z_STREAM_ERROR;
}

ISAL_PUBLIC int deflateSetHeader(z_stream *strm, gz_header *head)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);

    if (d == NULL || d->wrap != WRAP_GZIP)
        return Z_STREAM_ERROR;
    d->header = head;
    return Z_OK;
}

/* zlib's own bound, which programs may have built in. It holds here: no block is larger than the
 * same data in stored blocks, which add 5 bytes for each 65535. */
ISAL_PUBLIC unsigned long deflateBound(z_stream *strm, unsigned long length)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);
    unsigned long more = (length >> 12) + (length >> 14) + (length >> 25) + 7;
    unsigned long wrapper = ZLIB_HEADER + ZLIB_DICT_ID + ZLIB_TRAILER;

    if (d != NULL)
        wrapper = isalk_zlib_header_bytes(d) + (d->wrap == WRAP_GZIP   ? GZIP_TRAILER
                                                : d->wrap == WRAP_ZLIB ? ZLIB_TRAILER
                                                                       : 0);
    return length + more + wrapper < length ? ~0ul : length + more + wrapper;
}

/* ---- Output ---- */

/* Bits of output that are made and not written yet. */
static uint64_t unwritten_bits(struct deflate_stream *d)
{
    const struct deflate_state *state = state_of(&d->s);
    const struct deflate_codes *codes = &state->block.codes;
    struct deflate_work w;
    uint64_t bits = state->bit_count;

    if (state->phase == PHASE_STORED_HEADER)
        bits = ((bits + 3 + 7) & ~7u) + 32;
    if (state->phase == PHASE_STORED_HEADER || state->phase == PHASE_STORED_BYTES)
        bits += 8 * (uint64_t) (state->stored_bytes -
                                (state->phase == PHASE_STORED_BYTES ? state->item_written : 0));
    if (state->phase == PHASE_TRAILER_BYTES)
        return bits + 8 * (uint64_t) (state->wrapper_bytes - state->item_written);
    if (state->phase != PHASE_BLOCK_HEADER && state->phase != PHASE_BLOCK_TOKENS)
        return bits;
    if (state->block.header.bits == STATIC_HEADER_BITS)
        codes = &isalk_deflate_codes_static;
    if (state->phase == PHASE_BLOCK_HEADER)
        bits += state->block.header.bits - state->item_written;
    isalk_level_layout(isalk_zlib_row(d->current), &d->s, &w);
    return bits + isalk_deflate_token_cost(w.tokens + state->tokens_written,
                                           w.tokens + state->tokens, codes);
}

ISAL_PUBLIC int deflatePending(z_stream *strm, unsigned *pending, int *bits)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);
    uint64_t unwritten;

    if (d == NULL)
        return Z_STREAM_ERROR;
    unwritten = unwritten_bits(d);
    if (pending != NULL)
        *pending = (unsigned) (unwritten / 8);
    if (bits != NULL)
        *bits = (int) (unwritten % 8);
    return Z_OK;
}

/* The bits stay in the bit buffer until deflate() is called. */
ISAL_PUBLIC int deflatePrime(z_stream *strm, int bits, int value)
{
    enum { MAX_BITS = 16, MAX_PENDING = 48 };
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);

    if (d == NULL)
        return Z_STREAM_ERROR;
    if (bits < 0 || bits > MAX_BITS || state_of(&d->s)->bit_count + (unsigned) bits > MAX_PENDING)
        return Z_BUF_ERROR;
    append_bits(&d->s, (uint64_t) value & ((1u << bits) - 1), (uint32_t) bits);
    return Z_OK;
}

/* ---- Copies ---- */

ISAL_PUBLIC int deflateCopy(z_stream *dest, z_stream *source)
{
    struct deflate_stream *from = isalk_zlib_deflate_state(source), *to;
    uint8_t *level_memory;

    if (from == NULL || dest == NULL)
        return Z_STREAM_ERROR;
    *dest = *source;
    dest->state = source->zalloc(source->opaque, 1, DEFLATE_STREAM_BYTES);
    if (dest->state == NULL)
        return Z_MEM_ERROR;
    level_memory =
        source->zalloc(source->opaque, 1, (unsigned) from->level_bytes + LEVEL_ALIGNMENT);
    if (level_memory == NULL) {
        dest->zfree(dest->opaque, dest->state);
        dest->state = NULL;
        return Z_MEM_ERROR;
    }
    to = (struct deflate_stream *) (void *) dest->state;
    memcpy((void *) to, from, DEFLATE_STREAM_BYTES);
    to->base.strm = dest;
    to->level_memory = level_memory;
    to->s.level_buf = level_buf_in(level_memory);
    memcpy(to->s.level_buf, from->s.level_buf, from->level_bytes);
    return Z_OK;
}
