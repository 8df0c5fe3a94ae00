/* Published test vectors through the OpenSSL provider.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each message is processed in one call, and in random pieces where the mode allows it. */

#include "provider_test.h"

#include "rsp.h"

#define MAX_TEXT (1 << 16)
#define MAX_IV 128 /* that OpenSSL's ciphers take */
#define WHOLE 0    /* message in one call */
#define PIECES 1

static struct rsp rsp;
static unsigned vectors;

static struct {
    uint8_t key[64], iv[3 * MAX_IV], aad[MAX_TEXT], tag[16], text[MAX_TEXT], cipher[MAX_TEXT];
    size_t key_bytes, iv_bytes, aad_bytes, tag_bytes, bytes;
} v;

/* Reads the members that every cipher has. */
static void read_vector(const char *iv_name)
{
    v.key_bytes = rsp_bytes(&rsp, "KEY", v.key, sizeof v.key);
    v.iv_bytes = rsp_bytes(&rsp, iv_name, v.iv, sizeof v.iv);
    v.bytes = rsp_bytes(&rsp, "CT", v.cipher, sizeof v.cipher);
    v.aad_bytes = v.tag_bytes = 0;
    vectors++;
}

static EVP_CIPHER *fetch(size_t key_bytes, const char *mode)
{
    char name[20];
    EVP_CIPHER *cipher;

    snprintf(name, sizeof name, "AES-%zu-%s", 8 * key_bytes, mode);
    cipher = EVP_CIPHER_fetch(library, name, provider_of[1]);
    EXPECT(cipher, "isal has no %s", name);
    return cipher;
}

/* Bytes of the next piece. */
static size_t next_piece(int pieces, size_t left)
{
    return pieces ? test_random((unsigned) left + 1) : left;
}

/* Encrypts or decrypts the message. Returns whether the final call succeeds. */
static int run_cipher(EVP_CIPHER *cipher, int encrypting, int pieces, uint8_t *out)
{
    const uint8_t *in = encrypting ? v.text : v.cipher;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    int aead = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_GCM_MODE, bytes = 0, ok;
    size_t done = 0, written = 0;

    ok = EVP_CipherInit_ex2(c, cipher, NULL, NULL, encrypting, NULL);
    if (aead)
        ok &= EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, (int) v.iv_bytes, NULL);
    ok &= EVP_CipherInit_ex2(c, NULL, v.key, v.iv, encrypting, NULL);
    ok &= EVP_CIPHER_CTX_set_padding(c, 0);
    if (aead && !encrypting)
        ok &= EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int) v.tag_bytes, v.tag);
    for (size_t n; done < v.aad_bytes; done += n) {
        n = next_piece(pieces, v.aad_bytes - done);
        ok &= EVP_CipherUpdate(c, NULL, &bytes, v.aad + done, (int) n);
    }
    done = 0;
    for (size_t n; done < v.bytes; done += n) {
        n = next_piece(pieces, v.bytes - done);
        ok &= EVP_CipherUpdate(c, out + written, &bytes, in + done, (int) n);
        written += (size_t) bytes;
    }
    EXPECT(ok, "line %u: %zu of %zu bytes", rsp.line, done, v.bytes);
    ok = EVP_CipherFinal_ex(c, out + written, &bytes);
    EXPECT(!ok || written + (size_t) bytes == v.bytes, "line %u: length", rsp.line);
    if (aead && encrypting) {
        uint8_t tag[16];
        EXPECT(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, (int) v.tag_bytes, tag) > 0, "tag");
        EXPECT(!memcmp(tag, v.tag, v.tag_bytes), "line %u: tag", rsp.line);
    }
    EVP_CIPHER_CTX_free(c);
    return ok;
}

static void both_directions(EVP_CIPHER *cipher, int pieces)
{
    static uint8_t out[MAX_TEXT + 32];

    EXPECT(run_cipher(cipher, 1, pieces, out), "line %u: encryption", rsp.line);
    EXPECT(!memcmp(out, v.cipher, v.bytes), "line %u: encryption", rsp.line);
    EXPECT(run_cipher(cipher, 0, pieces, out), "line %u: decryption", rsp.line);
    EXPECT(!memcmp(out, v.text, v.bytes), "line %u: decryption", rsp.line);
}

