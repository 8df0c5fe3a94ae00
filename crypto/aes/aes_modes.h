/* The modes of AES as a template: key expansion, CBC, counter mode and XTS, over any block cipher.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The including file defines the type cipher_keys and CIPHER(name), which makes the names of the
 * functions of aes_sliced.h or of others with the same prototypes:
 *
 *     keys, four_keys   prepare schedules
 *     enc, dec          four blocks
 *     enc_one           the first block; the others are undefined afterwards
 *     ctr               counter mode
 *     sub, inv_mix      SubBytes of the first 4 bytes and InvMixColumns of the first block at least
 *
 * AES_MODES(tier) defines the kernels. */

#ifndef AES_MODES_H
#define AES_MODES_H

#include "aes_kernels.h"

#include <string.h>

#include "aes_sliced.h"

static void xor_block(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
    for (unsigned i = 0; i < AES_BLOCK; i++)
        r[i] = a[i] ^ b[i];
}

/* ---- Key expansion (FIPS 197, section 5.2) ---- */

/* key_words: 4, 6 or 8 */
static void expand(const uint8_t *key, uint8_t *enc, uint8_t *dec, unsigned key_words)
{
    unsigned rounds = key_words + 6, words = 4 * (rounds + 1), constant = 1;
    uint8_t word[64] = {0};

    memcpy(enc, key, 4 * key_words);
    for (unsigned i = key_words; i < words; i++) {
        memcpy(word, enc + 4 * (i - 1), 4);
        if (i % key_words == 0) {
            uint8_t first = word[0];
            memmove(word, word + 1, 3);
            word[3] = first;
            CIPHER(sub)(word);
            word[0] ^= (uint8_t) constant;
            constant = (constant << 1 ^ (constant >> 7) * 0x11b) & 0xff;
        } else if (key_words == 8 && i % 8 == 4) {
            CIPHER(sub)(word);
        }
        for (unsigned b = 0; b < 4; b++)
            enc[4 * i + b] = enc[4 * (i - key_words) + b] ^ word[b];
    }
    if (dec) {
        for (unsigned r = 0; r <= rounds; r++) {
            memcpy(word, enc + AES_BLOCK * (rounds - r), AES_BLOCK);
            if (r > 0 && r < rounds)
                CIPHER(inv_mix)(word);
            memcpy(dec + AES_BLOCK * r, word, AES_BLOCK);
        }
    }
    isalk_aes_wipe(word, sizeof word);
}

/* ---- CBC (SP 800-38A, section 6.2) ---- */

static void cbc_enc(const uint8_t *in, const uint8_t *iv, const uint8_t *schedule, uint8_t *out,
                    size_t len, unsigned rounds)
{
    cipher_keys keys;
    uint8_t block[64] = {0};

    CIPHER(keys)(&keys, schedule, rounds);
    memcpy(block, iv, AES_BLOCK);
    for (size_t i = 0; i < len; i += AES_BLOCK) {
        xor_block(block, block, in + i);
        CIPHER(enc_one)(&keys, block);
        memcpy(out + i, block, AES_BLOCK);
    }
    isalk_aes_wipe(&keys, sizeof keys);
    isalk_aes_wipe(block, sizeof block);
}

static void cbc_dec(const uint8_t *in, const uint8_t *iv, const uint8_t *schedule, uint8_t *out,
                    size_t len, unsigned rounds)
{
    cipher_keys keys;
    uint8_t blocks[64], chain[AES_BLOCK + 64]; /* the preceding block, and the ciphertext */

    CIPHER(keys)(&keys, schedule, rounds);
    memset(blocks, 0, sizeof blocks);
    memcpy(chain, iv, AES_BLOCK);
    for (size_t i = 0; i < len; i += sizeof blocks) {
        size_t n = len - i < sizeof blocks ? len - i : sizeof blocks;
        memcpy(chain + AES_BLOCK, in + i, n);
        memcpy(blocks, in + i, n);
        CIPHER(dec)(&keys, blocks);
        for (size_t b = 0; b < n; b += AES_BLOCK)
            xor_block(out + i + b, blocks + b, chain + b);
        memcpy(chain, chain + n, AES_BLOCK);
    }
    isalk_aes_wipe(&keys, sizeof keys);
    isalk_aes_wipe(blocks, sizeof blocks);
}

static void cbc_mb(struct aes_cbc_lanes *lanes, const uint8_t *schedule, size_t count,
                   unsigned rounds)
{
    cipher_keys keys;
    uint8_t blocks[AES_LANES * AES_BLOCK];

    CIPHER(keys)(&keys, schedule, rounds);
    while (count--) {
        for (unsigned i = 0; i < AES_LANES; i++)
            xor_block(blocks + AES_BLOCK * i, lanes->iv[i], lanes->in[i]);
        CIPHER(enc)(&keys, blocks);
        CIPHER(enc)(&keys, blocks + 64);
        for (unsigned i = 0; i < AES_LANES; i++) {
            memcpy(lanes->iv[i], blocks + AES_BLOCK * i, AES_BLOCK);
            memcpy(lanes->out[i], blocks + AES_BLOCK * i, AES_BLOCK);
            lanes->in[i] += AES_BLOCK;
            lanes->out[i] += AES_BLOCK;
        }
    }
    isalk_aes_wipe(&keys, sizeof keys);
    isalk_aes_wipe(blocks, sizeof blocks);
}

