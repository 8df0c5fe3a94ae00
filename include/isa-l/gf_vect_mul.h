/* Multiplication of a buffer by one coefficient of GF(2^8).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Addition in GF(2^8) is XOR; multiplication is polynomial multiplication modulo
 * x^8+x^4+x^3+x^2+1 (0x11d). A coefficient c is expanded into a table of 32 bytes: c*0, c*1 ..
 * c*15, then c*0x00, c*0x10 .. c*0xf0. The layout is the same on every CPU, so a table may be
 * stored, copied, and used with any function.
 *
 *     unsigned char table[32];
 *     gf_vect_mul_init(7, table);
 *     gf_vect_mul(4096, table, src, dest);             // dest[i] = 7 * src[i] */

#ifndef ISAL_GF_VECT_MUL_H
#define ISAL_GF_VECT_MUL_H

#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the 32-byte table of coefficient c to gftbl, of any alignment. */
void gf_vect_mul_init(unsigned char c, unsigned char *gftbl);
void gf_vect_mul_init_base(unsigned char c, unsigned char *gftbl);

/* dest[i] = c * src[i] for 0 <= i < len, where gftbl is the table of c.
 *
 * len is in bytes, a multiple of 32 or 0; src and dest have any alignment. dest may equal src; any
 * other overlap is not allowed. Returns 0, or non-zero with nothing written if len is negative or
 * not a multiple of 32. Thread-safe: it keeps no state. */
int gf_vect_mul(int len, unsigned char *gftbl, void *src, void *dest);
int gf_vect_mul_base(int len, unsigned char *gftbl, unsigned char *src, unsigned char *dest);

#if defined(__x86_64__) || defined(_M_X64)

/* The same with one instruction set, which the CPU must have; kept for programs that name them. */
ISAL_LIB_DEPRECATED("use gf_vect_mul")
int gf_vect_mul_sse(int len, unsigned char *gftbl, void *src, void *dest);
ISAL_LIB_DEPRECATED("use gf_vect_mul")
int gf_vect_mul_avx(int len, unsigned char *gftbl, void *src, void *dest);

#endif

#ifdef __cplusplus
}
#endif

#endif
