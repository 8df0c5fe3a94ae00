/* Kernel table of the multi-hash family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mh_kernels.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE CPU_SSSE3
#define NEEDS_AVX CPU_AVX
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2)
#define NEEDS_AVX512 (CPU_AVX512F | CPU_AVX512BW)

#if ISALK_ASM
#define VARIANTS(id)                                               \
    static const struct variant id##_variants[] = {                \
        {T_BASE, 0, (kernel_fn) isalk_##id##_base},                \
        {T_SSE, NEEDS_SSE, (kernel_fn) isalk_##id##_sse},          \
        {T_AVX, NEEDS_AVX, (kernel_fn) isalk_##id##_avx},          \
        {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_##id##_avx2},       \
        {T_AVX512, NEEDS_AVX512, (kernel_fn) isalk_##id##_avx512}, \
    };
#else
#define VARIANTS(id)                                \
    static const struct variant id##_variants[] = { \
        {T_BASE, 0, (kernel_fn) isalk_##id##_base}, \
    };
#endif

VARIANTS(mh_sha1_block)
VARIANTS(mh_sha1_murmur3_block)
VARIANTS(mh_sha256_block)

kernel_slot isalk_mh_sha1_block_slot = (kernel_fn) isalk_mh_sha1_block_base;
kernel_slot isalk_mh_sha1_murmur3_block_slot = (kernel_fn) isalk_mh_sha1_murmur3_block_base;
kernel_slot isalk_mh_sha256_block_slot = (kernel_fn) isalk_mh_sha256_block_base;

static const struct kernel kernels[] = {
    KERNEL("mh_sha1_block", &isalk_mh_sha1_block_slot, mh_sha1_block_variants),
    KERNEL("mh_sha1_murmur3_block", &isalk_mh_sha1_murmur3_block_slot,
           mh_sha1_murmur3_block_variants),
    KERNEL("mh_sha256_block", &isalk_mh_sha256_block_slot, mh_sha256_block_variants),
};

KERNEL_FAMILY(mh_sha1, kernels)
