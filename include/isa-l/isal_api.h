/* Version of the library, and control over the kernels that it runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * At load time the library reads the CPU's features and chooses the fastest variant of each kernel.
 * isal_set_isa_limit() or the environment variable ISAL_ISA (ignored in set-user-id programs) caps
 * the choice; the other functions report what was chosen. The tiers, lowest first:
 *
 *     base      the specification, in C
 *     portable  fast C with vectors; only in builds without assembly
 *     armv8     64-bit Arm's instructions for AES, products, SHA and CRCs
 *     sse       SSE up to SSE4.2
 *     avx       AVX
 *     avx2      AVX2
 *     avx2_v    AVX2 with GFNI, VAES or VPCLMULQDQ
 *     avx512    AVX-512
 *     avx512_v  AVX-512 with GFNI, VAES or VPCLMULQDQ
 *
 * A variant needs only the features that its code uses. On a CPU with AVX2 and VPCLMULQDQ but
 * without GFNI, for example, CRCs run "avx2_v" and erasure codes "avx2".
 *
 * Functions of this library need up to 64 KB of stack (isal_self_test() 256 KB), those of
 * libisal_crypto 24 KB, most of both less than 1 KB: doc/stack.md has a number for each. */

#ifndef ISAL_API_H
#define ISAL_API_H

#include <stddef.h>

#define ISAL_MAJOR_VERSION 2
#define ISAL_MINOR_VERSION 33
#define ISAL_PATCH_VERSION 0
#define ISAL_VERSION_STR "2.33.0"

/* A version as one number, for comparison: major * 65536 + minor * 256 + patch. */
#define ISAL_MAKE_VERSION(maj, min, patch) ((maj) *0x10000 + (min) *0x100 + (patch))
#define ISAL_VERSION ISAL_MAKE_VERSION(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)

/* Marks a function that is kept for existing programs. Define ISAL_DEPRECATED_INTERNAL before
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

/* Version of the loaded library, such as "2.33.0"; it may differ from the header's. */
const char *isal_get_version_str(void);

/* The same as a number: compare with ISAL_VERSION or ISAL_MAKE_VERSION(). */
unsigned isal_get_version(void);

/* Caps the instruction-set tier and chooses every kernel again.
 *
 * isa: the highest tier allowed, such as "avx2", in any form that the environment variable ISAL_ISA
 * takes: "avx2,-sha" also hides a feature. NULL restores the choice made at load time (every
 * feature of the CPU, or the cap of ISAL_ISA). A cap above the CPU's features changes nothing.
 * Returns 0, or -1 with nothing changed if a name is unknown.
 *
 * Use it to avoid the frequency effects of 512-bit code, to reproduce a fault, and in tests. Safe
 * at any time and from any thread: a call in progress finishes in the kernel in which it began. */
int isal_set_isa_limit(const char *isa);

/* Highest tier of any variant that the library's kernels currently run; never NULL. */
const char *isal_get_isa(void);

/* Name of the variant that a kernel currently runs: its tier, such as "avx512" for
 * "ec_encode_data", with "_sha" if it uses the SHA extensions. NULL for an unknown kernel. */
const char *isal_get_kernel(const char *name);

/* Name of kernel number `index`, counted from 0, grouped by family; NULL past the last. */
const char *isal_list_kernels(size_t index);

/* Name of variant number `index` of a kernel, slowest first; NULL past the last, or for an unknown
 * kernel. Sets *usable to 1 if this CPU can run the variant (whatever the cap), else to 0. usable
 * may be NULL. */
const char *isal_list_variants(const char *kernel, size_t index, int *usable);

/* Name of CPU feature number `index` in the list of features that kernels use, such as "avx512bw".
 * Last come the traits of a CPU, which choose among kernels that need the same features. NULL past
 * the last, and always on CPUs other than x86. Sets *present to 1 if the CPU and the operating
 * system provide the feature, else to 0. present may be NULL. */
const char *isal_list_cpu_features(size_t index, int *present);

/* Tests the kernels in use with known answers of every algorithm: erasure codes, RAID parity, every
 * CRC and its copies, Adler-32 and zero detection. Text is compressed at levels 0 to 3 and
 * decompressed. To test other kernels, call isal_set_isa_limit() first; the program isal-info
 * --self-test tests all tiers, and those of libisal_crypto.
 *
 * Returns 0; or -1 and in *failed the name of the first algorithm whose answer is wrong. failed may
 * be NULL. Takes a few milliseconds and 256 KB of stack. Allocates nothing and keeps no state: safe
 * from any thread. */
int isal_self_test(const char **failed);

#ifdef __cplusplus
}
#endif

#endif
