/* Traits: properties that select other kernels or shapes on CPUs with the same features.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A trait is a bit of the features word: a row of a kernel table may need or avoid it, and a
 * family may read it. Only cpu_traits.c asks for a vendor. Unknown CPUs have no trait. */

#ifndef ISALK_CPU_TRAITS_H
#define ISALK_CPU_TRAITS_H

#include "cpu.h"

/* X(id, name in ISAL_ISA and isal-info): names have at most 19 characters.
 *
 * EC_4_ROWS: erasure coding is fastest with at most 4 rows of parity a pass over the sources.
 * FAST_SCATTER: a scatter is faster than a store for each of its elements.
 * NT_PARITY: RAID parity of data beyond the second-level cache is faster with non-temporal stores.
 */
#define CPU_TRAITS(X)               \
    X(EC_4_ROWS, "ec_4_rows")       \
    X(FAST_SCATTER, "fast_scatter") \
    X(NT_PARITY, "nt_parity")

enum cpu_trait_bit {
    CPU_BIT_LAST_FEATURE = CPU_FEATURE_COUNT - 1,
#define X(id, name) CPU_BIT_##id,
    CPU_TRAITS(X)
#undef X
        CPU_BIT_COUNT
};

/* The features of Arm follow. */
enum cpu_arm_bit {
    CPU_BIT_LAST_TRAIT = CPU_BIT_COUNT - 1,
#define X(id, name, hwcap) CPU_BIT_##id,
    CPU_ARM_FEATURES(X)
#undef X
        CPU_BIT_END
};
_Static_assert(CPU_BIT_END < 64, "one word holds features and traits");

__extension__ enum cpu_trait {
#define X(id, name) CPU_##id = UINT64_C(1) << CPU_BIT_##id,
    CPU_TRAITS(X)
#undef X
};

__extension__ enum cpu_arm_feature {
#define X(id, name, hwcap) CPU_##id = UINT64_C(1) << CPU_BIT_##id,
    CPU_ARM_FEATURES(X)
#undef X
};

/* The bits that this machine may have, and that isal_list_cpu_features() lists. */
#if defined(__aarch64__)
#define CPU_LISTED_FIRST CPU_BIT_COUNT
#define CPU_LISTED_END CPU_BIT_END
#else
#define CPU_LISTED_FIRST 0
#define CPU_LISTED_END (ISALK_X86 ? CPU_BIT_COUNT : 0)
#endif

/* Every trait. */
#define CPU_TRAIT_MASK ((UINT64_C(1) << CPU_BIT_COUNT) - (UINT64_C(1) << CPU_FEATURE_COUNT))

/* The traits of a range of models. Families and models include their extended fields. */
struct cpu_model {
    char vendor[13]; /* as CPUID spells it; empty after the last row */
    uint16_t family, first_model, last_model;
    uint64_t traits;
};

ISALK_HIDDEN_BEGIN

/* The measured CPUs. */
extern const struct cpu_model isalk_cpu_models[];

/* The traits of the CPU that source describes: those of the first matching model, or 0. */
uint64_t isalk_cpu_traits(const struct cpuid_source *source, const struct cpu_model *models);

ISALK_HIDDEN_END

#endif
