/* Tests of the RAID functions against their contract.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The public functions, under every tier of this CPU, are compared with sums computed byte by byte.
 * The kernel check compares kernels with portable C, at every length and alignment. */

#define ISAL_DEPRECATED_INTERNAL
#define _GNU_SOURCE /* RTLD_DEEPBIND and dladdr */

#include "isa-l/raid.h"

#include <string.h>

#include "dispatch/tiers.h"
#include "peer.h"
#include "test.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_VECTS 700
#define MAX_LEN 5000
#define GUARD 64 /* bytes before and after every buffer that must not change */
#define UNTOUCHED 0xa5

typedef int raid_fn(int vects, int len, void **array);

/* Every public function that takes (vects, len, array). */
enum kind { XOR_GEN, XOR_CHECK, PQ_GEN, PQ_CHECK };
static const struct function {
    const char *name;
    raid_fn *fn;
    enum kind kind;
    int min_vects;
    int multiple; /* len must be a multiple of this */
    const char *feature;
} functions[] = {
    {"xor_gen", xor_gen, XOR_GEN, 3, 1, NULL},
    {"xor_gen_base", xor_gen_base, XOR_GEN, 3, 1, NULL},
    {"xor_check", xor_check, XOR_CHECK, 2, 1, NULL},
    {"xor_check_base", xor_check_base, XOR_CHECK, 2, 1, NULL},
    {"pq_gen", pq_gen, PQ_GEN, 4, 32, NULL},
    {"pq_check", pq_check, PQ_CHECK, 4, 16, NULL},
    {"pq_check_base", pq_check_base, PQ_CHECK, 4, 1, NULL},
#if defined(__x86_64__) || defined(_M_X64)
    {"xor_gen_sse", xor_gen_sse, XOR_GEN, 3, 1, "sse4.1"},
    {"xor_gen_avx", xor_gen_avx, XOR_GEN, 3, 1, "avx"},
    {"xor_check_sse", xor_check_sse, XOR_CHECK, 2, 1, "sse4.1"},
    {"pq_gen_sse", pq_gen_sse, PQ_GEN, 4, 16, "sse4.1"},
    {"pq_gen_avx", pq_gen_avx, PQ_GEN, 4, 16, "avx"},
    {"pq_gen_avx2", pq_gen_avx2, PQ_GEN, 4, 32, "avx2"},
    {"pq_check_sse", pq_check_sse, PQ_CHECK, 4, 16, "sse4.1"},
#endif
};

static int cpu_has(const char *feature)
{
    const char *name;
    int present;

    if (!feature)
        return 1;
    for (size_t i = 0; (name = isal_list_cpu_features(i, &present)); i++)
        if (!strcmp(name, feature))
            return present;
    return 0;
}

/* ---- Arrays of buffers ---- */

static uint8_t *memory, *copies; /* MAX_VECTS buffers and their expected contents */
static void *array[MAX_VECTS];

#define STRIDE ((MAX_LEN / GUARD + 4) * GUARD)

static uint8_t *expected(int i)
{
    return copies + ((uint8_t *) array[i] - memory);
}

/* Makes vects buffers with different misalignments: random bytes, then correct parity in `parity`
 * buffers: 0, 1 (P) or 2 (P and Q). */
static void make_array(int vects, int parity, int len, int misaligned)
{
    int n = vects - parity;

    for (int i = 0; i < vects; i++) {
        uint8_t *start = memory + (size_t) i * STRIDE;
        memset(start, UNTOUCHED, STRIDE);
        array[i] = start + GUARD + (misaligned ? test_random(GUARD) : 0);
        if (i < n)
            test_fill_random(array[i], (size_t) len);
    }
    for (int b = 0; b < len && parity; b++) {
        unsigned p = 0, q = 0;
        for (int i = n; i-- > 0;) {
            unsigned d = ((uint8_t *) array[i])[b];
            p ^= d;
            q = (q << 1 ^ (q >> 7) * 0x11d) ^ d;
        }
        ((uint8_t *) array[n])[b] = (uint8_t) p;
        if (parity == 2)
            ((uint8_t *) array[n + 1])[b] = (uint8_t) q;
    }
    memcpy(copies, memory, (size_t) vects * STRIDE);
}

