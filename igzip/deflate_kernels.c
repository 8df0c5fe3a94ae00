/* Kernel table of compression.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate_kernels.h"

#if ISALK_X86_64
#define VARIANTS(id)                                                  \
    static const struct variant id##_variants[] = {                   \
        {T_BASE, 0, (kernel_fn) isalk_##id##_base},                   \
        {T_AVX2, CPU_BMI1 | CPU_BMI2, (kernel_fn) isalk_##id##_avx2}, \
    };
#else
#define VARIANTS(id)                                \
    static const struct variant id##_variants[] = { \
        {T_BASE, 0, (kernel_fn) isalk_##id##_base}, \
    };
#endif

VARIANTS(deflate_find_fast)
VARIANTS(deflate_find_look)
VARIANTS(deflate_find_dense)
VARIANTS(deflate_encode)

kernel_slot isalk_deflate_find_fast_slot = (kernel_fn) isalk_deflate_find_fast_base;
kernel_slot isalk_deflate_find_look_slot = (kernel_fn) isalk_deflate_find_look_base;
kernel_slot isalk_deflate_find_dense_slot = (kernel_fn) isalk_deflate_find_dense_base;
kernel_slot isalk_deflate_encode_slot = (kernel_fn) isalk_deflate_encode_base;

static const struct kernel kernels[] = {
    KERNEL("deflate_find_fast", &isalk_deflate_find_fast_slot, deflate_find_fast_variants),
    KERNEL("deflate_find_look", &isalk_deflate_find_look_slot, deflate_find_look_variants),
    KERNEL("deflate_find_dense", &isalk_deflate_find_dense_slot, deflate_find_dense_variants),
    KERNEL("deflate_encode", &isalk_deflate_encode_slot, deflate_encode_variants),
};

KERNEL_FAMILY(deflate, kernels)
