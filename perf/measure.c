/* Lays out buffers and times implementations in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A round gives every implementation one turn, and each round begins with another one. A turn is
 * first a millisecond, and at least three windows, untimed: large buffers return to cache, the
 * vector units wake up, and the clock settles to the widest vectors in use (otherwise 512-bit code
 * would tax whoever comes next). Then it is windows of about 50 us. Speed is that of the shortest
 * window of all rounds, since other users of the machine only ever lengthen one; a ratio is the
 * median over the rounds of the ratio of the shortest windows in each. */

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l/isal_api.h"

#define WINDOW 50e-6 /* seconds; four times as long with threads, which start less exactly */
#define WARM_UP 1e-3
#define TURN 4e-3
#define MIN_WINDOWS 3 /* of a turn, also of its untimed part: large buffers return to cache */
#define MIN_ROUNDS 5
#define MAX_ROUNDS 25

/* Buffers that all begin at the same place in a page would compete for the same cache sets. */
#define STAGGER 320

/* ---- Buffers ---- */

struct buffers {
    const struct perf_case *c;
    struct perf_work w;
    size_t count, step; /* sets of each thread, and how to visit them all out of order */
    uint8_t **sets[PERF_MAX_THREADS];
    uint8_t *contents; /* of one set, buffer after buffer */
};

static size_t round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

static size_t common_divisor(size_t a, size_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

static void make_contents(struct buffers *b, const struct measure_options *o)
{
    size_t size = b->w.buffers * b->w.buffer_size;
    uint64_t x = 0x9e3779b97f4a7c15;
    uint8_t **set = perf_alloc(b->w.buffers, sizeof(*set));

    b->contents = perf_alloc(size, 1);
    for (size_t i = 0; i < size; i++) {
        x ^= x << 13; /* xorshift64 */
        x ^= x >> 7;
        x ^= x << 17;
        b->contents[i] = o->input ? o->input[i % o->input_size] : (uint8_t) (x >> 32);
    }
    for (unsigned i = 0; i < b->w.buffers; i++)
        set[i] = b->contents + i * b->w.buffer_size;
    if (b->c->op->fill)
        b->c->op->fill(b->c, set);
    free(set);
}

static void fill_set(const struct buffers *b, uint8_t *const *set)
{
    for (unsigned i = 0; i < b->w.buffers; i++)
        memcpy(set[i], b->contents + i * b->w.buffer_size, b->w.buffer_size);
}

static uint64_t hash_set(const struct buffers *b, uint8_t *const *set)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

    for (unsigned i = 0; i < b->w.buffers; i++)
        for (size_t j = 0; j < b->w.buffer_size; j++)
            hash = (hash ^ set[i][j]) * 0x100000001b3;
    return hash;
}

/* Cuts the arenas into sets. */
static void lay_out(struct buffers *b, const struct measure_options *o)
{
    size_t shift = o->align < 64 ? o->align : 0, unit = o->align < 64 ? 64 : o->align;
    size_t stride = round_up(b->w.buffer_size + shift, unit) + (o->align < 4096 ? STAGGER : 0);
    size_t n;

    b->count = b->c->cold ? o->cold_bytes / (b->w.buffer_size * b->w.buffers) + 1 : 1;
    for (b->step = b->count * 5 / 8; common_divisor(b->count, b->step) > 1;)
        b->step++;
    n = b->count * b->w.buffers;
    arenas_reserve(n * stride);
    for (unsigned t = 0; t < threads_count(); t++) {
        uint8_t *memory = arena_of(t) + shift;
        b->sets[t] = perf_alloc(n, sizeof(*b->sets[t]));
        for (size_t i = 0; i < n; i++)
            b->sets[t][i] = memory + i * stride;
    }
}

/* ---- Timing ---- */

struct contender {
    void *runs[PERF_MAX_THREADS]; /* struct perf_run of each thread */
    size_t calls;                 /* in a window */
    double *windows, *clocks;     /* seconds a call; GHz */
    size_t count, room;
    double round[MAX_ROUNDS]; /* shortest of each */
};

static void run_calls(void *arg, size_t n)
{
    struct perf_run *r = arg;

    r->impl->op->run(r, n);
}

static void select_impl(const struct perf_impl *impl)
{
    if (!impl->library && isalk_set_isa_limit(isalk_all_families, impl->cap))
        perf_fail("unknown tier %s", impl->cap);
}

static void calibrate(struct contender *k, double window)
{
    double ghz, seconds;

    threads_run(run_calls, k->runs, 1, &ghz);
    for (k->calls = 1;; k->calls *= 2) {
        seconds = threads_run(run_calls, k->runs, k->calls, &ghz);
        if (seconds >= window / 2 || k->calls > SIZE_MAX / 4)
            break;
    }
}

static void add_window(struct contender *k, double seconds, double ghz)
{
    if (k->count == k->room) {
        k->room = k->room ? 2 * k->room : 256;
        k->windows = realloc(k->windows, k->room * sizeof(double));
        k->clocks = realloc(k->clocks, k->room * sizeof(double));
        if (!k->windows || !k->clocks)
            perf_fail("out of memory");
    }
    k->windows[k->count] = seconds;
    k->clocks[k->count++] = ghz;
}

