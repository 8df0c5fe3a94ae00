/* Tests of the AES functions against OpenSSL.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_test.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define HAVE_DLOPEN 1
#else
#define HAVE_DLOPEN 0
#endif

#if HAVE_DLOPEN
typedef struct evp_ctx evp_ctx;
typedef struct evp_cipher evp_cipher;
static struct {
    evp_ctx *(*new)(void);
    void (*free)(evp_ctx *);
    int (*init)(evp_ctx *, const evp_cipher *, void *, const uint8_t *, const uint8_t *, int);
    int (*update)(evp_ctx *, uint8_t *, int *, const uint8_t *, int);
    int (*final)(evp_ctx *, uint8_t *, int *);
    int (*ctrl)(evp_ctx *, int, int, void *);
    int (*padding)(evp_ctx *, int);
} evp;
static void *openssl;

static void *symbol(const char *name)
{
    void *address = dlsym(openssl, name);

    EXPECT(address != NULL, "OpenSSL has no %s", name);
    return address;
}

static int open_openssl(void)
{
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.3.dylib"};

    for (size_t i = 0; i < COUNT(names) && !openssl; i++)
        openssl = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!openssl) {
        test_skip("there is no OpenSSL to compare with");
        return 0;
    }
    *(void **) &evp.new = symbol("EVP_CIPHER_CTX_new");
    *(void **) &evp.free = symbol("EVP_CIPHER_CTX_free");
    *(void **) &evp.init = symbol("EVP_CipherInit_ex");
    *(void **) &evp.update = symbol("EVP_CipherUpdate");
    *(void **) &evp.final = symbol("EVP_CipherFinal_ex");
    *(void **) &evp.ctrl = symbol("EVP_CIPHER_CTX_ctrl");
    *(void **) &evp.padding = symbol("EVP_CIPHER_CTX_set_padding");
    return !test_state.failures;
}

static const evp_cipher *evp_cipher_named(int bits, const char *mode)
{
    const evp_cipher *(*get)(void);
    char name[40];

    snprintf(name, sizeof name, "EVP_aes_%d_%s", bits, mode);
    *(void **) &get = symbol(name);
    return get();
}

/* Encrypts n bytes of text to `cipher` with OpenSSL. */
static void evp_encrypt(int bits, const char *mode, const uint8_t *iv_bytes, size_t n)
{
    evp_ctx *ctx = evp.new();
    int done = 0, ok = evp.init(ctx, evp_cipher_named(bits, mode), NULL, key, iv_bytes, 1);

    evp.padding(ctx, 0);
    if (n)
        ok &= evp.update(ctx, cipher, &done, text, (int) n);
    EXPECT(ok && done == (int) n, "OpenSSL failed");
    evp.free(ctx);
}

static void evp_gcm(int bits, size_t iv_len, size_t aad_len, size_t n)
{
    evp_ctx *ctx = evp.new();
    int done, ok = evp.init(ctx, evp_cipher_named(bits, "gcm"), NULL, NULL, NULL, 1);

    ok &= evp.ctrl(ctx, 0x9, (int) iv_len, NULL); /* EVP_CTRL_AEAD_SET_IVLEN */
    ok &= evp.init(ctx, NULL, NULL, key, iv, 1);
    if (aad_len)
        ok &= evp.update(ctx, NULL, &done, aad, (int) aad_len);
    if (n)
        ok &= evp.update(ctx, cipher, &done, text, (int) n);
    ok &= evp.final(ctx, cipher, &done);
    ok &= evp.ctrl(ctx, 0x10, 16, tag); /* EVP_CTRL_AEAD_GET_TAG */
    EXPECT(ok, "OpenSSL failed");
    evp.free(ctx);
}

static void test_openssl(void)
{
    if (!open_openssl())
        return;
    FOR_EACH_TIER(tier)
    {
        int rounds = strcmp(tier, "base") ? 400 : 60;
        for (int round = 0; round < rounds; round++) {
            size_t n = test_random(round % 3 ? 8192 : 300);
            size_t whole = n / 16 * 16, aad_len = test_random(100), iv_len = 12;
            const struct cbc *c = &cbcs[round % 3];
            const struct xts *x = &xtss[round % 2];
            const struct gcm *g = &gcms[round % 2];

            test_fill_random(key, sizeof key);
            test_fill_random(iv, 64);
            test_fill_random(aad, aad_len);
            test_fill_random(text, n);

            c->keyexp(key, enc_keys, dec_keys);
            evp_encrypt(c->bits, "cbc", iv, whole);
            c->enc(text, iv, enc_keys, result, whole);
            EXPECT(!memcmp(cipher, result, whole), "%s, CBC %d, %zu bytes", tier, c->bits, whole);
            c->dec(cipher, iv, dec_keys, cipher, whole);
            EXPECT(!memcmp(cipher, text, whole), "%s, CBC %d, %zu bytes", tier, c->bits, whole);

            evp_encrypt(c->bits, "ctr", iv, n);
            ctrs[round % 3].whole(text, iv, enc_keys, result, n);
            EXPECT(!memcmp(cipher, result, n), "%s, CTR %d, %zu bytes", tier, c->bits, n);

            if (n >= 16) {
                size_t half = (size_t) x->bits / 8;
                evp_encrypt(x->bits, "xts", iv, n);
                x->enc(key + half, key, iv, n, text, result);
                EXPECT(!memcmp(cipher, result, n), "%s, XTS %d, %zu bytes", tier, x->bits, n);
                x->dec(key + half, key, iv, n, cipher, cipher);
                EXPECT(!memcmp(cipher, text, n), "%s, XTS %d, %zu bytes", tier, x->bits, n);
            }

            if (round % 4 == 0)
                iv_len = 1 + test_random(60);
            evp_gcm(g->bits, iv_len, aad_len, n);
            g->pre(key, &gcm_key);
            g->init_iv(&gcm_key, &context, iv, iv_len, aad, aad_len);
            g->op[ENC].update(&gcm_key, &context, result, text, n);
            g->op[ENC].final(&gcm_key, &context, tag2, 16);
            EXPECT(!memcmp(cipher, result, n) && !memcmp(tag, tag2, 16),
                   "%s, GCM %d, %zu bytes, IV of %zu", tier, g->bits, n, iv_len);
            if (iv_len != 12)
                continue;
            g->op[DEC].whole(&gcm_key, &context, cipher, cipher, n, iv, aad, aad_len, tag2, 16);
            EXPECT(!memcmp(cipher, text, n) && !memcmp(tag, tag2, 16), "%s, GCM %d, %zu bytes",
                   tier, g->bits, n);
        }
    }
}
#else
static void test_openssl(void)
{
    test_skip("this system has no dlopen");
}
#endif

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_openssl);
    return test_finish();
}
