/* Zero detection in C with vectors, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mem/mem_kernels.h"

#if !ISALK_ASM

#include "dispatch/vector.h"

/* Vectors between two tests. */
#define VECTORS 8

int isalk_zero_detect_portable(const void *mem, size_t len)
{
    const uint8_t *p = mem;
    size_t step = VECTORS * sizeof(vec);
    vec all = vec_bytes(0);

    for (; len >= step; len -= step, p += step) {
        ISALK_UNROLL
        for (size_t i = 0; i < VECTORS; i++)
            all |= vec_load(p + i * sizeof(vec));
        if (!vec_is_zero(all))
            return 1;
    }
    for (; len >= sizeof(vec); len -= sizeof(vec), p += sizeof(vec))
        all |= vec_load(p);
    return !vec_is_zero(all | vec_load_part(p, len));
}

#endif
