/* Headers of gzip members, and the two formats that state their sizes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "member.h"

#include <isa-l/igzip_lib.h>
#include <string.h>

#define FLAG_EXTRA 4
#define FLAGS_RESERVED 0xe0
#define FIXED_HEADER 10
#define OS_UNIX 3
#define OS_UNKNOWN 255
#define XFL_SLOWEST 2
#define XFL_FASTEST 4
#define INDEXED_DATA_MAX (16 * 1024 * 1024)

/* ---- Writing ---- */

size_t member_header_bound(const struct origin *origin)
{
    return MEMBER_END_MAX + (origin->name ? strlen(origin->name) + 1 : 0);
}

size_t member_header(uint8_t *p, enum format format, int level, const struct origin *origin)
{
    static const uint8_t bgzf[] = {'B', 'C', 2, 0, 0, 0};
    static const uint8_t indexed[] = {'I', 'G', 8, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct isal_gzip_header header;
    struct isal_zstream stream;
    uint8_t extra[sizeof indexed];
    size_t bound = member_header_bound(origin), name_len = origin->name ? strlen(origin->name) : 0;
    char name[4096];

    isal_gzip_header_init(&header);
    header.os = format == FORMAT_BGZF ? OS_UNKNOWN : OS_UNIX;
    if (format == FORMAT_GZIP)
        header.xflags = level == 0                        ? XFL_FASTEST
                        : level == ISAL_DEF_HIGHEST_LEVEL ? XFL_SLOWEST
                                                          : 0;
    header.time = origin->time;
    if (origin->name && name_len < sizeof name) {
        memcpy(name, origin->name, name_len + 1);
        header.name = name;
        header.name_buf_len = (uint32_t) name_len + 1;
    }
    if (format != FORMAT_GZIP) {
        header.extra_len = format == FORMAT_BGZF ? sizeof bgzf : sizeof indexed;
        memcpy(extra, format == FORMAT_BGZF ? bgzf : indexed, header.extra_len);
        header.extra = extra;
        header.extra_buf_len = header.extra_len;
    }
    isal_deflate_init(&stream);
    stream.next_out = p;
    stream.avail_out = (uint32_t) bound;
    isal_write_gzip_header(&stream, &header);
    return (size_t) (stream.next_out - p);
}

void member_set_size(uint8_t *header, enum format format, size_t member, size_t data)
{
    uint8_t *subfield = header + FIXED_HEADER + 2;

    if (format == FORMAT_BGZF) {
        store_le16(subfield + 4, (uint32_t) member - 1);
    } else {
        store_le32(subfield + 4, (uint32_t) member);
        store_le32(subfield + 8, (uint32_t) data);
    }
}

size_t member_end(uint8_t *p, enum format format)
{
    static const uint8_t empty[] = {3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    size_t n = member_header(p, format, 1, &(struct origin){NULL, 0});

    memcpy(p + n, empty, sizeof empty);
    n += sizeof empty;
    member_set_size(p, format, n, 0);
    return n;
}

/* ---- Reading ---- */

static int may_begin(const uint8_t *p)
{
    return p[0] == 0x1f && p[1] == 0x8b && p[2] == 8 && !(p[3] & FLAGS_RESERVED);
}

enum sizes member_sizes(const uint8_t *p, size_t len, size_t *member, size_t *data)
{
    size_t end, at, min_size, n;

    if (len < FIXED_HEADER + 2)
        return SIZES_MORE_NEEDED;
    if (!may_begin(p) || !(p[3] & FLAG_EXTRA))
        return SIZES_NONE;
    end = FIXED_HEADER + 2 + load_le16(p + FIXED_HEADER);
    if (len < end)
        return SIZES_MORE_NEEDED;
    min_size = end + 2 + MEMBER_TRAILER;
    for (at = FIXED_HEADER + 2; end - at >= 4; at += n) {
        n = 4 + (size_t) load_le16(p + at + 2);
        if (n > end - at)
            break;
        if (p[at] == 'B' && p[at + 1] == 'C' && n == 6) {
            *member = (size_t) load_le16(p + at + 4) + 1;
            *data = 0;
            return *member >= min_size ? SIZES_BGZF : SIZES_NONE;
        }
        if (p[at] == 'I' && p[at + 1] == 'G' && n == 12) {
            *member = load_le32(p + at + 4);
            *data = load_le32(p + at + 8);
            return *member >= min_size && *member <= 2 * INDEXED_DATA_MAX &&
                           *data <= INDEXED_DATA_MAX
                       ? SIZES_INDEXED
                       : SIZES_NONE;
        }
    }
    return SIZES_NONE;
}

size_t member_find(const uint8_t *p, size_t from, size_t len)
{
    while (from < len && len - from >= FIXED_HEADER) {
        const uint8_t *found = memchr(p + from, 0x1f, len - from - FIXED_HEADER + 1);

        if (!found)
            break;
        from = (size_t) (found - p);
        if (may_begin(found))
            return from;
        from++;
    }
    return len;
}
