/* Kernel table of the rolling hash family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "rolling_kernels.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE (CPU_SSSE3 | CPU_SSE41)
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2 | CPU_BMI2)
#define NEEDS_AVX512 (CPU_BMI2 | CPU_AVX512F | CPU_AVX512VL)
#define NEEDS_FILTER (CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VBMI)

static const struct variant rolling_scan_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_rolling_scan_base},
#if ISALK_ASM
    {T_SSE, NEEDS_SSE, (kernel_fn) isalk_rolling_scan_sse},
    {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_rolling_scan_avx2},
    {T_AVX512, NEEDS_AVX512, (kernel_fn) isalk_rolling_scan_avx512},
    {T_AVX512_V, NEEDS_AVX512 | NEEDS_FILTER, (kernel_fn) isalk_rolling_scan_avx512_v},
#endif
};

static const struct variant rolling_filter_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_rolling_filter_base},
#if ISALK_ASM
    {T_AVX512_V, NEEDS_FILTER, (kernel_fn) isalk_rolling_filter_avx512_v},
#endif
};

kernel_slot isalk_rolling_scan_slot = (kernel_fn) isalk_rolling_scan_base;

static const struct kernel kernels[] = {
    KERNEL("rolling_scan", &isalk_rolling_scan_slot, rolling_scan_variants),
    KERNEL("rolling_filter", NULL, rolling_filter_variants),
};

KERNEL_FAMILY(rolling_hash, kernels)
