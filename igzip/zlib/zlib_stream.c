/* The memory of streams, texts of errors, and what the library says about itself.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>

#include "igzip/zlib/zlib_stream.h"

/* ---- Memory ---- */

static void *default_alloc(void *opaque, unsigned items, unsigned size)
{
    (void) opaque;
    return malloc((size_t) items * size);
}

static void default_free(void *opaque, void *address)
{
    (void) opaque;
    free(address);
}

int isalk_zlib_start(z_stream *strm, const char *version, int stream_size)
{
    if (version == NULL || version[0] != ZLIB_VERSION[0] || stream_size != (int) sizeof(z_stream))
        return Z_VERSION_ERROR;
    if (strm == NULL)
        return Z_STREAM_ERROR;
    strm->msg = NULL;
    if (strm->zalloc == NULL) {
        strm->zalloc = default_alloc;
        strm->opaque = NULL;
    }
    if (strm->zfree == NULL)
        strm->zfree = default_free;
    return Z_OK;
}

struct internal_state *isalk_zlib_alloc(z_stream *strm, enum stream_kind kind, size_t bytes,
                                        size_t zeroed)
{
    struct internal_state *state = strm->zalloc(strm->opaque, 1, (unsigned) bytes);

    if (state == NULL)
        return NULL;
    memset(state, 0, zeroed);
    state->strm = strm;
    state->kind = kind;
    return state;
}

/* ---- Texts ---- */

ISAL_PUBLIC const char *zError(int error)
{
    static const char *const texts[] = {
        "need dictionary",     "stream end",   "",
        "file error",          "stream error", "data error",
        "insufficient memory", "buffer error", "incompatible version",
    };

    return error <= Z_NEED_DICT && error >= Z_VERSION_ERROR ? texts[Z_NEED_DICT - error] : "";
}

int isalk_zlib_error(z_stream *strm, int error)
{
    strm->msg = zError(error);
    return error;
}

ISAL_PUBLIC const char *zlibVersion(void)
{
    return ZLIB_VERSION;
}

/* The code of a size in two bits of zlibCompileFlags(). */
static unsigned long size_code(size_t size)
{
    return size == 2 ? 0 : size == 4 ? 1 : size == 8 ? 2 : 3;
}

ISAL_PUBLIC unsigned long zlibCompileFlags(void)
{
    return size_code(sizeof(unsigned)) | size_code(sizeof(unsigned long)) << 2 |
           size_code(sizeof(void *)) << 4 | size_code(sizeof(z_off_t)) << 6;
}
