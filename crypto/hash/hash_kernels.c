/* Kernel tables of the hashes, and the choice between their widths.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "hash_run.h"

#define MANY(hash, tier, ...)                                                                   \
    static const struct hash_kernels hash##_##tier = {__VA_ARGS__};                             \
    static size_t hash##_many_##tier(size_t n, void *const *states, const uint8_t *const *data, \
                                     size_t blocks)                                             \
    {                                                                                           \
        return isalk_hash_many(&hash##_##tier, n, states, data, blocks);                        \
    }

#define HASHES(X) X(md5) X(sha1) X(sha256) X(sha512) X(sm3)

/* ---- Which block functions serve how many messages ---- */

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
    MANY(sha1, tier, .best = 4, .width = {WIDTH(sha1, 4, tier, 1)}, .x1 = isalk_sha1_x1_base) \
    MANY(sha256, tier, .best = 4, .width = {WIDTH(sha256, 4, tier, 3)},                       \
         .x1 = isalk_sha256_x1_base)                                                          \
    MANY(sha512, tier, .best = 2, .width = {WIDTH(sha512, 2, tier, 2)},                       \
         .x1 = isalk_sha512_x1_base)                                                          \
    MANY(sm3, tier, .best = 4, .width = {WIDTH(sm3, 4, tier, 1)}, .x1 = isalk_sm3_x1_base)
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
     .x1 = isalk_md5_x1_sse)
MANY(sha1, avx512, .best = 16, .width = {WIDTH(sha1, 16, avx512, 9), WIDTH(sha1, 8, avx512, 2)},
     .x1 = isalk_sha1_x1_avx512)
MANY(sha256, avx512, .best = 16,
     .width = {WIDTH(sha256, 16, avx512, 9), WIDTH(sha256, 8, avx512, 2)},
     .x1 = isalk_sha256_x1_avx512)
MANY(sha512, avx512, .best = 8, .width = {WIDTH(sha512, 8, avx512, 5), WIDTH(sha512, 4, avx512, 2)},
     .x1 = isalk_sha512_x1_avx512)
MANY(sm3, avx512, .best = 16, .width = {WIDTH(sm3, 16, avx512, 9), WIDTH(sm3, 8, avx512, 2)},
     .x1 = isalk_sm3_x1_avx2)

/* With the SHA extensions. Two messages at a time are as fast as many; from a number of messages on
 * wide vectors are faster. Cycles of a block of all lanes on Golden Cove, of one and two messages
 * with the extensions and of 8 and 16 with AVX-512: SHA-1 85, 120, 279, 453; SHA-256 130, 192, 593,
 * 915. Without AVX-512: SHA-1 116, 200, and of 8 with AVX2 501; SHA-256 130, 192, 1138. */
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
#define NEEDS_NI_sha1 (CPU_SSSE3 | CPU_SHA)
#define NEEDS_NI_sha256 (CPU_SSSE3 | CPU_SSE41 | CPU_SHA)
#define NEEDS_AVX2_NI_sha1 (NEEDS_AVX2 | NEEDS_NI_sha1)
#define NEEDS_AVX2_NI_sha256 NEEDS_NI_sha256
#define NEEDS_AVX512_NI_sha1 (NEEDS_AVX512 | CPU_AVX | CPU_SHA)
#define NEEDS_AVX512_NI_sha256 (NEEDS_AVX512 | NEEDS_NI_sha256)
#define NEEDS_AVX512_MD5 (CPU_AVX512F | CPU_AVX512VL)

#define ROW(kernel, suffix, tier, needs)                       \
    {                                                          \
        T_##tier, needs, (kernel_fn) isalk_##kernel##_##suffix \
    }
