/* Kernel table of products modulo the polynomial of a CRC.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/crc_combine_kernels.h"

static const struct variant norm_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_crc_multiply_norm_base},
#if ISALK_ASM
    {T_SSE, CPU_PCLMULQDQ, (kernel_fn) isalk_crc_multiply_norm_sse},
#endif
};
static const struct variant refl_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_crc_multiply_refl_base},
#if ISALK_ASM
    {T_SSE, CPU_SSE41 | CPU_PCLMULQDQ, (kernel_fn) isalk_crc_multiply_refl_sse},
#endif
};

kernel_slot isalk_crc_multiply_norm_slot = (kernel_fn) isalk_crc_multiply_norm_base;
kernel_slot isalk_crc_multiply_refl_slot = (kernel_fn) isalk_crc_multiply_refl_base;

static const struct kernel kernels[] = {
    KERNEL("crc_multiply_norm", &isalk_crc_multiply_norm_slot, norm_variants),
    KERNEL("crc_multiply_refl", &isalk_crc_multiply_refl_slot, refl_variants),
};

KERNEL_FAMILY(crc_combine, kernels)
