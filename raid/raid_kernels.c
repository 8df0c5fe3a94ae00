/* Kernel table of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "raid_kernels.h"

#include "dispatch/kernel_table.h"

/* What the assembly of each tier uses. */
#define NEEDS_XOR_SSE CPU_SSE41 /* XOR does not shuffle */
#define NEEDS_SSE (CPU_SSSE3 | CPU_SSE41)
#define NEEDS_AVX CPU_AVX
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2)
#define NEEDS_AVX2_V (CPU_AVX | CPU_AVX2 | CPU_GFNI)
#define NEEDS_AVX512 (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW)
#define NEEDS_AVX512_V (CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW | CPU_GFNI)

#define XOR_TABLE(id)                                                                              \
    KERNEL_TABLE(id, raid_fn, isalk_##id##_base, ROW(portable, 0, isalk_##id##_portable),          \
                 ROW(sse, NEEDS_XOR_SSE, isalk_##id##_sse), ROW(avx, NEEDS_AVX, isalk_##id##_avx), \
                 ROW(avx2, NEEDS_AVX2, isalk_##id##_avx2),                                         \
                 ROW(avx512, NEEDS_AVX512, isalk_##id##_avx512))
#define PQ_TABLE(id)                                                                           \
    KERNEL_TABLE(id, raid_fn, isalk_##id##_base, ROW(portable, 0, isalk_##id##_portable),      \
                 ROW(sse, NEEDS_SSE, isalk_##id##_sse), ROW(avx, NEEDS_AVX, isalk_##id##_avx), \
                 ROW(avx2, NEEDS_AVX2, isalk_##id##_avx2),                                     \
                 ROW(avx2_v, NEEDS_AVX2_V, isalk_##id##_avx2_v),                               \
                 ROW(avx512, NEEDS_AVX512, isalk_##id##_avx512),                               \
                 ROW(avx512_v, NEEDS_AVX512_V, isalk_##id##_avx512_v))

/* Kernels with non-temporal stores, only for CPUs that gain by them. */
KERNEL_TABLE(xor_gen_nt, raid_fn, isalk_xor_gen_base, ROW(portable, 0, isalk_xor_gen_portable),
             ROW(sse, NEEDS_XOR_SSE, isalk_xor_gen_sse), ROW(avx, NEEDS_AVX, isalk_xor_gen_avx),
             ROW(avx2, NEEDS_AVX2, isalk_xor_gen_avx2),
             ROW(avx2, NEEDS_AVX2 | CPU_NT_PARITY, isalk_xor_gen_nt_avx2),
             ROW(avx512, NEEDS_AVX512, isalk_xor_gen_avx512),
             ROW(avx512, NEEDS_AVX512 | CPU_NT_PARITY, isalk_xor_gen_nt_avx512))
KERNEL_TABLE(pq_gen_nt, raid_fn, isalk_pq_gen_base, ROW(portable, 0, isalk_pq_gen_portable),
             ROW(sse, NEEDS_SSE, isalk_pq_gen_sse), ROW(avx, NEEDS_AVX, isalk_pq_gen_avx),
             ROW(avx2, NEEDS_AVX2, isalk_pq_gen_avx2),
             ROW(avx2, NEEDS_AVX2 | CPU_NT_PARITY, isalk_pq_gen_nt_avx2),
             ROW(avx2_v, NEEDS_AVX2_V, isalk_pq_gen_avx2_v),
             ROW(avx512, NEEDS_AVX512, isalk_pq_gen_avx512),
             ROW(avx512_v, NEEDS_AVX512_V, isalk_pq_gen_avx512_v),
             ROW(avx512_v, NEEDS_AVX512_V | CPU_NT_PARITY, isalk_pq_gen_nt_avx512_v))

XOR_TABLE(xor_gen)
XOR_TABLE(xor_check)
PQ_TABLE(pq_gen)
PQ_TABLE(pq_check)
PQ_TABLE(pq_solve)

static const struct kernel kernels[] = {
    KERNEL(xor_gen),   KERNEL(xor_gen_nt), KERNEL(xor_check), KERNEL(pq_gen),
    KERNEL(pq_gen_nt), KERNEL(pq_check),   KERNEL(pq_solve),
};

KERNEL_FAMILY(raid, kernels)
