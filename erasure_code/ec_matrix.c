/* Matrices over GF(2^8): generators, inversion, and whether a code can lose any m - k shards.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "isa-l/erasure_code.h"

#include "ec_kernels.h"

static void identity(unsigned char *a, int k)
{
    memset(a, 0, (size_t) k * (size_t) k);
    for (size_t i = 0; i < (size_t) k; i++)
        a[i * (size_t) k + i] = 1;
}

ISAL_PUBLIC void gf_gen_rs_matrix(unsigned char *a, int m, int k)
{
    unsigned char base = 1; /* 2^(i-k) */

    if (k <= 0)
        return;
    identity(a, k);
    for (int i = k; i < m; i++) {
        unsigned char power = 1;
        for (int j = 0; j < k; j++) {
            a[(size_t) i * (size_t) k + (size_t) j] = power;
            power = gf_mul(power, base);
        }
        base = gf_mul(base, 2);
    }
}

ISAL_PUBLIC void gf_gen_cauchy1_matrix(unsigned char *a, int m, int k)
{
    if (k <= 0)
        return;
    identity(a, k);
    for (int i = k; i < m; i++)
        for (int j = 0; j < k; j++)
            a[(size_t) i * (size_t) k + (size_t) j] = gf_inv((unsigned char) (i ^ j));
}

/* Gauss-Jordan elimination in place: after step p, columns 0 .. p hold the inverse's part. The row
 * operations of one step, row_r ^= c_r * row_p for all r but p, are one call of the update kernel.
 * */
ISAL_PUBLIC int gf_invert_matrix(unsigned char *in, unsigned char *out, const int n)
{
    unsigned char tables[256 * 32], coef[256];
    unsigned char *others[256];
    unsigned char swapped[256]; /* row exchanged with row p in step p */
    size_t order = (size_t) n;

    if (n <= 0)
        return 0;
    if (n > 256)
        return -1;
    memcpy(out, in, order * order);
    for (int p = 0; p < n; p++) {
        unsigned char *row = out + (size_t) p * order;
        int pivot = p, count = 0;

        while (pivot < n && !out[(size_t) pivot * order + (size_t) p])
            pivot++;
        if (pivot == n)
            return -1;
        swapped[p] = (unsigned char) pivot;
        if (pivot != p)
            for (int j = 0; j < n; j++) {
                unsigned char t = row[j];
                row[j] = out[(size_t) pivot * order + (size_t) j];
                out[(size_t) pivot * order + (size_t) j] = t;
            }

        coef[0] = gf_inv(row[p]);
        row[p] = 1;
        if (coef[0] != 1)
            for (int j = 0; j < n; j++)
                row[j] = gf_mul(row[j], coef[0]);

        for (int r = 0; r < n; r++) {
            unsigned char *other = out + (size_t) r * order;
            if (r != p && other[p]) {
                coef[count] = other[p];
                other[p] = 0;
                others[count++] = other;
            }
        }
        ec_init_tables(1, count, coef, tables);
        ec_encode_data_update(n, 1, count, 0, tables, row, others);
    }
    /* A exchange of rows of the matrix is one of columns of its inverse. */
    for (int p = n - 1; p >= 0; p--)
        if (swapped[p] != p)
            for (size_t i = 0; i < order; i++) {
                unsigned char *row = out + i * order, t = row[p];
                row[p] = row[swapped[p]];
                row[swapped[p]] = t;
            }
    identity(in, n);
    return 0;
}
