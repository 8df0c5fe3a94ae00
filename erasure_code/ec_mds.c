/* Whether a systematic code is maximum distance separable: every square submatrix of its parity
 * part is invertible.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Source: MacWilliams and Sloane, "The Theory of Error-Correcting Codes", chapter 11, theorem 8. */

#include <string.h>

#include "isa-l/erasure_code.h"

#include "dispatch/compiler.h"

#define MAX_SHARDS 256
#define MAX_ORDER 128 /* a square submatrix has at most min(k, m - k) rows */

/* The parity part, turned so that it has no more rows than columns: the minors are the same. */
struct minors {
    const unsigned char *a;
    int rows, cols, row_stride, col_stride;
    int row[MAX_ORDER]; /* the rows chosen, `order` of them */
    int order;
    unsigned char basis[MAX_ORDER][MAX_ORDER]; /* reduced columns chosen so far */
    int pivot[MAX_ORDER];                      /* entry of basis[i] that is 1 */
};

static unsigned char entry(const struct minors *s, int row, int col)
{
    return s->a[row * s->row_stride + col * s->col_stride];
}

/* Extends the set of `depth` independent columns by each column from `from` up, in the chosen rows.
 * Returns 0 as soon as a set of at most `order` columns is dependent. */
static int columns_independent(struct minors *s, int depth, int from)
{
    if (depth == s->order)
        return 1;
    for (int c = from; c < s->cols; c++) {
        unsigned char *v = s->basis[depth], scale;
        int pivot = 0;

        for (int i = 0; i < s->order; i++)
            v[i] = entry(s, s->row[i], c);
        for (int b = 0; b < depth; b++) {
            unsigned char factor = v[s->pivot[b]];
            if (factor)
                for (int i = 0; i < s->order; i++)
                    v[i] ^= gf_mul(factor, s->basis[b][i]);
        }
        while (pivot < s->order && !v[pivot])
            pivot++;
        if (pivot == s->order)
            return 0;
        if (depth + 1 == s->order)
            continue;
        s->pivot[depth] = pivot;
        scale = gf_inv(v[pivot]);
        for (int i = 0; i < s->order; i++)
            v[i] = gf_mul(v[i], scale);
        if (!columns_independent(s, depth + 1, c + 1))
            return 0;
    }
    return 1;
}

/* All choices of `order` rows, the first `chosen` of which are fixed. */
static int rows_independent(struct minors *s, int chosen, int from)
{
    if (chosen == s->order)
        return columns_independent(s, 0, 0);
    for (int r = from; r <= s->rows - (s->order - chosen); r++) {
        s->row[chosen] = r;
        if (!rows_independent(s, chosen + 1, r + 1))
            return 0;
    }
    return 1;
}

/* Whether a[i][j] = 1 / (x_i + y_j) for distinct x and distinct y: then every minor is non-zero
 * (Cauchy's determinant). Precondition: no entry is zero. */
static int is_cauchy(const struct minors *s)
{
    unsigned char seen_x[256] = {0}, seen_y[256] = {0};
    unsigned char corner = gf_inv(entry(s, 0, 0));

    for (int i = 0; i < s->rows; i++)
        if (seen_x[gf_inv(entry(s, i, 0)) ^ corner]++)
            return 0;
    for (int j = 0; j < s->cols; j++)
        if (seen_y[gf_inv(entry(s, 0, j))]++)
            return 0;
    for (int i = 0; i < s->rows; i++)
        for (int j = 0; j < s->cols; j++)
            if (gf_inv(entry(s, i, j)) !=
                (gf_inv(entry(s, i, 0)) ^ corner ^ gf_inv(entry(s, 0, j))))
                return 0;
    return 1;
}

ISAL_PUBLIC int isal_ec_is_mds(const unsigned char *a, int m, int k)
{
    struct minors s;
    int p = m - k;

    if (!a || k < 1 || m < k || m > MAX_SHARDS)
        return -1;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            if (a[i * k + j] != (i == j))
                return -1;
    if (!p)
        return 1;
    s.a = a + k * k;
    s.rows = p < k ? p : k;
    s.cols = p < k ? k : p;
    s.row_stride = p < k ? k : 1;
    s.col_stride = p < k ? 1 : k;
    if (memchr(s.a, 0, (size_t) p * (size_t) k))
        return 0;
    if (is_cauchy(&s))
        return 1;
    for (s.order = 2; s.order <= s.rows; s.order++)
        if (!rows_independent(&s, 0, 0))
            return 0;
    return 1;
}
