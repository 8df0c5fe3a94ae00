/* Tests of the multi-hashes against their contract and a model.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The model builds the padded message, the 16 segments and the final message as byte strings. It
 * hashes them with the portable functions of crypto/hash, which have test vectors of their own. The
 * public functions run under every tier that this CPU has. */

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/isal_crypto_api.h"
#include "isa-l_crypto/mh_sha1.h"
#include "isa-l_crypto/mh_sha1_murmur3_x64_128.h"
#include "isa-l_crypto/mh_sha256.h"

#include "crypto/hash/hash_kernels.h"

#include "dispatch/tiers.h"
#include "test.h"

#define MAX_LEN 9000

static const char *const tiers[] = {TIERS(TIER_NAME)};
#define TIER_NAMES (sizeof tiers / sizeof *tiers)

static uint8_t data[MAX_LEN + 64];

/* ---- The model ---- */

/* Digest words in host order. len is at most MAX_LEN. */
static void model(const uint8_t *message, size_t len, size_t words, const uint32_t *start,
                  hash_block_fn *compress, uint32_t *digest)
{
    static uint8_t padded[MAX_LEN + 2048], segment[MAX_LEN / 16 + 128], last[640];
    size_t size = (len + 9 + 1023) / 1024 * 1024, last_size = words * 64 + 64;

    memset(padded, 0, size);
    memcpy(padded, message, len);
    padded[len] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        padded[size - 1 - i] = (uint8_t) ((uint64_t) len * 8 >> 8 * i);
    memset(last, 0, sizeof last);
    for (size_t s = 0; s < 16; s++) {
        uint32_t state[8];

        for (size_t i = 0; i < size / 64; i++)
            memcpy(segment + 4 * i, padded + 4 * (16 * i + s), 4);
        memcpy(state, start, 4 * words);
        compress(state, segment, size / 16 / 64);
        for (size_t w = 0; w < words; w++)
            for (unsigned b = 0; b < 4; b++)
                last[4 * (16 * w + s) + b] = (uint8_t) (state[w] >> 8 * b);
    }
    last[words * 64] = 0x80;
    last[last_size - 2] = (uint8_t) (words * 512 >> 8);
    last[last_size - 1] = (uint8_t) (words * 512);
    memcpy(digest, start, 4 * words);
    compress(digest, last, last_size / 64);
}

/* MurmurHash3_x64_128 byte by byte, from its description. */
static void model_murmur(const uint8_t *message, size_t len, uint64_t seed, uint8_t out[16])
{
    const uint64_t c[2] = {0x87c37b91114253d5, 0x4cf5ad432745937f};
    const unsigned first[2] = {31, 33}, second[2] = {27, 31};
    const uint64_t plus[2] = {0x52dce729, 0x38495ab5};
    uint64_t h[2] = {seed, seed};

    for (size_t at = 0; at + 1 <= (len + 15) / 16 * 16 && at < len; at += 16) {
        for (unsigned i = 0; i < 2; i++) {
            uint64_t k = 0;

            for (unsigned b = 0; b < 8; b++)
                if (at + 8 * i + b < len)
                    k |= (uint64_t) message[at + 8 * i + b] << 8 * b;
            k *= c[i];
            k = k << first[i] | k >> (64 - first[i]);
            k *= c[!i];
            h[i] ^= k;
            if (len - at < 16) /* the tail has no second rotation */
                continue;
            h[i] = h[i] << second[i] | h[i] >> (64 - second[i]);
            h[i] = (h[i] + h[!i]) * 5 + plus[i];
        }
    }
    h[0] ^= len;
    h[1] ^= len;
    h[0] += h[1];
    h[1] += h[0];
    for (unsigned i = 0; i < 2; i++) {
        h[i] ^= h[i] >> 33;
        h[i] *= 0xff51afd7ed558ccd;
        h[i] ^= h[i] >> 33;
        h[i] *= 0xc4ceb9fe1a85ec53;
        h[i] ^= h[i] >> 33;
    }
    h[0] += h[1];
    h[1] += h[0];
    for (unsigned i = 0; i < 16; i++)
        out[i] = (uint8_t) (h[i / 8] >> 8 * (i % 8));
}

/* ---- The functions, with one type for each kind of call ---- */

enum kind { SHA1, SHA256, MURMUR, KINDS };
enum form { CHECKED, OLDER, BASE, FORMS };

