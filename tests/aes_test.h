/* What the AES tests share: every public function by key size, the tiers, and buffers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel check compares kernels with portable C at every length and alignment. The tests of the
 * public functions run under every tier that this CPU has. */

#ifndef AES_TEST_H
#define AES_TEST_H

#define ISAL_UNIT_TEST /* no deprecation warnings here */

#include "isa-l_crypto.h"

#include "dispatch/tiers.h"
#include "test.h"

#define MAX_TEXT 20000

/* ---- Every function, by key size ---- */

#define GCM_ARGS                                                                                  \
    const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *, const uint8_t *, \
        uint64_t, const uint8_t *, const uint8_t *, uint64_t, uint8_t *, uint64_t
#define UPDATE_ARGS                                                                               \
    const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *, const uint8_t *, \
        uint64_t
#define FINAL_ARGS \
    const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *, uint64_t
typedef int cbc_fn(const void *, const void *, const void *, void *, uint64_t);
typedef int xts_fn(const uint8_t *, const uint8_t *, const uint8_t *, uint64_t, const void *,
                   void *);
typedef int sectors_fn(const uint8_t *, const uint8_t *, uint64_t, uint64_t, uint64_t, const void *,
                       void *);
typedef int gcm_fn(GCM_ARGS);
typedef int update_fn(UPDATE_ARGS);
typedef int final_fn(FINAL_ARGS);

static const struct cbc {
    int bits;
    int (*keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    void (*older_keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    cbc_fn *enc, *dec;
    int (*mb)(const void *, const struct isal_aes_cbc_buffer *, uint64_t);
    int (*mb_keys)(const struct isal_aes_cbc_keyed_buffer *, uint64_t);
    int (*older_enc)(void *, uint8_t *, uint8_t *, void *, uint64_t);
    void (*older_dec)(void *, uint8_t *, uint8_t *, void *, uint64_t);
} cbcs[] = {
#define CBC(bits)                                                                      \
    {                                                                                  \
        bits, isal_aes_keyexp_##bits, aes_keyexp_##bits, isal_aes_cbc_enc_##bits,      \
            isal_aes_cbc_dec_##bits, isal_aes_cbc_enc_##bits##_mb,                     \
            isal_aes_cbc_enc_##bits##_mb_keys, aes_cbc_enc_##bits, aes_cbc_dec_##bits  \
    }
    CBC(128), CBC(192), CBC(256)};

static const struct ctr {
    int bits;
    int (*keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    cbc_fn *whole;
    int (*update)(struct isal_aes_ctr_context *, const void *, const void *, void *, uint64_t);
} ctrs[] = {
#define CTR(bits)                                                                       \
    {                                                                                   \
        bits, isal_aes_keyexp_##bits, isal_aes_ctr_##bits, isal_aes_ctr_##bits##_update \
    }
    CTR(128), CTR(192), CTR(256)};

typedef void older_xts_fn(uint8_t *, uint8_t *, uint8_t *, uint64_t, const uint8_t *, uint8_t *);
static const struct xts {
    int bits;
    int (*keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    xts_fn *enc, *dec, *enc_expanded, *dec_expanded;
    sectors_fn *enc_sectors, *dec_sectors;
    older_xts_fn *older_enc, *older_dec, *older_enc_expanded, *older_dec_expanded;
} xtss[] = {
#define XTS(bits)                                                                           \
    {                                                                                       \
        bits, isal_aes_keyexp_##bits, isal_aes_xts_enc_##bits, isal_aes_xts_dec_##bits,     \
            isal_aes_xts_enc_##bits##_expanded_key, isal_aes_xts_dec_##bits##_expanded_key, \
            isal_aes_xts_enc_##bits##_sectors, isal_aes_xts_dec_##bits##_sectors,           \
            XTS_AES_##bits##_enc, XTS_AES_##bits##_dec, XTS_AES_##bits##_enc_expanded_key,  \
            XTS_AES_##bits##_dec_expanded_key                                               \
    }
    XTS(128), XTS(256)};

static const struct gcm {
    int bits;
    int (*pre)(const void *, struct isal_gcm_key_data *);
    void (*older_pre)(const void *, struct isal_gcm_key_data *);
    int (*init)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *, const uint8_t *,
                const uint8_t *, uint64_t);
    int (*init_iv)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *,
                   const uint8_t *, uint64_t, const uint8_t *, uint64_t);
    void (*older_init)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *,
                       const uint8_t *, uint64_t);
    struct {
        gcm_fn *whole, *whole_nt;
        update_fn *update, *update_nt;
        final_fn *final;
        void (*older)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *,
                      const uint8_t *, uint64_t, uint8_t *, const uint8_t *, uint64_t, uint8_t *,
                      uint64_t);
        void (*older_update)(UPDATE_ARGS);
        void (*older_final)(FINAL_ARGS);
    } op[2]; /* by direction */
} gcms[] = {
#define OPS(name, bits)                                                                      \
    {                                                                                        \
        isal_aes_gcm_##name##_##bits, isal_aes_gcm_##name##_##bits##_nt,                     \
            isal_aes_gcm_##name##_##bits##_update, isal_aes_gcm_##name##_##bits##_update_nt, \
            isal_aes_gcm_##name##_##bits##_finalize, aes_gcm_##name##_##bits,                \
            aes_gcm_##name##_##bits##_update, aes_gcm_##name##_##bits##_finalize             \
    }
#define GCM(bits)                                                                    \
    {                                                                                \
        bits, isal_aes_gcm_pre_##bits, aes_gcm_pre_##bits, isal_aes_gcm_init_##bits, \
            isal_aes_gcm_init_iv_##bits, aes_gcm_init_##bits,                        \
        {                                                                            \
            OPS(enc, bits), OPS(dec, bits)                                           \
        }                                                                            \
    }
    GCM(128), GCM(256)};

enum { ENC, DEC }; /* direction */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- Tiers ---- */

static const char *const tiers[] = {TIERS(TIER_NAME)};

/* Runs the following statement under each cap that chooses another GCM kernel. */
#define FOR_EACH_TIER(tier) for (const char *tier = next_tier(NULL); tier; tier = next_tier(tier))

static inline const char *next_tier(const char *last)
{
    size_t i = 0;
    int usable;

    while (last && strcmp(tiers[i++], last))
        ;
    for (; i < COUNT(tiers); i++) {
        const char *variant;
        for (size_t v = 0; (variant = isal_crypto_list_variants("aes_gcm_enc_128", v, &usable));
             v++)
            if (usable && !strcmp(variant, tiers[i])) {
                isal_crypto_set_isa_limit(tiers[i]);
                return tiers[i];
            }
    }
    isal_crypto_set_isa_limit(NULL);
    return NULL;
}

/* ---- Buffers ---- */

/* A test program need not use all of them. */
#define BUFFER __attribute__((unused)) static

BUFFER uint8_t text[MAX_TEXT + 64], cipher[MAX_TEXT + 64], result[MAX_TEXT + 64];
BUFFER uint8_t aad[2000];
BUFFER uint8_t key[64], enc_keys[240], dec_keys[240], tweak_keys[240];
BUFFER uint8_t iv[1000], tag[16], tag2[16];
BUFFER struct isal_gcm_key_data gcm_key;
BUFFER struct isal_gcm_context_data context;

#endif
