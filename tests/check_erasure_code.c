/* Kernel check of the erasure code family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "isa-l/erasure_code.h"

/* Few sources mostly, for speed; now and then more than any unrolling or counter width. */
static unsigned sources(struct check *c, size_t len)
{
    switch (check_random(c, 16)) {
    case 0:
        return 1;
    case 1:
        return len < 600 ? 20 + check_random(c, 236) : 33;
    default:
        return 1 + check_random(c, 12);
    }
}

/* Tables of rows * k random coefficients; those of the first `ones` rows are 1. */
static uint8_t *tables(struct check *c, unsigned k, unsigned rows, unsigned ones)
{
    uint8_t *t = check_input(c, 32 * (size_t) k * rows);

    for (unsigned i = 0; i < k * rows; i++) {
        unsigned kind = check_random(c, 8); /* 0 and 1 more often than by chance */
        gf_vect_mul_init_base(i < k * ones ? 1
                              : kind < 2   ? (uint8_t) kind
                                           : (uint8_t) check_random(c, 256),
                              t + 32 * (size_t) i);
    }
    return t;
}

/* Tables of random coefficients; the first row is often of ones, or of ones but for one. */
static uint8_t *tables_or_ones(struct check *c, unsigned k, unsigned rows)
{
    unsigned ones = k && rows && check_random(c, 3) == 0;
    uint8_t *t = tables(c, k, rows, ones);

    if (ones && check_random(c, 2))
        gf_vect_mul_init_base(2, t + 32 * (size_t) check_random(c, k));
    return t;
}

static uint8_t **buffers(struct check *c, unsigned n, size_t len,
                         uint8_t *(*make)(struct check *, size_t))
{
    uint8_t *list[CHECK_BUFFERS];

    for (unsigned i = 0; i < n; i++)
        list[i] = make(c, len);
    return check_pointers(c, list, n);
}

/* The parameter of building blocks: the number of rows, plus ONES. */
#define ONES 100

/* Where a building block starts: it may be told to leave the front of the buffers to others. */
static size_t start(struct check *c, size_t len)
{
    return check_random(c, 4) ? 0 : check_random(c, (unsigned) (len / 64) + 1) * (size_t) 64;
}

static void dot_block(struct check *c, size_t len)
{
    unsigned rows = (unsigned) check_parameter(c) % ONES, k = sources(c, len);
    size_t pos = start(c, len);

    while (32 * (size_t) k * rows > CHECK_BYTES)
        k /= 2;
    check_describe(c, "k %u, from byte %zu", k, pos);
    if (pos < len) {
        uint8_t *t = tables(c, k, rows, check_parameter(c) >= ONES);
        void *src = buffers(c, k, len, check_input), *dst = buffers(c, rows, len, check_output);
        /* The front is done already: a kernel may compute some of it again. */
        ec_encode_data_base((int) pos, (int) k, (int) rows, t, src, dst);
        check_run(c, ARG(pos), ARG(len), ARG(k), ARG(t), ARG(src), ARG(dst));
    }
}

static void mad_block(struct check *c, size_t len)
{
    unsigned rows = (unsigned) check_parameter(c), k = 1 + check_random(c, 20);
    size_t pos = start(c, len);

    check_describe(c, "k %u, from byte %zu", k, pos);
    if (pos < len) {
        uint8_t *t = tables(c, k, rows, 0), *src = check_input(c, len);
        void *dst = buffers(c, rows, len, check_output);
        check_run(c, ARG(pos), ARG(len), ARG(k), ARG(t), ARG(src), ARG(dst));
    }
}

static void mul_block(struct check *c, size_t len)
{
    uint8_t *t = tables(c, 1, 1, 0), *src, *dst;

    len &= ~(size_t) 31;
    dst = check_output(c, len);
    src = check_random(c, 4) ? check_input(c, len) : dst;
    check_describe(c, "%s", src == dst ? "in place" : "");
    if (len)
        check_run(c, 0, ARG(len), 1, ARG(t), ARG(src), ARG(check_pointers(c, &dst, 1)));
}

/* Lengths and shapes of zero and below, which do nothing, come up too. */
static int signed_length(struct check *c, size_t len)
{
    return check_random(c, 40) ? (int) len : -(int) len;
}

