/* Kernel tables of the hashes, and the choice between their widths.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "hash_run.h"

#include "dispatch/kernel_table.h"

#define MANY(hash, tier, ...)                                                                   \
    static const struct hash_kernels hash##_##tier = {__VA_ARGS__};                             \
    static size_t hash##_many_##tier(size_t n, void *const *states, const uint8_t *const *data, \
                                     size_t blocks)                                             \
    {                                                                                           \
        return isalk_hash_many(&hash##_##tier, n, states, data, blocks);                        \
    }

#define HASHES(X) X(md5) X(sha1) X(sha256) X(sha512) X(sm3)

/* ---- The block functions for each number of messages ---- */

#define X(hash) MANY(hash, base, .best = 1, .x1 = isalk_##hash##_x1_base)
HASHES(X)
#undef X

/* A row of `width`: x lanes from n messages on. */
#define WIDTH_NI(hash, tier)              \
    {                                     \
        isalk_##hash##_ni_x2_##tier, 2, 2 \
    }
#define WIDTH(hash, x, tier, n)            \
    {                                      \
        isalk_##hash##_x##x##_##tier, x, n \
    }

#if ISALK_ASM

#define X(tier)                                                                               \
    MANY(md5, tier, .best = 8, .width = {WIDTH(md5, 8, tier, 2)}, .x1 = isalk_md5_x1_sse)     \
    MANY(sha1, tier, .best = 4, .width = {WIDTH(sha1, 4, tier, 2)}, .x1 = isalk_sha1_x1_base) \
    MANY(sha256, tier, .best = 4, .width = {WIDTH(sha256, 4, tier, 3)},                       \
         .x1 = isalk_sha256_x1_base)                                                          \
    MANY(sha512, tier, .best = 2, .width = {WIDTH(sha512, 2, tier, 2)},                       \
         .x1 = isalk_sha512_x1_base)                                                          \
    MANY(sm3, tier, .best = 4, .width = {WIDTH(sm3, 4, tier, 2)}, .x1 = isalk_sm3_x1_base)
X(sse)
X(avx)
#undef X

MANY(md5, avx2, .best = 16, .width = {WIDTH(md5, 16, avx2, 9), WIDTH(md5, 8, avx2, 2)},
     .x1 = isalk_md5_x1_sse)
MANY(sha1, avx2, .best = 8, .width = {WIDTH(sha1, 8, avx2, 3)}, .x1 = isalk_sha1_x1_avx2)
MANY(sha256, avx2, .best = 8, .width = {WIDTH(sha256, 8, avx2, 3)}, .x1 = isalk_sha256_x1_avx2)
MANY(sha512, avx2, .best = 4, .width = {WIDTH(sha512, 4, avx2, 3)}, .x1 = isalk_sha512_x1_avx2)
MANY(sm3, avx2, .best = 8, .width = {WIDTH(sm3, 8, avx2, 2)}, .x1 = isalk_sm3_x1_avx2)

MANY(md5, avx512, .best = 32,
     .width = {WIDTH(md5, 32, avx512, 17), WIDTH(md5, 16, avx512, 9), WIDTH(md5, 8, avx512, 1)},
     .x1 = isalk_md5_x1_sse, .x1_blocks = 1)
MANY(sha1, avx512, .best = 16, .width = {WIDTH(sha1, 16, avx512, 9), WIDTH(sha1, 8, avx512, 2)},
     .x1 = isalk_sha1_x1_avx512)
MANY(sha256, avx512, .best = 16,
     .width = {WIDTH(sha256, 16, avx512, 9), WIDTH(sha256, 8, avx512, 2)},
     .x1 = isalk_sha256_x1_avx512)
MANY(sha512, avx512, .best = 8, .width = {WIDTH(sha512, 8, avx512, 5), WIDTH(sha512, 4, avx512, 2)},
     .x1 = isalk_sha512_x1_avx512)
