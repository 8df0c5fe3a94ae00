/* Kernel table of the CRC family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/crc_kernels.h"

#include "dispatch/kernel_table.h"

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

#define NEEDS_ARMV8 (CPU_ARM_PMULL | CPU_ARM_CRC32)

/* Rows with the needs of their tier. */
#define PORTABLE(function) ROW(portable, 0, isalk_##function##_portable)
#define ARMV8(function) ROW(armv8, NEEDS_ARMV8, isalk_##function##_armv8)
#define SSE(function) ROW(sse, NEEDS_SSE, isalk_##function##_sse)
#define AVX(function) ROW(avx, NEEDS_AVX, isalk_##function##_avx)
#define AVX2(function) ROW(avx2, NEEDS_AVX2, isalk_##function##_avx2)
#define AVX2_REFL(function) ROW(avx2, NEEDS_AVX2_REFL, isalk_##function##_avx2)
#define AVX2_V(function) ROW(avx2_v, NEEDS_AVX2_V, isalk_##function##_avx2_v)
#define AVX512(function) ROW(avx512, NEEDS_AVX512, isalk_##function##_avx512)
#define AVX512_V(function) ROW(avx512_v, NEEDS_AVX512_V, isalk_##function##_avx512_v)
#define AVX512_V_NORM(function) \
    ROW(avx512_v, NEEDS_AVX512_V | CPU_AVX512BW | CPU_GFNI, isalk_##function##_avx512_v)
#define AVX512_V_ISCSI(function) ROW(avx512_v, NEEDS_AVX512_V_ISCSI, isalk_##function##_avx512_v)
#define ISCSI(function)                                          \
    ROW(sse, CPU_SSE42 | NEEDS_SSE, isalk_##function##_sse),     \
        ROW(avx, CPU_SSE42 | NEEDS_AVX, isalk_##function##_avx), \
        ROW(avx512, CPU_SSE42 | NEEDS_AVX512, isalk_##function##_avx512)

#if ISALK_ASM
#define BASE(function) isalk_##function##_base_entry
#else
#define BASE(function) isalk_##function##_base
#endif

/* CRC(id, base, rows), COPY(id, base, rows): kernels of the type crc_fn and crc_copy_fn. */
#define IN_C(base) PORTABLE(base), ARMV8(base)
#define CRC(id, base, ...) KERNEL_TABLE(id, crc_fn, BASE(base), IN_C(base), __VA_ARGS__)
#define COPY(id, base, ...) KERNEL_TABLE(id, crc_copy_fn, BASE(base), IN_C(base), __VA_ARGS__)
#define FOLD_NORM SSE(crc_fold_norm), AVX(crc_fold_norm)
#define FOLD_REFL SSE(crc_fold_refl), AVX(crc_fold_refl)
#define COPY_NORM SSE(crc_copy_norm), AVX(crc_copy_norm), AVX2(crc_copy_norm)
#define COPY_REFL SSE(crc_copy_refl), AVX(crc_copy_refl)

/* clang-format off */
CRC(crc_fold_norm, crc_fold_norm,
     FOLD_NORM, AVX2(crc_fold_norm), AVX2_V(crc_fold_norm), AVX512(crc_fold_norm),
     AVX512_V_NORM(crc_fold_norm))
CRC(crc_fold_refl, crc_fold_refl,
     FOLD_REFL, AVX2_V(crc_fold_refl), AVX512(crc_fold_refl), AVX512_V(crc_fold_refl))
COPY(crc_copy_norm, crc_copy_norm,
     COPY_NORM, AVX2_V(crc_copy_norm), AVX512(crc_copy_norm), AVX512_V_NORM(crc_copy_norm))
COPY(crc_copy_refl, crc_copy_refl,
     COPY_REFL, AVX2_V(crc_copy_refl), AVX512(crc_copy_refl), AVX512_V(crc_copy_refl))

COPY(crc_nt_norm, crc_copy_norm,
     SSE(crc_nt_norm), AVX(crc_nt_norm))
COPY(crc_nt_refl, crc_copy_refl,
     SSE(crc_nt_refl), AVX(crc_nt_refl))

/* With VPCLMULQDQ, folding is as fast as taps of 32 bytes and as rings, or faster. */
CRC(crc16_t10dif, crc_fold_norm,
     FOLD_NORM, AVX2(crc16_t10dif), AVX2_V(crc_fold_norm), AVX512(crc16_t10dif),
     AVX512_V_NORM(crc16_t10dif))
COPY(crc16_t10dif_copy, crc_copy_norm,
     COPY_NORM, AVX2_V(crc_copy_norm), AVX512(crc16_t10dif_copy), AVX512_V_NORM(crc_copy_norm))
CRC(crc32_ieee, crc_fold_norm,
     FOLD_NORM, AVX2(crc32_ieee), AVX2_V(crc_fold_norm), AVX512(crc32_ieee),
     AVX512_V_NORM(crc_fold_norm))
CRC(crc32_gzip_refl, crc_fold_refl,
     FOLD_REFL, AVX2_REFL(crc32_gzip_refl), AVX2_V(crc_fold_refl), AVX512(crc32_gzip_refl),
     AVX512_V(crc_fold_refl))
CRC(crc64_iso_norm, crc_fold_norm,
     FOLD_NORM, AVX2(crc64_iso_norm), AVX2_V(crc_fold_norm), AVX512(crc64_iso_norm),
     AVX512_V_NORM(crc_fold_norm))
CRC(crc64_iso_refl, crc_fold_refl,
     FOLD_REFL, AVX2_REFL(crc64_iso_refl), AVX2_V(crc_fold_refl), AVX512(crc64_iso_refl),
     AVX512_V(crc_fold_refl))

KERNEL_TABLE(crc_fold_iscsi, crc_iscsi_fn, isalk_crc_fold_iscsi_base,
     IN_C(crc_fold_iscsi), ISCSI(crc_fold_iscsi), AVX512_V_ISCSI(crc_fold_iscsi))
/* Folding with 64-byte products is as fast as crc32 and 16-byte products together, or up to
 * twice as fast. */
CRC(crc32_iscsi, crc_fold_refl,
     ISCSI(crc32_iscsi), AVX512_V_ISCSI(crc32_iscsi))
COPY(crc32_iscsi_copy, crc_copy_refl,
     ISCSI(crc32_iscsi_copy), AVX512_V_ISCSI(crc_copy_iscsi))
/* clang-format on */

static const struct kernel kernels[] = {
    KERNEL(crc_fold_norm),   KERNEL(crc_fold_refl),     KERNEL(crc_copy_norm),
    KERNEL(crc_copy_refl),   KERNEL(crc_nt_norm),       KERNEL(crc_nt_refl),
    KERNEL(crc16_t10dif),    KERNEL(crc16_t10dif_copy), KERNEL(crc32_ieee),
    KERNEL(crc32_gzip_refl), KERNEL(crc32_iscsi),       KERNEL(crc32_iscsi_copy),
    KERNEL(crc64_iso_norm),  KERNEL(crc64_iso_refl),    KERNEL(crc_fold_iscsi),
};

KERNEL_FAMILY(crc, kernels)
