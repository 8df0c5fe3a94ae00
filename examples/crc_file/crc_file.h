/* What the files of crc_file share.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CRC_FILE_H
#define CRC_FILE_H

#include "../common/program.h"

#include <isa-l.h>

/* Exit statuses of the program; of several the highest counts. */
enum status {
    STATUS_OK = 0,
    STATUS_MISMATCH = 1, /* a file differs from its list, or cannot be compared with it */
    STATUS_ERROR = 2     /* wrong use, or a file cannot be read */
};

struct options {
    const struct isal_crc *crc; /* of sums, and of list lines that name none */
    int threads;
    int tag;            /* write lines that name the CRC */
    int quiet;          /* check: say nothing about files that agree */
    int silent;         /* check: say nothing at all about files */
    int ignore_missing; /* check: skip files that are not there */
};

/* The CRC of a file, "-" being the standard input. Large files are read by several threads, whose
 * CRCs are combined. Returns 0, or an errno. */
int sum_file(const char *name, const struct isal_crc *crc, int threads, uint64_t *value);

/* Prints a line of a list: the CRC and the name, of which line ends and backslashes are escaped. */
void print_sum(const struct options *o, const char *name, uint64_t value);

/* Compares the files that a list names, "-" being the standard input. */
enum status check_list(const struct options *o, const char *name);

#endif
