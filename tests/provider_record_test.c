/* The TLS record ciphers of the OpenSSL provider, AES-CBC with HMAC, against the default provider.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "provider_test.h"

#define MAX_TEXT 16384
#define MAX_RECORD (MAX_TEXT + 400)
#define HEADER 13
#define RECORDS 3000

static const struct {
    const char *name, *cipher, *digest;
    int key_bytes, mac_bytes;
} kinds[] = {
    {"AES-128-CBC-HMAC-SHA1", "AES-128-CBC", "SHA1", 16, 20},
    {"AES-256-CBC-HMAC-SHA1", "AES-256-CBC", "SHA1", 32, 20},
    {"AES-128-CBC-HMAC-SHA256", "AES-128-CBC", "SHA256", 16, 32},
    {"AES-256-CBC-HMAC-SHA256", "AES-256-CBC", "SHA256", 32, 32},
};
#define KINDS 4

static EVP_CIPHER *ciphers[BOTH][KINDS];
static uint8_t text[MAX_RECORD], out[BOTH][MAX_RECORD];

/* A connection in one direction. */
struct connection {
    int kind, version, explicit_iv;
    uint8_t key[32], iv[16], mac_key[100];
    int mac_key_bytes;
    EVP_CIPHER_CTX *context[BOTH];
};

static void open_connection(struct connection *c, int encrypting)
{
    c->kind = (int) test_random(KINDS);
    c->version = 0x301 + (int) test_random(3);
    c->explicit_iv = c->version > 0x301 ? 16 : 0;
    c->mac_key_bytes = test_random(4) ? kinds[c->kind].mac_bytes : 1 + (int) test_random(99);
    test_fill_random(c->key, sizeof c->key);
    test_fill_random(c->iv, sizeof c->iv);
    test_fill_random(c->mac_key, sizeof c->mac_key);
    for (int i = 0; i < BOTH; i++) {
        c->context[i] = EVP_CIPHER_CTX_new();
        EXPECT(EVP_CipherInit_ex2(c->context[i], ciphers[i][c->kind], c->key, c->iv, encrypting,
                                  NULL) &&
                   EVP_CIPHER_CTX_ctrl(c->context[i], EVP_CTRL_AEAD_SET_MAC_KEY, c->mac_key_bytes,
                                       c->mac_key) == 1,
               "%s of %s", kinds[c->kind].name, provider_of[i]);
    }
}

static void close_connection(struct connection *c)
{
    for (int i = 0; i < BOTH; i++)
        EVP_CIPHER_CTX_free(c->context[i]);
    ERR_clear_error();
}

static void make_header(uint8_t header[HEADER], const struct connection *c, size_t n)
{
    test_fill_random(header, 8);
    header[8] = 23;
    header[9] = (uint8_t) (c->version >> 8);
    header[10] = (uint8_t) c->version;
    header[11] = (uint8_t) (n >> 8);
    header[12] = (uint8_t) n;
}

static void replace_by_copy(struct connection *c)
{
    for (int i = 0; i < BOTH; i++) {
        EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();

        EXPECT(EVP_CIPHER_CTX_copy(copy, c->context[i]), "copy");
        EVP_CIPHER_CTX_free(c->context[i]);
        c->context[i] = copy;
    }
}

/* Sets the header in both; returns what the record grows by. */
static int set_header(struct connection *c, const uint8_t header[HEADER])
{
    int added[BOTH];

    for (int i = 0; i < BOTH; i++) {
        uint8_t copy[HEADER]; /* the default provider changes it */

        memcpy(copy, header, HEADER);
        added[i] = EVP_CIPHER_CTX_ctrl(c->context[i], EVP_CTRL_AEAD_TLS1_AAD, HEADER, copy);
    }
    SAME(added, "tlsaad");
    return added[1];
}

