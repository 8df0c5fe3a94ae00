/* Many SHA-512 hashes at once (FIPS 180-4).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A manager holds jobs until it has one for each lane of the vector kernel, then hashes them side
 * by side: 2 with SSE or AVX, 4 with AVX2, 8 with AVX-512. Contexts go in with submit and come
 * back, one at a time, from submit and flush: those with the fewest blocks left first, the oldest
 * of these first. multi_buffer.h describes a context's life.
 *
 *     ISAL_SHA512_HASH_CTX_MGR mgr;
 *     ISAL_SHA512_HASH_CTX ctx[N], *done;
 *
 *     isal_sha512_ctx_mgr_init(&mgr);
 *     for (int i = 0; i < N; i++) {
 *         isal_hash_ctx_init(&ctx[i]);
 *         isal_sha512_ctx_mgr_submit(&mgr, &ctx[i], &done, buffer[i], length[i], ISAL_HASH_ENTIRE);
 *         if (done)
 *             use(done->job.result_digest);
 *     }
 *     while (!isal_sha512_ctx_mgr_flush(&mgr, &done) && done)
 *         use(done->job.result_digest);
 *
 * or, where all messages lie in memory, isal_sha512_mb_hash() alone.
 *
 * All functions are reentrant; a manager and the contexts that it holds belong to one thread at a
 * time. */

#ifndef ISAL_SHA512_MB_H
#define ISAL_SHA512_MB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdbool.h>

#include "isal_crypto_api.h"
#include "multi_buffer.h"
#include "types.h"

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define SHA512_DIGEST_NWORDS ISAL_SHA512_DIGEST_NWORDS
#define SHA512_MAX_LANES ISAL_SHA512_MAX_LANES
#define SHA512_MIN_LANES ISAL_SHA512_MIN_LANES
#define SHA512_BLOCK_SIZE ISAL_SHA512_BLOCK_SIZE
#define SHA512_PADLENGTHFIELD_SIZE ISAL_SHA512_PADLENGTHFIELD_SIZE
#define SHA512_WORD_T ISAL_SHA512_WORD_T
#define SHA512_JOB ISAL_SHA512_JOB
#define SHA512_MB_ARGS_X8 ISAL_SHA512_MB_ARGS_X8
#define SHA512_LANE_DATA ISAL_SHA512_LANE_DATA
#define SHA512_MB_JOB_MGR ISAL_SHA512_MB_JOB_MGR
#define SHA512_HASH_CTX_MGR ISAL_SHA512_HASH_CTX_MGR
#define SHA512_HASH_CTX ISAL_SHA512_HASH_CTX
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_SHA512_DIGEST_NWORDS 8 /* words in a digest */
#define ISAL_SHA512_MAX_LANES 8
#define ISAL_SHA512_MIN_LANES 2
#define ISAL_SHA512_BLOCK_SIZE 128         /* bytes */
#define ISAL_SHA512_PADLENGTHFIELD_SIZE 16 /* bytes */

typedef uint64_t ISAL_SHA512_WORD_T;
typedef ISAL_SHA512_WORD_T sha512_digest_array[ISAL_SHA512_DIGEST_NWORDS][ISAL_SHA512_MAX_LANES];

/* The part of a context that the manager works on. */
typedef struct {
    uint8_t *buffer;
    uint64_t len;
    /* The digest, valid when the context is complete.
     * As uint64_t in host order: swap the bytes of each word on a little-endian machine to get
     * the standard digest. */
    DECLARE_ALIGNED(ISAL_SHA512_WORD_T result_digest[ISAL_SHA512_DIGEST_NWORDS], 64);
    ISAL_JOB_STS status;
    void *user_data; /* the caller's; never touched */
} ISAL_SHA512_JOB;

/* The members of these, down to the manager, are private. */
typedef struct {
    sha512_digest_array digest;
    uint8_t *data_ptr[ISAL_SHA512_MAX_LANES];
} ISAL_SHA512_MB_ARGS_X8;

typedef struct {
    ISAL_SHA512_JOB *job_in_lane;
} ISAL_SHA512_LANE_DATA;

typedef struct {
    ISAL_SHA512_MB_ARGS_X8 args;
    uint64_t lens[ISAL_SHA512_MAX_LANES];
    uint64_t unused_lanes;
    ISAL_SHA512_LANE_DATA ldata[ISAL_SHA512_MAX_LANES];
    uint32_t num_lanes_inuse;
} ISAL_SHA512_MB_JOB_MGR;

