/* Tests of the AES functions: contract, published vectors, pieces, and OpenSSL's opinion.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels are compared with portable C, at every length and alignment, by the kernel check. Here
 * the public functions are tested under every tier that this CPU has. */

#define ISAL_UNIT_TEST
#define _GNU_SOURCE

#include "isa-l_crypto.h"

#include "test.h"

#include "rsp.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define HAVE_DLOPEN 1
#else
#define HAVE_DLOPEN 0
#endif
#if defined(__linux__) && defined(__GLIBC__)
#include <ucontext.h>
#define HAVE_CONTEXTS 1
#else
#define HAVE_CONTEXTS 0
#endif

#define MAX_TEXT 20000

/* ---- Every function, by key size ---- */

#define GCM_ARGS                                                                                  \
    const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *, const uint8_t *, \
        uint64_t, const uint8_t *, const uint8_t *, uint64_t, uint8_t *, uint64_t
#define UPDATE_ARGS                                                                               \
    const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *, const uint8_t *, \
        uint64_t
#define FINAL_ARGS \
    const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *, uint64_t
typedef int cbc_fn(const void *, const void *, const void *, void *, uint64_t);
typedef int xts_fn(const uint8_t *, const uint8_t *, const uint8_t *, uint64_t, const void *,
                   void *);
typedef int sectors_fn(const uint8_t *, const uint8_t *, uint64_t, uint64_t, uint64_t, const void *,
                       void *);
typedef int gcm_fn(GCM_ARGS);
typedef int update_fn(UPDATE_ARGS);
typedef int final_fn(FINAL_ARGS);

static const struct cbc {
    int bits;
    int (*keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    void (*older_keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    cbc_fn *enc, *dec;
    int (*mb)(const void *, const struct isal_aes_cbc_buffer *, uint64_t);
    int (*older_enc)(void *, uint8_t *, uint8_t *, void *, uint64_t);
    void (*older_dec)(void *, uint8_t *, uint8_t *, void *, uint64_t);
} cbcs[] = {
#define CBC(bits)                                                                      \
    {                                                                                  \
        bits, isal_aes_keyexp_##bits, aes_keyexp_##bits, isal_aes_cbc_enc_##bits,      \
            isal_aes_cbc_dec_##bits, isal_aes_cbc_enc_##bits##_mb, aes_cbc_enc_##bits, \
            aes_cbc_dec_##bits                                                         \
    }
    CBC(128), CBC(192), CBC(256)};

static const struct ctr {
    int bits;
    int (*keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    cbc_fn *whole;
    int (*update)(struct isal_aes_ctr_context *, const void *, const void *, void *, uint64_t);
} ctrs[] = {
#define CTR(bits)                                                                       \
    {                                                                                   \
        bits, isal_aes_keyexp_##bits, isal_aes_ctr_##bits, isal_aes_ctr_##bits##_update \
    }
    CTR(128), CTR(192), CTR(256)};

typedef void older_xts_fn(uint8_t *, uint8_t *, uint8_t *, uint64_t, const uint8_t *, uint8_t *);
static const struct xts {
    int bits;
    int (*keyexp)(const uint8_t *, uint8_t *, uint8_t *);
    xts_fn *enc, *dec, *enc_expanded, *dec_expanded;
    sectors_fn *enc_sectors, *dec_sectors;
    older_xts_fn *older_enc, *older_dec, *older_enc_expanded, *older_dec_expanded;
} xtss[] = {
#define XTS(bits)                                                                           \
    {                                                                                       \
        bits, isal_aes_keyexp_##bits, isal_aes_xts_enc_##bits, isal_aes_xts_dec_##bits,     \
            isal_aes_xts_enc_##bits##_expanded_key, isal_aes_xts_dec_##bits##_expanded_key, \
            isal_aes_xts_enc_##bits##_sectors, isal_aes_xts_dec_##bits##_sectors,           \
            XTS_AES_##bits##_enc, XTS_AES_##bits##_dec, XTS_AES_##bits##_enc_expanded_key,  \
            XTS_AES_##bits##_dec_expanded_key                                               \
    }
    XTS(128), XTS(256)};

static const struct gcm {
    int bits;
    int (*pre)(const void *, struct isal_gcm_key_data *);
    void (*older_pre)(const void *, struct isal_gcm_key_data *);
    int (*init)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *, const uint8_t *,
                const uint8_t *, uint64_t);
    int (*init_iv)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *,
                   const uint8_t *, uint64_t, const uint8_t *, uint64_t);
    void (*older_init)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *,
                       const uint8_t *, uint64_t);
    struct {
        gcm_fn *whole, *whole_nt;
        update_fn *update, *update_nt;
        final_fn *final;
        void (*older)(const struct isal_gcm_key_data *, struct isal_gcm_context_data *, uint8_t *,
                      const uint8_t *, uint64_t, uint8_t *, const uint8_t *, uint64_t, uint8_t *,
                      uint64_t);
        void (*older_update)(UPDATE_ARGS);
        void (*older_final)(FINAL_ARGS);
    } way[2]; /* encryption, decryption */
} gcms[] = {
#define WAY(name, bits)                                                                      \
    {                                                                                        \
        isal_aes_gcm_##name##_##bits, isal_aes_gcm_##name##_##bits##_nt,                     \
            isal_aes_gcm_##name##_##bits##_update, isal_aes_gcm_##name##_##bits##_update_nt, \
            isal_aes_gcm_##name##_##bits##_finalize, aes_gcm_##name##_##bits,                \
            aes_gcm_##name##_##bits##_update, aes_gcm_##name##_##bits##_finalize             \
    }
#define GCM(bits)                                                                    \
    {                                                                                \
        bits, isal_aes_gcm_pre_##bits, aes_gcm_pre_##bits, isal_aes_gcm_init_##bits, \
            isal_aes_gcm_init_iv_##bits, aes_gcm_init_##bits,                        \
        {                                                                            \
            WAY(enc, bits), WAY(dec, bits)                                           \
        }                                                                            \
    }
    GCM(128), GCM(256)};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- Tiers ---- */

static const char *const tiers[] = {"base", "sse", "avx", "avx2", "avx2_v", "avx512", "avx512_v"};

/* Runs the statement that follows under each cap, as far as one changes any kernel. */
#define FOR_EACH_TIER(tier) for (const char *tier = next_tier(NULL); tier; tier = next_tier(tier))

static const char *next_tier(const char *last)
{
    size_t i = 0;
    int usable;

    while (last && strcmp(tiers[i++], last))
        ;
    for (; i < COUNT(tiers); i++) {
        const char *variant;
        for (size_t v = 0; (variant = isal_crypto_list_variants("aes_gcm_enc_128", v, &usable));
             v++)
            if (usable && !strcmp(variant, tiers[i])) {
                isal_crypto_set_isa_limit(tiers[i]);
                return tiers[i];
            }
    }
    isal_crypto_set_isa_limit(NULL);
    return NULL;
}

