/* Tests of the multi-buffer hashes: published vectors, every way to submit a message, the contract,
 * and OpenSSL's digests.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ISAL_LONG_TESTS=1 in the environment adds streams of more than 4 GiB. */

#include "test.h"

#include <dlfcn.h>

#include "crypto/hash/hash_kernels.h"
#include "isa-l_crypto/isal_crypto_api.h"
#define ISAL_UNIT_TEST
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"
#include "rsp.h"

#define MAX_DIGEST 64
#define FILL 0xaa /* what memory holds before it is initialised */

/* One hash, with functions and members by address. */
struct hash {
    const char *name, *openssl;
    void (*old_init)(void *mgr);
    void *(*old_submit)(void *mgr, void *ctx, const void *buffer, uint32_t len,
                        ISAL_HASH_CTX_FLAG flags);
    void *(*old_flush)(void *mgr);
    int (*init)(void *mgr);
    int (*submit)(void *mgr, void *ctx, void **out, const void *buffer, uint32_t len,
                  ISAL_HASH_CTX_FLAG flags);
    int (*flush)(void *mgr, void **out);
    int (*all)(const void *const *buffers, const uint64_t *lens, size_t n, void *digests);
    hash_block_fn *block_fn;
    const void *initial;
    size_t mgr_bytes, ctx_bytes, status, error, total, user_data, job_user_data;
    size_t block, length_field, words, word, lanes;
    int big_endian, swapped, null_if_empty;
};

