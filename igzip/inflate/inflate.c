/* Decompression: the public functions, blocks and output.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Output is decoded in place, in the caller's buffer, if that contains all bytes that matches may
 * copy. It does in the call in which a stream begins, and after the first 32 KB of a call with much
 * room. Otherwise output is decoded into `window`, after the history, and copied to the caller.
 *
 * When the caller's buffer is full, decoding continues into `window`. Callers rely on this
 * read-ahead: input is consumed, and the end of the stream found, while output is still pending.
 * The read-ahead also makes calls with small output buffers fast: one large step of decoding serves
 * many of them. */

#include "igzip/inflate/inflate_state.h"

#include "igzip/format/checksum.h"
#include "igzip/format/wrapper.h"

#define PIECE 16384 /* bytes decoded before their checksum is computed, while they are in L1 */
#define PIECE_OVERRUN (DEFLATE_MAX_MATCH + 2) /* bytes that may be decoded after a piece */

/* Decoding into `window` pauses here; the longest match still fits. */
#define WINDOW_STOP (2 * ISAL_DEF_HIST_SIZE)

/* With less room in the output, decoding in place is not worth copying the history afterwards. */
#define MIN_IN_PLACE (2 * ISAL_DEF_HIST_SIZE)

/* ---- Checksums ---- */

static int has_crc(const struct inflater *s)
{
    return s->crc_flag == ISAL_GZIP || s->crc_flag == ISAL_GZIP_NO_HDR ||
           s->crc_flag == ISAL_GZIP_NO_HDR_VER;
}

static int has_adler(const struct inflater *s)
{
    return s->crc_flag == ISAL_ZLIB || s->crc_flag == ISAL_ZLIB_NO_HDR ||
           s->crc_flag == ISAL_ZLIB_NO_HDR_VER;
}

/* Continues a zero-based Adler-32 byte by byte; for a few bytes this is faster than the kernel. */
#define MAX_BYTEWISE 8
static uint32_t adler_bytewise(uint32_t zero_based, const uint8_t *data, size_t n)
{
    uint32_t low = zero_based & 0xffff, high = zero_based >> 16;

    for (size_t i = 0; i < n; i++) {
        low += data[i];
        low -= low >= ADLER_MODULUS ? ADLER_MODULUS : 0;
        high += low + 1;
        high -= high >= ADLER_MODULUS ? ADLER_MODULUS : 0;
    }
    return high << 16 | low;
}

static void update_checksum(struct inflater *s, const uint8_t *data, size_t n)
{
    if (has_crc(s))
        s->crc = crc32_gzip_refl(s->crc, data, n);
    else if (has_adler(s) && n <= MAX_BYTEWISE)
        s->crc = adler_bytewise(s->crc, data, n);
    else if (has_adler(s))
        s->crc = adler_update(s->crc, data, n);
}

/* ---- Blocks ---- */

int isalk_inflate_stored(struct inflater *s, struct inflate_run *r)
{
    size_t left = s->stored_bytes, n;

    if (left == 0)
        return STOP_END;
    if (r->out >= r->stop)
        return STOP_OUTPUT;
    for (; r->bit_count > 0 && left > 0 && r->out < r->stop; left--)
        *r->out++ = (uint8_t) consume_bits(r, 8);
    n = left < (size_t) (r->stop - r->out) ? left : (size_t) (r->stop - r->out);
    n = n < (size_t) (r->in_end - r->in) ? n : (size_t) (r->in_end - r->in);
    if (n > 0 && r->bit_count == 0) {
        memcpy(r->out, r->in, n);
        r->out += n;
        r->in += n;
        left -= n;
    }
    s->stored_bytes = (uint32_t) left;
    if (left == 0)
        return STOP_END;
    return r->out == r->stop ? STOP_OUTPUT : STOP_INPUT;
}

/* Decodes blocks. Returns why it stopped; STOP_END means the end of the last block. */
static int decode_blocks(struct inflater *s, struct inflate_run *r)
{
    int result;

    for (;;) {
        switch (s->block_state) {
        case ISAL_BLOCK_INPUT_DONE:
            return STOP_END;
        case ISAL_BLOCK_TYPE0:
        case ISAL_BLOCK_CODED:
            result = s->block_state == ISAL_BLOCK_CODED ? isalk_inflate_block(s, r)
                                                        : isalk_inflate_stored(s, r);
            if (result != STOP_END)
                return result;
            s->block_state = s->is_last_block ? ISAL_BLOCK_INPUT_DONE : ISAL_BLOCK_NEW_HDR;
            if (s->is_last_block)
                consume_bits(r, r->bit_count & 7);
            break;
        default:
            result = isalk_inflate_block_header(s, r);
            if (result)
                return result;
        }
    }
}

/* ---- Output ---- */

/* p + n. C does not define NULL + 0, which is the end of an absent buffer. */
static uint8_t *end_of(uint8_t *p, size_t n)
{
    return n != 0 ? p + n : p;
}

