/* Files that appear under their name whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An output is written to a temporary file beside its target, synced, and given its name in one
 * step. Until then the target is untouched, whatever happens. */

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

/* Whether a file is the temporary one of an output of this program, perhaps of a process that was
 * killed. */
int is_temporary(const char *name);

/* Creates the temporary file. Returns 0, or -1 with errno set. */
int output_open(struct output *out, int folder, mode_t mode);

/* Writes len bytes at offset. Returns 0, or -1 with errno set. */
int output_write(const struct output *out, const void *data, size_t len, uint64_t offset);

/* Brings what was written to the disk and closes the file. Returns 0, or -1 with errno set. */
int output_sync(struct output *out);

/* Gives the file its name. Without `replace` an existing file of that name is left alone and the
 * result is -1 with errno EEXIST. Returns 0, or -1 with errno set. */
int output_publish(struct output *out, const char *name, int replace);

/* Closes and removes the temporary file if there is one. Keeps errno. */
void output_discard(struct output *out);

/* Reads up to len bytes at offset. Returns how many: fewer at the end of the file; -1 with errno
 * set. */
ssize_t read_at(int fd, void *data, size_t len, uint64_t offset);

/* Brings the names in a folder to the disk. Returns 0, or -1 with errno set. */
int sync_folder(int folder);

#endif
