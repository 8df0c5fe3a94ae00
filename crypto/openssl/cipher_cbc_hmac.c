/* AES-CBC with HMAC of the provider: TLS records, MAC then encrypt.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A record (RFC 5246, section 6.2.3.2) is an explicit IV (from TLS 1.1 on), text, MAC and padding.
 * libssl sets the pseudo-header of each record, the parameter "tlsaad", and passes the record in
 * one call. Without a pseudo-header these are ciphers of whole blocks in CBC mode. */

#include "crypto/openssl/constant_time.h"
#include "crypto/openssl/padding.h"
#include "crypto/openssl/record.h"
#include "crypto/openssl/statistics.h"

#include <openssl/evp.h>
#include <openssl/tls1.h>
#include <string.h>

/* ---- Encryption ---- */

/* MACs and encrypts the records of several contexts of one kind. The requests are records of n
 * bytes with IV, MAC and padding. */
static void encrypt_records(const struct async_request *requests, unsigned n)
{
    const struct record_kind *kind = record_kind_of(requests[0].context);
    struct isal_aes_cbc_keyed_buffer buffers[RECORD_LANES];
    struct record records[RECORD_LANES];
    unsigned i = 0;

    do {
        const struct async_request *q = &requests[i];
        struct record_cipher *r = q->context;
        const size_t iv = r->explicit_iv;

        if (q->out != q->in)
            memmove(q->out, q->in, iv);
        records[i] = (struct record){&r->mac,       &r->mac.message, r->header, q->in + iv,
                                     r->text_bytes, q->out + iv,     q->n - iv, iv != 0};
        buffers[i].buffer = (struct isal_aes_cbc_buffer){q->out, r->cipher.iv, q->out, q->n};
        buffers[i].keys = r->cipher.enc_keys;
    } while (++i < n);
    record_protect(kind->hash, records, n);
    cipher_cbc_encrypt_many(kind->cipher.bits, buffers, n);
    for (i = 0; i < n; i++) {
        struct record_cipher *r = requests[i].context;

        memcpy(r->cipher.iv, requests[i].out + requests[i].n - AES_BLOCK, AES_BLOCK);
    }
}

static int encrypt(struct record_cipher *r, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct async_request request = {r, out, in, n};

    if (n != r->explicit_iv + r->text_bytes + r->added)
        return provider_error(REASON_FINAL_BLOCK_LENGTH);
    if (async_is_wanted(&record_kind_of(r)->async, n))
        return async_run(&record_kind_of(r)->async, r, out, in, n);
    encrypt_records(&request, 1);
    return 1;
}

/* ---- Decryption ---- */

/* Decrypts and checks. Sets *text_bytes to the length of the text, which is secret unless the
 * record is valid. */
static int decrypt(struct record_cipher *r, uint8_t *out, const uint8_t *in, size_t n,
                   size_t *text_bytes)
{
    const struct hash *hash = record_kind_of(r)->hash;
    const size_t mac_bytes = hash->digest_bytes, iv = r->explicit_iv;
    uint8_t expected[HASH_MAX_DIGEST], found[TLS_MAX_MAC];
    size_t padding, bad, max;

    if (n % AES_BLOCK || n < iv + mac_bytes + 1)
        return provider_error(REASON_FINAL_BLOCK_LENGTH);
    if (!cipher_cbc_blocks(&r->cipher, out, in, n))
        return 0;
    out += iv;
    n -= iv;
    padding = tls_padding(out, n, mac_bytes);
    bad = ct_equal(padding, 0);
    padding += 1 & bad; /* invalid padding counts as 1 byte, so that all text is hashed */
    max = n - mac_bytes - 1;
    *text_bytes = n - mac_bytes - padding;
    r->header[TLS_HEADER - 2] = (uint8_t) (*text_bytes >> 8);
    r->header[TLS_HEADER - 1] = (uint8_t) *text_bytes;
    if (!tls_mac(hash, &r->mac, r->header, out, *text_bytes, max, expected))
        return 0;
    tls_extract_mac(found, mac_bytes, out, n, n - padding);
    for (size_t i = 0; i < mac_bytes; i++)
        bad |= (size_t) (expected[i] ^ found[i]);
    OPENSSL_cleanse(expected, sizeof expected);
    return !ct_hide(bad) || provider_error(REASON_BAD_DECRYPT);
}

