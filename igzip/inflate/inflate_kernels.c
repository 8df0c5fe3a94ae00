/* Kernel table of decompression.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_kernels.h"
#include "dispatch/kernel_table.h"

KERNEL_TABLE(inflate, inflate_fn, isalk_inflate_base,
             ROW(avx2, CPU_AVX | CPU_BMI1 | CPU_BMI2, isalk_inflate_avx2))

static const struct kernel kernels[] = {
    KERNEL(inflate),
};

KERNEL_FAMILY(inflate, kernels)
