/* The kernel check: compares every variant of every kernel with portable C. check.h says what it
 * checks, --help how to run it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel_check.h"

#include "dispatch/families.h"

#define X(family) extern const struct check_family check_##family;
ISAL_FAMILIES(X)
ISAL_CRYPTO_FAMILIES(X)
#undef X

int main(int argc, char **argv)
{
#define X(family) &check_##family,
    static const struct check_family *const descriptors[] = {ISAL_FAMILIES(X)
                                                                 ISAL_CRYPTO_FAMILIES(X) NULL};
#undef X

    return check_main(argc, argv, isalk_all_families, descriptors);
}
