/* A file that gets its name only when it is complete.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_OUTPUT_H
#define IGZIP_OUTPUT_H

#include <signal.h>
#include <sys/stat.h>

struct output {
    int fd;
    int folder;
    char *path;  /* prefix of the folder's entries: "" or ending with a slash */
    mode_t mode; /* of the complete file */
};

/* Makes an empty file for a result in the folder of `path`. The file has no name if the file system
 * can give it one later, else a temporary name. Only its owner can read it until it is published.
 * Returns -1 with errno on failure. There can be one such file at a time. */
int output_open(struct output *, const char *path);

/* Sets the owner and the times to those of an input file, and the mode for output_publish(). */
void output_attributes(struct output *, const struct stat *);

/* Sets the mode and the name, which is in the same folder. Returns -1 with EEXIST if the name
 * exists and `replace` is 0; then it may be called again. */
int output_publish(struct output *, const char *name, int replace);

/* Wait until the contents or the name are on disk. Return 0, or -1 with errno. Safe in a signal
 * handler. */
int output_sync_contents(const struct output *);
int output_sync_name(const struct output *);

/* Starts writing the contents to disk, and does not wait. */
void output_start_sync(const struct output *);

/* Frees everything, and removes the file unless it was published. */
void output_close(struct output *);

/* Returns whether `path` is a temporary name, of this process or another; a crash may have left
 * it. */
int output_is_unfinished(const char *path);

/* Removes the temporary file, if there is one. Safe in a signal handler. */
void output_remove_unfinished(void);

/* Makes signals that end the program first remove the temporary file and finish the removal of
 * inputs. While they are blocked, *before keeps the signal mask. */
void output_catch_signals(void);
void output_block_signals(sigset_t *before);

static inline int same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif
