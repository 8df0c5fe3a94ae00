/* The form of a kernel table, for the *_kernels.c files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     KERNEL_TABLE(xor_gen, raid_fn, isalk_xor_gen_base,
 *                  ROW(portable, 0, isalk_xor_gen_portable),
 *                  ROW(sse, CPU_SSE41, isalk_xor_gen_sse),
 *                  ROW(avx2, CPU_AVX | CPU_AVX2, isalk_xor_gen_avx2))
 *
 *     static const struct kernel kernels[] = {KERNEL(xor_gen)};
 *
 *     KERNEL_FAMILY(raid, kernels)
 *
 * defines the rows of the kernel "xor_gen", slowest first, and its slot isalk_xor_gen_slot, which
 * the family's header declares. A function of another type than raid_fn does not compile. Builds
 * with assembly drop the rows of the tier `portable`; builds without it drop all others, except
 * those of `armv8` on 64-bit Arm. */

#ifndef ISALK_KERNEL_TABLE_H
#define ISALK_KERNEL_TABLE_H

#include "dispatch/kernel.h"

/* ROW(tier, needs, function): a variant, with every CPU feature that its code uses.
 * ROW_SHA: a variant of a tier that also uses the SHA extensions.
 * ROW_AVOIDING: a variant that is skipped where the CPU has one of the bits of `avoid`. */
#define ROW(tier, needs, function) (tier, #tier, needs, 0, function)
#define ROW_SHA(tier, needs, function) (tier, #tier "_sha", needs, 0, function)
#define ROW_AVOIDING(tier, needs, avoid, function) (tier, #tier, needs, avoid, function)

/* A kernel with a slot; and a building block, which other kernels call directly. */
#define KERNEL_TABLE(id, type, base_function, ...)           \
    KERNEL_BLOCK_TABLE(id, type, base_function, __VA_ARGS__) \
    type##_slot isalk_##id##_slot = {KERNEL_FUNCTION(type, base_function)};
#define KERNEL_BLOCK_TABLE(id, type, base_function, ...) \
    static const struct variant id##_variants[] = {      \
        KERNEL_VARIANT(type, base, "base", 0, 0, base_function) KERNEL_ROWS(type, __VA_ARGS__)};

/* Entries of a family's list. */
#define KERNEL(id) KERNEL_ENTRY(id, &isalk_##id##_slot.any)
#define KERNEL_BLOCK(id) KERNEL_ENTRY(id, NULL)
#define KERNEL_ENTRY(id, slot)                                         \
    {                                                                  \
#id, slot, id##_variants, (unsigned) ARRAY_SIZE(id##_variants) \
    }

/* Defines struct family isalk_<id>_family and chooses its kernels when the library is loaded. */
#define KERNEL_FAMILY(id, kernel_array)                                              \
    const struct family isalk_##id##_family = {#id, kernel_array,                    \
                                               (unsigned) ARRAY_SIZE(kernel_array)}; \
    ISALK_CONSTRUCTOR static void id##_choose(void)                                  \
    {                                                                                \
        isalk_choose_family(&isalk_##id##_family);                                   \
    }

/* ---- Implementation of the macros above ---- */

enum {
#define X(id, name) KERNEL_TIER_##name = T_##id,
    TIERS(X)
#undef X
};

/* The function as a kernel_fn; an error if it is not of this type. */
#define KERNEL_FUNCTION(type, function) (kernel_fn) _Generic(&(function), type * : &(function))

#define KERNEL_VARIANT(type, tier_id, name, needs, avoid, function) \
    {name, (enum tier) KERNEL_TIER_##tier_id, needs, avoid, KERNEL_FUNCTION(type, function)},

/* KERNEL_VARIANT(), or nothing for a row that this build drops. */
#if ISALK_ASM
#define KERNEL_ROW_portable(...)
#define KERNEL_ROW_sse(...) KERNEL_VARIANT(__VA_ARGS__)
#else
#define KERNEL_ROW_portable(...) KERNEL_VARIANT(__VA_ARGS__)
#define KERNEL_ROW_sse(...)
#endif
#if ISALK_ARMV8
#define KERNEL_ROW_armv8(...) KERNEL_VARIANT(__VA_ARGS__)
#else
#define KERNEL_ROW_armv8(...)
#endif
#define KERNEL_ROW_avx(...) KERNEL_ROW_sse(__VA_ARGS__)
#define KERNEL_ROW_avx2(...) KERNEL_ROW_sse(__VA_ARGS__)
#define KERNEL_ROW_avx2_v(...) KERNEL_ROW_sse(__VA_ARGS__)
#define KERNEL_ROW_avx512(...) KERNEL_ROW_sse(__VA_ARGS__)
#define KERNEL_ROW_avx512_v(...) KERNEL_ROW_sse(__VA_ARGS__)

/* KERNEL_ROW_<tier>(type, the members of the row) for each of up to 12 rows. */
#define KERNEL_ROWS(type, ...)                                                                     \
    KERNEL_JOIN(KERNEL_ROWS_, KERNEL_COUNT(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)) \
    (type, __VA_ARGS__)
#define KERNEL_COUNT(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
#define KERNEL_JOIN(a, b) KERNEL_JOIN_EXPANDED(a, b)
#define KERNEL_JOIN_EXPANDED(a, b) a##b
#define KERNEL_MEMBERS(...) __VA_ARGS__
#define KERNEL_ROW_EXPANDED(type, tier_id, ...) KERNEL_ROW_##tier_id(type, tier_id, __VA_ARGS__)
#define KERNEL_ROW_OF(...) KERNEL_ROW_EXPANDED(__VA_ARGS__)
#define KERNEL_ROWS_1(type, row) KERNEL_ROW_OF(type, KERNEL_MEMBERS row)
#define KERNEL_ROWS_2(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_1(type, __VA_ARGS__)
#define KERNEL_ROWS_3(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_2(type, __VA_ARGS__)
#define KERNEL_ROWS_4(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_3(type, __VA_ARGS__)
#define KERNEL_ROWS_5(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_4(type, __VA_ARGS__)
#define KERNEL_ROWS_6(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_5(type, __VA_ARGS__)
#define KERNEL_ROWS_7(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_6(type, __VA_ARGS__)
#define KERNEL_ROWS_8(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_7(type, __VA_ARGS__)
#define KERNEL_ROWS_9(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_8(type, __VA_ARGS__)
#define KERNEL_ROWS_10(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_9(type, __VA_ARGS__)
#define KERNEL_ROWS_11(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_10(type, __VA_ARGS__)
#define KERNEL_ROWS_12(type, row, ...) KERNEL_ROWS_1(type, row) KERNEL_ROWS_11(type, __VA_ARGS__)

#endif
