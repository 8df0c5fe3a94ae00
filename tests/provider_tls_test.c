/* TLS records through the ciphers of the OpenSSL provider, against the default provider.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "provider_test.h"

#include <openssl/tls1.h>

#define MAX_BYTES 1200
static uint8_t key[32], iv[16];

/* ---- AES-CBC with the MAC outside of the cipher ---- */

static const unsigned versions[] = {TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION, DTLS1_VERSION,
                                    DTLS1_2_VERSION};

struct answer {
    int ok, bytes, padding_bytes;
    uint8_t out[MAX_BYTES + 64], mac[64];
    int has_mac;
};

/* Encrypts or decrypts one record in place. */
static void cbc_record(int provider, int encrypting, unsigned version, size_t mac_bytes,
                       const uint8_t *record, size_t n, struct answer *a)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, "AES-128-CBC", provider_of[provider]);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    OSSL_PARAM set[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
                        OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac_bytes),
                        OSSL_PARAM_END};
    void *mac = NULL;
    OSSL_PARAM get[] = {OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, &mac, mac_bytes),
                        OSSL_PARAM_END};

    memset(a, 0, sizeof *a);
    memcpy(a->out, record, n);
    EXPECT(EVP_CipherInit_ex2(c, cipher, key, iv, encrypting, NULL), "init");
    EXPECT(EVP_CIPHER_CTX_set_params(c, set), "TLS parameters");
    a->ok = EVP_CipherUpdate(c, a->out, &a->bytes, a->out, (int) n);
    if (a->ok && !encrypting && mac_bytes && EVP_CIPHER_CTX_get_params(c, get) && mac) {
        memcpy(a->mac, mac, mac_bytes);
        a->has_mac = 1;
    }
    EVP_CIPHER_CTX_free(c);
    EVP_CIPHER_free(cipher);
}

static void compare_records(int encrypting, unsigned version, size_t mac_bytes,
                            const uint8_t *record, size_t n, int valid)
{
    static struct answer a[BOTH];
    int ok[BOTH], bytes[BOTH], has_mac[BOTH];

    for (int i = 0; i < BOTH; i++) {
        cbc_record(i, encrypting, version, mac_bytes, record, n, &a[i]);
        ok[i] = a[i].ok;
        bytes[i] = a[i].bytes;
        has_mac[i] = a[i].has_mac;
    }
    SAME(ok, "answer");
    SAME(has_mac, "MAC");
    if (!ok[0] || !SAME(bytes, "length"))
        return;
    if (encrypting)
        SAME_BYTES(a[0].out, a[1].out, bytes[0], "record");
    else
        SAME_BYTES(a[0].out + 16, a[1].out + 16, bytes[0], "text");
    if (valid)
        SAME_BYTES(a[0].mac, a[1].mac, sizeof a[0].mac, "MAC");
    else if (mac_bytes)
        EXPECT(memcmp(a[0].mac, a[1].mac, mac_bytes), "a wrong MAC is not random after%s", steps);
}

/* Encrypts text, MAC and a padding as AES-CBC does. */
static void encrypt_padded(uint8_t *record, size_t n)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, "AES-128-CBC", provider_of[0]);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    int bytes;

    EVP_EncryptInit_ex2(c, cipher, key, iv, NULL);
    EVP_CIPHER_CTX_set_padding(c, 0);
    EXPECT(EVP_EncryptUpdate(c, record, &bytes, record, (int) n), "encryption");
    EVP_CIPHER_CTX_free(c);
    EVP_CIPHER_free(cipher);
}

static void test_cbc_records(void)
{
    static const size_t macs[] = {0, 16, 20, 32, 48};

    for (int round = 0; round < 6000; round++) {
        unsigned version = versions[round % 5];
        size_t mac_bytes = macs[test_random(5)], n = 16 * (1 + test_random(70)), padding;
        size_t explicit_iv = version == TLS1_VERSION ? 0 : 16;
        uint8_t record[MAX_BYTES];
        int valid, wrong = test_random(3) == 0;

        test_fill_random(key, sizeof key);
        test_fill_random(iv, sizeof iv);
        test_fill_random(record, sizeof record);
        padding = test_random(256);
        if (test_random(2))
            padding %= 16;
        for (size_t i = 0; i <= padding && i < n; i++)
            record[n - 1 - i] = (uint8_t) padding;
        if (wrong)
            record[n - 1 - test_random((unsigned) (padding + 1 < n ? padding + 1 : n))] ^=
                (uint8_t) (1 + test_random(255));
        padding = record[n - 1];
        valid = padding + 1 + mac_bytes + explicit_iv <= n;
        for (size_t i = 0; valid && i <= padding; i++)
            valid = record[n - 1 - i] == padding;
        encrypt_padded(record, n);
        steps_clear();
        step(" %x, MAC %zu, %zu bytes, padding %zu, %s", version, mac_bytes, n, padding,
             valid ? "valid" : "invalid");
        compare_records(0, version, mac_bytes, record, n, valid);
        n = test_random(1000);
        steps_clear();
        step(" %x, MAC %zu, encrypt %zu", version, mac_bytes, n);
        compare_records(1, version, mac_bytes, record, n, 1);
    }
    ERR_clear_error();
}

