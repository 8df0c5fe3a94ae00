/* AES ciphers of the OpenSSL provider against those of the default provider.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "provider_test.h"

#define MAX_BYTES 5000

static const char *const ciphers[] = {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC", "AES-128-CTR",
                                      "AES-192-CTR", "AES-256-CTR", "AES-128-XTS", "AES-256-XTS",
                                      "AES-128-GCM", "AES-256-GCM"};
#define CIPHERS (sizeof ciphers / sizeof ciphers[0])

/* A sequence in progress. */
static struct {
    EVP_CIPHER *cipher[BOTH];
    EVP_CIPHER_CTX *context[BOTH];
    uint8_t key[64], iv[16], input[MAX_BYTES + 32], output[BOTH][MAX_BYTES + 64];
    size_t input_bytes; /* since the last key or IV */
    int encrypting, mode, failed;
} run;

static int start(int i, const uint8_t *key, const uint8_t *iv)
{
    /* Naming the cipher again would make a new context. */
    int fresh = !EVP_CIPHER_CTX_get0_cipher(run.context[i]);

    return EVP_CipherInit_ex2(run.context[i], fresh ? run.cipher[i] : NULL, key, iv,
                              run.encrypting, NULL);
}

/* Parameters of both contexts. */
static void compare_parameters(void)
{
    int length[BOTH], block[BOTH], key[BOTH], num[BOTH], ok[BOTH], tag[BOTH];
    uint8_t iv[BOTH][32] = {{0}}, updated[BOTH][32] = {{0}};

    for (int i = 0; i < BOTH; i++) {
        EVP_CIPHER_CTX *c = run.context[i];

        length[i] = EVP_CIPHER_CTX_get_iv_length(c);
        block[i] = EVP_CIPHER_CTX_get_block_size(c);
        key[i] = EVP_CIPHER_CTX_get_key_length(c);
        tag[i] = EVP_CIPHER_CTX_get_tag_length(c);
        num[i] = run.mode == EVP_CIPH_CTR_MODE ? EVP_CIPHER_CTX_get_num(c) : 0;
        ok[i] = EVP_CIPHER_CTX_get_original_iv(c, iv[i], 16) +
                2 * EVP_CIPHER_CTX_get_updated_iv(c, updated[i], 16);
    }
    SAME(length, "iv length");
    SAME(block, "block size");
    SAME(key, "key length");
    SAME(tag, "tag length");
    SAME(num, "num");
    SAME(ok, "IVs");
    SAME_BYTES(iv[0], iv[1], 16, "iv");
    SAME_BYTES(updated[0], updated[1], 16, "updated iv");
}

static void update_step(void)
{
    size_t n = random_length(MAX_BYTES), at = test_random(16);
    int answer[BOTH], length[BOTH] = {0, 0}, in_place = (int) test_random(2);

    if (test_random(2))
        n -= n % 16;
    if (run.mode == EVP_CIPH_CBC_MODE && (run.input_bytes % 16 || !run.encrypting))
        in_place = 0; /* output would precede input */
    step(" update %zu%s", n, in_place ? " in place" : "");
    for (int i = 0; i < BOTH; i++) {
        const uint8_t *in = run.input + at;

        memset(run.output[i], 0, sizeof run.output[i]);
        if (in_place)
            in = memcpy(run.output[i], run.input + at, n);
        answer[i] = EVP_CipherUpdate(run.context[i], run.output[i], &length[i], in, (int) n);
    }
    run.input_bytes += n;
    if (!SAME(answer, "answer"))
        run.failed = 1;
    if (answer[0] && SAME(length, "length"))
        SAME_BYTES(run.output[0], run.output[1], length[0], "output");
    if (!answer[0])
        run.failed = 1;
}

static void final_step(void)
{
    int answer[BOTH], length[BOTH] = {0, 0};
    uint8_t tag[BOTH][16] = {{0}}, out[BOTH][32] = {{0}};

    step(" final");
    for (int i = 0; i < BOTH; i++) {
        answer[i] = EVP_CipherFinal_ex(run.context[i], out[i], &length[i]);
        if (run.mode == EVP_CIPH_GCM_MODE && run.encrypting && answer[i])
            answer[i] += 2 * EVP_CIPHER_CTX_ctrl(run.context[i], EVP_CTRL_AEAD_GET_TAG, 16, tag[i]);
    }
    SAME(answer, "answer");
    SAME_BYTES(tag[0], tag[1], 16, "tag");
    if (answer[0] && SAME(length, "length"))
        SAME_BYTES(out[0], out[1], length[0], "output");
    run.failed |= !answer[0];
    run.input_bytes = 0;
}