MANY(sm3, avx512, .best = 16, .width = {WIDTH(sm3, 16, avx512, 9), WIDTH(sm3, 8, avx512, 2)},
     .x1 = isalk_sm3_x1_avx2)

/* With the SHA extensions, messages are hashed two at a time, until there are enough of them for
 * wide vectors to be faster. Cycles for one block of every lane on Golden Cove:
 *
 *                         SHA extensions, 1 and 2 lanes   8 lanes   16 lanes
 *     SHA-1, AVX-512                 85, 120               279       453
 *     SHA-1, AVX2                   116, 200               501
 *     SHA-256, AVX-512              130, 192               593       915
 *     SHA-256, AVX2                 130, 192              1138 */
MANY(sha1, ni, .best = 4, .width = {WIDTH_NI(sha1, sse)}, .x1 = isalk_sha1_ni_x1_sse)
MANY(sha256, ni, .best = 4, .width = {WIDTH_NI(sha256, sse)}, .x1 = isalk_sha256_ni_x1_sse)
MANY(sha1, avx2_ni, .best = 8, .width = {WIDTH(sha1, 8, avx2, 6), WIDTH_NI(sha1, sse)},
     .x1 = isalk_sha1_ni_x1_sse)
MANY(sha256, avx2_ni, .best = 4, .width = {WIDTH_NI(sha256, sse)}, .x1 = isalk_sha256_ni_x1_sse)
MANY(sha1, avx512_ni, .best = 16,
     .width = {WIDTH(sha1, 16, avx512, 11), WIDTH(sha1, 8, avx512, 5), WIDTH_NI(sha1, avx512)},
     .x1 = isalk_sha1_ni_x1_avx512)
MANY(sha256, avx512_ni, .best = 16,
     .width = {WIDTH(sha256, 16, avx512, 11), WIDTH(sha256, 8, avx512, 7), WIDTH_NI(sha256, sse)},
     .x1 = isalk_sha256_ni_x1_sse)

#endif

/* ---- Tables ---- */

/* What the assembly of each tier uses. */
#define NEEDS_SSE CPU_SSSE3
#define NEEDS_SSE_MD5 0 /* SSE2; MD5 does not swap bytes */
#define NEEDS_AVX CPU_AVX
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2)
#define NEEDS_AVX512 (CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VL)
#define NEEDS_sha1_x1 (CPU_BMI1 | CPU_BMI2) /* scalar rounds */
#define NEEDS_sha256_x1 CPU_BMI2
#define NEEDS_sha512_x1 CPU_BMI2
#define NEEDS_sm3_x1 CPU_BMI2
#define NEEDS_ARMV8_sha1 CPU_ARM_SHA1
#define NEEDS_ARMV8_sha256 CPU_ARM_SHA2
#define NEEDS_NI_sha1 (CPU_SSSE3 | CPU_SHA)
#define NEEDS_NI_sha256 (CPU_SSSE3 | CPU_SSE41 | CPU_SHA)
#define NEEDS_AVX2_NI_sha1 (NEEDS_AVX2 | NEEDS_NI_sha1)
#define NEEDS_AVX2_NI_sha256 NEEDS_NI_sha256
#define NEEDS_AVX512_NI_sha1 (NEEDS_AVX512 | CPU_AVX | CPU_SHA)
#define NEEDS_AVX512_NI_sha256 (NEEDS_AVX512 | NEEDS_NI_sha256)
#define NEEDS_AVX512_MD5 (CPU_AVX512F | CPU_AVX512VL)