static union context {
    struct isal_mh_sha1_ctx sha1;
    struct isal_mh_sha256_ctx sha256;
    struct isal_mh_sha1_murmur3_x64_128_ctx murmur;
    uint8_t bytes[4096];
} memory;

static const size_t digest_bytes[KINDS] = {20, 32, 20};

/* The context at any address. */
#define AT(type) ((struct type *) (void *) ctx)

static int init(enum kind kind, enum form form, uint8_t *ctx, uint64_t seed)
{
    if (kind == SHA1)
        return (form == CHECKED ? isal_mh_sha1_init : mh_sha1_init)(AT(isal_mh_sha1_ctx));
    if (kind == SHA256)
        return (form == CHECKED ? isal_mh_sha256_init : mh_sha256_init)(AT(isal_mh_sha256_ctx));
    if (form == CHECKED)
        return isal_mh_sha1_murmur3_x64_128_init(AT(isal_mh_sha1_murmur3_x64_128_ctx), seed);
    return mh_sha1_murmur3_x64_128_init(AT(isal_mh_sha1_murmur3_x64_128_ctx), seed);
}

static int update(enum kind kind, enum form form, uint8_t *ctx, const void *p, uint32_t len)
{
    if (kind == SHA1)
        return (form == CHECKED ? isal_mh_sha1_update
                : form == OLDER ? mh_sha1_update
                                : mh_sha1_update_base)(AT(isal_mh_sha1_ctx), p, len);
    if (kind == SHA256)
        return (form == CHECKED ? isal_mh_sha256_update
                : form == OLDER ? mh_sha256_update
                                : mh_sha256_update_base)(AT(isal_mh_sha256_ctx), p, len);
    return (form == CHECKED ? isal_mh_sha1_murmur3_x64_128_update
            : form == OLDER ? mh_sha1_murmur3_x64_128_update
                            : mh_sha1_murmur3_x64_128_update_base)(
        AT(isal_mh_sha1_murmur3_x64_128_ctx), p, len);
}

static int finalize(enum kind kind, enum form form, uint8_t *ctx, void *digest, void *murmur)
{
    if (kind == SHA1)
        return (form == CHECKED ? isal_mh_sha1_finalize
                : form == OLDER ? mh_sha1_finalize
                                : mh_sha1_finalize_base)(AT(isal_mh_sha1_ctx), digest);
    if (kind == SHA256)
        return (form == CHECKED ? isal_mh_sha256_finalize
                : form == OLDER ? mh_sha256_finalize
                                : mh_sha256_finalize_base)(AT(isal_mh_sha256_ctx), digest);
    return (form == CHECKED ? isal_mh_sha1_murmur3_x64_128_finalize
            : form == OLDER ? mh_sha1_murmur3_x64_128_finalize
                            : mh_sha1_murmur3_x64_128_finalize_base)(
        AT(isal_mh_sha1_murmur3_x64_128_ctx), digest, murmur);
}

struct result {
    uint8_t digest[32], murmur[16];
};

/* The result of the model, as bytes in memory. */
static struct result expected(enum kind kind, const uint8_t *p, size_t len, uint64_t seed)
{
    struct result r = {{0}, {0}};
    uint32_t words[8];

    if (kind == SHA256)
        model(p, len, 8, isalk_sha256_initial, isalk_sha256_x1_base, words);
    else
        model(p, len, 5, isalk_sha1_initial, isalk_sha1_x1_base, words);
    memcpy(r.digest, words, digest_bytes[kind]);
    if (kind == MURMUR)
        model_murmur(p, len, seed, r.murmur);
    return r;
}

/* Hashes the message in pieces of 0 to `piece` bytes, through mixed forms of the functions. The
 * context has any address and any previous contents. */
static struct result hash(enum kind kind, const uint8_t *p, size_t len, size_t piece, uint64_t seed)
{
    struct result r = {{0}, {0}};
    uint8_t *ctx = memory.bytes;
    size_t at = 0;
    enum form form = (enum form) test_random(FORMS);

