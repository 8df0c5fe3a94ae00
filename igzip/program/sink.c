/* Output: to a file with holes for runs of zeros, to a stream, or to nowhere.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "sink.h"

#include <errno.h>
#include <poll.h>
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

static int all_zero(const uint8_t *p)
{
    return !p[0] && !p[HOLE_SIZE - 1] && !memcmp(p, p + 1, HOLE_SIZE - 1);
}

/* Bytes at p that belong together: a block of zeros, or all that comes before the next one. */
static size_t run_length(const uint8_t *p, size_t len, uint64_t offset, int *zeros)
{
    size_t n = 0, step;

    *zeros = 0;
    while (n < len) {
        step = HOLE_SIZE - (size_t) ((offset + n) % HOLE_SIZE);
        if (step == HOLE_SIZE && len - n >= HOLE_SIZE && all_zero(p + n)) {
            if (n)
                return n;
            *zeros = 1;
            return HOLE_SIZE;
        }
        n += step < len - n ? step : len - n;
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
