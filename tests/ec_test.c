/* Tests of the erasure code functions against their contract, by models of their own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels are compared with portable C, at every length and alignment, by the kernel check. Here
 * the public functions, under every tier that this CPU has, are compared with products computed bit
 * by bit. */

#define ISAL_DEPRECATED_INTERNAL
#define _GNU_SOURCE /* RTLD_DEEPBIND and dladdr */

#include "isa-l/erasure_code.h"

#include <string.h>

#include "test.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define HAVE_DLOPEN 1
#else
#define HAVE_DLOPEN 0
#endif

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define MAX_LEN (4096 + 7)
#define GUARD 64 /* bytes on both sides of every output that must not change */
#define UNTOUCHED 0xa5

/* Around each vector width, and around the multiples of it that loops are unrolled to. */
static const int lengths[] = {0,   1,   2,   3,   7,   8,   15,  16,  17,   31,
                              32,  33,  47,  63,  64,  65,  96,  97,  127,  128,
                              129, 191, 255, 256, 257, 511, 512, 513, 1025, MAX_LEN};

/* ---- Model of the field ---- */

static uint8_t product[256][256], inverse[256];

/* a * b modulo x^8+x^4+x^3+x^2+1, by shift and xor. */
static uint8_t multiply(unsigned a, unsigned b)
{
    unsigned sum = 0;

    for (; b; b >>= 1) {
        if (b & 1)
            sum ^= a;
        a <<= 1;
        if (a & 0x100)
            a ^= 0x11d;
    }
    return (uint8_t) sum;
}

static void make_model(void)
{
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++) {
            product[a][b] = multiply(a, b);
            if (product[a][b] == 1)
                inverse[a] = (uint8_t) b;
        }
}

static uint8_t power_of_2(int exponent)
{
    uint8_t x = 1;

    while (exponent-- > 0)
        x = product[x][2];
    return x;
}

/* Rank of n rows of k bytes, by elimination. */
static int rank(const uint8_t *const *rows, int n, int k)
{
    uint8_t *a = test_alloc((size_t) n * (size_t) k);
    int r = 0;

    for (int i = 0; i < n; i++)
        memcpy(a + i * k, rows[i], (size_t) k);
    for (int col = 0; col < k && r < n; col++) {
        int p = r;
        while (p < n && !a[p * k + col])
            p++;
        if (p == n)
            continue;
        for (int j = 0; j < k; j++) {
            uint8_t t = a[p * k + j];
            a[p * k + j] = a[r * k + j];
            a[r * k + j] = t;
        }
        for (int i = r + 1; i < n; i++) {
            const uint8_t *times = product[product[a[i * k + col]][inverse[a[r * k + col]]]];
            for (int j = col; times[1] && j < k; j++)
                a[i * k + j] ^= times[a[r * k + j]];
        }
        r++;
    }
    free(a);
    return r;
}

static int rank_of_matrix(const uint8_t *a, int n, int k)
{
    const uint8_t *rows[512];

    for (int i = 0; i < n; i++)
        rows[i] = a + i * k;
    return rank(rows, n, k);
}

/* Makes `chosen`, n numbers below m, the next choice in lexicographic order; 0 after the last. */
static int next_choice(int *chosen, int n, int m)
{
    int i = n - 1;

    while (i >= 0 && chosen[i] == m - n + i)
        i--;
    if (i < 0)
        return 0;
    chosen[i]++;
    for (i++; i < n; i++)
        chosen[i] = chosen[i - 1] + 1;
    return 1;
}

static void first_choice(int *chosen, int n)
{
    for (int i = 0; i < n; i++)
        chosen[i] = i;
}

/* n different numbers below m in random order. */
static void random_choice(int *chosen, int n, int m)
{
    int all[256];

    first_choice(all, m);
    for (int i = 0; i < n; i++) {
        int j = i + (int) test_random((unsigned) (m - i));
        chosen[i] = all[j];
        all[j] = all[i];
    }
}

/* ---- Tiers ---- */

static const char *const all_tiers[] = {"base",   "sse",    "avx",     "avx2",
                                        "avx2_v", "avx512", "avx512_v"};
static const char *tiers[COUNT(all_tiers)]; /* those of this CPU */
static size_t tier_count;

static void find_tiers(void)
{
    for (size_t i = 0; i < COUNT(all_tiers); i++)
        if (isal_set_isa_limit(all_tiers[i]) == 0 && !strcmp(isal_get_isa(), all_tiers[i]))
            tiers[tier_count++] = all_tiers[i];
        else
            test_state.skipped += printf("SKIP tier %s: this CPU lacks it\n", all_tiers[i]) > 0;
    isal_set_isa_limit(NULL);
}

