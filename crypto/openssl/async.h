/* Asynchronous jobs: hashes of several jobs in the lanes of one manager.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A request that is made inside an ASYNC_JOB joins the queue of its hash, and the job pauses. The
 * queue runs when its requests fill the lanes, when its time limit expires, or when the application
 * resumes one of its jobs although no request of the thread is done. Queues belong to a thread;
 * nothing is locked.
 *
 * A thread has one timer. Each ASYNC_WAIT_CTX has a duplicate of its descriptor. The descriptors
 * become readable when the time limit expires, and stay so until every job whose request is done
 * has been resumed. */

#ifndef ASYNC_H
#define ASYNC_H

#include "crypto/openssl/hash.h"

/* Settings of the process. */
struct async_settings {
    int on;
    unsigned timeout_us;        /* time limit of a request */
    size_t small_request_bytes; /* shorter requests never wait */
};
extern struct async_settings async_settings;

/* Called when the provider is loaded, before the first request. */
void async_start(void);

enum async_result {
    ASYNC_NOT_QUEUED, /* not in a job, or waiting would not pay: the caller hashes */
    ASYNC_DONE,
    ASYNC_ABANDONED /* the context was freed while the job waited */
};

/* Hashes the next n bytes of a message together with those of other jobs. */
enum async_result async_hash(const struct hash_family *family, union hash_context *context,
                             const void *data, uint32_t n);

/* Abandons the requests whose contexts are in these n bytes, which are about to be freed. */
void async_abandon(const void *memory, size_t n);

#endif
