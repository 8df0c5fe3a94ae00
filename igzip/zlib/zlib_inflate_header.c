/* The headers of zlib and gzip streams (RFC 1950, RFC 1952) as inflate() reads them.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/format/wrapper.h"
#include "igzip/zlib/zlib_inflate.h"
#include "isa-l/crc.h"

enum { GZIP_RESERVED_FLAGS = 0xe0 };

/* Continues the CRC of the header, if it has one, over the n lowest bytes of value. */
static void update_header_crc(struct inflate_stream *t, uint32_t value, unsigned n)
{
    uint8_t bytes[4];

    if (!(t->gzip_flags & GZIP_FHCRC) || !(t->wrap & WRAP_CHECKED))
        return;
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t) (value >> 8 * i);
    t->checksum = crc32_gzip_refl(t->checksum, bytes, n);
}

/* Reads a number of n bytes, lowest first; returns whether the input has all of them. */
static int read_number(struct inflate_call *c, unsigned n, uint32_t *value)
{
    if (!need_bits(&c->r, 8 * n))
        return 0;
    *value = consume_bits(&c->r, 8 * n);
    return 1;
}

static enum inflate_step next_mode(struct inflate_stream *t, enum inflate_mode mode)
{
    t->mode = mode;
    t->field_bytes = 0;
    return STEP_MORE;
}

/* The header is complete; `check` is the initial checksum of the data. */
static enum inflate_step header_done(struct inflate_call *c, uint32_t check)
{
    c->t->checksum = check;
    c->strm->adler = check;
    return next_mode(c->t, MODE_BOUNDARY);
}

/* ---- zlib ---- */

static enum inflate_step read_zlib(struct inflate_call *c, uint32_t bytes)
{
    struct inflate_stream *t = c->t;
    uint32_t cmf = bytes & 0xff, flags = bytes >> 8;
    int bits = (int) (cmf >> 4) + 8;

    if (t->header != NULL)
        t->header->done = -1;
    if (!(t->wrap & WRAP_ZLIB) || (256 * cmf + flags) % ZLIB_FCHECK_MOD != 0)
        return isalk_zlib_invalid(c, "incorrect header check", 16);
    if ((cmf & 15) != METHOD_DEFLATE)
        return isalk_zlib_invalid(c, "unknown compression method", 16);
    if (t->history_bits == 0)
        t->history_bits = bits;
    if (bits > MAX_WINDOW_BITS || bits > t->history_bits)
        return isalk_zlib_invalid(c, "invalid window size", 16);
    consume_bits(&c->r, 16);
    t->gzip_flags = 0;
    header_done(c, 1);
    if (flags & ZLIB_FDICT)
        return next_mode(t, MODE_DICT_ID);
    return STEP_MORE;
}

static enum inflate_step read_dictionary_id(struct inflate_call *c)
{
    uint32_t id;

    if (!read_number(c, 4, &id))
        return STEP_INPUT;
    c->t->checksum = __builtin_bswap32(id);
    c->strm->adler = c->t->checksum;
    return next_mode(c->t, MODE_DICT);
}

static enum inflate_step read_dictionary(struct inflate_call *c)
{
    if (!c->t->has_dictionary)
        return STEP_NEED_DICT;
    return header_done(c, 1);
}

/* ---- gzip ---- */

static enum inflate_step read_head(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    uint32_t bytes;

    if (!(t->wrap & (WRAP_ZLIB | WRAP_GZIP)))
        return next_mode(t, MODE_BLOCK_HEADER);
    if (!need_bits(&c->r, 16))
        return STEP_INPUT;
    bytes = c->r.bits & 0xffff;
    if (!(t->wrap & WRAP_GZIP) || bytes != (GZIP_ID1 | GZIP_ID2 << 8))
        return read_zlib(c, bytes);
    consume_bits(&c->r, 16);
    if (t->history_bits == 0)
        t->history_bits = MAX_WINDOW_BITS;
    t->checksum = 0;
    t->gzip_flags = GZIP_FHCRC | IS_GZIP; /* the CRC covers these bytes; the flags follow */
    update_header_crc(t, bytes, 2);
    return next_mode(t, MODE_GZIP_FLAGS);
}

static enum inflate_step read_flags(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    uint32_t bytes;

    if (!need_bits(&c->r, 16))
        return STEP_INPUT;
    bytes = c->r.bits & 0xffff;
    t->gzip_flags = (int) (bytes >> 8) | IS_GZIP;
    if ((bytes & 0xff) != METHOD_DEFLATE)
        return isalk_zlib_invalid(c, "unknown compression method", 16);
    if (t->gzip_flags & GZIP_RESERVED_FLAGS)
        return isalk_zlib_invalid(c, "unknown header flags set", 16);
    consume_bits(&c->r, 16);
    if (t->header != NULL)
        t->header->text = t->gzip_flags & GZIP_FTEXT;
    update_header_crc(t, bytes, 2);
    return next_mode(t, MODE_GZIP_TIME);
}

