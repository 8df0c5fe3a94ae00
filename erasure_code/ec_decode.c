/* Decode plans: the coefficients that rebuild a set of lost shards from k surviving ones.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With L the lost data shards and P as many surviving parity shards, the parity equations
 * restricted to L have the matrix B = a[P][L]. So d_L = B^-1 (y_P + a[P][rest] d_rest): only the
 * |L| x |L| matrix B is inverted, not a k x k one. P is found by elimination over all surviving
 * parity, so that a loss is undecodable only if no choice of shards decodes it. */

#include <string.h>

#include "isa-l/erasure_code.h"

#include "dispatch/compiler.h"

#define MAX_SHARDS 256

struct isal_ec_decode {
    int k, m, nlost;
    unsigned char source[MAX_SHARDS]; /* numbers of the k shards that are read, increasing */
    unsigned char lost[MAX_SHARDS];   /* numbers of the shards that are rebuilt, increasing */
    unsigned char tables[];           /* 32 * k * nlost bytes, then room to work while building */
};

ISAL_PUBLIC const char *isal_ec_strerror(int status)
{
    switch (status) {
    case ISAL_EC_OK:
        return "success";
    case ISAL_EC_BAD_GEOMETRY:
        return "the geometry is not 1 <= k <= m <= 256";
    case ISAL_EC_BAD_MATRIX:
        return "the first k rows of the matrix are not the identity";
    case ISAL_EC_OUT_OF_RANGE:
        return "a lost shard's number is out of range";
    case ISAL_EC_DUPLICATE:
        return "a shard is listed as lost twice";
    case ISAL_EC_TOO_MANY_LOST:
        return "more shards are lost than there are parity shards";
    case ISAL_EC_SINGULAR:
        return "this matrix cannot decode this loss";
    case ISAL_EC_BAD_ARGUMENT:
        return "a pointer is NULL or a length is negative";
    default:
        return "unknown status";
    }
}

static int geometry_is_valid(int k, int m)
{
    return k >= 1 && k <= m && m <= MAX_SHARDS;
}

static int starts_with_identity(const unsigned char *a, int k)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            if (a[i * k + j] != (i == j))
                return 0;
    return 1;
}

ISAL_PUBLIC size_t isal_ec_decode_size(int k, int m, int lost)
{
    size_t n = (size_t) lost;

    if (!geometry_is_valid(k, m) || lost < 0 || lost > m - k)
        return 0;
    /* tables, then coefficients, the matrix under elimination, B and its inverse */
    return sizeof(struct isal_ec_decode) +
           n * (32 * (size_t) k + (size_t) k + (size_t) (m - k) + 2 * n);
}

/* Finds e of the s candidate rows of a whose columns `col` are independent. work: s * e bytes.
 * Returns 0 with row numbers in chosen, increasing, or -1. */
static int independent_rows(const unsigned char *a, int k, const unsigned char *candidate, int s,
                            const unsigned char *col, int e, unsigned char *work,
                            unsigned char *chosen)
{
    unsigned char used[MAX_SHARDS] = {0};
    int count = 0;

    for (int i = 0; i < s; i++)
        for (int j = 0; j < e; j++)
            work[i * e + j] = a[candidate[i] * k + col[j]];
    for (int j = 0; j < e; j++) {
        int p = 0;
        while (p < s && (used[p] || !work[p * e + j]))
            p++;
        if (p == s)
            return -1;
        used[p] = 1;
        for (int i = 0; i < s; i++) {
            unsigned char factor;
            if (used[i] || !work[i * e + j])
                continue;
            factor = gf_mul(work[i * e + j], gf_inv(work[p * e + j]));
            for (int c = j; c < e; c++)
                work[i * e + c] ^= gf_mul(factor, work[p * e + c]);
        }
    }
    for (int i = 0; i < s; i++)
        if (used[i])
            chosen[count++] = candidate[i];
    return 0;
}

