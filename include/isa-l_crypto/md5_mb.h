/* Many MD5 hashes at once (RFC 1321).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A manager collects jobs until every lane of the SIMD kernel has one, then hashes them in
 * parallel. Lanes: 8 with SSE or AVX, 16 with AVX2, 32 with AVX-512. submit and flush return the
 * contexts one at a time: fewest remaining blocks first, then oldest first. multi_buffer.h
 * describes the states of a context.
 *
 *     ISAL_MD5_HASH_CTX_MGR mgr;
 *     ISAL_MD5_HASH_CTX ctx[N], *done;
 *
 *     isal_md5_ctx_mgr_init(&mgr);
 *     for (int i = 0; i < N; i++) {
 *         isal_hash_ctx_init(&ctx[i]);
 *         isal_md5_ctx_mgr_submit(&mgr, &ctx[i], &done, buffer[i], length[i], ISAL_HASH_ENTIRE);
 *         if (done)
 *             use(done->job.result_digest);
 *     }
 *     while (!isal_md5_ctx_mgr_flush(&mgr, &done) && done)
 *         use(done->job.result_digest);
 *
 * If all messages are in memory, call isal_md5_mb_hash() instead.
 *
 * All functions are reentrant; a manager and its contexts belong to one thread at a time. */

#ifndef ISAL_MD5_MB_H
#define ISAL_MD5_MB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "isal_crypto_api.h"
#include "multi_buffer.h"
#include "types.h"

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define MD5_DIGEST_NWORDS ISAL_MD5_DIGEST_NWORDS
#define MD5_MAX_LANES ISAL_MD5_MAX_LANES
#define MD5_MIN_LANES ISAL_MD5_MIN_LANES
#define MD5_BLOCK_SIZE ISAL_MD5_BLOCK_SIZE
#define MD5_PADLENGTHFIELD_SIZE ISAL_MD5_PADLENGTHFIELD_SIZE
#define MD5_WORD_T ISAL_MD5_WORD_T
#define md5_digest_array isal_md5_digest_array
#define MD5_JOB ISAL_MD5_JOB
#define MD5_MB_ARGS_X32 ISAL_MD5_MB_ARGS_X32
#define MD5_LANE_DATA ISAL_MD5_LANE_DATA
#define MD5_MB_JOB_MGR ISAL_MD5_MB_JOB_MGR
#define MD5_HASH_CTX_MGR ISAL_MD5_HASH_CTX_MGR
#define MD5_HASH_CTX ISAL_MD5_HASH_CTX
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_MD5_DIGEST_NWORDS 4 /* words in a digest */
#define ISAL_MD5_MAX_LANES 32
#define ISAL_MD5_MIN_LANES 8
#define ISAL_MD5_BLOCK_SIZE 64         /* bytes */
#define ISAL_MD5_PADLENGTHFIELD_SIZE 8 /* bytes */

/* A word of a digest, and the digests of all lanes, indexed by word and lane. */
typedef uint32_t ISAL_MD5_WORD_T;
typedef ISAL_MD5_WORD_T isal_md5_digest_array[ISAL_MD5_DIGEST_NWORDS][ISAL_MD5_MAX_LANES];

/* The part of a context that a manager processes. Programs read result_digest; the rest is
 * private. */
typedef struct {
    uint8_t *buffer;
    uint32_t len;
    /* The digest, valid when the context is complete.
     * Words in host order: on a little-endian machine the bytes in memory are the standard
     * digest. */
    DECLARE_ALIGNED(ISAL_MD5_WORD_T result_digest[ISAL_MD5_DIGEST_NWORDS], 64);
    ISAL_JOB_STS status;
    void *user_data; /* the caller's; the library ignores it */
} ISAL_MD5_JOB;

/* The members of these types, up to and including the manager, are private. */
typedef struct {
    isal_md5_digest_array digest;
    uint8_t *data_ptr[ISAL_MD5_MAX_LANES];
} ISAL_MD5_MB_ARGS_X32;

