/* Tests of the rolling hash and the chunker against their contracts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The public functions, under every tier of this CPU, are compared with a model that computes the
 * hash of each window from its bytes. The kernel check compares kernels with portable C, at every
 * length and alignment. */

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/chunker.h"
#include "isa-l_crypto/isal_crypto_api.h"
#include "isa-l_crypto/rolling_hashx.h"

#include "dispatch/tiers.h"
#include "test.h"

#define MAX_LEN 30000

static const char *const tiers[] = {TIERS(TIER_NAME)};
#define TIER_TOTAL (sizeof tiers / sizeof *tiers)

static struct isal_rh_state2 state;
static uint8_t data[MAX_LEN];

static uint64_t rol(uint64_t x, unsigned n)
{
    return x << (n % 64) | x >> (-n % 64);
}

/* The hash of a window by definition, with the table that init made. */
static uint64_t model_hash(const uint8_t *window, unsigned w)
{
    uint64_t hash = 0;

    for (unsigned i = 0; i < w; i++)
        hash ^= rol(state.table1[window[i]], w - 1 - i);
    return hash;
}

/* Number of bytes of stream[at ..] up to and including the first match, or 0. The window precedes
 * `at`. */
static uint32_t model_run(const uint8_t *stream, uint32_t at, uint32_t len, unsigned w,
                          uint32_t mask, uint32_t trigger)
{
    for (uint32_t i = 0; i < len; i++)
        if (((uint32_t) model_hash(stream + at + i + 1 - w, w) & mask) == trigger)
            return i + 1;
    return 0;
}

/* ---- Known values ---- */

static void test_vectors(void)
{
    static const uint32_t cuts[] = {147, 713, 1603, 1645, 3061, 4247, 4936, 4992};
    static const uint8_t start[] = {0xc6, 0x7e, 0x81, 0x6b, 0x4b, 0xfb, 0xe2, 0xfb};
    uint8_t window[32];
    uint64_t x = 1;
    uint32_t at = 48, offset;
    int match;

    for (unsigned i = 0; i < 32; i++)
        window[i] = (uint8_t) i;
    EXPECT(!isal_rolling_hash2_init(&state, 32), "w = 32");
    EXPECT(state.table1[0] == 0x243f6a8885a308d3 && state.table1[1] == 0x13198a2e03707344,
           "the fraction of pi");
    for (unsigned i = 0; i < 256; i++)
        EXPECT(state.table2[i] == rol(state.table1[i], 32), "table2[%u]", i);
    EXPECT(!isal_rolling_hash2_reset(&state, window), "reset");
    EXPECT(state.hash == 0xa9b833d9b559aa92, "hash %016llx", (unsigned long long) state.hash);

    for (unsigned i = 0; i < 20000; i++) {
        x = (1103515245 * x + 12345) & 0x7fffffff;
        data[i] = (uint8_t) (x >> 16);
    }
    EXPECT(!memcmp(data, start, sizeof start), "the generator");
    isal_rolling_hash2_init(&state, 48);
    isal_rolling_hash2_reset(&state, data);
    for (unsigned i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        isal_rolling_hash2_run(&state, data + at, 20000 - at, 0x3ff, 0, &offset, &match);
        at += offset;
        EXPECT(at == cuts[i] && match == ISAL_FINGERPRINT_RET_HIT, "cut %u at %u", i, at);
    }
}

static void test_mask_gen(void)
{
    static const struct {
        uint32_t mean, shift, mask;
    } cases[] = {
        {0, 0, 1},
        {1, 0, 1},
        {2, 0, 1},
        {3, 0, 1},
        {4, 0, 3},
        {1000, 0, 0x1ff},
        {1024, 0, 0x3ff},
        {4096, 4, 0xfff0},
        {4096, 28, 0xf00000ff},
        {1 << 20, 16, 0xffff000f},
        {1024, 33, 0x7fe},
        {0xffffffff, 0, 0x7fffffff},
        {0x80000000, 1, 0xfffffffe},
    };
    uint32_t mask;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EXPECT(!isal_rolling_hashx_mask_gen(cases[i].mean, cases[i].shift, &mask), "case %zu", i);
        EXPECT(mask == cases[i].mask, "case %zu: %08x", i, mask);
        if (cases[i].mean <= 0x7fffffff) {
            mask = rolling_hashx_mask_gen((long) cases[i].mean, (int) cases[i].shift);
            EXPECT(mask == cases[i].mask, "older name, case %zu: %08x", i, mask);
        }
    }
    EXPECT(rolling_hashx_mask_gen(-5, 0) == 1, "a negative mean");
    if (sizeof(long) > 4)
        EXPECT(rolling_hashx_mask_gen((long) ((uint64_t) 1 << 33), 0) == 0xffffffff, "2^33");
}

