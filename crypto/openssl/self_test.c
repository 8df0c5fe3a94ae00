/* Known answers of the provider's algorithms, compared when the module is loaded.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/settings.h"

#include "crypto/openssl/cipher.h"

#include <openssl/evp.h>
#include <string.h>

/* Byte i of the message is 7 i + 1 modulo 256, byte i of the key 3 i + 5. The message is long
 * enough for the widest loops. */
#define MESSAGE_BYTES 1168
#define KEY_BYTES 64
#define MAX_ANSWER (MESSAGE_BYTES + 4 * AES_BLOCK)

/* 64-bit FNV-1a hashes of the outputs: the digest, the MAC with SHA2-256, the ciphertext followed
 * by the tag, or the record. */
static const struct {
    const char *name;
    uint64_t answer;
} answers[] = {
    {"MD5", 0x584ad4a8c340d9b2},
    {"SHA1", 0x84cf4b7753f97403},
    {"SHA2-224", 0xb91100c6ddd51951},
    {"SHA2-256", 0x8b3fc7d85d71dfb0},
    {"SHA2-384", 0xc761de2556aa0c2f},
    {"SHA2-512", 0x0f8b602a26bb926b},
    {"SM3", 0xee9f6613fd3b883b},
    {"HMAC", 0xee0ad27b31bd82b0},
    {"AES-128-CBC", 0x62a96b5f21be76e2},
    {"AES-192-CBC", 0xbda88bddb739712b},
    {"AES-256-CBC", 0xb4ab74dad848f02f},
    {"AES-128-CTR", 0x8d52905a504fde63},
    {"AES-192-CTR", 0x03bbb92d28013bee},
    {"AES-256-CTR", 0x209985af05e95443},
    {"AES-128-XTS", 0x03358a6a89d2a265},
    {"AES-256-XTS", 0x8b6f66f47d2ac539},
    {"AES-128-GCM", 0x2bd99c0d17f3f795},
    {"AES-256-GCM", 0x00259884daff24c2},
    {"AES-128-CBC-HMAC-SHA1", 0xac2e2f2bda55ef81},
    {"AES-256-CBC-HMAC-SHA1", 0x6b90676e1d45e226},
    {"AES-128-CBC-HMAC-SHA256", 0xa736a11ada100d23},
    {"AES-256-CBC-HMAC-SHA256", 0x58a1514622d1e7c3},
};

static uint64_t fnv(const uint8_t *data, size_t n)
{
    uint64_t h = 0xcbf29ce484222325;

    for (size_t i = 0; i < n; i++)
        h = (h ^ data[i]) * 0x100000001b3;
    return h;
}

/* A function of a table, or NULL. */
typedef void any_function(void);
static any_function *find(const OSSL_DISPATCH *table, int id)
{
    while (table->function_id && table->function_id != id)
        table++;
    return table->function;
}

/* Calls function `id` of the table by its type. */
#define CALL(type, id) ((OSSL_FUNC_##type##_fn *) find(table, id))

static size_t digest(struct provider *provider, const OSSL_DISPATCH *table, const uint8_t *message,
                     uint8_t *out)
{
    void *c = CALL(digest_newctx, OSSL_FUNC_DIGEST_NEWCTX)(provider);
    size_t n = 0;

    if (!c || !CALL(digest_init, OSSL_FUNC_DIGEST_INIT)(c, NULL) ||
        !CALL(digest_update, OSSL_FUNC_DIGEST_UPDATE)(c, message, MESSAGE_BYTES) ||
        !CALL(digest_final, OSSL_FUNC_DIGEST_FINAL)(c, out, &n, EVP_MAX_MD_SIZE))
        n = 0;
    CALL(digest_freectx, OSSL_FUNC_DIGEST_FREECTX)(c);
    return n;
}

static size_t mac(struct provider *provider, const OSSL_DISPATCH *table, const uint8_t *message,
                  const uint8_t *key, uint8_t *out)
{
    void *c = CALL(mac_newctx, OSSL_FUNC_MAC_NEWCTX)(provider);
    char name[] = "SHA2-256";
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
                           OSSL_PARAM_END};
    size_t n = 0;

    if (!c || !CALL(mac_init, OSSL_FUNC_MAC_INIT)(c, key, KEY_BYTES, params) ||
        !CALL(mac_update, OSSL_FUNC_MAC_UPDATE)(c, message, MESSAGE_BYTES) ||
        !CALL(mac_final, OSSL_FUNC_MAC_FINAL)(c, out, &n, EVP_MAX_MD_SIZE))
        n = 0;
    CALL(mac_freectx, OSSL_FUNC_MAC_FREECTX)(c);
    return n;
}

