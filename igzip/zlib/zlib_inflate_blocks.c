/* Decodes blocks for inflate(), never beyond the symbol that fills the output.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Output is decoded in place, in the program's buffer, if that contains all bytes that matches may
 * copy. It does in the call in which a stream begins, and after the first 32 KB of a call with much
 * room. Otherwise output is decoded into the window, after the history, and copied. If a match does
 * not fit the output, the rest of it stays in the window. */

#include "igzip/zlib/zlib_inflate.h"

#include "igzip/format/checksum.h"

enum {
    PIECE = 16384,       /* bytes decoded in place before their checksum is computed */
    KERNEL_OVERRUN = 16, /* literals after `stop` that the kernel may decode, at most */
    NO_MEMORY = STOP_END + 1
};

/* ---- Output ---- */

static void advance_output(z_stream *strm, struct inflate_stream *t, size_t n)
{
    if (n == 0)
        return;
    if (t->wrap & WRAP_CHECKED) {
        t->checksum = t->gzip_flags > 0 ? crc32_gzip_refl(t->checksum, strm->next_out, n)
                                        : adler_continue(t->checksum, strm->next_out, n);
        strm->adler = t->checksum;
    }
    strm->next_out += n;
    strm->avail_out -= (unsigned) n;
    strm->total_out += n;
    t->total_out += n;
}

void isalk_zlib_deliver(z_stream *strm, struct inflate_stream *t)
{
    size_t n = t->window_end - t->window_delivered;

    n = n < strm->avail_out ? n : strm->avail_out;
    if (n == 0)
        return;
    memcpy(strm->next_out, t->window + t->window_delivered, n);
    t->window_delivered += (uint32_t) n;
    advance_output(strm, t, n);
}

/* ---- Window ---- */

/* Allocates a window with a history of this many bytes, and moves the contents of the old one
 * there, if it is smaller. Returns whether the window has such a history. */
static int grow_window(struct inflate_stream *t, uint32_t history)
{
    z_stream *strm = t->base.strm;
    uint8_t *window;

    if (t->window != NULL && t->window_history >= history)
        return 1;
    window = strm->zalloc(strm->opaque, 1, history + WINDOW_AHEAD + WINDOW_MARGIN);
    if (window == NULL)
        return 0;
    if (t->window != NULL) {
        memcpy(window, t->window, t->window_end);
        strm->zfree(strm->opaque, t->window);
    }
    t->window = window;
    t->window_history = history;
    return 1;
}

int isalk_zlib_get_window(struct inflate_stream *t)
{
    return grow_window(t, t->history_bits > 0 ? 1u << t->history_bits : HISTORY);
}

/* Keeps the last n bytes of the window. */
static void keep_last(struct inflate_stream *t, uint32_t n)
{
    uint32_t dropped = t->window_end - n;

    memmove(t->window, t->window + dropped, n);
    t->window_end -= dropped;
    t->window_delivered -= dropped;
    t->window_low = t->window_low > dropped ? t->window_low - dropped : 0;
}

static int has_small_window(const struct inflate_stream *t)
{
    return t->history_bits > 0 && t->history_bits < MAX_WINDOW_BITS;
}

/* Makes room in the window. Matches may copy all output of the call: if a small window has no room
 * for that, it becomes a large one. Returns 0 if out of memory. */
static int make_room(struct inflate_stream *t)
{
    if (t->window_end < window_full(t))
        return 1;
    if (t->window_end - t->window_history > t->window_low && !grow_window(t, HISTORY))
        return 0;
    if (t->window_end >= window_full(t))
        keep_last(t, t->window_history);
    return 1;
}

void isalk_zlib_limit_history(struct inflate_stream *t, size_t room)
{
    uint32_t pending = t->window_end - t->window_delivered;

    if (t->history_bits > 0 && t->window_delivered - t->window_low > 1u << t->history_bits)
        t->window_low = t->window_delivered - (1u << t->history_bits);
    if (!has_small_window(t))
        return;
    if (pending > 0 && t->pending_distance > t->window_delivered - t->window_low) {
        t->window_end = t->window_delivered;
        t->distance_too_far = 1;
        pending = 0;
    }
    if (t->window_end > t->window_history + pending &&
        (uint64_t) t->window_end + room > window_full(t))
        keep_last(t, t->window_history + pending);
}

