/* What a run of isal-perf was asked for.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PERF_OPTIONS_H
#define PERF_OPTIONS_H

#include "harness.h"

#define MAX_LIST 64

/* The items of a comma-separated list; items ends with NULL. */
struct list {
    char text[1024], *items[MAX_LIST + 1];
    unsigned count;
};

struct shape {
    int k, p;
};

struct options {
    const struct perf_family *family;
    struct list ops, geometries, k, p, sizes, variants, against_symbols, levels;
    struct shape shapes[MAX_LIST * MAX_LIST];
    const char *settings[PERF_SETTINGS], *against[MAX_LIST];
    struct perf_file input, *files;
    size_t file_count, record, threads;
    unsigned shape_count, against_count;
    int choices[PERF_SETTINGS]; /* index of the choice for each setting of the family */
    int cold, warm, peers, list, rotate, summary, wide;
    enum format format;
    struct measure_options measure;
};

/* ---- options.c ---- */

void list_set(struct list *list, const char *text);

/* Numbers from items of o's lists, which options_parse() has checked. */
size_t options_size(const struct options *o, size_t index);
int options_level(const struct options *o, size_t index);

/* Returns whether an item of --op names this operation. */
int options_wants(const char *item, const struct perf_op *op);

/* Reads the command line of a family; the program ends if it is wrong, and after --help. */
void options_parse(int argc, char **argv, struct options *o);

/* Usage, with the options of one family, or with all families where that is NULL. */
void options_help(const struct perf_family *family);

/* ---- implementations.c ---- */

/* Opens the libraries to compare with. Returns their number; a missing peer is reported. */
unsigned libraries_open(const struct options *o, struct library *libs, unsigned room);

/* Fills impls with every implementation of an operation to time: this library's variants, then the
 * other libraries, each at every level. Returns their number. */
unsigned implementations_of(const struct options *o, const struct perf_op *op, struct library *libs,
                            unsigned lib_count, struct perf_impl *impls);

/* ---- run.c ---- */

/* Measures everything that was asked for and prints the results. */
void run(struct options *o);

/* ---- main.c ---- */

extern const struct perf_family *const perf_families[]; /* ends with NULL */

/* The family called `name`, or `name` with _perf after it. */
const struct perf_family *family_named(const char *name, const char *suffix);

const char *program_name(void);
void print_version(void);

/* Ends the program because of a wrong command line, before any output. */
_Noreturn void perf_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
