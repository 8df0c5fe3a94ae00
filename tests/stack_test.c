/* Measures the stack of functions with large local variables: at most what their headers promise.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE /* pthread_attr_setstack */

#include "test.h"

#include <pthread.h>

#include "isa-l/erasure_code.h"
#include "isa-l_crypto/isal_crypto_api.h"
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#define STACK_BYTES (1 << 18)
#define UNUSED 0x5a
#define MESSAGES 100

static _Alignas(4096) uint8_t stack[STACK_BYTES];

/* ---- The functions ---- */

#define MB_HASH(name)                                                            \
    static void run_##name(void)                                                 \
    {                                                                            \
        static uint8_t data[20 * MESSAGES], digests[64 * MESSAGES];              \
        static const void *buffers[MESSAGES];                                    \
        static uint64_t lens[MESSAGES];                                          \
                                                                                 \
        for (size_t i = 0; i < MESSAGES; i++) {                                  \
            buffers[i] = data;                                                   \
            lens[i] = 20 * i;                                                    \
        }                                                                        \
        EXPECT(!isal_##name##_mb_hash(buffers, lens, MESSAGES, digests), #name); \
    }
MB_HASH(md5)
MB_HASH(sha1)
MB_HASH(sha256)
MB_HASH(sha512)
MB_HASH(sm3)

/* Not a Cauchy matrix, so that all minors are computed. */
static void run_is_mds(void)
{
    static uint8_t a[24 * 10];

    gf_gen_cauchy1_matrix(a, 24, 10);
    for (int i = 10; i < 24; i++)
        for (int j = 0; j < 10; j++)
            a[10 * i + j] = gf_mul(a[10 * i + j], (uint8_t) (i * i + 1));
    EXPECT(isal_ec_is_mds(a, 24, 10) == 1, "a Cauchy matrix with scaled rows");
}

static const struct {
    const char *name;
    void (*run)(void);
    size_t limit; /* bytes of stack that the header promises */
} functions[] = {
    {"isal_md5_mb_hash", run_md5, 10 << 10},      {"isal_sha1_mb_hash", run_sha1, 8 << 10},
    {"isal_sha256_mb_hash", run_sha256, 8 << 10}, {"isal_sha512_mb_hash", run_sha512, 8 << 10},
    {"isal_sm3_mb_hash", run_sm3, 8 << 10},       {"isal_ec_is_mds", run_is_mds, 8 << 10},
};

/* ---- The measurement ---- */

static const uint8_t *frame; /* address in the frame of the thread's first function */

static void *run(void *function)
{
    volatile uint8_t here = 0;
    size_t i;

    memcpy(&i, function, sizeof i);
    frame = (const uint8_t *) &here;
    functions[i].run();
    return NULL;
}

/* Bytes of stack that a function uses, measured on a thread whose stack has known contents. The
 * result is at least the one or two KB that the exit of a thread uses. */
static size_t stack_used(size_t function)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t lowest = 0;

    memset(stack, UNUSED, sizeof stack);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, sizeof stack) ||
        pthread_create(&thread, &attributes, run, &function)) {
        test_skip("no thread with a stack of %zu bytes", sizeof stack);
        return 0;
    }
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    while (lowest < sizeof stack && stack[lowest] == UNUSED)
        lowest++;
    return (size_t) (frame - (stack + lowest));
}

static void test_stack(void)
{
    static const char *const tiers[] = {"base", "sse", "avx", "avx2", "avx512", NULL};

#if SANITIZED
    test_skip("a sanitizer enlarges frames");
    return;
#endif
    for (int t = 0; tiers[t]; t++) {
        isal_set_isa_limit(tiers[t]);
        isal_crypto_set_isa_limit(tiers[t]);
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
            size_t used;
            functions[i].run(); /* the first call also runs the dynamic linker */
            used = stack_used(i);
            EXPECT(used <= functions[i].limit, "%s %s: %zu bytes of stack", functions[i].name,
                   tiers[t], used);
        }
    }
    isal_set_isa_limit(NULL);
    isal_crypto_set_isa_limit(NULL);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_stack);
    return test_finish();
}
