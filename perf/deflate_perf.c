/* Benchmarks of compression.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each buffer is compressed to one stream by one call, or each record of it to a stream of its own.
 * Generated contents are text, since random bytes do not compress. */

#include "compression.h"

#include <stdlib.h>
#include <string.h>

typedef int isal_fn(struct isal_zstream *z);
typedef void isal_init_fn(struct isal_zstream *z);
typedef void *alloc_fn(int level);
typedef size_t libdeflate_fn(void *c, const void *in, size_t n, void *out, size_t room);

/* State of an implementation; each uses some members. */
struct coder {
    isal_init_fn *init;
    struct isal_zstream isal;
    uint8_t level_buf[1 << 20]; /* of any level */
    void *libdeflate;
    libdeflate_fn *compress;
    struct zlib_coder zlib;
};

/* Compresses one record. Returns the bytes of output, 0 if that failed. */
typedef size_t record_fn(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out,
                         size_t room);

static void run_records(struct perf_run *r, size_t calls, record_fn *record)
{
    const struct perf_case *c = r->c;

    while (calls--) {
        uint8_t **set = perf_next(r);
        size_t room = compressed_room(c, 0), made;

        r->made = 0;
        for (size_t at = 0; at < c->size; at += perf_record(c, at)) {
            made = record(r, set[0] + at, perf_record(c, at), set[1] + r->made, room - r->made);
            if (!made)
                perf_fail("%s failed", r->impl->op->name);
            r->made += made;
        }
    }
}

/* ---- Libraries with this interface ---- */

static void *prepare_isal(const struct perf_run *r)
{
    struct coder *coder = perf_alloc(1, sizeof(*coder));

    if (!strcmp(r->impl->op->name, "isal_deflate"))
        coder->init =
            (isal_init_fn *) perf_need(r, "isal_deflate_init", (perf_fn) isal_deflate_init);
    else
        coder->init = (isal_init_fn *) perf_need(r, "isal_deflate_stateless_init",
                                                 (perf_fn) isal_deflate_stateless_init);
    return coder;
}

static size_t record_isal(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out,
                          size_t room)
{
    struct coder *coder = r->state;

    coder->init(&coder->isal);
    coder->isal.level = (uint32_t) r->impl->level;
    return isal_code(&coder->isal, (isal_fn *) r->impl->fn, r->c->setting[0], coder->level_buf, in,
                     n, out, room);
}

static void run_isal(struct perf_run *r, size_t n)
{
    run_records(r, n, record_isal);
}

/* ---- Peers ---- */

static void *prepare_libdeflate(const struct perf_run *r)
{
    static const char *const names[FORMATS] = {
        "libdeflate_deflate_compress", "libdeflate_zlib_compress", "libdeflate_gzip_compress"};
    struct coder *coder = perf_alloc(1, sizeof(*coder));
    alloc_fn *make = (alloc_fn *) perf_need(r, "libdeflate_alloc_compressor", NULL);

    coder->compress = (libdeflate_fn *) perf_need(r, names[r->c->setting[0]], NULL);
    coder->libdeflate = make(r->impl->level);
    return coder;
}

static size_t record_libdeflate(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out,
                                size_t room)
{
    struct coder *coder = r->state;

    return coder->compress(coder->libdeflate, in, n, out, room);
}

static void run_libdeflate(struct perf_run *r, size_t n)
{
    run_records(r, n, record_libdeflate);
}

static void *prepare_zlib(const struct perf_run *r)
{
    struct coder *coder = perf_alloc(1, sizeof(*coder));
    perf_fn functions[3] = {perf_need(r, "deflateInit2_", NULL), perf_need(r, "deflate", NULL),
                            perf_need(r, "deflateReset", NULL)};

    zlib_start(&coder->zlib, functions, r->c->setting[0], r->impl->level);
    return coder;
}

/* zlib-ng's own interface: the stream differs from zlib's in no member that is used here. */
static void *prepare_zlib_ng(const struct perf_run *r)
{
    struct coder *coder = perf_alloc(1, sizeof(*coder));
    perf_fn functions[3] = {perf_need(r, "zng_deflateInit2", NULL),
                            perf_need(r, "zng_deflate", NULL),
                            perf_need(r, "zng_deflateReset", NULL)};

    zlib_ng_start(&coder->zlib, functions, r->c->setting[0], r->impl->level);
    return coder;
}

