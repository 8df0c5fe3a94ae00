/* Asynchronous jobs: work of several jobs in the lanes of one call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A request that is made inside an ASYNC_JOB joins the queue of its kind, and the job pauses. The
 * queue runs when its requests fill it, or when the application resumes one of its jobs although no
 * request of the thread is done. Queues belong to a thread; nothing is locked.
 *
 * A thread has one event. Each ASYNC_WAIT_CTX has a duplicate of its descriptor, which is readable
 * while a request waits, or is done and its job has not been resumed. An application polls when it
 * has no other work. The first job that it resumes runs the queue, so that a request never waits
 * for others that do not come. A timer would let more requests join, but setting one took 14 us
 * (virtual machine on Emerald Rapids), as long as encrypting 16 requests of 8 KB. */

#ifndef ASYNC_H
#define ASYNC_H

#include "crypto/openssl/provider.h"

/* Settings of the process. */
struct async_settings {
    int on;
    size_t small_request_bytes; /* shorter requests never wait; 0: use small_bytes of their kind */
};
extern struct async_settings async_settings;

/* Called when the provider is loaded, before the first request. */
void async_start(void);

/* Requests in a queue, at most. */
#define ASYNC_MAX_LANES 64

/* Requests that run together, such as those of one hash. */
struct async_kind {
    unsigned max_lanes; /* requests in a full queue, at most ASYNC_MAX_LANES */
    size_t small_bytes; /* shorter requests are faster by themselves */
    void (*run)(void *const requests[], unsigned n);
};

enum async_result {
    ASYNC_NOT_QUEUED, /* not in a job, or waiting would not pay: the caller does the work */
    ASYNC_DONE,
    ASYNC_ABANDONED /* the context was freed while the job waited */
};

/* Does the work of a request of n bytes together with that of other jobs. The request is on the
 * stack of its job. `context` is memory that the request uses: async_abandon() finds the request by
 * this address. */
enum async_result async_run(const struct async_kind *kind, void *request, const void *context,
                            size_t n);

/* Abandons the requests whose contexts are in these n bytes, which are about to be freed. */
void async_abandon(const void *memory, size_t n);

#endif
