/* Kernel table of the CRC family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/crc_kernels.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE (CPU_SSSE3 | CPU_SSE41 | CPU_PCLMULQDQ)
#define NEEDS_AVX (CPU_AVX | CPU_PCLMULQDQ)
#define NEEDS_AVX2 (CPU_AVX | CPU_AVX2 | CPU_BMI2 | CPU_PCLMULQDQ)
#define NEEDS_AVX2_REFL (CPU_AVX | CPU_AVX2 | CPU_PCLMULQDQ)
#define NEEDS_AVX2_V (NEEDS_AVX2 | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V_ISCSI \
    (CPU_SSE42 | CPU_BMI2 | CPU_AVX512F | CPU_AVX512VL | CPU_AVX512VBMI | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V (NEEDS_AVX512 | CPU_AVX512VBMI | CPU_VPCLMULQDQ)
#define NEEDS_AVX512 (CPU_PCLMULQDQ | CPU_BMI2 | CPU_AVX512F | CPU_AVX512VL)

#define BASE(function) {T_BASE, 0, (kernel_fn) isalk_##function##_base},
#if ISALK_ASM
#define SSE(function) {T_SSE, NEEDS_SSE, (kernel_fn) isalk_##function##_sse},
#define AVX(function) {T_AVX, NEEDS_AVX, (kernel_fn) isalk_##function##_avx},
#define AVX2(function) {T_AVX2, NEEDS_AVX2, (kernel_fn) isalk_##function##_avx2},
#define AVX2_REFL(function) {T_AVX2, NEEDS_AVX2_REFL, (kernel_fn) isalk_##function##_avx2},
#define AVX512(function) {T_AVX512, NEEDS_AVX512, (kernel_fn) isalk_##function##_avx512},
#define ISCSI(function)                                                     \
    {T_SSE, CPU_SSE42 | NEEDS_SSE, (kernel_fn) isalk_##function##_sse},     \
        {T_AVX, CPU_SSE42 | NEEDS_AVX, (kernel_fn) isalk_##function##_avx}, \
        {T_AVX512, CPU_SSE42 | NEEDS_AVX512, (kernel_fn) isalk_##function##_avx512},
#define AVX2_V(function) {T_AVX2_V, NEEDS_AVX2_V, (kernel_fn) isalk_##function##_avx2_v},
#define AVX512_V(function) {T_AVX512_V, NEEDS_AVX512_V, (kernel_fn) isalk_##function##_avx512_v},
#define AVX512_V_NORM(function) \
    {T_AVX512_V, NEEDS_AVX512_V | CPU_AVX512BW | CPU_GFNI, (kernel_fn) isalk_##function##_avx512_v},
#define AVX512_V_ISCSI(function) \
    {T_AVX512_V, NEEDS_AVX512_V_ISCSI, (kernel_fn) isalk_##function##_avx512_v},
#else
#define AVX2_V(function)
#define AVX512_V(function)
#define AVX512_V_NORM(function)
#define AVX512_V_ISCSI(function)
#define ISCSI(function)
#define SSE(function)
#define AVX(function)
#define AVX2(function)
#define AVX2_REFL(function)
#define AVX512(function)
#endif

/* SLOT(id, base, variants): the kernel `id`, and the portable one that it starts as. */
#define SLOT(id, base, ...)                                      \
    static const struct variant id##_variants[] = {__VA_ARGS__}; \
    kernel_slot isalk_##id##_slot = (kernel_fn) isalk_##base##_base;
#define FOLD_NORM BASE(crc_fold_norm) SSE(crc_fold_norm) AVX(crc_fold_norm)
#define FOLD_REFL BASE(crc_fold_refl) SSE(crc_fold_refl) AVX(crc_fold_refl)
#define COPY_NORM BASE(crc_copy_norm) SSE(crc_copy_norm) AVX(crc_copy_norm) AVX2(crc_copy_norm)
#define COPY_REFL BASE(crc_copy_refl) SSE(crc_copy_refl) AVX(crc_copy_refl)

/* clang-format off */
SLOT(crc_fold_norm, crc_fold_norm,
     FOLD_NORM AVX2(crc_fold_norm) AVX2_V(crc_fold_norm)
     AVX512(crc_fold_norm) AVX512_V_NORM(crc_fold_norm))
