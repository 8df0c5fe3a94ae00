/* Benchmarks of AES.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ISAL_UNIT_TEST
#define NO_COMPAT_ISAL_CRYPTO_API_2_24 /* names that intel-ipsec-mb has as well */
#include "isa-l_crypto/aes_cbc.h"
#include "isa-l_crypto/aes_ctr.h"
#include "isa-l_crypto/aes_gcm.h"
#include "isa-l_crypto/aes_keyexp.h"
#include "isa-l_crypto/aes_xts.h"

#ifdef __has_include
#if __has_include(<intel-ipsec-mb.h>)
#include <intel-ipsec-mb.h>
#define HAVE_IPSEC_JOBS 1
#endif
#endif
#ifndef HAVE_IPSEC_JOBS
#define HAVE_IPSEC_JOBS 0 /* CBC and counter mode are jobs, whose structure is in the header */
#endif

#define AAD_BYTES 16
#define MESSAGES 8 /* of the multi-buffer functions, in one set */

typedef int keyexp_fn(const uint8_t *key, uint8_t *enc, uint8_t *dec);
typedef int cbc_fn(const void *in, const void *iv, const void *keys, void *out, uint64_t len);
typedef int cbc_mb_fn(const void *keys, const struct isal_aes_cbc_buffer *buffers, uint64_t n);
typedef int xts_fn(const uint8_t *k2, const uint8_t *k1, const uint8_t *tweak, uint64_t len,
                   const void *in, void *out);
typedef int sectors_fn(const uint8_t *k2, const uint8_t *k1, uint64_t first, uint64_t bytes,
                       uint64_t n, const void *in, void *out);
typedef int gcm_fn(const struct isal_gcm_key_data *key, struct isal_gcm_context_data *context,
                   uint8_t *out, const uint8_t *in, uint64_t len, const uint8_t *iv,
                   const uint8_t *aad, uint64_t aad_len, uint8_t *tag, uint64_t tag_len);
/* intel-ipsec-mb's function. */
typedef void ipsec_gcm_fn(const void *key, void *context, uint8_t *out, const uint8_t *in,
                          uint64_t len, const uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                          uint8_t *tag, uint64_t tag_len);

typedef int pre_fn(const void *key, struct isal_gcm_key_data *key_data);

/* OpenSSL's functions, whose structures are opaque. */
typedef struct evp_ctx evp_ctx;
typedef struct evp_cipher evp_cipher;
typedef evp_ctx *evp_new_fn(void);
typedef const evp_cipher *evp_cipher_fn(void);
typedef int evp_init_fn(evp_ctx *ctx, const evp_cipher *cipher, void *engine, const uint8_t *key,
                        const uint8_t *iv, int encrypt);
typedef int evp_update_fn(evp_ctx *ctx, uint8_t *out, int *out_len, const uint8_t *in, int len);
typedef int evp_final_fn(evp_ctx *ctx, uint8_t *out, int *out_len);
typedef int evp_ctrl_fn(evp_ctx *ctx, int type, int n, void *p);
typedef int evp_padding_fn(evp_ctx *ctx, int pad);
typedef int openssl_keyexp_fn(const uint8_t *key, int bits, void *schedule);
#define EVP_GCM_GET_TAG 0x10
#define EVP_GCM_SET_TAG 0x11

struct state {
    _Alignas(64) uint8_t ipsec_key[4096]; /* intel-ipsec-mb's key data, and its context */
    _Alignas(64) uint8_t ipsec_context[4096];
    _Alignas(64) struct isal_gcm_key_data gcm;
    struct isal_gcm_context_data context;
    _Alignas(64) uint8_t key[64], enc[240], dec[240], iv[16], aad[AAD_BYTES], tag[16];
    uint8_t schedule[2][512];
    evp_ctx *evp;
    evp_init_fn *init;
    evp_update_fn *update;
    evp_final_fn *final;
    evp_ctrl_fn *ctrl;
    openssl_keyexp_fn *decrypt_key;
    ipsec_gcm_fn *ipsec;
#if HAVE_IPSEC_JOBS
    IMB_MGR *manager;
    IMB_JOB jobs[MESSAGES];
#endif
    int bits, decrypt;
};

