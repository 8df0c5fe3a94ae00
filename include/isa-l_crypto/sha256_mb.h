/* Many SHA-256 hashes at once (FIPS 180-4).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A manager collects jobs until every lane of the SIMD kernel has one, then hashes them in
 * parallel. Lanes: 4 with SSE or AVX, 8 with AVX2, 16 with AVX-512. submit and flush return the
 * contexts one at a time: fewest remaining blocks first, then oldest first. multi_buffer.h
 * describes the states of a context.
 *
 *     ISAL_SHA256_HASH_CTX_MGR mgr;
 *     ISAL_SHA256_HASH_CTX ctx[N], *done;
 *
 *     isal_sha256_ctx_mgr_init(&mgr);
 *     for (int i = 0; i < N; i++) {
 *         isal_hash_ctx_init(&ctx[i]);
 *         isal_sha256_ctx_mgr_submit(&mgr, &ctx[i], &done, buffer[i], length[i], ISAL_HASH_ENTIRE);
 *         if (done)
 *             use(done->job.result_digest);
 *     }
 *     while (!isal_sha256_ctx_mgr_flush(&mgr, &done) && done)
 *         use(done->job.result_digest);
 *
 * If all messages are in memory, call isal_sha256_mb_hash() instead.
 *
 * All functions are reentrant; a manager and its contexts belong to one thread at a time. */

#ifndef ISAL_SHA256_MB_H
#define ISAL_SHA256_MB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdbool.h>

#include "isal_crypto_api.h"
#include "multi_buffer.h"
#include "types.h"

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define SHA256_DIGEST_NWORDS ISAL_SHA256_DIGEST_NWORDS
#define SHA256_MAX_LANES ISAL_SHA256_MAX_LANES
#define SHA256_MIN_LANES ISAL_SHA256_MIN_LANES
#define SHA256_BLOCK_SIZE ISAL_SHA256_BLOCK_SIZE
#define SHA256_PADLENGTHFIELD_SIZE ISAL_SHA256_PADLENGTHFIELD_SIZE
#define SHA256_WORD_T ISAL_SHA256_WORD_T
#define SHA256_JOB ISAL_SHA256_JOB
#define SHA256_MB_ARGS_X16 ISAL_SHA256_MB_ARGS_X16
#define SHA256_LANE_DATA ISAL_SHA256_LANE_DATA
#define SHA256_MB_JOB_MGR ISAL_SHA256_MB_JOB_MGR
#define SHA256_HASH_CTX_MGR ISAL_SHA256_HASH_CTX_MGR
#define SHA256_HASH_CTX ISAL_SHA256_HASH_CTX
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_SHA256_DIGEST_NWORDS 8 /* words in a digest */
#define ISAL_SHA256_MAX_LANES 16
#define ISAL_SHA256_MIN_LANES 4
#define ISAL_SHA256_BLOCK_SIZE 64         /* bytes */
#define ISAL_SHA256_PADLENGTHFIELD_SIZE 8 /* bytes */

/* A word of a digest, and the digests of all lanes, indexed by word and lane. */
typedef uint32_t ISAL_SHA256_WORD_T;
typedef ISAL_SHA256_WORD_T sha256_digest_array[ISAL_SHA256_DIGEST_NWORDS][ISAL_SHA256_MAX_LANES];

/* The part of a context that a manager processes. Programs read result_digest; the rest is
 * private. */
typedef struct {
    uint8_t *buffer;
    uint64_t len;
    /* The digest, valid when the context is complete.
     * Words in host order: on a little-endian machine, swap the bytes of each word to get the
     * standard digest. */
    DECLARE_ALIGNED(ISAL_SHA256_WORD_T result_digest[ISAL_SHA256_DIGEST_NWORDS], 64);
    ISAL_JOB_STS status;
    void *user_data; /* the caller's; the library ignores it */
} ISAL_SHA256_JOB;

/* The members of these types, up to and including the manager, are private. */
typedef struct {
    sha256_digest_array digest;
    uint8_t *data_ptr[ISAL_SHA256_MAX_LANES];
} ISAL_SHA256_MB_ARGS_X16;

typedef struct {
    ISAL_SHA256_JOB *job_in_lane;
} ISAL_SHA256_LANE_DATA;

typedef struct {
    ISAL_SHA256_MB_ARGS_X16 args;
    DECLARE_ALIGNED(uint32_t lens[ISAL_SHA256_MAX_LANES], 16);
    uint64_t unused_lanes;
    ISAL_SHA256_LANE_DATA ldata[ISAL_SHA256_MAX_LANES];
    uint32_t num_lanes_inuse;
} ISAL_SHA256_MB_JOB_MGR;

