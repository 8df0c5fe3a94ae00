/* Output: to a file with holes for runs of zeros, to a stream, or nowhere.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "sink.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define HOLE_SIZE 4096 /* the usual block of a file system */

static int write_all(int fd, const uint8_t *p, size_t len)
{
    while (len) {
        ssize_t n = write(fd, p, len);

        if (n > 0) {
            p += n;
            len -= (size_t) n;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            poll(&(struct pollfd){fd, POLLOUT, 0}, 1, -1);
        } else if (n == 0 || errno != EINTR) {
            errno = n ? errno : ENOSPC;
            return -1;
        }
    }
    return 0;
}

static int all_zero(const uint8_t *p, size_t n)
{
    return !p[0] && !p[n - 1] && !memcmp(p, p + 1, n - 1);
}

/* Returns the length of the run at p: one block of zeros (*zeros is 1), or all bytes before the
 * next block of zeros. Blocks are HOLE_SIZE bytes of the file. A block that the data begin or end
 * in counts with the bytes there are, so that zeros become a hole even if two calls write them. */
static size_t run_length(const uint8_t *p, size_t len, uint64_t offset, int *zeros)
{
    size_t n = 0, step;

    *zeros = 0;
    while (n < len) {
        step = HOLE_SIZE - (size_t) ((offset + n) % HOLE_SIZE);
        if (step > len - n)
            step = len - n;
        if (all_zero(p + n, step)) {
            *zeros = !n;
            return n ? n : step;
        }
        n += step;
    }
    return n;
}

int sink_write(struct sink *s, const void *data, size_t len)
{
    const uint8_t *p = data;

    if (s->fd < 0 || !s->sparse) {
        s->total += len;
        return s->fd < 0 ? 0 : write_all(s->fd, p, len);
    }
    while (len) {
        int zeros;
        size_t n = run_length(p, len, s->total, &zeros);

        if (zeros) {
            s->hole += n;
        } else {
            if (s->hole && lseek(s->fd, (off_t) s->hole, SEEK_CUR) < 0)
                return -1;
            s->hole = 0;
            if (write_all(s->fd, p, n))
                return -1;
        }
        s->total += n;
        p += n;
        len -= n;
    }
    return 0;
}

int sink_finish(struct sink *s)
{
    return s->fd >= 0 && s->hole ? ftruncate(s->fd, (off_t) s->total) : 0;
}

/* ---- The writing thread ---- */

#define BUFFERS 4

/* The buffers are a ring. Positions only increase: written <= submitted <= written + BUFFERS. */
static struct {
    uint8_t *data[BUFFERS];
    size_t len[BUFFERS];
    unsigned written, submitted;
    struct sink *sink;
    int error; /* errno of the first failure; later buffers are dropped */
    int started;
    pthread_mutex_t lock;
    pthread_cond_t has_work, has_room;
} writer = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .has_work = PTHREAD_COND_INITIALIZER,
            .has_room = PTHREAD_COND_INITIALIZER};

static void *write_submitted(void *unused)
{
    pthread_mutex_lock(&writer.lock);
    for (;;) {
        unsigned slot = writer.written % BUFFERS;
        int failed = 0;

        while (writer.written == writer.submitted)
            pthread_cond_wait(&writer.has_work, &writer.lock);
        if (!writer.error) {
            pthread_mutex_unlock(&writer.lock);
            failed = sink_write(writer.sink, writer.data[slot], writer.len[slot]) ? errno : 0;
            pthread_mutex_lock(&writer.lock);
        }
        if (failed)
            writer.error = failed;
        writer.written++;
        pthread_cond_signal(&writer.has_room);
    }
    return unused;
}

/* Returns whether there is a writing thread. Signals go to the first thread. */
static int start_writer(void)
{
    sigset_t all, before;
    pthread_t thread;

    if (writer.started || opt.threads < 2)
        return writer.started;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    writer.started = !pthread_create(&thread, NULL, write_submitted, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return writer.started;
}

uint8_t *sink_buffer(void)
{
    unsigned slot = writer.submitted % BUFFERS;

    pthread_mutex_lock(&writer.lock);
    while (writer.submitted - writer.written == BUFFERS)
        pthread_cond_wait(&writer.has_room, &writer.lock);
    pthread_mutex_unlock(&writer.lock);
    if (!writer.data[slot])
        writer.data[slot] = need_memory(SINK_BUFFER);
    return writer.data[slot];
}

static int writer_is_idle(void)
{
    int idle;

    pthread_mutex_lock(&writer.lock);
    idle = writer.submitted == writer.written;
    pthread_mutex_unlock(&writer.lock);
    return idle;
}

int sink_submit(struct sink *s, size_t len)
{
    unsigned slot = writer.submitted % BUFFERS;
    int idle = writer_is_idle(), failed;

    if (idle && writer.error)
        return sink_wait();
    /* A buffer that is not full is usually the last, which is not worth a thread. */
    if (idle && (s->fd < 0 || len < SINK_BUFFER || !start_writer()))
        return sink_write(s, writer.data[slot], len);
    pthread_mutex_lock(&writer.lock);
    if (idle)
        writer.sink = s;
    writer.len[slot] = len;
    writer.submitted++;
    failed = writer.error != 0;
    pthread_mutex_unlock(&writer.lock);
    pthread_cond_signal(&writer.has_work);
    return failed ? sink_wait() : 0;
}

/* Raises the signal of a failed write(), which the writing thread has blocked. */
static void raise_signal(int failure)
{
    if (failure == EPIPE)
        raise(SIGPIPE);
    if (failure == EFBIG)
        raise(SIGXFSZ);
}

int sink_wait(void)
{
    int failure;

    pthread_mutex_lock(&writer.lock);
    while (writer.submitted != writer.written)
        pthread_cond_wait(&writer.has_room, &writer.lock);
    failure = writer.error;
    writer.error = 0;
    pthread_mutex_unlock(&writer.lock);
    raise_signal(failure);
    errno = failure;
    return failure ? -1 : 0;
}
