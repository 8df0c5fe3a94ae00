/* Time, the core clock, and threads that start together.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#if ISALK_X86_64
#include <x86intrin.h>
#endif

/* Dependent additions that find the core clock: about 2 us, a twentieth of a window. */
#define CHAIN_ROUNDS 128
#define CHAIN_STEPS 64

static double seconds_a_tick = 1e-9;

uint64_t clock_ticks(void)
{
#if ISALK_X86_64
    uint64_t t;

    _mm_lfence(); /* earlier instructions have finished, later ones have not begun */
    t = __rdtsc();
    _mm_lfence();
    return t;
#else
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
#endif
}

double clock_seconds(double ticks)
{
    return ticks * seconds_a_tick;
}

void clock_init(void)
{
#if ISALK_X86_64
    struct timespec a, b;
    uint64_t start, end;
    double seconds;

    clock_gettime(CLOCK_MONOTONIC, &a);
    start = clock_ticks();
    do {
        clock_gettime(CLOCK_MONOTONIC, &b);
        end = clock_ticks();
        seconds = (double) (b.tv_sec - a.tv_sec) + 1e-9 * (double) (b.tv_nsec - a.tv_nsec);
    } while (seconds < 0.05);
    seconds_a_tick = seconds / (double) (end - start);
#endif
}

/* Core cycles a nanosecond, from additions that each wait for the previous one. They add a
 * register, since recent cores eliminate an addition of a constant. On x86-64 the loop is
 * assembly: a compiler without optimization would keep the sum in memory. */
static double core_clock(void)
{
    unsigned long sum = 0, one = 1, rounds = CHAIN_ROUNDS;
    uint64_t start = clock_ticks(), end;

#if ISALK_X86_64
    __asm__ volatile("1:\n\t"
                     ".rept %c[steps]\n\t"
                     "add %[one], %[sum]\n\t"
                     ".endr\n\t"
                     "dec %[rounds]\n\t"
                     "jnz 1b"
                     : [sum] "+r"(sum), [rounds] "+r"(rounds)
                     : [one] "r"(one), [steps] "i"(CHAIN_STEPS)
                     : "cc");
#else
    for (; rounds; rounds--)
        for (int i = 0; i < CHAIN_STEPS; i += 8) {
#define ADD     \
    sum += one; \
    __asm__("" : "+r"(sum), "+r"(one));
            ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
        }
#endif
    __asm__ volatile("" : : "r"(sum));
    end = clock_ticks();
    return CHAIN_ROUNDS * CHAIN_STEPS / (1e9 * clock_seconds((double) (end - start)));
}

/* ---- Threads ----
 *
 * Thread 0 publishes a job by raising `generation`; the others spin on it, so that all start within
 * a fraction of a microsecond. */

static struct {
    unsigned count;
    _Atomic(unsigned) generation, finished;
    thread_work *work;
    void *const *args;
    size_t n;
    struct {
        uint64_t start, end;
    } span[PERF_MAX_THREADS];
} pool = {.count = 1};

static void pool_work(unsigned thread)
{
    pool.span[thread].start = UINT64_MAX;
    pool.span[thread].end = 0;
    if (!pool.args[thread])
        return;
#if ISALK_X86_64
    /* A library that leaves the upper halves of vector registers in use slows the SSE code that
     * runs after it: up to two times on Skylake. */
    if (isalk_cpu_features() & CPU_AVX)
        __asm__ volatile("vzeroupper");
#endif
    pool.span[thread].start = clock_ticks();
    pool.work(pool.args[thread], pool.n);
    pool.span[thread].end = clock_ticks();
}

/* Waits until *value equals `other`, or with `equal` 0 until it differs from it. */
static void spin(_Atomic(unsigned) *value, unsigned other, int equal)
{
    for (unsigned turns = 0; (atomic_load(value) == other) != equal; turns++)
        if (turns > 10000)
            sched_yield();
}

static void *pool_thread(void *arg)
{
    unsigned thread = (unsigned) (uintptr_t) arg;

    for (unsigned generation = 0;; generation++) {
        spin(&pool.generation, generation, 0);
        pool_work(thread);
        atomic_fetch_add(&pool.finished, 1);
    }
    return NULL;
}

void threads_start(unsigned n)
{
    pthread_t id;

    for (; pool.count < n; pool.count++)
        if (pthread_create(&id, NULL, pool_thread, (void *) (uintptr_t) pool.count))
            perf_fail("cannot start thread %u", pool.count);
}

unsigned threads_count(void)
{
    return pool.count;
}

double threads_run(thread_work *work, void *const *args, size_t n, double *ghz)
{
    uint64_t start, end;

    pool.work = work;
    pool.args = args;
    pool.n = n;
    atomic_store(&pool.finished, 1);
    atomic_fetch_add(&pool.generation, 1);
    pool_work(0);
    *ghz = core_clock();
    spin(&pool.finished, pool.count, 1);
    start = pool.span[0].start;
    end = pool.span[0].end;
    for (unsigned i = 1; i < pool.count; i++) {
        if (pool.span[i].start < start)
            start = pool.span[i].start;
        if (pool.span[i].end > end)
            end = pool.span[i].end;
    }
    return clock_seconds((double) (end - start));
}
