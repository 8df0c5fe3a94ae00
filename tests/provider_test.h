/* Shared by the tests of the OpenSSL provider: this build's module beside the default provider.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each test makes the same calls to an algorithm of both, and compares results, output and
 * parameters. */

#ifndef PROVIDER_TEST_H
#define PROVIDER_TEST_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "test.h"

#include <unistd.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#define BOTH 2
static OSSL_LIB_CTX *library;

__attribute__((unused)) static const char *const provider_of[BOTH] = {"provider=default",
                                                                      "provider=isal"};

/* The steps of the sequence in progress, for the message of a failure. */
static char steps[4000];
static size_t steps_length;

static inline void steps_clear(void)
{
    steps_length = 0;
    steps[0] = 0;
}

__attribute__((format(printf, 1, 2))) static inline int step(const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(steps + steps_length, sizeof steps - steps_length, format, args);
    va_end(args);
    if (n > 0 && (size_t) n < sizeof steps - steps_length)
        steps_length += (size_t) n;
    return 1;
}

/* Makes the library context with both providers; `settings` are lines of isal's section. Returns
 * whether isal is available. */
static inline int provider_configure(const char *settings)
{
    const char *folder = getenv("ISAL_PROVIDER_FOLDER");
    char name[] = "/tmp/provider_test.XXXXXX";
    int file = mkstemp(name);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");

    library = OSSL_LIB_CTX_new();
    if (!EXPECT(library && f, "no library context or file"))
        return 0;
    fprintf(f,
            "openssl_conf = init\n[init]\nproviders = list\n[list]\ndefault = default_section\n"
            "isal = isal_section\n[default_section]\nactivate = 1\n[isal_section]\n%s"
            "activate = 1\n",
            settings);
    fclose(f);
    OSSL_PROVIDER_set_default_search_path(library, folder ? folder : ".libs");
    OSSL_LIB_CTX_load_config(library, name);
    remove(name);
    return OSSL_PROVIDER_available(library, "isal");
}

static inline int provider_load(void)
{
    int loads = provider_configure("algorithms = ALL\n");

    if (!loads)
        ERR_print_errors_fp(stdout);
    return EXPECT(loads, "isal.so does not load");
}

/* A length of a piece: mostly short, sometimes long. */
static inline size_t random_length(size_t max)
{
    unsigned limit = test_random(4) ? 50 : test_random(4) ? 600 : (unsigned) max;

    return test_random(limit < max ? limit : (unsigned) max);
}

/* The answers of both to the same call: equal, or the test fails. */
#define SAME(answer, what)                                                                   \
    EXPECT((answer)[0] == (answer)[1], "%s: default %d, isal %d after%s", what,              \
           (int) (answer)[0], (int) (answer)[1], steps)
#define SAME_BYTES(a, b, n, what) \
    EXPECT(!memcmp(a, b, (size_t) (n)), "%s: other %zu bytes after%s", what, (size_t) (n), steps)

#endif
