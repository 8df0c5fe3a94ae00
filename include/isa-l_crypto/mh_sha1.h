/* Multi-hash SHA-1: one message hashed as 16 interleaved segments.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each segment is hashed in its own lane of a SIMD register, so that one long message is as fast as
 * 16 messages of multi-buffer hashing. The result is not the SHA-1 of the message:
 *
 *   1. Pad the message with 0x80, zeros, and its length in bits as 8 bytes, big-endian, to the next
 *      multiple of 1024 bytes. The length is taken modulo 2^32 bytes.
 *   2. Divide it into groups of 4 bytes. Segment s, 0 <= s < 16, consists of groups s, s + 16, s +
 *      32 ... Run SHA-1's compression function over each segment.
 *   3. Write the 5 words of the 16 segments, little-endian: word 0 of segments 0 .. 15, word 1 of
 *      segments 0 .. 15, and so on.
 *   4. The digest is the SHA-1 of these 320 bytes.
 *
 * Example:
 *
 *     struct isal_mh_sha1_ctx ctx;
 *     uint32_t digest[ISAL_SHA1_DIGEST_WORDS];
 *
 *     isal_mh_sha1_init(&ctx);
 *     while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
 *         isal_mh_sha1_update(&ctx, buffer, n);
 *     isal_mh_sha1_finalize(&ctx, digest);
 *
 * All functions are reentrant; a context belongs to one thread at a time. Contexts and data may
 * have any alignment. */

#ifndef ISAL_MH_SHA1_H
#define ISAL_MH_SHA1_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "types.h"

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define HASH_SEGS ISAL_HASH_SEGS
#define SHA1_BLOCK_SIZE ISAL_SHA1_BLOCK_SIZE
#define MH_SHA1_BLOCK_SIZE ISAL_MH_SHA1_BLOCK_SIZE
#define SHA1_DIGEST_WORDS ISAL_SHA1_DIGEST_WORDS
#define AVX512_ALIGNED ISAL_AVX512_ALIGNED
#define mh_sha1_ctx isal_mh_sha1_ctx
#define MH_SHA1_CTX_ERROR_NONE ISAL_MH_SHA1_CTX_ERROR_NONE
#define MH_SHA1_CTX_ERROR_NULL ISAL_MH_SHA1_CTX_ERROR_NULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_HASH_SEGS 16
#define ISAL_SHA1_BLOCK_SIZE 64
#define ISAL_MH_SHA1_BLOCK_SIZE (ISAL_HASH_SEGS * ISAL_SHA1_BLOCK_SIZE)
#define ISAL_SHA1_DIGEST_WORDS 5
#define ISAL_AVX512_ALIGNED 64

/* State of a message. Programs may read total_length, the bytes hashed so far, and after finalize
 * mh_sha1_digest; the rest is private. */
struct isal_mh_sha1_ctx {
    uint32_t mh_sha1_digest[ISAL_SHA1_DIGEST_WORDS];
    uint64_t total_length;
    uint8_t partial_block_buffer[ISAL_MH_SHA1_BLOCK_SIZE * 2];
    uint8_t mh_sha1_interim_digests[sizeof(uint32_t) * ISAL_SHA1_DIGEST_WORDS * ISAL_HASH_SEGS];
    uint8_t frame_buffer[ISAL_MH_SHA1_BLOCK_SIZE + ISAL_AVX512_ALIGNED];
};

/* Results of the functions without the prefix isal_. */
enum isal_mh_sha1_ctx_error {
    ISAL_MH_SHA1_CTX_ERROR_NONE = 0,
    ISAL_MH_SHA1_CTX_ERROR_NULL = -1 /* the context is NULL */
};

/* Begins a message; the context's previous contents do not matter. Returns 0, or
 * ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_mh_sha1_init(struct isal_mh_sha1_ctx *ctx);

/* Hashes the next len bytes of the message; 0 changes nothing. Returns 0, or the first error in
 * this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_SRC (for any len, including 0). */
int isal_mh_sha1_update(struct isal_mh_sha1_ctx *ctx, const void *buffer, uint32_t len);

/* Ends the message and writes its digest to mh_sha1_digest: 5 words in host order, 20 bytes, any
 * alignment. Call isal_mh_sha1_init() before the next message. Returns 0, or the first error in
 * this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_AUTH. */
int isal_mh_sha1_finalize(struct isal_mh_sha1_ctx *ctx, void *mh_sha1_digest);

/* The same under older names, kept for existing programs. They return 0, or -1 if ctx is NULL.
 * buffer is not checked. If mh_sha1_digest is NULL, the digest is only written to the context. */
ISAL_DEPRECATED("use isal_mh_sha1_init")
int mh_sha1_init(struct isal_mh_sha1_ctx *ctx);
ISAL_DEPRECATED("use isal_mh_sha1_update")
int mh_sha1_update(struct isal_mh_sha1_ctx *ctx, const void *buffer, uint32_t len);
ISAL_DEPRECATED("use isal_mh_sha1_finalize")
int mh_sha1_finalize(struct isal_mh_sha1_ctx *ctx, void *mh_sha1_digest);

/* The older functions in portable C. A message may mix these with the functions above. */
int mh_sha1_update_base(struct isal_mh_sha1_ctx *ctx, const void *buffer, uint32_t len);
int mh_sha1_finalize_base(struct isal_mh_sha1_ctx *ctx, void *mh_sha1_digest);

#ifdef __cplusplus
}
#endif

#endif
