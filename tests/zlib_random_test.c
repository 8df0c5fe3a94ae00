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

static unsigned choose(unsigned n)
{
    return test_random(n);
}

/* Makes sequences, each with a seed of its own. */
static void run(int (*sequence)(void))
{
    const char *text = getenv("ZLIB_TEST_CALLS"), *seed = getenv("ZLIB_TEST_SEED");
    unsigned long long calls = text ? strtoull(text, NULL, 0) : 200000;
    uint64_t number = seed ? strtoull(seed, NULL, 0) : 1;

    calls_made = 0;
    tracing = seed != NULL;
    do {
        test_state.random = number * 0x9e3779b97f4a7c15;
        live_blocks = 0;
        if (!sequence()) {
            printf("ZLIB_TEST_SEED=%llu\n", (unsigned long long) number);
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
    if (!load_libraries())
        return 77;
    TEST(test_random_inflate);
    TEST(test_random_deflate);
    return test_finish();
}
