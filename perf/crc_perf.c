/* Benchmarks of the CRCs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include "isa-l/crc.h"
#include "isa-l/crc64.h"

#include <string.h>

/* X(name, bits, kind of work, kernel, kernel of the copy) */
#define CRCS(X)                                                           \
    X(crc16_t10dif, 16, t10dif, "crc16_t10dif", "crc16_t10dif_copy")      \
    X(crc32_ieee, 32, taps_norm, "crc32_ieee", "crc_copy_norm")           \
    X(crc32_gzip_refl, 32, taps_refl, "crc32_gzip_refl", "crc_copy_refl") \
    X(crc32_iscsi, iscsi, iscsi, "crc32_iscsi", "crc32_iscsi_copy")       \
    X(crc64_ecma_norm, 64, norm, "crc_fold_norm", "crc_copy_norm")        \
    X(crc64_ecma_refl, 64, refl, "crc_fold_refl", "crc_copy_refl")        \
    X(crc64_iso_norm, 64, taps_norm, "crc64_iso_norm", "crc_copy_norm")   \
    X(crc64_iso_refl, 64, taps_refl, "crc64_iso_refl", "crc_copy_refl")   \
    X(crc64_jones_norm, 64, norm, "crc_fold_norm", "crc_copy_norm")       \
    X(crc64_jones_refl, 64, refl, "crc_fold_refl", "crc_copy_refl")       \
    X(crc64_rocksoft_norm, 64, norm, "crc_fold_norm", "crc_copy_norm")    \
    X(crc64_rocksoft_refl, 64, refl, "crc_fold_refl", "crc_copy_refl")

/* ---- Calls: each computes a separate CRC, as for the sectors or chunks of a file ---- */

static volatile uint64_t result; /* keeps the calls */

#define RUN(name, type, call)                      \
    static void name(struct perf_run *r, size_t n) \
    {                                              \
        type *fn = (type *) r->impl->fn;           \
        size_t size = r->c->size;                  \
        uint64_t sum = 0;                          \
        while (n--) {                              \
            uint8_t **set = perf_next(r);          \
            sum += call;                           \
        }                                          \
        result = sum;                              \
    }

typedef uint16_t fn16(uint16_t crc, const uint8_t *buf, uint64_t len);
typedef uint32_t fn32(uint32_t crc, const uint8_t *buf, uint64_t len);
typedef uint64_t fn64(uint64_t crc, const uint8_t *buf, uint64_t len);
typedef unsigned iscsi_fn(uint8_t *buf, int len, unsigned crc);
typedef uint16_t copy_t10dif_fn(uint16_t crc, uint8_t *dst, uint8_t *src, uint64_t len);
typedef uint16_t copy16_fn(void *dst, const void *src, size_t len, uint16_t crc);
typedef uint32_t copy32_fn(void *dst, const void *src, size_t len, uint32_t crc);
typedef uint64_t copy64_fn(void *dst, const void *src, size_t len, uint64_t crc);
typedef void *memcpy_fn(void *dst, const void *src, size_t len);
typedef unsigned long zlib_fn(unsigned long crc, const uint8_t *buf, unsigned len);
typedef uint32_t libdeflate_fn(uint32_t crc, const void *buf, size_t len);

RUN(run_16, fn16, fn(0, set[0], size))
RUN(run_32, fn32, fn(0, set[0], size))
RUN(run_64, fn64, fn(0, set[0], size))
RUN(run_iscsi, iscsi_fn, fn(set[0], (int) size, 0))
RUN(run_copy_t10dif, copy_t10dif_fn, fn(0, set[1], set[0], size))
RUN(run_copy_16, copy16_fn, fn(set[1], set[0], size, 0))
RUN(run_copy_32, copy32_fn, fn(set[1], set[0], size, 0))
RUN(run_copy_64, copy64_fn, fn(set[1], set[0], size, 0))
RUN(run_zlib, zlib_fn, fn(0, set[0], (unsigned) size))
RUN(run_libdeflate, libdeflate_fn, fn(0, set[0], size))

