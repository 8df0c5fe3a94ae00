/* AES: the public functions of isa-l_crypto/aes_keyexp.h and aes_xts.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_kernels.h"

#include <string.h>

#include "aes_sliced.h"
#include "dispatch/fips.h"

#define MAX_SCHEDULE (AES_MAX_ROUND_KEYS * AES_BLOCK)
#define SCHEDULE_BYTES(bits) (((bits) / 32 + 7) * AES_BLOCK)
#define KEYEXP(bits) AES_CALL(aes_keyexp_##bits)

/* ---- Key expansion ---- */

#define KEYEXP_FUNCTIONS(bits)                                                       \
    ISAL_PUBLIC int isal_aes_keyexp_##bits(const uint8_t *key, uint8_t *exp_key_enc, \
                                           uint8_t *exp_key_dec)                     \
    {                                                                                \
        if (!key)                                                                    \
            return ISAL_CRYPTO_ERR_NULL_KEY;                                         \
        if (!exp_key_enc || !exp_key_dec)                                            \
            return ISAL_CRYPTO_ERR_NULL_EXP_KEY;                                     \
        if (isalk_self_test_error())                                                 \
            return ISAL_CRYPTO_ERR_SELF_TEST;                                        \
        KEYEXP(bits)(key, exp_key_enc, exp_key_dec);                                 \
        return 0;                                                                    \
    }                                                                                \
    ISAL_PUBLIC void aes_keyexp_##bits(const uint8_t *key, uint8_t *exp_key_enc,     \
                                       uint8_t *exp_key_dec)                         \
    {                                                                                \
        KEYEXP(bits)(key, exp_key_enc, exp_key_dec);                                 \
    }
KEYEXP_FUNCTIONS(128)
KEYEXP_FUNCTIONS(192)
KEYEXP_FUNCTIONS(256)

ISAL_PUBLIC int aes_cbc_precomp(uint8_t *key, int key_size, struct isal_cbc_key_data *keys_blk)
{
    switch (key_size) {
    case ISAL_CBC_128_BITS:
        KEYEXP(128)(key, keys_blk->enc_keys, keys_blk->dec_keys);
        return 0;
    case ISAL_CBC_192_BITS:
        KEYEXP(192)(key, keys_blk->enc_keys, keys_blk->dec_keys);
        return 0;
    case ISAL_CBC_256_BITS:
        KEYEXP(256)(key, keys_blk->enc_keys, keys_blk->dec_keys);
        return 0;
    default:
        return 1;
    }
}

/* ---- XTS ---- */

/* The keys, not NULL, have key_bytes each. */
static int xts_error(const uint8_t *k2, const uint8_t *k1, size_t key_bytes, const void *tweak,
                     const void *in, const void *out, uint64_t len)
{
    if (!tweak)
        return ISAL_CRYPTO_ERR_XTS_NULL_TWEAK;
    if (!in)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (!out)
        return ISAL_CRYPTO_ERR_NULL_DST;
    if (len < ISAL_AES_XTS_MIN_LEN || len > ISAL_AES_XTS_MAX_LEN)
        return ISAL_CRYPTO_ERR_CIPH_LEN;
    if (isalk_refuses_keys(k2, k1, key_bytes))
        return ISAL_CRYPTO_ERR_XTS_SAME_KEYS;
    return isalk_self_test_error();
}

/* XTS with keys that are not expanded yet. */
static void xts_raw(aes_xts_keys_fn *start, aes_xts_fn *kernel, const uint8_t *k2,
                    const uint8_t *k1, const uint8_t *tweak, size_t len, const void *in, void *out)
{
    struct {
        uint8_t keys[MAX_SCHEDULE], tweak[AES_BLOCK];
    } secret;

    start(k2, k1, tweak, secret.keys, secret.tweak);
    kernel(NULL, secret.keys, secret.tweak, len, in, out);
    isalk_aes_wipe(&secret, sizeof secret);
}

/* Sectors whose tweaks are encrypted together, and the smallest number of sectors for which that is
 * faster than one after the other. */
#define SECTORS AES_LANES
#define MIN_SECTORS 3

static void sector_tweak(uint8_t tweak[AES_BLOCK], uint64_t sector)
{
    memset(tweak, 0, AES_BLOCK);
    for (unsigned b = 0; b < 8; b++)
        tweak[b] = (uint8_t) (sector >> (8 * b));
}

static void few_sectors(aes_xts_fn *kernel, const uint8_t *k2, const uint8_t *k1, uint64_t sector,
                        size_t len, uint64_t n, const uint8_t *in, uint8_t *out)
{
    uint8_t tweak[AES_BLOCK];

    for (; n; n--, in += len, out += len) {
        sector_tweak(tweak, sector++);
        kernel(k2, k1, tweak, len, in, out);
    }
}

