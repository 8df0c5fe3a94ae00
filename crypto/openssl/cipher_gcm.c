/* AES-GCM of the provider.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenSSL passes additional data in pieces, but the library needs them in one piece. So they are
 * collected until the text begins. A TLS 1.2 record (RFC 5288) is an explicit IV, text and a tag.
 * One call processes it in place. */

#include "crypto/openssl/cipher.h"
#include "crypto/openssl/gcm_call.h"
#include "crypto/openssl/statistics.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#define MAX_IV 128 /* bytes, as in the default provider */
#define TAG ISAL_GCM_MAX_TAG_LEN
#define TLS_AAD EVP_AEAD_TLS1_AAD_LEN
#define EXPLICIT_IV EVP_GCM_TLS_EXPLICIT_IV_LEN
#define INVOCATION 8 /* bytes of the counter at the end of an IV */

enum iv_state { IV_NONE, IV_SET, IV_STARTED, IV_USED };

struct gcm {
    const struct cipher_kind *kind;
    struct isal_gcm_key_data keys;
    struct isal_gcm_context_data message;
    uint8_t iv[MAX_IV];      /* of the message or, if is_counted, of the next one */
    uint8_t counted[MAX_IV]; /* if is_counted: of the message */
    size_t iv_bytes;
    enum iv_state iv_state;
    int encrypting, has_key;
    uint8_t tag[TAG];
    size_t tag_bytes; /* 0: not known */
    uint8_t *aad;
    size_t aad_bytes, aad_room;
    uint8_t tls_aad[TLS_AAD];
    int is_tls;     /* the next call is a TLS record */
    int counts_ivs; /* the fixed part of the IV is set; the rest counts records */
    int is_counted; /* the message's IV was given to the caller, and `iv` advanced */
};
static void gcm_freectx(void *context)
{
    struct gcm *g = context;

    if (g)
        OPENSSL_clear_free(g->aad, g->aad_room);
    provider_free(g, sizeof *g);
}

static void *gcm_dupctx(void *context)
{
    const struct gcm *g = context;
    struct gcm *copy = provider_dup(g, sizeof *g);

    if (copy && g->aad) {
        copy->aad = OPENSSL_malloc(g->aad_room);
        if (!copy->aad) {
            copy->aad_room = 0;
            gcm_freectx(copy);
            return NULL;
        }
        memcpy(copy->aad, g->aad, g->aad_bytes);
    }
    return copy;
}

static int add_aad(struct gcm *g, const uint8_t *aad, size_t n)
{
    if (n > SIZE_MAX / 2 - g->aad_bytes)
        return 0;
    if (n > g->aad_room - g->aad_bytes) {
        size_t room = 2 * (g->aad_bytes + n);
        uint8_t *larger = OPENSSL_clear_realloc(g->aad, g->aad_room, room);

        if (!larger)
            return provider_error(REASON_MEMORY);
        g->aad = larger;
        g->aad_room = room;
    }
    if (n)
        memcpy(g->aad + g->aad_bytes, aad, n);
    g->aad_bytes += n;
    return 1;
}

/* Starts the message, unless it has started. */
static int start_message(struct gcm *g)
{
    if (g->iv_state == IV_STARTED)
        return 1;
    if (!g->has_key)
        return provider_error(REASON_NO_KEY);
    if (g->iv_state == IV_NONE && g->encrypting) {
        if (RAND_bytes(g->iv, (int) g->iv_bytes) <= 0)
            return 0;
        g->iv_state = IV_SET;
    }
    if (g->iv_state != IV_SET)
        return provider_error(REASON_NO_IV);
    if (gcm_init(g->kind->bits, &g->keys, &g->message, g->is_counted ? g->counted : g->iv,
                 g->iv_bytes, g->aad, g->aad_bytes))
        return 0;
    g->aad_bytes = 0;
    g->iv_state = IV_STARTED;
    return 1;
}

/* Adds 1 to the last 8 bytes of the IV. */
static void next_iv(struct gcm *g)
{
    for (size_t i = g->iv_bytes; i-- > g->iv_bytes - INVOCATION;)
        if (++g->iv[i])
            break;
}

