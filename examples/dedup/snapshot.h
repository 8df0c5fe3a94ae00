/* Snapshots: the entries of a tree and the chunks of its files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * "DDSNAP1\n", the number of entries (8 bytes), the entries, the digest of all that. An entry:
 *
 *     1 type: 'd', 'f' or 'l'     4 mode     8 modification time, seconds     4 nanoseconds
 *     4 length of the path        8 length of the body        the path        the body
 *
 * Paths are relative. The contents of a folder directly follow it. The body of a link is its
 * target; the body of a file is its size (8 bytes) and the digest of each chunk. Numbers are
 * little-endian. */

#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "store.h"

#define SNAPSHOT_MAGIC "DDSNAP1\n"
#define SNAPSHOT_HEADER 16
#define ENTRY_HEADER 29
#define SNAPSHOT_PATH_MAX 4096

struct entry {
    char type;
    uint32_t mode, nanoseconds;
    int64_t seconds;
    char path[SNAPSHOT_PATH_MAX];
    const uint8_t *body;
    size_t body_size;
};

/* A verified snapshot in memory. */
struct snapshot {
    uint8_t *data;
    size_t size, at; /* at: the next entry */
    uint64_t left;   /* remaining entries */
};

enum status snapshot_load(struct snapshot *snapshot, const struct store *s, const char *name);

/* Reads the next entry. Returns 1, 0 at the end, or -1 if the entry is malformed. */
int snapshot_next(struct snapshot *snapshot, struct entry *entry);

/* Counts that store, restore and stats report. */
struct totals {
    uint64_t files, folders, links, bytes;
    uint64_t chunks, histogram[32]; /* by the logarithm of the size */
};

void count_chunk(struct totals *t, uint32_t size);
void print_histogram(const char *title, const struct totals *t);

/* The commands. name: of a snapshot; NULL: the current time (store) or the last name (restore).
 * wait: seconds, see struct store. */
enum status command_store(const char *store, const char *name, const uint32_t sizes[3],
                          uint32_t wait, char *const *roots, size_t n);
enum status command_restore(const char *store, const char *name, const char *target);
enum status command_stats(const char *store);

#endif
