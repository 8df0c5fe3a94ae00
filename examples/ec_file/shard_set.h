/* The shards found in a folder.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef SHARD_SET_H
#define SHARD_SET_H

#include "ec_file.h"

#include <stdint.h>
#include <sys/types.h>

#include "shard.h"

struct shard {
    int fd;           /* where its chunks are read; -1 if there is nothing to read */
    uint64_t size;    /* of that file */
    int header_is_ok; /* if not, the file has the right name and may still have good chunks */
    char *other_name; /* the name it was found under, NULL if that is shard-NNN.ec */
    const char
        *blocker; /* what is in the place of shard-NNN.ec and must not be replaced, or NULL */
};

struct shard_set {
    const char *path;
    int folder;                 /* descriptor */
    struct shard_header header; /* of the set; its index means nothing */
    int count;                  /* k + m */
    mode_t mode;                /* permissions of the shards */
    struct shard shard[MAX_SHARDS];
};

/* Finds the set in the folder at path. Shards are known by their header; of several sets in a
 * folder the one with most shards is taken. Files that are no part of it are left alone; if `notes`
 * is set each is named on stdout. Prints what is wrong and returns STATUS_DAMAGE if there is no set
 * or no telling which is meant, STATUS_ERROR if the folder cannot be read. To be closed in any
 * case. */
enum status shard_set_open(struct shard_set *set, const char *path, int notes);

void shard_set_close(struct shard_set *set);

/* How many records, from the first, lie whole within what is there of a shard. */
uint64_t record_count(const struct shard_set *set, int index);

#endif
