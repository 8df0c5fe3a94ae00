/* Threads that run jobs and return the results in order.
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

/* Makes room for at least `capacity` bytes; the contents stay. */
void buffer_reserve(struct buffer *, size_t capacity);

struct job {
    struct buffer in, out;
    int last;   /* the input ends with this job */
    int failed; /* set by the worker; the pool does not use it */
    /* Compression. */
    size_t dictionary; /* bytes at the start of `in` that precede the data */
    uint32_t *cuts;    /* ends of the pieces of `in`, which are compressed independently */
    size_t ncuts, cuts_capacity;
    const struct origin *origin; /* for the header of the first member, or NULL */
    uint32_t crc;                /* of the data */
    /* Decompression. */
    size_t expected; /* bytes of output, 0 if unknown */
    uint64_t members;
    int lacks_end; /* the last member states its size and is not empty */
};

struct pool;

/* What a worker thread runs, with a state of its own from new_state(). */
struct work {
    void *(*new_state)(void);
    void (*run)(void *state, struct job *);
};

/* `threads` includes the calling thread, which runs jobs while pool_oldest() waits. The others are
 * started when there are jobs for them. A pool serves all files and is never closed. */
struct pool *pool_open(const struct work *, unsigned threads);
void pool_drop(struct pool *); /* waits for running jobs and drops all */

struct job *pool_free_job(struct pool *); /* an empty job, or NULL if all are in use */
void pool_submit(struct pool *);          /* the job of pool_free_job() */
struct job *pool_oldest(struct pool *);   /* waits until it is done; NULL if there is none */
void pool_release(struct pool *, struct job *);

#endif
