/* The compiler extensions that the library uses, in one place.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_COMPILER_H
#define ISALK_COMPILER_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define ISAL_PUBLIC __attribute__((visibility("default")))
#define ISALK_CONSTRUCTOR __attribute__((constructor))
#define ISALK_INLINE static inline __attribute__((always_inline))
#define ISALK_NOINLINE static __attribute__((noinline))
/* Types laid over memory of other types: ISALK_ALIAS keeps the alignment of its members, ISALK_RAW
 * may have any. */
#define ISALK_ALIAS __attribute__((may_alias))
#define ISALK_RAW __attribute__((packed, may_alias))
/* A vector of 16 bytes: operators work on each byte, and a comparison gives 255 or 0. */
typedef uint8_t isalk_bytes16 __attribute__((vector_size(16)));
typedef int32_t isalk_ints4 __attribute__((vector_size(16))); /* likewise */
/* Returns n, whose range the compiler then does not know. For a length known to be short, it would
 * expand memcpy() and memset() to a string instruction, which is slower than the call. */
ISALK_INLINE size_t isalk_any_length(size_t n)
{
    __asm__("" : "+r"(n));
    return n;
}
#else
#error "this compiler is not supported: use gcc or clang"
#endif

/* Declarations between these are hidden, so that calls to other files of the library are direct. */
#if defined(__ELF__) || defined(__MACH__)
#define ISALK_HIDDEN_BEGIN _Pragma("GCC visibility push(hidden)")
#define ISALK_HIDDEN_END _Pragma("GCC visibility pop")
#else
#define ISALK_HIDDEN_BEGIN
#define ISALK_HIDDEN_END
#endif

/* Assembly kernels are part of this build. */
#if defined(HAVE_ASM) && HAVE_ASM
#define ISALK_ASM 1
#else
#define ISALK_ASM 0
#endif

/* Kernels in C with the instructions of Armv8's extensions are part of this build: gcc makes them
 * for any target, clang if its target has the extensions. */
#if defined(__aarch64__) && defined(__linux__) && !defined(__AARCH64EB__) && \
    (!defined(__clang__) || (defined(__ARM_FEATURE_CRYPTO) && defined(__ARM_FEATURE_CRC32)))
#define ISALK_ARMV8 1
#else
#define ISALK_ARMV8 0
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define ISALK_X86_64 1
#else
#define ISALK_X86_64 0
#endif

/* x86 of 32 or 64 bits. A 32-bit build runs portable C alone, but reports the CPU's features. */
#if ISALK_X86_64 || defined(__i386__)
#define ISALK_X86 1
#else
#define ISALK_X86 0
#endif

#endif
