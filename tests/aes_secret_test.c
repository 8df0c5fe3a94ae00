/* Tests that no branch and no address in the AES functions depends on a secret.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Under valgrind, keys, text and tags are marked as undefined, so that memcheck reports every
 * conditional jump and every address computed from them (Langley, "ctgrind", 2010). `make
 * check-sanitize` runs this test. Lengths, tweaks and IVs are not secret. */

#define ISAL_UNIT_TEST

#include "isa-l_crypto.h"

#include "test.h"

#ifdef __has_include
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#endif

#ifdef VALGRIND_MAKE_MEM_UNDEFINED
#define SECRET(a) VALGRIND_MAKE_MEM_UNDEFINED(a, sizeof(a))
#define UNDER_VALGRIND RUNNING_ON_VALGRIND
#else
#define SECRET(a) ((void) (a))
#define UNDER_VALGRIND 0
#endif

#define MAX_TEXT 700

static uint8_t key[64], text[MAX_TEXT], result[MAX_TEXT], aad[40], tag[16];
static uint8_t enc[240], dec[240], tweak_keys[240];
static const uint8_t iv[16] = {1, 2, 3};
static struct isal_gcm_key_data gcm_key;
static struct isal_gcm_context_data context;

static void make_secrets(void)
{
    SECRET(key);
    SECRET(text);
    SECRET(aad);
}

static void use_gcm(size_t n)
{
    isal_aes_gcm_pre_128(key, &gcm_key);
    isal_aes_gcm_enc_128(&gcm_key, &context, result, text, n, iv, aad, n % 40, tag, 16);
    isal_aes_gcm_dec_128(&gcm_key, &context, result, text, n, iv, aad, n % 40, tag, 12);
    isal_aes_gcm_pre_256(key, &gcm_key);
    isal_aes_gcm_enc_256(&gcm_key, &context, result, text, n, iv, aad, n % 40, tag, 8);
    isal_aes_gcm_init_iv_256(&gcm_key, &context, iv, 16, aad, n % 40);
    isal_aes_gcm_dec_256_update(&gcm_key, &context, result, text, n / 3);
    isal_aes_gcm_dec_256_update(&gcm_key, &context, result + n / 3, text + n / 3, n - n / 3);
    isal_aes_gcm_dec_256_finalize(&gcm_key, &context, tag, 16);
}

static void use_xts(size_t n)
{
    if (n < 16)
        return;
    isal_aes_xts_enc_128(key, key + 16, iv, n, text, result);
    isal_aes_xts_dec_256(key, key + 32, iv, n, text, result);
    isal_aes_keyexp_256(key, tweak_keys, dec);
    isal_aes_keyexp_256(key + 32, enc, dec);
    isal_aes_xts_enc_256_sectors(tweak_keys, enc, 7, n / 3 < 16 ? 16 : n / 3, n / 3 < 16 ? 1 : 3,
                                 text, result);
}

static void use_cbc(size_t n)
{
    struct isal_aes_cbc_buffer b[2] = {{text, iv, result, n / 32 * 16},
                                       {text + n / 32 * 16, iv, result + n / 32 * 16, n / 32 * 16}};

    n = n / 16 * 16;
    isal_aes_keyexp_128(key, enc, dec);
    isal_aes_cbc_enc_128(text, iv, enc, result, n);
    isal_aes_cbc_dec_128(text, iv, dec, result, n);
    isal_aes_keyexp_192(key, enc, dec);
    isal_aes_cbc_enc_192_mb(enc, b, 2);
    isal_aes_cbc_enc_192_mb_keys((struct isal_aes_cbc_keyed_buffer[]){{b[0], enc}, {b[1], enc}}, 2);
    isal_aes_cbc_dec_192(text, iv, dec, result, n);
}

static void use_ctr(size_t n)
{
    struct isal_aes_ctr_context c;

    isal_aes_keyexp_192(key, enc, dec);
    isal_aes_ctr_192(text, iv, enc, result, n);
    isal_aes_ctr_init(&c, iv);
    isal_aes_ctr_192_update(&c, text, enc, result, n / 3);
    isal_aes_ctr_192_update(&c, text + n / 3, enc, result + n / 3, n - n / 3);
}

static void test_secrets(void)
{
    static const char *const tiers[] = {"base", "sse", "avx", "avx2_v", "avx512_v"};

    if (!UNDER_VALGRIND) {
        test_skip("only valgrind can follow secrets: make check-sanitize");
        return;
    }
    for (size_t t = 0; t < sizeof tiers / sizeof *tiers; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        printf("%s: runs %s\n", tiers[t], isal_crypto_get_kernel("aes_gcm_enc_128"));
        for (size_t n = 0; n < MAX_TEXT; n += n < 40 ? 3 : 61) {
            make_secrets();
            use_gcm(n);
            use_xts(n);
            use_cbc(n);
            use_ctr(n);
        }
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_secrets);
    return test_finish();
}
