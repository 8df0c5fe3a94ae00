/* Benchmarks of the memory routines.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

#include <string.h>

#include "isa-l/mem_routines.h"

typedef int zero_detect_fn(void *mem, size_t len);

/* Zeros, so that the call reads all of them. */
static void fill_zeros(const struct perf_case *c, uint8_t **set)
{
    memset(set[0], 0, c->size);
}

static void run_zero_detect(struct perf_run *r, size_t n)
{
    zero_detect_fn *fn = (zero_detect_fn *) r->impl->fn;
    int found = 0;

    while (n--)
        found |= fn(*perf_next(r), r->c->size);
    if (found)
        perf_fail("%s failed", r->c->op->name);
}

/* Per vector a load and an OR; vpternlog does two ORs at once. */
static void work_zero_detect(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    perf_reads(c, tier, w);
    if (!w->width)
        return;
    w->uops[PORT_LOAD] = w->read / w->width;
    w->uops[PORT_LOGIC] = w->uops[PORT_LOAD] * (perf_has_ternlog(tier) ? 0.5 : 1);
}

static const struct perf_op ops[] = {
    {.name = "isal_zero_detect",
     .built_in = (perf_fn) isal_zero_detect,
     .kernel = "zero_detect",
     .multiple = 1,
     .work = work_zero_detect,
     .fill = fill_zeros,
     .run = run_zero_detect},
};

static const struct perf_peer peers[] = {{.name = "libisal", .file = "libisal.so.2"}};

const struct perf_family perf_mem = {
    .name = "mem",
    .title = "zero detection",
    .ops = ops,
    .op_count = ARRAY_SIZE(ops),
    .counted = "bytes read, all of them zero",
    .default_op = "all",
    .default_size = "16,64,512,4K,64K,1M",
    .peers = peers,
    .peer_count = ARRAY_SIZE(peers),
};
