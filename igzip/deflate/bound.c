/* Upper bound of the size of compressed data.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

enum {
    MARKER = 6,    /* bytes of an empty stored block, and the bits before it */
    LAST_BLOCK = 2 /* bytes of an empty static block */
};

/* Level 0: the most bits that a byte takes, as a literal or in a match. *block_bytes: bytes of a
 * block beside its tokens. */
static uint32_t table_bits(const struct isal_hufftables *tables, uint32_t *block_bytes)
{
    struct deflate_codes codes;
    uint32_t literal = 0, length = 0, distance = 0;

    isalk_hufftables_expand(tables, &codes);
    for (unsigned i = 0; i < TOKEN_LENGTHS; i++)
        literal = code_bits(codes.first[i]) > literal ? code_bits(codes.first[i]) : literal;
    for (unsigned i = TOKEN_LENGTHS + 1; i < TOKEN_FIRSTS; i++) /* from length 4 on */
        length = code_bits(codes.first[i]) > length ? code_bits(codes.first[i]) : length;
    for (unsigned i = 0; i < TOKEN_LITERALS; i++)
        distance = code_bits(codes.second[i]) > distance ? code_bits(codes.second[i]) : distance;
    *block_bytes = tables->deflate_hdr_count + 1 + 2; /* up to 7 bits more, and 15 at the end */
    length = (length + distance + 3) / 4;
    return literal > length ? literal : length;
}

ISAL_PUBLIC uint64_t isal_deflate_bound(uint64_t length, uint32_t level, uint32_t gzip_flag,
                                        uint64_t flushes, const struct isal_hufftables *hufftables)
{
    static const uint32_t wrappers[] = {0, 10 + 8, 8, 2 + 4, 4};
    uint64_t blocks = flushes + 1, size;
    uint32_t bits, block_bytes;

    if (level > ISAL_DEF_HIGHEST_LEVEL || gzip_flag > IGZIP_ZLIB_NO_HDR ||
        length > UINT64_MAX >> 16 || flushes > UINT64_MAX >> 16)
        return UINT64_MAX;
    if (level == 0) {
        bits = table_bits(hufftables ? hufftables : &isalk_hufftables_default, &block_bytes);
        size = (length * bits + 7) / 8 + blocks * block_bytes + flushes * MARKER + LAST_BLOCK;
    } else {
        blocks += length / DEFLATE_STORED_MAX;
        /* A marker is a stored block, too. */
        size = length + (blocks + flushes) * DEFLATE_STORED_HEADER;
    }
    return size + wrappers[gzip_flag];
}
