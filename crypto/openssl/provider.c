/* The OpenSSL provider: start, end, parameters and the lists of algorithms.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/provider.h"

#include "crypto/openssl/async.h"
#include "crypto/openssl/settings.h"
#include "crypto/openssl/statistics.h"
#include "dispatch/compiler.h"
#include "isa-l_crypto/isal_crypto_api.h"

#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>

/* ---- Errors ---- */

static const OSSL_ITEM reasons[] = {
    {REASON_MEMORY, "out of memory"},
    {REASON_KEY_LENGTH, "invalid key length"},
    {REASON_IV_LENGTH, "invalid iv length"},
    {REASON_NO_KEY, "no key set"},
    {REASON_NO_IV, "no iv set"},
    {REASON_OUTPUT_SIZE, "output buffer too small"},
    {REASON_FINAL_BLOCK_LENGTH, "wrong final block length"},
    {REASON_BAD_DECRYPT, "bad decrypt"},
    {REASON_XTS_SAME_KEYS, "xts duplicated keys"},
    {REASON_XTS_LENGTH, "xts data unit too short or too long"},
    {REASON_TAG, "invalid or missing tag"},
    {REASON_PARAMETER, "invalid parameter"},
    {REASON_DIGEST, "no digest set"},
    {REASON_CONFIG, "invalid setting in the configuration"},
    {REASON_SELF_TEST, "an algorithm failed its self-test and is not offered"},
    {REASON_ABORTED, "the asynchronous request was abandoned"},
    {0, NULL},
};

/* The functions of libcrypto that raise an error of this provider. */
static OSSL_FUNC_core_new_error_fn *new_error;
static OSSL_FUNC_core_vset_error_fn *vset_error;
static const OSSL_CORE_HANDLE *error_handle;

static void set_error(uint32_t reason, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vset_error(error_handle, reason, format, arguments);
    va_end(arguments);
}

int provider_error(enum provider_reason reason)
{
    if (new_error && vset_error) {
        new_error(error_handle);
        set_error((uint32_t) reason, NULL);
    }
    return 0;
}

/* ---- Memory ---- */

/* Alignment of the contexts of the library's hashes. */
#define ALIGNMENT 64

/* The address that malloc() returned is before the memory: aligned_alloc() takes four times as long
 * as malloc(). */
void *provider_alloc_unset(size_t size)
{
    char *start = malloc(ALIGNMENT + size), *memory;

    if (!start) {
        provider_error(REASON_MEMORY);
        return NULL;
    }
    memory = start + ALIGNMENT - (uintptr_t) start % ALIGNMENT;
    memcpy(memory - sizeof start, &start, sizeof start);
    return memory;
}

void *provider_alloc(size_t size)
{
    void *memory = provider_alloc_unset(size);

    if (memory)
        memset(memory, 0, size);
    return memory;
}

void *provider_dup(const void *context, size_t size)
{
    void *copy = provider_alloc_unset(size);

    if (copy)
        memcpy(copy, context, size);
    return copy;
}

/* A call that the compiler does not remove. It is faster than OPENSSL_cleanse(). */
static void *(*const volatile wipe)(void *, int, size_t) = memset;

void provider_free(void *context, size_t size)
{
    char *start;

    if (!context)
        return;
    async_abandon(context, size);
    wipe(context, 0, size);
    memcpy(&start, (char *) context - sizeof start, sizeof start);
    free(start);
}

/* ---- Parameters ---- */

int provider_give_size(OSSL_PARAM params[], const char *key, size_t value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, key);

    return !p || OSSL_PARAM_set_size_t(p, value) || provider_error(REASON_PARAMETER);
}

int provider_give_uint(OSSL_PARAM params[], const char *key, unsigned value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, key);

    return !p || OSSL_PARAM_set_uint(p, value) || provider_error(REASON_PARAMETER);
}

int provider_give_int(OSSL_PARAM params[], const char *key, int value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, key);

    return !p || OSSL_PARAM_set_int(p, value) || provider_error(REASON_PARAMETER);
}

/* The counts as a line of text, if the setting of the same name is present. */
#define PARAM_STATISTICS "statistics"

static const OSSL_PARAM *gettable_params(void *context)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
        OSSL_PARAM_utf8_string(PARAM_STATISTICS, NULL, 0),
        OSSL_PARAM_END,
    };

    (void) context;
    return gettable;
}