static size_t record_zlib(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out,
                          size_t room)
{
    return zlib_code(&((struct coder *) r->state)->zlib, in, n, out, room);
}

static void run_zlib(struct perf_run *r, size_t n)
{
    run_records(r, n, record_zlib);
}

/* ---- The family ---- */

static void fill(const struct perf_case *c, uint8_t **set)
{
    if (c->random)
        make_text(set[0], c->size);
}

/* Returns whether the output decompresses to the input. */
static int check(const struct perf_run *r)
{
    const struct perf_case *c = r->c;
    struct inflate_state *s = perf_alloc(1, sizeof(*s));
    uint8_t *back = perf_alloc(c->size, 1);
    int right = 1;

    s->next_in = r->sets[1];
    s->avail_in = (uint32_t) r->made;
    for (size_t at = 0; right && at < c->size; at += perf_record(c, at)) {
        s->next_out = back + at;
        s->avail_out = (uint32_t) perf_record(c, at);
        s->crc_flag = crc_flags[c->setting[0]];
        right = isal_inflate_stateless(s) == ISAL_DECOMP_OK && s->avail_out == 0;
    }
    right = right && s->avail_in == 0 && !memcmp(back, r->sets[0], c->size);
    free(back);
    free(s);
    return right;
}

/* No formula: the time of compression depends on the data. */
static void work(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    (void) tier;
    w->buffers = 2;
    w->buffer_size = compressed_room(c, 0);
    w->bytes = w->read = (double) c->size;
    w->written = (double) c->size / 3;
}

#define OP(function)                                                                          \
    {                                                                                         \
        .name = #function, .built_in = (perf_fn) function, .kernel = "deflate_find_lazy",     \
        .multiple = 1, .work = work, .fill = fill, .prepare = prepare_isal, .any_buffers = 1, \
        .run = run_isal, .check = check,                                                      \
    }
static const struct perf_op ops[] = {OP(isal_deflate_stateless), OP(isal_deflate)};

/* Peers are timed in one call, whichever function they are compared with. */
#define PEER(function, symbol_name, prepare_fn, run_fn)                                    \
    {                                                                                      \
        .name = #function, .symbol = symbol_name, .prepare = prepare_fn, .any_buffers = 1, \
        .run = run_fn,                                                                     \
    }
static const struct perf_op libdeflate_ops[] = {
    PEER(isal_deflate_stateless, "libdeflate_deflate_compress", prepare_libdeflate, run_libdeflate),
    PEER(isal_deflate, "libdeflate_deflate_compress", prepare_libdeflate, run_libdeflate)};
static const struct perf_op zlib_ops[] = {
    PEER(isal_deflate_stateless, "deflate", prepare_zlib, run_zlib),
    PEER(isal_deflate, "deflate", prepare_zlib, run_zlib)};
static const struct perf_op zlib_ng_ops[] = {
    PEER(isal_deflate_stateless, "zng_deflate", prepare_zlib_ng, run_zlib),
    PEER(isal_deflate, "zng_deflate", prepare_zlib_ng, run_zlib)};

static const struct perf_peer peers[] = {
    {.name = "libisal", .file = "libisal.so.2"},
    {.name = "libdeflate",
     .file = "libdeflate.so.0",
     .ops = libdeflate_ops,
     .op_count = ARRAY_SIZE(libdeflate_ops),
     .levels = {1, 12}},
    {.name = "zlib",
     .file = "libz.so.1",
     .ops = zlib_ops,
     .op_count = ARRAY_SIZE(zlib_ops),
     .levels = {1, 9}},
    {.name = "zlib-ng",
     .file = "libz-ng.so.2",
     .ops = zlib_ng_ops,
     .op_count = ARRAY_SIZE(zlib_ng_ops),
     .levels = {1, 9}},
};

const struct perf_family perf_deflate = {
    .name = "deflate",
    .title = "compression",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes of input",
    .default_op = "isal_deflate_stateless",
    .default_size = "4K,64K,1M",
    .settings = {{"format", FORMAT_CHOICES}},
    .records = 1,
    .levels = {0, ISAL_DEF_HIGHEST_LEVEL},
    .older = {"isal_deflate_level_buf_size", {0, ISAL_DEF_MAX_LEVEL}},
    .default_level = "0,1,2,3,4,5,6",
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