static struct state *new_state(const struct perf_run *r)
{
    const char *name = r->c->op->name;
    struct state *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);

    if (!s)
        perf_fail("out of memory");
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < sizeof s->key; i++)
        s->key[i] = (uint8_t) (37 * i + 11);
    memcpy(s->iv, s->key + 5, sizeof s->iv);
    s->bits = strstr(name, "128") ? 128 : strstr(name, "192") ? 192 : 256;
    s->decrypt = strstr(name, "_dec_") != NULL;
    return s;
}

static void *prepare_keys(const struct perf_run *r)
{
    return new_state(r);
}

/* ---- This library ---- */

static void *prepare(const struct perf_run *r)
{
    struct state *s = new_state(r);

    if (s->bits == 128) {
        isal_aes_keyexp_128(s->key, s->enc, s->dec);
        isal_aes_gcm_pre_128(s->key, &s->gcm);
    } else if (s->bits == 192) {
        isal_aes_keyexp_192(s->key, s->enc, s->dec);
    } else {
        isal_aes_keyexp_256(s->key, s->enc, s->dec);
        isal_aes_gcm_pre_256(s->key, &s->gcm);
    }
    return s;
}

#define RUN(function, type, call)                      \
    static void function(struct perf_run *r, size_t n) \
    {                                                  \
        type *fn = (type *) r->impl->fn;               \
        struct state *s = r->state;                    \
        size_t size = r->c->size;                      \
        int bad = 0;                                   \
        while (n--) {                                  \
            uint8_t **set = perf_next(r);              \
            bad |= call;                               \
        }                                              \
        if (bad)                                       \
            perf_fail("%s failed", r->c->op->name);    \
        (void) s;                                      \
        (void) size;                                   \
    }

RUN(run_keyexp, keyexp_fn, fn(set[0], set[1], set[1] + 256))
RUN(run_pre, pre_fn, fn(set[0], (struct isal_gcm_key_data *) set[1]))
RUN(run_cbc, cbc_fn, fn(set[0], s->iv, s->decrypt ? s->dec : s->enc, set[1], size))
RUN(run_ctr, cbc_fn, fn(set[0], s->iv, s->enc, set[1], size))
RUN(run_xts, xts_fn, fn(s->enc, s->decrypt ? s->dec : s->enc, s->iv, size, set[0], set[1]))
RUN(run_gcm, gcm_fn,
    fn(&s->gcm, &s->context, set[1], set[0], size, s->iv, s->aad, AAD_BYTES, s->tag, 16))

static int cbc_mb(cbc_mb_fn *fn, struct state *s, uint8_t **set, size_t size)
{
    struct isal_aes_cbc_buffer buffers[MESSAGES];

    for (unsigned i = 0; i < MESSAGES; i++) {
        buffers[i].in = set[i];
        buffers[i].out = set[MESSAGES + i];
        buffers[i].iv = s->iv;
        buffers[i].len_bytes = size;
    }
    return fn(s->enc, buffers, MESSAGES);
}
RUN(run_cbc_mb, cbc_mb_fn, cbc_mb(fn, s, set, size))

/* As many sectors of 512 bytes as there are. */
RUN(run_sectors, sectors_fn,
    fn(s->enc, s->decrypt ? s->dec : s->enc, 1, size < 512 ? size : 512,
       size < 512 ? 1 : size / 512, set[0], set[1]))

/* ---- OpenSSL ---- */

