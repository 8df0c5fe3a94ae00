/* Tests of kernel selection on invented CPUs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/dispatch_test.h"

/* ---- Features ---- */

/* Bits of CPUID, as the manuals number them, written here a second time on purpose. */
static const struct {
    const char *name;
    unsigned leaf, subleaf;
    char reg;
    int bit;
} cpuid_bits[] = {
    {"ssse3", 1, 0, 'c', 9},       {"sse4.1", 1, 0, 'c', 19},    {"sse4.2", 1, 0, 'c', 20},
    {"pclmulqdq", 1, 0, 'c', 1},   {"aes", 1, 0, 'c', 25},       {"osxsave", 1, 0, 'c', 27},
    {"avx", 1, 0, 'c', 28},        {"bmi1", 7, 0, 'b', 3},       {"avx2", 7, 0, 'b', 5},
    {"bmi2", 7, 0, 'b', 8},        {"avx512f", 7, 0, 'b', 16},   {"avx512dq", 7, 0, 'b', 17},
    {"avx512cd", 7, 0, 'b', 28},   {"sha", 7, 0, 'b', 29},       {"avx512bw", 7, 0, 'b', 30},
    {"avx512vl", 7, 0, 'b', 31},   {"avx512vbmi", 7, 0, 'c', 1}, {"avx512vbmi2", 7, 0, 'c', 6},
    {"gfni", 7, 0, 'c', 8},        {"vaes", 7, 0, 'c', 9},       {"vpclmulqdq", 7, 0, 'c', 10},
    {"avx512vnni", 7, 0, 'c', 11}, {"subleaf1", 7, 0, 'a', 0}, /* the highest subleaf is 1 */
    {"sha512", 7, 1, 'a', 0},      {"sm3", 7, 1, 'a', 1},
};

#define WESTMERE "ssse3 sse4.1 sse4.2 pclmulqdq aes "
#define SANDY_BRIDGE WESTMERE "avx "
#define HASWELL SANDY_BRIDGE "bmi1 avx2 bmi2 "
#define ALDER_LAKE HASWELL "sha gfni vaes vpclmulqdq "
#define SKYLAKE_SP HASWELL "avx512f avx512dq avx512cd avx512bw avx512vl "
#define ICE_LAKE SKYLAKE_SP "sha avx512vbmi avx512vbmi2 gfni vaes vpclmulqdq avx512vnni "
#define XSAVE "osxsave "

/* What CPUID and XGETBV report, the features that the library may then use, the highest tier that
 * libisal runs, and the tier of ec_encode_data. */