/* ---- Buffers ---- */

static uint8_t text[MAX_TEXT + 64], cipher[MAX_TEXT + 64], result[MAX_TEXT + 64];
static uint8_t aad[2000];
static uint8_t key[64], enc_keys[240], dec_keys[240], tweak_keys[240];
static uint8_t iv[1000], tag[16], tag2[16];
static struct isal_gcm_key_data gcm_key;
static struct isal_gcm_context_data context;
static struct rsp rsp;

/* ---- Vectors ---- */

static void test_keyexp_vectors(void)
{
    static const uint8_t enc10[] = {0x13, 0x11, 0x1d, 0x7f, 0xe3, 0x94, 0x4a, 0x17,
                                    0xf3, 0x07, 0xa7, 0x8b, 0x4d, 0x2b, 0x30, 0xc5};
    static const uint8_t dec1[] = {0x13, 0xaa, 0x29, 0xbe, 0x9c, 0x8f, 0xaf, 0xf6,
                                   0xf7, 0x70, 0xf5, 0x80, 0x00, 0xf7, 0xbf, 0x03};
    /* FIPS 197, A.2 and A.3: the last words of the schedules */
    static const uint8_t key192[] = {0x8e, 0x73, 0xb0, 0xf7, 0xda, 0x0e, 0x64, 0x52,
                                     0xc8, 0x10, 0xf3, 0x2b, 0x80, 0x90, 0x79, 0xe5,
                                     0x62, 0xf8, 0xea, 0xd2, 0x52, 0x2c, 0x6b, 0x7b};
    static const uint8_t last192[] = {0x01, 0x00, 0x22, 0x02};
    static const uint8_t key256[] = {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe,
                                     0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
                                     0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7,
                                     0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};
    static const uint8_t last256[] = {0x70, 0x6c, 0x63, 0x1e};

    FOR_EACH_TIER(tier)
    {
        for (size_t i = 0; i < 16; i++)
            key[i] = (uint8_t) i;
        isal_aes_keyexp_128(key, enc_keys, dec_keys);
        EXPECT(!memcmp(enc_keys, key, 16) && !memcmp(enc_keys + 160, enc10, 16), "%s", tier);
        EXPECT(!memcmp(dec_keys, enc10, 16) && !memcmp(dec_keys + 16, dec1, 16), "%s", tier);
        isal_aes_keyexp_192(key192, enc_keys, dec_keys);
        EXPECT(!memcmp(enc_keys + 204, last192, 4), "%s", tier);
        isal_aes_keyexp_256(key256, enc_keys, dec_keys);
        EXPECT(!memcmp(enc_keys + 236, last256, 4), "%s", tier);
    }
}

static const struct cbc *cbc_of(size_t key_len)
{
    return &cbcs[key_len / 8 - 2];
}

static void test_cbc_vectors(void)
{
    unsigned vectors = 0;

    FOR_EACH_TIER(tier)
    {
        if (!rsp_open(&rsp, "aes_cbc.rsp"))
            continue;
        while (rsp_next(&rsp)) {
            const struct cbc *f = cbc_of(rsp_bytes(&rsp, "KEY", key, sizeof key));
            size_t n = rsp_bytes(&rsp, "PT", text, MAX_TEXT);
            rsp_bytes(&rsp, "IV", iv, 16);
            rsp_bytes(&rsp, "CT", cipher, MAX_TEXT);
            f->keyexp(key, enc_keys, dec_keys);
            f->enc(text, iv, enc_keys, result, n);
            EXPECT(!memcmp(result, cipher, n), "%s, line %u", tier, rsp.line);
            f->dec(cipher, iv, dec_keys, result, n);
            EXPECT(!memcmp(result, text, n), "%s, line %u", tier, rsp.line);
            vectors++;
        }
    }
    EXPECT(vectors > 0 || test_state.skips, "no vectors");
}

static void test_ctr_vectors(void)
{
    unsigned vectors = 0;

    FOR_EACH_TIER(tier)
    {
        if (!rsp_open(&rsp, "aes_ctr.rsp"))
            continue;
        while (rsp_next(&rsp)) {
            const struct ctr *f = &ctrs[rsp_bytes(&rsp, "KEY", key, sizeof key) / 8 - 2];
            size_t n = rsp_bytes(&rsp, "PT", text, MAX_TEXT);
            rsp_bytes(&rsp, "IV", iv, 16);
            rsp_bytes(&rsp, "CT", cipher, MAX_TEXT);
            f->keyexp(key, enc_keys, dec_keys);
            EXPECT(f->whole(text, iv, enc_keys, result, n) == 0, "%s", tier);
            EXPECT(!memcmp(result, cipher, n), "%s, line %u", tier, rsp.line);
            vectors++;
        }
    }
    EXPECT(vectors > 0 || test_state.skips, "no vectors");
}

static void test_xts_vectors(void)
{
    unsigned vectors = 0;

    FOR_EACH_TIER(tier)
    {
        if (!rsp_open(&rsp, "aes_xts.rsp"))
            continue;
        while (rsp_next(&rsp)) {
            size_t key_len = rsp_bytes(&rsp, "KEY", key, sizeof key) / 2;
            size_t n = rsp_bytes(&rsp, "PT", text, MAX_TEXT);
            const struct xts *f = &xtss[key_len == 32];
            rsp_bytes(&rsp, "TWEAK", iv, 16);
            rsp_bytes(&rsp, "CT", cipher, MAX_TEXT);
            EXPECT(f->enc(key + key_len, key, iv, n, text, result) == 0, "%s", tier);
            EXPECT(!memcmp(result, cipher, n), "%s, line %u", tier, rsp.line);
            EXPECT(f->dec(key + key_len, key, iv, n, cipher, result) == 0, "%s", tier);
            EXPECT(!memcmp(result, text, n), "%s, line %u", tier, rsp.line);
            f->keyexp(key + key_len, tweak_keys, dec_keys);
            f->keyexp(key, enc_keys, dec_keys);
            f->older_enc_expanded(tweak_keys, enc_keys, iv, n, text, result);
            EXPECT(!memcmp(result, cipher, n), "%s, line %u", tier, rsp.line);
            f->dec_expanded(tweak_keys, dec_keys, iv, n, cipher, result);
            EXPECT(!memcmp(result, text, n), "%s, line %u", tier, rsp.line);
            vectors++;
        }
    }
    EXPECT(vectors > 0 || test_state.skips, "no vectors");
}

