/* The shards found in a folder.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef SHARD_SET_H
#define SHARD_SET_H

#include "ec_file.h"

#include <stdint.h>
#include <sys/types.h>

#include "shard.h"

struct shard {
    int fd;           /* descriptor of the file of its chunks, or -1 */
    uint64_t size;    /* size of that file */
    int header_is_ok; /* 0: the file has the right name and may contain good chunks */
    char *other_name; /* the name of the file, or NULL if it is shard-NNN.ec */
    const char
        *blocker; /* describes a file named shard-NNN.ec that must not be replaced, or NULL */
};

struct shard_set {
    const char *path;
    int folder;                 /* descriptor */
    struct shard_header header; /* header of the set; its index is not used */
    int count;                  /* k + m */
    mode_t mode;                /* permissions of the shards */
    struct shard shard[MAX_SHARDS];
};

/* Finds the set in the folder at path, by the headers of shards. If there are several sets, the one
 * with the most shards is used. Other files are not changed, and are listed on stdout if `notes` is
 * set. Prints a message and returns STATUS_DAMAGE if there is no set, or several with equally many
 * shards; STATUS_ERROR if the folder cannot be read. Close the set in any case. */
enum status shard_set_open(struct shard_set *set, const char *path, int notes);

void shard_set_close(struct shard_set *set);

/* Number of complete records in the file of a shard. */
uint64_t record_count(const struct shard_set *set, int index);

#endif