static const struct cpu {
    const char *name;
    uint32_t max_leaf;
    uint64_t xcr0;
    const char *reports, *usable, *tier, *encode;
} cpus[] = {
    {"Prescott", 5, 0, "", "", "base", "base"},
    {"Core 2 Merom", 10, 0, "ssse3", "ssse3", "sse", "base"},
    {"Penryn", 10, 0, "ssse3 sse4.1", "ssse3 sse4.1", "sse", "sse"},
    {"Nehalem", 11, 0, "ssse3 sse4.1 sse4.2", "ssse3 sse4.1 sse4.2", "sse", "sse"},
    {"Westmere", 11, 0, WESTMERE, WESTMERE, "sse", "sse"},
    {"Tremont", 27, 7, WESTMERE XSAVE "sha gfni", WESTMERE "sha gfni", "sse", "sse"},
    {"Sandy Bridge", 13, 7, SANDY_BRIDGE XSAVE, SANDY_BRIDGE, "avx", "avx"},
    {"Haswell", 13, 7, HASWELL XSAVE, HASWELL, "avx2", "avx2"},
    {"Zen", 13, 7, HASWELL "sha " XSAVE, HASWELL "sha", "avx2", "avx2"},
    {"Zen 3", 16, 7, HASWELL "sha vaes vpclmulqdq " XSAVE, HASWELL "sha vaes vpclmulqdq", "avx2_v",
     "avx2"},
    {"Alder Lake", 32, 7, ALDER_LAKE XSAVE, ALDER_LAKE, "avx2_v", "avx2_v"},
    {"Lunar Lake", 35, 7, ALDER_LAKE "subleaf1 sha512 sm3 " XSAVE, ALDER_LAKE "sha512 sm3",
     "avx2_v", "avx2_v"},
    {"Knights Landing", 13, 0xe7, HASWELL "avx512f avx512cd " XSAVE, HASWELL "avx512f avx512cd",
     "avx512", "avx2"},
    {"Skylake-SP", 22, 0xe7, SKYLAKE_SP XSAVE, SKYLAKE_SP, "avx512", "avx512"},
    {"Ice Lake", 27, 0xe7, ICE_LAKE XSAVE, ICE_LAKE, "avx512_v", "avx512_v"},
    {"Ice Lake, all of XCR0", 27, ~(uint64_t) 0, ICE_LAKE XSAVE, ICE_LAKE, "avx512_v", "avx512_v"},

    /* The CPU has a feature that the operating system does not support. */
    {"no OSXSAVE", 27, 0xe7, ICE_LAKE, WESTMERE "bmi1 bmi2 sha gfni", "sse", "sse"},
    {"no YMM in XCR0", 27, 3, ICE_LAKE XSAVE, WESTMERE "bmi1 bmi2 sha gfni", "sse", "sse"},
    {"YMM without XMM in XCR0", 27, 5, ICE_LAKE XSAVE, WESTMERE "bmi1 bmi2 sha gfni", "sse", "sse"},
    {"no AVX-512 in XCR0", 27, 7, ICE_LAKE XSAVE, ALDER_LAKE, "avx2_v", "avx2_v"},
    {"no opmasks in XCR0", 27, 0xc7, SKYLAKE_SP XSAVE, HASWELL, "avx2", "avx2"},
    {"no upper halves in XCR0", 27, 0xa7, SKYLAKE_SP XSAVE, HASWELL, "avx2", "avx2"},
    {"no ZMM16-31 in XCR0", 27, 0x67, SKYLAKE_SP XSAVE, HASWELL, "avx2", "avx2"},

    /* What CPUID returns for leaves above its highest one is ignored. */
    {"no leaf 7", 6, 0xe7, ICE_LAKE XSAVE, SANDY_BRIDGE, "avx", "avx"},
    {"no subleaf 1", 35, 7, ALDER_LAKE "sha512 sm3 " XSAVE, ALDER_LAKE, "avx2_v", "avx2_v"},
    {"no leaf 1", 0, 0xe7, ICE_LAKE XSAVE, "", "base", "base"},

    /* Hypervisors that hide a feature, but not the features that depend on it. */
    {"AVX hidden", 27, 0xe7,
     WESTMERE "bmi1 avx2 bmi2 gfni vaes vpclmulqdq avx512f avx512dq "
              "avx512cd avx512bw avx512vl " XSAVE,
     WESTMERE "bmi1 bmi2 gfni", "sse", "sse"},
    {"AVX2 hidden", 27, 0xe7,
     SANDY_BRIDGE "bmi1 bmi2 gfni avx512f avx512dq avx512cd avx512bw "
                  "avx512vl " XSAVE,
     SANDY_BRIDGE "bmi1 bmi2 gfni", "avx2", "avx"},
    {"AVX-512F hidden", 27, 0xe7,
     ALDER_LAKE "avx512dq avx512cd avx512bw avx512vl avx512vbmi "
                "avx512vbmi2 avx512vnni " XSAVE,
     ALDER_LAKE, "avx2_v", "avx2_v"},
    {"AVX-512BW hidden", 27, 0xe7, HASWELL "gfni avx512f avx512dq avx512cd avx512vl " XSAVE,
     HASWELL "gfni avx512f avx512dq avx512cd avx512vl", "avx512", "avx2_v"},
    {"BMI2 hidden", 27, 0xe7,
     SANDY_BRIDGE "bmi1 avx2 avx512f avx512dq avx512cd avx512bw "
                  "avx512vl " XSAVE,
     SANDY_BRIDGE "bmi1 avx2 avx512f avx512dq avx512cd avx512bw avx512vl", "avx512", "avx2"},
    {"SSE4.1 hidden", 11, 0, "ssse3 sse4.2", "ssse3 sse4.2", "sse", "base"},
};

