/* The AES kernels with the AES instructions and polynomial products of 64-bit Arm.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sources: Arm Architecture Reference Manual, AESE to PMULL; reduction: Gueron and Kounavis,
 * "Efficient implementation of the Galois Counter Mode using a carry-less multiplier and a fast
 * reduction algorithm", Information Processing Letters 110 (2010). */

#include "aes_kernels.h"

#if ISALK_ARMV8

#ifndef __clang__
#pragma GCC target("+crypto")
#endif
#include <arm_neon.h>
#include <string.h>

#include "aes_sliced.h"
#include "dispatch/bytes.h"
#include "dispatch/vector.h"

/* The round keys of one schedule in key[r][0], or of one for each of four blocks. */
typedef struct {
    uint8x16_t key[AES_MAX_ROUND_KEYS][AES_SLICED_BLOCKS];
    unsigned rounds, schedules;
} cipher_keys;

static void armv8_keys(cipher_keys *keys, const uint8_t *schedule, unsigned rounds)
{
    keys->rounds = rounds;
    keys->schedules = 1;
    for (unsigned r = 0; r <= rounds; r++)
        keys->key[r][0] = vld1q_u8(schedule + AES_BLOCK * r);
}

static void armv8_four_keys(cipher_keys *keys, const uint8_t *table, size_t stride, unsigned rounds)
{
    keys->rounds = rounds;
    keys->schedules = AES_SLICED_BLOCKS;
    for (unsigned r = 0; r <= rounds; r++)
        memcpy(keys->key[r], table + r * stride, sizeof keys->key[r]);
}

/* AESE and AESD begin with the addition of the round key. */
#define CIPHER_ROUNDS(name, round, mix)                                                           \
    ISALK_INLINE void name##_blocks(const cipher_keys *keys, uint8x16_t *x, unsigned n,           \
                                    unsigned schedules)                                           \
    {                                                                                             \
        unsigned last = keys->rounds;                                                             \
                                                                                                  \
        for (unsigned r = 0; r + 1 < last; r++) {                                                 \
            ISALK_UNROLL                                                                          \
            for (unsigned b = 0; b < n; b++)                                                      \
                x[b] = mix(round(x[b], keys->key[r][b % schedules]));                             \
        }                                                                                         \
        ISALK_UNROLL                                                                              \
        for (unsigned b = 0; b < n; b++)                                                          \
            x[b] =                                                                                \
                round(x[b], keys->key[last - 1][b % schedules]) ^ keys->key[last][b % schedules]; \
    }                                                                                             \
    static void armv8_##name(const cipher_keys *keys, uint8_t blocks[64])                         \
    {                                                                                             \
        uint8x16_t x[4];                                                                          \
                                                                                                  \
        memcpy(x, blocks, sizeof x);                                                              \
        if (keys->schedules == 1)                                                                 \
            name##_blocks(keys, x, 4, 1);                                                         \
        else                                                                                      \
            name##_blocks(keys, x, 4, 4);                                                         \
        memcpy(blocks, x, sizeof x);                                                              \
    }
CIPHER_ROUNDS(enc, vaeseq_u8, vaesmcq_u8)
CIPHER_ROUNDS(dec, vaesdq_u8, vaesimcq_u8)

static void armv8_enc_one(const cipher_keys *keys, uint8_t block[AES_BLOCK])
{
    uint8x16_t x = vld1q_u8(block);

    enc_blocks(keys, &x, 1, 1);
    vst1q_u8(block, x);
}

/* With equal columns, AESE's ShiftRows changes nothing. */
static void armv8_sub(uint8_t word[4])
{
    uint32_t w = load_le32(word);

    w = vgetq_lane_u32(
        vreinterpretq_u32_u8(vaeseq_u8(vreinterpretq_u8_u32(vdupq_n_u32(w)), vdupq_n_u8(0))), 0);
    store_le32(word, w);
}

static void armv8_inv_mix(uint8_t block[AES_BLOCK])
{
    vst1q_u8(block, vaesimcq_u8(vld1q_u8(block)));
}

/* The counter n blocks later, in two halves: its last `16 - from` bytes count, of which the last 8
 * do not wrap. */
ISALK_INLINE uint8x16_t counter_block(uint64_t high, uint64_t low, unsigned from, uint64_t n)
{
    uint64_t sum = low + n;

    if (from == 12)
        sum = (low & ~(uint64_t) UINT32_MAX) | (uint32_t) sum;
    return vrev64q_u8(vreinterpretq_u8_u64((uint64x2_t){high, sum}));
}

/* from: 0 or 12. Afterwards, the counter is that of the block after the whole blocks. */
static void armv8_ctr(const cipher_keys *keys, uint8_t counter[AES_BLOCK], unsigned from,
                      uint8_t *out, const uint8_t *in, size_t len)
{
    uint64_t high = load_be64(counter), low = load_be64(counter + 8), n = 0;
    uint8_t last[64];
    uint8x16_t x[4];

    for (size_t i = 0; i < len; i += sizeof x, n += 4) {
        ISALK_UNROLL
        for (unsigned b = 0; b < 4; b++)
            x[b] = counter_block(high, low, from, n + b);
        enc_blocks(keys, x, 4, 1);
        if (len - i >= sizeof x) {
            ISALK_UNROLL
            for (unsigned b = 0; b < 4; b++)
                vst1q_u8(out + i + 16 * b, vld1q_u8(in + i + 16 * b) ^ x[b]);
        } else {
            memcpy(last, x, sizeof last);
            for (size_t j = 0; j < len - i; j++)
                out[i + j] = in[i + j] ^ last[j];
            isalk_aes_wipe(last, sizeof last);
        }
    }
    vst1q_u8(counter, counter_block(high, low, from, len / 16));
    isalk_aes_wipe(x, sizeof x);
}

