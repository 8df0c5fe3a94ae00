/* Portable references of the hashes' block functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sources: RFC 1321 (MD5), FIPS 180-4 (SHA-1, SHA-2), GB/T 32905-2016 (SM3); the names are those of
 * the standards. */

#include <string.h>

#include "dispatch/bytes.h"
#include "hash_kernels.h"

ISALK_INLINE uint32_t rol(uint32_t x, unsigned n)
{
    return x << (n & 31) | x >> (-n & 31);
}

/* ---- MD5 ---- */

void isalk_md5_x1_base(void *state, const uint8_t *data, size_t blocks)
{
    static const uint8_t shift[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t h[4], x[16];

    memcpy(h, state, sizeof h);
    for (; blocks; blocks--, data += 64) {
        uint32_t a = h[0], b = h[1], c = h[2], d = h[3], f, t;

        for (int i = 0; i < 16; i++)
            x[i] = load_le32(data + 4 * i);
#define STEPS(round, function, word)                                                        \
    for (int i = 0; i < 16; i++) {                                                          \
        f = function;                                                                       \
        t = d;                                                                              \
        d = c;                                                                              \
        c = b;                                                                              \
        b += rol(a + f + x[(word) &15] + isalk_md5_k[16 * round + i], shift[round][i & 3]); \
        a = t;                                                                              \
    }
        STEPS(0, d ^ (b & (c ^ d)), i)
        STEPS(1, c ^ (d & (b ^ c)), 5 * i + 1)
        STEPS(2, b ^ c ^ d, 3 * i + 5)
        STEPS(3, c ^ (b | ~d), 7 * i)
#undef STEPS
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
    }
    memcpy(state, h, sizeof h);
}

/* ---- SHA-1 ---- */

void isalk_sha1_x1_base(void *state, const uint8_t *data, size_t blocks)
{
    uint32_t h[5], w[80];

    memcpy(h, state, sizeof h);
    for (; blocks; blocks--, data += 64) {
        uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], t;

        for (int i = 0; i < 16; i++)
            w[i] = load_be32(data + 4 * i);
        for (int i = 16; i < 80; i++)
            w[i] = rol(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
#define ROUNDS(quarter, f)                                      \
    for (int i = 20 * quarter; i < 20 * quarter + 20; i++) {    \
        t = rol(a, 5) + (f) + e + w[i] + isalk_sha1_k[quarter]; \
        e = d;                                                  \
        d = c;                                                  \
        c = rol(b, 30);                                         \
        b = a;                                                  \
        a = t;                                                  \
    }
        ROUNDS(0, d ^ (b & (c ^ d)))
        ROUNDS(1, b ^ c ^ d)
        ROUNDS(2, (b & c) | (d & (b | c)))
        ROUNDS(3, b ^ c ^ d)
#undef ROUNDS
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
        h[4] += e;
    }
    memcpy(state, h, sizeof h);
}

/* ---- SHA-256 and SHA-512: they differ in word, rounds and rotations ---- */

#define SHA2(function, word, load, rounds, k, S0a, S0b, S0c, S1a, S1b, S1c, s0a, s0b, s0c, s1a,    \
             s1b, s1c)                                                                             \
    void function(void *state, const uint8_t *data, size_t blocks)                                 \
    {                                                                                              \
        word h[8], w[rounds], v[8], t1, t2;                                                        \
                                                                                                   \
        memcpy(h, state, sizeof h);                                                                \
        for (; blocks; blocks--, data += 16 * sizeof(word)) {                                      \
            for (int i = 0; i < 16; i++)                                                           \
                w[i] = load(data + sizeof(word) * (size_t) i);                                     \
            for (int i = 16; i < rounds; i++)                                                      \
                w[i] = (ROR(w[i - 2], s1a) ^ ROR(w[i - 2], s1b) ^ w[i - 2] >> s1c) + w[i - 7] +    \
                       (ROR(w[i - 15], s0a) ^ ROR(w[i - 15], s0b) ^ w[i - 15] >> s0c) + w[i - 16]; \
            memcpy(v, h, sizeof v);                                                                \
            for (int i = 0; i < rounds; i++) {                                                     \
                t1 = v[7] + (ROR(v[4], S1a) ^ ROR(v[4], S1b) ^ ROR(v[4], S1c)) +                   \
                     (v[6] ^ (v[4] & (v[5] ^ v[6]))) + k[i] + w[i];                                \
                t2 = (ROR(v[0], S0a) ^ ROR(v[0], S0b) ^ ROR(v[0], S0c)) +                          \
                     ((v[0] & v[1]) | (v[2] & (v[0] | v[1])));                                     \
                v[7] = v[6];                                                                       \
                v[6] = v[5];                                                                       \
                v[5] = v[4];                                                                       \
                v[4] = v[3] + t1;                                                                  \
                v[3] = v[2];                                                                       \
                v[2] = v[1];                                                                       \
                v[1] = v[0];                                                                       \
                v[0] = t1 + t2;                                                                    \
            }                                                                                      \
            for (int i = 0; i < 8; i++)                                                            \
                h[i] += v[i];                                                                      \
        }                                                                                          \
        memcpy(state, h, sizeof h);                                                                \
    }
