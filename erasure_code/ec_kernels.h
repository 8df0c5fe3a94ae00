/* Types and declarations shared by the files of the erasure code family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef EC_KERNELS_H
#define EC_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

/* Types of the public functions and of their kernels. */
typedef void ec_encode_fn(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                          unsigned char **coding);
typedef void ec_update_fn(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                          unsigned char *data, unsigned char **coding);
typedef void gf_dot_prod_fn(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                            unsigned char *dest);
typedef void gf_vect_mad_fn(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                            unsigned char *dest);
typedef int gf_vect_mul_fn(int len, unsigned char *gftbl, void *src, void *dest);

KERNEL_SLOT_TYPE(ec_encode_fn);
KERNEL_SLOT_TYPE(ec_update_fn);
KERNEL_SLOT_TYPE(gf_dot_prod_fn);
KERNEL_SLOT_TYPE(gf_vect_mad_fn);
KERNEL_SLOT_TYPE(gf_vect_mul_fn);

/* Building blocks, each for a fixed number of rows; documented in gf_dot.asm and gf_mad.asm. tbls:
 * the tables of the first row; the tables of the next row follow 32 * k bytes later. */
typedef void gf_dot_fn(size_t pos, size_t end, size_t k, const uint8_t *tbls, uint8_t *const *src,
                       uint8_t *const *dst);
typedef void gf_mad_fn(size_t pos, size_t end, size_t k, const uint8_t *tbls, const uint8_t *src,
                       uint8_t *const *dst);

/* A step of Gauss-Jordan elimination on n rows of `stride` bytes; see gf_eliminate.asm. */
typedef void gf_eliminate_fn(uint8_t *a, size_t stride, size_t n, size_t p, uint8_t *pivot);
KERNEL_SLOT_TYPE(gf_eliminate_fn);

/* Rows of the largest group; more rows are divided into groups. From three rows on, the shuffle
 * port bounds a group, so larger ones would gain nothing. */
#define GF_MAX_ROWS 6
#define GF_MAX_ROWS_EC_4_ROWS 4

/* The building blocks of one tier, by number of rows (index 0 unused). */
struct gf_rows {
    gf_dot_fn *dot[GF_MAX_ROWS + 1];
    gf_dot_fn *dot_ones[GF_MAX_ROWS + 1]; /* for a first row whose coefficients are all 1 */
    gf_mad_fn *mad[GF_MAX_ROWS + 1];
    gf_mad_fn *mul;         /* one row, dst = c * src */
    int max_rows;           /* rows of a pass, at most */
    int max_rows_ec_4_rows; /* the same on CPUs with the trait EC_4_ROWS */
};

#define EC_MAX_SHARDS 256

/* X(tier) for each tier above base. */
#define EC_TIERS(X) X(portable) X(sse) X(avx) X(avx2) X(avx2_v) X(avx512) X(avx512_v)

/* X(n, tier) for n = 1 .. GF_MAX_ROWS. */
#define EC_ROWS(X, tier) X(1, tier) X(2, tier) X(3, tier) X(4, tier) X(5, tier) X(6, tier)

ISALK_HIDDEN_BEGIN

#define X(n, tier)                           \
    gf_dot_fn isalk_gf_dot##n##_##tier;      \
    gf_dot_fn isalk_gf_dot##n##_ones_##tier; \
    gf_mad_fn isalk_gf_mad##n##_##tier;
#define TIER_BLOCKS(tier) EC_ROWS(X, tier)
TIER_BLOCKS(base)
EC_TIERS(TIER_BLOCKS)
#undef TIER_BLOCKS
#undef X

#define TIER_FUNCTIONS(tier)                  \
    ec_encode_fn isalk_ec_encode_data_##tier; \
    ec_update_fn isalk_ec_update_##tier;      \
    gf_dot_prod_fn isalk_gf_dot_prod_##tier;  \
    gf_vect_mad_fn isalk_gf_vect_mad_##tier;  \
    gf_vect_mul_fn isalk_gf_vect_mul_##tier;  \
    gf_mad_fn isalk_gf_mul_##tier;
TIER_FUNCTIONS(base)
EC_TIERS(TIER_FUNCTIONS)
#undef TIER_FUNCTIONS

gf_eliminate_fn isalk_gf_eliminate_base, isalk_gf_eliminate_sse, isalk_gf_eliminate_avx2;

/* Returns whether the first k rows of a matrix with k columns are the identity. */
int isalk_ec_is_systematic(const unsigned char *a, int k);

/* The variants that run on this machine. */
extern ec_encode_fn_slot isalk_ec_encode_data_slot;
extern ec_update_fn_slot isalk_ec_encode_data_update_slot;
extern gf_dot_prod_fn_slot isalk_gf_vect_dot_prod_slot;
extern gf_vect_mad_fn_slot isalk_gf_vect_mad_slot;
extern gf_vect_mul_fn_slot isalk_gf_vect_mul_slot;
extern gf_eliminate_fn_slot isalk_gf_eliminate_slot;

ISALK_HIDDEN_END

#endif