#define HASH(id, ID, ssl, first, block_bytes, field, count, size, big, swap, null)                \
    {                                                                                             \
#id, ssl, (void (*)(void *)) id##_ctx_mgr_init,                                           \
            (void *(*) (void *, void *, const void *, uint32_t,                                   \
                        ISAL_HASH_CTX_FLAG)) id##_ctx_mgr_submit,                                 \
            (void *(*) (void *) ) id##_ctx_mgr_flush, (int (*)(void *)) isal_##id##_ctx_mgr_init, \
            (int (*)(void *, void *, void **, const void *, uint32_t,                             \
                     ISAL_HASH_CTX_FLAG)) isal_##id##_ctx_mgr_submit,                             \
            (int (*)(void *, void **)) isal_##id##_ctx_mgr_flush, isal_##id##_mb_hash,            \
            isalk_##id##_x1_base, first, sizeof(ISAL_##ID##_HASH_CTX_MGR),                        \
            sizeof(ISAL_##ID##_HASH_CTX), offsetof(ISAL_##ID##_HASH_CTX, status),                 \
            offsetof(ISAL_##ID##_HASH_CTX, error), offsetof(ISAL_##ID##_HASH_CTX, total_length),  \
            offsetof(ISAL_##ID##_HASH_CTX, user_data),                                            \
            offsetof(ISAL_##ID##_HASH_CTX, job.user_data), block_bytes, field, count, size,       \
            ISAL_##ID##_MAX_LANES, big, swap, null                                                \
    }

static const struct hash hashes[] = {
    HASH(md5, MD5, "MD5", isalk_sha1_initial, 64, 8, 4, 4, 0, 0, 0),
    HASH(sha1, SHA1, "SHA1", isalk_sha1_initial, 64, 8, 5, 4, 1, 0, 0),
    HASH(sha256, SHA256, "SHA256", isalk_sha256_initial, 64, 8, 8, 4, 1, 0, 0),
    HASH(sha512, SHA512, "SHA512", isalk_sha512_initial, 128, 16, 8, 8, 1, 0, 0),
    HASH(sm3, SM3, "SM3", isalk_sm3_initial, 64, 8, 8, 4, 1, 1, 1),
};
#define HASHES (sizeof hashes / sizeof *hashes)

static const char *const tiers[] = {"base", "sse", "avx", "avx2", "avx512", NULL};

/* ---- Contexts ---- */

static uint32_t get32(const void *ctx, size_t offset)
{
    uint32_t value;

    memcpy(&value, (const uint8_t *) ctx + offset, sizeof value);
    return value;
}

static void set32(void *ctx, size_t offset, uint32_t value)
{
    memcpy((uint8_t *) ctx + offset, &value, sizeof value);
}

static uint64_t get64(const void *ctx, size_t offset)
{
    uint64_t value;

    memcpy(&value, (const uint8_t *) ctx + offset, sizeof value);
    return value;
}

static size_t digest_bytes(const struct hash *h)
{
    return h->words * h->word;
}

/* A context as programs make them: status and error set, the rest garbage; 16-byte aligned. */
static void *new_context(const struct hash *h)
{
    uint8_t *ctx = test_alloc(h->ctx_bytes + 64) /* malloc aligns to 16 */;

    memset(ctx, FILL, h->ctx_bytes);
    set32(ctx, h->status, ISAL_HASH_CTX_STS_COMPLETE);
    set32(ctx, h->error, 0);
    return ctx;
}

static void *new_manager(const struct hash *h)
{
    uint8_t *mgr = test_alloc(h->mgr_bytes);

    memset(mgr, FILL, h->mgr_bytes);
    EXPECT(h->init(mgr) == 0, "%s: init", h->name);
    return mgr;
}

static int little_endian(void)
{
    const uint16_t one = 1;

    return *(const uint8_t *) &one;
}

/* Words of a state as the bytes of the standard digest. */
static void standard(const struct hash *h, const void *words, uint8_t *digest)
{
    size_t flip = h->big_endian == little_endian() ? h->word - 1 : 0;

    for (size_t i = 0; i < digest_bytes(h); i++)
        digest[i] = ((const uint8_t *) words)[i ^ flip];
}

/* The digest of a context, which lies 64 bytes from its start. */
static void digest_of(const struct hash *h, const void *ctx, uint8_t *digest)
{
    const uint8_t *result = (const uint8_t *) ctx + 64;

    if (h->swapped)
        memcpy(digest, result, digest_bytes(h));
    else
        standard(h, result, digest);
}

/* The digest by definition: the message padded in one piece, and the portable block function. The
 * length that the padding tells is `told` bytes. */
static void reference_told(const struct hash *h, const uint8_t *data, size_t len, uint64_t told,
                           uint8_t *digest)
{
    size_t padded = (len + h->length_field + h->block) / h->block * h->block;
    uint8_t *message = test_alloc(padded);
    uint64_t state[8];

    memset(message, 0, padded);
    if (len)
        memcpy(message, data, len);
    message[len] = 0x80;
    for (size_t i = 0; i < 8; i++)
        message[padded - 8 + i] = (uint8_t) (told * 8 >> 8 * (h->big_endian ? 7 - i : i));
    if (h->length_field > 8)
        message[padded - 9] = (uint8_t) (told >> 61);
    memcpy(state, h->initial, digest_bytes(h));
    h->block_fn(state, message, padded / h->block);
    standard(h, state, digest);
    free(message);
}

static void reference(const struct hash *h, const uint8_t *data, size_t len, uint8_t *digest)
{
    reference_told(h, data, len, len, digest);
}

static void expect_digest(const struct hash *h, const uint8_t *got, const uint8_t *want,
                          const char *what, size_t a, size_t b)
{
    EXPECT(!memcmp(got, want, digest_bytes(h)),
           "%s: %s %zu, %zu: digest %02x%02x.., not %02x%02x..", h->name, what, a, b, got[0],
           got[1], want[0], want[1]);
}

/* Submits and flushes until the context is back; there is no other one in the manager. */
static void run_piece(const struct hash *h, void *mgr, void *ctx, const void *data, size_t len,
                      ISAL_HASH_CTX_FLAG flags)
{
    void *out;
    int error = h->submit(mgr, ctx, &out, data, (uint32_t) len, flags);

    EXPECT(error == 0, "%s: submit of %zu bytes, flags %d: %d", h->name, len, (int) flags, error);
    if (!out) {
        EXPECT(get32(ctx, h->status) & ISAL_HASH_CTX_STS_PROCESSING, "%s: status %u in the manager",
               h->name, (unsigned) get32(ctx, h->status));
        h->flush(mgr, &out);
    }
    EXPECT(out == ctx, "%s: submit and flush gave back %p, not the context", h->name, out);
    EXPECT(get32(ctx, h->status) ==
               (flags & ISAL_HASH_LAST ? ISAL_HASH_CTX_STS_COMPLETE : ISAL_HASH_CTX_STS_IDLE),
           "%s: status %u after flags %d", h->name, (unsigned) get32(ctx, h->status), (int) flags);
    h->flush(mgr, &out);
    EXPECT(!out, "%s: flush of an empty manager", h->name);
}

/* ---- Vectors ---- */

/* SHAVS, section 6.4: 1000 digests, each of the three before. */
static void monte(const struct hash *h, const uint8_t *seed, unsigned long rounds, uint8_t *digest)
{
    size_t n = digest_bytes(h);
    uint8_t three[3 * MAX_DIGEST];
    const void *buffer = three;
    uint64_t len = 3 * n;

    memcpy(digest, seed, n);
    while (rounds--) {
        for (int i = 0; i < 3; i++)
            memcpy(three + (size_t) i * n, digest, n);
        for (int i = 0; i < 1000; i++) {
            h->all(&buffer, &len, 1, digest);
            memmove(three, three + n, 2 * n);
            memcpy(three + 2 * n, digest, n);
        }
    }
}

static void test_vectors(void)
{
    static struct rsp r;
    static uint8_t message[1 << 16];
    unsigned tried[HASHES] = {0};

    if (!rsp_open(&r, "hash.rsp"))
        return;
    while (rsp_next(&r)) {
        const char *name = rsp_text(&r, "HASH");
        uint8_t want[MAX_DIGEST], got[MAX_DIGEST];
        size_t i = 0;
        while (i < HASHES && (!name || strcmp(hashes[i].name, name)))
            i++;
        if (i == HASHES)
            rsp_fail(&r, "no such hash");
        if (rsp_bytes(&r, "MD", want, sizeof want) != digest_bytes(&hashes[i]))
            rsp_fail(&r, "MD has another length");
        if (rsp_text(&r, "SEED")) {
            rsp_bytes(&r, "SEED", message, sizeof message);
            monte(&hashes[i], message, rsp_number(&r, "ROUNDS"), got);
            expect_digest(&hashes[i], got, want, "Monte Carlo, line", r.line, 0);
        } else {
            size_t len = rsp_bytes(&r, "MSG", message, sizeof message);
            void *mgr = new_manager(&hashes[i]), *ctx = new_context(&hashes[i]);
            run_piece(&hashes[i], mgr, ctx, message, len, ISAL_HASH_ENTIRE);
            digest_of(&hashes[i], ctx, got);
            expect_digest(&hashes[i], got, want, "vector, line and length", r.line, len);
            reference(&hashes[i], message, len, got);
            expect_digest(&hashes[i], got, want, "this test's reference, line", r.line, len);
            free(mgr);
            free(ctx);
        }
        tried[i]++;
    }
    for (size_t i = 0; i < HASHES; i++)
        EXPECT(tried[i] >= 6, "%u vectors of %s", tried[i], hashes[i].name);
}

/* ---- Pieces ---- */

/* Every length up to three blocks and a few bytes in every two pieces, either of which may be empty,
 * and with a piece between: lengths and cuts at block boundaries, and random ones. */
static void test_splits(void)
{
    uint8_t data[3 * 128 + 8], want[MAX_DIGEST], got[MAX_DIGEST];

    test_fill_random(data, sizeof data);
    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        void *mgr = new_manager(h), *ctx = new_context(h);
        for (size_t len = 0; len <= 3 * h->block + 4; len++) {
            reference(h, data, len, want);
            for (size_t cut = 0; cut <= len; cut++) {
                size_t step = h->block / 2, end = cut;
                run_piece(h, mgr, ctx, data, cut, ISAL_HASH_FIRST);
                EXPECT(get64(ctx, h->total) == cut, "%s: total_length", h->name);
                run_piece(h, mgr, ctx, data + cut, len - cut, ISAL_HASH_LAST);
                digest_of(h, ctx, got);
                expect_digest(h, got, want, "length and cut", len, cut);
                if (cut % step > 1 && len % step > 1 && test_random(16))
                    continue;
                run_piece(h, mgr, ctx, data, cut, ISAL_HASH_FIRST);
                for (int pieces = (int) test_random(3); pieces >= 0; pieces--) {
                    size_t n = test_random((unsigned) (len - end) + 1);
                    if (test_random(3) == 0)
                        n -= n % step;
                    run_piece(h, mgr, ctx, data + end, n, ISAL_HASH_UPDATE);
                    end += n;
                }
                run_piece(h, mgr, ctx, data + end, len - end, ISAL_HASH_LAST);
                digest_of(h, ctx, got);
                expect_digest(h, got, want, "length and first cut, several pieces", len, cut);
                EXPECT(get64(ctx, h->total) == len, "%s: total_length", h->name);
            }
        }
        /* A message that is begun anew. */
        run_piece(h, mgr, ctx, data, h->block + 3, ISAL_HASH_FIRST);
        run_piece(h, mgr, ctx, data, 3, ISAL_HASH_FIRST);
        run_piece(h, mgr, ctx, data + 3, 7, ISAL_HASH_LAST);
        reference(h, data, 10, want);
        digest_of(h, ctx, got);
        expect_digest(h, got, want, "begun anew", 10, 0);
        free(mgr);
        free(ctx);
    }
}

/* Messages whose beginning nobody can wait for: a context that is told how long it was, and starts
 * from the initial state. Every bit of the length field counts. */
static void test_length_field(void)
{
    uint8_t data[200], want[MAX_DIGEST], got[MAX_DIGEST];

    test_fill_random(data, sizeof data);
    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        void *mgr = new_manager(h), *ctx = new_context(h);
        for (unsigned bit = 7; bit < (h->length_field > 8 ? 64 : 61); bit++) {
            size_t len = test_random(sizeof data);
            uint64_t before = (uint64_t) 1 << bit, told = before + len;
            run_piece(h, mgr, ctx, data, 0, ISAL_HASH_FIRST);
            memcpy((uint8_t *) ctx + h->total, &before, sizeof before);
            run_piece(h, mgr, ctx, data, len, ISAL_HASH_LAST);
            EXPECT(get64(ctx, h->total) == told, "%s: total_length", h->name);
            reference_told(h, data, len, told, want);
            digest_of(h, ctx, got);
            expect_digest(h, got, want, "length and bit of the length before", len, bit);
        }
        free(mgr);
        free(ctx);
    }
}

/* ---- Many contexts, against OpenSSL's digests ---- */

static struct {
    void *library;
    int (*digest)(const void *data, size_t n, uint8_t *out, unsigned *out_n, const void *type,
                  void *engine);
    const void *(*by_name)(const char *name);
} openssl;

static int openssl_open(void)
{
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
    void *p;

    for (size_t i = 0; i < 2 && !openssl.library; i++)
        openssl.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!openssl.library)
        return 0;
    p = dlsym(openssl.library, "EVP_Digest");
    memcpy(&openssl.digest, &p, sizeof p);
    p = dlsym(openssl.library, "EVP_get_digestbyname");
    memcpy(&openssl.by_name, &p, sizeof p);
    return openssl.digest && openssl.by_name;
}

/* The digest by OpenSSL if it is there, else by definition. */
static void foreign_digest(const struct hash *h, const uint8_t *data, size_t len, uint8_t *digest)
{
    const void *type = openssl.library ? openssl.by_name(h->openssl) : NULL;

    if (!type || !openssl.digest(data, len, digest, NULL, type, NULL))
        reference(h, data, len, digest);
}

#define CONTEXTS 2000
#define POOL (1 << 16)

struct message {
    void *ctx;
    size_t start, len, done; /* in the pool of data */
    int held, finished;
};

static size_t messages_finished, messages_held;

static void came_back(const struct hash *h, struct message *messages, const uint8_t *pool,
                      void *ctx)
{
    uintptr_t index;
    struct message *m;
    uint8_t got[MAX_DIGEST], want[MAX_DIGEST];

    memcpy(&index, (uint8_t *) ctx + h->user_data, sizeof index);
    if (!EXPECT(index < CONTEXTS && messages[index].ctx == ctx, "%s: user_data changed", h->name))
        return;
    m = &messages[index];
    EXPECT(m->held, "%s: a context came back twice", h->name);
    EXPECT(get32(ctx, h->error) == 0, "%s: error %d", h->name, (int) get32(ctx, h->error));
    m->held = 0;
    messages_held--;
    if (get32(ctx, h->status) != ISAL_HASH_CTX_STS_COMPLETE)
        return;
    digest_of(h, ctx, got);
    foreign_digest(h, pool + m->start, m->len, want);
    expect_digest(h, got, want, "interleaved, start and length", m->start, m->len);
    m->finished = 1;
    messages_finished++;
}

/* Submits a random piece of the rest of a message. */
static void submit_some(const struct hash *h, void *mgr, struct message *messages,
                        struct message *m, const uint8_t *pool)
{
    size_t left = m->len - m->done, n = test_random(2) ? left : test_random((unsigned) left + 1);
    unsigned flags = get32(m->ctx, h->status) == ISAL_HASH_CTX_STS_IDLE ? 0 : ISAL_HASH_FIRST;
    const uint8_t *from = pool + m->start + m->done;
    void *out;

    if (n == left && test_random(4))
        flags |= ISAL_HASH_LAST;
    m->held = 1;
    messages_held++;
    m->done += n;
    EXPECT(!h->submit(mgr, m->ctx, &out, from, (uint32_t) n, (ISAL_HASH_CTX_FLAG) flags),
           "%s: submit", h->name);
    if (out)
        came_back(h, messages, pool, out);
}

/* Random pieces of random messages of random contexts, with flushes now and then. */
static void interleave(const struct hash *h, const uint8_t *pool)
{
    struct message *messages = test_alloc(CONTEXTS * sizeof *messages);
    void *mgr = new_manager(h), *out;

    messages_finished = messages_held = 0;
    for (uintptr_t i = 0; i < CONTEXTS; i++) {
        size_t most = test_random(8) ? 600 : test_random(8) ? 5000 : POOL / 2;
        messages[i] = (struct message){
            new_context(h), test_random(POOL / 2), test_random((unsigned) most), 0, 0, 0};
        memcpy((uint8_t *) messages[i].ctx + h->user_data, &i, sizeof i);
        memcpy((uint8_t *) messages[i].ctx + h->job_user_data, &i, sizeof i);
    }
    while (messages_finished < CONTEXTS) {
        struct message *m = &messages[test_random(CONTEXTS)];
        if (!m->held && !m->finished) {
            submit_some(h, mgr, messages, m, pool);
        } else if (m->held && test_random(20) == 0) { /* misuse, which must do no harm */
            EXPECT(h->old_submit(mgr, m->ctx, pool, 64, ISAL_HASH_ENTIRE) == m->ctx &&
                       (int) get32(m->ctx, h->error) == ISAL_HASH_CTX_ERROR_ALREADY_PROCESSING,
                   "%s: a context in the manager was accepted", h->name);
            set32(m->ctx, h->error, 0);
        } else if (test_random(50) == 0 || messages_held + messages_finished == CONTEXTS) {
            EXPECT(!h->flush(mgr, &out), "%s: flush", h->name);
            EXPECT((out != NULL) == (messages_held != 0), "%s: flush with %zu held", h->name,
                   messages_held);
            if (out)
                came_back(h, messages, pool, out);
        }
    }
    for (uintptr_t i = 0; i < CONTEXTS; i++) {
        EXPECT(!memcmp((uint8_t *) messages[i].ctx + h->job_user_data, &i, sizeof i),
               "%s: job.user_data changed", h->name);
        free(messages[i].ctx);
    }
    free(messages);
    free(mgr);
}

static void test_interleaved(void)
{
    uint8_t *pool = test_alloc(POOL);

    if (!openssl_open())
        test_skip("OpenSSL (libcrypto.so) is missing: compared with this test's reference only");
    test_fill_random(pool, POOL);
    for (int t = 0; tiers[t]; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (size_t i = 0; i < HASHES; i++)
            interleave(&hashes[i], pool);
    }
    isal_crypto_set_isa_limit(NULL);
    free(pool);
}

/* Every number of contexts up to twice the lanes, submitted and then flushed, of equal lengths and of
 * different ones: no context is lost, and a submit keeps no more than there are lanes. */
static void test_occupancy(void)
{
    uint8_t data[2048], want[MAX_DIGEST], got[MAX_DIGEST];

    test_fill_random(data, sizeof data);
    for (int t = 0; tiers[t]; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (size_t i = 0; i < HASHES; i++) {
            const struct hash *h = &hashes[i];
            void *mgr = new_manager(h), *ctx[2 * ISAL_MD5_MAX_LANES], *out;
            size_t len[2 * ISAL_MD5_MAX_LANES];
            for (size_t k = 0; k < 2 * h->lanes; k++)
                ctx[k] = new_context(h);
            for (size_t n = 0; n <= 2 * h->lanes; n++) {
                size_t back = 0, fixed = test_random(2) ? test_random(400) : 0;
                for (size_t k = 0; k < n; k++) {
                    len[k] = fixed ? fixed : test_random(sizeof data);
                    h->submit(mgr, ctx[k], &out, data, (uint32_t) len[k], ISAL_HASH_ENTIRE);
                    back += out != NULL;
                    EXPECT(k + 1 - back < h->lanes || h->lanes == 1,
                           "%s %s: a manager keeps %zu contexts", h->name, tiers[t], k + 1 - back);
                }
                while (!h->flush(mgr, &out) && out)
                    back++;
                EXPECT(back == n, "%s %s: %zu of %zu contexts came back", h->name, tiers[t], back,
                       n);
                for (size_t k = 0; k < n; k++) {
                    EXPECT(get32(ctx[k], h->status) == ISAL_HASH_CTX_STS_COMPLETE,
                           "%s %s: status %u", h->name, tiers[t],
                           (unsigned) get32(ctx[k], h->status));
                    reference(h, data, len[k], want);
                    digest_of(h, ctx[k], got);
                    expect_digest(h, got, want, "contexts and length", n, len[k]);
                }
            }
            for (size_t k = 0; k < 2 * h->lanes; k++)
                free(ctx[k]);
            free(mgr);
        }
    }
    isal_crypto_set_isa_limit(NULL);
}

/* ---- The order in which contexts come back ---- */

/* What a manager must do: the contexts that it holds, in the order of submission, and how many
 * blocks each has left. */
struct model {
    size_t lanes, held;
    struct {
        void *ctx;
        uint64_t left;
    } job[2 * ISAL_MD5_MAX_LANES];
};

static void model_submit(struct model *m, void *ctx, uint64_t blocks)
{
    m->job[m->held].ctx = ctx;
    m->job[m->held++].left = blocks;
}

/* The context that must come back next: fewest blocks left, then oldest. All others have advanced
 * by as many blocks as it had left. */
static void *model_return(struct model *m)
{
    size_t best = 0;
    void *ctx;
    uint64_t blocks;

    if (!m->held)
        return NULL;
    for (size_t i = 1; i < m->held; i++)
        if (m->job[i].left < m->job[best].left)
            best = i;
    ctx = m->job[best].ctx;
    blocks = m->job[best].left;
    m->held--;
    for (size_t i = 0; i <= m->held; i++)
        m->job[i].left -= blocks;
    memmove(&m->job[best], &m->job[best + 1], (m->held - best) * sizeof m->job[0]);
    return ctx;
}

/* A ring of contexts, as programs keep them: the next to submit must be free, because it is the one
 * that came back last. Returns how many contexts the manager took before one came back. */
static size_t ring(const struct hash *h, const char *tier, void **ctx, size_t n, const void *data,
                   size_t len)
{
    void *mgr = new_manager(h), *out;
    size_t back = 0, lanes = 0;

    for (size_t k = 0; k < n; k++) {
        EXPECT(!h->submit(mgr, ctx[k], &out, data, (uint32_t) len, ISAL_HASH_ENTIRE), "%s",
               h->name);
        if (out && !lanes)
            lanes = k + 1;
        EXPECT(!lanes || out == ctx[back], "%s %s: submit %zu of equal jobs gave back not %zu",
               h->name, tier, k, back);
        back += out != NULL;
    }
    while (!h->flush(mgr, &out) && out && back < n) {
        EXPECT(out == ctx[back], "%s %s: flush after equal jobs gave back not %zu", h->name, tier,
               back);
        back++;
    }
    EXPECT(!out && back == n, "%s %s: %zu of %zu contexts came back", h->name, tier, back, n);
    free(mgr);
    return lanes;
}

/* Random pieces of few different lengths, so that many have equally many blocks left, and flushes
 * in phases of rare and of frequent ones. */
static void simulate(const struct hash *h, const char *tier, void **ctx, size_t n, size_t lanes,
                     const uint8_t *data, size_t data_bytes)
{
    struct model m = {.lanes = lanes};
    void *mgr = new_manager(h);
    size_t partial[2 * ISAL_MD5_MAX_LANES] = {0};

    for (int step = 0; step < 4000 || m.held; step++) {
        size_t k = test_random((unsigned) n), len;
        unsigned flags = test_random(3) ? ISAL_HASH_LAST : 0;
        void *out, *want = NULL;
        uint64_t blocks;

        if (step >= 4000 || test_random(step / 500 % 2 ? 3 : 40) == 0) {
            want = model_return(&m);
            EXPECT(!h->flush(mgr, &out), "%s: flush", h->name);
            if (!EXPECT(out == want, "%s %s: flush at step %d", h->name, tier, step))
                break;
            continue;
        }
        if (get32(ctx[k], h->status) & ISAL_HASH_CTX_STS_PROCESSING)
            continue;
        if (get32(ctx[k], h->status) == ISAL_HASH_CTX_STS_COMPLETE || test_random(8) == 0)
            flags |= ISAL_HASH_FIRST;
        len = test_random(5) * h->block;
        if (test_random(2))
            len += test_random((unsigned) h->block);
        else if (test_random(16) == 0)
            len = test_random((unsigned) data_bytes);
        if (flags & ISAL_HASH_FIRST)
            partial[k] = 0;
        partial[k] += len;
        blocks = partial[k] / h->block;
        partial[k] %= h->block;
        if (flags & ISAL_HASH_LAST) /* and its padding */
            blocks += (partial[k] + h->length_field) / h->block + 1;
        EXPECT(!h->submit(mgr, ctx[k], &out, data, (uint32_t) len, (ISAL_HASH_CTX_FLAG) flags),
               "%s: submit", h->name);
        if (blocks) {
            model_submit(&m, ctx[k], blocks);
            if (m.held == m.lanes || out) /* it may give one back before its lanes are full */
                want = model_return(&m);
        } else {
            want = ctx[k];
        }
        if (!EXPECT(out == want, "%s %s: submit at step %d, %zu held", h->name, tier, step, m.held))
            break;
    }
    free(mgr);
}

static void test_order(void)
{
    static uint8_t data[3000];
    void *ctx[2 * ISAL_MD5_MAX_LANES];

    for (int t = 0; tiers[t]; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (size_t i = 0; i < HASHES; i++) {
            const struct hash *h = &hashes[i];
            size_t n = 2 * ISAL_MD5_MAX_LANES, lanes;
            for (size_t k = 0; k < n; k++)
                ctx[k] = new_context(h);
            lanes = ring(h, tiers[t], ctx, n, data, 832);
            EXPECT(lanes >= 1 && lanes <= h->lanes, "%s %s: %zu lanes", h->name, tiers[t], lanes);
            for (size_t len = 0; len < 5 * h->block; len += 1 + test_random(60))
                ring(h, tiers[t], ctx, n - test_random(16), data, len);
            simulate(h, tiers[t], ctx, n, lanes, data, sizeof data);
            for (size_t k = 0; k < n; k++)
                free(ctx[k]);
        }
    }
    isal_crypto_set_isa_limit(NULL);
}

/* ---- The contract ---- */

static void test_misuse(void)
{
    uint8_t data[300] = {0}, got[MAX_DIGEST], want[MAX_DIGEST];

    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        void *mgr = new_manager(h), *ctx = new_context(h), *other = new_context(h), *out = data;
        uint8_t before[1024];

        EXPECT(h->init(NULL) == ISAL_CRYPTO_ERR_NULL_MGR, "%s", h->name);
        EXPECT(h->flush(NULL, &out) == ISAL_CRYPTO_ERR_NULL_MGR && out == data, "%s", h->name);
        EXPECT(h->flush(NULL, NULL) == ISAL_CRYPTO_ERR_NULL_MGR, "%s", h->name);
        EXPECT(h->flush(mgr, NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "%s", h->name);
        memcpy(before, ctx, h->ctx_bytes);
        EXPECT(h->submit(NULL, NULL, NULL, NULL, 1, 7) == ISAL_CRYPTO_ERR_NULL_MGR, "%s", h->name);
        EXPECT(h->submit(mgr, NULL, &out, NULL, 1, 7) == ISAL_CRYPTO_ERR_NULL_CTX, "%s", h->name);
        EXPECT(h->submit(mgr, ctx, NULL, NULL, 1, 7) == ISAL_CRYPTO_ERR_NULL_CTX, "%s", h->name);
        for (int flags = 0; flags < 4; flags++) {
            int wanted = ISAL_CRYPTO_ERR_NULL_SRC, error;
            EXPECT(h->submit(mgr, ctx, &out, NULL, 1, (ISAL_HASH_CTX_FLAG) flags) == wanted,
                   "%s: no buffer, flags %d", h->name, flags);
            if (h->null_if_empty || flags == ISAL_HASH_FIRST || flags == ISAL_HASH_LAST)
                continue;
            error = h->submit(mgr, ctx, &out, NULL, 0, (ISAL_HASH_CTX_FLAG) flags);
            EXPECT(error == wanted, "%s: no buffer, no length, flags %d: %d", h->name, flags,
                   error);
        }
        EXPECT(out == data && !memcmp(before, ctx, h->ctx_bytes), "%s: something was touched",
               h->name);

        EXPECT(h->submit(mgr, ctx, &out, data, 1, (ISAL_HASH_CTX_FLAG) 4) ==
                       ISAL_CRYPTO_ERR_INVALID_FLAGS &&
                   out == ctx && (int) get32(ctx, h->error) == -1,
               "%s: flags 4", h->name);
        EXPECT(h->submit(mgr, ctx, &out, data, 1, ISAL_HASH_UPDATE) ==
                       ISAL_CRYPTO_ERR_ALREADY_COMPLETED &&
                   out == ctx && (int) get32(ctx, h->error) == -3,
               "%s: UPDATE of a fresh context", h->name);
        EXPECT(h->submit(mgr, ctx, &out, data, 1, ISAL_HASH_LAST) ==
                   ISAL_CRYPTO_ERR_ALREADY_COMPLETED,
               "%s: LAST of a fresh context", h->name);
        EXPECT(get32(ctx, h->status) == ISAL_HASH_CTX_STS_COMPLETE, "%s: status", h->name);

        /* An empty message without a buffer, in two empty pieces. */
        run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_FIRST);
        if (h->null_if_empty)
            run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_UPDATE);
        run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_LAST);
        if (h->null_if_empty)
            run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_ENTIRE);
        digest_of(h, ctx, got);
        reference(h, data, 0, want);
        expect_digest(h, got, want, "nothing", 0, 0);

        /* A context in the manager: it is refused, finishes, and still shows the error. */
        isal_crypto_set_isa_limit(NULL);
        h->old_init(mgr);
        out = h->old_submit(mgr, ctx, data, sizeof data, ISAL_HASH_ENTIRE);
        if (out == NULL) {
            EXPECT(h->submit(mgr, ctx, &out, data, 1, ISAL_HASH_FIRST) ==
                           ISAL_CRYPTO_ERR_ALREADY_PROCESSING &&
                       out == ctx && (int) get32(ctx, h->error) == -2,
                   "%s: a context in the manager", h->name);
            EXPECT(h->submit(mgr, ctx, &out, data, 1, (ISAL_HASH_CTX_FLAG) 9) ==
                       ISAL_CRYPTO_ERR_INVALID_FLAGS,
                   "%s: flags come first", h->name);
            h->submit(mgr, ctx, &out, data, 1, ISAL_HASH_FIRST);
            EXPECT(h->old_flush(mgr) == ctx, "%s: flush", h->name);
            EXPECT((int) get32(ctx, h->error) == -2, "%s: the error is gone", h->name);
        }
        digest_of(h, ctx, got);
        reference(h, data, sizeof data, want);
        expect_digest(h, got, want, "after misuse", sizeof data, 0);
        EXPECT(h->old_flush(mgr) == NULL, "%s: flush of an empty manager", h->name);
        run_piece(h, mgr, ctx, data, 5, ISAL_HASH_ENTIRE);
        EXPECT(get32(ctx, h->error) == 0, "%s: the error stays", h->name);
        free(mgr);
        free(ctx);
        free(other);
    }
}

