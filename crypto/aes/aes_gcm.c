/* AES-GCM: the public functions of isa-l_crypto/aes_gcm.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_kernels.h"

#include <string.h>

#include "aes_sliced.h"
#include "dispatch/bytes.h"
#include "dispatch/fips.h"

static const uint8_t zero[AES_BLOCK];

/* The private view of a context: a message in pieces. */
struct gcm_state {
    uint8_t hash[AES_BLOCK]; /* GHASH so far; a partial block is added but not multiplied yet */
    uint64_t aad_length;
    uint64_t text_length;
    uint8_t key_stream[AES_BLOCK];    /* of the partial block */
    uint8_t first_counter[AES_BLOCK]; /* encrypts the tag */
    uint8_t counter[AES_BLOCK];       /* of the next block */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint32_t secret_counter;
    uint32_t partial_length;
#else
    uint32_t partial_length; /* bytes of the partial block */
    uint32_t secret_counter; /* the counters are hashes: 1 with an IV other than 96 bits */
#endif
} ISALK_RAW;

#define PIN(member, private_member)                                  \
    _Static_assert(offsetof(struct isal_gcm_context_data, member) == \
                       offsetof(struct gcm_state, private_member),   \
                   #member);
PIN(aad_hash, hash)
PIN(aad_length, aad_length)
PIN(in_length, text_length)
PIN(partial_block_enc_key, key_stream)
PIN(orig_IV, first_counter)
PIN(current_counter, counter)
_Static_assert(sizeof(struct isal_gcm_context_data) == sizeof(struct gcm_state), "size");

/* The kernels for one key size and direction. text_nt may use non-temporal stores. */
struct gcm_kernels {
    aes_cbc_fn *cbc_enc;
    aes_gcm_fn *text, *text_nt;
};

/* nt: empty or _nt */
#define GCM_KERNELS(name, bits, nt)                                      \
    {                                                                    \
        AES_CALL(aes_cbc_enc_##bits), AES_CALL(aes_gcm_##name##_##bits), \
            AES_CALL(aes_gcm_##name##_##bits##nt)                        \
    }

/* Bytes from which non-temporal stores are worth the fence after them. In place they would evict
 * what has just been read, and take twice as long. */
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

/* Encrypts one block: CBC with an IV of zeros. */
static void encrypt_block(aes_cbc_fn *cbc_enc, const struct isal_gcm_key_data *key, uint8_t *out,
                          const uint8_t *in)
{
    cbc_enc(in, zero, key->expanded_keys, out, AES_BLOCK);
}

/* The last block of GHASH: two lengths, in bits. */
static void store_lengths(uint8_t block[AES_BLOCK], uint64_t a, uint64_t b)
{
    store_be64(block, a << 3);
    store_be64(block + 8, b << 3);
}

/* ---- The steps of a message ---- */

static void init(const struct isal_gcm_key_data *key, struct isal_gcm_context_data *context,
                 const uint8_t *iv, size_t iv_len, const uint8_t *aad, size_t aad_len)
{
    struct gcm_state *s = (struct gcm_state *) context;
    uint8_t *first = s->first_counter, lengths[AES_BLOCK];

    memset(first, 0, AES_BLOCK);
    if (iv_len == ISAL_GCM_IV_LEN) {
        memcpy(first, iv, ISAL_GCM_IV_LEN);
        first[AES_BLOCK - 1] = 1;
    } else {
        store_lengths(lengths, 0, iv_len);
        ghash(key, first, iv, iv_len);
        ghash(key, first, lengths, sizeof lengths);
    }
    memcpy(s->counter, first, AES_BLOCK);
    gcm_count(s->counter, 1);
    memset(s->hash, 0, AES_BLOCK);
    ghash(key, s->hash, aad, aad_len);
    s->aad_length = aad_len;
    s->text_length = 0;
    s->partial_length = 0;
    s->secret_counter = iv_len != ISAL_GCM_IV_LEN;
}

/* Encrypts or decrypts n bytes within a block. */
static void within_block(struct gcm_state *s, uint8_t *out, const uint8_t *in, size_t n,
                         int decrypt)
{
    size_t at = s->partial_length;

    for (size_t i = 0; i < n; i++) {
        uint8_t before = in[i], after = before ^ s->key_stream[at + i];
        s->hash[at + i] ^= decrypt ? before : after;
        out[i] = after;
    }
    s->partial_length = (uint32_t) ((at + n) % AES_BLOCK);
}

/* Bytes to pass to the kernel. Its runs of 8 or 32 blocks must begin at certain counters (see
 * GCM_FIRST_COUNTER). With a secret counter, never pass 8 blocks or more. */
static size_t whole_blocks(const struct gcm_state *s, size_t len)
{
    size_t blocks = len / AES_BLOCK;
    size_t before = (GCM_FIRST_COUNTER - s->counter[AES_BLOCK - 1]) % 32;

    if (blocks >= 8 && s->secret_counter)
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
    struct gcm_state *s = (struct gcm_state *) context;

    s->text_length += len;
    if (s->partial_length) {
        size_t room = AES_BLOCK - s->partial_length;
        size_t n = len < room ? len : room;
        within_block(s, out, in, n, decrypt);
        if (n < room)
            return;
        ghash(key, s->hash, zero, AES_BLOCK);
        in += n;
        out += n;
        len -= n;
    }
    while (len >= AES_BLOCK) {
        size_t n = whole_blocks(s, len);
        kernel_for(kernels, out, in, n)(key, context, out, in, n, NULL);
        in += n;
        out += n;
        len -= n;
    }
    if (len) {
        encrypt_block(kernels->cbc_enc, key, s->key_stream, s->counter);
        gcm_count(s->counter, 1);
        within_block(s, out, in, len, decrypt);
    }
}

static void finalize(aes_cbc_fn *cbc_enc, const struct isal_gcm_key_data *key,
                     struct isal_gcm_context_data *context, uint8_t *tag, size_t tag_len)
{
    struct gcm_state *s = (struct gcm_state *) context;
    uint8_t block[AES_BLOCK];

    if (s->partial_length)
        ghash(key, s->hash, zero, AES_BLOCK);
    store_lengths(block, s->aad_length, s->text_length);
    ghash(key, s->hash, block, AES_BLOCK);
    encrypt_block(cbc_enc, key, block, s->first_counter);
    for (size_t i = 0; i < tag_len; i++)
        tag[i] = s->hash[i] ^ block[i];
    s->partial_length = s->secret_counter = 0;
    isalk_aes_wipe(block, sizeof block);
    isalk_aes_wipe(s->hash, AES_BLOCK);
    isalk_aes_wipe(s->key_stream, AES_BLOCK);
}

/* ---- Checks ---- */

static int tag_error(const uint8_t *tag, uint64_t tag_len)
{
    if (!tag)
        return ISAL_CRYPTO_ERR_NULL_AUTH;
    if (tag_len != 16 && tag_len != 12 && tag_len != 8)
        return ISAL_CRYPTO_ERR_AUTH_TAG_LEN;
    return isalk_self_test_error();
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
    return isalk_self_test_error();
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
    return isalk_self_test_error();
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
    ISAL_PUBLIC void aes_gcm_pre_##bits(const void *key, struct isal_gcm_key_data *key_data)      \
    {                                                                                             \
        AES_CALL(aes_keyexp_##bits)(key, key_data->expanded_keys, NULL);                          \
        AES_CALL(aes_gcm_powers_##bits)(key_data);                                                \
    }                                                                                             \
    ISAL_PUBLIC int isal_aes_gcm_pre_##bits(const void *key, struct isal_gcm_key_data *key_data)  \
    {                                                                                             \
        if (!key)                                                                                 \
            return ISAL_CRYPTO_ERR_NULL_KEY;                                                      \
        if (!key_data)                                                                            \
            return ISAL_CRYPTO_ERR_NULL_EXP_KEY;                                                  \
        if (isalk_self_test_error())                                                              \
            return ISAL_CRYPTO_ERR_SELF_TEST;                                                     \
        aes_gcm_pre_##bits(key, key_data);                                                        \
        return 0;                                                                                 \
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

/* Functions for a whole message, and for a piece; nt: empty or _nt. */
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

#define FINALIZE(name, bits)                                                                  \
    ISAL_PUBLIC int isal_aes_gcm_##name##_##bits##_finalize(                                  \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data, \
        uint8_t *auth_tag, const uint64_t auth_tag_len)                                       \
    {                                                                                         \
        int error = !key_data       ? ISAL_CRYPTO_ERR_NULL_EXP_KEY                            \
                    : !context_data ? ISAL_CRYPTO_ERR_NULL_CTX                                \
                                    : tag_error(auth_tag, auth_tag_len);                      \
        if (!error)                                                                           \
            finalize(AES_CALL(aes_cbc_enc_##bits), key_data, context_data, auth_tag,          \
                     (size_t) auth_tag_len);                                                  \
        return error;                                                                         \
    }                                                                                         \
    ISAL_PUBLIC void aes_gcm_##name##_##bits##_finalize(                                      \
        const struct isal_gcm_key_data *key_data, struct isal_gcm_context_data *context_data, \
        uint8_t *auth_tag, uint64_t auth_tag_len)                                             \
    {                                                                                         \
        finalize(AES_CALL(aes_cbc_enc_##bits), key_data, context_data, auth_tag,              \
                 older_tag_len(auth_tag_len));                                                \
    }
FINALIZE(enc, 128)
FINALIZE(enc, 256)
FINALIZE(dec, 128)
FINALIZE(dec, 256)