#define ROR(x, n) ((x) >> (n) | (x) << (8 * sizeof(x) - (n)))

SHA2(isalk_sha256_x1_base, uint32_t, load_be32, 64, isalk_sha256_k, 2, 13, 22, 6, 11, 25, 7, 18, 3,
     17, 19, 10)
SHA2(isalk_sha512_x1_base, uint64_t, load_be64, 80, isalk_sha512_k, 28, 34, 39, 14, 18, 41, 1, 8, 7,
     19, 61, 6)

/* ---- SM3 ---- */

ISALK_INLINE uint32_t sm3_p1(uint32_t x)
{
    return x ^ rol(x, 15) ^ rol(x, 23);
}

void isalk_sm3_x1_base(void *state, const uint8_t *data, size_t blocks)
{
    uint32_t v[8], w[68];

    memcpy(v, state, sizeof v);
    for (; blocks; blocks--, data += 64) {
        uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        uint32_t ss1, ss2, tt1, tt2;

        for (int i = 0; i < 16; i++)
            w[i] = load_be32(data + 4 * i);
        for (int i = 16; i < 68; i++)
            w[i] = sm3_p1(w[i - 16] ^ w[i - 9] ^ rol(w[i - 3], 15)) ^ rol(w[i - 13], 7) ^ w[i - 6];
#define ROUNDS(from, to, ff, gg)                       \
    for (int i = from; i < to; i++) {                  \
        ss1 = rol(rol(a, 12) + e + isalk_sm3_k[i], 7); \
        ss2 = ss1 ^ rol(a, 12);                        \
        tt1 = (ff) + d + ss2 + (w[i] ^ w[i + 4]);      \
        tt2 = (gg) + h + ss1 + w[i];                   \
        d = c;                                         \
        c = rol(b, 9);                                 \
        b = a;                                         \
        a = tt1;                                       \
        h = g;                                         \
        g = rol(f, 19);                                \
        f = e;                                         \
        e = tt2 ^ rol(tt2, 9) ^ rol(tt2, 17);          \
    }
        ROUNDS(0, 16, a ^ b ^ c, e ^ f ^ g)
        ROUNDS(16, 64, (a & b) | (c & (a | b)), g ^ (e & (f ^ g)))
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
    memcpy(state, v, sizeof v);
}

/* ---- Several messages, one after the other ---- */

#define LANES(hash, name, count)                                                       \
    void isalk_##hash##_##name##_base(void *const *states, const uint8_t *const *data, \
                                      size_t blocks)                                   \
    {                                                                                  \
        for (int i = 0; i < count; i++)                                                \
            isalk_##hash##_x1_base(states[i], data[i], blocks);                        \
    }

LANES(md5, x8, 8)
LANES(md5, x16, 16)
LANES(md5, x32, 32)
LANES(sha1, x4, 4)
LANES(sha1, x8, 8)
LANES(sha1, x16, 16)
LANES(sha1, ni_x2, 2)
LANES(sha256, x4, 4)
LANES(sha256, x8, 8)
LANES(sha256, x16, 16)
LANES(sha256, ni_x2, 2)
LANES(sha512, x2, 2)
LANES(sha512, x4, 4)
LANES(sha512, x8, 8)
LANES(sm3, x4, 4)
LANES(sm3, x8, 8)
LANES(sm3, x16, 16)