#define BASE(kernel) ROW(kernel, base, BASE, 0),
#if ISALK_ASM
#define SSE(kernel) ROW(kernel, sse, SSE, NEEDS_SSE),
#define AVX(kernel) ROW(kernel, avx, AVX, NEEDS_AVX),
#define AVX2(kernel) ROW(kernel, avx2, AVX2, NEEDS_AVX2),
#define AVX512(kernel) ROW(kernel, avx512, AVX512, NEEDS_AVX512),
#define AVX2_X1(kernel) ROW(kernel, avx2, AVX2, NEEDS_AVX2 | NEEDS_##kernel),
#define AVX512_X1(kernel) ROW(kernel, avx512, AVX512, NEEDS_AVX512_MD5 | NEEDS_##kernel),
#define SCALAR_X1(kernel) ROW(kernel, avx2, AVX2, CPU_AVX | NEEDS_##kernel),
#define NI(kernel, hash) ROW(kernel, sse, SSE, NEEDS_NI_##hash),
#define NI_AVX512(kernel, hash) ROW(kernel, avx512, AVX512, NEEDS_AVX512_NI_##hash),
#define SSE_MD5(kernel) ROW(kernel, sse, SSE, NEEDS_SSE_MD5),
#define AVX512_MD5(kernel) ROW(kernel, avx512, AVX512, NEEDS_AVX512_MD5),
#else
#define SSE(kernel)
#define AVX(kernel)
#define AVX2(kernel)
#define AVX512(kernel)
#define AVX2_X1(kernel)
#define AVX512_X1(kernel)
#define SCALAR_X1(kernel)
#define NI(kernel, hash)
#define NI_AVX512(kernel, hash)
#define SSE_MD5(kernel)
#define AVX512_MD5(kernel)
#endif

/* The block functions and their rows. */
#define BLOCK_FUNCTIONS(X)                                                                         \
    X(md5_x1, BASE(md5_x1) SSE_MD5(md5_x1))                                                        \
    X(md5_x8, BASE(md5_x8) SSE_MD5(md5_x8) AVX(md5_x8) AVX2(md5_x8) AVX512_MD5(md5_x8))            \
    X(md5_x16, BASE(md5_x16) AVX2(md5_x16) AVX512_MD5(md5_x16))                                    \
    X(md5_x32, BASE(md5_x32) AVX512_MD5(md5_x32))                                                  \
    X(sha1_x1, BASE(sha1_x1) NI(sha1_ni_x1, sha1) AVX2_X1(sha1_x1) AVX512_X1(sha1_x1)              \
                   NI_AVX512(sha1_ni_x1, sha1))                                                    \
    X(sha1_x4, BASE(sha1_x4) SSE(sha1_x4) AVX(sha1_x4))                                            \
    X(sha1_x8, BASE(sha1_x8) AVX2(sha1_x8) AVX512(sha1_x8))                                        \
    X(sha1_x16, BASE(sha1_x16) AVX512(sha1_x16))                                                   \
    X(sha1_ni_x2, BASE(sha1_ni_x2) NI(sha1_ni_x2, sha1) NI_AVX512(sha1_ni_x2, sha1))               \
    X(sha256_x1, BASE(sha256_x1) NI(sha256_ni_x1, sha256) AVX2_X1(sha256_x1) AVX512_X1(sha256_x1)) \
    X(sha256_x4, BASE(sha256_x4) SSE(sha256_x4) AVX(sha256_x4))                                    \
    X(sha256_x8, BASE(sha256_x8) AVX2(sha256_x8) AVX512(sha256_x8))                                \
    X(sha256_x16, BASE(sha256_x16) AVX512(sha256_x16))                                             \
    X(sha256_ni_x2, BASE(sha256_ni_x2) NI(sha256_ni_x2, sha256))                                   \
    X(sha512_x1, BASE(sha512_x1) AVX2_X1(sha512_x1) AVX512_X1(sha512_x1))                          \
    X(sha512_x2, BASE(sha512_x2) SSE(sha512_x2) AVX(sha512_x2))                                    \
    X(sha512_x4, BASE(sha512_x4) AVX2(sha512_x4) AVX512(sha512_x4))                                \
    X(sha512_x8, BASE(sha512_x8) AVX512(sha512_x8))                                                \
    X(sm3_x1, BASE(sm3_x1) SCALAR_X1(sm3_x1))                                                      \
    X(sm3_x4, BASE(sm3_x4) SSE(sm3_x4) AVX(sm3_x4))                                                \
    X(sm3_x8, BASE(sm3_x8) AVX2(sm3_x8) AVX512(sm3_x8))                                            \
    X(sm3_x16, BASE(sm3_x16) AVX512(sm3_x16))