/* Starts a file of vectors; the count must be positive at its end. */
static int open_vectors(const char *name)
{
    vectors = 0;
    return rsp_open(&rsp, name);
}

static void vectors_end(void)
{
    printf("%s: %u vectors\n", rsp.name, vectors);
    EXPECT(vectors, "no vectors in %s", rsp.name);
}

static void block_cipher(const char *file, const char *mode)
{
    if (!open_vectors(file))
        return;
    while (rsp_next(&rsp)) {
        EVP_CIPHER *cipher;

        read_vector("IV");
        rsp_bytes(&rsp, "PT", v.text, sizeof v.text);
        cipher = fetch(v.key_bytes, mode);
        both_directions(cipher, WHOLE);
        both_directions(cipher, PIECES);
        EVP_CIPHER_free(cipher);
    }
    vectors_end();
}

static void test_cbc(void)
{
    block_cipher("aes_cbc.rsp", "CBC");
}

static void test_ctr(void)
{
    block_cipher("aes_ctr.rsp", "CTR");
}

static void test_xts(void)
{
    if (!open_vectors("aes_xts.rsp"))
        return;
    while (rsp_next(&rsp)) {
        EVP_CIPHER *cipher;

        read_vector("TWEAK");
        rsp_bytes(&rsp, "PT", v.text, sizeof v.text);
        cipher = fetch(v.key_bytes / 2, "XTS");
        both_directions(cipher, WHOLE);
        EVP_CIPHER_free(cipher);
    }
    vectors_end();
}

static void expect_iv_refused(const EVP_CIPHER *cipher)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();

    EXPECT(EVP_EncryptInit_ex2(c, cipher, NULL, NULL, NULL) &&
               EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, (int) v.iv_bytes, NULL) <= 0,
           "line %u: IV of %zu bytes", rsp.line, v.iv_bytes);
    EVP_CIPHER_CTX_free(c);
}

/* A vector whose result is invalid must be refused. */
static void test_gcm(void)
{
    static uint8_t out[MAX_TEXT];
    unsigned refused = 0;

    if (!open_vectors("aes_gcm.rsp"))
        return;
    while (rsp_next(&rsp)) {
        EVP_CIPHER *cipher;

        read_vector("IV");
        v.aad_bytes = rsp_bytes(&rsp, "AAD", v.aad, sizeof v.aad);
        v.tag_bytes = rsp_bytes(&rsp, "TAG", v.tag, sizeof v.tag);
        cipher = fetch(v.key_bytes, "GCM");
        if (v.iv_bytes > MAX_IV)
            expect_iv_refused(cipher);
        for (int pieces = WHOLE; v.iv_bytes <= MAX_IV && pieces <= PIECES; pieces++) {
            if (rsp_text(&rsp, "RESULT")) {
                EXPECT(!run_cipher(cipher, 0, pieces, out), "line %u: accepted", rsp.line);
                refused++;
            } else {
                rsp_bytes(&rsp, "PT", v.text, sizeof v.text);
                both_directions(cipher, pieces);
            }
        }
        EVP_CIPHER_free(cipher);
    }
    EXPECT(refused, "no invalid vector");
    vectors_end();
}

/* ---- Digests and HMAC ---- */

static uint8_t message[MAX_TEXT];

static void digest(const EVP_MD *md, const uint8_t *data, size_t n, int pieces, uint8_t *out)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    int ok = EVP_DigestInit_ex2(c, md, NULL);

    for (size_t done = 0, piece; done < n; done += piece) {
        piece = next_piece(pieces, n - done);
        ok &= EVP_DigestUpdate(c, data + done, piece);
    }
    EXPECT(ok && EVP_DigestFinal_ex(c, out, NULL), "line %u: digest", rsp.line);
    EVP_MD_CTX_free(c);
}

