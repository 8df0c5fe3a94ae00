/* Settings of the OpenSSL provider in a configuration file.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "provider_test.h"

static int has_digest(const char *name)
{
    EVP_MD *md = EVP_MD_fetch(library, name, "provider=isal");

    EVP_MD_free(md);
    ERR_clear_error();
    return md != NULL;
}

static int has_cipher(const char *name)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, "provider=isal");

    EVP_CIPHER_free(cipher);
    ERR_clear_error();
    return cipher != NULL;
}

static int has_hmac(void)
{
    EVP_MAC *mac = EVP_MAC_fetch(library, "HMAC", "provider=isal");

    EVP_MAC_free(mac);
    ERR_clear_error();
    return mac != NULL;
}

/* Loads the module with these settings; the caller frees `library`. */
static int load_with(const char *settings)
{
    int loads = provider_configure(settings);

    ERR_clear_error();
    return loads;
}

static void test_algorithms(void)
{
    EXPECT(load_with(""), "no settings");
    EXPECT(has_cipher("AES-128-GCM") && has_cipher("AES-256-CBC"), "ciphers");
    EXPECT(!has_digest("SHA2-256") && !has_hmac(), "digests are not in the default set");
    OSSL_LIB_CTX_free(library);

    EXPECT(load_with("algorithms = ALL\n"), "ALL");
    EXPECT(has_cipher("AES-192-CTR") && has_digest("MD5") && has_hmac(), "ALL");
    OSSL_LIB_CTX_free(library);

    EXPECT(load_with("algorithms = SHA256, id-aes128-GCM\n"), "two names");
    EXPECT(has_digest("SHA2-256") && has_cipher("AES-128-GCM"), "two names");
    EXPECT(!has_digest("SHA1") && !has_cipher("AES-256-GCM") && !has_hmac(), "two names");
    OSSL_LIB_CTX_free(library);

    EXPECT(load_with("algorithms = HMAC,DIGESTS\n"), "groups");
    EXPECT(has_digest("SM3") && has_hmac() && !has_cipher("AES-128-GCM"), "groups");
    OSSL_LIB_CTX_free(library);

    EXPECT(!load_with("algorithms = AES-128-ROT13\n"), "an unknown algorithm");
    OSSL_LIB_CTX_free(library);
}

static void test_isa(void)
{
    EXPECT(!load_with("isa = avx1024\n"), "an unknown tier");
    OSSL_LIB_CTX_free(library);
    EXPECT(load_with("isa = base\nalgorithms = ALL\n"), "base");
    EXPECT(has_cipher("AES-256-GCM") && has_digest("SHA2-512"), "the self-test of portable C");
    OSSL_LIB_CTX_free(library);
    EXPECT(load_with("isa = base\n"), "base");
    EXPECT(has_cipher("AES-256-GCM") && !has_cipher("AES-256-XTS"), "XTS without VAES");
    OSSL_LIB_CTX_free(library);
}

static void test_async_settings(void)
{
    static const char *const invalid[] = {
        "async = maybe\n",
        "small_request_bytes = -1\n"};

    EXPECT(load_with("async = off\nsmall_request_bytes = 9\n"), "valid");
    OSSL_LIB_CTX_free(library);
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
        EXPECT(!load_with(invalid[i]), "%s", invalid[i]);
        OSSL_LIB_CTX_free(library);
    }
}

static void test_self_test(void)
{
    OSSL_PROVIDER *isal;

    EXPECT(load_with("algorithms = ALL\n"), "ALL");
    isal = OSSL_PROVIDER_load(library, "isal");
    EXPECT(isal && OSSL_PROVIDER_self_test(isal), "self-test");
    OSSL_PROVIDER_unload(isal);
    OSSL_LIB_CTX_free(library);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_algorithms);
    TEST(test_async_settings);
    TEST(test_self_test);
    TEST(test_isa);
    return test_finish();
}
