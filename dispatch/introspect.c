/* Control and introspection over a list of kernel families.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "introspect.h"

#include <string.h>

int isalk_set_isa_limit(const struct family *const *families, const char *isa)
{
    if (isalk_set_cap(isa))
        return -1;
    for (; *families; families++)
        isalk_choose_family(*families);
    return 0;
}

const struct kernel *isalk_kernel_at(const struct family *const *families, size_t index)
{
    for (; *families; families++) {
        if (index < (*families)->count)
            return &(*families)->kernels[index];
        index -= (*families)->count;
    }
    return NULL;
}

const struct kernel *isalk_kernel_named(const struct family *const *families, const char *name)
{
    const struct kernel *k;

    for (size_t i = 0; name && (k = isalk_kernel_at(families, i)) != NULL; i++)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}

/* Read from the slot, not from the cap: libraries in one static program share the cap, but each
 * sets only its own slots. */
const struct variant *isalk_variant_in_force(const struct kernel *k)
{
    const struct variant *chosen = isalk_choose_here(k);
    kernel_fn fn = k->slot ? atomic_load_explicit(k->slot, memory_order_relaxed) : chosen->fn;

    /* Rows may share a function: the chosen row comes first. */
    for (unsigned i = 0; i < k->count && chosen->fn != fn; i++)
        if (k->variants[i].fn == fn)
            chosen = &k->variants[i];
    return chosen;
}

const char *isalk_name_in_force(const struct kernel *k)
{
    return k ? isalk_variant_in_force(k)->name : NULL;
}

const char *isalk_isa(const struct family *const *families)
{
    const struct kernel *k;
    enum tier highest = T_BASE;

    for (size_t i = 0; (k = isalk_kernel_at(families, i)) != NULL; i++)
        if (isalk_variant_in_force(k)->tier > highest)
            highest = isalk_variant_in_force(k)->tier;
    return isalk_tier_name(highest);
}

const char *isalk_variant_name(const struct kernel *k, size_t index, int *usable)
{
    if (!k || index >= k->count)
        return NULL;
    if (usable)
        *usable = isalk_variant_fits(&k->variants[index], isalk_cpu_features());
    return k->variants[index].name;
}

const char *isalk_cpu_feature_at(size_t index, int *present)
{
    const size_t first = CPU_LISTED_FIRST, end = CPU_LISTED_END;

    if (index >= end - first)
        return NULL;
    index += first;
    if (present)
        *present = (int) (isalk_cpu_features() >> index & 1);
    return isalk_cpu_feature_name((unsigned) index);
}
