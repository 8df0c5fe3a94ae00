/* The headers of zlib and gzip streams, written as far as the output has room.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/output.h"
#include "igzip/format/wrapper.h"
#include "igzip/zlib/zlib_deflate.h"
#include "isa-l/crc.h"

enum { OS_UNIX = 3, XFL_SLOWEST = 2 };

static int has_fast_level(struct level_choice choice)
{
    return choice.strategy >= Z_HUFFMAN_ONLY || choice.level < 2;
}

/* Writes the rest of a part of n bytes, from header_written on; returns whether it is complete. */
static int write_bytes(struct deflate_stream *d, const uint8_t *bytes, size_t n)
{
    size_t left = n - d->header_written;
    uint32_t part = left < d->s.avail_out ? (uint32_t) left : d->s.avail_out;

    if (part > 0)
        memcpy(d->s.next_out, bytes + d->header_written, part);
    d->header_crc = crc32_gzip_refl(d->header_crc, d->s.next_out, part);
    advance_output(&d->s, part);
    d->header_written += part;
    return d->header_written == n;
}

/* ---- zlib ---- */

static int write_zlib(struct deflate_stream *d)
{
    uint32_t level = 3, cmf = METHOD_DEFLATE | (uint32_t) (d->window_bits - 8) << 4, flags;
    uint8_t bytes[ZLIB_HEADER + ZLIB_DICT_ID];

    if (has_fast_level(d->current))
        level = 0;
    else if (d->current.level <= 6)
        level = d->current.level < 6 ? 1 : 2;
    flags = level << 6 | (d->has_dictionary ? ZLIB_FDICT : 0);
    flags += ZLIB_FCHECK_MOD - (256 * cmf + flags) % ZLIB_FCHECK_MOD;
    bytes[0] = (uint8_t) cmf;
    bytes[1] = (uint8_t) flags;
    for (unsigned i = 0; i < ZLIB_DICT_ID; i++)
        bytes[ZLIB_HEADER + i] = (uint8_t) (d->dictionary_id >> (24 - 8 * i));
    return write_bytes(d, bytes, d->has_dictionary ? sizeof(bytes) : ZLIB_HEADER);
}

/* ---- gzip ---- */

static int write_fixed(struct deflate_stream *d)
{
    const gz_header *h = d->header;
    uint8_t bytes[GZIP_FIXED_HEADER] = {GZIP_ID1, GZIP_ID2, METHOD_DEFLATE};

    if (d->current.level == Z_BEST_COMPRESSION)
        bytes[8] = XFL_SLOWEST;
    else if (has_fast_level(d->current))
        bytes[8] = GZIP_XFL_FASTEST;
    bytes[9] = OS_UNIX;
    if (h != NULL) {
        bytes[3] = (uint8_t) ((h->text ? GZIP_FTEXT : 0) | (h->hcrc ? GZIP_FHCRC : 0) |
                              (h->extra ? GZIP_FEXTRA : 0) | (h->name ? GZIP_FNAME : 0) |
                              (h->comment ? GZIP_FCOMMENT : 0));
        for (unsigned i = 0; i < 4; i++)
            bytes[4 + i] = (uint8_t) (h->time >> 8 * i);
        bytes[9] = (uint8_t) h->os;
    }
    return write_bytes(d, bytes, sizeof(bytes));
}

static int write_le16(struct deflate_stream *d, uint32_t n)
{
    const uint8_t bytes[2] = {(uint8_t) n, (uint8_t) (n >> 8)};

    return write_bytes(d, bytes, sizeof(bytes));
}

static int write_crc(struct deflate_stream *d)
{
    uint32_t crc = d->header_crc;
    int done = write_le16(d, crc);

    d->header_crc = crc; /* the CRC does not cover itself */
    return done;
}

static int write_string(struct deflate_stream *d, const uint8_t *string)
{
    return string == NULL || write_bytes(d, string, strlen((const char *) string) + 1);
}

/* Writes the current part of a gzip header; returns whether it is complete. */
static int write_part(struct deflate_stream *d)
{
    const gz_header *h = d->header;

    switch (d->header_part) {
    case PART_FIXED:
        return write_fixed(d);
    case PART_EXTRA_LENGTH:
        return h->extra == NULL || write_le16(d, h->extra_len);
    case PART_EXTRA:
        return h->extra == NULL || write_bytes(d, h->extra, h->extra_len & 0xffff);
    case PART_NAME:
        return write_string(d, h->name);
    case PART_COMMENT:
        return write_string(d, h->comment);
    default: /* PART_CRC */
        return !h->hcrc || write_crc(d);
    }
}

static int write_gzip(struct deflate_stream *d)
{
    for (;;) {
        if (!write_part(d))
            return 0;
        d->header_written = 0;
        if (d->header == NULL || d->header_part == PART_CRC)
            return 1;
        d->header_part++;
    }
}

int isalk_zlib_write_header(struct deflate_stream *d)
{
    if (d->status >= STATUS_DATA)
        return 1;
    if (d->status == STATUS_NEW) {
        d->status = STATUS_HEADER;
        d->header_part = PART_FIXED;
        d->header_written = 0;
        d->header_crc = 0;
    }
    if (d->wrap == WRAP_ZLIB ? !write_zlib(d) : d->wrap == WRAP_GZIP && !write_gzip(d))
        return 0;
    d->status = STATUS_DATA;
    return 1;
}

unsigned long isalk_zlib_header_bytes(const struct deflate_stream *d)
{
    const gz_header *h = d->header;
    unsigned long bytes = GZIP_FIXED_HEADER;

    if (d->wrap == WRAP_ZLIB)
        return ZLIB_HEADER + (d->has_dictionary ? ZLIB_DICT_ID : 0);
    if (d->wrap != WRAP_GZIP)
        return 0;
    if (h != NULL) {
        bytes += h->extra ? 2 + (h->extra_len & 0xffff) : 0;
        bytes += h->name ? strlen((const char *) h->name) + 1 : 0;
        bytes += h->comment ? strlen((const char *) h->comment) + 1 : 0;
        bytes += h->hcrc ? 2 : 0;
    }
    return bytes;
}