#define FOR_EACH_TIER(tier)                                                                       \
    for (size_t tier##_i = 0; tier##_i < tier_count || (isal_set_isa_limit(NULL), 0); tier##_i++) \
        for (const char *tier = tiers[tier##_i]; tier; tier = NULL)                               \
            if (isal_set_isa_limit(tier) == 0)

/* ---- Stripes: sources, coefficients, and what the model makes of them ---- */

#define MAX_ROWS 33

struct stripe {
    int k, rows;
    uint8_t *coef, *tables;
    uint8_t *src[256];
    uint8_t *want[MAX_ROWS]; /* MAX_LEN bytes: shorter results are a part of it */
    uint8_t *dst[MAX_ROWS];  /* MAX_LEN bytes, GUARD bytes free on both sides */
    uint8_t *memory;
};

/* Random data and coefficients, all buffers misaligned in different ways. */
static void make_stripe(struct stripe *s, int k, int rows)
{
    size_t room = MAX_LEN + 2 * GUARD + 64, coefs = (size_t) (k * rows);
    uint8_t *p;

    s->k = k;
    s->rows = rows;
    s->memory = p = test_alloc(room * (size_t) (k + 2 * rows) + 33 * coefs);
    for (int j = 0; j < k; j++, p += room) {
        s->src[j] = p + test_random(64);
        test_fill_random(s->src[j], MAX_LEN);
    }
    for (int r = 0; r < rows; r++, p += 2 * room) {
        s->want[r] = p;
        s->dst[r] = p + room + GUARD + test_random(64);
    }
    s->tables = p;
    s->coef = p + 32 * coefs;
    for (size_t i = 0; i < coefs; i++) /* 0 and 1 often, so that special cases are met and mixed */
        s->coef[i] = (uint8_t) (test_random(8) ? test_random(256) : test_random(2));
    for (int r = 0; r < rows; r++)
        if (test_random(4) == 0)
            memset(s->coef + r * k, 1, (size_t) k); /* runs as XOR */
    ec_init_tables(k, rows, s->coef, s->tables);
    for (int r = 0; r < rows; r++) {
        memset(s->want[r], 0, MAX_LEN);
        for (int j = 0; j < k; j++) {
            const uint8_t *times = product[s->coef[r * k + j]];
            for (size_t i = 0; i < MAX_LEN; i++)
                s->want[r][i] ^= times[s->src[j][i]];
        }
    }
}

static void free_stripe(struct stripe *s)
{
    free(s->memory);
}

/* Sets the first len bytes of each output to `value`, and what surrounds them to UNTOUCHED. */
static void prepare(struct stripe *s, int len, int value)
{
    for (int r = 0; r < s->rows; r++) {
        memset(s->dst[r] - GUARD, UNTOUCHED, (size_t) len + 2 * GUARD);
        memset(s->dst[r], value, (size_t) len);
    }
}

static int all_bytes(const uint8_t *p, size_t n, uint8_t value)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != value)
            return 0;
    return 1;
}

/* Whether output r of s is want, and nothing beside it was written. */
static int output_is(const struct stripe *s, int r, const uint8_t *want, int len)
{
    return !memcmp(s->dst[r], want, (size_t) len) &&
           all_bytes(s->dst[r] - GUARD, GUARD, UNTOUCHED) &&
           all_bytes(s->dst[r] + len, GUARD, UNTOUCHED);
}

/* Whether outputs from..to-1 are what the model says and the others are as prepared. */
static int rows_are_right(const struct stripe *s, int from, int to, int len)
{
    for (int r = 0; r < s->rows; r++)
        if (r >= from && r < to
                ? !output_is(s, r, s->want[r], len)
                : !all_bytes(s->dst[r] - GUARD, (size_t) len + 2 * GUARD, UNTOUCHED))
            return 0;
    return 1;
}

/* ---- Entry points that do the same ---- */

typedef void encode_fn(int, int, int, unsigned char *, unsigned char **, unsigned char **);
typedef void update_fn(int, int, int, int, unsigned char *, unsigned char *, unsigned char **);
typedef void dot_fn(int, int, unsigned char *, unsigned char **, unsigned char *);
typedef void mad_fn(int, int, int, unsigned char *, unsigned char *, unsigned char *);
typedef void dot_rows_fn(int, int, unsigned char *, unsigned char **, unsigned char **);
typedef void mad_rows_fn(int, int, int, unsigned char *, unsigned char *, unsigned char **);
typedef int mul_fn(int, unsigned char *, void *, void *);

struct entry_points {
    const char *isa; /* suffix of the names; "" for the dispatched functions */
    encode_fn *encode;
    update_fn *update;
    dot_fn *dot;
    mad_fn *mad;
    mul_fn *mul;
    dot_rows_fn *dot_rows[7]; /* by number of rows, where there are such functions */
    mad_rows_fn *mad_rows[7];
};

static int mul_base(int len, unsigned char *table, void *src, void *dst)
{
    return gf_vect_mul_base(len, table, src, dst);
}

#define NAMED(isa, mul)                                                                   \
    {                                                                                     \
#isa, ec_encode_data_##isa, ec_encode_data_update_##isa, gf_vect_dot_prod_##isa,  \
            gf_vect_mad_##isa, mul,                                                       \
            {NULL, NULL, gf_2vect_dot_prod_##isa, gf_3vect_dot_prod_##isa,                \
             gf_4vect_dot_prod_##isa, gf_5vect_dot_prod_##isa, gf_6vect_dot_prod_##isa }, \
        {                                                                                 \
            NULL, NULL, gf_2vect_mad_##isa, gf_3vect_mad_##isa, gf_4vect_mad_##isa,       \
                gf_5vect_mad_##isa, gf_6vect_mad_##isa                                    \
        }                                                                                 \
    }

static const struct entry_points entry_points[] = {
    {"",
     ec_encode_data,
     ec_encode_data_update,
     gf_vect_dot_prod,
     gf_vect_mad,
     gf_vect_mul,
     {NULL},
     {NULL}},
    {"base",
     ec_encode_data_base,
     ec_encode_data_update_base,
     gf_vect_dot_prod_base,
     gf_vect_mad_base,
     mul_base,
     {NULL},
     {NULL}},
#if defined(__x86_64__) || defined(_M_X64)
    NAMED(sse, gf_vect_mul_sse),
    NAMED(avx, gf_vect_mul_avx),
    NAMED(avx2, NULL),
#endif
};

/* Whether this CPU can run the functions of that name. Without assembly they are portable C. */
static int entry_runs(const struct entry_points *e)
{
    const char *tier;
    int usable;

    for (size_t i = 0; (tier = isal_list_variants("ec_encode_data", i, &usable)) != NULL; i++)
        if (!strcmp(tier, e->isa))
            return usable;
    return 1;
}

/* Every function of e over a stripe of at most 6 rows, with these tables. */
static void check_entry_points(const struct entry_points *e, struct stripe *s, uint8_t *tables,
                               int len, const char *what)
{
    int k = s->k;
    size_t row_bytes = 32 * (size_t) k;

    prepare(s, len, UNTOUCHED);
    e->encode(len, k, s->rows, tables, s->src, s->dst);
    EXPECT(rows_are_right(s, 0, s->rows, len), "encode %s, k %d, rows %d, len %d, %s", e->isa, k,
           s->rows, len, what);

    prepare(s, len, 0);
    for (int j = 0; j < k; j++)
        e->update(len, k, s->rows, j, tables, s->src[j], s->dst);
    EXPECT(rows_are_right(s, 0, s->rows, len), "update %s, k %d, rows %d, len %d, %s", e->isa, k,
           s->rows, len, what);

    prepare(s, len, UNTOUCHED);
    for (int r = 0; r < s->rows; r++)
        e->dot(len, k, tables + row_bytes * (size_t) r, s->src, s->dst[r]);
    EXPECT(rows_are_right(s, 0, s->rows, len), "dot_prod %s, k %d, len %d, %s", e->isa, k, len,
           what);

    prepare(s, len, 0);
    for (int r = 0; r < s->rows; r++)
        for (int j = k; j-- > 0;)
            e->mad(len, k, j, tables + row_bytes * (size_t) r, s->src[j], s->dst[r]);
    EXPECT(rows_are_right(s, 0, s->rows, len), "mad %s, k %d, len %d, %s", e->isa, k, len, what);

    for (int n = 2; n <= s->rows && e->dot_rows[n]; n++) {
        int first = s->rows - n;
        uint8_t *part = tables + row_bytes * (size_t) first;

        prepare(s, len, UNTOUCHED);
        e->dot_rows[n](len, k, part, s->src, s->dst + first);
        EXPECT(rows_are_right(s, first, s->rows, len), "gf_%dvect_dot_prod_%s, k %d, len %d, %s", n,
               e->isa, k, len, what);
        prepare(s, len, UNTOUCHED);
        for (int r = first; r < s->rows; r++)
            memset(s->dst[r], 0, (size_t) len);
        for (int j = 0; j < k; j++)
            e->mad_rows[n](len, k, j, part, s->src[j], s->dst + first);
        EXPECT(rows_are_right(s, first, s->rows, len), "gf_%dvect_mad_%s, k %d, len %d, %s", n,
               e->isa, k, len, what);
    }
    if (e->mul) {
        int whole = len & ~31, source = (int) test_random((unsigned) k);
        uint8_t want[MAX_LEN];

        for (int i = 0; i < whole; i++)
            want[i] = product[s->coef[source]][s->src[source][i]];
        prepare(s, whole, UNTOUCHED);
        EXPECT(e->mul(whole, tables + 32 * source, s->src[source], s->dst[0]) == 0 &&
                   output_is(s, 0, want, whole),
               "gf_vect_mul %s, len %d, %s", e->isa, whole, what);
    }
}

/* ---- Field, matrices, tables ---- */

static void test_field(void)
{
    EXPECT(power_of_2(255) == 1 && power_of_2(85) != 1 && power_of_2(51) != 1 &&
               power_of_2(15) != 1,
           "the model is wrong: 2 generates the group");
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++)
            EXPECT(gf_mul((uint8_t) a, (uint8_t) b) == product[a][b], "%u * %u", a, b);
        EXPECT(gf_inv((uint8_t) a) == inverse[a], "1 / %u", a);
    }
    EXPECT(gf_mul(0x80, 2) == 0x1d && gf_mul(0x57, 0x83) == 0x31 && gf_mul(3, 7) == 9,
           "published products");
    EXPECT(gf_inv(2) == 0x8e && gf_inv(3) == 0xf4 && gf_inv(0) == 0, "published inverses");
}

static void test_generators(void)
{
    static const int shapes[][2] = {
        /* k, m */
        {1, 1},     {1, 2},   {2, 3},     {3, 5},     {4, 6}, {5, 5}, {10, 14}, {20, 40}, {34, 50},
        {128, 192}, {1, 256}, {255, 256}, {128, 256}, {5, 3}, {4, 0}, {0, 4},   {3, -1},  {-1, 3}};
    static uint8_t a[256 * 256 + 2 * GUARD];
    static const uint8_t rs[] = {1, 1, 1, 1, 1, 2, 4, 8};
    static const uint8_t cauchy[] = {0x47, 0xa7, 0x7a, 0xba, 0xa7, 0x47, 0xba, 0x7a};
    static const uint8_t cauchy3[] = {0xf4, 0x8e, 0x01, 0x47, 0xa7, 0x7a};

    for (size_t s = 0; s < COUNT(shapes); s++)
        for (int kind = 0; kind < 2; kind++) {
            int k = shapes[s][0], m = shapes[s][1];
            size_t size = k > 0 && m > 0 ? (size_t) (k * m) : 0;
            memset(a, UNTOUCHED, sizeof a);
            (kind ? gf_gen_cauchy1_matrix : gf_gen_rs_matrix)(a + GUARD, m, k);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < k; j++) {
                    uint8_t want = i < k   ? i == j
                                   : !kind ? power_of_2((i - k) * j % 255)
                                           : inverse[i ^ j];
                    EXPECT(a[GUARD + i * k + j] == want, "%s m %d k %d, row %d, column %d",
                           kind ? "cauchy" : "rs", m, k, i, j);
                }
            EXPECT(all_bytes(a, GUARD, UNTOUCHED) && all_bytes(a + GUARD + size, GUARD, UNTOUCHED),
                   "%s m %d k %d writes m * k bytes", kind ? "cauchy" : "rs", m, k);
        }
    gf_gen_rs_matrix(a, 6, 4);
    EXPECT(!memcmp(a + 16, rs, sizeof rs), "published rs matrix");
    gf_gen_cauchy1_matrix(a, 6, 4);
    EXPECT(!memcmp(a + 16, cauchy, sizeof cauchy), "published cauchy matrix");
    gf_gen_cauchy1_matrix(a, 5, 3);
    EXPECT(!memcmp(a + 9, cauchy3, sizeof cauchy3), "published cauchy matrix");
}

