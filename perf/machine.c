/* What this machine can do at most: port rates, memory bandwidth, and the limit they set.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A family says how many uops of each kind an algorithm needs at least and how many bytes it moves.
 * The rates are measured here, in the same run, rather than looked up by the name of the CPU. */

#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if ISALK_X86_64
#include <cpuid.h>
#endif

struct machine machine;

/* ---- Description ---- */

static size_t cache_size(int name, size_t otherwise)
{
    long size = name >= 0 ? sysconf(name) : 0;

    return size > 0 ? (size_t) size : otherwise;
}

void machine_init(void)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    machine.l1 = cache_size(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
    machine.l2 = cache_size(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
    machine.llc = cache_size(_SC_LEVEL3_CACHE_SIZE, 32 << 20);
#else
    machine.l1 = cache_size(-1, 32 << 10);
    machine.l2 = cache_size(-1, 1 << 20);
    machine.llc = cache_size(-1, 32 << 20);
#endif
    strcpy(machine.cpu, "unknown CPU");
#if ISALK_X86_64
    unsigned r[12];
    char name[49] = {0}, *out = machine.cpu;

    if ((unsigned) __get_cpuid_max(0x80000000, NULL) < 0x80000004)
        return;
    for (unsigned i = 0; i < 3; i++)
        __cpuid(0x80000002 + i, r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]);
    memcpy(name, r, 48);
    for (const char *in = name; *in; in++) /* some pad with spaces */
        if (*in != ' ' || (out > machine.cpu && in[1] && in[1] != ' '))
            *out++ = *in;
    *out = '\0';
#endif
}

/* ---- Arenas: memory of each thread for buffers, and as much again for the probes ---- */

static struct {
    uint8_t *memory;
    size_t size; /* half of it */
} arenas[PERF_MAX_THREADS];

static void touch(void *arg, size_t n)
{
    memset(arg, 1, n);
}

void arenas_reserve(size_t bytes)
{
    const size_t huge = 2 << 20;
    void *args[PERF_MAX_THREADS];
    double ghz;

    bytes = (bytes + huge - 1) / huge * huge;
    if (bytes <= arenas[0].size)
        return;
    for (unsigned i = 0; i < threads_count(); i++) {
        free(arenas[i].memory);
        if (posix_memalign(&args[i], huge, 2 * bytes))
            perf_fail("not enough memory for %zu MiB of buffers", 2 * bytes >> 20);
#ifdef MADV_HUGEPAGE
        madvise(args[i], 2 * bytes, MADV_HUGEPAGE); /* cache sets then do not depend on chance */
#endif
        arenas[i].memory = args[i];
        arenas[i].size = bytes;
    }
    threads_run(touch, args, 2 * bytes, &ghz); /* each thread its own, for memory close to it */
}

uint8_t *arena_of(unsigned thread)
{
    return arenas[thread].memory;
}

/* ---- Probes ---- */

typedef void probe_fn(void *p, size_t n);

enum probe_memory { MEMORY_READ, MEMORY_READ8, MEMORY_WRITE, MEMORY_STREAM, MEMORY_COUNT };

#define PROBE_LENGTH 24 /* instructions an iteration, as in probe.asm */

#if ISALK_ASM

#define PLAIN_PROBES(tier)                                                            \
    probe_fn isalk_perf_logic_##tier, isalk_perf_add_##tier, isalk_perf_shift_##tier, \
        isalk_perf_shuffle_##tier, isalk_perf_sad_##tier, isalk_perf_load_##tier,     \
        isalk_perf_store_##tier, isalk_perf_read_##tier, isalk_perf_read8_##tier,     \
        isalk_perf_write_##tier, isalk_perf_stream_##tier
