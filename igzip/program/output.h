/* A file that appears under its name whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_OUTPUT_H
#define IGZIP_OUTPUT_H

#include <sys/stat.h>

struct output {
    int fd;
    int folder;
    char *path;  /* of the folder's entries: "" or with a slash at the end */
    mode_t mode; /* of the complete file */
};

/* Makes an empty file for a result in the folder of `path`: one without a name where the file system
 * can give it one later, else a temporary one. It can be read by its owner alone until it is
 * published. -1 and errno on failure. One at a time. */
int output_open(struct output *, const char *path);

/* Gives it the owner and times of an input file, and the mode that it is to have. */
void output_attributes(struct output *, const struct stat *);

/* Gives it its mode and its name, which is in the same folder. EEXIST: there is such a file, and
 * `replace` is 0; output_publish() may be called again. */
int output_publish(struct output *, const char *name, int replace);

/* On return the contents and the name are on the disk. */
int output_sync(const struct output *);

/* Frees all; removes the file unless it was published. */
void output_close(struct output *);

/* Whether a path is that of a temporary file, of this process or another, or left by a crash. */
int output_is_unfinished(const char *path);

/* Removes the temporary file, if there is one. Safe in a signal handler. */
void output_remove_unfinished(void);

/* From then on, signals that end the program remove it too. */
void output_catch_signals(void);

#endif
