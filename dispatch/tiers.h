/* The instruction-set tiers.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_TIERS_H
#define ISALK_TIERS_H

/* X(id, name), lowest tier first. ISAL_ISA accepts the names, and functions end in them. A tier is
 * a class of variants; each variant lists the CPU features that it needs. base is the specification
 * in C. portable is fast C; only builds without assembly have it. armv8 is C with the instructions
 * for AES, products, hashes and CRCs of 64-bit Arm. */
#define TIERS(X)          \
    X(BASE, base)         \
    X(PORTABLE, portable) \
    X(ARMV8, armv8)       \
    X(SSE, sse)           \
    X(AVX, avx)           \
    X(AVX2, avx2)         \
    X(AVX2_V, avx2_v)     \
    X(AVX512, avx512)     \
    X(AVX512_V, avx512_v)

/* An element of an array of names: {TIERS(TIER_NAME)}. */
#define TIER_NAME(id, name) #name,

#endif
