/* Tests of the AES functions that process pieces of a message, several messages or several sectors,
 * against one call for each message.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_test.h"

/* Pieces of any length, and counters that wrap in their last bytes, their lower half or as a whole:
 * the key stream is the encryption of one counter after the other. */
static void test_ctr_pieces(void)
{
    static const unsigned wraps[] = {16, 15, 12, 8, 7, 1, 0}; /* bytes that do not wrap */
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

/* A message in random pieces, through either set of names, gives the result of one call. */
static void test_gcm_pieces(void)
{
    FOR_EACH_TIER(tier)
    {
        for (int round = 0; round < 150; round++) {
            const struct gcm *f = &gcms[round % 2];
            int dir = round / 2 % 2, older = round % 3 == 0;
            size_t n = test_random(round < 100 ? 400 : 6000), aad_len = test_random(60), done = 0;
            test_fill_random(key, 32);
            test_fill_random(iv, 12);
            test_fill_random(aad, aad_len);
            test_fill_random(text, n);
            if (older)
                f->older_pre(key, &gcm_key);
            else
                f->pre(key, &gcm_key);
            f->op[dir].whole(&gcm_key, &context, cipher, text, n, iv, aad, aad_len, tag, 16);
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
                    f->op[dir].older_update(&gcm_key, &context, result + done, result + done,
                                            piece);
                else
                    f->op[dir].update(&gcm_key, &context, result + done, text + done, piece);
                done += piece;
                EXPECT(context.in_length == done && context.partial_block_length == done % 16,
                       "%s, %zu of %zu", tier, done, n);
            }
            EXPECT(context.aad_length == aad_len, "%s", tier);
            if (older)
                f->op[dir].older_final(&gcm_key, &context, tag2, 16);
            else
                f->op[dir].final(&gcm_key, &context, tag2, 16);
            EXPECT(!memcmp(cipher, result, n), "%s, %d bits, %zu bytes", tier, f->bits, n);
            EXPECT(!memcmp(tag, tag2, 16), "%s, %d bits, %zu bytes", tier, f->bits, n);
        }
    }
}

/* The non-temporal functions: texts aligned and not, in place and not, give the usual result. */
static void test_gcm_nt(void)
{
    static _Alignas(64) uint8_t out[MAX_TEXT + 64];

    FOR_EACH_TIER(tier)
    {
        for (unsigned round = 0; round < 60; round++) {
            const struct gcm *g = &gcms[round % 2];
            size_t n = 4090 + test_random(MAX_TEXT - 4090), half = test_random((unsigned) n);
            uint8_t *to = round % 3 == 2 ? text : out + (round % 3 ? test_random(64) : 0);
            int dir = round / 2 % 2;

            test_fill_random(key, sizeof key);
            test_fill_random(iv, 12);
            test_fill_random(text, n);
            g->pre(key, &gcm_key);
            g->op[dir].whole(&gcm_key, &context, cipher, text, n, iv, aad, 20, tag, 16);
            memcpy(result, text, n);
            out[n] = 0x5a;
            EXPECT(g->op[dir].whole_nt(&gcm_key, &context, to, text, n, iv, aad, 20, tag2, 16) == 0,
                   "%s", tier);
            EXPECT(!memcmp(to, cipher, n) && !memcmp(tag, tag2, 16), "%s, %zu bytes", tier, n);
            EXPECT(to != out || out[n] == 0x5a, "%s, %zu bytes", tier, n);
            g->init(&gcm_key, &context, iv, aad, 20);
            half = half / 64 * 64;
            g->op[dir].update_nt(&gcm_key, &context, out, result, half);
            g->op[dir].update_nt(&gcm_key, &context, out + half, result + half, n - half);
            g->op[dir].final(&gcm_key, &context, tag2, 16);
            EXPECT(!memcmp(out, cipher, n) && !memcmp(tag, tag2, 16), "%s, %zu bytes", tier, n);
        }
    }
}

/* A key prepared under one cap serves under another, and so does a message begun there. */
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

/* Without AVX-512, no kernel reads the powers of H that precede the last 16. */
static void test_gcm_few_powers(void)
{
    enum { FEWER = 17 * 16 };
    uint8_t *powers = gcm_key.shifted_hkey_1;

    FOR_EACH_TIER(tier)
    {
        char limit[40];

        snprintf(limit, sizeof limit, "%s,-avx512f", tier);
        for (unsigned n = 0; n < 1500; n += 1 + test_random(12)) {
            unsigned aad_len = test_random(600), aad_short = aad_len % 33;

            if (n % 2)
                aad_len = aad_short;
            test_fill_random(key, 32);
            test_fill_random(text, n);
            isal_crypto_set_isa_limit("base");
            isal_aes_gcm_pre_256(key, &gcm_key);
            isal_aes_gcm_enc_256(&gcm_key, &context, cipher, text, n, iv, aad, aad_len, tag, 16);
            EXPECT(!isal_crypto_set_isa_limit(limit), "%s", limit);
            memset(&gcm_key, 0, sizeof gcm_key);
            isal_aes_gcm_pre_256(key, &gcm_key);
            test_fill_random(powers, FEWER);
            isal_aes_gcm_enc_256(&gcm_key, &context, result, text, n, iv, aad, aad_len, tag2, 16);
            EXPECT(!memcmp(cipher, result, n) && !memcmp(tag, tag2, 16), "%s, %u bytes, %u", limit,
                   n, aad_len);
            isal_aes_gcm_dec_256(&gcm_key, &context, result, cipher, n, iv, aad, aad_len, tag2, 16);
            EXPECT(!memcmp(text, result, n) && !memcmp(tag, tag2, 16), "%s, %u bytes, %u", limit, n,
                   aad_len);
            isal_aes_gcm_init_256(&gcm_key, &context, iv, aad, aad_len);
            isal_aes_gcm_enc_256_update(&gcm_key, &context, result, text, n / 3);
            isal_aes_gcm_enc_256_update(&gcm_key, &context, result + n / 3, text + n / 3,
                                        n - n / 3);
            isal_aes_gcm_enc_256_finalize(&gcm_key, &context, tag2, 16);
            EXPECT(!memcmp(cipher, result, n) && !memcmp(tag, tag2, 16), "%s, pieces, %u bytes",
                   limit, n);
        }
    }
    isal_crypto_set_isa_limit(NULL);
}

