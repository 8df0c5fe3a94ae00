/* Buffered input with any amount of lookahead.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_SOURCE_H
#define IGZIP_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct source {
    int fd;
    int error;       /* errno of a failed read, which counts as the end */
    int at_end;      /* the buffer has the last bytes */
    uint64_t offset; /* in the file, of the next byte */
    uint64_t size;   /* of a regular file, else 0 */
    uint8_t *buffer;
    size_t capacity, start, end;
};

void source_open(struct source *, int fd, uint64_t size);
void source_close(struct source *); /* the descriptor stays open */

/* Reads until at least `wanted` bytes are ready at source_data() or the file ends. Returns the
 * number of bytes ready. Moves source_data(). */
size_t source_fill(struct source *, size_t wanted);

static inline uint8_t *source_data(const struct source *s)
{
    return s->buffer + s->start;
}

/* Consumes n bytes that are ready. */
void source_consume(struct source *, size_t n);

/* Consumes n bytes, or fewer at the end of the file, and copies them to `to`. Returns the
 * number. */
size_t source_read(struct source *, uint8_t *to, size_t n);

/* Inserts bytes before the next one. */
void source_put_back(struct source *, const uint8_t *data, size_t n);

/* The last `count` bytes that were consumed, at most SOURCE_HISTORY. */
#define SOURCE_HISTORY 16
static inline const uint8_t *source_consumed(const struct source *s, size_t count)
{
    return s->buffer + s->start - count;
}

#endif
