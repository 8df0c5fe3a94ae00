/* Kernel table of the memory routines.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mem/mem_kernels.h"
#include "dispatch/kernel_table.h"

KERNEL_TABLE(zero_detect, zero_detect_fn, isalk_zero_detect_base,
             ROW(portable, 0, isalk_zero_detect_portable),
             ROW(sse, CPU_SSE41, isalk_zero_detect_sse),
             ROW(avx2, CPU_AVX | CPU_AVX2, isalk_zero_detect_avx2),
             ROW(avx512, CPU_AVX | CPU_AVX2 | CPU_AVX512F | CPU_AVX512VL, isalk_zero_detect_avx512))

static const struct kernel kernels[] = {
    KERNEL(zero_detect),
};

KERNEL_FAMILY(mem, kernels)