static void test_gcm_vectors(void)
{
    unsigned vectors = 0;

    FOR_EACH_TIER(tier)
    {
        if (!rsp_open(&rsp, "aes_gcm.rsp"))
            continue;
        while (rsp_next(&rsp)) {
            const struct gcm *f = &gcms[rsp_bytes(&rsp, "KEY", key, sizeof key) == 32];
            size_t n = rsp_bytes(&rsp, "CT", cipher, MAX_TEXT);
            size_t iv_len = rsp_bytes(&rsp, "IV", iv, sizeof iv);
            size_t aad_len = rsp_bytes(&rsp, "AAD", aad, sizeof aad);
            size_t tag_len = rsp_bytes(&rsp, "TAG", tag, sizeof tag);
            int valid = !rsp_text(&rsp, "RESULT");
            f->pre(key, &gcm_key);
            EXPECT(f->init_iv(&gcm_key, &context, iv, iv_len, aad, aad_len) == 0, "%s", tier);
            f->way[1].update(&gcm_key, &context, result, cipher, n);
            f->way[1].final(&gcm_key, &context, tag2, 16);
            EXPECT((memcmp(tag, tag2, tag_len) == 0) == valid, "%s, line %u", tier, rsp.line);
            vectors++;
            if (!valid)
                continue;
            rsp_bytes(&rsp, "PT", text, MAX_TEXT);
            EXPECT(!memcmp(text, result, n), "%s, line %u", tier, rsp.line);
            if (iv_len != 12)
                continue;
            EXPECT(f->way[0].whole(&gcm_key, &context, result, text, n, iv, aad, aad_len, tag2,
                                   16) == 0,
                   "%s", tier);
            EXPECT(!memcmp(tag, tag2, tag_len) && !memcmp(cipher, result, n), "%s, line %u", tier,
                   rsp.line);
        }
    }
    EXPECT(vectors > 0 || test_state.skips, "no vectors");
}

/* ---- Contract ---- */

