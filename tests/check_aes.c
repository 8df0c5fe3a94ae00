/* Kernel check of the AES family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "crypto/aes/aes_kernels.h"

extern const struct check_call check_aes_calls[]; /* check_aes_calls.c */

/* The parameter of a test: bits of the key, plus this for kernels with non-temporal stores. */
#define NT 1

static int bits(const struct check *c)
{
    return check_parameter(c) & ~NT;
}

static size_t schedule_size(const struct check *c)
{
    return (size_t) (bits(c) / 32 + 7) * AES_BLOCK;
}

/* Random bytes where a schedule is expected: kernels must not depend on how it was made. */
static uint8_t *schedule(struct check *c)
{
    uint8_t *keys = check_input(c, schedule_size(c));

    check_secret(c, "a round key", keys, schedule_size(c));
    return keys;
}

/* Declares n bytes of key stream, and the input of the first round of its first block. `from` is
 * the first byte of the counter, as in aes_sliced.h. */
static void secret_stream(struct check *c, const uint8_t *schedule, const uint8_t *counter,
                          unsigned from, size_t n)
{
    static uint8_t stream[CHECK_BYTES];
    static const uint8_t zero[CHECK_BYTES];
    struct aes_sliced_keys keys;
    uint8_t next[AES_BLOCK], first_round[AES_BLOCK];
    unsigned zeros = 0;

    isalk_aes_sliced_keys(&keys, schedule, (unsigned) (bits(c) / 32 + 6));
    memcpy(next, counter, AES_BLOCK);
    isalk_aes_sliced_ctr(&keys, next, from, stream, zero, n);
    check_secret(c, "key stream", stream, n);
    for (unsigned i = 0; i < AES_BLOCK; i++) {
        first_round[i] = counter[i] ^ schedule[i];
        zeros += !schedule[i];
    }
    if (zeros < AES_BLOCK / 2) /* otherwise it is mostly the counter, which is public */
        check_secret(c, "a counter with the first round key", first_round, AES_BLOCK);
}

static aes_keyexp_fn *expand(const struct check *c)
{
    return bits(c) == 128   ? isalk_aes_keyexp_128_base
           : bits(c) == 192 ? isalk_aes_keyexp_192_base
                            : isalk_aes_keyexp_256_base;
}

static void keyexp(struct check *c, size_t repetition)
{
    size_t key_size = (size_t) bits(c) / 8;
    uint8_t *key = check_input(c, key_size), *enc = check_output(c, schedule_size(c));
    uint8_t *dec = repetition % 4 ? check_output(c, schedule_size(c)) : NULL;
    uint8_t secret_enc[15 * AES_BLOCK], secret_dec[15 * AES_BLOCK];

    check_secret(c, "the key", key, key_size);
    expand(c)(key, secret_enc, secret_dec);
    check_secret(c, "a round key", secret_enc, schedule_size(c));
    check_secret(c, "a round key of decryption", secret_dec, schedule_size(c));
    check_run(c, ARG(key), ARG(enc), ARG(dec));
}

static void xts_keys(struct check *c, size_t repetition)
{
    size_t key_size = (size_t) bits(c) / 8;
    uint8_t *k2 = check_input(c, key_size), *k1 = check_input(c, key_size);
    uint8_t *tweak = check_input(c, AES_BLOCK);
    uint8_t *keys = check_output(c, schedule_size(c)), *first = check_output(c, AES_BLOCK);
    uint8_t secret_enc[15 * AES_BLOCK], secret_dec[15 * AES_BLOCK], block[64] = {0};
    struct aes_sliced_keys sliced;

    (void) repetition;
    check_secret(c, "the key of data", k1, key_size);
    expand(c)(k1, secret_enc, secret_dec);
    check_secret(c, "a round key", secret_enc, schedule_size(c));
    check_secret(c, "a round key of decryption", secret_dec, schedule_size(c));
    check_secret(c, "the key of tweaks", k2, key_size);
    expand(c)(k2, secret_enc, NULL);
    check_secret(c, "a round key of tweaks", secret_enc, schedule_size(c));
    isalk_aes_sliced_keys(&sliced, secret_enc, (unsigned) bits(c) / 32 + 6);
    memcpy(block, tweak, AES_BLOCK);
    isalk_aes_sliced_enc(&sliced, block);
    check_secret(c, "the encrypted tweak", block, AES_BLOCK);
    check_run(c, ARG(k2), ARG(k1), ARG(tweak), ARG(keys), ARG(first));
}

static void cbc(struct check *c, size_t blocks)
{
    size_t n = blocks * AES_BLOCK;
    uint8_t *iv = check_input(c, AES_BLOCK), *keys = schedule(c);
    uint8_t *out = check_output(c, n), *in = check_random(c, 4) ? check_input(c, n) : out;

    check_describe(c, "%s", in == out ? "in place" : "");
    check_run(c, ARG(in), ARG(iv), ARG(keys), ARG(out), ARG(n));
}

/* Up to eight messages; the other lanes repeat one of them. */
static void cbc_mb(struct check *c, size_t blocks)
{
    size_t n = blocks * AES_BLOCK;
    unsigned messages = (unsigned) check_number(c, "messages", 1, AES_LANES);
    struct aes_cbc_lanes *lanes = check_struct(c, NULL, sizeof *lanes, 1);
    struct aes_cbc_lanes filled;
    uint8_t *keys = schedule(c);

    memcpy(&filled, lanes, sizeof filled);
    for (unsigned i = 0; i < AES_LANES; i++) {
        if (i < messages) {
            uint8_t *out = check_output(c, n);
            filled.out[i] = out;
            filled.in[i] = check_random(c, 4) ? check_input(c, n) : out;
        } else {
            unsigned like = check_random(c, messages);
            filled.out[i] = filled.out[like];
            filled.in[i] = filled.in[like];
            memcpy(filled.iv[i], filled.iv[like], AES_BLOCK);
        }
    }
    memcpy(lanes, &filled, sizeof filled);
    check_run(c, ARG(lanes), ARG(keys), ARG(blocks));
}

/* Up to sixteen messages with their keys; the other lanes repeat one of them. */
static void cbc_mb_keys(struct check *c, size_t blocks)
{
    size_t n = blocks * AES_BLOCK, row = AES_KEYED_LANES * AES_BLOCK;
    size_t table_bytes = row * (size_t) (bits(c) / 32 + 7);
    unsigned messages = (unsigned) check_number(c, "messages", 1, AES_KEYED_LANES);
    struct aes_cbc_lanes *lanes = check_struct(c, NULL, sizeof *lanes, 1);
    struct aes_cbc_lanes filled;
    uint8_t *table = check_struct(c, NULL, table_bytes, 0);

    memcpy(&filled, lanes, sizeof filled);
    for (unsigned i = 0; i < AES_KEYED_LANES; i++) {
        unsigned like = i < messages ? i : check_random(c, messages);
        uint8_t *out = i < messages ? check_output(c, n) : filled.out[like];

        filled.in[i] = i >= messages        ? filled.in[like]
                       : check_random(c, 4) ? check_input(c, n)
                                            : out;
        filled.out[i] = out;
        memcpy(filled.iv[i], filled.iv[like], AES_BLOCK);
        for (size_t r = 0; r < table_bytes; r += row)
            memmove(table + r + AES_BLOCK * i, table + r + AES_BLOCK * like, AES_BLOCK);
    }
    memcpy(lanes, &filled, sizeof filled);
    check_secret(c, "a round key", table, table_bytes);
    check_run(c, ARG(lanes), ARG(table), ARG(blocks));
}

/* In half of the cases the counter carries out of its last byte or further. */
static void ctr(struct check *c, size_t len)
{
    uint8_t counter_bytes[AES_BLOCK], *counter, *keys = schedule(c);
    uint8_t *out = check_output(c, len), *in = check_random(c, 4) ? check_input(c, len) : out;

    counter = check_struct(c, NULL, AES_BLOCK, 0);
    memcpy(counter_bytes, counter, AES_BLOCK);
    if (check_random(c, 2)) {
        memset(counter_bytes + 9, 0xff, 6);
        counter_bytes[15] = (uint8_t) (0xff - check_random(c, 40));
    }
    counter_bytes[8] &= 0x7f; /* the lower half does not wrap */
    memcpy(counter, counter_bytes, AES_BLOCK);
    secret_stream(c, keys, counter, 0, len);
    check_describe(c, "%s", in == out ? "in place" : "");
    check_run(c, ARG(in), ARG(counter), ARG(keys), ARG(out), ARG(len));
}