typedef struct {
    ISAL_MD5_JOB *job_in_lane;
} ISAL_MD5_LANE_DATA;

typedef struct {
    ISAL_MD5_MB_ARGS_X32 args;
    uint32_t lens[ISAL_MD5_MAX_LANES];
    uint64_t unused_lanes[4];
    ISAL_MD5_LANE_DATA ldata[ISAL_MD5_MAX_LANES];
    uint32_t num_lanes_inuse;
} ISAL_MD5_MB_JOB_MGR;

typedef struct {
    ISAL_MD5_MB_JOB_MGR mgr;
} ISAL_MD5_HASH_CTX_MGR;

/* One message. The members without a comment are private. */
typedef struct {
    ISAL_MD5_JOB job;          /* its result_digest is the digest */
    ISAL_HASH_CTX_STS status;  /* whether the digest is valid */
    ISAL_HASH_CTX_ERROR error; /* why the last submission was refused */
    uint64_t total_length;     /* bytes of the message submitted so far */
    const void *incoming_buffer;
    uint32_t incoming_buffer_length;
    uint8_t partial_block_buffer[ISAL_MD5_BLOCK_SIZE * 2];
    uint32_t partial_block_buffer_length;
    void *user_data; /* the caller's; the library ignores it */
} ISAL_MD5_HASH_CTX;

/* Initializes a manager; its previous contents do not matter. Returns 0, or
 * ISAL_CRYPTO_ERR_NULL_MGR if mgr is NULL. */
int isal_md5_ctx_mgr_init(ISAL_MD5_HASH_CTX_MGR *mgr);

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
int isal_md5_ctx_mgr_submit(ISAL_MD5_HASH_CTX_MGR *mgr, ISAL_MD5_HASH_CTX *ctx_in,
                            ISAL_MD5_HASH_CTX **ctx_out, const void *buffer, const uint32_t len,
                            const ISAL_HASH_CTX_FLAG flags);

/* Finishes a context without waiting for more submissions. Sets *ctx_out to that context, or to
 * NULL if the manager holds none. Returns 0, ISAL_CRYPTO_ERR_NULL_MGR or
 * ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_md5_ctx_mgr_flush(ISAL_MD5_HASH_CTX_MGR *mgr, ISAL_MD5_HASH_CTX **ctx_out);

/* Hashes n messages of any lengths: lens[i] bytes at buffers[i]. Writes the n standard digests, 16
 * bytes each, to digests. A message of length 0 needs no buffer.
 *
 * Returns 0 (always if n is 0); or, with nothing written, the first error in this order:
 * ISAL_CRYPTO_ERR_NULL_SRC (buffers, lens or the buffer of a non-empty message is NULL),
 * ISAL_CRYPTO_ERR_NULL_AUTH (digests is NULL). Needs up to 10 KB of stack. */
int isal_md5_mb_hash(const void *const *buffers, const uint64_t *lens, size_t n, void *digests);

/* The same functions without argument checks, under older names kept for existing programs. submit
 * and flush return *ctx_out. */
ISAL_DEPRECATED("use isal_md5_ctx_mgr_init")
void md5_ctx_mgr_init(ISAL_MD5_HASH_CTX_MGR *mgr);
ISAL_DEPRECATED("use isal_md5_ctx_mgr_submit")
ISAL_MD5_HASH_CTX *md5_ctx_mgr_submit(ISAL_MD5_HASH_CTX_MGR *mgr, ISAL_MD5_HASH_CTX *ctx,
                                      const void *buffer, uint32_t len, ISAL_HASH_CTX_FLAG flags);
ISAL_DEPRECATED("use isal_md5_ctx_mgr_flush")
ISAL_MD5_HASH_CTX *md5_ctx_mgr_flush(ISAL_MD5_HASH_CTX_MGR *mgr);

#ifdef __cplusplus
}
#endif

#endif