/* Accounts for n bytes that were written at next_out. */
static void advance_output(struct inflater *s, size_t n)
{
    update_checksum(s, s->next_out, n);
    s->next_out = end_of(s->next_out, n);
    s->avail_out -= (uint32_t) n;
    s->total_out += (uint32_t) n;
}

/* Bytes to decode in place before their checksum is computed. */
static size_t piece_bytes(const struct inflater *s)
{
    size_t max = has_crc(s) || has_adler(s) ? PIECE : s->avail_out;

    return max < s->avail_out ? max : s->avail_out;
}

/* Bytes in `window` that are not delivered yet. */
static size_t pending(const struct inflater *s)
{
    return s->window_end - s->window_delivered;
}

/* Copies pending output to the caller, as much as fits. */
static void deliver(struct inflater *s)
{
    size_t n = pending(s);

    if (n > s->avail_out)
        n = s->avail_out;
    if (n == 0)
        return;
    if (n == 1) /* callers that read byte by byte: memcpy() would take most of the call's time */
        *s->next_out = s->window[s->window_delivered];
    else
        memcpy(s->next_out, s->window + s->window_delivered, n);
    s->window_delivered += (uint32_t) n;
    advance_output(s, n);
}

/* Makes the last 32 KB of the n bytes the history. Afterwards no output is pending. */
static void set_history(struct inflater *s, const uint8_t *data, size_t n)
{
    if (n > ISAL_DEF_HIST_SIZE) {
        data += n - ISAL_DEF_HIST_SIZE;
        n = ISAL_DEF_HIST_SIZE;
    }
    if (n)
        memmove(s->window, data, n);
    s->window_end = s->window_delivered = (uint32_t) n;
}

/* Returns whether decoding may continue into `window`, at once or after drop_delivered(). */
static int window_has_room(const struct inflater *s)
{
    return s->window_end < WINDOW_STOP || pending(s) < ISAL_DEF_HIST_SIZE;
}

/* If `window` is full, drops all but its last 32 KB. They contain the pending output, because
 * window_has_room() was true. About one byte is moved for each byte decoded. */
static void drop_delivered(struct inflater *s)
{
    uint32_t n = s->window_end - ISAL_DEF_HIST_SIZE;

    if (s->window_end < WINDOW_STOP)
        return;
    s->window_end -= n;
    s->window_delivered -= n;
    memmove(s->window, s->window + n, ISAL_DEF_HIST_SIZE);
}

/* Decodes into the caller's buffer until that is full or decoding stops for another reason. Matches
 * may copy the output from `window` on. */
static int decode_in_place(struct inflater *s, struct inflate_run *r, uint8_t *window)
{
    int result;

    r->window = window;
    do {
        size_t n = piece_bytes(s);

        r->out = s->next_out;
        r->stop = end_of(r->out, n);
        r->out_end = end_of(r->out, s->avail_out);
        r->resumes = s->avail_out - n >= PIECE_OVERRUN;
        result = decode_blocks(s, r);
        advance_output(s, (size_t) (r->out - s->next_out));
    } while (result == STOP_OUTPUT && s->avail_out > 0 && r->out >= r->stop);
    return result;
}

/* Decodes until the input is consumed, or the caller's buffer and `window` are full. `start` is the
 * caller's next_out. */
static int decode_stream(struct inflater *s, struct inflate_run *r, uint8_t *start)
{
    int result;

    do {
        if ((s->window_end == 0 && s->avail_out > 0) ||
            ((size_t) (s->next_out - start) >= ISAL_DEF_HIST_SIZE &&
             s->avail_out >= MIN_IN_PLACE)) {
            result = decode_in_place(s, r, start);
            if (result == STOP_END)
                return result;
            set_history(s, start, (size_t) (s->next_out - start));
        } else {
            drop_delivered(s);
            r->window = s->window;
            r->out = s->window + s->window_end;
            r->stop = s->window + WINDOW_STOP;
            r->out_end = s->window + sizeof s->window;
            r->resumes = 1;
            result = decode_blocks(s, r);
            s->window_end = (uint32_t) (r->out - s->window);
            deliver(s);
        }
    } while (result == STOP_OUTPUT && window_has_room(s));
    return result;
}

/* ---- Start and end of a call ---- */

static void load_input(const struct inflater *s, struct inflate_run *r)
{
    r->in = s->next_in;
    r->in_end = s->avail_in != 0 ? s->next_in + s->avail_in : s->next_in;
    r->bits = s->bits;
    r->bit_count = s->bit_count;
    r->last_distance = 0;
    r->reads_empty_precode = 0;
}

/* Returns whole bytes from the bit buffer to the input, unless decoding needs more input to
 * continue. Bytes of earlier calls stay: they are the start of an incomplete symbol. */
static void store_input(struct inflater *s, struct inflate_run *r, int result)
{
    size_t unread = (size_t) r->bit_count / 8, consumed = (size_t) (r->in - s->next_in);

    if (result != STOP_INPUT) {
        unread = unread < consumed ? unread : consumed;
        r->in -= unread;
        r->bit_count -= 8 * unread;
        r->bits &= ((uint64_t) 1 << r->bit_count) - 1;
    }
    s->avail_in -= (uint32_t) (r->in - s->next_in);
    s->next_in = r->in;
    s->bits = r->bits;
    s->bit_count = (uint32_t) r->bit_count;
}

