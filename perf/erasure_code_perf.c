/* Benchmarks of the erasure code family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include <stdlib.h>
#include <string.h>

#include "isa-l/erasure_code.h"

enum matrix { CAUCHY, VANDERMONDE }; /* in the order of the choices of --matrix */

typedef void encode_fn(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                       unsigned char **coding);
typedef void update_fn(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                       unsigned char *data, unsigned char **coding);
typedef void dot_prod_fn(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                         unsigned char *dest);
typedef void mad_fn(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                    unsigned char *dest);
typedef int mul_fn(int len, unsigned char *gftbl, void *src, void *dest);
typedef void init_fn(int k, int rows, unsigned char *a, unsigned char *gftbls);
typedef int invert_fn(unsigned char *in, unsigned char *out, const int n);

static int shape_ok(int k, int p)
{
    return k >= 1 && p >= 1 && k + p <= 256;
}

/* The (k + p) x k matrix of the code. */
static void make_matrix(const struct perf_case *c, unsigned char *a)
{
    if (c->setting[0] == VANDERMONDE)
        gf_gen_rs_matrix(a, c->k + c->p, c->k);
    else
        gf_gen_cauchy1_matrix(a, c->k + c->p, c->k);
}

/* ---- Preparation ---- */

/* Tables of all parity rows, made by the library that will read them. Functions for one instruction
 * set get those of ec_init_tables_base(): on CPUs with GFNI, other libraries' ec_init_tables()
 * makes tables that only their general functions read. */
static void *make_tables(const struct perf_run *r)
{
    const struct perf_case *c = r->c;
    size_t k = (size_t) c->k, p = (size_t) c->p;
    unsigned char *a = perf_alloc(k + p, k), *tables = perf_alloc(32 * k, p);
    perf_fn init = NULL;

    if (r->impl->bound_to_isa)
        init = perf_symbol(r, "ec_init_tables_base");
    if (!init)
        init = perf_symbol(r, "ec_init_tables");
    if (!init)
        perf_fail("no ec_init_tables to go with %s", c->op->name);
    make_matrix(c, a);
    ((init_fn *) init)(c->k, c->p, a + k * k, tables);
    free(a);
    return tables;
}

static void fill_coefficients(const struct perf_case *c, uint8_t **set)
{
    size_t k = (size_t) c->k, p = (size_t) c->p;
    unsigned char *a = perf_alloc(k + p, k);

    make_matrix(c, a);
    memcpy(set[0], a + k * k, k * p);
    free(a);
}

/* The matrix that a decoder inverts after the loss of the first p data shards (all, if p > k): the
 * rows of the remaining shards, in order. */
static void fill_survivors(const struct perf_case *c, uint8_t **set)
{
    size_t k = (size_t) c->k, p = (size_t) c->p, lost = p < k ? p : k;
    unsigned char *a = perf_alloc(k + p, k);

    make_matrix(c, a);
    memcpy(set[0], a + lost * k, k * k);
    free(a);
}

/* ---- Calls ---- */

#define SOURCE(c) ((c)->k / 2) /* index of the source that update and mad add */

static void run_encode(struct perf_run *r, size_t n)
{
    const struct perf_case *c = r->c;
    encode_fn *encode = (encode_fn *) r->impl->fn;

    while (n--) {
        uint8_t **set = perf_next(r);
        encode((int) c->size, c->k, c->p, r->state, set, set + c->k);
    }
}

static void run_update(struct perf_run *r, size_t n)
{
    const struct perf_case *c = r->c;
    update_fn *update = (update_fn *) r->impl->fn;

    while (n--) {
        uint8_t **set = perf_next(r);
        update((int) c->size, c->k, c->p, SOURCE(c), r->state, set[0], set + 1);
    }
}

static void run_dot_prod(struct perf_run *r, size_t n)
{
    const struct perf_case *c = r->c;
    dot_prod_fn *dot_prod = (dot_prod_fn *) r->impl->fn;

    while (n--) {
        uint8_t **set = perf_next(r);
        dot_prod((int) c->size, c->k, r->state, set, set[c->k]);
    }
}

