/* Decode plans: the coefficients that rebuild a set of lost shards from k remaining ones.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Let L be the lost data shards, P as many remaining parity shards, and R the remaining data
 * shards. The parity equations y_P = a[P][L] d_L + a[P][R] d_R give d_L = B^-1 (y_P + a[P][R] d_R)
 * with B = a[P][L]. Only this |L| x |L| matrix is inverted, not a k x k one. P is found by
 * elimination over all remaining parity, so that a loss is undecodable only if no choice of shards
 * decodes it. */

#include <string.h>

#include "isa-l/erasure_code.h"

#include "erasure_code/ec_kernels.h"

#define MAX_SHARDS EC_MAX_SHARDS

struct isal_ec_decode {
    int k, m, nlost;
    unsigned char source[MAX_SHARDS]; /* numbers of the k shards that are read, increasing */
    unsigned char lost[MAX_SHARDS];   /* numbers of the shards that are rebuilt, increasing */
    unsigned char tables[];           /* 32 * k * nlost bytes, then scratch memory for building */
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
        return "the number of a lost shard is out of range";
    case ISAL_EC_DUPLICATE:
        return "a lost shard is listed twice";
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

ISAL_PUBLIC size_t isal_ec_decode_size(int k, int m, int lost)
{
    size_t n = (size_t) lost;

    if (!geometry_is_valid(k, m) || lost < 0 || lost > m - k)
        return 0;
    /* tables; scratch memory: coefficients, matrix for independent_rows(), B, inverse of B */
    return sizeof(struct isal_ec_decode) +
           n * (32 * (size_t) k + (size_t) k + (size_t) (m - k) + 2 * n);
}

/* A loss for which a plan is built. Shard numbers are in increasing order. */
struct loss {
    const unsigned char *a; /* the code's matrix, k columns */
    int k;
    int ndata;                        /* lost data shards */
    int nparity;                      /* remaining parity shards */
    unsigned char data[MAX_SHARDS];   /* numbers of the lost data shards */
    unsigned char parity[MAX_SHARDS]; /* numbers of the remaining parity shards */
    unsigned char chosen[MAX_SHARDS]; /* numbers of the ndata parity shards that are read */
};

/* Chooses ndata of the remaining parity shards whose rows, restricted to the lost data shards, are
 * independent. work: nparity * ndata bytes. Returns 0, or -1 if no such choice exists. */
static int choose_parity(struct loss *l, unsigned char *work)
{
    const int n = l->nparity, e = l->ndata;
    unsigned char used[MAX_SHARDS] = {0};
    int count = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < e; j++)
            work[i * e + j] = l->a[l->parity[i] * l->k + l->data[j]];
    for (int j = 0; j < e; j++) {
        int p = 0;
        while (p < n && (used[p] || !work[p * e + j]))
            p++;
        if (p == n)
            return -1;
        used[p] = 1;
        for (int i = 0; i < n; i++) {
            unsigned char factor;
            if (used[i] || !work[i * e + j])
                continue;
            factor = gf_mul(work[i * e + j], gf_inv(work[p * e + j]));
            for (int c = j; c < e; c++)
                work[i * e + c] ^= gf_mul(factor, work[p * e + c]);
        }
    }
    for (int i = 0; i < n; i++)
        if (used[i])
            l->chosen[count++] = l->parity[i];
    return 0;
}

/* Checks the arguments of isal_ec_decode_init(), in the order of the documented errors. Marks the
 * lost shards in is_lost, MAX_SHARDS zeros. */
static int check_loss(int k, int m, const unsigned char *a, const int *lost, int nlost,
                      unsigned char *is_lost)
{
    if (!geometry_is_valid(k, m))
        return ISAL_EC_BAD_GEOMETRY;
    if (!isalk_ec_is_systematic(a, k))
        return ISAL_EC_BAD_MATRIX;
    for (int i = 0; i < nlost; i++) {
        if (lost[i] < 0 || lost[i] >= m)
            return ISAL_EC_OUT_OF_RANGE;
        if (is_lost[lost[i]]++)
            return ISAL_EC_DUPLICATE;
    }
    return nlost > m - k ? ISAL_EC_TOO_MANY_LOST : ISAL_EC_OK;
}

