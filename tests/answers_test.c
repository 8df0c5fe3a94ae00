/* The known answers of both libraries, right and wrong, and the texts of error codes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "dispatch/compiler.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dispatch/families.h"
#include "dispatch/tiers.h"
#include "isa-l.h"
#include "isa-l_crypto.h"
#include "tests/test.h"

static const char *const tiers[] = {TIERS(TIER_NAME)};

static void test_tiers(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(tiers); i++) {
        const char *failed = "none";

        isal_set_isa_limit(tiers[i]);
        isal_crypto_set_isa_limit(tiers[i]);
        EXPECT(isal_self_test(&failed) == 0, "%s: %s", tiers[i], failed);
        EXPECT(isal_crypto_self_test(&failed) == 0, "%s: %s", tiers[i], failed);
    }
    isal_set_isa_limit(NULL);
    isal_crypto_set_isa_limit(NULL);
}

#if ISALK_ASM

/* Stands in for any kernel and does nothing. The calling conventions in use allow this. */
static void idle(void)
{
}

/* Returns whether a self test fails, crashes or never ends when this kernel does nothing. It runs
 * in a process of its own. */
static int notices(int (*self_test)(const char **), const struct kernel *kernel)
{
    pid_t child = fork();
    int status = 0;

    if (!child) {
        alarm(1);
        atomic_store(kernel->slot, (kernel_fn) idle);
        _exit(self_test(NULL) != 0);
    }
    waitpid(child, &status, 0);
    return child > 0 && status != 0;
}

/* Kernels that the self tests do not need. They do not call the functions of some: many buffers,
 * expanded keys, pieces, large buffers. Without the kernels of compression, its output grows, but
 * stays correct. */
static int is_untested(const char *kernel)
{
    static const char *const others[] = {"_mb", "sectors", "expanded", "_update",
                                         "_nt", "ghash",   "deflate_"};

    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        if (strstr(kernel, others[i]))
            return 1;
    return 0;
}

/* Replaces the kernels of n families by a wrong one, one at a time: the self test must notice. */
static void wrong_kernels(int (*self_test)(const char **), const struct family *const *families,
                          size_t n)
{
    size_t noticed = 0;

    for (size_t f = 0; f < n; f++)
        for (unsigned k = 0; k < families[f]->count; k++) {
            const struct kernel *kernel = &families[f]->kernels[k];
            int found = kernel->slot && notices(self_test, kernel);

            noticed += (size_t) found;
            EXPECT(!kernel->slot || found || is_untested(kernel->name),
                   "%s does nothing, and the self test passes", kernel->name);
        }
    EXPECT(noticed > 20, "%zu kernels", noticed);
}

static void test_wrong_kernels(void)
{
    static const struct family *const families[] = {ISAL_FAMILIES(FAMILY_ENTRY)};
    static const struct family *const crypto_families[] = {ISAL_CRYPTO_FAMILIES(FAMILY_ENTRY)};

    wrong_kernels(isal_self_test, families, ARRAY_SIZE(families));
    wrong_kernels(isal_crypto_self_test, crypto_families, ARRAY_SIZE(crypto_families));
}

#endif

/* Every code from first to last has a text of its own; all other codes share one. */
static void test_texts(const char *(*text)(int), int first, int last, const char *codes)
{
    const char *unknown = text(last + 100);

    EXPECT(unknown && *unknown, "%s: no text for unknown codes", codes);
    for (int code = first; code <= last; code++) {
        EXPECT(text(code) && *text(code), "%s: no text for %d", codes, code);
        for (int other = first; other < code; other++)
            EXPECT(strcmp(text(code), text(other)) || text(code) == unknown,
                   "%s: %d and %d have one text", codes, code, other);
    }
}

static void test_deflate_texts(void)
{
    static const int codes[] = {COMP_OK,
                                INVALID_FLUSH,
                                INVALID_PARAM,
                                STATELESS_OVERFLOW,
                                ISAL_INVALID_OPERATION,
                                ISAL_INVALID_STATE,
                                ISAL_INVALID_LEVEL,
                                ISAL_INVALID_LEVEL_BUF};

    test_texts(isal_deflate_strerror, -9, 0, "compression");
    for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
        EXPECT(strcmp(isal_deflate_strerror(codes[i]), isal_deflate_strerror(1)), "%d", codes[i]);
}

static void test_inflate_texts(void)
{
    test_texts(isal_inflate_strerror, -6, 6, "decompression");
    for (int code = -6; code <= 6; code++)
        EXPECT(strcmp(isal_inflate_strerror(code), isal_inflate_strerror(7)), "%d", code);
}

static void test_crypto_texts(void)
{
    test_texts(isal_crypto_strerror, ISAL_CRYPTO_ERR_NULL_SRC, ISAL_CRYPTO_ERR_MAX - 1, "crypto");
    for (int code = ISAL_CRYPTO_ERR_NULL_SRC; code < ISAL_CRYPTO_ERR_MAX; code++)
        EXPECT(strcmp(isal_crypto_strerror(code), isal_crypto_strerror(1)), "%d", code);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_tiers);
#if ISALK_ASM
    TEST(test_wrong_kernels);
#endif
    TEST(test_deflate_texts);
    TEST(test_inflate_texts);
    TEST(test_crypto_texts);
    return test_finish();
}
