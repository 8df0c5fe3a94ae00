/* Kernel check of the rolling hash.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "rolling_hash/rolling_kernels.h"

/* A mask of few bits matches early and often, one of many bits never by chance; then, often, the
 * trigger is chosen to match at one place. */
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
    check_describe(c, "w %zu, mask %08x, trigger %08x", w, mask, trigger);
    check_run(c, ARG(before), ARG(data), ARG(len), ARG(plan));
}

/* Windows and masks that the filter serves. */
static void filter(struct check *c, size_t len)
{
    size_t blocks = 1 + len % 8, w = check_random(c, 2) ? 32 : 48;
    uint8_t *data = check_input(c, blocks * ROLLING_FILTER_BLOCK);
    struct rolling_plan *plan = check_struct(c, NULL, sizeof *plan, 0);
    uint32_t mask = 0xffffffff >> check_random(c, 24) << check_random(c, 8), trigger = 0;

    if (check_random(c, 3)) {
        size_t end = w + check_random(c, (unsigned) (blocks * ROLLING_FILTER_BLOCK - w));

        trigger = (uint32_t) isalk_rolling_hash(data + end - w, w) & mask;
    }
    isalk_rolling_plan(plan, w, mask, trigger);
    check_describe(c, "w %zu, mask %08x, trigger %08x, %zu blocks", w, mask, trigger, blocks);
    check_run(c, ARG(data), ARG(blocks), ARG(plan));
}

static const struct check_kernel tests[] = {
    {"rolling_scan", scan, 0, 1},
    {"rolling_filter", filter, 0, 2},
};

const struct check_family check_rolling_hash = {tests, ARRAY_SIZE(tests)};
