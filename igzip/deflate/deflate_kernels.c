/* Kernel table of compression after the parser.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/deflate_kernels.h"

static const struct variant expand_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_expand_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_AVX2, (kernel_fn) isalk_deflate_expand_avx2},
    {T_AVX512, CPU_AVX512F, (kernel_fn) isalk_deflate_expand_avx512},
#endif
};

static const struct variant count_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_count_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_BMI2, (kernel_fn) isalk_deflate_count_avx2},
#endif
};

static const struct variant encode_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_encode_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_BMI1 | CPU_BMI2, (kernel_fn) isalk_deflate_encode_avx2},
#endif
};

kernel_slot isalk_deflate_expand_slot = (kernel_fn) isalk_deflate_expand_base;
kernel_slot isalk_deflate_count_slot = (kernel_fn) isalk_deflate_count_base;
kernel_slot isalk_deflate_encode_slot = (kernel_fn) isalk_deflate_encode_base;

static const struct kernel kernels[] = {
    KERNEL("deflate_expand", &isalk_deflate_expand_slot, expand_variants),
    KERNEL("deflate_count", &isalk_deflate_count_slot, count_variants),
    KERNEL("deflate_encode", &isalk_deflate_encode_slot, encode_variants),
};

KERNEL_FAMILY(deflate, kernels)
