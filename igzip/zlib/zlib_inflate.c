/* zlib-compatible decompression: initialization, reset, inflate(), end.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/zlib/zlib_inflate.h"

struct inflate_stream *isalk_zlib_inflate_state(z_stream *strm)
{
    return (struct inflate_stream *) (void *) zlib_state_of(strm, STREAM_INFLATE);
}

/* ---- Begin, reset, end ---- */

ISAL_PUBLIC int inflateResetKeep(z_stream *strm)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL)
        return Z_STREAM_ERROR;
    strm->total_in = strm->total_out = 0;
    strm->msg = NULL;
    if (t->wrap & (WRAP_ZLIB | WRAP_GZIP))
        strm->adler = t->wrap & WRAP_ZLIB;
    t->window_end = t->window_delivered; /* undelivered output is not part of the history */
    t->mode = MODE_HEAD;
    t->history_bits = t->window_bits;
    t->gzip_flags = NO_HEADER;
    t->has_dictionary = 0;
    t->header = NULL;
    t->checksum = 0;
    t->field_bytes = t->marker_bytes = 0;
    t->symbol_bits = t->wanted_bits = 0;
    t->distance_too_far = 0;
    t->total_out = 0;
    t->dynamic_blocks = 0;
    t->s.bits = 0;
    t->s.bit_count = 0;
    t->s.block_state = ISAL_BLOCK_NEW_HDR;
    t->s.is_last_block = 0;
    t->s.hist_bits = 0;
    return Z_OK;
}

ISAL_PUBLIC int inflateReset(z_stream *strm)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL)
        return Z_STREAM_ERROR;
    t->window_end = t->window_delivered = t->window_low = 0;
    return inflateResetKeep(strm);
}

/* Sets wrap and window_bits from windowBits; returns whether that is valid. */
static int set_window_bits(struct inflate_stream *t, int bits)
{
    int wrap = WRAP_RAW;

    if (bits < 0) {
        if (bits < -MAX_WINDOW_BITS)
            return 0;
        bits = -bits;
    } else {
        wrap = ((bits >> 4) + WRAP_ZLIB) | WRAP_CHECKED;
        if (bits < 48)
            bits &= 15;
    }
    if (bits != 0 && (bits < MIN_WINDOW_BITS || bits > MAX_WINDOW_BITS))
        return 0;
    t->wrap = wrap;
    t->window_bits = bits;
    return 1;
}

ISAL_PUBLIC int inflateReset2(z_stream *strm, int window_bits)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL || !set_window_bits(t, window_bits))
        return Z_STREAM_ERROR;
    return inflateReset(strm);
}

ISAL_PUBLIC int inflateInit2_(z_stream *strm, int window_bits, const char *version, int stream_size)
{
    int result = isalk_zlib_start(strm, version, stream_size);

    if (result != Z_OK)
        return result;
    strm->state = isalk_zlib_alloc(strm, STREAM_INFLATE, INFLATE_STREAM_BYTES,
                                   offsetof(struct inflate_stream, s));
    if (strm->state == NULL)
        return Z_MEM_ERROR;
    result = inflateReset2(strm, window_bits);
    if (result != Z_OK) {
        strm->zfree(strm->opaque, strm->state);
        strm->state = NULL;
    }
    return result;
}

ISAL_PUBLIC int inflateInit_(z_stream *strm, const char *version, int stream_size)
{
    return inflateInit2_(strm, MAX_WINDOW_BITS, version, stream_size);
}

ISAL_PUBLIC int inflateEnd(z_stream *strm)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);

    if (t == NULL)
        return Z_STREAM_ERROR;
    if (t->window != NULL)
        strm->zfree(strm->opaque, t->window);
    strm->zfree(strm->opaque, t);
    strm->state = NULL;
    return Z_OK;
}

/* ---- inflate() ---- */

/* Returns whole bytes from the bit buffer to the input, except for `keep` bits and the bytes of
 * earlier calls. */
static void return_input(struct inflate_call *c, unsigned keep)
{
    struct inflate_run *r = &c->r;
    size_t unread = r->bit_count > keep ? (size_t) (r->bit_count - keep) / 8 : 0;
    size_t consumed = (size_t) (r->in - c->strm->next_in);

    unread = unread < consumed ? unread : consumed;
    if (unread == 0)
        return;
    r->in -= unread;
    r->bit_count -= 8 * unread;
    r->bits &= ((uint64_t) 1 << r->bit_count) - 1;
}

enum inflate_step isalk_zlib_invalid(struct inflate_call *c, const char *msg, unsigned keep)
{
    return_input(c, keep);
    c->strm->msg = msg;
    c->t->mode = MODE_BAD;
    return STEP_STOP;
}

/* Verifies the checksum of the trailer. */
static enum inflate_step read_check(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    int gzip = t->gzip_flags > 0;
    uint32_t check;

    if (t->wrap & (WRAP_ZLIB | WRAP_GZIP)) {
        if (!need_bits(&c->r, 32))
            return STEP_INPUT;
        check = (uint32_t) c->r.bits;
        if (t->wrap & WRAP_CHECKED && (gzip ? check : __builtin_bswap32(check)) != t->checksum)
            return isalk_zlib_invalid(c, "incorrect data check", 32);
        consume_bits(&c->r, 32);
    }
    t->mode = MODE_LENGTH;
    return STEP_MORE;
}

