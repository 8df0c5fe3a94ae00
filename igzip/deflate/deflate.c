/* Compression of streams: public functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

/* As memset(), which would be a call or a slow string instruction. SSE is avoided, too: mixed with
 * AVX, it costs 100 ns and more if a caller has left upper halves of registers in use. */
void isalk_deflate_reset_state(struct deflate_state *state)
{
    uint8_t *end = state->wrapper;
    uint64_t zero;

#pragma GCC unroll 16
    for (uint8_t *to = (uint8_t *) state; to < end - sizeof(zero); to += sizeof(zero)) {
        zero = isalk_any_length(0);
        memcpy(to, &zero, sizeof(zero));
    }
    memcpy(end - sizeof(zero), &zero, sizeof(zero));
}

ISAL_PUBLIC void isal_deflate_reset(struct isal_zstream *stream)
{
    stream->total_in = 0;
    stream->total_out = 0;
    isalk_deflate_reset_state(state_of(stream));
}

ISAL_PUBLIC void isal_deflate_init(struct isal_zstream *stream)
{
    isal_deflate_reset(stream);
    stream->hufftables = (struct isal_hufftables *) &isalk_hufftables_default;
    stream->level = 0;
    stream->level_buf_size = 0;
    stream->level_buf = NULL;
    stream->end_of_stream = 0;
    stream->flush = NO_FLUSH;
    stream->gzip_flag = IGZIP_DEFLATE;
    stream->hist_bits = 0;
}

ISAL_PUBLIC void isal_deflate_stateless_init(struct isal_zstream *stream)
{
    isal_deflate_init(stream);
}

ISAL_PUBLIC int isal_deflate_set_hufftables(struct isal_zstream *stream,
                                            struct isal_hufftables *hufftables, int type)
{
    if (stream->internal_state.state != ZSTATE_NEW_HDR)
        return ISAL_INVALID_OPERATION;
    switch (type) {
    case IGZIP_HUFFTABLE_CUSTOM:
        if (hufftables == NULL)
            return ISAL_INVALID_OPERATION;
        stream->hufftables = hufftables;
        return COMP_OK;
    case IGZIP_HUFFTABLE_DEFAULT:
        stream->hufftables = (struct isal_hufftables *) &isalk_hufftables_default;
        return COMP_OK;
    case IGZIP_HUFFTABLE_STATIC:
        stream->hufftables = (struct isal_hufftables *) &isalk_hufftables_static;
        return COMP_OK;
    default:
        return ISAL_INVALID_OPERATION;
    }
}

ISAL_PUBLIC int isal_deflate(struct isal_zstream *stream)
{
    const struct level *level = level_of(stream);
    struct deflate_state *state = state_of(stream);
    struct deflate_work w;
    int error;

    if (stream->flush > FULL_FLUSH)
        return INVALID_FLUSH;
    error = isalk_level_check(level, stream);
    if (error)
        return error;
    if (stream->level && stream->level_buf == state->buffer)
        return ISAL_INVALID_LEVEL_BUF; /* set by isal_deflate_stateless() */
    isalk_deflate_set_window(stream);

    if (state->state == ZSTATE_END) {
        stream->next_in += stream->avail_in;
        stream->total_in += stream->avail_in;
        stream->avail_in = 0;
        return COMP_OK;
    }
    if (level->min_level_buf == 0 && isalk_deflate_write_tiny(stream, stream->avail_out))
        return COMP_OK;
    isalk_level_layout(level, stream, &w);
    isalk_deflate_run(&w);
    return COMP_OK;
}
