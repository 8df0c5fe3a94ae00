/* Portable reference of the erasure code kernels: every other variant must match it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "ec_kernels.h"
#include "gf_tables.h"
#include "isa-l/erasure_code.h"
#include "isa-l/gf_vect_mul.h"

ISAL_PUBLIC unsigned char gf_mul(unsigned char a, unsigned char b)
{
    return a && b ? gf_exp[gf_log[a] + gf_log[b]] : 0;
}

ISAL_PUBLIC unsigned char gf_inv(unsigned char a)
{
    return gf_inverse[a];
}

/* Product of x and the coefficient of a table: a lookup for each nibble of x. */
static uint8_t table_mul(const uint8_t *table, uint8_t x)
{
    return table[x & 15] ^ table[16 + (x >> 4)];
}

ISAL_PUBLIC void gf_vect_mul_init_base(unsigned char c, unsigned char *gftbl)
{
    uint64_t low[4], high[4];

    /* c * x = (c & 15) * x + (c & 0xf0) * x, for eight entries at a time */
    memcpy(low, gf_expand_low[c & 15], 32);
    memcpy(high, gf_expand_high[c >> 4], 32);
    for (int i = 0; i < 4; i++)
        low[i] ^= high[i];
    memcpy(gftbl, low, 32);
}

ISAL_PUBLIC void ec_init_tables_base(int k, int rows, unsigned char *a, unsigned char *gftbls)
{
    if (k <= 0 || rows <= 0)
        return;
    for (size_t i = 0; i < (size_t) k * (size_t) rows; i++)
        gf_vect_mul_init_base(a[i], gftbls + 32 * i);
}

/* `rows` rows of the dot product, for the bytes from pos to end. */
static void dot_rows(int rows, size_t pos, size_t end, size_t k, const uint8_t *tbls,
                     uint8_t *const *src, uint8_t *const *dst)
{
    for (int r = 0; r < rows; r++) {
        const uint8_t *row = tbls + 32 * k * (size_t) r;
        for (size_t i = pos; i < end; i++) {
            uint8_t sum = 0;
            for (size_t j = 0; j < k; j++)
                sum ^= table_mul(row + 32 * j, src[j][i]);
            dst[r][i] = sum;
        }
    }
}

/* Adds one source to `rows` rows, for the bytes from pos to end. */
static void mad_rows(int rows, size_t pos, size_t end, size_t k, const uint8_t *tbls,
                     const uint8_t *src, uint8_t *const *dst)
{
    for (int r = 0; r < rows; r++)
        for (size_t i = pos; i < end; i++)
            dst[r][i] ^= table_mul(tbls + 32 * k * (size_t) r, src[i]);
}

#define X(n, tier)                                                                            \
    void isalk_gf_dot##n##_##tier(size_t pos, size_t end, size_t k, const uint8_t *tbls,      \
                                  uint8_t *const *src, uint8_t *const *dst)                   \
    {                                                                                         \
        dot_rows(n, pos, end, k, tbls, src, dst);                                             \
    }                                                                                         \
    void isalk_gf_dot##n##_ones_##tier(size_t pos, size_t end, size_t k, const uint8_t *tbls, \
                                       uint8_t *const *src, uint8_t *const *dst)              \
    {                                                                                         \
        dot_rows(n, pos, end, k, tbls, src, dst);                                             \
    }
EC_ROWS(X, base)
#undef X

#define X(n, tier)                                                                       \
    void isalk_gf_mad##n##_##tier(size_t pos, size_t end, size_t k, const uint8_t *tbls, \
                                  const uint8_t *src, uint8_t *const *dst)               \
    {                                                                                    \
        mad_rows(n, pos, end, k, tbls, src, dst);                                        \
    }
EC_ROWS(X, base)
#undef X

void isalk_gf_mul_base(size_t pos, size_t end, size_t k, const uint8_t *tbls, const uint8_t *src,
                       uint8_t *const *dst)
{
    (void) k;
    for (size_t i = pos; i < end; i++)
        dst[0][i] = table_mul(tbls, src[i]);
}

void isalk_gf_eliminate_base(uint8_t *a, size_t stride, size_t n, size_t p, uint8_t *pivot)
{
    uint8_t *row = a + p * stride, table[32];

    row[p] ^= 1;
    gf_vect_mul_init_base(gf_inverse[row[p] ^ 1], table);
    for (size_t j = 0; j < stride; j++)
        pivot[j] = table_mul(table, row[j]);
    for (size_t r = 0; r < n; r++) {
        uint8_t *other = a + r * stride;
        if (r == p)
            continue;
        gf_vect_mul_init_base(other[p], table);
        for (size_t j = 0; j < stride; j++)
            other[j] ^= table_mul(table, pivot[j]);
    }
    memcpy(row, pivot, stride);
    row[p] ^= 1;
}
