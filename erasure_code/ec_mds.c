/* Tests whether a systematic code is maximum distance separable: whether every square submatrix of
 * its parity part is invertible.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Source: MacWilliams and Sloane, "The Theory of Error-Correcting Codes", chapter 11, theorem 8. */

#include <string.h>

#include "isa-l/erasure_code.h"

#include "erasure_code/ec_kernels.h"
#include "erasure_code/gf_tables.h"

/* Upper limit of minor order * columns. The search never reaches larger minors: at least 10^26
 * smaller ones come first. */
#define MAX_ENTRIES 4096

/* The parity part of a matrix, transposed if it has more rows than columns: the minors are the
 * same. */
struct minors {
    const unsigned char *a;
    int rows, cols, row_stride, col_stride;
    int order;                         /* rows and columns of the current minors */
    unsigned char chosen[MAX_ENTRIES]; /* `order` rows of `cols` entries, partly eliminated */
};

static unsigned char entry(const struct minors *s, int row, int col)
{
    return s->a[row * s->row_stride + col * s->col_stride];
}

static unsigned char *chosen_row(struct minors *s, int i)
{
    return s->chosen + i * s->cols;
}

/* Adds to each row after row `depth` the multiple of row `depth` that would clear its entry in
 * column c. Columns 0 to c do not change, so a second call undoes the first. */
static void eliminate(struct minors *s, int depth, int c)
{
    const unsigned char *pivot = chosen_row(s, depth);

    for (int i = depth + 1; i < s->order; i++) {
        unsigned char *row = chosen_row(s, i);
        const uint8_t *multiple = gf_exp + (gf_log[row[c]] + 255 - gf_log[pivot[c]]) % 255;
        for (int j = c + 1; j < s->cols; j++)
            row[j] ^= multiple[gf_log[pivot[j]]];
    }
}

/* Returns whether the last two rows are independent in every two columns from `from` up. They are
 * if the quotients of their entries are distinct. */
static int pairs_independent(struct minors *s, int from)
{
    const unsigned char *x = chosen_row(s, s->order - 2), *y = chosen_row(s, s->order - 1);
    uint64_t seen[4] = {0}; /* bit set of the logarithms of the quotients */

    for (int c = from; c < s->cols; c++) {
        unsigned quotient = (unsigned) (gf_log[x[c]] + 255 - gf_log[y[c]]) % 255;
        if (seen[quotient / 64] >> quotient % 64 & 1)
            return 0;
        seen[quotient / 64] |= (uint64_t) 1 << quotient % 64;
    }
    return 1;
}

/* Returns whether the chosen rows are independent in every choice of `order` columns. The choices
 * begin with the `depth` columns eliminated so far and continue with columns from `from` up. Those
 * with the same first columns share their elimination.
 *
 * No entry is zero: each is the quotient of two smaller minors, which are known to be non-zero. */
static int columns_independent(struct minors *s, int depth, int from)
{
    int remaining = s->order - depth;

    if (remaining == 2)
        return pairs_independent(s, from);
    for (int c = from; c <= s->cols - remaining; c++) {
        int independent;
        eliminate(s, depth, c);
        independent = columns_independent(s, depth + 1, c + 1);
        eliminate(s, depth, c);
        if (!independent)
            return 0;
    }
    return 1;
}

/* Returns whether columns_independent() holds for every choice of `order` rows. */
static int rows_independent(struct minors *s)
{
    unsigned char row[EC_MAX_SHARDS / 2];
    int i = 0;

    for (row[0] = 0; i >= 0;) {
        if (row[i] > s->rows - (s->order - i)) { /* no choice of row i remains: advance row i-1 */
            if (--i >= 0)
                row[i]++;
            continue;
        }
        if (i + 1 < s->order) {
            row[i + 1] = row[i] + 1;
            i++;
            continue;
        }
        for (int r = 0; r < s->order; r++)
            for (int c = 0; c < s->cols; c++)
                chosen_row(s, r)[c] = entry(s, row[r], c);
        if (!columns_independent(s, 0, 0))
            return 0;
        row[i]++;
    }
    return 1;
}

/* Returns whether a[i][j] = 1 / (x_i + y_j) with distinct x_i and distinct y_j. Every minor of such
 * a matrix is non-zero (Cauchy's determinant). No entry may be zero. */
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

    if (!a || k < 1 || m < k || m > EC_MAX_SHARDS || !isalk_ec_is_systematic(a, k))
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
    for (s.order = 2; s.order <= s.rows && s.order * s.cols <= MAX_ENTRIES; s.order++)
        if (!rows_independent(&s))
            return 0;
    return 1;
}
