/* Choice of the variant that each kernel runs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#ifndef HAVE_SECURE_GETENV
#include <unistd.h>
#endif

static const char *const tier_names[TIER_COUNT] = {
#define X(id, name) #name,
    TIERS(X)
#undef X
};

/* The cap in force, plus one; 0 until the environment has been read. */
static _Atomic(int) cap_in_force;

int isalk_tier_from_name(const char *name)
{
    for (int i = 0; i < TIER_COUNT; i++)
        if (!strcmp(name, tier_names[i]))
            return i;
    return -1;
}

const char *isalk_tier_name(enum tier tier)
{
    return tier_names[tier];
}

enum tier isalk_cap_from_environment(const char *value)
{
    int tier = value ? isalk_tier_from_name(value) : -1;
    return tier < 0 ? (enum tier)(TIER_COUNT - 1) : (enum tier) tier;
}

/* ISAL_ISA, unless the program runs with more rights than its caller. */
static const char *environment_cap(void)
{
#ifdef HAVE_SECURE_GETENV
    return secure_getenv("ISAL_ISA");
#elif defined(_WIN32)
    return getenv("ISAL_ISA");
#else
    return getuid() == geteuid() && getgid() == getegid() ? getenv("ISAL_ISA") : NULL;
#endif
}

enum tier isalk_cap(void)
{
    int known = atomic_load_explicit(&cap_in_force, memory_order_relaxed);

    if (!known) {
        int cap = (int) isalk_cap_from_environment(environment_cap()) + 1;
        /* Unless another thread has set one meanwhile. */
        if (atomic_compare_exchange_strong(&cap_in_force, &known, cap))
            known = cap;
    }
    return (enum tier)(known - 1);
}

int isalk_set_cap(const char *isa)
{
    int tier =
        isa ? isalk_tier_from_name(isa) : (int) isalk_cap_from_environment(environment_cap());

    if (tier < 0)
        return -1;
    atomic_store_explicit(&cap_in_force, tier + 1, memory_order_relaxed);
    return 0;
}

const struct variant *isalk_choose(const struct kernel *kernel, uint64_t features, enum tier limit)
{
    const struct variant *best = &kernel->variants[0];

    for (unsigned i = 1; i < kernel->count; i++) {
        const struct variant *v = &kernel->variants[i];
        if (v->tier <= limit && isalk_variant_fits(v, features) && !(v->avoid & features))
            best = v;
    }
    return best;
}

void isalk_choose_family(const struct family *family)
{
    for (unsigned i = 0; i < family->count; i++) {
        const struct kernel *k = &family->kernels[i];
        if (k->slot)
            isalk_set_slot(k, isalk_choose(k, isalk_cpu_features(), isalk_cap()));
    }
}
