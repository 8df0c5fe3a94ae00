/* FIPS mode, in builds that have it and in those that do not.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/test.h"

#include <pthread.h>

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto.h"

#include "crypto/hash/hash_kernels.h"
#include "dispatch/fips.h"

static const uint8_t key[32] = {1, 2, 3}, other[32] = {1, 2, 3, 4};
static uint8_t text[64], out[64];

/* The expected result of a call that FIPS mode refuses. */
static int refused(int error)
{
    return FIPS ? error : 0;
}

static void test_xts_keys(void)
{
    static const uint8_t tweak[16];
    uint8_t k1[240] = {0}, k2[240] = {0}, dec[240];

    EXPECT(isal_aes_xts_enc_128(key, other, tweak, 64, text, out) == 0, "different keys");
    EXPECT(isal_aes_xts_enc_128(key, key, tweak, 64, text, out) ==
               refused(ISAL_CRYPTO_ERR_XTS_SAME_KEYS),
           "equal keys");
    EXPECT(isal_aes_xts_dec_256(key, key, tweak, 64, text, out) ==
               refused(ISAL_CRYPTO_ERR_XTS_SAME_KEYS),
           "equal keys, decryption");
    EXPECT(isal_aes_xts_enc_128(key, key, tweak, 15, text, out) == ISAL_CRYPTO_ERR_CIPH_LEN,
           "arguments are checked first");
    for (size_t i = 0; i < sizeof key; i++) {
        uint8_t differs[32];
        memcpy(differs, key, sizeof key);
        differs[i] ^= 0x80;
        EXPECT(isal_aes_xts_enc_256(key, differs, tweak, 64, text, out) == 0,
               "keys that differ in byte %zu", i);
    }
    EXPECT(isal_aes_keyexp_256(key, k1, dec) == 0 && isal_aes_keyexp_256(key, k2, dec) == 0,
           "keys");
    EXPECT(isal_aes_xts_enc_256_expanded_key(k2, k1, tweak, 64, text, out) ==
               refused(ISAL_CRYPTO_ERR_XTS_SAME_KEYS),
           "equal schedules");
    EXPECT(isal_aes_xts_enc_256_sectors(k2, k1, 0, 32, 2, text, out) ==
               refused(ISAL_CRYPTO_ERR_XTS_SAME_KEYS),
           "equal schedules, sectors");
    k1[239] ^= 1;
    EXPECT(isal_aes_xts_enc_256_expanded_key(k2, k1, tweak, 64, text, out) == 0,
           "schedules that differ in the last byte");
    EXPECT(isal_aes_xts_enc_128_expanded_key(k2, k1, tweak, 64, text, out) ==
               refused(ISAL_CRYPTO_ERR_XTS_SAME_KEYS),
           "a schedule of 176 bytes");
}

