/* The digests of the provider.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/hash_message.h"
#include "crypto/openssl/statistics.h"

static const OSSL_PARAM *gettable_params(void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
        OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, NULL),
        OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, NULL),
        OSSL_PARAM_END,
    };

    (void) provider;
    return gettable;
}

static int get_params(const struct hash *hash, OSSL_PARAM params[], int algid_absent)
{
    return provider_give_size(params, OSSL_DIGEST_PARAM_BLOCK_SIZE, hash->block_bytes) &&
           provider_give_size(params, OSSL_DIGEST_PARAM_SIZE, hash->digest_bytes) &&
           provider_give_int(params, OSSL_DIGEST_PARAM_XOF, 0) &&
           provider_give_int(params, OSSL_DIGEST_PARAM_ALGID_ABSENT, algid_absent);
}

static int final(const struct hash *hash, void *message, unsigned char *out, size_t *outl,
                 size_t outsize)
{
    if (outsize < hash->digest_bytes)
        return provider_error(REASON_OUTPUT_SIZE);
    if (!hash_message_end(hash, message, out))
        return 0;
    *outl = hash->digest_bytes;
    return 1;
}

static void *newctx(const struct hash *hash)
{
    struct hash_message *m = provider_alloc_unset(hash_message_size(hash));

    if (m)
        hash_message_start(m);
    return m;
}

/* The table of one digest. algid_absent: X.509 writes the algorithm without parameters. */
#define DIGEST(name, algid_absent)                                                           \
    static void *name##_newctx(void *provider)                                               \
    {                                                                                        \
        (void) provider;                                                                     \
        return newctx(&hash_##name);                                                         \
    }                                                                                        \
    static void name##_freectx(void *message)                                                \
    {                                                                                        \
        provider_free(message, hash_message_size(&hash_##name));                             \
    }                                                                                        \
    static void *name##_dupctx(void *message)                                                \
    {                                                                                        \
        return provider_dup(message, hash_message_size(&hash_##name));                       \
    }                                                                                        \
    static int name##_init(void *message, const OSSL_PARAM params[])                         \
    {                                                                                        \
        (void) params;                                                                       \
        statistics_add(STATISTIC_DIGEST, 1);                                                 \
        hash_message_start(message);                                                         \
        return 1;                                                                            \
    }                                                                                        \
    static int name##_update(void *message, const unsigned char *in, size_t n)               \
    {                                                                                        \
        return hash_message_add(&hash_##name, message, in, n);                               \
    }                                                                                        \
    static int name##_final(void *message, unsigned char *out, size_t *outl, size_t outsize) \
    {                                                                                        \
        return final(&hash_##name, message, out, outl, outsize);                             \
    }                                                                                        \
    static int name##_get_params(OSSL_PARAM params[])                                        \
    {                                                                                        \
        return get_params(&hash_##name, params, algid_absent);                               \
    }                                                                                        \
    static const OSSL_DISPATCH name##_digest[] = {                                           \
        ENTRY(OSSL_FUNC_DIGEST_NEWCTX, name##_newctx),                                       \
        ENTRY(OSSL_FUNC_DIGEST_FREECTX, name##_freectx),                                     \
        ENTRY(OSSL_FUNC_DIGEST_DUPCTX, name##_dupctx),                                       \
        ENTRY(OSSL_FUNC_DIGEST_INIT, name##_init),                                           \
        ENTRY(OSSL_FUNC_DIGEST_UPDATE, name##_update),                                       \
        ENTRY(OSSL_FUNC_DIGEST_FINAL, name##_final),                                         \
        ENTRY(OSSL_FUNC_DIGEST_GET_PARAMS, name##_get_params),                               \
        ENTRY(OSSL_FUNC_DIGEST_GETTABLE_PARAMS, gettable_params),                            \
        {0, NULL},                                                                           \
    };

DIGEST(md5, 0)
DIGEST(sha1, 1)
DIGEST(sha224, 1)
DIGEST(sha256, 1)
DIGEST(sha384, 1)
DIGEST(sha512, 1)
DIGEST(sm3, 0)

const OSSL_ALGORITHM provider_digests[] = {
    ALGORITHM("MD5:SSL3-MD5:1.2.840.113549.2.5", md5_digest),
    ALGORITHM("SHA1:SHA-1:SSL3-SHA1:1.3.14.3.2.26", sha1_digest),
    ALGORITHM("SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4", sha224_digest),
    ALGORITHM("SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1", sha256_digest),
    ALGORITHM("SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2", sha384_digest),
    ALGORITHM("SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3", sha512_digest),
    ALGORITHM("SM3:1.2.156.10197.1.401", sm3_digest),
    ALGORITHMS_END,
};