static void *prepare_evp(const struct perf_run *r)
{
    static const char *const ciphers[4][3] = {
        {"EVP_aes_128_cbc", "EVP_aes_192_cbc", "EVP_aes_256_cbc"},
        {"EVP_aes_128_xts", "EVP_aes_128_xts", "EVP_aes_256_xts"},
        {"EVP_aes_128_gcm", "EVP_aes_192_gcm", "EVP_aes_256_gcm"},
        {"EVP_aes_128_ctr", "EVP_aes_192_ctr", "EVP_aes_256_ctr"},
    };
    const char *name = r->c->op->name;
    struct state *s = new_state(r);
    int mode = strstr(name, "ctr") ? 3 : strstr(name, "gcm") ? 2 : strstr(name, "xts") ? 1 : 0;
    const evp_cipher *cipher =
        ((evp_cipher_fn *) perf_need(r, ciphers[mode][(s->bits - 128) / 64], NULL))();

    s->init = (evp_init_fn *) perf_need(r, "EVP_CipherInit_ex", NULL);
    s->update = (evp_update_fn *) perf_need(r, "EVP_CipherUpdate", NULL);
    s->final = (evp_final_fn *) perf_need(r, "EVP_CipherFinal_ex", NULL);
    s->ctrl = (evp_ctrl_fn *) perf_need(r, "EVP_CIPHER_CTX_ctrl", NULL);
    s->evp = ((evp_new_fn *) perf_need(r, "EVP_CIPHER_CTX_new", NULL))();
    if (!s->evp || !s->init(s->evp, cipher, NULL, s->key, s->iv, !s->decrypt))
        perf_fail("OpenSSL cannot do %s", name);
    ((evp_padding_fn *) perf_need(r, "EVP_CIPHER_CTX_set_padding", NULL))(s->evp, 0);
    return s;
}

/* A message with its own vector: what a program does for each. */
static int evp_message(struct state *s, uint8_t **set, size_t size)
{
    int n;

    return !(s->init(s->evp, NULL, NULL, NULL, s->iv, -1) &&
             s->update(s->evp, set[1], &n, set[0], (int) size));
}
RUN(run_evp, evp_update_fn, ((void) fn, evp_message(s, set, size)))

/* Decryption meets a wrong tag, whose comparison costs the same. */
static int evp_gcm(struct state *s, uint8_t **set, size_t size)
{
    int n, failed = !(s->init(s->evp, NULL, NULL, NULL, s->iv, -1) &&
                      s->update(s->evp, NULL, &n, s->aad, AAD_BYTES) &&
                      s->update(s->evp, set[1], &n, set[0], (int) size));

    if (s->decrypt) {
        s->ctrl(s->evp, EVP_GCM_SET_TAG, 16, s->tag);
        s->final(s->evp, s->tag, &n);
    } else {
        failed |= !s->final(s->evp, s->tag, &n);
        s->ctrl(s->evp, EVP_GCM_GET_TAG, 16, s->tag);
    }
    return failed;
}
RUN(run_evp_gcm, evp_update_fn, ((void) fn, evp_gcm(s, set, size)))

static void *prepare_openssl_keyexp(const struct perf_run *r)
{
    struct state *s = new_state(r);

    s->decrypt_key = (openssl_keyexp_fn *) perf_need(r, "AES_set_decrypt_key", NULL);
    return s;
}
RUN(run_openssl_keyexp, openssl_keyexp_fn,
    fn(set[0], s->bits, s->schedule[0]) | s->decrypt_key(set[0], s->bits, s->schedule[1]))

/* ---- intel-ipsec-mb, by the functions that its manager would choose on this CPU, or on one that
 * has no more than the tier in ISAL_ISA ---- */

static const struct ipsec_variant {
    const char *gcm, *init;
    enum tier tier;
    uint32_t needs;
} ipsec_variants[] = {
    {"vaes_avx512", "init_mb_mgr_auto", T_AVX512_V, CPU_VAES | CPU_AVX512F},
    {"avx512", "init_mb_mgr_avx2", T_AVX512, CPU_AVX512F | CPU_AVX512BW},
    {"avx_gen4", "init_mb_mgr_avx2", T_AVX2, CPU_AVX2},
    {"sse", "init_mb_mgr_sse", T_BASE, 0},
};

static const struct ipsec_variant *ipsec_variant(void)
{
    const struct ipsec_variant *v = ipsec_variants;

    while (v->needs & ~isalk_cpu_features() || v->tier > isalk_cap())
        v++;
    return v;
}

static void *prepare_ipsec(const struct perf_run *r)
{
    struct state *s = new_state(r);
    const char *variant = ipsec_variant()->gcm;
    char name[64];
    perf_fn pre;

    snprintf(name, sizeof name, "aes_gcm_pre_%d_%s", s->bits, variant);
    pre = perf_symbol(r, name);
    snprintf(name, sizeof name, "aes_gcm_%s_%d_%s", s->decrypt ? "dec" : "enc", s->bits, variant);
    s->ipsec = (ipsec_gcm_fn *) perf_symbol(r, name);
    if (!pre || !s->ipsec)
        perf_fail("intel-ipsec-mb has no %s", name);
    ((void (*)(const void *, void *)) pre)(s->key, s->ipsec_key);
    return s;
}

