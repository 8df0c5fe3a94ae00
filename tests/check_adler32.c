/* Kernel check of Adler-32.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crc/adler32_kernels.h"
#include "isa-l/igzip_lib.h"

/* Initial values: that of no data, the largest reduced one, the largest of 32 bits, and a random
 * one. Then three with which the first sum ends at 65520, 65521 and 65522, around the modulus. */
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

static const uint8_t data[100];

#define CALLS(X) X(adler32, isal_adler32, isal_adler32(1, data, sizeof data))
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

static const struct check_kernel tests[] = {
    {"adler32", adler32_case, BYTES,
     SIGNATURE(adler32_fn, uint32_t, uint32_t, const uint8_t *, size_t), 0},
};
const struct check_family check_adler32 = {tests, ARRAY_SIZE(tests), calls, 0};
