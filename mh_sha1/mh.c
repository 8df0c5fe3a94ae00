/* Multi-hash: the public functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#define ISAL_UNIT_TEST /* this file defines the deprecated functions */
#include "isa-l_crypto/isal_crypto_api.h"
#include "isa-l_crypto/mh_sha1.h"
#include "isa-l_crypto/mh_sha1_murmur3_x64_128.h"
#include "isa-l_crypto/mh_sha256.h"

#include "mh_kernels.h"

#include <string.h>

#include "crypto/hash/hash_kernels.h"
#include "dispatch/bytes.h"
#include "dispatch/fips.h"

/* The private view of a context, which may have any alignment. The digest comes first, as words in
 * host order, then Murmur's digest if there is one, then this struct: */
struct body {
    uint64_t total_length;
    uint8_t partial[2 * MH_BLOCK]; /* room for the padding too */
    uint8_t states[];              /* uint32_t [words][MH_SEGMENTS] */
} ISALK_RAW;

/* How one multi-hash differs from another. */
struct multi_hash {
    size_t size;             /* of a context */
    size_t body;             /* offset of struct body */
    size_t words;            /* of the digest */
    int murmur;              /* whether Murmur's digest follows the digest */
    const uint32_t *initial; /* initial state of the hash */
    const uint32_t *states;  /* initial states of all segments: copied with wide stores, which
                              * forward to a kernel's first loads */
};

/* Pins a member of a context to its place in the private view. */
#define PIN(type, member, private_member)                                                      \
    _Static_assert(offsetof(struct type, member) == offsetof(struct type, total_length) +      \
                                                        offsetof(struct body, private_member), \
                   #member);
#define MULTI_HASH(id, type, digest, interim, word_count, with_murmur, first, segments)       \
    static const struct multi_hash id = {                                                     \
        .size = sizeof(struct type),                                                          \
        .body = offsetof(struct type, total_length),                                          \
        .words = word_count,                                                                  \
        .murmur = with_murmur,                                                                \
        .initial = first,                                                                     \
        .states = segments,                                                                   \
    };                                                                                        \
    PIN(type, partial_block_buffer, partial)                                                  \
    PIN(type, interim, states)                                                                \
    _Static_assert(offsetof(struct type, digest) == 0, "digest");                             \
    _Static_assert(sizeof(((struct type *) NULL)->interim) == 4 * MH_SEGMENTS * (word_count), \
                   "states");

MULTI_HASH(sha1, isal_mh_sha1_ctx, mh_sha1_digest, mh_sha1_interim_digests, MH_SHA1_WORDS, 0,
           isalk_sha1_initial, isalk_mh_sha1_initial)
MULTI_HASH(sha256, isal_mh_sha256_ctx, mh_sha256_digest, mh_sha256_interim_digests, MH_SHA256_WORDS,
           0, isalk_sha256_initial, isalk_mh_sha256_initial)
MULTI_HASH(sha1_murmur3, isal_mh_sha1_murmur3_x64_128_ctx, mh_sha1_digest, mh_sha1_interim_digests,
           MH_SHA1_WORDS, 1, isalk_sha1_initial, isalk_mh_sha1_initial)
_Static_assert(offsetof(struct isal_mh_sha1_murmur3_x64_128_ctx, murmur3_x64_128_digest) ==
                   4 * MH_SHA1_WORDS,
               "murmur");

ISALK_INLINE struct body *body_of(const struct multi_hash *m, uint8_t *ctx)
{
    return (struct body *) (ctx + m->body);
}

ISALK_INLINE uint8_t *murmur_of(const struct multi_hash *m, uint8_t *ctx)
{
    return m->murmur ? ctx + 4 * m->words : NULL;
}

static void init(const struct multi_hash *m, uint8_t *ctx, uint64_t seed)
{
    memset(ctx, 0, isalk_any_length(m->size));
    memcpy(body_of(m, ctx)->states, m->states, isalk_any_length(4 * MH_SEGMENTS * m->words));
    if (m->murmur) {
        memcpy(murmur_of(m, ctx), &seed, 8);
        memcpy(murmur_of(m, ctx) + 8, &seed, 8);
    }
}

/* Whole blocks are hashed in the caller's buffer; only the remainder is copied. */
static void update(const struct multi_hash *m, uint8_t *ctx, mh_block_fn *block,
                   const uint8_t *data, size_t len)
{
    struct body *b = body_of(m, ctx);
    size_t used = b->total_length % MH_BLOCK, whole;

    if (!len)
        return;
    b->total_length += len;
    if (used) {
        size_t missing = MH_BLOCK - used;

        memcpy(b->partial + used, data, isalk_any_length(len < missing ? len : missing));
        if (len < missing)
            return;
        block(b->partial, 1, b->states, murmur_of(m, ctx));
        data += missing;
        len -= missing;
    }
    whole = len / MH_BLOCK;
    if (whole)
        block(data, whole, b->states, murmur_of(m, ctx));
    if (len % MH_BLOCK)
        memcpy(b->partial, data + whole * MH_BLOCK, isalk_any_length(len % MH_BLOCK));
}

/* Hashes the states, word by word and segment by segment, little-endian, to the context's digest.
 * They fill whole blocks; one more block is padding. */
static void hash_states(const struct multi_hash *m, uint8_t *ctx, hash_block_fn *hash)
{
    const uint8_t *states = body_of(m, ctx)->states;
    const size_t bytes = 4 * MH_SEGMENTS * m->words;
    uint8_t message[4 * MH_SEGMENTS * MH_SHA256_WORDS + 64];
    uint32_t digest[MH_SHA256_WORDS];

    memcpy(message, states, bytes);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word;

        memcpy(&word, states + i, 4);
        store_le32(message + i, word);
    }
#endif
    memset(message + bytes, 0, 64);
    message[bytes] = 0x80;
    message[bytes + 62] = (uint8_t) (8 * bytes >> 8);
    message[bytes + 63] = (uint8_t) (8 * bytes);
    memcpy(digest, m->initial, 4 * m->words);
    hash(digest, message, bytes / 64 + 1);
    memcpy(ctx, digest, 4 * m->words);
}

