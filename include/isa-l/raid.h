/* RAID parity: XOR (RAID 5) and P+Q (RAID 6), generation, check and recovery.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `array` holds `vects` pointers to buffers of len bytes each: the n sources D_0 .. D_(n-1), then
 * the parity. XOR has one parity buffer, P = sum of D_i. P+Q has two: P, then Q = sum of 2^i * D_i.
 * Sums are XOR; products are in GF(2^8) modulo x^8+x^4+x^3+x^2+1 (0x11d).
 *
 *     void *array[] = {d0, d1, d2, d3, p, q};
 *     pq_gen(6, 65536, array);                         // writes p and q
 *     isal_pq_recover(6, 65536, array, 1, 3);          // rebuilds d1 and d3
 *
 * Buffers may have any alignment; 64 bytes is fastest. Nothing outside their len bytes is accessed.
 * On some CPUs xor_gen and pq_gen write parity that is aligned to 64 bytes past the caches
 * (non-temporal stores) if the sources have more than 1.75 MiB together, len is 4096 or more, and
 * xor_gen has at most 16 sources. The result is the same, and visible to other threads as after
 * ordinary stores; reading it again right away takes longer.
 *
 * Length 0 succeeds and does nothing. Parity must not overlap sources. All functions are
 * thread-safe: they keep no state. */

#ifndef ISAL_RAID_H
#define ISAL_RAID_H

#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the XOR of the first vects - 1 buffers to the last one. vects >= 3, any len >= 0.
 * Returns 0, or 1 with nothing written if an argument is out of range. */
int xor_gen(int vects, int len, void **array);
int xor_gen_base(int vects, int len, void **array);

/* Checks that the XOR of all vects buffers is zero. Returns 0 if it is; 1 if it is not, or if vects
 * < 2 or len < 0. */
int xor_check(int vects, int len, void **array);
int xor_check_base(int vects, int len, void **array);

/* Writes P to array[vects - 2] and Q to array[vects - 1] from the vects - 2 sources before them.
 * vects >= 4; len is a multiple of 32 (pq_gen_base: any len; the last len % 8 bytes of the parity
 * are not written). Returns 0, or 1 with nothing written if an argument is out of range. */
int pq_gen(int vects, int len, void **array);
int pq_gen_base(int vects, int len, void **array);

/* Checks P and Q against the sources. Returns 0 if both match. Returns non-zero if either differs,
 * vects < 4, or len is not a multiple of 16 (pq_check_base: any len >= 0). */
int pq_check(int vects, int len, void **array);
int pq_check_base(int vects, int len, void **array);

/* Rebuilds buffer number `lost` of an XOR array, 0 <= lost < vects, as the XOR of the others.
 * vects >= 3, any len >= 0. Returns 0, or 1 with nothing written if an argument is out of range. */
int isal_xor_recover(int vects, int len, void **array, int lost);

/* Rebuilds one or two lost buffers of a P+Q array in place: sources, P (number vects - 2) or Q
 * (number vects - 1).
 *
 * lost_a and lost_b are different, in either order; lost_b is -1 if one buffer is lost. 4 <= vects
 * <= 257: with more than 255 sources the coefficients of Q repeat, and two lost sources with the
 * same coefficient cannot be rebuilt. Any len >= 0. The remaining buffers must be intact:
 * corruption is not detected. Returns 0, or 1 with nothing written if an argument is out of
 * range. */
int isal_pq_recover(int vects, int len, void **array, int lost_a, int lost_b);

#if defined(__x86_64__) || defined(_M_X64)

/* The same with one instruction set, which the CPU must have; kept for programs that name them. */
ISAL_LIB_DEPRECATED("use xor_gen")
int xor_gen_sse(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("use xor_gen")
int xor_gen_avx(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("use xor_check")
int xor_check_sse(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("use pq_gen")
int pq_gen_sse(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("use pq_gen")
int pq_gen_avx(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("use pq_gen")
int pq_gen_avx2(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("use pq_check")
int pq_check_sse(int vects, int len, void **array);

#endif

#ifdef __cplusplus
}
#endif

#endif
