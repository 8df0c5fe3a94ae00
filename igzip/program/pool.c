/* Threads that run jobs and return the results in order.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The jobs are a ring. Positions only increase: released <= begun <= submitted <= released +
 * count. */
struct pool {
    const struct work *work;
    unsigned threads, started; /* the calling thread is one of them */
    void *state;               /* of the calling thread */
    pthread_mutex_t lock;
    pthread_cond_t has_work, job_done;
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
    p->state = work->new_state();
    p->threads = threads;
    p->started = 1;
    p->count = threads > 1 ? 2 * (size_t) threads + 2 : 1;
    p->jobs = need_memory(p->count * sizeof *p->jobs);
    memset(p->jobs, 0, p->count * sizeof *p->jobs);
    p->done = need_memory(p->count);
    memset(p->done, 0, p->count);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->has_work, NULL);
    pthread_cond_init(&p->job_done, NULL);
    return p;
}

/* Runs the next job; the lock is held on entry and on return. */
static void run_next(struct pool *p, void *state)
{
    size_t slot = p->begun++ % p->count;

    pthread_mutex_unlock(&p->lock);
    p->work->run(state, &p->jobs[slot]);
    pthread_mutex_lock(&p->lock);
    p->done[slot] = 1;
    if (slot == p->released % p->count)
        pthread_cond_signal(&p->job_done); /* pool_oldest() waits for this one */
}

static void *worker(void *argument)
{
    struct pool *p = argument;
    void *state = p->work->new_state();

    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->begun == p->submitted)
            pthread_cond_wait(&p->has_work, &p->lock);
        run_next(p, state);
    }
    return NULL;
}

/* Signals go to the first thread, whose handler removes the unfinished output. If no thread can be
 * started, those that exist do the work. */
static void start_thread(struct pool *p)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!pthread_create(&thread, NULL, worker, p))
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
    job->last = job->failed = job->lacks_end = 0;
    job->dictionary = job->ncuts = job->expected = 0;
    job->members = 0;
    job->origin = NULL;
    return job;
}

void pool_submit(struct pool *p)
{
    int queued;

    pthread_mutex_lock(&p->lock);
    queued = p->begun != p->submitted;
    p->submitted++;
    pthread_mutex_unlock(&p->lock);
    /* If this is the only job, the calling thread runs it. */
    if (queued && p->started < p->threads)
        start_thread(p);
    else
        pthread_cond_signal(&p->has_work);
}

struct job *pool_oldest(struct pool *p)
{
    size_t slot = p->released % p->count;

    if (p->released == p->submitted)
        return NULL;
    pthread_mutex_lock(&p->lock);
    while (!p->done[slot]) {
        if (p->begun != p->submitted)
            run_next(p, p->state);
        else
            pthread_cond_wait(&p->job_done, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return &p->jobs[slot];
}

void pool_release(struct pool *p, struct job *job)
{
    pthread_mutex_lock(&p->lock);
    p->done[job - p->jobs] = 0;
    p->released++;
    pthread_mutex_unlock(&p->lock);
}

void pool_drop(struct pool *p)
{
    struct job *job;

    pthread_mutex_lock(&p->lock);
    p->submitted = p->begun; /* jobs that have not begun are dropped */
    pthread_mutex_unlock(&p->lock);
    while ((job = pool_oldest(p)))
        pool_release(p, job);
}