/* Inverts a copy of a under every tier, and compares with rank and product. */
static void check_inversion(const uint8_t *a, int n, const char *what)
{
    size_t size = (size_t) (n * n), room = size + 2 * GUARD;
    uint8_t *memory = test_alloc(2 * room + size + (size_t) n), *row = memory + 2 * room + size;
    uint8_t *in = memory + GUARD + test_random(GUARD / 2);
    uint8_t *out = memory + room + GUARD + test_random(GUARD / 2), *want = memory + 2 * room;
    int singular = n > 0 && rank_of_matrix(a, n, n) < n, known = 0, wrong;

    FOR_EACH_TIER(tier)
    {
        int result;
        memset(memory, UNTOUCHED, 2 * room);
        memcpy(in, a, size);
        result = gf_invert_matrix(in, out, n);
        EXPECT(result == -singular, "%s of order %d, %s: %d", what, n, tier, result);
        EXPECT(all_bytes(in - GUARD, GUARD, UNTOUCHED) &&
                   all_bytes(in + size, (size_t) (out - in) - size, UNTOUCHED) &&
                   all_bytes(out + size, GUARD / 2, UNTOUCHED),
               "%s of order %d, %s: more than the matrices is written", what, n, tier);
        if (result)
            continue;
        wrong = 0;
        for (int i = 0; i < n * n; i++)
            wrong += in[i] != (i % (n + 1) == 0);
        EXPECT(!wrong, "%s of order %d, %s: the input is not the identity", what, n, tier);
        if (known)
            EXPECT(!memcmp(out, want, size), "%s of order %d, %s: another inverse", what, n, tier);
        for (int i = 0; i < n && !known; i++) {
            memset(row, 0, (size_t) n);
            for (int l = 0; l < n; l++)
                for (int j = 0; j < n; j++)
                    row[j] ^= product[a[i * n + l]][out[l * n + j]];
            for (int j = 0; j < n; j++)
                wrong += row[j] != (i == j);
        }
        EXPECT(!wrong, "%s of order %d, %s: not the inverse", what, n, tier);
        memcpy(want, out, size);
        known = 1;
    }
    free(memory);
}

static void test_invert_order(int n)
{
    uint8_t *a = test_alloc((size_t) (n * n));
    int order[512];

    memset(a, 0, (size_t) (n * n));
    test_fill_random(a, (size_t) (n * n));
    check_inversion(a, n, "random matrix");

    /* a permutation: every step exchanges rows */
    first_choice(order, n);
    for (int i = n - 1; i > 0; i--) {
        int j = (int) test_random((unsigned) i); /* no element stays */
        int t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    memset(a, 0, (size_t) (n * n));
    for (int i = 0; i < n; i++)
        a[i * n + order[i]] = (uint8_t) (1 + test_random(255));
    check_inversion(a, n, "permutation");

    /* zeros where the pivots would be */
    test_fill_random(a, (size_t) (n * n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i && i < n - 1; j++)
            a[i * n + j] = 0;
    check_inversion(a, n, "matrix without diagonal");

    /* singular, which shows in the last step: the last row is a sum of the others */
    test_fill_random(a, (size_t) (n * n));
    for (int j = 0; j < n; j++)
        a[(n - 1) * n + j] = 0;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n; j++)
            a[(n - 1) * n + j] ^= product[(i + 1) & 255][a[i * n + j]];
    check_inversion(a, n, "matrix with a dependent row");
    for (int i = 0; i < n; i++) /* and in the first */
        a[i * n] = 0;
    check_inversion(a, n, "matrix with a zero column");
    free(a);
}

static void test_invert(void)
{
    static const int orders[] = {64, 65, 96, 100, 128, 200, 255, 256, 257, 288, 300};
    static const struct {
        int n, result;
        uint8_t in[9], out[9];
    } published[] = {
        {2, 0, {1, 1, 1, 2}, {0xf5, 0xf4, 0xf4, 0xf4}},
        {3,
         0,
         {1, 0, 0, 0xf4, 0x8e, 1, 0x47, 0xa7, 0x7a},
         {1, 0, 0, 1, 0xbb, 0xbd, 0x7a, 0xd2, 0xd0}},
        {2, -1, {1, 2, 2, 4}, {0}},
    };

    check_inversion(published[0].in, 0, "matrix");
    for (int n = 1; n <= 40; n++)
        test_invert_order(n);
    for (size_t i = 0; i < COUNT(orders); i++)
        test_invert_order(orders[i]);
    for (size_t i = 0; i < COUNT(published); i++) {
        uint8_t in[9], out[9];
        memcpy(in, published[i].in, 9);
        EXPECT(gf_invert_matrix(in, out, published[i].n) == published[i].result &&
                   (published[i].result ||
                    !memcmp(out, published[i].out, (size_t) (published[i].n * published[i].n))),
               "published matrix %zu", i);
    }
}

static void test_tables(void)
{
    static const uint8_t published[] = {0x00, 0x8e, 0x01, 0x8f, 0x02, 0x8c, 0x03, 0x8d,
                                        0x04, 0x8a, 0x05, 0x8b, 0x06, 0x88, 0x07, 0x89,
                                        0x00, 0x08, 0x10, 0x18, 0x20, 0x28, 0x30, 0x38,
                                        0x40, 0x48, 0x50, 0x58, 0x60, 0x68, 0x70, 0x78};
    enum { K = 5, ROWS = 7 };
    uint8_t all[256], coef[K * ROWS], memory[32 * 256 + 2 * GUARD], *tables = memory + GUARD;
    uint8_t published_table[32];

    for (unsigned i = 0; i < 256; i++)
        all[i] = (uint8_t) i;
    FOR_EACH_TIER(tier)
    {
        for (int base = 0; base < 2; base++) {
            /* every coefficient, as one table and as a set */
            memset(memory, UNTOUCHED, sizeof memory);
            (base ? ec_init_tables_base : ec_init_tables)(64, 4, all, tables);
            EXPECT(all_bytes(memory, GUARD, UNTOUCHED) &&
                       all_bytes(tables + 32 * 256, GUARD, UNTOUCHED),
                   "%s writes 32 * k * rows bytes", tier);
            for (unsigned c = 0; c < 256; c++) {
                uint8_t one[32 + 2 * GUARD];
                memset(one, UNTOUCHED, sizeof one);
                (base ? gf_vect_mul_init_base : gf_vect_mul_init)((uint8_t) c, one + GUARD);
                for (unsigned x = 0; x < 16; x++)
                    EXPECT(tables[32 * c + x] == product[c][x] &&
                               tables[32 * c + 16 + x] == product[c][x << 4],
                           "%s table of %u, entry %u", tier, c, x);
                EXPECT(!memcmp(one + GUARD, tables + 32 * c, 32) &&
                           all_bytes(one, GUARD, UNTOUCHED) &&
                           all_bytes(one + GUARD + 32, GUARD, UNTOUCHED),
                       "%s table of %u", tier, c);
            }
            /* the order of a rows x k set */
            test_fill_random(coef, sizeof coef);
            (base ? ec_init_tables_base : ec_init_tables)(K, ROWS, coef, tables);
            for (int r = 0; r < ROWS; r++)
                for (int j = 0; j < K; j++)
                    EXPECT(tables[32 * (r * K + j) + 1] == coef[r * K + j], "%s row %d, source %d",
                           tier, r, j);
            /* nothing to do */
            memset(memory, UNTOUCHED, sizeof memory);
            for (int k = -1; k < 2; k++)
                for (int rows = -1; rows < (k > 0 ? 1 : 2); rows++)
                    (base ? ec_init_tables_base : ec_init_tables)(k, rows, coef, tables);
            EXPECT(all_bytes(memory, sizeof memory, UNTOUCHED), "%s with k or rows of 0 or less",
                   tier);
        }
    }
    gf_vect_mul_init(0x8e, published_table);
    EXPECT(!memcmp(published_table, published, 32), "published table");
}

/* ---- Multiplication of a buffer ---- */

static void test_vect_mul(void)
{
    static const int lens[] = {0, 32, 64, 96, 128, 160, 480, 1024, 4096};
    static const int bad[] = {
        1, 15, 16, 31, 33, 48, 63, 65, 100, 4097, -1, -31, -32, -64, -2147483647 - 1};
    static const uint8_t published[] = {0x00, 0x53, 0xa6, 0xf5, 0x51, 0x02, 0xf7, 0xa4,
                                        0xa2, 0xf1, 0x04, 0x57, 0xf3, 0xa0, 0x55, 0x06,
                                        0x59, 0x0a, 0xff, 0xac, 0x08, 0x5b, 0xae, 0xfd,
                                        0xfb, 0xa8, 0x5d, 0x0e, 0xaa, 0xf9, 0x0c, 0x5f};
    static uint8_t source[4096 + 64], memory[4096 + 2 * GUARD + 64], want[4096];
    uint8_t table[32], count[32];

    for (uint8_t i = 0; i < 32; i++)
        count[i] = i;
    FOR_EACH_TIER(tier)
    {
        for (size_t f = 0; f < COUNT(entry_points); f++) {
            const struct entry_points *e = &entry_points[f];
            uint8_t *dst;

            if (!e->mul || !entry_runs(e))
                continue;
            for (size_t i = 0; i < COUNT(lens); i++)
                for (int in_place = 0; in_place < 2; in_place++) {
                    size_t len = (size_t) lens[i];
                    uint8_t c = (uint8_t) test_random(256), *src = source + test_random(64);
                    gf_vect_mul_init(c, table);
                    test_fill_random(source, sizeof source);
                    for (size_t b = 0; b < len; b++)
                        want[b] = product[c][src[b]];
                    memset(memory, UNTOUCHED, sizeof memory);
                    dst = memory + GUARD + test_random(64);
                    if (in_place)
                        src = memcpy(dst, src, len);
                    EXPECT(e->mul((int) len, table, src, dst) == 0, "%s %s, len %zu", tier, e->isa,
                           len);
                    EXPECT(!memcmp(dst, want, len) && all_bytes(dst - GUARD, GUARD, UNTOUCHED) &&
                               all_bytes(dst + len, GUARD, UNTOUCHED),
                           "%s %s, %u times %zu bytes%s", tier, e->isa, c, len,
                           in_place ? " in place" : "");
                }
            memset(memory, UNTOUCHED, sizeof memory);
            for (size_t i = 0; i < COUNT(bad); i++) {
                int result = e->mul(bad[i], table, source, memory);
                EXPECT(!strcmp(e->isa, "base") ? result == -1 : result == 1, "%s %s, len %d: %d",
                       tier, e->isa, bad[i], result);
            }
            EXPECT(all_bytes(memory, sizeof memory, UNTOUCHED), "%s %s writes on a bad length",
                   tier, e->isa);
            gf_vect_mul_init(0x53, table);
            EXPECT(e->mul(32, table, count, memory) == 0 && !memcmp(memory, published, 32),
                   "%s %s: published product", tier, e->isa);
        }
    }
}

/* ---- Encoding ---- */

static void test_encode_geometry(int k)
{
    static const int row_counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 33};
    struct stripe s;
    uint8_t *source[256], *copy = test_alloc((size_t) k * MAX_LEN);

    make_stripe(&s, k, MAX_ROWS);
    for (int j = 0; j < k; j++) {
        memcpy(copy + j * MAX_LEN, s.src[j], MAX_LEN);
        source[j] = s.src[j];
    }
    FOR_EACH_TIER(tier)
    {
        for (size_t n = 0; n < COUNT(row_counts); n++)
            for (size_t i = 0; i < COUNT(lengths); i++) {
                int len = lengths[i];
                s.rows = row_counts[n];
                if (k * s.rows > 500 && len > 600 && s.rows < MAX_ROWS)
                    continue; /* slow in portable C, and nothing new */
                prepare(&s, len, UNTOUCHED);
                ec_encode_data(len, k, s.rows, s.tables, s.src, s.dst);
                EXPECT(rows_are_right(&s, 0, s.rows, len), "%s: k %d, rows %d, len %d", tier, k,
                       s.rows, len);
            }
    }
    EXPECT(!memcmp(source, s.src, sizeof source[0] * (size_t) k),
           "the array of pointers is changed");
    for (int j = 0; j < k; j++)
        EXPECT(!memcmp(copy + j * MAX_LEN, s.src[j], MAX_LEN), "k %d: source %d is changed", k, j);
    free(copy);
    free_stripe(&s);
}