void isalk_zlib_add_window(struct inflate_stream *t, const uint8_t *data, size_t n)
{
    uint32_t history = t->window_history;

    if (n >= history) {
        data += n - history;
        n = history;
        t->window_end = 0;
        t->window_low = 0;
    } else if (t->window_end + n > window_full(t)) {
        keep_last(t, history - (uint32_t) n);
    }
    if (n > 0)
        memcpy(t->window + t->window_end, data, n);
    t->window_end += (uint32_t) n;
    t->window_delivered = t->window_end;
}

int isalk_zlib_save_output(struct inflate_call *c)
{
    if (!isalk_zlib_get_window(c->t))
        return 0;
    if (c->unsaved)
        isalk_zlib_add_window(c->t, c->start, (size_t) (c->strm->next_out - c->start));
    c->unsaved = 0;
    return 1;
}

/* ---- Decoding ---- */

static int is_coded(const struct inflate_stream *t)
{
    return t->s.block_state == ISAL_BLOCK_CODED;
}

/* Decodes into the program's buffer. Matches may copy all output since `start`. */
static int decode_in_place(struct inflate_call *c)
{
    z_stream *strm = c->strm;
    struct inflate_run *r = &c->r;
    int result;

    r->window = c->start;
    do {
        size_t n = strm->avail_out;

        if (c->t->wrap & WRAP_CHECKED && n > PIECE + DEFLATE_MAX_MATCH + KERNEL_OVERRUN)
            n = PIECE;

        r->out = strm->next_out;
        r->stop = r->out + n;
        r->out_end = r->out + strm->avail_out;
        r->resumes = n < strm->avail_out;
        result =
            is_coded(c->t) ? isalk_inflate_block(&c->t->s, r) : isalk_inflate_stored(&c->t->s, r);
        advance_output(strm, c->t, (size_t) (r->out - strm->next_out));
    } while (result == STOP_OUTPUT && r->resumes);
    c->unsaved = 1;
    return result;
}

/* Decodes into the window as much as the output has room for, or one symbol if it has none. */
static int decode_in_window(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    struct inflate_run *r = &c->r;
    size_t room = c->strm->avail_out;
    int result = STOP_OUTPUT;

    if (room == 0) /* the symbol belongs to the next call */
        isalk_zlib_limit_history(t, 0);
    if (!make_room(t))
        return NO_MEMORY;
    if (room > window_full(t) - t->window_end)
        room = window_full(t) - t->window_end;
    r->window = t->window + t->window_low;
    r->out = t->window + t->window_end;
    r->out_end = t->window + window_full(t) + WINDOW_MARGIN;
    r->resumes = 1;
    r->last_distance = 0;
    if (!is_coded(t)) {
        r->stop = r->out + room;
        result = isalk_inflate_stored(&t->s, r);
    } else {
        uint8_t *stop = r->out + room;
        size_t exact = has_small_window(t) ? KERNEL_OVERRUN + DEFLATE_MAX_MATCH : KERNEL_OVERRUN;

        if (room > INFLATE_OUT_MARGIN && room > exact) {
            r->stop = stop - exact;
            result = isalk_inflate_block(&t->s, r);
        }
        r->stop = stop + (room == 0);
        if (result == STOP_OUTPUT && r->out < r->stop)
            result = isalk_inflate_block_exactly(&t->s, r);
    }
    t->window_end = (uint32_t) (r->out - t->window);
    t->pending_distance = r->last_distance;
    isalk_zlib_deliver(c->strm, t);
    return result;
}

/* Returns whether the next output can be decoded in place. */
static int can_decode_in_place(const struct inflate_call *c)
{
    const struct inflate_stream *t = c->t;

    if (c->strm->avail_out == 0)
        return 0;
    if (t->window_end == 0)
        return 1;
    return (size_t) (c->strm->next_out - c->start) >= HISTORY && c->strm->avail_out >= DIRECT_MIN;
}

static const char too_far_back[] = "invalid distance too far back";

/* Consumes an invalid symbol, up to the part that is wrong. A distance too far back is an error
 * only once the output has room for the match. */
static enum inflate_step invalid_symbol(struct inflate_call *c, int error)
{
    int in_distance;
    unsigned bits = isalk_inflate_complete_bits(&c->t->s, &c->r, &in_distance);
    const char *msg = too_far_back;

