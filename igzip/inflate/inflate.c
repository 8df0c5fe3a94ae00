/* Decompression: the public functions, and where output goes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Output is decoded in place, in the caller's buffer, while that holds everything a match may copy:
 * from the start of a stream, or after the first 32 KB of a call. Otherwise it is decoded into
 * tmp_out_buffer, after the history, and copied to the caller.
 *
 * When the caller's buffer is full, decoding continues into tmp_out_buffer. Callers rely on this
 * read-ahead: input is consumed, and the end of the stream found, while output is still owed. It
 * also lets calls with little room be copies, with one large step of decoding for many of them. */

#include "igzip/inflate/inflate_state.h"

#include <string.h>

#include "igzip/format/checksum.h"
#include "igzip/format/wrapper.h"

#define PIECE 16384 /* bytes decoded before their checksum is taken, while they are in L1 */
#define PIECE_BEYOND (DEFLATE_MAX_MATCH + 2) /* more than what begins in a piece goes beyond it */

/* Bytes in tmp_out_buffer after which decoding pauses: the longest match still fits. */
#define TMP_ROOM (2 * ISAL_DEF_HIST_SIZE)

/* Room that makes decoding in place worth the copy of the history afterwards. */
#define IN_PLACE_ROOM (2 * ISAL_DEF_HIST_SIZE)

/* ---- Checksums ---- */

static int has_crc(const struct inflate_state *state)
{
    return state->crc_flag == ISAL_GZIP || state->crc_flag == ISAL_GZIP_NO_HDR ||
           state->crc_flag == ISAL_GZIP_NO_HDR_VER;
}

static int has_adler(const struct inflate_state *state)
{
    return state->crc_flag == ISAL_ZLIB || state->crc_flag == ISAL_ZLIB_NO_HDR ||
           state->crc_flag == ISAL_ZLIB_NO_HDR_VER;
}

/* Continues a zero-based Adler-32 one byte at a time: for a few bytes faster than the kernel. */
#define ADLER_BYTEWISE_MAX 8
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

static void update_checksum(struct inflate_state *state, const uint8_t *data, size_t n)
{
    if (has_crc(state))
        state->crc = crc32_gzip_refl(state->crc, data, n);
    else if (has_adler(state) && n <= ADLER_BYTEWISE_MAX)
        state->crc = adler_bytewise(state->crc, data, n);
    else if (has_adler(state))
        state->crc = adler_update(state->crc, data, n);
}

/* ---- Blocks ---- */

static int stored_block(struct inflate_state *state, struct inflate_run *r)
{
    size_t left = (size_t) state->type0_block_len, n;

    if (left == 0)
        return STOP_END;
    if (r->out >= r->stop)
        return STOP_OUTPUT;
    for (; r->count > 0 && left > 0 && r->out < r->stop; left--)
        *r->out++ = (uint8_t) inflate_take(r, 8);
    n = left < (size_t) (r->stop - r->out) ? left : (size_t) (r->stop - r->out);
    n = n < (size_t) (r->in_end - r->in) ? n : (size_t) (r->in_end - r->in);
    if (n > 0 && r->count == 0) {
        memcpy(r->out, r->in, n);
        r->out += n;
        r->in += n;
        left -= n;
    }
    state->type0_block_len = (int32_t) left;
    if (left == 0)
        return STOP_END;
    return r->out == r->stop ? STOP_OUTPUT : STOP_INPUT;
}

/* Decodes blocks until it stops: STOP_END is the end of the last one. */
static int decode_blocks(struct inflate_state *state, struct inflate_run *r)
{
    int result;

    for (;;) {
        switch (state->block_state) {
        case ISAL_BLOCK_INPUT_DONE:
            return STOP_END;
        case ISAL_BLOCK_TYPE0:
        case ISAL_BLOCK_CODED:
            result = state->block_state == ISAL_BLOCK_CODED ? isalk_inflate_block(state, r)
                                                            : stored_block(state, r);
            if (result != STOP_END)
                return result;
            state->block_state = state->bfinal ? ISAL_BLOCK_INPUT_DONE : ISAL_BLOCK_NEW_HDR;
            if (state->bfinal)
                inflate_take(r, r->count & 7);
            break;
        default:
            result = isalk_inflate_block_header(state, r);
            if (result)
                return result;
        }
    }
}

/* ---- Output ---- */

/* p + n, and NULL + 0, which C does not define: the end of a buffer that may be absent. */
static uint8_t *end_of(uint8_t *p, size_t n)
{
    return n != 0 ? p + n : p;
}

/* n bytes were decoded at next_out. */
static void advance_output(struct inflate_state *state, size_t n)
{
    update_checksum(state, state->next_out, n);
    state->next_out = end_of(state->next_out, n);
    state->avail_out -= (uint32_t) n;
    state->total_out += (uint32_t) n;
}

