/* Headers of the gzip and zlib formats (RFC 1952, RFC 1950), read over any number of calls.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_state.h"

#include <string.h>

#include "igzip/format/wrapper.h"
#include "isa-l/crc.h"

/* What is kept between calls. The bytes of a member of fixed size are collected in tmp_in_buffer,
 * tmp_in_size of them so far. */
#define FLAGS(state) (state)->write_overflow_lits
#define HEADER_CRC(state) (state)->copy_overflow_length
#define EXTRA_LENGTH(state) (state)->write_overflow_len
#define DONE(state) (state)->count /* bytes of a field of any size */

static uint32_t little_endian(const uint8_t *p, unsigned n)
{
    uint32_t value = 0;

    while (n-- > 0)
        value = value << 8 | p[n];
    return value;
}

static void take_input(struct inflate_state *state, uint8_t *to, uint32_t n)
{
    HEADER_CRC(state) = (int32_t) crc32_gzip_refl((uint32_t) HEADER_CRC(state), state->next_in, n);
    if (to && n)
        memcpy(to, state->next_in, n);
    state->next_in += n;
    state->avail_in -= n;
}

/* Whether the n bytes of a member are complete. */
static int collect(struct inflate_state *state, uint32_t n)
{
    uint32_t have = (uint32_t) state->tmp_in_size;
    uint32_t more = n - have < state->avail_in ? n - have : state->avail_in;

    take_input(state, state->tmp_in_buffer + have, more);
    state->tmp_in_size = (int16_t) (have + more);
    if (have + more < n)
        return 0;
    state->tmp_in_size = 0;
    return 1;
}

/* Goes on to a field. */
static void begin(struct inflate_state *state, enum isal_block_state field)
{
    state->block_state = field;
    DONE(state) = 0;
}

/* The extra field, of known length: as much as there is input and room for. */
static int read_extra(struct inflate_state *state, struct isal_gzip_header *h)
{
    uint32_t done = (uint32_t) DONE(state), n = (uint32_t) EXTRA_LENGTH(state) - done;
    int keep = h && h->extra, fits = 1;

    if (keep && n > h->extra_buf_len - done) {
        n = h->extra_buf_len - done;
        fits = 0;
    }
    if (n > state->avail_in) {
        n = state->avail_in;
        fits = 1;
    }
    take_input(state, keep ? h->extra + done : NULL, n);
    DONE(state) = (int32_t) (done + n);
    if (done + n == (uint32_t) EXTRA_LENGTH(state))
        return 0;
    return fits ? ISAL_END_INPUT : ISAL_EXTRA_OVERFLOW;
}

/* A string, up to its NUL; skipped if `to` is NULL. */
static int read_string(struct inflate_state *state, char *to, uint32_t room, int overflow)
{
    uint32_t done = (uint32_t) DONE(state), n = state->avail_in;
    const uint8_t *end;

    if (to && n > room - done)
        n = room - done;
    end = n ? memchr(state->next_in, 0, n) : NULL;
    if (end)
        n = (uint32_t) (end - state->next_in) + 1;
    take_input(state, to ? (uint8_t *) to + done : NULL, n);
    if (to)
        DONE(state) = (int32_t) (done + n);
    if (end)
        return 0;
    return to && done + n == room ? overflow : ISAL_END_INPUT;
}

/* The ten bytes that every header has. */
static int read_fixed(struct inflate_state *state, struct isal_gzip_header *h)
{
    const uint8_t *p = state->tmp_in_buffer;

    if (state->tmp_in_size == 0)
        HEADER_CRC(state) = 0;
    if (!collect(state, GZIP_FIXED_HEADER))
        return ISAL_END_INPUT;
    if (p[0] != GZIP_ID1 || p[1] != GZIP_ID2)
        return ISAL_INVALID_WRAPPER;
    if (p[2] != METHOD_DEFLATE)
        return ISAL_UNSUPPORTED_METHOD;
    FLAGS(state) = p[3];
    if (h) {
        h->flags = p[3];
        h->text = p[3] & GZIP_FTEXT;
        h->time = little_endian(p + 4, 4);
        h->xflags = p[8];
        h->os = p[9];
        h->extra_len = 0;
    }
    return 0;
}

