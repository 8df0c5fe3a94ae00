/* Known answers of every algorithm of libisal_crypto.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Inputs are long enough to fill all lanes and to reach the main loops and the tails of the kernels
 * in use. What an algorithm makes is compared by its SHA-256, which is compared first. */

#include <string.h>

#include "isa-l_crypto.h"

#include "compiler.h"

enum { BYTES = 6000, MESSAGES = 33, STEP = 61, OUTPUT = 2048 };

struct run {
    uint8_t data[BYTES]; /* the input of every test */
    uint8_t output[OUTPUT], back[OUTPUT];
    size_t used; /* bytes of output */
    int failed;
};

static const uint8_t *iv_of(const struct run *r)
{
    return r->data + 128;
}

/* Fails unless what was decrypted is the input. */
static void expect_input(struct run *r, size_t n)
{
    r->failed |= memcmp(r->back, r->data, n);
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
    r->used = MESSAGES * digest_size;
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

#define CBC(bits)                                                                      \
    static void test_aes_cbc_##bits(struct run *r)                                     \
    {                                                                                  \
        uint8_t enc[16 * 15], dec[16 * 15];                                            \
                                                                                       \
        r->failed |= isal_aes_keyexp_##bits(r->data, enc, dec);                        \
        r->failed |= isal_aes_cbc_enc_##bits(r->data, iv_of(r), enc, r->output, 2000); \
        r->failed |= isal_aes_cbc_dec_##bits(r->output, iv_of(r), dec, r->back, 2000); \
        r->used = 2000;                                                                \
        expect_input(r, 2000);                                                         \
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
        r->used = 1999;                                                            \
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
        r->failed |= isal_aes_gcm_dec_##bits(&key, &context, r->back, r->output, 1999, iv_of(r), \
                                             r->data, 37, tag, 16);                              \
        r->failed |= memcmp(tag, r->output + 1999, 16);                                          \
        r->used = 1999 + 16;                                                                     \
        expect_input(r, 1999);                                                                   \
    }
GCM(128)
GCM(256)

#define XTS(bits)                                                                               \
    static void test_aes_xts_##bits(struct run *r)                                              \
    {                                                                                           \
        r->failed |=                                                                            \
            isal_aes_xts_enc_##bits(r->data + 64, r->data, iv_of(r), 1999, r->data, r->output); \
        r->failed |=                                                                            \
            isal_aes_xts_dec_##bits(r->data + 64, r->data, iv_of(r), 1999, r->output, r->back); \
        r->used = 1999;                                                                         \
        expect_input(r, 1999);                                                                  \
    }
XTS(128)
XTS(256)

/* The multi-hashes give words in host order; digests are compared as bytes. */
static void put_digest(struct run *r, const uint32_t *words, size_t n, size_t used)
{
    for (size_t i = 0; i < 4 * n; i++)
        r->output[i] = (uint8_t) (words[i / 4] >> (24 - 8 * (i % 4)));
    r->used = used;
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
/* The digest of Murmur, 16 bytes, follows the other. */
MULTI_HASH(mh_sha1_murmur3_x64_128, ISAL_SHA1_DIGEST_WORDS, 36, (&context, 42),
           (&context, digest, r->output + 20))

static void test_rolling_hash2(struct run *r)
{
    struct isal_rh_state2 state;
    uint32_t at = 32, offset;
    int match = ISAL_FINGERPRINT_RET_HIT;

    r->failed |= isal_rolling_hash2_init(&state, 32);
    r->failed |= isal_rolling_hash2_reset(&state, r->data);
    for (r->used = 0; !r->failed && r->used + 4 <= OUTPUT; r->used += 4) {
        r->failed |=
            isal_rolling_hash2_run(&state, r->data + at, BYTES - at, 31, 0, &offset, &match);
        at += offset;
        if (match != ISAL_FINGERPRINT_RET_HIT)
            return;
        for (size_t i = 0; i < 4; i++)
            r->output[r->used + i] = (uint8_t) (at >> 8 * i);
    }
    r->failed = 1; /* more matches than there are */
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

ISAL_PUBLIC int isal_crypto_self_test(const char **failed)
{
    struct run r;

    for (size_t i = 0; i < BYTES; i++)
        r.data[i] = (uint8_t) (131 * i + 7 * (i >> 8) + 3);
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        const void *message = r.output;
        uint8_t digest[32];
        uint64_t length, answer = 0;

        r.failed = 0;
        r.used = 0;
        memset(r.output, 0, sizeof(r.output));
        memset(r.back, 0, sizeof(r.back));
        tests[i].test(&r);
        length = r.used;
        r.failed |= isal_sha256_mb_hash(&message, &length, 1, digest);
        for (size_t k = 0; k < 8; k++)
            answer = answer << 8 | digest[k];
        if (r.failed || answer != tests[i].answer) {
            if (failed)
                *failed = tests[i].name;
            return ISAL_CRYPTO_ERR_SELF_TEST;
        }
    }
    return ISAL_CRYPTO_ERR_NONE;
}
