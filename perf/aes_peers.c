/* AES by OpenSSL and intel-ipsec-mb.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_include
#if __has_include(<intel-ipsec-mb.h>)
#include <intel-ipsec-mb.h>
#define HAVE_IPSEC_JOBS 1
#endif
#endif
#ifndef HAVE_IPSEC_JOBS
#define HAVE_IPSEC_JOBS 0 /* CBC and counter mode need its header: they are jobs */
#endif

/* intel-ipsec-mb's function. */
typedef void ipsec_gcm_fn(const void *key, void *context, uint8_t *out, const uint8_t *in,
                          uint64_t len, const uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                          uint8_t *tag, uint64_t tag_len);

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

/* The type of a function that run() does not call itself. */
typedef void unused_fn(void);

struct peer_state {
    struct aes_state aes;
    _Alignas(64) uint8_t ipsec_key[4096]; /* intel-ipsec-mb's key data and context */
    _Alignas(64) uint8_t ipsec_context[4096];
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
};

static struct peer_state *new_state(const struct perf_run *r)
{
    return new_aes_state(r, sizeof(struct peer_state));
}

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
    struct peer_state *s = new_state(r);
    int mode = strstr(name, "ctr") ? 3 : strstr(name, "gcm") ? 2 : strstr(name, "xts") ? 1 : 0;
    const evp_cipher *cipher =
        ((evp_cipher_fn *) perf_need(r, ciphers[mode][(s->aes.bits - 128) / 64], NULL))();

    s->init = (evp_init_fn *) perf_need(r, "EVP_CipherInit_ex", NULL);
    s->update = (evp_update_fn *) perf_need(r, "EVP_CipherUpdate", NULL);
    s->final = (evp_final_fn *) perf_need(r, "EVP_CipherFinal_ex", NULL);
    s->ctrl = (evp_ctrl_fn *) perf_need(r, "EVP_CIPHER_CTX_ctrl", NULL);
    s->evp = ((evp_new_fn *) perf_need(r, "EVP_CIPHER_CTX_new", NULL))();
    if (!s->evp || !s->init(s->evp, cipher, NULL, s->aes.key, s->aes.iv, !s->aes.decrypt))
        perf_fail("OpenSSL cannot do %s", name);
    ((evp_padding_fn *) perf_need(r, "EVP_CIPHER_CTX_set_padding", NULL))(s->evp, 0);
    return s;
}

/* A message with an IV of its own: what a program does for each. */
static int evp_message(struct peer_state *s, uint8_t **set, size_t size)
{
    int n;

    return !(s->init(s->evp, NULL, NULL, NULL, s->aes.iv, -1) &&
             s->update(s->evp, set[1], &n, set[0], (int) size));
}
RUN(run_evp, peer_state, unused_fn, ((void) fn, evp_message(s, set, size)))

/* A message with keys of its own, too. */
static int evp_keyed_message(struct peer_state *s, uint8_t **set, size_t size)
{
    int n;

    return !(s->init(s->evp, NULL, NULL, s->aes.key, s->aes.iv, -1) &&
             s->update(s->evp, set[1], &n, set[0], (int) size));
}
RUN(run_evp_keyed, peer_state, unused_fn, ((void) fn, evp_keyed_message(s, set, size)))

/* Decryption compares a wrong tag, which takes as long as a right one. */
static int evp_gcm(struct peer_state *s, uint8_t **set, size_t size)
{
    int n, failed = !(s->init(s->evp, NULL, NULL, NULL, s->aes.iv, -1) &&
                      s->update(s->evp, NULL, &n, s->aes.aad, AAD_BYTES) &&
                      s->update(s->evp, set[1], &n, set[0], (int) size));

    if (s->aes.decrypt) {
        s->ctrl(s->evp, EVP_GCM_SET_TAG, 16, s->aes.tag);
        s->final(s->evp, s->aes.tag, &n);
    } else {
        failed |= !s->final(s->evp, s->aes.tag, &n);
        s->ctrl(s->evp, EVP_GCM_GET_TAG, 16, s->aes.tag);
    }
    return failed;
}
RUN(run_evp_gcm, peer_state, unused_fn, ((void) fn, evp_gcm(s, set, size)))

static void *prepare_openssl_keyexp(const struct perf_run *r)
{
    struct peer_state *s = new_state(r);

    s->decrypt_key = (openssl_keyexp_fn *) perf_need(r, "AES_set_decrypt_key", NULL);
    return s;
}
RUN(run_openssl_keyexp, peer_state, openssl_keyexp_fn,
    fn(set[0], s->aes.bits, s->schedule[0]) | s->decrypt_key(set[0], s->aes.bits, s->schedule[1]))