static void test_encode(void)
{
    static const int k[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 17, 20, 32, 34, 35, 64, 128, 255};

    for (size_t i = 0; i < COUNT(k); i++)
        test_encode_geometry(k[i]);
}

static void test_published_parity(void)
{
    static const uint8_t want[2][2][8] = {{{0xc1, 0xc4, 0xc7, 0xca, 0xcd, 0xd0, 0xd3, 0xd6},
                                           {0xbd, 0xa6, 0xaf, 0x8c, 0x99, 0xca, 0xc3, 0xd8}},
                                          {{0xdb, 0x51, 0xdc, 0xa9, 0xd5, 0x43, 0xce, 0x44},
                                           {0xe3, 0x2b, 0x98, 0xf4, 0x15, 0x2c, 0x9f, 0x57}}};
    uint8_t data[3][64], parity[2][64], a[5 * 3], tables[32 * 2 * 3];
    uint8_t *src[] = {data[0], data[1], data[2]}, *dst[] = {parity[0], parity[1]};

    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 64; i++)
            data[j][i] = (uint8_t) (64 * j + 3 * i + 1);
    FOR_EACH_TIER(tier)
    {
        for (int kind = 0; kind < 2; kind++) {
            (kind ? gf_gen_cauchy1_matrix : gf_gen_rs_matrix)(a, 5, 3);
            ec_init_tables(3, 2, a + 9, tables);
            ec_encode_data(64, 3, 2, tables, src, dst);
            EXPECT(!memcmp(parity[0], want[kind][0], 8) && !memcmp(parity[1], want[kind][1], 8),
                   "%s, %s", tier, kind ? "cauchy" : "rs");
        }
    }
}

/* No sources: the empty sum is zero. No rows, no bytes, negative counts: nothing is written. */
static void test_encode_nothing(void)
{
    static const int negative[] = {0, -1, -64, -2147483647 - 1};
    struct stripe s;

    make_stripe(&s, 4, 6);
    FOR_EACH_TIER(tier)
    {
        for (size_t f = 0; f < COUNT(entry_points); f++) {
            const struct entry_points *e = &entry_points[f];
            if (!entry_runs(e))
                continue;
            prepare(&s, 200, UNTOUCHED);
            for (size_t i = 0; i < COUNT(negative); i++) {
                int n = negative[i];
                e->encode(n, 4, 6, s.tables, s.src, s.dst);
                e->encode(200, 4, n, s.tables, s.src, s.dst);
                e->update(n, 4, 6, 1, s.tables, s.src[1], s.dst);
                e->update(200, 4, n, 1, s.tables, s.src[1], s.dst);
                e->dot(n, 4, s.tables, s.src, s.dst[0]);
                e->mad(n, 4, 1, s.tables, s.src[1], s.dst[0]);
                for (int rows = 2; rows <= 6 && e->dot_rows[rows]; rows++) {
                    e->dot_rows[rows](n, 4, s.tables, s.src, s.dst);
                    e->mad_rows[rows](n, 4, 1, s.tables, s.src[1], s.dst);
                }
            }
            EXPECT(rows_are_right(&s, 0, 0, 200), "%s %s: something was written", tier, e->isa);
            e->encode(200, 0, 6, s.tables, s.src, s.dst);
            for (int r = 0; r < 6; r++)
                EXPECT(all_bytes(s.dst[r], 200, 0) && all_bytes(s.dst[r] + 200, GUARD, UNTOUCHED) &&
                           all_bytes(s.dst[r] - GUARD, GUARD, UNTOUCHED),
                       "%s %s: k = 0", tier, e->isa);
        }
    }
    free_stripe(&s);
}

/* ---- Updating ---- */