/* Declares the tweaks of n bytes. */
static void secret_tweaks(struct check *c, const uint8_t *k2, const uint8_t *tweak, size_t n)
{
    static uint8_t tweaks[CHECK_BYTES];
    uint8_t *t = tweaks;

    memcpy(t, tweak, AES_BLOCK);
    if (k2) {
        struct aes_sliced_keys keys;
        uint8_t blocks[64] = {0};
        memcpy(blocks, tweak, AES_BLOCK);
        isalk_aes_sliced_keys(&keys, k2, (unsigned) (bits(c) / 32 + 6));
        isalk_aes_sliced_enc(&keys, blocks);
        memcpy(t, blocks, AES_BLOCK);
    }
    for (; (size_t) (t - tweaks) < n; t += AES_BLOCK) {
        unsigned carry = 0;
        for (unsigned i = 0; i < AES_BLOCK; i++) {
            carry += 2u * t[i];
            t[AES_BLOCK + i] = (uint8_t) carry;
            carry >>= 8;
        }
        t[AES_BLOCK] ^= (uint8_t) (carry * 0x87);
    }
    check_secret(c, "a tweak", tweaks, (size_t) (t - tweaks) + AES_BLOCK);
}

static void xts(struct check *c, size_t n)
{
    uint8_t *tweak = check_input(c, AES_BLOCK), *k2 = schedule(c), *k1 = schedule(c);
    uint8_t *out = check_output(c, n), *in = check_random(c, 4) ? check_input(c, n) : out;

    if (check_random(c, 6) == 0)
        k2 = NULL;
    check_describe(c, "%s%s", in == out ? "in place, " : "", k2 ? "tweak" : "encrypted tweak");
    secret_tweaks(c, k2, tweak, n);
    check_run(c, ARG(k2), ARG(k1), ARG(tweak), ARG(n), ARG(in), ARG(out));
}

/* Computes the powers of H for a random schedule. Declares the schedule, the powers and H. */
static void make_powers(struct check *c, struct isal_gcm_key_data *key)
{
    static const uint8_t zero[AES_BLOCK];

    if (bits(c) == 128)
        isalk_aes_gcm_powers_128_base(key);
    else
        isalk_aes_gcm_powers_256_base(key);
    check_secret(c, "a round key", key, GCM_POWERS_AT);
    check_secret(c, "a power of H", (uint8_t *) key + GCM_POWERS_AT, GCM_POWERS * AES_BLOCK);
    secret_stream(c, key->expanded_keys, zero, 0,
                  AES_BLOCK); /* H is the encryption of a block of zeros */
}

/* A key with a random schedule and the powers of H that belong to it. */
static uint8_t *gcm_key(struct check *c)
{
    uint8_t *key = check_struct(c, NULL, sizeof(struct isal_gcm_key_data), 0);
    struct isal_gcm_key_data made;

    memcpy(&made, key, sizeof made);
    make_powers(c, &made);
    memcpy(key, &made, sizeof made);
    return key;
}

struct powers_case {
    const struct check *c;
    uint8_t *key;
    struct isal_gcm_key_data made, given;
};

/* Rows for CPUs without AVX-512 leave the powers that only AVX-512 reads as they were. */
static const char *settle_powers(void *arg, uint64_t result)
{
    struct powers_case *p = arg;
    const size_t n = (GCM_POWERS - GCM_FEW_POWERS) * AES_BLOCK;

    (void) result;
    if (!check_row_avoids(p->c, CPU_AVX512F))
        return NULL;
    if (memcmp(p->key + GCM_POWERS_AT, (uint8_t *) &p->given + GCM_POWERS_AT, n))
        return "writes powers that no kernel reads";
    memcpy(p->key + GCM_POWERS_AT, (uint8_t *) &p->made + GCM_POWERS_AT, n);
    return NULL;
}

static void powers(struct check *c, size_t repetition)
{
    struct powers_case p = {.c = c,
                            .key = check_struct(c, NULL, sizeof(struct isal_gcm_key_data), 1)};

    (void) repetition;
    memcpy(&p.given, p.key, sizeof p.given);
    p.made = p.given;
    make_powers(c, &p.made);
    check_settle(c, settle_powers, &p);
    check_run(c, ARG(p.key));
}

static void ghash(struct check *c, size_t len)
{
    uint8_t *key = gcm_key(c), *hash = check_output(c, AES_BLOCK), *data = check_input(c, len);

    check_run(c, ARG(key), ARG(hash), ARG(data), ARG(len));
}

/* In a third of the cases, makes the 32-bit counter or its last byte wrap within 40 blocks. */
static void maybe_wrap_soon(struct check *c, uint8_t *counter)
{
    if (check_random(c, 3) == 0) {
        memset(counter + 12, 0xff, 3);
        counter[15] = (uint8_t) (0xff - check_random(c, 40));
        if (check_random(c, 2))
            counter[12 + check_random(c, 3)] ^= 1;
    }
}

/* Buffers of n bytes. Kernels with non-temporal stores need the output aligned to 64 bytes and
 * apart from the input. */