/* ---- intel-ipsec-mb: the functions that its manager would choose at the tier in force ---- */

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
    struct peer_state *s = new_state(r);
    const char *variant = ipsec_variant()->gcm;
    char name[64];
    perf_fn pre;

    snprintf(name, sizeof name, "aes_gcm_pre_%d_%s", s->aes.bits, variant);
    pre = perf_symbol(r, name);
    snprintf(name, sizeof name, "aes_gcm_%s_%d_%s", s->aes.decrypt ? "dec" : "enc", s->aes.bits,
             variant);
    s->ipsec = (ipsec_gcm_fn *) perf_symbol(r, name);
    if (!pre || !s->ipsec)
        perf_fail("intel-ipsec-mb has no %s", name);
    ((void (*)(const void *, void *)) pre)(s->aes.key, s->ipsec_key);
    return s;
}

RUN(run_ipsec_gcm, peer_state, unused_fn,
    ((void) fn,
     s->ipsec(s->ipsec_key, s->ipsec_context, set[1], set[0], size, s->aes.iv, s->aes.aad,
              AAD_BYTES, s->aes.tag, 16),
     0))

#if HAVE_IPSEC_JOBS
/* CBC and counter mode: bursts of 1 or MESSAGES jobs, with this library's key schedules. */
#define JOB_BYTES 32768 /* its lengths in CBC mode have 16 bits */
static void *prepare_jobs(const struct perf_run *r)
{
    struct peer_state *s = new_state(r);
    IMB_MGR *(*alloc)(uint64_t) = (IMB_MGR * (*) (uint64_t)) perf_symbol(r, "alloc_mb_mgr");
    void (*init)(IMB_MGR *, IMB_ARCH *) =
        (void (*)(IMB_MGR *, IMB_ARCH *)) perf_symbol(r, ipsec_variant()->init);

    expand_keys(&s->aes);
    s->manager = alloc ? alloc(0) : NULL;
    if (!s->manager || !init)
        perf_fail("intel-ipsec-mb has no manager");
    init(s->manager, NULL);
    for (unsigned i = 0; i < MESSAGES; i++) {
        IMB_JOB *job = &s->jobs[i];
        job->enc_keys = s->aes.enc;
        job->dec_keys = s->aes.dec;
        job->key_len_in_bytes = (uint64_t) s->aes.bits / 8;
        job->iv = s->aes.iv;
        job->iv_len_in_bytes = 16;
        job->msg_len_to_cipher_in_bytes = r->c->size < JOB_BYTES ? r->c->size : JOB_BYTES;
    }
    return s;
}

static int burst(struct peer_state *s, uint8_t **set, size_t size, IMB_CIPHER_MODE mode, unsigned n)
{
    int bad = 0;

    for (size_t at = 0; at < size; at += JOB_BYTES) {
        for (unsigned i = 0; i < n; i++) {
            s->jobs[i].src = set[i] + at;
            s->jobs[i].dst = set[n + i] + at;
        }
        bad |= IMB_SUBMIT_CIPHER_BURST_NOCHECK(s->manager, s->jobs, n, mode,
                                               s->aes.decrypt ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT,
                                               (IMB_KEY_SIZE_BYTES) (s->aes.bits / 8)) != n;
    }
    return bad;
}

RUN(run_ipsec_cbc, peer_state, unused_fn, ((void) fn, burst(s, set, size, IMB_CIPHER_CBC, 1)))
RUN(run_ipsec_cbc_mb, peer_state, unused_fn,
    ((void) fn, burst(s, set, size, IMB_CIPHER_CBC, MESSAGES)))
RUN(run_ipsec_ctr, peer_state, unused_fn, ((void) fn, burst(s, set, size, IMB_CIPHER_CNTR, 1)))
#endif

static void *prepare_keys(const struct perf_run *r)
{
    return new_state(r);
}

typedef void ipsec_keyexp_fn(const void *key, void *enc, void *dec);
RUN(run_ipsec_keyexp, peer_state, ipsec_keyexp_fn, (fn(set[0], set[1], set[1] + 256), 0))

/* ---- The peers ---- */

#define PEER(fn, symbol_name, prepare_fn, run_fn)                                 \
    {                                                                             \
        .name = #fn, .symbol = symbol_name, .prepare = prepare_fn, .run = run_fn, \
    }

#define EVP(fn) PEER(fn, "EVP_CipherUpdate", prepare_evp, run_evp)
#define EVP_KEYED(fn) PEER(fn, "EVP_CipherUpdate", prepare_evp, run_evp_keyed)
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
    EVP_KEYED(isal_aes_xts_enc_128),
    EVP_KEYED(isal_aes_xts_dec_128),
    EVP_KEYED(isal_aes_xts_enc_256),
    EVP_KEYED(isal_aes_xts_dec_256),
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

const struct perf_peer aes_peers[AES_PEERS] = {
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
