/* Kernel table of LZ77.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/lz77_kernels.h"

#define FIND_NEEDS (CPU_AVX | CPU_AVX2 | CPU_BMI1 | CPU_BMI2)

static const struct variant greedy_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_find_greedy_base},
#if ISALK_ASM
    {T_AVX2, FIND_NEEDS, (kernel_fn) isalk_deflate_find_greedy_avx2},
#endif
};

static const struct variant lazy_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_find_lazy_base},
#if ISALK_ASM
    {T_AVX2, FIND_NEEDS, (kernel_fn) isalk_deflate_find_lazy_avx2},
#endif
};

static const struct variant long_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_find_long_base},
#if ISALK_ASM
    {T_AVX2, FIND_NEEDS, (kernel_fn) isalk_deflate_find_long_avx2},
#endif
};

static const struct variant rebase_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_rebase_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_AVX2 | CPU_BMI2, (kernel_fn) isalk_deflate_rebase_avx2},
    {T_AVX512, CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW, (kernel_fn) isalk_deflate_rebase_avx512},
#endif
};

static const struct variant insert_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_insert_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_AVX2, (kernel_fn) isalk_deflate_insert_avx2},
#endif
};

kernel_slot isalk_deflate_find_greedy_slot = (kernel_fn) isalk_deflate_find_greedy_base;
kernel_slot isalk_deflate_find_lazy_slot = (kernel_fn) isalk_deflate_find_lazy_base;
kernel_slot isalk_deflate_find_long_slot = (kernel_fn) isalk_deflate_find_long_base;
kernel_slot isalk_deflate_rebase_slot = (kernel_fn) isalk_deflate_rebase_base;
kernel_slot isalk_deflate_insert_slot = (kernel_fn) isalk_deflate_insert_base;

static const struct kernel kernels[] = {
    KERNEL("deflate_find_greedy", &isalk_deflate_find_greedy_slot, greedy_variants),
    KERNEL("deflate_find_lazy", &isalk_deflate_find_lazy_slot, lazy_variants),
    KERNEL("deflate_find_long", &isalk_deflate_find_long_slot, long_variants),
    KERNEL("deflate_rebase", &isalk_deflate_rebase_slot, rebase_variants),
    KERNEL("deflate_insert", &isalk_deflate_insert_slot, insert_variants),
};

KERNEL_FAMILY(lz77, kernels)
