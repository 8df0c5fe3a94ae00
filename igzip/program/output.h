/* A file that appears under its name whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_OUTPUT_H
#define IGZIP_OUTPUT_H

#include <sys/stat.h>

struct output {
    int fd;
    int folder;
    char *path; /* of the folder's entries: "" or with a slash at the end */
};

/* Makes an empty temporary file in the folder of `path`; -1 and errno on failure. It can be read by
 * its owner alone until output_attributes(). One at a time. */
int output_open(struct output *, const char *path);

/* Gives it the owner, mode and times of an input file. */
void output_attributes(const struct output *, const struct stat *);

/* Closes it and gives it its name, which is in the same folder; with `sync` the contents and the
 * name are on the disk on return. EEXIST: there is such a file, and `replace` is 0; output_publish()
 * may be called again. */
int output_publish(struct output *, const char *name, int replace, int sync);

/* Frees all; removes the file unless it was published. */
void output_close(struct output *);

/* Removes the temporary file, if there is one. Safe in a signal handler. */
void output_remove_unfinished(void);

/* From then on, signals that end the program remove it too. */
void output_catch_signals(void);

#endif