static int parity_of(enum kind kind)
{
    return kind == XOR_GEN || kind == XOR_CHECK ? 1 : 2;
}

/* Returns 1 if all buffers and guards are as expected; otherwise describes the first wrong byte. */
static int intact(int vects, char *where, size_t size)
{
    if (!memcmp(memory, copies, (size_t) vects * STRIDE))
        return 1;
    for (size_t i = 0; i < (size_t) vects * STRIDE; i++)
        if (memory[i] != copies[i]) {
            size_t v = i / STRIDE;
            snprintf(where, size, "byte %td of buffer %zu is %02x, not %02x",
                     memory + i - (uint8_t *) array[v], v, memory[i], copies[i]);
            return 0;
        }
    return 1;
}

/* Fills a buffer with garbage. */
static void lose(int i, int len)
{
    test_fill_random(array[i], (size_t) len);
}

static const int lengths[] = {0,   1,   2,    3,    7,    8,    15,   16,     17,  31,
                              32,  33,  48,   63,   64,   65,   80,   96,     127, 128,
                              129, 192, 255,  256,  257,  480,  511,  512,    513, 640,
                              768, 992, 1023, 1024, 1025, 2048, 2049, MAX_LEN};

/* Runs a test body under each tier of this CPU, from base up. */
static const char *const tiers[] = {TIERS(TIER_NAME)};

#define FOR_EACH_TIER(tier) for (const char *tier = tier_first(); tier; tier = tier_next(tier))

static const char *tier_first(void)
{
    isal_set_isa_limit(tiers[0]);
    return tiers[0];
}

static const char *tier_next(const char *tier)
{
    for (size_t i = 1; i < COUNT(tiers); i++)
        if (!strcmp(tiers[i - 1], tier) && !isal_set_isa_limit(tiers[i]) &&
            !strcmp(isal_get_isa(), tiers[i]))
            return tiers[i];
        else if (!strcmp(tiers[i - 1], tier))
            tier = tiers[i]; /* the CPU lacks this tier, but may have a higher one */
    isal_set_isa_limit(NULL);
    return NULL;
}

/* ---- Generation and checks ---- */

static void test_vectors(void)
{
    static uint8_t b[5][32];
    void *v[] = {b[0], b[1], b[2], b[3], b[4]}, *w[] = {b[0], b[1], b[3], b[4]};

    FOR_EACH_TIER(tier)
    {
        for (int i = 0; i < 3; i++)
            memset(b[i], i + 1, sizeof b[i]);
        EXPECT(pq_gen(5, 32, v) == 0, "%s", tier);
        for (int i = 0; i < 32; i++)
            EXPECT(b[3][i] == 0 && b[4][i] == 9, "%s: byte %d is %02x %02x", tier, i, b[3][i],
                   b[4][i]);
        memset(b[1], 0x80, sizeof b[1]);
        for (int i = 0; i < 32; i++)
            b[0][i] = (uint8_t) i;
        EXPECT(pq_gen(4, 32, w) == 0, "%s", tier);
        for (int i = 0; i < 32; i++)
            EXPECT(b[3][i] == (0x80 ^ i) && b[4][i] == (0x1d ^ i), "%s: byte %d is %02x %02x", tier,
                   i, b[3][i], b[4][i]);
    }
}