static void turn(struct contender *k, double length, unsigned round)
{
    double ghz, spent;
    unsigned windows;

    for (spent = 0, windows = 0; spent < WARM_UP || windows < MIN_WINDOWS; windows++)
        spent += threads_run(run_calls, k->runs, k->calls, &ghz);
    k->round[round] = 1e9;
    for (spent = 0, windows = 0; spent < length || windows < MIN_WINDOWS; windows++) {
        double seconds = threads_run(run_calls, k->runs, k->calls, &ghz);
        spent += seconds;
        seconds /= (double) k->calls;
        add_window(k, seconds, ghz);
        if (seconds < k->round[round])
            k->round[round] = seconds;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

double quantile(double *values, size_t n, double fraction)
{
    qsort(values, n, sizeof(*values), by_value);
    return values[(size_t) (fraction * (double) (n - 1) + 0.5)];
}

static void set_ratio(struct result *r, const struct contender *k, const struct contender *other,
                      const struct perf_impl *to, unsigned rounds)
{
    double ratios[MAX_ROUNDS];

    for (unsigned i = 0; i < rounds; i++)
        ratios[i] = other->round[i] / k->round[i];
    r->ratio_to = to;
    r->ratio = quantile(ratios, rounds, 0.5);
    r->low = quantile(ratios, rounds, 0.25);
    r->high = quantile(ratios, rounds, 0.75);
}

static void start_runs(struct contender *k, const struct buffers *b, const struct perf_impl *impl)
{
    for (unsigned t = 0; t < threads_count(); t++) {
        struct perf_run *r = perf_alloc(1, sizeof(*r));
        *r = (struct perf_run){b->c, impl, NULL, b->sets[t], b->w.buffers, b->count, 0, b->step};
        if (impl->op->prepare)
            r->state = impl->op->prepare(r);
        k->runs[t] = r;
    }
}

static void free_runs(struct contender *k)
{
    for (unsigned t = 0; t < threads_count(); t++) {
        struct perf_run *r = k->runs[t];
        free(r->state);
        free(r);
    }
    free(k->windows);
    free(k->clocks);
}

/* One call of each implementation on the same contents must leave the same bytes. */
static void compare_outputs(const struct buffers *b, struct contender *contenders,
                            const struct perf_impl *impls, unsigned count)
{
    uint64_t expected = 0;

    for (unsigned i = 0; i < count; i++) {
        struct perf_run *r = contenders[i].runs[0];
        uint64_t hash;

        if (impls[i].op != b->c->op)
            continue; /* a peer with another interface may well produce other bytes */
        fill_set(b, r->sets);
        select_impl(&impls[i]);
        r->next = 0;
        impls[i].op->run(r, 1);
        hash = hash_set(b, r->sets);
        if (i == 0)
            expected = hash;
        else if (hash != expected)
            fprintf(stderr, "WARNING: %s: the output of %s %s differs from that of %s\n",
                    b->c->op->name, impls[i].library ? impls[i].library->name : "this library",
                    impls[i].variant, impls[0].variant);
    }
}

void measure(const struct perf_case *c, const struct perf_impl *impls, unsigned count,
             const struct measure_options *o, struct result *results)
{
    struct buffers b = {.c = c};
    struct contender *contenders = perf_alloc(count, sizeof(*contenders));
    double threads = threads_count(), window = threads > 1 ? 4 * WINDOW : WINDOW;
    double wanted = o->seconds / TURN;
    unsigned own = 0, rounds = wanted < MIN_ROUNDS   ? MIN_ROUNDS
                               : wanted > MAX_ROUNDS ? MAX_ROUNDS
                                                     : (unsigned) wanted;

    c->op->work(c, impls[0].tier, &b.w);
    make_contents(&b, o);
    lay_out(&b, o);
    for (unsigned i = 0; i < count; i++) {
        own += !impls[i].library;
        start_runs(&contenders[i], &b, &impls[i]);
    }
    compare_outputs(&b, contenders, impls, count);
    for (unsigned t = 0; t < threads_count(); t++)
        for (size_t i = 0; i < b.count; i++)
            fill_set(&b, b.sets[t] + i * b.w.buffers);

    for (unsigned i = 0; i < count; i++) {
        select_impl(&impls[i]);
        calibrate(&contenders[i], window);
    }
    for (unsigned round = 0; round < rounds; round++) {
        machine_probe(c, &b.w);
        for (unsigned t = 0; !c->cold && t < threads_count(); t++)
            fill_set(&b, b.sets[t]);
        for (unsigned n = 0; n < count; n++) {
            unsigned i = (n + round) % count; /* everyone comes first in turn */
            select_impl(&impls[i]);
            turn(&contenders[i], o->seconds / rounds, round);
        }
    }

    for (unsigned i = 0; i < count; i++) {
        struct contender *k = &contenders[i];
        struct result *r = &results[i];
        struct perf_work w = {0};

        *r = (struct result){.c = c, .impl = &impls[i]};
        c->op->work(c, impls[i].tier, &w);
        r->thread_bytes = w.bytes;
        r->bytes = threads * w.bytes;
        r->ghz = quantile(k->clocks, k->count, 0.5);
        r->best = quantile(k->windows, k->count, 0);
        r->median = quantile(k->windows, k->count, 0.5);
        r->limit = machine_limit(c, &w, r->ghz, &r->bound);
        if (impls[i].op->output)
            r->output = impls[i].op->output(k->runs[0]);
        if (i < own && own < count)
            set_ratio(r, k, &contenders[own], &impls[own], rounds);
        else if (own < count)
            set_ratio(r, k, &contenders[own - 1], &impls[own - 1], rounds);
    }
    for (unsigned i = 0; i < count; i++)
        free_runs(&contenders[i]);
    for (unsigned t = 0; t < threads_count(); t++)
        free(b.sets[t]);
    free(b.contents);
    free(contenders);
}
