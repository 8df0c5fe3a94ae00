/* Kernel check of the multi-hash block functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "mh_sha1/mh_kernels.h"

/* The parameter of a test: words in a state. 1 to 20 blocks, whatever the length is, so that each
 * variant runs often and buffers stay in bounds. */
static void blocks(struct check *c, size_t len)
{
    size_t n = len % 7 ? 1 + len % 4 : 1 + check_random(c, CHECK_BYTES / MH_BLOCK);
    uint8_t *data = check_input(c, n * MH_BLOCK);
    uint8_t *states = check_output(c, 4 * MH_SEGMENTS * (size_t) check_parameter(c));
    uint8_t *murmur = check_output(c, 16);

    check_describe(c, "%zu blocks", n);
    check_run(c, ARG(data), ARG(n), ARG(states), ARG(murmur));
}

static const struct check_kernel tests[] = {
    {"mh_sha1_block", blocks, MH_SHA1_WORDS, 0},
    {"mh_sha1_murmur3_block", blocks, MH_SHA1_WORDS, 0},
    {"mh_sha256_block", blocks, MH_SHA256_WORDS, 0},
};

const struct check_family check_mh_sha1 = {tests, ARRAY_SIZE(tests)};
