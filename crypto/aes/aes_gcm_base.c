/* Portable reference of the kernels of AES-GCM (SP 800-38D).
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_kernels.h"

#include <string.h>

#include "aes_sliced.h"
#include "dispatch/bytes.h"

typedef struct aes_sliced_keys cipher_keys;
#define CIPHER(name) isalk_aes_sliced_##name
#include "gcm_modes.h"

/* A polynomial of degree below 128: the coefficient of x^0 is the most significant bit of high. */
struct polynomial {
    uint64_t high, low;
};

/* x^-1 = x^127 + x^6 + x + 1 */
static const struct polynomial one_over_x = {0xc200000000000000, 1};

static struct polynomial load_block(const uint8_t *p)
{
    struct polynomial r = {load_be64(p), load_be64(p + 8)};
    return r;
}

/* a * x: shifts every coefficient to the right by one; x^128 becomes x^7 + x^2 + x + 1. */
static struct polynomial times_x(struct polynomial a)
{
    uint64_t carry = 0 - (a.low & 1);
    struct polynomial r = {a.high >> 1 ^ (carry & 0xe100000000000000), a.low >> 1 | a.high << 63};
    return r;
}

static struct polynomial over_x(struct polynomial a)
{
    uint64_t carry = 0 - (a.high >> 63);
    struct polynomial r = {(a.high << 1 | a.low >> 63) ^ (carry & one_over_x.high),
                           a.low << 1 ^ (carry & one_over_x.low)};
    return r;
}

/* Algorithm 1 of SP 800-38D. */
static struct polynomial multiply(struct polynomial a, struct polynomial b)
{
    struct polynomial r = {0, 0};

    for (unsigned i = 0; i < 128; i++) {
        uint64_t mask = 0 - ((i < 64 ? a.high >> (63 - i) : a.low >> (127 - i)) & 1);
        r.high ^= b.high & mask;
        r.low ^= b.low & mask;
        b = times_x(b);
    }
    return r;
}

/* Stores a power in the layout of aes_kernels.h. */
static void store_power(uint8_t *p, struct polynomial power)
{
    struct polynomial a = over_x(power);

    store_le64(p, a.low);
    store_le64(p + 8, a.high);
}

static struct polynomial hash_key(const struct isal_gcm_key_data *key)
{
    const uint8_t *p = (const uint8_t *) key + GCM_POWERS_AT + (GCM_POWERS - 1) * AES_BLOCK;
    struct polynomial h_over_x = {load_le64(p + 8), load_le64(p)};

    return times_x(h_over_x);
}

static void powers(struct isal_gcm_key_data *key, unsigned rounds)
{
    uint8_t *p = (uint8_t *) key + GCM_POWERS_AT;
    struct aes_sliced_keys keys;
    uint8_t block[64] = {0};
    struct polynomial h, power;

    isalk_aes_sliced_keys(&keys, key->expanded_keys, rounds);
    isalk_aes_sliced_enc(&keys, block);
    h = power = load_block(block);
    for (unsigned i = GCM_POWERS; i-- > 0;) {
        store_power(p + AES_BLOCK * i, power);
        power = multiply(power, h);
    }
    memset(p + AES_BLOCK * GCM_POWERS, 0, AES_BLOCK * GCM_PADDING);
    isalk_aes_wipe(&keys, sizeof keys);
    isalk_aes_wipe(block, sizeof block);
    isalk_aes_wipe(&h, sizeof h);
    isalk_aes_wipe(&power, sizeof power);
}

void isalk_aes_ghash_base(const struct isal_gcm_key_data *key, uint8_t *hash, const uint8_t *data,
                          size_t len)
{
    struct polynomial h = hash_key(key), sum = load_block(hash);
    uint8_t block[AES_BLOCK];

    for (size_t i = 0; i < len; i += AES_BLOCK) {
        struct polynomial x;
        memset(block, 0, AES_BLOCK);
        memcpy(block, data + i, len - i < AES_BLOCK ? len - i : AES_BLOCK);
        x = load_block(block);
        sum.high ^= x.high;
        sum.low ^= x.low;
        sum = multiply(sum, h);
    }
    store_be64(hash, sum.high);
    store_be64(hash + 8, sum.low);
    isalk_aes_wipe(&h, sizeof h);
}

#define POWERS(bits)                                                       \
    void isalk_aes_gcm_powers_##bits##_base(struct isal_gcm_key_data *key) \
    {                                                                      \
        powers(key, (bits) / 32 + 6);                                      \
    }
POWERS(128)
POWERS(256)
GCM_MODES(, base)
GCM_MODES(_nt, base)
#if !ISALK_ASM
GCM_MODES(, portable)
GCM_MODES(_nt, portable)
#endif