static void encode(struct check *c, size_t len)
{
    unsigned k = sources(c, len),
             rows = check_random(c, 20) ? check_random(c, 9) : check_random(c, 33);
    int n = signed_length(c, len);
    uint8_t *t;
    void *src, *dst;

    if (!check_random(c, 50))
        k = 0;
    while (32 * (size_t) k * rows > CHECK_BYTES)
        k /= 2;
    check_describe(c, "k %u, rows %u, len %d", k, rows, n);
    t = tables_or_ones(c, k, rows);
    src = buffers(c, k, len, check_input);
    dst = buffers(c, rows, len, check_output);
    check_run(c, ARG(n), ARG(k), ARG(rows), ARG(t), ARG(src), ARG(dst));
}

static void update(struct check *c, size_t len)
{
    unsigned k = 1 + check_random(c, 12), rows = check_random(c, 14), i = check_random(c, k);
    int n = signed_length(c, len);
    uint8_t *t = tables(c, k, rows, 0), *src = check_input(c, len);
    void *dst = buffers(c, rows, len, check_output);

    check_describe(c, "k %u, rows %u, source %u, len %d", k, rows, i, n);
    check_run(c, ARG(n), ARG(k), ARG(rows), ARG(i), ARG(t), ARG(src), ARG(dst));
}

static void dot_prod(struct check *c, size_t len)
{
    unsigned k = sources(c, len);
    int n = signed_length(c, len);
    uint8_t *t = tables_or_ones(c, k, 1), *dst = check_output(c, len);

    check_describe(c, "vlen %u, len %d", k, n);
    check_run(c, ARG(n), ARG(k), ARG(t), ARG(buffers(c, k, len, check_input)), ARG(dst));
}

static void mad(struct check *c, size_t len)
{
    unsigned k = 1 + check_random(c, 12), i = check_random(c, k);
    int n = signed_length(c, len);
    uint8_t *t = tables(c, k, 1, 0), *src = check_input(c, len), *dst = check_output(c, len);

    check_describe(c, "vec %u, source %u, len %d", k, i, n);
    check_run(c, ARG(n), ARG(k), ARG(i), ARG(t), ARG(src), ARG(dst));
}

static void mul(struct check *c, size_t len)
{
    int n = signed_length(c, len);
    uint8_t *t = tables(c, 1, 1, 0), *dst = check_output(c, len);
    uint8_t *src = check_random(c, 4) ? check_input(c, len) : dst;

    check_describe(c, "len %d%s", n, src == dst ? ", in place" : "");
    check_run(c, ARG(n), ARG(t), ARG(src), ARG(dst));
}

static void eliminate(struct check *c, size_t len)
{
    size_t stride = 32 * (1 + len % 8), n = 1 + len % (stride < 64 ? stride : 64);
    size_t p = check_random(c, (unsigned) n);
    uint8_t *a = check_output(c, n * stride), *pivot = check_output(c, stride);

    a[p * stride + p] |= 1; /* the pivot is not 0 */
    check_describe(c, "%zu rows of %zu bytes, column %zu", n, stride, p);
    check_run(c, ARG(a), ARG(stride), ARG(n), ARG(p), ARG(pivot));
}

static const struct check_kernel tests[] = {
    {"ec_encode_data", encode, 0, 0},
    {"ec_encode_data_update", update, 0, 0},
    {"gf_vect_dot_prod", dot_prod, 0, 0},
    {"gf_vect_mad", mad, 0, 0},
    {"gf_vect_mul", mul, 0, 1},
    {"gf_eliminate", eliminate, 0, 0},
#define X(n) {"gf_dot" #n, dot_block, n, 0}, {"gf_dot" #n "_ones", dot_block, n + ONES, 0},
    X(1) X(2) X(3) X(4) X(5) X(6)
#undef X
#define X(n) {"gf_mad" #n, mad_block, n, 0},
        X(1) X(2) X(3) X(4) X(5) X(6)
#undef X
            {"gf_mul_block", mul_block, 0, 0},
};

const struct check_family check_erasure_code = {tests, ARRAY_SIZE(tests)};
