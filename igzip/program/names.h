/* Names of results.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_NAMES_H
#define IGZIP_NAMES_H

#include <stddef.h>

/* Length of the suffix of a compressed file's name, or 0, and the suffix that replaces it. */
size_t name_suffix(const char *path, const char **replacement);

/* Suffix number i to try after a name without one; NULL after the last. */
const char *name_suffix_to_try(unsigned i);

/* Name of the result, in allocated memory. `stored` is the name in the header, or "". */
char *name_of_result(const char *path, const char *stored);

/* The part after the last slash. */
const char *name_base(const char *path);

#endif