/* ---- Calls ---- */

static int start(void *context, const unsigned char *key, size_t key_bytes, const unsigned char *iv,
                 size_t iv_bytes, int encrypting)
{
    struct record_cipher *r = context;

    r->has_header = 0;
    return cipher_start(&r->cipher, key, key_bytes, iv, iv_bytes, encrypting);
}

/* Sets the pseudo-header of the next record. */
static int set_header(struct record_cipher *r, const OSSL_PARAM *p)
{
    const size_t mac_bytes = record_kind_of(r)->hash->digest_bytes;
    const uint8_t *header = p->data;
    size_t n;

    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size != TLS_HEADER)
        return provider_error(REASON_PARAMETER);
    memcpy(r->header, header, TLS_HEADER);
    r->explicit_iv = (header[9] << 8 | header[10]) >= TLS1_1_VERSION ? AES_BLOCK : 0;
    n = (size_t) (header[11] << 8 | header[12]);
    r->added = mac_bytes;
    if (r->cipher.encrypting) {
        if (n < r->explicit_iv)
            return provider_error(REASON_PARAMETER);
        r->text_bytes = n - r->explicit_iv;
        r->header[11] = (uint8_t) (r->text_bytes >> 8);
        r->header[12] = (uint8_t) r->text_bytes;
        r->added += AES_BLOCK - (n + mac_bytes) % AES_BLOCK;
    }
    r->has_header = 1;
    return 1;
}

static int set_mac_key(struct record_cipher *r, const OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return provider_error(REASON_PARAMETER);
    r->has_mac_key =
        hash_hmac_key(record_kind_of(r)->hash, p->data, p->data_size, &r->mac.inner, &r->mac.outer);
    return r->has_mac_key;
}

static int record_set_ctx_params(void *context, const OSSL_PARAM params[])
{
    struct record_cipher *r = context;

    for (const OSSL_PARAM *p = params; p && p->key; p++)
        if (!(!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)  ? set_header(r, p)
              : !strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_MAC_KEY) ? set_mac_key(r, p)
              : multi_block_is(p->key)                          ? multi_block_set(r, p, params)
                                                                : cipher_set_param(&r->cipher, p)))
            return 0;
    return 1;
}

static int record_encrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                               const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return start(context, key, key_bytes, iv, iv_bytes, 1) &&
           record_set_ctx_params(context, params);
}

static int record_decrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                               const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return start(context, key, key_bytes, iv, iv_bytes, 0) &&
           record_set_ctx_params(context, params);
}

static int record(struct record_cipher *r, unsigned char *out, size_t *outl,
                  const unsigned char *in, size_t n)
{
    size_t text_bytes = 0;

    r->has_header = 0;
    if (!r->has_mac_key)
        return provider_error(REASON_NO_KEY);
    statistics_add(STATISTIC_RECORD, 1);
    if (r->cipher.encrypting) {
        *outl = n;
        return encrypt(r, out, in, n);
    }
    if (!decrypt(r, out, in, n, &text_bytes))
        return 0;
    *outl = r->cipher.tls_version ? text_bytes : n; /* libssl sets the version */
    return 1;
}

static int update(void *context, unsigned char *out, size_t *outl, size_t outsize,
                  const unsigned char *in, size_t n)
{
    struct record_cipher *r = context;

    *outl = 0;
    if (!r->cipher.has_key)
        return provider_error(REASON_NO_KEY);
    if (!n)
        return 1;
    if (outsize < n)
        return provider_error(REASON_OUTPUT_SIZE);
    if (r->has_header)
        return record(r, out, outl, in, n);
    if (n % AES_BLOCK)
        return provider_error(REASON_FINAL_BLOCK_LENGTH);
    *outl = n;
    return cipher_cbc_blocks(&r->cipher, out, in, n);
}