/* Managers and contexts at any address, over any contents. */
static void test_alignment(void)
{
    uint8_t data[1000], want[MAX_DIGEST], got[MAX_DIGEST];

    test_fill_random(data, sizeof data);
    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        uint8_t *mgr_memory = test_alloc(h->mgr_bytes + 80), *memory = test_alloc(20 * 600);
        for (size_t shift = 0; shift < 70; shift += 1 + shift / 8) {
            void *mgr = mgr_memory + shift, *out;
            size_t back = 0;
            memset(mgr_memory, FILL, h->mgr_bytes + 80);
            h->old_init(mgr);
            for (size_t k = 0; k < 20; k++) {
                void *ctx = memory + k * 600 + shift;
                memset(ctx, FILL, h->ctx_bytes);
                set32(ctx, h->status, ISAL_HASH_CTX_STS_COMPLETE);
                set32(ctx, h->error, 0);
                back += h->old_submit(mgr, ctx, data + k, (uint32_t) (40 * k + shift),
                                      ISAL_HASH_ENTIRE) != NULL;
            }
            while ((out = h->old_flush(mgr)) != NULL)
                back++;
            EXPECT(back == 20, "%s: %zu contexts came back", h->name, back);
            for (size_t k = 0; k < 20; k++) {
                digest_of(h, memory + k * 600 + shift, got);
                reference(h, data + k, 40 * k + shift, want);
                expect_digest(h, got, want, "shift and context", shift, k);
            }
            for (size_t k = 0; k < 80; k++)
                EXPECT(mgr_memory[k < shift ? k : h->mgr_bytes + k] == FILL,
                       "%s: a manager writes outside itself", h->name);
        }
        free(mgr_memory);
        free(memory);
    }
}

