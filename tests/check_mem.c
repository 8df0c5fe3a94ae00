/* Kernel check of the memory routines.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

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

static const struct check_kernel tests[] = {{"zero_detect", zero_detect_case, 0, 1}};
const struct check_family check_mem = {tests, ARRAY_SIZE(tests)};