static void test_other_algorithms(void)
{
    const int error = refused(ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO);
    ISAL_MD5_HASH_CTX_MGR *md5 = aligned_alloc(64, (sizeof *md5 + 63) / 64 * 64);
    ISAL_SM3_HASH_CTX_MGR *sm3 = aligned_alloc(64, (sizeof *sm3 + 63) / 64 * 64);
    const void *messages[1] = {text};
    uint64_t lengths[1] = {sizeof text};
    struct isal_mh_sha1_ctx mh_sha1;
    struct isal_mh_sha256_ctx mh_sha256;
    struct isal_mh_sha1_murmur3_x64_128_ctx murmur3;
    struct isal_rh_state2 rolling;
    uint32_t mask;

    EXPECT(md5 && sm3, "memory");
    EXPECT(isal_md5_ctx_mgr_init(md5) == error, "MD5");
    EXPECT(isal_sm3_ctx_mgr_init(sm3) == error, "SM3");
    EXPECT(isal_md5_mb_hash(messages, lengths, 1, out) == error, "MD5 of many");
    EXPECT(isal_sm3_mb_hash(messages, lengths, 1, out) == error, "SM3 of many");
    EXPECT(isal_mh_sha1_init(&mh_sha1) == error, "mh_sha1");
    EXPECT(isal_mh_sha256_init(&mh_sha256) == error, "mh_sha256");
    EXPECT(isal_mh_sha1_murmur3_x64_128_init(&murmur3, 0) == error, "mh_sha1_murmur3");
    EXPECT(isal_rolling_hash2_init(&rolling, 32) == error, "rolling hash");
    EXPECT(isal_rolling_hashx_mask_gen(1024, 0, &mask) == error, "mask");
    /* The arguments are not looked at. */
    EXPECT(isal_md5_ctx_mgr_submit(NULL, NULL, NULL, NULL, 0, ISAL_HASH_ENTIRE) ==
               (FIPS ? error : ISAL_CRYPTO_ERR_NULL_MGR),
           "MD5 of nothing");
    EXPECT(isal_mh_sha1_update(NULL, NULL, 0) == (FIPS ? error : ISAL_CRYPTO_ERR_NULL_CTX),
           "mh_sha1 of nothing");
    /* Older names do not change. */
    md5_ctx_mgr_init(md5);
    EXPECT(mh_sha1_init(&mh_sha1) == 0, "mh_sha1_init");
    EXPECT(rolling_hash2_init(&rolling, 32) == 0, "rolling_hash2_init");
    free(md5);
    free(sm3);
}

static void *hash(void *result)
{
    const void *messages[1] = {text};
    uint64_t lengths[1] = {sizeof text};
    uint8_t digest[32];

    *(int *) result = isal_sha256_mb_hash(messages, lengths, 1, digest);
    return NULL;
}

/* The first calls of several threads. */
static void expect_in_threads(int error)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    int results[THREADS];

    for (int t = 0; t < THREADS; t++)
        EXPECT(pthread_create(&threads[t], NULL, hash, &results[t]) == 0, "thread %d", t);
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        EXPECT(results[t] == error, "thread %d: error %d, not %d", t, results[t], error);
    }
}

static size_t wrong_hash(size_t n, void *const *states, const uint8_t *const *data, size_t blocks)
{
    (void) n, (void) states, (void) data, (void) blocks;
    return 8;
}

/* A kernel that computes nothing: everything approved is refused from then on, for good. */
static void test_wrong_kernel(void)
{
    struct isal_gcm_key_data gcm;
    uint8_t schedule[240];
    ISAL_SHA1_HASH_CTX_MGR *mgr = aligned_alloc(64, (sizeof *mgr + 63) / 64 * 64);
    const int error = refused(ISAL_CRYPTO_ERR_SELF_TEST);

    EXPECT(isal_crypto_set_isa_limit("base") == 0, "base kernels");
    atomic_store(&isalk_sha1_many_slot.any, (kernel_fn) wrong_hash);
    expect_in_threads(error);
    EXPECT(isal_crypto_set_isa_limit("base") == 0, "right kernels again");
    EXPECT(isal_self_tests() == (FIPS ? error : ISAL_CRYPTO_ERR_FIPS_DISABLED), "self tests");
    EXPECT(isal_aes_gcm_pre_128(key, &gcm) == error, "GCM");
    EXPECT(isal_aes_keyexp_128(key, schedule, schedule) == error, "key expansion");
    EXPECT(isal_sha1_ctx_mgr_init(mgr) == error, "SHA-1");
    EXPECT(isal_sha1_ctx_mgr_flush(mgr, NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "arguments come first");
    aes_gcm_pre_128(key, &gcm);
    free(mgr);
}

static void test_first_use(void)
{
    expect_in_threads(0);
    EXPECT(isal_self_tests() == (FIPS ? 0 : ISAL_CRYPTO_ERR_FIPS_DISABLED), "self tests");
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_first_use);
    TEST(test_xts_keys);
    TEST(test_other_algorithms);
    TEST(test_wrong_kernel); /* spoils the others */
    return test_finish();
}
