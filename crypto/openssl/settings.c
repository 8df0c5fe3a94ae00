/* Settings of the provider: its section of openssl.cnf.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/settings.h"

#include "isa-l_crypto/isal_crypto_api.h"

#include <string.h>

/* The algorithms that are never slower than those of the default provider. */
#define DEFAULT_ALGORITHMS "CIPHERS"

/* Whether `word`, n characters, is one of the names "A:B:C". */
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

/* Whether the comma-separated list chooses an algorithm of the group. */
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
};
#define GROUPS (sizeof groups / sizeof groups[0])

/* Whether every word of the list names a group or an algorithm. */
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

int settings_read(struct settings *settings, const OSSL_CORE_HANDLE *handle,
                  OSSL_FUNC_core_get_params_fn *get_params, struct provider *provider)
{
    OSSL_ALGORITHM *to[GROUPS] = {settings->digests, settings->macs, settings->ciphers};
    char *algorithms = NULL, *isa = NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_ptr("algorithms", &algorithms, 0),
        OSSL_PARAM_construct_utf8_ptr("isa", &isa, 0),
        OSSL_PARAM_END,
    };

    if (get_params && !get_params(handle, params))
        return provider_error(REASON_CONFIG);
    if (!algorithms)
        algorithms = DEFAULT_ALGORITHMS;
    if (!valid_list(algorithms) || (isa && isal_crypto_set_isa_limit(isa)))
        return provider_error(REASON_CONFIG);
    for (size_t g = 0; g < GROUPS; g++)
        for (const OSSL_ALGORITHM *a = groups[g].all; a->algorithm_names; a++) {
            if (!chosen(algorithms, groups[g].name, a->algorithm_names))
                continue;
            if (self_test(provider, groups[g].operation, a)) {
                *to[g]++ = *a;
            } else {
                settings->failed++;
                provider_error(REASON_SELF_TEST);
            }
        }
    return 1;
}