typedef struct {
    ISAL_SHA256_MB_JOB_MGR mgr;
} ISAL_SHA256_HASH_CTX_MGR;

/* One message. The members without a comment are private. */
typedef struct {
    ISAL_SHA256_JOB job;       /* its result_digest is the digest */
    ISAL_HASH_CTX_STS status;  /* whether the digest is valid */
    ISAL_HASH_CTX_ERROR error; /* why the last submission was refused */
    uint64_t total_length;     /* bytes of the message submitted so far */
    const void *incoming_buffer;
    uint32_t incoming_buffer_length;
    uint8_t partial_block_buffer[ISAL_SHA256_BLOCK_SIZE * 2];
    uint32_t partial_block_buffer_length;
    void *user_data; /* the caller's; the library ignores it */
} ISAL_SHA256_HASH_CTX;

/* Initializes a manager; its previous contents do not matter. Returns 0, or
 * ISAL_CRYPTO_ERR_NULL_MGR if mgr is NULL. */
int isal_sha256_ctx_mgr_init(ISAL_SHA256_HASH_CTX_MGR *mgr);

/* Submits the next piece of a message, len bytes; flags give its position in the message. The piece
 * must not change until the context is returned. Sets *ctx_out to a context that the manager
 * returns, which may differ from ctx_in, or to NULL.
 *
 * Returns 0, or the first error in this order:
 *     ISAL_CRYPTO_ERR_NULL_MGR            mgr is NULL
 *     ISAL_CRYPTO_ERR_NULL_CTX            ctx_in or ctx_out is NULL
 *     ISAL_CRYPTO_ERR_NULL_SRC            buffer is NULL and len is not 0, or flags are UPDATE or
 *                                         ENTIRE
 *     ISAL_CRYPTO_ERR_INVALID_FLAGS, _ALREADY_PROCESSING, _ALREADY_COMPLETED
 *                                         the error in (*ctx_out)->error
 * The first three change nothing. */
int isal_sha256_ctx_mgr_submit(ISAL_SHA256_HASH_CTX_MGR *mgr, ISAL_SHA256_HASH_CTX *ctx_in,
                               ISAL_SHA256_HASH_CTX **ctx_out, const void *buffer,
                               const uint32_t len, const ISAL_HASH_CTX_FLAG flags);

/* Finishes a context without waiting for more submissions. Sets *ctx_out to that context, or to
 * NULL if the manager holds none. Returns 0, ISAL_CRYPTO_ERR_NULL_MGR or
 * ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_sha256_ctx_mgr_flush(ISAL_SHA256_HASH_CTX_MGR *mgr, ISAL_SHA256_HASH_CTX **ctx_out);

/* Hashes n messages of any lengths: lens[i] bytes at buffers[i]. Writes the n standard digests, 32
 * bytes each, to digests. A message of length 0 needs no buffer.
 *
 * Returns 0 (always if n is 0); or, with nothing written, the first error in this order:
 * ISAL_CRYPTO_ERR_NULL_SRC (buffers, lens or the buffer of a non-empty message is NULL),
 * ISAL_CRYPTO_ERR_NULL_AUTH (digests is NULL). Needs up to 8 KB of stack. */
int isal_sha256_mb_hash(const void *const *buffers, const uint64_t *lens, size_t n, void *digests);

/* The same functions without argument checks, under older names kept for existing programs. submit
 * and flush return *ctx_out. */
ISAL_DEPRECATED("use isal_sha256_ctx_mgr_init")
void sha256_ctx_mgr_init(ISAL_SHA256_HASH_CTX_MGR *mgr);
ISAL_DEPRECATED("use isal_sha256_ctx_mgr_submit")
ISAL_SHA256_HASH_CTX *sha256_ctx_mgr_submit(ISAL_SHA256_HASH_CTX_MGR *mgr,
                                            ISAL_SHA256_HASH_CTX *ctx, const void *buffer,
                                            uint32_t len, ISAL_HASH_CTX_FLAG flags);
ISAL_DEPRECATED("use isal_sha256_ctx_mgr_flush")
ISAL_SHA256_HASH_CTX *sha256_ctx_mgr_flush(ISAL_SHA256_HASH_CTX_MGR *mgr);

#ifdef __cplusplus
}
#endif

#endif