/* Processes a TLS record of n bytes. Sets *outl to n or, after decryption, the bytes of text. */
static int tls_record(struct gcm *g, unsigned char *out, size_t *outl, const unsigned char *in,
                      size_t n)
{
    uint8_t *text = out + EXPLICIT_IV, *tag, computed[TAG];
    size_t text_bytes = n - EXPLICIT_IV - TAG;
    int ok;

    statistics_add(STATISTIC_RECORD, 1);
    g->is_tls = 0;
    if (out != in || n < EXPLICIT_IV + TAG || !g->counts_ivs || !g->has_key ||
        g->iv_bytes < INVOCATION)
        return provider_error(REASON_PARAMETER);
    tag = text + text_bytes;
    if (g->encrypting)
        memcpy(out, g->iv + g->iv_bytes - EXPLICIT_IV, EXPLICIT_IV);
    else
        memcpy(g->iv + g->iv_bytes - EXPLICIT_IV, in, EXPLICIT_IV);
    ok = !gcm_init(g->kind->bits, &g->keys, &g->message, g->iv, g->iv_bytes, g->tls_aad, TLS_AAD) &&
         !gcm_update(g->kind->bits, g->encrypting, &g->keys, &g->message, text, text, text_bytes) &&
         !gcm_finalize(g->kind->bits, &g->keys, &g->message, computed, TAG);
    g->iv_state = IV_USED;
    if (!ok)
        return 0;
    if (g->encrypting) {
        next_iv(g);
        memcpy(tag, computed, TAG);
        *outl = n;
        return 1;
    }
    if (CRYPTO_memcmp(computed, tag, TAG)) {
        OPENSSL_cleanse(out, n);
        return 0;
    }
    *outl = text_bytes;
    return 1;
}

static int update(void *context, unsigned char *out, size_t *outl, size_t outsize,
                  const unsigned char *in, size_t n)
{
    struct gcm *g = context;

    *outl = 0;
    if (g->is_tls)
        return tls_record(g, out, outl, in, n);
    if (!n)
        return 1;
    if (g->iv_state == IV_USED)
        return provider_error(REASON_NO_IV);
    if (!out) { /* additional data */
        if (g->iv_state == IV_STARTED || !g->has_key || (g->iv_state == IV_NONE && !g->encrypting))
            return provider_error(REASON_NO_IV);
        if (!add_aad(g, in, n))
            return 0;
    } else {
        if (outsize < n)
            return provider_error(REASON_OUTPUT_SIZE);
        if (!start_message(g) ||
            gcm_update(g->kind->bits, g->encrypting, &g->keys, &g->message, out, in, n))
            return 0;
    }
    *outl = n;
    return 1;
}

static int final(void *context, unsigned char *out, size_t *outl, size_t outsize)
{
    struct gcm *g = context;
    uint8_t tag[TAG];

    (void) out;
    (void) outsize;
    *outl = 0;
    if (g->iv_state == IV_USED || (!g->encrypting && !g->tag_bytes))
        return provider_error(REASON_TAG);
    if (!start_message(g) || gcm_finalize(g->kind->bits, &g->keys, &g->message, tag, TAG))
        return 0;
    g->iv_state = IV_USED;
    if (!g->encrypting)
        return !CRYPTO_memcmp(tag, g->tag, g->tag_bytes);
    memcpy(g->tag, tag, TAG);
    g->tag_bytes = TAG;
    return 1;
}

/* EVP_Cipher(): text, additional data (out is NULL), or the end of the message (in is NULL). For a
 * TLS record, sets *outl to the length of the record. */
static int whole(void *context, unsigned char *out, size_t *outl, size_t outsize,
                 const unsigned char *in, size_t n)
{
    struct gcm *g = context;

    if (g->is_tls) {
        if (!tls_record(g, out, outl, in, n))
            return 0;
        *outl = n;
        return 1;
    }
    if (!in)
        return final(context, out, outl, outsize);
    return update(context, out, outl, outsize, in, n);
}

/* ---- Parameters ---- */

/* The tag of an encrypted message. */
static int give_tag(const struct gcm *g, OSSL_PARAM *p)
{
    return p->data_size && p->data_size <= TAG && g->encrypting && g->tag_bytes &&
           OSSL_PARAM_set_octet_string(p, g->tag, p->data_size);
}

