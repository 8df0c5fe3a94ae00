/* Kernel table of the memory routines.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mem/mem_kernels.h"

static const struct variant zero_detect_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_zero_detect_base},
#if ISALK_ASM
    {T_SSE, CPU_SSE41, (kernel_fn) isalk_zero_detect_sse},
    {T_AVX2, CPU_AVX | CPU_AVX2, (kernel_fn) isalk_zero_detect_avx2},
    {T_AVX512, CPU_AVX | CPU_AVX2 | CPU_AVX512F | CPU_AVX512VL,
     (kernel_fn) isalk_zero_detect_avx512},
#endif
};

kernel_slot isalk_zero_detect_slot = (kernel_fn) isalk_zero_detect_base;

static const struct kernel kernels[] = {
    KERNEL("zero_detect", &isalk_zero_detect_slot, zero_detect_variants),
};

KERNEL_FAMILY(mem, kernels)
