/* What the AES ciphers of the provider share: context, keys, IVs and parameters.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/cipher.h"

#include "crypto/openssl/async.h"
#include "crypto/openssl/statistics.h"

#include <openssl/evp.h>
#include <string.h>

/* ---- AES by key size ---- */

aes_cbc_call *cipher_cbc_encrypt(unsigned bits)
{
    return bits == 128   ? isal_aes_cbc_enc_128
           : bits == 192 ? isal_aes_cbc_enc_192
                         : isal_aes_cbc_enc_256;
}

aes_cbc_call *cipher_cbc_decrypt(unsigned bits)
{
    return bits == 128   ? isal_aes_cbc_dec_128
           : bits == 192 ? isal_aes_cbc_dec_192
                         : isal_aes_cbc_dec_256;
}

int cipher_expand(unsigned bits, const uint8_t *key, uint8_t *enc_keys, uint8_t *dec_keys)
{
    int error = bits == 128   ? isal_aes_keyexp_128(key, enc_keys, dec_keys)
                : bits == 192 ? isal_aes_keyexp_192(key, enc_keys, dec_keys)
                              : isal_aes_keyexp_256(key, enc_keys, dec_keys);

    return !error;
}

/* ---- CBC ---- */

/* Requests in a full queue, and bytes of the shortest request that gains from sharing a call. */
#define CBC_LANES 32
#define CBC_SMALL_BYTES 512

void cipher_cbc_encrypt_many(unsigned bits, const struct isal_aes_cbc_keyed_buffer *buffers,
                             unsigned n)
{
    const struct isal_aes_cbc_buffer *b = &buffers->buffer;

    if (n == 1)
        cipher_cbc_encrypt(bits)(b->in, b->iv, buffers->keys, b->out, b->len_bytes);
    else if (bits == 128)
        isal_aes_cbc_enc_128_mb_keys(buffers, n);
    else if (bits == 192)
        isal_aes_cbc_enc_192_mb_keys(buffers, n);
    else
        isal_aes_cbc_enc_256_mb_keys(buffers, n);
}

/* Whole blocks of several contexts with keys of one size. */
static void encrypt_requests(const struct async_request *requests, unsigned n)
{
    struct isal_aes_cbc_keyed_buffer buffers[ASYNC_MAX_LANES];
    const struct cipher *first = requests[0].context;
    unsigned i = 0;

    do {
        const struct async_request *r = &requests[i];
        const struct cipher *c = r->context;

        buffers[i].buffer = (struct isal_aes_cbc_buffer){r->in, c->iv, r->out, r->n};
        buffers[i].keys = c->enc_keys;
    } while (++i < n);
    cipher_cbc_encrypt_many(first->kind->bits, buffers, n);
    for (i = 0; i < n; i++) {
        struct cipher *c = requests[i].context;

        memcpy(c->iv, requests[i].out + requests[i].n - AES_BLOCK, AES_BLOCK);
    }
}

/* A queue for each size of the keys. */
static const struct async_kind kinds[] = {{CBC_LANES, CBC_SMALL_BYTES, encrypt_requests},
                                          {CBC_LANES, CBC_SMALL_BYTES, encrypt_requests},
                                          {CBC_LANES, CBC_SMALL_BYTES, encrypt_requests}};

static int cbc_decrypt(struct cipher *c, uint8_t *out, const uint8_t *in, size_t n)
{
    uint8_t last[AES_BLOCK];

    memcpy(last, in + n - AES_BLOCK, AES_BLOCK); /* out may be in */
    if (cipher_cbc_decrypt(c->kind->bits)(in, c->iv, c->dec_keys, out, n))
        return 0;
    memcpy(c->iv, last, AES_BLOCK);
    return 1;
}

int cipher_cbc_blocks(struct cipher *c, uint8_t *out, const uint8_t *in, size_t n)
{
    const unsigned bits = c->kind->bits;
    const struct async_kind *kind = &kinds[(bits - 128) / 64];

    if (!n)
        return 1;
    if (!c->encrypting)
        return cbc_decrypt(c, out, in, n);
    if (async_is_wanted(kind, n))
        return async_run(kind, c, out, in, n);
    if (cipher_cbc_encrypt(bits)(in, c->iv, c->enc_keys, out, n))
        return 0;
    memcpy(c->iv, out + n - AES_BLOCK, AES_BLOCK);
    return 1;
}

