/* Multi-hash SHA-1 and MurmurHash3 (x64, 128-bit) of one message in one pass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first digest is that of mh_sha1.h. The second is Austin Appleby's MurmurHash3_x64_128: both
 * halves of its state start as a 64-bit seed, and its last step mixes in the length modulo 2^32.
 * Murmur's scalar instructions run in parallel with the SIMD instructions of SHA-1: both digests
 * cost little more than mh_sha1 alone. Use the Murmur digest for an index and mh_sha1 to confirm.
 *
 *     struct isal_mh_sha1_murmur3_x64_128_ctx ctx;
 *     uint32_t digest[ISAL_SHA1_DIGEST_WORDS], quick[ISAL_MURMUR3_x64_128_DIGEST_WORDS];
 *
 *     isal_mh_sha1_murmur3_x64_128_init(&ctx, seed);
 *     while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
 *         isal_mh_sha1_murmur3_x64_128_update(&ctx, buffer, n);
 *     isal_mh_sha1_murmur3_x64_128_finalize(&ctx, digest, quick);
 *
 * All functions are reentrant; a context belongs to one thread at a time. Contexts and data may
 * have any alignment. */

#ifndef ISAL_MH_SHA1_MURMUR3_X64_128_H
#define ISAL_MH_SHA1_MURMUR3_X64_128_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "mh_sha1.h"
#include "types.h"

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define MUR_BLOCK_SIZE ISAL_MUR_BLOCK_SIZE
#define MURMUR3_x64_128_DIGEST_WORDS ISAL_MURMUR3_x64_128_DIGEST_WORDS
#define mh_sha1_murmur3_x64_128_ctx isal_mh_sha1_murmur3_x64_128_ctx
#define mh_sha1_murmur3_ctx_error isal_mh_sha1_murmur3_ctx_error
#define MH_SHA1_MURMUR3_CTX_ERROR_NONE ISAL_MH_SHA1_MURMUR3_CTX_ERROR_NONE
#define MH_SHA1_MURMUR3_CTX_ERROR_NULL ISAL_MH_SHA1_MURMUR3_CTX_ERROR_NULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_MUR_BLOCK_SIZE 16
#define ISAL_MURMUR3_x64_128_DIGEST_WORDS 4

/* State of a message. Programs may read total_length, the bytes hashed so far, and after finalize
 * the two digests; the rest is private. */
struct isal_mh_sha1_murmur3_x64_128_ctx {
    uint32_t mh_sha1_digest[ISAL_SHA1_DIGEST_WORDS];
    uint32_t murmur3_x64_128_digest[ISAL_MURMUR3_x64_128_DIGEST_WORDS];
    uint64_t total_length;
    uint8_t partial_block_buffer[ISAL_MH_SHA1_BLOCK_SIZE * 2];
    uint8_t mh_sha1_interim_digests[sizeof(uint32_t) * ISAL_SHA1_DIGEST_WORDS * ISAL_HASH_SEGS];
    uint8_t frame_buffer[ISAL_MH_SHA1_BLOCK_SIZE + ISAL_AVX512_ALIGNED];
};

/* Results of the functions without the prefix isal_. */
enum isal_mh_sha1_murmur3_ctx_error {
    ISAL_MH_SHA1_MURMUR3_CTX_ERROR_NONE = 0,
    ISAL_MH_SHA1_MURMUR3_CTX_ERROR_NULL = -1 /* the context is NULL */
};

/* Begins a message; the context's previous contents do not matter. Returns 0, or
 * ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_mh_sha1_murmur3_x64_128_init(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx,
                                      const uint64_t murmur_seed);

/* Hashes the next len bytes of the message; 0 changes nothing. Returns 0, or the first error in
 * this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_SRC (for any len, including 0). */
int isal_mh_sha1_murmur3_x64_128_update(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx,
                                        const void *buffer, const uint32_t len);

/* Ends the message and writes its digests, with any alignment. mh_sha1_digest: 5 words in host
 * order, 20 bytes. murmur3_x64_128_digest: h1 and h2, little-endian, 16 bytes. Call init before the
 * next message. Returns 0, or the first error in this order: ISAL_CRYPTO_ERR_NULL_CTX,
 * ISAL_CRYPTO_ERR_NULL_AUTH (either digest). */
int isal_mh_sha1_murmur3_x64_128_finalize(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx,
                                          void *mh_sha1_digest, void *murmur3_x64_128_digest);

/* The same under older names, kept for existing programs. They return 0, or -1 if ctx is NULL.
 * buffer is not checked. If the pointer to a digest is NULL, that digest is only written to the
 * context. */
ISAL_DEPRECATED("use isal_mh_sha1_murmur3_x64_128_init")
int mh_sha1_murmur3_x64_128_init(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx,
                                 uint64_t murmur_seed);
ISAL_DEPRECATED("use isal_mh_sha1_murmur3_x64_128_update")
int mh_sha1_murmur3_x64_128_update(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx, const void *buffer,
                                   uint32_t len);
ISAL_DEPRECATED("use isal_mh_sha1_murmur3_x64_128_finalize")
int mh_sha1_murmur3_x64_128_finalize(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx,
                                     void *mh_sha1_digest, void *murmur3_x64_128_digest);

/* The older functions in portable C. A message may mix these with the functions above. */
int mh_sha1_murmur3_x64_128_update_base(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx,
                                        const void *buffer, uint32_t len);
int mh_sha1_murmur3_x64_128_finalize_base(struct isal_mh_sha1_murmur3_x64_128_ctx *ctx,
                                          void *mh_sha1_digest, void *murmur3_x64_128_digest);

#ifdef __cplusplus
}
#endif

#endif
