/* The kernel families of each library: a new family adds its line here.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_FAMILIES_H
#define ISALK_FAMILIES_H

#include "kernel.h"

/* libisal: families that have benchmarks of their own, */
#define ISAL_TIMED_FAMILIES(X) \
    X(adler32)                 \
    X(crc)                     \
    X(deflate)                 \
    X(erasure_code)            \
    X(inflate)                 \
    X(mem)                     \
    X(raid)
/* and those that are timed as part of others: crc_combine in crc_model, lz77 in deflate. */
#define ISAL_INNER_FAMILIES(X) \
    X(crc_combine)             \
    X(lz77)
#define ISAL_FAMILIES(X) ISAL_TIMED_FAMILIES(X) ISAL_INNER_FAMILIES(X)

/* libisal_crypto */
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

/* A member of a list of families, which NULL ends. */
#define FAMILY_ENTRY(id) &isalk_##id##_family,

#endif
