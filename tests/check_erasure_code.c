/* Kernel check of the erasure code family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "erasure_code/ec_kernels.h"
#include "isa-l/erasure_code.h"

/* Usually few sources, for speed; sometimes more than any loop is unrolled by, or an 8-bit counter
 * can hold. */
static unsigned sources(struct check *c, size_t len)
{
    switch (check_random(c, 16)) {
    case 0:
        return (unsigned) check_record(c, "sources", 1);
    case 1:
        if (len < 600)
            return (unsigned) check_number(c, "sources", 20, 255);
        return (unsigned) check_record(c, "sources", 33);
    default:
        return (unsigned) check_number(c, "sources", 1, 12);
    }
}

/* Tables of rows * k random coefficients; those of the first `ones` rows are 1. */
static uint8_t *tables(struct check *c, unsigned k, unsigned rows, unsigned ones)
{
    uint8_t *t = check_input(c, 32 * (size_t) k * rows);

    for (unsigned i = 0; i < k * rows; i++) {
        unsigned kind = check_random(c, 8); /* 0 and 1 are frequent */
        gf_vect_mul_init_base(i < k * ones ? 1
                              : kind < 2   ? (uint8_t) kind
                                           : (uint8_t) check_random(c, 256),
                              t + 32 * (size_t) i);
    }
    return t;
}

/* Tables of random coefficients. Often the first row is all ones, or has a single other
 * coefficient. */
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

/* The first byte that a building block computes: wider kernels may have computed those before
 * it. */
static size_t start(struct check *c, size_t len)
{
    size_t blocks = check_random(c, 4) ? 0 : check_random(c, (unsigned) ((len - 1) / 64) + 1);

    return check_record(c, "first byte", 64 * blocks);
}

static void dot_block(struct check *c, size_t len)
{
    unsigned rows = (unsigned) check_parameter(c) % ONES, k = sources(c, len);
    size_t pos = start(c, len);
    uint8_t *t;
    void *src, *dst;

    while (32 * (size_t) k * rows > CHECK_BYTES)
        k = (unsigned) check_record(c, "sources", k / 2);
    t = tables(c, k, rows, check_parameter(c) >= ONES);
    src = buffers(c, k, len, check_input);
    dst = buffers(c, rows, len, check_output);
    /* The bytes before pos are computed: a kernel may compute some of them again. */
    ec_encode_data_base((int) pos, (int) k, (int) rows, t, src, dst);
    check_run(c, ARG(pos), ARG(len), ARG(k), ARG(t), ARG(src), ARG(dst));
}

static void mad_block(struct check *c, size_t len)
{
    unsigned rows = (unsigned) check_parameter(c), k = (unsigned) check_number(c, "sources", 1, 20);
    size_t pos = start(c, len);
    uint8_t *t = tables(c, k, rows, 0), *src = check_input(c, len);
    void *dst = buffers(c, rows, len, check_output);

    check_run(c, ARG(pos), ARG(len), ARG(k), ARG(t), ARG(src), ARG(dst));
}

static void mul_block(struct check *c, size_t blocks)
{
    size_t len = 32 * blocks;
    uint8_t *t = tables(c, 1, 1, 0), *dst = check_output(c, len);
    uint8_t *src = check_random(c, 4) ? check_input(c, len) : dst;

    check_describe(c, "%s", src == dst ? "in place" : "");
    check_run(c, 0, ARG(len), 1, ARG(t), ARG(src), ARG(check_pointers(c, &dst, 1)));
}

/* Sometimes negative, which kernels treat as 0. */
static int signed_length(struct check *c, size_t len)
{
    return check_random(c, 40) ? (int) len : -(int) len;
}

static void encode(struct check *c, size_t len)
{
    unsigned k = sources(c, len);
    unsigned rows = (unsigned) check_number(c, "rows", 0, check_random(c, 20) ? 8 : 32);
    int n = signed_length(c, len);
    uint8_t *t;
    void *src, *dst;

    if (!check_random(c, 50))
        k = (unsigned) check_record(c, "sources", 0);
    while (32 * (size_t) k * rows > CHECK_BYTES)
        k = (unsigned) check_record(c, "sources", k / 2);
    check_describe(c, "len %d", n);
    t = tables_or_ones(c, k, rows);
    src = buffers(c, k, len, check_input);
    dst = buffers(c, rows, len, check_output);
    check_run(c, ARG(n), ARG(k), ARG(rows), ARG(t), ARG(src), ARG(dst));
}

static void update(struct check *c, size_t len)
{
    unsigned k = (unsigned) check_number(c, "sources", 1, 12);
    unsigned rows = (unsigned) check_number(c, "rows", 0, 13);
    unsigned i = (unsigned) check_number(c, "source", 0, k - 1);
    int n = signed_length(c, len);
    uint8_t *t = tables(c, k, rows, 0), *src = check_input(c, len);
    void *dst = buffers(c, rows, len, check_output);

    check_describe(c, "len %d", n);
    check_run(c, ARG(n), ARG(k), ARG(rows), ARG(i), ARG(t), ARG(src), ARG(dst));
}

static void dot_prod(struct check *c, size_t len)
{
    unsigned k = sources(c, len);
    int n = signed_length(c, len);
    uint8_t *t = tables_or_ones(c, k, 1), *dst = check_output(c, len);

    check_describe(c, "len %d", n);
    check_run(c, ARG(n), ARG(k), ARG(t), ARG(buffers(c, k, len, check_input)), ARG(dst));
}

