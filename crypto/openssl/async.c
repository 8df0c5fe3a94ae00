/* Asynchronous jobs: work of several jobs in the lanes of one call.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "config.h"

#include "crypto/openssl/async.h"

#include "crypto/openssl/statistics.h"

#include <stdlib.h>

struct async_settings async_settings;

#if __has_include(<sys/eventfd.h>)
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#define QUEUES 16 /* at least the number of kinds */
/* A job that finds no others waits only once in this many requests, as a probe for others. The
 * interval doubles with each probe that finds none. */
#define MIN_PROBE_INTERVAL 16
#define MAX_PROBE_INTERVAL 4096

enum state { PENDING, DONE, ABANDONED };

/* Lives on the stack of its job, which is kept while the job is paused. */
struct request {
    struct request *next, **link; /* in the list of the thread */
    enum state state;
    struct queue *queue;
    ASYNC_WAIT_CTX *wait;
    const void *context;
    unsigned resumed; /* times the job was resumed while others were done */
};

struct queue {
    const struct async_kind *kind;
    struct request *waiting[ASYNC_MAX_LANES];
    struct async_request work[ASYNC_MAX_LANES]; /* of `waiting` */
    unsigned n, target; /* requests waiting; number at which the queue runs */
};

struct thread {
    int event;
    unsigned process; /* the value of *process_number when the event was made */
    struct queue queues[QUEUES];
    struct request *requests; /* waiting, or done and not resumed */
    unsigned waiting, done;
    unsigned probe_interval; /* one request in this many waits; 0: all wait */
    unsigned until_probe;    /* requests left until the next one waits */
};

static __thread struct thread *mine;
static pthread_key_t key_of_threads; /* its destructor ends a thread's state */

/* Number of this process. In a child after fork() it reads 0: the kernel wipes its page there. */
static unsigned *process_number;
static unsigned processes;

static void thread_stop(void *state);

static void start_process(void)
{
    unsigned *page = mmap(NULL, sizeof *process_number, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED || madvise(page, sizeof *page, MADV_WIPEONFORK) ||
        pthread_key_create(&key_of_threads, thread_stop))
        return;
    *page = ++processes;
    process_number = page;
}

void async_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, start_process);
    if (!process_number)
        async_settings.on = 0;
}

/* ---- The event ---- */

/* Makes the descriptors readable. */
static void signal_event(struct thread *t)
{
    const uint64_t one = 1;

    if (write(t->event, &one, sizeof one) < 0)
        return; /* the count is at its limit: they are readable */
}

/* Called when there is one request less. Makes the descriptors unreadable if it was the last. When
 * only waiting ones are left, the application must poll; they did not signal while others were
 * done. */
static void update_event(struct thread *t)
{
    uint64_t count;

    if (t->done)
        return;
    if (t->waiting)
        signal_event(t);
    else if (read(t->event, &count, sizeof count) < 0)
        return; /* it was not signalled */
}

/* ---- Requests ---- */

static void link_request(struct thread *t, struct request *r)
{
    r->next = t->requests;
    r->link = &t->requests;
    if (r->next)
        r->next->link = &r->next;
    t->requests = r;
}

static void unlink_request(struct request *r)
{
    *r->link = r->next;
    if (r->next)
        r->next->link = r->link;
}

/* Removes a request that will not be resumed. */
static void abandon(struct thread *t, struct request *r)
{
    struct queue *q = r->queue;

    unlink_request(r);
    if (r->state == DONE) {
        t->done--;
    } else {
        unsigned i = 0;

        while (q->waiting[i] != r)
            i++;
        for (q->n--; i < q->n; i++) {
            q->waiting[i] = q->waiting[i + 1];
            q->work[i] = q->work[i + 1];
        }
        t->waiting--;
    }
    r->state = ABANDONED;
    update_event(t);
}

void async_abandon(const void *memory, size_t n)
{
    struct thread *t = mine;
    struct request *next;

    for (struct request *r = t ? t->requests : NULL; r; r = next) {
        next = r->next;
        if ((uintptr_t) r->context - (uintptr_t) memory < n)
            abandon(t, r);
    }
}

static void notify(ASYNC_WAIT_CTX *wait)
{
    ASYNC_callback_fn callback = NULL;
    void *argument = NULL;

    if (ASYNC_WAIT_CTX_get_callback(wait, &callback, &argument) && callback) {
        ASYNC_WAIT_CTX_set_status(wait, ASYNC_STATUS_OK);
        callback(argument);
    }
}

/* Does the work of all requests of a queue. `own` belongs to the job that runs. */
static void run_queue(struct thread *t, struct queue *q, struct request *own)
{
    const unsigned n = q->n;

    statistics_add(STATISTIC_BATCH, 1);
    statistics_add(STATISTIC_LANE, n);
    q->kind->run(q->work, n);
    q->n = 0;
    t->waiting -= n;
    for (unsigned i = 0; i < n; i++) {
        q->waiting[i]->state = DONE;
        t->done += q->waiting[i] != own;
    }
    for (unsigned i = 0; i < n; i++)
        if (q->waiting[i] != own)
            notify(q->waiting[i]->wait);
    if (t->done)
        signal_event(t); /* even if signalled: an edge-triggered wait needs another event */
    else
        update_event(t);
    if (n > 1)
        t->probe_interval = t->until_probe = 0;
}

/* ---- Threads ---- */

static void thread_stop(void *state)
{
    struct thread *t = state;

    mine = NULL;
    while (t->requests)
        abandon(t, t->requests);
    close(t->event);
    free(t);
}

/* After fork() the event is shared with the parent. Makes a new one and runs the waiting
 * requests. */