static const struct cpu *cpu_now; /* the CPU that the functions below describe */
static int out_of_range_leaves, bad_xgetbvs;

static void invented_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    memset(regs, 0, 4 * sizeof(regs[0]));
    if (leaf == 0)
        regs[0] = cpu_now->max_leaf;
    if (leaf > cpu_now->max_leaf)
        out_of_range_leaves++;
    if (subleaf && (leaf != 7 || !listed(cpu_now->reports, "subleaf1")))
        out_of_range_leaves++;
    for (size_t i = 0; i < ARRAY_SIZE(cpuid_bits); i++)
        if (leaf == cpuid_bits[i].leaf && subleaf == cpuid_bits[i].subleaf &&
            listed(cpu_now->reports, cpuid_bits[i].name))
            regs[cpuid_bits[i].reg - 'a'] |= (uint32_t) 1 << cpuid_bits[i].bit;
}

static uint64_t invented_xgetbv(void)
{
    if (!listed(cpu_now->reports, "osxsave") || cpu_now->max_leaf < 1)
        bad_xgetbvs++; /* would be an invalid-opcode fault */
    return cpu_now->xcr0;
}

static int feature_usable(const struct cpu *cpu, unsigned bit)
{
    return listed(cpu->usable, isalk_cpu_feature_name(bit));
}

/* True if every feature in `needs` is usable, compared by name. */
static int fits(const struct cpu *cpu, uint64_t needs)
{
    for (unsigned bit = 0; bit < 64; bit++)
        if (needs >> bit & 1 && (bit >= CPU_FEATURE_COUNT || !feature_usable(cpu, bit)))
            return 0;
    return 1;
}

/* True if one of these features is usable. */
static int has_any(const struct cpu *cpu, uint64_t features)
{
    for (unsigned bit = 0; bit < CPU_FEATURE_COUNT; bit++)
        if (features >> bit & 1 && feature_usable(cpu, bit))
            return 1;
    return 0;
}

static void test_kernel_choice(const struct cpu *cpu, uint64_t features, const struct kernel *k)
{
    for (unsigned cap = 0; cap < TIER_COUNT; cap++) {
        const struct variant *got = isalk_choose(k, features, (enum tier) cap), *want = NULL;
        for (unsigned i = k->count; i-- > 0 && !want;)
            if ((unsigned) k->variants[i].tier <= cap && fits(cpu, k->variants[i].needs) &&
                !has_any(cpu, k->variants[i].avoid))
                want = &k->variants[i];
        EXPECT(got == want, "%s on %s, cap %s: chose %s, not %s", k->name, cpu->name,
               tiers[cap].name, isalk_tier_name(got->tier),
               want ? isalk_tier_name(want->tier) : "nothing");
        EXPECT(fits(cpu, got->needs), "%s on %s, cap %s: %s needs what the CPU lacks", k->name,
               cpu->name, tiers[cap].name, isalk_tier_name(got->tier));
        if (ISALK_ASM && cap == TIER_COUNT - 1 && !strcmp(k->name, "ec_encode_data"))
            EXPECT(same(isalk_tier_name(got->tier), cpu->encode), "%s on %s: chose %s, not %s",
                   k->name, cpu->name, isalk_tier_name(got->tier), cpu->encode);
    }
}