static void run_mad(struct perf_run *r, size_t n)
{
    const struct perf_case *c = r->c;
    mad_fn *mad = (mad_fn *) r->impl->fn;

    while (n--) {
        uint8_t **set = perf_next(r);
        mad((int) c->size, c->k, SOURCE(c), r->state, set[0], set[1]);
    }
}

/* Multiplies by the coefficient of the last source in the last row. */
static void run_mul(struct perf_run *r, size_t n)
{
    const struct perf_case *c = r->c;
    mul_fn *mul = (mul_fn *) r->impl->fn;
    unsigned char *table = (unsigned char *) r->state + 32 * ((size_t) c->k * (size_t) c->p - 1);
    int bad = 0;

    while (n--) {
        uint8_t **set = perf_next(r);
        bad |= mul((int) c->size, table, set[0], set[1]);
    }
    if (bad)
        perf_fail("%s failed", c->op->name);
}

static void run_init_tables(struct perf_run *r, size_t n)
{
    const struct perf_case *c = r->c;
    init_fn *init = (init_fn *) r->impl->fn;

    while (n--) {
        uint8_t **set = perf_next(r);
        init(c->k, c->p, set[0], set[1]);
    }
}

/* Inversion destroys the matrix, so the time includes a copy of it. */
static void run_invert(struct perf_run *r, size_t n)
{
    const struct perf_case *c = r->c;
    invert_fn *invert = (invert_fn *) r->impl->fn;
    int bad = 0;

    while (n--) {
        uint8_t **set = perf_next(r);
        memcpy(set[1], set[0], (size_t) c->k * (size_t) c->k);
        bad |= invert(set[1], set[2], c->k);
    }
    if (bad)
        perf_fail("the matrix of %d+%d has no inverse", c->k, c->p);
}

/* ---- Work and limits ----
 *
 * Fewest vector uops for `rows` products of each of `vectors` source vectors. Without GFNI,
 * every row takes two shuffles, and every group of rows that fits the registers splits the source
 * into nibbles (a shift and two ands). With it, every row takes one affine product.
 * vpternlog adds two products at a time.
 *
 * For 64 bytes of source and R rows, AVX-512 on Skylake (1 shuffle and 2 vector uops a cycle):
 * max(2 R, (3 R + 3) / 2) cycles; with GFNI R affine products and R / 2 additions. For 32 bytes on
 * AVX2 (1 shuffle, 3 vector uops): max(2 R, (4 R + 3) / 3). */
#define GROUP 8 /* rows that the registers of the widest kernels hold */

static void count_products(enum tier tier, double vectors, int rows, int accumulate,
                           struct perf_work *w)
{
    double products = vectors * rows, groups = (rows + GROUP - 1) / GROUP;

    if (perf_has_gfni(tier)) {
        w->uops[PORT_AFFINE] += products;
        if (accumulate)
            w->uops[PORT_LOGIC] += perf_has_ternlog(tier) ? products / 2 : products;
    } else {
        w->uops[PORT_SHUFFLE] += 2 * products;
        w->uops[PORT_SHIFT] += vectors * groups;
        w->uops[PORT_LOGIC] += 2 * vectors * groups;
        w->uops[PORT_LOGIC] += products * (accumulate && !perf_has_ternlog(tier) ? 2 : 1);
    }
}

/* `rows` sums over `sources` buffers; `ones` of them are plain XOR. */
static void work_sum(const struct perf_case *c, enum tier tier, int rows, int ones,
                     struct perf_work *w)
{
    double size = (double) c->size, k = c->k;

    w->buffers = (unsigned) (c->k + rows);
    w->buffer_size = c->size;
    w->bytes = w->read = k * size;
    w->written = rows * size;
    w->width = perf_width(tier);
    if (!w->width)
        return;
    count_products(tier, k * size / w->width, rows - ones, 1, w);
    w->uops[PORT_LOGIC] += ones * (k - 1) * size / w->width / (perf_has_ternlog(tier) ? 2 : 1);
    w->uops[PORT_LOAD] = k * size / w->width;
    w->uops[PORT_STORE] = rows * size / w->width;
}

