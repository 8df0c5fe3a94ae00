/* Kernel table of the AES family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_kernels.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE_AES CPU_AESNI
#define NEEDS_AVX_AES (CPU_AVX | CPU_AESNI)
#define NEEDS_SSE_CBC NEEDS_SSE_AES
#define NEEDS_AVX_CBC NEEDS_AVX_AES
#define NEEDS_SSE_KEYEXP (CPU_SSSE3 | CPU_AESNI)
#define NEEDS_AVX_KEYEXP (CPU_AVX | CPU_AESNI)
#define NEEDS_SSE_CTR NEEDS_SSE_XTS
#define NEEDS_AVX_CTR NEEDS_AVX_AES
#define NEEDS_SSE_XTS (CPU_SSSE3 | CPU_SSE41 | CPU_AESNI)
#define NEEDS_AVX_XTS (CPU_AVX | CPU_AESNI)
#define NEEDS_SSE_GHASH (CPU_SSSE3 | CPU_SSE41 | CPU_PCLMULQDQ)
#define NEEDS_AVX_GHASH (CPU_AVX | CPU_PCLMULQDQ)
#define NEEDS_SSE_GCM (CPU_SSSE3 | CPU_SSE41 | CPU_AESNI | CPU_PCLMULQDQ)
#define NEEDS_AVX_GCM (CPU_AVX | CPU_AESNI | CPU_PCLMULQDQ)
#define NEEDS_SSE_POWERS (CPU_SSSE3 | CPU_AESNI | CPU_PCLMULQDQ)
#define NEEDS_AVX_POWERS NEEDS_AVX_GCM

#define NEEDS_AVX2_V_AES (CPU_AVX | CPU_AVX2 | CPU_AESNI | CPU_VAES)
#define NEEDS_AVX2_V_CBC NEEDS_AVX2_V_AES
#define NEEDS_AVX512_V_AES (CPU_AVX512F | CPU_AVX512VL | CPU_AESNI | CPU_VAES)
#define NEEDS_AVX512_V_CBC (CPU_AVX512F | CPU_AVX512BW | CPU_BMI2 | CPU_VAES)
#define NEEDS_AVX2_V_CTR NEEDS_AVX2_V_AES
#define NEEDS_AVX512_V_CTR (NEEDS_AVX512_V_CBC | CPU_AVX512VL)
#define NEEDS_AVX2_V_XTS (NEEDS_AVX2_V_AES | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V_XTS (NEEDS_AVX512_V_AES | NEEDS_AVX512_V_CBC | CPU_VPCLMULQDQ)
#define NEEDS_AVX2_V_GCM (NEEDS_AVX2_V_AES | CPU_PCLMULQDQ | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V_GHASH (CPU_AVX512F | CPU_AVX512VL | CPU_AVX512BW | CPU_BMI2 | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V_GCM (NEEDS_AVX512_V_AES | NEEDS_AVX512_V_GHASH | CPU_PCLMULQDQ)
#define NEEDS_AVX512_V_POWERS (CPU_AVX512F | CPU_AVX512VL | CPU_AESNI | CPU_VPCLMULQDQ)

/* ROWS(kernel, needs): the variants of one kernel; ROWS_512 has that with vectors of 64 bytes,
 * too, ROWS_VAES those of 32 and 64; ROWS_NT(name): the ordinary variants of
 * GCM but for one. */
