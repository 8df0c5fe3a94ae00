/* Processes each file.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_FILE_H
#define IGZIP_FILE_H

/* Processes a file, a directory with -r, or standard input for "-", as `opt` says. */
void process_file(const char *path);

#endif
