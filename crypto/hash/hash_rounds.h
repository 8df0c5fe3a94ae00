/* The compression functions of the hashes: one block of one message, or of a vector of messages.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The including file defines the types word32 and word64: integers, or vectors with a message in
 * each element. The first 16 words of w are the block in host order. Each of the others is computed
 * in the round that first needs it. In a loop over them, gcc would make vectors of two, although
 * each depends on the third before it: SHA-1 would take three times as long.
 *
 * Sources: RFC 1321 (MD5), FIPS 180-4 (SHA-1, SHA-2), GB/T 32905-2016 (SM3); the names are those of
 * the standards. Rounds rotate the roles of the variables instead of their values. */

#ifndef HASH_ROUNDS_H
#define HASH_ROUNDS_H

#include "dispatch/vector.h"
#include "hash_kernels.h"

/* Rotations of an integer, or of each element of a vector. */
#define ROL32(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define ROR(bits, x, n) ((x) >> (n) | (x) << ((bits) - (n)))

#define CHOOSE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define MAJORITY(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))

/* Words of a block with its message schedule. */
enum { md5_WORDS = 16, sha1_WORDS = 80, sha256_WORDS = 64, sha512_WORDS = 80, sm3_WORDS = 68 };

/* ---- MD5 ---- */

ISALK_INLINE void md5_compress(word32 h[4], const word32 w[md5_WORDS])
{
    word32 a = h[0], b = h[1], c = h[2], d = h[3];

#define STEP(f, a, b, c, d, i, word, shift) \
    a += f(b, c, d) + w[(word) &15] + isalk_md5_k[i], a = b + ROL32(a, shift);
#define ROUND(round, f, first, stride, shift0, shift1, shift2, shift3)                  \
    ISALK_UNROLL                                                                        \
    for (unsigned i = 0; i < 16; i += 4) {                                              \
        STEP(f, a, b, c, d, 16 * (round) + i, (stride) *i + (first), shift0)            \
        STEP(f, d, a, b, c, 16 * (round) + i + 1, (stride) * (i + 1) + (first), shift1) \
        STEP(f, c, d, a, b, 16 * (round) + i + 2, (stride) * (i + 2) + (first), shift2) \
        STEP(f, b, c, d, a, 16 * (round) + i + 3, (stride) * (i + 3) + (first), shift3) \
    }
#define G(x, y, z) CHOOSE(z, x, y)
#define I(x, y, z) ((y) ^ ((x) | ~(z)))
    ROUND(0, CHOOSE, 0, 1, 7, 12, 17, 22)
    ROUND(1, G, 1, 5, 5, 9, 14, 20)
    ROUND(2, PARITY, 5, 3, 4, 11, 16, 23)
    ROUND(3, I, 0, 7, 6, 10, 15, 21)
#undef STEP
#undef ROUND
#undef G
#undef I
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

/* ---- SHA-1 ---- */

ISALK_INLINE void sha1_compress(word32 h[5], word32 w[sha1_WORDS])
{
    word32 a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

#define ROUND(f, a, b, c, d, e, i, k)                           \
    if ((i) >= 16) {                                            \
        w[i] = w[(i) -3] ^ w[(i) -8] ^ w[(i) -14] ^ w[(i) -16]; \
        w[i] = ROL32(w[i], 1);                                  \
    }                                                           \
    e += ROL32(a, 5) + f(b, c, d) + w[i] + (k), b = ROL32(b, 30);
#define QUARTER(quarter, f)                                              \
    ISALK_UNROLL                                                         \
    for (unsigned i = 20 * (quarter); i < 20 * (quarter) + 20; i += 5) { \
        ROUND(f, a, b, c, d, e, i, isalk_sha1_k[quarter])                \
        ROUND(f, e, a, b, c, d, i + 1, isalk_sha1_k[quarter])            \
        ROUND(f, d, e, a, b, c, i + 2, isalk_sha1_k[quarter])            \
        ROUND(f, c, d, e, a, b, i + 3, isalk_sha1_k[quarter])            \
        ROUND(f, b, c, d, e, a, i + 4, isalk_sha1_k[quarter])            \
    }
    QUARTER(0, CHOOSE)
    QUARTER(1, PARITY)
    QUARTER(2, MAJORITY)
    QUARTER(3, PARITY)
#undef ROUND
#undef QUARTER
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

/* ---- SHA-256 and SHA-512: they differ in word, rounds and rotations ---- */

#define SHA2_ROUND(hash, a, b, c, d, e, f, g, h, i)                                   \
    if ((i) >= 16)                                                                    \
        w[i] = hash##_s1(w[(i) -2]) + w[(i) -7] + hash##_s0(w[(i) -15]) + w[(i) -16]; \
    h += hash##_S1(e) + CHOOSE(e, f, g) + isalk_##hash##_k[i] + w[i], d += h;         \
    h += hash##_S0(a) + MAJORITY(a, b, c);
#define SHA2_ROUNDS(hash, from, to)                     \
    for (unsigned i = (from); i < (to); i += 8) {       \
        SHA2_ROUND(hash, a, b, c, d, e, f, g, h, i)     \
        SHA2_ROUND(hash, h, a, b, c, d, e, f, g, i + 1) \
        SHA2_ROUND(hash, g, h, a, b, c, d, e, f, i + 2) \
        SHA2_ROUND(hash, f, g, h, a, b, c, d, e, i + 3) \
        SHA2_ROUND(hash, e, f, g, h, a, b, c, d, i + 4) \
        SHA2_ROUND(hash, d, e, f, g, h, a, b, c, i + 5) \
        SHA2_ROUND(hash, c, d, e, f, g, h, a, b, i + 6) \
        SHA2_ROUND(hash, b, c, d, e, f, g, h, a, i + 7) \
    }
#define SHA2(hash, word)                                               \
    ISALK_INLINE void hash##_compress(word v[8], word w[hash##_WORDS]) \
    {                                                                  \
        word a = v[0], b = v[1], c = v[2], d = v[3];                   \
        word e = v[4], f = v[5], g = v[6], h = v[7];                   \
                                                                       \
        SHA2_ROUNDS(hash, 0, 16)                                       \
        SHA2_ROUNDS(hash, 16, hash##_WORDS)                            \
        v[0] += a;                                                     \
        v[1] += b;                                                     \
        v[2] += c;                                                     \
        v[3] += d;                                                     \
        v[4] += e;                                                     \
        v[5] += f;                                                     \
        v[6] += g;                                                     \
        v[7] += h;                                                     \
    }

#define sha256_S0(x) (ROR(32, x, 2) ^ ROR(32, x, 13) ^ ROR(32, x, 22))
#define sha256_S1(x) (ROR(32, x, 6) ^ ROR(32, x, 11) ^ ROR(32, x, 25))
#define sha256_s0(x) (ROR(32, x, 7) ^ ROR(32, x, 18) ^ (x) >> 3)
#define sha256_s1(x) (ROR(32, x, 17) ^ ROR(32, x, 19) ^ (x) >> 10)
#define sha512_S0(x) (ROR(64, x, 28) ^ ROR(64, x, 34) ^ ROR(64, x, 39))
#define sha512_S1(x) (ROR(64, x, 14) ^ ROR(64, x, 18) ^ ROR(64, x, 41))
#define sha512_s0(x) (ROR(64, x, 1) ^ ROR(64, x, 8) ^ (x) >> 7)
#define sha512_s1(x) (ROR(64, x, 19) ^ ROR(64, x, 61) ^ (x) >> 6)

SHA2(sha256, word32)
SHA2(sha512, word64)

/* ---- SM3 ---- */

ISALK_INLINE void sm3_compress(word32 v[8], word32 w[sm3_WORDS])
{
    word32 a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    word32 ss1, a12, x;

/* d becomes TT1, h becomes P0(TT2). */
#define ROUND(ff, gg, a, b, c, d, e, f, g, h, i)                                        \
    if ((i) >= 12) {                                                                    \
        x = w[(i) -12] ^ w[(i) -5] ^ ROL32(w[(i) + 1], 15);                             \
        w[(i) + 4] = x ^ ROL32(x, 15) ^ ROL32(x, 23) ^ ROL32(w[(i) -9], 7) ^ w[(i) -2]; \
    }                                                                                   \
    a12 = ROL32(a, 12), ss1 = a12 + e + isalk_sm3_k[i];                                 \
    ss1 = ROL32(ss1, 7);                                                                \
    d += ff(a, b, c) + (ss1 ^ a12) + (w[i] ^ w[(i) + 4]);                               \
    h += gg(e, f, g) + ss1 + w[i];                                                      \
    b = ROL32(b, 9), f = ROL32(f, 19);                                                  \
    h ^= ROL32(h, 9) ^ ROL32(h, 17);
#define ROUNDS(from, to, ff, gg)                     \
    for (unsigned i = (from); i < (to); i += 4) {    \
        ROUND(ff, gg, a, b, c, d, e, f, g, h, i)     \
        ROUND(ff, gg, d, a, b, c, h, e, f, g, i + 1) \
        ROUND(ff, gg, c, d, a, b, g, h, e, f, i + 2) \
        ROUND(ff, gg, b, c, d, a, f, g, h, e, i + 3) \
    }
    ROUNDS(0, 12, PARITY, PARITY)
    ROUNDS(12, 16, PARITY, PARITY)
    ROUNDS(16, 64, MAJORITY, CHOOSE)
#undef ROUND
#undef ROUNDS
    v[0] ^= a;
    v[1] ^= b;
    v[2] ^= c;
    v[3] ^= d;
    v[4] ^= e;
    v[5] ^= f;
    v[6] ^= g;
    v[7] ^= h;
}

#endif