static void cbc_mb_keys(struct aes_cbc_lanes *lanes, const uint8_t *table, size_t count,
                        unsigned rounds)
{
    enum { LANES = AES_KEYED_LANES, FOURS = LANES / AES_SLICED_BLOCKS };
    cipher_keys keys[FOURS];
    uint8_t blocks[LANES * AES_BLOCK];

    for (unsigned f = 0; f < FOURS; f++)
        CIPHER(four_keys)(&keys[f], table + 64 * f, LANES * AES_BLOCK, rounds);
    while (count--) {
        for (unsigned i = 0; i < LANES; i++)
            xor_block(blocks + AES_BLOCK * i, lanes->iv[i], lanes->in[i]);
        for (unsigned f = 0; f < FOURS; f++)
            CIPHER(enc)(&keys[f], blocks + 64 * f);
        memcpy(lanes->iv, blocks, sizeof blocks);
        for (unsigned i = 0; i < LANES; i++) {
            memcpy(lanes->out[i], blocks + AES_BLOCK * i, AES_BLOCK);
            lanes->in[i] += AES_BLOCK;
            lanes->out[i] += AES_BLOCK;
        }
    }
    isalk_aes_wipe(keys, sizeof keys);
    isalk_aes_wipe(blocks, sizeof blocks);
}

/* ---- Counter mode (SP 800-38A, section 6.5) ---- */

static void ctr(const uint8_t *in, const uint8_t *counter, const uint8_t *schedule, uint8_t *out,
                size_t len, unsigned rounds)
{
    cipher_keys keys;
    uint8_t next[AES_BLOCK];

    CIPHER(keys)(&keys, schedule, rounds);
    memcpy(next, counter, AES_BLOCK);
    CIPHER(ctr)(&keys, next, 0, out, in, len);
    isalk_aes_wipe(&keys, sizeof keys);
}

/* ---- XTS (IEEE 1619, section 5) ---- */

/* Multiplies the tweak by x modulo x^128 + x^7 + x^2 + x + 1, little-endian. */
static void double_tweak(uint8_t *t)
{
    unsigned carry = 0;

    for (unsigned i = 0; i < AES_BLOCK; i++) {
        unsigned byte = (unsigned) t[i] << 1 | carry;
        carry = byte >> 8;
        t[i] = (uint8_t) byte;
    }
    t[0] ^= (uint8_t) (carry * 0x87);
}

typedef void cipher_fn(const cipher_keys *keys, uint8_t blocks[64]);

/* n <= 4 blocks with n tweaks */
static void xts_blocks(const cipher_keys *keys, cipher_fn *cipher, const uint8_t *tweaks,
                       const uint8_t *in, uint8_t *out, size_t n)
{
    uint8_t blocks[64];

    memset(blocks, 0, sizeof blocks);
    for (size_t b = 0; b < n * AES_BLOCK; b++)
        blocks[b] = in[b] ^ tweaks[b];
    cipher(keys, blocks);
    for (size_t b = 0; b < n * AES_BLOCK; b++)
        out[b] = blocks[b] ^ tweaks[b];
    isalk_aes_wipe(blocks, sizeof blocks);
}

static void xts(const uint8_t *k2, const uint8_t *k1, const uint8_t *tweak, size_t len,
                const uint8_t *in, uint8_t *out, unsigned rounds, int decrypt)
{
    cipher_fn *cipher = decrypt ? CIPHER(dec) : CIPHER(enc);
    cipher_keys keys;
    uint8_t t[64] = {0}, next[AES_BLOCK], stolen[AES_BLOCK], swap[AES_BLOCK];
    size_t tail = len % AES_BLOCK, blocks = len / AES_BLOCK;

    memcpy(t, tweak, AES_BLOCK);
    if (k2) {
        CIPHER(keys)(&keys, k2, rounds);
        CIPHER(enc_one)(&keys, t);
    }
    CIPHER(keys)(&keys, k1, rounds);
    if (tail)
        blocks--; /* ciphertext stealing includes the last whole block */
    for (size_t n; blocks; blocks -= n) {
        n = blocks < AES_SLICED_BLOCKS ? blocks : AES_SLICED_BLOCKS;
        memcpy(next, t, AES_BLOCK);
        for (size_t i = 0; i < n; i++) {
            memcpy(t + AES_BLOCK * i, next, AES_BLOCK);
            double_tweak(next);
        }
        xts_blocks(&keys, cipher, t, in, out, n);
        memcpy(t, next, AES_BLOCK);
        in += n * AES_BLOCK;
        out += n * AES_BLOCK;
    }
    if (tail) {
        memcpy(next, t, AES_BLOCK);
        double_tweak(next);
        xts_blocks(&keys, cipher, decrypt ? next : t, in, stolen, 1);
        memcpy(swap, stolen, AES_BLOCK);
        memcpy(swap, in + AES_BLOCK, tail);
        memcpy(out + AES_BLOCK, stolen, tail);
        xts_blocks(&keys, cipher, decrypt ? t : next, swap, out, 1);
        isalk_aes_wipe(stolen, sizeof stolen);
        isalk_aes_wipe(swap, sizeof swap);
    }
    isalk_aes_wipe(&keys, sizeof keys);
    isalk_aes_wipe(t, sizeof t);
    isalk_aes_wipe(next, sizeof next);
}