#define CRYPTO_PROBES(tier) probe_fn isalk_perf_clmul_##tier, isalk_perf_aes_##tier
PLAIN_PROBES(sse);
PLAIN_PROBES(avx2);
PLAIN_PROBES(avx512);
CRYPTO_PROBES(sse);
CRYPTO_PROBES(avx2_v);
CRYPTO_PROBES(avx512_v);
probe_fn isalk_perf_affine_avx2_v, isalk_perf_affine_avx512_v;
probe_fn isalk_perf_fold_sse, isalk_perf_fold_avx2, isalk_perf_sha1_sse, isalk_perf_sha256_sse,
    isalk_perf_crc32_sse, isalk_perf_issue_sse;
probe_fn isalk_perf_aes_chain_sse, isalk_perf_sha1_chain_sse, isalk_perf_sha256_chain_sse;

#define PLAIN(tier)                                                                     \
    [PORT_LOGIC] = isalk_perf_logic_##tier, [PORT_ADD] = isalk_perf_add_##tier,         \
    [PORT_SHIFT] = isalk_perf_shift_##tier, [PORT_SHUFFLE] = isalk_perf_shuffle_##tier, \
    [PORT_SAD] = isalk_perf_sad_##tier, [PORT_LOAD] = isalk_perf_load_##tier,           \
    [PORT_STORE] = isalk_perf_store_##tier
#define CRYPTO(tier) [PORT_CLMUL] = isalk_perf_clmul_##tier, [PORT_AES] = isalk_perf_aes_##tier
#define MEMORY(tier)                                                          \
    isalk_perf_read_##tier, isalk_perf_read8_##tier, isalk_perf_write_##tier, \
        isalk_perf_stream_##tier

/* By width, and what the plain probes need. */
static const struct {
    unsigned width;
    uint32_t needs;
    probe_fn *port[PORT_COUNT];
    probe_fn *memory[MEMORY_COUNT];
} probes[] = {
    {16, CPU_SSSE3, {PLAIN(sse), CRYPTO(sse), [PORT_FOLD] = isalk_perf_fold_sse}, {MEMORY(sse)}},
    {32,
     CPU_AVX2,
     {PLAIN(avx2),
      CRYPTO(avx2_v), [PORT_FOLD] = isalk_perf_fold_avx2, [PORT_AFFINE] = isalk_perf_affine_avx2_v},
     {MEMORY(avx2)}},
    {64,
     CPU_AVX512F | CPU_AVX512BW,
     {PLAIN(avx512), CRYPTO(avx512_v), [PORT_AFFINE] = isalk_perf_affine_avx512_v},
     {MEMORY(avx512)}},
};

/* What a kind of instruction needs beside vectors of its width. A CPU may have one of VAES,
 * VPCLMULQDQ and GFNI alone. */
static uint32_t port_needs(enum perf_port port, unsigned width)
{
    switch (port) {
    case PORT_AFFINE:
        return CPU_GFNI;
    case PORT_CLMUL:
        return width > 16 ? CPU_VPCLMULQDQ : CPU_PCLMULQDQ;
    case PORT_AES:
        return width > 16 ? CPU_VAES : CPU_AESNI;
    case PORT_FOLD:
        return CPU_PCLMULQDQ;
    case PORT_SHA1:
    case PORT_SHA256:
        return CPU_SHA;
    case PORT_CRC32:
        return CPU_SSE42;
    default:
        return 0;
    }
}

static probe_fn *port_probe(enum perf_port port, unsigned width)
{
    static probe_fn *const any_width[PORT_COUNT] = {
        [PORT_SHA1] = isalk_perf_sha1_sse,
        [PORT_SHA256] = isalk_perf_sha256_sse,
        [PORT_CRC32] = isalk_perf_crc32_sse,
        [PORT_ISSUE] = isalk_perf_issue_sse,
    };

    if (port_needs(port, width) & ~isalk_cpu_features())
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
        if (probes[i].width == width && !(probes[i].needs & ~isalk_cpu_features()))
            return any_width[port] ? any_width[port] : probes[i].port[port];
    return NULL;
}

