/* Headers of the gzip and zlib formats (RFC 1952, RFC 1950), read over any number of calls.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_state.h"

#include "igzip/format/wrapper.h"
#include "isa-l/crc.h"

/* Consumes n bytes of input, copies them to `to` unless that is NULL, and updates the header
 * CRC. */
static void consume_input(struct inflater *s, uint8_t *to, uint32_t n)
{
    s->gzip.crc = crc32_gzip_refl(s->gzip.crc, s->next_in, n);
    if (to && n)
        memcpy(to, s->next_in, n);
    s->next_in += n;
    s->avail_in -= n;
}

/* Collects a field of n bytes in `wrapper`. Returns whether it is complete. */
static int collect(struct inflater *s, uint32_t n)
{
    uint32_t have = (uint32_t) s->wrapper_bytes;
    uint32_t more = n - have < s->avail_in ? n - have : s->avail_in;

    consume_input(s, s->wrapper + have, more);
    s->wrapper_bytes = (int16_t) (have + more);
    if (have + more < n)
        return 0;
    s->wrapper_bytes = 0;
    return 1;
}

static int header_complete(struct inflater *s)
{
    s->block_state = ISAL_BLOCK_NEW_HDR;
    s->header_done = 1;
    return ISAL_DECOMP_OK;
}

/* ---- gzip ----
 *
 * In all functions, h is NULL if the caller does not want the header's contents. */

/* The ten bytes that every header has. */
static int read_fixed(struct inflater *s, struct isal_gzip_header *h)
{
    const uint8_t *p = s->wrapper;

    if (s->wrapper_bytes == 0)
        s->gzip.crc = 0;
    if (!collect(s, GZIP_FIXED_HEADER))
        return ISAL_END_INPUT;
    if (p[0] != GZIP_ID1 || p[1] != GZIP_ID2)
        return ISAL_INVALID_WRAPPER;
    if (p[2] != METHOD_DEFLATE)
        return ISAL_UNSUPPORTED_METHOD;
    s->gzip.flags = p[3];
    if (h) {
        h->flags = p[3];
        h->text = p[3] & GZIP_FTEXT;
        h->time = load_le32(p + 4);
        h->xflags = p[8];
        h->os = p[9];
        h->extra_len = 0;
    }
    return 0;
}

static int read_extra_length(struct inflater *s, struct isal_gzip_header *h)
{
    s->gzip.extra_bytes = 0;
    if (!(s->gzip.flags & GZIP_FEXTRA))
        return 0;
    if (!collect(s, 2))
        return ISAL_END_INPUT;
    s->gzip.extra_bytes = load_le16(s->wrapper);
    if (h)
        h->extra_len = s->gzip.extra_bytes;
    return 0;
}

static int read_extra(struct inflater *s, struct isal_gzip_header *h)
{
    uint32_t done = s->field_bytes, n = s->gzip.extra_bytes - done;
    int keep = h && h->extra, fits = 1;

    if (keep && n > h->extra_buf_len - done) {
        n = h->extra_buf_len - done;
        fits = 0;
    }
    if (n > s->avail_in) {
        n = s->avail_in;
        fits = 1;
    }
    consume_input(s, keep ? h->extra + done : NULL, n);
    s->field_bytes = done + n;
    if (done + n == s->gzip.extra_bytes)
        return 0;
    return fits ? ISAL_END_INPUT : ISAL_EXTRA_OVERFLOW;
}

/* A string with its NUL, if the header has the flag. It is skipped if `to` is NULL. */
static int read_string(struct inflater *s, enum gzip_flag flag, char *to, uint32_t size,
                       int overflow)
{
    uint32_t done = s->field_bytes, n = s->avail_in;
    const uint8_t *nul;

    if (!(s->gzip.flags & flag))
        return 0;
    if (to && n > size - done)
        n = size - done;
    nul = n ? memchr(s->next_in, 0, n) : NULL;
    if (nul)
        n = (uint32_t) (nul - s->next_in) + 1;
    consume_input(s, to ? (uint8_t *) to + done : NULL, n);
    if (to)
        s->field_bytes = done + n;
    if (nul)
        return 0;
    return to && done + n == size ? overflow : ISAL_END_INPUT;
}

