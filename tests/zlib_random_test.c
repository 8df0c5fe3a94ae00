/* Random sequences of calls to this library and the system's zlib, whose results are compared:
 * compression and decompression in pieces of any size, with every other function in between.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     zlib_random_test [TEST...]
 *
 * ZLIB_TEST_CALLS: calls of each test, 200000 by default. A failure prints the seed of the
 * sequence; ZLIB_TEST_SEED repeats it and prints its calls. */

#include "tests/zlib_random_deflate.h"
#include "tests/zlib_random_inflate.h"

#include <signal.h>

static unsigned choose(unsigned n)
{
    return test_random(n);
}

static unsigned long long number; /* seed of the sequence */

/* Prints the seed of a sequence that crashes. */
static void crashed(int signal_number)
{
    char text[50];
    int n = snprintf(text, sizeof text, "FAIL ZLIB_TEST_SEED=%llu\n", number);

    if (write(STDERR_FILENO, text, (size_t) n) < 0)
        _exit(2);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Makes sequences, each with a seed of its own. */
static void run(int (*sequence)(void))
{
    const char *text = getenv("ZLIB_TEST_CALLS"), *seed = getenv("ZLIB_TEST_SEED");
    unsigned long long calls = text ? strtoull(text, NULL, 0) : 200000;

    number = seed ? strtoull(seed, NULL, 0) : 1;

    calls_made = 0;
    tracing = seed != NULL;
    do {
        test_state.random = number * 0x9e3779b97f4a7c15;
        live_blocks = 0;
        if (!sequence()) {
            printf("ZLIB_TEST_SEED=%llu\n", number);
            return;
        }
        number++;
    } while (calls_made < calls && !seed);
    printf("%llu calls\n", calls_made);
}

static void test_random_inflate(void)
{
    run(random_inflate);
}

static void test_random_deflate(void)
{
    run(random_deflate);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (!prepare_sequences())
        return 77;
    signal(SIGSEGV, crashed);
    TEST(test_random_inflate);
    TEST(test_random_deflate);
    return test_finish();
}