static void test_cbc_record_lengths(void)
{
    uint8_t record[MAX_BYTES] = {0};

    for (size_t n = 0; n < 100; n++)
        for (size_t v = 0; v < 5; v++)
            if (n % 16 || n < 16) {
                steps_clear();
                step(" %x, %zu bytes", versions[v], n);
                compare_records(0, versions[v], 20, record, n, 0);
            }
    ERR_clear_error();
}

/* ---- AES-GCM ---- */

/* One record through either function that libssl may call. */
static int gcm_record(EVP_CIPHER_CTX *c, int use_update, uint8_t *data, size_t n)
{
    int bytes = 0;

    if (!use_update)
        return EVP_Cipher(c, data, data, (unsigned) n);
    return EVP_CipherUpdate(c, data, &bytes, data, (int) n) ? bytes : -1;
}

/* The records of one connection. */
static void gcm_records(const char *name)
{
    EVP_CIPHER *cipher[BOTH];
    EVP_CIPHER_CTX *c[BOTH], *peer[BOTH];
    uint8_t whole_iv[12];

    test_fill_random(key, sizeof key);
    test_fill_random(whole_iv, sizeof whole_iv);
    for (int i = 0; i < BOTH; i++) {
        cipher[i] = EVP_CIPHER_fetch(library, name, provider_of[i]);
        c[i] = EVP_CIPHER_CTX_new();
        peer[i] = EVP_CIPHER_CTX_new();
        EXPECT(EVP_EncryptInit_ex2(c[i], cipher[i], key, NULL, NULL), "init");
        EXPECT(EVP_DecryptInit_ex2(peer[i], cipher[i], key, NULL, NULL), "init");
        /* Sets the whole IV, part of which would otherwise be random. */
        EXPECT(EVP_CIPHER_CTX_ctrl(c[i], EVP_CTRL_AEAD_SET_IV_FIXED, -1, whole_iv) > 0, "iv");
        EXPECT(EVP_CIPHER_CTX_ctrl(peer[i], EVP_CTRL_AEAD_SET_IV_FIXED, 4, whole_iv) > 0, "iv");
    }
    for (int record = 0; record < 40; record++) {
        size_t n = test_random(MAX_BYTES - 24), flip = test_random(8) ? SIZE_MAX : test_random(24);
        uint8_t data[BOTH][MAX_BYTES], header[13], in[MAX_BYTES];
        int pad[BOTH], answer[BOTH];

        test_fill_random(in, sizeof in);
        steps_clear();
        step(" %s, record %d, %zu bytes, %zu", name, record, n, flip);
        for (int i = 0; i < BOTH; i++) {
            memcpy(header, in, 13);
            header[11] = (uint8_t) ((n + 8) >> 8);
            header[12] = (uint8_t) (n + 8);
            memcpy(data[i], in, sizeof in);
            pad[i] = EVP_CIPHER_CTX_ctrl(c[i], EVP_CTRL_AEAD_TLS1_AAD, 13, header);
            answer[i] = gcm_record(c[i], record % 2, data[i], n + 24);
        }
        SAME(pad, "tag bytes");
        SAME(answer, "encryption");
        SAME_BYTES(data[0], data[1], MAX_BYTES, "record");
        if (flip != SIZE_MAX)
            data[0][flip + n < MAX_BYTES ? flip + n : 0] ^= 1;
        memcpy(data[1], data[0], MAX_BYTES);
        for (int i = 0; i < BOTH; i++) {
            memcpy(header, in, 13);
            header[11] = (uint8_t) ((n + 24) >> 8);
            header[12] = (uint8_t) (n + 24);
            EVP_CIPHER_CTX_ctrl(peer[i], EVP_CTRL_AEAD_TLS1_AAD, 13, header);
            answer[i] = gcm_record(peer[i], record % 2, data[i], n + 24);
        }
        SAME(answer, "decryption");
        if (answer[0] >= 0)
            SAME_BYTES(data[0] + 8, data[1] + 8, n, "text");
    }
    for (int i = 0; i < BOTH; i++) {
        EVP_CIPHER_CTX_free(c[i]);
        EVP_CIPHER_CTX_free(peer[i]);
        EVP_CIPHER_free(cipher[i]);
    }
}

