/* inflateBack(): decompression of a raw stream that calls back for input and output.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each call of inflate() writes to the program's window as its output. The history is in the
 * stream's own window. */

#include "igzip/zlib/zlib_inflate.h"

ISAL_PUBLIC int inflateBackInit_(z_stream *strm, int window_bits, uint8_t *window,
                                 const char *version, int stream_size)
{
    int result = isalk_zlib_start(strm, version, stream_size);
    struct inflate_stream *t;

    if (result != Z_OK)
        return result;
    if (window == NULL || window_bits < MIN_WINDOW_BITS || window_bits > MAX_WINDOW_BITS)
        return Z_STREAM_ERROR;
    result = inflateInit2_(strm, -window_bits, version, stream_size);
    if (result != Z_OK)
        return result;
    t = isalk_zlib_inflate_state(strm);
    t->back_window = window;
    if (isalk_zlib_get_window(t))
        return Z_OK;
    inflateEnd(strm);
    return Z_MEM_ERROR;
}

/* Calls for input if there is none; returns whether there is now. */
static int get_input(z_stream *strm, z_in_fn *in, void *in_desc)
{
    if (strm->avail_in > 0)
        return 1;
    strm->next_in = NULL;
    strm->avail_in = in(in_desc, &strm->next_in);
    if (strm->avail_in == 0)
        strm->next_in = NULL;
    return strm->avail_in > 0;
}

ISAL_PUBLIC int inflateBack(z_stream *strm, z_in_fn *in, void *in_desc, z_out_fn *out,
                            void *out_desc)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);
    unsigned bytes, written;
    int result, has_input = 1;

    if (t == NULL || t->back_window == NULL)
        return Z_STREAM_ERROR;
    bytes = 1u << t->window_bits;
    if (strm->next_in == NULL)
        strm->avail_in = 0;
    inflateReset(strm);
    do {
        strm->next_out = t->back_window;
        strm->avail_out = bytes;
        do {
            result = isalk_zlib_inflate(strm, t, Z_NO_FLUSH);
            if (result == Z_OK && strm->avail_out > 0)
                has_input = get_input(strm, in, in_desc);
        } while (result == Z_OK && strm->avail_out > 0 && has_input);
        written = bytes - strm->avail_out;
        if (written > 0 && out(out_desc, t->back_window, written) && result >= Z_OK)
            return Z_BUF_ERROR;
    } while (result == Z_OK && has_input);
    return result == Z_OK ? Z_BUF_ERROR : result;
}

ISAL_PUBLIC int inflateBackEnd(z_stream *strm)
{
    return inflateEnd(strm);
}
