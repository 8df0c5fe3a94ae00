/* Benchmarks of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include "isa-l/raid.h"

typedef int raid_fn(int vects, int len, void **array);
typedef int xor_recover_fn(int vects, int len, void **array, int lost);
typedef int pq_recover_fn(int vects, int len, void **array, int lost_a, int lost_b);

static int shape_ok(int k, int p)
{
    return k >= 2 && k <= 255 && p >= 0;
}

/* ---- Preparation: parity from its definition, not from a function under test ---- */

static void fill_xor(const struct perf_case *c, uint8_t **set)
{
    for (size_t i = 0; i < c->size; i++) {
        set[c->k][i] = 0;
        for (int j = 0; j < c->k; j++)
            set[c->k][i] ^= set[j][i];
    }
}

static void fill_pq(const struct perf_case *c, uint8_t **set)
{
    fill_xor(c, set);
    for (size_t i = 0; i < c->size; i++) {
        unsigned q = 0;
        for (int j = c->k - 1; j >= 0; j--) /* Horner's rule, modulo 0x11d */
            q = (q << 1 ^ (q & 0x80 ? 0x11d : 0)) ^ set[j][i];
        set[c->k + 1][i] = (uint8_t) q;
    }
}

/* ---- Calls ---- */

/* Runs an expression that returns 0 on success for n sets. */
#define RUN(type, call)                             \
    do {                                            \
        type *fn = (type *) r->impl->fn;            \
        int k = r->c->k, len = (int) r->c->size;    \
        int bad = 0;                                \
        while (n--) {                               \
            void **array = (void **) perf_next(r);  \
            bad |= call;                            \
        }                                           \
        if (bad)                                    \
            perf_fail("%s failed", r->c->op->name); \
    } while (0)

static void run_xor(struct perf_run *r, size_t n)
{
    RUN(raid_fn, fn(k + 1, len, array));
}

static void run_pq(struct perf_run *r, size_t n)
{
    RUN(raid_fn, fn(k + 2, len, array));
}

static void run_xor_recover(struct perf_run *r, size_t n)
{
    RUN(xor_recover_fn, fn(k + 1, len, array, 0));
}

/* The slowest case: two sources lost. */
static void run_pq_recover(struct perf_run *r, size_t n)
{
    RUN(pq_recover_fn, fn(k + 2, len, array, 0, k - 1));
}

/* ---- Work and limits ---- */

/* Bytes moved by a call on `buffers` buffers that reads `read` and writes `written` of them. */
static void count_bytes(const struct perf_case *c, enum tier tier, int buffers, int read,
                        int written, struct perf_work *w)
{
    double size = (double) c->size;

    w->buffers = (unsigned) buffers;
    w->buffer_size = c->size;
    w->bytes = c->k * size;
    w->read = read * size;
    w->written = written * size;
    w->width = perf_width(tier);
    if (!w->width)
        return;
    w->uops[PORT_LOAD] = w->read / w->width;
    w->uops[PORT_STORE] = w->written / w->width;
}

/* Vector uops per vector of a buffer. vpternlog does two of the `xors` at a time. */
static void count_uops(const struct perf_case *c, enum tier tier, double xors, double others,
                       double shuffles, double affines, struct perf_work *w)
{
    double vectors = w->width ? (double) c->size / w->width : 0;

    w->uops[PORT_LOGIC] += vectors * (others + (perf_has_ternlog(tier) ? xors / 2 : xors));
    w->uops[PORT_SHUFFLE] += vectors * shuffles;
    w->uops[PORT_AFFINE] += vectors * affines;
}

static void work_xor_gen(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_bytes(c, tier, c->k + 1, c->k, 1, w);
    count_uops(c, tier, c->k - 1, 0, 0, 0, w);
}

/* One more XOR, with the parity, and an OR, which vpternlog does in the same instruction. */
static void work_xor_check(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_bytes(c, tier, c->k + 1, c->k + 1, 0, w);
    count_uops(c, tier, c->k + 1, 0, 0, 0, w);
}

static void work_isal_xor_recover(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_xor_gen(c, tier, w);
}

/* P and Q of k sources by Horner's rule, k - 1 steps. A step is P ^= D (one XOR) and Q = 2 Q ^ D:
 *     with GFNI       1 affine product and 1 XOR
 *     with vpternlog  a shuffle for the reduction, an addition, and one instruction for both XORs
 *     else            the same with 2 XORs, and a quarter of one that corrects the reduction
 * On Skylake AVX-512 comes to 3.5 vector uops a step for 64 bytes, AVX2 to 5.25 for 32. */
static void count_pq(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    double steps = c->k - 1;

    if (perf_has_gfni(tier))
        count_uops(c, tier, 2 * steps, 0, 0, steps, w);
    else if (perf_has_ternlog(tier))
        count_uops(c, tier, 3 * steps, steps, steps, 0, w);
    else
        count_uops(c, tier, 3.25 * steps, steps, steps, 0, w);
}

static void work_pq_gen(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_bytes(c, tier, c->k + 2, c->k, 2, w);
    count_pq(c, tier, w);
}

/* P and Q, then for each an XOR with the stored one and an OR into the result. */
static void work_pq_check(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_bytes(c, tier, c->k + 2, c->k + 2, 0, w);
    count_pq(c, tier, w);
    count_uops(c, tier, 4, 0, 0, 0, w);
}

/* Two lost sources: P and Q of the remaining ones, each added to the stored one. One lost source
 * is a sum of two products of these (see erasure_code_perf.c), the other is that plus the sum
 * for P. */
static void work_isal_pq_recover(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_bytes(c, tier, c->k + 2, c->k, 2, w);
    count_pq(c, tier, w);
    if (perf_has_gfni(tier))
        count_uops(c, tier, 4, 0, 0, 2, w);
    else
        count_uops(c, tier, 6, 6, 4, 0, w);
}

/* ---- The family ---- */

#define OP(fn, kernel_name, granule, fill_fn, run_fn)                             \
    {                                                                             \
        .name = #fn, .built_in = (perf_fn) fn, .kernel = kernel_name, .shape = 1, \
        .multiple = granule, .work = work_##fn, .fill = fill_fn, .run = run_fn,   \
    }

static const struct perf_op ops[] = {
    OP(xor_gen, NULL, 1, fill_xor, run_xor),
    OP(xor_check, NULL, 1, fill_xor, run_xor),
    OP(pq_gen, NULL, 32, fill_pq, run_pq),
    OP(pq_check, NULL, 16, fill_pq, run_pq),
    OP(isal_xor_recover, "xor_gen", 1, fill_xor, run_xor_recover),
    OP(isal_pq_recover, "pq_gen", 1, fill_pq, run_pq_recover),
};

static const struct perf_peer peers[] = {{.name = "libisal", .file = "libisal.so.2"}};

const struct perf_family perf_raid = {
    .name = "raid",
    .title = "RAID parity: XOR and P+Q",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "source bytes, without parity",
    .shape = "K, the number of sources, 2 to 255; +P is ignored",
    .default_op = "all",
    .default_shape = "10",
    .default_size = "512,4K,64K,1M",
    .shape_ok = shape_ok,
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
