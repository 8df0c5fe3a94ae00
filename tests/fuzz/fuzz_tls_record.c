/* Fuzz harness: TLS records through the ciphers of the OpenSSL provider, compared with the default
 * provider's.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Input: the cipher, direction, version and keys of a connection, then its records. Each is a
 * header and a body: text to encrypt, a ciphertext, or a genuine record with a byte changed. The
 * header has the record's length, as libssl's has. Some texts become several records in one
 * call. */

#include "tests/fuzz/fuzz.h"

#include <openssl/conf.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/tls1.h>

#define BOTH 2
#define HEADER EVP_AEAD_TLS1_AAD_LEN
#define MAX_TEXT 1500
#define MAX_GROWTH 512 /* explicit IV, MAC and padding of a record, and more */
#define MAX_RECORDS 8
#define MAX_MAC 64

static const struct kind {
    const char *name;
    int key_bytes, mac_bytes, gcm;
} kinds[] = {
    {"AES-128-CBC", 16, 0, 0},
    {"AES-256-CBC", 32, 0, 0},
    {"AES-128-CBC-HMAC-SHA1", 16, 20, 0},
    {"AES-256-CBC-HMAC-SHA256", 32, 32, 0},
    {"AES-256-CBC-HMAC-SHA1", 32, 20, 0},
    {"AES-128-CBC-HMAC-SHA256", 16, 32, 0},
    {"AES-128-GCM", 16, 0, 1},
    {"AES-256-GCM", 32, 0, 1},
};
#define KINDS (sizeof kinds / sizeof kinds[0])
static const char *const provider_of[BOTH] = {"provider=default", "provider=isal"};
static EVP_CIPHER *ciphers[BOTH][KINDS];

/* ---- Providers ---- */

#ifdef FUZZ_LIBFUZZER /* the provider is part of the program */
OSSL_provider_init_fn OSSL_provider_init;
#define ADD_PROVIDER(library) OSSL_PROVIDER_add_builtin(library, "isal", OSSL_provider_init)
#else
#define ADD_PROVIDER(library)              \
    OSSL_PROVIDER_set_default_search_path( \
        library, getenv("ISAL_PROVIDER_FOLDER") ? getenv("ISAL_PROVIDER_FOLDER") : ".libs")
#endif

/* With all algorithms, which only a configuration can ask for. */
static void load_provider(void)
{
    static const char text[] = "openssl_conf = init\n[init]\nproviders = list\n[list]\n"
                               "default = default_section\nisal = isal_section\n"
                               "[default_section]\nactivate = 1\n"
                               "[isal_section]\nalgorithms = ALL\nactivate = 1\n";
    OSSL_LIB_CTX *library = OSSL_LIB_CTX_new();
    CONF *conf = NCONF_new_ex(library, NULL);
    BIO *bio = BIO_new_mem_buf(text, -1);

    FUZZ_EXPECT(ADD_PROVIDER(library), "isal");
    OPENSSL_load_builtin_modules();
    FUZZ_EXPECT(NCONF_load_bio(conf, bio, NULL) == 1 && CONF_modules_load(conf, NULL, 0) == 1,
                "configuration");
    for (int i = 0; i < BOTH; i++)
        for (size_t k = 0; k < KINDS; k++) {
            ciphers[i][k] = EVP_CIPHER_fetch(library, kinds[k].name, provider_of[i]);
            FUZZ_EXPECT(ciphers[i][k], "%s of %s", kinds[k].name, provider_of[i]);
        }
    BIO_free(bio);
    NCONF_free(conf);
}

/* ---- A connection in one direction ---- */

struct connection {
    const struct kind *kind;
    int encrypting;
    unsigned version;
    size_t mac_bytes; /* that AES-CBC splits from the text */
    uint8_t *key, *mac_key, *iv;
    EVP_CIPHER_CTX *context[BOTH], *sender; /* sender: makes genuine records for both */
};