static void test_arguments(void)
{
    const struct isal_rh_state2 before = state;
    uint8_t bytes[48] = {0};
    uint32_t offset = 77, mask;
    int match = 77;

    EXPECT(isal_rolling_hash2_init(NULL, 49) == ISAL_CRYPTO_ERR_NULL_CTX, "NULL first");
    EXPECT(isal_rolling_hash2_init(&state, 49) == ISAL_CRYPTO_ERR_WINDOW_SIZE, "w = 49");
    EXPECT(rolling_hash2_init(&state, 49) == -1, "w = 49, older name");
    EXPECT(!memcmp(&before, &state, sizeof state), "state touched");
    EXPECT(rolling_hash2_init(&state, 48) == 0, "w = 48, older name");
    EXPECT(isal_rolling_hash2_init(&state, 0) == 0, "w = 0");
    EXPECT(isal_rolling_hash2_init(&state, 48) == 0, "w = 48");
    EXPECT(isal_rolling_hash2_reset(NULL, NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "NULL first");
    EXPECT(isal_rolling_hash2_reset(&state, NULL) == ISAL_CRYPTO_ERR_NULL_INIT_VAL, "bytes");
    EXPECT(!isal_rolling_hash2_reset(&state, bytes), "reset");
    EXPECT(isal_rolling_hash2_run(NULL, NULL, 1, 1, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_CTX,
           "state");
    EXPECT(isal_rolling_hash2_run(&state, NULL, 1, 1, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_SRC,
           "buffer");
    EXPECT(isal_rolling_hash2_run(&state, bytes, 1, 1, 1, NULL, NULL) ==
               ISAL_CRYPTO_ERR_NULL_OFFSET,
           "offset");
    EXPECT(isal_rolling_hash2_run(&state, bytes, 1, 1, 1, &offset, NULL) ==
               ISAL_CRYPTO_ERR_NULL_MATCH,
           "match");
    EXPECT(offset == 77, "offset touched");
    EXPECT(isal_rolling_hashx_mask_gen(1, 1, NULL) == ISAL_CRYPTO_ERR_NULL_MASK, "mask");
    EXPECT(isal_rolling_hashx_mask_gen(1, 1, &mask) == 0, "mask");
    /* no bytes: no match, although every hash would match */
    EXPECT(!isal_rolling_hash2_run(&state, bytes, 0, 0, 0, &offset, &match) && offset == 0 &&
               match == ISAL_FINGERPRINT_RET_MAX,
           "max_len 0: %u, %d", offset, match);
    EXPECT(!isal_rolling_hash2_run(&state, bytes, 48, 0, 0, &offset, &match) && offset == 1 &&
               match == ISAL_FINGERPRINT_RET_HIT,
           "mask 0: %u, %d", offset, match);
}

/* A trigger with bits outside the mask never matches, and all bytes are consumed. */
static void test_impossible_trigger(void)
{
    for (uint32_t len = 0; len < 300; len += 7) {
        uint32_t offset = 0;

        test_fill_random(data, sizeof data);
        isal_rolling_hash2_init(&state, 16);
        isal_rolling_hash2_reset(&state, data);
        EXPECT(rolling_hash2_run(&state, data + 16, len, 1, 2, &offset) ==
                       ISAL_FINGERPRINT_RET_MAX &&
                   offset == len,
               "len %u: offset %u", len, offset);
        EXPECT(state.hash == model_hash(data + len, 16), "len %u: hash", len);
    }
}

/* ---- Random streams in random pieces ---- */

static void fill_stream(void)
{
    static const unsigned kinds[] = {256, 256, 256, 2, 1, 17};
    unsigned values = kinds[test_random(6)];

    for (size_t i = 0; i < MAX_LEN; i++)
        data[i] = (uint8_t) test_random(values);
    if (test_random(4) == 0) /* one run of equal bytes */
        memset(data + test_random(MAX_LEN / 2), (int) test_random(256), MAX_LEN / 4);
}

static void one_stream(const char *tier, uint32_t piece, uint32_t length)
{
    unsigned w = 1 + test_random(48), bits = test_random(13), shift = test_random(32);
    uint32_t mask = ((uint32_t) 1 << bits) - 1, trigger, at = w;

    mask = mask << shift | mask >> (-shift & 31);
    trigger = test_random(2) ? test_random(0xffffffff) & mask : 0;
    fill_stream();
    isal_rolling_hash2_init(&state, w);
    isal_rolling_hash2_reset(&state, data);
    while (at < length) {
        uint32_t len = test_random(piece), offset, want;
        int match;

        len = len < length - at ? len : length - at;
        want = model_run(data, at, len, w, mask, trigger);
        isal_rolling_hash2_run(&state, data + at, len, mask, trigger, &offset, &match);
        if (!EXPECT(match == (want ? ISAL_FINGERPRINT_RET_HIT : ISAL_FINGERPRINT_RET_MAX) &&
                        offset == (want ? want : len),
                    "%s: w %u, mask %08x, trigger %08x, at %u, len %u: %u, match %d, not %u", tier,
                    w, mask, trigger, at, len, offset, match, want))
            return;
        at += offset;
        if (!EXPECT(state.hash == model_hash(data + at - w, w) &&
                        !memcmp(state.history, data + at - w, w),
                    "%s: w %u, state at %u", tier, w, at))
            return;
    }
}

static void test_streams(void)
{
    for (size_t t = 0; t < TIER_TOTAL; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (unsigned i = 0; i < 150; i++)
            one_stream(tiers[t], 100, 2000);
        for (unsigned i = 0; i < 40; i++)
            one_stream(tiers[t], 1000, 4000);
        for (unsigned i = 0; i < 10; i++)
            one_stream(tiers[t], 20000, 6000);
    }
    isal_crypto_set_isa_limit(NULL);
}

/* A match at every offset, including the last byte of the buffer, and none directly after it. */
static void test_every_offset(void)
{
    static const unsigned windows[] = {1, 2, 7, 8, 9, 16, 31, 32, 40, 47, 48};

    test_fill_random(data, sizeof data);
    for (size_t t = 0; t < TIER_TOTAL; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
            unsigned w = windows[i];

            for (uint32_t n = 1; n <= 1024; n++) {
                uint32_t offset[3];
                int match[3];

                isal_rolling_hash2_init(&state, w);
                for (unsigned j = 0; j < 3;
                     j++) { /* buffers that end before, at and after the match */
                    uint32_t trigger = (uint32_t) model_hash(data + n, w);

                    isal_rolling_hash2_reset(&state, data);
                    isal_rolling_hash2_run(&state, data + w, n - 1 + j, 0xffffffff, trigger,
                                           &offset[j], &match[j]);
                }
                if (w < 3) /* windows repeat; an earlier one may match */
                    EXPECT(offset[1] <= n && match[1] == ISAL_FINGERPRINT_RET_HIT, "n %u", n);
                else
                    EXPECT(offset[0] == n - 1 && match[0] == ISAL_FINGERPRINT_RET_MAX &&
                               offset[1] == n && match[1] == ISAL_FINGERPRINT_RET_HIT &&
                               offset[2] == n && match[2] == ISAL_FINGERPRINT_RET_HIT,
                           "%s: w %u, n %u: %u %u %u", tiers[t], w, n, offset[0], offset[1],
                           offset[2]);
            }
        }
    }
    isal_crypto_set_isa_limit(NULL);
}

/* ---- The chunker ---- */

static struct isal_chunker chunker;

/* Size of the first chunk of len bytes, by definition, with the masks and the normal size of the
 * chunker. */
static size_t model_chunk(const uint8_t *p, size_t len)
{
    isal_rolling_hash2_init(&state, 48);
    for (size_t n = chunker.min; n <= len && n < chunker.max; n++)
        if (!(model_hash(p + n - 48, 48) & chunker.mask[n > chunker.normal]))
            return n;
    return len < chunker.max ? len : chunker.max;
}

static void test_chunker_arguments(void)
{
    size_t used = 77;
    int end = 77;

    EXPECT(isal_chunker_init(NULL, 1, 1, 1) == ISAL_CRYPTO_ERR_NULL_CTX, "NULL");
    EXPECT(isal_chunker_init(&chunker, 63, 1000, 2000) == ISAL_CRYPTO_ERR_WINDOW_SIZE, "min");
    EXPECT(isal_chunker_init(&chunker, 64, 95, 2000) == ISAL_CRYPTO_ERR_WINDOW_SIZE, "avg");
    EXPECT(isal_chunker_init(&chunker, 640, 95, 2000) == ISAL_CRYPTO_ERR_WINDOW_SIZE, "avg < min");
    EXPECT(isal_chunker_init(&chunker, 64, 96, 95) == ISAL_CRYPTO_ERR_WINDOW_SIZE, "max");
    EXPECT(isal_chunker_init(&chunker, 64, 96, (1 << 30) + 1) == ISAL_CRYPTO_ERR_WINDOW_SIZE,
           "max too large");
    EXPECT(!isal_chunker_init(&chunker, 64, 1 << 30, 1 << 30), "largest");
    EXPECT(!isal_chunker_init(&chunker, 64, 96, 96), "smallest");
    EXPECT(isal_chunker_next(NULL, NULL, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "chunker");
    EXPECT(isal_chunker_next(&chunker, NULL, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_SRC, "data");
    EXPECT(isal_chunker_next(&chunker, data, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_OFFSET, "used");
    EXPECT(isal_chunker_next(&chunker, data, 1, &used, NULL) == ISAL_CRYPTO_ERR_NULL_MATCH, "end");
    EXPECT(used == 77, "used touched");
    EXPECT(!isal_chunker_next(&chunker, NULL, 0, &used, &end) && used == 0 && !end, "no data");
    EXPECT(isal_chunker_reset(NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "reset");
    EXPECT(isal_chunker_split(NULL, NULL, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "split");
    EXPECT(isal_chunker_split(&chunker, NULL, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_SRC, "split");
    EXPECT(isal_chunker_split(&chunker, data, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_DST, "split");
}

struct sizes {
    size_t count, total, stop_after;
    uint32_t list[1000];
};

static int record_size(void *arg, const uint8_t *chunk, size_t size)
{
    struct sizes *s = arg;

    EXPECT(chunk == data + s->total, "chunk %zu does not follow the previous one", s->count);
    s->list[s->count++ % 1000] = (uint32_t) size;
    s->total += size;
    return s->count == s->stop_after ? -7 : 0;
}

/* split() gives the chunks of the model, and next() those of split(), however the stream is
 * divided. */
static void test_chunks(void)
{
    static const uint32_t sizes[][3] = {{64, 96, 96},     {64, 128, 512},     {64, 1000, 4000},
                                        {100, 333, 2000}, {256, 1024, 1500},  {64, 5000, 20000},
                                        {700, 732, 800},  {2000, 4100, 30000}};
    static struct sizes s;

    for (unsigned i = 0; i < 96; i++) {
        const uint32_t *z = sizes[i % 8];
        size_t at = 0, n = 0, size = 0, pieces[] = {1, 40, 100, 1000, MAX_LEN};
        uint32_t pos = 0;

        isal_crypto_set_isa_limit(tiers[i / 8 % (TIER_TOTAL)]);
        fill_stream();
        EXPECT(!isal_chunker_init(&chunker, z[0], z[1], z[2]), "sizes %zu", (size_t) i % 8);
        memset(&s, 0, sizeof s);
        EXPECT(!isal_chunker_split(&chunker, data, MAX_LEN, record_size, &s), "split");
        EXPECT(s.total == MAX_LEN && s.count <= 1000, "%zu bytes", s.total);
        for (n = 0; n < s.count; at += s.list[n++]) {
            size_t want = model_chunk(data + at, MAX_LEN - at);
            if (!EXPECT(s.list[n] == want, "%s: chunk %zu of sizes %u: %u, not %zu",
                        tiers[i / 8 % (TIER_TOTAL)], n, i % 8, s.list[n], want))
                return;
        }
        n = 0;
        while (pos < MAX_LEN) {
            size_t len = 1 + test_random((unsigned) pieces[test_random(5)]), used;
            int end;

            if (size + 2 < z[0] &&
                test_random(3) == 0) /* up to the first possible cut, approximately */
                len = z[0] - 2 + test_random(3) - size;
            len = len < MAX_LEN - pos ? len : MAX_LEN - pos;
            EXPECT(!isal_chunker_next(&chunker, data + pos, len, &used, &end), "next");
            EXPECT(used <= len && (end || used == len), "used %zu of %zu", used, len);
            pos += (uint32_t) used;
            size += used;
            if (end || pos == MAX_LEN) {
                if (!EXPECT(n < s.count && size == s.list[n], "chunk %zu in pieces: %zu, not %u", n,
                            size, s.list[n]))
                    return;
                n++;
                size = 0;
            }
        }
        EXPECT(n == s.count, "%zu chunks in pieces, not %zu", n, s.count);
        isal_chunker_reset(&chunker);
        memset(&s, 0, sizeof s);
        s.stop_after = 1;
        EXPECT(isal_chunker_split(&chunker, data, MAX_LEN, record_size, &s) == -7 && s.count == 1,
               "the callback's result");
    }
    isal_crypto_set_isa_limit(NULL);
}

/* The mean size for random data is the requested average. */
static void test_chunk_mean(void)
{
    static const uint32_t sizes[][3] = {
        {64, 256, 2048}, {256, 700, 5000}, {64, 1000, 8000}, {512, 1024, 8192}, {100, 355, 4000}};
    size_t len = 3000000;
    uint8_t *bytes = test_alloc(len);

    test_fill_random(bytes, len);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t count = 0, used;
        double mean;
        int end;

        isal_chunker_init(&chunker, sizes[i][0], sizes[i][1], sizes[i][2]);
        for (size_t at = 0; at < len; at += used, count += (size_t) end)
            isal_chunker_next(&chunker, bytes + at, len - at, &used, &end);
        mean = (double) len / (double) count;
        EXPECT(mean > 0.96 * sizes[i][1] && mean < 1.04 * sizes[i][1], "mean %.1f, not %u", mean,
               sizes[i][1]);
    }
    free(bytes);
}

/* Cuts are part of the interface: stores depend on them. */
static void test_chunk_vectors(void)
{
    static const uint32_t want[] = {713,  932,  2602, 3367, 944, 3520, 1353, 3172,
                                    2010, 3640, 1690, 669,  820, 2062, 2506};
    static struct sizes s;
    uint64_t x = 1;

    for (unsigned i = 0; i < MAX_LEN; i++) {
        x = (1103515245 * x + 12345) & 0x7fffffff;
        data[i] = (uint8_t) (x >> 16);
    }
    isal_chunker_init(&chunker, 512, 3000, 9000);
    memset(&s, 0, sizeof s);
    isal_chunker_split(&chunker, data, MAX_LEN, record_size, &s);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        EXPECT(i < s.count && s.list[i] == want[i], "chunk %zu: %u", i, s.list[i]);
    EXPECT(s.count == sizeof want / sizeof *want, "%zu chunks", s.count);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_vectors);
    TEST(test_mask_gen);
    TEST(test_arguments);
    TEST(test_impossible_trigger);
    TEST(test_streams);
    TEST(test_every_offset);
    TEST(test_chunker_arguments);
    TEST(test_chunks);
    TEST(test_chunk_mean);
    TEST(test_chunk_vectors);
    return test_finish();
}