static int give_text(OSSL_PARAM params[], const char *key, const char *value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, key);

    return !p || OSSL_PARAM_set_utf8_ptr(p, value);
}

static int get_params(void *context, OSSL_PARAM params[])
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, PARAM_STATISTICS);
    char line[STATISTICS_TEXT];

    (void) context;
    statistics_print(line, sizeof line);
    if (p && !OSSL_PARAM_set_utf8_string(p, line))
        return 0;
    return give_text(params, OSSL_PROV_PARAM_NAME, "ISA-L provider") &&
           give_text(params, OSSL_PROV_PARAM_VERSION, isal_crypto_get_version_str()) &&
           give_text(params, OSSL_PROV_PARAM_BUILDINFO, ISAL_CRYPTO_VERSION_STR) &&
           provider_give_int(params, OSSL_PROV_PARAM_STATUS, 1);
}

/* ---- Start and end ---- */

static const OSSL_ALGORITHM *query_operation(void *context, int operation, int *no_store)
{
    const struct settings *settings = ((struct provider *) context)->settings;

    *no_store = 0;
    switch (operation) {
    case OSSL_OP_DIGEST:
        return settings->digests;
    case OSSL_OP_MAC:
        return settings->macs;
    case OSSL_OP_CIPHER:
        return settings->ciphers;
    default:
        return NULL;
    }
}

static const OSSL_ITEM *get_reason_strings(void *context)
{
    (void) context;
    return reasons;
}

static void teardown(void *context)
{
    struct provider *provider = context;

    OSSL_LIB_CTX_free(provider->libctx);
    if (provider->settings && provider->settings->statistics)
        statistics_save(provider->settings->statistics);
    if (provider->settings)
        OPENSSL_free(provider->settings->statistics);
    free(provider->settings);
    free(provider);
}

/* Tests the offered algorithms again. */
static int self_test_all(void *context)
{
    struct provider *provider = context;
    const struct settings *s = provider->settings;
    int ok = !s->failed;

    for (const OSSL_ALGORITHM *a = s->digests; a->algorithm_names; a++)
        ok &= self_test(provider, OSSL_OP_DIGEST, a);
    for (const OSSL_ALGORITHM *a = s->macs; a->algorithm_names; a++)
        ok &= self_test(provider, OSSL_OP_MAC, a);
    for (const OSSL_ALGORITHM *a = s->ciphers; a->algorithm_names; a++)
        ok &= self_test(provider, OSSL_OP_CIPHER, a);
    return ok;
}

static const OSSL_DISPATCH functions[] = {
    ENTRY(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    ENTRY(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
    ENTRY(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
    ENTRY(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation),
    ENTRY(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, get_reason_strings),
    ENTRY(OSSL_FUNC_PROVIDER_SELF_TEST, self_test_all),
    {0, NULL},
};

ISAL_PUBLIC OSSL_provider_init_fn OSSL_provider_init;
ISAL_PUBLIC int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                                   const OSSL_DISPATCH **out, void **context)
{
    struct provider *provider = calloc(1, sizeof *provider);
    OSSL_FUNC_core_get_params_fn *core_get_params = NULL;

    if (!provider)
        return 0;
    error_handle = handle;
    for (const OSSL_DISPATCH *f = in; f->function_id; f++) {
        if (f->function_id == OSSL_FUNC_CORE_NEW_ERROR)
            new_error = OSSL_FUNC_core_new_error(f);
        else if (f->function_id == OSSL_FUNC_CORE_VSET_ERROR)
            vset_error = OSSL_FUNC_core_vset_error(f);
        else if (f->function_id == OSSL_FUNC_CORE_GET_PARAMS)
            core_get_params = OSSL_FUNC_core_get_params(f);
    }
    provider->handle = handle;
    provider->libctx = OSSL_LIB_CTX_new_child(handle, in);
    provider->settings = calloc(1, sizeof *provider->settings);
    if (!provider->libctx || !provider->settings ||
        !settings_read(provider->settings, handle, core_get_params, provider)) {
        teardown(provider);
        return 0;
    }
    async_start();
    *out = functions;
    *context = provider;
    return 1;
}