static void test_update_geometry(int k)
{
    static const int row_counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 18, 33};
    struct stripe s;
    int order[256];
    uint8_t change[MAX_LEN], *old;

    make_stripe(&s, k, MAX_ROWS);
    FOR_EACH_TIER(tier)
    {
        for (size_t n = 0; n < COUNT(row_counts); n++)
            for (size_t i = 0; i < COUNT(lengths); i++) {
                int len = lengths[i], again = (int) test_random((unsigned) k);

                s.rows = row_counts[n];
                if (k * s.rows > 300 && len > 150)
                    continue;
                random_choice(order, k, k);
                prepare(&s, len, 0);
                for (int j = 0; j < k; j++)
                    ec_encode_data_update(len, k, s.rows, order[j], s.tables, s.src[order[j]],
                                          s.dst);
                EXPECT(rows_are_right(&s, 0, s.rows, len), "%s: k %d, rows %d, len %d", tier, k,
                       s.rows, len);
                for (int twice = 0; twice < 2; twice++)
                    ec_encode_data_update(len, k, s.rows, again, s.tables, s.src[again], s.dst);
                EXPECT(rows_are_right(&s, 0, s.rows, len),
                       "%s: k %d, rows %d, len %d, source %d twice", tier, k, s.rows, len, again);
            }
        /* one source replaced: parity of the stripe with the new one, then updated by the change */
        s.rows = 6;
        old = s.src[k / 2];
        s.src[k / 2] = change;
        test_fill_random(change, MAX_LEN);
        prepare(&s, MAX_LEN, 0);
        ec_encode_data(MAX_LEN, k, s.rows, s.tables, s.src, s.dst);
        s.src[k / 2] = old;
        for (size_t b = 0; b < MAX_LEN; b++)
            change[b] ^= old[b];
        ec_encode_data_update(MAX_LEN, k, s.rows, k / 2, s.tables, change, s.dst);
        EXPECT(rows_are_right(&s, 0, s.rows, MAX_LEN), "%s: k %d, source replaced", tier, k);
    }
    free_stripe(&s);
}

static void test_update(void)
{
    static const int k[] = {1, 2, 4, 10, 20, 35, 128, 255};

    for (size_t i = 0; i < COUNT(k); i++)
        test_update_geometry(k[i]);
}

/* ---- All entry points, and tables that move between tiers ---- */

static void test_entry_points(void)
{
    static const int k[] = {1, 2, 5, 12, 33};
    struct stripe s;

    for (size_t f = 0; f < COUNT(entry_points); f++)
        if (!entry_runs(&entry_points[f]))
            test_skip("functions named _%s: this CPU cannot run them", entry_points[f].isa);
    for (size_t i = 0; i < COUNT(k); i++) {
        make_stripe(&s, k[i], 6);
        for (size_t l = 0; l < COUNT(lengths); l++)
            for (size_t f = 0; f < COUNT(entry_points); f++)
                if (entry_runs(&entry_points[f]))
                    check_entry_points(&entry_points[f], &s, s.tables, lengths[l], "own tables");
        free_stripe(&s);
    }
}

static void test_tier_pairs(void)
{
    struct stripe s;
    uint8_t tables[2][32 * 7 * 6];
    char what[100];

    make_stripe(&s, 7, 6);
    for (size_t from = 0; from < tier_count; from++) {
        isal_set_isa_limit(tiers[from]);
        ec_init_tables(7, 6, s.coef, tables[0]);
        for (int i = 0; i < 7 * 6; i++)
            gf_vect_mul_init(s.coef[i], tables[1] + 32 * i);
        for (size_t to = 0; to < tier_count; to++) {
            isal_set_isa_limit(tiers[to]);
            for (int kind = 0; kind < 2; kind++)
                for (size_t f = 0; f < COUNT(entry_points); f++)
                    for (int len = 1; len < 700; len += 149) {
                        snprintf(what, sizeof what, "tables made under %s, used under %s",
                                 tiers[from], tiers[to]);
                        if (entry_runs(&entry_points[f]))
                            check_entry_points(&entry_points[f], &s, tables[kind], len, what);
                    }
        }
    }
    isal_set_isa_limit(NULL);
    free_stripe(&s);
}

/* ---- Decoding ---- */

#define SHARD_LEN 77

enum matrix { RS, CAUCHY, SPARSE, DENSE, SCALED };
static const char *const matrix_names[] = {"rs", "cauchy", "sparse", "random", "scaled cauchy"};

struct code {
    int k, m;
    enum matrix kind;
    uint8_t *a, *shards; /* m x k, m x SHARD_LEN */
};

/* m x k: the identity and a parity part. SPARSE has many zeros: many losses are undecodable. */
static void make_matrix(uint8_t *a, int k, int m, enum matrix kind)
{
    if (kind == RS)
        gf_gen_rs_matrix(a, m, k);
    else
        gf_gen_cauchy1_matrix(a, m, k);
    for (int i = k; i < m; i++) {
        uint8_t scale = (uint8_t) (1 + test_random(255));
        for (int j = 0; j < k; j++)
            if (kind == SPARSE)
                a[i * k + j] = (uint8_t) (test_random(2) ? test_random(3) : 0);
            else if (kind == DENSE)
                a[i * k + j] = (uint8_t) (1 + test_random(255));
            else if (kind == SCALED)
                a[i * k + j] = product[product[scale][a[i * k + j]]][(uint8_t) (7 * j % 255 + 1)];
    }
}

static void make_code(struct code *c, int k, int m, enum matrix kind)
{
    c->k = k;
    c->m = m;
    c->kind = kind;
    c->a = test_alloc((size_t) (m * k));
    c->shards = test_alloc((size_t) (m * SHARD_LEN));
    make_matrix(c->a, k, m, kind);
    memset(c->shards, 0, (size_t) (m * SHARD_LEN));
    test_fill_random(c->shards, (size_t) (k * SHARD_LEN));
    for (int i = k; i < m; i++)
        for (int j = 0; j < k; j++)
            for (int b = 0; b < SHARD_LEN; b++)
                c->shards[i * SHARD_LEN + b] ^=
                    product[c->a[i * k + j]][c->shards[j * SHARD_LEN + b]];
}

static void free_code(struct code *c)
{
    free(c->a);
    free(c->shards);
}

/* Rebuilds a stripe of len bytes a shard with a plan; pointers that it has no use for are NULL. */
static void check_rebuild(const struct code *c, const struct isal_ec_decode *plan, const int *lost,
                          int nlost, int len)
{
    uint8_t *shards[256] = {NULL},
            *memory = test_alloc((size_t) (nlost + 1) * (SHARD_LEN + 2 * GUARD));

    for (int i = 0; nlost && i < c->k; i++)
        shards[isal_ec_decode_source(plan, i)] =
            c->shards + isal_ec_decode_source(plan, i) * SHARD_LEN;
    memset(memory, UNTOUCHED, (size_t) (nlost + 1) * (SHARD_LEN + 2 * GUARD));
    for (int i = 0; i < nlost; i++)
        shards[lost[i]] = memory + i * (SHARD_LEN + 2 * GUARD) + GUARD;
    EXPECT(isal_ec_decode_data(plan, len, shards) == ISAL_EC_OK, "%s %d of %d",
           matrix_names[c->kind], c->k, c->m);
    for (int i = 0; i < nlost; i++)
        EXPECT(!memcmp(shards[lost[i]], c->shards + lost[i] * SHARD_LEN, (size_t) len) &&
                   all_bytes(shards[lost[i]] - GUARD, GUARD, UNTOUCHED) &&
                   all_bytes(shards[lost[i]] + len, GUARD, UNTOUCHED),
               "%s %d of %d, %d lost, shard %d, len %d", matrix_names[c->kind], c->k, c->m, nlost,
               lost[i], len);
    free(memory);
}

