/* zlib-compatible decompression: functions that programs call between calls of inflate().
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/zlib/zlib_inflate.h"

/* ---- Dictionary ---- */

ISAL_PUBLIC int inflateGetDictionary(z_stream *strm, uint8_t *dictionary, unsigned *length)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);
    uint32_t n;

    if (t == NULL)
        return Z_STREAM_ERROR;
    n = t->window_delivered < HISTORY ? t->window_delivered : HISTORY;
    if (t->history_bits > 0 && n > 1u << t->history_bits)
        n = 1u << t->history_bits;
    if (dictionary != NULL && n > 0)
        memcpy(dictionary, t->window + t->window_delivered - n, n);
    if (length != NULL)
        *length = n;
    return Z_OK;
}

ISAL_PUBLIC int inflateSetDictionary(z_stream *strm, const uint8_t *dictionary, unsigned length)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);
    uint8_t pending[DEFLATE_MAX_MATCH];
    uint32_t n;

    if (t == NULL || ((t->wrap & (WRAP_ZLIB | WRAP_GZIP)) && t->mode != MODE_DICT))
        return Z_STREAM_ERROR;
    if (t->mode == MODE_DICT && adler32(1, dictionary, length) != t->checksum)
        return Z_DATA_ERROR;
    if (!isalk_zlib_get_window(t))
        return Z_MEM_ERROR;
    /* Pending output stays in the window, after the dictionary. */
    n = t->window_end - t->window_delivered;
    memcpy(pending, t->window + t->window_delivered, n);
    t->window_end = t->window_delivered;
    isalk_zlib_add_window(t, dictionary, length);
    memcpy(t->window + t->window_end, pending, n);
    t->window_end += n;
    t->has_dictionary = 1;
    return Z_OK;
}

/* ---- Bits ---- */

static void drop_bits(struct inflate_stream *t)
{
    t->s.bits = 0;
    t->s.bit_count = 0;
    t->symbol_bits = t->wanted_bits = 0;
}

ISAL_PUBLIC int inflatePrime(z_stream *strm, int bits, int value)
{
    enum { MAX_BITS = 16, MAX_PENDING = 32 };
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL)
        return Z_STREAM_ERROR;
    if (bits == 0)
        return Z_OK;
    if (bits < 0) {
        drop_bits(t);
        return Z_OK;
    }
    if (bits > MAX_BITS || inflate_unused_bits(t) + (unsigned) bits > MAX_PENDING)
        return Z_STREAM_ERROR;
    t->s.bits |= ((uint64_t) value & ((1u << bits) - 1)) << t->s.bit_count;
    t->s.bit_count += (uint32_t) bits;
    return Z_OK;
}

ISAL_PUBLIC long inflateMark(z_stream *strm)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);
    long outside = -65536;

    if (t == NULL || t->mode != MODE_DATA)
        return outside;
    if (t->s.block_state == ISAL_BLOCK_TYPE0)
        return outside + (long) t->s.stored_bytes;
    return (long) (t->s.bit_count - inflate_unused_bits(t)) * 65536;
}

/* ---- Resynchronization ---- */

/* Continues the search for 00 00 ff ff in n bytes; returns how many it read. */
static size_t find_marker(uint32_t *found, const uint8_t *bytes, size_t n)
{
    static const uint8_t marker[] = {0, 0, 0xff, 0xff};
    size_t i = 0;

    for (; i < n && *found < sizeof(marker); i++) {
        if (bytes[i] == marker[*found])
            ++*found;
        else if (bytes[i] != 0)
            *found = 0;
        else
            *found = *found == 2 ? 2 : 1; /* 00 00 00 ends with two zeros, 00 00 ff 00 with one */
    }
    return i;
}