static void leave_parent(struct thread *t)
{
    close(t->event);
    t->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (!*process_number)
        *process_number = ++processes;
    t->process = *process_number;
    for (int q = 0; q < QUEUES; q++)
        if (t->queues[q].n)
            run_queue(t, &t->queues[q], NULL);
}

static struct thread *this_thread(void)
{
    struct thread *t = mine;

    if (t) {
        if (t->process != *process_number)
            leave_parent(t);
        return t->event < 0 ? NULL : t;
    }
    t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    if (!*process_number)
        *process_number = ++processes;
    t->process = *process_number;
    t->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (t->event < 0 || pthread_setspecific(key_of_threads, t)) {
        if (t->event >= 0)
            close(t->event);
        free(t);
        return NULL;
    }
    mine = t;
    return t;
}

/* ---- Waiting ---- */

static const char fd_key;

/* Called when an ASYNC_WAIT_CTX ends: its job will not be resumed. */
static void end_of_wait(ASYNC_WAIT_CTX *wait, const void *key, OSSL_ASYNC_FD fd, void *process)
{
    struct request *next;

    (void) key;
    (void) process;
    for (struct request *r = mine ? mine->requests : NULL; r; r = next) {
        next = r->next;
        if (r->wait == wait)
            abandon(mine, r);
    }
    close(fd);
}

/* Gives the ASYNC_WAIT_CTX a descriptor of this thread's event, unless it has one. */
static int give_descriptor(struct thread *t, ASYNC_WAIT_CTX *wait)
{
    OSSL_ASYNC_FD fd;
    void *owner;

    if (ASYNC_WAIT_CTX_get_fd(wait, &fd_key, &fd, &owner)) {
        if (owner == (void *) t)
            return 1;
        ASYNC_WAIT_CTX_clear_fd(wait, &fd_key);
        close(fd);
    }
    fd = dup(t->event);
    if (fd >= 0 && ASYNC_WAIT_CTX_set_wait_fd(wait, &fd_key, fd, t, end_of_wait))
        return 1;
    if (fd >= 0)
        close(fd);
    return 0;
}

static struct queue *queue_of(struct thread *t, const struct async_kind *kind)
{
    struct queue *q = t->queues;

    while (q->kind && q->kind != kind)
        q++;
    if (!q->kind) {
        q->kind = kind;
        q->target = kind->max_lanes;
    }
    return q;
}

/* Runs a queue that did not fill. Its number of requests shows how many jobs are active. */
static void run_partly_filled(struct thread *t, struct queue *q, struct request *own)
{
    const unsigned n = q->n;

    statistics_add(STATISTIC_UNFILLED, 1);
    if (n == 1 && t->waiting == 1 && !t->done) {
        if (t->probe_interval < MAX_PROBE_INTERVAL)
            t->probe_interval = t->probe_interval ? 2 * t->probe_interval : MIN_PROBE_INTERVAL;
        t->until_probe = t->probe_interval;
    } else if (n > 1) {
        q->target = n;
    }
    run_queue(t, q, own);
}

/* Pauses the job until the request is done. */
static void wait_for(struct thread *t, struct request *r)
{
    while (r->state == PENDING) {
        ASYNC_WAIT_CTX_set_status(r->wait, ASYNC_STATUS_EAGAIN);
        ASYNC_pause_job();
        if (r->state == ABANDONED)
            return;
        if (t->process != *process_number)
            leave_parent(t);
        /* No other job is done, or those that are done seem never to be resumed. */
        if (r->state == PENDING && (!t->done || r->resumed++)) {
            run_partly_filled(t, r->queue, r);
            unlink_request(r);
            return;
        }
    }
    unlink_request(r);
    t->done--;
    update_event(t);
}

/* A request joins its queue, and waits or runs the queue. */
static void join(struct thread *t, struct queue *q, struct request *r)
{
    q->waiting[q->n++] = r;
    t->waiting++;
    link_request(t, r);
    if (q->n < q->target) {
        if (q->n == 1 && !t->done)
            signal_event(t);
        wait_for(t, r);
        return;
    }
    q->target += q->target < q->kind->max_lanes; /* more jobs may have become active */
    run_queue(t, q, r);
    unlink_request(r);
}

/* The queue that a request of the current job joins, or NULL if the job should not wait. */
static struct queue *queue_to_join(struct thread *t, const struct async_kind *kind,
                                   ASYNC_WAIT_CTX *wait)
{
    if (!t)
        return NULL;
    if (t->until_probe && !t->waiting) {
        t->until_probe--;
        return NULL;
    }
    return wait && give_descriptor(t, wait) ? queue_of(t, kind) : NULL;
}

int async_run(const struct async_kind *kind, void *context, uint8_t *out, const uint8_t *in,
              size_t n)
{
    const struct async_request work = {context, out, in, n};
    struct request request = {.context = context, .state = PENDING};
    struct thread *t = this_thread();
    ASYNC_JOB *job = ASYNC_get_current_job();

    request.wait = job ? ASYNC_get_wait_ctx(job) : NULL;
    request.queue = queue_to_join(t, kind, request.wait);
    if (!request.queue) {
        kind->run(&work, 1);
        return 1;
    }
    statistics_add(STATISTIC_JOB, 1);
    request.queue->work[request.queue->n] = work;
    join(t, request.queue, &request);
    return request.state == DONE || provider_error(REASON_ABORTED);
}

#else /* without eventfd(), everything is synchronous */

void async_start(void)
{
}

int async_run(const struct async_kind *kind, void *context, uint8_t *out, const uint8_t *in,
              size_t n)
{
    kind->run(&(struct async_request){context, out, in, n}, 1);
    return 1;
}

void async_abandon(const void *memory, size_t n)
{
    (void) memory;
    (void) n;
}

#endif
