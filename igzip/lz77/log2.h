/* Logarithms in fixed point, the same on every machine.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_LOG2_H
#define LZ77_LOG2_H

#include <stdint.h>

#include "dispatch/compiler.h"

enum { LOG2_SHIFT = 16 }; /* bits after the point */

/* log2(n), n > 0, within 0.01: log2(1 + m) is about m + 0.3466 m (1 - m). */
ISALK_INLINE uint32_t fixed_log2(uint32_t n)
{
    uint32_t whole = 31 - (uint32_t) __builtin_clz(n);
    uint32_t m = (uint32_t) ((uint64_t) n << LOG2_SHIFT >> whole) & 0xffff;
    uint32_t curve = (uint32_t) ((uint64_t) m * (65536 - m) >> LOG2_SHIFT) * 22713u >> 16;

    return (whole << LOG2_SHIFT) + m + curve;
}

#endif
