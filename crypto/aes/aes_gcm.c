/* AES-GCM: the public functions of isa-l_crypto/aes_gcm.h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A message in pieces keeps in its context: aad_hash, GHASH of all whole blocks, plus what there is
 * of the last block, not multiplied yet; current_counter, the counter of the next block; orig_IV,
 * the counter that the tag is encrypted with. Within a block partial_block_length bytes are done,
 * and partial_block_enc_key is the block's key stream. */

#include "aes_kernels.h"

#include <string.h>

#include "aes_sliced.h"

static const uint8_t zero[AES_BLOCK];

/* Added to partial_block_length where the counter is secret, because it is a hash. */
#define SECRET_COUNTER ((uint64_t) 1 << 63)

/* The kernels for one key size and direction; the last one stores past the caches where it can. */
struct gcm_kernels {
    aes_cbc_fn *cbc_enc;
    aes_gcm_fn *text, *text_nt;
};

/* nt is empty or _nt. */
#define GCM_KERNELS(name, bits, nt)                                                              \
    {                                                                                            \
        AES_CALL(aes_cbc_enc_##bits), AES_CALL(aes_gcm_##name##_##bits), \
            AES_CALL(aes_gcm_##name##_##bits##nt)                                    \
    }

/* Fewer bytes are not worth the fence behind such stores. In place they would drive what has just
 * been read out of the caches, and take twice as long. */
#define NT_MIN 4096

static aes_gcm_fn *kernel_for(const struct gcm_kernels *kernels, const uint8_t *out,
                              const uint8_t *in, size_t len)
{
    return len >= NT_MIN && out != in && (uintptr_t) out % 64 == 0 ? kernels->text_nt
                                                                   : kernels->text;
}

static void ghash(const struct isal_gcm_key_data *key, uint8_t *hash, const uint8_t *data,
                  size_t len)
{
    AES_CALL(aes_ghash)(key, hash, data, len);
}

/* The cipher of one block: CBC of it with a vector of zeros. */
static void encrypt_block(aes_cbc_fn *cbc_enc, const struct isal_gcm_key_data *key, uint8_t *out,
                          const uint8_t *in)
{
    cbc_enc(in, zero, key->expanded_keys, out, AES_BLOCK);
}

/* Two lengths in bits, as GHASH ends with them. */
static void store_lengths(uint8_t block[AES_BLOCK], uint64_t a, uint64_t b)
{
    for (unsigned i = 0; i < 8; i++) {
        block[i] = (uint8_t) (a << 3 >> (56 - 8 * i));
        block[8 + i] = (uint8_t) (b << 3 >> (56 - 8 * i));
    }
}

/* ---- The steps of a message ---- */

static void init(const struct isal_gcm_key_data *key, struct isal_gcm_context_data *context,
                 const uint8_t *iv, size_t iv_len, const uint8_t *aad, size_t aad_len)
{
    uint8_t *first = context->orig_IV, lengths[AES_BLOCK];

    memset(first, 0, AES_BLOCK);
    if (iv_len == ISAL_GCM_IV_LEN) {
        memcpy(first, iv, ISAL_GCM_IV_LEN);
        first[AES_BLOCK - 1] = 1;
    } else {
        store_lengths(lengths, 0, iv_len);
        ghash(key, first, iv, iv_len);
        ghash(key, first, lengths, sizeof lengths);
    }
    memcpy(context->current_counter, first, AES_BLOCK);
    gcm_count(context->current_counter, 1);
    memset(context->aad_hash, 0, AES_BLOCK);
    ghash(key, context->aad_hash, aad, aad_len);
    context->aad_length = aad_len;
    context->in_length = 0;
    context->partial_block_length = iv_len == ISAL_GCM_IV_LEN ? 0 : SECRET_COUNTER;
}

/* Some bytes within a block. */
static void within_block(struct isal_gcm_context_data *context, uint8_t *out, const uint8_t *in,
                         size_t n, int decrypt)
{
    size_t at = (size_t) (context->partial_block_length % AES_BLOCK);

    for (size_t i = 0; i < n; i++) {
        uint8_t before = in[i], after = before ^ context->partial_block_enc_key[at + i];
        context->aad_hash[at + i] ^= decrypt ? before : after;
        out[i] = after;
    }
    context->partial_block_length += (uint64_t) ((at + n) % AES_BLOCK) - at;
}

/* Bytes to pass to the kernel, which wants 8 blocks and 32 blocks or more to begin at certain
 * counters. Where that is a secret, there are never as many. */
static size_t whole_blocks(const struct isal_gcm_context_data *context, size_t len)
{
    size_t blocks = len / AES_BLOCK;
    size_t before = (GCM_FIRST_COUNTER - context->current_counter[AES_BLOCK - 1]) % 32;

    if (blocks >= 8 && context->partial_block_length & SECRET_COUNTER)
        blocks = 7;
    else if (blocks >= 8 && before % 8)
        blocks = before % 8;
    else if (blocks >= 32 && before)
        blocks = before;
    return blocks * AES_BLOCK;
}

static void update(const struct gcm_kernels *kernels, const struct isal_gcm_key_data *key,
                   struct isal_gcm_context_data *context, uint8_t *out, const uint8_t *in,
                   size_t len, int decrypt)
{
    context->in_length += len;
    if (context->partial_block_length % AES_BLOCK) {
        size_t room = AES_BLOCK - (size_t) (context->partial_block_length % AES_BLOCK);
        size_t n = len < room ? len : room;
        within_block(context, out, in, n, decrypt);
        if (n < room)
            return;
        ghash(key, context->aad_hash, zero, AES_BLOCK);
        in += n;
        out += n;
        len -= n;
    }
    while (len >= AES_BLOCK) {
        size_t n = whole_blocks(context, len);
        kernel_for(kernels, out, in, n)(key, context, out, in, n, NULL);
        in += n;
        out += n;
        len -= n;
    }
    if (len) {
        encrypt_block(kernels->cbc_enc, key, context->partial_block_enc_key,
                      context->current_counter);
        gcm_count(context->current_counter, 1);
        within_block(context, out, in, len, decrypt);
    }
}

static void finalize(aes_cbc_fn *cbc_enc, const struct isal_gcm_key_data *key,
                     struct isal_gcm_context_data *context, uint8_t *tag, size_t tag_len)
{
    uint8_t block[AES_BLOCK];

    if (context->partial_block_length % AES_BLOCK)
        ghash(key, context->aad_hash, zero, AES_BLOCK);
    store_lengths(block, context->aad_length, context->in_length);
    ghash(key, context->aad_hash, block, AES_BLOCK);
    encrypt_block(cbc_enc, key, block, context->orig_IV);
    for (size_t i = 0; i < tag_len; i++)
        tag[i] = context->aad_hash[i] ^ block[i];
    context->partial_block_length = 0;
    isalk_aes_wipe(block, sizeof block);
    isalk_aes_wipe(context->aad_hash, AES_BLOCK);
    isalk_aes_wipe(context->partial_block_enc_key, AES_BLOCK);
}

/* ---- Checks ---- */

static int tag_error(const uint8_t *tag, uint64_t tag_len)
{
    if (!tag)
        return ISAL_CRYPTO_ERR_NULL_AUTH;
    if (tag_len != 16 && tag_len != 12 && tag_len != 8)
        return ISAL_CRYPTO_ERR_AUTH_TAG_LEN;
    return 0;
}

static int init_error(const void *key, const void *context, const uint8_t *iv, const uint8_t *aad,
                      uint64_t aad_len)
{
    if (!key)
        return ISAL_CRYPTO_ERR_NULL_EXP_KEY;
    if (!context)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!iv)
        return ISAL_CRYPTO_ERR_NULL_IV;
    if ((!aad && aad_len) || aes_beyond_memory(aad_len))
        return ISAL_CRYPTO_ERR_NULL_AAD;
    return 0;
}

static int update_error(const void *key, const void *context, const uint8_t *out, const uint8_t *in,
                        uint64_t len)
{
    if (!key)
        return ISAL_CRYPTO_ERR_NULL_EXP_KEY;
    if (!context)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (len && !in)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (len && !out)
        return ISAL_CRYPTO_ERR_NULL_DST;
    if (len > ISAL_GCM_MAX_LEN || aes_beyond_memory(len))
        return ISAL_CRYPTO_ERR_CIPH_LEN;
    return 0;
}

static int message_error(const void *key, const void *context, const uint8_t *out,
                         const uint8_t *in, uint64_t len, const struct gcm_message *m)
{
    if (!key)
        return ISAL_CRYPTO_ERR_NULL_EXP_KEY;
    if (!context)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (len && !out)
        return ISAL_CRYPTO_ERR_NULL_DST;
    if (len && !in)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (len > ISAL_GCM_MAX_LEN || aes_beyond_memory(len))
        return ISAL_CRYPTO_ERR_CIPH_LEN;
    if (!m->iv)
        return ISAL_CRYPTO_ERR_NULL_IV;
    if ((!m->aad && m->aad_len) || aes_beyond_memory(m->aad_len))
        return ISAL_CRYPTO_ERR_NULL_AAD;
    return tag_error(m->tag, m->tag_len);
}

static size_t older_tag_len(uint64_t tag_len)
{
    return tag_len == 16 ? 16 : tag_len == 12 ? 12 : 8;
}

/* ---- Functions for one key size ---- */

#define FOR_KEY_SIZE(bits)                                                                        \
    static void pre_##bits(const void *key, struct isal_gcm_key_data *key_data)                   \
    {                                                                                             \
        AES_CALL(aes_keyexp_##bits)(key, key_data->expanded_keys, NULL);           \
        AES_CALL(aes_gcm_powers_##bits)(key_data);                             \
    }                                                                                             \
    ISAL_PUBLIC int isal_aes_gcm_pre_##bits(const void *key, struct isal_gcm_key_data *key_data)  \
    {                                                                                             \
        if (!key)                                                                                 \
            return ISAL_CRYPTO_ERR_NULL_KEY;                                                      \
        if (!key_data)                                                                            \
            return ISAL_CRYPTO_ERR_NULL_EXP_KEY;                                                  \
        pre_##bits(key, key_data);                                                                \
        return 0;                                                                                 \
    }                                                                                             \
    ISAL_PUBLIC void aes_gcm_pre_##bits(const void *key, struct isal_gcm_key_data *key_data)      \
    {                                                                                             \
        pre_##bits(key, key_data);                                                                \
    }                                                                                             \
    ISAL_PUBLIC int isal_aes_gcm_init_##bits(                                                     \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data,     \
        const uint8_t *iv, const uint8_t *aad, const uint64_t aad_len)                            \
    {                                                                                             \
        int error = init_error(key_data, context_data, iv, aad, aad_len);                         \
        if (!error)                                                                               \
            init(key_data, context_data, iv, ISAL_GCM_IV_LEN, aad, (size_t) aad_len);             \
        return error;                                                                             \
    }                                                                                             \
    ISAL_PUBLIC int isal_aes_gcm_init_iv_##bits(                                                  \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data,     \
        const uint8_t *iv, uint64_t iv_len, const uint8_t *aad, uint64_t aad_len)                 \
    {                                                                                             \
        int no_iv = !iv_len || aes_beyond_memory(iv_len);                                         \
        int error = init_error(key_data, context_data, no_iv ? NULL : iv, aad, aad_len);          \
        if (!error)                                                                               \
            init(key_data, context_data, iv, (size_t) iv_len, aad, (size_t) aad_len);             \
        return error;                                                                             \
    }                                                                                             \
    ISAL_PUBLIC void aes_gcm_init_##bits(const struct isal_gcm_key_data *key_data,                \
                                         struct isal_gcm_context_data *context_data, uint8_t *iv, \
                                         const uint8_t *aad, uint64_t aad_len)                    \
    {                                                                                             \
        init(key_data, context_data, iv, ISAL_GCM_IV_LEN, aad, (size_t) aad_len);                 \
    }
