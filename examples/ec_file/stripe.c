/* Processes stripes in several threads; each takes the next stripe until none remains.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_file.h"

#include "stripe.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <isa-l.h>

#include "../common/little_endian.h"

/* Limit for all threads together; one thread may exceed it. */
#define MAX_MEMORY ((size_t) 1 << 30)

enum chunk_state { NOT_READ, GOOD, BAD };

/* Shared by the threads of a job. */
struct pool {
    struct job *job;
    int k, m, count;
    unsigned char *matrix, *tables; /* matrix of the code, and tables of its parity rows */
    pthread_mutex_t lock;           /* guards the members below */
    uint64_t next, done;
    enum status status;
};

struct worker {
    struct pool *pool;
    pthread_t thread;
    unsigned char *memory;
    unsigned char *chunk[MAX_SHARDS]; /* for a chunk and its checksum each */
    unsigned char state[MAX_SHARDS];  /* enum chunk_state */
    struct isal_ec_decode *plan;
    int lost[MAX_SHARDS]; /* bad chunks for which the plan was built */
    int nlost;            /* -1: no plan yet */
};

/* Ends the job with an error. Only the first error is printed. */
#define job_fail(pool, failure, ...)         \
    do {                                     \
        pthread_mutex_lock(&(pool)->lock);   \
        if ((pool)->status == STATUS_OK) {   \
            complain(__VA_ARGS__);           \
            (pool)->status = (failure);      \
        }                                    \
        pthread_mutex_unlock(&(pool)->lock); \
    } while (0)

static void write_failed(struct pool *pool)
{
    int error = errno;
    int full = error == ENOSPC || error == EDQUOT || error == EFBIG;

    job_fail(pool, STATUS_ERROR, "cannot write to %s: %s; nothing was changed%s",
             pool->job->out_path, strerror(error),
             full ? ". Make room or choose another place, then run it again" : "");
}

/* Writes chunk i and its checksum to the shard. */
static int write_chunk(struct worker *w, uint64_t stripe, int i)
{
    const struct job *job = w->pool->job;
    uint32_t n = chunk_length(job->header, stripe);

    put_le(w->chunk[i] + n, CHECKSUM_SIZE, chunk_checksum(job->header, stripe, i, w->chunk[i], n));
    if (!output_write(&job->shard_out[i], w->chunk[i], n + CHECKSUM_SIZE,
                      record_offset(job->header, stripe)))
        return 0;
    write_failed(w->pool);
    return -1;
}

static void encode_stripe(struct worker *w, uint64_t stripe)
{
    struct pool *pool = w->pool;
    const struct job *job = pool->job;
    uint32_t n = chunk_length(job->header, stripe);

    for (int i = 0; i < pool->k; i++) {
        uint32_t length;
        uint64_t offset = chunk_in_file(job->header, stripe, i, &length);
        ssize_t got = read_at(job->file, w->chunk[i], length, offset);
        if (got != (ssize_t) length) {
            job_fail(pool, STATUS_ERROR, "cannot read %s: %s", job->file_path,
                     got < 0 ? strerror(errno) : "it was truncated meanwhile");
            return;
        }
        memset(w->chunk[i] + length, 0, n - length);
    }
    ec_encode_data((int) n, pool->k, pool->m, pool->tables, w->chunk, w->chunk + pool->k);
    for (int i = 0; i < pool->count; i++)
        if (write_chunk(w, stripe, i))
            return;
}

/* Reads and verifies chunk i. A read error counts as damage. */
static void fetch(struct worker *w, uint64_t stripe, int i)
{
    const struct job *job = w->pool->job;
    uint32_t n = chunk_length(job->header, stripe);

    w->state[i] = BAD;
    if (stripe < record_count(job->set, i) &&
        read_at(job->set->shard[i].fd, w->chunk[i], n + CHECKSUM_SIZE,
                record_offset(job->header, stripe)) == (ssize_t) (n + CHECKSUM_SIZE) &&
        get_le(w->chunk[i] + n, CHECKSUM_SIZE) ==
            chunk_checksum(job->header, stripe, i, w->chunk[i], n))
        w->state[i] = GOOD;
}