/* The MAC of CBC records with encrypt-then-MAC is not the cipher's concern: mac_bytes is 0. */
static EVP_CIPHER_CTX *new_context(const struct connection *c, int provider, int encrypting)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const EVP_CIPHER *cipher = ciphers[provider][c->kind - kinds];
    unsigned version = c->version;
    size_t mac_bytes = c->mac_bytes;
    OSSL_PARAM tls[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
                        OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac_bytes),
                        OSSL_PARAM_END};

    FUZZ_EXPECT(
        EVP_CipherInit_ex2(context, cipher, c->key, c->kind->gcm ? NULL : c->iv, encrypting, NULL),
        "%s", c->kind->name);
    if (c->kind->gcm)
        FUZZ_EXPECT(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IV_FIXED,
                                        encrypting ? -1 : EVP_GCM_TLS_FIXED_IV_LEN, c->iv) > 0,
                    "IV");
    else
        FUZZ_EXPECT(EVP_CIPHER_CTX_set_params(context, tls), "TLS parameters");
    if (c->kind->mac_bytes)
        FUZZ_EXPECT(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_MAC_KEY, c->kind->mac_bytes,
                                        c->mac_key) == 1,
                    "MAC key");
    return context;
}

static void open_connection(struct connection *c, struct fuzz_input *in)
{
    static const unsigned versions[] = {TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION, DTLS1_VERSION,
                                        DTLS1_2_VERSION};
    static const size_t macs[] = {0, 20, 32, 48};

    c->kind = &kinds[fuzz_number(in, KINDS - 1)];
    c->encrypting = (int) fuzz_number(in, 1);
    c->version = versions[fuzz_number(in, c->kind->mac_bytes ? 2 : 4)];
    c->mac_bytes = c->kind->mac_bytes || c->kind->gcm ? 0 : macs[fuzz_number(in, 3)];
    c->key = fuzz_copy(in, (size_t) c->kind->key_bytes);
    c->iv = fuzz_copy(in, 16);
    c->mac_key = fuzz_copy(in, (size_t) c->kind->mac_bytes);
    for (int i = 0; i < BOTH; i++)
        c->context[i] = new_context(c, i, c->encrypting);
    c->sender = new_context(c, 0, 1);
}

static void close_connection(struct connection *c)
{
    for (int i = 0; i < BOTH; i++)
        EVP_CIPHER_CTX_free(c->context[i]);
    EVP_CIPHER_CTX_free(c->sender);
    free(c->key);
    free(c->iv);
    free(c->mac_key);
    ERR_clear_error();
}

/* Bytes of the explicit IV, where the caller of the cipher leaves room for it. */
static size_t explicit_iv(const struct connection *c)
{
    if (c->kind->gcm)
        return EVP_GCM_TLS_EXPLICIT_IV_LEN;
    return c->version == TLS1_VERSION ? 0 : 16;
}

static int has_header(const struct connection *c)
{
    return c->kind->gcm || c->kind->mac_bytes;
}

/* Sets the header, with n as the length. Returns the bytes that the cipher says it adds or, in
 * decryption, a positive number; 0 or less if it fails. AES-CBC alone needs no header and room for
 * padding, of which this says nothing. */
static int set_header(const struct connection *c, EVP_CIPHER_CTX *context, const uint8_t *header,
                      size_t n)
{
    uint8_t copy[HEADER]; /* a provider may change it */

    if (!has_header(c))
        return 1;
    memcpy(copy, header, HEADER);
    copy[9] = (uint8_t) (c->version >> 8);
    copy[10] = (uint8_t) c->version;
    copy[11] = (uint8_t) (n >> 8);
    copy[12] = (uint8_t) n;
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, HEADER, copy);
}

/* Encrypts n bytes, explicit IV and text, in place. Returns the record's bytes. */
static size_t send(const struct connection *c, EVP_CIPHER_CTX *context, const uint8_t *header,
                   uint8_t *record, size_t n)
{
    int added = set_header(c, context, header, n), bytes = 0;
    size_t whole = n + (has_header(c) ? (size_t) added : 0);

    if (added <= 0 || EVP_CipherUpdate(context, record, &bytes, record, (int) whole) <= 0)
        return 0;
    return (size_t) bytes;
}

/* ---- Records ---- */

