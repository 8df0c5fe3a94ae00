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

/* Where a context has its members. Contexts may have any alignment, so members are reached as
 * bytes. */
struct layout {
    size_t size, total, partial, states, digest, words;
    size_t murmur;                        /* 0: none */
    const uint32_t (*start)[MH_SEGMENTS]; /* the states of segments at first */
};

#define ROW(x)                                         \
    {                                                  \
        x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x \
    }

static const uint32_t sha1_start[MH_SHA1_WORDS][MH_SEGMENTS] = {
    ROW(0x67452301), ROW(0xefcdab89), ROW(0x98badcfe), ROW(0x10325476), ROW(0xc3d2e1f0)};

static const uint32_t sha256_start[MH_SHA256_WORDS][MH_SEGMENTS] = {
    ROW(0x6a09e667), ROW(0xbb67ae85), ROW(0x3c6ef372), ROW(0xa54ff53a),
    ROW(0x510e527f), ROW(0x9b05688c), ROW(0x1f83d9ab), ROW(0x5be0cd19)};

static const struct layout sha1 = {
    .size = sizeof(struct isal_mh_sha1_ctx),
    .total = offsetof(struct isal_mh_sha1_ctx, total_length),
    .partial = offsetof(struct isal_mh_sha1_ctx, partial_block_buffer),
    .states = offsetof(struct isal_mh_sha1_ctx, mh_sha1_interim_digests),
    .digest = offsetof(struct isal_mh_sha1_ctx, mh_sha1_digest),
    .words = MH_SHA1_WORDS,
    .start = sha1_start,
};

static const struct layout sha1_murmur3 = {
    .size = sizeof(struct isal_mh_sha1_murmur3_x64_128_ctx),
    .total = offsetof(struct isal_mh_sha1_murmur3_x64_128_ctx, total_length),
    .partial = offsetof(struct isal_mh_sha1_murmur3_x64_128_ctx, partial_block_buffer),
    .states = offsetof(struct isal_mh_sha1_murmur3_x64_128_ctx, mh_sha1_interim_digests),
    .digest = offsetof(struct isal_mh_sha1_murmur3_x64_128_ctx, mh_sha1_digest),
    .words = MH_SHA1_WORDS,
    .murmur = offsetof(struct isal_mh_sha1_murmur3_x64_128_ctx, murmur3_x64_128_digest),
    .start = sha1_start,
};

static const struct layout sha256 = {
    .size = sizeof(struct isal_mh_sha256_ctx),
    .total = offsetof(struct isal_mh_sha256_ctx, total_length),
    .partial = offsetof(struct isal_mh_sha256_ctx, partial_block_buffer),
    .states = offsetof(struct isal_mh_sha256_ctx, mh_sha256_interim_digests),
    .digest = offsetof(struct isal_mh_sha256_ctx, mh_sha256_digest),
    .words = MH_SHA256_WORDS,
    .start = sha256_start,
};

static void init(uint8_t *ctx, const struct layout *l, uint64_t seed)
{
    memset(ctx, 0, isalk_any_length(l->size));
    memcpy(ctx + l->states, l->start, isalk_any_length(4 * MH_SEGMENTS * l->words));
    if (l->murmur) {
        memcpy(ctx + l->murmur, &seed, 8);
        memcpy(ctx + l->murmur + 8, &seed, 8);
    }
}

/* Whole blocks are hashed where they lie; only what is left over is copied. */
static void update(uint8_t *ctx, const struct layout *l, mh_block_fn *block, const uint8_t *data,
                   size_t len)
{
    uint8_t *partial = ctx + l->partial;
    uint64_t total;
    size_t have, whole;

    if (!len)
        return;
    memcpy(&total, ctx + l->total, 8);
    have = total % MH_BLOCK;
    total += len;
    memcpy(ctx + l->total, &total, 8);
    if (have) {
        size_t missing = MH_BLOCK - have;

        memcpy(partial + have, data, isalk_any_length(len < missing ? len : missing));
        if (len < missing)
            return;
        block(partial, 1, ctx + l->states, ctx + l->murmur);
        data += missing;
        len -= missing;
    }
    whole = len / MH_BLOCK;
    if (whole)
        block(data, whole, ctx + l->states, ctx + l->murmur);
    if (len % MH_BLOCK)
        memcpy(partial, data + whole * MH_BLOCK, isalk_any_length(len % MH_BLOCK));
}

/* The digest: the hash of the states, word by word, segment by segment, little-endian. They fill
 * whole blocks; one more is padding. */
static void hash_states(uint8_t *ctx, const struct layout *l, hash_block_fn *hash)
{
    const size_t bytes = 4 * MH_SEGMENTS * l->words;
    uint8_t message[4 * MH_SEGMENTS * MH_SHA256_WORDS + 64];
    uint32_t state[MH_SHA256_WORDS];

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(message, ctx + l->states, bytes);
#else
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word;

        memcpy(&word, ctx + l->states + i, 4);
        message[i] = (uint8_t) word;
        message[i + 1] = (uint8_t) (word >> 8);
        message[i + 2] = (uint8_t) (word >> 16);
        message[i + 3] = (uint8_t) (word >> 24);
    }
#endif
    memset(message + bytes, 0, 64);
    message[bytes] = 0x80;
    message[bytes + 62] = (uint8_t) (8 * bytes >> 8);
    message[bytes + 63] = (uint8_t) (8 * bytes);
    for (size_t i = 0; i < l->words; i++)
        state[i] = l->start[i][0];
    hash(state, message, bytes / 64 + 1);
    memcpy(ctx + l->digest, state, 4 * l->words);
}

