/* Matrices over GF(2^8): generators and inversion.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "isa-l/erasure_code.h"

#include "ec_kernels.h"

/* Writes the first `rows` rows of the identity of order k. */
static void identity(unsigned char *a, int rows, int k)
{
    memset(a, 0, (size_t) rows * (size_t) k);
    for (size_t i = 0; i < (size_t) rows; i++)
        a[i * (size_t) k + i] = 1;
}

ISAL_PUBLIC void gf_gen_rs_matrix(unsigned char *a, int m, int k)
{
    unsigned char base = 1; /* 2^(i-k) */

    if (k <= 0 || m <= 0)
        return;
    identity(a, m < k ? m : k, k);
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
    if (k <= 0 || m <= 0)
        return;
    identity(a, m < k ? m : k, k);
    for (int i = k; i < m; i++)
        for (int j = 0; j < k; j++)
            a[(size_t) i * (size_t) k + (size_t) j] = gf_inv((unsigned char) (i ^ j));
}

int isalk_ec_is_systematic(const unsigned char *a, int k)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            if (a[i * k + j] != (i == j))
                return 0;
    return 1;
}

static void swap_rows(unsigned char *x, unsigned char *y, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        unsigned char t = x[j];
        x[j] = y[j];
        y[j] = t;
    }
}

/* The elimination kernel for rows of any length, in terms of public functions: each update adds
 * multiples of row p to at most BATCH rows. */
static void eliminate_unpadded(unsigned char *a, size_t stride, size_t n, size_t p,
                               unsigned char *pivot)
{
    enum { BATCH = 60 };
    unsigned char tables[BATCH * 32], coef[BATCH], *rows[BATCH], *row = a + p * stride;

    coef[0] = gf_inv(row[p]);
    row[p] ^= 1;
    gf_vect_mul_init(coef[0], tables);
    gf_vect_mad((int) stride, 1, 0, tables, row, memset(pivot, 0, stride));
    for (size_t r = 0; r < n; r += BATCH) {
        size_t count = n - r < BATCH ? n - r : BATCH;
        for (size_t i = 0; i < count; i++) {
            rows[i] = a + (r + i) * stride;
            coef[i] = rows[i][p]; /* including row p, which is replaced below */
        }
        ec_init_tables(1, (int) count, coef, tables);
        ec_encode_data_update((int) stride, 1, (int) count, 0, tables, pivot, rows);
    }
    memcpy(row, pivot, stride);
    row[p] ^= 1;
}

/* Scratch bytes of invert(): a row, and for each step p the number of the row swapped with row
 * p. */
#define WORK_BYTES(n, stride) ((stride) + (n) * sizeof(uint32_t))

/* Inverts in place a matrix of n rows, `stride` bytes apart. Returns -1 if it is singular. */
static int invert(unsigned char *a, size_t n, size_t stride, unsigned char *work)
{
    gf_eliminate_fn *eliminate = KERNEL_CALL(isalk_gf_eliminate_slot);
    unsigned char *swapped = work + stride; /* n values of uint32_t, unaligned */
    uint32_t found;

    if (stride % 32 || stride > 256)
        eliminate = eliminate_unpadded;
    for (size_t p = 0; p < n; p++) {
        found = (uint32_t) p;
        while (found < n && !a[found * stride + p])
            found++;
        if (found == n)
            return -1;
        memcpy(swapped + p * sizeof found, &found, sizeof found);
        if (found != p)
            swap_rows(a + p * stride, a + found * stride, n);
        eliminate(a, stride, n, p, work);
    }
    /* Swapped rows of a matrix are swapped columns of its inverse. */
    for (size_t p = n; p-- > 0;) {
        memcpy(&found, swapped + p * sizeof found, sizeof found);
        for (size_t r = 0; found != p && r < n; r++) {
            unsigned char *row = a + r * stride, t = row[p];
            row[p] = row[found];
            row[found] = t;
        }
    }
    return 0;
}

#define MAX_PADDED 64 /* order below which rows are padded to 32 bytes, on the stack */

ISAL_PUBLIC int gf_invert_matrix(unsigned char *in, unsigned char *out, const int n)
{
    size_t order = (size_t) n, stride = (order + 31) & ~(size_t) 31;
    int result;

    if (n <= 0)
        return 0;
    if (n < MAX_PADDED && stride != order) {
        unsigned char rows[MAX_PADDED * MAX_PADDED], work[WORK_BYTES(MAX_PADDED, MAX_PADDED)];
        memset(rows, 0, order * stride); /* valgrind reports uninitialized padding */
        for (size_t i = 0; i < order; i++)
            memcpy(rows + i * stride, in + i * order, order);
        result = invert(rows, order, stride, work);
        for (size_t i = 0; i < order; i++)
            memcpy(out + i * order, rows + i * stride, order);
    } else {
        memcpy(out, in, order * order);
        result = invert(out, order, order, in); /* large enough for WORK_BYTES from order 32 on */
    }
    if (!result)
        identity(in, n, n);
    return result;
}
