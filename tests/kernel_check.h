/* The kernel check's own structures, shared by the files of its harness.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef KERNEL_CHECK_H
#define KERNEL_CHECK_H

#include "call_checked.h"
#include "check.h"

#include <setjmp.h>
#include <stdint.h>

#define CANARY 0x6d
#define CANARY_BYTES 192 /* on each side of a buffer, or up to the end of its region */
#define MAX_ROWS 16      /* of a kernel's table */
#define MAX_NUMBERS 16   /* recorded in a case */

#ifdef __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND 0
#endif

enum placement { FLUSH_END, FLUSH_START, MISALIGNED, PLACEMENTS };

/* A region of CHECK_BYTES between two pages that fault. */
struct buffer {
    uint8_t *region, *data;
    size_t len;
    int is_output;
    uint8_t *initial, *expected; /* copies of data: before the call, and after the first row */
};

/* Each run of WINDOW bytes in the declared secrets, in both byte orders. Declarations add to a
 * list; before the kernel runs, a hash table is made of it. */
#define WINDOW 8
struct window {
    uint64_t bytes; /* 0: a free place in the table */
    const char *what;
};
struct secrets {
    int declared;
    struct window *list, *table;
    size_t used, capacity, mask; /* windows in the list; its capacity; size of the table - 1 */
};

struct row_result {
    unsigned long cases, failures;
};

struct check {
    const struct kernel *kernel;
    const struct check_family *family;
    const struct check_kernel *test;
    const char *only_row; /* NULL: all rows */
    int quick, bench;
    uint64_t seed, random;
    struct row_result rows[MAX_ROWS];
    unsigned long cases;

    /* The current case, and its row. */
    unsigned row;
    size_t size;
    enum placement placement;
    struct {
        const char *name;
        size_t value;
    } numbers[MAX_NUMBERS];
    size_t number_count;
    char description[200];
    struct buffer buffers[CHECK_BUFFERS];
    size_t used;
    struct secrets secrets;
    const char *(*settle)(void *arg, uint64_t result);
    void *settle_arg;
};

/* ---- kernel_check_run.c ---- */

extern sigjmp_buf check_fault_return;
extern void *volatile check_fault_address;
void check_catch_faults(void);

/* True if the CPU has what the row needs, and --variant selects it. The first row, the reference,
 * is always selected. */
int check_row_runs(const struct check *c, unsigned row);

/* Reports a failure of a row in the current case. */
void check_fail(struct check *c, unsigned row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- kernel_check_buffers.c ---- */

size_t check_page_bytes(void);
uint64_t check_random64(struct check *c);
void check_save_buffers(struct check *c);
void check_reset_outputs(struct check *c);

/* Compares the buffers after a row has run, or keeps the outputs of the first. */
void check_buffers(struct check *c, unsigned row);

/* ---- kernel_check_secrets.c ---- */

void check_index_secrets(struct check *c);
void check_find_secrets(struct check *c, unsigned row, const struct call *call);

/* ---- kernel_check_calls.c ---- */

/* Checks that public functions call the kernel in its slot. Returns 0 if the descriptor is wrong: a
 * kernel with a slot has no calls, or one without a slot has some. */
int check_slot(struct check *c);

/* ---- kernel_check_program.c ---- */

/* Runs the program for these kernel tables and descriptors, two lists that NULL ends. */
int check_main(int argc, char **argv, const struct family *const *tables,
               const struct check_family *const *descriptors);

#endif
