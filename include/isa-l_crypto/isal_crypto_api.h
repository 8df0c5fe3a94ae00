/* Version of libisal_crypto, its error codes, and control over which kernels it runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * At load time the library reads the CPU's features and picks the fastest variant of each kernel, as
 * libisal does. The environment variable ISAL_ISA caps the choice in both libraries;
 * isal_crypto_set_isa_limit() caps it in this one. */

#ifndef ISAL_CRYPTO_API_H
#define ISAL_CRYPTO_API_H

#include <stddef.h>

#define ISAL_CRYPTO_MAJOR_VERSION 2
#define ISAL_CRYPTO_MINOR_VERSION 27
#define ISAL_CRYPTO_PATCH_VERSION 0
#define ISAL_CRYPTO_VERSION_STR "2.27.0"

/* One number for a version, for comparison: major * 65536 + minor * 256 + patch. */
#define ISAL_CRYPTO_MAKE_VERSION(maj, min, patch) ((maj) *0x10000 + (min) *0x100 + (patch))
#define ISAL_CRYPTO_VERSION                                                        \
    ISAL_CRYPTO_MAKE_VERSION(ISAL_CRYPTO_MAJOR_VERSION, ISAL_CRYPTO_MINOR_VERSION, \
                             ISAL_CRYPTO_PATCH_VERSION)

/* Kept for programs that use them. */
#ifndef TO_STRING
#define TO_STRING_(a) #a
#define TO_STRING(a) TO_STRING_(a)
#endif
#ifndef CONCAT_VERSION
#define CONCAT_VERSION_(a, b, c) a##.##b##.##c
#define CONCAT_VERSION(a, b, c) CONCAT_VERSION_(a, b, c)
#endif

/* Results of the functions whose names begin with isal_: 0, or the first rule that the arguments
 * broke. On an error nothing has been touched. */
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
    ISAL_CRYPTO_ERR_CIPH_LEN,           /* length of the text */
    ISAL_CRYPTO_ERR_AUTH_TAG_LEN,       /* length of the tag */
    ISAL_CRYPTO_ERR_INVALID_FLAGS,      /* flags of a hash job */
    ISAL_CRYPTO_ERR_ALREADY_PROCESSING, /* the hash context is still being worked on */
    ISAL_CRYPTO_ERR_ALREADY_COMPLETED,  /* the hash context has ended */
    ISAL_CRYPTO_ERR_XTS_NULL_TWEAK,
    ISAL_CRYPTO_ERR_XTS_SAME_KEYS, /* this and the next two: of FIPS mode, not returned here */
    ISAL_CRYPTO_ERR_SELF_TEST,
    ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO,
    ISAL_CRYPTO_ERR_WINDOW_SIZE, /* window of the rolling hash */
    ISAL_CRYPTO_ERR_NULL_OFFSET,
    ISAL_CRYPTO_ERR_NULL_MATCH,
    ISAL_CRYPTO_ERR_NULL_MASK,
    ISAL_CRYPTO_ERR_NULL_INIT_VAL,
    ISAL_CRYPTO_ERR_FIPS_DISABLED, /* this build has no FIPS mode */
    ISAL_CRYPTO_ERR_MAX
} ISAL_CRYPTO_ERROR;

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library in use, which may differ from the header's: "2.27.0". */
const char *isal_crypto_get_version_str(void);

/* The same as a number: compare with ISAL_CRYPTO_VERSION or ISAL_CRYPTO_MAKE_VERSION(). */
unsigned isal_crypto_get_version(void);

/* Known-answer tests of FIPS mode: ISAL_CRYPTO_ERR_FIPS_DISABLED, for this build has no such mode.
 */
int isal_self_tests(void);

/* Caps the instruction-set tier of this library's kernels from now on, and reports on them: as
 * isal_set_isa_limit(), isal_get_kernel(), isal_list_kernels() and isal_list_variants() do in
 * libisal; isa-l/isal_api.h describes them. */
int isal_crypto_set_isa_limit(const char *isa);
const char *isal_crypto_get_kernel(const char *name);
const char *isal_crypto_list_kernels(size_t index);
const char *isal_crypto_list_variants(const char *kernel, size_t index, int *usable);

#ifdef __cplusplus
}
#endif

#endif
