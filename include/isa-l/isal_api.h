/* Version of the library, and control over which kernels it runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * At load time the library reads the CPU's features and picks the fastest variant of each kernel.
 * The environment variable ISAL_ISA, which set-user-id programs ignore, or isal_set_isa_limit() caps
 * the choice; the rest of this header says what was chosen. The tiers, lowest first: "base"
 * (portable C), "sse", "avx", "avx2", "avx2_v" (AVX2 with GFNI, VAES or VPCLMULQDQ), "avx512",
 * "avx512_v" (AVX-512 with the same). A tier names a class of variants, each of which needs only the
 * features that its code uses: on a CPU with AVX2 and VPCLMULQDQ, but without GFNI, CRCs run
 * "avx2_v" and erasure codes "avx2". */

#ifndef ISAL_API_H
#define ISAL_API_H

#include <stddef.h>

#define ISAL_MAJOR_VERSION 2
#define ISAL_MINOR_VERSION 33
#define ISAL_PATCH_VERSION 0
#define ISAL_VERSION_STR "2.33.0"

/* One number for a version, for comparison: major * 65536 + minor * 256 + patch. */
#define ISAL_MAKE_VERSION(maj, min, patch) ((maj) *0x10000 + (min) *0x100 + (patch))
#define ISAL_VERSION ISAL_MAKE_VERSION(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)

/* Marks a function kept for programs that already call it. Define ISAL_DEPRECATED_INTERNAL before
 * including a header to silence the warnings. */
#if defined(ISAL_UNIT_TEST) || defined(ISAL_DEPRECATED_INTERNAL)
#define ISAL_LIB_DEPRECATED(message)
#elif defined(__GNUC__) || defined(__clang__)
#define ISAL_LIB_DEPRECATED(message) __attribute__((deprecated(message)))
#elif defined(_MSC_VER)
#define ISAL_LIB_DEPRECATED(message) __declspec(deprecated(message))
#else
#define ISAL_LIB_DEPRECATED(message)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library in use, which may differ from the header's: "2.33.0". */
const char *isal_get_version_str(void);

/* The same as a number: compare with ISAL_VERSION or ISAL_MAKE_VERSION(). */
unsigned isal_get_version(void);

/* Caps the instruction-set tier from now on and chooses every kernel anew.
 *
 * isa: name of the highest tier allowed, or NULL to go back to the state at load time (the whole
 * CPU, or ISAL_ISA where it is set). A cap above what the CPU has changes nothing. Returns 0, or -1
 * with nothing changed when no tier has that name.
 *
 * For avoiding the frequency effects of 512-bit code, reproducing a fault, and tests. Safe at any
 * time and from any thread: calls in flight finish in the kernel they started in. */
int isal_set_isa_limit(const char *isa);

/* Highest tier among the variants that this library's kernels run now: none runs code of a higher
 * one, and at least one runs code of this one. Never NULL. */
const char *isal_get_isa(void);

/* Name of the variant that runs for a kernel: its tier, such as isal_get_kernel("ec_encode_data") ==
 * "avx512", or its tier and "_sha" where it uses the SHA extensions. NULL when there is no kernel of
 * that name. */
const char *isal_get_kernel(const char *name);

/* Name of kernel number index, counted from 0, in the order of the families; NULL past the last. */
const char *isal_list_kernels(size_t index);

/* Name of variant number index of a kernel, slowest first; NULL past the last or for an unknown
 * kernel. *usable, unless usable is NULL, becomes 1 if this CPU can run the variant, cap or no cap,
 * else 0. */
const char *isal_list_variants(const char *kernel, size_t index, int *usable);

/* Name of CPU feature number index that kernels can ask for, such as "avx512bw"; NULL past the
 * last, which is the first on CPUs other than x86. *present, unless present is NULL, becomes 1 if the CPU and the operating system provide it,
 * else 0. */
const char *isal_list_cpu_features(size_t index, int *present);

#ifdef __cplusplus
}
#endif

#endif
