/* zlib-compatible compression: initialization, reset, deflate(), end.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/zlib/zlib_deflate.h"

#include "igzip/deflate/output.h"
#include "igzip/format/checksum.h"

struct deflate_stream *isalk_zlib_deflate_state(z_stream *strm)
{
    return (struct deflate_stream *) (void *) zlib_state_of(strm, STREAM_DEFLATE);
}

/* ---- Begin, reset, end ---- */

uint32_t isalk_zlib_first_check(const struct deflate_stream *d)
{
    return d->wrap == WRAP_GZIP ? 0 : 1;
}

uint32_t isalk_zlib_check(const struct deflate_stream *d)
{
    uint32_t crc = d->s.internal_state.crc;

    return d->wrap == WRAP_GZIP ? crc : adler_standard(crc);
}

ISAL_PUBLIC int deflateReset(z_stream *strm)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);

    if (d == NULL)
        return Z_STREAM_ERROR;
    strm->total_in = strm->total_out = 0;
    strm->msg = NULL;
    strm->data_type = Z_UNKNOWN;
    strm->adler = isalk_zlib_first_check(d);
    if (d->next.level != d->current.level)
        isalk_zlib_use_level(d, d->next); /* if out of memory, the level stays */
    d->status = STATUS_NEW;
    d->data = DATA_UNKNOWN;
    d->last_flush = FLUSH_NONE;
    d->has_dictionary = 0;
    isal_deflate_reset(&d->s);
    return Z_OK;
}

/* The same as deflateReset(), since a stream never refers to the data of the one before. */
ISAL_PUBLIC int deflateResetKeep(z_stream *strm)
{
    return deflateReset(strm);
}

/* Splits windowBits into wrapper and window; returns whether it is valid. */
static int read_window_bits(int bits, int *wrap, int *window_bits)
{
    *wrap = WRAP_ZLIB;
    if (bits < 0) {
        *wrap = WRAP_RAW;
        if (bits < -MAX_WINDOW_BITS)
            return 0;
        bits = -bits;
    } else if (bits > MAX_WINDOW_BITS) {
        *wrap = WRAP_GZIP;
        bits -= 16;
    }
    *window_bits = bits == MIN_WINDOW_BITS ? bits + 1 : bits;
    return bits >= MIN_WINDOW_BITS && bits <= MAX_WINDOW_BITS &&
           (bits > MIN_WINDOW_BITS || *wrap == WRAP_ZLIB);
}

ISAL_PUBLIC int deflateInit2_(z_stream *strm, int level, int method, int window_bits, int mem_level,
                              int strategy, const char *version, int stream_size)
{
    static const uint16_t wrapper[] = {IGZIP_DEFLATE, IGZIP_ZLIB_NO_HDR, IGZIP_GZIP_NO_HDR};
    struct level_choice choice = {level, strategy};
    struct deflate_stream *d;
    int wrap, bits, result = isalk_zlib_start(strm, version, stream_size);

    if (result != Z_OK)
        return result;
    if (!isalk_zlib_valid_choice(&choice) || method != Z_DEFLATED || mem_level < 1 ||
        mem_level > 9 || !read_window_bits(window_bits, &wrap, &bits))
        return Z_STREAM_ERROR;
    strm->state = isalk_zlib_alloc(strm, STREAM_DEFLATE, DEFLATE_STREAM_BYTES,
                                   offsetof(struct deflate_stream, s));
    if (strm->state == NULL)
        return isalk_zlib_error(strm, Z_MEM_ERROR);
    d = isalk_zlib_deflate_state(strm);
    isal_deflate_init(&d->s);
    state_of(&d->s)->buffered = 0;
    d->wrap = wrap;
    d->window_bits = bits;
    d->mem_level = mem_level;
    d->s.gzip_flag = wrapper[wrap];
    d->s.hist_bits = (uint16_t) bits;
    d->s.level = 1; /* any level with a buffer: isalk_zlib_row() chooses the row */
    if (!isalk_zlib_use_level(d, choice)) {
        deflateEnd(strm);
        return isalk_zlib_error(strm, Z_MEM_ERROR);
    }
    return deflateReset(strm);
}

ISAL_PUBLIC int deflateInit_(z_stream *strm, int level, const char *version, int stream_size)
{
    return deflateInit2_(strm, level, Z_DEFLATED, MAX_WINDOW_BITS, 8, Z_DEFAULT_STRATEGY, version,
                         stream_size);
}

ISAL_PUBLIC int deflateEnd(z_stream *strm)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);
    int busy;

    if (d == NULL)
        return Z_STREAM_ERROR;
    busy = d->status == STATUS_DATA;
    if (d->level_memory != NULL)
        strm->zfree(strm->opaque, d->level_memory);
    strm->zfree(strm->opaque, d);
    strm->state = NULL;
    return busy ? Z_DATA_ERROR : Z_OK;
}

/* ---- deflate() ---- */

/* Orders the kinds of flush by their effect. Without new input, a flush of a rank no higher than
 * the one before is an error. */
static int rank(int flush)
{
    return flush == Z_BLOCK ? 1 : 2 * flush;
}

int isalk_zlib_between_blocks(const struct deflate_stream *d)
{
    const struct deflate_state *state = state_of((struct isal_zstream *) &d->s);

    return state->phase == PHASE_BETWEEN_BLOCKS && state->buffered == state->buffer_parsed &&
           state->stored_bytes == 0;
}

