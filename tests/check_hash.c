/* Kernel check of the hashes' block functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crypto/hash/hash_kernels.h"

/* The parameter of a test: bytes of a state and of a block, and the lanes (0: any number). */
#define HASH(state, block, lanes) ((state) << 16 | (block) << 8 | (lanes))
#define MD5(lanes) HASH(16, 64, lanes)
#define SHA1(lanes) HASH(20, 64, lanes)
#define SHA256(lanes) HASH(32, 64, lanes)
#define SHA512(lanes) HASH(64, 128, lanes)
#define SM3(lanes) HASH(32, 64, lanes)

struct shape {
    size_t state, block, lanes;
};

static struct shape shape_of(const struct check *c)
{
    size_t p = (size_t) check_parameter(c);

    return (struct shape){p >> 16, p >> 8 & 255, p & 255};
}

/* Few blocks, mostly: up to 4, and what fits a buffer for the long lengths. */
static size_t blocks_of(const struct shape *s, size_t len)
{
    size_t most = CHECK_BYTES / s->block;

    return len <= 1100 ? len % 5 : len / s->block % most;
}

static void one(struct check *c, size_t len)
{
    struct shape s = shape_of(c);
    size_t blocks = blocks_of(&s, len);
    uint8_t *state = check_output(c, s.state), *data = check_input(c, blocks * s.block);

    check_describe(c, "%zu blocks", blocks);
    check_run(c, ARG(state), ARG(data), ARG(blocks));
}

static void messages(struct check *c, size_t n, size_t blocks, int counted)
{
    struct shape s = shape_of(c);
    uint8_t *states[64], *data[64];

    for (size_t i = 0; i < n; i++) {
        states[i] = check_output(c, s.state);
        data[i] = check_input(c, blocks * s.block);
    }
    check_describe(c, "%zu messages of %zu blocks", n, blocks);
    if (counted)
        check_run(c, ARG(n), ARG(check_pointers(c, states, n)), ARG(check_pointers(c, data, n)),
                  ARG(blocks));
    else
        check_run(c, ARG(check_pointers(c, states, n)), ARG(check_pointers(c, data, n)),
                  ARG(blocks));
}

static void lanes(struct check *c, size_t len)
{
    struct shape s = shape_of(c);
    size_t blocks = blocks_of(&s, len);

    messages(c, s.lanes, blocks ? blocks : 1, 0);
}

static void many(struct check *c, size_t len)
{
    struct shape s = shape_of(c);
    size_t n = len % 8 == 7 ? 64 - check_random(c, 24) : check_random(c, 40);

    messages(c, n, blocks_of(&s, len), 1);
}

static const struct check_kernel tests[] = {
    {"md5_many", many, MD5(0), 0},         {"md5_x1", one, MD5(1), 0},
    {"md5_x8", lanes, MD5(8), 0},          {"md5_x16", lanes, MD5(16), 0},
    {"md5_x32", lanes, MD5(32), 0},        {"sha1_many", many, SHA1(0), 0},
    {"sha1_x1", one, SHA1(1), 0},          {"sha1_x4", lanes, SHA1(4), 0},
    {"sha1_x8", lanes, SHA1(8), 0},        {"sha1_x16", lanes, SHA1(16), 0},
    {"sha1_ni_x2", lanes, SHA1(2), 0},     {"sha256_many", many, SHA256(0), 0},
    {"sha256_x1", one, SHA256(1), 0},      {"sha256_x4", lanes, SHA256(4), 0},
    {"sha256_x8", lanes, SHA256(8), 0},    {"sha256_x16", lanes, SHA256(16), 0},
    {"sha256_ni_x2", lanes, SHA256(2), 0}, {"sha512_many", many, SHA512(0), 0},
    {"sha512_x1", one, SHA512(1), 0},      {"sha512_x2", lanes, SHA512(2), 0},
    {"sha512_x4", lanes, SHA512(4), 0},    {"sha512_x8", lanes, SHA512(8), 0},
    {"sm3_many", many, SM3(0), 0},         {"sm3_x1", one, SM3(1), 0},
    {"sm3_x4", lanes, SM3(4), 0},          {"sm3_x8", lanes, SM3(8), 0},
    {"sm3_x16", lanes, SM3(16), 0},
};

const struct check_family check_hash = {tests, ARRAY_SIZE(tests)};
