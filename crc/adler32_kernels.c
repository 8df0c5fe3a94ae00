/* Kernel table of Adler-32.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/adler32_kernels.h"
#include "dispatch/kernel_table.h"

KERNEL_TABLE(adler32, adler32_fn, isalk_adler32_base, ROW(portable, 0, isalk_adler32_portable),
             ROW(sse, CPU_SSSE3 | CPU_SSE41, isalk_adler32_sse),
             ROW(avx2, CPU_AVX | CPU_AVX2, isalk_adler32_avx2),
             ROW(avx512, CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VL | CPU_AVX512VNNI,
                 isalk_adler32_avx512))

static const struct kernel kernels[] = {
    KERNEL(adler32),
};

KERNEL_FAMILY(adler32, kernels)