/* Bytes to decode in place before their checksum is taken. */
static size_t piece(const struct inflate_state *state)
{
    size_t most = has_crc(state) || has_adler(state) ? PIECE : state->avail_out;

    return most < state->avail_out ? most : state->avail_out;
}

/* Bytes in tmp_out_buffer that are owed to the caller. */
static size_t owed(const struct inflate_state *state)
{
    return (size_t) (state->tmp_out_valid - state->tmp_out_processed);
}

/* Copies as much of what is owed as fits. */
static void deliver(struct inflate_state *state)
{
    size_t n = owed(state);

    if (n > state->avail_out)
        n = state->avail_out;
    if (n == 0)
        return;
    if (n == 1) /* for callers that read byte by byte: memcpy() would take most of the call */
        *state->next_out = state->tmp_out_buffer[state->tmp_out_processed];
    else
        memcpy(state->next_out, state->tmp_out_buffer + state->tmp_out_processed, n);
    state->tmp_out_processed += (int32_t) n;
    advance_output(state, n);
}

/* Makes the last 32 KB of n bytes the history, with nothing owed. */
static void keep_history(struct inflate_state *state, const uint8_t *data, size_t n)
{
    if (n > ISAL_DEF_HIST_SIZE) {
        data += n - ISAL_DEF_HIST_SIZE;
        n = ISAL_DEF_HIST_SIZE;
    }
    if (n)
        memmove(state->tmp_out_buffer, data, n);
    state->tmp_out_valid = state->tmp_out_processed = (int32_t) n;
}

/* Returns whether decoding may continue into tmp_out_buffer, at once or after drop_delivered(). */
static int tmp_has_room(const struct inflate_state *state)
{
    return state->tmp_out_valid < TMP_ROOM || owed(state) < ISAL_DEF_HIST_SIZE;
}

/* If tmp_out_buffer is full, drops all but its last 32 KB, of which the history and what is owed are
 * a part since tmp_has_room() holds. About one byte is moved for each byte decoded. */
static void drop_delivered(struct inflate_state *state)
{
    int32_t n = state->tmp_out_valid - ISAL_DEF_HIST_SIZE;

    if (state->tmp_out_valid < TMP_ROOM)
        return;
    state->tmp_out_valid -= n;
    state->tmp_out_processed -= n;
    memmove(state->tmp_out_buffer, state->tmp_out_buffer + n, ISAL_DEF_HIST_SIZE);
}

/* Decodes into the caller's buffer, which holds the window from `window` on, until it is full or
 * decoding stops for another reason. */
static int decode_in_place(struct inflate_state *state, struct inflate_run *r, uint8_t *window)
{
    int result;

    r->window = window;
    do {
        size_t n = piece(state);

        r->out = state->next_out;
        r->stop = end_of(r->out, n);
        r->out_end = end_of(r->out, state->avail_out);
        r->paused = state->avail_out - n >= PIECE_BEYOND;
        result = decode_blocks(state, r);
        advance_output(state, (size_t) (r->out - state->next_out));
    } while (result == STOP_OUTPUT && state->avail_out > 0 && r->out >= r->stop);
    return result;
}

/* Decodes until the input is used up, or the caller's buffer and tmp_out_buffer are full. `start`
 * is next_out as the caller gave it. */
static int decode_stream(struct inflate_state *state, struct inflate_run *r, uint8_t *start)
{
    int result;

    do {
        if ((state->tmp_out_valid == 0 && state->avail_out > 0) ||
            ((size_t) (state->next_out - start) >= ISAL_DEF_HIST_SIZE &&
             state->avail_out >= IN_PLACE_ROOM)) {
            result = decode_in_place(state, r, start);
            if (result == STOP_END)
                return result;
            keep_history(state, start, (size_t) (state->next_out - start));
        } else {
            drop_delivered(state);
            r->window = state->tmp_out_buffer;
            r->out = state->tmp_out_buffer + state->tmp_out_valid;
            r->stop = state->tmp_out_buffer + TMP_ROOM;
            r->out_end = state->tmp_out_buffer + sizeof state->tmp_out_buffer;
            r->paused = 1;
            result = decode_blocks(state, r);
            state->tmp_out_valid = (int32_t) (r->out - state->tmp_out_buffer);
            deliver(state);
        }
    } while (result == STOP_OUTPUT && tmp_has_room(state));
    return result;
}

/* ---- The ends of a call ---- */

static void load_input(const struct inflate_state *state, struct inflate_run *r)
{
    r->in = state->next_in;
    r->in_end = end_of(state->next_in, state->avail_in);
    r->bits = state->read_in;
    r->count = (uint32_t) state->read_in_length;
}

/* Gives back the whole bytes in the bit buffer that this call took, unless they are the start of
 * what needs more. Those of earlier calls are always such a start. */
