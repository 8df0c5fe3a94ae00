/* Kernels, their variants, and the slots that hold the chosen ones.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A family's header gives each kernel a function type and declares its slot:
 *
 *     typedef int raid_fn(size_t n, size_t len, void *const *array);
 *     KERNEL_SLOT_TYPE(raid_fn);
 *     extern raid_fn_slot isalk_xor_gen_slot;
 *
 * Its table (kernel_table.h) lists the variants once, slowest first, and
 * KERNEL_CALL(slot)(arguments) calls the chosen one. The dispatcher, the kernel check, the
 * benchmarks and isal-info read the tables; none of them names a variant. */

#ifndef ISALK_KERNEL_H
#define ISALK_KERNEL_H

#include "compiler.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "cpu_traits.h"
#include "tiers.h"

enum tier {
#define X(id, name) T_##id,
    TIERS(X)
#undef X
        TIER_COUNT
};

/* Any kernel; converted back to its own type before the call. */
typedef void (*kernel_fn)(void);
typedef _Atomic(kernel_fn) kernel_slot;

/* Defines <type>_slot, a slot for kernels of this function type. `typed` is never read: it makes
 * KERNEL_CALL() call through the right type. */
#define KERNEL_SLOT_TYPE(type) \
    typedef union {            \
        kernel_slot any;       \
        type *typed;           \
    } type##_slot

#define KERNEL_CALL(slot) KERNEL_CALL_AS(slot, typed)
#define KERNEL_CALL_AS(slot, member) \
    ((__typeof__((slot).member)) atomic_load_explicit(&(slot).any, memory_order_relaxed))

struct variant {
    char name[12]; /* unique in its kernel: the tier's, or the tier's with "_sha" */
    enum tier tier;
    uint64_t needs; /* every CPU feature that the code uses, and traits without which another
                     * variant is better */
    uint64_t avoid; /* features and traits with which another variant is better */
    kernel_fn fn;
};

struct kernel {
    const char *name;
    kernel_slot *slot;              /* NULL for building blocks that other kernels call directly */
    const struct variant *variants; /* slowest first; the first is portable C */
    unsigned count;
};

struct family {
    const char *name;
    const struct kernel *kernels;
    unsigned count;
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

ISALK_HIDDEN_BEGIN

/* Returns whether a CPU with these features can run a variant. */
static inline int isalk_variant_fits(const struct variant *v, uint64_t features)
{
    return (v->needs & ~(features | CPU_TRAIT_MASK)) == 0;
}

/* Makes a variant the one that a kernel with a slot runs. */
static inline void isalk_set_slot(const struct kernel *kernel, const struct variant *v)
{
    atomic_store_explicit(kernel->slot, v->fn, memory_order_relaxed);
}

/* The fastest variant for these features, traits and cap: the last row of the table that is within
 * the cap, needs no others, and avoids none of them. */
const struct variant *isalk_choose(const struct kernel *kernel, uint64_t features, enum tier cap);

/* The same for this machine and the limit in force. */
const struct variant *isalk_choose_here(const struct kernel *kernel);

/* Sets every slot of a family for this machine and the cap in force. */
void isalk_choose_family(const struct family *family);

/* Tier by name, or -1. */
int isalk_tier_from_name(const char *name);
const char *isalk_tier_name(enum tier tier);

/* The value of ISAL_ISA and the argument of isal_set_isa_limit(): a tier, or items +TRAIT, -TRAIT
 * and -FEATURE, or a tier and then items, separated by commas. */
struct isa_limit {
    enum tier cap;
    uint64_t added, removed; /* features and traits */
};

/* -1, with *limit unchanged, if the value is wrong. */
int isalk_parse_limit(const char *value, struct isa_limit *limit);

/* The cap in force is that of ISAL_ISA until isalk_set_cap() sets another limit; NULL restores it.
 * isalk_set_cap() returns -1 for a wrong value; isalk_choose_family() then sets the slots. */
enum tier isalk_cap(void);
int isalk_set_cap(const char *isa);

/* The features and traits of this machine, as the limit in force changes them; 0 before the first
 * choice. */
extern _Atomic(uint64_t) isalk_features_in_force;

/* Every family of libisal, of libisal_crypto, and of both (tests and benchmarks only). NULL ends
 * the lists. */
extern const struct family *const isalk_families[];
extern const struct family *const isalk_crypto_families[];
extern const struct family *const isalk_all_families[];

ISALK_HIDDEN_END

#endif