/* A plan must exist exactly if the surviving rows have full rank. Returns whether they have. */
static int check_loss(const struct code *c, const int *lost, int nlost)
{
    size_t size = isal_ec_decode_size(c->k, c->m, nlost);
    struct isal_ec_decode *plan = test_alloc(size + GUARD);
    const uint8_t *survivors[256];
    uint8_t is_lost[256] = {0};
    int n = 0, decodable, status;

    for (int i = 0; i < nlost; i++)
        is_lost[lost[i]] = 1;
    for (int i = 0; i < c->m; i++)
        if (!is_lost[i])
            survivors[n++] = c->a + i * c->k;
    decodable = rank(survivors, n, c->k) == c->k;

    EXPECT(size > 0, "%s %d of %d, %d lost", matrix_names[c->kind], c->k, c->m, nlost);
    memset(plan, UNTOUCHED, size + GUARD);
    status = isal_ec_decode_init(plan, c->k, c->m, c->a, lost, nlost);
    EXPECT(status == (decodable ? ISAL_EC_OK : ISAL_EC_SINGULAR), "%s %d of %d, %d lost: %s",
           matrix_names[c->kind], c->k, c->m, nlost, isal_ec_strerror(status));
    EXPECT(all_bytes((uint8_t *) plan + size, GUARD, UNTOUCHED), "%s %d of %d, %d lost: overrun",
           matrix_names[c->kind], c->k, c->m, nlost);
    if (status == ISAL_EC_OK) {
        int previous = -1;
        for (int i = 0; i < c->k; i++) {
            int source = isal_ec_decode_source(plan, i);
            if (!EXPECT(nlost ? source > previous && source < c->m && !is_lost[source]
                              : source == -1,
                        "%s %d of %d, %d lost: source %d is shard %d", matrix_names[c->kind], c->k,
                        c->m, nlost, i, source)) {
                free(plan);
                return decodable;
            }
            previous = source;
        }
        EXPECT(isal_ec_decode_source(plan, -1) == -1 && isal_ec_decode_source(plan, c->k) == -1,
               "source out of range");
        check_rebuild(c, plan, lost, nlost, SHARD_LEN);
        check_rebuild(c, plan, lost, nlost,
                      1 + (int) test_random(SHARD_LEN)); /* the plan is reusable */
        check_rebuild(c, plan, lost, nlost, 0);
    }
    free(plan);
    return decodable;
}

static void test_decode_every_loss(void)
{
    static const struct {
        int k, m;
        enum matrix kind;
        int singular; /* some loss cannot be decoded */
    } codes[] = {{1, 1, CAUCHY, 0},  {1, 5, CAUCHY, 0},  {3, 3, RS, 0},     {4, 7, CAUCHY, 0},
                 {6, 10, CAUCHY, 0}, {8, 14, CAUCHY, 0}, {4, 7, RS, 0},     {6, 10, RS, 0},
                 {6, 12, RS, 1},     {3, 9, RS, 0},      {4, 8, SPARSE, 1}, {5, 10, SPARSE, 1},
                 {3, 9, SPARSE, 1},  {7, 10, SPARSE, 1}, {5, 8, SCALED, 0}};

    for (size_t i = 0; i < COUNT(codes); i++) {
        int lost[256], singular = 0;
        struct code c;

        make_code(&c, codes[i].k, codes[i].m, codes[i].kind);
        for (int n = 0; n <= c.m - c.k; n++) {
            first_choice(lost, n);
            do
                singular += !check_loss(&c, lost, n);
            while (next_choice(lost, n, c.m));
        }
        EXPECT((singular > 0) == codes[i].singular, "%s %d of %d: %d losses cannot be decoded",
               matrix_names[c.kind], c.k, c.m, singular);
        free_code(&c);
    }
}

static void test_decode_random_loss(void)
{
    static const struct {
        int k, m;
        enum matrix kind;
        int times;
    } codes[] = {{10, 14, CAUCHY, 300}, {20, 40, CAUCHY, 100}, {128, 192, CAUCHY, 5},
                 {64, 128, CAUCHY, 5},  {255, 256, CAUCHY, 5}, {1, 256, CAUCHY, 5},
                 {128, 256, CAUCHY, 2}, {200, 256, RS, 3},     {10, 14, RS, 300},
                 {20, 40, RS, 100},     {20, 40, SPARSE, 100}, {12, 60, SPARSE, 100},
                 {30, 34, SPARSE, 200}, {3, 256, RS, 5}};

    for (size_t i = 0; i < COUNT(codes); i++) {
        int lost[256], p = codes[i].m - codes[i].k;
        struct code c;

        make_code(&c, codes[i].k, codes[i].m, codes[i].kind);
        for (int t = 0; t < codes[i].times; t++) {
            int n = t % 2 ? p : 1 + (int) test_random((unsigned) p);
            random_choice(lost, n, c.m);
            if (!check_loss(&c, lost, n))
                EXPECT(c.kind == RS || c.kind == SPARSE, "a cauchy code decodes every loss");
        }
        first_choice(lost, p < c.k ? p : c.k); /* data alone */
        check_loss(&c, lost, p < c.k ? p : c.k);
        free_code(&c);
    }
}

static void test_decode_errors(void)
{
    enum { K = 4, M = 7 };
    static const int none[] = {0}, two[] = {6, 0}, low[] = {0, -1}, high[] = {0, 7},
                     twice[] = {2, 2}, four[] = {0, 1, 2, 3},
                     twice_of_many[] = {1, 2, 3, 4, 5, 6, 0, 6}, high_then_twice[] = {9, 1, 1},
                     twice_then_high[] = {1, 1, 9};
    uint8_t a[M * K], bad[M * K], singular[M * K];
    struct isal_ec_decode *plan = test_alloc(isal_ec_decode_size(K, M, M - K));
    const struct {
        const char *what;
        int status, k, m, nlost;
        const int *lost;
        const uint8_t *matrix;
        int no_plan;
    } cases[] = {
        {"no loss", ISAL_EC_OK, K, M, 0, none, a, 0},
        {"no loss, no list", ISAL_EC_OK, K, M, 0, NULL, a, 0},
        {"two lost", ISAL_EC_OK, K, M, 2, two, a, 0},
        {"no plan", ISAL_EC_BAD_ARGUMENT, K, M, 2, two, a, 1},
        {"no matrix", ISAL_EC_BAD_ARGUMENT, K, M, 2, two, NULL, 0},
        {"no list", ISAL_EC_BAD_ARGUMENT, K, M, 2, NULL, a, 0},
        {"negative count", ISAL_EC_BAD_ARGUMENT, K, M, -1, two, a, 0},
        {"k = 0", ISAL_EC_BAD_GEOMETRY, 0, M, 2, two, a, 0},
        {"k < 0", ISAL_EC_BAD_GEOMETRY, -1, M, 2, two, a, 0},
        {"k > m", ISAL_EC_BAD_GEOMETRY, K, K - 1, 2, two, a, 0},
        {"m > 256", ISAL_EC_BAD_GEOMETRY, K, 257, 2, two, a, 0},
        {"m is huge", ISAL_EC_BAD_GEOMETRY, K, 2147483647, 2, two, a, 0},
        {"not systematic", ISAL_EC_BAD_MATRIX, K, M, 2, two, bad, 0},
        {"number below 0", ISAL_EC_OUT_OF_RANGE, K, M, 2, low, a, 0},
        {"number above m - 1", ISAL_EC_OUT_OF_RANGE, K, M, 2, high, a, 0},
        {"twice", ISAL_EC_DUPLICATE, K, M, 2, twice, a, 0},
        {"four lost", ISAL_EC_TOO_MANY_LOST, K, M, 4, four, a, 0},
        {"singular", ISAL_EC_SINGULAR, K, M, 1, none, singular, 0},
        /* the first error counts */
        {"no plan, m > 256", ISAL_EC_BAD_ARGUMENT, K, 257, 2, two, a, 1},
        {"m > 256, not systematic", ISAL_EC_BAD_GEOMETRY, K, 257, 2, high, bad, 0},
        {"not systematic, out of range", ISAL_EC_BAD_MATRIX, K, M, 2, high, bad, 0},
        {"out of range, then twice", ISAL_EC_OUT_OF_RANGE, K, M, 3, high_then_twice, a, 0},
        {"twice, then out of range", ISAL_EC_DUPLICATE, K, M, 3, twice_then_high, a, 0},
        {"twice, too many", ISAL_EC_DUPLICATE, K, M, 8, twice_of_many, a, 0},
        {"too many, singular", ISAL_EC_TOO_MANY_LOST, K, M, 4, four, singular, 0},
    };
    uint8_t buffer[M][SHARD_LEN], *shards[M];

    gf_gen_cauchy1_matrix(a, M, K);
    memcpy(bad, a, sizeof a);
    bad[K * K - 2] = 1;
    memcpy(singular, a, sizeof a);
    for (int i = K; i < M; i++)
        singular[i * K] = 0; /* nothing holds data shard 0 but itself */
    for (size_t i = 0; i < COUNT(cases); i++) {
        int status = isal_ec_decode_init(cases[i].no_plan ? NULL : plan, cases[i].k, cases[i].m,
                                         cases[i].matrix, cases[i].lost, cases[i].nlost);
        EXPECT(status == cases[i].status, "%s: %s", cases[i].what, isal_ec_strerror(status));
    }

    for (int status = 1; status >= -8; status--) {
        EXPECT(isal_ec_strerror(status) && *isal_ec_strerror(status), "%d", status);
        for (int other = 0; other >= -7; other--)
            EXPECT(status == other || strcmp(isal_ec_strerror(status), isal_ec_strerror(other)),
                   "%d and %d read the same", status, other);
    }

    EXPECT(isal_ec_decode_source(NULL, 0) == -1, "no plan");
    isal_ec_decode_init(plan, K, M, a, two, 2);
    memset(buffer, UNTOUCHED, sizeof buffer);
    for (int i = 0; i < M; i++)
        shards[i] = buffer[i];
    EXPECT(isal_ec_decode_data(NULL, 1, shards) == ISAL_EC_BAD_ARGUMENT, "no plan");
    EXPECT(isal_ec_decode_data(plan, 1, NULL) == ISAL_EC_BAD_ARGUMENT, "no shards");
    EXPECT(isal_ec_decode_data(plan, -1, shards) == ISAL_EC_BAD_ARGUMENT, "negative length");
    for (int i = 0; i < M; i++) {
        int used = i == two[0] || i == two[1];
        for (int j = 0; j < K; j++)
            used |= isal_ec_decode_source(plan, j) == i;
        if (!used)
            continue;
        shards[i] = NULL;
        EXPECT(isal_ec_decode_data(plan, SHARD_LEN, shards) == ISAL_EC_BAD_ARGUMENT,
               "shard %d is NULL", i);
        shards[i] = buffer[i];
    }
    EXPECT(all_bytes(buffer[0], sizeof buffer, UNTOUCHED), "an error, but something is written");
    free(plan);
}

