/* Compiler-specific definitions shared by the headers of libisal_crypto; not for new programs. They
 * are macros without state, so threads do not matter to them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_CRYPTO_TYPES_H
#define ISAL_CRYPTO_TYPES_H

#include <stdlib.h>

#if defined(__GNUC__) || defined(__clang__)
#define DECLARE_ALIGNED(decl, alignval) decl __attribute__((aligned(alignval)))
#if !defined(__forceinline) && !defined(_MSC_VER) /* a macro of MinGW, a keyword of Visual C++ */
#define __forceinline static inline
#endif
#define aligned_free(x) free(x)
#else
#define DECLARE_ALIGNED(decl, alignval) __declspec(align(alignval)) decl
#define aligned_free(x) _aligned_free(x)
#endif

#ifdef DEBUG
#define DEBUG_PRINT(x) printf x
#else
#define DEBUG_PRINT(x) \
    do {               \
    } while (0)
#endif

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#ifndef __has_extension
#define __has_extension __has_feature
#endif

#ifdef __GNUC__
#define ISAL_GCC_VERSION (__GNUC__ * 10000 + __GNUC_MINOR__ * 100 + __GNUC_PATCHLEVEL__)
#else
#define ISAL_GCC_VERSION 0
#endif

/* Marks functions that are kept for existing programs, or that may still change. Define
 * ISAL_UNIT_TEST before including a header to silence the warnings. */
#ifdef ISAL_UNIT_TEST
#define ISAL_DEPRECATED(message)
#elif defined(__GNUC__) || defined(__clang__)
#define ISAL_DEPRECATED(message) __attribute__((deprecated(message)))
#elif defined(_MSC_VER)
#define ISAL_DEPRECATED(message) __declspec(deprecated(message))
#else
#define ISAL_DEPRECATED(message)
#endif
#define ISAL_EXPERIMENTAL(message) ISAL_DEPRECATED("Experimental: " message)

#endif
