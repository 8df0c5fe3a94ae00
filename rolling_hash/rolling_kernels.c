/* Kernel table of the rolling hash family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "rolling_kernels.h"
#include "dispatch/kernel_table.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE (CPU_SSSE3 | CPU_SSE41)
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2 | CPU_BMI2)
#define NEEDS_AVX512 (CPU_BMI2 | CPU_AVX512F | CPU_AVX512VL)
#define NEEDS_FILTER (CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VBMI)

KERNEL_TABLE(rolling_scan, rolling_scan_fn, isalk_rolling_scan_base,
             ROW(sse, NEEDS_SSE, isalk_rolling_scan_sse),
             ROW(avx2, NEEDS_AVX2, isalk_rolling_scan_avx2),
             ROW(avx512, NEEDS_AVX512, isalk_rolling_scan_avx512),
             ROW(avx512_v, NEEDS_AVX512 | NEEDS_FILTER, isalk_rolling_scan_avx512_v))

KERNEL_BLOCK_TABLE(rolling_filter, rolling_filter_fn, isalk_rolling_filter_base,
                   ROW(avx512_v, NEEDS_FILTER, isalk_rolling_filter_avx512_v))

static const struct kernel kernels[] = {
    KERNEL(rolling_scan),
    KERNEL_BLOCK(rolling_filter),
};

KERNEL_FAMILY(rolling_hash, kernels)