static void encrypt_record(struct connection *c, const uint8_t *header, const uint8_t *text,
                           size_t n)
{
    uint8_t *out[BOTH];
    size_t bytes[BOTH];

    for (int i = 0; i < BOTH; i++) {
        out[i] = fuzz_alloc(n + MAX_GROWTH);
        memset(out[i], 0, n + MAX_GROWTH);
        memcpy(out[i], text, n);
        bytes[i] = send(c, c->context[i], header, out[i], n);
    }
    FUZZ_EXPECT(bytes[0] == bytes[1], "%s: %zu bytes, not %zu", c->kind->name, bytes[1], bytes[0]);
    FUZZ_EXPECT(!memcmp(out[0], out[1], bytes[0]), "%s: other record", c->kind->name);
    for (int i = 0; i < BOTH; i++)
        free(out[i]);
}

/* Returns whether the text of a CBC record ends in valid padding. */
static int has_valid_padding(const struct connection *c, const uint8_t *record, size_t n)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    uint8_t *text = fuzz_alloc(n);
    int bytes = 0, valid;
    size_t padding;

    FUZZ_EXPECT(EVP_DecryptInit_ex2(context, ciphers[0][c->kind - kinds], c->key, c->iv, NULL) &&
                    EVP_CIPHER_CTX_set_padding(context, 0) &&
                    EVP_DecryptUpdate(context, text, &bytes, record, (int) n),
                "plain CBC");
    padding = text[n - 1];
    valid = padding + 1 + c->mac_bytes + explicit_iv(c) <= n;
    for (size_t i = 0; valid && i <= padding; i++)
        valid = text[n - 1 - i] == padding;
    EVP_CIPHER_CTX_free(context);
    free(text);
    return valid;
}

/* The MAC that AES-CBC split from the text. Returns whether there is one. */
static int split_mac(const struct connection *c, EVP_CIPHER_CTX *context, uint8_t mac[MAX_MAC])
{
    void *found = NULL;
    OSSL_PARAM get[] = {
        OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, &found, c->mac_bytes),
        OSSL_PARAM_END};

    if (!c->mac_bytes || !EVP_CIPHER_CTX_get_params(context, get) || !found)
        return 0;
    memcpy(mac, found, c->mac_bytes);
    return 1;
}

static void decrypt_record(struct connection *c, const uint8_t *header, const uint8_t *record,
                           size_t n)
{
    uint8_t *out[BOTH], mac[BOTH][MAX_MAC];
    int bytes[BOTH] = {0, 0}, ok[BOTH], set[BOTH], has_mac[BOTH];
    int compare_macs = c->mac_bytes && n && n % 16 == 0 && has_valid_padding(c, record, n);
    const size_t before = explicit_iv(c);

    for (int i = 0; i < BOTH; i++) {
        out[i] = fuzz_alloc(n);
        memcpy(out[i], record, n);
        set[i] = set_header(c, c->context[i], header, n);
        ok[i] =
            set[i] > 0 && EVP_CipherUpdate(c->context[i], out[i], &bytes[i], out[i], (int) n) > 0;
        has_mac[i] = ok[i] && split_mac(c, c->context[i], mac[i]);
    }
    FUZZ_EXPECT(set[0] == set[1], "%s: header %d, not %d", c->kind->name, set[1], set[0]);
    FUZZ_EXPECT(ok[0] == ok[1], "%s, %zu bytes: %d, not %d", c->kind->name, n, ok[1], ok[0]);
    FUZZ_EXPECT(!ok[0] || bytes[0] == bytes[1], "%s: %d bytes, not %d", c->kind->name, bytes[1],
                bytes[0]);
    FUZZ_EXPECT(!ok[0] || n < before + (size_t) bytes[0] ||
                    !memcmp(out[0] + before, out[1] + before, (size_t) bytes[0]),
                "%s: other text", c->kind->name);
    FUZZ_EXPECT(has_mac[0] == has_mac[1], "%s: MAC", c->kind->name);
    if (has_mac[0] && compare_macs)
        FUZZ_EXPECT(!memcmp(mac[0], mac[1], c->mac_bytes), "%s: other MAC", c->kind->name);
    for (int i = 0; i < BOTH; i++)
        free(out[i]);
    /* As CBC goes on from the last block, keep to one IV. */
    if (!c->kind->gcm)
        for (int i = 0; i < BOTH; i++)
            FUZZ_EXPECT(EVP_CipherInit_ex2(c->context[i], NULL, NULL, c->iv, 0, NULL), "IV");
}

/* ---- Multi-block ---- */

