/* Tests of the AES functions: published test vectors and the contract.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "test.h"

#include "rsp.h"

#include "aes_test.h"

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
            f->op[DEC].update(&gcm_key, &context, result, cipher, n);
            f->op[DEC].final(&gcm_key, &context, tag2, 16);
            EXPECT((memcmp(tag, tag2, tag_len) == 0) == valid, "%s, line %u", tier, rsp.line);
            vectors++;
            if (!valid)
                continue;
            rsp_bytes(&rsp, "PT", text, MAX_TEXT);
            EXPECT(!memcmp(text, result, n), "%s, line %u", tier, rsp.line);
            if (iv_len != 12)
                continue;
            EXPECT(f->op[ENC].whole(&gcm_key, &context, result, text, n, iv, aad, aad_len, tag2,
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
        for (int dir = 0; dir < 2; dir++) {
            cbc_fn *fn = dir ? f->dec : f->enc;
            EXPECT(fn(NULL, NULL, NULL, NULL, 5) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "%d", dir);
            EXPECT(fn(NULL, NULL, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_SRC, "%d", dir);
            EXPECT(fn(text, NULL, enc_keys, NULL, 5) == ISAL_CRYPTO_ERR_NULL_DST, "%d", dir);
            EXPECT(fn(text, NULL, enc_keys, result, 5) == ISAL_CRYPTO_ERR_NULL_IV, "%d", dir);
            EXPECT(fn(text, iv, enc_keys, result, 5) == ISAL_CRYPTO_ERR_CIPH_LEN, "%d", dir);
            result[0] = 0x77;
            EXPECT(fn(text, iv, enc_keys, result, 0) == 0 && result[0] == 0x77, "%d", dir);
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
    EXPECT(isal_aes_ctr_init(&c, NULL) == ISAL_CRYPTO_ERR_NULL_IV, "IV");
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
            EXPECT(fn(tweak_keys, enc_keys, 0, 512, UINT64_MAX / 256, text, text) ==
                       ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", i);
        }
    }
}

static void expect_gcm_key_errors(const struct gcm *f)
{
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
}

static void expect_gcm_message_errors(gcm_fn *fn)
{
    const struct isal_gcm_key_data *kd = &gcm_key;
    struct isal_gcm_context_data *c = &context;
    const uint64_t too_long = ISAL_GCM_MAX_LEN + 1;
    const struct {
        int wanted, got;
    } results[] = {
        {ISAL_CRYPTO_ERR_NULL_EXP_KEY, fn(NULL, NULL, NULL, NULL, 1, NULL, NULL, 1, NULL, 1)},
        {ISAL_CRYPTO_ERR_NULL_CTX, fn(kd, NULL, NULL, NULL, 1, NULL, NULL, 1, NULL, 1)},
        {ISAL_CRYPTO_ERR_NULL_DST, fn(kd, c, NULL, NULL, 1, NULL, NULL, 1, NULL, 1)},
        {ISAL_CRYPTO_ERR_NULL_SRC, fn(kd, c, result, NULL, 1, NULL, NULL, 1, NULL, 1)},
        {ISAL_CRYPTO_ERR_CIPH_LEN, fn(kd, c, result, text, too_long, NULL, NULL, 1, NULL, 1)},
        {ISAL_CRYPTO_ERR_NULL_IV, fn(kd, c, NULL, NULL, 0, NULL, NULL, 1, NULL, 1)},
        {ISAL_CRYPTO_ERR_NULL_AAD, fn(kd, c, NULL, NULL, 0, iv, NULL, 1, NULL, 1)},
        {ISAL_CRYPTO_ERR_NULL_AUTH, fn(kd, c, NULL, NULL, 0, iv, NULL, 0, NULL, 1)},
        {ISAL_CRYPTO_ERR_AUTH_TAG_LEN, fn(kd, c, NULL, NULL, 0, iv, NULL, 0, tag, 15)},
        {0, fn(kd, c, NULL, NULL, 0, iv, NULL, 0, tag, 8)},
    };

    for (size_t i = 0; i < COUNT(results); i++)
        EXPECT(results[i].got == results[i].wanted, "call %zu: %d", i, results[i].got);
}

static void expect_gcm_update_errors(update_fn *fn)
{
    const struct isal_gcm_key_data *kd = &gcm_key;
    const uint64_t too_long = ISAL_GCM_MAX_LEN + 1;

    EXPECT(fn(NULL, NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "key");
    EXPECT(fn(kd, NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_CTX, "context");
    EXPECT(fn(kd, &context, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_SRC, "in");
    EXPECT(fn(kd, &context, NULL, text, 1) == ISAL_CRYPTO_ERR_NULL_DST, "out");
    EXPECT(fn(kd, &context, result, text, too_long) == ISAL_CRYPTO_ERR_CIPH_LEN, "length");
    EXPECT(fn(kd, &context, NULL, NULL, 0) == 0, "no bytes");
}

static void expect_gcm_final_errors(final_fn *fn)
{
    const struct isal_gcm_key_data *kd = &gcm_key;

    EXPECT(fn(NULL, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "key");
    EXPECT(fn(kd, NULL, NULL, 1) == ISAL_CRYPTO_ERR_NULL_CTX, "context");
    EXPECT(fn(kd, &context, NULL, 1) == ISAL_CRYPTO_ERR_NULL_AUTH, "tag");
    EXPECT(fn(kd, &context, tag, 4) == ISAL_CRYPTO_ERR_AUTH_TAG_LEN, "length of the tag");
    EXPECT(fn(kd, &context, tag, 12) == 0, "finalize");
}

static void test_gcm_contract(void)
{
    for (size_t k = 0; k < COUNT(gcms); k++) {
        const struct gcm *f = &gcms[k];
        const struct isal_gcm_key_data *kd = &gcm_key;

        expect_gcm_key_errors(f);
        for (int dir = 0; dir < 2; dir++) {
            expect_gcm_message_errors(f->op[dir].whole);
            expect_gcm_message_errors(f->op[dir].whole_nt);
            expect_gcm_update_errors(f->op[dir].update);
            expect_gcm_update_errors(f->op[dir].update_nt);
            expect_gcm_final_errors(f->op[dir].final);
        }
        /* The older functions write 8 bytes of tag for an invalid tag length. */
        for (uint64_t n = 0; n < 20; n++) {
            size_t written = n == 16 || n == 12 ? (size_t) n : 8;
            memset(tag, 0x77, sizeof tag);
            f->op[ENC].older(kd, &context, result, text, 30, iv, aad, 5, tag, n);
            f->op[ENC].whole(kd, &context, result, text, 30, iv, aad, 5, tag2, 16);
            EXPECT(!memcmp(tag, tag2, written), "%d", (int) n);
            for (size_t i = written; i < 16; i++)
                EXPECT(tag[i] == 0x77, "%d", (int) n);
        }
    }
}

#if SIZE_MAX < UINT64_MAX
/* Lengths that no buffer can have are errors; truncated to 32 bits they would be 16 bytes. */
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
        for (int dir = 0; dir < 2; dir++) {
            EXPECT(f->op[dir].whole(kd, &context, result, text, n, iv, aad, 0, tag, 16) ==
                       ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", dir);
            EXPECT(f->op[dir].whole(kd, &context, result, text, 16, iv, aad, n, tag, 16) ==
                       ISAL_CRYPTO_ERR_NULL_AAD,
                   "%d", dir);
            EXPECT(f->op[dir].whole(kd, &context, result, text, 16, iv, aad, 0, tag, n) ==
                       ISAL_CRYPTO_ERR_AUTH_TAG_LEN,
                   "%d", dir);
            EXPECT(f->op[dir].update(kd, &context, result, text, n) == ISAL_CRYPTO_ERR_CIPH_LEN,
                   "%d", dir);
        }
    }
    for (int i = 0; i < 16; i++)
        EXPECT(result[i] == 0x77, "byte %d was written", i);
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
    TEST(test_xts_contract);
    TEST(test_gcm_contract);
#if SIZE_MAX < UINT64_MAX
    TEST(test_lengths_beyond_memory);
#endif
    return test_finish();
}
