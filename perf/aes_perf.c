/* Benchmarks of AES.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_perf.h"

#include <stdlib.h>
#include <string.h>

#include "isa-l_crypto/aes_cbc.h"
#include "isa-l_crypto/aes_ctr.h"
#include "isa-l_crypto/aes_keyexp.h"
#include "isa-l_crypto/aes_xts.h"

typedef int keyexp_fn(const uint8_t *key, uint8_t *enc, uint8_t *dec);
typedef int cbc_fn(const void *in, const void *iv, const void *keys, void *out, uint64_t len);
typedef int cbc_mb_fn(const void *keys, const struct isal_aes_cbc_buffer *buffers, uint64_t n);
typedef int cbc_keys_fn(const struct isal_aes_cbc_keyed_buffer *buffers, uint64_t n);
typedef int xts_fn(const uint8_t *k2, const uint8_t *k1, const uint8_t *tweak, uint64_t len,
                   const void *in, void *out);
typedef int sectors_fn(const uint8_t *k2, const uint8_t *k1, uint64_t first, uint64_t bytes,
                       uint64_t n, const void *in, void *out);
typedef int gcm_fn(const struct isal_gcm_key_data *key, struct isal_gcm_context_data *context,
                   uint8_t *out, const uint8_t *in, uint64_t len, const uint8_t *iv,
                   const uint8_t *aad, uint64_t aad_len, uint8_t *tag, uint64_t tag_len);
typedef int pre_fn(const void *key, struct isal_gcm_key_data *key_data);

void *new_aes_state(const struct perf_run *r, size_t size)
{
    const char *name = r->c->op->name;
    struct aes_state *s = aligned_alloc(64, (size + 63) / 64 * 64);

    if (!s)
        perf_fail("out of memory");
    memset(s, 0, size);
    for (size_t i = 0; i < sizeof s->key; i++)
        s->key[i] = (uint8_t) (37 * i + 11);
    memcpy(s->iv, s->key + 5, sizeof s->iv);
    s->bits = strstr(name, "128") ? 128 : strstr(name, "192") ? 192 : 256;
    s->decrypt = strstr(name, "_dec_") != NULL;
    return s;
}

void expand_keys(struct aes_state *s)
{
    if (s->bits == 128) {
        isal_aes_keyexp_128(s->key, s->enc, s->dec);
        isal_aes_gcm_pre_128(s->key, &s->gcm);
    } else if (s->bits == 192) {
        isal_aes_keyexp_192(s->key, s->enc, s->dec);
    } else {
        isal_aes_keyexp_256(s->key, s->enc, s->dec);
        isal_aes_gcm_pre_256(s->key, &s->gcm);
    }
}

static void *prepare(const struct perf_run *r)
{
    struct aes_state *s = new_aes_state(r, sizeof(*s));

    expand_keys(s);
    return s;
}

RUN(run_keyexp, aes_state, keyexp_fn, fn(set[0], set[1], set[1] + 256))
RUN(run_pre, aes_state, pre_fn, fn(set[0], (struct isal_gcm_key_data *) set[1]))
RUN(run_cbc, aes_state, cbc_fn, fn(set[0], s->iv, s->decrypt ? s->dec : s->enc, set[1], size))
RUN(run_ctr, aes_state, cbc_fn, fn(set[0], s->iv, s->enc, set[1], size))
RUN(run_xts, aes_state, xts_fn,
    fn(s->enc, s->decrypt ? s->dec : s->enc, s->iv, size, set[0], set[1]))
RUN(run_raw_xts, aes_state, xts_fn, fn(s->key + 32, s->key, s->iv, size, set[0], set[1]))
RUN(run_gcm, aes_state, gcm_fn,
    fn(&s->gcm, &s->context, set[1], set[0], size, s->iv, s->aad, AAD_BYTES, s->tag, 16))

static int cbc_mb(cbc_mb_fn *fn, struct aes_state *s, uint8_t **set, size_t size)
{
    struct isal_aes_cbc_buffer buffers[MESSAGES];

    for (unsigned i = 0; i < MESSAGES; i++)
        buffers[i] = (struct isal_aes_cbc_buffer){set[i], s->iv, set[MESSAGES + i], size};
    return fn(s->enc, buffers, MESSAGES);
}
RUN(run_cbc_mb, aes_state, cbc_mb_fn, cbc_mb(fn, s, set, size))

static int cbc_keys(cbc_keys_fn *fn, struct aes_state *s, uint8_t **set, size_t size)
{
    struct isal_aes_cbc_keyed_buffer buffers[KEYED_MESSAGES];

    for (unsigned i = 0; i < KEYED_MESSAGES; i++) {
        buffers[i].buffer =
            (struct isal_aes_cbc_buffer){set[i], s->iv, set[KEYED_MESSAGES + i], size};
        buffers[i].keys = s->enc;
    }
    return fn(buffers, KEYED_MESSAGES);
}
RUN(run_cbc_keys, aes_state, cbc_keys_fn, cbc_keys(fn, s, set, size))

/* The buffer as sectors of 512 bytes, or as one sector where it is shorter. */
RUN(run_sectors, aes_state, sectors_fn,
    fn(s->enc, s->decrypt ? s->dec : s->enc, 1, size < 512 ? size : 512,
       size < 512 ? 1 : size / 512, set[0], set[1]))

