/* What every part of dedup shares: exit statuses, messages, growing buffers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included before any system header: it asks those for POSIX 2008 and for 64-bit file offsets. */

#ifndef DEDUP_H
#define DEDUP_H

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Exit statuses, and the results of most functions here. */
enum status {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* the store is damaged, or files were left out or changed meanwhile */
    STATUS_ERROR = 2   /* wrong use, or the system refused something */
};

#define DIGEST_SIZE 32 /* SHA-256 */
#define BATCH_CHUNKS 256
#define MAX_CHUNK ((uint32_t) 16 << 20)

/* Prints "dedup: ", the message and a newline to stderr, control characters of it as '?'. */
void complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* Memory, or the end of the program. */
void *allocate(size_t count, size_t size);

struct buffer {
    uint8_t *data;
    size_t len, capacity;
};

/* Appends len bytes (zeros if p is NULL) and returns the offset of the first. */
size_t append(struct buffer *b, const void *p, size_t len);

/* Little-endian numbers of n bytes. */
void put_number(uint8_t *p, uint64_t value, unsigned n);
uint64_t get_number(const uint8_t *p, unsigned n);

/* The digests of n pieces of memory, side by side in vector lanes. */
void hash_many(const uint8_t *const *data, const uint64_t *sizes, size_t n,
               uint8_t (*digests)[DIGEST_SIZE]);

#endif
