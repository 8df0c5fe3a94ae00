/* Tests of decode plans: every loss of small codes, random losses of large ones, errors.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_test.h"

#define SHARD_LEN 77

struct code {
    int k, m;
    enum matrix kind;
    uint8_t *a, *shards; /* m x k, m x SHARD_LEN */
};

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

/* Rebuilds a stripe of shards of len bytes with a plan. Pointers that the plan does not use are
 * NULL. */
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

/* Checks that a plan can be built if and only if the remaining rows have full rank. Returns 1 in
 * that case. */
static int check_loss(const struct code *c, const int *lost, int nlost)
{
    size_t size = isal_ec_decode_size(c->k, c->m, nlost);
    struct isal_ec_decode *plan = test_alloc(size + GUARD);
    const uint8_t *remaining[256];
    uint8_t is_lost[256] = {0};
    int n = 0, decodable, status;

    for (int i = 0; i < nlost; i++)
        is_lost[lost[i]] = 1;
    for (int i = 0; i < c->m; i++)
        if (!is_lost[i])
            remaining[n++] = c->a + i * c->k;
    decodable = rank(remaining, n, c->k) == c->k;

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
        check_rebuild(c, plan, lost, nlost, 1 + (int) test_random(SHARD_LEN)); /* plan used again */
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
                EXPECT(c.kind == RS || c.kind == SPARSE, "a Cauchy code decodes every loss");
        }
        first_choice(lost, p < c.k ? p : c.k); /* data shards only */
        check_loss(&c, lost, p < c.k ? p : c.k);
        free_code(&c);
    }
}

enum { ERR_K = 4, ERR_M = 7 }; /* geometry of the tests of errors */

static void test_decode_status(void)
{
    enum { K = ERR_K, M = ERR_M };
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
        {"first rows not the identity", ISAL_EC_BAD_MATRIX, K, M, 2, two, bad, 0},
        {"number below 0", ISAL_EC_OUT_OF_RANGE, K, M, 2, low, a, 0},
        {"number above m - 1", ISAL_EC_OUT_OF_RANGE, K, M, 2, high, a, 0},
        {"twice", ISAL_EC_DUPLICATE, K, M, 2, twice, a, 0},
        {"four lost", ISAL_EC_TOO_MANY_LOST, K, M, 4, four, a, 0},
        {"singular", ISAL_EC_SINGULAR, K, M, 1, none, singular, 0},
        /* the first error counts */
        {"no plan, m > 256", ISAL_EC_BAD_ARGUMENT, K, 257, 2, two, a, 1},
        {"m > 256, first rows not the identity", ISAL_EC_BAD_GEOMETRY, K, 257, 2, high, bad, 0},
        {"first rows not the identity, out of range", ISAL_EC_BAD_MATRIX, K, M, 2, high, bad, 0},
        {"out of range, then twice", ISAL_EC_OUT_OF_RANGE, K, M, 3, high_then_twice, a, 0},
        {"twice, then out of range", ISAL_EC_DUPLICATE, K, M, 3, twice_then_high, a, 0},
        {"twice, too many", ISAL_EC_DUPLICATE, K, M, 8, twice_of_many, a, 0},
        {"too many, singular", ISAL_EC_TOO_MANY_LOST, K, M, 4, four, singular, 0},
    };

    gf_gen_cauchy1_matrix(a, M, K);
    memcpy(bad, a, sizeof a);
    bad[K * K - 2] = 1;
    memcpy(singular, a, sizeof a);
    for (int i = K; i < M; i++)
        singular[i * K] = 0; /* no parity depends on data shard 0 */
    for (size_t i = 0; i < COUNT(cases); i++) {
        int status = isal_ec_decode_init(cases[i].no_plan ? NULL : plan, cases[i].k, cases[i].m,
                                         cases[i].matrix, cases[i].lost, cases[i].nlost);
        EXPECT(status == cases[i].status, "%s: %s", cases[i].what, isal_ec_strerror(status));
    }
    free(plan);
}

static void test_strerror(void)
{
    for (int status = 1; status >= -8; status--) {
        EXPECT(isal_ec_strerror(status) && *isal_ec_strerror(status), "%d", status);
        for (int other = 0; other >= -7; other--)
            EXPECT(status == other || strcmp(isal_ec_strerror(status), isal_ec_strerror(other)),
                   "%d and %d have the same text", status, other);
    }
}

/* Errors of the functions that use a plan. */
static void test_decode_data_errors(void)
{
    static const int lost[] = {6, 0};
    struct isal_ec_decode *plan = test_alloc(isal_ec_decode_size(ERR_K, ERR_M, 2));
    uint8_t a[ERR_M * ERR_K], buffer[ERR_M][SHARD_LEN], *shards[ERR_M];

    gf_gen_cauchy1_matrix(a, ERR_M, ERR_K);
    EXPECT(isal_ec_decode_init(plan, ERR_K, ERR_M, a, lost, 2) == ISAL_EC_OK, "two lost");
    EXPECT(isal_ec_decode_source(NULL, 0) == -1, "no plan");
    memset(buffer, UNTOUCHED, sizeof buffer);
    for (int i = 0; i < ERR_M; i++)
        shards[i] = buffer[i];
    EXPECT(isal_ec_decode_data(NULL, 1, shards) == ISAL_EC_BAD_ARGUMENT, "no plan");
    EXPECT(isal_ec_decode_data(plan, 1, NULL) == ISAL_EC_BAD_ARGUMENT, "no shards");
    EXPECT(isal_ec_decode_data(plan, -1, shards) == ISAL_EC_BAD_ARGUMENT, "negative length");
    for (int i = 0; i < ERR_M; i++) {
        int used = i == lost[0] || i == lost[1];
        for (int j = 0; j < ERR_K; j++)
            used |= isal_ec_decode_source(plan, j) == i;
        if (!used)
            continue;
        shards[i] = NULL;
        EXPECT(isal_ec_decode_data(plan, SHARD_LEN, shards) == ISAL_EC_BAD_ARGUMENT,
               "shard %d is NULL", i);
        shards[i] = buffer[i];
    }
    EXPECT(all_bytes(buffer[0], sizeof buffer, UNTOUCHED), "shards are written after an error");
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

int main(int argc, char **argv)
{
    ec_test_start(argc, argv);
    TEST(test_decode_every_loss);
    TEST(test_decode_random_loss);
    TEST(test_decode_status);
    TEST(test_strerror);
    TEST(test_decode_data_errors);
    TEST(test_decode_size);
    return test_finish();
}