static int final(void *context, unsigned char *out, size_t *outl, size_t outsize)
{
    (void) context;
    (void) out;
    (void) outsize;
    *outl = 0;
    return 1;
}

static int record_get_ctx_params(void *context, OSSL_PARAM params[])
{
    const struct record_cipher *r = context;

    for (OSSL_PARAM *p = params; p && p->key; p++)
        if (!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)) {
            if (!OSSL_PARAM_set_size_t(p, r->added))
                return provider_error(REASON_PARAMETER);
        } else if (!(multi_block_is(p->key) ? multi_block_get(r, p)
                                            : cipher_get_param(&r->cipher, p))) {
            return 0;
        }
    return 1;
}

static PARAM_LIST(record_gettable_ctx_params,
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_MAX_BUFSIZE, NULL),
                  OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_INTERLEAVE, NULL),
                  OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_AAD_PACKLEN, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_ENC_LEN, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0));

static PARAM_LIST(record_settable_ctx_params,
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_MAC_KEY, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_MAX_SEND_FRAGMENT, NULL),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_AAD, NULL, 0),
                  OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_INTERLEAVE, NULL),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_ENC, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_ENC_IN, NULL, 0),
                  OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL));

static void *newctx(const struct record_kind *kind)
{
    struct record_cipher *r = provider_alloc(sizeof *r);

    if (r)
        r->cipher.kind = &kind->cipher;
    return r;
}

static void record_freectx(void *context)
{
    provider_free(context, sizeof(struct record_cipher));
}

static void *record_dupctx(void *context)
{
    return provider_dup(context, sizeof(struct record_cipher));
}

/* Bytes of the shortest request that gains from sharing a call. */
#define SMALL_BYTES 512
/* Multi-blocks in a full queue. */
#define MULTI_BLOCKS 4

#define CBC_HMAC(key_bits, hash_name)                                                  \
    static const struct record_kind aes_##key_bits##_##hash_name##_kind = {            \
        .cipher = {.mode = EVP_CIPH_CBC_MODE,                                          \
                   .bits = (key_bits),                                                 \
                   .key_bytes = (key_bits) / 8,                                        \
                   .iv_bytes = AES_BLOCK,                                              \
                   .block_bytes = AES_BLOCK,                                           \
                   .aead = 1,                                                          \
                   .tls_multi = 1},                                                    \
        .hash = &hash_##hash_name,                                                     \
        .async = {RECORD_LANES, SMALL_BYTES, encrypt_records},                         \
        .async_multi = {MULTI_BLOCKS, SMALL_BYTES, multi_block_encrypt_all},           \
    };                                                                                 \
    static void *aes_##key_bits##_##hash_name##_newctx(void *provider)                 \
    {                                                                                  \
        (void) provider;                                                               \
        return newctx(&aes_##key_bits##_##hash_name##_kind);                           \
    }                                                                                  \
    static int aes_##key_bits##_##hash_name##_get_params(OSSL_PARAM params[])          \
    {                                                                                  \
        return cipher_get_params(&aes_##key_bits##_##hash_name##_kind.cipher, params); \
    }                                                                                  \
    static CIPHER_TABLE(aes_##key_bits##_##hash_name, record, update, final, update)

CBC_HMAC(128, sha1)
CBC_HMAC(256, sha1)
CBC_HMAC(128, sha256)
CBC_HMAC(256, sha256)

const OSSL_ALGORITHM provider_record_ciphers[] = {
    ALGORITHM("AES-128-CBC-HMAC-SHA1", cipher_aes_128_sha1),
    ALGORITHM("AES-256-CBC-HMAC-SHA1", cipher_aes_256_sha1),
    ALGORITHM("AES-128-CBC-HMAC-SHA256", cipher_aes_128_sha256),
    ALGORITHM("AES-256-CBC-HMAC-SHA256", cipher_aes_256_sha256),
    ALGORITHMS_END,
};
