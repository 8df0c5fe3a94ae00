/* A file that appears under its name whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_OUTPUT_H
#define IGZIP_OUTPUT_H

#include <signal.h>
#include <sys/stat.h>

struct output {
    int fd;
    int folder;
    char *path;  /* of the folder's entries: "" or with a slash at the end */
    mode_t mode; /* of the complete file */
};

/* Makes an empty file for a result in the folder of `path`. It has no name where the file system can
 * give it one later, else a temporary one. Only its owner can read it until it is published. -1 and
 * errno on failure. One at a time. */
int output_open(struct output *, const char *path);

/* Gives it the owner and times of an input file, and the mode that it is to have. */
void output_attributes(struct output *, const struct stat *);

/* Gives it its mode and its name, which is in the same folder. EEXIST: there is such a file, and
 * `replace` is 0; output_publish() may be called again. */
int output_publish(struct output *, const char *name, int replace);

/* On return the contents are on the disk, or the name is. Safe in a signal handler. */
int output_sync_contents(const struct output *);
int output_sync_name(const struct output *);

/* Has the contents written to the disk meanwhile. */
void output_start_sync(const struct output *);

/* Frees all; removes the file unless it was published. */
void output_close(struct output *);

/* 1 if the name in a path is a temporary one: of this process, of another, or left by a crash. */
int output_is_unfinished(const char *path);

/* Removes the temporary file, if there is one. Safe in a signal handler. */
void output_remove_unfinished(void);

/* From then on, signals that end the program remove it too, and finish the removal of inputs. */
void output_catch_signals(void);
void output_block_signals(sigset_t *before);

static inline int same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif
