/* CPU features, as one word of 64 bits.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_CPU_H
#define ISALK_CPU_H

#include "compiler.h"

#include <stdint.h>

/* X(id, name, leaf, subleaf, register, bit, xcr0): the name in isal_list_cpu_features(), the place
 * where CPUID reports the feature (register 0 is eax, 1 ebx, 2 ecx, 3 edx), and the XCR0 state that
 * the operating system must save for it. */
#define CPU_FEATURES(X)                                    \
    X(SSSE3, "ssse3", 1, 0, 2, 9, 0)                       \
    X(SSE41, "sse4.1", 1, 0, 2, 19, 0)                     \
    X(SSE42, "sse4.2", 1, 0, 2, 20, 0)                     \
    X(PCLMULQDQ, "pclmulqdq", 1, 0, 2, 1, 0)               \
    X(AESNI, "aes", 1, 0, 2, 25, 0)                        \
    X(SHA, "sha", 7, 0, 1, 29, 0)                          \
    X(BMI1, "bmi1", 7, 0, 1, 3, 0)                         \
    X(BMI2, "bmi2", 7, 0, 1, 8, 0)                         \
    X(AVX, "avx", 1, 0, 2, 28, XCR0_AVX)                   \
    X(AVX2, "avx2", 7, 0, 1, 5, XCR0_AVX)                  \
    X(GFNI, "gfni", 7, 0, 2, 8, 0)                         \
    X(VAES, "vaes", 7, 0, 2, 9, XCR0_AVX)                  \
    X(VPCLMULQDQ, "vpclmulqdq", 7, 0, 2, 10, XCR0_AVX)     \
    X(AVX512F, "avx512f", 7, 0, 1, 16, XCR0_AVX512)        \
    X(AVX512BW, "avx512bw", 7, 0, 1, 30, XCR0_AVX512)      \
    X(AVX512DQ, "avx512dq", 7, 0, 1, 17, XCR0_AVX512)      \
    X(AVX512VL, "avx512vl", 7, 0, 1, 31, XCR0_AVX512)      \
    X(AVX512CD, "avx512cd", 7, 0, 1, 28, XCR0_AVX512)      \
    X(AVX512VBMI, "avx512vbmi", 7, 0, 2, 1, XCR0_AVX512)   \
    X(AVX512VBMI2, "avx512vbmi2", 7, 0, 2, 6, XCR0_AVX512) \
    X(AVX512VNNI, "avx512vnni", 7, 0, 2, 11, XCR0_AVX512)  \
    X(SHA512, "sha512", 7, 1, 0, 0, XCR0_AVX)              \
    X(SM3, "sm3", 7, 1, 0, 1, XCR0_AVX)

/* X(id, name, bit): features of 64-bit Arm and their bits in the AT_HWCAP of Linux. */
#define CPU_ARM_FEATURES(X)      \
    X(ARM_AES, "arm_aes", 3)     \
    X(ARM_PMULL, "arm_pmull", 4) \
    X(ARM_SHA1, "arm_sha1", 5)   \
    X(ARM_SHA2, "arm_sha2", 6)   \
    X(ARM_CRC32, "arm_crc32", 7)

/* State components of XCR0. AVX: SSE and AVX. AVX-512: also opmasks and the upper registers. */
#define XCR0_AVX 0x06
#define XCR0_AVX512 0xe6

enum cpu_feature_bit {
#define X(id, name, leaf, subleaf, reg, bit, xcr0) CPU_BIT_##id,
    CPU_FEATURES(X)
#undef X
        CPU_FEATURE_COUNT
};

/* A word of features is a uint64_t. */
__extension__ enum cpu_feature {
#define X(id, name, leaf, subleaf, reg, bit, xcr0) CPU_##id = UINT64_C(1) << CPU_BIT_##id,
    CPU_FEATURES(X)
#undef X
};

/* Where features are read from: this CPU, or one that a test invents. */
struct cpuid_source {
    void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]); /* eax, ebx, ecx, edx */
    uint64_t (*xgetbv)(void); /* XCR0; called only if CPUID reports OSXSAVE */
};

ISALK_HIDDEN_BEGIN

/* Features that both CPU and operating system provide. */
uint64_t isalk_cpu_decode(const struct cpuid_source *source);

/* The same for this machine, with its traits (cpu_traits.h); read once per process. */
uint64_t isalk_cpu_features(void);

/* Name of bit number `index`: features of x86, then traits, then features of Arm; NULL past the
 * last. */
const char *isalk_cpu_feature_name(unsigned index);

ISALK_HIDDEN_END

#endif
