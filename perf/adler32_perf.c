/* Benchmarks of Adler-32.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include "isa-l/igzip_lib.h"

/* Types of the function in this library, zlib and libdeflate. */
typedef uint32_t isal_fn(uint32_t init, const unsigned char *buf, uint64_t len);
typedef unsigned long zlib_fn(unsigned long init, const unsigned char *buf, unsigned len);
typedef uint32_t libdeflate_fn(uint32_t init, const void *buf, size_t len);

/* Every call computes a separate checksum, as for the pages or chunks of a file. */
#define RUN(type, length)                                              \
    static void run_##type(struct perf_run *r, size_t n)               \
    {                                                                  \
        type##_fn *fn = (type##_fn *) r->impl->fn;                     \
        uint32_t sum = 0;                                              \
        while (n--)                                                    \
            sum |= (uint32_t) fn(1, *perf_next(r), length r->c->size); \
        if (!sum)                                                      \
            perf_fail("%s failed", r->c->op->name);                    \
    }

RUN(isal, )
RUN(zlib, (unsigned) )
RUN(libdeflate, )

/* Per vector, as in adler32_sum.asm: a sum of bytes, and a dot product with 1.25 additions, or
 * without dot products 17 uops for four vectors. */
static void work_adler32(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    double vectors;
    int dot = tier >= T_AVX512;

    perf_reads(c, tier, w);
    if (!w->width)
        return;
    vectors = w->read / w->width;
    w->uops[PORT_LOAD] = vectors;
    w->uops[PORT_LOGIC] = vectors * (dot ? 2.25 : 17. / 4);
    w->uops[PORT_SAD] = vectors;
}

static const struct perf_op ops[] = {
    {.name = "isal_adler32",
     .built_in = (perf_fn) isal_adler32,
     .kernel = "adler32",
     .multiple = 1,
     .work = work_adler32,
     .run = run_isal},
};

static const struct perf_op zlib_ops[] = {
    {.name = "isal_adler32", .symbol = "adler32", .run = run_zlib}};
static const struct perf_op libdeflate_ops[] = {
    {.name = "isal_adler32", .symbol = "libdeflate_adler32", .run = run_libdeflate}};

static const struct perf_peer peers[] = {
    {.name = "libisal", .file = "libisal.so.2"},
    {.name = "zlib", .file = "libz.so.1", .ops = zlib_ops, .op_count = ARRAY_SIZE(zlib_ops)},
    {.name = "libdeflate",
     .file = "libdeflate.so.0",
     .ops = libdeflate_ops,
     .op_count = ARRAY_SIZE(libdeflate_ops)},
};

const struct perf_family perf_adler32 = {
    .name = "adler32",
    .title = "Adler-32",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes read",
    .default_op = "all",
    .default_size = "16,64,256,1K,4K,64K,1M",
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
