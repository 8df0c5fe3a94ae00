/* The table that -l prints.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_LIST_H
#define IGZIP_LIST_H

#include <stdint.h>
#include <time.h>

struct listed {
    const char *name; /* of the decompressed file */
    uint64_t compressed, uncompressed, overhead;
    uint32_t crc;
    time_t time;
};

/* Prints a line, and the title before the first. */
void list_file(const struct listed *);

/* Prints the sums, if there was more than one file. */
void list_totals(void);

/* How much smaller the compressed data are, in percent. */
double percent_saved(uint64_t compressed, uint64_t overhead, uint64_t uncompressed);

#endif
