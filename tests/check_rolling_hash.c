/* Kernel check of the rolling hash.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "rolling_hash/rolling_kernels.h"

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/chunker.h"
#include "isa-l_crypto/rolling_hashx.h"

/* A mask of few bits matches early and often; one of many bits never matches by chance. The
 * trigger is random, or one that matches at a known position. */
static void scan(struct check *c, size_t len)
{
    uint8_t *before = check_input(c, ROLLING_MAX_WINDOW), *data = check_input(c, len);
    struct rolling_plan *plan;
    size_t w = 1 + check_random(c, ROLLING_MAX_WINDOW);
    unsigned bits = check_random(c, 33), shift = check_random(c, 32);
    uint32_t mask = bits == 32 ? 0xffffffff : (1u << bits) - 1, trigger;

    if (check_random(c, 4) == 0)
        w = 8 * (1 + check_random(c, 6));
    mask = mask << shift | mask >> (-shift & 31);
    if (check_random(c, 8) == 0)
        mask &= check_random(c, 0xffffffff);
    if (check_random(c, 3) == 0)
        mask |= 0x80000001;
    trigger = check_random(c, 3) ? check_random(c, 0xffffffff) & mask : 0;
    if (len && check_random(c, 2)) {
        uint8_t window[ROLLING_MAX_WINDOW];
        size_t at = check_random(c, (unsigned) len);

        for (size_t i = 0; i < w; i++) {
            size_t back = w - 1 - i; /* bytes before `at` */
            window[i] = back <= at ? data[at - back] : before[ROLLING_MAX_WINDOW + at - back];
        }
        trigger = (uint32_t) isalk_rolling_hash(window, w) & mask;
    }
    plan = check_struct(c, NULL, sizeof *plan, 0);
    isalk_rolling_plan(plan, w, mask, trigger);
    check_record(c, "window", w);
    check_describe(c, "mask %08x, trigger %08x", mask, trigger);
    check_run(c, ARG(before), ARG(data), ARG(len), ARG(plan));
}

/* Windows and masks for which the filter is used. */
static void filter(struct check *c, size_t blocks)
{
    size_t w = check_record(c, "window", check_random(c, 2) ? 32 : 48);
    uint8_t *data = check_input(c, blocks * ROLLING_FILTER_BLOCK);
    struct rolling_plan *plan = check_struct(c, NULL, sizeof *plan, 0);
    uint32_t mask = 0xffffffff >> check_random(c, 24) << check_random(c, 8), trigger = 0;

    if (check_random(c, 3)) {
        size_t end = w + check_random(c, (unsigned) (blocks * ROLLING_FILTER_BLOCK - w));

        trigger = (uint32_t) isalk_rolling_hash(data + end - w, w) & mask;
    }
    isalk_rolling_plan(plan, w, mask, trigger);
    check_describe(c, "mask %08x, trigger %08x", mask, trigger);
    check_run(c, ARG(data), ARG(blocks), ARG(plan));
}

/* ---- Calls ---- */

static uint8_t text[1000];

static struct isal_rh_state2 *rolling(void)
{
    static struct isal_rh_state2 state;

    isal_rolling_hash2_init(&state, 32);
    isal_rolling_hash2_reset(&state, text);
    return &state;
}

static struct isal_chunker *chunker(void)
{
    static struct isal_chunker c;

    isal_chunker_init(&c, 64, 200, 400);
    return &c;
}

static int ignore_chunk(void *arg, const uint8_t *chunk, size_t size)
{
    (void) arg;
    (void) chunk;
    (void) size;
    return 0;
}

static uint32_t offset;
static size_t used;
static int match;

#define CALLS(X)                                                                        \
    X(rolling_scan, isal_rolling_hash2_run,                                             \
      isal_rolling_hash2_run(rolling(), text, sizeof text, 0xffff, 1, &offset, &match)) \
    X(rolling_scan, rolling_hash2_run,                                                  \
      rolling_hash2_run(rolling(), text, sizeof text, 0xffff, 1, &offset))              \
    X(rolling_scan, isal_chunker_next,                                                  \
      isal_chunker_next(chunker(), text, sizeof text, &used, &match))                   \
    X(rolling_scan, isal_chunker_split,                                                 \
      isal_chunker_split(chunker(), text, sizeof text, ignore_chunk, NULL))
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptor ---- */

static const struct check_kernel tests[] = {
    {"rolling_scan", scan, BYTES,
     SIGNATURE(rolling_scan_fn, size_t, const uint8_t *, const uint8_t *, size_t,
               const struct rolling_plan *),
     0},
    {"rolling_filter",
     filter,
     {"blocks", ROLLING_FILTER_BLOCK, 1, 8, 39, 0},
     SIGNATURE(rolling_filter_fn, size_t, const uint8_t *, size_t, const struct rolling_plan *),
     0},
};

const struct check_family check_rolling_hash = {tests, ARRAY_SIZE(tests), calls, 0};