static void text_buffers(struct check *c, size_t n, uint8_t **out, uint8_t **in)
{
    if (check_parameter(c) & NT) {
        *out = check_output(c, n + 63);
        *out += -(uintptr_t) *out % 64;
        *in = check_input(c, n);
    } else {
        *out = check_output(c, n);
        *in = check_random(c, 4) ? check_input(c, n) : *out;
    }
}

/* A piece of a message: whole blocks. */
static void gcm_piece(struct check *c, size_t blocks)
{
    size_t n = blocks * AES_BLOCK;
    uint8_t *key = gcm_key(c);
    uint8_t *context = check_struct(c, NULL, sizeof(struct isal_gcm_context_data), 1);
    uint8_t *out, *in;

    text_buffers(c, n, &out, &in);
    maybe_wrap_soon(c, context + offsetof(struct isal_gcm_context_data, current_counter));
    if (n >= 8 * AES_BLOCK) {
        uint8_t *last = context + offsetof(struct isal_gcm_context_data, current_counter) + 15;
        *last = (uint8_t) ((*last & (n < 32 * AES_BLOCK ? ~7u : ~31u)) | GCM_FIRST_COUNTER);
    }
    secret_stream(c, key, context + offsetof(struct isal_gcm_context_data, current_counter), 12, n);
    check_describe(c, "%s", in == out ? "in place" : "");
    check_run(c, ARG(key), ARG(context), ARG(out), ARG(in), ARG(n), ARG(NULL));
}

/* A whole message. */
static void gcm(struct check *c, size_t len)
{
    static const uint8_t tag_lengths[] = {8, 12, 16};
    static const uint16_t aad_lengths[] = {0, 12, 13, 16, 20, 0, 28, 300};
    uint8_t first_counter[AES_BLOCK] = {[AES_BLOCK - 1] = 1};
    struct gcm_message m;
    uint8_t *key, *context, *out, *in;
    size_t aad = aad_lengths[check_random(c, ARRAY_SIZE(aad_lengths))], tag;

    if (check_random(c, 3) == 0)
        aad = check_random(c, (unsigned) aad + 40);
    check_record(c, "additional data", aad);
    key = gcm_key(c);
    context = check_struct(c, NULL, sizeof(struct isal_gcm_context_data), 0);
    text_buffers(c, len, &out, &in);
    tag = check_record(c, "tag", tag_lengths[check_random(c, 3)]);
    m.tag = check_output(c, tag);
    m.tag_len = tag;
    m.iv = check_input(c, ISAL_GCM_IV_LEN);
    m.aad_len = aad;
    m.aad = aad ? check_input(c, aad) : NULL;
    check_describe(c, "%s", in == out ? "in place" : "");
    memcpy(first_counter, m.iv, ISAL_GCM_IV_LEN);
    secret_stream(c, key, first_counter, 12, AES_BLOCK + len);
    check_run(c, ARG(key), ARG(context), ARG(out), ARG(in), ARG(len),
              ARG(check_struct(c, &m, sizeof m, 0)));
}

/* ---- Descriptor ---- */

/* clang-format off */
#define UNROLL 512 /* bytes in the longest step of a kernel */
#define UNROLLED {"bytes", 1, 0, CHECK_EVERY, CHECK_LONG, UNROLL}
#define UNROLLED_FROM_16 {"bytes", 1, AES_BLOCK, CHECK_EVERY, CHECK_LONG, UNROLL}
#define BLOCKS {"blocks", AES_BLOCK, 0, 70, CHECK_LONG / AES_BLOCK, 0}
#define FEW_BLOCKS {"blocks", AES_BLOCK, 1, 70, 70, 0}
#define PIECES {"blocks", AES_BLOCK, 0, 70, 300, 0}
/* clang-format on */

#define KEYEXP SIGNATURE(aes_keyexp_fn, void, const uint8_t *, uint8_t *, uint8_t *)
#define CBC                                                                                   \
    SIGNATURE(aes_cbc_fn, void, const uint8_t *, const uint8_t *, const uint8_t *, uint8_t *, \
              size_t)
#define CBC_MB SIGNATURE(aes_cbc_mb_fn, void, struct aes_cbc_lanes *, const uint8_t *, size_t)
#define CTR                                                                                   \
    SIGNATURE(aes_ctr_fn, void, const uint8_t *, const uint8_t *, const uint8_t *, uint8_t *, \
              size_t)
#define XTS                                                                                \
    SIGNATURE(aes_xts_fn, void, const uint8_t *, const uint8_t *, const uint8_t *, size_t, \
              const uint8_t *, uint8_t *)