static void finalize(const struct multi_hash *m, uint8_t *ctx, mh_block_fn *block,
                     hash_block_fn *hash, void *digest)
{
    struct body *b = body_of(m, ctx);
    uint32_t length = (uint32_t) b->total_length; /* modulo 2^32 by definition */
    uint64_t bits = (uint64_t) length * 8;
    size_t used = length % MH_BLOCK, blocks = used + 9 > MH_BLOCK ? 2 : 1;

    if (m->murmur) {
        isalk_murmur3_blocks(b->partial, used / 16, murmur_of(m, ctx));
        isalk_murmur3_end(b->partial + used / 16 * 16, length, murmur_of(m, ctx));
    }
    b->partial[used] = 0x80;
    memset(b->partial + used + 1, 0, isalk_any_length(blocks * MH_BLOCK - 9 - used));
    store_be64(b->partial + blocks * MH_BLOCK - 8, bits);
    block(b->partial, blocks, b->states, NULL);
    hash_states(m, ctx, hash);
    if (digest)
        memcpy(digest, ctx, 4 * m->words);
}

/* One message with the kernel in force. */
static void sha1_one(void *state, const uint8_t *data, size_t blocks)
{
    KERNEL_CALL(isalk_sha1_many_slot)(1, &state, &data, blocks);
}

static void sha256_one(void *state, const uint8_t *data, size_t blocks)
{
    KERNEL_CALL(isalk_sha256_many_slot)(1, &state, &data, blocks);
}