/* ---- One call for all messages ---- */

static void test_one_call(void)
{
    enum { N = 150 };
    static uint8_t data[20000], digests[N * MAX_DIGEST + 1];
    const void *buffers[N];
    uint64_t lens[N];
    uint8_t want[MAX_DIGEST];

    test_fill_random(data, sizeof data);
    for (int t = 0; tiers[t]; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (size_t i = 0; i < HASHES; i++) {
            const struct hash *h = &hashes[i];
            for (size_t n = 0; n <= N; n += 1 + n / 9) {
                for (size_t k = 0; k < n; k++) {
                    lens[k] = test_random(test_random(4) ? 200 : sizeof data);
                    if (test_random(10) == 0)
                        lens[k] = 0;
                    buffers[k] =
                        lens[k] ? data + test_random((unsigned) (sizeof data - lens[k])) : NULL;
                }
                memset(digests, FILL, sizeof digests);
                EXPECT(h->all(buffers, lens, n, digests) == 0, "%s of %zu", h->name, n);
                EXPECT(digests[n * digest_bytes(h)] == FILL, "%s of %zu writes on", h->name, n);
                for (size_t k = 0; k < n; k++) {
                    reference(h, buffers[k], lens[k], want);
                    expect_digest(h, digests + k * digest_bytes(h), want, "of all, number", n, k);
                }
            }
        }
    }
    isal_crypto_set_isa_limit(NULL);
    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        buffers[0] = data;
        buffers[1] = NULL;
        lens[0] = lens[1] = 1;
        EXPECT(h->all(NULL, NULL, 0, NULL) == 0, "%s of nothing", h->name);
        EXPECT(h->all(NULL, lens, 1, digests) == ISAL_CRYPTO_ERR_NULL_SRC, "%s", h->name);
        EXPECT(h->all(buffers, NULL, 1, digests) == ISAL_CRYPTO_ERR_NULL_SRC, "%s", h->name);
        EXPECT(h->all(buffers, lens, 2, digests) == ISAL_CRYPTO_ERR_NULL_SRC, "%s", h->name);
        EXPECT(h->all(buffers, lens, 1, NULL) == ISAL_CRYPTO_ERR_NULL_AUTH, "%s", h->name);
    }
}

