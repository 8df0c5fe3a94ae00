/* AES-CTR and AES-XTS of the provider: ciphers whose output has the length of their input.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/cipher.h"

#include "isa-l_crypto/aes_xts.h"

#include <openssl/evp.h>
#include <string.h>

/* Adds `blocks` to the counter, a big-endian integer of 16 bytes. */
static void advance_counter(uint8_t counter[AES_BLOCK], uint64_t blocks)
{
    for (unsigned i = AES_BLOCK; i-- && blocks;) {
        blocks += counter[i];
        counter[i] = (uint8_t) blocks;
        blocks >>= 8;
    }
}

static int ctr_update(void *context, unsigned char *out, size_t *outl, size_t outsize,
                      const unsigned char *in, size_t n)
{
    struct cipher *c = context;
    int error;

    *outl = 0;
    if (!c->has_key)
        return provider_error(REASON_NO_KEY);
    if (!n)
        return 1;
    if (outsize < n)
        return provider_error(REASON_OUTPUT_SIZE);
    error = c->kind->bits == 128   ? isal_aes_ctr_128_update(&c->ctr, in, c->enc_keys, out, n)
            : c->kind->bits == 192 ? isal_aes_ctr_192_update(&c->ctr, in, c->enc_keys, out, n)
                                   : isal_aes_ctr_256_update(&c->ctr, in, c->enc_keys, out, n);
    if (error)
        return 0;
    /* The updated IV is the counter of the block after the last one begun. */
    advance_counter(c->iv, n / AES_BLOCK + (c->num + n % AES_BLOCK + AES_BLOCK - 1) / AES_BLOCK -
                               (c->num != 0));
    c->num = (unsigned) ((c->num + n) % AES_BLOCK);
    *outl = n;
    return 1;
}

static int xts_update(void *context, unsigned char *out, size_t *outl, size_t outsize,
                      const unsigned char *in, size_t n)
{
    struct cipher *c = context;
    const uint8_t *keys = c->encrypting ? c->enc_keys : c->dec_keys;
    int error;

    *outl = 0;
    if (!c->has_key)
        return provider_error(REASON_NO_KEY);
    if (!c->has_iv)
        return provider_error(REASON_NO_IV);
    if (n < ISAL_AES_XTS_MIN_LEN || n > ISAL_AES_XTS_MAX_LEN)
        return provider_error(REASON_XTS_LENGTH);
    if (outsize < n)
        return provider_error(REASON_OUTPUT_SIZE);
    if (c->kind->bits == 128)
        error = (c->encrypting
                     ? isal_aes_xts_enc_128_expanded_key
                     : isal_aes_xts_dec_128_expanded_key)(c->tweak_keys, keys, c->iv, n, in, out);
    else
        error = (c->encrypting
                     ? isal_aes_xts_enc_256_expanded_key
                     : isal_aes_xts_dec_256_expanded_key)(c->tweak_keys, keys, c->iv, n, in, out);
    if (error)
        return 0;
    *outl = n;
    return 1;
}

static int final(void *context, unsigned char *out, size_t *outl, size_t outsize)
{
    struct cipher *c = context;

    (void) out;
    (void) outsize;
    *outl = 0;
    if (!c->has_key && c->kind->mode == EVP_CIPH_CTR_MODE)
        return provider_error(REASON_NO_KEY);
    return 1;
}

#define STREAM(key_bits, name, NAME, keys)                             \
    static const struct cipher_kind aes_##key_bits##_##name##_kind = { \
        .mode = EVP_CIPH_##NAME##_MODE,                                \
        .bits = (key_bits),                                            \
        .key_bytes = (keys) * (key_bits) / 8,                          \
        .iv_bytes = AES_BLOCK,                                         \
        .block_bytes = 1,                                              \
        .custom_iv = (keys) == 2,                                      \
    };                                                                 \
    CIPHER_FUNCTIONS(aes_##key_bits##_##name)                          \
    CIPHER_TABLE(aes_##key_bits##_##name, cipher, name##_update, final, name##_update)

STREAM(128, ctr, CTR, 1)
STREAM(192, ctr, CTR, 1)
STREAM(256, ctr, CTR, 1)
STREAM(128, xts, XTS, 2)
STREAM(256, xts, XTS, 2)
