/* Kernel table of LZ77.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/lz77_kernels.h"
#include "dispatch/cpu_traits.h"
#include "dispatch/kernel_table.h"

#define FIND_NEEDS (CPU_AVX | CPU_AVX2 | CPU_BMI1 | CPU_BMI2)

KERNEL_TABLE(deflate_find_greedy, deflate_find_fn, isalk_deflate_find_greedy_base,
             ROW(avx2, FIND_NEEDS, isalk_deflate_find_greedy_avx2))

KERNEL_TABLE(deflate_find_lazy, deflate_find_fn, isalk_deflate_find_lazy_base,
             ROW(avx2, FIND_NEEDS, isalk_deflate_find_lazy_avx2))

KERNEL_TABLE(deflate_find_long, deflate_find_fn, isalk_deflate_find_long_base,
             ROW(avx2, FIND_NEEDS, isalk_deflate_find_long_avx2))

KERNEL_TABLE(deflate_rebase, deflate_rebase_fn, isalk_deflate_rebase_base,
             ROW(avx2, CPU_AVX | CPU_AVX2 | CPU_BMI2, isalk_deflate_rebase_avx2),
             ROW(avx512, CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW, isalk_deflate_rebase_avx512))

KERNEL_TABLE(deflate_insert, deflate_insert_fn, isalk_deflate_insert_base,
             ROW(avx2, CPU_AVX | CPU_AVX2, isalk_deflate_insert_avx2),
             ROW(avx512, CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VL | CPU_FAST_SCATTER,
                 isalk_deflate_insert_avx512))

static const struct kernel kernels[] = {
    KERNEL(deflate_find_greedy), KERNEL(deflate_find_lazy), KERNEL(deflate_find_long),
    KERNEL(deflate_rebase),      KERNEL(deflate_insert),
};

KERNEL_FAMILY(lz77, kernels)
