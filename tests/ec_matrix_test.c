/* Tests of the field, the matrices and the tables of erasure codes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_test.h"

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
    EXPECT(!memcmp(a + 16, cauchy, sizeof cauchy), "published Cauchy matrix");
    gf_gen_cauchy1_matrix(a, 5, 3);
    EXPECT(!memcmp(a + 9, cauchy3, sizeof cauchy3), "published Cauchy matrix");
}

/* Inverts a copy of a under every tier, and checks the result with the model. */
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
               "%s of order %d, %s: bytes outside the matrices are written", what, n, tier);
        if (result)
            continue;
        wrong = 0;
        for (int i = 0; i < n * n; i++)
            wrong += in[i] != (i % (n + 1) == 0);
        EXPECT(!wrong, "%s of order %d, %s: the input is not the identity", what, n, tier);
        if (known)
            EXPECT(!memcmp(out, want, size),
                   "%s of order %d, %s: differs from the inverse of the first tier", what, n, tier);
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

    /* a permutation: every step swaps rows */
    first_choice(order, n);
    for (int i = n - 1; i > 0; i--) {
        int j = (int) test_random((unsigned) i); /* every element moves */
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

    /* singular, found in the last step: the last row is a sum of the others */
    test_fill_random(a, (size_t) (n * n));
    for (int j = 0; j < n; j++)
        a[(n - 1) * n + j] = 0;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n; j++)
            a[(n - 1) * n + j] ^= product[(i + 1) & 255][a[i * n + j]];
    check_inversion(a, n, "matrix with a dependent row");
    for (int i = 0; i < n; i++) /* singular, found in the first step */
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
            /* every coefficient, in a set of tables and alone */
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
            /* order of the tables */
            test_fill_random(coef, sizeof coef);
            (base ? ec_init_tables_base : ec_init_tables)(K, ROWS, coef, tables);
            for (int r = 0; r < ROWS; r++)
                for (int j = 0; j < K; j++)
                    EXPECT(tables[32 * (r * K + j) + 1] == coef[r * K + j], "%s row %d, source %d",
                           tier, r, j);
            /* k or rows of 0 or less */
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

/* ---- isal_ec_is_mds() ---- */

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

/* Returns the number of choices of k rows that do not decode, and the last of them in
 * `singular`. */
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
static void make_singular(uint8_t *a, int k, const int *chosen)
{
    const uint8_t *rows[256];
    int is_chosen[256] = {0}; /* by data shard */
    uint8_t *changed;
    int j = 0;

    for (int i = 0; i < k; i++) {
        rows[i] = a + chosen[i] * k;
        if (chosen[i] < k)
            is_chosen[chosen[i]] = 1;
    }
    while (is_chosen[j])
        j++;
    changed = a + chosen[k - 1] * k + j;
    do
        ++*changed;
    while (rank(rows, k, k) == k);
}

/* Matrices in which exactly one choice of rows does not decode, for every choice. */
static void test_is_mds_one_loss(void)
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
                make_singular(a, k, chosen);
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
    /* the largest geometries that are safe with gf_gen_rs_matrix() */
    static const int safe_rs[][2] = {{1, 256}, {2, 256},   {3, 256},   {4, 25},    {5, 10},
                                     {21, 25}, {253, 256}, {254, 256}, {255, 256}, {100, 103}};
    static const int unsafe_rs[][2] = {
        {22, 26}, {6, 11}, {5, 11}, {4, 26}}; /* the next larger ones */
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
    EXPECT(isal_ec_is_mds(a, 6, 4) == -1, "first rows not the identity");
}

int main(int argc, char **argv)
{
    ec_test_start(argc, argv);
    TEST(test_field);
    TEST(test_generators);
    TEST(test_invert);
    TEST(test_tables);
    TEST(test_is_mds);
    TEST(test_is_mds_one_loss);
    return test_finish();
}