static void xts_keys(const uint8_t *k2, const uint8_t *k1, const uint8_t *tweak, uint8_t *keys,
                     uint8_t *first, unsigned key_words, int decrypt)
{
    uint8_t schedule[AES_MAX_ROUND_KEYS * AES_BLOCK], block[64] = {0};
    cipher_keys tweak_keys;

    expand(k2, schedule, NULL, key_words);
    CIPHER(keys)(&tweak_keys, schedule, key_words + 6);
    memcpy(block, tweak, AES_BLOCK);
    CIPHER(enc_one)(&tweak_keys, block);
    memcpy(first, block, AES_BLOCK);
    expand(k1, decrypt ? schedule : keys, decrypt ? keys : NULL, key_words);
    isalk_aes_wipe(schedule, sizeof schedule);
    isalk_aes_wipe(&tweak_keys, sizeof tweak_keys);
    isalk_aes_wipe(block, sizeof block);
}

/* ---- The kernels ---- */

#define AES_KEY_SIZE(bits, tier)                                                                  \
    void isalk_aes_keyexp_##bits##_##tier(const uint8_t *key, uint8_t *enc, uint8_t *dec)         \
    {                                                                                             \
        expand(key, enc, dec, (bits) / 32);                                                       \
    }                                                                                             \
    void isalk_aes_cbc_enc_##bits##_##tier(const uint8_t *in, const uint8_t *iv,                  \
                                           const uint8_t *keys, uint8_t *out, size_t len)         \
    {                                                                                             \
        cbc_enc(in, iv, keys, out, len, (bits) / 32 + 6);                                         \
    }                                                                                             \
    void isalk_aes_cbc_dec_##bits##_##tier(const uint8_t *in, const uint8_t *iv,                  \
                                           const uint8_t *keys, uint8_t *out, size_t len)         \
    {                                                                                             \
        cbc_dec(in, iv, keys, out, len, (bits) / 32 + 6);                                         \
    }                                                                                             \
    void isalk_aes_ctr_##bits##_##tier(const uint8_t *in, const uint8_t *counter,                 \
                                       const uint8_t *keys, uint8_t *out, size_t len)             \
    {                                                                                             \
        ctr(in, counter, keys, out, len, (bits) / 32 + 6);                                        \
    }                                                                                             \
    void isalk_aes_cbc_mb_##bits##_##tier(struct aes_cbc_lanes *lanes, const uint8_t *keys,       \
                                          size_t blocks)                                          \
    {                                                                                             \
        cbc_mb(lanes, keys, blocks, (bits) / 32 + 6);                                             \
    }                                                                                             \
    void isalk_aes_cbc_mb_keys_##bits##_##tier(struct aes_cbc_lanes *lanes, const uint8_t *table, \
                                               size_t blocks)                                     \
    {                                                                                             \
        cbc_mb_keys(lanes, table, blocks, (bits) / 32 + 6);                                       \
    }
#define AES_XTS(name, bits, decrypt, tier)                                                         \
    void isalk_aes_xts_##name##_##bits##_##tier(const uint8_t *k2, const uint8_t *k1,              \
                                                const uint8_t *tweak, size_t len,                  \
                                                const uint8_t *in, uint8_t *out)                   \
    {                                                                                              \
        xts(k2, k1, tweak, len, in, out, (bits) / 32 + 6, decrypt);                                \
    }                                                                                              \
    void isalk_aes_xts_keys_##name##_##bits##_##tier(                                              \
        const uint8_t *k2, const uint8_t *k1, const uint8_t *tweak, uint8_t *keys, uint8_t *first) \
    {                                                                                              \
        xts_keys(k2, k1, tweak, keys, first, (bits) / 32, decrypt);                                \
    }

#define AES_MODES(tier)        \
    AES_KEY_SIZE(128, tier)    \
    AES_KEY_SIZE(192, tier)    \
    AES_KEY_SIZE(256, tier)    \
    AES_XTS(enc, 128, 0, tier) \
    AES_XTS(enc, 256, 0, tier) \
    AES_XTS(dec, 128, 1, tier) \
    AES_XTS(dec, 256, 1, tier)

#endif
