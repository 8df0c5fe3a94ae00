/* Buffered input with any amount of look-ahead.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_SOURCE_H
#define IGZIP_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct source {
    int fd;
    int error;       /* errno of a failed read, which counts as the end */
    int at_end;      /* nothing follows what is in the buffer */
    uint64_t offset; /* in the file, of the next byte */
    uint64_t size;   /* of a regular file, else 0 */
    uint8_t *buffer;
    size_t capacity, start, end;
};

void source_open(struct source *, int fd, uint64_t size);
void source_close(struct source *); /* the descriptor stays open */

/* Reads until at least `wanted` bytes are ready at source_data() or the file ends; returns how many
 * are. Moves source_data(). */
size_t source_fill(struct source *, size_t wanted);

static inline uint8_t *source_data(const struct source *s)
{
    return s->buffer + s->start;
}

/* Takes bytes that are ready. */
void source_take(struct source *, size_t n);

/* Takes n bytes, or fewer where the file ends, into memory of the caller's; returns how many. */
size_t source_read(struct source *, uint8_t *to, size_t n);

/* Puts bytes in front of the next one. */
void source_put_back(struct source *, const uint8_t *data, size_t n);

/* The count bytes taken last, count <= SOURCE_BEHIND. */
#define SOURCE_BEHIND 16
static inline const uint8_t *source_behind(const struct source *s, size_t count)
{
    return s->buffer + s->start - count;
}

#endif
