/* Kernel table of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "raid_kernels.h"

/* What the assembly of each tier uses. */
#define NEEDS_XOR_SSE CPU_SSE41 /* XOR does not shuffle */
#define NEEDS_SSE (CPU_SSSE3 | CPU_SSE41)
#define NEEDS_AVX CPU_AVX
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2)
#define NEEDS_AVX2_V (CPU_AVX | CPU_AVX2 | CPU_GFNI)
#define NEEDS_AVX512 (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW)
#define NEEDS_AVX512_V (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW | CPU_GFNI)

#if ISALK_ASM
#define XOR_VARIANTS(id)                                           \
    static const struct variant id##_variants[] = {                \
        {T_BASE, 0, (kernel_fn) isalk_##id##_base},                \
        {T_SSE, NEEDS_XOR_SSE, (kernel_fn) isalk_##id##_sse},      \
        {T_AVX, NEEDS_AVX, (kernel_fn) isalk_##id##_avx},          \
        {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_##id##_avx2},       \
        {T_AVX512, NEEDS_AVX512, (kernel_fn) isalk_##id##_avx512}, \
    };
#define PQ_VARIANTS(id)                                                  \
    static const struct variant id##_variants[] = {                      \
        {T_BASE, 0, (kernel_fn) isalk_##id##_base},                      \
        {T_SSE, NEEDS_SSE, (kernel_fn) isalk_##id##_sse},                \
        {T_AVX, NEEDS_AVX, (kernel_fn) isalk_##id##_avx},                \
        {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_##id##_avx2},             \
        {T_AVX2_V, NEEDS_AVX2_V, (kernel_fn) isalk_##id##_avx2_v},       \
        {T_AVX512, NEEDS_AVX512, (kernel_fn) isalk_##id##_avx512},       \
        {T_AVX512_V, NEEDS_AVX512_V, (kernel_fn) isalk_##id##_avx512_v}, \
    };
#else
#define XOR_VARIANTS(id)                            \
    static const struct variant id##_variants[] = { \
        {T_BASE, 0, (kernel_fn) isalk_##id##_base}, \
    };
#define PQ_VARIANTS XOR_VARIANTS
#endif

XOR_VARIANTS(xor_gen)
XOR_VARIANTS(xor_check)
PQ_VARIANTS(pq_gen)
PQ_VARIANTS(pq_check)
PQ_VARIANTS(pq_solve)

kernel_slot isalk_xor_gen_slot = (kernel_fn) isalk_xor_gen_base;
kernel_slot isalk_xor_check_slot = (kernel_fn) isalk_xor_check_base;
kernel_slot isalk_pq_gen_slot = (kernel_fn) isalk_pq_gen_base;
kernel_slot isalk_pq_check_slot = (kernel_fn) isalk_pq_check_base;
kernel_slot isalk_pq_solve_slot = (kernel_fn) isalk_pq_solve_base;

static const struct kernel kernels[] = {
    KERNEL("xor_gen", &isalk_xor_gen_slot, xor_gen_variants),
    KERNEL("xor_check", &isalk_xor_check_slot, xor_check_variants),
    KERNEL("pq_gen", &isalk_pq_gen_slot, pq_gen_variants),
    KERNEL("pq_check", &isalk_pq_check_slot, pq_check_variants),
    KERNEL("pq_solve", &isalk_pq_solve_slot, pq_solve_variants),
};

KERNEL_FAMILY(raid, kernels)
