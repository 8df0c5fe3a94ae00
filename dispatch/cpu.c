/* Reads the features of the CPU: with CPUID and XGETBV, or from Linux on Arm.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, sections 14.3
 * (AVX) and 15.2 (AVX-512), volume 2, CPUID. */

#include "cpu.h"

#include "cpu_traits.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* The places in CPUID that features are read from: X(leaf, subleaf). */
#define CPUID_PLACES(X) X(1, 0) X(7, 0) X(7, 1)

enum cpuid_place {
#define X(leaf, subleaf) CPUID_##leaf##_##subleaf,
    CPUID_PLACES(X)
#undef X
        CPUID_PLACE_COUNT
};

static const struct {
    uint8_t leaf, subleaf;
} places[CPUID_PLACE_COUNT] = {
#define X(leaf, subleaf) {leaf, subleaf},
    CPUID_PLACES(X)
#undef X
};

static const struct {
    char name[12];
    uint8_t place, reg, bit, xcr0;
} features[CPU_FEATURE_COUNT] = {
#define X(id, name, leaf, subleaf, reg, bit, xcr0) {name, CPUID_##leaf##_##subleaf, reg, bit, xcr0},
    CPU_FEATURES(X)
#undef X
};

uint64_t isalk_cpu_decode(const struct cpuid_source *source)
{
    uint32_t regs[CPUID_PLACE_COUNT][4] = {{0}}, zero[4];
    uint32_t last_subleaf = 0; /* of the leaf read last */
    uint64_t xcr0 = 0, found = 0;

    source->cpuid(0, 0, zero);
    for (unsigned i = 0; i < CPUID_PLACE_COUNT; i++) {
        if (places[i].leaf > zero[0] || places[i].subleaf > last_subleaf)
            continue;
        source->cpuid(places[i].leaf, places[i].subleaf, regs[i]);
        if (!places[i].subleaf)
            last_subleaf = places[i].leaf == 7 ? regs[i][0] : 0;
    }
    if (regs[CPUID_1_0][2] >> 27 & 1) /* OSXSAVE: XGETBV may be used */
        xcr0 = source->xgetbv();

    for (unsigned i = 0; i < CPU_FEATURE_COUNT; i++) {
        int cpu = regs[features[i].place][features[i].reg] >> features[i].bit & 1;
        int os = (xcr0 & features[i].xcr0) == features[i].xcr0;
        if (cpu && os)
            found |= UINT64_C(1) << i;
    }
    /* Some hypervisors hide AVX or AVX-512F but leave their companions visible. */
    if (!(found & CPU_AVX))
        found &= ~(uint64_t) (CPU_AVX2 | CPU_VAES | CPU_VPCLMULQDQ | CPU_AVX512F);
    if (!(found & CPU_AVX2))
        found &= ~(uint64_t) (CPU_AVX512F | CPU_SHA512 | CPU_SM3);
    if (!(found & CPU_AVX512F))
        found &= ~(uint64_t) (CPU_AVX512BW | CPU_AVX512DQ | CPU_AVX512VL | CPU_AVX512CD |
                              CPU_AVX512VBMI | CPU_AVX512VBMI2 | CPU_AVX512VNNI);
    return found;
}

#if ISALK_X86

#include <cpuid.h>

/* All zero on a CPU that lacks the instruction. */
static void machine_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    memset(regs, 0, 4 * sizeof(regs[0]));
    if (ISALK_X86_64 || __get_cpuid_max(0, NULL))
        __cpuid_count(leaf, subleaf, regs[0], regs[1], regs[2], regs[3]);
}

static uint64_t machine_xgetbv(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t) high << 32 | low;
}

uint64_t isalk_cpu_features(void)
{
    /* Every family asks at load, and under a hypervisor CPUID takes microseconds. */
    static _Atomic(uint64_t) cache; /* features + 1; 0 until they are known */
    static const struct cpuid_source machine = {machine_cpuid, machine_xgetbv};
    uint64_t known = atomic_load_explicit(&cache, memory_order_relaxed);

    if (!known) {
        known = (isalk_cpu_decode(&machine) | isalk_cpu_traits(&machine, isalk_cpu_models)) + 1;
        atomic_store_explicit(&cache, known, memory_order_relaxed);
    }
    return known - 1;
}

#elif defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

uint64_t isalk_cpu_features(void)
{
    unsigned long hwcap = getauxval(AT_HWCAP);
    uint64_t found = 0;

#define X(id, name, bit) found |= hwcap >> (bit) &1 ? CPU_##id : 0;
    CPU_ARM_FEATURES(X)
#undef X
    return found;
}

#else

uint64_t isalk_cpu_features(void)
{
    return 0;
}

#endif

static const char other_names[][20] = {
#define X(id, name) name,
    CPU_TRAITS(X)
#undef X
#define X(id, name, hwcap) name,
        CPU_ARM_FEATURES(X)
#undef X
};

const char *isalk_cpu_feature_name(unsigned index)
{
    if (index >= CPU_BIT_END)
        return NULL;
    return index < CPU_FEATURE_COUNT ? features[index].name
                                     : other_names[index - CPU_FEATURE_COUNT];
}