static void store_input(struct inflate_state *state, struct inflate_run *r, int result)
{
    size_t unread = (size_t) r->count / 8, taken = (size_t) (r->in - state->next_in);

    if (result != STOP_INPUT) {
        unread = unread < taken ? unread : taken;
        r->in -= unread;
        r->count -= 8 * unread;
        r->bits &= ((uint64_t) 1 << r->count) - 1;
    }
    state->avail_in -= (uint32_t) (r->in - state->next_in);
    state->next_in += r->in - state->next_in;
    state->read_in = r->bits;
    state->read_in_length = (int32_t) r->count;
}

/* Reads the trailer, if one is expected, and verifies it once no output is owed. */
static int finish(struct inflate_state *state)
{
    int gzip = state->crc_flag == ISAL_GZIP || state->crc_flag == ISAL_GZIP_NO_HDR_VER;
    int zlib = state->crc_flag == ISAL_ZLIB || state->crc_flag == ISAL_ZLIB_NO_HDR_VER;
    uint8_t *p = state->tmp_in_buffer;
    uint32_t sum, size, i = 0;

    if (gzip || zlib) {
        if (state->block_state != ISAL_CHECKSUM_CHECK) {
            state->block_state = ISAL_CHECKSUM_CHECK;
            state->tmp_in_size = 0;
        }
        for (; state->tmp_in_size < (gzip ? 8 : 4); state->tmp_in_size++) {
            if (state->avail_in == 0)
                return STOP_INPUT;
            p[state->tmp_in_size] = *state->next_in++;
            state->avail_in--;
        }
    }
    if (owed(state))
        return STOP_OUTPUT;
    state->block_state = ISAL_BLOCK_FINISH;
    if (has_adler(state))
        state->crc = adler_standard(state->crc);
    if (gzip) {
        sum = size = 0;
        for (i = 4; i-- > 0;) {
            sum = sum << 8 | p[i];
            size = size << 8 | p[4 + i];
        }
        return sum == state->crc && size == state->total_out ? 0 : ISAL_INCORRECT_CHECKSUM;
    }
    if (zlib) {
        sum = (uint32_t) p[0] << 24 | (uint32_t) p[1] << 16 | (uint32_t) p[2] << 8 | p[3];
        return sum == state->crc ? 0 : ISAL_INCORRECT_CHECKSUM;
    }
    return 0;
}

/* ---- Public functions ---- */

ISAL_PUBLIC void isal_inflate_reset(struct inflate_state *state)
{
    state->total_out = 0;
    state->read_in = 0;
    state->read_in_length = 0;
    state->block_state = ISAL_BLOCK_NEW_HDR;
    state->dict_length = 0;
    state->bfinal = 0;
    state->crc = 0;
    state->type0_block_len = 0;
    state->write_overflow_lits = 0;
    state->write_overflow_len = 0;
    state->copy_overflow_length = 0;
    state->copy_overflow_distance = 0;
    state->wrapper_flag = 0;
    state->tmp_in_size = 0;
    state->tmp_out_valid = 0;
    state->tmp_out_processed = 0;
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
    if (state->block_state != ISAL_BLOCK_NEW_HDR || owed(state))
        return ISAL_INVALID_STATE;
    keep_history(state, dict, dict_len);
    state->dict_length = (uint32_t) state->tmp_out_valid;
    return COMP_OK;
}

ISAL_PUBLIC int isal_inflate(struct inflate_state *state)
{
    uint8_t *start = state->next_out;
    struct inflate_run r;
    int result;

    if (state->block_state == ISAL_BLOCK_FINISH)
        return ISAL_DECOMP_OK;
    deliver(state);
    if (owed(state) && (state->avail_in == 0 || !tmp_has_room(state)))
        return ISAL_DECOMP_OK;
    result = isalk_inflate_wrapper(state);
    if (result)
        return result == STOP_INPUT ? ISAL_DECOMP_OK : result;
    if (state->block_state != ISAL_CHECKSUM_CHECK) {
        load_input(state, &r);
        result = decode_stream(state, &r, start);
        store_input(state, &r, result);
        /* An error waits until the output before it is delivered; each call meets it again. */
        if (result < 0)
            return owed(state) ? ISAL_DECOMP_OK : result;
        if (result != STOP_END)
            return ISAL_DECOMP_OK;
    }
    result = finish(state);
    return result > 0 ? ISAL_DECOMP_OK : result;
}

ISAL_PUBLIC int isal_inflate_stateless(struct inflate_state *state)
{
    uint8_t *start = state->next_out;
    struct inflate_run r;
    int result;

    isal_inflate_reset(state);
    state->hist_bits = 0;
    result = isalk_inflate_wrapper(state);
    if (result)
        return result == STOP_INPUT ? ISAL_END_INPUT : result;
    load_input(state, &r);
    result = decode_in_place(state, &r, start);
    store_input(state, &r, result);
    if (result == STOP_END)
        result = finish(state);
    else if (result > 0)
        state->crc = 0;
    return result == STOP_INPUT    ? ISAL_END_INPUT
           : result == STOP_OUTPUT ? ISAL_OUT_OVERFLOW
                                   : result;
}
