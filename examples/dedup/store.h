/* The store: a folder with packs of chunks and snapshots of trees.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * STORE/format       text: the version and the chunk sizes of the store
 * STORE/lock         locked by the process that adds to the store
 * STORE/packs/N      "DDPACK1\n", chunks one after the other, an index of their digests and sizes,
 *                    a trailer with the number of chunks and the digest of the index
 * STORE/snapshots/S  "DDSNAP1\n", entries, the digest of all before it (snapshot.h)
 *
 * Files are published complete and synced, a pack before the snapshots that need it. They never
 * change afterwards, so a process may be killed at any time. Numbers are little-endian. */

#ifndef STORE_H
#define STORE_H

#include "dedup.h"

#include "../common/output.h"

struct chunk {
    uint8_t digest[DIGEST_SIZE];
    uint64_t offset;
    uint32_t pack, size; /* size 0: an empty slot of the table */
};

struct store {
    int folder, packs, snapshots, lock;
    uint32_t min, avg, max; /* chunk sizes */
    uint32_t wait;          /* longest wait for the lock, in seconds */
    struct chunk *table;    /* open addressing; capacity is a power of two */
    size_t capacity, count;
    uint64_t bytes;     /* bytes in all chunks */
    uint32_t last_pack; /* highest number in use */
    int open_pack;      /* descriptor for reading, or -1 */
    uint32_t open_number;
    struct output pack; /* the pack being written, if has_temporary */
    uint64_t pack_size;
    struct buffer index; /* index of that pack */
};

/* Opens a store and reads its index. With `create`, also creates a missing store, locks it, and
 * removes the temporary files of killed processes; the caller then sets the sizes and `wait`. */
enum status store_open(struct store *s, const char *path, int create);
void store_close(struct store *s);

/* The chunk with a digest, or NULL. */
const struct chunk *store_find(const struct store *s, const uint8_t *digest);

/* Adds a chunk that is not in the store. */
enum status store_add(struct store *s, const uint8_t *digest, const uint8_t *data, uint32_t size);

/* Makes all chunks added so far durable. */
enum status store_commit(struct store *s);

/* Reads a chunk; it is not compared with its digest. */
enum status store_read(struct store *s, const struct chunk *chunk, uint8_t *data);

/* Calls fn for every name in a folder except . and .., in order, until it returns another status
 * than STATUS_OK, and returns the last status; STATUS_DAMAGE if the names cannot be read. */
enum status for_each_name(int folder, enum status (*fn)(void *arg, const char *name), void *arg);

/* Reads a whole file of a folder. The caller frees *data. */
enum status read_whole(int folder, const char *name, uint8_t **data, size_t *size);

/* Writes a whole file, durably. */
enum status write_whole(int folder, const char *name, const void *data, size_t size);

#endif
