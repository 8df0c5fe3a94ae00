/* Kernel check of the memory routines.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "isa-l/mem_routines.h"
#include "mem/mem_kernels.h"

/* Any contents; zeros; zeros but for one bit at the ends, in the middle, and anywhere. */
static void zero_detect_case(struct check *c, size_t len)
{
    uint8_t *mem = check_input(c, len);

    check_run(c, ARG(mem), ARG(len));
    memset(mem, 0, len);
    check_describe(c, "zeros");
    check_run(c, ARG(mem), ARG(len));
    for (int i = 0; len && i < 4; i++) {
        size_t places[] = {0, len / 2, len - 1, check_random(c, (unsigned) len)}, at = places[i];
        mem[at] = (uint8_t) (1u << check_random(c, 8));
        check_describe(c, "byte %zu is %#x", at, (unsigned) mem[at]);
        check_run(c, ARG(mem), ARG(len));
        mem[at] = 0;
    }
}

static uint8_t data[1000];

#define CALLS(X) X(zero_detect, isal_zero_detect, isal_zero_detect(data, sizeof data))
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

static const struct check_kernel tests[] = {
    {"zero_detect", zero_detect_case, BYTES, SIGNATURE(zero_detect_fn, int, const void *, size_t),
     0},
};
const struct check_family check_mem = {tests, ARRAY_SIZE(tests), calls, 0};
