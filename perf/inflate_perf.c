/* Benchmarks of decompression.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each buffer of output is decompressed from a stream of its own, which this library's compression
 * made of it at level 3. Contents that do not compress, as random ones, are replaced by text. */

#include "perf.h"

#include <stdlib.h>
#include <string.h>

#include "isa-l/igzip_lib.h"

/* A set: the stream, behind its length, and the output. */
#define LENGTH_BYTES 8
#define SLACK 1024

typedef int isal_fn(struct inflate_state *state);
typedef void *alloc_fn(void);
typedef int libdeflate_fn(void *d, const void *in, size_t in_len, void *out, size_t room,
                          size_t *len);

static const uint16_t flags[][2] = {
    {ISAL_DEFLATE, IGZIP_DEFLATE}, {ISAL_ZLIB, IGZIP_ZLIB}, {ISAL_GZIP, IGZIP_GZIP}};

static void make_text(uint8_t *data, size_t n)
{
    static const char *const words[] = {"the ",   "storage ", "of ",   "a ",     "block, ", "and ",
                                        "stream", "s ",       "in ",   "window", ".\n",     "with ",
                                        "code ",  "match ",   "table", "ed "};
    uint32_t x = 1;

    for (size_t at = 0; at < n;) {
        const char *word = words[(x = x * 1664525 + 1013904223) >> 28];
        for (; *word && at < n; at++)
            data[at] = (uint8_t) *word++;
    }
}

static size_t compress(const struct perf_case *c, uint8_t *from, uint8_t *to)
{
    static uint8_t level_buf[ISAL_DEF_LVL3_DEFAULT];
    struct isal_zstream *z = perf_alloc(1, sizeof *z);
    size_t len;

    isal_deflate_stateless_init(z);
    z->level = 3;
    z->level_buf = level_buf;
    z->level_buf_size = sizeof level_buf;
    z->gzip_flag = flags[c->setting][1];
    z->end_of_stream = 1;
    z->next_in = from;
    z->avail_in = (uint32_t) c->size;
    z->next_out = to;
    z->avail_out = (uint32_t) (c->size + SLACK / 2 + c->size / 1000);
    if (isal_deflate_stateless(z) != COMP_OK)
        perf_fail("cannot compress");
    len = z->total_out;
    free(z);
    return len;
}

static void fill(const struct perf_case *c, uint8_t **set)
{
    uint64_t len = compress(c, set[1], set[0] + LENGTH_BYTES);

    if (len > c->size - c->size / 64) {
        make_text(set[1], c->size);
        len = compress(c, set[1], set[0] + LENGTH_BYTES);
    }
    memcpy(set[0], &len, sizeof len);
}

static size_t stream(uint8_t *const *set)
{
    uint64_t len;

    memcpy(&len, set[0], sizeof len);
    return (size_t) len;
}

static void *prepare_isal(const struct perf_run *r)
{
    (void) r;
    return perf_alloc(1, sizeof(struct inflate_state));
}

static void run_isal(struct perf_run *r, size_t n, int streaming)
{
    isal_fn *fn = (isal_fn *) r->impl->fn;
    struct inflate_state *s = r->state;
    int bad = 0;

    while (n--) {
        uint8_t **set = perf_next(r);
        if (streaming)
            isal_inflate_init(s);
        s->next_in = set[0] + LENGTH_BYTES;
        s->avail_in = (uint32_t) stream(set);
        s->next_out = set[1];
        s->avail_out = (uint32_t) r->c->size;
        s->crc_flag = flags[r->c->setting][0];
        bad |= fn(s) || s->block_state != ISAL_BLOCK_FINISH;
    }
    if (bad)
        perf_fail("%s failed", r->c->op->name);
}

static void run_stateless(struct perf_run *r, size_t n)
{
    run_isal(r, n, 0);
}

static void run_streaming(struct perf_run *r, size_t n)
{
    run_isal(r, n, 1);
}

static void *prepare_libdeflate(const struct perf_run *r)
{
    static const char *const names[] = {"libdeflate_deflate_decompress",
                                        "libdeflate_zlib_decompress", "libdeflate_gzip_decompress"};
    alloc_fn *make = (alloc_fn *) perf_symbol(r, "libdeflate_alloc_decompressor");
    void **state = perf_alloc(2, sizeof *state);
    perf_fn fn = perf_symbol(r, names[r->c->setting]);

    if (!make || !fn)
        perf_fail("libdeflate lacks a function");
    state[0] = make();
    memcpy(&state[1], &fn, sizeof fn);
    return state;
}

static void run_libdeflate(struct perf_run *r, size_t n)
{
    void **state = r->state;
    libdeflate_fn *fn;
    size_t len;
    int bad = 0;

    memcpy(&fn, &state[1], sizeof fn);
    while (n--) {
        uint8_t **set = perf_next(r);
        bad |= fn(state[0], set[0] + LENGTH_BYTES, stream(set), set[1], r->c->size, &len);
    }
    if (bad)
        perf_fail("libdeflate failed");
}

/* There is no formula: what decoding takes depends on the data. */
static void work(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    (void) tier;
    w->buffers = 2;
    w->buffer_size = c->size + c->size / 1000 + SLACK;
    w->bytes = w->written = (double) c->size;
    w->read = (double) c->size / 3;
}

static const struct perf_op ops[] = {
    {.name = "isal_inflate_stateless",
     .own = (perf_fn) isal_inflate_stateless,
     .kernel = "inflate",
     .multiple = 1,
     .work = work,
     .fill = fill,
     .prepare = prepare_isal,
     .run = run_stateless},
    {.name = "isal_inflate",
     .own = (perf_fn) isal_inflate,
     .kernel = "inflate",
     .multiple = 1,
     .work = work,
     .fill = fill,
     .prepare = prepare_isal,
     .run = run_streaming},
};

static const struct perf_op libdeflate_ops[] = {{.name = "isal_inflate_stateless",
                                                 .symbol = "libdeflate_deflate_decompress",
                                                 .prepare = prepare_libdeflate,
                                                 .run = run_libdeflate}};

static const struct perf_peer peers[] = {
    {.name = "libisal", .file = "libisal.so.2"},
    {.name = "libdeflate",
     .file = "libdeflate.so.0",
     .ops = libdeflate_ops,
     .op_count = ARRAY_SIZE(libdeflate_ops)},
};

const struct perf_family perf_inflate = {
    .name = "inflate",
    .title = "decompression",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes of output",
    .default_op = "isal_inflate_stateless",
    .default_size = "4K,64K,1M",
    .setting = "format",
    .choices = "raw,zlib,gzip",
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