FOR_KEY_SIZE(128)
FOR_KEY_SIZE(256)

/* One message at once, or a piece of one; nt is empty or _nt. */
#define TEXT(name, bits, nt, decrypt)                                                         \
    ISAL_PUBLIC int isal_aes_gcm_##name##_##bits##nt(                                         \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data, \
        uint8_t *out, const uint8_t *in, const uint64_t len, const uint8_t *iv,               \
        const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,                        \
        const uint64_t auth_tag_len)                                                          \
    {                                                                                         \
        struct gcm_message m = {iv, aad, aad_len, auth_tag, auth_tag_len};                    \
        int error = message_error(key_data, context_data, out, in, len, &m);                  \
        if (!error) {                                                                         \
            struct gcm_kernels kernels = GCM_KERNELS(name, bits, nt);                         \
            size_t n = (size_t) len;                                                          \
            kernel_for(&kernels, out, in, n)(key_data, context_data, out, in, n, &m);         \
        }                                                                                     \
        return error;                                                                         \
    }                                                                                         \
    ISAL_PUBLIC void aes_gcm_##name##_##bits##nt(                                             \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data, \
        uint8_t *out, const uint8_t *in, uint64_t len, uint8_t *iv, const uint8_t *aad,       \
        uint64_t aad_len, uint8_t *auth_tag, uint64_t auth_tag_len)                           \
    {                                                                                         \
        struct gcm_message m = {iv, aad, aad_len, auth_tag, older_tag_len(auth_tag_len)};     \
        struct gcm_kernels kernels = GCM_KERNELS(name, bits, nt);                             \
        size_t n = (size_t) len;                                                              \
        kernel_for(&kernels, out, in, n)(key_data, context_data, out, in, n, &m);             \
    }                                                                                         \
    ISAL_PUBLIC int isal_aes_gcm_##name##_##bits##_update##nt(                                \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data, \
        uint8_t *out, const uint8_t *in, const uint64_t len)                                  \
    {                                                                                         \
        int error = update_error(key_data, context_data, out, in, len);                       \
        if (!error) {                                                                         \
            struct gcm_kernels kernels = GCM_KERNELS(name, bits, nt);                         \
            update(&kernels, key_data, context_data, out, in, (size_t) len, decrypt);         \
        }                                                                                     \
        return error;                                                                         \
    }                                                                                         \
    ISAL_PUBLIC void aes_gcm_##name##_##bits##_update##nt(                                    \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data, \
        uint8_t *out, const uint8_t *in, uint64_t len)                                        \
    {                                                                                         \
        struct gcm_kernels kernels = GCM_KERNELS(name, bits, nt);                             \
        update(&kernels, key_data, context_data, out, in, (size_t) len, decrypt);             \
    }