/* Builds the plan for the bad chunks, unless it exists already. Returns an isal_ec_status. */
static int make_plan(struct worker *w)
{
    struct pool *pool = w->pool;
    int lost[MAX_SHARDS], nlost = 0, result;

    for (int i = 0; i < pool->count; i++)
        if (w->state[i] == BAD)
            lost[nlost++] = i;
    if (nlost == w->nlost && !memcmp(lost, w->lost, (size_t) nlost * sizeof *lost))
        return ISAL_EC_OK;
    w->nlost = -1;
    result = isal_ec_decode_init(w->plan, pool->k, pool->count, pool->matrix, lost, nlost);
    if (result == ISAL_EC_OK) {
        memcpy(w->lost, lost, (size_t) nlost * sizeof *lost);
        w->nlost = nlost;
    }
    return result;
}

/* Reads the remaining sources of the plan. Returns whether all sources are good. */
static int fetch_sources(struct worker *w, uint64_t stripe)
{
    int all_good = 1;

    for (int i = 0; i < w->pool->k; i++) {
        int source = isal_ec_decode_source(w->plan, i);
        if (w->state[source] == NOT_READ)
            fetch(w, stripe, source);
        all_good &= w->state[source] == GOOD;
    }
    return all_good;
}

/* Reads the wanted chunks, and rebuilds bad ones from as few others as possible. Returns 0, or -1
 * if too many are bad. */
static int gather(struct worker *w, uint64_t stripe, const unsigned char *wanted)
{
    const struct job *job = w->pool->job;
    int missing = 0;

    memset(w->state, NOT_READ, sizeof w->state);
    for (int i = 0; i < w->pool->count; i++)
        if (wanted[i]) {
            fetch(w, stripe, i);
            missing |= w->state[i] == BAD;
        }
    if (!missing)
        return 0;
    for (int i = 0; i < w->pool->count; i++)
        if (stripe >= record_count(job->set, i))
            w->state[i] = BAD;
    do {
        int result = make_plan(w);
        if (result != ISAL_EC_OK) {
            job_fail(w->pool, STATUS_DAMAGE,
                     "%s cannot be recovered: stripe %llu has fewer than %d intact chunks. Nothing "
                     "was changed. Restore any missing shard, or a good copy of a damaged one, "
                     "then run it again; verify lists them",
                     job->set->path, (unsigned long long) stripe, w->pool->k);
            return -1;
        }
    } while (!fetch_sources(w, stripe));
    isal_ec_decode_data(w->plan, (int) chunk_length(job->header, stripe), w->chunk);
    return 0;
}

static void decode_stripe(struct worker *w, uint64_t stripe)
{
    struct pool *pool = w->pool;
    struct job *job = pool->job;
    unsigned char wanted[MAX_SHARDS] = {0};
    uint64_t rebuilt = 0;

    for (int i = 0; i < pool->k; i++) {
        uint32_t length;
        chunk_in_file(job->header, stripe, i, &length);
        wanted[i] = length != 0;
    }
    if (gather(w, stripe, wanted))
        return;
    for (int i = 0; i < pool->k && wanted[i]; i++) {
        uint32_t length;
        uint64_t offset = chunk_in_file(job->header, stripe, i, &length);
        if (output_write(job->file_out, w->chunk[i], length, offset)) {
            write_failed(pool);
            return;
        }
        rebuilt += w->state[i] == BAD;
    }
    pthread_mutex_lock(&pool->lock);
    job->rebuilt += rebuilt;
    pthread_mutex_unlock(&pool->lock);
}

static void repair_stripe(struct worker *w, uint64_t stripe)
{
    struct pool *pool = w->pool;
    const struct job *job = pool->job;
    unsigned char wanted[MAX_SHARDS] = {0};

    for (int i = 0; i < pool->count; i++)
        wanted[i] = job->shard_out[i].fd >= 0;
    if (gather(w, stripe, wanted))
        return;
    for (int i = 0; i < pool->count; i++)
        if (wanted[i] && write_chunk(w, stripe, i))
            return;
}

static void verify_stripe(struct worker *w, uint64_t stripe)
{
    int count = w->pool->count;

    for (int i = 0; i < count; i++) {
        fetch(w, stripe, i);
        w->pool->job->bad[stripe * (uint64_t) count + (uint64_t) i] = w->state[i] == BAD;
    }
}