static probe_fn *chain_probe(enum perf_chain chain)
{
    static const struct {
        uint32_t needs;
        probe_fn *probe;
    } chains[CHAIN_COUNT] = {
        [CHAIN_AES] = {CPU_AESNI, isalk_perf_aes_chain_sse},
        [CHAIN_SHA1] = {CPU_SHA, isalk_perf_sha1_chain_sse},
        [CHAIN_SHA256] = {CPU_SHA, isalk_perf_sha256_chain_sse},
    };

    return chains[chain].needs & ~isalk_cpu_features() ? NULL : chains[chain].probe;
}

/* The widest: the limit is what the memory can do, whatever vectors the code in question uses. */
static probe_fn *memory_probe(enum probe_memory kind)
{
    probe_fn *probe = NULL;

    for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
        if (!(probes[i].needs & ~isalk_cpu_features()))
            probe = probes[i].memory[kind];
    return probe;
}

#else

static probe_fn *port_probe(enum perf_port port, unsigned width)
{
    (void) port;
    (void) width;
    return NULL;
}

static probe_fn *chain_probe(enum perf_chain chain)
{
    (void) chain;
    return NULL;
}

static void read_memory(void *p, size_t n)
{
    const unsigned char *bytes = p;
    uint64_t sum[8] = {0}, word[8];

    for (size_t i = 0; i + 64 <= n; i += 64) {
        memcpy(word, bytes + i, 64);
        for (int j = 0; j < 8; j++)
            sum[j] ^= word[j];
    }
    __asm__ volatile("" : : "r"(sum) : "memory");
}

static void write_memory(void *p, size_t n)
{
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

static probe_fn *memory_probe(enum probe_memory kind)
{
    return kind == MEMORY_READ ? read_memory : kind == MEMORY_WRITE ? write_memory : NULL;
}

#endif

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

const char *machine_port_name(enum perf_port port)
{
    static const char *const names[PORT_COUNT] = {
#define X(id, name) name,
        PERF_PORTS(X)
#undef X
    };
    return names[port];
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

/* Instructions a cycle, `length` in each iteration: the median time of many short runs at nearly the
 * highest of the clocks that were found right after them, since an interruption, or a neighbour on
 * the same core, makes a clock look too low and never too high. For the same reason only tries near
 * the highest clock of all count. The caller repeats this: a neighbour may also take a share of the
 * ports for long. */
static void probe_rate(struct rate *r, double length)
{
    enum { RUNS = 40 };
    const double tolerance = 1.03; /* between clocks that are the same */
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
 * Measured between the turns of the implementations, in windows as short as theirs, and the fastest
 * one counts: it then suffers from other users of the machine no more and no less than they do. */

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
    static size_t position; /* in the walk through cold memory */
    struct bandwidth *b = bandwidth_of(c, w);
    struct probe_job jobs[PERF_MAX_THREADS];
    void *args[PERF_MAX_THREADS];
    uint8_t *area[PERF_MAX_THREADS];
    double ghz;

    if (!memory_matters(c, w))
        return;
    for (unsigned i = 0; i < threads_count(); i++) {
        /* Warm: where the buffers lie, since the L2 cache serves some places better. Cold: beside
         * them, and the untimed runs must not bring any of that into cache. */
        area[i] = arenas[i].memory + (c->cold ? arenas[i].size : 0);
        jobs[i] = (struct probe_job){memory_probe(MEMORY_READ), arenas[i].memory,
                                     c->cold ? CHUNK : b->bytes};
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
        position = position + 2 * CHUNK <= arenas[0].size ? position + CHUNK : 0;
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

unsigned perf_width(enum tier tier)
{
    switch (tier) {
    case T_SSE:
    case T_AVX:
        return 16;
    case T_AVX2:
    case T_AVX2_V:
        return 32;
    case T_AVX512:
    case T_AVX512_V:
        return 64;
    default:
        return 0;
    }
}