/* The first parity row of a Vandermonde matrix is all ones. */
static void work_encode(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_sum(c, tier, c->p, c->setting[0] == VANDERMONDE, w);
}

static void work_dot_prod(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_sum(c, tier, 1, c->setting[0] == VANDERMONDE, w);
}

/* One source times `rows` coefficients, added to `rows` buffers or stored there. */
static void work_products(const struct perf_case *c, enum tier tier, int rows, int accumulate,
                          struct perf_work *w)
{
    double size = (double) c->size;

    w->buffers = (unsigned) (1 + rows);
    w->buffer_size = c->size;
    w->bytes = size;
    w->written = rows * size;
    w->read = size + (accumulate ? w->written : 0);
    w->width = perf_width(tier);
    if (!w->width)
        return;
    count_products(tier, size / w->width, rows, accumulate, w);
    if (accumulate && perf_has_gfni(tier) &&
        perf_has_ternlog(tier)) /* no second product to add in the same instruction */
        w->uops[PORT_LOGIC] = rows * size / w->width;
    w->uops[PORT_LOAD] = w->read / w->width;
    w->uops[PORT_STORE] = w->written / w->width;
}

static void work_update(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_products(c, tier, c->p, 1, w);
}

static void work_mad(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_products(c, tier, 1, 1, w);
}

static void work_mul(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_products(c, tier, 1, 0, w);
}

/* No formula: the number of vector uops does not limit these two. */
static void work_init_tables(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    (void) tier;
    w->buffers = 2;
    w->buffer_size = 32 * (size_t) c->k * (size_t) c->p;
    w->bytes = (double) w->buffer_size;
}

static void work_invert(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    (void) tier;
    w->buffers = 3;
    w->buffer_size = (size_t) c->k * (size_t) c->k;
    w->bytes = (double) w->buffer_size;
}

/* ---- The family ---- */

static const struct perf_op ops[] = {
    {.name = "ec_encode_data",
     .built_in = (perf_fn) ec_encode_data,
     .shape = 2,
     .multiple = 1,
     .work = work_encode,
     .prepare = make_tables,
     .run = run_encode},
    {.name = "ec_encode_data_update",
     .built_in = (perf_fn) ec_encode_data_update,
     .shape = 2,
     .multiple = 1,
     .work = work_update,
     .prepare = make_tables,
     .run = run_update},
    {.name = "gf_vect_dot_prod",
     .built_in = (perf_fn) gf_vect_dot_prod,
     .shape = 1,
     .multiple = 1,
     .work = work_dot_prod,
     .prepare = make_tables,
     .run = run_dot_prod},
    {.name = "gf_vect_mad",
     .built_in = (perf_fn) gf_vect_mad,
     .multiple = 1,
     .work = work_mad,
     .prepare = make_tables,
     .run = run_mad},
    {.name = "gf_vect_mul",
     .built_in = (perf_fn) gf_vect_mul,
     .multiple = 32,
     .work = work_mul,
     .prepare = make_tables,
     .run = run_mul},
    {.name = "ec_init_tables",
     .built_in = (perf_fn) ec_init_tables,
     .shape = 2,
     .work = work_init_tables,
     .fill = fill_coefficients,
     .run = run_init_tables},
    {.name = "gf_invert_matrix",
     .built_in = (perf_fn) gf_invert_matrix,
     .kernel = "gf_eliminate",
     .shape = 2,
     .work = work_invert,
     .fill = fill_survivors,
     .run = run_invert},
};

static const struct perf_peer peers[] = {{.name = "libisal", .file = "libisal.so.2"}};

const struct perf_family perf_erasure_code = {
    .name = "erasure_code",
    .title = "erasure codes over GF(2^8)",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "source bytes (ec_init_tables: table bytes; gf_invert_matrix: matrix bytes)",
    .shape = "K+P, K data and P parity shards, together at most 256",
    .default_op = "ec_encode_data",
    .default_shape = "10+4",
    .default_size = "512,4K,64K,1M",
    .shape_ok = shape_ok,
    .settings = {{"matrix", "cauchy,rs"}},
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