static void test_invented_cpus(void)
{
    static const struct cpuid_source source = {invented_cpuid, invented_xgetbv};
    unsigned libisal_families = 0;

    while (isalk_families[libisal_families])
        libisal_families++;
    for (size_t c = 0; c < ARRAY_SIZE(cpus); c++) {
        const struct cpu *cpu = cpu_now = &cpus[c];
        uint64_t features = isalk_cpu_decode(&source);
        for (unsigned bit = 0; bit < CPU_FEATURE_COUNT; bit++)
            EXPECT((features >> bit & 1) == (uint64_t) feature_usable(cpu, bit), "%s: %s %s",
                   cpu->name, isalk_cpu_feature_name(bit),
                   features >> bit & 1 ? "must not be usable" : "must be usable");
        EXPECT(features >> CPU_FEATURE_COUNT == 0, "%s: unknown features", cpu->name);
        unsigned highest = 0; /* of libisal */
        for (unsigned f = 0; isalk_all_families[f]; f++)
            for (unsigned i = 0; i < isalk_all_families[f]->count; i++) {
                const struct kernel *k = &isalk_all_families[f]->kernels[i];
                unsigned tier = isalk_choose(k, features, TIER_COUNT - 1)->tier;
                test_kernel_choice(cpu, features, k);
                if (f < libisal_families && tier > highest)
                    highest = tier;
            }
        if (ISALK_ASM)
            EXPECT(same(tiers[highest].name, cpu->tier), "%s: tier %s, not %s", cpu->name,
                   tiers[highest].name, cpu->tier);
    }
    EXPECT(!out_of_range_leaves, "CPUID was asked for %d leaves above the highest",
           out_of_range_leaves);
    EXPECT(!bad_xgetbvs, "XGETBV was run %d times without OSXSAVE", bad_xgetbvs);
}

/* ---- Traits ---- */

static struct {
    const char *vendor;
    uint32_t signature; /* eax of leaf 1 */
} model_now;

static void invented_model(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    (void) subleaf;
    memset(regs, 0, 4 * sizeof(regs[0]));
    if (leaf == 1)
        regs[0] = model_now.signature;
    if (leaf > 0)
        return;
    regs[0] = model_now.signature ? 1 : 0;
    memcpy(&regs[1], model_now.vendor, 4);
    memcpy(&regs[3], model_now.vendor + 4, 4);
    memcpy(&regs[2], model_now.vendor + 8, 4);
}

static void test_traits(void)
{
    static const struct cpu_model models[] = {
        {"GenuineIntel", 6, 0x8f, 0x8f, CPU_EC_4_ROWS},
        {"AuthenticAMD", 0x19, 0x10, 0x1f, CPU_EC_4_ROWS},
        {"", 0, 0, 0, 0},
    };
    static const struct {
        const char *vendor;
        uint32_t signature;
        uint64_t traits;
    } tests[] = {
        {"GenuineIntel", 0x000806f8, CPU_EC_4_ROWS},
        {"GenuineIntel", 0x00050654, 0},
        {"AuthenticAMD", 0x00a10f11, CPU_EC_4_ROWS},
        {"AuthenticAMD", 0x00a00f11, 0},
        {"AuthenticAMD", 0x000806f8, 0},
        {"HygonGenuine", 0x00a10f11, 0},
        {"GenuineIntel", 0x00000680, 0},
        {"GenuineIntel", 0, 0},
    };
    static const struct cpuid_source source = {invented_model, NULL};

    for (size_t i = 0; i < ARRAY_SIZE(tests); i++) {
        model_now.vendor = tests[i].vendor;
        model_now.signature = tests[i].signature;
        EXPECT(isalk_cpu_traits(&source, models) == tests[i].traits, "%s %#x", tests[i].vendor,
               (unsigned) tests[i].signature);
        EXPECT(!(isalk_cpu_traits(&source, isalk_cpu_models) & ~CPU_TRAIT_MASK),
               "a model has a trait that is a feature");
    }
}

/* A row that needs and one that avoids a trait. */
static void test_trait_rows(void)
{
    static const struct variant rows[] = {
        {"base", T_BASE, 0, 0, NULL},
        {"sse", T_SSE, CPU_SSE41 | CPU_EC_4_ROWS, 0, NULL},
        {"avx", T_AVX, CPU_AVX, CPU_EC_4_ROWS, NULL},
    };
    static const struct kernel kernel = {"invented", NULL, rows, ARRAY_SIZE(rows)};

    EXPECT(isalk_choose(&kernel, CPU_SSE41 | CPU_AVX, T_AVX) == &rows[2], "avx without the trait");
    EXPECT(isalk_choose(&kernel, CPU_SSE41 | CPU_AVX | CPU_EC_4_ROWS, T_AVX) == &rows[1],
           "sse with the trait");
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_invented_cpus);
    TEST(test_traits);
    TEST(test_trait_rows);
    return test_finish();
}
