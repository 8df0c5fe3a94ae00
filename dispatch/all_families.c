/* The list of the kernel families of both libraries, for the tests and the benchmarks.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "families.h"

const struct family *const isalk_all_families[] = {ISAL_FAMILIES(FAMILY_ENTRY)
                                                       ISAL_CRYPTO_FAMILIES(FAMILY_ENTRY) NULL};