/* Calls a function with correct parity, or with garbage in its place for a generator. */
static void one_call(const struct function *f, const char *tier, int vects, int len, int misaligned)
{
    int parity = parity_of(f->kind), result;
    char where[100];

    make_array(vects, parity, len, misaligned);
    if (f->kind == XOR_GEN || f->kind == PQ_GEN)
        for (int i = vects - parity; i < vects; i++)
            lose(i, len);
    result = f->fn(vects, len, array);
    EXPECT(result == 0, "%s, %s: vects %d, len %d: %d", f->name, tier, vects, len, result);
    EXPECT(intact(vects, where, sizeof where), "%s, %s: vects %d, len %d: %s", f->name, tier, vects,
           len, where);
}

static void each_function(void (*body)(const struct function *f, const char *tier))
{
    FOR_EACH_TIER(tier)
    for (size_t i = 0; i < COUNT(functions); i++)
        if (cpu_has(functions[i].feature))
            body(&functions[i], tier);
}

static void shapes(const struct function *f, const char *tier)
{
    for (int vects = f->min_vects; vects < 44; vects += vects < 20 ? 1 : 7)
        for (size_t i = 0; i < COUNT(lengths); i++)
            if (lengths[i] % f->multiple == 0 && (vects < 20 || lengths[i] < 1030))
                one_call(f, tier, vects, lengths[i], i % 2);
    one_call(f, tier, 257, 96, 1);
    one_call(f, tier, 258, 96, 1);
    one_call(f, tier, 514, 96, 1); /* 511 steps of Q after the first source */
    one_call(f, tier, 600, 64, 0);
    one_call(f, tier, 600, 4960, 1); /* larger than the caches: another code path */
}

static void test_shapes(void)
{
    each_function(shapes);
}

/* Invalid arguments: the result is not 0, and nothing is written. Too few buffers fail at any
 * length. */
static void arguments(const struct function *f, const char *tier)
{
    static const int vects[] = {-2147483647 - 1, -1, 0, 1, 2, 3, 4, 5},
                     lens[] = {-2147483647 - 1, -32, -1, 0, 1, 8, 15, 16, 24, 32, 33, 48, 64};

    for (size_t i = 0; i < COUNT(vects); i++)
        for (size_t j = 0; j < COUNT(lens); j++) {
            int valid = vects[i] >= f->min_vects && lens[j] >= 0 && lens[j] % f->multiple == 0;
            int result;
            char where[100];
            make_array(8, 0, MAX_LEN, 1);
            if (valid && lens[j] > 0)
                continue;
            result = f->fn(vects[i], lens[j], array);
            EXPECT((result == 0) == valid, "%s, %s: vects %d, len %d: %d", f->name, tier, vects[i],
                   lens[j], result);
            EXPECT(intact(8, where, sizeof where), "%s, %s: vects %d, len %d: %s", f->name, tier,
                   vects[i], lens[j], where);
        }
}

static void test_arguments(void)
{
    each_function(arguments);
}

/* One wrong bit anywhere is detected. */
static void detection(const struct function *f, const char *tier)
{
    static const int shape[][2] = {{4, 48}, {4, 1600}, {7, 272}, {12, 512}, {13, 528}, {40, 112}};

    if (f->kind != XOR_CHECK && f->kind != PQ_CHECK)
        return;
    for (size_t i = 0; i < COUNT(shape); i++) {
        int vects = shape[i][0], len = shape[i][1];
        make_array(vects, parity_of(f->kind), len, 1);
        for (int v = 0; v < vects; v++)
            for (int b = 0; b < len; b++) {
                uint8_t *at = (uint8_t *) array[v] + b, bit = (uint8_t) (1u << test_random(8));
                *at ^= bit;
                EXPECT(f->fn(vects, len, array) != 0,
                       "%s, %s: vects %d, len %d, buffer %d, byte %d", f->name, tier, vects, len, v,
                       b);
                *at ^= bit;
            }
    }
}

static void test_detection(void)
{
    each_function(detection);
}

/* pq_gen_base() does not write the last len % 8 bytes; pq_check_base() returns the place of a
 * fault. */