/* ---- Contexts ---- */

void *cipher_new(const struct cipher_kind *kind)
{
    struct cipher *c = provider_alloc(sizeof *c);

    if (c)
        c->kind = kind;
    return c;
}

void cipher_freectx(void *context)
{
    provider_free(context, sizeof(struct cipher));
}

void *cipher_dupctx(void *context)
{
    return provider_dup(context, sizeof(struct cipher));
}

static int set_key(struct cipher *c, const unsigned char *key, size_t key_bytes)
{
    const struct cipher_kind *kind = c->kind;

    if (key_bytes != kind->key_bytes)
        return provider_error(REASON_KEY_LENGTH);
    if (kind->mode == EVP_CIPH_XTS_MODE) {
        uint8_t unused[AES_SCHEDULE];
        size_t half = key_bytes / 2;

        if (c->encrypting && !CRYPTO_memcmp(key, key + half, half))
            return provider_error(REASON_XTS_SAME_KEYS);
        if (!cipher_expand(kind->bits, key + half, c->tweak_keys, unused))
            return 0;
        OPENSSL_cleanse(unused, sizeof unused);
    }
    c->has_key = cipher_expand(kind->bits, key, c->enc_keys, c->dec_keys);
    return c->has_key;
}

int cipher_start(struct cipher *c, const unsigned char *key, size_t key_bytes,
                 const unsigned char *iv, size_t iv_bytes, int encrypting)
{
    statistics_add(STATISTIC_CIPHER, 1);
    c->encrypting = encrypting;
    c->buffered = 0;
    c->num = 0;
    if (iv) {
        if (iv_bytes != c->kind->iv_bytes)
            return provider_error(REASON_IV_LENGTH);
        memcpy(c->first_iv, iv, AES_BLOCK);
        memcpy(c->iv, iv, AES_BLOCK);
        c->has_iv = 1;
    } else if (c->has_iv && c->kind->mode == EVP_CIPH_CBC_MODE) {
        memcpy(c->iv, c->first_iv, AES_BLOCK);
    }
    if (c->kind->mode == EVP_CIPH_CTR_MODE && c->has_iv && isal_aes_ctr_init(&c->ctr, c->iv))
        return 0;
    return !key || set_key(c, key, key_bytes);
}

int cipher_encrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                        const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return cipher_start(context, key, key_bytes, iv, iv_bytes, 1) &&
           cipher_set_ctx_params(context, params);
}

int cipher_decrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                        const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return cipher_start(context, key, key_bytes, iv, iv_bytes, 0) &&
           cipher_set_ctx_params(context, params);
}

/* ---- Parameters ---- */

int cipher_get_params(const struct cipher_kind *kind, OSSL_PARAM params[])
{
    return provider_give_uint(params, OSSL_CIPHER_PARAM_MODE, kind->mode) &&
           provider_give_size(params, OSSL_CIPHER_PARAM_KEYLEN, kind->key_bytes) &&
           provider_give_size(params, OSSL_CIPHER_PARAM_IVLEN, kind->iv_bytes) &&
           provider_give_size(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, kind->block_bytes) &&
           provider_give_int(params, OSSL_CIPHER_PARAM_AEAD, kind->aead) &&
           provider_give_int(params, OSSL_CIPHER_PARAM_CUSTOM_IV, kind->custom_iv) &&
           provider_give_int(params, OSSL_CIPHER_PARAM_CTS, 0) &&
           provider_give_int(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, kind->tls_multi) &&
           provider_give_int(params, OSSL_CIPHER_PARAM_HAS_RAND_KEY, 0);
}

const OSSL_PARAM *cipher_gettable_params(void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_AEAD, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_CTS, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_HAS_RAND_KEY, NULL),
        OSSL_PARAM_END,
    };

    (void) provider;
    return gettable;
}

int cipher_give_octets(OSSL_PARAM *p, const void *data, size_t n)
{
    return p->data_type == OSSL_PARAM_OCTET_PTR ? OSSL_PARAM_set_octet_ptr(p, data, n)
                                                : OSSL_PARAM_set_octet_string(p, data, n);
}