static void test_decode_size(void)
{
    for (int k = -1; k < 259; k++)
        for (int m = -1; m < 259; m++) {
            int valid = k >= 1 && k <= m && m <= 256;
            size_t previous = isal_ec_decode_size(k, m, 0);
            EXPECT((previous > 0) == valid && isal_ec_decode_size(k, m, -1) == 0 &&
                       isal_ec_decode_size(k, m, m - k + 1) == 0,
                   "k %d, m %d", k, m);
            for (int lost = 1; valid && lost <= m - k; lost++) {
                size_t size = isal_ec_decode_size(k, m, lost);
                EXPECT(size >= previous + 32 * (size_t) k, "k %d, m %d, %d lost", k, m, lost);
                previous = size;
            }
        }
}

/* ---- Whether a matrix is MDS ---- */

static int every_choice_decodes(const uint8_t *a, int k, int m)
{
    const uint8_t *rows[256];
    int chosen[256];

    first_choice(chosen, k);
    do {
        for (int i = 0; i < k; i++)
            rows[i] = a + chosen[i] * k;
        if (rank(rows, k, k) < k)
            return 0;
    } while (next_choice(chosen, k, m));
    return 1;
}

/* The choices of k of m rows that do not decode; the last of them is left in `singular`. */
static int singular_choices(const uint8_t *a, int k, int m, int *singular)
{
    const uint8_t *rows[256];
    int chosen[256], count = 0;

    first_choice(chosen, k);
    do {
        for (int i = 0; i < k; i++)
            rows[i] = a + chosen[i] * k;
        if (rank(rows, k, k) == k)
            continue;
        memcpy(singular, chosen, (size_t) k * sizeof *chosen);
        count++;
    } while (next_choice(chosen, k, m));
    return count;
}

