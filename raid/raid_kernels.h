/* Types and declarations shared by the files of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef RAID_KERNELS_H
#define RAID_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

/* array: n >= 1 sources of len bytes, array[0 .. n-1], then parity buffers of len bytes. Any
 * alignment. A buffer that is written must not overlap any other.
 *
 * xor_gen, pq_gen: write P to array[n], and pq_gen also Q to array[n+1]. Return 0.
 * xor_check, pq_check: return 0 if these match the sources, else 1.
 * pq_fault: pq_check with the result of pq_check_base(), which identifies the byte and the parity.
 * pq_solve: let a = P of the sources XOR array[n] and b = Q of the sources XOR array[n+1]. Writes
 * r = A a + B b to array[n+2], and a XOR (mask AND r) to array[n+3]. A, B and mask are in the
 * struct pq_solution at array[n+4]. Returns 0. */
typedef int raid_fn(size_t n, size_t len, void *const *array);
KERNEL_SLOT_TYPE(raid_fn);

/* Sources with more bytes together are far: kernels prefetch them, and parity may bypass the
 * caches. raid.inc has the measurements. */
#define RAID_FAR_DATA (7 << 18)

struct pq_solution {
    uint8_t a[32], b[32]; /* tables of A and B, from gf_vect_mul_init() */
    uint8_t mask[16];     /* all bytes 0xff, or all 0 */
};

/* X(tier) for each tier above base. XOR does not multiply and has no use for GFNI. */
#define RAID_XOR_TIERS(X) X(portable) X(sse) X(avx) X(avx2) X(avx512)
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
raid_fn isalk_xor_gen_nt_avx2, isalk_xor_gen_nt_avx512;
raid_fn isalk_pq_gen_nt_avx2, isalk_pq_gen_nt_avx512_v;

/* The variants that run on this machine. */
extern raid_fn_slot isalk_xor_gen_slot, isalk_xor_gen_nt_slot, isalk_xor_check_slot;
extern raid_fn_slot isalk_pq_gen_slot, isalk_pq_gen_nt_slot, isalk_pq_check_slot;
extern raid_fn_slot isalk_pq_solve_slot;

ISALK_HIDDEN_END

#endif
