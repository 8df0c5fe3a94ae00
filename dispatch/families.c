/* The list of the kernel families of libisal.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "families.h"

const struct family *const isalk_families[] = {ISAL_FAMILIES(FAMILY_ENTRY) NULL};