static void mad(struct check *c, size_t len)
{
    unsigned k = (unsigned) check_number(c, "sources", 1, 12);
    unsigned i = (unsigned) check_number(c, "source", 0, k - 1);
    int n = signed_length(c, len);
    uint8_t *t = tables(c, k, 1, 0), *src = check_input(c, len), *dst = check_output(c, len);

    check_describe(c, "len %d", n);
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

/* Rows of n columns need a stride of n bytes or more. */
static void eliminate(struct check *c, size_t n)
{
    size_t stride = 32 * check_number(c, "stride of 32 bytes times", n <= 32 ? 1 : 2, 8);
    size_t p = check_number(c, "pivot", 0, n - 1);
    uint8_t *a = check_output(c, n * stride), *pivot = check_output(c, stride);

    a[p * stride + p] |= 1; /* the pivot is not 0 */
    check_run(c, ARG(a), ARG(stride), ARG(n), ARG(p), ARG(pivot));
}

/* ---- Calls ---- */

enum { SOURCES = 4, ROWS = 2, LEN = 256 };

/* SOURCES data buffers, then ROWS parity buffers; and the tables of the code. */
static uint8_t text[SOURCES + ROWS][LEN], table[32 * SOURCES * ROWS];

static uint8_t **shards(size_t first)
{
    static uint8_t *pointers[SOURCES + ROWS];

    for (size_t i = 0; i < SOURCES + ROWS; i++)
        pointers[i] = text[i];
    return pointers + first;
}

/* Matrices of SOURCES columns. */
static uint8_t matrix[(SOURCES + ROWS) * SOURCES], inverse[SOURCES * SOURCES];

static uint8_t *codes(void)
{
    gf_gen_cauchy1_matrix(matrix, SOURCES + ROWS, SOURCES);
    return matrix;
}

static struct isal_ec_decode *decode_plan(void)
{
    static uint64_t plan[4096];
    static const int lost[] = {0, 1};

    if (isal_ec_decode_size(SOURCES, SOURCES + ROWS, 2) > sizeof plan)
        return NULL;
    isal_ec_decode_init((void *) plan, SOURCES, SOURCES + ROWS, codes(), lost, 2);
    return (void *) plan;
}

#define CALLS(X)                                                                               \
    X(ec_encode_data, ec_encode_data,                                                          \
      ec_encode_data(LEN, SOURCES, ROWS, table, shards(0), shards(SOURCES)))                   \
    X(ec_encode_data, isal_ec_decode_data, isal_ec_decode_data(decode_plan(), LEN, shards(0))) \
    X(ec_encode_data_update, ec_encode_data_update,                                            \
      ec_encode_data_update(LEN, SOURCES, ROWS, 0, table, text[0], shards(SOURCES)))           \
    X(gf_vect_dot_prod, gf_vect_dot_prod,                                                      \
      gf_vect_dot_prod(LEN, SOURCES, table, shards(0), text[SOURCES]))                         \
    X(gf_vect_mad, gf_vect_mad, gf_vect_mad(LEN, SOURCES, 0, table, text[0], text[SOURCES]))   \
    X(gf_vect_mul, gf_vect_mul, gf_vect_mul(LEN, table, text[0], text[1]))                     \
    X(gf_eliminate, gf_invert_matrix,                                                          \
      gf_invert_matrix(codes() + ROWS * SOURCES, inverse, SOURCES))                            \
    X(gf_eliminate, isal_ec_decode_init, decode_plan())
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptor ---- */

/* clang-format off */
#define BLOCKS {"blocks of 32 bytes", 32, 1, 64, CHECK_LONG / 32, 0}
/* clang-format on */
#define ENCODE                                                                      \
    SIGNATURE(ec_encode_fn, void, int, int, int, unsigned char *, unsigned char **, \
              unsigned char **)
#define UPDATE                                                                          \
    SIGNATURE(ec_update_fn, void, int, int, int, int, unsigned char *, unsigned char *, \
              unsigned char **)
#define DOT_PROD \
    SIGNATURE(gf_dot_prod_fn, void, int, int, unsigned char *, unsigned char **, unsigned char *)
#define VECT_MAD                                                                     \
    SIGNATURE(gf_vect_mad_fn, void, int, int, int, unsigned char *, unsigned char *, \
              unsigned char *)
#define VECT_MUL SIGNATURE(gf_vect_mul_fn, int, int, unsigned char *, void *, void *)
#define ELIMINATE SIGNATURE(gf_eliminate_fn, void, uint8_t *, size_t, size_t, size_t, uint8_t *)
#define DOT                                                                               \
    SIGNATURE(gf_dot_fn, void, size_t, size_t, size_t, const uint8_t *, uint8_t *const *, \
              uint8_t *const *)
#define MAD                                                                              \
    SIGNATURE(gf_mad_fn, void, size_t, size_t, size_t, const uint8_t *, const uint8_t *, \
              uint8_t *const *)

static const struct check_kernel tests[] = {
    {"ec_encode_data", encode, BYTES, ENCODE, 0},
    {"ec_encode_data_update", update, BYTES, UPDATE, 0},
    {"gf_vect_dot_prod", dot_prod, BYTES, DOT_PROD, 0},
    {"gf_vect_mad", mad, BYTES, VECT_MAD, 0},
    {"gf_vect_mul", mul, BYTES, VECT_MUL, 0},
    {"gf_eliminate", eliminate, {"rows", 0, 1, 64, 64, 0}, ELIMINATE, 0},
    {"gf_mul_block", mul_block, BLOCKS, MAD, 0},
#define X(n, unused)                                                   \
    {"gf_dot" #n, dot_block, BYTES_FROM_1, DOT, n},                    \
        {"gf_dot" #n "_ones", dot_block, BYTES_FROM_1, DOT, n + ONES}, \
        {"gf_mad" #n, mad_block, BYTES_FROM_1, MAD, n},
    EC_ROWS(X, )
#undef X
};

const struct check_family check_erasure_code = {tests, ARRAY_SIZE(tests), calls, 0};
