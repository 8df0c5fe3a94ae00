/* Shared by the contract tests: expectations that report where and why they failed, and counts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     static void test_addition(void)
 *     {
 *         EXPECT(1 + 1 == 2, "the sum is %d", 1 + 1);
 *     }
 *
 *     int main(int argc, char **argv)
 *     {
 *         test_start(argc, argv);
 *         TEST(test_addition);
 *         return test_finish();
 *     }
 *
 * A test passes if none of its expectations fails; test_skip() counts it as skipped and prints the
 * reason. The last line of output has the counts. The exit status is 1 after a failure and 77 if
 * all tests were skipped. With names of tests as arguments, only these run. For programs of one
 * source file. */

#ifndef TEST_H
#define TEST_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1 /* gcc's macro, for clang */
#endif
#endif

#define TEST_MAX_PRINTED 5 /* failures printed for each test */

static struct {
    unsigned passed, failed, skipped;
    unsigned failures, skips; /* in the current test */
    const char *name;
    char **only; /* names of the tests to run; all if it is empty or NULL */
    uint64_t random;
} test_state;

/* Evaluates to 1 if the condition holds. Otherwise the test fails with a printf-like message. */
#define EXPECT(condition, ...) \
    ((condition) ? 1 : (test_fail(__FILE__, __LINE__, #condition, __VA_ARGS__), 0))

__attribute__((format(printf, 4, 5))) static inline void
test_fail(const char *file, int line, const char *condition, const char *format, ...)
{
    va_list args;

    if (test_state.failures++ >= TEST_MAX_PRINTED)
        return;
    printf("FAIL %s: %s:%d: %s: ", test_state.name, file, line, condition);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

__attribute__((format(printf, 1, 2))) static inline void test_skip(const char *format, ...)
{
    va_list args;

    test_state.skips++;
    printf("SKIP %s: ", test_state.name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

static inline void test_start(int argc, char **argv)
{
    test_state.only = argv + (argc > 0);
}

#define TEST(function) test_run(#function, function)

/* The random numbers of a test do not depend on the tests before it. */
static inline void test_run(const char *name, void (*function)(void))
{
    char **only = test_state.only;

    while (only && *only && strcmp(*only, name))
        only++;
    if (only && *test_state.only && !*only)
        return;
    test_state.name = name;
    test_state.failures = test_state.skips = 0;
    test_state.random = 1;
    function();
    if (test_state.failures > TEST_MAX_PRINTED)
        printf("FAIL %s: %u failures in all\n", name, test_state.failures);
    test_state.failed += test_state.failures != 0;
    test_state.skipped += !test_state.failures && test_state.skips;
    test_state.passed += !test_state.failures && !test_state.skips;
    fflush(stdout);
}

static inline int test_finish(void)
{
    printf("%u passed, %u failed, %u skipped\n", test_state.passed, test_state.failed,
           test_state.skipped);
    return test_state.failed ? 1 : test_state.passed ? 0 : 77;
}

/* Returns a number from 0 to n - 1. SplitMix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014). */
static inline unsigned test_random(unsigned n)
{
    uint64_t z = test_state.random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned) ((z ^ z >> 31) >> 32) % n;
}

static inline void test_fill_random(uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        data[i] = (uint8_t) test_random(256);
}

/* Allocates memory, or ends the program. */
static inline void *test_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        exit(2);
    }
    return p;
}

#endif
