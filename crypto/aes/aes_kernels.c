/* Kernel table of the AES family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_kernels.h"

#include "dispatch/kernel_table.h"

/* What the assembly of each tier uses. */
#define NEEDS_SSE_AES CPU_AESNI
#define NEEDS_AVX_AES (CPU_AVX | CPU_AESNI)
#define NEEDS_SSE_CBC NEEDS_SSE_AES
#define NEEDS_AVX_CBC NEEDS_AVX_AES
#define NEEDS_SSE_KEYS NEEDS_SSE_AES
#define NEEDS_AVX_KEYS NEEDS_AVX_AES
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
#define NEEDS_AVX2_V_KEYS (CPU_AVX | CPU_AVX2 | CPU_VAES)
#define NEEDS_AVX512_V_KEYS (CPU_AVX512F | CPU_AVX512VL | CPU_VAES)
#define NEEDS_AVX2_V_CTR NEEDS_AVX2_V_AES
#define NEEDS_AVX512_V_CTR (NEEDS_AVX512_V_CBC | CPU_AVX512VL)
#define NEEDS_AVX2_V_XTS (NEEDS_AVX2_V_AES | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V_XTS (NEEDS_AVX512_V_AES | NEEDS_AVX512_V_CBC | CPU_VPCLMULQDQ)
#define NEEDS_AVX2_V_GCM (NEEDS_AVX2_V_AES | CPU_PCLMULQDQ | CPU_VPCLMULQDQ)
#define NEEDS_AVX2_V_GCM_POWERS (CPU_AVX | CPU_AVX2 | CPU_AESNI | CPU_PCLMULQDQ | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V_GHASH (CPU_AVX512F | CPU_AVX512VL | CPU_AVX512BW | CPU_BMI2 | CPU_VPCLMULQDQ)
#define NEEDS_AVX512_V_GCM (NEEDS_AVX512_V_AES | NEEDS_AVX512_V_GHASH | CPU_PCLMULQDQ)
#define NEEDS_AVX512_V_POWERS (CPU_AVX512F | CPU_AVX512VL | CPU_AESNI | CPU_VPCLMULQDQ)

#define NEEDS_ARMV8_AES CPU_ARM_AES
#define NEEDS_ARMV8_KEYS CPU_ARM_AES
#define NEEDS_ARMV8_KEYEXP CPU_ARM_AES
#define NEEDS_ARMV8_CBC CPU_ARM_AES
#define NEEDS_ARMV8_CTR CPU_ARM_AES
#define NEEDS_ARMV8_XTS CPU_ARM_AES
#define NEEDS_ARMV8_GHASH CPU_ARM_PMULL
#define NEEDS_ARMV8_GCM (CPU_ARM_AES | CPU_ARM_PMULL)
#define NEEDS_ARMV8_POWERS NEEDS_ARMV8_GCM

/* Tables by vector width: AESNI_TABLE has 16-byte vectors, WIDE_TABLE also 64-byte ones, VAES_TABLE
 * also 32-byte and 64-byte ones. GHASH_TABLE also has portable ones. In NT_TABLE, only the widest
 * variant has non-temporal stores. */