static enum inflate_step read_time(struct inflate_call *c)
{
    uint32_t time;

    if (!read_number(c, 4, &time))
        return STEP_INPUT;
    if (c->t->header != NULL)
        c->t->header->time = time;
    update_header_crc(c->t, time, 4);
    return next_mode(c->t, MODE_GZIP_OS);
}

static enum inflate_step read_os(struct inflate_call *c)
{
    uint32_t bytes;

    if (!read_number(c, 2, &bytes))
        return STEP_INPUT;
    if (c->t->header != NULL) {
        c->t->header->xflags = bytes & 0xff;
        c->t->header->os = (int) (bytes >> 8);
    }
    update_header_crc(c->t, bytes, 2);
    return next_mode(c->t, MODE_GZIP_EXTRA_LENGTH);
}

static enum inflate_step read_extra_length(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    uint32_t bytes = 0;

    if (t->gzip_flags & GZIP_FEXTRA) {
        if (!read_number(c, 2, &bytes))
            return STEP_INPUT;
        if (t->header != NULL)
            t->header->extra_len = bytes;
        update_header_crc(t, bytes, 2);
    } else if (t->header != NULL) {
        t->header->extra = NULL;
    }
    next_mode(t, MODE_GZIP_EXTRA);
    t->field_bytes = bytes;
    return STEP_MORE;
}

static enum inflate_step read_extra(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;
    gz_header *h = t->header;
    uint32_t byte;

    for (; t->field_bytes > 0; t->field_bytes--) {
        uint32_t at = h != NULL ? h->extra_len - t->field_bytes : 0;

        if (!read_number(c, 1, &byte))
            return STEP_INPUT;
        if (h != NULL && h->extra != NULL && at < h->extra_max)
            h->extra[at] = (uint8_t) byte;
        update_header_crc(t, byte, 1);
    }
    return next_mode(t, MODE_GZIP_NAME);
}

/* Reads a string with its NUL and copies up to `max` bytes. */
static enum inflate_step read_string(struct inflate_call *c, int flag, uint8_t **to, unsigned max,
                                     enum inflate_mode next)
{
    struct inflate_stream *t = c->t;
    uint32_t byte;

    if (!(t->gzip_flags & flag)) {
        if (to != NULL)
            *to = NULL;
        return next_mode(t, next);
    }
    do {
        if (!read_number(c, 1, &byte))
            return STEP_INPUT;
        if (to != NULL && *to != NULL && t->field_bytes < max)
            (*to)[t->field_bytes++] = (uint8_t) byte;
        update_header_crc(t, byte, 1);
    } while (byte != 0);
    return next_mode(t, next);
}

static enum inflate_step read_header_crc(struct inflate_call *c)
{
    struct inflate_stream *t = c->t;

    if (t->gzip_flags & GZIP_FHCRC) {
        if (!need_bits(&c->r, 16))
            return STEP_INPUT;
        if (t->wrap & WRAP_CHECKED && (c->r.bits & 0xffff) != (t->checksum & 0xffff))
            return isalk_zlib_invalid(c, "header crc mismatch", 16);
        consume_bits(&c->r, 16);
    }
    if (t->header != NULL) {
        t->header->hcrc = (t->gzip_flags & GZIP_FHCRC) != 0;
        t->header->done = 1;
    }
    return header_done(c, 0);
}

enum inflate_step isalk_zlib_read_header(struct inflate_call *c)
{
    gz_header *h = c->t->header;

    switch (c->t->mode) {
    case MODE_HEAD:
        return read_head(c);
    case MODE_GZIP_FLAGS:
        return read_flags(c);
    case MODE_GZIP_TIME:
        return read_time(c);
    case MODE_GZIP_OS:
        return read_os(c);
    case MODE_GZIP_EXTRA_LENGTH:
        return read_extra_length(c);
    case MODE_GZIP_EXTRA:
        return read_extra(c);
    case MODE_GZIP_NAME:
        return read_string(c, GZIP_FNAME, h ? &h->name : NULL, h ? h->name_max : 0,
                           MODE_GZIP_COMMENT);
    case MODE_GZIP_COMMENT:
        return read_string(c, GZIP_FCOMMENT, h ? &h->comment : NULL, h ? h->comm_max : 0,
                           MODE_GZIP_CRC);
    case MODE_GZIP_CRC:
        return read_header_crc(c);
    case MODE_DICT_ID:
        return read_dictionary_id(c);
    default: /* MODE_DICT */
        return read_dictionary(c);
    }
}