static void other_step(void)
{
    int answer[BOTH] = {1, 1}, what = (int) test_random(12), padding = (int) test_random(2);

    run.encrypting ^= what == 0 || what == 1;
    test_fill_random(run.key, sizeof run.key);
    test_fill_random(run.iv, sizeof run.iv);
    run.input_bytes = what < 7 ? 0 : run.input_bytes;
    for (int i = 0; i < BOTH; i++) {
        EVP_CIPHER_CTX *copy;

        switch (what) {
        case 0:
        case 1:
        case 2:
            answer[i] = step(" key, iv, %d", run.encrypting) && start(i, run.key, run.iv);
            break;
        case 3:
            answer[i] = step(" iv") && start(i, NULL, run.iv);
            break;
        case 4:
            answer[i] = step(" key") && start(i, run.key, NULL);
            /* In mid-message GCM needs a new IV as well. */
            if (run.mode == EVP_CIPH_GCM_MODE)
                answer[i] += start(i, NULL, run.iv);
            break;
        case 5:
            answer[i] = step(" start") && start(i, NULL, NULL);
            break;
        case 6:
            step(" reset");
            EVP_CIPHER_CTX_reset(run.context[i]);
            answer[i] = start(i, run.key, run.iv);
            break;
        case 7:
            step(" padding %d", padding);
            answer[i] = EVP_CIPHER_CTX_set_padding(run.context[i], padding);
            break;
        default:
            /* The default provider of some versions crashes with a copy of an XTS context. */
            if (run.mode == EVP_CIPH_XTS_MODE)
                continue;
            step(" copy");
            copy = EVP_CIPHER_CTX_new();
            answer[i] = EVP_CIPHER_CTX_copy(copy, run.context[i]);
            EVP_CIPHER_CTX_free(run.context[i]);
            run.context[i] = copy;
        }
    }
    SAME(answer, "answer");
}

/* Steps that GCM alone has. */
static void gcm_step(void)
{
    int answer[BOTH], length[BOTH] = {0, 0}, iv_bytes = (int) test_random(150);
    size_t n = random_length(MAX_BYTES);
    uint8_t tag[20], long_iv[160];
    unsigned what = test_random(8), tag_bytes = test_random(18);

    test_fill_random(tag, sizeof tag);
    test_fill_random(long_iv, sizeof long_iv);
    for (int i = 0; i < BOTH; i++) {
        EVP_CIPHER_CTX *c = run.context[i];

        if (what < 5) {
            step(" aad %zu", n);
            answer[i] = EVP_CipherUpdate(c, NULL, &length[i], run.input, (int) n);
        } else if (what == 5) {
            step(" tag %u", tag_bytes);
            answer[i] = EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int) tag_bytes, tag);
        } else {
            step(" iv %d", iv_bytes);
            answer[i] = EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, iv_bytes, NULL) > 0 &&
                        start(i, what == 6 ? run.key : NULL, long_iv);
        }
    }
    SAME(answer, "answer");
    SAME(length, "length");
}

static void random_sequence(void)
{
    steps_clear();
    test_fill_random(run.input, sizeof run.input);
    run.encrypting = (int) test_random(2);
    run.failed = 0;
    run.input_bytes = 0;
    test_fill_random(run.key, sizeof run.key);
    test_fill_random(run.iv, sizeof run.iv);
    step(" %s, start %d", EVP_CIPHER_get0_name(run.cipher[0]), run.encrypting);
    for (int i = 0; i < BOTH; i++) {
        run.context[i] = EVP_CIPHER_CTX_new();
        EXPECT(start(i, run.key, run.iv), "start");
    }
    /* What follows a failure is undefined. */
    for (int n = 30; n && !run.failed && !test_state.failures; n--) {
        unsigned what = test_random(10);

        if (what < 5)
            update_step();
        else if (what == 5)
            final_step();
        else if (what < 8 && run.mode == EVP_CIPH_GCM_MODE)
            gcm_step();
        else
            other_step();
        if (!run.failed)
            compare_parameters();
    }
    EVP_CIPHER_CTX_free(run.context[0]);
    EVP_CIPHER_CTX_free(run.context[1]);
    ERR_clear_error();
}

static int fetch(const char *name)
{
    unsigned long flags[BOTH] = {0, 0};

    for (int i = 0; i < BOTH; i++) {
        run.cipher[i] = EVP_CIPHER_fetch(library, name, provider_of[i]);
        if (!EXPECT(run.cipher[i] != NULL, "%s is missing", name))
            return 0;
        flags[i] = EVP_CIPHER_get_flags(run.cipher[i]);
    }
    run.mode = EVP_CIPHER_get_mode(run.cipher[0]);
    steps_clear();
    SAME(flags, name);
    return 1;
}

static void drop(void)
{
    EVP_CIPHER_free(run.cipher[0]);
    EVP_CIPHER_free(run.cipher[1]);
}

static void test_sequences(void)
{
    for (size_t c = 0; c < CIPHERS; c++) {
        if (!fetch(ciphers[c]))
            return;
        for (int round = 0; round < 600; round++)
            random_sequence();
        drop();
    }
}

