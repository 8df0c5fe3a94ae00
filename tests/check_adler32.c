/* Kernel check of Adler-32.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crc/adler32_kernels.h"

/* Sums to start from: those of nothing, as large as they can be when reduced, out of range, any, and
 * such that the first one ends next to the modulus or at it. */
static void adler32_case(struct check *c, size_t len)
{
    uint8_t *buf = check_input(c, len);
    uint32_t sum = 0, init[7] = {1, 65520u << 16 | 65520, 0xffffffff, check_random(c, 0xffffffff)};

    for (size_t i = 0; i < len; i++)
        sum = (sum + buf[i]) % 65521;
    for (uint32_t i = 0; i < 3; i++)
        init[4 + i] = check_random(c, 65521) << 16 | (2 * 65521 - 1 + i - sum) % 65521;
    for (size_t i = 0; i < ARRAY_SIZE(init); i++) {
        check_describe(c, "init %08x", (unsigned) init[i]);
        check_run(c, ARG(init[i]), ARG(buf), ARG(len));
    }
}

static const struct check_kernel tests[] = {{"adler32", adler32_case, 0, 1}};
const struct check_family check_adler32 = {tests, ARRAY_SIZE(tests)};
