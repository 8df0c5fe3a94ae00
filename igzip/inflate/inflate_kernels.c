/* Kernel table of decompression.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_kernels.h"

static const struct variant inflate_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_inflate_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_BMI1 | CPU_BMI2, (kernel_fn) isalk_inflate_avx2},
#endif
};

kernel_slot isalk_inflate_slot = (kernel_fn) isalk_inflate_base;

static const struct kernel kernels[] = {
    KERNEL("inflate", &isalk_inflate_slot, inflate_variants),
};

KERNEL_FAMILY(inflate, kernels)