ISAL_PUBLIC int isal_ec_decode_init(struct isal_ec_decode *plan, int k, int m,
                                    const unsigned char *a, const int *lost, int nlost)
{
    unsigned char is_lost[MAX_SHARDS] = {0};
    unsigned char lost_data[MAX_SHARDS], parity[MAX_SHARDS], chosen[MAX_SHARDS];
    unsigned char *coef, *work, *b, *inverse;
    int e = 0, s = 0, sources = 0;

    if (!plan || !a || nlost < 0 || (nlost && !lost))
        return ISAL_EC_BAD_ARGUMENT;
    if (!geometry_is_valid(k, m))
        return ISAL_EC_BAD_GEOMETRY;
    if (!starts_with_identity(a, k))
        return ISAL_EC_BAD_MATRIX;
    for (int i = 0; i < nlost; i++) {
        if (lost[i] < 0 || lost[i] >= m)
            return ISAL_EC_OUT_OF_RANGE;
        if (is_lost[lost[i]]++)
            return ISAL_EC_DUPLICATE;
    }
    if (nlost > m - k)
        return ISAL_EC_TOO_MANY_LOST;

    plan->k = k;
    plan->m = m;
    plan->nlost = 0;
    for (int i = 0; i < m; i++) {
        if (is_lost[i])
            plan->lost[plan->nlost++] = (unsigned char) i;
        if (i < k && is_lost[i])
            lost_data[e++] = (unsigned char) i;
        else if (i < k)
            plan->source[sources++] = (unsigned char) i;
        else if (!is_lost[i])
            parity[s++] = (unsigned char) i;
    }
    coef = plan->tables + 32 * k * nlost;
    work = coef + k * nlost;
    b = work + (m - k) * nlost;
    inverse = b + nlost * nlost;

    if (independent_rows(a, k, parity, s, lost_data, e, work, chosen))
        return ISAL_EC_SINGULAR;
    for (int i = 0; i < e; i++) {
        for (int j = 0; j < e; j++)
            b[i * e + j] = a[chosen[i] * k + lost_data[j]];
        plan->source[k - e + i] = chosen[i];
    }
    if (gf_invert_matrix(b, inverse, e))
        return ISAL_EC_SINGULAR;

    /* Rows of lost data: over surviving data B^-1 a[P][j], over chosen parity B^-1. */
    for (int r = 0; r < e; r++) {
        unsigned char *row = coef + r * k;
        for (int j = 0; j < k - e; j++) {
            unsigned char sum = 0;
            for (int i = 0; i < e; i++)
                sum ^= gf_mul(inverse[r * e + i], a[chosen[i] * k + plan->source[j]]);
            row[j] = sum;
        }
        memcpy(row + k - e, inverse + r * e, (size_t) e);
    }
    /* Rows of lost parity: encode with the rebuilt data put in. */
    for (int r = e; r < nlost; r++) {
        const unsigned char *code = a + plan->lost[r] * k;
        for (int j = 0; j < k; j++) {
            unsigned char sum = j < k - e ? code[plan->source[j]] : 0;
            for (int i = 0; i < e; i++)
                sum ^= gf_mul(code[lost_data[i]], coef[i * k + j]);
            coef[r * k + j] = sum;
        }
    }
    ec_init_tables(k, nlost, coef, plan->tables);
    return ISAL_EC_OK;
}

ISAL_PUBLIC int isal_ec_decode_source(const struct isal_ec_decode *plan, int i)
{
    return plan && plan->nlost && i >= 0 && i < plan->k ? plan->source[i] : -1;
}

ISAL_PUBLIC int isal_ec_decode_data(const struct isal_ec_decode *plan, int len,
                                    unsigned char **shards)
{
    unsigned char *source[MAX_SHARDS], *rebuilt[MAX_SHARDS];

    if (!plan || !shards || len < 0)
        return ISAL_EC_BAD_ARGUMENT;
    if (!plan->nlost || !len)
        return ISAL_EC_OK;
    for (int i = 0; i < plan->k; i++)
        if (!(source[i] = shards[plan->source[i]]))
            return ISAL_EC_BAD_ARGUMENT;
    for (int i = 0; i < plan->nlost; i++)
        if (!(rebuilt[i] = shards[plan->lost[i]]))
            return ISAL_EC_BAD_ARGUMENT;
    ec_encode_data(len, plan->k, plan->nlost, (unsigned char *) plan->tables, source, rebuilt);
    return ISAL_EC_OK;
}
