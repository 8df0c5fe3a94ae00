/* Types and declarations shared by the files of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef RAID_KERNELS_H
#define RAID_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

/* n sources of len bytes each, n >= 1, of any alignment. What is written must not overlap anything
 * that is read.
 *
 * gen: reads array[0 .. n-1]; xor writes array[n], pq writes P to array[n] and Q to array[n+1].
 * Returns 0.
 * check: reads all of these; returns 0 if the parity matches, else 1.
 * pq_fault: the same, but returns what pq_check_base() does.
 * pq_solve: reads all of these. With a = P of the sources XOR array[n], b = Q of the sources XOR
 * array[n+1], writes r = A a + B b to array[n+2] and a XOR (mask AND r) to array[n+3], where
 * array[n+4] points to a struct pq_solution. Returns 0. */
typedef int raid_fn(size_t n, size_t len, void *const *array);
KERNEL_SLOT_TYPE(raid_fn);

struct pq_solution {
    uint8_t a[32], b[32]; /* the tables of A and B, as gf_vect_mul_init() makes them */
    uint8_t mask[16];     /* the same in every byte: 0xff or 0 */
};

/* X(tier) for each tier that has assembly: XOR needs neither multiplication nor, hence, GFNI. */
#define RAID_XOR_TIERS(X) X(sse) X(avx) X(avx2) X(avx512)
#define RAID_PQ_TIERS(X) RAID_XOR_TIERS(X) X(avx2_v) X(avx512_v)

ISALK_HIDDEN_BEGIN

#define X(tier)                   \
    raid_fn isalk_xor_gen_##tier; \
    raid_fn isalk_xor_check_##tier;
X(base)
RAID_XOR_TIERS(X)
#undef X

#define X(tier)                    \
    raid_fn isalk_pq_gen_##tier;   \
    raid_fn isalk_pq_check_##tier; \
    raid_fn isalk_pq_solve_##tier;
X(base)
RAID_PQ_TIERS(X)
#undef X

raid_fn isalk_pq_fault_base;

/* The variants that run on this machine. */
extern raid_fn_slot isalk_xor_gen_slot, isalk_xor_check_slot;
extern raid_fn_slot isalk_pq_gen_slot, isalk_pq_check_slot, isalk_pq_solve_slot;

ISALK_HIDDEN_END

#endif
