/* Whole buffers in one call.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <limits.h>

#include "igzip/zlib/zlib_stream.h"

/* ---- Compression ---- */

ISAL_PUBLIC unsigned long compressBound(unsigned long source_len)
{
    return source_len + (source_len >> 12) + (source_len >> 14) + (source_len >> 25) + 13;
}

/* If avail is empty, moves up to UINT_MAX of the remaining bytes to it. */
static void refill(unsigned *avail, unsigned long *left)
{
    unsigned n = *left > UINT_MAX ? UINT_MAX : (unsigned) *left;

    if (*avail == 0) {
        *avail = n;
        *left -= n;
    }
}

ISAL_PUBLIC int compress2(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
                          unsigned long source_len, int level)
{
    unsigned long room = *dest_len, left = source_len;
    z_stream strm;
    int result;

    *dest_len = 0;
    memset(&strm, 0, sizeof(strm));
    result = deflateInit_(&strm, level, ZLIB_VERSION, (int) sizeof(strm));
    if (result != Z_OK)
        return result;
    strm.next_in = source;
    strm.next_out = dest;
    do {
        refill(&strm.avail_out, &room);
        refill(&strm.avail_in, &left);
        result = deflate(&strm, left > 0 ? Z_NO_FLUSH : Z_FINISH);
    } while (result == Z_OK);
    *dest_len = strm.total_out;
    deflateEnd(&strm);
    return result == Z_STREAM_END ? Z_OK : result;
}

ISAL_PUBLIC int compress(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
                         unsigned long source_len)
{
    return compress2(dest, dest_len, source, source_len, Z_DEFAULT_COMPRESSION);
}

/* ---- Decompression ---- */

/* The result of uncompress(), from the last result of inflate(). `full`: the output is full. */
static int whole_result(int result, int full)
{
    switch (result) {
    case Z_STREAM_END:
        return Z_OK;
    case Z_NEED_DICT:
        return Z_DATA_ERROR;
    case Z_BUF_ERROR:
        return full ? Z_BUF_ERROR : Z_DATA_ERROR;
    default:
        return result;
    }
}

ISAL_PUBLIC int uncompress2(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
                            unsigned long *source_len)
{
    unsigned long capacity = *dest_len, room = capacity, left = *source_len;
    uint8_t probe[1]; /* if capacity is 0: a byte written here shows that there is output */
    z_stream strm;
    int result;

    *dest_len = 0;
    if (capacity == 0) {
        room = sizeof(probe);
        dest = probe;
    }
    memset(&strm, 0, sizeof(strm));
    strm.next_in = source;
    result = inflateInit_(&strm, ZLIB_VERSION, (int) sizeof(strm));
    if (result != Z_OK)
        return result;
    strm.next_out = dest;
    do {
        refill(&strm.avail_out, &room);
        refill(&strm.avail_in, &left);
        result = inflate(&strm, Z_NO_FLUSH);
    } while (result == Z_OK);
    *source_len -= left + strm.avail_in;
    if (capacity > 0)
        *dest_len = strm.total_out;
    inflateEnd(&strm);
    return whole_result(result, capacity > 0 && strm.total_out == capacity);
}

ISAL_PUBLIC int uncompress(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
                           unsigned long source_len)
{
    return uncompress2(dest, dest_len, source, &source_len);
}