RUN(run_ipsec_gcm, gcm_fn,
    ((void) fn,
     s->ipsec(s->ipsec_key, s->ipsec_context, set[1], set[0], size, s->iv, s->aad, AAD_BYTES,
              s->tag, 16),
     0))

#if HAVE_IPSEC_JOBS
/* CBC and counter mode: a burst of one message, or of as many as the multi-buffer functions take.
 * The schedules are this library's. */
#define JOB_BYTES 32768 /* the lengths that it encrypts in CBC mode have 16 bits */
static void *prepare_jobs(const struct perf_run *r)
{
    struct state *s = prepare(r);
    IMB_MGR *(*alloc)(uint64_t) = (IMB_MGR * (*) (uint64_t)) perf_symbol(r, "alloc_mb_mgr");
    void (*init)(IMB_MGR *, IMB_ARCH *) =
        (void (*)(IMB_MGR *, IMB_ARCH *)) perf_symbol(r, ipsec_variant()->init);

    s->manager = alloc ? alloc(0) : NULL;
    if (!s->manager || !init)
        perf_fail("intel-ipsec-mb has no manager");
    init(s->manager, NULL);
    for (unsigned i = 0; i < MESSAGES; i++) {
        IMB_JOB *job = &s->jobs[i];
        job->enc_keys = s->enc;
        job->dec_keys = s->dec;
        job->key_len_in_bytes = (uint64_t) s->bits / 8;
        job->iv = s->iv;
        job->iv_len_in_bytes = 16;
        job->msg_len_to_cipher_in_bytes = r->c->size < JOB_BYTES ? r->c->size : JOB_BYTES;
    }
    return s;
}

static int burst(struct state *s, uint8_t **set, size_t size, IMB_CIPHER_MODE mode, unsigned n)
{
    int bad = 0;

    for (size_t at = 0; at < size; at += JOB_BYTES) {
        for (unsigned i = 0; i < n; i++) {
            s->jobs[i].src = set[i] + at;
            s->jobs[i].dst = set[n + i] + at;
        }
        bad |= IMB_SUBMIT_CIPHER_BURST_NOCHECK(s->manager, s->jobs, n, mode,
                                               s->decrypt ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT,
                                               (IMB_KEY_SIZE_BYTES) (s->bits / 8)) != n;
    }
    return bad;
}

RUN(run_ipsec_cbc, cbc_fn, ((void) fn, burst(s, set, size, IMB_CIPHER_CBC, 1)))
RUN(run_ipsec_cbc_mb, cbc_fn, ((void) fn, burst(s, set, size, IMB_CIPHER_CBC, MESSAGES)))
RUN(run_ipsec_ctr, cbc_fn, ((void) fn, burst(s, set, size, IMB_CIPHER_CNTR, 1)))
#endif

typedef void ipsec_keyexp_fn(const void *key, void *enc, void *dec);
RUN(run_ipsec_keyexp, ipsec_keyexp_fn, (fn(set[0], set[1], set[1] + 256), 0))

/* ---- Work and limits ---- */

static int bits_of(const struct perf_case *c)
{
    const char *name = c->op->name;

    return strstr(name, "128") ? 128 : strstr(name, "192") ? 192 : 256;
}

/* One round a block: the port of AES. */
static void count_rounds(const struct perf_case *c, enum tier tier, unsigned messages,
                         double extra_blocks, struct perf_work *w)
{
    double blocks = (double) c->size * messages / 16;
    int wide = perf_has_gfni(tier);

    w->buffers = 2 * messages;
    w->buffer_size = c->size;
    w->bytes = w->read = w->written = (double) c->size * messages;
    w->width = wide ? perf_width(tier) : perf_width(tier) ? 16 : 0;
    if (!w->width)
        return;
    w->uops[PORT_LOAD] = w->read / w->width;
    w->uops[PORT_STORE] = w->written / w->width;
    w->uops[PORT_AES] = (blocks * 16 / w->width + extra_blocks) * (bits_of(c) / 32 + 6);
}

