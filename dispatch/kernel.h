/* Kernel tables: every variant of every kernel, and the slots that hold the chosen ones.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A family describes its kernels once, slowest variant first:
 *
 *     static const struct variant xor_gen_variants[] = {
 *         {T_BASE, 0, (kernel_fn) isalk_xor_gen_base},
 * #if ISALK_ASM
 *         {T_AVX2, CPU_AVX2, (kernel_fn) isalk_xor_gen_avx2},
 * #endif
 *     };
 *     static kernel_slot xor_gen_slot = (kernel_fn) isalk_xor_gen_base;
 *     static const struct kernel raid_kernels[] = {KERNEL("xor_gen", &xor_gen_slot,
 *     xor_gen_variants)}; KERNEL_FAMILY(raid, raid_kernels)
 *
 * and calls one with KERNEL_CALL(slot, type)(arguments). The dispatcher, the kernel check, the
 * benchmarks and isal-info read these tables; none of them names a variant. */

#ifndef ISALK_KERNEL_H
#define ISALK_KERNEL_H

#include "compiler.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

/* Instruction-set tiers, lowest first, with the names that ISAL_ISA takes. What a variant needs, it
 * says itself. */
#define TIERS(X)        \
    X(BASE, "base")     \
    X(SSE, "sse")       \
    X(AVX, "avx")       \
    X(AVX2, "avx2")     \
    X(AVX2_V, "avx2_v") \
    X(AVX512, "avx512") \
    X(AVX512_V, "avx512_v")

enum tier {
#define X(id, name) T_##id,
    TIERS(X)
#undef X
        TIER_COUNT
};

/* Any kernel; cast to its own type before the call. */
typedef void (*kernel_fn)(void);
typedef _Atomic(kernel_fn) kernel_slot;

struct variant {
    enum tier tier;
    uint32_t needs; /* every CPU feature that the code uses */
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

#define KERNEL(name, slot, variants)                          \
    {                                                         \
        name, slot, variants, (unsigned) ARRAY_SIZE(variants) \
    }

#define KERNEL_CALL(slot, type) ((type *) atomic_load_explicit(&(slot), memory_order_relaxed))

/* Defines struct family isalk_<id>_family and chooses its kernels when the library is loaded. */
#define KERNEL_FAMILY(id, kernel_array)                                              \
    const struct family isalk_##id##_family = {#id, kernel_array,                    \
                                               (unsigned) ARRAY_SIZE(kernel_array)}; \
    ISALK_CONSTRUCTOR static void id##_choose(void)                                  \
    {                                                                                \
        isalk_choose_family(&isalk_##id##_family);                                   \
    }

ISALK_HIDDEN_BEGIN

/* The fastest variant for these features and this cap: the last in the table that fits. */
const struct variant *isalk_choose(const struct kernel *kernel, uint32_t features, enum tier cap);

/* Sets every slot of a family for this machine and the cap in force. */
void isalk_choose_family(const struct family *family);

/* Tier by name, or -1. */
int isalk_tier_from_name(const char *name);
const char *isalk_tier_name(enum tier tier);

/* The cap that an ISAL_ISA of this value means: the highest tier if it is NULL or unknown. */
enum tier isalk_cap_from_environment(const char *value);

/* The cap in force: ISAL_ISA's until isalk_set_cap() changes it (NULL: back to ISAL_ISA's). The
 * setter returns -1 for an unknown tier; slots follow with isalk_choose_family(). */
enum tier isalk_cap(void);
int isalk_set_cap(const char *isa);

/* Every family of libisal, of libisal_crypto, and of both (tests and benchmarks only). NULL ends the
 * lists. */
extern const struct family *const isalk_families[];
extern const struct family *const isalk_crypto_families[];
extern const struct family *const isalk_all_families[];

ISALK_HIDDEN_END

#endif
