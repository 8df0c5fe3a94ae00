/* Output: to a file with holes for runs of zeros, to a stream, or to nowhere.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_SINK_H
#define IGZIP_SINK_H

#include <stddef.h>
#include <stdint.h>

struct sink {
    int fd;         /* -1: the data are counted and dropped */
    int sparse;     /* fd is an empty regular file: leave holes */
    uint64_t total; /* bytes given to sink_write() */
    uint64_t hole;  /* zeros at the end that are not written */
};

/* Return 0, or -1 with errno. */
int sink_write(struct sink *, const void *data, size_t len);
int sink_finish(struct sink *);

/* ---- Writing while the caller goes on ----
 *
 * A caller that makes the data takes a buffer of SINK_BUFFER bytes, fills it and hands it over. With
 * several threads another one writes it meanwhile. sink_write() and `total` are for after a
 * sink_wait(), which a sink_give() that fails is too. */

#define SINK_BUFFER ((size_t) 256 * 1024)

uint8_t *sink_buffer(void);
int sink_give(struct sink *, size_t len);
int sink_wait(void);

#endif