static void test_base_quirks(void)
{
    for (int len = 0; len < 40; len++) {
        char where[100];
        make_array(6, 2, len, 1);
        for (int i = 4; i < 6; i++) {
            lose(i, len);
            memcpy(expected(i) + len / 8 * 8, (uint8_t *) array[i] + len / 8 * 8,
                   (size_t) (len % 8));
        }
        EXPECT(pq_gen_base(6, len, array) == 0, "len %d", len);
        EXPECT(intact(6, where, sizeof where), "len %d: %s", len, where);
    }
    EXPECT(pq_gen_base(3, 8, array) == 1 && pq_gen_base(4, -8, array) == 1, "too few buffers");
    make_array(6, 2, 100, 1);
    for (int i = 0; i < 100; i++) {
        ((uint8_t *) array[5])[i] ^= 1;
        EXPECT(pq_check_base(6, 100, array) == (i | 2), "byte %d of Q", i);
        ((uint8_t *) array[4])[i] ^= 1;
        EXPECT(pq_check_base(6, 100, array) == (i | 1), "byte %d of P and Q", i);
        memcpy(array[4], expected(4), 100);
        memcpy(array[5], expected(5), 100);
    }
}

/* ---- Recovery ---- */

/* Loses and recovers buffer a and, unless it is -1, buffer b. */
static void one_recovery(const char *tier, int parity, int vects, int len, int a, int b)
{
    void *before[MAX_VECTS];
    int result;
    char where[100];

    lose(a, len);
    if (b >= 0)
        lose(b, len);
    memcpy(before, array, sizeof before);
    result = parity == 1 ? isal_xor_recover(vects, len, array, a)
                         : isal_pq_recover(vects, len, array, a, b);
    EXPECT(result == 0, "%s: vects %d, len %d, lost %d %d: %d", tier, vects, len, a, b, result);
    EXPECT(!memcmp(before, array, sizeof before), "%s: the array of pointers has changed", tier);
    if (!EXPECT(intact(vects, where, sizeof where), "%s: vects %d, len %d, lost %d %d: %s", tier,
                vects, len, a, b, where))
        memcpy(memory, copies, (size_t) vects * STRIDE);
}

static void test_xor_recover(void)
{
    static const int vects[] = {3, 4, 5, 11, 12, 13, 40, 255, 256, 257, 258, 511, 512, 600},
                     lens[] = {0, 1, 33, 100, 2048, 2049, MAX_LEN};

    FOR_EACH_TIER(tier)
    for (size_t i = 0; i < COUNT(vects); i++)
        for (size_t j = 0; j < COUNT(lens); j++) {
            if (vects[i] > 40 && lens[j] > 100 && lens[j] != 2049)
                continue;
            make_array(vects[i], 1, lens[j], 1);
            for (int lost = 0; lost<vects[i]; lost += vects[i]> 40 ? vects[i] / 5 : 1)
                one_recovery(tier, 1, vects[i], lens[j], lost, -1);
            one_recovery(tier, 1, vects[i], lens[j], vects[i] - 1, -1);
        }
}

/* Recovers every buffer and every pair, in either order. */
static void recover_all(const char *tier, int vects, int len)
{
    make_array(vects, 2, len, 1);
    for (int a = 0; a < vects; a++)
        for (int b = -1; b < vects; b++)
            if (a != b)
                one_recovery(tier, 2, vects, len, a, b);
}

static void test_pq_recover(void)
{
    static const int lens[] = {0, 1, 15, 31, 32, 100, 333, 2047, 2048, 2049, MAX_LEN};

    FOR_EACH_TIER(tier)
    {
        for (size_t i = 0; i < COUNT(lens); i++)
            for (int vects = 4; vects <= 8; vects++)
                recover_all(tier, vects, lens[i]);
        recover_all(tier, 13, 65);
        recover_all(tier, 18, 130);
        for (int vects = 254; vects <= 257; vects++) {
            make_array(vects, 2, 77, 1);
            for (int i = 0; i < 40; i++) {
                int a = i < 6 ? vects - 1 - i % 3 : (int) test_random((unsigned) vects),
                    b = i < 6 ? i / 3 : (int) test_random((unsigned) vects);
                if (a != b)
                    one_recovery(tier, 2, vects, 77, a, b);
            }
        }
    }
}