/* Compresses the input that the stream points to. */
static void run(struct deflate_stream *d, int flush)
{
    static const uint16_t kinds[] = {NO_FLUSH,   FLUSH_PARTIAL, SYNC_FLUSH,
                                     FULL_FLUSH, NO_FLUSH,      FLUSH_BLOCK};
    struct deflate_work w;

    d->s.flush = kinds[flush];
    d->s.end_of_stream = flush == Z_FINISH;
    isalk_level_layout(isalk_zlib_row(d->current), &d->s, &w);
    if (d->current.level == Z_NO_COMPRESSION)
        w.blocks = BLOCKS_STORED;
    else if (d->current.strategy == Z_FIXED)
        w.blocks = BLOCKS_STATIC;
    else if (d->current.strategy == Z_FILTERED)
        w.lz.min_match = FILTERED_MIN_MATCH;
    w.data = &d->data;
    isalk_deflate_run(&w);
    drain(&d->s); /* writes the end of a block */
}

/* Compresses the input of strm and advances strm. Returns whether the header is complete. */
static int compress_input(z_stream *strm, struct deflate_stream *d, int flush)
{
    struct isal_zstream *s = &d->s;
    int has_header;

    s->next_in = (uint8_t *) (uintptr_t) strm->next_in;
    s->avail_in = strm->avail_in;
    s->next_out = strm->next_out;
    s->avail_out = strm->avail_out;
    has_header = isalk_zlib_write_header(d);
    if (has_header) {
        if (d->next.level != d->current.level && isalk_zlib_between_blocks(d))
            isalk_zlib_use_level(d, d->next); /* if out of memory, the level stays */
        run(d, flush);
        if (d->wrap != WRAP_RAW)
            strm->adler = isalk_zlib_check(d);
    }
    strm->total_in += strm->avail_in - s->avail_in;
    strm->total_out += strm->avail_out - s->avail_out;
    strm->next_in = s->next_in;
    strm->avail_in = s->avail_in;
    strm->next_out = s->next_out;
    strm->avail_out = s->avail_out;
    return has_header;
}

/* Returns whether the input can be kept for a later call: a block is open, nothing waits for room
 * in the output, and what is kept stays too little for the parser. The output of a stream does not
 * depend on how its input is divided among calls. */
static int can_keep_input(const struct deflate_stream *d, size_t n)
{
    enum { MOST_KEPT = LZ77_CHUNK + LZ77_LOOKAHEAD };
    const struct deflate_state *state = state_of((struct isal_zstream *) &d->s);

    return d->status == STATUS_DATA && state->phase == PHASE_COLLECT && state->bit_count < 8 &&
           state->buffered - state->buffer_parsed + n < MOST_KEPT &&
           state->buffered + n <= sizeof(state->buffer);
}

static void keep_input(z_stream *strm, struct deflate_stream *d)
{
    struct deflate_state *state = state_of(&d->s);
    unsigned n = strm->avail_in;

    if (n > 0)
        memcpy(state->buffer + state->buffered, strm->next_in, n);
    state->buffered += n;
    state->crc = isalk_deflate_checksum(d->s.gzip_flag, state->crc, strm->next_in, n);
    d->s.total_in += n;
    if (d->wrap != WRAP_RAW)
        strm->adler = isalk_zlib_check(d);
    strm->total_in += n;
    strm->next_in += n;
    strm->avail_in = 0;
}

ISAL_PUBLIC int deflate(z_stream *strm, int flush)
{
    struct deflate_stream *d = isalk_zlib_deflate_state(strm);
    int last_flush;

    if (d == NULL || flush < Z_NO_FLUSH || flush > Z_BLOCK)
        return Z_STREAM_ERROR;
    if (strm->next_out == NULL || (strm->avail_in != 0 && strm->next_in == NULL) ||
        (d->status >= STATUS_FINISHING && flush != Z_FINISH))
        return isalk_zlib_error(strm, Z_STREAM_ERROR);
    if (strm->avail_out == 0)
        return isalk_zlib_error(strm, Z_BUF_ERROR);
    last_flush = d->last_flush;
    d->last_flush = flush;
    if (strm->avail_in == 0 && rank(flush) <= rank(last_flush) && flush != Z_FINISH &&
        state_of(&d->s)->bit_count < 8) /* 8 or more: deflatePrime() added some */
        return isalk_zlib_error(strm, Z_BUF_ERROR);
    if (d->status >= STATUS_FINISHING && strm->avail_in != 0)
        return isalk_zlib_error(strm, Z_BUF_ERROR);
    if (d->status == STATUS_END)
        return Z_STREAM_END;

    if (flush == Z_NO_FLUSH && can_keep_input(d, strm->avail_in)) {
        keep_input(strm, d);
        return Z_OK;
    }
    if (compress_input(strm, d, flush) && flush == Z_FINISH && strm->avail_in == 0)
        d->status = STATUS_FINISHING;
    if (d->s.internal_state.state == ZSTATE_END) {
        d->status = STATUS_END;
        if (d->data == DATA_UNKNOWN && d->current.level != Z_NO_COMPRESSION)
            d->data = DATA_BINARY; /* an empty stream */
    }
    strm->data_type = (int) d->data;
    if (d->status == STATUS_END)
        return Z_STREAM_END;
    if (strm->avail_out == 0)
        d->last_flush = FLUSH_UNFINISHED;
    return Z_OK;
}