/* ---- Streams of more than 4 GiB ---- */

#define LONG_PIECE (64 << 20)
#define LONG_PIECES 65 /* 4 GiB and one piece more, and then 77 bytes */

/* One stream in pieces and, as one call, one message, against OpenSSL's digest of the pieces. */
static void test_long_streams(void)
{
    const char *wanted = getenv("ISAL_LONG_TESTS");
    size_t total = (size_t) LONG_PIECE * LONG_PIECES + 77;
    uint8_t *data, want[MAX_DIGEST], got[MAX_DIGEST];

    if (!wanted || strcmp(wanted, "1")) {
        test_skip("takes a minute and 4.2 GB of memory; set ISAL_LONG_TESTS=1");
        return;
    }
    if (sizeof(size_t) < 8 || !(data = malloc(total))) {
        test_skip("there is no memory for %zu bytes", total);
        return;
    }
    for (size_t i = 0; i < total; i++)
        data[i] = (uint8_t) (i * 0x9e3779b1 >> 24);
    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        void *mgr = new_manager(h), *ctx = new_context(h);
        const void *buffer = data;
        uint64_t len = total;
        foreign_digest(h, data, total, want);
        for (int piece = 0; piece < LONG_PIECES; piece++)
            run_piece(h, mgr, ctx, data + (size_t) piece * LONG_PIECE, LONG_PIECE,
                      piece ? ISAL_HASH_UPDATE : ISAL_HASH_FIRST);
        run_piece(h, mgr, ctx, data + total - 77, 77, ISAL_HASH_LAST);
        digest_of(h, ctx, got);
        expect_digest(h, got, want, "pieces of a stream", total, 0);
        EXPECT(get64(ctx, h->total) == total, "%s: total_length", h->name);
        EXPECT(h->all(&buffer, &len, 1, got) == 0, "%s", h->name);
        expect_digest(h, got, want, "one message", total, 0);
        foreign_digest(h, data, UINT32_MAX, want); /* the longest piece there is */
        run_piece(h, mgr, ctx, data, UINT32_MAX, ISAL_HASH_ENTIRE);
        digest_of(h, ctx, got);
        expect_digest(h, got, want, "one piece", UINT32_MAX, 0);
        free(mgr);
        free(ctx);
    }
    free(data);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_vectors);
    TEST(test_splits);
    TEST(test_length_field);
    TEST(test_interleaved);
    TEST(test_occupancy);
    TEST(test_order);
    TEST(test_misuse);
    TEST(test_alignment);
    TEST(test_one_call);
    TEST(test_long_streams);
    return test_finish();
}
