/* Threads that work on numbered jobs, whose results come back in order.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The jobs are a ring. Positions only ever count up: released <= begun <= submitted <= released +
 * count. */
struct pool {
    const struct work *work;
    unsigned threads, started;
    pthread_t *thread;
    void *state; /* of the calling thread, if it does the work */
    pthread_mutex_t lock;
    pthread_cond_t work_waits, job_done;
    int closing;
    struct job *jobs;
    unsigned char *done; /* for each job of the ring */
    size_t count, released, begun, submitted;
};

void buffer_reserve(struct buffer *b, size_t capacity)
{
    if (capacity > b->capacity) {
        b->data = need_more_memory(b->data, capacity);
        b->capacity = capacity;
    }
}

struct pool *pool_open(const struct work *work, unsigned threads)
{
    struct pool *p = need_memory(sizeof *p);

    memset(p, 0, sizeof *p);
    p->work = work;
    p->threads = threads;
    p->count = threads > 1 ? 2 * (size_t) threads + 2 : 1;
    p->thread = need_memory(threads * sizeof *p->thread);
    p->jobs = need_memory(p->count * sizeof *p->jobs);
    memset(p->jobs, 0, p->count * sizeof *p->jobs);
    p->done = need_memory(p->count);
    memset(p->done, 0, p->count);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work_waits, NULL);
    pthread_cond_init(&p->job_done, NULL);
    return p;
}

static void *worker(void *argument)
{
    struct pool *p = argument;
    void *state = p->work->new_state();

    pthread_mutex_lock(&p->lock);
    for (;;) {
        size_t slot;

        while (p->begun == p->submitted && !p->closing)
            pthread_cond_wait(&p->work_waits, &p->lock);
        if (p->closing)
            break;
        slot = p->begun++ % p->count;
        pthread_mutex_unlock(&p->lock);
        p->work->run(state, &p->jobs[slot]);
        pthread_mutex_lock(&p->lock);
        p->done[slot] = 1;
        pthread_cond_signal(&p->job_done);
    }
    pthread_mutex_unlock(&p->lock);
    p->work->free_state(state);
    return NULL;
}

/* Signals are for the first thread, whose handler removes the unfinished output. A thread that
 * cannot be started is done without, as long as there is one. */
static void start_thread(struct pool *p)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!pthread_create(&p->thread[p->started], NULL, worker, p))
        p->started++;
    else
        p->threads = p->started;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct job *pool_free_job(struct pool *p)
{
    struct job *job = &p->jobs[p->submitted % p->count];

    if (p->submitted - p->released == p->count)
        return NULL;
    job->in.len = job->out.len = 0;
    job->last = job->failed = job->ends_empty = 0;
    job->dictionary = job->ncuts = job->expected = 0;
    job->members = 0;
    job->origin = NULL;
    return job;
}

void pool_submit(struct pool *p, struct job *job)
{
    /* A first job that is also the last is not worth a thread. */
    int inline_job = job->last && !p->started;

    if (!inline_job && p->threads > 1 && p->started < p->threads)
        start_thread(p);
    if (!p->started) {
        if (!p->state)
            p->state = p->work->new_state();
        p->work->run(p->state, job);
        p->done[p->submitted % p->count] = 1;
        p->begun++;
        p->submitted++;
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->submitted++;
    pthread_cond_signal(&p->work_waits);
    pthread_mutex_unlock(&p->lock);
}

struct job *pool_oldest(struct pool *p)
{
    size_t slot = p->released % p->count;

    if (p->released == p->submitted)
        return NULL;
    pthread_mutex_lock(&p->lock);
    while (!p->done[slot])
        pthread_cond_wait(&p->job_done, &p->lock);
    pthread_mutex_unlock(&p->lock);
    return &p->jobs[slot];
}

void pool_release(struct pool *p, struct job *job)
{
    p->done[job - p->jobs] = 0;
    p->released++;
}

void pool_close(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->closing = 1;
    pthread_cond_broadcast(&p->work_waits);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->started; i++)
        pthread_join(p->thread[i], NULL);
    if (p->state)
        p->work->free_state(p->state);
    for (size_t i = 0; i < p->count; i++) {
        free(p->jobs[i].in.data);
        free(p->jobs[i].out.data);
        free(p->jobs[i].cuts);
    }
    pthread_cond_destroy(&p->job_done);
    pthread_cond_destroy(&p->work_waits);
    pthread_mutex_destroy(&p->lock);
    free(p->done);
    free(p->jobs);
    free(p->thread);
    free(p);
}