SLOT(crc_fold_refl, crc_fold_refl,
     FOLD_REFL AVX2_V(crc_fold_refl) AVX512(crc_fold_refl) AVX512_V(crc_fold_refl))
SLOT(crc_copy_norm, crc_copy_norm,
     COPY_NORM AVX2_V(crc_copy_norm) AVX512(crc_copy_norm) AVX512_V_NORM(crc_copy_norm))
SLOT(crc_copy_refl, crc_copy_refl,
     COPY_REFL AVX2_V(crc_copy_refl) AVX512(crc_copy_refl) AVX512_V(crc_copy_refl))

SLOT(crc_nt_norm, crc_copy_norm, BASE(crc_copy_norm) SSE(crc_nt_norm) AVX(crc_nt_norm))
SLOT(crc_nt_refl, crc_copy_refl, BASE(crc_copy_refl) SSE(crc_nt_refl) AVX(crc_nt_refl))

/* Where vectors can be multiplied, taps of 32 bytes and those that are in memory do no better. */
SLOT(crc16_t10dif, crc_fold_norm,
     FOLD_NORM AVX2(crc16_t10dif) AVX2_V(crc_fold_norm)
     AVX512(crc16_t10dif) AVX512_V_NORM(crc16_t10dif))
SLOT(crc16_t10dif_copy, crc_copy_norm,
     COPY_NORM AVX2_V(crc_copy_norm) AVX512(crc16_t10dif_copy) AVX512_V_NORM(crc_copy_norm))
SLOT(crc32_ieee, crc_fold_norm,
     FOLD_NORM AVX2(crc32_ieee) AVX2_V(crc_fold_norm)
     AVX512(crc32_ieee) AVX512_V_NORM(crc_fold_norm))
SLOT(crc32_gzip_refl, crc_fold_refl,
     FOLD_REFL AVX2_REFL(crc32_gzip_refl) AVX2_V(crc_fold_refl)
     AVX512(crc32_gzip_refl) AVX512_V(crc_fold_refl))
SLOT(crc64_iso_norm, crc_fold_norm,
     FOLD_NORM AVX2(crc64_iso_norm) AVX2_V(crc_fold_norm)
     AVX512(crc64_iso_norm) AVX512_V_NORM(crc_fold_norm))
SLOT(crc64_iso_refl, crc_fold_refl,
     FOLD_REFL AVX2_REFL(crc64_iso_refl) AVX2_V(crc_fold_refl)
     AVX512(crc64_iso_refl) AVX512_V(crc_fold_refl))

SLOT(crc_fold_iscsi, crc_fold_iscsi,
     BASE(crc_fold_iscsi) ISCSI(crc_fold_iscsi) AVX512_V_ISCSI(crc_fold_iscsi))
/* Zmm products reach what crc32 and 16-byte ones do together, or twice that. */
SLOT(crc32_iscsi, crc_fold_refl,
     BASE(crc_fold_refl) ISCSI(crc32_iscsi) AVX512_V_ISCSI(crc32_iscsi))
SLOT(crc32_iscsi_copy, crc_copy_refl,
     BASE(crc_copy_refl) ISCSI(crc32_iscsi_copy) AVX512_V_ISCSI(crc_copy_iscsi))
/* clang-format on */

#define ENTRY(id) KERNEL(#id, &isalk_##id##_slot, id##_variants)
static const struct kernel kernels[] = {
    ENTRY(crc_fold_norm),  ENTRY(crc_fold_refl),   ENTRY(crc_copy_norm),  ENTRY(crc_copy_refl),
    ENTRY(crc_nt_norm),    ENTRY(crc_nt_refl),     ENTRY(crc16_t10dif),   ENTRY(crc16_t10dif_copy),
    ENTRY(crc32_ieee),     ENTRY(crc32_gzip_refl), ENTRY(crc32_iscsi),    ENTRY(crc32_iscsi_copy),
    ENTRY(crc64_iso_norm), ENTRY(crc64_iso_refl),  ENTRY(crc_fold_iscsi),
};

KERNEL_FAMILY(crc, kernels)