#define PORTABLE(kernel) ROW(portable, 0, isalk_##kernel##_portable)
#define ARMV8(kernel, needs) ROW(armv8, needs, isalk_##kernel##_armv8)
#define SSE(kernel) ROW(sse, NEEDS_SSE, isalk_##kernel##_sse)
#define AVX(kernel) ROW(avx, NEEDS_AVX, isalk_##kernel##_avx)
#define AVX2(kernel) ROW(avx2, NEEDS_AVX2, isalk_##kernel##_avx2)
#define AVX512(kernel) ROW(avx512, NEEDS_AVX512, isalk_##kernel##_avx512)
#define AVX2_X1(kernel) ROW(avx2, NEEDS_AVX2 | NEEDS_##kernel, isalk_##kernel##_avx2)
#define AVX512_X1(kernel) ROW(avx512, NEEDS_AVX512_MD5 | NEEDS_##kernel, isalk_##kernel##_avx512)
#define SCALAR_X1(kernel) ROW(avx2, CPU_AVX | NEEDS_##kernel, isalk_##kernel##_avx2)
#define SHA(kernel, hash) ROW_SHA(sse, NEEDS_NI_##hash, isalk_##kernel##_sse)
#define SHA_AVX512(kernel, hash) ROW_SHA(avx512, NEEDS_AVX512_NI_##hash, isalk_##kernel##_avx512)
#define SSE_MD5(kernel) ROW(sse, NEEDS_SSE_MD5, isalk_##kernel##_sse)
#define AVX512_MD5(kernel) ROW(avx512, NEEDS_AVX512_MD5, isalk_##kernel##_avx512)