/* h is NULL where nobody wants to know. */
static int gzip_header(struct inflate_state *state, struct isal_gzip_header *h)
{
    int result;
    uint32_t crc;

    switch (state->block_state) {
    default:
        result = read_fixed(state, h);
        if (result)
            return result;
        begin(state, ISAL_GZIP_EXTRA_LEN);
        /* fall through */
    case ISAL_GZIP_EXTRA_LEN:
        EXTRA_LENGTH(state) = 0;
        if (FLAGS(state) & GZIP_FEXTRA) {
            if (!collect(state, 2))
                return ISAL_END_INPUT;
            EXTRA_LENGTH(state) = (int32_t) little_endian(state->tmp_in_buffer, 2);
            if (h)
                h->extra_len = (uint32_t) EXTRA_LENGTH(state);
        }
        begin(state, ISAL_GZIP_EXTRA);
        /* fall through */
    case ISAL_GZIP_EXTRA:
        result = read_extra(state, h);
        if (result)
            return result;
        begin(state, ISAL_GZIP_NAME);
        /* fall through */
    case ISAL_GZIP_NAME:
        if (FLAGS(state) & GZIP_FNAME) {
            result =
                read_string(state, h ? h->name : NULL, h ? h->name_buf_len : 0, ISAL_NAME_OVERFLOW);
            if (result)
                return result;
        }
        begin(state, ISAL_GZIP_COMMENT);
        /* fall through */
    case ISAL_GZIP_COMMENT:
        if (FLAGS(state) & GZIP_FCOMMENT) {
            result = read_string(state, h ? h->comment : NULL, h ? h->comment_buf_len : 0,
                                 ISAL_COMMENT_OVERFLOW);
            if (result)
                return result;
        }
        begin(state, ISAL_GZIP_HCRC);
        /* fall through */
    case ISAL_GZIP_HCRC:
        if (FLAGS(state) & GZIP_FHCRC) {
            /* The CRC of what comes before is kept until both bytes are there. */
            crc = (uint32_t) HEADER_CRC(state);
            result = collect(state, 2);
            HEADER_CRC(state) = (int32_t) crc;
            if (!result)
                return ISAL_END_INPUT;
            if (h)
                h->hcrc = crc;
            if (little_endian(state->tmp_in_buffer, 2) != (crc & 0xffff))
                return ISAL_INCORRECT_CHECKSUM;
        }
    }
    state->block_state = ISAL_BLOCK_NEW_HDR;
    state->wrapper_flag = 1;
    return ISAL_DECOMP_OK;
}

static int zlib_header(struct inflate_state *state, struct isal_zlib_header *h)
{
    const uint8_t *p = state->tmp_in_buffer;

    if (state->block_state != ISAL_ZLIB_DICT) {
        if (!collect(state, 2))
            return ISAL_END_INPUT;
        if ((p[0] & 15) != METHOD_DEFLATE)
            return ISAL_UNSUPPORTED_METHOD;
        if ((p[0] * 256 + p[1]) % 31 != 0)
            return ISAL_INCORRECT_CHECKSUM;
        h->info = p[0] >> 4;
        h->level = p[1] >> 6;
        h->dict_flag = (p[1] & ZLIB_FDICT) != 0;
        if (h->dict_flag)
            state->block_state = ISAL_ZLIB_DICT;
    }
    if (state->block_state == ISAL_ZLIB_DICT) {
        if (!collect(state, 4))
            return ISAL_END_INPUT;
        h->dict_flag = 1;
        h->dict_id = (uint32_t) p[0] << 24 | (uint32_t) p[1] << 16 | (uint32_t) p[2] << 8 | p[3];
        state->dict_id = h->dict_id;
    }
    state->block_state = ISAL_BLOCK_NEW_HDR;
    state->wrapper_flag = 1;
    return ISAL_DECOMP_OK;
}

ISAL_PUBLIC int isal_read_gzip_header(struct inflate_state *state, struct isal_gzip_header *gz_hdr)
{
    return gzip_header(state, gz_hdr);
}

ISAL_PUBLIC int isal_read_zlib_header(struct inflate_state *state,
                                      struct isal_zlib_header *zlib_hdr)
{
    return zlib_header(state, zlib_hdr);
}

int isalk_inflate_wrapper(struct inflate_state *state)
{
    struct isal_zlib_header h = {0, 0, 0, 0};
    int result;

    if (state->wrapper_flag)
        return 0;
    if (state->crc_flag == ISAL_GZIP)
        return gzip_header(state, NULL);
    if (state->crc_flag != ISAL_ZLIB)
        return 0;
    result = zlib_header(state, &h);
    return result == ISAL_DECOMP_OK && h.dict_flag ? ISAL_NEED_DICT : result;
}