static void test_recover_arguments(void)
{
    static const int xor_bad[][3] = {{2, 8, 0},  {0, 8, 0}, {-1, 8, 0}, {4, -1, 0},
                                     {4, 8, -1}, {4, 8, 4}, {2, 0, 0}};
    static const int pq_bad[][4] = {{3, 8, 0, -1}, {-5, 8, 0, -1}, {258, 8, 0, -1}, {5, -1, 0, -1},
                                    {5, 8, -1, 0}, {5, 8, -1, -1}, {5, 8, 5, -1},   {5, 8, 0, 5},
                                    {5, 8, 2, 2},  {5, 8, 0, -2},  {5, 8, -2, 0},   {3, 0, 0, 1}};
    char where[100];

    make_array(260, 0, 8, 1);
    for (size_t i = 0; i < COUNT(xor_bad); i++)
        EXPECT(isal_xor_recover(xor_bad[i][0], xor_bad[i][1], array, xor_bad[i][2]) == 1,
               "case %zu", i);
    for (size_t i = 0; i < COUNT(pq_bad); i++)
        EXPECT(isal_pq_recover(pq_bad[i][0], pq_bad[i][1], array, pq_bad[i][2], pq_bad[i][3]) == 1,
               "case %zu", i);
    EXPECT(intact(260, where, sizeof where), "%s", where);
}

/* ---- The system's own libisal ---- */

static void test_peer(void)
{
    void *peer = peer_open();

    if (!peer)
        return;
    for (size_t i = 0; i < COUNT(functions); i++) {
        const struct function *f = &functions[i];
        void *symbol = peer_symbol(peer, f->name);
        raid_fn *theirs;

        if (!EXPECT(symbol, "the other library lacks %s", f->name) || !cpu_has(f->feature))
            continue;
        memcpy(&theirs, &symbol, sizeof theirs);
        for (int vects = f->min_vects; vects < 20; vects++)
            for (int len = 0; len <= 2048; len += 32) {
                int parity = parity_of(f->kind), ours, result, v;
                char where[100];
                make_array(vects, parity, len, 0);
                if (f->kind == XOR_GEN || f->kind == PQ_GEN)
                    for (v = vects - parity; v < vects; v++)
                        lose(v, len);
                else if (len && test_random(2))
                    ((uint8_t *)
                         array[test_random((unsigned) vects)])[test_random((unsigned) len)] ^= 0x10;
                if (f->kind == XOR_CHECK || f->kind == PQ_CHECK)
                    memcpy(copies, memory, (size_t) vects * STRIDE);
                ours = f->fn(vects, len, array);
                result = theirs(vects, len, array);
                EXPECT(!ours == !result, "%s: vects %d, len %d: %d, theirs %d", f->name, vects, len,
                       ours, result);
                EXPECT(intact(vects, where, sizeof where), "theirs %s: vects %d, len %d: %s",
                       f->name, vects, len, where);
            }
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    /* aligned to 64 bytes, as other libraries may require */
    memory = test_alloc((size_t) MAX_VECTS * STRIDE + GUARD);
    memory += (GUARD - (uintptr_t) memory % GUARD) % GUARD;
    copies = test_alloc((size_t) MAX_VECTS * STRIDE);
    TEST(test_vectors);
    TEST(test_shapes);
    TEST(test_arguments);
    TEST(test_detection);
    TEST(test_base_quirks);
    TEST(test_xor_recover);
    TEST(test_pq_recover);
    TEST(test_recover_arguments);
    TEST(test_peer);
    return test_finish();
}
