/* Benchmarks of decompression.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each output buffer is decompressed from one stream, or from one stream for each record. This
 * library or zlib makes the streams, as --streams says. Generated contents are text, since
 * random bytes do not compress. */

#include "compression.h"

#include <string.h>

#include "isa-l/crc.h"

/* Buffers of a set: the CRC of the output and the streams, each after its length; the output. */
#define LENGTH_BYTES 8
#define SUM_BYTES 8

/* Makers of the streams, the second setting. */
#define STREAM_CHOICES                                                                     \
    "isal-3,isal-0,isal-1,isal-2,zlib-0,zlib-1,zlib-2,zlib-3,zlib-4,zlib-5,zlib-6,zlib-7," \
    "zlib-8,zlib-9"
#define ISAL_CHOICES 4

typedef int isal_fn(struct inflate_state *state);
typedef void isal_init_fn(struct inflate_state *state);
typedef void *alloc_fn(void);
typedef int libdeflate_fn(void *d, const void *in, size_t in_len, void *out, size_t room,
                          size_t *len);

/* ---- Streams ---- */

struct maker {
    struct isal_zstream isal;
    uint8_t level_buf[ISAL_DEF_LVL3_DEFAULT];
    struct zlib_coder zlib; /* ready once stream.state is set */
};

static size_t compress(const struct perf_case *c, struct maker *m, const uint8_t *in, size_t n,
                       uint8_t *out)
{
    static const uint32_t levels[ISAL_CHOICES] = {3, 0, 1, 2};
    size_t room = n * 5 / 4 + 64, made;

    if (c->setting[1] < ISAL_CHOICES) {
        isal_deflate_stateless_init(&m->isal);
        m->isal.level = levels[c->setting[1]];
        made = isal_code(&m->isal, isal_deflate_stateless, c->setting[0], m->level_buf, in, n, out,
                         room);
    } else {
        made = zlib_code(&m->zlib, in, n, out, room);
    }
    if (!made)
        perf_fail("cannot compress");
    return made;
}

static void put64(uint8_t *to, uint64_t value)
{
    memcpy(to, &value, sizeof(value));
}

static uint64_t get64(const uint8_t *from)
{
    uint64_t value;

    memcpy(&value, from, sizeof(value));
    return value;
}

static void fill(const struct perf_case *c, uint8_t **set)
{
    static struct maker maker; /* serves all files: format and level are the same */
    struct maker *m = &maker;
    uint8_t *to = set[0] + SUM_BYTES;

    if (c->random)
        make_text(set[1], c->size);
    if (c->setting[1] >= ISAL_CHOICES && !m->zlib.stream.state)
        zlib_start_system(&m->zlib, c->setting[0], c->setting[1] - ISAL_CHOICES);
    put64(set[0], crc32_gzip_refl(0, set[1], c->size));
    for (size_t at = 0; at < c->size; at += perf_record(c, at)) {
        size_t made = compress(c, m, set[1] + at, perf_record(c, at), to + LENGTH_BYTES);
        put64(to, made);
        to += LENGTH_BYTES + made;
    }
    memset(set[1], 0, c->size);
}

/* Returns whether the output is what was compressed. */
static int check(const struct perf_run *r)
{
    return get64(r->sets[0]) == crc32_gzip_refl(0, r->sets[1], r->c->size);
}

/* ---- Decompressing ---- */

/* An implementation's state. */
struct coder {
    isal_init_fn *init; /* NULL: none is needed before each stream */
    struct inflate_state isal;
    void *libdeflate;
    libdeflate_fn *decompress;
    struct zlib_coder zlib;
};

/* Decompresses a stream of n bytes to `size` bytes. Returns whether that failed. */
typedef int record_fn(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out, size_t size);

static void run_records(struct perf_run *r, size_t calls, record_fn *record)
{
    const struct perf_case *c = r->c;
    int bad = 0;

    while (calls--) {
        uint8_t **set = perf_next(r);
        const uint8_t *in = set[0] + SUM_BYTES;

        for (size_t at = 0; at < c->size; at += perf_record(c, at)) {
            size_t n = (size_t) get64(in);
            bad |= record(r, in + LENGTH_BYTES, n, set[1] + at, perf_record(c, at));
            in += LENGTH_BYTES + n;
        }
    }
    if (bad)
        perf_fail("%s failed", r->impl->op->name);
}

static void *prepare_isal(const struct perf_run *r)
{
    struct coder *coder = perf_alloc(1, sizeof(*coder));

    if (!strcmp(r->impl->op->name, "isal_inflate"))
        coder->init =
            (isal_init_fn *) perf_need(r, "isal_inflate_init", (perf_fn) isal_inflate_init);
    return coder;
}