static void test_cbc_mb(void)
{
    enum { MAX_MESSAGES = 21 };
    static uint8_t ivs[MAX_MESSAGES][16];
    struct isal_aes_cbc_buffer b[MAX_MESSAGES];

    FOR_EACH_TIER(tier)
    {
        for (int round = 0; round < 60; round++) {
            const struct cbc *f = &cbcs[round % 3];
            size_t n = test_random(MAX_MESSAGES + 1), at = 0;
            test_fill_random(key, 32);
            f->keyexp(key, enc_keys, dec_keys);
            for (size_t i = 0; i < n; i++) {
                size_t len = 16 * test_random(round % 2 ? 40 : 3);
                test_fill_random(ivs[i], 16);
                test_fill_random(text + at, len);
                f->enc(text + at, ivs[i], enc_keys, cipher + at, len);
                b[i].in = round % 4 ? text + at : memcpy(result + at, text + at, len);
                b[i].iv = ivs[i];
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

/* Messages under random keys, some of them shared. */
static void test_cbc_mb_keys(void)
{
    enum { MAX_MESSAGES = 41 };
    static uint8_t ivs[MAX_MESSAGES][16], schedules[MAX_MESSAGES][240];
    struct isal_aes_cbc_keyed_buffer b[MAX_MESSAGES];

    FOR_EACH_TIER(tier)
    {
        for (int round = 0; round < 60; round++) {
            const struct cbc *f = &cbcs[round % 3];
            size_t n = test_random(MAX_MESSAGES + 1), at = 0;
            for (size_t i = 0; i < n; i++) {
                size_t len = 16 * test_random(round % 2 ? 28 : 3);
                size_t of = test_random((unsigned) i + 1);
                test_fill_random(key, 32);
                f->keyexp(key, schedules[i], dec_keys);
                b[i].keys = schedules[i % 3 ? i : of];
                test_fill_random(ivs[i], 16);
                test_fill_random(text + at, len);
                f->enc(text + at, ivs[i], b[i].keys, cipher + at, len);
                b[i].buffer.in = round % 4 ? text + at : memcpy(result + at, text + at, len);
                b[i].buffer.iv = ivs[i];
                b[i].buffer.out = result + at;
                b[i].buffer.len_bytes = len;
                at += len;
            }
            EXPECT(f->mb_keys(b, n) == 0, "%s", tier);
            EXPECT(!memcmp(result, cipher, at), "%s, %d bits, %zu messages", tier, f->bits, n);
        }
    }
    EXPECT(isal_aes_cbc_enc_128_mb_keys(NULL, 1) == ISAL_CRYPTO_ERR_NULL_SRC, "no buffers");
    EXPECT(isal_aes_cbc_enc_128_mb_keys(NULL, 0) == 0, "nothing to do");
    b[0].buffer = (struct isal_aes_cbc_buffer){text, iv, result, 16};
    b[0].keys = enc_keys;
    b[1] = b[0];
    memset(result, 0x77, 16);
    b[1].keys = NULL;
    EXPECT(isal_aes_cbc_enc_128_mb_keys(b, 2) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "no keys");
    b[1].keys = enc_keys;
    b[1].buffer.len_bytes = 17;
    EXPECT(isal_aes_cbc_enc_128_mb_keys(b, 2) == ISAL_CRYPTO_ERR_CIPH_LEN, "length");
    b[1].buffer.iv = NULL;
    EXPECT(isal_aes_cbc_enc_128_mb_keys(b, 2) == ISAL_CRYPTO_ERR_NULL_IV, "no IV");
    b[0].keys = NULL;
    b[1] = b[2] = (struct isal_aes_cbc_keyed_buffer){{text, iv, result, 16}, enc_keys};
    EXPECT(isal_aes_cbc_enc_128_mb_keys(b, 3) == ISAL_CRYPTO_ERR_NULL_EXP_KEY, "the first's keys");
    EXPECT(result[0] == 0x77 && result[15] == 0x77, "written in spite of an error");
}

static void test_xts_sectors(void)
{
    FOR_EACH_TIER(tier)
    {
        for (int round = 0; round < 60; round++) {
            const struct xts *f = &xtss[round % 2];
            int dir = round / 2 % 2;
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
                (dir ? f->dec_expanded : f->enc_expanded)(tweak_keys, dir ? dec_keys : enc_keys, iv,
                                                          len, text + i * len, cipher + i * len);
            }
            EXPECT((dir ? f->dec_sectors : f->enc_sectors)(tweak_keys, dir ? dec_keys : enc_keys,
                                                           first, len, n, text, result) == 0,
                   "%s", tier);
            EXPECT(!memcmp(result, cipher, total), "%s, %d bits, %zu sectors of %zu bytes", tier,
                   f->bits, n, len);
        }
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_ctr_pieces);
    TEST(test_gcm_pieces);
    TEST(test_gcm_nt);
    TEST(test_gcm_tiers_mix);
    TEST(test_gcm_few_powers);
    TEST(test_cbc_mb);
    TEST(test_cbc_mb_keys);
    TEST(test_xts_sectors);
    return test_finish();
}
