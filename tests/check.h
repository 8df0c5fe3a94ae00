/* The interface of the kernel check for the descriptors of the families.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A descriptor, tests/check_<family>.c, describes each kernel of a family once: a function that
 * sets up one case of a given size and calls check_run() with the kernel's arguments, what that
 * size counts, and the kernel's signature:
 *
 *     static void xor2_case(struct check *c, size_t len)
 *     {
 *         uint8_t *a = check_input(c, len), *b = check_input(c, len), *dst = check_output(c, len);
 *         check_run(c, ARG(len), ARG(a), ARG(b), ARG(dst));
 *     }
 *     static const struct check_kernel tests[] = {
 *         {"xor2", xor2_case, BYTES,
 *          SIGNATURE(xor2_fn, void, size_t, const uint8_t *, const uint8_t *, uint8_t *)}};
 *     const struct check_family check_xor = {.tests = tests, .count = ARRAY_SIZE(tests)};
 *
 * The harness supplies the rows of the kernel table, the sizes, the contents, guard pages and
 * alignments. It checks that
 *   - outputs and results equal those of the first row, which is portable C;
 *   - inputs and the bytes around every buffer are unchanged, and nothing beyond a buffer is read;
 *   - the upper half of the register of a 32-bit argument, which holds garbage, has no effect;
 *   - callee-saved registers, stack pointer, direction flag and MXCSR are preserved, and the upper
 *     parts of vector registers are clear;
 *   - nothing that the case declares secret remains in registers or on the stack;
 *   - public functions reach the row that is in the kernel's slot.
 * A row without a case fails, and so does a kernel without a descriptor or a slot without a
 * call. */

#ifndef CHECK_H
#define CHECK_H

#include "dispatch/kernel.h"

#define CHECK_BUFFERS 320
#define CHECK_BYTES 135168 /* the longest buffer */
#define CHECK_EVERY 1100   /* bytes: every length up to this is a case */
#define CHECK_LONG 19968   /* bytes: lengths up to this are cases, at random */

struct check;

/* What the size of a case counts, and its values: all from first to last, and random ones up to
 * max. */
struct check_dimension {
    const char *unit;      /* "bytes", "blocks": printed after the number */
    size_t bytes_per_unit; /* for the sizes of --bench; 0: sizes do not matter */
    size_t first, last, max;
    size_t unroll; /* the kernel's longest step: sizes around its multiples are cases too */
};
/* clang-format off */
#define BYTES {"bytes", 1, 0, CHECK_EVERY, CHECK_LONG, 0}
#define BYTES_FROM_1 {"bytes", 1, 1, CHECK_EVERY, CHECK_LONG, 0}
/* For kernels that work on a fixed number of bytes. */
#define REPETITIONS {"repetitions", 0, 1, CHECK_EVERY, CHECK_EVERY, 0}
/* clang-format on */

/* The type of the result that a kernel returns; results are compared as this type. */
enum check_result { RESULT_NONE, RESULT_INT, RESULT_UINT32, RESULT_UINT64 };

struct check_signature {
    enum check_result result;
    unsigned parameters; /* their number */
    unsigned narrow;     /* bit i: parameter i has less than 64 bits */
    int wide;            /* the result or a parameter is wider than a pointer */
};

/* The signature of a kernel's function type. The compiler compares result and parameters with
 * it. */
#define SIGNATURE(type, result, ...)                            \
    {                                                           \
        _Generic((result(*)(void)) 0, void (*)(void)            \
                 : RESULT_NONE, int (*)(void)                   \
                 : RESULT_INT, uint32_t (*)(void)               \
                 : RESULT_UINT32, default                       \
                 : RESULT_UINT64),                              \
            _Generic((type *) 0, result(*)(__VA_ARGS__)         \
                     : PARAMETER_COUNT(__VA_ARGS__)),           \
            PARAMETER_BITS(IS_NARROW, __VA_ARGS__),             \
            PARAMETER_BITS(IS_WIDE, __VA_ARGS__) != 0 ||        \
                _Generic((result(*)(void)) 0, uint64_t(*)(void) \
                         : IS_WIDE(uint64_t), default : 0)      \
    }
