/* Kernel table of products modulo the polynomial of a CRC.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/crc_combine_kernels.h"
#include "dispatch/kernel_table.h"

KERNEL_TABLE(crc_multiply_norm, crc_multiply_fn, isalk_crc_multiply_norm_base,
             ROW(sse, CPU_PCLMULQDQ, isalk_crc_multiply_norm_sse))
KERNEL_TABLE(crc_multiply_refl, crc_multiply_fn, isalk_crc_multiply_refl_base,
             ROW(sse, CPU_SSE41 | CPU_PCLMULQDQ, isalk_crc_multiply_refl_sse))

static const struct kernel kernels[] = {
    KERNEL(crc_multiply_norm),
    KERNEL(crc_multiply_refl),
};

KERNEL_FAMILY(crc_combine, kernels)