static const struct {
    const char *verb;
    void (*work)(struct worker *, uint64_t);
} tasks[] = {
    [TASK_ENCODE] = {"encoding", encode_stripe},
    [TASK_VERIFY] = {"verifying", verify_stripe},
    [TASK_DECODE] = {"decoding", decode_stripe},
    [TASK_REPAIR] = {"repairing", repair_stripe},
};

static void *work(void *argument)
{
    struct worker *w = argument;
    struct pool *pool = w->pool;
    const struct job *job = pool->job;

    pthread_mutex_lock(&pool->lock);
    while (pool->next < job->stripes && pool->status == STATUS_OK) {
        uint64_t stripe = pool->next++;
        pthread_mutex_unlock(&pool->lock);
        tasks[job->task].work(w, stripe);
        pthread_mutex_lock(&pool->lock);
        pool->done++;
        if (stop_signal)
            pool->status = STATUS_ERROR;
        else if (pool->status == STATUS_OK)
            progress(tasks[job->task].verb, pool->done, job->stripes);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void worker_free(struct worker *w)
{
    free(w->memory);
    free(w->plan);
}

static int worker_init(struct worker *w, struct pool *pool, size_t stride)
{
    void *memory;

    w->pool = pool;
    w->nlost = -1;
    w->plan = malloc(isal_ec_decode_size(pool->k, pool->count, pool->m));
    if (!w->plan || posix_memalign(&memory, CHUNK_UNIT, stride * (size_t) pool->count)) {
        free(w->plan);
        return -1;
    }
    w->memory = memory;
    for (int i = 0; i < pool->count; i++)
        w->chunk[i] = w->memory + stride * (size_t) i;
    return 0;
}

/* Runs up to `threads` workers, the first one in this thread. */
static void run_workers(struct pool *pool, int threads)
{
    /* An odd number of units between the chunks of a stripe: at a distance of a large power of two
     * they would compete for the same few cache lines. */
    size_t stride = (chunk_length(pool->job->header, 0) + CHECKSUM_SIZE + CHUNK_UNIT - 1) /
                        CHUNK_UNIT * CHUNK_UNIT |
                    CHUNK_UNIT;
    size_t fit = MAX_MEMORY / (stride * (size_t) pool->count);
    struct worker *workers;
    int ready = 0, running = 1;

    if ((uint64_t) threads > pool->job->stripes)
        threads = (int) pool->job->stripes;
    if ((size_t) threads > fit)
        threads = fit ? (int) fit : 1;
    workers = calloc((size_t) threads, sizeof *workers);
    while (workers && ready < threads && !worker_init(&workers[ready], pool, stride))
        ready++;
    if (!ready) {
        job_fail(pool, STATUS_ERROR, "out of memory");
    } else {
        /* If the system limits the number of threads, fewer do the work. */
        while (running < ready &&
               !pthread_create(&workers[running].thread, NULL, work, &workers[running]))
            running++;
        work(&workers[0]);
        pool->job->threads = running;
        for (int i = 1; i < running; i++)
            pthread_join(workers[i].thread, NULL);
    }
    for (int i = 0; i < ready; i++)
        worker_free(&workers[i]);
    free(workers);
}

enum status run_job(struct job *job)
{
    const struct shard_header *h = job->header;
    struct pool pool = {.job = job, .k = h->k, .m = h->m, .count = h->k + h->m};
    size_t k = (size_t) h->k, m = (size_t) h->m;

    if (!job->stripes)
        return STATUS_OK;
    pool.matrix = malloc((k + m) * k);
    pool.tables = malloc(32 * m * k);
    pthread_mutex_init(&pool.lock, NULL);
    if (pool.matrix && pool.tables) {
        gf_gen_cauchy1_matrix(pool.matrix, pool.count, pool.k);
        ec_init_tables(pool.k, pool.m, pool.matrix + k * k, pool.tables);
        run_workers(&pool, job->threads);
        progress_end();
    } else {
        job_fail(&pool, STATUS_ERROR, "out of memory");
    }
    pthread_mutex_destroy(&pool.lock);
    free(pool.tables);
    free(pool.matrix);
    return pool.status;
}