static void test_gcm_records(void)
{
    for (int round = 0; round < 30; round++)
        gcm_records(round % 2 ? "AES-128-GCM" : "AES-256-GCM");
    ERR_clear_error();
}

/* Messages whose IVs the cipher counts, as ssh has them. After a wrong tag, isal wants a new IV;
 * the default provider does not. */
static void test_gcm_counted_ivs(void)
{
    static const char *const names[] = {"AES-128-GCM", "AES-256-GCM"};

    for (int round = 0; round < 3000; round++) {
        EVP_CIPHER_CTX *c[BOTH] = {EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_new()};
        uint8_t out[BOTH][200], tag[BOTH][16], next[BOTH][16], data[200], aad[13];
        const int encrypting = (int) test_random(2);
        int answer[BOTH];

        steps_clear();
        step(" %s, %s", names[round % 2], encrypting ? "encryption" : "decryption");
        test_fill_random(key, sizeof key);
        test_fill_random(iv, sizeof iv);
        memset(iv + 10, test_random(2) ? 255 : 0, 2);
        for (int i = 0; i < BOTH; i++) {
            EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, names[round % 2], provider_of[i]);

            EXPECT(EVP_CipherInit_ex2(c[i], cipher, NULL, iv, encrypting, NULL) &&
                       EVP_CIPHER_CTX_ctrl(c[i], EVP_CTRL_GCM_SET_IV_FIXED, -1, iv) > 0 &&
                       EVP_CipherInit_ex2(c[i], NULL, key, NULL, -1, NULL),
                   "init");
            EVP_CIPHER_free(cipher);
        }
        for (int message = 0; message < 4; message++) {
            int given = 1 + (int) test_random(12), n = 1 + (int) test_random(199);
            int has_aad = test_random(4) != 0, has_iv = !encrypting || test_random(8);

            step(" %d bytes%s%s", n, has_aad ? ", AAD" : "", has_iv ? "" : ", no IV");
            test_fill_random(data, sizeof data);
            test_fill_random(aad, sizeof aad);
            memset(out, 0, sizeof out);
            memset(tag, 0, sizeof tag);
            memset(next, 0, sizeof next);
            for (int i = 0; i < BOTH; i++) {
                answer[i] =
                    !has_iv || EVP_CIPHER_CTX_ctrl(c[i], EVP_CTRL_GCM_IV_GEN, given, next[i]);
                if (!encrypting)
                    answer[i] |= EVP_CIPHER_CTX_ctrl(c[i], EVP_CTRL_GCM_SET_TAG, 16, data) << 4;
                answer[i] |= (has_aad && EVP_Cipher(c[i], NULL, aad, 13) == 13) << 1;
                answer[i] |= (EVP_Cipher(c[i], out[i], data, (unsigned) n) == n) << 2;
                answer[i] |= (EVP_Cipher(c[i], NULL, NULL, 0) >= 0) << 3;
                if (encrypting)
                    EVP_CIPHER_CTX_ctrl(c[i], EVP_CTRL_GCM_GET_TAG, 16, tag[i]);
            }
            SAME(answer, "IV, tag, AAD, text, end");
            SAME_BYTES(next[0], next[1], 16, "IV");
            SAME_BYTES(out[0], out[1], n, "text");
            SAME_BYTES(tag[0], tag[1], 16, "tag");
        }
        EVP_CIPHER_CTX_free(c[0]);
        EVP_CIPHER_CTX_free(c[1]);
    }
    ERR_clear_error();
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (provider_load()) {
        TEST(test_cbc_records);
        TEST(test_cbc_record_lengths);
        TEST(test_gcm_records);
        TEST(test_gcm_counted_ivs);
    }
    OSSL_LIB_CTX_free(library);
    return test_finish();
}
