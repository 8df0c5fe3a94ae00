/* Version of libisal_crypto, its error codes, and control over the kernels that it runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * At load time the library reads the CPU's features and chooses the fastest variant of each kernel,
 * as libisal does. The environment variable ISAL_ISA caps the choice in both libraries;
 * isal_crypto_set_isa_limit() caps it in this one. */

#ifndef ISAL_CRYPTO_API_H
#define ISAL_CRYPTO_API_H

#include <stddef.h>

#define ISAL_CRYPTO_MAJOR_VERSION 2
#define ISAL_CRYPTO_MINOR_VERSION 27
#define ISAL_CRYPTO_PATCH_VERSION 0
#define ISAL_CRYPTO_VERSION_STR "2.27.0"

/* A version as one number, for comparison: major * 65536 + minor * 256 + patch. */
#define ISAL_CRYPTO_MAKE_VERSION(maj, min, patch) ((maj) *0x10000 + (min) *0x100 + (patch))
#define ISAL_CRYPTO_VERSION                                                        \
    ISAL_CRYPTO_MAKE_VERSION(ISAL_CRYPTO_MAJOR_VERSION, ISAL_CRYPTO_MINOR_VERSION, \
                             ISAL_CRYPTO_PATCH_VERSION)

/* Kept for existing programs. */
#ifndef TO_STRING
#define TO_STRING_(a) #a
#define TO_STRING(a) TO_STRING_(a)
#endif
#ifndef CONCAT_VERSION
#define CONCAT_VERSION_(a, b, c) a##.##b##.##c
#define CONCAT_VERSION(a, b, c) CONCAT_VERSION_(a, b, c)
#endif

/* Results of the functions with the prefix isal_: 0, or the first error in the order that each
 * function documents. After an error nothing has been written. */
typedef enum {
    ISAL_CRYPTO_ERR_NONE = 0,
    ISAL_CRYPTO_ERR_NULL_SRC = 2000,
    ISAL_CRYPTO_ERR_NULL_DST,
    ISAL_CRYPTO_ERR_NULL_CTX,
    ISAL_CRYPTO_ERR_NULL_MGR,
    ISAL_CRYPTO_ERR_NULL_KEY,
    ISAL_CRYPTO_ERR_NULL_EXP_KEY,
    ISAL_CRYPTO_ERR_NULL_IV,
    ISAL_CRYPTO_ERR_NULL_AUTH,
    ISAL_CRYPTO_ERR_NULL_AAD,
    ISAL_CRYPTO_ERR_CIPH_LEN,           /* invalid length of the text */
    ISAL_CRYPTO_ERR_AUTH_TAG_LEN,       /* invalid length of the tag */
    ISAL_CRYPTO_ERR_INVALID_FLAGS,      /* invalid flags of a hash job */
    ISAL_CRYPTO_ERR_ALREADY_PROCESSING, /* a manager still owns the hash context */
    ISAL_CRYPTO_ERR_ALREADY_COMPLETED,  /* the message of the hash context has ended */
    ISAL_CRYPTO_ERR_XTS_NULL_TWEAK,
    ISAL_CRYPTO_ERR_XTS_SAME_KEYS,     /* FIPS mode: the two keys of XTS are equal */
    ISAL_CRYPTO_ERR_SELF_TEST,         /* a known answer is wrong */
    ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO, /* FIPS mode: not an approved algorithm */
    ISAL_CRYPTO_ERR_WINDOW_SIZE,       /* invalid window (rolling hash) or sizes (chunker) */
    ISAL_CRYPTO_ERR_NULL_OFFSET,
    ISAL_CRYPTO_ERR_NULL_MATCH,
    ISAL_CRYPTO_ERR_NULL_MASK,
    ISAL_CRYPTO_ERR_NULL_INIT_VAL,
    ISAL_CRYPTO_ERR_FIPS_DISABLED, /* the library was built without FIPS mode */
    ISAL_CRYPTO_ERR_MAX
} ISAL_CRYPTO_ERROR;

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the loaded library, such as "2.27.0"; it may differ from the header's. */
const char *isal_crypto_get_version_str(void);

/* The same as a number: compare with ISAL_CRYPTO_VERSION or ISAL_CRYPTO_MAKE_VERSION(). */
unsigned isal_crypto_get_version(void);

/* Description of an error code, in English; never NULL. Thread-safe. */
const char *isal_crypto_strerror(int error);

/* Tests the kernels in use with known answers of every algorithm: the multi-buffer hashes, the
 * multi-hashes, the rolling hash, and AES-CBC, CTR, GCM and XTS with every key size. To test other
 * kernels, call isal_crypto_set_isa_limit() first; the program isal-info --self-test tests all
 * tiers.
 *
 * Returns 0; or ISAL_CRYPTO_ERR_SELF_TEST and in *failed the name of the first algorithm whose
 * answer is wrong. failed may be NULL. Takes less than a millisecond and 24 KB of stack. Allocates
 * nothing and keeps no state: safe from any thread. */
int isal_crypto_self_test(const char **failed);

/* Self tests of FIPS mode (configure --enable-fips-mode): tests the kernels in use with known
 * answers of AES, SHA-1, SHA-256 and SHA-512, once. Other threads that call it meanwhile wait.
 *
 * Returns 0, or ISAL_CRYPTO_ERR_SELF_TEST if an answer is or was wrong. In other builds, always
 * ISAL_CRYPTO_ERR_FIPS_DISABLED; isal_crypto_self_test() runs in every build. Safe from any thread.
 *
 * In FIPS mode the isal_ functions of these algorithms make this call after they have checked their
 * arguments, and fail with its result. The first takes the time and the stack of
 * isal_crypto_self_test(); isal_crypto_set_isa_limit() has the next one test again. XTS with two
 * equal keys is ISAL_CRYPTO_ERR_XTS_SAME_KEYS. The isal_ functions of MD5, SM3, the multi-hashes
 * and the rolling hash return ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO. Functions without isal_ in their
 * names do not change. */
int isal_self_tests(void);

/* isal_set_isa_limit(), isal_get_kernel(), isal_list_kernels() and isal_list_variants() of
 * isa-l/isal_api.h, for the kernels of this library. */
int isal_crypto_set_isa_limit(const char *isa);
const char *isal_crypto_get_kernel(const char *name);
const char *isal_crypto_list_kernels(size_t index);
const char *isal_crypto_list_variants(const char *kernel, size_t index, int *usable);

#ifdef __cplusplus
}
#endif

#endif