/* ---- GHASH: blocks as integers of 128 bits; see aes_kernels.h ---- */

struct product {
    uint64x2_t low, middle, high;
};

ISALK_INLINE uint64x2_t swap_halves(uint64x2_t a)
{
    return vextq_u64(a, a, 1);
}

ISALK_INLINE uint64x2_t load_integer(const uint8_t *p)
{
    return swap_halves(vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(p))));
}

ISALK_INLINE uint64x2_t multiply_low(uint64x2_t a, uint64x2_t b)
{
    return vreinterpretq_u64_p128(vmull_p64((poly64_t) a[0], (poly64_t) b[0]));
}

ISALK_INLINE uint64x2_t multiply_high(uint64x2_t a, uint64x2_t b)
{
    return vreinterpretq_u64_p128(
        vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
}

/* sum += a b */
ISALK_INLINE void add_product(struct product *sum, uint64x2_t a, uint64x2_t b)
{
    uint64x2_t swapped = swap_halves(b);

    sum->low ^= multiply_low(a, b);
    sum->high ^= multiply_high(a, b);
    sum->middle ^= multiply_low(a, swapped) ^ multiply_high(a, swapped);
}

/* Adds multiples of x^128 + x^7 + x^2 + x + 1 that clear the low half, a word at a time. */
ISALK_INLINE uint64x2_t reduce(const struct product *p)
{
    const uint64x2_t zero = {0, 0}, polynomial = {0xc200000000000000, 0};
    uint64x2_t low = p->low ^ vextq_u64(zero, p->middle, 1);
    uint64x2_t high = p->high ^ vextq_u64(p->middle, zero, 1);

    low = swap_halves(low) ^ multiply_low(low, polynomial);
    low = swap_halves(low) ^ multiply_low(low, polynomial);
    return high ^ low;
}

#define HASH_BLOCKS 4 /* hashed with one reduction */

void isalk_aes_ghash_armv8(const struct isal_gcm_key_data *key, uint8_t *hash, const uint8_t *data,
                           size_t len)
{
    const uint8_t *powers = (const uint8_t *) key + GCM_POWERS_AT;
    uint64x2_t sum = load_integer(hash), h[HASH_BLOCKS];
    uint8_t last[AES_BLOCK] = {0};

    memcpy(h, powers + (GCM_POWERS - HASH_BLOCKS) * AES_BLOCK, sizeof h);
    for (; len >= sizeof h; len -= sizeof h, data += sizeof h) {
        struct product p = {{0, 0}, {0, 0}, {0, 0}};
        ISALK_UNROLL
        for (unsigned i = 0; i < HASH_BLOCKS; i++)
            add_product(&p, load_integer(data + AES_BLOCK * i) ^ (i ? (uint64x2_t){0, 0} : sum),
                        h[i]);
        sum = reduce(&p);
    }
    while (len) {
        struct product p = {{0, 0}, {0, 0}, {0, 0}};
        size_t n = len < AES_BLOCK ? len : AES_BLOCK;
        if (n < AES_BLOCK)
            memcpy(last, data, n);
        add_product(&p, sum ^ load_integer(n < AES_BLOCK ? last : data), h[HASH_BLOCKS - 1]);
        sum = reduce(&p);
        data += n;
        len -= n;
    }
    vst1q_u8(hash, vrev64q_u8(vreinterpretq_u8_u64(swap_halves(sum))));
    isalk_aes_wipe(h, sizeof h);
    isalk_aes_wipe(last, sizeof last);
}

static void powers(struct isal_gcm_key_data *key, unsigned rounds)
{
    uint8_t *p = (uint8_t *) key + GCM_POWERS_AT;
    cipher_keys keys;
    uint8_t block[AES_BLOCK] = {0};
    uint64_t high, low, carry;
    uint64x2_t h, power;

    armv8_keys(&keys, key->expanded_keys, rounds);
    armv8_enc_one(&keys, block);
    high = load_be64(block);
    low = load_be64(block + 8);
    carry = 0 - (high >> 63); /* H / x: x^-1 = x^127 + x^6 + x + 1 */
    h = power = (uint64x2_t){low << 1 ^ (carry & 1),
                             (high << 1 | low >> 63) ^ (carry & 0xc200000000000000)};
    for (unsigned i = GCM_POWERS; i-- > 0;) {
        struct product next = {{0, 0}, {0, 0}, {0, 0}};
        vst1q_u8(p + AES_BLOCK * i, vreinterpretq_u8_u64(power));
        add_product(&next, power, h);
        power = reduce(&next);
    }
    memset(p + AES_BLOCK * GCM_POWERS, 0, AES_BLOCK * GCM_PADDING);
    isalk_aes_wipe(&keys, sizeof keys);
    isalk_aes_wipe(block, sizeof block);
    isalk_aes_wipe(&h, sizeof h);
    isalk_aes_wipe(&power, sizeof power);
}

/* ---- The kernels ---- */

#define CIPHER(name) armv8_##name
#include "aes_modes.h"
#include "gcm_modes.h"

AES_MODES(armv8)
GCM_MODES(, armv8)

#define POWERS(bits)                                                        \
    void isalk_aes_gcm_powers_##bits##_armv8(struct isal_gcm_key_data *key) \
    {                                                                       \
        powers(key, (bits) / 32 + 6);                                       \
    }
POWERS(128)
POWERS(256)

#endif