/* Starts a message: gives the last bytes of its IV, and advances the IV for the next message. */
static int give_next_iv(struct gcm *g, OSSL_PARAM *p)
{
    size_t n = !p->data_size || p->data_size > g->iv_bytes ? g->iv_bytes : p->data_size;

    if (!p->data || !g->counts_ivs || !g->has_key)
        return 0;
    memcpy(p->data, g->iv + g->iv_bytes - n, n);
    memcpy(g->counted, g->iv, g->iv_bytes);
    next_iv(g);
    g->is_counted = 1;
    g->iv_state = IV_SET;
    g->aad_bytes = 0;
    p->return_size = n;
    return 1;
}

static int gcm_get_ctx_params(void *context, OSSL_PARAM params[])
{
    struct gcm *g = context;

    for (OSSL_PARAM *p = params; p && p->key; p++) {
        int ok = 1;

        /* libcrypto asks for the length of the IV whenever it sets one. */
        if (!strcmp(p->key, OSSL_CIPHER_PARAM_IVLEN))
            ok = OSSL_PARAM_set_size_t(p, g->iv_bytes);
        else if (!strcmp(p->key, OSSL_CIPHER_PARAM_KEYLEN))
            ok = OSSL_PARAM_set_size_t(p, g->kind->key_bytes);
        else if (!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TAGLEN))
            ok = OSSL_PARAM_set_size_t(p, g->tag_bytes ? g->tag_bytes : TAG);
        else if (!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD))
            ok = OSSL_PARAM_set_size_t(p, TAG);
        else if (!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TAG))
            ok = give_tag(g, p);
        else if (!strcmp(p->key, OSSL_CIPHER_PARAM_IV) ||
                 !strcmp(p->key, OSSL_CIPHER_PARAM_UPDATED_IV))
            ok = g->iv_state != IV_NONE && cipher_give_octets(p, g->iv, g->iv_bytes);
        else if (!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN))
            ok = give_next_iv(g, p);
        if (!ok)
            return provider_error(REASON_PARAMETER);
    }
    return 1;
}

static PARAM_LIST(gcm_gettable_ctx_params, OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
                  OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, NULL),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, NULL, 0));

/* Sets the header of the next TLS record, with the length of the text in its length field. */
static int set_tls_aad(struct gcm *g, const OSSL_PARAM *p)
{
    const unsigned extra = EXPLICIT_IV + (g->encrypting ? 0u : TAG);
    unsigned text;

    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size != TLS_AAD)
        return provider_error(REASON_PARAMETER);
    memcpy(g->tls_aad, p->data, TLS_AAD);
    text = (unsigned) g->tls_aad[TLS_AAD - 2] << 8 | g->tls_aad[TLS_AAD - 1];
    if (text < extra)
        return provider_error(REASON_PARAMETER);
    text -= extra;
    g->tls_aad[TLS_AAD - 2] = (uint8_t) (text >> 8);
    g->tls_aad[TLS_AAD - 1] = (uint8_t) text;
    g->is_tls = 1;
    return 1;
}

/* Sets the fixed part of all IVs, or a whole IV if the size is SIZE_MAX. */
static int set_fixed_iv(struct gcm *g, const OSSL_PARAM *p)
{
    size_t n = p->data_size;

    if (p->data_type != OSSL_PARAM_OCTET_STRING || !p->data)
        return provider_error(REASON_PARAMETER);
    if (n == SIZE_MAX) {
        memcpy(g->iv, p->data, g->iv_bytes);
    } else {
        if (n < EVP_GCM_TLS_FIXED_IV_LEN || n > g->iv_bytes || g->iv_bytes - n < INVOCATION)
            return provider_error(REASON_IV_LENGTH);
        memcpy(g->iv, p->data, n);
        if (g->encrypting && RAND_bytes(g->iv + n, (int) (g->iv_bytes - n)) <= 0)
            return 0;
    }
    g->counts_ivs = 1;
    g->is_counted = 0;
    g->iv_state = IV_SET;
    return 1;
}

