/* Kernel table of Adler-32.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/adler32_kernels.h"

static const struct variant adler32_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_adler32_base},
#if ISALK_ASM
    {T_SSE, CPU_SSSE3 | CPU_SSE41, (kernel_fn) isalk_adler32_sse},
    {T_AVX2, CPU_AVX | CPU_AVX2, (kernel_fn) isalk_adler32_avx2},
    {T_AVX512, CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VL | CPU_AVX512VNNI,
     (kernel_fn) isalk_adler32_avx512},
#endif
};

kernel_slot isalk_adler32_slot = (kernel_fn) isalk_adler32_base;

static const struct kernel kernels[] = {
    KERNEL("adler32", &isalk_adler32_slot, adler32_variants),
};

KERNEL_FAMILY(adler32, kernels)
