/* The HMAC of the provider (FIPS 198-1).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The HMAC of another provider serves two cases: hashes that the library lacks, and TLS records
 * whose length is secret (the parameter tls-data-size), which need a constant-time MAC. */

#include "crypto/openssl/hash_message.h"
#include "crypto/openssl/statistics.h"

#include <openssl/evp.h>
#include <string.h>

#define OTHER_PROVIDERS "provider!=isal"

/* Bytes of the longest name of a digest. */
#define NAME_BYTES 64

struct hmac {
    struct provider *provider;
    const struct hash *hash; /* NULL until a digest is set, and while `other` is in use */
    char digest[NAME_BYTES];
    EVP_MAC_CTX *other; /* MAC of another provider, or NULL */
    uint8_t *key;       /* kept for `other`, and for a digest that is set later */
    size_t key_bytes;
    int has_key, keyed;              /* keyed: inner and outer are derived from `key` */
    union hash_context inner, outer; /* after their first blocks */
    struct hash_message message;
};

static void *newctx(void *provider)
{
    struct hmac *h = provider_alloc(sizeof(struct hmac));

    if (h)
        h->provider = provider;
    return h;
}

static void freectx(void *mac)
{
    struct hmac *h = mac;

    if (!h)
        return;
    EVP_MAC_CTX_free(h->other);
    OPENSSL_clear_free(h->key, h->key_bytes);
    provider_free(h, sizeof *h);
}

static void *dupctx(void *mac)
{
    const struct hmac *h = mac;
    struct hmac *copy = provider_dup(h, sizeof *h);

    if (!copy)
        return NULL;
    copy->key = h->key ? OPENSSL_memdup(h->key, h->key_bytes) : NULL;
    copy->other = h->other ? EVP_MAC_CTX_dup(h->other) : NULL;
    if ((h->key && !copy->key) || (h->other && !copy->other)) {
        freectx(copy);
        return NULL;
    }
    return copy;
}

static int derive(struct hmac *h)
{
    h->keyed = hash_hmac_key(h->hash, h->key, h->key_bytes, &h->inner, &h->outer);
    return h->keyed;
}

/* Switches to the HMAC of another provider. */
static int use_other(struct hmac *h)
{
    EVP_MAC *mac;

    if (h->other)
        return 1;
    mac = EVP_MAC_fetch(h->provider->libctx, "HMAC", OTHER_PROVIDERS);
    if (!mac)
        return 0;
    h->other = EVP_MAC_CTX_new(mac);
    EVP_MAC_free(mac);
    h->hash = NULL;
    return h->other != NULL;
}

static int set_digest(struct hmac *h, const OSSL_PARAM params[])
{
    const OSSL_PARAM *digest = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_DIGEST);
    char *name = h->digest;

    if (!digest)
        return 1;
    if (!OSSL_PARAM_get_utf8_string(digest, &name, sizeof h->digest))
        return 0;
    EVP_MAC_CTX_free(h->other);
    h->other = NULL;
    h->keyed = 0;
    h->hash = hash_by_name(h->digest);
    return h->hash || use_other(h);
}

static int set_key(struct hmac *h, const unsigned char *key, size_t n)
{
    uint8_t *copy = OPENSSL_malloc(n ? n : 1);

    if (!copy)
        return provider_error(REASON_MEMORY);
    if (n)
        memcpy(copy, key, n);
    OPENSSL_clear_free(h->key, h->key_bytes);
    h->key = copy;
    h->key_bytes = n;
    h->has_key = 1;
    h->keyed = 0;
    return 1;
}

/* Passes the key, the digest and the size of a record's data to the other HMAC. */
static int start_other(struct hmac *h, const OSSL_PARAM *record)
{
    char others[] = OTHER_PROVIDERS;
    OSSL_PARAM params[4], *p = params;
    size_t bytes;

    /* A digest of this provider would hold a reference to the provider from the provider's own
     * library context, and the provider would never be unloaded. */
    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, h->digest, 0);
    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_PROPERTIES, others, 0);
    if (record) {
        if (!OSSL_PARAM_get_size_t(record, &bytes))
            return 0;
        *p++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, &bytes);
    }
    *p = OSSL_PARAM_construct_end();
    if (h->has_key)
        return EVP_MAC_init(h->other, h->key, h->key_bytes, params);
    return EVP_MAC_CTX_set_params(h->other, params);
}

