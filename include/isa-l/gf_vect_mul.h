/* Multiplication of a buffer by one coefficient of GF(2^8).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Addition in GF(2^8) is XOR, multiplication is that of polynomials modulo x^8+x^4+x^3+x^2+1
 * (0x11d). A coefficient c is prepared as a table of 32 bytes: c*0, c*1 .. c*15, then c*0x00,
 * c*0x10 .. c*0xf0. The layout is the same on every CPU, so a table may be kept, moved, and used
 * with any function. */

#ifndef ISAL_GF_VECT_MUL_H
#define ISAL_GF_VECT_MUL_H

#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the 32-byte table of coefficient c to gftbl. */
void gf_vect_mul_init(unsigned char c, unsigned char *gftbl);
void gf_vect_mul_init_base(unsigned char c, unsigned char *gftbl);

/* dest[i] = c * src[i] for 0 <= i < len, c being the coefficient whose table is at gftbl.
 *
 * len must be a multiple of 32, else nothing is written and the result is not 0 (for a negative len
 * too). Any alignment of src and dest; dest may be src, other overlap is not supported. Returns 0
 * on success. Thread-safe: there is no state. */
int gf_vect_mul(int len, unsigned char *gftbl, void *src, void *dest);
int gf_vect_mul_base(int len, unsigned char *gftbl, unsigned char *src, unsigned char *dest);

#if defined(__x86_64__) || defined(_M_X64)

/* The same bound to one instruction set, which the CPU must have. Call gf_vect_mul() instead. */
ISAL_LIB_DEPRECATED("use gf_vect_mul")
int gf_vect_mul_sse(int len, unsigned char *gftbl, void *src, void *dest);
ISAL_LIB_DEPRECATED("use gf_vect_mul")
int gf_vect_mul_avx(int len, unsigned char *gftbl, void *src, void *dest);

#endif

#ifdef __cplusplus
}
#endif

#endif
