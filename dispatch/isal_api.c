/* Version, cap and introspection of libisal: the functions of isa-l/isal_api.h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Only this file refers to every family, so that a program linked statically and calling one family
 * does not carry the others. */

#include "isa-l/isal_api.h"

#include "introspect.h"

ISAL_PUBLIC const char *isal_get_version_str(void)
{
    return ISAL_VERSION_STR;
}

ISAL_PUBLIC unsigned isal_get_version(void)
{
    return ISAL_VERSION;
}

ISAL_PUBLIC int isal_set_isa_limit(const char *isa)
{
    return isalk_set_isa_limit(isalk_families, isa);
}

ISAL_PUBLIC const char *isal_get_isa(void)
{
    return isalk_isa(isalk_families);
}

ISAL_PUBLIC const char *isal_get_kernel(const char *name)
{
    return isalk_name_in_force(isalk_kernel_named(isalk_families, name));
}

ISAL_PUBLIC const char *isal_list_kernels(size_t index)
{
    const struct kernel *k = isalk_kernel_at(isalk_families, index);

    return k ? k->name : NULL;
}

ISAL_PUBLIC const char *isal_list_variants(const char *kernel, size_t index, int *usable)
{
    return isalk_variant_name(isalk_kernel_named(isalk_families, kernel), index, usable);
}

ISAL_PUBLIC const char *isal_list_cpu_features(size_t index, int *present)
{
    return isalk_cpu_feature_at(index, present);
}
