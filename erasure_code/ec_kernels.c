/* Kernel table of the erasure code family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_kernels.h"

#include "dispatch/kernel_table.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE (CPU_SSSE3 | CPU_SSE41)
#define NEEDS_AVX CPU_AVX
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2)
#define NEEDS_AVX2_V (CPU_AVX | CPU_AVX2 | CPU_GFNI)
#define NEEDS_AVX512 (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW)
#define NEEDS_AVX512_V (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW | CPU_GFNI)

#define ROWS(fn)                                                                         \
    ROW(portable, 0, isalk_##fn##_portable), ROW(sse, NEEDS_SSE, isalk_##fn##_sse),      \
        ROW(avx, NEEDS_AVX, isalk_##fn##_avx), ROW(avx2, NEEDS_AVX2, isalk_##fn##_avx2), \
        ROW(avx2_v, NEEDS_AVX2_V, isalk_##fn##_avx2_v),                                  \
        ROW(avx512, NEEDS_AVX512, isalk_##fn##_avx512),                                  \
        ROW(avx512_v, NEEDS_AVX512_V, isalk_##fn##_avx512_v)
#define PUBLIC(id, type, fn) KERNEL_TABLE(id, type, isalk_##fn##_base, ROWS(fn))
#define BLOCK(id, type, fn) KERNEL_BLOCK_TABLE(id, type, isalk_##fn##_base, ROWS(fn))

PUBLIC(ec_encode_data, ec_encode_fn, ec_encode_data)
PUBLIC(ec_encode_data_update, ec_update_fn, ec_update)
PUBLIC(gf_vect_dot_prod, gf_dot_prod_fn, gf_dot_prod)
PUBLIC(gf_vect_mad, gf_vect_mad_fn, gf_vect_mad)
PUBLIC(gf_vect_mul, gf_vect_mul_fn, gf_vect_mul)
KERNEL_TABLE(gf_eliminate, gf_eliminate_fn, isalk_gf_eliminate_base,
             ROW(sse, CPU_SSSE3, isalk_gf_eliminate_sse),
             ROW(avx2, NEEDS_AVX2, isalk_gf_eliminate_avx2))

BLOCK(gf_mul_block, gf_mad_fn, gf_mul)
#define X(n, unused) BLOCK(gf_dot##n, gf_dot_fn, gf_dot##n) BLOCK(gf_mad##n, gf_mad_fn, gf_mad##n)
EC_ROWS(X, )
#undef X
/* One row of ones is XOR, which needs neither shuffles nor GFNI. */
KERNEL_BLOCK_TABLE(gf_dot1_ones, gf_dot_fn, isalk_gf_dot1_ones_base,
                   ROW(portable, 0, isalk_gf_dot1_ones_portable),
                   ROW(sse, CPU_SSE41, isalk_gf_dot1_ones_sse),
                   ROW(avx, NEEDS_AVX, isalk_gf_dot1_ones_avx),
                   ROW(avx2, NEEDS_AVX2, isalk_gf_dot1_ones_avx2),
                   ROW(avx512, NEEDS_AVX512, isalk_gf_dot1_ones_avx512))
BLOCK(gf_dot2_ones, gf_dot_fn, gf_dot2_ones)
BLOCK(gf_dot3_ones, gf_dot_fn, gf_dot3_ones)
BLOCK(gf_dot4_ones, gf_dot_fn, gf_dot4_ones)
BLOCK(gf_dot5_ones, gf_dot_fn, gf_dot5_ones)
BLOCK(gf_dot6_ones, gf_dot_fn, gf_dot6_ones)

static const struct kernel kernels[] = {
    KERNEL(ec_encode_data),
    KERNEL(ec_encode_data_update),
    KERNEL(gf_vect_dot_prod),
    KERNEL(gf_vect_mad),
    KERNEL(gf_vect_mul),
    KERNEL(gf_eliminate),
#define X(n, unused) \
    KERNEL_BLOCK(gf_dot##n), KERNEL_BLOCK(gf_dot##n##_ones), KERNEL_BLOCK(gf_mad##n),
    EC_ROWS(X, )
#undef X
        KERNEL_BLOCK(gf_mul_block),
};

KERNEL_FAMILY(erasure_code, kernels)
