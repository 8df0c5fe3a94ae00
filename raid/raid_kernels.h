/* Types and declarations shared by the files of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef RAID_KERNELS_H
#define RAID_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

/* n sources of len bytes each; arguments are valid: n >= 1, len >= 1.
 *
 * gen: array[0 .. n-1] are read; xor writes array[n], pq writes P to array[n] and Q to array[n+1].
 * check: the same buffers are read; returns 0 if the parity matches, else not 0. */
typedef void raid_gen_fn(size_t n, size_t len, uint8_t *const *array);
typedef int raid_check_fn(size_t n, size_t len, uint8_t *const *array);

ISALK_HIDDEN_BEGIN
raid_gen_fn isalk_xor_gen_base, isalk_pq_gen_base;
raid_check_fn isalk_xor_check_base, isalk_pq_check_base;

/* The variants that run on this machine. */
extern kernel_slot isalk_xor_gen_slot, isalk_xor_check_slot, isalk_pq_gen_slot, isalk_pq_check_slot;
ISALK_HIDDEN_END

#endif
