/* Threads that work on numbered jobs, whose results come back in order.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     for (;;) {
 *         while ((job = pool_free_job(pool)) && fill(job))
 *             pool_submit(pool);
 *         if (!(job = pool_oldest(pool)))
 *             break;
 *         write(job);
 *         pool_release(pool, job);
 *     }
 */

#ifndef IGZIP_POOL_H
#define IGZIP_POOL_H

#include <stddef.h>
#include <stdint.h>

struct origin;

struct buffer {
    uint8_t *data;
    size_t len, capacity;
};

/* Room for at least `capacity` bytes; the contents stay. */
void buffer_reserve(struct buffer *, size_t capacity);

struct job {
    struct buffer in, out;
    int last;   /* the input ends with this job */
    int failed; /* the worker could not do it; the reason is its own affair */
    /* Compression. */
    size_t dictionary; /* bytes at the start of `in` that precede the data */
    uint32_t *cuts;    /* ends of the pieces of `in` that are compressed on their own */
    size_t ncuts, cuts_capacity;
    const struct origin *origin; /* for the header of the first member, or NULL */
    uint32_t crc;                /* of the data */
    /* Decompression. */
    size_t expected; /* bytes of output, 0 if not known */
    uint64_t members;
    int ends_empty; /* the last member has no data */
};

struct pool;

/* What a worker thread does. Its own state comes from new_state(). */
struct work {
    void *(*new_state)(void);
    void (*run)(void *state, struct job *);
};

/* The calling thread is one of them: it works while it would wait in pool_oldest(). The others start
 * as there are jobs for them. A pool is for many files, and stays: its threads and their memory are
 * ready for the next one. */
struct pool *pool_open(const struct work *, unsigned threads);
void pool_drop(struct pool *); /* all jobs: those that are in work run to their end */

struct job *pool_free_job(struct pool *); /* an empty one, or NULL: all are in work */
void pool_submit(struct pool *);          /* that job */
struct job *pool_oldest(struct pool *);   /* waits until it is done; NULL: none is in work */
void pool_release(struct pool *, struct job *);

#endif
