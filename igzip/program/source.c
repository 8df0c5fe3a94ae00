/* Buffered input with any amount of lookahead.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "source.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE (256 * 1024)

void source_open(struct source *s, int fd, uint64_t size)
{
    memset(s, 0, sizeof *s);
    s->fd = fd;
    s->size = size;
    s->capacity = SOURCE_HISTORY + READ_SIZE;
    s->buffer = need_memory(s->capacity);
    memset(s->buffer, 0, SOURCE_HISTORY);
    s->start = s->end = SOURCE_HISTORY;
}

void source_close(struct source *s)
{
    free(s->buffer);
    s->buffer = NULL;
}

/* Makes room for n bytes from `start` on, and keeps SOURCE_HISTORY bytes before it. */
static void make_room(struct source *s, size_t n)
{
    if (s->start + n <= s->capacity)
        return;
    memmove(s->buffer, s->buffer + s->start - SOURCE_HISTORY, s->end - s->start + SOURCE_HISTORY);
    s->end -= s->start - SOURCE_HISTORY;
    s->start = SOURCE_HISTORY;
    if (s->start + n > s->capacity) {
        s->capacity = s->start + 2 * n; /* so that bytes are rarely moved */
        s->buffer = need_more_memory(s->buffer, s->capacity);
    }
}

/* Reads some bytes. Returns 0 at the end of the file or after an error. */
static size_t read_some(struct source *s, uint8_t *to, size_t n)
{
    for (;;) {
        ssize_t got = read(s->fd, to, n);

        if (got > 0)
            return (size_t) got;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            poll(&(struct pollfd){s->fd, POLLIN, 0}, 1, -1);
        } else if (got == 0 || errno != EINTR) {
            s->error = got ? errno : 0;
            s->at_end = 1;
            return 0;
        }
    }
}

size_t source_fill(struct source *s, size_t wanted)
{
    while (s->end - s->start < wanted && !s->at_end) {
        size_t missing = wanted - (s->end - s->start);

        make_room(s, s->end - s->start + (missing > READ_SIZE ? missing : READ_SIZE));
        s->end += read_some(s, s->buffer + s->end, s->capacity - s->end);
    }
    return s->end - s->start;
}

size_t source_read(struct source *s, uint8_t *to, size_t n)
{
    size_t ready = s->end - s->start, done = ready < n ? ready : n;

    memcpy(to, s->buffer + s->start, done);
    s->start += done;
    while (done < n && !s->at_end)
        done += read_some(s, to + done, n - done);
    s->offset += done;
    return done;
}

void source_consume(struct source *s, size_t n)
{
    s->start += n;
    s->offset += n;
}

void source_put_back(struct source *s, const uint8_t *data, size_t n)
{
    size_t ready = s->end - s->start;

    if (s->start < SOURCE_HISTORY + n) {
        if (SOURCE_HISTORY + n + ready > s->capacity) {
            s->capacity = SOURCE_HISTORY + n + ready;
            s->buffer = need_more_memory(s->buffer, s->capacity);
        }
        memmove(s->buffer + SOURCE_HISTORY + n, s->buffer + s->start, ready);
        s->start = SOURCE_HISTORY + n;
        s->end = s->start + ready;
    }
    s->start -= n;
    s->offset -= n;
    memcpy(s->buffer + s->start, data, n);
}