/* Calls both with the same record, which may be of a wrong length. */
static void run_both(struct connection *c, const uint8_t *in, int n, int answer[BOTH],
                     int bytes[BOTH])
{
    int in_place = (int) test_random(2);

    for (int i = 0; i < BOTH; i++) {
        if (in_place)
            memcpy(out[i], in, (size_t) n);
        bytes[i] = -1;
        answer[i] = EVP_CipherUpdate(c->context[i], out[i], &bytes[i], in_place ? out[i] : in, n);
    }
    SAME(answer, "update");
    if (answer[0])
        SAME(bytes, "bytes");
}

static void test_encryption(void)
{
    struct connection c;
    uint8_t header[HEADER];
    int answer[BOTH], bytes[BOTH];

    for (int round = 0; round < RECORDS / 10; round++) {
        steps_clear();
        open_connection(&c, 1);
        step(" %s %x", kinds[c.kind].name, c.version);
        answer[1] = 1;
        for (int record = 0; answer[1] && record < 10; record++) {
            int n = (int) random_length(MAX_TEXT), added;

            step(" %d", n);
            test_fill_random(text, sizeof text);
            make_header(header, &c, (size_t) n);
            if (test_random(20) == 0 && step(" copy"))
                replace_by_copy(&c);
            added = set_header(&c, header);
            if (added <= 0)
                break;
            if (test_random(20) == 0 && step(" wrong length"))
                added += (int) test_random(60) - 30;
            if (n + added < 0)
                break;
            run_both(&c, text, n + added, answer, bytes);
            if (answer[0] && answer[1])
                SAME_BYTES(out[0], out[1], bytes[0], "record");
            if (answer[1] && test_random(20) == 0 && step(" blocks"))
                run_both(&c, text, 16 * (int) test_random(20) + (test_random(3) == 0), answer,
                         bytes);
        }
        close_connection(&c);
    }
}

/* Makes a record of n bytes of text with any valid padding, and perhaps a fault: 1 in the MAC, 2 in
 * the padding. Returns its bytes. */
static int forge(const struct connection *c, uint8_t *record, int n, const uint8_t *header_in,
                 int fault)
{
    static uint8_t message[HEADER + MAX_RECORD];
    const int explicit_iv = c->explicit_iv, mac_bytes = kinds[c->kind].mac_bytes;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, kinds[c->kind].cipher, "provider=default");
    uint8_t *end = record + explicit_iv + n;
    int padding = 16 - (explicit_iv + n + mac_bytes) % 16, bytes = 0;
    size_t mac = 0;

    padding += 16 * (int) test_random((unsigned) (256 - padding) / 16 + 1);
    test_fill_random(record, (size_t) (explicit_iv + n));
    memcpy(message, header_in, HEADER);
    message[11] = (uint8_t) (n >> 8);
    message[12] = (uint8_t) n;
    memcpy(message + HEADER, record + explicit_iv, (size_t) n);
    EXPECT(EVP_Q_mac(library, "HMAC", "provider=default", kinds[c->kind].digest, NULL, c->mac_key,
                     (size_t) c->mac_key_bytes, message, (size_t) (HEADER + n), end,
                     (size_t) mac_bytes, &mac),
           "HMAC");
    memset(end + mac_bytes, padding - 1, (size_t) padding);
    if (fault == 1)
        end[test_random((unsigned) mac_bytes)] ^= (uint8_t) (1 + test_random(255));
    if (fault == 2)
        end[mac_bytes + (int) test_random((unsigned) padding)] ^= (uint8_t) (1 + test_random(255));
    EXPECT(EVP_EncryptInit_ex2(context, cipher, c->key, c->iv, NULL) &&
               EVP_CIPHER_CTX_set_padding(context, 0) &&
               EVP_EncryptUpdate(context, record, &bytes, record,
                                 explicit_iv + n + mac_bytes + padding),
           "CBC");
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
    return bytes;
}

