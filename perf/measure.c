/* Lays out buffers and times implementations in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A round gives every implementation one turn; rounds begin with different implementations. A turn
 * starts untimed, for a millisecond and at least three windows. In that time large buffers return
 * to cache, the vector units wake up, and the clock settles to the widest vectors in use. Otherwise
 * 512-bit code would slow down the next implementation. Then come windows of about 50 us. Speed is
 * that of the shortest window of all rounds, since other users of the machine can only
 * lengthen one. Each round has a ratio, that of its shortest windows; the result is the median.
 *
 * Files in rotation have no untimed part and windows of one call, so that the branch predictors
 * have not just seen the data. */

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l/isal_api.h"

#define WINDOW 50e-6 /* seconds; four times as long with threads, which start less exactly */
#define WARM_UP 1e-3
#define TURN 4e-3
#define MIN_WINDOWS 3  /* of a turn, also of its untimed part */
#define LONG_CALL 5e-3 /* seconds; a longer call needs no untimed part, and one call is a turn */
#define MIN_ROUNDS 5
#define MAX_ROUNDS 25

/* Buffers that all begin at the same place in a page would compete for the same cache sets. */
#define STAGGER 320

/* ---- Buffers ---- */

struct buffers {
    const struct perf_case *c;
    struct perf_work w;
    size_t count, step; /* sets of each thread, and the stride that visits all of them */
    size_t stride;      /* from one buffer to the next */
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
    for (size_t i = 0; b->c->file && i < b->w.buffers; i++)
        memcpy(b->contents + i * b->w.buffer_size, b->c->file->bytes, b->c->size);
    for (size_t i = 0; !b->c->file && i < size; i++) {
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

/* Sets the number of sets and the stride of buffers. Returns the bytes of all sets. */
static size_t plan_sets(struct buffers *b, const struct measure_options *o)
{
    size_t shift = o->align < 64 ? o->align : 0, unit = o->align < 64 ? 64 : o->align;

    b->stride = round_up(b->w.buffer_size + shift, unit) + (o->align < 4096 ? STAGGER : 0);
    b->count = b->c->cold ? o->cold_bytes / (b->w.buffer_size * b->w.buffers) + 1 : 1;
    for (b->step = b->count * 5 / 8; common_divisor(b->count, b->step) > 1;)
        b->step++;
    return round_up(b->count * b->w.buffers * b->stride, unit);
}

/* Cuts sets out of the arenas, from `place` on. */
static void lay_out(struct buffers *b, const struct measure_options *o, size_t place)
{
    size_t n = b->count * b->w.buffers;

    for (unsigned t = 0; t < threads_count(); t++) {
        uint8_t *memory = arena_of(t) + place + (o->align < 64 ? o->align : 0);
        b->sets[t] = perf_alloc(n, sizeof(*b->sets[t]));
        for (size_t i = 0; i < n; i++)
            b->sets[t][i] = memory + i * b->stride;
    }
}

/* ---- Timing ---- */

struct contender {
    void *runs[PERF_MAX_THREADS]; /* struct perf_run of each thread */
    size_t calls;                 /* in a window */
    int long_calls;               /* a window is one call, of LONG_CALL at least */
    double *windows, *clocks;     /* seconds a call; GHz right after it */
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
    if (impl->library)
        return;
    isalk_set_isa_limit(isalk_all_families, impl->row ? isalk_tier_name(impl->row->tier) : NULL);
    if (impl->row && impl->kernel->slot)
        isalk_set_slot(impl->kernel, impl->row);
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
    k->long_calls = seconds >= LONG_CALL;
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

/* One window, which counts. Returns its seconds. */
static double run_window(struct contender *k, unsigned round)
{
    double ghz, spent = threads_run(run_calls, k->runs, k->calls, &ghz);
    double seconds = spent / (double) k->calls;

    add_window(k, seconds, ghz);
    if (seconds < k->round[round])
        k->round[round] = seconds;
    return spent;
}

static void turn(struct contender *k, double length, unsigned round)
{
    unsigned least = k->long_calls ? 1 : MIN_WINDOWS, windows;
    double ghz, spent;

    for (spent = 0, windows = 0; !k->long_calls && (spent < WARM_UP || windows < least); windows++)
        spent += threads_run(run_calls, k->runs, k->calls, &ghz);
    for (spent = 0, windows = 0; spent < length || windows < least; windows++)
        spent += run_window(k, round);
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

/* The clock of the fastest windows, to which the best time belongs: the 0.9 quantile, because an
 * interruption makes a clock appear too low, never too high. */
static double fast_clock(const struct contender *k)
{
    const double min_windows = 5;
    double *times = perf_alloc(2 * k->count, sizeof(*times)), *clocks = times + k->count;
    double slowest, ghz; /* slowest: seconds of the slowest window that counts */
    size_t n = 0;

    memcpy(times, k->windows, k->count * sizeof(*times));
    slowest = quantile(times, k->count, fmin(1, fmax(0.1, min_windows / (double) k->count)));
    for (size_t i = 0; i < k->count; i++)
        if (k->windows[i] <= slowest)
            clocks[n++] = k->clocks[i];
    ghz = quantile(clocks, n, 0.9);
    free(times);
    return ghz;
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

/* `first` runs the same implementation in the first case; it may be k itself. */
static void start_runs(struct contender *k, const struct contender *first, const struct buffers *b,
                       const struct perf_impl *impl)
{
    for (unsigned t = 0; t < threads_count(); t++) {
        struct perf_run *r = perf_alloc(1, sizeof(*r));
        *r = (struct perf_run){b->c, impl, NULL, b->sets[t], b->w.buffers, b->count, 0, b->step, 0};
        if (impl->op->any_buffers && k != first)
            r->state = ((const struct perf_run *) first->runs[t])->state;
        else if (impl->op->prepare)
            r->state = impl->op->prepare(r);
        k->runs[t] = r;
    }
}

static void free_runs(struct contender *k, const struct contender *first)
{
    for (unsigned t = 0; t < threads_count(); t++) {
        struct perf_run *r = k->runs[t];
        if (!r->impl->op->any_buffers || k == first)
            free(r->state);
        free(r);
    }
    free(k->windows);
    free(k->clocks);
}

/* Checks one call of each implementation: by the operation's check, or else by comparing the bytes
 * that it leaves with those of the first. */
static void compare_outputs(const struct buffers *b, struct contender *contenders,
                            const struct perf_impl *impls, unsigned count)
{
    const struct perf_op *op = b->c->op;
    uint64_t expected = 0, hash = 0;

    for (unsigned i = 0; i < count; i++) {
        struct perf_run *r = contenders[i].runs[0];
        int right = 1;

        if (!op->check && impls[i].op != op)
            continue; /* a peer with another interface may well produce other bytes */
        fill_set(b, r->sets);
        select_impl(&impls[i]);
        r->next = 0;
        impls[i].op->run(r, 1);
        if (op->check) {
            right = op->check(r);
        } else {
            hash = hash_set(b, r->sets);
            if (i == 0)
                expected = hash;
            right = hash == expected;
        }
        if (!right)
            fprintf(stderr, "WARNING: %s: the output of %s %s %s\n", op->name,
                    impls[i].library ? impls[i].library->name : "this library", impls[i].variant,
                    op->check ? "is wrong" : "differs from that of the first one");
    }
}

/* ---- The measurement ---- */

static struct perf_work work_of(const struct perf_case *c, const struct perf_impl *impl)
{
    struct perf_work w = {0};

    c->op->work(c, impl->tier, &w);
    return w;
}

/* A case, its buffers and all contenders. */
struct trial {
    struct buffers b;
    struct contender *contenders;
    int limited; /* the limit of one of them is known */
};

static void make_trials(struct trial *trials, const struct perf_case *cases, size_t case_count,
                        const struct perf_impl *impls, unsigned count,
                        const struct measure_options *o)
{
    size_t *places = perf_alloc(case_count, sizeof(*places)), place = 0;

    for (size_t n = 0; n < case_count; n++) {
        struct buffers *b = &trials[n].b;
        b->c = &cases[n];
        b->w = work_of(b->c, &impls[0]);
        places[n] = place;
        place += plan_sets(b, o);
    }
    arenas_reserve(place);
    for (size_t n = 0; n < case_count; n++) {
        struct trial *t = &trials[n];
        make_contents(&t->b, o);
        lay_out(&t->b, o, places[n]);
        t->contenders = perf_alloc(count, sizeof(*t->contenders));
        for (unsigned i = 0; i < count; i++) {
            struct perf_work w = work_of(t->b.c, &impls[i]);
            t->limited |= machine_limit_known(t->b.c, &w);
            start_runs(&t->contenders[i], &trials->contenders[i], &t->b, &impls[i]);
        }
        compare_outputs(&t->b, t->contenders, impls, count);
        for (unsigned j = 0; j < threads_count(); j++)
            for (size_t i = 0; i < t->b.count; i++)
                fill_set(&t->b, t->b.sets[j] + i * t->b.w.buffers);
    }
    free(places);
}

static void free_trials(struct trial *trials, size_t case_count, unsigned count)
{
    for (size_t n = case_count; n-- > 0;) { /* the first one last: the others share its states */
        for (unsigned i = 0; i < count; i++)
            free_runs(&trials[n].contenders[i], &trials->contenders[i]);
        for (unsigned t = 0; t < threads_count(); t++)
            free(trials[n].b.sets[t]);
        free(trials[n].b.contents);
        free(trials[n].contenders);
    }
    free(trials);
}

static void set_result(struct result *r, const struct trial *t, const struct perf_impl *impls,
                       unsigned count, unsigned i, unsigned rounds)
{
    const struct contender *all = t->contenders, *k = &all[i];
    const struct perf_impl *impl = &impls[i];
    double threads = threads_count();
    struct perf_work w = work_of(t->b.c, impl);
    unsigned other = count;

    *r = (struct result){
        .c = t->b.c, .impl = impl, .file = t->b.c->file ? t->b.c->file->name : NULL};
    r->thread_bytes = w.bytes;
    r->bytes = threads * w.bytes;
    r->ghz = fast_clock(k); /* first: quantile() changes the order of the windows */
    r->best = quantile(k->windows, k->count, 0);
    r->median = quantile(k->windows, k->count, 0.5);
    r->limit = machine_limit(t->b.c, &w, r->ghz, &r->bound);
    r->output = (double) ((const struct perf_run *) k->runs[0])->made;
    for (unsigned j = 0; j < count; j++)
        if (!impls[j].library != !impl->library && impls[j].level == impl->level &&
            (impl->library || other == count))
            other = j;
    if (other < count)
        set_ratio(r, k, &all[other], &impls[other], rounds);
}

/* Measures the current rates of the machine, for the limits of all contenders. */
static void probe(struct trial *t, const struct perf_impl *impls, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct perf_work w = work_of(t->b.c, &impls[i]);
        if (i == 0 || impls[i].tier != impls[i - 1].tier)
            machine_probe_ports(&w);
    }
    if (t->limited)
        machine_probe(t->b.c, &t->b.w);
}

/* One turn of every contender on a case. */
static void turns(struct trial *t, const struct perf_impl *impls, unsigned count, double length,
                  unsigned round)
{
    for (unsigned n = 0; n < count; n++) {
        unsigned i = (n + round) % count; /* each comes first in one of the rounds */
        select_impl(&impls[i]);
        turn(&t->contenders[i], length, round);
    }
}

/* One turn of every contender on all cases, one call on each in rotation. */
static void rotate(struct trial *trials, size_t case_count, const struct perf_impl *impls,
                   unsigned count, double length, unsigned round)
{
    for (unsigned n = 0; n < count; n++) {
        unsigned i = (n + round) % count;
        double spent = 0;

        select_impl(&impls[i]);
        do
            for (size_t t = 0; t < case_count; t++)
                spent += run_window(&trials[t].contenders[i], round);
        while (spent < length * (double) case_count);
    }
}

void measure(const struct perf_case *cases, size_t case_count, const struct perf_impl *impls,
             unsigned count, const struct measure_options *o, struct result *results)
{
    struct trial *trials = perf_alloc(case_count, sizeof(*trials));
    double window = threads_count() > 1 ? 4 * WINDOW : WINDOW, wanted = o->seconds / TURN;
    unsigned rounds = wanted < MIN_ROUNDS   ? MIN_ROUNDS
                      : wanted > MAX_ROUNDS ? MAX_ROUNDS
                                            : (unsigned) wanted;

    make_trials(trials, cases, case_count, impls, count, o);
    for (size_t n = 0; n < case_count; n++)
        for (unsigned i = 0; i < count; i++) {
            struct contender *k = &trials[n].contenders[i];
            select_impl(&impls[i]);
            if (case_count == 1)
                calibrate(k, window);
            else
                k->calls = 1;
            for (unsigned round = 0; round < rounds; round++)
                k->round[round] = 1e9;
        }
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t n = 0; n < case_count; n++)
            probe(&trials[n], impls, count);
        for (size_t n = 0; n < case_count; n++)
            for (unsigned t = 0; !cases[n].cold && t < threads_count(); t++)
                fill_set(&trials[n].b, trials[n].b.sets[t]);
        if (case_count == 1)
            turns(trials, impls, count, o->seconds / rounds, round);
        else
            rotate(trials, case_count, impls, count, o->seconds / rounds, round);
    }
    for (size_t n = 0; n < case_count; n++)
        for (unsigned i = 0; i < count; i++)
            set_result(&results[n * count + i], &trials[n], impls, count, i, rounds);
    free_trials(trials, case_count, count);
}