    if (error != ISAL_INVALID_LOOKBACK)
        msg = in_distance ? "invalid distance code" : "invalid literal/length code";
    consume_bits(&c->r, bits < c->r.bit_count ? bits : (unsigned) c->r.bit_count);
    if (error == ISAL_INVALID_LOOKBACK && c->strm->avail_out == 0) {
        c->t->distance_too_far = 1;
        return STEP_OUTPUT;
    }
    return isalk_zlib_invalid(c, msg, 0);
}

/* Matches may copy all output of a call that has room for more. If a small window had no room for
 * the output decoded in place, replaces it by a large one. Returns whether it did. */
static int recover_output(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    size_t n = (size_t) (c->strm->next_out - c->start);

    if (c->strm->avail_out == 0 || n <= t->window_end || t->window_history == HISTORY ||
        !grow_window(t, HISTORY))
        return 0;
    t->window_end = t->window_low = 0;
    isalk_zlib_add_window(t, c->start, n);
    return 1;
}

/* Decodes until a block ends, input or room for output ends, or data are invalid. */
static int decode(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    int result = STOP_OUTPUT;

    while (result == STOP_OUTPUT && t->window_end == t->window_delivered &&
           (is_coded(t) || c->strm->avail_out > 0 || t->s.stored_bytes == 0)) {
        if (can_decode_in_place(c))
            result = decode_in_place(c);
        if (result != STOP_OUTPUT)
            break;
        if (!isalk_zlib_save_output(c))
            return NO_MEMORY;
        result = decode_in_window(c);
        if (result == ISAL_INVALID_LOOKBACK && recover_output(c))
            result = STOP_OUTPUT;
    }
    return result;
}

enum inflate_step isalk_zlib_read_data(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    int result;

    if (t->distance_too_far)
        return c->strm->avail_out == 0 ? STEP_OUTPUT : isalk_zlib_invalid(c, too_far_back, 0);
    result = decode(c);

    if (result == NO_MEMORY)
        return STEP_MEMORY;
    if (result == STOP_END) {
        t->s.block_state = ISAL_BLOCK_NEW_HDR;
        t->mode = MODE_BOUNDARY;
        return STEP_MORE;
    }
    if (result < 0)
        return invalid_symbol(c, result);
    if (result == STOP_INPUT && is_coded(t))
        t->symbol_bits = c->r.complete_bits;
    return result == STOP_INPUT ? STEP_INPUT : STEP_OUTPUT;
}

/* ---- Block headers ---- */

static const char *header_message(const struct inflate_stream *t)
{
    static const char *const texts[] = {
        [INVALID_TYPE] = "invalid block type",
        [INVALID_STORED_LENGTH] = "invalid stored block lengths",
        [INVALID_COUNTS] = "too many length or distance symbols",
        [INVALID_PRECODE] = "invalid code lengths set",
        [INVALID_REPEAT] = "invalid bit length repeat",
        [INVALID_NO_END] = "invalid code -- missing end-of-block",
        [INVALID_LITLENS] = "invalid literal/lengths set",
        [INVALID_DISTANCES] = "invalid distances set",
    };

    return texts[t->s.invalid];
}

/* Bits of an invalid header that zlib has read from the input and left in its bit buffer. */
static unsigned unread_bits(const struct inflate_stream *t)
{
    return t->s.invalid == INVALID_STORED_LENGTH ? 32 : t->s.invalid == INVALID_COUNTS ? 14 : 0;
}

enum inflate_step isalk_zlib_read_block(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    int result;

    if (t->s.block_state == ISAL_BLOCK_NEW_HDR && t->s.is_last_block) {
        consume_bits(&c->r, c->r.bit_count & 7);
        t->mode = MODE_CHECK;
        return STEP_MORE;
    }
    result = isalk_inflate_block_header(&t->s, &c->r);
    if (t->s.block_state != ISAL_BLOCK_NEW_HDR)
        t->mode = MODE_BLOCK_HEADER;
    if (result < 0)
        return isalk_zlib_invalid(c, header_message(t), unread_bits(t));
    if (result == STOP_INPUT)
        return STEP_INPUT;
    t->dynamic_blocks += is_coded(t) && !t->s.block.is_fixed;
    t->mode = MODE_DATA_START;
    return STEP_MORE;
}
