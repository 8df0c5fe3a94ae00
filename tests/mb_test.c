/* Tests of the multi-buffer hashes: published test vectors, pieces, the contract, long streams.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ISAL_LONG_TESTS=1 in the environment adds streams of more than 4 GiB. */

#include "mb_test.h"

#include "rsp.h"

/* ---- Vectors ---- */

/* SHAVS, section 6.4: 1000 digests, each that of the preceding three. */
static void monte_carlo(const struct hash *h, const uint8_t *seed, unsigned long rounds,
                        uint8_t *digest)
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
            monte_carlo(&hashes[i], message, rsp_number(&r, "ROUNDS"), got);
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

/* Every length up to three blocks and a few bytes, cut at every place into two pieces, which may be
 * empty. Then more pieces, with lengths and cuts at block boundaries and at random places. */
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
        /* A message that FIRST restarts. */
        run_piece(h, mgr, ctx, data, h->block + 3, ISAL_HASH_FIRST);
        run_piece(h, mgr, ctx, data, 3, ISAL_HASH_FIRST);
        run_piece(h, mgr, ctx, data + 3, 7, ISAL_HASH_LAST);
        reference(h, data, 10, want);
        digest_of(h, ctx, got);
        expect_digest(h, got, want, "restarted", 10, 0);
        free(mgr);
        free(ctx);
    }
}

/* Every bit of the length field. Messages of that length would take too long, so the length before
 * the last piece is written to the context, whose state is still the initial one. */
static void test_length_field(void)
{
    uint8_t data[200], want[MAX_DIGEST], got[MAX_DIGEST];

    test_fill_random(data, sizeof data);
    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        void *mgr = new_manager(h), *ctx = new_context(h);
        for (unsigned bit = 7; bit < (h->length_field > 8 ? 64 : 61); bit++) {
            size_t len = test_random(sizeof data);
            uint64_t before = (uint64_t) 1 << bit, stated = before + len;
            run_piece(h, mgr, ctx, data, 0, ISAL_HASH_FIRST);
            memcpy((uint8_t *) ctx + h->total, &before, sizeof before);
            run_piece(h, mgr, ctx, data, len, ISAL_HASH_LAST);
            EXPECT(get64(ctx, h->total) == stated, "%s: total_length", h->name);
            reference_of_length(h, data, len, stated, want);
            digest_of(h, ctx, got);
            expect_digest(h, got, want, "length and bit of the length before", len, bit);
        }
        free(mgr);
        free(ctx);
    }
}

/* ---- The contract ---- */

static void expect_null_errors(const struct hash *h, void *mgr, void *ctx)
{
    int unchanged;
    void *out = &unchanged;
    uint8_t before[1024];

    EXPECT(h->init(NULL) == ISAL_CRYPTO_ERR_NULL_MGR, "%s", h->name);
    EXPECT(h->flush(NULL, &out) == ISAL_CRYPTO_ERR_NULL_MGR && out == &unchanged, "%s", h->name);
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
        EXPECT(error == wanted, "%s: no buffer, no length, flags %d: %d", h->name, flags, error);
    }
    EXPECT(out == &unchanged && !memcmp(before, ctx, h->ctx_bytes), "%s: something was written",
           h->name);
}

/* Pieces that do not fit the state of a fresh context. */
static void expect_refused_pieces(const struct hash *h, void *mgr, void *ctx)
{
    const uint8_t data[1] = {0};
    void *out = NULL;

    EXPECT(h->submit(mgr, ctx, &out, data, 1, (ISAL_HASH_CTX_FLAG) 4) ==
                   ISAL_CRYPTO_ERR_INVALID_FLAGS &&
               out == ctx && (int) get32(ctx, h->error) == -1,
           "%s: flags 4", h->name);
    EXPECT(h->submit(mgr, ctx, &out, data, 1, ISAL_HASH_UPDATE) ==
                   ISAL_CRYPTO_ERR_ALREADY_COMPLETED &&
               out == ctx && (int) get32(ctx, h->error) == -3,
           "%s: UPDATE of a fresh context", h->name);
    EXPECT(h->submit(mgr, ctx, &out, data, 1, ISAL_HASH_LAST) == ISAL_CRYPTO_ERR_ALREADY_COMPLETED,
           "%s: LAST of a fresh context", h->name);
    EXPECT(get32(ctx, h->status) == ISAL_HASH_CTX_STS_COMPLETE, "%s: status", h->name);
}

