/* Asynchronous jobs: work of several jobs in the lanes of one call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A request that is made inside an ASYNC_JOB joins the queue of its kind, and the job pauses. The
 * queue runs when it has as many requests as lanes, or when the program polls. Queues belong to a
 * thread; nothing is locked.
 *
 * A thread has one event. Each ASYNC_WAIT_CTX has a duplicate of its descriptor, which is readable
 * while a request waits or is done and its job has not been resumed. A program that polls it has no
 * other work: the first job that it resumes runs the queue. So a request never waits for others that
 * do not come. A timer that gave them more time cost 14 microseconds to set in a virtual machine,
 * where eight requests of 1 KB take as long. */

#ifndef ASYNC_H
#define ASYNC_H

#include "crypto/openssl/provider.h"

/* Settings, of the process. */
struct async_settings {
    int on;
    size_t small_request_bytes; /* shorter requests never wait; 0: as their kind says */
};
extern struct async_settings async_settings;

/* Called when the provider is loaded, before the first request. */
void async_start(void);

/* Most requests that wait in a queue. */
#define ASYNC_MAX_LANES 64

/* Requests that run together, such as those of one hash. */
struct async_kind {
    unsigned max_lanes;  /* requests in a full queue */
    size_t small_bytes;  /* shorter requests are faster by themselves */
    void (*run)(void *const requests[], unsigned n);
};

enum async_result {
    ASYNC_NOT_QUEUED, /* not in a job, or waiting would not pay: the caller does the work */
    ASYNC_DONE,
    ASYNC_ABANDONED /* the context was freed while the job waited */
};

/* Does the work of a request of n bytes together with that of other jobs. The request stays where it
 * is, such as on the stack of the job; `context` is memory that it uses, of which async_forget() may
 * hear. */
enum async_result async_run(const struct async_kind *kind, void *request, const void *context,
                            size_t n);

/* The memory is about to be freed: forgets the requests that use it. */
void async_forget(const void *memory, size_t n);

#endif