int cipher_get_param(const struct cipher *c, OSSL_PARAM *p)
{
    int ok = 1;

    /* libcrypto asks for the length of the IV whenever it sets one. */
    if (!strcmp(p->key, OSSL_CIPHER_PARAM_IVLEN))
        ok = OSSL_PARAM_set_size_t(p, c->kind->iv_bytes);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_KEYLEN))
        ok = OSSL_PARAM_set_size_t(p, c->kind->key_bytes);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS_MAC))
        ok = OSSL_PARAM_set_octet_ptr(p, c->tls_mac_bytes ? c->tls_mac : NULL, c->tls_mac_bytes);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_PADDING))
        ok = OSSL_PARAM_set_uint(p, !c->no_padding);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_NUM))
        ok = OSSL_PARAM_set_uint(p, c->num);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_IV))
        ok = cipher_give_octets(p, c->first_iv, AES_BLOCK);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_UPDATED_IV))
        ok = cipher_give_octets(p, c->iv, AES_BLOCK);
    return ok || provider_error(REASON_PARAMETER);
}

int cipher_get_ctx_params(void *context, OSSL_PARAM params[])
{
    for (OSSL_PARAM *p = params; p && p->key; p++)
        if (!cipher_get_param(context, p))
            return 0;
    return 1;
}

PARAM_LIST(cipher_gettable_ctx_params, OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
           OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
           OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
           OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
           OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
           OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
           OSSL_PARAM_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, NULL, 0));

int cipher_set_param(struct cipher *c, const OSSL_PARAM *p)
{
    unsigned value;
    size_t bytes;

    if (!strcmp(p->key, OSSL_CIPHER_PARAM_PADDING)) {
        if (!OSSL_PARAM_get_uint(p, &value))
            return provider_error(REASON_PARAMETER);
        c->no_padding = !value;
    } else if (!strcmp(p->key, OSSL_CIPHER_PARAM_NUM)) {
        if (!OSSL_PARAM_get_uint(p, &c->num))
            return provider_error(REASON_PARAMETER);
    } else if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS_VERSION)) {
        if (!OSSL_PARAM_get_uint(p, &c->tls_version))
            return provider_error(REASON_PARAMETER);
    } else if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS_MAC_SIZE)) {
        if (!OSSL_PARAM_get_size_t(p, &c->tls_mac_bytes) || c->tls_mac_bytes > sizeof c->tls_mac)
            return provider_error(REASON_PARAMETER);
    } else if (!strcmp(p->key, OSSL_CIPHER_PARAM_KEYLEN)) {
        if (!OSSL_PARAM_get_size_t(p, &bytes) || bytes != c->kind->key_bytes)
            return provider_error(REASON_KEY_LENGTH);
    }
    return 1;
}

int cipher_set_ctx_params(void *context, const OSSL_PARAM params[])
{
    for (const OSSL_PARAM *p = params; p && p->key; p++)
        if (!cipher_set_param(context, p))
            return 0;
    return 1;
}

PARAM_LIST(cipher_settable_ctx_params, OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
           OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
           OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, NULL),
           OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, NULL),
           OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL));

/* ---- The list ---- */

const OSSL_ALGORITHM provider_ciphers[] = {
    ALGORITHM("AES-128-CBC:AES128:2.16.840.1.101.3.4.1.2", cipher_aes_128_cbc),
    ALGORITHM("AES-192-CBC:AES192:2.16.840.1.101.3.4.1.22", cipher_aes_192_cbc),
    ALGORITHM("AES-256-CBC:AES256:2.16.840.1.101.3.4.1.42", cipher_aes_256_cbc),
    ALGORITHM("AES-128-CTR", cipher_aes_128_ctr),
    ALGORITHM("AES-192-CTR", cipher_aes_192_ctr),
    ALGORITHM("AES-256-CTR", cipher_aes_256_ctr),
    ALGORITHM("AES-128-XTS:1.3.111.2.1619.0.1.1", cipher_aes_128_xts),
    ALGORITHM("AES-256-XTS:1.3.111.2.1619.0.1.2", cipher_aes_256_xts),
    ALGORITHM("AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6", cipher_aes_128_gcm),
    ALGORITHM("AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46", cipher_aes_256_gcm),
    ALGORITHMS_END,
};
