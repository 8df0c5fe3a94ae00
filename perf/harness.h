/* The interfaces between the files of the harness; families do not include it.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PERF_HARNESS_H
#define PERF_HARNESS_H

#include "perf.h"

#include "dispatch/introspect.h"

#include <limits.h>

#define PERF_MAX_IMPLS 64
#define PERF_MAX_LIBRARIES 16
#define PERF_MAX_THREADS 256

/* ---- clock.c: time, the core clock, and threads that start together ---- */

/* Finds the rate of the time stamp counter. */
void clock_init(void);
uint64_t clock_ticks(void);
double clock_seconds(double ticks);

/* Starts threads 1 to n - 1; thread 0 is the caller. */
void threads_start(unsigned n);
unsigned threads_count(void);

/* Runs work(args[i], n) on every thread i whose args[i] is not NULL at once. Returns the seconds
 * from the first start to the last end; *ghz becomes the core clock of thread 0 right after its
 * work. */
typedef void thread_work(void *arg, size_t n);
double threads_run(thread_work *work, void *const *args, size_t n, double *ghz);

/* ---- machine.c: the CPU, its caches, and memory for buffers ---- */

struct machine {
    char cpu[64];
    size_t l1, l2, llc; /* bytes */
};
extern struct machine machine;

void machine_init(void);

/* Memory of each thread for buffers, and as much again after it for the probes. arenas_reserve()
 * makes either half at least `bytes` long; arena_size() is the length of a half. */
void arenas_reserve(size_t bytes);
uint8_t *arena_of(unsigned thread);
size_t arena_size(void);

/* ---- limit.c: port rates, memory bandwidth, and the limit that they set ---- */

const char *machine_port_name(enum perf_port port); /* in probes.c */

/* Returns whether machine_limit() knows a limit: there is a formula, or the data are cold. */
int machine_limit_known(const struct perf_case *c, const struct perf_work *w);

/* Measures the rates of the ports that a call uses; the limit uses the highest so far. */
void machine_probe_ports(const struct perf_work *w);

/* Measures the bandwidth of the memory that a case works in; the limit uses the best so far. The
 * contents of warm buffers are lost. */
void machine_probe(const struct perf_case *c, const struct perf_work *w);

/* Least seconds that a call can take, and what sets that limit; 0 if unknown. ghz is the core
 * clock. */
double machine_limit(const struct perf_case *c, const struct perf_work *w, double ghz,
                     const char **bound);

/* ---- library.c: implementations to compare ---- */

struct library {
    const char *file, *name; /* as asked for; last part of path */
    char path[PATH_MAX];     /* as found */
    const struct perf_op *ops;
    unsigned op_count;
    struct perf_levels levels;
    int same_abi; /* its functions have this library's names and types */
    void *handle;
    const void *base; /* where it is loaded */
};

/* Opens a library with the interface of this one, or of a peer that is not NULL. Returns 0, or -1
 * if there is no such library or it has none of the functions. */
int library_open(struct library *lib, const char *file, const struct perf_family *family,
                 const struct perf_peer *peer);

/* Returns whether it is a build of this library rather than a peer. */
int library_is_this(const struct library *lib);

/* Fills impl with the library's counterpart of an operation: the symbol of the same name, or the
 * last one of `symbols` (ends with NULL) that begins with it. Returns -1 if there is none. */
int library_impl(struct library *lib, const char *op_name, char *const *symbols,
                 struct perf_impl *impl);

/* Writes a short name of an implementation (a variant, or another library) to who. Returns who. */
#define WHO_SIZE 64
const char *library_who(const struct perf_impl *impl, char who[WHO_SIZE]);

/* Ends the program unless op's built-in function is in this program. */
void library_check_built_in(const struct perf_op *op);

/* The kernel whose variants op runs, or NULL. */
const struct kernel *op_kernel(const struct perf_op *op);

/* ---- measure.c ---- */

struct result {
    const struct perf_case *c;
    const struct perf_impl *impl;
    double bytes;            /* counted in a call of every thread */
    double thread_bytes;     /* the same of one thread */
    double best, median;     /* seconds a call */
    double ghz;              /* core clock right after it */
    double limit;            /* seconds a call; 0: unknown */
    const char *bound;       /* what sets the limit */
    double ratio, low, high; /* speed over that of ratio_to: median and quartiles of the rounds */
    const struct perf_impl *ratio_to;
    double output;    /* bytes that a call produced, where that varies */
    const char *file; /* name, "total" or "geometric mean"; NULL: no files are measured */
    int mean;         /* this is a geometric mean: only speeds and ratios have a meaning */
};

struct measure_options {
    double seconds;       /* for each implementation */
    size_t align;         /* as --align */
    size_t cold_bytes;    /* bytes of cold buffers in each thread */
    const uint8_t *input; /* contents of the buffers, or NULL for random ones */
    size_t input_size;
};

/* Times all implementations in turn; this library's variants come first. The ratio of a variant
 * is to the first other library at its level, that of another library to the last variant at its
 * level. Several cases are run in rotation, one call each. results holds all implementations of
 * the first case, then of the next. */
void measure(const struct perf_case *cases, size_t case_count, const struct perf_impl *impls,
             unsigned count, const struct measure_options *o, struct result *results);

/* Sorts the values. Returns a quantile, such as the median for fraction 0.5. */
double quantile(double *values, size_t n, double fraction);

/* ---- files.c ---- */

/* The first bytes of a file, at most `limit`. */
struct perf_file file_read(const char *name, size_t limit);

/* Sums up the results of `count` implementations for several files: for each implementation the
 * total into sums[i], the geometric mean into sums[count + i]. Both refer to totals[i]. */
void files_sum_up(const struct result *results, size_t file_count, unsigned count,
                  struct result *sums, struct perf_case *totals);

/* ---- output.c ---- */

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

/* Optional columns. */
enum {
    SHOW_RATIO = 1,
    SHOW_FILE = 2,
    SHOW_LEVEL = 4,
    SHOW_OUTPUT = 8,
    SHOW_SHAPE = 16,
    SHOW_STATE = 32,
    SHOW_ALL = 64 /* every column; otherwise those that fit 100 characters */
};

void output_start(enum format format, int columns);

/* Announces, before the first result, a text in the column of files, of operations, or of variants
 * and libraries, so that the column is wide enough. */
enum output_text { TEXT_FILE, TEXT_OPERATION, TEXT_VARIANT };
void output_expect(enum output_text column, const char *text);
void output_note(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));
void output_result(const struct result *r);
void output_end(void);

/* A size with its unit: 4096 becomes 4K. */
const char *size_text(size_t size, char text[24]);

#endif