static void finalize(uint8_t *ctx, const struct layout *l, mh_block_fn *block, hash_block_fn *hash,
                     void *digest)
{
    uint8_t *partial = ctx + l->partial;
    uint64_t total, bits;
    size_t have, blocks;

    memcpy(&total, ctx + l->total, 8);
    have = total % MH_BLOCK;
    blocks = have + 9 > MH_BLOCK ? 2 : 1;
    bits = (uint64_t) (uint32_t) total * 8; /* the length is taken modulo 2^32 */
    if (l->murmur) {
        isalk_murmur3_blocks(partial, have / 16, ctx + l->murmur);
        isalk_murmur3_end(partial + have / 16 * 16, (uint32_t) total, ctx + l->murmur);
    }
    partial[have] = 0x80;
    memset(partial + have + 1, 0, isalk_any_length(blocks * MH_BLOCK - 9 - have));
    for (unsigned i = 0; i < 8; i++)
        partial[blocks * MH_BLOCK - 1 - i] = (uint8_t) (bits >> 8 * i);
    block(partial, blocks, ctx + l->states, NULL);
    hash_states(ctx, l, hash);
    if (digest)
        memcpy(digest, ctx + l->digest, 4 * l->words);
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

/* UPDATE(name, type, layout, block) and FINALIZE(name, type, layout, block, hash): unchecked
 * functions of the older interface. */
#define UPDATE(name, type, layout, block)                                    \
    ISAL_PUBLIC int name(struct type *ctx, const void *buffer, uint32_t len) \
    {                                                                        \
        if (!ctx)                                                            \
            return -1;                                                       \
        update((uint8_t *) ctx, &(layout), block, buffer, len);              \
        return 0;                                                            \
    }
#define FINALIZE(name, type, layout, block, hash)                  \
    ISAL_PUBLIC int name(struct type *ctx, void *digest)           \
    {                                                              \
        if (!ctx)                                                  \
            return -1;                                             \
        finalize((uint8_t *) ctx, &(layout), block, hash, digest); \
        return 0;                                                  \
    }
#define BLOCK(id) KERNEL_CALL(isalk_##id##_block_slot)

/* ---- mh_sha1 and mh_sha256 ---- */

#define PUBLIC(id, layout)                                                               \
    ISAL_PUBLIC int id##_init(struct isal_##id##_ctx *ctx)                               \
    {                                                                                    \
        if (!ctx)                                                                        \
            return -1;                                                                   \
        init((uint8_t *) ctx, &(layout), 0);                                             \
        return 0;                                                                        \
    }                                                                                    \
    UPDATE(id##_update, isal_##id##_ctx, layout, BLOCK(id))                              \
    UPDATE(id##_update_base, isal_##id##_ctx, layout, isalk_##id##_block_base)           \
    FINALIZE(id##_finalize, isal_##id##_ctx, layout, BLOCK(id), layout##_one)            \
    FINALIZE(id##_finalize_base, isal_##id##_ctx, layout, isalk_##id##_block_base,       \
             isalk_##layout##_x1_base)                                                   \
    ISAL_PUBLIC int isal_##id##_init(struct isal_##id##_ctx *ctx)                        \
    {                                                                                    \
        return id##_init(ctx) ? ISAL_CRYPTO_ERR_NULL_CTX : 0;                            \
    }                                                                                    \
    ISAL_PUBLIC int isal_##id##_update(struct isal_##id##_ctx *ctx, const void *buffer,  \
                                       uint32_t len)                                     \
    {                                                                                    \
        if (!ctx)                                                                        \
            return ISAL_CRYPTO_ERR_NULL_CTX;                                             \
        if (!buffer)                                                                     \
            return ISAL_CRYPTO_ERR_NULL_SRC;                                             \
        return id##_update(ctx, buffer, len);                                            \
    }                                                                                    \
    ISAL_PUBLIC int isal_##id##_finalize(struct isal_##id##_ctx *ctx, void *id##_digest) \
    {                                                                                    \
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
    init((uint8_t *) ctx, &sha1_murmur3, murmur_seed);
    return 0;
}

ISAL_PUBLIC int isal_mh_sha1_murmur3_x64_128_init(struct MURMUR3_CTX *ctx,
                                                  const uint64_t murmur_seed)
{
    return mh_sha1_murmur3_x64_128_init(ctx, murmur_seed) ? ISAL_CRYPTO_ERR_NULL_CTX : 0;
}

UPDATE(mh_sha1_murmur3_x64_128_update, MURMUR3_CTX, sha1_murmur3, BLOCK(mh_sha1_murmur3))
UPDATE(mh_sha1_murmur3_x64_128_update_base, MURMUR3_CTX, sha1_murmur3,
       isalk_mh_sha1_murmur3_block_base)

ISAL_PUBLIC int isal_mh_sha1_murmur3_x64_128_update(struct MURMUR3_CTX *ctx, const void *buffer,
                                                    const uint32_t len)
{
    if (!ctx)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!buffer)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    return mh_sha1_murmur3_x64_128_update(ctx, buffer, len);
}

/* The padding is not part of Murmur's message, so it goes through the kernel without Murmur. */
static int finalize_murmur3(struct MURMUR3_CTX *ctx, mh_block_fn *block, hash_block_fn *hash,
                            void *sha1_digest, void *murmur3_digest)
{
    if (!ctx)
        return -1;
    finalize((uint8_t *) ctx, &sha1_murmur3, block, hash, sha1_digest);
    if (murmur3_digest)
        memcpy(murmur3_digest, (uint8_t *) ctx + sha1_murmur3.murmur, 16);
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
    if (!ctx)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!mh_sha1_digest || !murmur3_x64_128_digest)
        return ISAL_CRYPTO_ERR_NULL_AUTH;
    return mh_sha1_murmur3_x64_128_finalize(ctx, mh_sha1_digest, murmur3_x64_128_digest);
}