static void test_cbc_contract(void)
{
    struct isal_cbc_key_data data, before;
    static uint8_t other[240], other_dec[240];

    for (size_t k = 0; k < COUNT(cbcs); k++) {
        const struct cbc *f = &cbcs[k];
        size_t schedule = (size_t) (f->bits / 32 + 7) * 16;
        EXPECT(f->keyexp(NULL, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_KEY, "%d", f->bits);
        EXPECT(f->keyexp(key, NULL, dec_keys) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", f->bits);
        EXPECT(f->keyexp(key, enc_keys, NULL) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", f->bits);
        for (int way = 0; way < 2; way++) {
            cbc_fn *fn = way ? f->dec : f->enc;
            EXPECT(fn(NULL, NULL, NULL, NULL, 5) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", way);
            EXPECT(fn(NULL, NULL, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_SRC, "%d", way);
            EXPECT(fn(text, NULL, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_DST, "%d", way);
            EXPECT(fn(text, NULL, enc_keys, result, 5) == ISAL_CRYPTO_ERR_NULL_IV, "%d", way);
            EXPECT(fn(text, iv, enc_keys, result, 5) == ISAL_CRYPTO_ERR_CIPH_LEN, "%d", way);
            result[0] = 0x77;
            EXPECT(fn(text, iv, enc_keys, result, 0) == 0 && result[0] == 0x77, "%d", way);
        }
        test_fill_random(key, sizeof key);
        memset(&data, 0x5a, sizeof data);
        EXPECT(aes_cbc_precomp(key, f->bits / 8, &data) == 0, "%d", f->bits);
        f->keyexp(key, enc_keys, dec_keys);
        EXPECT(!memcmp(data.enc_keys, enc_keys, schedule), "%d", f->bits);
        EXPECT(!memcmp(data.dec_keys, dec_keys, schedule), "%d", f->bits);
        for (size_t i = schedule; i < 240; i++)
            EXPECT(data.enc_keys[i] == 0x5a && data.dec_keys[i] == 0x5a, "byte %zu", i);
        f->older_keyexp(key, other, other_dec);
        EXPECT(!memcmp(other, enc_keys, schedule) && !memcmp(other_dec, dec_keys, schedule), "%d",
               f->bits);
        test_fill_random(text, 4096);
        f->enc(text, iv, enc_keys, cipher, 4096);
        EXPECT(f->older_enc(text, iv, enc_keys, result, 4096) == 0, "%d", f->bits);
        EXPECT(!memcmp(cipher, result, 4096), "%d", f->bits);
        f->older_dec(cipher, iv, dec_keys, cipher, 4096);
        EXPECT(!memcmp(cipher, text, 4096), "%d", f->bits);
    }
    before = data;
    EXPECT(aes_cbc_precomp(key, 20, &data) == 1 && !memcmp(&before, &data, sizeof data), "20");
}

static void test_ctr_contract(void)
{
    struct isal_aes_ctr_context c;

    EXPECT(isal_aes_ctr_init(NULL, NULL) == ISAL_CRYPTO_ERR_NULL_CTX, "context");
    EXPECT(isal_aes_ctr_init(&c, NULL) == ISAL_CRYPTO_ERR_NULL_IV, "vector");
    EXPECT(isal_aes_ctr_init(&c, iv) == 0, "init");
    for (size_t k = 0; k < COUNT(ctrs); k++) {
        const struct ctr *f = &ctrs[k];
        f->keyexp(key, enc_keys, dec_keys);
        EXPECT(f->whole(NULL, NULL, NULL, NULL, 5) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", f->bits);
        EXPECT(f->whole(NULL, NULL, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_SRC, "%d", f->bits);
        EXPECT(f->whole(text, NULL, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_DST, "%d", f->bits);
        EXPECT(f->whole(text, NULL, enc_keys, result, 5) == ISAL_CRYPTO_ERR_NULL_IV, "%d", f->bits);
        EXPECT(f->whole(NULL, NULL, enc_keys, NULL, 0) == ISAL_CRYPTO_ERR_NULL_IV, "%d", f->bits);
        EXPECT(f->whole(NULL, iv, enc_keys, NULL, 0) == 0, "%d", f->bits);
        EXPECT(f->update(NULL, NULL, NULL, NULL, 5) == ISAL_CRYPTO_ERR_NULL_CTX, "%d", f->bits);
        EXPECT(f->update(&c, NULL, NULL, NULL, 5) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", f->bits);
        EXPECT(f->update(&c, NULL, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_SRC, "%d", f->bits);
        EXPECT(f->update(&c, text, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_DST, "%d", f->bits);
        EXPECT(f->update(&c, NULL, enc_keys, NULL, 0) == 0, "%d", f->bits);
    }
}

/* Pieces of any length, and counters that wrap in their last bytes, in their lower half and as a
 * whole, are what the cipher of one counter after the other gives. */
static void test_ctr_pieces(void)
{
    static const unsigned wraps[] = {16, 15, 12, 8, 7, 1, 0}; /* bytes before the ones that wrap */
    static uint8_t stream[4096 + 16], zeros[16];

    FOR_EACH_TIER(tier)
    {
        for (unsigned round = 0; round < 140; round++) {
            const struct ctr *f = &ctrs[round % 3];
            size_t n = test_random(round % 2 ? 4096 : 200), at = 0;
            unsigned wrap = wraps[round % COUNT(wraps)];
            struct isal_aes_ctr_context c;
            uint8_t counter[16];

            test_fill_random(key, sizeof key);
            test_fill_random(text, n);
            test_fill_random(iv, 16);
            memset(iv + wrap, 0xff, 16 - wrap);
            if (wrap < 16)
                iv[15] = (uint8_t) (0xff - test_random(70));
            f->keyexp(key, enc_keys, dec_keys);
            memcpy(counter, iv, 16);
            for (size_t i = 0; i < n; i += 16) {
                cbcs[round % 3].enc(counter, zeros, enc_keys, stream + i, 16);
                for (int b = 15; b >= 0 && !++counter[b]; b--)
                    ;
            }
            for (size_t i = 0; i < n; i++)
                cipher[i] = text[i] ^ stream[i];
            EXPECT(f->whole(text, iv, enc_keys, result, n) == 0, "%s", tier);
            EXPECT(!memcmp(result, cipher, n), "%s, %d bits, %zu bytes, %u", tier, f->bits, n,
                   wrap);
            isal_aes_ctr_init(&c, iv);
            while (at < n) {
                size_t piece = test_random(round % 4 ? 100 : 1500);
                if (piece > n - at)
                    piece = n - at;
                EXPECT(f->update(&c, cipher + at, enc_keys, cipher + at, piece) == 0, "%s", tier);
                at += piece;
            }
            EXPECT(!memcmp(cipher, text, n), "%s, %d bits, %zu bytes, pieces, %u", tier, f->bits, n,
                   wrap);
        }
    }
}

static void test_xts_contract(void)
{
    for (size_t k = 0; k < COUNT(xtss); k++) {
        const struct xts *f = &xtss[k];
        xts_fn *const fns[] = {f->enc, f->dec, f->enc_expanded, f->dec_expanded};
        older_xts_fn *const older[] = {f->older_enc, f->older_dec, f->older_enc_expanded,
                                       f->older_dec_expanded};
        test_fill_random(enc_keys, 240);
        test_fill_random(tweak_keys, 240);
        test_fill_random(text, 100);
        for (int i = 0; i < 4; i++) {
            int no_key = i < 2 ? ISAL_CRYPTO_ERR_NULL_KEY : ISAL_CRYPTO_ERR_NULL_EXP_KEY;
            EXPECT(fns[i](NULL, enc_keys, NULL, 5, NULL, NULL) == no_key, "%d", i);
            EXPECT(fns[i](enc_keys, NULL, NULL, 5, NULL, NULL) == no_key, "%d", i);
            EXPECT(fns[i](enc_keys, enc_keys, NULL, 5, NULL, NULL) ==
                       ISAL_CRYPTO_ERR_XTS_NULL_TWEAK,
                   "%d", i);
            EXPECT(fns[i](enc_keys, enc_keys, iv, 5, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_SRC, "%d",
                   i);
            EXPECT(fns[i](enc_keys, enc_keys, iv, 5, text, NULL) == ISAL_CRYPTO_ERR_NULL_DST, "%d",
                   i);
            EXPECT(fns[i](enc_keys, enc_keys, iv, 15, text, result) == ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", i);
            EXPECT(fns[i](enc_keys, enc_keys, iv, (1 << 24) + 1, text, result) ==
                       ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", i);
            memset(result, 0x77, 100);
            older[i](tweak_keys, enc_keys, iv, 15, text, result);
            for (int b = 0; b < 15; b++)
                EXPECT(result[b] == 0x77, "function %d writes byte %d", i, b);
            EXPECT(fns[i](tweak_keys, enc_keys, iv, 77, text, result) == 0, "%d", i);
            older[i](tweak_keys, enc_keys, iv, 77, text, cipher);
            EXPECT(!memcmp(cipher, result, 77), "%d", i);
        }
        for (int i = 0; i < 2; i++) {
            sectors_fn *fn = i ? f->dec_sectors : f->enc_sectors;
            EXPECT(fn(NULL, enc_keys, 0, 0, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d",
                   i);
            EXPECT(fn(enc_keys, enc_keys, 0, 0, 0, NULL, NULL) == 0, "%d", i);
            EXPECT(fn(enc_keys, enc_keys, 0, 0, 1, NULL, NULL) == ISAL_CRYPTO_ERR_NULL_SRC, "%d",
                   i);
            EXPECT(fn(enc_keys, enc_keys, 0, 0, 1, text, NULL) == ISAL_CRYPTO_ERR_NULL_DST, "%d",
                   i);
            EXPECT(fn(enc_keys, enc_keys, 0, 15, 1, text, text) == ISAL_CRYPTO_ERR_CIPH_LEN, "%d",
                   i);
            EXPECT(fn(enc_keys, enc_keys, 0, 512, UINT64_MAX / 256, text, text) ==
                       ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", i);
        }
    }
}

static void test_gcm_contract(void)
{
    for (size_t k = 0; k < COUNT(gcms); k++) {
        const struct gcm *f = &gcms[k];
        const struct isal_gcm_key_data *kd = &gcm_key;
        EXPECT(f->pre(NULL, NULL) == ISAL_CRYPTO_ERR_NULL_KEY, "%d", f->bits);
        EXPECT(f->pre(key, NULL) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", f->bits);
        EXPECT(f->pre(key, &gcm_key) == 0, "%d", f->bits);
        EXPECT(f->init(NULL, NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "init");
        EXPECT(f->init(kd, NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_CTX, "init");
        EXPECT(f->init(kd, &context, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_IV, "init");
        EXPECT(f->init(kd, &context, iv, NULL, 1) == ISAL_CRYPTO_ERR_NULL_AAD, "init");
        EXPECT(f->init_iv(kd, &context, iv, 0, NULL, 0) == ISAL_CRYPTO_ERR_NULL_IV, "init_iv");
        EXPECT(f->init(kd, &context, iv, NULL, 0) == 0, "init");
        EXPECT(!memcmp(context.orig_IV, iv, 12) && context.orig_IV[15] == 1, "orig_IV");
        for (int w = 0; w < 2; w++)
            for (int nt = 0; nt < 2; nt++) {
                gcm_fn *fn = nt ? f->way[w].whole_nt : f->way[w].whole;
                update_fn *up = nt ? f->way[w].update_nt : f->way[w].update;
                uint64_t long_len = ISAL_GCM_MAX_LEN + 1;
                EXPECT(fn(NULL, NULL, NULL, NULL, 1, NULL, NULL, 1, NULL, 1) ==
                           ISAL_CRYPTO_ERR_NULL_EXP_KEY,
                       "%d", w);
                EXPECT(fn(kd, NULL, NULL, NULL, 1, NULL, NULL, 1, NULL, 1) ==
                           ISAL_CRYPTO_ERR_NULL_CTX,
                       "%d", w);
                EXPECT(fn(kd, &context, NULL, NULL, 1, NULL, NULL, 1, NULL, 1) ==
                           ISAL_CRYPTO_ERR_NULL_DST,
                       "%d", w);
                EXPECT(fn(kd, &context, result, NULL, 1, NULL, NULL, 1, NULL, 1) ==
                           ISAL_CRYPTO_ERR_NULL_SRC,
                       "%d", w);
                EXPECT(fn(kd, &context, result, text, long_len, NULL, NULL, 1, NULL, 1) ==
                           ISAL_CRYPTO_ERR_CIPH_LEN,
                       "%d", w);
                EXPECT(fn(kd, &context, NULL, NULL, 0, NULL, NULL, 1, NULL, 1) ==
                           ISAL_CRYPTO_ERR_NULL_IV,
                       "%d", w);
                EXPECT(fn(kd, &context, NULL, NULL, 0, iv, NULL, 1, NULL, 1) ==
                           ISAL_CRYPTO_ERR_NULL_AAD,
                       "%d", w);
                EXPECT(fn(kd, &context, NULL, NULL, 0, iv, NULL, 0, NULL, 1) ==
                           ISAL_CRYPTO_ERR_NULL_AUTH,
                       "%d", w);
                EXPECT(fn(kd, &context, NULL, NULL, 0, iv, NULL, 0, tag, 15) ==
                           ISAL_CRYPTO_ERR_AUTH_TAG_LEN,
                       "%d", w);
                EXPECT(fn(kd, &context, NULL, NULL, 0, iv, NULL, 0, tag, 8) == 0, "%d", w);
                EXPECT(up(NULL, NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", w);
                EXPECT(up(kd, NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_CTX, "%d", w);
                EXPECT(up(kd, &context, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_SRC, "%d", w);
                EXPECT(up(kd, &context, NULL, text, 1) == ISAL_CRYPTO_ERR_NULL_DST, "%d", w);
                EXPECT(up(kd, &context, result, text, long_len) == ISAL_CRYPTO_ERR_CIPH_LEN, "%d",
                       w);
                EXPECT(up(kd, &context, NULL, NULL, 0) == 0, "%d", w);
            }
        for (int w = 0; w < 2; w++) {
            final_fn *fn = f->way[w].final;
            EXPECT(fn(NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", w);
            EXPECT(fn(kd, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_CTX, "%d", w);
            EXPECT(fn(kd, &context, NULL, 1) == ISAL_CRYPTO_ERR_NULL_AUTH, "%d", w);
            EXPECT(fn(kd, &context, tag, 4) == ISAL_CRYPTO_ERR_AUTH_TAG_LEN, "%d", w);
            EXPECT(fn(kd, &context, tag, 12) == 0, "%d", w);
        }
        /* the older functions write 8 bytes of tag for odd lengths */
        for (uint64_t n = 0; n < 20; n++) {
            size_t written = n == 16 || n == 12 ? (size_t) n : 8;
            memset(tag, 0x77, sizeof tag);
            f->way[0].older(kd, &context, result, text, 30, iv, aad, 5, tag, n);
            f->way[0].whole(kd, &context, result, text, 30, iv, aad, 5, tag2, 16);
            EXPECT(!memcmp(tag, tag2, written), "%d", (int) n);
            for (size_t i = written; i < 16; i++)
                EXPECT(tag[i] == 0x77, "%d", (int) n);
        }
    }
}

#if SIZE_MAX < UINT64_MAX
/* Lengths that no buffer can have are errors; cut down to 32 bits they would be 16 bytes. */
static void test_lengths_beyond_memory(void)
{
    const uint64_t n = (uint64_t) SIZE_MAX + 17;
    struct isal_aes_cbc_buffer message = {text, iv, result, n};
    struct isal_aes_ctr_context ctr_context;

    memset(result, 0x77, 16);
    for (size_t k = 0; k < COUNT(cbcs); k++) {
        EXPECT(cbcs[k].enc(text, iv, enc_keys, result, n) == ISAL_CRYPTO_ERR_CIPH_LEN, "%zu", k);
        EXPECT(cbcs[k].dec(text, iv, enc_keys, result, n) == ISAL_CRYPTO_ERR_CIPH_LEN, "%zu", k);
    }
    EXPECT(isal_aes_cbc_enc_128_mb(enc_keys, &message, 1) == ISAL_CRYPTO_ERR_CIPH_LEN, "mb");
    isal_aes_ctr_init(&ctr_context, iv);
    for (size_t k = 0; k < COUNT(ctrs); k++) {
        EXPECT(ctrs[k].whole(text, iv, enc_keys, result, n) == ISAL_CRYPTO_ERR_CIPH_LEN, "%zu", k);
        EXPECT(ctrs[k].update(&ctr_context, text, enc_keys, result, n) == ISAL_CRYPTO_ERR_CIPH_LEN,
               "%zu", k);
    }
    for (size_t k = 0; k < COUNT(xtss); k++) {
        EXPECT(xtss[k].enc_sectors(enc_keys, enc_keys, 0, 4096, n / 4096 + 1, text, result) ==
                   ISAL_CRYPTO_ERR_CIPH_LEN,
               "%zu", k);
        EXPECT(xtss[k].enc(enc_keys, enc_keys, iv, n, text, result) == ISAL_CRYPTO_ERR_CIPH_LEN,
               "%zu", k);
    }
    for (size_t k = 0; k < COUNT(gcms); k++) {
        const struct gcm *f = &gcms[k];
        const struct isal_gcm_key_data *kd = &gcm_key;
        EXPECT(f->init(kd, &context, iv, aad, n) == ISAL_CRYPTO_ERR_NULL_AAD, "%zu", k);
        EXPECT(f->init_iv(kd, &context, iv, n, aad, 0) == ISAL_CRYPTO_ERR_NULL_IV, "%zu", k);
        EXPECT(f->init(kd, &context, iv, aad, 0) == 0, "%zu", k);
        for (int w = 0; w < 2; w++) {
            EXPECT(f->way[w].whole(kd, &context, result, text, n, iv, aad, 0, tag, 16) ==
                       ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", w);
            EXPECT(f->way[w].whole(kd, &context, result, text, 16, iv, aad, n, tag, 16) ==
                       ISAL_CRYPTO_ERR_NULL_AAD,
                   "%d", w);
            EXPECT(f->way[w].whole(kd, &context, result, text, 16, iv, aad, 0, tag, n) ==
                       ISAL_CRYPTO_ERR_AUTH_TAG_LEN,
                   "%d", w);
            EXPECT(f->way[w].update(kd, &context, result, text, n) == ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", w);
        }
    }
    for (int i = 0; i < 16; i++)
        EXPECT(result[i] == 0x77, "byte %d was written", i);
}
#endif

/* ---- Pieces and many at once ---- */

/* A message in random pieces, by either set of names, gives what it gives at once. */
static void test_gcm_pieces(void)
{
    FOR_EACH_TIER(tier)
    {
        for (int round = 0; round < 150; round++) {
            const struct gcm *f = &gcms[round % 2];
            int w = round / 2 % 2, older = round % 3 == 0;
            size_t n = test_random(round < 100 ? 400 : 6000), aad_len = test_random(60), done = 0;
            test_fill_random(key, 32);
            test_fill_random(iv, 12);
            test_fill_random(aad, aad_len);
            test_fill_random(text, n);
            if (older)
                f->older_pre(key, &gcm_key);
            else
                f->pre(key, &gcm_key);
            f->way[w].whole(&gcm_key, &context, cipher, text, n, iv, aad, aad_len, tag, 16);
            memset(&context, 0xee, sizeof context);
            if (older)
                f->older_init(&gcm_key, &context, iv, aad, aad_len);
            else
                f->init(&gcm_key, &context, iv, aad, aad_len);
            while (done < n) {
                size_t piece = test_random(round % 5 == 0 ? 20 : 300);
                piece = piece < n - done ? piece : n - done;
                memcpy(result + done, text + done, piece);
                if (older)
                    f->way[w].older_update(&gcm_key, &context, result + done, result + done, piece);
                else
                    f->way[w].update(&gcm_key, &context, result + done, text + done, piece);
                done += piece;
                EXPECT(context.in_length == done && context.partial_block_length == done % 16,
                       "%s, %zu of %zu", tier, done, n);
            }
            EXPECT(context.aad_length == aad_len, "%s", tier);
            if (older)
                f->way[w].older_final(&gcm_key, &context, tag2, 16);
            else
                f->way[w].final(&gcm_key, &context, tag2, 16);
            EXPECT(!memcmp(cipher, result, n), "%s, %d bits, %zu bytes", tier, f->bits, n);
            EXPECT(!memcmp(tag, tag2, 16), "%s, %d bits, %zu bytes", tier, f->bits, n);
        }
    }
}

/* A key prepared under one cap serves under another, and so does a message begun there. */
/* Stores past the caches are for long texts at a multiple of 64 bytes, not in place. */
static void test_gcm_nt(void)
{
    static _Alignas(64) uint8_t out[MAX_TEXT + 64];

    FOR_EACH_TIER(tier)
    {
        for (unsigned round = 0; round < 60; round++) {
            const struct gcm *g = &gcms[round % 2];
            size_t n = 4090 + test_random(MAX_TEXT - 4090), half = test_random((unsigned) n);
            uint8_t *to = round % 3 == 2 ? text : out + (round % 3 ? test_random(64) : 0);
            int w = round / 2 % 2;

            test_fill_random(key, sizeof key);
            test_fill_random(iv, 12);
            test_fill_random(text, n);
            g->pre(key, &gcm_key);
            g->way[w].whole(&gcm_key, &context, cipher, text, n, iv, aad, 20, tag, 16);
            memcpy(result, text, n);
            out[n] = 0x5a;
            EXPECT(g->way[w].whole_nt(&gcm_key, &context, to, text, n, iv, aad, 20, tag2, 16) == 0,
                   "%s", tier);
            EXPECT(!memcmp(to, cipher, n) && !memcmp(tag, tag2, 16), "%s, %zu bytes", tier, n);
            EXPECT(to != out || out[n] == 0x5a, "%s, %zu bytes", tier, n);
            g->init(&gcm_key, &context, iv, aad, 20);
            half = half / 64 * 64;
            g->way[w].update_nt(&gcm_key, &context, out, result, half);
            g->way[w].update_nt(&gcm_key, &context, out + half, result + half, n - half);
            g->way[w].final(&gcm_key, &context, tag2, 16);
            EXPECT(!memcmp(out, cipher, n) && !memcmp(tag, tag2, 16), "%s, %zu bytes", tier, n);
        }
    }
}

static void test_gcm_tiers_mix(void)
{
    isal_crypto_set_isa_limit("base");
    test_fill_random(key, 32);
    test_fill_random(text, 1000);
    isal_aes_gcm_pre_256(key, &gcm_key);
    isal_aes_gcm_enc_256(&gcm_key, &context, cipher, text, 1000, iv, aad, 20, tag, 16);
    isal_aes_gcm_init_256(&gcm_key, &context, iv, aad, 20);
    isal_aes_gcm_enc_256_update(&gcm_key, &context, result, text, 333);
    isal_crypto_set_isa_limit(NULL);
    isal_aes_gcm_enc_256_update(&gcm_key, &context, result + 333, text + 333, 667);
    isal_aes_gcm_enc_256_finalize(&gcm_key, &context, tag2, 16);
    EXPECT(!memcmp(cipher, result, 1000) && !memcmp(tag, tag2, 16), "pieces under two caps");
}

static void test_cbc_mb(void)
{
    enum { MOST = 21 };
    static uint8_t vectors[MOST][16];
    struct isal_aes_cbc_buffer b[MOST];

    FOR_EACH_TIER(tier)
    {
        for (int round = 0; round < 60; round++) {
            const struct cbc *f = &cbcs[round % 3];
            size_t n = test_random(MOST + 1), at = 0;
            test_fill_random(key, 32);
            f->keyexp(key, enc_keys, dec_keys);
            for (size_t i = 0; i < n; i++) {
                size_t len = 16 * test_random(round % 2 ? 40 : 3);
                test_fill_random(vectors[i], 16);
                test_fill_random(text + at, len);
                f->enc(text + at, vectors[i], enc_keys, cipher + at, len);
                b[i].in = round % 4 ? text + at : memcpy(result + at, text + at, len);
                b[i].iv = vectors[i];
                b[i].out = result + at;
                b[i].len_bytes = len;
                at += len;
            }
            EXPECT(f->mb(enc_keys, b, n) == 0, "%s", tier);
            EXPECT(!memcmp(result, cipher, at), "%s, %d bits, %zu messages", tier, f->bits, n);
        }
    }
    EXPECT(isal_aes_cbc_enc_128_mb(NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "no keys");
    EXPECT(isal_aes_cbc_enc_128_mb(enc_keys, NULL, 1) == ISAL_CRYPTO_ERR_NULL_SRC, "no buffers");
    EXPECT(isal_aes_cbc_enc_128_mb(enc_keys, NULL, 0) == 0, "nothing to do");
    b[0].in = text;
    b[0].out = result;
    b[0].iv = iv;
    b[0].len_bytes = 16;
    b[1] = b[0];
    b[1].len_bytes = 17;
    memset(result, 0x77, 16);
    EXPECT(isal_aes_cbc_enc_128_mb(enc_keys, b, 2) == ISAL_CRYPTO_ERR_CIPH_LEN, "length");
    EXPECT(result[0] == 0x77 && result[15] == 0x77, "written in spite of an error");
}

static void test_xts_sectors(void)
{
    FOR_EACH_TIER(tier)
    {
        for (int round = 0; round < 60; round++) {
            const struct xts *f = &xtss[round % 2];
            int w = round / 2 % 2;
            size_t len = 16 + test_random(600), n = test_random(25), total;
            uint64_t first = (uint64_t) test_random(1u << 31) << test_random(33);
            if (round % 7 == 0)
                first = UINT32_MAX - 3;
            if (round % 7 == 1) { /* sector 2^64 - 1 precedes sector 0 */
                n = 2 + (size_t) round / 7;
                first = UINT64_MAX - test_random((unsigned) n - 1);
            }
            total = len * n;
            test_fill_random(key, 64);
            f->keyexp(key, tweak_keys, dec_keys);
            f->keyexp(key + 32, enc_keys, dec_keys);
            test_fill_random(text, total);
            for (size_t i = 0; i < n; i++) {
                memset(iv, 0, 16);
                for (int b = 0; b < 8; b++)
                    iv[b] = (uint8_t) ((first + i) >> (8 * b));
                (w ? f->dec_expanded : f->enc_expanded)(tweak_keys, w ? dec_keys : enc_keys, iv,
                                                        len, text + i * len, cipher + i * len);
            }
            EXPECT((w ? f->dec_sectors : f->enc_sectors)(tweak_keys, w ? dec_keys : enc_keys, first,
                                                         len, n, text, result) == 0,
                   "%s", tier);
            EXPECT(!memcmp(result, cipher, total), "%s, %d bits, %zu sectors of %zu bytes", tier,
                   f->bits, n, len);
        }
    }
}

/* ---- OpenSSL ---- */

#if HAVE_DLOPEN
typedef struct evp_ctx evp_ctx;
typedef struct evp_cipher evp_cipher;
static struct {
    evp_ctx *(*new)(void);
    void (*free)(evp_ctx *);
    int (*init)(evp_ctx *, const evp_cipher *, void *, const uint8_t *, const uint8_t *, int);
    int (*update)(evp_ctx *, uint8_t *, int *, const uint8_t *, int);
    int (*final)(evp_ctx *, uint8_t *, int *);
    int (*ctrl)(evp_ctx *, int, int, void *);
    int (*padding)(evp_ctx *, int);
} evp;
static void *openssl;

static void *symbol(const char *name)
{
    void *address = dlsym(openssl, name);

    EXPECT(address != NULL, "OpenSSL has no %s", name);
    return address;
}

static int open_openssl(void)
{
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.3.dylib"};

    for (size_t i = 0; i < COUNT(names) && !openssl; i++)
        openssl = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!openssl) {
        test_skip("there is no OpenSSL to compare with");
        return 0;
    }
    *(void **) &evp.new = symbol("EVP_CIPHER_CTX_new");
    *(void **) &evp.free = symbol("EVP_CIPHER_CTX_free");
    *(void **) &evp.init = symbol("EVP_CipherInit_ex");
    *(void **) &evp.update = symbol("EVP_CipherUpdate");
    *(void **) &evp.final = symbol("EVP_CipherFinal_ex");
    *(void **) &evp.ctrl = symbol("EVP_CIPHER_CTX_ctrl");
    *(void **) &evp.padding = symbol("EVP_CIPHER_CTX_set_padding");
    return !test_state.failures;
}

static const evp_cipher *evp_cipher_named(int bits, const char *mode)
{
    const evp_cipher *(*get)(void);
    char name[40];

    snprintf(name, sizeof name, "EVP_aes_%d_%s", bits, mode);
    *(void **) &get = symbol(name);
    return get();
}

/* OpenSSL's encryption of n bytes of text to `cipher`. */
static void evp_encrypt(int bits, const char *mode, const uint8_t *iv_bytes, size_t n)
{
    evp_ctx *ctx = evp.new();
    int done = 0, ok = evp.init(ctx, evp_cipher_named(bits, mode), NULL, key, iv_bytes, 1);

    evp.padding(ctx, 0);
    if (n)
        ok &= evp.update(ctx, cipher, &done, text, (int) n);
    EXPECT(ok && done == (int) n, "OpenSSL failed");
    evp.free(ctx);
}

static void evp_gcm(int bits, size_t iv_len, size_t aad_len, size_t n)
{
    evp_ctx *ctx = evp.new();
    int done, ok = evp.init(ctx, evp_cipher_named(bits, "gcm"), NULL, NULL, NULL, 1);

    ok &= evp.ctrl(ctx, 0x9, (int) iv_len, NULL); /* length of the vector */
    ok &= evp.init(ctx, NULL, NULL, key, iv, 1);
    if (aad_len)
        ok &= evp.update(ctx, NULL, &done, aad, (int) aad_len);
    if (n)
        ok &= evp.update(ctx, cipher, &done, text, (int) n);
    ok &= evp.final(ctx, cipher, &done);
    ok &= evp.ctrl(ctx, 0x10, 16, tag); /* the tag */
    EXPECT(ok, "OpenSSL failed");
    evp.free(ctx);
}

static void test_openssl(void)
{
    if (!open_openssl())
        return;
    FOR_EACH_TIER(tier)
    {
        int rounds = strcmp(tier, "base") ? 400 : 60;
        for (int round = 0; round < rounds; round++) {
            size_t n = test_random(round % 3 ? 8192 : 300);
            size_t whole = n / 16 * 16, aad_len = test_random(100), iv_len = 12;
            const struct cbc *c = &cbcs[round % 3];
            const struct xts *x = &xtss[round % 2];
            const struct gcm *g = &gcms[round % 2];

            test_fill_random(key, sizeof key);
            test_fill_random(iv, 64);
            test_fill_random(aad, aad_len);
            test_fill_random(text, n);

            c->keyexp(key, enc_keys, dec_keys);
            evp_encrypt(c->bits, "cbc", iv, whole);
            c->enc(text, iv, enc_keys, result, whole);
            EXPECT(!memcmp(cipher, result, whole), "%s, CBC %d, %zu bytes", tier, c->bits, whole);
            c->dec(cipher, iv, dec_keys, cipher, whole);
            EXPECT(!memcmp(cipher, text, whole), "%s, CBC %d, %zu bytes", tier, c->bits, whole);

            evp_encrypt(c->bits, "ctr", iv, n);
            ctrs[round % 3].whole(text, iv, enc_keys, result, n);
            EXPECT(!memcmp(cipher, result, n), "%s, CTR %d, %zu bytes", tier, c->bits, n);

            if (n >= 16) {
                size_t half = (size_t) x->bits / 8;
                evp_encrypt(x->bits, "xts", iv, n);
                x->enc(key + half, key, iv, n, text, result);
                EXPECT(!memcmp(cipher, result, n), "%s, XTS %d, %zu bytes", tier, x->bits, n);
                x->dec(key + half, key, iv, n, cipher, cipher);
                EXPECT(!memcmp(cipher, text, n), "%s, XTS %d, %zu bytes", tier, x->bits, n);
            }

            if (round % 4 == 0)
                iv_len = 1 + test_random(60);
            evp_gcm(g->bits, iv_len, aad_len, n);
            g->pre(key, &gcm_key);
            g->init_iv(&gcm_key, &context, iv, iv_len, aad, aad_len);
            g->way[0].update(&gcm_key, &context, result, text, n);
            g->way[0].final(&gcm_key, &context, tag2, 16);
            EXPECT(!memcmp(cipher, result, n) && !memcmp(tag, tag2, 16),
                   "%s, GCM %d, %zu bytes, vector of %zu", tier, g->bits, n, iv_len);
            if (iv_len != 12)
                continue;
            g->way[1].whole(&gcm_key, &context, cipher, cipher, n, iv, aad, aad_len, tag2, 16);
            EXPECT(!memcmp(cipher, text, n) && !memcmp(tag, tag2, 16), "%s, GCM %d, %zu bytes",
                   tier, g->bits, n);
        }
    }
}
#else
static void test_openssl(void)
{
    test_skip("this system has no dlopen");
}
#endif

/* ---- Leftovers ---- */

#if HAVE_CONTEXTS
#define STACK_BYTES (1 << 16)
static uint8_t *other_stack;
static ucontext_t here, there;
static void (*work)(void);

static void on_other_stack(void)
{
    work();
}

/* Whether any 8 bytes of the secret are left on the stack that the work used. */
static int left_behind(const uint8_t *secret, size_t n)
{
    for (size_t s = 0; s + 8 <= n; s += 8)
        for (size_t i = 0; i + 8 <= STACK_BYTES; i++)
            if (!memcmp(other_stack + i, secret + s, 8))
                return 1;
    return 0;
}

static void run_on_other_stack(void (*function)(void))
{
    memset(other_stack, 0x5a, STACK_BYTES);
    getcontext(&there);
    there.uc_stack.ss_sp = other_stack;
    there.uc_stack.ss_size = STACK_BYTES;
    there.uc_link = &here;
    work = function;
    makecontext(&there, on_other_stack, 0);
    swapcontext(&here, &there);
}

static void work_xts(void)
{
    isal_aes_xts_enc_256(key + 32, key, iv, 1000, text, result);
    isal_aes_xts_dec_256(key + 32, key, iv, 1000, text, result);
}

static void work_gcm(void)
{
    isal_aes_gcm_pre_256(key, &gcm_key);
    isal_aes_gcm_enc_256(&gcm_key, &context, result, text, 1000, iv, aad, 20, tag, 16);
    isal_aes_gcm_init_256(&gcm_key, &context, iv, aad, 20);
    isal_aes_gcm_enc_256_update(&gcm_key, &context, result, text, 333);
    isal_aes_gcm_enc_256_finalize(&gcm_key, &context, tag, 16);
}

static void work_cbc(void)
{
    struct isal_aes_cbc_buffer b[3];

    for (int i = 0; i < 3; i++) {
        b[i].in = text + 200 * i;
        b[i].iv = iv;
        b[i].out = result + 200 * i;
        b[i].len_bytes = 160;
    }
    isal_aes_cbc_enc_256(text, iv, enc_keys, result, 320);
    isal_aes_cbc_dec_256(text, iv, dec_keys, result, 320);
    isal_aes_cbc_enc_256_mb(enc_keys, b, 3);
}

static void work_ctr(void)
{
    isal_aes_ctr_256(text, iv, enc_keys, result, 999);
}

/* No round key, tweak or power of the hash key stays on the stack of the assembly kernels' callers;
 * the kernel check looks at the registers. Portable C leaves that to the compiler. */
static void test_leftovers(void)
{
    static uint8_t zeros[16], first_tweak[16], mask[16], counter[16];

    other_stack = test_alloc(STACK_BYTES);
    FOR_EACH_TIER(tier)
    {
        if (!strcmp(tier, "base"))
            continue;
        test_fill_random(key, sizeof key);
        test_fill_random(text, 1000);
        test_fill_random(iv, 16);
        isal_aes_keyexp_256(key + 32, tweak_keys, dec_keys);
        isal_aes_cbc_enc_256(iv, zeros, tweak_keys, first_tweak, 16);
        isal_aes_keyexp_256(key, enc_keys, dec_keys);
        isal_aes_gcm_pre_256(key, &gcm_key);
        memcpy(counter, iv, 12);
        counter[15] = 1;
        isal_aes_cbc_enc_256(counter, zeros, enc_keys, mask, 16);
        run_on_other_stack(work_xts);
        EXPECT(!left_behind(enc_keys, 240) && !left_behind(dec_keys, 240), "%s: XTS, key", tier);
        EXPECT(!left_behind(tweak_keys, 240), "%s: XTS, key of the tweak", tier);
        EXPECT(!left_behind(first_tweak, 16), "%s: XTS, tweak", tier);
        run_on_other_stack(work_gcm);
        EXPECT(!left_behind(enc_keys, 240), "%s: GCM, key", tier);
        EXPECT(!left_behind((uint8_t *) &gcm_key + 240, 528), "%s: GCM, powers", tier);
        EXPECT(!left_behind(mask, 16), "%s: GCM, key stream of the tag", tier);
        run_on_other_stack(work_ctr);
        EXPECT(!left_behind(enc_keys, 240), "%s: CTR, key", tier);
        run_on_other_stack(work_cbc);
        EXPECT(!left_behind(enc_keys, 240) && !left_behind(dec_keys, 240), "%s: CBC, key", tier);
    }
    free(other_stack);
}
#else
static void test_leftovers(void)
{
    test_skip("this system has no makecontext");
}
#endif

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_keyexp_vectors);
    TEST(test_cbc_vectors);
    TEST(test_ctr_vectors);
    TEST(test_xts_vectors);
    TEST(test_gcm_vectors);
    TEST(test_cbc_contract);
    TEST(test_ctr_contract);
    TEST(test_ctr_pieces);
    TEST(test_xts_contract);
    TEST(test_gcm_contract);
#if SIZE_MAX < UINT64_MAX
    TEST(test_lengths_beyond_memory);
#endif
    TEST(test_gcm_pieces);
    TEST(test_gcm_nt);
    TEST(test_gcm_tiers_mix);
    TEST(test_cbc_mb);
    TEST(test_xts_sectors);
    TEST(test_openssl);
    TEST(test_leftovers);
    return test_finish();
}
