/* Digests and HMAC of the OpenSSL provider against those of the default provider.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "provider_test.h"

#include <openssl/kdf.h>

#define MAX_BYTES 20000
static uint8_t data[MAX_BYTES];

static const char *const digests[] = {"MD5",      "SHA1",     "SHA2-224", "SHA2-256",
                                      "SHA2-384", "SHA2-512", "SM3"};
#define DIGESTS (sizeof digests / sizeof digests[0])

static void compare_descriptions(const char *name, EVP_MD *const md[BOTH])
{
    unsigned long flags[BOTH];
    int size[BOTH], block[BOTH];

    for (int i = 0; i < BOTH; i++) {
        flags[i] = EVP_MD_get_flags(md[i]);
        size[i] = EVP_MD_get_size(md[i]);
        block[i] = EVP_MD_get_block_size(md[i]);
    }
    step(" %s", name);
    SAME(flags, "flags");
    SAME(size, "size");
    SAME(block, "block size");
    EXPECT(!strcmp(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md[1])), "isal"), "%s", name);
}

static void digest_step(EVP_MD *const md[BOTH], EVP_MD_CTX *context[BOTH])
{
    uint8_t out[BOTH][EVP_MAX_MD_SIZE] = {{0}};
    unsigned n[BOTH] = {0, 0};
    int answer[BOTH];
    size_t at = test_random(64), bytes = random_length(MAX_BYTES - 64);
    unsigned what = test_random(12);

    for (int i = 0; i < BOTH; i++) {
        EVP_MD_CTX *copy;

        if (what == 0) {
            answer[i] = step(" init") && EVP_DigestInit_ex2(context[i], md[i], NULL);
        } else if (what == 1) {
            answer[i] = EVP_DigestFinal_ex(context[i], out[i], &n[i]);
            step(" final");
            if (answer[i])
                EVP_DigestInit_ex2(context[i], NULL, NULL);
        } else if (what == 2) {
            step(" copy");
            copy = EVP_MD_CTX_new();
            answer[i] = EVP_MD_CTX_copy_ex(copy, context[i]);
            EVP_MD_CTX_free(context[i]);
            context[i] = copy;
        } else if (what == 3) {
            step(" reset");
            EVP_MD_CTX_reset(context[i]);
            answer[i] = EVP_DigestInit_ex2(context[i], md[i], NULL);
        } else {
            step(" %zu", bytes);
            answer[i] = EVP_DigestUpdate(context[i], data + at, bytes);
        }
    }
    SAME(answer, "answer");
    SAME(n, "length");
    SAME_BYTES(out[0], out[1], sizeof out[0], "digest");
}

static void test_digests(void)
{
    for (size_t d = 0; d < DIGESTS; d++) {
        EVP_MD *md[BOTH];

        steps_clear();
        for (int i = 0; i < BOTH; i++)
            md[i] = EVP_MD_fetch(library, digests[d], provider_of[i]);
        if (!EXPECT(md[0] && md[1], "%s is missing", digests[d]))
            continue;
        compare_descriptions(digests[d], md);
        for (int round = 0; round < 60; round++) {
            EVP_MD_CTX *context[BOTH] = {EVP_MD_CTX_new(), EVP_MD_CTX_new()};

            steps_clear();
            step(" %s", digests[d]);
            for (int i = 0; i < BOTH; i++)
                EVP_DigestInit_ex2(context[i], md[i], NULL);
            for (unsigned n = 40; n; n--)
                digest_step(md, context);
            EVP_MD_CTX_free(context[0]);
            EVP_MD_CTX_free(context[1]);
        }
        EVP_MD_free(md[0]);
        EVP_MD_free(md[1]);
    }
}

static EVP_MAC_CTX *new_hmac(int provider, const char *digest)
{
    EVP_MAC *mac = EVP_MAC_fetch(library, "HMAC", provider_of[provider]);
    EVP_MAC_CTX *context = mac ? EVP_MAC_CTX_new(mac) : NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *) (uintptr_t) digest, 0),
        OSSL_PARAM_END};

    EXPECT(context && EVP_MAC_CTX_set_params(context, params), "no HMAC with %s", digest);
    EVP_MAC_free(mac);
    return context;
}

static void hmac_step(EVP_MAC_CTX *context[BOTH], const uint8_t *key, size_t key_bytes)
{
    uint8_t out[BOTH][EVP_MAX_MD_SIZE] = {{0}};
    size_t n[BOTH] = {0, 0}, size[BOTH], block[BOTH];
    int answer[BOTH];
    size_t at = test_random(64), bytes = random_length(MAX_BYTES - 64);
    unsigned what = test_random(12);

    for (int i = 0; i < BOTH; i++) {
        if (what == 0) {
            step(" key %zu", key_bytes);
            answer[i] = EVP_MAC_init(context[i], key, key_bytes, NULL);
        } else if (what == 1) {
            step(" final, again");
            answer[i] = EVP_MAC_final(context[i], out[i], &n[i], sizeof out[i]);
            if (answer[i])
                answer[i] += EVP_MAC_init(context[i], NULL, 0, NULL);
        } else if (what == 2) {
            EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(context[i]);

            step(" dup");
            answer[i] = copy != NULL;
            EVP_MAC_CTX_free(context[i]);
            context[i] = copy;
        } else if (what == 3) {
            step(" final");
            answer[i] = EVP_MAC_final(context[i], out[i], &n[i], sizeof out[i]);
            EVP_MAC_init(context[i], key, key_bytes, NULL);
        } else {
            step(" %zu", bytes);
            answer[i] = EVP_MAC_update(context[i], data + at, bytes);
        }
        size[i] = EVP_MAC_CTX_get_mac_size(context[i]);
        block[i] = EVP_MAC_CTX_get_block_size(context[i]);
    }
    SAME(answer, "answer");
    SAME(n, "length");
    SAME(size, "size");
    SAME(block, "block size");
    SAME_BYTES(out[0], out[1], sizeof out[0], "MAC");
}

static void test_hmac(void)
{
    static const char *const more[] = {"SHA3-256", "SHA2-512/256", "BLAKE2S-256"};

    for (size_t d = 0; d < DIGESTS + sizeof more / sizeof more[0]; d++) {
        const char *digest = d < DIGESTS ? digests[d] : more[d - DIGESTS];

        for (int round = 0; round < 40; round++) {
            EVP_MAC_CTX *context[BOTH] = {new_hmac(0, digest), new_hmac(1, digest)};
            uint8_t key[300];
            size_t key_bytes = 1 + test_random(round % 2 ? 299 : 70);

            if (!context[0] || !context[1])
                return;
            test_fill_random(key, sizeof key);
            steps_clear();
            step(" %s key %zu", digest, key_bytes);
            for (int i = 0; i < BOTH; i++)
                EXPECT(EVP_MAC_init(context[i], key, key_bytes, NULL), "init");
            for (unsigned n = 30; n; n--)
                hmac_step(context, key, key_bytes);
            EVP_MAC_CTX_free(context[0]);
            EVP_MAC_CTX_free(context[1]);
        }
    }
}

/* The MAC of a TLS record whose length is secret: header, then data that count only in part. */
static void test_hmac_of_records(void)
{
    for (int round = 0; round < 500; round++) {
        const char *digest = digests[round % 4];
        size_t bytes = 60 + test_random(600), counted = bytes - test_random(60), size;
        uint8_t out[BOTH][EVP_MAX_MD_SIZE] = {{0}}, key[20];
        size_t n[BOTH] = {0, 0};
        int answer[BOTH];

        test_fill_random(key, sizeof key);
        for (int i = 0; i < BOTH; i++) {
            EVP_MAC_CTX *context = new_hmac(i, digest);
            OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, &size),
                                   OSSL_PARAM_END};

            size = bytes;
            answer[i] = EVP_MAC_init(context, key, sizeof key, NULL) &&
                        EVP_MAC_CTX_set_params(context, params) &&
                        EVP_MAC_update(context, data, 13) &&
                        EVP_MAC_update(context, data + 13, counted) &&
                        EVP_MAC_final(context, out[i], &n[i], sizeof out[i]);
            EVP_MAC_CTX_free(context);
        }
        steps_clear();
        step(" %s, %zu of %zu", digest, counted, bytes);
        SAME(answer, "answer");
        SAME(n, "length");
        SAME_BYTES(out[0], out[1], sizeof out[0], "MAC");
    }
    ERR_clear_error();
}

