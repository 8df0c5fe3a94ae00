/* The list of the kernel families of libisal_crypto.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "families.h"

const struct family *const isalk_crypto_families[] = {ISAL_CRYPTO_FAMILIES(FAMILY_ENTRY) NULL};
