/* Tests of kernel selection: invented CPUs, the tables, the cap and the introspection functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "dispatch/kernel.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa-l.h"
#include "isa-l_crypto/isal_crypto_api.h"
#include "tests/test.h"

static int same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* ---- Invented CPUs ---- */

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

/* What CPUID and XGETBV report, the features that may be used in consequence, the highest tier that
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

    /* The CPU has it, the operating system does not. */
    {"no OSXSAVE", 27, 0xe7, ICE_LAKE, WESTMERE "bmi1 bmi2 sha gfni", "sse", "sse"},
    {"no YMM in XCR0", 27, 3, ICE_LAKE XSAVE, WESTMERE "bmi1 bmi2 sha gfni", "sse", "sse"},
    {"YMM without XMM in XCR0", 27, 5, ICE_LAKE XSAVE, WESTMERE "bmi1 bmi2 sha gfni", "sse", "sse"},
    {"no AVX-512 in XCR0", 27, 7, ICE_LAKE XSAVE, ALDER_LAKE, "avx2_v", "avx2_v"},
    {"no opmasks in XCR0", 27, 0xc7, SKYLAKE_SP XSAVE, HASWELL, "avx2", "avx2"},
    {"no upper halves in XCR0", 27, 0xa7, SKYLAKE_SP XSAVE, HASWELL, "avx2", "avx2"},
    {"no ZMM16-31 in XCR0", 27, 0x67, SKYLAKE_SP XSAVE, HASWELL, "avx2", "avx2"},

    /* What CPUID says beyond its highest leaf is noise. */
    {"no leaf 7", 6, 0xe7, ICE_LAKE XSAVE, SANDY_BRIDGE, "avx", "avx"},
    {"no subleaf 1", 35, 7, ALDER_LAKE "sha512 sm3 " XSAVE, ALDER_LAKE, "avx2_v", "avx2_v"},
    {"no leaf 1", 0, 0xe7, ICE_LAKE XSAVE, "", "base", "base"},

    /* Hypervisors that mask a feature and forget those that rest on it. */
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

static int listed(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *p = list; (p = strstr(p, word)) != NULL; p += length)
        if ((p == list || p[-1] == ' ') && (p[length] == ' ' || !p[length]))
            return 1;
    return 0;
}

static const struct cpu *cpu_now; /* the one that the functions below pretend to be */
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

/* Whether everything in needs is usable, by name. */
static int fits(const struct cpu *cpu, uint64_t needs)
{
    for (unsigned bit = 0; bit < 64; bit++)
        if (needs >> bit & 1 && (bit >= CPU_FEATURE_COUNT || !feature_usable(cpu, bit)))
            return 0;
    return 1;
}

static const struct {
    const char *name;
} tiers[] = {{"base"}, {"sse"}, {"avx"}, {"avx2"}, {"avx2_v"}, {"avx512"}, {"avx512_v"}};

_Static_assert(ARRAY_SIZE(tiers) == TIER_COUNT, "a new tier needs its row here");