/* The alternative to a copy with CRC: memcpy(), then the same CRC of this library. */
#define CALL_16(name) name(0, set[1], size)
#define CALL_32(name) name(0, set[1], size)
#define CALL_64(name) name(0, set[1], size)
#define CALL_iscsi(name) name(set[1], (int) size, 0)
#define X(name, bits, kind, kernel, copy_kernel) \
    RUN(run_separate_##name, memcpy_fn, (fn(set[1], set[0], size), CALL_##bits(name)))
CRCS(X)
#undef X

/* ---- Work and limits ---- */

static void count_bytes(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    double size = (double) c->size;

    w->buffers = 1;
    w->buffer_size = c->size;
    w->bytes = w->read = size;
    w->width = perf_width(tier);
    /* Carry-less products are 16 bytes wide before VPCLMULQDQ. */
    if (w->width && !perf_has_gfni(tier))
        w->width = 16;
}

/* Two products for each vector; in normal order also a shuffle, of 32 bytes where the vectors
 * are as wide. PORT_FOLD measures whether both compete for a port. With VPCLMULQDQ they do not:
 * either the kernel reverses bits or the core has a second port for shuffles. */
static void count_folds(const struct perf_case *c, enum tier tier, int norm, struct perf_work *w)
{
    double vectors = w->width ? (double) c->size / w->width : 0;

    w->uops[PORT_CLMUL] = 2 * vectors;
    if (w->width && norm && !perf_has_gfni(tier)) {
        w->fold_width = perf_width(tier) > 16 ? 32 : 16;
        w->uops[PORT_FOLD] = (double) c->size / w->fold_width;
    }
}

static void work_refl(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_bytes(c, tier, w);
    count_folds(c, tier, 0, w);
}

static void work_norm(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_bytes(c, tier, w);
    count_folds(c, tier, 1, w);
}

/* Taps: `loads` and `xors` per vector, as the caller counts them for this tier. They replace
 * folding where they take fewer cycles and the message has at least `from` bytes: the remainder of
 * a shorter message would be too large. */
static void count_taps(const struct perf_case *c, enum tier tier, size_t from, double loads,
                       double xors, struct perf_work *w)
{
    unsigned width = perf_width(tier);
    double vectors = (double) c->size / width, folding, rate;

    if (width < 32 || c->size < from)
        return;
    rate = perf_rate(PORT_CLMUL, w->width);
    folding = rate > 0 ? w->uops[PORT_CLMUL] / rate : 0;
    rate = w->fold_width ? perf_rate(PORT_FOLD, w->fold_width) : 0;
    if (rate > 0 && w->uops[PORT_FOLD] / rate > folding)
        folding = w->uops[PORT_FOLD] / rate;
    if (vectors * loads / perf_rate(PORT_LOAD, width) >= folding ||
        vectors * xors / perf_rate(PORT_LOGIC, width) >= folding)
        return;
    w->width = width;
    memset(w->uops, 0, sizeof(w->uops));
    w->uops[PORT_LOAD] = vectors * loads;
    w->uops[PORT_LOGIC] = vectors * xors;
}

/* Shortest message for which a kernel uses taps in memory. */
#define TAPS_FROM 8192

/* Four taps in memory: five loads and four XORs, or two of three operands. */
static void work_taps_refl(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_refl(c, tier, w);
    if (!perf_has_gfni(tier))
        count_taps(c, tier, TAPS_FROM, 5, perf_has_ternlog(tier) ? 2 : 4, w);
}

static void work_taps_norm(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_norm(c, tier, w);
    if (!perf_has_gfni(tier))
        count_taps(c, tier, TAPS_FROM, 5, perf_has_ternlog(tier) ? 2 : 4, w);
}

/* The crc32 instruction processes a part of the bytes, 8 at a time, while folding processes the
 * rest, both at full rate. */
static void work_iscsi(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    double crc32, clmul, cycles;

    count_bytes(c, tier, w);
    crc32 = w->width ? perf_rate(PORT_CRC32, w->width) : 0;
    clmul = w->width ? perf_rate(PORT_CLMUL, w->width) : 0;
    if (crc32 <= 0 || clmul <= 0)
        return;
    cycles = (double) c->size / (8 * crc32 + w->width / 2 * clmul);
    w->uops[PORT_CRC32] = cycles * crc32;
    w->uops[PORT_CLMUL] = cycles * clmul;
}

/* Six taps in registers, a load and three XORs of three operands; with AVX2 four in memory. */
static void work_t10dif(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_norm(c, tier, w);
    if (perf_has_ternlog(tier))
        count_taps(c, tier, perf_has_gfni(tier) ? 12288 : 1536, 1, 3, w);
    else if (!perf_has_gfni(tier))
        count_taps(c, tier, 4096, 5, 4, w);
}

/* Copies add one store for each load. */
#define X(name, bits, kind, kernel, copy_kernel)                                                 \
    static void work_copy_##name(const struct perf_case *c, enum tier tier, struct perf_work *w) \
    {                                                                                            \
        work_##kind(c, tier, w);                                                                 \
        w->buffers = 2;                                                                          \
        w->written = (double) c->size;                                                           \
        w->uops[PORT_STORE] = w->width ? (double) c->size / w->width : 0;                        \
    }
CRCS(X)
#undef X

/* ---- The family ---- */

#define OP(fn, kernel_name, work_fn, run_fn)                                         \
    {                                                                                \
        .name = #fn, .built_in = (perf_fn) fn, .kernel = kernel_name, .multiple = 1, \
        .work = work_fn, .run = run_fn                                               \
    }
#define PLAIN_OP(name, bits, kind, kernel, copy_kernel) OP(name, kernel, work_##kind, run_##bits),
#define COPY_OP(name, bits, kind, kernel, copy_kernel) \
    OP(isal_##name##_copy, copy_kernel, work_copy_##name, run_copy_##bits),
#define COPY_NT_OP(name, bits, kind, kernel, copy_kernel) \
    OP(isal_##name##_copy_nt, NULL, work_copy_##name, run_copy_##bits),
#define run_copy_iscsi run_copy_32

static const struct perf_op ops[] = {CRCS(PLAIN_OP) OP(crc16_t10dif_copy, "crc16_t10dif_copy",
                                                       work_copy_crc16_t10dif, run_copy_t10dif),
                                     CRCS(COPY_OP) CRCS(COPY_NT_OP)};

#define PEER_OP(op, function, run_fn)                   \
    {                                                   \
        .name = #op, .symbol = #function, .run = run_fn \
    }
#define X(crc, bits, kind, kernel, copy_kernel)             \
    PEER_OP(isal_##crc##_copy, memcpy, run_separate_##crc), \
        PEER_OP(isal_##crc##_copy_nt, memcpy, run_separate_##crc),
static const struct perf_op memcpy_ops[] = {CRCS(X)};
#undef X
static const struct perf_op zlib_ops[] = {PEER_OP(crc32_gzip_refl, crc32, run_zlib)};
static const struct perf_op libdeflate_ops[] = {
    PEER_OP(crc32_gzip_refl, libdeflate_crc32, run_libdeflate)};

static const struct perf_peer peers[] = {
    {.name = "libisal", .file = "libisal.so.2"},
    {.name = "memcpy+crc",
     .file = "libc.so.6",
     .ops = memcpy_ops,
     .op_count = ARRAY_SIZE(memcpy_ops)},
    {.name = "zlib", .file = "libz.so.1", .ops = zlib_ops, .op_count = ARRAY_SIZE(zlib_ops)},
    {.name = "libdeflate",
     .file = "libdeflate.so.0",
     .ops = libdeflate_ops,
     .op_count = ARRAY_SIZE(libdeflate_ops)},
};

const struct perf_family perf_crc = {
    .name = "crc",
    .title = "CRCs, and copies with CRC",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes read",
    .default_op = "crc16_t10dif,crc32_ieee,crc32_gzip_refl,crc32_iscsi,crc64_ecma_norm,"
                  "crc64_ecma_refl",
    .default_size = "16,64,256,512,4K,64K,512K",
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
