/* The multi-buffer hashes: the public functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mb.h"

#include "isa-l_crypto/isal_crypto_api.h"
#define ISAL_UNIT_TEST /* the older names are defined here */
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

static int check_all(const void *const *buffers, const uint64_t *lens, size_t n,
                     const void *digests)
{
    if (n == 0)
        return ISAL_CRYPTO_ERR_NONE;
    if (!buffers || !lens)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    for (size_t i = 0; i < n; i++)
        if (!buffers[i] && lens[i])
            return ISAL_CRYPTO_ERR_NULL_SRC;
    return digests ? ISAL_CRYPTO_ERR_NONE : ISAL_CRYPTO_ERR_NULL_AUTH;
}

static int check_submit(const struct mb_hash *h, const void *mgr, const void *ctx,
                        const void *ctx_out, const void *buffer, uint32_t len, uint32_t flags)
{
    if (!mgr)
        return ISAL_CRYPTO_ERR_NULL_MGR;
    if (!ctx || !ctx_out)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!buffer &&
        (len || (!h->null_if_empty && (flags == ISAL_HASH_UPDATE || flags == ISAL_HASH_ENTIRE))))
        return ISAL_CRYPTO_ERR_NULL_SRC;
    return ISAL_CRYPTO_ERR_NONE;
}

/* The error of a returned context as the isal_ functions report it. */
static int error_of(const struct mb_hash *h, uint8_t *context)
{
    if (!context)
        return ISAL_CRYPTO_ERR_NONE;
    switch (((struct context_tail *) (context + h->tail))->error) {
    case ISAL_HASH_CTX_ERROR_INVALID_FLAGS:
        return ISAL_CRYPTO_ERR_INVALID_FLAGS;
    case ISAL_HASH_CTX_ERROR_ALREADY_PROCESSING:
        return ISAL_CRYPTO_ERR_ALREADY_PROCESSING;
    case ISAL_HASH_CTX_ERROR_ALREADY_COMPLETED:
        return ISAL_CRYPTO_ERR_ALREADY_COMPLETED;
    default:
        return ISAL_CRYPTO_ERR_NONE;
    }
}

