/* Version, cap and introspection: the functions of isa-l/isal_api.h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Only this file refers to every family, so that a program linked statically and calling one family
 * does not carry the others. */

#include "isa-l/isal_api.h"

#include <string.h>

#include "kernel.h"

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
    if (isalk_set_cap(isa))
        return -1;
    for (unsigned i = 0; i < isalk_family_count; i++)
        isalk_choose_family(isalk_families[i]);
    return 0;
}

ISAL_PUBLIC const char *isal_get_isa(void)
{
    static const uint32_t tier_features[TIER_COUNT] = {
#define X(id, name, features) features,
        TIERS(X)
#undef X
    };
    enum tier tier = T_BASE;

    for (unsigned i = 0; ISALK_ASM && i <= (unsigned) isalk_cap(); i++)
        if ((tier_features[i] & ~isalk_cpu_features()) == 0)
            tier = (enum tier) i;
    return isalk_tier_name(tier);
}

/* Kernel number index over all families. */
static const struct kernel *kernel_at(size_t index)
{
    for (unsigned i = 0; i < isalk_family_count; i++) {
        if (index < isalk_families[i]->count)
            return &isalk_families[i]->kernels[index];
        index -= isalk_families[i]->count;
    }
    return NULL;
}

static const struct kernel *kernel_named(const char *name)
{
    const struct kernel *k;

    for (size_t i = 0; name && (k = kernel_at(i)) != NULL; i++)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}

ISAL_PUBLIC const char *isal_get_kernel(const char *name)
{
    const struct kernel *k = kernel_named(name);

    return k ? isalk_tier_name(isalk_choose(k, isalk_cpu_features(), isalk_cap())->tier) : NULL;
}

ISAL_PUBLIC const char *isal_list_kernels(size_t index)
{
    const struct kernel *k = kernel_at(index);

    return k ? k->name : NULL;
}

ISAL_PUBLIC const char *isal_list_variants(const char *kernel, size_t index, int *usable)
{
    const struct kernel *k = kernel_named(kernel);

    if (!k || index >= k->count)
        return NULL;
    if (usable)
        *usable = (k->variants[index].needs & ~isalk_cpu_features()) == 0;
    return isalk_tier_name(k->variants[index].tier);
}

ISAL_PUBLIC const char *isal_list_cpu_features(size_t index, int *present)
{
    if (index >= CPU_FEATURE_COUNT)
        return NULL;
    if (present)
        *present = isalk_cpu_features() >> index & 1;
    return isalk_cpu_feature_name((unsigned) index);
}
