/* What the AES ciphers of the provider share: context, keys, IVs and parameters.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CIPHER_H
#define CIPHER_H

#include "crypto/openssl/provider.h"

#include "isa-l_crypto/aes_cbc.h"
#include "isa-l_crypto/aes_ctr.h"
#include "isa-l_crypto/aes_keyexp.h"

#define AES_BLOCK 16
#define AES_SCHEDULE ISAL_CBC_MAX_KEYS_SIZE

/* A cipher: mode and key size. */
struct cipher_kind {
    unsigned mode;    /* EVP_CIPH_*_MODE */
    unsigned bits;    /* of an AES key */
    size_t key_bytes; /* of the cipher; twice an AES key for XTS */
    size_t iv_bytes;
    size_t block_bytes; /* 1: the text may have any length */
    int aead, custom_iv, tls_multi;
};

/* Context of CBC, CTR and XTS, and beginning of the context of CBC with HMAC. */
struct cipher {
    const struct cipher_kind *kind;
    uint8_t enc_keys[AES_SCHEDULE], dec_keys[AES_SCHEDULE];
    uint8_t tweak_keys[AES_SCHEDULE]; /* XTS */
    uint8_t first_iv[AES_BLOCK];      /* of the message */
    uint8_t iv[AES_BLOCK];            /* of the next block */
    uint8_t buffer[AES_BLOCK];        /* CBC: pending input */
    size_t buffered;                  /* bytes of it */
    struct isal_aes_ctr_context ctr;
    unsigned num; /* OSSL_CIPHER_PARAM_NUM. CTR: bytes used of the key stream's block */
    int encrypting, has_key, has_iv, no_padding;
    unsigned tls_version; /* 0: not a TLS record layer */
    size_t tls_mac_bytes;
    uint8_t tls_mac[64];   /* of the last record decrypted */
    uint8_t wrong_mac[64]; /* random; given to records with invalid padding */
    int has_wrong_mac;
};

/* Functions of AES for one key size. */
typedef int aes_cbc_call(const void *in, const void *iv, const void *keys, void *out,
                         const uint64_t bytes);
aes_cbc_call *cipher_cbc_encrypt(unsigned bits), *cipher_cbc_decrypt(unsigned bits);
int cipher_expand(unsigned bits, const uint8_t *key, uint8_t *enc_keys, uint8_t *dec_keys);

/* CBC encryption of n messages, at least one, with keys of one size. The IVs stay as they are. */
void cipher_cbc_encrypt_many(unsigned bits, const struct isal_aes_cbc_keyed_buffer *buffers,
                             unsigned n);

/* CBC over whole blocks; advances the IV. */
int cipher_cbc_blocks(struct cipher *c, uint8_t *out, const uint8_t *in, size_t n);

/* Starts a message; sets the key and the IV unless they are NULL. */
int cipher_start(struct cipher *c, const unsigned char *key, size_t key_bytes,
                 const unsigned char *iv, size_t iv_bytes, int encrypting);

/* Functions of provider-cipher(7), and parts of them, that are the same in several modes. */
int cipher_get_params(const struct cipher_kind *kind, OSSL_PARAM params[]);
const OSSL_PARAM *cipher_gettable_params(void *provider);
int cipher_give_octets(OSSL_PARAM *p, const void *data, size_t n);
int cipher_get_param(const struct cipher *c, OSSL_PARAM *p);
int cipher_set_param(struct cipher *c, const OSSL_PARAM *p);
int cipher_get_ctx_params(void *context, OSSL_PARAM params[]);
const OSSL_PARAM *cipher_gettable_ctx_params(void *context, void *provider);
int cipher_set_ctx_params(void *context, const OSSL_PARAM params[]);
const OSSL_PARAM *cipher_settable_ctx_params(void *context, void *provider);
void *cipher_new(const struct cipher_kind *kind);
void cipher_freectx(void *context);
void *cipher_dupctx(void *context);
int cipher_encrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                        const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[]);
int cipher_decrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                        const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[]);

/* The functions of one cipher, whose kind is name##_kind. */
#define CIPHER_FUNCTIONS(name)                          \
    static void *name##_newctx(void *provider)          \
    {                                                   \
        (void) provider;                                \
        return cipher_new(&name##_kind);                \
    }                                                   \
    static int name##_get_params(OSSL_PARAM params[])   \
    {                                                   \
        return cipher_get_params(&name##_kind, params); \
    }

/* The table of a cipher. The functions of its mode have the prefix `mode`. `update`, `final` and
 * `whole` (EVP_Cipher()) process a message. */
#define CIPHER_TABLE(name, mode, update, final, whole)                           \
    const OSSL_DISPATCH cipher_##name[] = {                                      \
        ENTRY(OSSL_FUNC_CIPHER_NEWCTX, name##_newctx),                           \
        ENTRY(OSSL_FUNC_CIPHER_FREECTX, mode##_freectx),                         \
        ENTRY(OSSL_FUNC_CIPHER_DUPCTX, mode##_dupctx),                           \
        ENTRY(OSSL_FUNC_CIPHER_ENCRYPT_INIT, mode##_encrypt_init),               \
        ENTRY(OSSL_FUNC_CIPHER_DECRYPT_INIT, mode##_decrypt_init),               \
        ENTRY(OSSL_FUNC_CIPHER_UPDATE, update),                                  \
        ENTRY(OSSL_FUNC_CIPHER_FINAL, final),                                    \
        ENTRY(OSSL_FUNC_CIPHER_CIPHER, whole),                                   \
        ENTRY(OSSL_FUNC_CIPHER_GET_PARAMS, name##_get_params),                   \
        ENTRY(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, cipher_gettable_params),         \
        ENTRY(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, mode##_get_ctx_params),           \
        ENTRY(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, mode##_gettable_ctx_params), \
        ENTRY(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, mode##_set_ctx_params),           \
        ENTRY(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, mode##_settable_ctx_params), \
        {0, NULL},                                                               \
    };

/* The tables of the modes. */
extern const OSSL_DISPATCH cipher_aes_128_cbc[], cipher_aes_192_cbc[], cipher_aes_256_cbc[],
    cipher_aes_128_ctr[], cipher_aes_192_ctr[], cipher_aes_256_ctr[], cipher_aes_128_xts[],
    cipher_aes_256_xts[], cipher_aes_128_gcm[], cipher_aes_256_gcm[];

#endif
