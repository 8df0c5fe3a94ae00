/* A provider whose ciphers do nothing but pause their job: the time that jobs of OpenSSL take.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf/provider_idle.h"

#include <openssl/async.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdlib.h>

#define ENTRY(id, function)            \
    {                                  \
        id, (void (*)(void))(function) \
    }

static void *newctx(void *provider)
{
    (void) provider;
    return malloc(1);
}

static int init(void *context, const unsigned char *key, size_t key_bytes, const unsigned char *iv,
                size_t iv_bytes, const OSSL_PARAM params[])
{
    (void) context;
    (void) key;
    (void) key_bytes;
    (void) iv;
    (void) iv_bytes;
    (void) params;
    return 1;
}

static int update(void *context, unsigned char *out, size_t *outl, size_t outsize,
                  const unsigned char *in, size_t n)
{
    (void) context;
    (void) out;
    (void) outsize;
    (void) in;
    *outl = n;
    return !ASYNC_get_current_job() || ASYNC_pause_job();
}

static int final(void *context, unsigned char *out, size_t *outl, size_t outsize)
{
    (void) context;
    (void) out;
    (void) outsize;
    *outl = 0;
    return 1;
}

static int get_params(OSSL_PARAM params[])
{
    OSSL_PARAM *key = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_KEYLEN);
    OSSL_PARAM *iv = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_IVLEN);
    OSSL_PARAM *block = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_BLOCK_SIZE);
    OSSL_PARAM *mode = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_MODE);

    return (!key || OSSL_PARAM_set_size_t(key, 16)) && (!iv || OSSL_PARAM_set_size_t(iv, 16)) &&
           (!block || OSSL_PARAM_set_size_t(block, 16)) &&
           (!mode || OSSL_PARAM_set_uint(mode, EVP_CIPH_CBC_MODE));
}

static int get_ctx_params(void *context, OSSL_PARAM params[])
{
    OSSL_PARAM *added = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD);

    (void) context;
    return (!added || OSSL_PARAM_set_size_t(added, 16)) && get_params(params);
}

static int set_ctx_params(void *context, const OSSL_PARAM params[])
{
    (void) context;
    (void) params;
    return 1;
}

static const OSSL_PARAM *settable(void *context, void *provider)
{
    static const OSSL_PARAM list[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_MAC_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
        OSSL_PARAM_END,
    };

    (void) context;
    (void) provider;
    return list;
}

static const OSSL_DISPATCH cipher[] = {
    ENTRY(OSSL_FUNC_CIPHER_NEWCTX, newctx),
    ENTRY(OSSL_FUNC_CIPHER_FREECTX, free),
    ENTRY(OSSL_FUNC_CIPHER_ENCRYPT_INIT, init),
    ENTRY(OSSL_FUNC_CIPHER_UPDATE, update),
    ENTRY(OSSL_FUNC_CIPHER_FINAL, final),
    ENTRY(OSSL_FUNC_CIPHER_GET_PARAMS, get_params),
    ENTRY(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, get_ctx_params),
    ENTRY(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, set_ctx_params),
    ENTRY(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, settable),
    {0, NULL},
};
static const OSSL_ALGORITHM ciphers[] = {
    {"AES-128-CBC", "provider=idle", cipher, NULL},
    {"AES-128-CBC-HMAC-SHA1", "provider=idle", cipher, NULL},
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM *query_operation(void *context, int operation, int *no_store)
{
    (void) context;
    *no_store = 0;
    return operation == OSSL_OP_CIPHER ? ciphers : NULL;
}

static const OSSL_DISPATCH functions[] = {
    ENTRY(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation),
    {0, NULL},
};

int idle_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **context)
{
    static int state;

    (void) handle;
    (void) in;
    *out = functions;
    *context = &state;
    return 1;
}
