/* Benchmarks of the multi-buffer hashes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

#ifdef __has_include
#if __has_include(<intel-ipsec-mb.h>)
#include <intel-ipsec-mb.h>
#define HAVE_IPSEC 1
#endif
#endif

#define MAX_MESSAGES 4096
#define MAX_DIGEST 64

static int shape_ok(int k, int p)
{
    (void) p;
    return k >= 1 && k <= MAX_MESSAGES;
}

/* ---- Libraries with this interface ---- */

typedef int init_fn(void *mgr);
typedef int submit_fn(void *mgr, void *ctx_in, void **ctx_out, const void *buffer, uint32_t len,
                      ISAL_HASH_CTX_FLAG flags);
typedef int flush_fn(void *mgr, void **ctx_out);
typedef int hash_fn(const void *const *buffers, const uint64_t *lens, size_t n, void *digests);

struct jobs {
    init_fn *init;
    flush_fn *flush;
    uint8_t *contexts;
    size_t context_bytes;
    uint64_t lens[MAX_MESSAGES];
    uint8_t digests[MAX_MESSAGES * MAX_DIGEST];
    _Alignas(64) uint8_t mgr[sizeof(ISAL_MD5_HASH_CTX_MGR)];
};

#define PREPARE(hash, NAME)                                                                    \
    static void *prepare_##hash(const struct perf_run *r)                                      \
    {                                                                                          \
        size_t n = (size_t) r->c->k, bytes = sizeof(ISAL_##NAME##_HASH_CTX);                   \
        size_t head = (sizeof(struct jobs) + 63) / 64 * 64;                                    \
        struct jobs *s = aligned_alloc(64, head + n * bytes);                                  \
        if (!s)                                                                                \
            perf_fail("out of memory");                                                        \
        s->init = (init_fn *) perf_need(r, "isal_" #hash "_ctx_mgr_init",                      \
                                        (perf_fn) isal_##hash##_ctx_mgr_init);                 \
        s->flush = (flush_fn *) perf_need(r, "isal_" #hash "_ctx_mgr_flush",                   \
                                          (perf_fn) isal_##hash##_ctx_mgr_flush);              \
        s->contexts = (uint8_t *) s + head;                                                    \
        s->context_bytes = bytes;                                                              \
        for (size_t i = 0; i < n; i++) {                                                       \
            isal_hash_ctx_init((ISAL_##NAME##_HASH_CTX *) (void *) (s->contexts + i * bytes)); \
            s->lens[i] = r->c->size;                                                           \
        }                                                                                      \
        return s;                                                                              \
    }

PREPARE(md5, MD5)
PREPARE(sha1, SHA1)
PREPARE(sha256, SHA256)
PREPARE(sha512, SHA512)
PREPARE(sm3, SM3)

static void run_manager(struct perf_run *r, size_t n)
{
    struct jobs *s = r->state;
    submit_fn *submit = (submit_fn *) r->impl->fn;
    int bad = 0;

    while (n--) {
        uint8_t **set = perf_next(r);
        int done = 0;
        void *out;
        bad |= s->init(s->mgr);
        for (int i = 0; i < r->c->k; i++) {
            bad |= submit(s->mgr, s->contexts + (size_t) i * s->context_bytes, &out, set[i],
                          (uint32_t) r->c->size, ISAL_HASH_ENTIRE);
            done += out != NULL;
        }
        while (!(bad |= s->flush(s->mgr, &out)) && out)
            done++;
        bad |= done != r->c->k;
    }
    if (bad)
        perf_fail("%s failed", r->c->op->name);
}

static void run_all(struct perf_run *r, size_t n)
{
    struct jobs *s = r->state;
    hash_fn *fn = (hash_fn *) r->impl->fn;
    int bad = 0;

    while (n--)
        bad |= fn((const void *const *) perf_next(r), s->lens, (size_t) r->c->k, s->digests);
    if (bad)
        perf_fail("%s failed", r->c->op->name);
}

/* ---- intel-ipsec-mb: jobs without a cipher ---- */

#if HAVE_IPSEC
struct ipsec {
    IMB_MGR *mgr;
    IMB_JOB job; /* the members that are the same in every job */
    hash_fn *reference;
    int checked;
    uint8_t digests[MAX_MESSAGES * MAX_DIGEST];
};

static void *prepare_ipsec(const struct perf_run *r, IMB_HASH_ALG hash, size_t digest_bytes,
                           hash_fn *reference)
{
    IMB_MGR *(*alloc)(uint64_t) = (IMB_MGR * (*) (uint64_t)) r->impl->fn;
    void (*init)(IMB_MGR *, IMB_ARCH *) =
        (void (*)(IMB_MGR *, IMB_ARCH *)) perf_symbol(r, "init_mb_mgr_auto");
    struct ipsec *s = perf_alloc(1, sizeof(*s));

    s->mgr = alloc(0);
    if (!s->mgr || !init)
        perf_fail("intel-ipsec-mb does not start");
    init(s->mgr, NULL);
    s->reference = reference;
    s->job.cipher_mode = IMB_CIPHER_NULL;
    s->job.cipher_direction = IMB_DIR_ENCRYPT;
    s->job.chain_order = IMB_ORDER_HASH_CIPHER;
    s->job.msg_len_to_hash_in_bytes = r->c->size;
    s->job.auth_tag_output_len_in_bytes = digest_bytes;
    s->job.hash_alg = hash;
    return s;
}

static void *prepare_ipsec_sha1(const struct perf_run *r)
{
    return prepare_ipsec(r, IMB_AUTH_SHA_1, 20, isal_sha1_mb_hash);
}

static void *prepare_ipsec_sha256(const struct perf_run *r)
{
    return prepare_ipsec(r, IMB_AUTH_SHA_256, 32, isal_sha256_mb_hash);
}

static void *prepare_ipsec_sha512(const struct perf_run *r)
{
    return prepare_ipsec(r, IMB_AUTH_SHA_512, 64, isal_sha512_mb_hash);
}

static void run_ipsec(struct perf_run *r, size_t n)
{
    struct ipsec *s = r->state;
    uint32_t k = (uint32_t) r->c->k;
    int good = 1;

    while (n--) {
        uint8_t **set = perf_next(r);
        uint32_t done = 0;
        for (uint32_t i = 0; i < k; i++) {
            IMB_JOB *job = IMB_GET_NEXT_JOB(s->mgr);
            *job = s->job;
            job->src = set[i];
            job->auth_tag_output = s->digests + i * MAX_DIGEST;
            done += IMB_SUBMIT_JOB_NOCHECK(s->mgr) != NULL;
            while (IMB_GET_COMPLETED_JOB(s->mgr))
                done++;
        }
        while (IMB_FLUSH_JOB(s->mgr))
            done++;
        good &= done == k;
        if (!s->checked++) {
            uint64_t len = r->c->size;
            uint8_t digest[MAX_DIGEST];
            s->reference((const void *const *) set, &len, 1, digest);
            if (memcmp(digest, s->digests, (size_t) s->job.auth_tag_output_len_in_bytes))
                fprintf(stderr,
                        "WARNING: intel-ipsec-mb's digest is wrong: its speed means nothing\n");
        }
    }
    if (!good)
        perf_fail("intel-ipsec-mb failed");
}
#endif

/* ---- Work and limits ---- */

/* Counted from the standards. A rotation by whole bytes may be a shuffle, a rotation by 1 an
 * addition; two rotations that differ by 8 share one. Without vpternlog functions of three words
 * take two or three operations. */
static const struct perf_hash perf_md5 = {64 * 4 + 4, 64 * 6 + 4, 48, 64 * 4 + 152 + 160 + 4,
                                          48 * 2};
const struct perf_hash perf_sha1 = {80 * 4 + 5, 80 * 7 + 64 * 3 + 5, 80 * 2 + 64,
                                    80 * 12.75 + 64 * 6 + 5, 80 * 4 + 64};
const struct perf_hash perf_sha256 = {64 * 7 + 48 * 3 + 8, 64 * 17 + 48 * 11 + 8, 64 * 6 + 48 * 6,
                                      64 * 35 + 48 * 21 + 8, 64 * 12 + 48 * 10};
static const struct perf_hash perf_sha512 = {80 * 7 + 64 * 3 + 8, 80 * 17 + 64 * 11 + 8,
                                             80 * 6 + 64 * 5, 80 * 35 + 64 * 19 + 8,
                                             80 * 12 + 64 * 8};
static const struct perf_hash perf_sm3 = {64 * 8, 64 * 19 + 52 * 7 + 8, 64 * 5 + 52 * 3,
                                          64 * 33.5 + 52 * 16 + 8, 64 * 10 + 52 * 6};

/* The least cost of a block: its vector operations; its dependency chain, at one cycle an
 * operation. For hashes with SHA extensions also the instructions of its rounds. */
struct cost {
    unsigned block, length_field, word, loads;
    const struct perf_hash *vectors;
    double chain, sha_rounds;
    enum perf_port sha_port;
    enum perf_chain sha_chain;
};

static void work(const struct perf_case *c, enum tier tier, struct perf_work *w, struct cost cost)
{
    double jobs = c->k, blocks = (double) ((c->size + cost.length_field) / cost.block + 1);
    double lanes, sha;

    w->buffers = (unsigned) c->k;
    w->buffer_size = c->size;
    w->bytes = w->read = jobs * (double) c->size;
    w->width = perf_width(tier);
    if (!w->width)
        return;
    sha = cost.sha_rounds > 0 ? perf_rate(cost.sha_port, w->width) : 0;
    w->cycles = blocks * cost.chain;
    if (jobs < 2) {
        if (sha > 0)
            w->cycles = blocks * cost.sha_rounds * perf_latency(cost.sha_chain);
        return;
    }
    lanes = w->width / cost.word;
    if (tier >= T_AVX512 && jobs <= lanes / 2)
        lanes = (w->width = 32) / cost.word;
    perf_count_blocks(blocks * (double) (size_t) ((jobs + lanes - 1) / lanes), tier, cost.vectors,
                      cost.loads, w);
    if (sha > 0 && blocks * jobs * cost.sha_rounds / sha <
                       (w->uops[PORT_ADD] + w->uops[PORT_SHIFT] + w->uops[PORT_LOGIC]) /
                           perf_rate(PORT_LOGIC, w->width)) {
        memset(w->uops, 0, sizeof(w->uops));
        w->uops[cost.sha_port] = blocks * jobs * cost.sha_rounds;
        w->cycles = 0;
    }
}

#define WORK(hash, ...)                                                                     \
    static void work_##hash(const struct perf_case *c, enum tier tier, struct perf_work *w) \
    {                                                                                       \
        work(c, tier, w, (struct cost){__VA_ARGS__});                                       \
    }
WORK(md5, 64, 8, 4, 64, &perf_md5, 64 * 4, 0, 0, 0)
WORK(sha1, 64, 8, 4, 80, &perf_sha1, 80 * 2, 20, PORT_SHA1, CHAIN_SHA1)
WORK(sha256, 64, 8, 4, 80, &perf_sha256, 64 * 4, 32, PORT_SHA256, CHAIN_SHA256)
WORK(sha512, 128, 16, 8, 64, &perf_sha512, 80 * 4, 0, 0, 0)
WORK(sm3, 64, 8, 4, 80, &perf_sm3, 64 * 5, 0, 0, 0)

/* ---- The family ---- */

#define OPS(hash)                                                                      \
    {.name = "isal_" #hash "_ctx_mgr_submit",                                          \
     .built_in = (perf_fn) isal_##hash##_ctx_mgr_submit,                               \
     .kernel = #hash "_many",                                                          \
     .shape = 1,                                                                       \
     .multiple = 1,                                                                    \
     .work = work_##hash,                                                              \
     .prepare = prepare_##hash,                                                        \
     .run = run_manager},                                                              \
    {                                                                                  \
        .name = "isal_" #hash "_mb_hash", .built_in = (perf_fn) isal_##hash##_mb_hash, \
        .kernel = #hash "_many", .shape = 1, .multiple = 1, .work = work_##hash,       \
        .prepare = prepare_##hash, .run = run_all                                      \
    }

static const struct perf_op ops[] = {OPS(md5), OPS(sha1), OPS(sha256), OPS(sha512), OPS(sm3)};

#define EVP_PREPARE(hash, NAME)                       \
    static void *evp_##hash(const struct perf_run *r) \
    {                                                 \
        return openssl_digest_prepare(r, NAME);       \
    }
EVP_PREPARE(md5, "MD5")
EVP_PREPARE(sha1, "SHA1")
EVP_PREPARE(sha256, "SHA256")
EVP_PREPARE(sha512, "SHA512")
EVP_PREPARE(sm3, "SM3")

#define PEER_OPS(hash, fn, prepare_fn, run_fn)                                     \
    {.name = "isal_" #hash "_ctx_mgr_submit",                                      \
     .symbol = fn,                                                                 \
     .shape = 1,                                                                   \
     .multiple = 1,                                                                \
     .work = work_##hash,                                                          \
     .prepare = prepare_fn,                                                        \
     .run = run_fn},                                                               \
    {                                                                              \
        .name = "isal_" #hash "_mb_hash", .symbol = fn, .shape = 1, .multiple = 1, \
        .work = work_##hash, .prepare = prepare_fn, .run = run_fn                  \
    }

static const struct perf_op openssl_ops[] = {
    PEER_OPS(md5, "EVP_DigestFinal_ex", evp_md5, openssl_digest_run),
    PEER_OPS(sha1, "EVP_DigestFinal_ex", evp_sha1, openssl_digest_run),
    PEER_OPS(sha256, "EVP_DigestFinal_ex", evp_sha256, openssl_digest_run),
    PEER_OPS(sha512, "EVP_DigestFinal_ex", evp_sha512, openssl_digest_run),
    PEER_OPS(sm3, "EVP_DigestFinal_ex", evp_sm3, openssl_digest_run),
};

#if HAVE_IPSEC
static const struct perf_op ipsec_ops[] = {
    PEER_OPS(sha1, "alloc_mb_mgr", prepare_ipsec_sha1, run_ipsec),
    PEER_OPS(sha256, "alloc_mb_mgr", prepare_ipsec_sha256, run_ipsec),
    PEER_OPS(sha512, "alloc_mb_mgr", prepare_ipsec_sha512, run_ipsec),
};
#endif

static const struct perf_peer peers[] = {
    {.name = "OpenSSL",
     .file = "libcrypto.so.3",
     .ops = openssl_ops,
     .op_count = ARRAY_SIZE(openssl_ops)},
#if HAVE_IPSEC
    {.name = "intel-ipsec-mb",
     .file = "libIPSec_MB.so.1",
     .ops = ipsec_ops,
     .op_count = ARRAY_SIZE(ipsec_ops)},
#endif
    {.name = "libisal_crypto", .file = "libisal_crypto.so.2"},
};

const struct perf_family perf_hash = {
    .name = "hash",
    .title = "multi-buffer hashes: MD5, SHA-1, SHA-256, SHA-512, SM3",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "message bytes, without padding",
    .shape = "N, the number of messages, 1 to 4096; +P is ignored",
    .default_op = "all",
    .default_shape = "1,8,32",
    .default_size = "64,4K,64K",
    .shape_ok = shape_ok,
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
