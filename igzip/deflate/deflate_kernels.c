/* Kernel table of compression after the parser.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/deflate_kernels.h"
#include "dispatch/kernel_table.h"

KERNEL_TABLE(deflate_expand, deflate_expand_fn, isalk_deflate_expand_base,
             ROW(avx2, CPU_AVX | CPU_AVX2, isalk_deflate_expand_avx2),
             ROW(avx512, CPU_AVX512F, isalk_deflate_expand_avx512))

KERNEL_TABLE(deflate_count, deflate_count_fn, isalk_deflate_count_base,
             ROW(avx2, CPU_AVX | CPU_BMI2, isalk_deflate_count_avx2))

KERNEL_TABLE(deflate_encode, deflate_encode_fn, isalk_deflate_encode_base,
             ROW(avx2, CPU_AVX | CPU_BMI1 | CPU_BMI2, isalk_deflate_encode_avx2))

KERNEL_TABLE(deflate_tiny, deflate_tiny_fn, isalk_deflate_tiny_base,
             ROW(avx2, CPU_AVX | CPU_BMI1 | CPU_BMI2, isalk_deflate_tiny_avx2))

static const struct kernel kernels[] = {
    KERNEL(deflate_expand),
    KERNEL(deflate_count),
    KERNEL(deflate_encode),
    KERNEL(deflate_tiny),
};

KERNEL_FAMILY(deflate, kernels)
