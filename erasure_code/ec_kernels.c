/* Kernel table of the erasure code family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_kernels.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE (CPU_SSSE3 | CPU_SSE41)
#define NEEDS_AVX CPU_AVX
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2)
#define NEEDS_AVX2_V (CPU_AVX | CPU_AVX2 | CPU_GFNI)
#define NEEDS_AVX512 (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW)
#define NEEDS_AVX512_V (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW | CPU_GFNI)

#if ISALK_ASM
#define VARIANTS(id, fn)                                                 \
    static const struct variant id##_variants[] = {                      \
        {T_BASE, 0, (kernel_fn) isalk_##fn##_base},                      \
        {T_SSE, NEEDS_SSE, (kernel_fn) isalk_##fn##_sse},                \
        {T_AVX, NEEDS_AVX, (kernel_fn) isalk_##fn##_avx},                \
        {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_##fn##_avx2},             \
        {T_AVX2_V, NEEDS_AVX2_V, (kernel_fn) isalk_##fn##_avx2_v},       \
        {T_AVX512, NEEDS_AVX512, (kernel_fn) isalk_##fn##_avx512},       \
        {T_AVX512_V, NEEDS_AVX512_V, (kernel_fn) isalk_##fn##_avx512_v}, \
    };
/* One row of ones is XOR, which needs neither shuffles nor GFNI. */
#define VARIANTS_ONES(id, fn)                                      \
    static const struct variant id##_variants[] = {                \
        {T_BASE, 0, (kernel_fn) isalk_##fn##_base},                \
        {T_SSE, CPU_SSE41, (kernel_fn) isalk_##fn##_sse},          \
        {T_AVX, NEEDS_AVX, (kernel_fn) isalk_##fn##_avx},          \
        {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_##fn##_avx2},       \
        {T_AVX512, NEEDS_AVX512, (kernel_fn) isalk_##fn##_avx512}, \
    };
#else
#define VARIANTS(id, fn)                            \
    static const struct variant id##_variants[] = { \
        {T_BASE, 0, (kernel_fn) isalk_##fn##_base}, \
    };
#define VARIANTS_ONES VARIANTS
#endif

VARIANTS(ec_encode_data, ec_encode_data)
VARIANTS(ec_encode_data_update, ec_update)
VARIANTS(gf_vect_dot_prod, gf_dot_prod)
VARIANTS(gf_vect_mad, gf_vect_mad)
VARIANTS(gf_vect_mul, gf_vect_mul)
VARIANTS(gf_mul_block, gf_mul)

#define X(n, unused) VARIANTS(gf_dot##n, gf_dot##n) VARIANTS(gf_mad##n, gf_mad##n)
EC_ROWS(X, )
#undef X
VARIANTS_ONES(gf_dot1_ones, gf_dot1_ones)
VARIANTS(gf_dot2_ones, gf_dot2_ones)
VARIANTS(gf_dot3_ones, gf_dot3_ones)
VARIANTS(gf_dot4_ones, gf_dot4_ones)
VARIANTS(gf_dot5_ones, gf_dot5_ones)
VARIANTS(gf_dot6_ones, gf_dot6_ones)

static const struct variant gf_eliminate_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_gf_eliminate_base},
#if ISALK_ASM
    {T_SSE, CPU_SSSE3, (kernel_fn) isalk_gf_eliminate_sse},
    {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_gf_eliminate_avx2},
#endif
};

kernel_slot isalk_ec_encode_data_slot = (kernel_fn) isalk_ec_encode_data_base;
kernel_slot isalk_ec_update_slot = (kernel_fn) isalk_ec_update_base;
kernel_slot isalk_gf_dot_prod_slot = (kernel_fn) isalk_gf_dot_prod_base;
kernel_slot isalk_gf_vect_mad_slot = (kernel_fn) isalk_gf_vect_mad_base;
kernel_slot isalk_gf_vect_mul_slot = (kernel_fn) isalk_gf_vect_mul_base;
kernel_slot isalk_gf_eliminate_slot = (kernel_fn) isalk_gf_eliminate_base;

static const struct kernel kernels[] = {
    KERNEL("ec_encode_data", &isalk_ec_encode_data_slot, ec_encode_data_variants),
    KERNEL("ec_encode_data_update", &isalk_ec_update_slot, ec_encode_data_update_variants),
    KERNEL("gf_vect_dot_prod", &isalk_gf_dot_prod_slot, gf_vect_dot_prod_variants),
    KERNEL("gf_vect_mad", &isalk_gf_vect_mad_slot, gf_vect_mad_variants),
    KERNEL("gf_vect_mul", &isalk_gf_vect_mul_slot, gf_vect_mul_variants),
    KERNEL("gf_eliminate", &isalk_gf_eliminate_slot, gf_eliminate_variants),
#define X(n, unused)                                                  \
    KERNEL("gf_dot" #n, NULL, gf_dot##n##_variants),                  \
        KERNEL("gf_dot" #n "_ones", NULL, gf_dot##n##_ones_variants), \
        KERNEL("gf_mad" #n, NULL, gf_mad##n##_variants),
    EC_ROWS(X, )
#undef X
        KERNEL("gf_mul_block", NULL, gf_mul_block_variants),
};

KERNEL_FAMILY(erasure_code, kernels)
