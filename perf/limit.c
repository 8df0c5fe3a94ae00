/* The limit of a call: port rates and memory bandwidth, measured in the same run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A family states the fewest uops of each kind that an algorithm needs and the bytes that it moves.
 * The rates are measured rather than listed by CPU model. */

#include "probes.h"

struct probe_job {
    probe_fn *probe;
    void *p;
    size_t n;
};

static void probe_work(void *arg, size_t n)
{
    struct probe_job *job = arg;

    while (n--)
        job->probe(job->p, job->n);
}

#define TRIES 4 /* at the first call for a rate */

/* A rate in instructions a cycle, the highest so far. */
struct rate {
    probe_fn *probe;
    double best, ghz; /* and the highest clock */
    int tried;
};
static struct rate rates[PORT_COUNT][3], chains[CHAIN_COUNT];

static struct rate *rate_of(enum perf_port port, unsigned width)
{
    struct rate *r = &rates[port][width == 16 ? 0 : width == 32 ? 1 : 2];

    if (!r->probe)
        r->probe = port_probe(port, width);
    return r;
}

/* Instructions a cycle, `length` per iteration: the median time of many short runs, at a clock near
 * the highest that was found after them. An interruption, or another thread on the same core, makes
 * a clock appear too low, never too high; so only tries near the highest clock count. The caller
 * repeats this, since another thread may use a share of the ports for some time. */
static void probe_rate(struct rate *r, double length)
{
    enum { RUNS = 40 };
    const double tolerance = 1.03; /* largest ratio of clocks that count as equal */
    _Alignas(64) static unsigned char line[256];
    struct probe_job job = {r->probe, line, 2000};
    void *args[PERF_MAX_THREADS] = {&job};
    double times[RUNS], clocks[RUNS], ghz, speed;

    for (double spent = 0; spent < 0.0005;) /* until the clock has settled to this width */
        spent += threads_run(probe_work, args, 1, &ghz);
    for (int i = 0; i < RUNS; i++)
        times[i] = threads_run(probe_work, args, 1, &clocks[i]);
    ghz = quantile(clocks, RUNS, 0.9);
    speed = length * (double) job.n / (1e9 * quantile(times, RUNS, 0.5) * ghz);
    if (ghz > tolerance * r->ghz) {
        r->ghz = ghz;
        r->best = 0;
    }
    if (speed > r->best && tolerance * ghz > r->ghz)
        r->best = speed;
}

static void probe_port(enum perf_port port, unsigned width)
{
    struct rate *r = rate_of(port, width);

    if (r->probe)
        probe_rate(r, PROBE_LENGTH + (port == PORT_ISSUE)); /* and the loop's own instruction */
}

double perf_rate(enum perf_port port, unsigned width)
{
    struct rate *r = rate_of(port, width);

    for (int try = 0; try < TRIES && !r->tried; try++)
        probe_port(port, width);
    r->tried = 1;
    return r->best;
}

double perf_latency(enum perf_chain chain)
{
    struct rate *r = &chains[chain];

    r->probe = chain_probe(chain);
    for (int try = 0; try < TRIES && r->probe && !r->tried; try++)
        probe_rate(r, PROBE_LENGTH);
    r->tried = 1;
    return r->best > 0 ? 1 / r->best : 0;
}

/* The vectors that a kind of instruction is counted in. */
static unsigned port_width(const struct perf_work *w, enum perf_port port)
{
    return port == PORT_FOLD ? w->fold_width : w->width;
}

void machine_probe_ports(const struct perf_work *w)
{
    int vector = 0;

    for (enum perf_port port = PORT_COUNT; port-- > 0;) {
        vector |= port <= PORT_AES && w->uops[port] > 0;
        if (w->uops[port] > 0 || (port == PORT_LOGIC && vector))
            probe_port(port, port_width(w, port));
    }
}

/* ---- Bandwidth ----
 *
 * Measured between the turns of the implementations, in windows of the same length; the fastest one
 * counts. Other users of the machine then affect it as much as the implementations. */

#define CHUNK ((size_t) 1 << 20) /* bytes in a window */
#define WINDOWS 16               /* of each probe in a round */

/* Highest rates so far, reading and writing, by bytes in use; 0 bytes stands for cold. */
static struct bandwidth {
    size_t bytes;
    double rate[2];
} bandwidths[256];

static struct bandwidth *bandwidth_of(const struct perf_case *c, const struct perf_work *w)
{
    size_t bytes = c->cold ? 0 : w->buffers * w->buffer_size & ~(size_t) 4095;
    struct bandwidth *b = bandwidths;