static void test_kernel_choice(const struct cpu *cpu, uint64_t features, const struct kernel *k)
{
    for (unsigned cap = 0; cap < TIER_COUNT; cap++) {
        const struct variant *got = isalk_choose(k, features, (enum tier) cap), *want = NULL;
        for (unsigned i = k->count; i-- > 0 && !want;)
            if ((unsigned) k->variants[i].tier <= cap && fits(cpu, k->variants[i].needs))
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

/* ---- The tables ---- */

static void test_tables(void)
{
    for (unsigned f = 0; isalk_all_families[f]; f++) {
        const struct family *family = isalk_all_families[f];
        EXPECT(family->count > 0, "%s has no kernels", family->name);
        for (unsigned i = 0; i < family->count; i++) {
            const struct kernel *k = &family->kernels[i];
            EXPECT(k->count > 0 && k->variants[0].tier == T_BASE && k->variants[0].needs == 0,
                   "%s: the first variant is not portable C", k->name);
            for (unsigned v = 0; v < k->count; v++) {
                EXPECT(k->variants[v].fn != NULL, "%s: no function in row %u", k->name, v);
                EXPECT(k->variants[v].needs >> CPU_FEATURE_COUNT == 0,
                       "%s: row %u needs unknown features", k->name, v);
                EXPECT(v == 0 || k->variants[v].tier > k->variants[v - 1].tier ||
                           (k->variants[v].tier == k->variants[v - 1].tier &&
                            k->variants[v].needs != k->variants[v - 1].needs),
                       "%s: row %u does not follow row %u", k->name, v, v - 1);
                EXPECT(k->variants[v].tier < TIER_COUNT, "%s: row %u has no tier", k->name, v);
            }
            for (unsigned g = 0; g <= f; g++)
                for (unsigned j = 0; j < (g < f ? isalk_all_families[g]->count : i); j++)
                    EXPECT(strcmp(k->name, isalk_all_families[g]->kernels[j].name) != 0,
                           "two kernels are called %s", k->name);
        }
    }
    for (int i = 0; i < TIER_COUNT; i++) {
        struct isa_limit limit;
        EXPECT(same(isalk_tier_name((enum tier) i), tiers[i].name), "tier %d is called %s", i,
               isalk_tier_name((enum tier) i));
        EXPECT(isalk_tier_from_name(tiers[i].name) == i, "tier %s is not number %d", tiers[i].name,
               i);
        EXPECT(!isalk_parse_limit(tiers[i].name, &limit) && limit.cap == (enum tier) i &&
                   !limit.added && !limit.removed,
               "ISAL_ISA=%s", tiers[i].name);
    }
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

/* The limits of ISAL_ISA beside tiers, and erasure coding with another number of rows a pass. */
static void test_limits(void)
{
    static const char *const wrong[] = {"",         "+",         "+sha",      "avx2,",    ",avx2",
                                        "avx2-sha", "-sha,avx2", "+no_trait", "avx2,sse", "-"};
    struct isa_limit limit;
    unsigned char tables[32 * 3 * 6], data[3][200], want[6][200], got[6][200], *in[3], *out[6];

    EXPECT(!isalk_parse_limit("avx2,-sha,+ec_4_rows", &limit) && limit.cap == T_AVX2 &&
               limit.removed == CPU_SHA && limit.added == CPU_EC_4_ROWS,
           "a tier, a feature and a trait");
    EXPECT(!isalk_parse_limit("-ec_4_rows", &limit) && limit.cap == TIER_COUNT - 1 &&
               limit.removed == CPU_EC_4_ROWS && !limit.added,
           "no tier");
    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
        EXPECT(isalk_parse_limit(wrong[i], &limit) == -1, "'%s'", wrong[i]);

    for (size_t i = 0; i < sizeof(tables); i++)
        tables[i] = 0;
    for (unsigned i = 0; i < 18; i++)
        gf_vect_mul_init((unsigned char) (3 * i + 2), tables + 32 * i);
    for (unsigned i = 0; i < 3; i++) {
        in[i] = data[i];
        for (unsigned j = 0; j < sizeof(data[i]); j++)
            data[i][j] = (unsigned char) (i * 77 + j * 13);
    }
    for (unsigned i = 0; i < 6; i++)
        out[i] = want[i];
    ec_encode_data(sizeof(data[0]), 3, 6, tables, in, out);
    for (unsigned i = 0; i < 6; i++)
        out[i] = got[i];
    EXPECT(!isal_set_isa_limit("+ec_4_rows"), "the trait is refused");
    ec_encode_data(sizeof(data[0]), 3, 6, tables, in, out);
    EXPECT(!memcmp(want, got, sizeof(want)), "passes of 4 rows");
    memset(got, 0, sizeof(got));
    for (int i = 0; i < 3; i++)
        ec_encode_data_update(sizeof(data[0]), 3, 6, i, tables, in[i], out);
    EXPECT(!memcmp(want, got, sizeof(want)), "updates of 4 rows");
    EXPECT(!isal_crypto_set_isa_limit("-sha") &&
               !strstr(isal_crypto_get_kernel("sha1_many"), "_sha"),
           "-sha");
    isal_set_isa_limit(NULL);
    isal_crypto_set_isa_limit(NULL);
}

/* ---- The cap and the introspection functions, on this CPU ---- */

static const char *const not_tiers[] = {"",    "AVX2",    "avx2 ", " avx2",
                                        "avx", "avx512_", "none",  "avx5122"};

/* The two libraries answer for their own families. */
static const struct api {
    const struct family *const *families;
    int (*set_isa_limit)(const char *);
    const char *(*get_kernel)(const char *);
    const char *(*list_kernels)(size_t);
    const char *(*list_variants)(const char *, size_t, int *);
} apis[] = {
    {isalk_families, isal_set_isa_limit, isal_get_kernel, isal_list_kernels, isal_list_variants},
    {isalk_crypto_families, isal_crypto_set_isa_limit, isal_crypto_get_kernel,
     isal_crypto_list_kernels, isal_crypto_list_variants},
};

/* Every slot and every answer of a library agrees with the cap. Returns the highest tier that runs. */
static size_t expect_answers(const struct api *api, const char *features, size_t cap)
{
    const struct family *const *families = api->families;
    const char *name;
    size_t number = 0, highest = 0;

    for (unsigned f = 0; families[f]; f++)
        for (unsigned i = 0; i < families[f]->count; i++, number++) {
            const struct kernel *k = &families[f]->kernels[i];
            const struct variant *want = &k->variants[0];
            for (unsigned v = 0; v < k->count; v++) {
                int usable = -1, expected = 1;
                for (unsigned bit = 0; bit < CPU_FEATURE_COUNT; bit++)
                    if (k->variants[v].needs >> bit & 1 &&
                        !listed(features, isalk_cpu_feature_name(bit)))
                        expected = 0;
                name = api->list_variants(k->name, v, &usable);
                EXPECT(same(name, k->variants[v].name) && usable == expected,
                       "%s variant %u: %s, usable %d", k->name, v, name ? name : "NULL", usable);
                if (expected && (size_t) k->variants[v].tier <= cap)
                    want = &k->variants[v];
            }
            highest = want->tier > highest ? want->tier : highest;
            EXPECT(same(api->list_kernels(number), k->name), "kernel %zu is not %s", number,
                   k->name);
            EXPECT(same(api->get_kernel(k->name), want->name),
                   "cap %s: %s is said to run %s, not %s", tiers[cap].name, k->name,
                   api->get_kernel(k->name), want->name);
            EXPECT(!k->slot || atomic_load(k->slot) == want->fn,
                   "cap %s: the slot of %s does not hold its %s variant", tiers[cap].name, k->name,
                   want->name);
            EXPECT(!api->list_variants(k->name, k->count, NULL), "%s has too many variants",
                   k->name);
        }
    EXPECT(!api->list_kernels(number), "there is a kernel number %zu", number);
    return highest;
}

static void expect_state(const char *features, size_t cap)
{
    size_t tier = expect_answers(&apis[0], features, cap);

    EXPECT(isalk_cap() == (enum tier) cap, "the cap is %s, not %s", isalk_tier_name(isalk_cap()),
           tiers[cap].name);
    EXPECT(same(isal_get_isa(), tiers[tier].name), "cap %s: tier %s, not %s", tiers[cap].name,
           isal_get_isa(), tiers[tier].name);
    expect_answers(&apis[1], features, cap);
}

/* Sets the cap of both libraries; 1 if they disagree. */
static int limit_both(const char *isa)
{
    int first = isal_set_isa_limit(isa);

    return isal_crypto_set_isa_limit(isa) == first ? first : 1;
}

static void test_api(void)
{
    char features[512] = "";
    const char *name;
    int present;
    size_t count;

    for (count = 0; (name = isal_list_cpu_features(count, &present)) != NULL; count++) {
        EXPECT(present == (int) (isalk_cpu_features() >> count & 1), "feature %s", name);
        EXPECT(same(isal_list_cpu_features(count, NULL), name), "feature %s without a result",
               name);
        if (present) {
            strcat(features, name);
            strcat(features, " ");
        }
    }
    EXPECT(count == (ISALK_X86 ? CPU_BIT_COUNT : 0), "%zu features", count);
#if ISALK_X86
    __builtin_cpu_init();
#define SAME_AS_COMPILER(name)                                       \
    EXPECT(listed(features, name) == !!__builtin_cpu_supports(name), \
           "%s: the compiler's library "                             \
           "does not agree",                                         \
           name)
    SAME_AS_COMPILER("ssse3");
    SAME_AS_COMPILER("sse4.2");
    SAME_AS_COMPILER("avx");
    SAME_AS_COMPILER("avx2");
    SAME_AS_COMPILER("bmi2");
    SAME_AS_COMPILER("avx512f");
    SAME_AS_COMPILER("gfni");
    SAME_AS_COMPILER("vpclmulqdq");
#endif

    EXPECT(!unsetenv("ISAL_ISA") && !limit_both(NULL), "cannot go back to no cap");
    expect_state(features, TIER_COUNT - 1);
    for (size_t cap = 0; cap < TIER_COUNT; cap++) {
        EXPECT(!limit_both(tiers[cap].name), "isal_set_isa_limit(%s)", tiers[cap].name);
        expect_state(features, cap);
        for (size_t i = 0; i < ARRAY_SIZE(not_tiers); i++)
            if (isalk_tier_from_name(not_tiers[i]) < 0)
                EXPECT(limit_both(not_tiers[i]) == -1, "'%s' is a tier", not_tiers[i]);
        expect_state(features, cap);
    }
    for (size_t cap = 0; cap < TIER_COUNT; cap++) {
        EXPECT(!setenv("ISAL_ISA", tiers[cap].name, 1) && !limit_both(NULL),
               "cannot go back to ISAL_ISA=%s", tiers[cap].name);
        expect_state(features, cap);
    }
    for (size_t i = 0; i < ARRAY_SIZE(not_tiers); i++) {
        int tier = isalk_tier_from_name(not_tiers[i]);
        EXPECT(!setenv("ISAL_ISA", not_tiers[i], 1) && !limit_both(NULL),
               "cannot go back to ISAL_ISA='%s'", not_tiers[i]);
        expect_state(features, tier < 0 ? TIER_COUNT - 1 : (size_t) tier);
    }
    EXPECT(!unsetenv("ISAL_ISA") && !limit_both(NULL), "cannot go back to no cap");
    EXPECT(isalk_cap() == TIER_COUNT - 1, "no ISAL_ISA is a cap");
}

/* Questions about what there is not, and versions. */
static void test_edges(void)
{
    int present;

    EXPECT(!isal_get_kernel(NULL), "isal_get_kernel(NULL)");
    EXPECT(!isal_get_kernel(""), "isal_get_kernel of an empty name");
    EXPECT(!isal_get_kernel("ec_encode_dat"), "isal_get_kernel takes a prefix");
    EXPECT(!isal_get_kernel("ec_encode_data2"), "isal_get_kernel takes a longer name");
    EXPECT(!isal_list_variants(NULL, 0, &present), "isal_list_variants(NULL)");
    EXPECT(!isal_list_variants("none", 0, NULL), "isal_list_variants of an unknown kernel");
    EXPECT(!isal_list_variants("ec_encode_data", (size_t) -1, NULL), "the last variant of all");
    EXPECT(same(isal_list_variants("ec_encode_data", 0, NULL), "base"), "the first variant");
    EXPECT(!isal_list_kernels((size_t) -1), "the last kernel of all");
    EXPECT(!isal_list_cpu_features((size_t) -1, NULL), "the last feature of all");
    EXPECT(!isalk_cpu_feature_name(CPU_BIT_COUNT), "a feature past the last");
    EXPECT(isal_get_version() == ISAL_VERSION, "version %x", isal_get_version());
    EXPECT(same(isal_get_version_str(), ISAL_VERSION_STR), "version %s", isal_get_version_str());
    EXPECT(isal_crypto_get_version() == ISAL_CRYPTO_VERSION, "version %x",
           isal_crypto_get_version());
    EXPECT(same(isal_crypto_get_version_str(), ISAL_CRYPTO_VERSION_STR), "version %s",
           isal_crypto_get_version_str());
    EXPECT(isal_self_tests() == ISAL_CRYPTO_ERR_FIPS_DISABLED, "there is no FIPS mode");
}

/* ---- Set-user-id programs ---- */

/* Runs a copy of this program, which prints its cap, as another user. Its first letters or NULL. */
static const char *cap_of_copy(const char *path, mode_t mode)
{
    static char cap[32];
    int pipes[2];
    ssize_t length = 0, n;
    pid_t child;

    if (chmod(path, mode) || pipe(pipes) || (child = fork()) < 0)
        return NULL;
    if (!child) {
        static char *const environment[] = {(char *) "ISAL_ISA=base", NULL};
        static char *const arguments[] = {(char *) "dispatch_test", (char *) "--print-cap", NULL};
        if (dup2(pipes[1], 1) >= 0 && !setgid(65534) && !setuid(65534))
            execve(path, arguments, environment);
        _exit(127);
    }
    close(pipes[1]);
    while (length < (ssize_t) sizeof(cap) - 1 &&
           (n = read(pipes[0], cap + length, sizeof(cap) - 1 - (size_t) length)) > 0)
        length += n;
    close(pipes[0]);
    cap[length] = 0;
    return waitpid(child, NULL, 0) == child && length ? cap : NULL;
}

static int copy_self(const char *path)
{
    static char buffer[1 << 16];
    FILE *in = fopen("/proc/self/exe", "rb"), *out = in ? fopen(path, "wb") : NULL;
    size_t n;
    int ok = out != NULL;

    while (ok && (n = fread(buffer, 1, sizeof(buffer), in)) > 0)
        ok = fwrite(buffer, 1, n, out) == n;
    if (in)
        fclose(in);
    if (out && fclose(out))
        ok = 0;
    return ok;
}

static void test_set_user_id(void)
{
    const char *tmp = getenv("TMPDIR"), *plain, *cap;
    char dir[256], path[300];

    if (geteuid() != 0) {
        test_skip(
            "ISAL_ISA in a set-user-id program: only root can make one owned by another user");
        return;
    }
    snprintf(dir, sizeof(dir), "%s/dispatch_test.XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        test_skip("ISAL_ISA in a set-user-id program: cannot create %s: %s", dir, strerror(errno));
        return;
    }
    snprintf(path, sizeof(path), "%s/copy", dir);
    plain = chmod(dir, 0755) == 0 && copy_self(path) ? cap_of_copy(path, 0755) : NULL;
    if (!plain) {
        test_skip("ISAL_ISA in a set-user-id program: another user cannot run %s", path);
    } else {
        EXPECT(same(plain, "base, as itself"), "a plain copy says: %s", plain);
        cap = cap_of_copy(path, 04755);
        if (same(cap, "base, as itself"))
            test_skip("ISAL_ISA in a set-user-id program: %s is mounted without set-user-id", dir);
        else
            EXPECT(same(cap, "avx512_v, as another"), "a set-user-id copy says: %s",
                   cap ? cap : "nothing");
    }
    unlink(path);
    rmdir(dir);
}

/* What the copy says. _exit: a sanitizer's report at exit does not work across users. */
static _Noreturn void print_cap(void)
{
    printf("%s, as %s", isalk_tier_name(isalk_cap()), getuid() == geteuid() ? "itself" : "another");
    fflush(stdout);
    _exit(0);
}

/* ---- Calls while the cap changes ---- */

enum { K = 6, ROWS = 3, LENGTH = 1000, CHANGES = 20000, THREADS = 3 };

static unsigned char gf_tables[32 * K * ROWS], sources[K][LENGTH], expected[ROWS][LENGTH];
static atomic_int stop;

static void *encode_again_and_again(void *unused)
{
    unsigned char out[ROWS][LENGTH], *in_pointers[K], *out_pointers[ROWS];
    size_t wrong = 0;

    (void) unused;
    for (int i = 0; i < K; i++)
        in_pointers[i] = sources[i];
    for (int i = 0; i < ROWS; i++)
        out_pointers[i] = out[i];
    while (!atomic_load(&stop)) {
        memset(out, 0xaa, sizeof(out));
        ec_encode_data(LENGTH, K, ROWS, gf_tables, in_pointers, out_pointers);
        wrong += memcmp(out, expected, sizeof(out)) != 0;
    }
    return (void *) wrong;
}

static void *change_the_cap(void *unused)
{
    size_t refused = 0;

    (void) unused;
    for (unsigned i = 0; i < CHANGES; i++) {
        refused += isal_set_isa_limit(tiers[i % TIER_COUNT].name) != 0;
        refused += isal_get_kernel("ec_encode_data") == NULL;
    }
    atomic_store(&stop, 1);
    return (void *) refused;
}

static void test_concurrency(void)
{
    unsigned char matrix[(K + ROWS) * K], *in_pointers[K], *out_pointers[ROWS];
    pthread_t encoders[THREADS], changer;
    void *count;

    for (int i = 0; i < K; i++) {
        in_pointers[i] = sources[i];
        for (int j = 0; j < LENGTH; j++)
            sources[i][j] = (unsigned char) (j * 31 + i * 7 + (j >> 3));
    }
    for (int i = 0; i < ROWS; i++)
        out_pointers[i] = expected[i];
    gf_gen_cauchy1_matrix(matrix, K + ROWS, K);
    ec_init_tables(K, ROWS, matrix + K * K, gf_tables);
    ec_encode_data_base(LENGTH, K, ROWS, gf_tables, in_pointers, out_pointers);

    if (pthread_create(&changer, NULL, change_the_cap, NULL)) {
        test_skip("calls while the cap changes: no threads");
        return;
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&encoders[i], NULL, encode_again_and_again, NULL)) {
            perror("pthread_create");
            exit(1);
        }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(encoders[i], &count);
        EXPECT(!count, "thread %d encoded wrongly %zu times while the cap changed", i,
               (size_t) count);
    }
    pthread_join(changer, &count);
    EXPECT(!count, "the cap could not be changed %zu times", (size_t) count);
    isal_set_isa_limit(NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--print-cap"))
        print_cap();
    test_start(argc, argv);
    TEST(test_tables);
    TEST(test_invented_cpus);
    TEST(test_traits);
    TEST(test_trait_rows);
    TEST(test_limits);
    TEST(test_api);
    TEST(test_edges);
    TEST(test_set_user_id);
    TEST(test_concurrency);
    printf("tier of this CPU: %s\n", isal_get_isa());
    return test_finish();
}