#define AESNI_ROWS(kernel, needs)                      \
    ARMV8_ROW(kernel, needs), ROW(sse, NEEDS_SSE_##needs, isalk_##kernel##_sse), \
        ROW(avx, NEEDS_AVX_##needs, isalk_##kernel##_avx)
#define ARMV8_ROW(kernel, needs) ROW(armv8, NEEDS_ARMV8_##needs, isalk_##kernel##_armv8)
#define PORTABLE_ROW(kernel) ROW(portable, 0, isalk_##kernel##_portable)
#define WIDE_ROW(kernel, needs) ROW(avx512_v, NEEDS_AVX512_V_##needs, isalk_##kernel##_avx512_v)
#define VAES_ROWS(kernel, needs) \
    ROW(avx2_v, NEEDS_AVX2_V_##needs, isalk_##kernel##_avx2_v), WIDE_ROW(kernel, needs)
#define AESNI_TABLE(kernel, type, needs) \
    KERNEL_TABLE(kernel, type, isalk_##kernel##_base, AESNI_ROWS(kernel, needs))
#define WIDE_TABLE(kernel, type, needs)                                          \
    KERNEL_TABLE(kernel, type, isalk_##kernel##_base, AESNI_ROWS(kernel, needs), \
                 WIDE_ROW(kernel, needs))
#define VAES_TABLE(kernel, type, needs)                                          \
    KERNEL_TABLE(kernel, type, isalk_##kernel##_base, AESNI_ROWS(kernel, needs), \
                 VAES_ROWS(kernel, needs))
#define GHASH_TABLE(kernel, type, needs, last_rows)                         \
    KERNEL_TABLE(kernel, type, isalk_##kernel##_base, PORTABLE_ROW(kernel), \
                 AESNI_ROWS(kernel, needs), last_rows(kernel, needs))
/* With 32-byte vectors, both keys in one. Decryption needs AESIMC. */
#define NEEDS_enc_XTS_KEYS NEEDS_AVX2_V_KEYS
#define NEEDS_dec_XTS_KEYS NEEDS_AVX2_V_AES
#define XTS_KEYS_TABLE(way, bits)                                 \
    KERNEL_TABLE(aes_xts_keys_##way##_##bits, aes_xts_keys_fn,    \
                 isalk_aes_xts_keys_##way##_##bits##_base,        \
                 AESNI_ROWS(aes_xts_keys_##way##_##bits, KEYEXP), \
                 ROW(avx2_v, NEEDS_##way##_XTS_KEYS, isalk_aes_xts_keys_##way##_##bits##_avx2_v))
/* With 32-byte vectors, only the powers for CPUs without AVX-512 are made. */
#define POWERS_TABLE(bits)                                                                     \
    KERNEL_TABLE(aes_gcm_powers_##bits, aes_gcm_powers_fn, isalk_aes_gcm_powers_##bits##_base, \
                 AESNI_ROWS(aes_gcm_powers_##bits, POWERS),                                    \
                 ROW_AVOIDING(avx2_v, NEEDS_AVX2_V_GCM_POWERS, CPU_AVX512F,                    \
                              isalk_aes_gcm_powers_##bits##_avx2_v),                           \
                 WIDE_ROW(aes_gcm_powers_##bits, POWERS))
#define NT_TABLE(name)                                                               \
    KERNEL_TABLE(aes_gcm_##name##_nt, aes_gcm_fn, isalk_aes_gcm_##name##_nt_base,    \
                 PORTABLE_ROW(aes_gcm_##name##_nt), AESNI_ROWS(aes_gcm_##name, GCM), \
                 ROW(avx2_v, NEEDS_AVX2_V_GCM, isalk_aes_gcm_##name##_avx2_v),       \
                 WIDE_ROW(aes_gcm_##name##_nt, GCM))

AESNI_TABLE(aes_keyexp_128, aes_keyexp_fn, KEYEXP)
AESNI_TABLE(aes_keyexp_192, aes_keyexp_fn, KEYEXP)
AESNI_TABLE(aes_keyexp_256, aes_keyexp_fn, KEYEXP)
AESNI_TABLE(aes_cbc_enc_128, aes_cbc_fn, AES)
AESNI_TABLE(aes_cbc_enc_192, aes_cbc_fn, AES)
AESNI_TABLE(aes_cbc_enc_256, aes_cbc_fn, AES)
AESNI_TABLE(aes_cbc_mb_128, aes_cbc_mb_fn, AES)
AESNI_TABLE(aes_cbc_mb_192, aes_cbc_mb_fn, AES)
AESNI_TABLE(aes_cbc_mb_256, aes_cbc_mb_fn, AES)
VAES_TABLE(aes_cbc_mb_keys_128, aes_cbc_mb_fn, KEYS)
VAES_TABLE(aes_cbc_mb_keys_192, aes_cbc_mb_fn, KEYS)
VAES_TABLE(aes_cbc_mb_keys_256, aes_cbc_mb_fn, KEYS)
VAES_TABLE(aes_cbc_dec_128, aes_cbc_fn, CBC)
VAES_TABLE(aes_cbc_dec_192, aes_cbc_fn, CBC)
VAES_TABLE(aes_cbc_dec_256, aes_cbc_fn, CBC)
VAES_TABLE(aes_ctr_128, aes_ctr_fn, CTR)
VAES_TABLE(aes_ctr_192, aes_ctr_fn, CTR)
VAES_TABLE(aes_ctr_256, aes_ctr_fn, CTR)
VAES_TABLE(aes_xts_enc_128, aes_xts_fn, XTS)
VAES_TABLE(aes_xts_enc_256, aes_xts_fn, XTS)
VAES_TABLE(aes_xts_dec_128, aes_xts_fn, XTS)
VAES_TABLE(aes_xts_dec_256, aes_xts_fn, XTS)
XTS_KEYS_TABLE(enc, 128)
XTS_KEYS_TABLE(enc, 256)
XTS_KEYS_TABLE(dec, 128)
XTS_KEYS_TABLE(dec, 256)
POWERS_TABLE(128)
POWERS_TABLE(256)
GHASH_TABLE(aes_ghash, aes_ghash_fn, GHASH, WIDE_ROW)
GHASH_TABLE(aes_gcm_enc_128, aes_gcm_fn, GCM, VAES_ROWS)
GHASH_TABLE(aes_gcm_enc_256, aes_gcm_fn, GCM, VAES_ROWS)
GHASH_TABLE(aes_gcm_dec_128, aes_gcm_fn, GCM, VAES_ROWS)
GHASH_TABLE(aes_gcm_dec_256, aes_gcm_fn, GCM, VAES_ROWS)

NT_TABLE(enc_128)
NT_TABLE(enc_256)
NT_TABLE(dec_128)
NT_TABLE(dec_256)

#define X(kernel, type) KERNEL(kernel),
static const struct kernel kernels[] = {AES_KERNELS(X)};
#undef X

KERNEL_FAMILY(aes, kernels)
