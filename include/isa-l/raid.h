/* RAID parity: XOR (RAID 5) and P+Q (RAID 6), generation, check and recovery.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `array` holds `vects` pointers to buffers of len bytes: first the n sources D_0 .. D_(n-1), then
 * the parity: for XOR one buffer P = sum of D_i, for P+Q two, P and then Q = sum of 2^i * D_i. Sums
 * are XOR; products are in GF(2^8) modulo x^8+x^4+x^3+x^2+1 (0x11d).
 *
 * Buffers may have any alignment; 64 bytes is fastest. Nothing beyond len bytes is read or written.
 * A length of 0 succeeds and does nothing. Parity must not overlap sources. All functions are
 * thread-safe: there is no state. */

#ifndef ISAL_RAID_H
#define ISAL_RAID_H

#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the XOR of the first vects - 1 buffers to the last one. vects >= 3, len >= 0, any
 * multiple. Returns 0, or 1 with nothing written if an argument is out of range. */
int xor_gen(int vects, int len, void **array);
int xor_gen_base(int vects, int len, void **array);

/* Returns 0 if the XOR of all vects buffers is zero in every byte, else 1; also 1 if vects < 2 or
 * len < 0. */
int xor_check(int vects, int len, void **array);
int xor_check_base(int vects, int len, void **array);

/* Writes P to array[vects - 2] and Q to array[vects - 1] from the vects - 2 sources before them.
 * vects >= 4, len a multiple of 32 (pq_gen_base: the remainder of len modulo 8 is left alone).
 * Returns 0, or 1 with nothing written if an argument is out of range. */
int pq_gen(int vects, int len, void **array);
int pq_gen_base(int vects, int len, void **array);

/* Returns 0 if P and Q both match the sources, else not 0; also not 0 if vects < 4 or len is not a
 * multiple of 16. */
int pq_check(int vects, int len, void **array);
int pq_check_base(int vects, int len, void **array);

/* Rebuilds buffer number `lost` of an XOR array as the XOR of the other vects - 1, 0 <= lost <
 * vects; vects >= 3, any len >= 0. Returns 0, or 1 with nothing written if an argument is out of
 * range. */
int isal_xor_recover(int vects, int len, void **array, int lost);

/* Rebuilds one or two lost members of a P+Q array in place: sources, P (number vects - 2) or Q
 * (vects - 1). lost_b is -1 when one member is lost; otherwise the two differ, in either order. The
 * survivors must be consistent: nothing tells a wrong buffer from a right one here. 4 <= vects <=
 * 257 (beyond 255 sources the weights of Q repeat and two losses cannot be told apart), len >= 0,
 * any multiple. Returns 0, or 1 with nothing written if an argument is out of range. */
int isal_pq_recover(int vects, int len, void **array, int lost_a, int lost_b);

#if defined(__x86_64__) || defined(_M_X64)

/* The same bound to one instruction set, which the CPU must have, for programs that name them. */
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
