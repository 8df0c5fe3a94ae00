/* The digests of the provider.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/hash.h"
#include "crypto/openssl/statistics.h"

struct digest {
    union hash_context context;
};

static void *newctx(void *provider)
{
    (void) provider;
    return provider_alloc(sizeof(struct digest));
}

static void freectx(void *digest)
{
    provider_free(digest, sizeof(struct digest));
}

static void *dupctx(void *digest)
{
    return provider_dup(digest, sizeof(struct digest));
}

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

static int final(const struct hash *hash, struct digest *d, unsigned char *out, size_t *outl,
                 size_t outsize)
{
    if (outsize < hash->digest_bytes)
        return provider_error(REASON_OUTPUT_SIZE);
    if (!hash_end(hash, &d->context, out))
        return 0;
    *outl = hash->digest_bytes;
    return 1;
}

/* The table of one digest. algid_absent: X.509 writes the algorithm without parameters. */
#define DIGEST(name, algid_absent)                                                          \
    static int name##_init(void *digest, const OSSL_PARAM params[])                         \
    {                                                                                       \
        (void) params;                                                                      \
        statistics_add(STATISTIC_DIGEST, 1);                                                \
        return hash_start(&hash_##name, &((struct digest *) digest)->context);              \
    }                                                                                       \
    static int name##_update(void *digest, const unsigned char *in, size_t n)               \
    {                                                                                       \
        return hash_add(&hash_##name, &((struct digest *) digest)->context, in, n);         \
    }                                                                                       \
    static int name##_final(void *digest, unsigned char *out, size_t *outl, size_t outsize) \
    {                                                                                       \
        return final(&hash_##name, digest, out, outl, outsize);                             \
    }                                                                                       \
    static int name##_get_params(OSSL_PARAM params[])                                       \
    {                                                                                       \
        return get_params(&hash_##name, params, algid_absent);                              \
    }                                                                                       \
    static const OSSL_DISPATCH name##_digest[] = {                                          \
        ENTRY(OSSL_FUNC_DIGEST_NEWCTX, newctx),                                             \
        ENTRY(OSSL_FUNC_DIGEST_FREECTX, freectx),                                           \
        ENTRY(OSSL_FUNC_DIGEST_DUPCTX, dupctx),                                             \
        ENTRY(OSSL_FUNC_DIGEST_INIT, name##_init),                                          \
        ENTRY(OSSL_FUNC_DIGEST_UPDATE, name##_update),                                      \
        ENTRY(OSSL_FUNC_DIGEST_FINAL, name##_final),                                        \
        ENTRY(OSSL_FUNC_DIGEST_GET_PARAMS, name##_get_params),                              \
        ENTRY(OSSL_FUNC_DIGEST_GETTABLE_PARAMS, gettable_params),                           \
        {0, NULL},                                                                          \
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
