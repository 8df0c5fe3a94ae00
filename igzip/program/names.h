/* Names of results.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_NAMES_H
#define IGZIP_NAMES_H

#include <stddef.h>

/* Length of the suffix of a compressed file's name, 0 if it has none, and what replaces it. */
size_t name_suffix(const char *path, const char **replacement);

/* Number i of the suffixes to try for a name without one; NULL behind the last. */
const char *name_suffix_to_try(unsigned i);

/* Name of the result, in allocated memory. stored: the name in the header, or "". */
char *name_of_result(const char *path, const char *stored);

/* What follows the last slash. */
const char *name_base(const char *path);

#endif
