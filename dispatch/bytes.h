/* Unaligned loads and stores of either byte order.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_BYTES_H
#define ISALK_BYTES_H

#include <string.h>

#include "compiler.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ISALK_LE(bits, v) __builtin_bswap##bits(v)
#define ISALK_BE(bits, v) (v)
#else
#define ISALK_LE(bits, v) (v)
#define ISALK_BE(bits, v) __builtin_bswap##bits(v)
#endif

/* load_le32(p), store_le32(p, v) and so on. */
#define ISALK_BYTES(order, ORDER, bits)                              \
    ISALK_INLINE uint##bits##_t load_##order##bits(const void *p)    \
    {                                                                \
        uint##bits##_t v;                                            \
                                                                     \
        memcpy(&v, p, sizeof v);                                     \
        return ISALK_##ORDER(bits, v);                               \
    }                                                                \
    ISALK_INLINE void store_##order##bits(void *p, uint##bits##_t v) \
    {                                                                \
        v = ISALK_##ORDER(bits, v);                                  \
        memcpy(p, &v, sizeof v);                                     \
    }

ISALK_BYTES(le, LE, 16)
ISALK_BYTES(le, LE, 32)
ISALK_BYTES(le, LE, 64)
ISALK_BYTES(be, BE, 32)
ISALK_BYTES(be, BE, 64)

#endif