    ctx += test_random(64);
    memset(&memory, (int) test_random(256), sizeof memory);
    EXPECT(!init(kind, form, ctx, seed), "init");
    while (at < len) {
        size_t n = test_random((unsigned) piece + 1);

        n = n < len - at ? n : len - at;
        EXPECT(!update(kind, (enum form) test_random(FORMS), ctx, p + at, (uint32_t) n), "update");
        at += n;
    }
    EXPECT(!finalize(kind, (enum form) test_random(FORMS), ctx, r.digest, r.murmur), "finalize");
    EXPECT(!memcmp(ctx, r.digest, digest_bytes[kind]), "the digest in the context");
    if (kind == MURMUR)
        EXPECT(!memcmp(ctx + 20, r.murmur, 16), "the Murmur digest in the context");
    return r;
}

static int matches(enum kind kind, const char *tier, const uint8_t *p, size_t len, size_t piece)
{
    uint64_t seed = test_random(2) ? test_random(1u << 31) * (uint64_t) 0x9e3779b97f4a7c15 : 0;
    struct result want = expected(kind, p, len, seed), got = hash(kind, p, len, piece, seed);

    return EXPECT(!memcmp(want.digest, got.digest, 32), "%s: kind %d, length %zu, pieces %zu", tier,
                  kind, len, piece) &&
           EXPECT(!memcmp(want.murmur, got.murmur, 16), "%s: Murmur, length %zu, pieces %zu", tier,
                  len, piece);
}

/* ---- Tests ---- */

/* hex: numbers of `size` bytes each, lowest byte first */
static void expect_hex(const uint8_t *bytes, size_t size, const char *hex)
{
    const uint16_t one = 1;
    const size_t flip = *(const uint8_t *) &one ? 0 : size - 1;
    char text[65];

    for (size_t i = 0; i < strlen(hex) / 2; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i ^ flip]);
    EXPECT(!strcmp(text, hex), "%s, not %s", text, hex);
}

/* Known digests of the interface. */
static void test_vectors(void)
{
    struct result r;

    for (size_t t = 0; t < TIER_NAMES; t++) {
        const uint8_t *abc = (const uint8_t *) "abc";

        isal_crypto_set_isa_limit(tiers[t]);
        expect_hex(hash(SHA1, abc, 0, 1, 0).digest, 4, "6ba5dad705723d73a664edd44d35fdf67d28c3c1");
        expect_hex(hash(SHA1, abc, 3, 3, 0).digest, 4, "0da4a6f287b334e3a6dc27036323702aaf0b6923");
        expect_hex(hash(SHA256, abc, 3, 3, 0).digest, 4,
                   "7976383cfe9f4e1ac8c9c5ac5b76bd465f48cd661fc1670b6e4c288a1055ddd1");
        r = hash(MURMUR, abc, 3, 3, 0);
        expect_hex(r.digest, 4, "0da4a6f287b334e3a6dc27036323702aaf0b6923");
        expect_hex(r.murmur, 1, "6778ad3f3f3f96b4522dca264174a23b");
        expect_hex(hash(MURMUR, abc, 3, 3, 1).murmur, 1, "f0618a9a4ebe889c6c251bf38bc812ca");
    }
    isal_crypto_set_isa_limit(NULL);
}

/* Every length around block boundaries, and others. */
static void test_lengths(void)
{
    for (size_t t = 0; t < TIER_NAMES; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t len = 0; len<4200; len += len % 1024> 40 && len % 1024 < 980 ? 37 : 1)
                if (!matches((enum kind) kind, tiers[t], data + test_random(64), len, len + 1))
                    return;
    }
    isal_crypto_set_isa_limit(NULL);
}

/* Two pieces, split at every place. */
static void test_splits(void)
{
    struct result want[KINDS];

    for (int kind = 0; kind < KINDS; kind++)
        want[kind] = expected((enum kind) kind, data, 3100, 7);
    for (size_t t = 0; t < TIER_NAMES; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (int kind = 0; kind < KINDS; kind++)
            for (uint32_t cut = 0; cut <= 3100; cut += 1 + (uint32_t) (t != TIER_NAMES - 1) * 6) {
                struct result got = {{0}, {0}};

                init((enum kind) kind, CHECKED, memory.bytes, 7);
                update((enum kind) kind, CHECKED, memory.bytes, data, cut);
                update((enum kind) kind, CHECKED, memory.bytes, data + cut, 3100 - cut);
                finalize((enum kind) kind, CHECKED, memory.bytes, got.digest, got.murmur);
                EXPECT(!memcmp(&got, &want[kind], sizeof got), "%s: kind %d, cut at %u", tiers[t],
                       kind, cut);
            }
    }
    isal_crypto_set_isa_limit(NULL);
}