/* SHAVS, section 6.4: 1000 digests, each that of the preceding three. */
static void monte_carlo(const EVP_MD *md, unsigned long rounds, uint8_t *out)
{
    size_t n = (size_t) EVP_MD_get_size(md);
    uint8_t three[3 * EVP_MAX_MD_SIZE];

    while (rounds--) {
        for (size_t i = 0; i < 3; i++)
            memcpy(three + i * n, out, n);
        for (int i = 0; i < 1000; i++) {
            digest(md, three, 3 * n, WHOLE, out);
            memmove(three, three + n, 2 * n);
            memcpy(three + 2 * n, out, n);
        }
    }
}

static void digests(const char *file)
{
    if (!open_vectors(file))
        return;
    while (rsp_next(&rsp)) {
        const char *name = rsp_text(&rsp, "HASH");
        EVP_MD *md = EVP_MD_fetch(library, name, provider_of[1]);
        uint8_t want[EVP_MAX_MD_SIZE], got[EVP_MAX_MD_SIZE];
        size_t n = rsp_bytes(&rsp, "MD", want, sizeof want);

        vectors++;
        if (!EXPECT(md && n == (size_t) EVP_MD_get_size(md), "line %u: %s", rsp.line, name))
            continue;
        if (rsp_text(&rsp, "SEED")) {
            rsp_bytes(&rsp, "SEED", got, sizeof got);
            monte_carlo(md, rsp_number(&rsp, "ROUNDS"), got);
            EXPECT(!memcmp(got, want, n), "line %u: Monte Carlo", rsp.line);
        } else {
            size_t bytes = rsp_bytes(&rsp, "MSG", message, sizeof message);
            for (int pieces = WHOLE; pieces <= PIECES; pieces++) {
                digest(md, message, bytes, pieces, got);
                EXPECT(!memcmp(got, want, n), "line %u", rsp.line);
            }
        }
        EVP_MD_free(md);
    }
    vectors_end();
}

static void test_digests(void)
{
    digests("hash.rsp");
    digests("hash_truncated.rsp");
}

static void test_hmac(void)
{
    EVP_MAC *mac = EVP_MAC_fetch(library, "HMAC", provider_of[1]);

    if (!EXPECT(mac, "isal has no HMAC") || !open_vectors("hmac.rsp"))
        return;
    while (rsp_next(&rsp)) {
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST,
                                             (char *) (uintptr_t) rsp_text(&rsp, "HASH"), 0),
            OSSL_PARAM_END};
        uint8_t hmac_key[256], want[EVP_MAX_MD_SIZE], got[EVP_MAX_MD_SIZE];
        size_t key_bytes = rsp_bytes(&rsp, "KEY", hmac_key, sizeof hmac_key), got_bytes = 0;
        size_t bytes = rsp_bytes(&rsp, "MSG", message, sizeof message);
        size_t n = rsp_bytes(&rsp, "MD", want, sizeof want);

        vectors++;
        for (int pieces = WHOLE; pieces <= PIECES; pieces++) {
            EVP_MAC_CTX *c = EVP_MAC_CTX_new(mac);
            int ok = EVP_MAC_init(c, hmac_key, key_bytes, params);
            for (size_t done = 0, piece; done < bytes; done += piece) {
                piece = next_piece(pieces, bytes - done);
                ok &= EVP_MAC_update(c, message + done, piece);
            }
            EXPECT(ok && EVP_MAC_final(c, got, &got_bytes, sizeof got), "line %u", rsp.line);
            EXPECT(got_bytes == n && !memcmp(got, want, n), "line %u", rsp.line);
            EVP_MAC_CTX_free(c);
        }
    }
    EVP_MAC_free(mac);
    vectors_end();
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (provider_load()) {
        TEST(test_cbc);
        TEST(test_ctr);
        TEST(test_xts);
        TEST(test_gcm);
        TEST(test_digests);
        TEST(test_hmac);
    }
    OSSL_LIB_CTX_free(library);
    return test_finish();
}
