/* The functions of isa-l_crypto/isal_crypto_api.h: version, cap and introspection.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l_crypto/isal_crypto_api.h"

#include "fips.h"
#include "introspect.h"

ISAL_PUBLIC const char *isal_crypto_get_version_str(void)
{
    return ISAL_CRYPTO_VERSION_STR;
}

ISAL_PUBLIC unsigned isal_crypto_get_version(void)
{
    return ISAL_CRYPTO_VERSION;
}

ISAL_PUBLIC int isal_crypto_set_isa_limit(const char *isa)
{
    int error = isalk_set_isa_limit(isalk_crypto_families, isa);

    isalk_self_test_again();
    return error;
}

ISAL_PUBLIC const char *isal_crypto_get_kernel(const char *name)
{
    return isalk_name_in_force(isalk_kernel_named(isalk_crypto_families, name));
}

ISAL_PUBLIC const char *isal_crypto_list_kernels(size_t index)
{
    const struct kernel *k = isalk_kernel_at(isalk_crypto_families, index);

    return k ? k->name : NULL;
}

ISAL_PUBLIC const char *isal_crypto_list_variants(const char *kernel, size_t index, int *usable)
{
    return isalk_variant_name(isalk_kernel_named(isalk_crypto_families, kernel), index, usable);
}