static void many_sectors(aes_cbc_mb_fn *encrypt, aes_xts_fn *kernel, const uint8_t *k2,
                         const uint8_t *k1, uint64_t sector, size_t len, uint64_t n,
                         const uint8_t *in, uint8_t *out)
{
    uint8_t tweaks[SECTORS][AES_BLOCK];
    struct aes_cbc_lanes lanes;

    for (uint64_t i = 0; i < n; i++) {
        if (i % SECTORS == 0) {
            for (unsigned t = 0; t < SECTORS; t++) {
                memset(lanes.iv[t], 0, AES_BLOCK);
                sector_tweak(tweaks[t], sector++);
                lanes.in[t] = lanes.out[t] = tweaks[t];
            }
            encrypt(&lanes, k2, 1);
        }
        kernel(NULL, k1, tweaks[i % SECTORS], len, in, out);
        in += len;
        out += len;
    }
    isalk_aes_wipe(tweaks, sizeof tweaks);
    isalk_aes_wipe(&lanes, sizeof lanes);
}

#define XTS(name, bits)                                                                            \
    ISAL_PUBLIC int isal_aes_xts_##name##_##bits(                                                  \
        const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,                        \
        const uint64_t len_bytes, const void *in, void *out)                                       \
    {                                                                                              \
        int error = k2 && k1 ? xts_error(k2, k1, (bits) / 8, initial_tweak, in, out, len_bytes)    \
                             : ISAL_CRYPTO_ERR_NULL_KEY;                                           \
        if (error)                                                                                 \
            return error;                                                                          \
        xts_raw(AES_CALL(aes_xts_keys_##name##_##bits), AES_CALL(aes_xts_##name##_##bits), k2, k1, \
                initial_tweak, (size_t) len_bytes, in, out);                                       \
        return 0;                                                                                  \
    }                                                                                              \
    ISAL_PUBLIC int isal_aes_xts_##name##_##bits##_expanded_key(                                   \
        const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,                        \
        const uint64_t len_bytes, const void *in, void *out)                                       \
    {                                                                                              \
        int error =                                                                                \
            k2 && k1 ? xts_error(k2, k1, SCHEDULE_BYTES(bits), initial_tweak, in, out, len_bytes)  \
                     : ISAL_CRYPTO_ERR_NULL_EXP_KEY;                                               \
        if (error)                                                                                 \
            return error;                                                                          \
        AES_CALL(aes_xts_##name##_##bits)                                                          \
        (k2, k1, initial_tweak, (size_t) len_bytes, in, out);                                      \
        return 0;                                                                                  \
    }                                                                                              \
    ISAL_PUBLIC int isal_aes_xts_##name##_##bits##_sectors(                                        \
        const uint8_t *k2, const uint8_t *k1, uint64_t first_sector, uint64_t sector_bytes,        \
        uint64_t n, const void *in, void *out)                                                     \
    {                                                                                              \
        if (!k2 || !k1)                                                                            \
            return ISAL_CRYPTO_ERR_NULL_EXP_KEY;                                                   \
        if (!n)                                                                                    \
            return 0;                                                                              \
        int error = xts_error(k2, k1, SCHEDULE_BYTES(bits), k2, in, out, sector_bytes);            \
        if (error)                                                                                 \
            return error;                                                                          \
        if (n > SIZE_MAX / sector_bytes)                                                           \
            return ISAL_CRYPTO_ERR_CIPH_LEN;                                                       \
        if (n < MIN_SECTORS)                                                                       \
            few_sectors(AES_CALL(aes_xts_##name##_##bits), k2, k1, first_sector,                   \
                        (size_t) sector_bytes, n, in, out);                                        \
        else                                                                                       \
            many_sectors(AES_CALL(aes_cbc_mb_##bits), AES_CALL(aes_xts_##name##_##bits), k2, k1,   \
                         first_sector, (size_t) sector_bytes, n, in, out);                         \
        return 0;                                                                                  \
    }                                                                                              \
    ISAL_PUBLIC void XTS_AES_##bits##_##name(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial,        \
                                             uint64_t N, const uint8_t *in, uint8_t *out)          \
    {                                                                                              \
        if (N >= ISAL_AES_XTS_MIN_LEN)                                                             \
            xts_raw(AES_CALL(aes_xts_keys_##name##_##bits), AES_CALL(aes_xts_##name##_##bits), k2, \
                    k1, TW_initial, (size_t) N, in, out);                                          \
    }                                                                                              \
    ISAL_PUBLIC void XTS_AES_##bits##_##name##_expanded_key(uint8_t *k2, uint8_t *k1,              \
                                                            uint8_t *TW_initial, uint64_t N,       \
                                                            const uint8_t *in, uint8_t *out)       \
    {                                                                                              \
        if (N >= ISAL_AES_XTS_MIN_LEN)                                                             \
            AES_CALL(aes_xts_##name##_##bits)                                                      \
        (k2, k1, TW_initial, (size_t) N, in, out);                                                 \
    }
XTS(enc, 128)
XTS(enc, 256)
XTS(dec, 128)
XTS(dec, 256)
