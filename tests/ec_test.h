/* Model and helpers of the erasure code tests; for programs of one source file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products are computed bit by bit. The public functions run under every tier of this CPU;
 * the kernel check compares kernels with portable C, at every length and alignment. */

#ifndef EC_TEST_H
#define EC_TEST_H

#define ISAL_DEPRECATED_INTERNAL

#include "isa-l/erasure_code.h"

#include <string.h>

#include "dispatch/tiers.h"
#include "test.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define MAX_LEN (4096 + 7)
#define GUARD 64 /* bytes before and after every output that must not change */
#define UNTOUCHED 0xa5

/* Lengths around the width of each SIMD register, and around the multiples of it that unrolled
 * loops process. */
static const int lengths[] = {0,   1,   2,   3,   7,   8,   15,  16,  17,   31,
                              32,  33,  47,  63,  64,  65,  96,  97,  127,  128,
                              129, 191, 255, 256, 257, 511, 512, 513, 1025, MAX_LEN};

/* ---- Model of the field ---- */

static uint8_t product[256][256], inverse[256];

/* a * b modulo x^8+x^4+x^3+x^2+1, by shift and XOR. */
static inline uint8_t multiply(unsigned a, unsigned b)
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

static inline void make_model(void)
{
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++) {
            product[a][b] = multiply(a, b);
            if (product[a][b] == 1)
                inverse[a] = (uint8_t) b;
        }
}

static inline uint8_t power_of_2(int exponent)
{
    uint8_t x = 1;

    while (exponent-- > 0)
        x = product[x][2];
    return x;
}

/* Rank of n rows of k bytes, by elimination. */
static inline int rank(const uint8_t *const *rows, int n, int k)
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
            const uint8_t *multiple = product[product[a[i * k + col]][inverse[a[r * k + col]]]];
            for (int j = col; multiple[1] && j < k; j++)
                a[i * k + j] ^= multiple[a[r * k + j]];
        }
        r++;
    }
    free(a);
    return r;
}

static inline int rank_of_matrix(const uint8_t *a, int n, int k)
{
    const uint8_t *rows[512];

    for (int i = 0; i < n; i++)
        rows[i] = a + i * k;
    return rank(rows, n, k);
}

/* Advances `chosen`, n increasing numbers below m, to the next choice in lexicographic order.
 * Returns 0 after the last one. */
static inline int next_choice(int *chosen, int n, int m)
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

static inline void first_choice(int *chosen, int n)
{
    for (int i = 0; i < n; i++)
        chosen[i] = i;
}

/* n different numbers below m in random order. */
static inline void random_choice(int *chosen, int n, int m)
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

static const char *const all_tiers[] = {TIERS(TIER_NAME)};
static const char *tiers[COUNT(all_tiers)]; /* tiers that this CPU can run */
static size_t tier_count;

static inline void find_tiers(void)
{
    for (size_t i = 0; i < COUNT(all_tiers); i++)
        if (isal_set_isa_limit(all_tiers[i]) == 0 && !strcmp(isal_get_isa(), all_tiers[i]))
            tiers[tier_count++] = all_tiers[i];
        else
            test_state.skipped += printf("SKIP tier %s: not in this CPU or build\n", all_tiers[i]) > 0;
    isal_set_isa_limit(NULL);
}

#define FOR_EACH_TIER(tier)                                                                       \
    for (size_t tier##_i = 0; tier##_i < tier_count || (isal_set_isa_limit(NULL), 0); tier##_i++) \
        for (const char *tier = tiers[tier##_i]; tier; tier = NULL)                               \
            if (isal_set_isa_limit(tier) == 0)

/* ---- Stripes: sources, coefficients, and the outputs that the model expects ---- */

#define MAX_ROWS 33

struct stripe {
    int k, rows;
    uint8_t *coef, *tables;
    uint8_t *src[256];
    uint8_t *want[MAX_ROWS]; /* expected outputs of MAX_LEN bytes; shorter ones are a prefix */
    uint8_t *dst[MAX_ROWS];  /* MAX_LEN bytes, with GUARD bytes before and after */
    uint8_t *memory;
};

/* Random data and coefficients, all buffers misaligned in different ways. */
static inline void make_stripe(struct stripe *s, int k, int rows)
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
    for (size_t i = 0; i < coefs; i++) /* 0 and 1 often, to cover special cases */
        s->coef[i] = (uint8_t) (test_random(8) ? test_random(256) : test_random(2));
    for (int r = 0; r < rows; r++)
        if (test_random(4) == 0)
            memset(s->coef + r * k, 1, (size_t) k); /* runs as XOR */
    ec_init_tables(k, rows, s->coef, s->tables);
    for (int r = 0; r < rows; r++) {
        memset(s->want[r], 0, MAX_LEN);
        for (int j = 0; j < k; j++) {
            const uint8_t *multiple = product[s->coef[r * k + j]];
            for (size_t i = 0; i < MAX_LEN; i++)
                s->want[r][i] ^= multiple[s->src[j][i]];
        }
    }
}

static inline void free_stripe(struct stripe *s)
{
    free(s->memory);
}

/* Sets the first len bytes of each output to `value`, and the guards to UNTOUCHED. */
static inline void prepare(struct stripe *s, int len, int value)
{
    for (int r = 0; r < s->rows; r++) {
        memset(s->dst[r] - GUARD, UNTOUCHED, (size_t) len + 2 * GUARD);
        memset(s->dst[r], value, (size_t) len);
    }
}

static inline int all_bytes(const uint8_t *p, size_t n, uint8_t value)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != value)
            return 0;
    return 1;
}

/* Returns whether output r of s equals want, and the guards are unchanged. */
static inline int output_is(const struct stripe *s, int r, const uint8_t *want, int len)
{
    return !memcmp(s->dst[r], want, (size_t) len) &&
           all_bytes(s->dst[r] - GUARD, GUARD, UNTOUCHED) &&
           all_bytes(s->dst[r] + len, GUARD, UNTOUCHED);
}

/* Returns whether outputs from..to-1 are as expected and the others are unchanged. */
static inline int rows_are_right(const struct stripe *s, int from, int to, int len)
{
    for (int r = 0; r < s->rows; r++)
        if (r >= from && r < to
                ? !output_is(s, r, s->want[r], len)
                : !all_bytes(s->dst[r] - GUARD, (size_t) len + 2 * GUARD, UNTOUCHED))
            return 0;
    return 1;
}

/* ---- Matrices ---- */

enum matrix { RS, CAUCHY, SPARSE, DENSE, SCALED };
static const char *const matrix_names[] = {"rs", "cauchy", "sparse", "random", "scaled cauchy"};

/* Makes an m x k matrix: the identity, then the parity rows. With the many zeros of SPARSE, many
 * losses are undecodable. */
static inline void make_matrix(uint8_t *a, int k, int m, enum matrix kind)
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

/* Prepares the model and the tiers; call it instead of test_start(). */
static inline void ec_test_start(int argc, char **argv)
{
    test_start(argc, argv);
    make_model();
    find_tiers();
}

#endif
