/* What the benchmarks of compression and of decompression on files share.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PERF_FILES_H
#define PERF_FILES_H

#include <stddef.h>
#include <stdint.h>

/* zlib's stream, whose layout is part of its interface. */
struct zlib_stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state, *alloc, *free, *opaque;
    int data_type;
    unsigned long adler, reserved;
};

/* Each program says its name, which its messages begin with. */
extern const char program_name[];

/* Says what is wrong with a file, a library or an option, and ends the program. */
_Noreturn void fail(const char *what, const char *name);

/* Memory of zeros, or the end of the program. */
void *allocate(size_t size);

/* Seconds from some fixed point. */
double now(void);

/* A function of a library, or the end of the program. */
void *find_symbol(void *library, const char *name);

/* A whole file of at most 1 GiB, or the end of the program. */
uint8_t *read_file(const char *name, size_t *size);

#endif