typedef struct {
    ISAL_SHA512_MB_JOB_MGR mgr;
} ISAL_SHA512_HASH_CTX_MGR;

/* One message. */
typedef struct {
    ISAL_SHA512_JOB job;
    ISAL_HASH_CTX_STS status;
    ISAL_HASH_CTX_ERROR error;
    uint64_t total_length; /* bytes submitted since FIRST */
    const void *incoming_buffer;
    uint32_t incoming_buffer_length;
    uint8_t partial_block_buffer[ISAL_SHA512_BLOCK_SIZE * 2];
    uint32_t partial_block_buffer_length;
    void *user_data; /* the caller's; never touched */
} ISAL_SHA512_HASH_CTX;

/* Makes a manager ready for use, whatever it held before. Returns 0 or, if mgr is NULL,
 * ISAL_CRYPTO_ERR_NULL_MGR. */
int isal_sha512_ctx_mgr_init(ISAL_SHA512_HASH_CTX_MGR *mgr);

/* Submits the next len bytes of a message, of which flags say whether they begin and end it. The
 * bytes must stay as they are until the context comes back. *ctx_out becomes a context that the
 * manager is done with, which may be another than ctx_in, or NULL.
 *
 * Returns 0 or one of, in this order,
 *     ISAL_CRYPTO_ERR_NULL_MGR            mgr is NULL
 *     ISAL_CRYPTO_ERR_NULL_CTX            ctx_in or ctx_out is NULL
 *     ISAL_CRYPTO_ERR_NULL_SRC            buffer is NULL and len is not 0, or flags are UPDATE or ENTIRE
 *     ISAL_CRYPTO_ERR_INVALID_FLAGS, _ALREADY_PROCESSING, _ALREADY_COMPLETED
 *                                         the error of *ctx_out
 * of which the first three touch nothing. */
int isal_sha512_ctx_mgr_submit(ISAL_SHA512_HASH_CTX_MGR *mgr, ISAL_SHA512_HASH_CTX *ctx_in,
                               ISAL_SHA512_HASH_CTX **ctx_out, const void *buffer,
                               const uint32_t len, const ISAL_HASH_CTX_FLAG flags);

/* Finishes at least one of the contexts that the manager holds, without waiting for more. *ctx_out
 * becomes it, or NULL if the manager held none. Returns 0, ISAL_CRYPTO_ERR_NULL_MGR or
 * ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_sha512_ctx_mgr_flush(ISAL_SHA512_HASH_CTX_MGR *mgr, ISAL_SHA512_HASH_CTX **ctx_out);

/* Hashes n messages: lens[i] bytes at buffers[i], of any lengths. digests becomes the n standard
 * digests of 64 bytes, one after the other. Neither n nor a length may be so large that a buffer
 * could not exist; a message of length 0 needs no buffer. Returns 0, ISAL_CRYPTO_ERR_NULL_SRC if
 * n is not 0 and buffers or lens, or the buffer of a message that is not empty, is NULL, or
 * ISAL_CRYPTO_ERR_NULL_AUTH if n is not 0 and digests is NULL; on error nothing is written. */
int isal_sha512_mb_hash(const void *const *buffers, const uint64_t *lens, size_t n, void *digests);

/* The same as the isal_ functions without checks; submit and flush return the context. */
ISAL_DEPRECATED("use isal_sha512_ctx_mgr_init")
void sha512_ctx_mgr_init(ISAL_SHA512_HASH_CTX_MGR *mgr);
ISAL_DEPRECATED("use isal_sha512_ctx_mgr_submit")
ISAL_SHA512_HASH_CTX *sha512_ctx_mgr_submit(ISAL_SHA512_HASH_CTX_MGR *mgr,
                                            ISAL_SHA512_HASH_CTX *ctx, const void *buffer,
                                            uint32_t len, ISAL_HASH_CTX_FLAG flags);
ISAL_DEPRECATED("use isal_sha512_ctx_mgr_flush")
ISAL_SHA512_HASH_CTX *sha512_ctx_mgr_flush(ISAL_SHA512_HASH_CTX_MGR *mgr);

#ifdef __cplusplus
}
#endif

#endif