    while (b < bandwidths + ARRAY_SIZE(bandwidths) - 1 && b->rate[0] > 0 && b->bytes != bytes)
        b++;
    if (b->bytes != bytes)
        *b = (struct bandwidth){bytes, {0, 0}};
    return b;
}

static int memory_matters(const struct perf_case *c, const struct perf_work *w)
{
    return c->cold || w->buffers * w->buffer_size > machine.l1;
}

int machine_limit_known(const struct perf_case *c, const struct perf_work *w)
{
    return w->width || c->cold;
}

void machine_probe(const struct perf_case *c, const struct perf_work *w)
{
    static size_t position; /* next place in cold memory */
    struct bandwidth *b = bandwidth_of(c, w);
    struct probe_job jobs[PERF_MAX_THREADS];
    void *args[PERF_MAX_THREADS];
    uint8_t *area[PERF_MAX_THREADS];
    double ghz;

    if (!memory_matters(c, w))
        return;
    for (unsigned i = 0; i < threads_count(); i++) {
        /* Warm: in the buffers themselves, since some places of the L2 cache are faster. Cold:
         * beside the buffers, in memory that the untimed runs do not bring into a cache. */
        area[i] = arena_of(i) + (c->cold ? arena_size() : 0);
        jobs[i] =
            (struct probe_job){memory_probe(MEMORY_READ), arena_of(i), c->cold ? CHUNK : b->bytes};
        args[i] = &jobs[i];
    }
    for (double spent = 0; spent < 0.001;) /* until the clock has settled to the widest vectors */
        spent += threads_run(probe_work, args, 1, &ghz);
    for (unsigned kind = 0; kind < MEMORY_COUNT * WINDOWS; kind++) {
        probe_fn *probe = memory_probe((enum probe_memory)(kind / WINDOWS));
        int writing = kind / WINDOWS >= MEMORY_WRITE;
        size_t bytes = c->cold ? CHUNK : b->bytes, passes = c->cold ? 1 : 1 + CHUNK / bytes;
        double moved = (double) threads_count() * (double) passes * (double) bytes, rate;

        if (!probe)
            continue;
        for (unsigned i = 0; i < threads_count(); i++)
            jobs[i] = (struct probe_job){probe, area[i] + (c->cold ? position : 0), bytes};
        position = position + 2 * CHUNK <= arena_size() ? position + CHUNK : 0;
        rate = moved / threads_run(probe_work, args, passes, &ghz);
        if (rate > b->rate[writing])
            b->rate[writing] = rate;
    }
}

/* ---- The limit ---- */

/* Least seconds for the bytes that a call moves. Reading and writing may overlap completely, so the
 * slower of the two is the bound, not their sum. */
static double memory_limit(const struct perf_case *c, const struct perf_work *w, const char **bound)
{
    static const char *const names[3][2] = {
        {"L2 read", "L2 write"}, {"L3 read", "L3 write"}, {"DRAM read", "DRAM write"}};
    const struct bandwidth *b = bandwidth_of(c, w);
    size_t threads = threads_count(), bytes = w->buffers * w->buffer_size;
    int level = c->cold || bytes * threads > machine.llc ? 2 : bytes > machine.l2 ? 1 : 0;
    double limit = 0;

    for (int writing = 0; memory_matters(c, w) && writing < 2; writing++) {
        double moved = (double) threads * (writing ? w->written : w->read);
        if (b->rate[writing] > 0 && moved / b->rate[writing] > limit) {
            limit = moved / b->rate[writing];
            *bound = names[level][writing];
        }
    }
    return limit;
}

/* Least cycles for the uops of a call, one class of ports at a time. */
static double port_limit(const struct perf_work *w, const char **bound)
{
    double cycles = w->cycles, vector = 0;

    *bound = "latency";
    for (enum perf_port port = PORT_LOGIC; port <= PORT_AES; port++)
        vector += w->uops[port];
    for (enum perf_port port = 0; port < PORT_COUNT; port++) {
        double uops = port == PORT_LOGIC ? vector : w->uops[port];
        double rate = uops > 0 ? perf_rate(port, port_width(w, port)) : 0;
        if (rate > 0 && uops / rate > cycles) {
            cycles = uops / rate;
            *bound = port == PORT_LOGIC ? "vector" : machine_port_name(port);
        }
    }
    return cycles;
}

double machine_limit(const struct perf_case *c, const struct perf_work *w, double ghz,
                     const char **bound)
{
    const char *memory_bound = "-";
    double ports, memory;

    *bound = "-";
    if (!machine_limit_known(c, w))
        return 0;
    ports = w->width && ghz > 0 ? port_limit(w, bound) / (1e9 * ghz) : 0;
    memory = memory_limit(c, w, &memory_bound);
    if (memory > ports)
        *bound = memory_bound;
    return memory > ports ? memory : ports;
}