/* Every length of a message and every piece at its end. */
static void test_lengths(void)
{
    static uint8_t in[400], out[BOTH][440];

    test_fill_random(in, sizeof in);
    for (size_t c = 0; c < CIPHERS && fetch(ciphers[c]); c++) {
        for (size_t n = run.mode == EVP_CIPH_XTS_MODE ? 16 : 0; n < sizeof in; n++) {
            int length[BOTH], more[BOTH], answer[BOTH] = {1, 1}, last = (int) n % 17;

            if (run.mode == EVP_CIPH_XTS_MODE)
                last = 0;
            steps_clear();
            step(" %s, %zu", ciphers[c], n);
            for (int i = 0; i < BOTH; i++) {
                EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
                int done = 0;

                memset(out[i], 0, sizeof out[i]);
                answer[i] &= EVP_EncryptInit_ex2(context, run.cipher[i], in, in + 50, NULL);
                answer[i] &= EVP_EncryptUpdate(context, out[i], &done, in, (int) n - last);
                length[i] = done;
                answer[i] &= EVP_EncryptUpdate(context, out[i] + length[i], &done, in + n - last,
                                               last) | !last;
                length[i] += last ? done : 0;
                answer[i] &= EVP_EncryptFinal_ex(context, out[i] + length[i], &more[i]);
                length[i] += more[i];
                EVP_CIPHER_CTX_free(context);
            }
            SAME(answer, "answer");
            SAME(length, "length");
            SAME_BYTES(out[0], out[1], sizeof out[0], "ciphertext");
        }
        drop();
    }
}

/* Decryption of what was encrypted: the right and a wrong padding or tag. */
static void decrypt_one(unsigned flip, size_t n)
{
    uint8_t out[200], text[BOTH][240], tag[16];
    int answer[BOTH], length[BOTH] = {0, 0}, more, bytes;

    steps_clear();
    step(" %zu bytes, bit %u", n, flip);
    for (int i = 0; i < BOTH; i++) {
        EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();

        EVP_EncryptInit_ex2(c, run.cipher[0], run.key, run.iv, NULL);
        EVP_EncryptUpdate(c, out, &bytes, run.input, (int) n);
        EVP_EncryptFinal_ex(c, out + bytes, &more);
        bytes += more;
        if (run.mode == EVP_CIPH_GCM_MODE)
            EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, tag);
        if (flip < 128 && run.mode == EVP_CIPH_GCM_MODE)
            tag[flip / 8] ^= (uint8_t) (1 << flip % 8);
        else if (flip < 128)
            out[bytes - 1 - (int) flip / 8] ^= (uint8_t) (1 << flip % 8);
        EVP_DecryptInit_ex2(c, run.cipher[i], run.key, run.iv, NULL);
        if (run.mode == EVP_CIPH_GCM_MODE)
            EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, flip % 2 ? 16 : 12, tag);
        answer[i] = EVP_DecryptUpdate(c, text[i], &length[i], out, bytes);
        more = 0;
        if (EVP_DecryptFinal_ex(c, text[i] + length[i], &more))
            answer[i] += 2;
        length[i] += more;
        EVP_CIPHER_CTX_free(c);
    }
    SAME(answer, "answer");
    if (answer[0] == 3 && SAME(length, "length"))
        SAME_BYTES(text[0], text[1], length[0], "text");
}

static void test_bad_endings(void)
{
    for (size_t c = 0; c < CIPHERS && fetch(ciphers[c]); c++) {
        if (run.mode == EVP_CIPH_CBC_MODE || run.mode == EVP_CIPH_GCM_MODE)
            for (unsigned flip = 0; flip < 140; flip++)
                for (size_t n = 1; n < 50; n += 7)
                    decrypt_one(flip, n);
        drop();
    }
    ERR_clear_error();
}

/* Wrong lengths of keys and IVs; halves of an XTS key that are equal. */
static void test_keys(void)
{
    for (size_t c = 0; c < CIPHERS && fetch(ciphers[c]); c++) {
        static const size_t lengths[] = {0, 1, 15, 16, 17, 24, 31, 32, 33, 64};

        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            int answer[BOTH];

            steps_clear();
            step(" %s %zu", ciphers[c], lengths[k]);
            for (int i = 0; i < BOTH; i++) {
                EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();

                EVP_CipherInit_ex2(context, run.cipher[i], NULL, NULL, (int) k % 2, NULL);
                answer[i] = EVP_CIPHER_CTX_set_key_length(context, (int) lengths[k]) > 0;
                EVP_CIPHER_CTX_free(context);
            }
            SAME(answer, "key length");
        }
        for (int encrypting = 0; encrypting < 2; encrypting++) {
            int answer[BOTH];

            memset(run.key, 7, sizeof run.key);
            run.encrypting = encrypting;
            for (int i = 0; i < BOTH; i++) {
                run.context[i] = EVP_CIPHER_CTX_new();
                answer[i] = start(i, run.key, run.iv);
                EVP_CIPHER_CTX_free(run.context[i]);
            }
            SAME(answer, "key of equal bytes");
        }
        drop();
    }
    ERR_clear_error();
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (provider_load()) {
        TEST(test_sequences);
        TEST(test_lengths);
        TEST(test_bad_endings);
        TEST(test_keys);
    }
    OSSL_LIB_CTX_free(library);
    return test_finish();
}