/* ---- Work and limits ---- */

static int bits_of(const struct perf_case *c)
{
    const char *name = c->op->name;

    return strstr(name, "128") ? 128 : strstr(name, "192") ? 192 : 256;
}

/* A round of all blocks of a vector is one instruction on the port of AES. */
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

static void work_keys(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    count_rounds(c, tier, KEYED_MESSAGES, 0, w);
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

/* A chain of a shuffle and the last round for every round key; the first step of AES-128 and every
 * step of AES-192 need an addition, too. */
static void work_keyexp(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    w->buffers = 2;
    w->buffer_size = 2048;
    w->bytes = 16. * (bits_of(c) / 32 + 7);
    w->width = perf_width(tier) ? 16 : 0;
    if (w->width)
        w->cycles = bits_of(c) == 256   ? 13 * (1 + perf_latency(CHAIN_AES))
                    : bits_of(c) == 128 ? 1 + 10 * (1 + perf_latency(CHAIN_AES))
                                        : 8 * (2 + perf_latency(CHAIN_AES));
}

/* ---- The family ---- */

#define OP(fn, kernel_name, granule, work_fn, run_fn)                                      \
    {                                                                                      \
        .name = #fn, .built_in = (perf_fn) fn, .kernel = kernel_name, .multiple = granule, \
        .work = work_fn, .prepare = prepare, .run = run_fn,                                \
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
    OP(isal_aes_xts_enc_128, "aes_xts_enc_128", 1, work_xts, run_raw_xts),
    OP(isal_aes_xts_dec_128, "aes_xts_dec_128", 1, work_xts, run_raw_xts),
    OP(isal_aes_xts_enc_256, "aes_xts_enc_256", 1, work_xts, run_raw_xts),
    OP(isal_aes_xts_dec_256, "aes_xts_dec_256", 1, work_xts, run_raw_xts),
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
    OP(isal_aes_cbc_enc_128_mb_keys, "aes_cbc_mb_keys_128", 16, work_keys, run_cbc_keys),
    OP(isal_aes_cbc_enc_256_mb_keys, "aes_cbc_mb_keys_256", 16, work_keys, run_cbc_keys),
    OP(isal_aes_keyexp_128, "aes_keyexp_128", 0, work_keyexp, run_keyexp),
    OP(isal_aes_keyexp_192, "aes_keyexp_192", 0, work_keyexp, run_keyexp),
    OP(isal_aes_keyexp_256, "aes_keyexp_256", 0, work_keyexp, run_keyexp),
    OP(isal_aes_gcm_pre_128, "aes_gcm_powers_128", 0, work_keyexp, run_pre),
};

const struct perf_family perf_aes = {
    .name = "aes",
    .title = "AES: GCM, XTS, CBC, key expansion",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes of text (key expansion: of one schedule)",
    .default_op = "all",
    .default_size = "64,256,1K,4K,64K",
    .peers = aes_peers,
    .peer_count = AES_PEERS,
};