/* Decrypts a record with the default provider and compares its text. Returns the record's bytes. */
static size_t open_record(const struct connection *c, uint8_t *header, const uint8_t *record,
                          const uint8_t *text, size_t *at)
{
    const size_t n = (size_t) (record[3] << 8 | record[4]);
    EVP_CIPHER_CTX *receiver = new_context(c, 0, 0);
    uint8_t *out = fuzz_alloc(n);
    int bytes = 0;

    FUZZ_EXPECT(set_header(c, receiver, header, n) > 0 &&
                    EVP_CipherUpdate(receiver, out, &bytes, record + 5, (int) n) > 0,
                "%s: record of a multi-block", c->kind->name);
    FUZZ_EXPECT(!memcmp(out + 16, text + *at, (size_t) bytes), "%s: other text", c->kind->name);
    *at += (size_t) bytes;
    for (int k = 7; k >= 0 && !++header[k]; k--)
        ;
    EVP_CIPHER_CTX_free(receiver);
    free(out);
    return 5 + n;
}

/* isal's records of one call, 4 or 8. The default provider makes none of short texts. */
static void encrypt_multi(struct connection *c, const uint8_t *header, const uint8_t *text,
                          size_t n)
{
    EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM call = {NULL, NULL, n, header[0] % 16};
    uint8_t *copy = fuzz_alloc(n > HEADER ? n : HEADER), *out;
    size_t at = 0, text_at = 0, bytes;
    int announced;

    memcpy(copy, header, HEADER);
    copy[9] = (uint8_t) (c->version >> 8);
    copy[10] = (uint8_t) c->version;
    copy[11] = copy[12] = 0;
    call.inp = copy;
    announced =
        EVP_CIPHER_CTX_ctrl(c->context[1], EVP_CTRL_TLS1_1_MULTIBLOCK_AAD, sizeof call, &call);
    bytes = announced > 0 ? (size_t) announced : 0;
    out = fuzz_alloc(bytes);
    call.out = out;
    call.inp = text;
    if (announced > 0) {
        FUZZ_EXPECT(EVP_CIPHER_CTX_ctrl(c->context[1], EVP_CTRL_TLS1_1_MULTIBLOCK_ENCRYPT,
                                        sizeof call, &call) == announced,
                    "%s: multi-block", c->kind->name);
        while (at < bytes)
            at += open_record(c, copy, out + at, text, &text_at);
        FUZZ_EXPECT(at == bytes && text_at == n, "%s: lengths", c->kind->name);
    }
    free(out);
    free(copy);
}

/* A record of the sender, with a byte changed or none. */
static void decrypt_genuine(struct connection *c, struct fuzz_input *in, const uint8_t *header)
{
    size_t n = explicit_iv(c) + fuzz_number(in, MAX_TEXT);
    uint8_t *record = fuzz_alloc(n + MAX_GROWTH);
    uint32_t at = fuzz_number(in, 0xffff), change = fuzz_number(in, 3) ? 0 : fuzz_number(in, 255);

    memset(record, 0, n + MAX_GROWTH);
    if (!c->kind->gcm)
        EVP_CipherInit_ex2(c->sender, NULL, NULL, c->iv, 1, NULL);
    n = send(c, c->sender, header, record, n);
    if (n) {
        record[at % n] ^= (uint8_t) change;
        decrypt_record(c, header, record, n);
    }
    free(record);
}

FUZZ_HARNESS(tls_record)
{
    struct connection c;

    if (!ciphers[0][0])
        load_provider();
    open_connection(&c, in);
    for (int i = 0; in->left && i < MAX_RECORDS; i++) {
        uint8_t *header = fuzz_copy(in, HEADER);
        if (c.encrypting || fuzz_number(in, 1)) {
            size_t n = fuzz_number(in, MAX_TEXT);
            uint8_t *data = fuzz_copy(in, n);
            if (c.encrypting && c.kind->mac_bytes && header[8] % 2)
                encrypt_multi(&c, header, data, n);
            else if (c.encrypting)
                encrypt_record(&c, header, data, n);
            else
                decrypt_record(&c, header, data, n);
            free(data);
        } else {
            decrypt_genuine(&c, in, header);
        }
        free(header);
    }
    close_connection(&c);
}
