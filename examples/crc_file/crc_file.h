/* Shared by the files of crc_file.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CRC_FILE_H
#define CRC_FILE_H

#include "../common/program.h"

#include <isa-l.h>

/* Exit statuses of the program. The highest status of all files counts. */
enum status {
    STATUS_OK = 0,
    STATUS_MISMATCH = 1, /* a file differs from its list, or cannot be checked */
    STATUS_ERROR = 2     /* invalid arguments, or a file cannot be read */
};

struct options {
    const struct isal_crc *crc; /* the CRC, also for lines of a list without a name */
    int threads;
    int tag;            /* print the name of the CRC in each line */
    int quiet;          /* check: do not report files that match */
    int silent;         /* check: do not report files */
    int ignore_missing; /* check: skip missing files */
};

/* Computes the CRC of a file; "-" is standard input. Several threads read a large file, and their
 * CRCs are combined. Returns 0, or an errno. */
int crc_of_file(const char *name, const struct isal_crc *crc, int threads, uint64_t *value);

/* Prints a line of a list: the CRC and the name, with line ends and backslashes escaped. */
void print_crc(const struct options *o, const char *name, uint64_t value);

/* Checks the files in a list; "-" is standard input. */
enum status check_list(const struct options *o, const char *name);

#endif