static int record_isal(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out, size_t size)
{
    struct coder *coder = r->state;
    struct inflate_state *s = &coder->isal;

    if (coder->init)
        coder->init(s);
    s->next_in = (uint8_t *) (uintptr_t) in;
    s->avail_in = (uint32_t) n;
    s->next_out = out;
    s->avail_out = (uint32_t) size;
    s->crc_flag = crc_flags[r->c->setting[0]];
    return ((isal_fn *) r->impl->fn)(s) || s->block_state != ISAL_BLOCK_FINISH || s->avail_out;
}

static void run_isal(struct perf_run *r, size_t n)
{
    run_records(r, n, record_isal);
}

static void *prepare_libdeflate(const struct perf_run *r)
{
    static const char *const names[FORMATS] = {"libdeflate_deflate_decompress",
                                               "libdeflate_zlib_decompress",
                                               "libdeflate_gzip_decompress"};
    struct coder *coder = perf_alloc(1, sizeof(*coder));
    alloc_fn *make = (alloc_fn *) perf_need(r, "libdeflate_alloc_decompressor", NULL);

    coder->decompress = (libdeflate_fn *) perf_need(r, names[r->c->setting[0]], NULL);
    coder->libdeflate = make();
    return coder;
}

static int record_libdeflate(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out,
                             size_t size)
{
    struct coder *coder = r->state;
    size_t made;

    return coder->decompress(coder->libdeflate, in, n, out, size, &made) || made != size;
}

static void run_libdeflate(struct perf_run *r, size_t n)
{
    run_records(r, n, record_libdeflate);
}

static void *prepare_zlib(const struct perf_run *r)
{
    struct coder *coder = perf_alloc(1, sizeof(*coder));
    perf_fn functions[3] = {perf_need(r, "inflateInit2_", NULL), perf_need(r, "inflate", NULL),
                            perf_need(r, "inflateReset", NULL)};

    zlib_start(&coder->zlib, functions, r->c->setting[0], -1);
    return coder;
}

static int record_zlib(struct perf_run *r, const uint8_t *in, size_t n, uint8_t *out, size_t size)
{
    return zlib_code(&((struct coder *) r->state)->zlib, in, n, out, size) != size;
}

static void run_zlib(struct perf_run *r, size_t n)
{
    run_records(r, n, record_zlib);
}

/* ---- The family ---- */

/* No formula: the time of decoding depends on the data. */
static void work(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    (void) tier;
    w->buffers = 2;
    w->buffer_size = SUM_BYTES + compressed_room(c, LENGTH_BYTES);
    w->bytes = w->written = (double) c->size;
    w->read = (double) c->size / 3;
}

#define OP(function)                                                                            \
    {                                                                                           \
        .name = #function, .built_in = (perf_fn) function, .kernel = "inflate", .multiple = 1,  \
        .work = work, .fill = fill, .prepare = prepare_isal, .any_buffers = 1, .run = run_isal, \
        .check = check,                                                                         \
    }
static const struct perf_op ops[] = {OP(isal_inflate_stateless), OP(isal_inflate)};

/* Peers are timed in one call, whichever function they are compared with. */
#define PEER(function, symbol_name, prepare_fn, run_fn)                                    \
    {                                                                                      \
        .name = #function, .symbol = symbol_name, .prepare = prepare_fn, .any_buffers = 1, \
        .run = run_fn,                                                                     \
    }
static const struct perf_op libdeflate_ops[] = {
    PEER(isal_inflate_stateless, "libdeflate_deflate_decompress", prepare_libdeflate,
         run_libdeflate),
    PEER(isal_inflate, "libdeflate_deflate_decompress", prepare_libdeflate, run_libdeflate)};
static const struct perf_op zlib_ops[] = {
    PEER(isal_inflate_stateless, "inflate", prepare_zlib, run_zlib),
    PEER(isal_inflate, "inflate", prepare_zlib, run_zlib)};

static const struct perf_peer peers[] = {
    {.name = "libisal", .file = "libisal.so.2"},
    {.name = "libdeflate",
     .file = "libdeflate.so.0",
     .ops = libdeflate_ops,
     .op_count = ARRAY_SIZE(libdeflate_ops)},
    {.name = "zlib", .file = "libz.so.1", .ops = zlib_ops, .op_count = ARRAY_SIZE(zlib_ops)},
};

const struct perf_family perf_inflate = {
    .name = "inflate",
    .title = "decompression",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes of output",
    .default_op = "isal_inflate_stateless",
    .default_size = "4K,64K,1M",
    .settings = {{"format", FORMAT_CHOICES}, {"streams", STREAM_CHOICES}},
    .records = 1,
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