static void work_blocks(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_rounds(c, tier, 1, 0, w);
}

/* Each block waits for the one before. */
static void work_chain(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_rounds(c, tier, 1, 0, w);
    if (w->width) {
        double rounds = (double) c->size / 16 * (bits_of(c) / 32 + 6);
        w->cycles = perf_chain_cycles(rounds * perf_latency(CHAIN_AES), rounds);
    }
}

static void work_mb(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_rounds(c, tier, MESSAGES, 0, w);
}

static void work_xts(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_rounds(c, tier, 1, 1, w);
}

static void work_gcm(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_rounds(c, tier, 1, 1, w);
    if (w->width)
        w->uops[PORT_CLMUL] = ((double) c->size / w->width + 2) * 4;
}

/* A chain of a shuffle, the last round and an addition for every round key. */
static void work_keyexp(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    w->buffers = 2;
    w->buffer_size = 2048;
    w->bytes = 16. * (bits_of(c) / 32 + 7);
    w->width = perf_width(tier) ? 16 : 0;
    if (w->width)
        w->cycles = (2 + perf_latency(CHAIN_AES)) * (bits_of(c) == 128   ? 10
                                                     : bits_of(c) == 192 ? 8
                                                                         : 13);
}

/* ---- The family ---- */

#define OP(fn, kernel_name, granule, work_fn, run_fn)                                 \
    {                                                                                 \
        .name = #fn, .own = (perf_fn) fn, .kernel = kernel_name, .multiple = granule, \
        .work = work_fn, .prepare = prepare, .run = run_fn,                           \
    }
#define PEER(fn, symbol_name, prepare_fn, run_fn)                                 \
    {                                                                             \
        .name = #fn, .symbol = symbol_name, .prepare = prepare_fn, .run = run_fn, \
    }

static const struct perf_op ops[] = {
    OP(isal_aes_gcm_enc_128, "aes_gcm_enc_128", 1, work_gcm, run_gcm),
    OP(isal_aes_gcm_dec_128, "aes_gcm_dec_128", 1, work_gcm, run_gcm),
    OP(isal_aes_gcm_enc_256, "aes_gcm_enc_256", 1, work_gcm, run_gcm),
    OP(isal_aes_gcm_dec_256, "aes_gcm_dec_256", 1, work_gcm, run_gcm),
    OP(isal_aes_xts_enc_128_expanded_key, "aes_xts_enc_128", 1, work_xts, run_xts),
    OP(isal_aes_xts_dec_128_expanded_key, "aes_xts_dec_128", 1, work_xts, run_xts),
    OP(isal_aes_xts_enc_256_expanded_key, "aes_xts_enc_256", 1, work_xts, run_xts),
    OP(isal_aes_xts_dec_256_expanded_key, "aes_xts_dec_256", 1, work_xts, run_xts),
    OP(isal_aes_xts_enc_128_sectors, "aes_xts_enc_128", 16, work_xts, run_sectors),
    OP(isal_aes_xts_enc_256_sectors, "aes_xts_enc_256", 16, work_xts, run_sectors),
    OP(isal_aes_ctr_128, "aes_ctr_128", 1, work_blocks, run_ctr),
    OP(isal_aes_ctr_256, "aes_ctr_256", 1, work_blocks, run_ctr),
    OP(isal_aes_cbc_dec_128, "aes_cbc_dec_128", 16, work_blocks, run_cbc),
    OP(isal_aes_cbc_dec_256, "aes_cbc_dec_256", 16, work_blocks, run_cbc),
    OP(isal_aes_cbc_enc_128, "aes_cbc_enc_128", 16, work_chain, run_cbc),
    OP(isal_aes_cbc_enc_256, "aes_cbc_enc_256", 16, work_chain, run_cbc),
    OP(isal_aes_cbc_enc_128_mb, "aes_cbc_mb_128", 16, work_mb, run_cbc_mb),
    OP(isal_aes_cbc_enc_256_mb, "aes_cbc_mb_256", 16, work_mb, run_cbc_mb),
    OP(isal_aes_keyexp_128, "aes_keyexp_128", 0, work_keyexp, run_keyexp),
    OP(isal_aes_keyexp_192, "aes_keyexp_192", 0, work_keyexp, run_keyexp),
    OP(isal_aes_keyexp_256, "aes_keyexp_256", 0, work_keyexp, run_keyexp),
    OP(isal_aes_gcm_pre_128, "aes_gcm_powers_128", 0, work_keyexp, run_pre),
};