/* Reads the trailer, if one is expected, and verifies it when all output is delivered. */
static int finish(struct inflater *s)
{
    int gzip = s->crc_flag == ISAL_GZIP || s->crc_flag == ISAL_GZIP_NO_HDR_VER;
    int zlib = s->crc_flag == ISAL_ZLIB || s->crc_flag == ISAL_ZLIB_NO_HDR_VER;
    int correct = 1;

    if (gzip || zlib) {
        if (s->block_state != ISAL_CHECKSUM_CHECK) {
            s->block_state = ISAL_CHECKSUM_CHECK;
            s->wrapper_bytes = 0;
        }
        for (; s->wrapper_bytes < (gzip ? GZIP_TRAILER : ZLIB_TRAILER); s->wrapper_bytes++) {
            if (s->avail_in == 0)
                return STOP_INPUT;
            s->wrapper[s->wrapper_bytes] = *s->next_in++;
            s->avail_in--;
        }
    }
    if (pending(s))
        return STOP_OUTPUT;
    s->block_state = ISAL_BLOCK_FINISH;
    if (has_adler(s))
        s->crc = adler_standard(s->crc);
    if (gzip)
        correct = load_le32(s->wrapper) == s->crc && load_le32(s->wrapper + 4) == s->total_out;
    else if (zlib)
        correct = load_be32(s->wrapper) == s->crc;
    return correct ? 0 : ISAL_INCORRECT_CHECKSUM;
}

/* ---- Public functions ---- */

ISAL_PUBLIC void isal_inflate_reset(struct inflate_state *state)
{
    struct inflater *s = inflater_of(state);

    s->total_out = 0;
    s->bits = 0;
    s->bit_count = 0;
    s->block_state = ISAL_BLOCK_NEW_HDR;
    s->dict_length = 0;
    s->is_last_block = 0;
    s->crc = 0;
    s->dict_id = 0;
    memset(&s->header, 0, sizeof s->header);
    s->header_done = 0;
    s->wrapper_bytes = 0;
    s->window_end = 0;
    s->window_delivered = 0;
}

ISAL_PUBLIC void isal_inflate_init(struct inflate_state *state)
{
    state->next_in = NULL;
    state->avail_in = 0;
    state->next_out = NULL;
    state->avail_out = 0;
    state->crc_flag = ISAL_DEFLATE;
    state->hist_bits = 0;
    isal_inflate_reset(state);
}

ISAL_PUBLIC int isal_inflate_set_dict(struct inflate_state *state, uint8_t *dict, uint32_t dict_len)
{
    struct inflater *s = inflater_of(state);

    if (s->block_state != ISAL_BLOCK_NEW_HDR || pending(s))
        return ISAL_INVALID_STATE;
    set_history(s, dict, dict_len);
    s->dict_length = s->window_end;
    return COMP_OK;
}

ISAL_PUBLIC int isal_inflate(struct inflate_state *state)
{
    struct inflater *s = inflater_of(state);
    uint8_t *start = s->next_out;
    struct inflate_run r;
    int result;

    if (s->block_state == ISAL_BLOCK_FINISH)
        return ISAL_DECOMP_OK;
    deliver(s);
    if (pending(s) && (s->avail_in == 0 || !window_has_room(s)))
        return ISAL_DECOMP_OK;
    result = isalk_inflate_wrapper(s);
    if (result)
        return result == STOP_INPUT ? ISAL_DECOMP_OK : result;
    if (s->block_state != ISAL_CHECKSUM_CHECK) {
        load_input(s, &r);
        result = decode_stream(s, &r, start);
        store_input(s, &r, result);
        /* An error is reported after the output before it; every call finds it again. */
        if (result < 0)
            return pending(s) ? ISAL_DECOMP_OK : result;
        if (result != STOP_END)
            return ISAL_DECOMP_OK;
    }
    result = finish(s);
    return result > 0 ? ISAL_DECOMP_OK : result;
}

ISAL_PUBLIC int isal_inflate_stateless(struct inflate_state *state)
{
    struct inflater *s = inflater_of(state);
    uint8_t *start = s->next_out;
    struct inflate_run r;
    int result;

    isal_inflate_reset(state);
    s->hist_bits = 0;
    result = isalk_inflate_wrapper(s);
    if (result)
        return result == STOP_INPUT ? ISAL_END_INPUT : result;
    load_input(s, &r);
    result = decode_in_place(s, &r, start);
    store_input(s, &r, result);
    if (result == STOP_END)
        result = finish(s);
    else if (result > 0)
        s->crc = 0;
    return result == STOP_INPUT    ? ISAL_END_INPUT
           : result == STOP_OUTPUT ? ISAL_OUT_OVERFLOW
                                   : result;
}
