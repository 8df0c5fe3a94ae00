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

const char *isalk_isa(void)
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

/* What the slot holds is the truth: where both libraries are linked statically they share the cap,
 * but each moves its own slots only. */
const char *isalk_kernel_isa(const struct kernel *k)
{
    const struct variant *chosen;
    kernel_fn fn;

    if (!k)
        return NULL;
    chosen = isalk_choose(k, isalk_cpu_features(), isalk_cap());
    fn = k->slot ? atomic_load_explicit(k->slot, memory_order_relaxed) : chosen->fn;
    /* Two rows may have one function. */
    for (unsigned i = 0; i < k->count && chosen->fn != fn; i++)
        if (k->variants[i].fn == fn)
            chosen = &k->variants[i];
    return isalk_tier_name(chosen->tier);
}

const char *isalk_variant_isa(const struct kernel *k, size_t index, int *usable)
{
    if (!k || index >= k->count)
        return NULL;
    if (usable)
        *usable = (k->variants[index].needs & ~isalk_cpu_features()) == 0;
    return isalk_tier_name(k->variants[index].tier);
}

const char *isalk_cpu_feature_at(size_t index, int *present)
{
    if (index >= CPU_FEATURE_COUNT)
        return NULL;
    if (present)
        *present = isalk_cpu_features() >> index & 1;
    return isalk_cpu_feature_name((unsigned) index);
}