/* Fills in the loss, and in the plan everything but the tables and the parity shards to read. */
static void classify_shards(struct isal_ec_decode *plan, struct loss *l,
                            const unsigned char *is_lost)
{
    int sources = 0;

    plan->nlost = l->ndata = l->nparity = 0;
    for (int i = 0; i < plan->m; i++) {
        if (is_lost[i])
            plan->lost[plan->nlost++] = (unsigned char) i;
        if (i < plan->k && is_lost[i])
            l->data[l->ndata++] = (unsigned char) i;
        else if (i < plan->k)
            plan->source[sources++] = (unsigned char) i;
        else if (!is_lost[i])
            l->parity[l->nparity++] = (unsigned char) i;
    }
}

/* Coefficients of the lost data shards: B^-1 a[P][R] for the remaining data shards, then B^-1 for
 * the chosen parity shards. */
static void data_rows(const struct isal_ec_decode *plan, const struct loss *l,
                      const unsigned char *inverse, unsigned char *coef)
{
    const int k = l->k, e = l->ndata;

    for (int r = 0; r < e; r++) {
        unsigned char *row = coef + r * k;
        for (int j = 0; j < k - e; j++) {
            unsigned char sum = 0;
            for (int i = 0; i < e; i++)
                sum ^= gf_mul(inverse[r * e + i], l->a[l->chosen[i] * k + plan->source[j]]);
            row[j] = sum;
        }
        memcpy(row + k - e, inverse + r * e, (size_t) e);
    }
}

/* Coefficients of the lost parity shards: their rows of the matrix, with the rows of the lost data
 * shards substituted. */
static void parity_rows(const struct isal_ec_decode *plan, const struct loss *l,
                        unsigned char *coef)
{
    const int k = l->k, e = l->ndata;

    for (int r = e; r < plan->nlost; r++) {
        const unsigned char *code = l->a + plan->lost[r] * k;
        for (int j = 0; j < k; j++) {
            unsigned char sum = j < k - e ? code[plan->source[j]] : 0;
            for (int i = 0; i < e; i++)
                sum ^= gf_mul(code[l->data[i]], coef[i * k + j]);
            coef[r * k + j] = sum;
        }
    }
}

ISAL_PUBLIC int isal_ec_decode_init(struct isal_ec_decode *plan, int k, int m,
                                    const unsigned char *a, const int *lost, int nlost)
{
    unsigned char is_lost[MAX_SHARDS] = {0};
    unsigned char *coef, *work, *b, *inverse;
    struct loss l;
    int status;

    if (!plan || !a || nlost < 0 || (nlost && !lost))
        return ISAL_EC_BAD_ARGUMENT;
    status = check_loss(k, m, a, lost, nlost, is_lost);
    if (status)
        return status;

    plan->k = l.k = k;
    plan->m = m;
    l.a = a;
    classify_shards(plan, &l, is_lost);
    coef = plan->tables + 32 * k * nlost;
    work = coef + k * nlost;
    b = work + (m - k) * nlost;
    inverse = b + nlost * nlost;

    if (choose_parity(&l, work))
        return ISAL_EC_SINGULAR;
    for (int i = 0; i < l.ndata; i++) {
        for (int j = 0; j < l.ndata; j++)
            b[i * l.ndata + j] = a[l.chosen[i] * k + l.data[j]];
        plan->source[k - l.ndata + i] = l.chosen[i];
    }
    if (gf_invert_matrix(b, inverse, l.ndata))
        return ISAL_EC_SINGULAR;
    data_rows(plan, &l, inverse, coef);
    parity_rows(plan, &l, coef);
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
