/* The compression functions of the hashes with a message in each element of a vector.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The vectors are as wide as those of the compiler's target. Without vectors, an integer is a
 * vector of one element. */

#ifndef HASH_VECTORS_H
#define HASH_VECTORS_H

#include "dispatch/vector.h"

#if defined(__AVX512F__)
#define HASH_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define HASH_VECTOR_BYTES 32
#elif ISALK_SIMD
#define HASH_VECTOR_BYTES 16
#endif

#ifdef HASH_VECTOR_BYTES
typedef uint32_t word32 __attribute__((vector_size(HASH_VECTOR_BYTES)));
typedef uint64_t word64 __attribute__((vector_size(HASH_VECTOR_BYTES)));
#else
typedef uint32_t word32;
typedef uint64_t word64;
#endif

#include "hash_rounds.h"

#endif
