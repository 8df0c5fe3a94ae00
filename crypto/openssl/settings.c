/* Settings of the provider: its section of openssl.cnf.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/settings.h"

#include "crypto/openssl/async.h"
#include "crypto/openssl/statistics.h"
#include "isa-l_crypto/isal_crypto_api.h"

#include <stdlib.h>
#include <string.h>

/* The default algorithms: the ciphers that are never slower than those of OpenSSL's default
 * provider. Without VAES, XTS of 1 KB and more has 0.88 times the speed of OpenSSL 3.0's (Emerald
 * Rapids with ISAL_ISA=avx). */
#define WITH_VAES "CIPHERS"
#define WITHOUT_VAES                                               \
    "AES-128-CBC,AES-192-CBC,AES-256-CBC,AES-128-CTR,AES-192-CTR," \
    "AES-256-CTR,AES-128-GCM,AES-256-GCM"

static char *default_algorithms(void)
{
    const char *variant = isal_crypto_get_kernel("aes_xts_enc_128");

    return variant && strstr(variant, "_v") ? WITH_VAES : WITHOUT_VAES;
}

/* Returns whether `word`, n characters, is one of the names "A:B:C". */
static int is_name(const char *names, const char *word, size_t n)
{
    while (*names) {
        size_t length = strcspn(names, ":");

        if (length == n && !OPENSSL_strncasecmp(names, word, n))
            return 1;
        names += length + (names[length] == ':');
    }
    return 0;
}

/* Returns whether the comma-separated list chooses an algorithm of the group. */
static int chosen(const char *list, const char *group, const char *names)
{
    while (*list) {
        size_t n;

        list += strspn(list, ", ");
        n = strcspn(list, ", ");
        if (n && (is_name("ALL", list, n) || is_name(group, list, n) || is_name(names, list, n)))
            return 1;
        list += n;
    }
    return 0;
}

struct group {
    const char *name;
    int operation;
    const OSSL_ALGORITHM *all;
};
static const struct group groups[] = {
    {"DIGESTS", OSSL_OP_DIGEST, provider_digests},
    {"HMAC", OSSL_OP_MAC, provider_macs},
    {"CIPHERS", OSSL_OP_CIPHER, provider_ciphers},
    {"RECORDS", OSSL_OP_CIPHER, provider_record_ciphers},
};
#define GROUPS (sizeof groups / sizeof groups[0])

/* Returns whether every word of the list names a group or an algorithm. */
static int valid_list(const char *list)
{
    while (*list) {
        size_t n, known = 0;

        list += strspn(list, ", ");
        n = strcspn(list, ", ");
        for (size_t g = 0; g < GROUPS; g++) {
            known |= (size_t) (is_name("ALL", list, n) || is_name(groups[g].name, list, n));
            for (const OSSL_ALGORITHM *a = groups[g].all; a->algorithm_names; a++)
                known |= (size_t) is_name(a->algorithm_names, list, n);
        }
        if (n && !known)
            return 0;
        list += n;
    }
    return 1;
}

/* Reads a decimal number from 1 to max; returns whether it is one. */
static int read_number(const char *text, unsigned long max, unsigned long *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return 0;
    *value = strtoul(text, &end, 10);
    return !*end && *value && *value <= max;
}

/* Sets the settings of asynchronous jobs to the arguments, or to defaults where these are NULL. */
static int read_async(const char *on, const char *small)
{
    unsigned long value;

    async_settings.on = 1;
    async_settings.small_request_bytes = 0;
    if (on && strcmp(on, "on") && strcmp(on, "off"))
        return 0;
    if (on)
        async_settings.on = !strcmp(on, "on");
    if (small) {
        if (!read_number(small, 1UL << 30, &value))
            return 0;
        async_settings.small_request_bytes = value;
    }
    return 1;
}

int settings_read(struct settings *settings, const OSSL_CORE_HANDLE *handle,
                  OSSL_FUNC_core_get_params_fn *get_params, struct provider *provider)
{
    OSSL_ALGORITHM *digests = settings->digests, *macs = settings->macs;
    OSSL_ALGORITHM *ciphers = settings->ciphers;
    char *algorithms = NULL, *isa = NULL, *statistics = NULL;
    char *async = NULL, *small = NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_ptr("algorithms", &algorithms, 0),
        OSSL_PARAM_construct_utf8_ptr("isa", &isa, 0),
        OSSL_PARAM_construct_utf8_ptr("statistics", &statistics, 0),
        OSSL_PARAM_construct_utf8_ptr("async", &async, 0),
        OSSL_PARAM_construct_utf8_ptr("small_request_bytes", &small, 0),
        OSSL_PARAM_END,
    };

    if (get_params && !get_params(handle, params))
        return provider_error(REASON_CONFIG);
    if ((isa && isal_crypto_set_isa_limit(isa)) || !read_async(async, small))
        return provider_error(REASON_CONFIG);
    if (!algorithms)
        algorithms = default_algorithms();
    if (!valid_list(algorithms))
        return provider_error(REASON_CONFIG);
    if (statistics)
        settings->statistics = OPENSSL_strdup(statistics);
    for (size_t g = 0; g < GROUPS; g++) {
        OSSL_ALGORITHM **to = groups[g].operation == OSSL_OP_DIGEST ? &digests
                              : groups[g].operation == OSSL_OP_MAC  ? &macs
                                                                    : &ciphers;

        for (const OSSL_ALGORITHM *a = groups[g].all; a->algorithm_names; a++) {
            if (!chosen(algorithms, groups[g].name, a->algorithm_names))
                continue;
            if (self_test(provider, groups[g].operation, a)) {
                *(*to)++ = *a;
            } else {
                settings->failed++;
                provider_error(REASON_SELF_TEST);
            }
        }
    }
    provider_statistics.enabled = statistics != NULL; /* the self-test does not count */
    return 1;
}
