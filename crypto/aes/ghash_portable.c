/* GHASH in C without loops over bits, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In each factor only every fourth bit may be set. At such bits the integer product is the product
 * of the polynomials: at most 15 ones are added at any of them but the highest, and no carry
 * reaches the next one. 16 integer products make the low half of the product of two polynomials of
 * 64 bits. The high half is the low half of the product of the reversed polynomials. No branch and
 * no address depends on data; multiplication must take constant time, as it does on most CPUs.
 * Source: Pornin, "Constant-time multiplication", bearssl.org/constanttime.html. */

#include "aes_kernels.h"

#if !ISALK_ASM

#include <string.h>

#include "aes_sliced.h"
#include "dispatch/bytes.h"

/* As integers of 128 bits; see aes_kernels.h. */
struct polynomial {
    uint64_t high, low;
};

#define EVERY_FOURTH 0x1111111111111111u

/* Bits 0 to 63 of the product of polynomials. */
ISALK_INLINE uint64_t product_low(uint64_t a, uint64_t b)
{
    uint64_t m = EVERY_FOURTH, a0 = a & m, a1 = a & m << 1, a2 = a & m << 2, a3 = a & m << 3;
    uint64_t b0 = b & m, b1 = b & m << 1, b2 = b & m << 2, b3 = b & m << 3;

    return ((a0 * b0 ^ a1 * b3 ^ a2 * b2 ^ a3 * b1) & m) |
           ((a0 * b1 ^ a1 * b0 ^ a2 * b3 ^ a3 * b2) & m << 1) |
           ((a0 * b2 ^ a1 * b1 ^ a2 * b0 ^ a3 * b3) & m << 2) |
           ((a0 * b3 ^ a1 * b2 ^ a2 * b1 ^ a3 * b0) & m << 3);
}

ISALK_INLINE uint64_t reversed(uint64_t a)
{
    a = (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
    a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f0f0f0f0f) | (a & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(a);
}

/* The factors of Karatsuba's three products, and the same reversed. */
struct factors {
    uint64_t plain[3], reversed[3];
};

ISALK_INLINE struct factors factors(struct polynomial a)
{
    struct factors f = {.plain = {a.high, a.low, a.high ^ a.low}};

    f.reversed[0] = reversed(a.high);
    f.reversed[1] = reversed(a.low);
    f.reversed[2] = f.reversed[0] ^ f.reversed[1];
    return f;
}

/* The bits of `a` are multiples of x^128: adds `a` times x^7 + x^2 + x + 1 to the word 128 places
 * before it, and what is shifted out of that to the next word. */
ISALK_INLINE void reduce_word(uint64_t a, uint64_t *to, uint64_t *next)
{
    *to ^= a ^ a >> 1 ^ a >> 2 ^ a >> 7;
    *next ^= a << 63 ^ a << 62 ^ a << 57;
}

/* x times the polynomial of which h has the factors, divided by x: see aes_kernels.h. */
ISALK_INLINE struct polynomial multiply(struct polynomial x, const struct factors *h)
{
    struct factors f = factors(x);
    uint64_t low[3], high[3], w[4];
    struct polynomial r;

    for (int i = 0; i < 3; i++) {
        low[i] = product_low(f.plain[i], h->plain[i]);
        high[i] = reversed(product_low(f.reversed[i], h->reversed[i])) >> 1;
    }
    w[0] = high[0];
    w[1] = low[0] ^ high[0] ^ high[1] ^ high[2];
    w[2] = high[1] ^ low[0] ^ low[1] ^ low[2];
    w[3] = low[1];
    reduce_word(w[3], &w[1], &w[2]);
    reduce_word(w[2], &w[0], &w[1]);
    r.high = w[0];
    r.low = w[1];
    return r;
}

void isalk_aes_ghash_portable(const struct isal_gcm_key_data *key, uint8_t *hash,
                              const uint8_t *data, size_t len)
{
    const uint8_t *p = (const uint8_t *) key + GCM_POWERS_AT + (GCM_POWERS - 1) * AES_BLOCK;
    struct polynomial sum = {load_be64(hash), load_be64(hash + 8)};
    struct factors h = factors((struct polynomial){load_le64(p + 8), load_le64(p)});
    uint8_t last[AES_BLOCK] = {0};

    for (; len >= AES_BLOCK; len -= AES_BLOCK, data += AES_BLOCK) {
        sum.high ^= load_be64(data);
        sum.low ^= load_be64(data + 8);
        sum = multiply(sum, &h);
    }
    if (len) {
        memcpy(last, data, len);
        sum.high ^= load_be64(last);
        sum.low ^= load_be64(last + 8);
        sum = multiply(sum, &h);
    }
    store_be64(hash, sum.high);
    store_be64(hash + 8, sum.low);
    isalk_aes_wipe(&h, sizeof h);
}

#endif
