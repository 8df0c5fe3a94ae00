/* The kernel check: compares every variant of every kernel with the first, on the same inputs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A family describes each kernel once, as a function that sets up one case of a given length and
 * calls check_run() with the kernel's arguments:
 *
 *     static void xor2_case(struct check *c, size_t len)
 *     {
 *         uint8_t *a = check_input(c, len), *b = check_input(c, len), *dst = check_output(c, len);
 *         check_run(c, ARG(len), ARG(a), ARG(b), ARG(dst));
 *     }
 *     static const struct check_kernel tests[] = {{"xor2", xor2_case, 0, 0}};
 *     const struct check_family check_xor = {tests, ARRAY_SIZE(tests)};
 *
 * The harness supplies the variants from the kernel table, the lengths, the contents, guard pages,
 * alignments, and the checks: the outputs equal those of the first variant (portable C), inputs and
 * the bytes around every buffer are untouched, nothing beyond a buffer is read, and on return
 * callee-saved registers, stack pointer, direction flag and MXCSR are as before and upper vector
 * halves are clear. */

#ifndef CHECK_H
#define CHECK_H

#include "dispatch/kernel.h"

struct check;

struct check_kernel {
    const char *kernel; /* name in the kernel table */
    void (*one_case)(struct check *c, size_t len);
    int parameter; /* for one_case, as check_parameter() */
    int returns;   /* what is compared too: 1 an int, 2 a uint64_t that the kernel returns */
};

struct check_family {
    const struct check_kernel *tests;
    size_t count;
};

/* The parameter of the test that is running. */
int check_parameter(const struct check *c);

/* A number from 0 to n - 1. The sequence depends on the seed and the case alone. */
unsigned check_random(struct check *c, unsigned n);

/* A buffer of len bytes that the kernel may only read, filled with random bytes, or one repeated
 * byte, or a single bit. With outputs, at most CHECK_BUFFERS a case, each of at most CHECK_BYTES.
 * */
uint8_t *check_input(struct check *c, size_t len);

/* A buffer of len bytes that the kernel writes or updates. */
uint8_t *check_output(struct check *c, size_t len);

/* A structure or array of numbers, aligned as in any program: the contents come from `initial`, or are
 * as those of other buffers. The size is a multiple of the alignment. */
void *check_struct(struct check *c, const void *initial, size_t size, int is_output);

/* A read-only array of n pointers. */
void *check_pointers(struct check *c, uint8_t *const *pointers, size_t n);

/* Declares n bytes that an assembly kernel must leave nowhere but in its buffers, and their name for
 * failure reports. After the call every run of 8 of them, in either byte order, is searched for in
 * all vector registers, opmasks, general registers and the stack below the frame. The vector
 * registers of a kernel that has a secret must also be zero, or as they were. */
void check_secret(struct check *c, const char *what, const void *bytes, size_t n);

/* Called after each variant of this case has run and before its outputs are compared: makes equal
 * what the kernel's contract leaves open, and returns what is wrong, or NULL. `result` is what the
 * kernel returned. */
void check_settle(struct check *c, const char *(*settle)(void *arg, uint64_t result), void *arg);

/* More about the case for failure reports, like printf. */
void check_describe(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define CHECK_BUFFERS 320
#define CHECK_BYTES 135168
#define CHECK_LONG 20480 /* the longest cases that the harness makes up */
#define CHECK_ARGS 8

/* Runs every variant with these arguments. */
void check_run_args(struct check *c, const uint64_t *args, size_t count);
#define ARG(x) ((uint64_t) (uintptr_t) (x))
#define check_run(c, ...)                              \
    check_run_args(c, (const uint64_t[]){__VA_ARGS__}, \
                   sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#endif