#if ISALK_ASM
#define AESNI_ROWS(kernel, needs)                                     \
    {T_BASE, 0, (kernel_fn) isalk_##kernel##_base},                   \
        {T_SSE, NEEDS_SSE_##needs, (kernel_fn) isalk_##kernel##_sse}, \
        {T_AVX, NEEDS_AVX_##needs, (kernel_fn) isalk_##kernel##_avx},
#define ROWS(kernel, needs) \
    static const struct variant kernel##_variants[] = {AESNI_ROWS(kernel, needs)};
#define ROWS_512(kernel, needs)                                                   \
    static const struct variant kernel##_variants[] = {AESNI_ROWS(kernel, needs){ \
        T_AVX512_V, NEEDS_AVX512_V_##needs, (kernel_fn) isalk_##kernel##_avx512_v}};
#define ROWS_VAES(kernel, needs)                                        \
    static const struct variant kernel##_variants[] = {                 \
        AESNI_ROWS(kernel, needs){T_AVX2_V, NEEDS_AVX2_V_##needs,       \
                                  (kernel_fn) isalk_##kernel##_avx2_v}, \
        {T_AVX512_V, NEEDS_AVX512_V_##needs, (kernel_fn) isalk_##kernel##_avx512_v}};
#define ROWS_NT(name)                                                            \
    static const struct variant aes_gcm_##name##_nt_variants[] = {               \
        {T_BASE, 0, (kernel_fn) isalk_aes_gcm_##name##_nt_base},                 \
        {T_SSE, NEEDS_SSE_GCM, (kernel_fn) isalk_aes_gcm_##name##_sse},          \
        {T_AVX, NEEDS_AVX_GCM, (kernel_fn) isalk_aes_gcm_##name##_avx},          \
        {T_AVX2_V, NEEDS_AVX2_V_GCM, (kernel_fn) isalk_aes_gcm_##name##_avx2_v}, \
        {T_AVX512_V, NEEDS_AVX512_V_GCM, (kernel_fn) isalk_aes_gcm_##name##_nt_avx512_v}};
#else
#define ROWS_NT(name)                                              \
    static const struct variant aes_gcm_##name##_nt_variants[] = { \
        {T_BASE, 0, (kernel_fn) isalk_aes_gcm_##name##_nt_base},   \
    };
#define ROWS(kernel, needs)                             \
    static const struct variant kernel##_variants[] = { \
        {T_BASE, 0, (kernel_fn) isalk_##kernel##_base}, \
    };
#define ROWS_512 ROWS
#define ROWS_VAES ROWS
#endif

ROWS(aes_keyexp_128, KEYEXP)
ROWS(aes_keyexp_192, KEYEXP)
ROWS(aes_keyexp_256, KEYEXP)
ROWS(aes_cbc_enc_128, AES)
ROWS(aes_cbc_enc_192, AES)
ROWS(aes_cbc_enc_256, AES)
ROWS(aes_cbc_mb_128, AES)
ROWS(aes_cbc_mb_192, AES)
ROWS(aes_cbc_mb_256, AES)
ROWS_VAES(aes_cbc_dec_128, CBC)
ROWS_VAES(aes_cbc_dec_192, CBC)
ROWS_VAES(aes_cbc_dec_256, CBC)
ROWS_VAES(aes_ctr_128, CTR)
ROWS_VAES(aes_ctr_192, CTR)
ROWS_VAES(aes_ctr_256, CTR)
ROWS_VAES(aes_xts_enc_128, XTS)
ROWS_VAES(aes_xts_enc_256, XTS)
ROWS_VAES(aes_xts_dec_128, XTS)
ROWS_VAES(aes_xts_dec_256, XTS)
ROWS_512(aes_gcm_powers_128, POWERS)
ROWS_512(aes_gcm_powers_256, POWERS)
ROWS_512(aes_ghash, GHASH)
ROWS_VAES(aes_gcm_enc_128, GCM)
ROWS_VAES(aes_gcm_enc_256, GCM)
ROWS_VAES(aes_gcm_dec_128, GCM)
ROWS_VAES(aes_gcm_dec_256, GCM)

ROWS_NT(enc_128)
ROWS_NT(enc_256)
ROWS_NT(dec_128)
ROWS_NT(dec_256)

#define X(kernel, type) kernel_slot isalk_##kernel##_slot = (kernel_fn) isalk_##kernel##_base;
AES_KERNELS(X)
#undef X

#define X(kernel, type) KERNEL(#kernel, &isalk_##kernel##_slot, kernel##_variants),
static const struct kernel kernels[] = {AES_KERNELS(X)};
#undef X

KERNEL_FAMILY(aes, kernels)