/* The update functions of a multi-hash. The older ones check only the context. */
#define OLDER_UPDATE(name, id, multi_hash, block)                                       \
    ISAL_PUBLIC int name(struct isal_##id##_ctx *ctx, const void *buffer, uint32_t len) \
    {                                                                                   \
        if (!ctx)                                                                       \
            return -1;                                                                  \
        update(&(multi_hash), (uint8_t *) ctx, block, buffer, len);                     \
        return 0;                                                                       \
    }
#define UPDATE(id, multi_hash, kernel)                                                  \
    OLDER_UPDATE(id##_update, id, multi_hash, BLOCK(kernel))                            \
    OLDER_UPDATE(id##_update_base, id, multi_hash, isalk_##kernel##_block_base)         \
    ISAL_PUBLIC int isal_##id##_update(struct isal_##id##_ctx *ctx, const void *buffer, \
                                       uint32_t len)                                    \
    {                                                                                   \
        REFUSE_IN_FIPS_MODE;                                                            \
        if (!ctx)                                                                       \
            return ISAL_CRYPTO_ERR_NULL_CTX;                                            \
        if (!buffer)                                                                    \
            return ISAL_CRYPTO_ERR_NULL_SRC;                                            \
        return id##_update(ctx, buffer, len);                                           \
    }
#define FINALIZE(name, type, multi_hash, block, hash)                  \
    ISAL_PUBLIC int name(struct type *ctx, void *digest)               \
    {                                                                  \
        if (!ctx)                                                      \
            return -1;                                                 \
        finalize(&(multi_hash), (uint8_t *) ctx, block, hash, digest); \
        return 0;                                                      \
    }
#define BLOCK(id) KERNEL_CALL(isalk_##id##_block_slot)

/* ---- mh_sha1 and mh_sha256 ---- */

#define PUBLIC(id, multi_hash)                                                           \
    ISAL_PUBLIC int id##_init(struct isal_##id##_ctx *ctx)                               \
    {                                                                                    \
        if (!ctx)                                                                        \
            return -1;                                                                   \
        init(&(multi_hash), (uint8_t *) ctx, 0);                                         \
        return 0;                                                                        \
    }                                                                                    \
    UPDATE(id, multi_hash, id)                                                           \
    FINALIZE(id##_finalize, isal_##id##_ctx, multi_hash, BLOCK(id), multi_hash##_one)    \
    FINALIZE(id##_finalize_base, isal_##id##_ctx, multi_hash, isalk_##id##_block_base,   \
             isalk_##multi_hash##_x1_base)                                               \
    ISAL_PUBLIC int isal_##id##_init(struct isal_##id##_ctx *ctx)                        \
    {                                                                                    \
        REFUSE_IN_FIPS_MODE;                                                             \
        return id##_init(ctx) ? ISAL_CRYPTO_ERR_NULL_CTX : 0;                            \
    }                                                                                    \
    ISAL_PUBLIC int isal_##id##_finalize(struct isal_##id##_ctx *ctx, void *id##_digest) \
    {                                                                                    \
        REFUSE_IN_FIPS_MODE;                                                             \
        if (!ctx)                                                                        \
            return ISAL_CRYPTO_ERR_NULL_CTX;                                             \
        if (!id##_digest)                                                                \
            return ISAL_CRYPTO_ERR_NULL_AUTH;                                            \
        return id##_finalize(ctx, id##_digest);                                          \
    }

PUBLIC(mh_sha1, sha1)
PUBLIC(mh_sha256, sha256)

/* ---- mh_sha1_murmur3_x64_128 ---- */

#define MURMUR3_CTX isal_mh_sha1_murmur3_x64_128_ctx

ISAL_PUBLIC int mh_sha1_murmur3_x64_128_init(struct MURMUR3_CTX *ctx, uint64_t murmur_seed)
{
    if (!ctx)
        return -1;
    init(&sha1_murmur3, (uint8_t *) ctx, murmur_seed);
    return 0;
}

ISAL_PUBLIC int isal_mh_sha1_murmur3_x64_128_init(struct MURMUR3_CTX *ctx,
                                                  const uint64_t murmur_seed)
{
    REFUSE_IN_FIPS_MODE;
    return mh_sha1_murmur3_x64_128_init(ctx, murmur_seed) ? ISAL_CRYPTO_ERR_NULL_CTX : 0;
}

UPDATE(mh_sha1_murmur3_x64_128, sha1_murmur3, mh_sha1_murmur3)

/* The padding is not part of Murmur's message, so it goes through the kernel without Murmur. */
static int finalize_murmur3(struct MURMUR3_CTX *ctx, mh_block_fn *block, hash_block_fn *hash,
                            void *sha1_digest, void *murmur3_digest)
{
    if (!ctx)
        return -1;
    finalize(&sha1_murmur3, (uint8_t *) ctx, block, hash, sha1_digest);
    if (murmur3_digest)
        memcpy(murmur3_digest, murmur_of(&sha1_murmur3, (uint8_t *) ctx), 16);
    return 0;
}

ISAL_PUBLIC int mh_sha1_murmur3_x64_128_finalize(struct MURMUR3_CTX *ctx, void *mh_sha1_digest,
                                                 void *murmur3_x64_128_digest)
{
    return finalize_murmur3(ctx, BLOCK(mh_sha1), sha1_one, mh_sha1_digest, murmur3_x64_128_digest);
}

ISAL_PUBLIC int mh_sha1_murmur3_x64_128_finalize_base(struct MURMUR3_CTX *ctx, void *mh_sha1_digest,
                                                      void *murmur3_x64_128_digest)
{
    return finalize_murmur3(ctx, isalk_mh_sha1_block_base, isalk_sha1_x1_base, mh_sha1_digest,
                            murmur3_x64_128_digest);
}

ISAL_PUBLIC int isal_mh_sha1_murmur3_x64_128_finalize(struct MURMUR3_CTX *ctx, void *mh_sha1_digest,
                                                      void *murmur3_x64_128_digest)
{
    REFUSE_IN_FIPS_MODE;
    if (!ctx)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!mh_sha1_digest || !murmur3_x64_128_digest)
        return ISAL_CRYPTO_ERR_NULL_AUTH;
    return mh_sha1_murmur3_x64_128_finalize(ctx, mh_sha1_digest, murmur3_x64_128_digest);
}