/* A context in the manager is refused, finishes, and still shows the error. */
static void expect_refused_context(const struct hash *h, void *mgr, void *ctx)
{
    const uint8_t data[300] = {0};
    uint8_t got[MAX_DIGEST], want[MAX_DIGEST];
    void *out;

    h->old_init(mgr);
    out = h->old_submit(mgr, ctx, data, sizeof data, ISAL_HASH_ENTIRE);
    if (out == NULL) {
        EXPECT(h->submit(mgr, ctx, &out, data, 1, ISAL_HASH_FIRST) ==
                       ISAL_CRYPTO_ERR_ALREADY_PROCESSING &&
                   out == ctx && (int) get32(ctx, h->error) == -2,
               "%s: a context in the manager", h->name);
        EXPECT(h->submit(mgr, ctx, &out, data, 1, (ISAL_HASH_CTX_FLAG) 9) ==
                   ISAL_CRYPTO_ERR_INVALID_FLAGS,
               "%s: flags are checked first", h->name);
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
}

static void test_misuse(void)
{
    uint8_t got[MAX_DIGEST], want[MAX_DIGEST];

    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        void *mgr = new_manager(h), *ctx = new_context(h);

        expect_null_errors(h, mgr, ctx);
        expect_refused_pieces(h, mgr, ctx);
        /* An empty message without a buffer, in empty pieces. */
        run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_FIRST);
        if (h->null_if_empty)
            run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_UPDATE);
        run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_LAST);
        if (h->null_if_empty)
            run_piece(h, mgr, ctx, NULL, 0, ISAL_HASH_ENTIRE);
        digest_of(h, ctx, got);
        reference(h, NULL, 0, want);
        expect_digest(h, got, want, "empty message", 0, 0);
        isal_crypto_set_isa_limit(NULL);
        expect_refused_context(h, mgr, ctx);
        free(mgr);
        free(ctx);
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
            EXPECT(back == 20, "%s: %zu contexts returned", h->name, back);
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
                    reference(h, buffers[k], (size_t) lens[k], want);
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
#define LONG_PIECES 65 /* 4 GiB and one more piece; 77 bytes follow */

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
    openssl_open();
    for (size_t i = 0; i < total; i++)
        data[i] = (uint8_t) (i * 0x9e3779b1 >> 24);
    for (size_t i = 0; i < HASHES; i++) {
        const struct hash *h = &hashes[i];
        void *mgr = new_manager(h), *ctx = new_context(h);
        const void *buffer = data;
        uint64_t len = total;
        peer_digest(h, data, total, want);
        for (int piece = 0; piece < LONG_PIECES; piece++)
            run_piece(h, mgr, ctx, data + (size_t) piece * LONG_PIECE, LONG_PIECE,
                      piece ? ISAL_HASH_UPDATE : ISAL_HASH_FIRST);
        run_piece(h, mgr, ctx, data + total - 77, 77, ISAL_HASH_LAST);
        digest_of(h, ctx, got);
        expect_digest(h, got, want, "pieces of a stream", total, 0);
        EXPECT(get64(ctx, h->total) == total, "%s: total_length", h->name);
        EXPECT(h->all(&buffer, &len, 1, got) == 0, "%s", h->name);
        expect_digest(h, got, want, "one message", total, 0);
        peer_digest(h, data, UINT32_MAX, want); /* the longest piece there is */
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
    TEST(test_misuse);
    TEST(test_alignment);
    TEST(test_one_call);
    TEST(test_long_streams);
    return test_finish();
}
