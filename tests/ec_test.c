/* Tests of multiplication, encoding and updating of erasure codes, through every public function.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_test.h"

/* ---- Public functions by instruction set ---- */

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
    dot_rows_fn *dot_rows[7]; /* by number of rows; NULL: no such function */
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

/* Returns whether this CPU can run the functions. Without assembly they are portable C. */
static int entry_runs(const struct entry_points *e)
{
    const char *tier;
    int usable;

    for (size_t i = 0; (tier = isal_list_variants("ec_encode_data", i, &usable)) != NULL; i++)
        if (!strcmp(tier, e->isa))
            return usable;
    return 1;
}

/* Checks every function of e with a stripe of at most 6 rows and the given tables. */
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
                    continue; /* slow in portable C; covered by other lengths */
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

/* No sources: the sum is zero. No rows, no bytes or negative counts: nothing is written. */
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
        /* one source replaced: parity of the new contents, updated back to the old ones */
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

/* ---- All functions, and tables used under another tier ---- */

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
                    check_entry_points(&entry_points[f], &s, s.tables, lengths[l],
                                       "tables of the same tier");
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

int main(int argc, char **argv)
{
    ec_test_start(argc, argv);
    TEST(test_vect_mul);
    TEST(test_published_parity);
    TEST(test_encode);
    TEST(test_encode_nothing);
    TEST(test_update);
    TEST(test_entry_points);
    TEST(test_tier_pairs);
    return test_finish();
}
