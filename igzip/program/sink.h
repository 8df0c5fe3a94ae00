/* Output: to a file with holes for runs of zeros, to a stream, or nowhere.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_SINK_H
#define IGZIP_SINK_H

#include <stddef.h>
#include <stdint.h>

struct sink {
    int fd;         /* -1: the data are counted and dropped */
    int sparse;     /* fd is an empty regular file: leave holes */
    uint64_t total; /* bytes written so far, holes included */
    uint64_t hole;  /* zeros at the end that are not written */
};

/* Return 0, or -1 with errno. */
int sink_write(struct sink *, const void *data, size_t len);
int sink_finish(struct sink *);

/* ---- Writing while the caller continues ----
 *
 * The caller gets a buffer of SINK_BUFFER bytes, fills it and submits it. With several threads,
 * another thread writes it meanwhile. Call sink_wait() before sink_write() and before reading
 * `total`; a failed sink_submit() has already called it. */

#define SINK_BUFFER ((size_t) 256 * 1024)

uint8_t *sink_buffer(void);
int sink_submit(struct sink *, size_t len);
int sink_wait(void);

#endif