#define X(kernel, rows) static const struct variant kernel##_variants[] = {rows};
BLOCK_FUNCTIONS(X)
#undef X

#define MANY_ROW(hash, suffix, tier, needs)               \
    {                                                     \
        T_##tier, needs, (kernel_fn) hash##_many_##suffix \
    }
#if ISALK_ASM
#define MANY_TABLE(hash, needs_sse, needs_avx2, needs_avx512) \
    static const struct variant hash##_many_variants[] = {    \
        MANY_ROW(hash, base, BASE, 0),                        \
        MANY_ROW(hash, sse, SSE, needs_sse),                  \
        MANY_ROW(hash, avx, AVX, NEEDS_AVX),                  \
        MANY_ROW(hash, avx2, AVX2, needs_avx2),               \
        MANY_ROW(hash, avx512, AVX512, needs_avx512),         \
    };                                                        \
    kernel_slot isalk_##hash##_many_slot = (kernel_fn) hash##_many_base;
#define MANY_NI_TABLE(hash, needs_sse, needs_avx2, needs_avx512)   \
    static const struct variant hash##_many_variants[] = {         \
        MANY_ROW(hash, base, BASE, 0),                             \
        MANY_ROW(hash, sse, SSE, needs_sse),                       \
        MANY_ROW(hash, ni, SSE, NEEDS_NI_##hash),                  \
        MANY_ROW(hash, avx, AVX, NEEDS_AVX),                       \
        MANY_ROW(hash, avx2, AVX2, needs_avx2),                    \
        MANY_ROW(hash, avx2_ni, AVX2, NEEDS_AVX2_NI_##hash),       \
        MANY_ROW(hash, avx512, AVX512, needs_avx512),              \
        MANY_ROW(hash, avx512_ni, AVX512, NEEDS_AVX512_NI_##hash), \
    };                                                             \
    kernel_slot isalk_##hash##_many_slot = (kernel_fn) hash##_many_base;
#else
#define MANY_NI_TABLE MANY_TABLE
#define MANY_TABLE(hash, needs_sse, needs_avx2, needs_avx512)                             \
    static const struct variant hash##_many_variants[] = {MANY_ROW(hash, base, BASE, 0)}; \
    kernel_slot isalk_##hash##_many_slot = (kernel_fn) hash##_many_base;
#endif

MANY_TABLE(md5, NEEDS_SSE_MD5, NEEDS_AVX2, NEEDS_AVX512_MD5)
MANY_NI_TABLE(sha1, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sha1_x1, NEEDS_AVX512 | NEEDS_sha1_x1)
MANY_NI_TABLE(sha256, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sha256_x1, NEEDS_AVX512 | NEEDS_sha256_x1)
MANY_TABLE(sha512, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sha512_x1, NEEDS_AVX512 | NEEDS_sha512_x1)
MANY_TABLE(sm3, NEEDS_SSE, NEEDS_AVX2 | NEEDS_sm3_x1, NEEDS_AVX512 | NEEDS_sm3_x1)

static const struct kernel kernels[] = {
#define X(hash) KERNEL(#hash "_many", &isalk_##hash##_many_slot, hash##_many_variants),
    HASHES(X)
#undef X
#define X(kernel, rows) KERNEL(#kernel, NULL, kernel##_variants),
        BLOCK_FUNCTIONS(X)
#undef X
};

KERNEL_FAMILY(hash, kernels)
