/* The first entry of a .zip file.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_ZIP_H
#define IGZIP_ZIP_H

#include "decompress.h"

/* Returns whether the source is a .zip file. */
int zip_begins(struct source *);

/* Decompresses its first entry and consumes the rest; a second entry causes a warning. */
enum decoded zip_decompress(struct source *, struct sink *, const char *name,
                            struct decompressed *);

#endif
