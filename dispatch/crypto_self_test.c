/* Known answers of every algorithm of libisal_crypto.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Inputs are long enough to fill all lanes and to reach the main loops and the tails of the kernels
 * in use. The SHA-256 of each algorithm's output is compared with the expected one. */

#include <string.h>

#include "isa-l_crypto.h"

#include "bytes.h"
#include "fips.h"

enum { BYTES = 6000, MESSAGES = 33, STEP = 61, OUTPUT = 2048 };

struct run {
    uint8_t data[BYTES]; /* the input of every test */
    uint8_t output[OUTPUT], decrypted[OUTPUT];
    size_t output_bytes;
    int failed;
};

static const uint8_t *iv_of(const struct run *r)
{
    return r->data + 128;
}

/* Fails unless the decrypted text is the input. */
static void expect_input(struct run *r, size_t n)
{
    r->failed |= memcmp(r->decrypted, r->data, n);
}

static void hash_messages(struct run *r, size_t digest_size,
                          int (*hash)(const void *const *, const uint64_t *, size_t, void *))
{
    const void *messages[MESSAGES];
    uint64_t lengths[MESSAGES];

    for (size_t i = 0; i < MESSAGES; i++) {
        messages[i] = r->data + i;
        lengths[i] = STEP * i;
    }
    r->failed |= hash(messages, lengths, MESSAGES, r->output);
    r->output_bytes = MESSAGES * digest_size;
}

#define HASH(name, digest_size)                               \
    static void test_##name(struct run *r)                    \
    {                                                         \
        hash_messages(r, digest_size, isal_##name##_mb_hash); \
    }
HASH(md5, 16)
HASH(sha1, 20)
HASH(sha256, 32)
HASH(sha512, 64)
HASH(sm3, 32)

#define CBC(bits)                                                                           \
    static void test_aes_cbc_##bits(struct run *r)                                          \
    {                                                                                       \
        uint8_t enc[16 * 15], dec[16 * 15];                                                 \
                                                                                            \
        r->failed |= isal_aes_keyexp_##bits(r->data, enc, dec);                             \
        r->failed |= isal_aes_cbc_enc_##bits(r->data, iv_of(r), enc, r->output, 2000);      \
        r->failed |= isal_aes_cbc_dec_##bits(r->output, iv_of(r), dec, r->decrypted, 2000); \
        r->output_bytes = 2000;                                                             \
        expect_input(r, 2000);                                                              \
    }
CBC(128)
CBC(192)
CBC(256)

#define CTR(bits)                                                                  \
    static void test_aes_ctr_##bits(struct run *r)                                 \
    {                                                                              \
        uint8_t enc[16 * 15], dec[16 * 15];                                        \
                                                                                   \
        r->failed |= isal_aes_keyexp_##bits(r->data, enc, dec);                    \
        r->failed |= isal_aes_ctr_##bits(r->data, iv_of(r), enc, r->output, 1999); \
        r->output_bytes = 1999;                                                    \
    }
CTR(128)
CTR(192)
CTR(256)

#define GCM(bits)                                                                                \
    static void test_aes_gcm_##bits(struct run *r)                                               \
    {                                                                                            \
        struct isal_gcm_key_data key;                                                            \
        struct isal_gcm_context_data context;                                                    \
        uint8_t tag[16];                                                                         \
                                                                                                 \
        r->failed |= isal_aes_gcm_pre_##bits(r->data, &key);                                     \
        r->failed |= isal_aes_gcm_enc_##bits(&key, &context, r->output, r->data, 1999, iv_of(r), \
                                             r->data, 37, r->output + 1999, 16);                 \
        r->failed |= isal_aes_gcm_dec_##bits(&key, &context, r->decrypted, r->output, 1999,      \
                                             iv_of(r), r->data, 37, tag, 16);                    \
        r->failed |= memcmp(tag, r->output + 1999, 16);                                          \
        r->output_bytes = 1999 + 16;                                                             \
        expect_input(r, 1999);                                                                   \
    }
GCM(128)
GCM(256)