/* The CRC of the header before this field. collect() changes it and is called again if the field is
 * not complete. */
static int read_header_crc(struct inflater *s, struct isal_gzip_header *h)
{
    uint32_t crc = s->gzip.crc;
    int complete;

    if (!(s->gzip.flags & GZIP_FHCRC))
        return 0;
    complete = collect(s, 2);
    s->gzip.crc = crc;
    if (!complete)
        return ISAL_END_INPUT;
    if (h)
        h->hcrc = crc;
    return load_le16(s->wrapper) == (crc & 0xffff) ? 0 : ISAL_INCORRECT_CHECKSUM;
}

/* Reads the field that block_state names; a state before the header means the fixed part. */
static int read_field(struct inflater *s, struct isal_gzip_header *h)
{
    switch (s->block_state) {
    case ISAL_GZIP_EXTRA_LEN:
        return read_extra_length(s, h);
    case ISAL_GZIP_EXTRA:
        return read_extra(s, h);
    case ISAL_GZIP_NAME:
        return read_string(s, GZIP_FNAME, h ? h->name : NULL, h ? h->name_buf_len : 0,
                           ISAL_NAME_OVERFLOW);
    case ISAL_GZIP_COMMENT:
        return read_string(s, GZIP_FCOMMENT, h ? h->comment : NULL, h ? h->comment_buf_len : 0,
                           ISAL_COMMENT_OVERFLOW);
    case ISAL_GZIP_HCRC:
        return read_header_crc(s, h);
    default:
        return read_fixed(s, h);
    }
}

static int gzip_header(struct inflater *s, struct isal_gzip_header *h)
{
    for (;;) {
        int result = read_field(s, h);

        if (result)
            return result;
        if (s->block_state == ISAL_GZIP_HCRC)
            return header_complete(s);
        /* The states of the fields have consecutive numbers. */
        if (s->block_state < ISAL_GZIP_EXTRA_LEN || s->block_state > ISAL_GZIP_HCRC)
            s->block_state = ISAL_GZIP_EXTRA_LEN;
        else
            s->block_state++;
        s->field_bytes = 0;
    }
}

/* ---- zlib ---- */

static int zlib_header(struct inflater *s, struct isal_zlib_header *h)
{
    const uint8_t *p = s->wrapper;

    if (s->block_state != ISAL_ZLIB_DICT) {
        if (!collect(s, ZLIB_HEADER))
            return ISAL_END_INPUT;
        if ((p[0] & 15) != METHOD_DEFLATE)
            return ISAL_UNSUPPORTED_METHOD;
        if ((p[0] * 256 + p[1]) % ZLIB_FCHECK_MOD != 0)
            return ISAL_INCORRECT_CHECKSUM;
        h->info = p[0] >> 4;
        h->level = p[1] >> 6;
        h->dict_flag = (p[1] & ZLIB_FDICT) != 0;
        if (!h->dict_flag)
            return header_complete(s);
        s->block_state = ISAL_ZLIB_DICT;
    }
    if (!collect(s, ZLIB_DICT_ID))
        return ISAL_END_INPUT;
    h->dict_flag = 1;
    h->dict_id = load_be32(p);
    s->dict_id = h->dict_id;
    return header_complete(s);
}

/* ---- Callers ---- */

ISAL_PUBLIC int isal_read_gzip_header(struct inflate_state *state, struct isal_gzip_header *gz_hdr)
{
    return gzip_header(inflater_of(state), gz_hdr);
}

ISAL_PUBLIC int isal_read_zlib_header(struct inflate_state *state,
                                      struct isal_zlib_header *zlib_hdr)
{
    return zlib_header(inflater_of(state), zlib_hdr);
}

int isalk_inflate_wrapper(struct inflater *s)
{
    struct isal_zlib_header h = {0, 0, 0, 0};
    int result;

    if (s->header_done)
        return 0;
    if (s->crc_flag == ISAL_GZIP)
        return gzip_header(s, NULL);
    if (s->crc_flag != ISAL_ZLIB)
        return 0;
    result = zlib_header(s, &h);
    return result == ISAL_DECOMP_OK && h.dict_flag ? ISAL_NEED_DICT : result;
}
