/* The CPU and its caches, and the memory of each thread.
 * SPDX-License-Identifier: BSD-3-Clause */

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

size_t arena_size(void)
{
    return arenas[0].size;
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