/* A Cauchy matrix of random elements. */
static void make_random_cauchy(uint8_t *a, int k, int m)
{
    int element[256];

    first_choice(element, 256);
    for (int i = 0; i < m; i++) {
        int other = i + (int) test_random((unsigned) (256 - i)), t = element[i];
        element[i] = element[other];
        element[other] = t;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            a[i * k + j] = i < k ? i == j : gf_inv((uint8_t) (element[i] ^ element[j]));
}

/* Changes one entry of an MDS matrix so that the chosen rows do not decode. */
static void plant(uint8_t *a, int k, const int *chosen)
{
    const uint8_t *rows[256];
    int holds[256] = {0}; /* data shards chosen */
    uint8_t *changed;
    int j = 0;

    for (int i = 0; i < k; i++) {
        rows[i] = a + chosen[i] * k;
        if (chosen[i] < k)
            holds[chosen[i]] = 1;
    }
    while (holds[j])
        j++;
    changed = a + chosen[k - 1] * k + j;
    do
        ++*changed;
    while (rank(rows, k, k) == k);
}

/* Matrices of which exactly one choice of rows does not decode: each choice in turn. */
static void test_is_mds_planted(void)
{
    static const int geometry[][2] = {{2, 7}, {3, 8}, {4, 10}, {5, 10}, {6, 10}, {6, 11}};
    uint8_t a[11 * 6];

    for (size_t g = 0; g < COUNT(geometry); g++) {
        int k = geometry[g][0], m = geometry[g][1], chosen[6], singular[6];
        first_choice(chosen, k); /* all data shards */
        while (next_choice(chosen, k, m)) {
            int tries = 0;
            do {
                make_random_cauchy(a, k, m);
                plant(a, k, chosen);
            } while (singular_choices(a, k, m, singular) != 1 && ++tries < 100);
            EXPECT(tries < 100 && !memcmp(chosen, singular, (size_t) k * sizeof *chosen),
                   "%d of %d: the model is wrong", k, m);
            EXPECT(isal_ec_is_mds(a, m, k) == 0, "%d of %d, shards %d .. %d do not decode", k, m,
                   chosen[0], chosen[k - 1]);
        }
    }
}

static void test_is_mds(void)
{
    static uint8_t a[256 * 256];
    /* ranges known to be safe for gf_gen_rs_matrix(), at their ends */
    static const int safe_rs[][2] = {{1, 256}, {2, 256},   {3, 256},   {4, 25},    {5, 10},
                                     {21, 25}, {253, 256}, {254, 256}, {255, 256}, {100, 103}};
    static const int unsafe_rs[][2] = {{22, 26}, {6, 11}, {5, 11}, {4, 26}}; /* just beyond */
    static const int cauchy[][2] = {{1, 256},   {255, 256}, {128, 256},
                                    {100, 256}, {156, 256}, {20, 40}};
    int safe = 0, unsafe = 0;

    for (int k = 1; k <= 8; k++)
        for (int m = k; m <= k + (k < 6 ? 6 : 4); m++)
            for (int kind = RS; kind <= SCALED; kind++)
                for (int t = 0; t < (kind == DENSE || kind == SPARSE ? 6 : 1); t++) {
                    int want, result;
                    make_matrix(a, k, m, (enum matrix) kind);
                    want = every_choice_decodes(a, k, m);
                    result = isal_ec_is_mds(a, m, k);
                    EXPECT(result == want, "%s %d of %d: %d", matrix_names[kind], k, m, result);
                    EXPECT(want || (kind != CAUCHY && kind != SCALED), "the model is wrong");
                    *(want ? &safe : &unsafe) += 1;
                }
    EXPECT(safe > 100 && unsafe > 100, "%d matrices are MDS, %d are not: too few", safe, unsafe);
    for (size_t i = 0; i < COUNT(cauchy); i++) {
        gf_gen_cauchy1_matrix(a, cauchy[i][1], cauchy[i][0]);
        EXPECT(isal_ec_is_mds(a, cauchy[i][1], cauchy[i][0]) == 1, "cauchy %d of %d", cauchy[i][0],
               cauchy[i][1]);
    }
    for (size_t i = 0; i < COUNT(safe_rs); i++) {
        gf_gen_rs_matrix(a, safe_rs[i][1], safe_rs[i][0]);
        EXPECT(isal_ec_is_mds(a, safe_rs[i][1], safe_rs[i][0]) == 1, "rs %d of %d", safe_rs[i][0],
               safe_rs[i][1]);
    }
    for (size_t i = 0; i < COUNT(unsafe_rs); i++) {
        gf_gen_rs_matrix(a, unsafe_rs[i][1], unsafe_rs[i][0]);
        EXPECT(isal_ec_is_mds(a, unsafe_rs[i][1], unsafe_rs[i][0]) == 0 &&
                   !every_choice_decodes(a, unsafe_rs[i][0], unsafe_rs[i][1]),
               "rs %d of %d", unsafe_rs[i][0], unsafe_rs[i][1]);
    }
    gf_gen_rs_matrix(a, 256, 128);
    EXPECT(isal_ec_is_mds(a, 256, 128) == 0, "rs 128 of 256");

    gf_gen_cauchy1_matrix(a, 6, 4);
    EXPECT(isal_ec_is_mds(NULL, 6, 4) == -1 && isal_ec_is_mds(a, 6, 0) == -1 &&
               isal_ec_is_mds(a, 6, -1) == -1 && isal_ec_is_mds(a, 3, 4) == -1 &&
               isal_ec_is_mds(a, 257, 4) == -1,
           "arguments out of range");
    a[1] = 1;
    EXPECT(isal_ec_is_mds(a, 6, 4) == -1, "not systematic");
}

/* ---- The library that this one replaces, where it is installed ---- */

#if HAVE_DLOPEN

#define PEER_FUNCTIONS(X)                                                                          \
    X(gf_mul, unsigned char, (unsigned char, unsigned char) )                                      \
    X(gf_inv, unsigned char, (unsigned char) )                                                     \
    X(gf_gen_rs_matrix, void, (unsigned char *, int, int) )                                        \
    X(gf_gen_cauchy1_matrix, void, (unsigned char *, int, int) )                                   \
    X(gf_invert_matrix, int, (unsigned char *, unsigned char *, int) )                             \
    X(ec_init_tables, void, (int, int, unsigned char *, unsigned char *) )                         \
    X(ec_encode_data, void, (int, int, int, unsigned char *, unsigned char **, unsigned char **) ) \
    X(ec_encode_data_update, void,                                                                 \
      (int, int, int, int, unsigned char *, unsigned char *, unsigned char **) )                   \
    X(gf_vect_dot_prod, void, (int, int, unsigned char *, unsigned char **, unsigned char *) )     \
    X(gf_vect_mad, void, (int, int, int, unsigned char *, unsigned char *, unsigned char *) )      \
    X(gf_vect_mul_init, void, (unsigned char, unsigned char *) )                                   \
    X(gf_vect_mul, void, (int, unsigned char *, void *, void *) )

static struct {
#define X(name, result, arguments) result(*name) arguments;
    PEER_FUNCTIONS(X)
#undef X
} peer;

/* Another libisal.so.2: this program carries its own copy of the library and has loaded none. */
static int open_peer(void)
{
    int flags = RTLD_NOW | RTLD_LOCAL;
    void *handle, *symbol;
    Dl_info info;

#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__)
    flags |= RTLD_DEEPBIND; /* which the address sanitizer refuses */
#endif
    handle = dlopen("libisal.so.2", flags);
    if (!handle) {
        test_skip("%s", dlerror());
        return 0;
    }
    if (dlsym(handle, "isal_set_isa_limit")) {
        test_skip("the libisal.so.2 found is this library");
        return 0;
    }
#define X(name, result, arguments)                                   \
    symbol = dlsym(handle, #name);                                   \
    if (!EXPECT(symbol && dladdr(symbol, &info) && info.dli_fname && \
                    strstr(info.dli_fname, "libisal.so.2"),          \
                #name " is not that of the other library"))          \
        return 0;                                                    \
    memcpy(&peer.name, &symbol, sizeof symbol);
    PEER_FUNCTIONS(X)
#undef X
    printf("comparing with %s\n", info.dli_fname);
    return 1;
}

static void compare_matrices(void)
{
    static uint8_t ours[2][256 * 256], theirs[2][256 * 256];

    for (int t = 0; t < 300; t++) {
        int m = 1 + (int) test_random(t % 10 ? 40 : 256), k = 1 + (int) test_random((unsigned) m);
        size_t size = (size_t) (m * k);
        gf_gen_rs_matrix(ours[0], m, k);
        peer.gf_gen_rs_matrix(theirs[0], m, k);
        gf_gen_cauchy1_matrix(ours[1], m, k);
        peer.gf_gen_cauchy1_matrix(theirs[1], m, k);
        EXPECT(!memcmp(ours[0], theirs[0], size), "rs matrix, m %d, k %d", m, k);
        EXPECT(!memcmp(ours[1], theirs[1], size), "cauchy matrix, m %d, k %d", m, k);
    }
    for (int t = 0; t < 600; t++) {
        int n = 1 + (int) test_random(t % 10 ? 20 : 130), result, expected;
        size_t size = (size_t) (n * n);
        for (size_t i = 0; i < size; i++) /* every other one is sparse, so that many are singular */
            ours[0][i] = (uint8_t) (t % 2 ? test_random(256) : test_random(4) ? 0 : test_random(3));
        memcpy(theirs[0], ours[0], size);
        result = gf_invert_matrix(ours[0], ours[1], n);
        expected = peer.gf_invert_matrix(theirs[0], theirs[1], n);
        EXPECT(result == expected, "inversion of order %d: %d", n, result);
        EXPECT(result || (!memcmp(ours[1], theirs[1], size) && !memcmp(ours[0], theirs[0], size)),
               "inverse of order %d", n);
    }
}

static void compare_coding(void)
{
    for (int t = 0; t < 60; t++) {
        int k = 1 + (int) test_random(t % 8 ? 20 : 140), rows = 1 + (int) test_random(14);
        size_t row_bytes = 32 * (size_t) k;
        uint8_t *tables = test_alloc(row_bytes * (size_t) rows);
        struct stripe s;

        make_stripe(&s, k, rows);
        peer.ec_init_tables(k, rows, s.coef, tables);
        for (int i = 0; i < 12; i++) {
            int len = i < 6 ? (int) test_random(300) : (int) test_random(MAX_LEN), j, last;
            prepare(&s, len, UNTOUCHED);
            peer.ec_encode_data(len, k, rows, tables, s.src, s.dst);
            EXPECT(rows_are_right(&s, 0, rows, len), "encode, k %d, rows %d, len %d", k, rows, len);

            /* update on top of each other: ours after theirs, of the same source, cancels */
            j = (int) test_random((unsigned) k);
            peer.ec_encode_data_update(len, k, rows, j, tables, s.src[j], s.dst);
            ec_encode_data_update(len, k, rows, j, s.tables, s.src[j], s.dst);
            EXPECT(rows_are_right(&s, 0, rows, len), "update, k %d, rows %d, len %d", k, rows, len);
            if (len < 64)
                continue;
            last = rows - 1;
            peer.gf_vect_mad(len, k, j, tables + row_bytes * (size_t) last, s.src[j], s.dst[last]);
            gf_vect_mad(len, k, j, s.tables + row_bytes * (size_t) last, s.src[j], s.dst[last]);
            EXPECT(rows_are_right(&s, 0, rows, len), "mad, k %d, len %d", k, len);
            prepare(&s, len, UNTOUCHED);
            for (int r = 0; r < rows; r++)
                peer.gf_vect_dot_prod(len, k, tables + row_bytes * (size_t) r, s.src, s.dst[r]);
            EXPECT(rows_are_right(&s, 0, rows, len), "dot_prod, k %d, len %d", k, len);
        }
        free_stripe(&s);
        free(tables);
    }
}

static void compare_products(void)
{
    _Alignas(64) uint8_t src[1024], ours[1024], theirs[1024], table[32], their_table[32];

    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++)
            EXPECT(gf_mul((uint8_t) a, (uint8_t) b) == peer.gf_mul((uint8_t) a, (uint8_t) b),
                   "%u * %u", a, b);
        EXPECT(gf_inv((uint8_t) a) == peer.gf_inv((uint8_t) a), "1 / %u", a);
        test_fill_random(src, sizeof src);
        gf_vect_mul_init((uint8_t) a, table);
        peer.gf_vect_mul_init((uint8_t) a, their_table);
        peer.gf_vect_mul(1024, their_table, src, theirs); /* returns nothing before 2.31 */
        EXPECT(gf_vect_mul(1024, table, src, ours) == 0 && !memcmp(ours, theirs, 1024),
               "%u times a buffer", a);
    }
}

static void test_peer(void)
{
    if (!open_peer())
        return;
    compare_products();
    compare_matrices();
    compare_coding();
}

#else

static void test_peer(void)
{
    test_skip("this system has no dlopen()");
}

#endif

int main(int argc, char **argv)
{
    test_start(argc, argv);
    make_model();
    find_tiers();
    TEST(test_field);
    TEST(test_generators);
    TEST(test_invert);
    TEST(test_tables);
    TEST(test_vect_mul);
    TEST(test_published_parity);
    TEST(test_encode);
    TEST(test_encode_nothing);
    TEST(test_update);
    TEST(test_entry_points);
    TEST(test_tier_pairs);
    TEST(test_decode_every_loss);
    TEST(test_decode_random_loss);
    TEST(test_decode_errors);
    TEST(test_decode_size);
    TEST(test_is_mds);
    TEST(test_is_mds_planted);
    TEST(test_peer);
    return test_finish();
}