/* Valid records, and wrong MACs, paddings, lengths and ciphertexts. */
static void test_decryption(void)
{
    struct connection c;
    uint8_t header[HEADER];
    unsigned int version;
    OSSL_PARAM tls[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
                        OSSL_PARAM_END};
    int accepted = 0;

    for (int round = 0; round < RECORDS; round++) {
        int n = (int) random_length(MAX_TEXT), fault = (int) test_random(5), bytes;
        int answer[BOTH], got[BOTH], by_libssl = (int) test_random(2);

        steps_clear();
        open_connection(&c, 0);
        make_header(header, &c, (size_t) n);
        bytes = forge(&c, text, n, header, fault);
        step(" %s %x %d of %d bytes, fault %d, %s", kinds[c.kind].name, c.version, n, bytes, fault,
             by_libssl ? "tls-version" : "");
        version = (unsigned) c.version;
        for (int i = 0; by_libssl && i < BOTH; i++)
            EXPECT(EVP_CIPHER_CTX_set_params(c.context[i], tls), "tls-version");
        if (fault == 3)
            text[test_random((unsigned) bytes)] ^= 0x40;
        if (fault == 4)
            bytes = (int) test_random((unsigned) bytes);
        set_header(&c, header);
        run_both(&c, text, bytes, answer, got);
        if (!fault)
            SAME_BYTES(out[0] + c.explicit_iv, out[1] + c.explicit_iv, n, "text");
        EXPECT(answer[1] == !fault || fault > 2, "accepted or rejected%s", steps);
        accepted += answer[1];
        close_connection(&c);
    }
    EXPECT(accepted > RECORDS / 10, "%d accepted", accepted);
}

static void test_errors(void)
{
    struct connection c;
    uint8_t header[HEADER];
    int answer[BOTH], bytes[BOTH];

    for (int encrypting = 0; encrypting < 2; encrypting++) {
        steps_clear();
        open_connection(&c, encrypting);
        c.version = 0x303;
        make_header(header, &c, 5);
        set_header(&c, header);
        for (int i = 0; i < BOTH; i++)
            answer[i] = EVP_CIPHER_CTX_ctrl(c.context[i], EVP_CTRL_AEAD_TLS1_AAD, 12, header);
        SAME(answer, "a header of 12 bytes");
        close_connection(&c);
        open_connection(&c, encrypting);
        run_both(&c, text, 33, answer, bytes);
        EXPECT(!answer[1], "33 bytes");
        close_connection(&c);
    }
}

/* ---- Multi-block ---- */

/* Records of one call follow each other. */
#define MAX_MULTI (8 * (MAX_TEXT + 400))
static uint8_t multi_text[8 * MAX_TEXT], multi_out[BOTH][MAX_MULTI];

static int announce(struct connection *c, int i, const uint8_t header[HEADER], size_t n,
                    unsigned records, EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM *call)
{
    static uint8_t copy[HEADER];

    memcpy(copy, header, HEADER);
    *call = (EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM){NULL, copy, n, records};
    return EVP_CIPHER_CTX_ctrl(c->context[i], EVP_CTRL_TLS1_1_MULTIBLOCK_AAD, sizeof *call, call);
}

static int encrypt_announced(struct connection *c, int i, size_t n, unsigned records)
{
    EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM call = {multi_out[i], multi_text, n, records};

    return EVP_CIPHER_CTX_ctrl(c->context[i], EVP_CTRL_TLS1_1_MULTIBLOCK_ENCRYPT, sizeof call,
                               &call);
}

/* Decrypts a record with the other provider, and compares with the text that is next. Returns the
 * bytes of the record. */