static void test_random_pieces(void)
{
    static const size_t pieces[] = {3, 70, 1024, 2500, MAX_LEN};

    for (size_t t = 0; t < TIER_NAMES; t++) {
        isal_crypto_set_isa_limit(tiers[t]);
        for (unsigned i = 0; i < 120; i++)
            if (!matches((enum kind)(i % KINDS), tiers[t], data, test_random(MAX_LEN),
                         pieces[test_random(5)]))
                return;
    }
    isal_crypto_set_isa_limit(NULL);
}

static void test_arguments(void)
{
    uint8_t digest[32], *ctx = memory.bytes;
    union context before;

    for (int kind = 0; kind < KINDS; kind++) {
        enum kind k = (enum kind) kind;

        EXPECT(init(k, CHECKED, NULL, 0) == ISAL_CRYPTO_ERR_NULL_CTX, "init");
        EXPECT(update(k, CHECKED, NULL, NULL, 0) == ISAL_CRYPTO_ERR_NULL_CTX, "update");
        EXPECT(finalize(k, CHECKED, NULL, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "finalize");
        EXPECT(init(k, OLDER, NULL, 0) == -1, "init, older name");
        for (int form = OLDER; form < FORMS; form++) {
            EXPECT(update(k, (enum form) form, NULL, data, 1) == -1, "update, form %d", form);
            EXPECT(finalize(k, (enum form) form, NULL, digest, digest) == -1, "form %d", form);
        }
        EXPECT(!init(k, CHECKED, ctx, 0), "init");
        before = memory;
        EXPECT(update(k, CHECKED, ctx, NULL, 0) == ISAL_CRYPTO_ERR_NULL_SRC, "no buffer");
        EXPECT(finalize(k, CHECKED, ctx, NULL, digest) == ISAL_CRYPTO_ERR_NULL_AUTH, "no digest");
        if (k == MURMUR)
            EXPECT(finalize(k, CHECKED, ctx, digest, NULL) == ISAL_CRYPTO_ERR_NULL_AUTH,
                   "no digest");
        EXPECT(!update(k, CHECKED, ctx, data, 0), "no bytes");
        EXPECT(!memcmp(&before, &memory, sizeof memory), "kind %d: context touched", kind);
        /* The older names accept NULL: the digest stays in the context. */
        for (int form = OLDER; form < FORMS; form++) {
            struct result want = expected(k, data, 100, 0);

            init(k, OLDER, ctx, 0);
            update(k, (enum form) form, ctx, data, 100);
            EXPECT(!finalize(k, (enum form) form, ctx, NULL, NULL), "NULL digest");
            EXPECT(!memcmp(ctx, want.digest, digest_bytes[k]), "kind %d", kind);
        }
    }
}

/* total_length counts all bytes, also beyond 4 GiB, but the digests depend on it modulo 2^32. So a
 * multiple of 2^32 that is added to it in the context does not change them. */
static void test_long_length(void)
{
    static const size_t total_at[KINDS] = {
        offsetof(struct isal_mh_sha1_ctx, total_length),
        offsetof(struct isal_mh_sha256_ctx, total_length),
        offsetof(struct isal_mh_sha1_murmur3_x64_128_ctx, total_length)};

    for (int kind = 0; kind < KINDS; kind++) {
        struct result want = expected((enum kind) kind, data, 777, 5), got = {{0}, {0}};
        uint64_t total = (uint64_t) 3 << 32;

        init((enum kind) kind, CHECKED, memory.bytes, 5);
        memcpy(memory.bytes + total_at[kind], &total, 8);
        update((enum kind) kind, CHECKED, memory.bytes, data, 777);
        memcpy(&total, memory.bytes + total_at[kind], 8);
        EXPECT(total == ((uint64_t) 3 << 32) + 777, "total_length %llu",
               (unsigned long long) total);
        finalize((enum kind) kind, CHECKED, memory.bytes, got.digest, got.murmur);
        EXPECT(!memcmp(&got, &want, sizeof got), "kind %d", kind);
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    test_fill_random(data, sizeof data);
    TEST(test_vectors);
    TEST(test_lengths);
    TEST(test_splits);
    TEST(test_random_pieces);
    TEST(test_arguments);
    TEST(test_long_length);
    return test_finish();
}