#define XTS(bits)                                                                               \
    static void test_aes_xts_##bits(struct run *r)                                              \
    {                                                                                           \
        r->failed |=                                                                            \
            isal_aes_xts_enc_##bits(r->data + 64, r->data, iv_of(r), 1999, r->data, r->output); \
        r->failed |= isal_aes_xts_dec_##bits(r->data + 64, r->data, iv_of(r), 1999, r->output,  \
                                             r->decrypted);                                     \
        r->output_bytes = 1999;                                                                 \
        expect_input(r, 1999);                                                                  \
    }
XTS(128)
XTS(256)

/* The multi-hashes give words in host order; digests are compared as bytes. */
static void put_digest(struct run *r, const uint32_t *words, size_t n, size_t output_bytes)
{
    for (size_t i = 0; i < 4 * n; i++)
        r->output[i] = (uint8_t) (words[i / 4] >> (24 - 8 * (i % 4)));
    r->output_bytes = output_bytes;
}

#define MULTI_HASH(name, words, bytes, begin, end)                  \
    static void test_##name(struct run *r)                          \
    {                                                               \
        struct isal_##name##_ctx context;                           \
        uint32_t digest[words];                                     \
                                                                    \
        r->failed |= isal_##name##_init begin;                      \
        r->failed |= isal_##name##_update(&context, r->data, 5000); \
        r->failed |= isal_##name##_finalize end;                    \
        put_digest(r, digest, words, bytes);                        \
    }
MULTI_HASH(mh_sha1, ISAL_SHA1_DIGEST_WORDS, 20, (&context), (&context, digest))
MULTI_HASH(mh_sha256, ISAL_SHA256_DIGEST_WORDS, 32, (&context), (&context, digest))
/* The digest of MurmurHash3, 16 bytes, follows that of mh_sha1. */
MULTI_HASH(mh_sha1_murmur3_x64_128, ISAL_SHA1_DIGEST_WORDS, 36, (&context, 42),
           (&context, digest, r->output + 20))

static void test_rolling_hash2(struct run *r)
{
    struct isal_rh_state2 state;
    uint32_t at = 32, offset;
    int match = ISAL_FINGERPRINT_RET_HIT;

    r->failed |= isal_rolling_hash2_init(&state, 32);
    r->failed |= isal_rolling_hash2_reset(&state, r->data);
    for (r->output_bytes = 0; !r->failed && r->output_bytes + 4 <= OUTPUT; r->output_bytes += 4) {
        r->failed |=
            isal_rolling_hash2_run(&state, r->data + at, BYTES - at, 31, 0, &offset, &match);
        at += offset;
        if (match != ISAL_FINGERPRINT_RET_HIT)
            return;
        store_le32(r->output + r->output_bytes, at);
    }
    r->failed = 1; /* more matches than expected */
}

static const struct {
    const char *name;
    void (*test)(struct run *r);
    uint64_t answer;
} tests[] = {
#define ANSWER(name, answer) {#name, test_##name, answer},
#include "self_test_answers.h"
#undef ANSWER
};

/* FIPS mode refuses the other algorithms. */
static int is_approved(const char *name)
{
    return !strncmp(name, "aes_", 4) || !strncmp(name, "sha", 3);
}

ISAL_PUBLIC int isal_crypto_self_test(const char **failed)
{
    struct run r;

    for (size_t i = 0; i < BYTES; i++)
        r.data[i] = (uint8_t) (131 * i + 7 * (i >> 8) + 3);
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        const void *message = r.output;
        uint8_t digest[32];
        uint64_t length;

        if (FIPS && !is_approved(tests[i].name))
            continue;
        r.failed = 0;
        r.output_bytes = 0;
        memset(r.output, 0, sizeof(r.output));
        memset(r.decrypted, 0, sizeof(r.decrypted));
        tests[i].test(&r);
        length = r.output_bytes;
        r.failed |= isal_sha256_mb_hash(&message, &length, 1, digest);
        if (r.failed || load_be64(digest) != tests[i].answer) {
            if (failed)
                *failed = tests[i].name;
            return ISAL_CRYPTO_ERR_SELF_TEST;
        }
    }
    return ISAL_CRYPTO_ERR_NONE;
}
