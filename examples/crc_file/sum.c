/* The CRC of a file, by several threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A large file is divided into blocks of equal length. Each thread computes the CRC of the next
 * free block until none remains; then the CRCs are combined in order. */

#include "crc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((uint64_t) 4 << 20)
#define READ_BYTES ((size_t) 256 << 10) /* of one read; fits in a second-level cache */

struct job {
    const struct isal_crc *crc;
    int fd;
    uint64_t size, blocks;
    uint64_t *crcs; /* by block */
    pthread_mutex_t mutex;
    uint64_t next; /* first free block */
    uint64_t done; /* bytes processed */
    int error;     /* first errno of any thread */
};

/* Computes the CRC of one block. Returns 0, or an errno: EIO if the file ends before it. */
static int crc_of_block(const struct job *job, uint64_t block, uint8_t *buffer, uint64_t *sum)
{
    uint64_t at = block * BLOCK, end = job->size - at < BLOCK ? job->size : at + BLOCK;
    uint64_t state = isal_crc_begin(job->crc);

    while (at < end) {
        size_t wanted = end - at < READ_BYTES ? (size_t) (end - at) : READ_BYTES;
        ssize_t got = pread(job->fd, buffer, wanted, (off_t) at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got ? errno : EIO; /* EIO: the file was truncated meanwhile */
        state = isal_crc_update(job->crc, state, buffer, (size_t) got);
        at += (uint64_t) got;
    }
    *sum = isal_crc_finish(job->crc, state);
    return 0;
}

static void *work(void *argument)
{
    struct job *job = argument;
    uint8_t *buffer = malloc(READ_BYTES);
    int error = buffer ? 0 : ENOMEM;

    pthread_mutex_lock(&job->mutex);
    while (!error && !job->error && job->next < job->blocks) {
        uint64_t block = job->next++;
        pthread_mutex_unlock(&job->mutex);
        error = crc_of_block(job, block, buffer, &job->crcs[block]);
        pthread_mutex_lock(&job->mutex);
        job->done += job->size - block * BLOCK < BLOCK ? job->size - block * BLOCK : BLOCK;
        progress("reading", job->done, job->size);
    }
    if (error && !job->error)
        job->error = error;
    pthread_mutex_unlock(&job->mutex);
    free(buffer);
    return NULL;
}

/* Runs work() in this thread and as many others as there are blocks for. */
static void run_threads(struct job *job, int threads)
{
    pthread_t others[256];
    int started = 0;

    while (started < threads - 1 && (uint64_t) started + 1 < job->blocks &&
           !pthread_create(&others[started], NULL, work, job))
        started++;
    work(job);
    while (started--)
        pthread_join(others[started], NULL);
    progress_end();
}

static int crc_blocks(struct job *job, int threads, uint64_t *value)
{
    uint64_t whole, last, sum;

    job->blocks = (job->size + BLOCK - 1) / BLOCK;
    job->crcs = calloc(job->blocks ? (size_t) job->blocks : 1, sizeof *job->crcs);
    if (!job->crcs)
        return ENOMEM;
    run_threads(job, threads);
    sum = job->blocks ? job->crcs[0] : isal_crc_compute(job->crc, NULL, 0);
    whole = isal_crc_combine_gen(job->crc, BLOCK);
    last = job->size % BLOCK ? isal_crc_combine_gen(job->crc, job->size % BLOCK) : whole;
    for (uint64_t i = 1; i < job->blocks; i++)
        sum = isal_crc_combine_op(job->crc, sum, job->crcs[i], i + 1 < job->blocks ? whole : last);
    free(job->crcs);
    *value = sum;
    return job->error;
}

/* For inputs without a size or random access, such as pipes. */
static int crc_stream(int fd, const struct isal_crc *crc, uint64_t *value)
{
    uint64_t state = isal_crc_begin(crc);
    uint8_t *buffer = malloc(READ_BYTES);
    ssize_t got;
    int error = 0;

    if (!buffer)
        return ENOMEM;
    while ((got = read(fd, buffer, READ_BYTES)) != 0) {
        if (got > 0) {
            state = isal_crc_update(crc, state, buffer, (size_t) got);
        } else if (errno != EINTR) {
            error = errno;
            break;
        }
    }
    free(buffer);
    *value = isal_crc_finish(crc, state);
    return error;
}

int crc_of_file(const char *name, const struct isal_crc *crc, int threads, uint64_t *value)
{
    struct job job = {.crc = crc, .mutex = PTHREAD_MUTEX_INITIALIZER};
    struct stat status;
    int error;

    if (!strcmp(name, "-"))
        return crc_stream(STDIN_FILENO, crc, value);
    job.fd = open(name, O_RDONLY);
    if (job.fd < 0)
        return errno;
    if (fstat(job.fd, &status))
        error = errno;
    else if (S_ISREG(status.st_mode) && status.st_size > 0) {
        /* files of /proc are regular but have no size */
        job.size = (uint64_t) status.st_size;
        error = crc_blocks(&job, threads, value);
    } else {
        error = crc_stream(job.fd, crc, value);
    }
    close(job.fd);
    return error;
}
