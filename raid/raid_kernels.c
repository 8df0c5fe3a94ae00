/* Kernel table of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "raid_kernels.h"

static const struct variant xor_gen_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_xor_gen_base},
};
static const struct variant xor_check_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_xor_check_base},
};
static const struct variant pq_gen_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_pq_gen_base},
};
static const struct variant pq_check_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_pq_check_base},
};

kernel_slot isalk_xor_gen_slot = (kernel_fn) isalk_xor_gen_base;
kernel_slot isalk_xor_check_slot = (kernel_fn) isalk_xor_check_base;
kernel_slot isalk_pq_gen_slot = (kernel_fn) isalk_pq_gen_base;
kernel_slot isalk_pq_check_slot = (kernel_fn) isalk_pq_check_base;

static const struct kernel kernels[] = {
    KERNEL("xor_gen", &isalk_xor_gen_slot, xor_gen_variants),
    KERNEL("xor_check", &isalk_xor_check_slot, xor_check_variants),
    KERNEL("pq_gen", &isalk_pq_gen_slot, pq_gen_variants),
    KERNEL("pq_check", &isalk_pq_check_slot, pq_check_variants),
};

KERNEL_FAMILY(raid, kernels)
