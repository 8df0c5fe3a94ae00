/* The kernel families of each library: a new family adds its line here.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_FAMILIES_H
#define ISALK_FAMILIES_H

#include "kernel.h"

/* Families of libisal with a benchmark of their own. */
#define ISAL_TIMED_FAMILIES(X) \
    X(adler32)                 \
    X(crc)                     \
    X(deflate)                 \
    X(erasure_code)            \
    X(inflate)                 \
    X(mem)                     \
    X(raid)
/* Families of libisal timed in the benchmarks crc_model and deflate. */
#define ISAL_INNER_FAMILIES(X) \
    X(crc_combine)             \
    X(lz77)
#define ISAL_FAMILIES(X) ISAL_TIMED_FAMILIES(X) ISAL_INNER_FAMILIES(X)

/* Families of libisal_crypto. */
#define ISAL_CRYPTO_FAMILIES(X) \
    X(aes)                      \
    X(hash)                     \
    X(multi_hash)               \
    X(rolling_hash)

ISALK_HIDDEN_BEGIN
#define X(id) extern const struct family isalk_##id##_family;
ISAL_FAMILIES(X)
ISAL_CRYPTO_FAMILIES(X)
#undef X
ISALK_HIDDEN_END

/* An element of a NULL-terminated list of families. */
#define FAMILY_ENTRY(id) &isalk_##id##_family,

#endif
