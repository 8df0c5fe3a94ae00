/* Multi-hash SHA-256: one message hashed as 16 interleaved segments.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The construction is that of mh_sha1.h with SHA-256 instead of SHA-1: each of the 16 segments has
 * 8 words, and the digest is the SHA-256 of those 512 bytes. It is not the SHA-256 of the message.
 *
 *     struct isal_mh_sha256_ctx ctx;
 *     uint32_t digest[ISAL_SHA256_DIGEST_WORDS];
 *
 *     isal_mh_sha256_init(&ctx);
 *     while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
 *         isal_mh_sha256_update(&ctx, buffer, n);
 *     isal_mh_sha256_finalize(&ctx, digest);
 *
 * All functions are reentrant; a context belongs to one thread at a time. Contexts and data may
 * have any alignment. */

#ifndef ISAL_MH_SHA256_H
#define ISAL_MH_SHA256_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "types.h"

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define HASH_SEGS ISAL_HASH_SEGS
#define SHA256_BLOCK_SIZE ISAL_SHA256_BLOCK_SIZE
#define MH_SHA256_BLOCK_SIZE ISAL_MH_SHA256_BLOCK_SIZE
#define SHA256_DIGEST_WORDS ISAL_SHA256_DIGEST_WORDS
#define AVX512_ALIGNED ISAL_AVX512_ALIGNED
#define mh_sha256_ctx isal_mh_sha256_ctx
#define MH_SHA256_CTX_ERROR_NONE ISAL_MH_SHA256_CTX_ERROR_NONE
#define MH_SHA256_CTX_ERROR_NULL ISAL_MH_SHA256_CTX_ERROR_NULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_HASH_SEGS 16
#define ISAL_SHA256_BLOCK_SIZE 64
#define ISAL_MH_SHA256_BLOCK_SIZE (ISAL_HASH_SEGS * ISAL_SHA256_BLOCK_SIZE)
#define ISAL_SHA256_DIGEST_WORDS 8
#define ISAL_AVX512_ALIGNED 64

/* State of a message. Programs may read total_length, the bytes hashed so far, and after finalize
 * mh_sha256_digest; the rest is private. */
struct isal_mh_sha256_ctx {
    uint32_t mh_sha256_digest[ISAL_SHA256_DIGEST_WORDS];
    uint64_t total_length;
    uint8_t partial_block_buffer[ISAL_MH_SHA256_BLOCK_SIZE * 2];
    uint8_t mh_sha256_interim_digests[sizeof(uint32_t) * ISAL_SHA256_DIGEST_WORDS * ISAL_HASH_SEGS];
    uint8_t frame_buffer[ISAL_MH_SHA256_BLOCK_SIZE + ISAL_AVX512_ALIGNED];
};

/* Results of the functions without the prefix isal_. */
enum isal_mh_sha256_ctx_error {
    ISAL_MH_SHA256_CTX_ERROR_NONE = 0,
    ISAL_MH_SHA256_CTX_ERROR_NULL = -1 /* the context is NULL */
};

/* Begins a message; the context's previous contents do not matter. Returns 0, or
 * ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_mh_sha256_init(struct isal_mh_sha256_ctx *ctx);

/* Hashes the next len bytes of the message; 0 changes nothing. Returns 0, or the first error in
 * this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_SRC (for any len, including 0). */
int isal_mh_sha256_update(struct isal_mh_sha256_ctx *ctx, const void *buffer, uint32_t len);

/* Ends the message and writes its digest to mh_sha256_digest: 8 words in host order, 32 bytes, any
 * alignment. Call isal_mh_sha256_init() before the next message. Returns 0, or the first error in
 * this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_AUTH. */
int isal_mh_sha256_finalize(struct isal_mh_sha256_ctx *ctx, void *mh_sha256_digest);

/* The same under older names, kept for existing programs. They return 0, or -1 if ctx is NULL.
 * buffer is not checked. If mh_sha256_digest is NULL, the digest is only written to the context. */
ISAL_DEPRECATED("use isal_mh_sha256_init")
int mh_sha256_init(struct isal_mh_sha256_ctx *ctx);
ISAL_DEPRECATED("use isal_mh_sha256_update")
int mh_sha256_update(struct isal_mh_sha256_ctx *ctx, const void *buffer, uint32_t len);
ISAL_DEPRECATED("use isal_mh_sha256_finalize")
int mh_sha256_finalize(struct isal_mh_sha256_ctx *ctx, void *mh_sha256_digest);

/* The older functions in portable C. A message may mix these with the functions above. */
int mh_sha256_update_base(struct isal_mh_sha256_ctx *ctx, const void *buffer, uint32_t len);
int mh_sha256_finalize_base(struct isal_mh_sha256_ctx *ctx, void *mh_sha256_digest);

#ifdef __cplusplus
}
#endif

#endif