TEXT(enc, 128, , 0)
TEXT(enc, 256, , 0)
TEXT(dec, 128, , 1)
TEXT(dec, 256, , 1)
TEXT(enc, 128, _nt, 0)
TEXT(enc, 256, _nt, 0)
TEXT(dec, 128, _nt, 1)
TEXT(dec, 256, _nt, 1)

#define FINALIZE(name, bits)                                                                     \
    ISAL_PUBLIC int isal_aes_gcm_##name##_##bits##_finalize(                                     \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data,    \
        uint8_t *auth_tag, const uint64_t auth_tag_len)                                          \
    {                                                                                            \
        int error = !key_data       ? ISAL_CRYPTO_ERR_NULL_EXP_KEY                               \
                    : !context_data ? ISAL_CRYPTO_ERR_NULL_CTX                                   \
                                    : tag_error(auth_tag, auth_tag_len);                         \
        if (!error)                                                                              \
            finalize(AES_CALL(aes_cbc_enc_##bits), key_data, context_data, auth_tag, \
                     (size_t) auth_tag_len);                                                     \
        return error;                                                                            \
    }                                                                                            \
    ISAL_PUBLIC void aes_gcm_##name##_##bits##_finalize(                                         \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data,    \
        uint8_t *auth_tag, uint64_t auth_tag_len)                                                \
    {                                                                                            \
        finalize(AES_CALL(aes_cbc_enc_##bits), key_data, context_data, auth_tag,     \
                 older_tag_len(auth_tag_len));                                                   \
    }
FINALIZE(enc, 128)
FINALIZE(enc, 256)
FINALIZE(dec, 128)
FINALIZE(dec, 256)