static int set_ctx_params(void *mac, const OSSL_PARAM params[])
{
    struct hmac *h = mac;
    const OSSL_PARAM *key, *record;

    if (!params)
        return 1;
    if (!set_digest(h, params))
        return 0;
    key = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_KEY);
    if (key &&
        (key->data_type != OSSL_PARAM_OCTET_STRING || !set_key(h, key->data, key->data_size)))
        return 0;
    record = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_TLS_DATA_SIZE);
    if (record && !use_other(h))
        return 0;
    if (h->other)
        return start_other(h, record);
    if (key && h->hash) {
        if (!derive(h))
            return 0;
        hash_message_continue(h->hash, &h->message, &h->inner);
    }
    return 1;
}

static int init(void *mac, const unsigned char *key, size_t n, const OSSL_PARAM params[])
{
    struct hmac *h = mac;

    statistics_add(STATISTIC_DIGEST, 1);
    if (!set_ctx_params(h, params))
        return 0;
    if (key && !set_key(h, key, n))
        return 0;
    if (h->other)
        return start_other(h, NULL);
    if (!h->hash)
        return provider_error(REASON_DIGEST);
    if (!h->has_key)
        return provider_error(REASON_NO_KEY);
    if (!h->keyed && !derive(h))
        return 0;
    hash_message_continue(h->hash, &h->message, &h->inner);
    return 1;
}

static int update(void *mac, const unsigned char *in, size_t n)
{
    struct hmac *h = mac;

    if (h->other)
        return EVP_MAC_update(h->other, in, n);
    return h->keyed ? hash_message_add(h->hash, &h->message, in, n) : provider_error(REASON_NO_KEY);
}

static int final(void *mac, unsigned char *out, size_t *outl, size_t outsize)
{
    struct hmac *h = mac;
    uint8_t inner[HASH_MAX_DIGEST];

    if (h->other)
        return EVP_MAC_final(h->other, out, outl, outsize);
    if (!h->keyed)
        return provider_error(REASON_NO_KEY);
    if (outsize < h->hash->digest_bytes)
        return provider_error(REASON_OUTPUT_SIZE);
    if (!hash_message_end(h->hash, &h->message, inner))
        return 0;
    hash_message_continue(h->hash, &h->message, &h->outer);
    if (!hash_message_add(h->hash, &h->message, inner, h->hash->digest_bytes) ||
        !hash_message_end(h->hash, &h->message, out))
        return 0;
    *outl = h->hash->digest_bytes;
    return 1;
}

static PARAM_LIST(gettable_ctx_params, OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
                  OSSL_PARAM_size_t(OSSL_MAC_PARAM_BLOCK_SIZE, NULL));

static PARAM_LIST(settable_ctx_params, OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, NULL, 0),
                  OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_PROPERTIES, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
                  OSSL_PARAM_int(OSSL_MAC_PARAM_DIGEST_NOINIT, NULL),
                  OSSL_PARAM_int(OSSL_MAC_PARAM_DIGEST_ONESHOT, NULL),
                  OSSL_PARAM_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, NULL));

static int get_ctx_params(void *mac, OSSL_PARAM params[])
{
    const struct hmac *h = mac;

    if (h->other)
        return EVP_MAC_CTX_get_params(h->other, params);
    return provider_give_size(params, OSSL_MAC_PARAM_SIZE, h->hash ? h->hash->digest_bytes : 0) &&
           provider_give_size(params, OSSL_MAC_PARAM_BLOCK_SIZE,
                              h->hash ? h->hash->block_bytes : 0);
}

static const OSSL_DISPATCH hmac[] = {
    ENTRY(OSSL_FUNC_MAC_NEWCTX, newctx),
    ENTRY(OSSL_FUNC_MAC_FREECTX, freectx),
    ENTRY(OSSL_FUNC_MAC_DUPCTX, dupctx),
    ENTRY(OSSL_FUNC_MAC_INIT, init),
    ENTRY(OSSL_FUNC_MAC_UPDATE, update),
    ENTRY(OSSL_FUNC_MAC_FINAL, final),
    ENTRY(OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, gettable_ctx_params),
    ENTRY(OSSL_FUNC_MAC_GET_CTX_PARAMS, get_ctx_params),
    ENTRY(OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS, settable_ctx_params),
    ENTRY(OSSL_FUNC_MAC_SET_CTX_PARAMS, set_ctx_params),
    {0, NULL},
};

const OSSL_ALGORITHM provider_macs[] = {
    ALGORITHM("HMAC", hmac),
    ALGORITHMS_END,
};