/* Functions of other providers that use HMAC reach this one. */
static void test_derivation(void)
{
    uint8_t out[BOTH][100];

    for (int i = 0; i < BOTH; i++) {
        EVP_KDF *kdf = EVP_KDF_fetch(library, "PBKDF2", NULL);
        EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
        char digest[] = "SHA2-256", *properties = (char *) (uintptr_t) provider_of[i];
        unsigned iterations = 1000;
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string("pass", data, 20),
            OSSL_PARAM_construct_octet_string("salt", data + 20, 20),
            OSSL_PARAM_construct_uint("iter", &iterations),
            OSSL_PARAM_construct_utf8_string("digest", digest, 0),
            OSSL_PARAM_construct_utf8_string("properties", properties, 0),
            OSSL_PARAM_END};

        EXPECT(EVP_KDF_derive(context, out[i], sizeof out[i], params) > 0, "PBKDF2");
        EVP_KDF_CTX_free(context);
        EVP_KDF_free(kdf);
    }
    SAME_BYTES(out[0], out[1], sizeof out[0], "PBKDF2");
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (provider_load()) {
        test_fill_random(data, sizeof data);
        TEST(test_digests);
        TEST(test_hmac);
        TEST(test_hmac_of_records);
        TEST(test_derivation);
    }
    OSSL_LIB_CTX_free(library);
    return test_finish();
}