ISAL_PUBLIC int inflateSync(z_stream *strm)
{
    enum { MARKER_BYTES = 4 };
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);
    unsigned long total_in, total_out;
    unsigned unused;
    int gzip_flags;
    size_t n;

    if (t == NULL)
        return Z_STREAM_ERROR;
    unused = inflate_unused_bits(t);
    if (strm->avail_in == 0 && unused < 8)
        return Z_BUF_ERROR;
    if (t->mode != MODE_SYNC) {
        uint64_t bits = t->s.bits >> (t->s.bit_count - unused) >> (unused & 7);

        t->mode = MODE_SYNC;
        t->marker_bytes = 0;
        for (; unused >= 8; bits >>= 8, unused -= 8) {
            uint8_t byte = (uint8_t) bits;

            find_marker(&t->marker_bytes, &byte, 1);
        }
        drop_bits(t);
    }
    n = find_marker(&t->marker_bytes, strm->next_in, strm->avail_in);
    strm->next_in += n;
    strm->avail_in -= (unsigned) n;
    strm->total_in += n;
    if (t->marker_bytes < MARKER_BYTES)
        return Z_DATA_ERROR;
    gzip_flags = t->gzip_flags;
    if (gzip_flags == NO_HEADER)
        t->wrap = WRAP_RAW; /* the header was damaged, or is missing */
    else
        t->wrap &= ~WRAP_CHECKED;
    total_in = strm->total_in;
    total_out = strm->total_out;
    inflateReset(strm);
    strm->total_in = total_in;
    strm->total_out = total_out;
    t->gzip_flags = gzip_flags;
    t->mode = MODE_BOUNDARY;
    return Z_OK;
}

ISAL_PUBLIC int inflateSyncPoint(z_stream *strm)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL)
        return Z_STREAM_ERROR;
    return t->mode == MODE_BLOCK_HEADER && t->s.block_state == ISAL_BLOCK_HDR &&
           t->s.header_phase == HEADER_STORED && t->s.bit_count == 0;
}

/* ---- Settings ---- */

ISAL_PUBLIC int inflateGetHeader(z_stream *strm, gz_header *head)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL || !(t->wrap & WRAP_GZIP))
        return Z_STREAM_ERROR;
    t->header = head;
    head->done = 0;
    return Z_OK;
}

/* A distance too far back is always an error. */
ISAL_PUBLIC int inflateUndermine(z_stream *strm, int subvert)
{
    (void) subvert;
    return isalk_zlib_inflate_state(strm) == NULL ? Z_STREAM_ERROR : Z_DATA_ERROR;
}

ISAL_PUBLIC int inflateValidate(z_stream *strm, int check)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL)
        return Z_STREAM_ERROR;
    if (check && t->wrap != WRAP_RAW)
        t->wrap |= WRAP_CHECKED;
    else
        t->wrap &= ~WRAP_CHECKED;
    return Z_OK;
}

/* Entries of the decoding tables of the current block, without subtables. */
ISAL_PUBLIC unsigned long inflateCodesUsed(z_stream *strm)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL)
        return ~0ul;
    return t->dynamic_blocks == 0 ? 0 : (1ul << t->s.block.litlen_bits) + (1ul << DISTANCE_BITS);
}

/* ---- Copies ---- */

ISAL_PUBLIC int inflateCopy(z_stream *dest, z_stream *source)
{
    struct inflate_stream *from = isalk_zlib_inflate_state(source), *to;
    uint8_t *window = NULL;

    if (from == NULL || dest == NULL)
        return Z_STREAM_ERROR;
    to = source->zalloc(source->opaque, 1, INFLATE_STREAM_BYTES);
    if (to == NULL)
        return Z_MEM_ERROR;
    if (from->window != NULL) {
        window = source->zalloc(source->opaque, 1, window_full(from) + WINDOW_MARGIN);
        if (window == NULL) {
            source->zfree(source->opaque, to);
            return Z_MEM_ERROR;
        }
        memcpy(window, from->window, from->window_end);
    }
    *dest = *source;
    memcpy((void *) to, from, INFLATE_STREAM_BYTES);
    to->base.strm = dest;
    to->window = window;
    dest->state = &to->base;
    return Z_OK;
}
