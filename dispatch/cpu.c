/* Reads the features of the CPU with CPUID and XGETBV.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, sections 14.3
 * (AVX) and 15.2 (AVX-512), volume 2, CPUID. */

#include "cpu.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t leaf, reg, bit, xcr0;
} features[CPU_FEATURE_COUNT] = {
#define X(id, name, leaf, reg, bit, xcr0) {name, leaf, reg, bit, xcr0},
    CPU_FEATURES(X)
#undef X
};

uint32_t isalk_cpu_decode(const struct cpuid_source *source)
{
    uint32_t leaves[8][4] = {{0}}; /* leaves 1 and 7 are filled in */
    uint32_t regs[4];
    uint64_t xcr0 = 0;
    uint32_t found = 0;

    source->cpuid(0, 0, regs);
    if (regs[0] >= 1)
        source->cpuid(1, 0, leaves[1]);
    if (regs[0] >= 7)
        source->cpuid(7, 0, leaves[7]);
    if (leaves[1][2] >> 27 & 1) /* OSXSAVE: XGETBV may be used */
        xcr0 = source->xgetbv();

    for (unsigned i = 0; i < CPU_FEATURE_COUNT; i++) {
        int cpu = leaves[features[i].leaf][features[i].reg] >> features[i].bit & 1;
        int os = (xcr0 & features[i].xcr0) == features[i].xcr0;
        if (cpu && os)
            found |= 1u << i;
    }
    /* Some hypervisors hide AVX or AVX-512F but leave their companions visible. */
    if (!(found & CPU_AVX))
        found &= ~(uint32_t) (CPU_AVX2 | CPU_VAES | CPU_VPCLMULQDQ | CPU_AVX512F);
    if (!(found & CPU_AVX2))
        found &= ~(uint32_t) CPU_AVX512F;
    if (!(found & CPU_AVX512F))
        found &= ~(uint32_t) (CPU_AVX512BW | CPU_AVX512DQ | CPU_AVX512VL | CPU_AVX512CD |
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

uint32_t isalk_cpu_features(void)
{
    /* Every selection at load asks, and under a hypervisor CPUID takes microseconds. */
    static _Atomic(uint64_t) cache; /* features + 1; 0 until they are known */
    static const struct cpuid_source machine = {machine_cpuid, machine_xgetbv};
    uint64_t known = atomic_load_explicit(&cache, memory_order_relaxed);

    if (!known) {
        known = (uint64_t) isalk_cpu_decode(&machine) + 1;
        atomic_store_explicit(&cache, known, memory_order_relaxed);
    }
    return (uint32_t) (known - 1);
}

#else

uint32_t isalk_cpu_features(void)
{
    return 0;
}

#endif

const char *isalk_cpu_feature_name(unsigned index)
{
    return index < CPU_FEATURE_COUNT ? features[index].name : NULL;
}
