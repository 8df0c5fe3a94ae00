/* Definitions shared by md5_mb.h, sha1_mb.h, sha256_mb.h, sha512_mb.h and sm3_mb.h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A context represents one message. Prepare it once with isal_hash_ctx_init(), then submit the
 * pieces of the message to a manager. The manager owns the context until submit or flush returns
 * it:
 *
 *     submitted with    next submission               status when returned
 *     FIRST, UPDATE     UPDATE, LAST, or FIRST again  ISAL_HASH_CTX_STS_IDLE
 *     LAST, ENTIRE      FIRST, ENTIRE                 ISAL_HASH_CTX_STS_COMPLETE, digest valid
 *
 * A piece may have any length, including 0. After any other submission the context is returned
 * immediately; only ctx->error has changed, and the next accepted piece clears it.
 *
 * A manager and its contexts belong to one thread at a time; the macros below need no lock beyond
 * that. */

#ifndef ISAL_MULTI_BUFFER_H
#define ISAL_MULTI_BUFFER_H

#ifdef __cplusplus
extern "C" {
#endif

/* State of a manager's job. */
typedef enum {
    ISAL_STS_UNKNOWN = 0,
    ISAL_STS_BEING_PROCESSED = 1,
    ISAL_STS_COMPLETED = 2,
    ISAL_STS_INTERNAL_ERROR = 3,
    ISAL_STS_ERROR = 4
} ISAL_JOB_STS;

#define ISAL_HASH_MB_NO_FLAGS 0
#define ISAL_HASH_MB_FIRST 1
#define ISAL_HASH_MB_LAST 2

/* Position of a piece in its message. */
typedef enum {
    ISAL_HASH_UPDATE = 0, /* neither first nor last piece */
    ISAL_HASH_FIRST = 1,  /* first piece */
    ISAL_HASH_LAST = 2,   /* last piece */
    ISAL_HASH_ENTIRE = 3  /* only piece */
} ISAL_HASH_CTX_FLAG;

/* State of a context. */
typedef enum {
    ISAL_HASH_CTX_STS_IDLE = 0,       /* the next piece may be submitted */
    ISAL_HASH_CTX_STS_PROCESSING = 1, /* a manager owns the context; other bits may also be set */
    ISAL_HASH_CTX_STS_LAST = 2,
    ISAL_HASH_CTX_STS_COMPLETE = 4 /* the digest is valid */
} ISAL_HASH_CTX_STS;

/* Why a submission was refused. */
typedef enum {
    ISAL_HASH_CTX_ERROR_NONE = 0,
    ISAL_HASH_CTX_ERROR_INVALID_FLAGS = -1,      /* flags are not an ISAL_HASH_CTX_FLAG */
    ISAL_HASH_CTX_ERROR_ALREADY_PROCESSING = -2, /* a manager still owns the context */
    ISAL_HASH_CTX_ERROR_ALREADY_COMPLETED = -3   /* the message has ended; FIRST must follow */
} ISAL_HASH_CTX_ERROR;

/* Access to a context of any hash, given a pointer to it. processing: whether a manager owns the
 * context. complete: whether its digest is valid. The others are members, as lvalues. */
#define isal_hash_ctx_user_data(ctx) ((ctx)->user_data)
#define isal_hash_ctx_digest(ctx) ((ctx)->job.result_digest)
#define isal_hash_ctx_processing(ctx) ((ctx)->status & ISAL_HASH_CTX_STS_PROCESSING)
#define isal_hash_ctx_complete(ctx) ((ctx)->status == ISAL_HASH_CTX_STS_COMPLETE)
#define isal_hash_ctx_status(ctx) ((ctx)->status)
#define isal_hash_ctx_error(ctx) ((ctx)->error)

/* Prepares a context for its first message; sets only status and error. */
#define isal_hash_ctx_init(ctx)                     \
    do {                                            \
        (ctx)->error = ISAL_HASH_CTX_ERROR_NONE;    \
        (ctx)->status = ISAL_HASH_CTX_STS_COMPLETE; \
    } while (0)

/* Names used before version 2.25. */
#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define JOB_STS ISAL_JOB_STS
#define STS_UNKNOWN ISAL_STS_UNKNOWN
#define STS_BEING_PROCESSED ISAL_STS_BEING_PROCESSED
#define STS_COMPLETED ISAL_STS_COMPLETED
#define STS_INTERNAL_ERROR ISAL_STS_INTERNAL_ERROR
#define STS_ERROR ISAL_STS_ERROR
#define HASH_MB_NO_FLAGS ISAL_HASH_MB_NO_FLAGS
#define HASH_MB_FIRST ISAL_HASH_MB_FIRST
#define HASH_MB_LAST ISAL_HASH_MB_LAST
#define HASH_CTX_FLAG ISAL_HASH_CTX_FLAG
#define HASH_UPDATE ISAL_HASH_UPDATE
#define HASH_FIRST ISAL_HASH_FIRST
#define HASH_LAST ISAL_HASH_LAST
#define HASH_ENTIRE ISAL_HASH_ENTIRE
#define HASH_CTX_STS ISAL_HASH_CTX_STS
#define HASH_CTX_STS_IDLE ISAL_HASH_CTX_STS_IDLE
#define HASH_CTX_STS_PROCESSING ISAL_HASH_CTX_STS_PROCESSING
#define HASH_CTX_STS_LAST ISAL_HASH_CTX_STS_LAST
#define HASH_CTX_STS_COMPLETE ISAL_HASH_CTX_STS_COMPLETE
#define HASH_CTX_ERROR ISAL_HASH_CTX_ERROR
#define HASH_CTX_ERROR_NONE ISAL_HASH_CTX_ERROR_NONE
#define HASH_CTX_ERROR_INVALID_FLAGS ISAL_HASH_CTX_ERROR_INVALID_FLAGS
#define HASH_CTX_ERROR_ALREADY_PROCESSING ISAL_HASH_CTX_ERROR_ALREADY_PROCESSING
#define HASH_CTX_ERROR_ALREADY_COMPLETED ISAL_HASH_CTX_ERROR_ALREADY_COMPLETED
#define hash_ctx_user_data isal_hash_ctx_user_data
#define hash_ctx_digest isal_hash_ctx_digest
#define hash_ctx_processing isal_hash_ctx_processing
#define hash_ctx_complete isal_hash_ctx_complete
#define hash_ctx_status isal_hash_ctx_status
#define hash_ctx_error isal_hash_ctx_error
#define hash_ctx_init isal_hash_ctx_init
#endif

#ifdef __cplusplus
}
#endif

#endif
