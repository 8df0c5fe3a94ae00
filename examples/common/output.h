/* Output files that are published complete or not at all.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An output is written to a temporary file in the folder of its target, synced, and renamed in one
 * step. Until then the target does not change, whatever happens. */

#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct output {
    int fd;            /* -1 when not open */
    int folder;        /* descriptor of the folder of both files */
    int has_temporary; /* the temporary file exists */
    char temporary[64];
};

/* Returns whether a name is that of a temporary file of this program, perhaps of a killed
 * process. */
int is_temporary(const char *name);

/* Creates the temporary file. Returns 0, or -1 with errno set. */
int output_open(struct output *out, int folder, mode_t mode);

/* Writes len bytes at offset. Returns 0, or -1 with errno set. */
int output_write(const struct output *out, const void *data, size_t len, uint64_t offset);

/* Syncs the file to the disk and closes it. Returns 0, or -1 with errno set. */
int output_sync(struct output *out);

/* Gives the file its name. Returns 0, or -1 with errno set. An existing file of that name is
 * replaced only if `replace` is not 0; otherwise errno is EEXIST. */
int output_publish(struct output *out, const char *name, int replace);

/* Closes and removes the temporary file if there is one. Does not change errno. */
void output_discard(struct output *out);

/* Reads up to len bytes at offset. Returns the number of bytes, fewer than len only at the end of
 * the file; or -1 with errno set. */
ssize_t read_at(int fd, void *data, size_t len, uint64_t offset);

/* Syncs the names in a folder to the disk. Returns 0, or -1 with errno set. */
int sync_folder(int folder);

#endif
