/* Choice of the variant that each kernel runs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#ifndef HAVE_SECURE_GETENV
#include <unistd.h>
#endif

static const char *const tier_names[TIER_COUNT] = {TIERS(TIER_NAME)};

/* The limit in force. cap_in_force: the tier plus 1; 0 until the environment has been read. */
static _Atomic(int) cap_in_force;
_Atomic(uint64_t) isalk_features_in_force;

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

/* The bit of a feature or trait, or 0. */
static uint64_t bit_from_name(const char *name, size_t length)
{
    const char *known;

    for (unsigned i = 0; (known = isalk_cpu_feature_name(i)) != NULL; i++)
        if (strlen(known) == length && !memcmp(known, name, length))
            return UINT64_C(1) << i;
    return 0;
}

int isalk_parse_limit(const char *value, struct isa_limit *limit)
{
    struct isa_limit parsed = {.cap = TIER_COUNT - 1};

    for (const char *item = value, *end;; item = end + 1) {
        size_t length = strcspn(item, ",");
        end = item + length;
        if (*item == '+' || *item == '-') {
            uint64_t bit = bit_from_name(item + 1, length - 1);
            if (!bit || (*item == '+' && !(bit & CPU_TRAIT_MASK)))
                return -1;
            *(*item == '+' ? &parsed.added : &parsed.removed) |= bit;
        } else {
            char name[sizeof(((struct variant *) 0)->name)] = "";
            int tier;
            if (item != value || length >= sizeof(name))
                return -1;
            memcpy(name, item, length);
            tier = isalk_tier_from_name(name);
            if (tier < 0)
                return -1;
            parsed.cap = (enum tier) tier;
        }
        if (!*end)
            break;
    }
    *limit = parsed;
    return 0;
}

/* ISAL_ISA, unless the program runs with more rights than its caller. */
static const char *isal_isa_variable(void)
{
#ifdef HAVE_SECURE_GETENV
    return secure_getenv("ISAL_ISA");
#elif defined(_WIN32)
    return getenv("ISAL_ISA");
#else
    return getuid() == geteuid() && getgid() == getegid() ? getenv("ISAL_ISA") : NULL;
#endif
}

/* The limit that ISAL_ISA sets: none if it is unset or wrong. */
static struct isa_limit environment_limit(void)
{
    const char *value = isal_isa_variable();
    struct isa_limit limit = {.cap = TIER_COUNT - 1};

    if (value)
        isalk_parse_limit(value, &limit);
    return limit;
}

/* Another thread may see a mixture of two limits, which is as safe as either. */
static void set_limit(const struct isa_limit *limit)
{
    uint64_t features = (isalk_cpu_features() | limit->added) & ~limit->removed;

    atomic_store_explicit(&isalk_features_in_force, features, memory_order_relaxed);
    atomic_store_explicit(&cap_in_force, (int) limit->cap + 1, memory_order_release);
}

enum tier isalk_cap(void)
{
    int known = atomic_load_explicit(&cap_in_force, memory_order_acquire);

    if (!known) {
        struct isa_limit limit = environment_limit();
        set_limit(&limit);
        known = (int) limit.cap + 1;
    }
    return (enum tier)(known - 1);
}

int isalk_set_cap(const char *isa)
{
    struct isa_limit limit = environment_limit();

    if (isa && isalk_parse_limit(isa, &limit))
        return -1;
    set_limit(&limit);
    return 0;
}

const struct variant *isalk_choose(const struct kernel *kernel, uint64_t features, enum tier cap)
{
    const struct variant *best = &kernel->variants[0];

    for (unsigned i = 1; i < kernel->count; i++) {
        const struct variant *v = &kernel->variants[i];
        if (v->tier <= cap && !(v->needs & ~features) && !(v->avoid & features))
            best = v;
    }
    return best;
}

const struct variant *isalk_choose_here(const struct kernel *kernel)
{
    enum tier cap = isalk_cap(); /* also reads the environment, the first time */

    return isalk_choose(kernel,
                        atomic_load_explicit(&isalk_features_in_force, memory_order_relaxed), cap);
}

void isalk_choose_family(const struct family *family)
{
    for (unsigned i = 0; i < family->count; i++) {
        const struct kernel *k = &family->kernels[i];
        if (k->slot)
            isalk_set_slot(k, isalk_choose_here(k));
    }
}
