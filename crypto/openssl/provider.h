/* The OpenSSL provider: declarations shared by its files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The provider is a module that OpenSSL 3 loads. It answers the calls of libcrypto, which
 * provider(7) and provider-cipher(7), -digest(7), -mac(7) specify, with the public functions of
 * libisal_crypto. */

#ifndef PROVIDER_H
#define PROVIDER_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

/* An entry of an OSSL_DISPATCH table. OpenSSL calls the function by its true type. */
#define ENTRY(id, function)            \
    {                                  \
        id, (void (*)(void))(function) \
    }

/* An entry of a table of algorithms, and the entry that ends a table. */
#define ALGORITHM(names, functions)             \
    {                                           \
        names, "provider=isal", functions, NULL \
    }
#define ALGORITHMS_END         \
    {                          \
        NULL, NULL, NULL, NULL \
    }

/* Defines a function that returns the descriptions of a context's parameters. The declaration at
 * the end takes the semicolon after the macro. */
#define PARAM_LIST(function, ...)                                       \
    const OSSL_PARAM *function(void *context, void *provider)           \
    {                                                                   \
        static const OSSL_PARAM list[] = {__VA_ARGS__, OSSL_PARAM_END}; \
                                                                        \
        (void) context;                                                 \
        (void) provider;                                                \
        return list;                                                    \
    }                                                                   \
    struct provider

/* Reasons of errors, as ERR_print_errors() shows them. */
enum provider_reason {
    REASON_MEMORY = 1,
    REASON_KEY_LENGTH,
    REASON_IV_LENGTH,
    REASON_NO_KEY,
    REASON_NO_IV,
    REASON_OUTPUT_SIZE,
    REASON_FINAL_BLOCK_LENGTH,
    REASON_BAD_DECRYPT,
    REASON_XTS_SAME_KEYS,
    REASON_XTS_LENGTH,
    REASON_TAG,
    REASON_PARAMETER,
    REASON_DIGEST,
    REASON_CONFIG,
    REASON_SELF_TEST,
    REASON_ABORTED
};

struct settings;

/* A loaded provider: the library context that loaded it, and its settings. OpenSSL passes it to
 * every call. */
struct provider {
    const OSSL_CORE_HANDLE *handle;
    OSSL_LIB_CTX *libctx; /* for algorithms of other providers */
    struct settings *settings;
};

/* Raises an error and returns 0. */
int provider_error(enum provider_reason reason);

/* Memory for contexts, aligned for vectors; provider_alloc() zeroes it. provider_free() wipes
 * it. */
void *provider_alloc_unset(size_t size);
void *provider_alloc(size_t size);
void *provider_dup(const void *context, size_t size);
void provider_free(void *context, size_t size);

/* Set the parameter `key` if params has it. Return 0 on error. */
int provider_give_size(OSSL_PARAM params[], const char *key, size_t value);
int provider_give_uint(OSSL_PARAM params[], const char *key, unsigned value);
int provider_give_int(OSSL_PARAM params[], const char *key, int value);

/* Tables of algorithms. */
extern const OSSL_ALGORITHM provider_digests[], provider_macs[], provider_ciphers[],
    provider_record_ciphers[];

#endif
