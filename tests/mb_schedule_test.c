/* Tests of the multi-buffer hash managers with many contexts: which of them return, when, and in
 * what order.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mb_test.h"

#define CONTEXTS 2000
#define POOL (1 << 16)

struct message {
    void *ctx;
    size_t start, len, done; /* in the pool of data */
    int held, finished;
};

static size_t messages_finished, messages_held;

static void check_returned(const struct hash *h, struct message *messages, const uint8_t *pool,
                           void *ctx)
{
    uintptr_t index;
    struct message *m;
    uint8_t got[MAX_DIGEST], want[MAX_DIGEST];

    memcpy(&index, (uint8_t *) ctx + h->user_data, sizeof index);
    if (!EXPECT(index < CONTEXTS && messages[index].ctx == ctx, "%s: user_data changed", h->name))
        return;
    m = &messages[index];
    EXPECT(m->held, "%s: a context returned twice", h->name);
    EXPECT(get32(ctx, h->error) == 0, "%s: error %d", h->name, (int) get32(ctx, h->error));
    m->held = 0;
    messages_held--;
    if (get32(ctx, h->status) != ISAL_HASH_CTX_STS_COMPLETE)
        return;
    digest_of(h, ctx, got);
    peer_digest(h, pool + m->start, m->len, want);
    expect_digest(h, got, want, "interleaved, start and length", m->start, m->len);
    m->finished = 1;
    messages_finished++;
}

/* Submits a random piece of what remains of a message. */
static void submit_some(const struct hash *h, void *mgr, struct message *messages,
                        struct message *m, const uint8_t *pool)
{
    size_t remaining = m->len - m->done,
           n = test_random(2) ? remaining : test_random((unsigned) remaining + 1);
    unsigned flags = get32(m->ctx, h->status) == ISAL_HASH_CTX_STS_IDLE ? 0 : ISAL_HASH_FIRST;
    const uint8_t *from = pool + m->start + m->done;
    void *out;

    if (n == remaining && test_random(4))
        flags |= ISAL_HASH_LAST;
    m->held = 1;
    messages_held++;
    m->done += n;
    EXPECT(!h->submit(mgr, m->ctx, &out, from, (uint32_t) n, (ISAL_HASH_CTX_FLAG) flags),
           "%s: submit", h->name);
    if (out)
        check_returned(h, messages, pool, out);
}

/* Random pieces of random messages of random contexts, with occasional flushes. */
static void interleave(const struct hash *h, const uint8_t *pool)
{
    struct message *messages = test_alloc(CONTEXTS * sizeof *messages);
    void *mgr = new_manager(h), *out;

    messages_finished = messages_held = 0;
    for (uintptr_t i = 0; i < CONTEXTS; i++) {
        size_t max_len = test_random(8) ? 600 : test_random(8) ? 5000 : POOL / 2;
        messages[i] = (struct message){
            new_context(h), test_random(POOL / 2), test_random((unsigned) max_len), 0, 0, 0};
        memcpy((uint8_t *) messages[i].ctx + h->user_data, &i, sizeof i);
        memcpy((uint8_t *) messages[i].ctx + h->job_user_data, &i, sizeof i);
    }
    while (messages_finished < CONTEXTS) {
        struct message *m = &messages[test_random(CONTEXTS)];
        if (!m->held && !m->finished) {
            submit_some(h, mgr, messages, m, pool);
        } else if (m->held && test_random(20) == 0) { /* misuse without effect */
            EXPECT(h->old_submit(mgr, m->ctx, pool, 64, ISAL_HASH_ENTIRE) == m->ctx &&
                       (int) get32(m->ctx, h->error) == ISAL_HASH_CTX_ERROR_ALREADY_PROCESSING,
                   "%s: a context in the manager was accepted", h->name);
            set32(m->ctx, h->error, 0);
        } else if (test_random(50) == 0 || messages_held + messages_finished == CONTEXTS) {
            EXPECT(!h->flush(mgr, &out), "%s: flush", h->name);
            EXPECT((out != NULL) == (messages_held != 0), "%s: flush with %zu held", h->name,
                   messages_held);
            if (out)
                check_returned(h, messages, pool, out);
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
        test_skip(
            "OpenSSL (libcrypto.so) is missing: digests are compared with the reference only");
    test_fill_random(pool, POOL);
    for (int t = 0; tiers[t]; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (size_t i = 0; i < HASHES; i++)
            interleave(&hashes[i], pool);
    }
    isal_crypto_set_isa_limit(NULL);
    free(pool);
}

/* Submits every number of contexts up to twice the lanes, with equal and with different lengths,
 * then flushes them. No context is lost, and the manager never keeps more contexts than lanes. */
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
                EXPECT(back == n, "%s %s: %zu of %zu contexts returned", h->name, tiers[t], back,
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

/* ---- The order in which contexts return ---- */

/* Model of a manager: the contexts that it holds, in the order of submission, and the blocks that
 * each has left. */
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

/* The context that must return next: fewest blocks left, then oldest. All others advance by as many
 * blocks as it had left. */
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

/* Submits n contexts with equal messages: they return in the order of submission, so that a program
 * may keep them in a ring. Returns the number of submits up to the first that returned a
 * context. */
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
        EXPECT(!lanes || out == ctx[back], "%s %s: submit %zu of equal jobs did not return %zu",
               h->name, tier, k, back);
        back += out != NULL;
    }
    while (!h->flush(mgr, &out) && out && back < n) {
        EXPECT(out == ctx[back], "%s %s: flush after equal jobs did not return %zu", h->name, tier,
               back);
        back++;
    }
    EXPECT(!out && back == n, "%s %s: %zu of %zu contexts returned", h->name, tier, back, n);
    free(mgr);
    return lanes;
}

/* Random pieces of few different lengths, so that many contexts have equally many blocks left.
 * Phases of rare and of frequent flushes alternate. */
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
            if (m.held == m.lanes || out) /* it may return one before its lanes are full */
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

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_interleaved);
    TEST(test_occupancy);
    TEST(test_order);
    return test_finish();
}