#define XTS_KEYS                                                                                   \
    SIGNATURE(aes_xts_keys_fn, void, const uint8_t *, const uint8_t *, const uint8_t *, uint8_t *, \
              uint8_t *)
#define POWERS SIGNATURE(aes_gcm_powers_fn, void, struct isal_gcm_key_data *)
#define GHASH                                                                                   \
    SIGNATURE(aes_ghash_fn, void, const struct isal_gcm_key_data *, uint8_t *, const uint8_t *, \
              size_t)
#define GCM                                                                                       \
    SIGNATURE(aes_gcm_fn, void, const struct isal_gcm_key_data *, struct isal_gcm_context_data *, \
              uint8_t *, const uint8_t *, size_t, const struct gcm_message *)

#define GCM_TESTS(kernel, bits)              \
    {kernel, gcm, UNROLLED, GCM, bits},      \
    {                                        \
        kernel, gcm_piece, PIECES, GCM, bits \
    }

static const struct check_kernel tests[] = {
    {"aes_keyexp_128", keyexp, REPETITIONS, KEYEXP, 128},
    {"aes_keyexp_192", keyexp, REPETITIONS, KEYEXP, 192},
    {"aes_keyexp_256", keyexp, REPETITIONS, KEYEXP, 256},
    {"aes_cbc_enc_128", cbc, BLOCKS, CBC, 128},
    {"aes_cbc_enc_192", cbc, BLOCKS, CBC, 192},
    {"aes_cbc_enc_256", cbc, BLOCKS, CBC, 256},
    {"aes_cbc_mb_128", cbc_mb, FEW_BLOCKS, CBC_MB, 128},
    {"aes_cbc_mb_192", cbc_mb, FEW_BLOCKS, CBC_MB, 192},
    {"aes_cbc_mb_256", cbc_mb, FEW_BLOCKS, CBC_MB, 256},
    {"aes_cbc_mb_keys_128", cbc_mb_keys, FEW_BLOCKS, CBC_MB, 128},
    {"aes_cbc_mb_keys_192", cbc_mb_keys, FEW_BLOCKS, CBC_MB, 192},
    {"aes_cbc_mb_keys_256", cbc_mb_keys, FEW_BLOCKS, CBC_MB, 256},
    {"aes_cbc_dec_128", cbc, BLOCKS, CBC, 128},
    {"aes_cbc_dec_192", cbc, BLOCKS, CBC, 192},
    {"aes_cbc_dec_256", cbc, BLOCKS, CBC, 256},
    {"aes_ctr_128", ctr, UNROLLED, CTR, 128},
    {"aes_ctr_192", ctr, UNROLLED, CTR, 192},
    {"aes_ctr_256", ctr, UNROLLED, CTR, 256},
    {"aes_xts_enc_128", xts, UNROLLED_FROM_16, XTS, 128},
    {"aes_xts_enc_256", xts, UNROLLED_FROM_16, XTS, 256},
    {"aes_xts_dec_128", xts, UNROLLED_FROM_16, XTS, 128},
    {"aes_xts_dec_256", xts, UNROLLED_FROM_16, XTS, 256},
    {"aes_xts_keys_enc_128", xts_keys, REPETITIONS, XTS_KEYS, 128},
    {"aes_xts_keys_enc_256", xts_keys, REPETITIONS, XTS_KEYS, 256},
    {"aes_xts_keys_dec_128", xts_keys, REPETITIONS, XTS_KEYS, 128},
    {"aes_xts_keys_dec_256", xts_keys, REPETITIONS, XTS_KEYS, 256},
    {"aes_gcm_powers_128", powers, REPETITIONS, POWERS, 128},
    {"aes_gcm_powers_256", powers, REPETITIONS, POWERS, 256},
    {"aes_ghash", ghash, UNROLLED, GHASH, 128},
    GCM_TESTS("aes_gcm_enc_128", 128),
    GCM_TESTS("aes_gcm_enc_256", 256),
    GCM_TESTS("aes_gcm_dec_128", 128),
    GCM_TESTS("aes_gcm_dec_256", 256),
    GCM_TESTS("aes_gcm_enc_128_nt", 128 + NT),
    GCM_TESTS("aes_gcm_enc_256_nt", 256 + NT),
    GCM_TESTS("aes_gcm_dec_128_nt", 128 + NT),
    GCM_TESTS("aes_gcm_dec_256_nt", 256 + NT),
};

const struct check_family check_aes = {tests, ARRAY_SIZE(tests), check_aes_calls, 1};
