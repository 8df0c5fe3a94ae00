/* Headers and trailers of gzip (RFC 1952) and zlib (RFC 1950) on the compressing side.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"
#include "igzip/format/checksum.h"
#include "igzip/format/wrapper.h"

static uint8_t *append_le(uint8_t *to, uint32_t v, unsigned bytes)
{
    for (; bytes > 0; bytes--, v >>= 8)
        *to++ = (uint8_t) v;
    return to;
}

static uint8_t *append_be32(uint8_t *to, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *to++ = (uint8_t) (v >> shift);
    return to;
}

/* CMF and FLG, whose FCHECK makes them a multiple of ZLIB_FCHECK_MOD. */
static uint8_t *append_zlib_header(uint8_t *to, uint32_t info, uint32_t level, int dictionary)
{
    uint32_t cmf = METHOD_DEFLATE | (info & 0xf) << 4;
    uint32_t flg = (level & 3) << 6 | (dictionary ? ZLIB_FDICT : 0);

    *to++ = (uint8_t) cmf;
    *to++ = (uint8_t) (flg + ZLIB_FCHECK_MOD - (256 * cmf + flg) % ZLIB_FCHECK_MOD);
    return to;
}

/* ---- Written by streams ---- */

uint32_t isalk_deflate_wrapper_header(const struct isal_zstream *stream, uint8_t *to)
{
    uint8_t *end = to;

    if (stream->gzip_flag == IGZIP_GZIP) {
        *end++ = GZIP_ID1;
        *end++ = GZIP_ID2;
        *end++ = METHOD_DEFLATE;
        end = append_le(end, 0, 5); /* no flags, no time */
        *end++ = stream->level == 0 ? GZIP_XFL_FASTEST : 0;
        *end++ = GZIP_OS_UNKNOWN;
    } else if (stream->gzip_flag == IGZIP_ZLIB) {
        uint32_t bits = stream->hist_bits == 0 ? ISAL_DEF_MAX_HIST_BITS : stream->hist_bits;

        end = append_zlib_header(end, bits > 8 ? bits - 8 : 0, stream->level != 0, 0);
    }
    return (uint32_t) (end - to);
}

uint32_t isalk_deflate_wrapper_trailer(const struct isal_zstream *stream, uint32_t total_in,
                                       uint8_t *to)
{
    uint32_t sum = stream->internal_state.crc;

    switch (stream->gzip_flag) {
    case IGZIP_GZIP:
    case IGZIP_GZIP_NO_HDR:
        return (uint32_t) (append_le(append_le(to, sum, 4), total_in, 4) - to);
    case IGZIP_ZLIB:
    case IGZIP_ZLIB_NO_HDR:
        return (uint32_t) (append_be32(to, adler_standard(sum)) - to);
    default:
        return 0;
    }
}

/* Adler-32 is zero-based (checksum.h). */
uint32_t isalk_deflate_checksum(uint32_t gzip_flag, uint32_t checksum, const uint8_t *bytes,
                                size_t n)
{
    switch (gzip_flag) {
    case IGZIP_GZIP:
    case IGZIP_GZIP_NO_HDR:
        return crc32_gzip_refl(checksum, bytes, n);
    case IGZIP_ZLIB:
    case IGZIP_ZLIB_NO_HDR:
        return adler_update(checksum, bytes, n);
    default:
        return checksum;
    }
}

/* ---- Written by programs ---- */

ISAL_PUBLIC void isal_gzip_header_init(struct isal_gzip_header *gz_hdr)
{
    memset(gz_hdr, 0, sizeof(*gz_hdr));
    gz_hdr->os = GZIP_OS_UNKNOWN;
}

ISAL_PUBLIC void isal_zlib_header_init(struct isal_zlib_header *z_hdr)
{
    memset(z_hdr, 0, sizeof(*z_hdr));
}

/* Bytes of a string with its final zero, or all of its buffer if it has none. */
static uint32_t string_size(const char *string, uint32_t buf_len)
{
    const char *zero;

    if (string == NULL || buf_len == 0)
        return 0;
    zero = memchr(string, 0, buf_len);
    return zero ? (uint32_t) (zero - string) + 1 : buf_len;
}

ISAL_PUBLIC uint32_t isal_write_gzip_header(struct isal_zstream *stream,
                                            struct isal_gzip_header *gz_hdr)
{
    uint32_t name_size = string_size(gz_hdr->name, gz_hdr->name_buf_len);
    uint32_t comment_size = string_size(gz_hdr->comment, gz_hdr->comment_buf_len);
    uint8_t flags = 0, *start = stream->next_out, *to = start;
    uint64_t size = GZIP_FIXED_HEADER;

    if (gz_hdr->text)
        flags |= GZIP_FTEXT;
    if (gz_hdr->hcrc) {
        flags |= GZIP_FHCRC;
        size += 2;
    }
    if (gz_hdr->extra) {
        if (gz_hdr->extra_len > 0xffff)
            return UINT32_MAX;
        flags |= GZIP_FEXTRA;
        size += 2 + (uint64_t) gz_hdr->extra_len;
    }
    if (gz_hdr->name) {
        flags |= GZIP_FNAME;
        size += name_size;
    }
    if (gz_hdr->comment) {
        flags |= GZIP_FCOMMENT;
        size += comment_size;
    }
    if (size >= UINT32_MAX)
        return UINT32_MAX;
    if (stream->avail_out < size)
        return (uint32_t) size;

    *to++ = GZIP_ID1;
    *to++ = GZIP_ID2;
    *to++ = METHOD_DEFLATE;
    *to++ = flags;
    to = append_le(to, gz_hdr->time, 4);
    *to++ = (uint8_t) gz_hdr->xflags;
    *to++ = (uint8_t) gz_hdr->os;
    if (gz_hdr->extra) {
        to = append_le(to, gz_hdr->extra_len, 2);
        memcpy(to, gz_hdr->extra, gz_hdr->extra_len);
        to += gz_hdr->extra_len;
    }
    if (name_size > 0)
        memcpy(to, gz_hdr->name, name_size);
    to += name_size;
    if (comment_size > 0)
        memcpy(to, gz_hdr->comment, comment_size);
    to += comment_size;
    if (gz_hdr->hcrc)
        to = append_le(to, crc32_gzip_refl(0, start, (uint64_t) (to - start)) & 0xffff, 2);

    stream->next_out = to;
    stream->avail_out -= (uint32_t) size;
    stream->total_out += (uint32_t) size;
    return 0;
}

ISAL_PUBLIC uint32_t isal_write_zlib_header(struct isal_zstream *stream,
                                            struct isal_zlib_header *z_hdr)
{
    uint32_t size = z_hdr->dict_flag ? ZLIB_HEADER + ZLIB_DICT_ID : ZLIB_HEADER;
    uint8_t *to = stream->next_out;

    if (stream->avail_out < size)
        return size;
    to = append_zlib_header(to, z_hdr->info, z_hdr->level, z_hdr->dict_flag != 0);
    if (z_hdr->dict_flag)
        to = append_be32(to, z_hdr->dict_id);
    stream->next_out = to;
    stream->avail_out -= size;
    stream->total_out += size;
    return 0;
}
