/* What is done with each file.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_FILE_H
#define IGZIP_FILE_H

/* Treats a file, a directory with -r, or standard input for "-", as opt says. */
void treat(const char *path);

#endif