/* Verifies the length in the trailer of gzip. */
static enum inflate_step read_length(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;

    if (t->wrap & (WRAP_ZLIB | WRAP_GZIP) && t->gzip_flags > 0) {
        if (!need_bits(&c->r, 32))
            return STEP_INPUT;
        if (t->wrap & WRAP_CHECKED && (uint32_t) c->r.bits != (uint32_t) t->total_out)
            return isalk_zlib_invalid(c, "incorrect length check", 32);
        consume_bits(&c->r, 32);
    }
    t->mode = MODE_DONE;
    return STEP_MORE;
}

static int stops_at_blocks(int flush)
{
    return flush == Z_BLOCK || flush == Z_TREES;
}

static enum inflate_step step(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;

    switch (t->mode) {
    case MODE_BOUNDARY:
        return stops_at_blocks(c->flush) ? STEP_STOP : isalk_zlib_read_block(c);
    case MODE_BLOCK_HEADER:
        return isalk_zlib_read_block(c);
    case MODE_DATA_START:
        if (c->flush == Z_TREES)
            return STEP_STOP;
        t->mode = MODE_DATA;
        return STEP_MORE;
    case MODE_DATA:
        return isalk_zlib_read_data(c);
    case MODE_CHECK:
        return read_check(c);
    case MODE_LENGTH:
        return read_length(c);
    case MODE_DONE:
    case MODE_BAD:
        return STEP_STOP;
    default:
        return isalk_zlib_read_header(c);
    }
}

/* Runs steps until one stops. Saves output decoded in place as history, unless the data ended. */
static enum inflate_step run(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    enum inflate_step result;

    do
        result = step(c);
    while (result == STEP_MORE);
    if (c->unsaved && t->mode < MODE_CHECK && !isalk_zlib_save_output(c))
        return STEP_MEMORY;
    return result;
}

int isalk_zlib_inflate(z_stream *strm, struct inflate_stream *t, int flush)
{
    const uint8_t *in = strm->next_in;
    unsigned in_bytes = strm->avail_in;
    enum inflate_step result;
    struct inflate_call c; /* not cleared: that would take half the time of a call for one byte */

    c.strm = strm;
    c.t = t;
    c.start = strm->next_out;
    c.unsaved = 0;
    c.flush = flush;
    if (t->mode == MODE_BOUNDARY)
        t->mode = MODE_BLOCK_HEADER;
    if (t->mode == MODE_DATA_START)
        t->mode = MODE_DATA;
    t->symbol_bits = t->wanted_bits = 0;
    c.r.reads_empty_precode = 1;
    c.r.in = in;
    c.r.in_end = strm->avail_in > 0 ? in + strm->avail_in : in;
    c.r.bits = t->s.bits;
    c.r.bit_count = t->s.bit_count;
    isalk_zlib_limit_history(t, strm->avail_out);
    isalk_zlib_deliver(strm, t);
    result = run(&c);
    if (result != STEP_INPUT && t->mode != MODE_BAD)
        return_input(&c, 0);
    t->s.bits = c.r.bits;
    t->s.bit_count = (uint32_t) c.r.bit_count;
    strm->avail_in -= (unsigned) (c.r.in - in);
    strm->next_in = c.r.in;
    if (result == STEP_NEED_DICT)
        return Z_NEED_DICT; /* zlib does not count the input of this call either */
    strm->total_in += (unsigned long) (in_bytes - strm->avail_in);
    if (result == STEP_MEMORY)
        return Z_MEM_ERROR;
    strm->data_type = inflate_data_type(t);
    return t->mode == MODE_DONE ? Z_STREAM_END : t->mode == MODE_BAD ? Z_DATA_ERROR : Z_OK;
}

/* Returns whether a call has few bytes of input or room, and can begin with
 * isalk_zlib_inflate_small(). */
static int is_small(const z_stream *strm, const struct inflate_stream *t)
{
    enum { MAX_INPUT = 16, MAX_ROOM = 32 };

    return (strm->avail_in <= MAX_INPUT || strm->avail_out <= MAX_ROOM) && t->mode == MODE_DATA &&
           t->window_end > 0 && t->window_end < window_full(t) &&
           t->history_bits == MAX_WINDOW_BITS && !t->distance_too_far;
}

ISAL_PUBLIC int inflate(z_stream *strm, int flush)
{
    struct inflate_stream *t = isalk_zlib_inflate_state(strm);
    unsigned avail_in, avail_out;
    int result;

    if (t == NULL || strm->next_out == NULL || (strm->next_in == NULL && strm->avail_in != 0) ||
        t->mode == MODE_SYNC)
        return Z_STREAM_ERROR;
    avail_in = strm->avail_in;
    avail_out = strm->avail_out;
    if (is_small(strm, t) && isalk_zlib_inflate_small(strm, t))
        result = Z_OK;
    else
        result = isalk_zlib_inflate(strm, t, flush);
    if (result == Z_OK &&
        ((avail_in == strm->avail_in && avail_out == strm->avail_out) || flush == Z_FINISH))
        return Z_BUF_ERROR;
    return result;
}
