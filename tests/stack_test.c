/* Measures the stack that functions with large local variables use: no more than headers promise.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE /* pthread_attr_setstack */

#include "test.h"

#include <pthread.h>

#include "isa-l.h"
#include "isa-l_crypto.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#define STACK_BYTES (1 << 19)
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

enum { TEXT = 1 << 17 };
static uint8_t text[TEXT], packed[2 * TEXT], back[TEXT];

static uint32_t deflate(uint32_t level)
{
    static uint8_t level_buf[1 << 20];
    static struct isal_zstream z;

    for (size_t i = 0; i < TEXT; i++)
        text[i] = (uint8_t) (i * i / 7 % 23 + (i >> 14));
    isal_deflate_init(&z);
    z.level = level;
    z.level_buf = level_buf;
    z.level_buf_size = isal_deflate_level_buf_size(level);
    z.next_in = text;
    z.avail_in = TEXT;
    z.next_out = packed;
    z.avail_out = sizeof packed;
    z.end_of_stream = 1;
    EXPECT(isal_deflate(&z) == COMP_OK, "level %u", level);
    return z.total_out;
}

static void run_deflate(void)
{
    for (uint32_t level = 0; level <= ISAL_DEF_HIGHEST_LEVEL; level++)
        deflate(level);
}

static void run_inflate(void)
{
    static struct inflate_state s;
    static uint32_t bytes;

    if (!bytes)
        bytes = deflate(1); /* in the first call, which is not measured */
    isal_inflate_init(&s);
    s.next_in = packed;
    s.avail_in = bytes;
    s.next_out = back;
    s.avail_out = TEXT;
    EXPECT(isal_inflate(&s) == ISAL_DECOMP_OK && s.total_out == TEXT, "inflate");
}

static void run_hufftables(void)
{
    static struct isal_huff_histogram histogram;
    static struct isal_hufftables tables;

    isal_update_histogram(text, TEXT, &histogram);
    EXPECT(isal_create_hufftables(&tables, &histogram) == 0, "tables");
}

static void run_erasure_code(void)
{
    static uint8_t a[200 * 180], tables[32 * 180 * 20], shards[200][256], *pointers[200];
    static uint64_t plan[100000];
    int lost[20];

    for (int i = 0; i < 200; i++)
        pointers[i] = shards[i];
    for (int i = 0; i < 20; i++)
        lost[i] = 9 * i;
    gf_gen_cauchy1_matrix(a, 200, 180);
    ec_init_tables(180, 20, a + 180 * 180, tables);
    ec_encode_data(256, 180, 20, tables, pointers, pointers + 180);
    EXPECT(isal_ec_decode_size(180, 200, 20) <= sizeof plan &&
               !isal_ec_decode_init((struct isal_ec_decode *) plan, 180, 200, a, lost, 20) &&
               !isal_ec_decode_data((struct isal_ec_decode *) plan, 256, pointers),
           "decoding");
}

static void run_raid(void)
{
    static uint8_t buffers[40][4096];
    void *array[40];

    for (int i = 0; i < 40; i++)
        array[i] = buffers[i];
    EXPECT(!xor_gen(40, 4096, array) && !pq_gen(40, 4096, array) && !pq_check(40, 4096, array) &&
               !isal_pq_recover(40, 4096, array, 1, 2),
           "RAID");
}

static void run_crc(void)
{
    static struct isal_crc crc;

    isal_crc_init(&crc, isal_crc_find("CRC-40/GSM"));
    EXPECT(isal_crc_compute(&crc, text, TEXT) && crc64_ecma_refl(0, text, TEXT) &&
               crc32_ieee(0, text, TEXT),
           "CRC");
}

static void run_aes(void)
{
    struct isal_gcm_key_data key;
    struct isal_gcm_context_data context;
    uint8_t tag[16];

    EXPECT(
        !isal_aes_gcm_pre_256(text, &key) &&
            !isal_aes_gcm_enc_256(&key, &context, packed, text, 5000, text, text, 100, tag, 16) &&
            !isal_aes_xts_enc_256(text, text + 32, text, 5000, text, packed),
        "AES");
}

static void run_multi_hash(void)
{
    static struct isal_mh_sha256_ctx context;
    uint32_t digest[8];

    EXPECT(!isal_mh_sha256_init(&context) && !isal_mh_sha256_update(&context, text, 5000) &&
               !isal_mh_sha256_finalize(&context, digest),
           "multi-hash");
}

static void run_self_test(void)
{
    EXPECT(!isal_self_test(NULL), "self test");
}

static void run_crypto_self_test(void)
{
    EXPECT(!isal_crypto_self_test(NULL), "self test");
}

static const struct {
    const char *name;
    void (*run)(void);
    size_t limit; /* bytes of stack that the header promises */
} functions[] = {
    {"isal_md5_mb_hash", run_md5, 10 << 10},
    {"isal_sha1_mb_hash", run_sha1, 8 << 10},
    {"isal_sha256_mb_hash", run_sha256, 8 << 10},
    {"isal_sha512_mb_hash", run_sha512, 8 << 10},
    {"isal_sm3_mb_hash", run_sm3, 8 << 10},
    {"isal_ec_is_mds", run_is_mds, 8 << 10},
    {"isal_deflate", run_deflate, 44 << 10},
    {"isal_inflate", run_inflate, 64 << 10},
    {"isal_create_hufftables", run_hufftables, 24 << 10},
    {"isal_ec_decode_init", run_erasure_code, 8 << 10},
    {"RAID", run_raid, 8 << 10},
    {"CRCs", run_crc, 20 << 10},
    {"AES", run_aes, 8 << 10},
    {"multi-hash", run_multi_hash, 8 << 10},
    {"isal_self_test", run_self_test, 256 << 10},
    {"isal_crypto_self_test", run_crypto_self_test, 24 << 10},
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
