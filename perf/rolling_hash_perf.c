/* Benchmarks of the rolling hash and the chunker.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include <stdlib.h>
#include <string.h>

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/chunker.h"
#include "isa-l_crypto/rolling_hashx.h"

#define WINDOW 32

/* Mean distance of matches; "none" is a mask that random data never match. */
static const uint32_t masks[] = {0xffffffff, (1 << 12) - 1, (1 << 16) - 1};

/* ---- run ---- */

typedef int run_fn(struct isal_rh_state2 *state, const uint8_t *buffer, const uint32_t max_len,
                   const uint32_t mask, const uint32_t trigger, uint32_t *offset, int *match);

/* The definition, a byte at a time, as a program without a library would compute it. Compiled at
 * -O3 where the compiler can set that for one function. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3")))
#endif
static int
plain_run(struct isal_rh_state2 *state, const uint8_t *buffer, const uint32_t max_len,
          const uint32_t mask, const uint32_t trigger, uint32_t *offset, int *match)
{
    const uint32_t w = state->w;
    uint64_t hash = state->hash;
    uint32_t i = 0;

    *match = ISAL_FINGERPRINT_RET_MAX;
    while (i < max_len && i < w && *match) {
        hash =
            (hash << 1 | hash >> 63) ^ state->table1[buffer[i]] ^ state->table2[state->history[i]];
        i++;
        *match = (hash & mask) != trigger;
    }
    if (*match)
        for (; i < max_len; i++) {
            hash =
                (hash << 1 | hash >> 63) ^ state->table1[buffer[i]] ^ state->table2[buffer[i - w]];
            if ((hash & mask) == trigger) {
                *match = ISAL_FINGERPRINT_RET_HIT;
                i++;
                break;
            }
        }
    if (i < w) {
        memmove(state->history, state->history + i, w - i);
        memcpy(state->history + w - i, buffer, i);
    } else {
        memcpy(state->history, buffer + i - w, w);
    }
    state->hash = hash;
    *offset = i;
    return 0;
}

static void *prepare_run(const struct perf_run *r)
{
    static const uint8_t window[WINDOW] = {0};
    struct isal_rh_state2 *state = perf_alloc(1, sizeof *state);

    (void) r;
    isal_rolling_hash2_init(state, WINDOW);
    isal_rolling_hash2_reset(state, window);
    return state;
}

static void run_run(struct perf_run *r, size_t n)
{
    run_fn *fn = (run_fn *) r->impl->fn;
    const uint32_t mask = masks[r->c->setting[0]];
    int bad = 0;

    while (n--) {
        const uint8_t *data = perf_next(r)[0];
        uint32_t offset;
        int match;

        for (size_t at = 0; at < r->c->size; at += offset)
            bad |= fn(r->state, data + at, (uint32_t) (r->c->size - at), mask, 0, &offset, &match);
    }
    if (bad)
        perf_fail("isal_rolling_hash2_run failed");
}

/* ---- chunks ---- */

typedef int split_fn(struct isal_chunker *chunker, const void *data, size_t len, isal_chunk_fn *fn,
                     void *arg);

static int count(void *arg, const uint8_t *chunk, size_t size)
{
    (void) chunk;
    *(size_t *) arg += size != 0;
    return 0;
}

static void *prepare_split(const struct perf_run *r)
{
    struct isal_chunker *chunker = perf_alloc(1, sizeof *chunker);
    uint32_t avg = r->c->setting[0] == 2 ? 65536 : 4096;

    isal_chunker_init(chunker, avg / 4, avg, 4 * avg);
    return chunker;
}

static void run_split(struct perf_run *r, size_t n)
{
    split_fn *fn = (split_fn *) r->impl->fn;
    size_t chunks = 0;

    while (n--)
        if (fn(r->state, perf_next(r)[0], r->c->size, count, &chunks))
            perf_fail("isal_chunker_split failed");
}

/* ---- Work and limits ---- */

/* With VBMI the shuffles of the filter, otherwise the uops that the main loop issues per byte; the
 * comments of rolling_filter.asm and rolling_scan.asm have the counts. */
static void work_run(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    perf_reads(c, tier, w);
    if (!w->width)
        return;
    if (tier >= T_AVX512_V) {
        w->uops[PORT_SHUFFLE] = (double) c->size / 512 * (32 * (WINDOW / 8 + 2) + 32);
        return;
    }
    w->width = tier >= T_AVX2 ? 32 : 16;
    w->uops[PORT_ISSUE] = (double) c->size * (tier >= T_AVX512 ? 4.3 : tier >= T_AVX2 ? 5.0 : 6.4);
}

/* The first quarter of a chunk is not hashed; the rest depends on the contents. */
static void work_split(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    work_run(c, tier, w);
    w->width = 0;
}

/* ---- The family ---- */

static const struct perf_op ops[] = {
    {.name = "isal_rolling_hash2_run",
     .built_in = (perf_fn) isal_rolling_hash2_run,
     .kernel = "rolling_scan",
     .multiple = 1,
     .work = work_run,
     .prepare = prepare_run,
     .run = run_run},
    {.name = "plain_run",
     .built_in = (perf_fn) plain_run,
     .multiple = 1,
     .work = work_split,
     .prepare = prepare_run,
     .run = run_run},
    {.name = "isal_chunker_split",
     .built_in = (perf_fn) isal_chunker_split,
     .kernel = "rolling_scan",
     .multiple = 1,
     .work = work_split,
     .prepare = prepare_split,
     .run = run_split},
};

static const struct perf_peer peers[] = {
    {.name = "libisal_crypto", .file = "libisal_crypto.so.2"},
};

const struct perf_family perf_rolling_hash = {
    .name = "rolling_hash",
    .title = "rolling hash and chunker (plain_run: the definition, a byte at a time, at -O3)",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes of data",
    .default_op = "all",
    .default_size = "4K,64K,1M",
    .settings = {{"distance", "none,4K,64K"}},
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