#define IS_NARROW(t) (sizeof(t) < sizeof(uint64_t))
#define IS_WIDE(t) (sizeof(t) > sizeof(void *))
#define PARAMETER_COUNT(...) PARAMETER_9TH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, )
#define PARAMETER_9TH(a, b, c, d, e, f, g, h, n, ...) n
#define PARAMETER_BITS(is, ...) PARAMETER_BITS_OF(PARAMETER_COUNT(__VA_ARGS__), is, __VA_ARGS__)
#define PARAMETER_BITS_OF(n, is, ...) PARAMETER_BITS_N(n, is, __VA_ARGS__)
#define PARAMETER_BITS_N(n, is, ...) PARAMETER_BITS_##n(is, __VA_ARGS__)
#define PARAMETER_BITS_1(is, t) (unsigned) is(t)
#define PARAMETER_BITS_2(is, t, ...) ((unsigned) is(t) | PARAMETER_BITS_1(is, __VA_ARGS__) << 1)
#define PARAMETER_BITS_3(is, t, ...) ((unsigned) is(t) | PARAMETER_BITS_2(is, __VA_ARGS__) << 1)
#define PARAMETER_BITS_4(is, t, ...) ((unsigned) is(t) | PARAMETER_BITS_3(is, __VA_ARGS__) << 1)
#define PARAMETER_BITS_5(is, t, ...) ((unsigned) is(t) | PARAMETER_BITS_4(is, __VA_ARGS__) << 1)
#define PARAMETER_BITS_6(is, t, ...) ((unsigned) is(t) | PARAMETER_BITS_5(is, __VA_ARGS__) << 1)
#define PARAMETER_BITS_7(is, t, ...) ((unsigned) is(t) | PARAMETER_BITS_6(is, __VA_ARGS__) << 1)
#define PARAMETER_BITS_8(is, t, ...) ((unsigned) is(t) | PARAMETER_BITS_7(is, __VA_ARGS__) << 1)

struct check_kernel {
    const char *kernel;                             /* name in the kernel table */
    void (*one_case)(struct check *c, size_t size); /* sets up and runs one case */
    struct check_dimension dimension;               /* of the size */
    struct check_signature signature;
    int parameter; /* for one_case, as check_parameter() */
};

/* A public function that must reach the kernel in the slot. */
struct check_call {
    const char *kernel, *function;
    void (*call)(void);
};

/* A list X(kernel, function, statement)... makes the functions and the table of a family's calls:
 *
 *     #define CALLS(X) X(zero_detect, isal_zero_detect, isal_zero_detect(data, sizeof data))
 *     CALLS(CALL_FUNCTION)
 *     static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};
 */
#define CALL_FUNCTION(kernel, function, ...)          \
    static void call_##kernel##_from_##function(void) \
    {                                                 \
        (void) (__VA_ARGS__);                         \
    }
#define CALL_ENTRY(kernel, function, ...) {#kernel, #function, call_##kernel##_from_##function},
#define CALLS_END        \
    {                    \
        NULL, NULL, NULL \
    }

/* In a call: the kernel's calls so far were preparation and do not count. */
void check_ignore_calls(void);

/* In a call: it is correct that the function does not call the current row. */
void check_expect_no_call(void);

struct check_family {
    const struct check_kernel *tests; /* a kernel may have several */
    size_t count;
    const struct check_call *calls; /* NULL, or ended by CALLS_END */
    int handles_secrets;            /* each case must declare its secrets */
};

/* The parameter of the test that is running. */
int check_parameter(const struct check *c);

/* A random number from 0 to n - 1. The sequence depends only on the seed and the case. */
unsigned check_random(struct check *c, unsigned n);

/* A random number from min to max. Failure reports print it after its name. */
size_t check_number(struct check *c, const char *name, size_t min, size_t max);

/* Returns `value`, which failure reports print after `name`. */
size_t check_record(struct check *c, const char *name, size_t value);

/* More about the case for failure reports, like printf. */
void check_describe(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A buffer of len bytes that the kernel may only read, filled with random bytes, or one repeated
 * byte, or a single bit. A case has at most CHECK_BUFFERS buffers of at most CHECK_BYTES each. */
uint8_t *check_input(struct check *c, size_t len);

/* A buffer of len bytes that the kernel writes or updates. */
uint8_t *check_output(struct check *c, size_t len);

/* A structure or an array of numbers, never misaligned: a copy of `initial`, or if that is NULL
 * filled as other buffers are. The size is a multiple of the alignment. */
void *check_struct(struct check *c, const void *initial, size_t size, int is_output);

/* A read-only array of n pointers. */
void *check_pointers(struct check *c, uint8_t *const *pointers, size_t n);

/* Declares n secret bytes, and their name for failure reports: an assembly kernel may leave them
 * only in its buffers. After the call, all vector registers, opmasks, general registers and the
 * stack below the frame are searched for each run of 8 of them, in either byte order. Each vector
 * register must also be zero, or as it was. */
void check_secret(struct check *c, const char *what, const void *bytes, size_t n);

/* For kernels whose contract leaves something open. settle() runs after each row, before its
 * outputs are compared. It makes equal what may differ, and returns what is wrong or NULL. It
 * also judges the kernel's result, which is not compared then. */
void check_settle(struct check *c, const char *(*settle)(void *arg, uint64_t result), void *arg);

/* For settle(): whether the row that ran avoids one of these features. */
int check_row_avoids(const struct check *c, uint64_t features);

/* Runs every row with these arguments. */
void check_run_args(struct check *c, const uint64_t *args, size_t count);
#define ARG(x) ((uint64_t) (uintptr_t) (x))
#define check_run(c, ...)                              \
    check_run_args(c, (const uint64_t[]){__VA_ARGS__}, \
                   sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#endif