static size_t check_multi_record(struct connection *receiver, int i, const uint8_t *record,
                                 uint8_t header[HEADER], size_t *text_at)
{
    const size_t n = (size_t) (record[3] << 8 | record[4]);
    unsigned version = (unsigned) receiver->version;
    OSSL_PARAM tls[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
                        OSSL_PARAM_END};
    uint8_t copy[HEADER];
    int bytes = -1;

    SAME_BYTES(record, header + 8, 3, "header");
    memcpy(copy, header, HEADER);
    copy[11] = record[3];
    copy[12] = record[4];
    EXPECT(EVP_CIPHER_CTX_set_params(receiver->context[!i], tls) &&
               EVP_CIPHER_CTX_ctrl(receiver->context[!i], EVP_CTRL_AEAD_TLS1_AAD, HEADER, copy) >
                   0 &&
               EVP_CipherUpdate(receiver->context[!i], text, &bytes, record + 5, (int) n) &&
               bytes >= 0,
           "record of %s%s", provider_of[i], steps);
    if (bytes > 0)
        SAME_BYTES(text + 16, multi_text + *text_at, bytes, "text");
    *text_at += bytes > 0 ? (size_t) bytes : 0;
    for (int k = 7; k >= 0 && !++header[k]; k--)
        ;
    return 5 + n;
}

/* Both write records that the other decrypts, of the length that they announced. */
static void compare_multi_block(struct connection *c, struct connection *receiver, size_t n,
                                unsigned records)
{
    EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM call;
    uint8_t first[HEADER], header[HEADER];
    int announced[BOTH], bytes[BOTH];

    make_header(first, c, 0);
    if (test_random(3) == 0)
        memset(first + 4, 255, 4);
    for (int i = 0; i < BOTH; i++) {
        size_t at = 0, text_at = 0;

        announced[i] = announce(c, i, first, n, records, &call);
        EXPECT(call.interleave == records, "records%s", steps);
        memset(multi_out[i], 0xee, sizeof multi_out[i]);
        bytes[i] = encrypt_announced(c, i, n, records);
        EXPECT(bytes[i] == announced[i] && bytes[i] > 0 && multi_out[i][bytes[i]] == 0xee,
               "%d bytes announced, %d written%s", announced[i], bytes[i], steps);
        memcpy(header, first, HEADER);
        for (unsigned k = 0; k < records && bytes[i] > 0; k++)
            at += check_multi_record(receiver, i, multi_out[i] + at, header, &text_at);
        EXPECT(at == (size_t) bytes[i] && text_at == n, "%zu bytes, %zu of text%s", at, text_at,
               steps);
    }
    if (n % records == 0) /* the remainder may go to other records; libssl leaves none */
        SAME(announced, "tls1multi_aadpacklen");
    EXPECT(memcmp(multi_out[0] + 5, multi_out[1] + 5, 16) != 0, "the IV is random");
}

static void test_multi_block(void)
{
    struct connection c, receiver;
    int size[BOTH];

    test_fill_random(multi_text, sizeof multi_text);
    for (int round = 0; round < 200; round++) {
        unsigned records = test_random(2) ? 4 : 8;
        /* The default provider fails if a record has no whole block. */
        size_t n =
            records * (256 + test_random(round % 4 ? 1000 : MAX_TEXT - 280)) + test_random(records);
        int fragment = 512 + (int) test_random(MAX_TEXT - 511);

        steps_clear();
        open_connection(&c, 1);
        c.version = 0x302 + (int) test_random(2);
        receiver = c;
        step(" %s %x, %u records, %zu bytes", kinds[c.kind].name, c.version, records, n);
        for (int i = 0; i < BOTH; i++) {
            receiver.context[i] = EVP_CIPHER_CTX_new();
            EXPECT(
                EVP_CipherInit_ex2(receiver.context[i], ciphers[i][c.kind], c.key, c.iv, 0, NULL) &&
                    EVP_CIPHER_CTX_ctrl(receiver.context[i], EVP_CTRL_AEAD_SET_MAC_KEY,
                                        c.mac_key_bytes, c.mac_key) == 1,
                "receiver");
            EXPECT(EVP_CIPHER_get_flags(ciphers[i][c.kind]) & EVP_CIPH_FLAG_TLS1_1_MULTIBLOCK,
                   "tls-multi");
            size[i] = EVP_CIPHER_CTX_ctrl(c.context[i], EVP_CTRL_TLS1_1_MULTIBLOCK_MAX_BUFSIZE,
                                          fragment, NULL);
        }
        SAME(size, "tls1multi_maxbufsz");
        compare_multi_block(&c, &receiver, n, records);
        if (test_random(4) == 0 && step(" copy"))
            replace_by_copy(&c);
        compare_multi_block(&c, &receiver, n - records * test_random(100), records);
        close_connection(&c);
        close_connection(&receiver);
    }
}

