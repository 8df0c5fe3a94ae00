/* What the streams of both directions share.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_STREAM_H
#define ZLIB_STREAM_H

#include "dispatch/compiler.h" /* first: it chooses the system's interfaces */

#include <string.h>

#include "igzip/zlib/zlib_api.h"

enum stream_kind { STREAM_DEFLATE = 0x7a646566, STREAM_INFLATE = 0x7a696e66 };

/* windowBits, as programs give it. */
enum { MIN_WINDOW_BITS = 8, MAX_WINDOW_BITS = 15 };

/* Bits of `wrap`: the wrappers that a stream may have, and whether their checksums are verified. */
enum { WRAP_RAW = 0, WRAP_ZLIB = 1, WRAP_GZIP = 2, WRAP_CHECKED = 4 };

/* The start of a stream's memory. */
struct internal_state {
    z_stream *strm; /* the stream that this belongs to: copies of a z_stream are not valid */
    uint32_t kind;  /* enum stream_kind */
};

ISALK_HIDDEN_BEGIN

/* Sets allocation functions where the program has none, and msg to NULL. Returns Z_OK, or an error
 * if the program was compiled against another interface or strm is NULL. */
int isalk_zlib_start(z_stream *strm, const char *version, int stream_size);

/* Allocates the memory of a stream and clears its first `zeroed` bytes. Returns NULL if out of
 * memory. */
struct internal_state *isalk_zlib_alloc(z_stream *strm, enum stream_kind kind, size_t bytes,
                                        size_t zeroed);

/* Sets msg to the text of an error; returns the error. */
int isalk_zlib_error(z_stream *strm, int error);

ISALK_HIDDEN_END

/* The memory of a stream of this kind, or NULL if strm is not one. */
ISALK_INLINE struct internal_state *zlib_state_of(z_stream *strm, enum stream_kind kind)
{
    if (strm == NULL || strm->zalloc == NULL || strm->zfree == NULL || strm->state == NULL ||
        strm->state->strm != strm || strm->state->kind != kind)
        return NULL;
    return strm->state;
}

#endif
