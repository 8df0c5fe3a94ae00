/* Compares the erasure code functions with another libisal.so.2, where one is installed.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE /* RTLD_DEEPBIND and dladdr */

#include "ec_test.h"
#include "peer.h"

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

static int open_peer(void)
{
    void *library = peer_open(), *symbol;

    if (!library)
        return 0;
#define X(name, result, arguments)                            \
    symbol = peer_symbol(library, #name);                     \
    if (!EXPECT(symbol, "the other library lacks %s", #name)) \
        return 0;                                             \
    memcpy(&peer.name, &symbol, sizeof symbol);
    PEER_FUNCTIONS(X)
#undef X
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
        for (size_t i = 0; i < size; i++) /* half of them sparse and often singular */
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

            /* an update with their function, then the same with ours: they cancel */
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

int main(int argc, char **argv)
{
    ec_test_start(argc, argv);
    TEST(test_peer);
    return test_finish();
}
