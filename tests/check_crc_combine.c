/* Kernel check of products modulo the polynomial of a CRC.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crc/crc_combine_kernels.h"

static uint64_t random64(struct check *c)
{
    uint64_t high = check_random(c, 0xffffffff), low = check_random(c, 0xffffffff);

    switch (check_random(c, 6)) {
    case 0:
        return (uint64_t) 1 << check_random(c, 64);
    case 1:
        return ~(uint64_t) 0 >> check_random(c, 64);
    default:
        return high << 32 ^ low << 8 ^ low >> 24;
    }
}

/* The parameter of a test: reflected order. The length of the case is of no use here. */
static void multiply(struct check *c, size_t len)
{
    static struct crc_constants k;
    unsigned width = 1 + check_random(c, 64);
    uint64_t poly = random64(c) >> (64 - width), a = random64(c), b = random64(c);

    (void) len;
    isalk_crc_constants_init(&k, width, poly, check_parameter(c));
    check_describe(c, "width %u, polynomial %#llx, %#llx times %#llx", width,
                   (unsigned long long) poly, (unsigned long long) a, (unsigned long long) b);
    check_run(c, ARG(a), ARG(b), ARG(&k));
}

static const struct check_kernel tests[] = {
    {"crc_multiply_norm", multiply, 0, 2},
    {"crc_multiply_refl", multiply, 1, 2},
};

const struct check_family check_crc_combine = {tests, ARRAY_SIZE(tests)};