/* Encrypts, and decrypts again. Returns the bytes of ciphertext and tag, or 0 on a difference. */
static size_t cipher(struct provider *provider, const OSSL_DISPATCH *table, const uint8_t *message,
                     const uint8_t *key, uint8_t *out)
{
    void *c = CALL(cipher_newctx, OSSL_FUNC_CIPHER_NEWCTX)(provider);
    uint8_t text[MESSAGE_BYTES + AES_BLOCK], tag[AES_BLOCK] = {0};
    size_t key_bytes = 0, iv_bytes = 0, n = 0, more = 0, text_bytes = 0;
    OSSL_PARAM sizes[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_KEYLEN, &key_bytes),
                          OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &iv_bytes),
                          OSSL_PARAM_END};
    OSSL_PARAM tags[] = {
        OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, tag, sizeof tag),
        OSSL_PARAM_END};
    int has_tag, ok;

    ok = c && CALL(cipher_get_params, OSSL_FUNC_CIPHER_GET_PARAMS)(sizes);
    has_tag = iv_bytes != AES_BLOCK;
    ok = ok &&
         CALL(cipher_encrypt_init, OSSL_FUNC_CIPHER_ENCRYPT_INIT)(c, key, key_bytes, key, iv_bytes,
                                                                  NULL) &&
         CALL(cipher_update, OSSL_FUNC_CIPHER_UPDATE)(c, out, &n, MESSAGE_BYTES + AES_BLOCK,
                                                      message, MESSAGE_BYTES) &&
         CALL(cipher_final, OSSL_FUNC_CIPHER_FINAL)(c, out + n, &more, AES_BLOCK);
    n += more;
    if (has_tag)
        ok = ok && CALL(cipher_get_ctx_params, OSSL_FUNC_CIPHER_GET_CTX_PARAMS)(c, tags);
    ok = ok && CALL(cipher_decrypt_init, OSSL_FUNC_CIPHER_DECRYPT_INIT)(c, key, key_bytes, key,
                                                                        iv_bytes, NULL);
    if (has_tag)
        ok = ok && CALL(cipher_set_ctx_params, OSSL_FUNC_CIPHER_SET_CTX_PARAMS)(c, tags);
    ok = ok &&
         CALL(cipher_update, OSSL_FUNC_CIPHER_UPDATE)(c, text, &text_bytes, sizeof text, out, n) &&
         CALL(cipher_final, OSSL_FUNC_CIPHER_FINAL)(c, text + text_bytes, &more, AES_BLOCK);
    CALL(cipher_freectx, OSSL_FUNC_CIPHER_FREECTX)(c);
    if (!ok || text_bytes + more != MESSAGE_BYTES || memcmp(text, message, MESSAGE_BYTES))
        return 0;
    memcpy(out + n, tag, has_tag ? sizeof tag : 0);
    return n + (has_tag ? sizeof tag : 0);
}

/* Protects a TLS 1.2 record, whose first block is its IV, and opens it. Returns its bytes, 0 on a
 * difference. */
static size_t record(struct provider *provider, const OSSL_DISPATCH *table, const uint8_t *message,
                     const uint8_t *key, uint8_t *out)
{
    void *c = CALL(cipher_newctx, OSSL_FUNC_CIPHER_NEWCTX)(provider);
    uint8_t header[13] = {
        0, 0, 0, 0, 0, 0, 0, 5, 23, 3, 3, MESSAGE_BYTES >> 8, MESSAGE_BYTES & 0xff};
    uint8_t text[MAX_ANSWER], mac_key[KEY_BYTES];
    size_t key_bytes = 0, added = 0, n = 0, text_bytes = 0;
    OSSL_PARAM sizes[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_KEYLEN, &key_bytes),
                          OSSL_PARAM_END};
    OSSL_PARAM set[] = {
        OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_MAC_KEY, mac_key, sizeof mac_key),
        OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, header, sizeof header),
        OSSL_PARAM_END};
    OSSL_PARAM get[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, &added),
                        OSSL_PARAM_END};
    int ok;

    memcpy(mac_key, key, sizeof mac_key);
    memcpy(text, message, MESSAGE_BYTES);
    ok = c && CALL(cipher_get_params, OSSL_FUNC_CIPHER_GET_PARAMS)(sizes) &&
         CALL(cipher_encrypt_init, OSSL_FUNC_CIPHER_ENCRYPT_INIT)(c, key, key_bytes, key, AES_BLOCK,
                                                                  set) &&
         CALL(cipher_get_ctx_params, OSSL_FUNC_CIPHER_GET_CTX_PARAMS)(c, get) &&
         MESSAGE_BYTES + added <= MAX_ANSWER &&
         CALL(cipher_update, OSSL_FUNC_CIPHER_UPDATE)(c, out, &n, MAX_ANSWER, text,
                                                      MESSAGE_BYTES + added) &&
         CALL(cipher_decrypt_init, OSSL_FUNC_CIPHER_DECRYPT_INIT)(c, key, key_bytes, key, AES_BLOCK,
                                                                  set) &&
         CALL(cipher_update, OSSL_FUNC_CIPHER_UPDATE)(c, text, &text_bytes, sizeof text, out, n);
    CALL(cipher_freectx, OSSL_FUNC_CIPHER_FREECTX)(c);
    return ok && text_bytes == n && !memcmp(text, message, MESSAGE_BYTES) ? n : 0;
}

int self_test(struct provider *provider, int operation, const OSSL_ALGORITHM *algorithm)
{
    uint8_t message[MESSAGE_BYTES], key[KEY_BYTES], out[MAX_ANSWER];
    const OSSL_DISPATCH *table = algorithm->implementation;
    const size_t name = strcspn(algorithm->algorithm_names, ":");
    size_t n;

    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t) (7 * i + 1);
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t) (3 * i + 5);
    n = operation == OSSL_OP_DIGEST                    ? digest(provider, table, message, out)
        : operation == OSSL_OP_MAC                     ? mac(provider, table, message, key, out)
        : strstr(algorithm->algorithm_names, "-HMAC-") ? record(provider, table, message, key, out)
                                                       : cipher(provider, table, message, key, out);
    for (size_t i = 0; n && i < sizeof answers / sizeof answers[0]; i++)
        if (strlen(answers[i].name) == name &&
            !strncmp(answers[i].name, algorithm->algorithm_names, name))
            return fnv(out, n) == answers[i].answer;
    return 0;
}
