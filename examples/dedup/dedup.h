/* Shared by the files of dedup: exit statuses, growing buffers, digests.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEDUP_H
#define DEDUP_H

#include "../common/program.h"

#include "../common/little_endian.h"

/* Exit statuses, and the results of most functions here. */
enum status {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* the store is damaged, or files were left out or changed meanwhile */
    STATUS_ERROR = 2   /* invalid arguments, or an error of the system */
};

#define DIGEST_SIZE 32 /* SHA-256 */
#define BATCH_CHUNKS 256
#define MAX_CHUNK ((uint32_t) 16 << 20)

/* Returns zeroed memory, or ends the program. */
void *allocate(size_t count, size_t size);

struct buffer {
    uint8_t *data;
    size_t len, capacity;
};

/* Appends len bytes (zeros if p is NULL) and returns the offset of the first. */
size_t append(struct buffer *b, const void *p, size_t len);

/* Computes the digests of n pieces of memory, many at once. */
void hash_many(const uint8_t *const *data, const uint64_t *sizes, size_t n,
               uint8_t (*digests)[DIGEST_SIZE]);

#endif
