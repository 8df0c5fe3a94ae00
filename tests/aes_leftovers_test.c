/* Tests that the AES functions leave no secrets on the stack.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE

#include "aes_test.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <ucontext.h>
#define HAVE_CONTEXTS 1
#else
#define HAVE_CONTEXTS 0
#endif

#if HAVE_CONTEXTS
#define STACK_BYTES (1 << 16)
static uint8_t *other_stack;
static ucontext_t here, there;
static void (*work)(void);

static void on_other_stack(void)
{
    work();
}

/* Returns whether any 8 aligned bytes of the secret are still on the stack that the work used. */
static int is_left(const uint8_t *secret, size_t n)
{
    for (size_t s = 0; s + 8 <= n; s += 8)
        for (size_t i = 0; i + 8 <= STACK_BYTES; i++)
            if (!memcmp(other_stack + i, secret + s, 8))
                return 1;
    return 0;
}

static void run_on_other_stack(void (*function)(void))
{
    memset(other_stack, 0x5a, STACK_BYTES);
    getcontext(&there);
    there.uc_stack.ss_sp = other_stack;
    there.uc_stack.ss_size = STACK_BYTES;
    there.uc_link = &here;
    work = function;
    makecontext(&there, on_other_stack, 0);
    swapcontext(&here, &there);
}

static void work_xts(void)
{
    isal_aes_xts_enc_256(key + 32, key, iv, 1000, text, result);
    isal_aes_xts_dec_256(key + 32, key, iv, 1000, text, result);
}

static void work_gcm(void)
{
    isal_aes_gcm_pre_256(key, &gcm_key);
    isal_aes_gcm_enc_256(&gcm_key, &context, result, text, 1000, iv, aad, 20, tag, 16);
    isal_aes_gcm_init_256(&gcm_key, &context, iv, aad, 20);
    isal_aes_gcm_enc_256_update(&gcm_key, &context, result, text, 333);
    isal_aes_gcm_enc_256_finalize(&gcm_key, &context, tag, 16);
}

static void work_cbc(void)
{
    struct isal_aes_cbc_buffer b[3];
    struct isal_aes_cbc_keyed_buffer keyed[3];

    for (int i = 0; i < 3; i++) {
        b[i].in = text + 200 * i;
        b[i].iv = iv;
        b[i].out = result + 200 * i;
        b[i].len_bytes = 160;
        keyed[i].buffer = b[i];
        keyed[i].keys = enc_keys;
    }
    isal_aes_cbc_enc_256(text, iv, enc_keys, result, 320);
    isal_aes_cbc_dec_256(text, iv, dec_keys, result, 320);
    isal_aes_cbc_enc_256_mb(enc_keys, b, 3);
    isal_aes_cbc_enc_256_mb_keys(keyed, 3);
}

static void work_ctr(void)
{
    isal_aes_ctr_256(text, iv, enc_keys, result, 999);
}

/* With assembly kernels, the public functions leave no round key, tweak or power of the hash key on
 * the stack. The kernel check searches the registers. Portable C cannot control what the compiler
 * keeps there. */
static void test_leftovers(void)
{
    static uint8_t zeros[16], first_tweak[16], mask[16], counter[16];

    other_stack = test_alloc(STACK_BYTES);
    FOR_EACH_TIER(tier)
    {
        if (!strcmp(tier, "base"))
            continue;
        test_fill_random(key, sizeof key);
        test_fill_random(text, 1000);
        test_fill_random(iv, 16);
        isal_aes_keyexp_256(key + 32, tweak_keys, dec_keys);
        isal_aes_cbc_enc_256(iv, zeros, tweak_keys, first_tweak, 16);
        isal_aes_keyexp_256(key, enc_keys, dec_keys);
        isal_aes_gcm_pre_256(key, &gcm_key);
        memcpy(counter, iv, 12);
        counter[15] = 1;
        isal_aes_cbc_enc_256(counter, zeros, enc_keys, mask, 16);
        run_on_other_stack(work_xts);
        EXPECT(!is_left(enc_keys, 240) && !is_left(dec_keys, 240), "%s: XTS, key", tier);
        EXPECT(!is_left(tweak_keys, 240), "%s: XTS, key of the tweak", tier);
        EXPECT(!is_left(first_tweak, 16), "%s: XTS, tweak", tier);
        run_on_other_stack(work_gcm);
        EXPECT(!is_left(enc_keys, 240), "%s: GCM, key", tier);
        EXPECT(!is_left((uint8_t *) &gcm_key + 240, 528), "%s: GCM, powers", tier);
        EXPECT(!is_left(mask, 16), "%s: GCM, key stream of the tag", tier);
        run_on_other_stack(work_ctr);
        EXPECT(!is_left(enc_keys, 240), "%s: CTR, key", tier);
        run_on_other_stack(work_cbc);
        EXPECT(!is_left(enc_keys, 240) && !is_left(dec_keys, 240), "%s: CBC, key", tier);
    }
    free(other_stack);
}
#else
static void test_leftovers(void)
{
    test_skip("this system has no makecontext");
}
#endif

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_leftovers);
    return test_finish();
}