#define EVP(fn) PEER(fn, "EVP_CipherUpdate", prepare_evp, run_evp)
#define EVP_GCM(fn) PEER(fn, "EVP_CipherUpdate", prepare_evp, run_evp_gcm)
#define AES_SET(fn) PEER(fn, "AES_set_encrypt_key", prepare_openssl_keyexp, run_openssl_keyexp)
static const struct perf_op openssl_ops[] = {
    EVP_GCM(isal_aes_gcm_enc_128),
    EVP_GCM(isal_aes_gcm_dec_128),
    EVP_GCM(isal_aes_gcm_enc_256),
    EVP_GCM(isal_aes_gcm_dec_256),
    EVP(isal_aes_xts_enc_128_expanded_key),
    EVP(isal_aes_xts_dec_128_expanded_key),
    EVP(isal_aes_xts_enc_256_expanded_key),
    EVP(isal_aes_xts_dec_256_expanded_key),
    EVP(isal_aes_ctr_128),
    EVP(isal_aes_ctr_256),
    EVP(isal_aes_cbc_dec_128),
    EVP(isal_aes_cbc_dec_256),
    EVP(isal_aes_cbc_enc_128),
    EVP(isal_aes_cbc_enc_256),
    AES_SET(isal_aes_keyexp_128),
    AES_SET(isal_aes_keyexp_192),
    AES_SET(isal_aes_keyexp_256),
};

#define IPSEC_GCM(fn) PEER(fn, "alloc_mb_mgr", prepare_ipsec, run_ipsec_gcm)
#define IPSEC_JOB(fn, run_fn) PEER(fn, "alloc_mb_mgr", prepare_jobs, run_fn)
static const struct perf_op ipsec_ops[] = {
    IPSEC_GCM(isal_aes_gcm_enc_128),
    IPSEC_GCM(isal_aes_gcm_dec_128),
    IPSEC_GCM(isal_aes_gcm_enc_256),
    IPSEC_GCM(isal_aes_gcm_dec_256),
#if HAVE_IPSEC_JOBS
    IPSEC_JOB(isal_aes_ctr_128, run_ipsec_ctr),
    IPSEC_JOB(isal_aes_ctr_256, run_ipsec_ctr),
    IPSEC_JOB(isal_aes_cbc_dec_128, run_ipsec_cbc),
    IPSEC_JOB(isal_aes_cbc_dec_256, run_ipsec_cbc),
    IPSEC_JOB(isal_aes_cbc_enc_128, run_ipsec_cbc),
    IPSEC_JOB(isal_aes_cbc_enc_256, run_ipsec_cbc),
    IPSEC_JOB(isal_aes_cbc_enc_128_mb, run_ipsec_cbc_mb),
    IPSEC_JOB(isal_aes_cbc_enc_256_mb, run_ipsec_cbc_mb),
#endif
    PEER(isal_aes_keyexp_128, "aes_keyexp_128_avx", prepare_keys, run_ipsec_keyexp),
    PEER(isal_aes_keyexp_192, "aes_keyexp_192_avx", prepare_keys, run_ipsec_keyexp),
    PEER(isal_aes_keyexp_256, "aes_keyexp_256_avx", prepare_keys, run_ipsec_keyexp),
};

static const struct perf_peer peers[] = {
    {.name = "libisal_crypto", .file = "libisal_crypto.so.2"},
    {.name = "OpenSSL",
     .file = "libcrypto.so.3",
     .ops = openssl_ops,
     .op_count = ARRAY_SIZE(openssl_ops)},
    {.name = "intel-ipsec-mb",
     .file = "libIPSec_MB.so.1",
     .ops = ipsec_ops,
     .op_count = ARRAY_SIZE(ipsec_ops)},
};

const struct perf_family perf_aes = {
    .name = "aes",
    .title = "AES: GCM, XTS, CBC, key expansion",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes of text (key expansion: of one schedule)",
    .default_op = "all",
    .default_size = "64,256,1K,4K,64K",
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