/* What isal refuses. */
static void test_multi_block_errors(void)
{
    EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM call;
    uint8_t header[HEADER];
    struct connection c;

    open_connection(&c, 0);
    c.version = 0x303;
    make_header(header, &c, 0);
    EXPECT(announce(&c, 1, header, 10000, 4, &call) <= 0, "decryption");
    close_connection(&c);
    open_connection(&c, 1);
    EXPECT(encrypt_announced(&c, 1, 10000, 4) <= 0, "nothing was announced");
    EXPECT(announce(&c, 1, header, 4 * MAX_TEXT + 1, 4, &call) <= 0, "a long record");
    for (size_t i = 0; i < 4; i++)
        EXPECT(announce(&c, 1, header, 10000, (unsigned[]){0, 3, 12, 16}[i], &call) <= 0,
               "0, 3, 12 or 16 records");
    for (unsigned other = 0; other < 3; other++)
        EXPECT(announce(&c, 1, header, 10000, 4, &call) > 0 &&
                   encrypt_announced(&c, 1, 10000 + other % 2, other ? 8 : 12) <= 0 &&
                   encrypt_announced(&c, 1, 10000 + other % 2, other ? 8 : 4) <= 0,
               "other bytes or records than announced");
    EXPECT(announce(&c, 1, header, 10000, 4, &call) > 0 && encrypt_announced(&c, 1, 10000, 4) > 0 &&
               encrypt_announced(&c, 1, 10000, 4) <= 0,
           "announced once");
    header[11] = 0x10;
    EXPECT(announce(&c, 1, header, 4096, 8, &call) > 0 && call.interleave == 4, "4096 bytes");
    header[11] = 0x0f;
    EXPECT(announce(&c, 1, header, 4096, 8, &call) <= 0, "a short text");
    header[10] = 1;
    header[11] = 0;
    EXPECT(announce(&c, 1, header, 10000, 4, &call) <= 0, "TLS 1.0");
    close_connection(&c);
}

/* libcrypto refuses the controls of pipelines for every cipher of a provider: the guide says so. */
static void test_pipelines(void)
{
    static uint8_t buffer[64], *buffers[1] = {buffer};

    for (int i = 0; i < BOTH * KINDS; i++) {
        const EVP_CIPHER *cipher = ciphers[i % BOTH][i / BOTH];
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();

        EXPECT(EVP_EncryptInit_ex2(context, cipher, buffer, buffer, NULL), "init");
        EXPECT(!(EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_PIPELINE), "pipelines are flagged");
        EXPECT(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_SET_PIPELINE_INPUT_BUFS, 1, buffers) <= 0,
               "pipelines are accepted");
        EVP_CIPHER_CTX_free(context);
    }
    ERR_clear_error();
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (provider_load()) {
        int usable = 1;

        for (int i = 0; i < BOTH * KINDS; i++) {
            ciphers[i % BOTH][i / BOTH] =
                EVP_CIPHER_fetch(library, kinds[i / BOTH].name, provider_of[i % BOTH]);
            usable &= ciphers[i % BOTH][i / BOTH] != NULL;
        }
        EXPECT(ciphers[1][0] != NULL, "no record ciphers");
        if (usable) {
            TEST(test_encryption);
            TEST(test_decryption);
            TEST(test_errors);
            TEST(test_multi_block);
            TEST(test_multi_block_errors);
            TEST(test_pipelines);
        } else {
            test_skip("the default provider has no record ciphers");
        }
        for (int i = 0; i < BOTH * KINDS; i++)
            EVP_CIPHER_free(ciphers[i % BOTH][i / BOTH]);
    }
    OSSL_LIB_CTX_free(library);
    return test_finish();
}
