/* Unaligned loads and stores of either byte order.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_BYTES_H
#define IGZIP_BYTES_H

#include <stdint.h>
#include <string.h>

#include "dispatch/compiler.h"

ISALK_INLINE uint32_t load_le16(const uint8_t *p)
{
    return (uint32_t) p[0] | (uint32_t) p[1] << 8;
}

ISALK_INLINE uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t) p[0] << 24 | (uint32_t) p[1] << 16 | (uint32_t) p[2] << 8 | p[3];
}

ISALK_INLINE uint32_t load_le32(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof(v));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    return v;
}

ISALK_INLINE uint64_t load_le64(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof(v));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

ISALK_INLINE void store_le64(uint8_t *p, uint64_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof(v));
}

#endif
