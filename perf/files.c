/* What the benchmarks of compression and of decompression on files share.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void fail(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s: %s\n", program_name, name, what);
    exit(1);
}

void *allocate(size_t size)
{
    void *p = calloc(1, size ? size : 1);

    if (!p)
        fail("no memory", "calloc");
    return p;
}

double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

void *find_symbol(void *library, const char *name)
{
    void *symbol = dlsym(library, name);

    if (!symbol)
        fail("no such function", name);
    return symbol;
}

uint8_t *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    uint8_t *bytes;
    long end;

    if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0 || end > 1 << 30)
        fail("cannot be read, or is too large", name);
    rewind(file);
    *size = (size_t) end;
    bytes = allocate(*size);
    if (fread(bytes, 1, *size, file) != *size)
        fail("cannot be read", name);
    fclose(file);
    return bytes;
}