/* The block functions. */
#define BLOCK(kernel, type, ...) \
    KERNEL_BLOCK_TABLE(kernel, type, isalk_##kernel##_base, __VA_ARGS__)
BLOCK(md5_x1, hash_block_fn, SSE_MD5(md5_x1))
BLOCK(md5_x8, hash_lanes_fn, SSE_MD5(md5_x8), AVX(md5_x8), AVX2(md5_x8), AVX512_MD5(md5_x8))
BLOCK(md5_x16, hash_lanes_fn, AVX2(md5_x16), AVX512_MD5(md5_x16))
BLOCK(md5_x32, hash_lanes_fn, AVX512_MD5(md5_x32))
BLOCK(sha1_x1, hash_block_fn, ARMV8(sha1_x1, CPU_ARM_SHA1), SHA(sha1_ni_x1, sha1), AVX2_X1(sha1_x1),
      AVX512_X1(sha1_x1), SHA_AVX512(sha1_ni_x1, sha1))
BLOCK(sha1_x4, hash_lanes_fn, SSE(sha1_x4), AVX(sha1_x4))
BLOCK(sha1_x8, hash_lanes_fn, AVX2(sha1_x8), AVX512(sha1_x8))
BLOCK(sha1_x16, hash_lanes_fn, AVX512(sha1_x16))
BLOCK(sha1_ni_x2, hash_lanes_fn, SHA(sha1_ni_x2, sha1), SHA_AVX512(sha1_ni_x2, sha1))
BLOCK(sha256_x1, hash_block_fn, ARMV8(sha256_x1, CPU_ARM_SHA2), SHA(sha256_ni_x1, sha256),
      AVX2_X1(sha256_x1), AVX512_X1(sha256_x1))
BLOCK(sha256_x4, hash_lanes_fn, SSE(sha256_x4), AVX(sha256_x4))
BLOCK(sha256_x8, hash_lanes_fn, AVX2(sha256_x8), AVX512(sha256_x8))
BLOCK(sha256_x16, hash_lanes_fn, AVX512(sha256_x16))
BLOCK(sha256_ni_x2, hash_lanes_fn, SHA(sha256_ni_x2, sha256))
BLOCK(sha512_x1, hash_block_fn, AVX2_X1(sha512_x1), AVX512_X1(sha512_x1))
BLOCK(sha512_x2, hash_lanes_fn, SSE(sha512_x2), AVX(sha512_x2))
BLOCK(sha512_x4, hash_lanes_fn, AVX2(sha512_x4), AVX512(sha512_x4))
BLOCK(sha512_x8, hash_lanes_fn, AVX512(sha512_x8))
BLOCK(sm3_x1, hash_block_fn, SCALAR_X1(sm3_x1))
BLOCK(sm3_x4, hash_lanes_fn, SSE(sm3_x4), AVX(sm3_x4))
BLOCK(sm3_x8, hash_lanes_fn, AVX2(sm3_x8), AVX512(sm3_x8))
BLOCK(sm3_x16, hash_lanes_fn, AVX512(sm3_x16))

/* Any number of messages. */
#define MANY_TABLE(hash, needs_sse, needs_avx2, needs_avx512)                                \
    KERNEL_TABLE(hash##_many, hash_many_fn, hash##_many_base, PORTABLE(hash##_many),         \
                 ROW(sse, needs_sse, hash##_many_sse), ROW(avx, NEEDS_AVX, hash##_many_avx), \
                 ROW(avx2, needs_avx2, hash##_many_avx2),                                    \
                 ROW(avx512, needs_avx512, hash##_many_avx512))
#define MANY_SHA_TABLE(hash, needs_sse, needs_avx2, needs_avx512)                               \
    KERNEL_TABLE(hash##_many, hash_many_fn, hash##_many_base, PORTABLE(hash##_many),            \
                 ARMV8(hash##_many, NEEDS_ARMV8_##hash), ROW(sse, needs_sse, hash##_many_sse),  \
                 ROW_SHA(sse, NEEDS_NI_##hash, hash##_many_ni),                                 \
                 ROW(avx, NEEDS_AVX, hash##_many_avx), ROW(avx2, needs_avx2, hash##_many_avx2), \
                 ROW_SHA(avx2, NEEDS_AVX2_NI_##hash, hash##_many_avx2_ni),                      \
                 ROW(avx512, needs_avx512, hash##_many_avx512),                                 \
                 ROW_SHA(avx512, NEEDS_AVX512_NI_##hash, hash##_many_avx512_ni))

MANY_TABLE(md5, NEEDS_SSE_MD5, NEEDS_AVX2, NEEDS_AVX512_MD5)
MANY_SHA_TABLE(sha1, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sha1_x1, NEEDS_AVX512 | NEEDS_sha1_x1)
MANY_SHA_TABLE(sha256, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sha256_x1, NEEDS_AVX512 | NEEDS_sha256_x1)
MANY_TABLE(sha512, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sha512_x1, NEEDS_AVX512 | NEEDS_sha512_x1)
MANY_TABLE(sm3, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sm3_x1, NEEDS_AVX512 | NEEDS_sm3_x1)

static const struct kernel kernels[] = {
    KERNEL(md5_many),           KERNEL(sha1_many),        KERNEL(sha256_many),
    KERNEL(sha512_many),        KERNEL(sm3_many),         KERNEL_BLOCK(md5_x1),
    KERNEL_BLOCK(md5_x8),       KERNEL_BLOCK(md5_x16),    KERNEL_BLOCK(md5_x32),
    KERNEL_BLOCK(sha1_x1),      KERNEL_BLOCK(sha1_x4),    KERNEL_BLOCK(sha1_x8),
    KERNEL_BLOCK(sha1_x16),     KERNEL_BLOCK(sha1_ni_x2), KERNEL_BLOCK(sha256_x1),
    KERNEL_BLOCK(sha256_x4),    KERNEL_BLOCK(sha256_x8),  KERNEL_BLOCK(sha256_x16),
    KERNEL_BLOCK(sha256_ni_x2), KERNEL_BLOCK(sha512_x1),  KERNEL_BLOCK(sha512_x2),
    KERNEL_BLOCK(sha512_x4),    KERNEL_BLOCK(sha512_x8),  KERNEL_BLOCK(sm3_x1),
    KERNEL_BLOCK(sm3_x4),       KERNEL_BLOCK(sm3_x8),     KERNEL_BLOCK(sm3_x16),
};

KERNEL_FAMILY(hash, kernels)