static int gcm_set_ctx_params(void *context, const OSSL_PARAM params[])
{
    struct gcm *g = context;
    const OSSL_PARAM *p;
    size_t n;

    if (!params)
        return 1;
    p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TAG);
    if (p) {
        if (p->data_type != OSSL_PARAM_OCTET_STRING || !p->data || !p->data_size ||
            p->data_size > TAG || g->encrypting)
            return provider_error(REASON_TAG);
        memcpy(g->tag, p->data, p->data_size);
        g->tag_bytes = p->data_size;
    }
    p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_IVLEN);
    if (p) {
        if (!OSSL_PARAM_get_size_t(p, &n) || !n || n > MAX_IV)
            return provider_error(REASON_IV_LENGTH);
        if (n != g->iv_bytes)
            g->iv_state = IV_NONE;
        g->iv_bytes = n;
    }
    p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD);
    if (p && !set_tls_aad(g, p))
        return 0;
    p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED);
    if (p && !set_fixed_iv(g, p))
        return 0;
    p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV);
    if (p) {
        if (!p->data || p->data_size > g->iv_bytes || !g->counts_ivs || !g->has_key ||
            g->encrypting)
            return provider_error(REASON_PARAMETER);
        memcpy(g->iv + g->iv_bytes - p->data_size, p->data, p->data_size);
        g->is_counted = 0;
        g->iv_state = IV_SET;
    }
    p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_KEYLEN);
    if (p && (!OSSL_PARAM_get_size_t(p, &n) || n != g->kind->key_bytes))
        return provider_error(REASON_KEY_LENGTH);
    return 1;
}

static PARAM_LIST(gcm_settable_ctx_params, OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, NULL, 0),
                  OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, NULL, 0));

/* ---- The tables ---- */

static int start(struct gcm *g, const unsigned char *key, size_t key_bytes, const unsigned char *iv,
                 size_t iv_bytes, const OSSL_PARAM params[], int encrypting)
{
    statistics_add(STATISTIC_CIPHER, 1);
    g->encrypting = encrypting;
    if (iv) {
        if (!iv_bytes || iv_bytes > MAX_IV)
            return provider_error(REASON_IV_LENGTH);
        memcpy(g->iv, iv, iv_bytes);
        g->iv_bytes = iv_bytes;
        g->is_counted = 0;
        g->iv_state = IV_SET;
        g->aad_bytes = 0;
    }
    if (key) {
        if (key_bytes != g->kind->key_bytes)
            return provider_error(REASON_KEY_LENGTH);
        if (gcm_key(g->kind->bits, key, &g->keys))
            return 0;
        g->has_key = 1;
        if (g->iv_state == IV_STARTED)
            g->iv_state = IV_SET;
    }
    g->is_tls = 0;
    return gcm_set_ctx_params(g, params);
}

static int gcm_encrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                            const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return start(context, key, key_bytes, iv, iv_bytes, params, 1);
}

static int gcm_decrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                            const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return start(context, key, key_bytes, iv, iv_bytes, params, 0);
}

#define GCM(key_bits)                                                 \
    static const struct cipher_kind aes_##key_bits##_gcm_kind = {     \
        .mode = EVP_CIPH_GCM_MODE,                                    \
        .bits = (key_bits),                                           \
        .key_bytes = (key_bits) / 8,                                  \
        .iv_bytes = ISAL_GCM_IV_LEN,                                  \
        .block_bytes = 1,                                             \
        .aead = 1,                                                    \
        .custom_iv = 1,                                               \
    };                                                                \
    static void *aes_##key_bits##_gcm_newctx(void *provider)          \
    {                                                                 \
        struct gcm *g = provider_alloc(sizeof *g);                    \
                                                                      \
        (void) provider;                                              \
        if (g) {                                                      \
            g->kind = &aes_##key_bits##_gcm_kind;                     \
            g->iv_bytes = ISAL_GCM_IV_LEN;                            \
        }                                                             \
        return g;                                                     \
    }                                                                 \
    static int aes_##key_bits##_gcm_get_params(OSSL_PARAM params[])   \
    {                                                                 \
        return cipher_get_params(&aes_##key_bits##_gcm_kind, params); \
    }                                                                 \
    CIPHER_TABLE(aes_##key_bits##_gcm, gcm, update, final, whole)

GCM(128)
GCM(256)
