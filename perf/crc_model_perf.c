/* Benchmarks of CRCs of any polynomial, of arithmetic with CRCs, and of protection information.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include <stdlib.h>

#include "isa-l/crc.h"
#include "isa-l/crc64.h"
#include "isa-l/crc_model.h"
#include "isa-l/t10_pi.h"

static volatile uint64_t result; /* keeps the calls */

/* ---- Descriptors: polynomials without a function of their own in isa-l/crc.h ---- */

#define POLYNOMIALS(X)                    \
    X(16_norm, 16, 0, 0x6f63)             \
    X(16_refl, 16, 1, 0x3d65)             \
    X(32_norm, 32, 0, 0x814141ab)         \
    X(32_refl, 32, 1, 0xf4acfb13)         \
    X(64_norm, 64, 0, 0x259c84cba6426349) \
    X(64_refl, 64, 1, 0x259c84cba6426349)

#define X(name, width, refl, poly)                                                        \
    static void *prepare_##name(const struct perf_run *r)                                 \
    {                                                                                     \
        const struct isal_crc_params params = {"user", width, refl, refl, poly, 0, 0, 0}; \
        struct isal_crc *crc = perf_alloc(1, sizeof *crc);                                \
        (void) r;                                                                         \
        if (isal_crc_init(crc, &params) != ISAL_CRC_OK)                                   \
            perf_fail("isal_crc_init failed");                                            \
        return crc;                                                                       \
    }
POLYNOMIALS(X)
#undef X

static void run_update(struct perf_run *r, size_t n)
{
    uint64_t (*fn)(const struct isal_crc *, uint64_t, const void *, size_t) =
        (uint64_t(*)(const struct isal_crc *, uint64_t, const void *, size_t)) r->impl->fn;
    uint64_t sum = 0;

    while (n--)
        sum += fn(r->state, 0, *perf_next(r), r->c->size);
    result = sum;
}

static void run_copy(struct perf_run *r, size_t n)
{
    uint64_t sum = 0;

    while (n--) {
        uint8_t **set = perf_next(r);
        sum += isal_crc_copy(r->state, 0, set[1], set[0], r->c->size);
    }
    result = sum;
}

/* Chunks of equal length, as crc_file combines them. */
static void run_combine(struct perf_run *r, size_t n)
{
    uint64_t sum = 0;

    while (n--)
        sum = isal_crc_combine(r->state, sum, n, r->c->size);
    result = sum;
}

/* The same products for each vector as the folding kernels of isa-l/crc.h, whose formulas are in
 * crc_perf.c. */
static void count(const struct perf_case *c, enum tier tier, int norm, struct perf_work *w)
{
    w->buffers = 1;
    w->buffer_size = c->size;
    w->bytes = w->read = (double) c->size;
    w->width = perf_has_gfni(tier) ? perf_width(tier) : perf_width(tier) ? 16 : 0;
    if (w->width)
        w->uops[PORT_CLMUL] = 2 * w->bytes / w->width;
    if (w->width && norm && !perf_has_gfni(tier)) {
        w->fold_width = perf_width(tier) > 16 ? 32 : 16;
        w->uops[PORT_FOLD] = w->bytes / w->fold_width;
    }
}

static void work_norm(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count(c, tier, 1, w);
}

static void work_refl(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count(c, tier, 0, w);
}

static void work_copy(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_refl(c, tier, w);
    w->buffers = 2;
    w->written = w->bytes;
}

/* It reads no data; only the time of a call matters. */
static void work_combine(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    (void) tier;
    w->buffers = 1;
    w->buffer_size = 64;
    w->bytes = (double) c->size;
}

/* ---- Protection information: size counts the data of all sectors of a call ---- */

#define DIF(id, sector_bytes, guard_bits, call)                                                 \
    static void run_##id(struct perf_run *r, size_t n)                                          \
    {                                                                                           \
        struct isal_dif dif;                                                                    \
        uint64_t count = r->c->size / sector_bytes;                                             \
        int bad = isal_dif_init(&dif, ISAL_DIF_TYPE1, sector_bytes, guard_bits, 1);             \
        while (n--) {                                                                           \
            uint8_t *sectors = *perf_next(r);                                                   \
            bad |= call;                                                                        \
        }                                                                                       \
        if (bad)                                                                                \
            perf_fail("%s failed", r->c->op->name);                                             \
    }                                                                                           \
    static void work_##id(const struct perf_case *c, enum tier tier, struct perf_work *w)       \
    {                                                                                           \
        (void) tier;                                                                            \
        w->buffers = 1;                                                                         \
        w->buffer_size = c->size / sector_bytes * (sector_bytes + (guard_bits == 64 ? 16 : 8)); \
        w->bytes = w->read = (double) c->size;                                                  \
    }
DIF(dif_generate_512, 512, 16, isal_dif_generate(&dif, sectors, count, 0))
DIF(dif_generate_4096, 4096, 16, isal_dif_generate(&dif, sectors, count, 0))
DIF(dif_generate64_4096, 4096, 64, isal_dif_generate(&dif, sectors, count, 0))
DIF(dif_verify_512, 512, 16, isal_dif_verify(&dif, sectors, count, 0, NULL))
DIF(dif_verify_4096, 4096, 16, isal_dif_verify(&dif, sectors, count, 0, NULL))

static void fill_dif(const struct perf_case *c, uint8_t **set)
{
    size_t sector = c->op->multiple;
    struct isal_dif dif;

    isal_dif_init(&dif, ISAL_DIF_TYPE1, sector, ISAL_DIF_GUARD16, 1);
    isal_dif_generate(&dif, *set, c->size / sector, 0);
}

/* ---- The family ---- */

#define X(id, width, refl, poly)                         \
    {.name = "isal_crc_update_" #id,                     \
     .built_in = (perf_fn) isal_crc_update,              \
     .kernel = refl ? "crc_fold_refl" : "crc_fold_norm", \
     .multiple = 1,                                      \
     .work = refl ? work_refl : work_norm,               \
     .prepare = prepare_##id,                            \
     .run = run_update},
#define DIF_OP(op_name, function, sector)                                     \
    {                                                                         \
        .name = #op_name, .built_in = (perf_fn) function, .multiple = sector, \
        .work = work_##op_name, .fill = fill_dif, .run = run_##op_name        \
    }

static const struct perf_op ops[] = {
    POLYNOMIALS(X){.name = "isal_crc_copy_32_refl",
                   .built_in = (perf_fn) isal_crc_copy,
                   .kernel = "crc_copy_refl",
                   .multiple = 1,
                   .work = work_copy,
                   .prepare = prepare_32_refl,
                   .run = run_copy},
    {.name = "isal_crc_combine_32_refl",
     .built_in = (perf_fn) isal_crc_combine,
     .kernel = "crc_multiply_refl",
     .multiple = 1,
     .work = work_combine,
     .prepare = prepare_32_refl,
     .run = run_combine},
    DIF_OP(dif_generate_512, isal_dif_generate, 512),
    DIF_OP(dif_generate_4096, isal_dif_generate, 4096),
    DIF_OP(dif_generate64_4096, isal_dif_generate, 4096),
    DIF_OP(dif_verify_512, isal_dif_verify, 512),
    DIF_OP(dif_verify_4096, isal_dif_verify, 4096),
};

const struct perf_family perf_crc_model = {
    .name = "crc_model",
    .title = "CRCs of any polynomial, protection information",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes covered (combine: length of the second block; dif: sector data)",
    .default_op = "all",
    .default_size = "4K,64K",
};