/* Pins a member of a public context to its place in the private view. */
#define PIN(NAME, member, private_member)                                 \
    _Static_assert(offsetof(ISAL_##NAME##_HASH_CTX, member) ==            \
                       offsetof(ISAL_##NAME##_HASH_CTX, status) +         \
                           offsetof(struct context_tail, private_member), \
                   #member);

/* Defines a hash and its public functions. */
#define HASH(name, NAME, initial_state, block_bytes, length_bytes, word_count, word_size, big, \
             is_standard, is_null_if_empty)                                                    \
    static const struct mb_hash name = {                                                       \
        .many = &isalk_##name##_many_slot,                                                     \
        .initial = initial_state,                                                              \
        .block = block_bytes,                                                                  \
        .length_field = length_bytes,                                                          \
        .words = word_count,                                                                   \
        .word_bytes = word_size,                                                               \
        .big_endian = big,                                                                     \
        .standard_result = is_standard,                                                        \
        .null_if_empty = is_null_if_empty,                                                     \
        .max_lanes = ISAL_##NAME##_MAX_LANES,                                                  \
        .tail = offsetof(ISAL_##NAME##_HASH_CTX, status),                                      \
    };                                                                                         \
    _Static_assert(offsetof(ISAL_##NAME##_HASH_CTX, job.result_digest) == DIGEST_OFFSET,       \
                   "digest");                                                                  \
    PIN(NAME, status, status)                                                                  \
    PIN(NAME, error, error)                                                                    \
    PIN(NAME, total_length, total_length)                                                      \
    PIN(NAME, incoming_buffer, incoming)                                                       \
    PIN(NAME, incoming_buffer_length, incoming_length)                                         \
    PIN(NAME, partial_block_buffer, partial)                                                   \
    PIN(NAME, partial_block_buffer_length, partial[2 * (block_bytes)])                         \
    _Static_assert(sizeof(struct manager) + ISAL_##NAME##_MAX_LANES * sizeof(struct lane) <=   \
                       sizeof(ISAL_##NAME##_HASH_CTX_MGR),                                     \
                   "manager");                                                                 \
    _Static_assert(ISAL_##NAME##_MAX_LANES * (word_count) * (word_size) <= MB_MAX_STATES,      \
                   "states");                                                                  \
                                                                                               \
    ISAL_PUBLIC void name##_ctx_mgr_init(ISAL_##NAME##_HASH_CTX_MGR *mgr)                      \
    {                                                                                          \
        isalk_mb_init(&name, mgr);                                                             \
    }                                                                                          \
    ISAL_PUBLIC ISAL_##NAME##_HASH_CTX *name##_ctx_mgr_submit(                                 \
        ISAL_##NAME##_HASH_CTX_MGR *mgr, ISAL_##NAME##_HASH_CTX *ctx, const void *buffer,      \
        uint32_t len, ISAL_HASH_CTX_FLAG flags)                                                \
    {                                                                                          \
        return isalk_mb_submit(&name, mgr, ctx, buffer, len, (uint32_t) flags);                \
    }                                                                                          \
    ISAL_PUBLIC ISAL_##NAME##_HASH_CTX *name##_ctx_mgr_flush(ISAL_##NAME##_HASH_CTX_MGR *mgr)  \
    {                                                                                          \
        return isalk_mb_flush(&name, mgr);                                                     \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_init(ISAL_##NAME##_HASH_CTX_MGR *mgr)                \
    {                                                                                          \
        if (!mgr)                                                                              \
            return ISAL_CRYPTO_ERR_NULL_MGR;                                                   \
        isalk_mb_init(&name, mgr);                                                             \
        return ISAL_CRYPTO_ERR_NONE;                                                           \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_submit(                                              \
        ISAL_##NAME##_HASH_CTX_MGR *mgr, ISAL_##NAME##_HASH_CTX *ctx_in,                       \
        ISAL_##NAME##_HASH_CTX **ctx_out, const void *buffer, const uint32_t len,              \
        const ISAL_HASH_CTX_FLAG flags)                                                        \
    {                                                                                          \
        int error = check_submit(&name, mgr, ctx_in, ctx_out, buffer, len, (uint32_t) flags);  \
        if (error)                                                                             \
            return error;                                                                      \
        *ctx_out = isalk_mb_submit(&name, mgr, ctx_in, buffer, len, (uint32_t) flags);         \
        return error_of(&name, (uint8_t *) *ctx_out);                                          \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_flush(ISAL_##NAME##_HASH_CTX_MGR *mgr,               \
                                                ISAL_##NAME##_HASH_CTX **ctx_out)              \
    {                                                                                          \
        if (!mgr)                                                                              \
            return ISAL_CRYPTO_ERR_NULL_MGR;                                                   \
        if (!ctx_out)                                                                          \
            return ISAL_CRYPTO_ERR_NULL_CTX;                                                   \
        *ctx_out = isalk_mb_flush(&name, mgr);                                                 \
        return ISAL_CRYPTO_ERR_NONE;                                                           \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_mb_hash(const void *const *buffers, const uint64_t *lens,    \
                                          size_t n, void *digests)                             \
    {                                                                                          \
        uint8_t tails[ISAL_##NAME##_MAX_LANES * 2 * (block_bytes)];                            \
        int error = check_all(buffers, lens, n, digests);                                      \
        if (!error && n)                                                                       \
            isalk_mb_hash_all(&name, buffers, lens, n, digests, tails);                        \
        return error;                                                                          \
    }

HASH(md5, MD5, isalk_sha1_initial, 64, 8, 4, 4, 0, 0, 0)
HASH(sha1, SHA1, isalk_sha1_initial, 64, 8, 5, 4, 1, 0, 0)
HASH(sha256, SHA256, isalk_sha256_initial, 64, 8, 8, 4, 1, 0, 0)
HASH(sha512, SHA512, isalk_sha512_initial, 128, 16, 8, 8, 1, 0, 0)
HASH(sm3, SM3, isalk_sm3_initial, 64, 8, 8, 4, 1, 1, 1)
