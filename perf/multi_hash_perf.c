/* Benchmarks of the multi-hashes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include <string.h>

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/mh_sha1.h"
#include "isa-l_crypto/mh_sha1_murmur3_x64_128.h"
#include "isa-l_crypto/mh_sha256.h"

/* ---- Libraries with this interface: init, update, finalize ---- */

typedef int init_fn(void *ctx, uint64_t seed); /* those without a seed ignore it */
typedef int update_fn(void *ctx, const void *buffer, uint32_t len);
typedef int finalize_fn(void *ctx, void *digest, void *murmur);

struct message {
    init_fn *init;
    finalize_fn *finalize;
    uint8_t digest[32], murmur[16];
    uint8_t ctx[sizeof(struct isal_mh_sha256_ctx)];
};

#define PREPARE(id)                                                                                \
    static void *prepare_##id(const struct perf_run *r)                                            \
    {                                                                                              \
        struct message *s = perf_alloc(1, sizeof *s);                                              \
        s->init = (init_fn *) perf_need(r, "isal_" #id "_init", (perf_fn) isal_##id##_init);       \
        s->finalize =                                                                              \
            (finalize_fn *) perf_need(r, "isal_" #id "_finalize", (perf_fn) isal_##id##_finalize); \
        return s;                                                                                  \
    }
PREPARE(mh_sha1)
PREPARE(mh_sha256)
PREPARE(mh_sha1_murmur3_x64_128)

static void run_message(struct perf_run *r, size_t n)
{
    struct message *s = r->state;
    update_fn *update = (update_fn *) r->impl->fn;
    int bad = 0;

    while (n--) {
        bad |= s->init(s->ctx, 1);
        bad |= update(s->ctx, perf_next(r)[0], (uint32_t) r->c->size);
        bad |= s->finalize(s->ctx, s->digest, s->murmur);
    }
    if (bad)
        perf_fail("%s failed", r->c->op->name);
}

/* ---- OpenSSL: one pass of the plain hash over the same buffer ---- */

static void *prepare_sha1(const struct perf_run *r)
{
    return openssl_digest_prepare(r, "SHA1");
}

static void *prepare_sha256(const struct perf_run *r)
{
    return openssl_digest_prepare(r, "SHA256");
}

/* ---- Work and limits ---- */

/* Blocks of 1024 bytes, with the padding; loading a block takes 16 more uops for the segments of a
 * vector. The count leaves out the final hash of the states, which is scalar and bounds short
 * messages. */
static void work(const struct perf_case *c, enum tier tier, struct perf_work *w,
                 const struct perf_hash *hash)
{
    double blocks = (double) ((c->size + 8) / 1024 + 1);

    perf_reads(c, tier, w);
    if (w->width)
        perf_count_blocks(blocks * (64.0 / w->width), tier, hash, 16, w);
}

static void work_sha1(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work(c, tier, w, &perf_sha1);
}

/* With Murmur also the uops issued: 16 more for 16 bytes. */
static void work_murmur(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_sha1(c, tier, w);
    if (perf_has_ternlog(tier))
        w->uops[PORT_ISSUE] = (double) (c->size / 1024) * 2044;
}

static void work_sha256(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work(c, tier, w, &perf_sha256);
}

/* ---- The family ---- */

#define OP(id, kernel_name, work_fn)                                                    \
    {                                                                                   \
        .name = "isal_" #id "_update", .built_in = (perf_fn) isal_##id##_update,        \
        .kernel = kernel_name, .multiple = 1, .work = work_fn, .prepare = prepare_##id, \
        .run = run_message                                                              \
    }

static const struct perf_op ops[] = {
    OP(mh_sha1, "mh_sha1_block", work_sha1),
    OP(mh_sha256, "mh_sha256_block", work_sha256),
    OP(mh_sha1_murmur3_x64_128, "mh_sha1_murmur3_block", work_murmur),
};

#define PEER_OP(id, work_fn, prepare_fn)                                              \
    {                                                                                 \
        .name = "isal_" #id "_update", .symbol = "EVP_DigestFinal_ex", .multiple = 1, \
        .work = work_fn, .prepare = prepare_fn, .run = openssl_digest_run             \
    }

static const struct perf_op openssl_ops[] = {
    PEER_OP(mh_sha1, work_sha1, prepare_sha1),
    PEER_OP(mh_sha256, work_sha256, prepare_sha256),
    PEER_OP(mh_sha1_murmur3_x64_128, work_murmur, prepare_sha1),
};

static const struct perf_peer peers[] = {
    {.name = "OpenSSL",
     .file = "libcrypto.so.3",
     .ops = openssl_ops,
     .op_count = ARRAY_SIZE(openssl_ops)},
    {.name = "libisal_crypto", .file = "libisal_crypto.so.2"},
};

const struct perf_family perf_multi_hash = {
    .name = "multi_hash",
    .title = "mh_sha1, mh_sha256, mh_sha1_murmur3_x64_128 (peer: the plain hash)",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "message bytes, without padding",
    .default_op = "all",
    .default_size = "1K,64K,1M",
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
