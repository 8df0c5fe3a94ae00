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

#include <openssl/async.h>

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

/* Work on n bytes. The buffers belong to the caller, whose job is paused meanwhile. */
struct async_request {
    void *context; /* async_abandon() finds the request by this address */
    uint8_t *out;
    const uint8_t *in;
    size_t n;
};

/* Requests that run together, such as those of one hash. */
struct async_kind {
    unsigned max_lanes; /* requests in a full queue, at most ASYNC_MAX_LANES */
    size_t small_bytes; /* shorter requests are faster by themselves */
    void (*run)(const struct async_request *requests, unsigned n);
};

/* Returns whether a request of n bytes should call async_run(). */
static inline int async_is_wanted(const struct async_kind *kind, size_t n)
{
    const size_t small = async_settings.small_request_bytes;

    return async_settings.on && n >= (small ? small : kind->small_bytes) && ASYNC_get_current_job();
}

/* Does the work of a request together with that of other jobs. The current job may pause. Returns 0
 * if the context was freed meanwhile.
 *
 * After a job is resumed, the CPU predicts no return, 14 ns each (Emerald Rapids). So callers
 * should end with a tail call of this function, and leave to run() what follows the work. */
int async_run(const struct async_kind *kind, void *context, uint8_t *out, const uint8_t *in,
              size_t n);

/* Abandons the requests whose contexts are in these n bytes, which are about to be freed. */
void async_abandon(const void *memory, size_t n);

#endif
