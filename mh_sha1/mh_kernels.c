/* Kernel table of the multi-hash family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mh_kernels.h"

#include "dispatch/kernel_table.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE CPU_SSSE3
#define NEEDS_AVX CPU_AVX
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2)
#define NEEDS_AVX512 (CPU_AVX512F | CPU_AVX512BW)

#define TABLE(id)                                                                              \
    KERNEL_TABLE(id, mh_block_fn, isalk_##id##_base, ROW(portable, 0, isalk_##id##_portable),  \
                 ROW(sse, NEEDS_SSE, isalk_##id##_sse), ROW(avx, NEEDS_AVX, isalk_##id##_avx), \
                 ROW(avx2, NEEDS_AVX2, isalk_##id##_avx2),                                     \
                 ROW(avx512, NEEDS_AVX512, isalk_##id##_avx512))

TABLE(mh_sha1_block)
TABLE(mh_sha1_murmur3_block)
TABLE(mh_sha256_block)

static const struct kernel kernels[] = {
    KERNEL(mh_sha1_block),
    KERNEL(mh_sha1_murmur3_block),
    KERNEL(mh_sha256_block),
};

KERNEL_FAMILY(multi_hash, kernels)
