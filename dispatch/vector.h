/* Vectors of bytes in portable C: 16 bytes where the compiler's target has such registers, else a
 * machine word.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ISALK_SIMD tells the two apart. &, |, ^ and ~ work on either; shifts work on elements of 64 bits
 * or on the word. ISALK_LOOKUP: bytes can be looked up in a table of 16, with vec_lookup(). */

#ifndef ISALK_VECTOR_H
#define ISALK_VECTOR_H

#include <string.h>

#include "compiler.h"

#if defined(__SSE2__) || defined(__ARM_NEON) || defined(__ALTIVEC__) || defined(__VX__)
#define ISALK_SIMD 1
typedef uint16_t isalk_shorts8 __attribute__((vector_size(16)));
typedef uint64_t vec __attribute__((vector_size(16)));
#else
#define ISALK_SIMD 0
typedef size_t vec;
#endif

/* Unrolls the loop that follows, of up to 8 rounds. */
#ifdef __clang__
#define ISALK_UNROLL _Pragma("unroll")
#else
#define ISALK_UNROLL _Pragma("GCC unroll 8")
#endif

/* Every byte equal to `byte`. */
ISALK_INLINE vec vec_bytes(uint8_t byte)
{
#if ISALK_SIMD
    return (vec) (byte - (isalk_bytes16){0});
#else
    return (vec) -1 / 255 * byte;
#endif
}

/* 255 in every 16 bits. */
ISALK_INLINE vec vec_low_bytes(void)
{
#if ISALK_SIMD
    return (vec) (255 - (isalk_shorts8){0});
#else
    return (vec) -1 / 257;
#endif
}

ISALK_INLINE vec vec_load(const void *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

ISALK_INLINE void vec_store(void *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* The first n <= sizeof(vec) bytes only; the other bytes are 0. Compilers that inline before they
 * remove dead code would warn without the limit. */
ISALK_INLINE vec vec_load_part(const void *p, size_t n)
{
    vec v = vec_bytes(0);

    memcpy(&v, p, n < sizeof v ? n : sizeof v);
    return v;
}

ISALK_INLINE void vec_store_part(void *p, vec v, size_t n)
{
    memcpy(p, &v, n < sizeof v ? n : sizeof v);
}

ISALK_INLINE int vec_is_zero(vec v)
{
#if ISALK_SIMD
    return !(v[0] | v[1]);
#else
    return !v;
#endif
}

/* Each byte doubled in GF(2^8)/0x11d. */
ISALK_INLINE vec vec_gf_double(vec a)
{
#if ISALK_SIMD
    isalk_bytes16 bytes = (isalk_bytes16) a;
    return (vec) (bytes + bytes) ^ ((vec) (bytes > 0x7f) & vec_bytes(0x1d));
#else
    vec high = a & vec_bytes(0x80);
    return (a ^ high) << 1 ^ (high >> 7) * 0x1d;
#endif
}

/* vec_lookup(table, index): byte `index` of the table, for each byte of index, all below 16. */
#if defined(__SSSE3__)
#include <tmmintrin.h>
#define ISALK_LOOKUP 1
ISALK_INLINE vec vec_lookup(vec table, vec index)
{
    return (vec) _mm_shuffle_epi8((__m128i) table, (__m128i) index);
}
#elif defined(__aarch64__)
#include <arm_neon.h>
#define ISALK_LOOKUP 1
ISALK_INLINE vec vec_lookup(vec table, vec index)
{
    return (vec) vqtbl1q_u8((uint8x16_t) table, (uint8x16_t) index);
}
#elif ISALK_SIMD && !defined(__SSE2__) && !defined(__arm__) && !defined(__clang__)
#define ISALK_LOOKUP 1
ISALK_INLINE vec vec_lookup(vec table, vec index)
{
    return (vec) __builtin_shuffle((isalk_bytes16) table, (isalk_bytes16) index);
}
#else
#define ISALK_LOOKUP 0
#endif

/* Each byte multiplied in GF(2^8)/0x11d by the coefficient of a table of gf_vect_mul_init(). */
ISALK_INLINE vec vec_gf_multiply(vec a, const uint8_t table[32])
{
#if ISALK_LOOKUP
    vec high = (vec) ((isalk_bytes16) a >> 4);
    return vec_lookup(vec_load(table), a & vec_bytes(15)) ^ vec_lookup(vec_load(table + 16), high);
#else
    vec product = vec_bytes(0);
    for (int bit = 7; bit >= 0; bit--)
        product = vec_gf_double(product) ^ (a & vec_bytes((uint8_t) - (table[1] >> bit & 1)));
    return product;
#endif
}

#endif
