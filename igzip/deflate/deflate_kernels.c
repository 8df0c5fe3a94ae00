/* Kernel table of compression.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/igzip_lib.h"

#include "igzip/deflate/deflate_kernels.h"

#if ISALK_ASM
/* As the assembly files have them. */
#define AT(member, offset) (offsetof(struct deflate_find, member) == (offset))
_Static_assert(AT(next, 0) && AT(limit, 8) && AT(end, 16) && AT(base, 24) && AT(token, 32) &&
                   AT(token_end, 40) && AT(head, 48) && AT(hash_bits, 56) && AT(window, 60) &&
                   AT(run, 68) && AT(matched, 72) && sizeof(void *) == 8,
               "struct deflate_find");
_Static_assert(FIND_MULTIPLIER_LOW == 0x9e3779b1 && FIND_MULTIPLIER_HIGH == 0x85ebca77 &&
                   FIND_CHECK_SHIFT == 12 && FIND_BATCH == 512 && FIND_STEP == 32 &&
                   FIND_BEHIND == 32 && FIND_TOKENS_BEHIND == 16 && TOKEN_SECOND_SHIFT == 9 &&
                   TOKEN_LITERALS == 32 && TOKEN_LENGTHS == 256 && TOKEN_DISTANCES == 1 &&
                   LONG_REPEAT == 16 && LONG_SKIPPED == 3 && INSERT_LEAST == 8 &&
                   INSERT_BEHIND == 8,
               "tokens");
#undef AT
#define AT(member, offset) (offsetof(struct deflate_counts, member) == (offset))
_Static_assert(AT(first, 0) && AT(second, 2048), "struct deflate_counts");
#undef AT
#define AT(member, offset) (offsetof(struct deflate_encode, member) == (offset))
_Static_assert(AT(token, 0) && AT(token_end, 8) && AT(out, 16) && AT(out_last, 24) &&
                   AT(bits, 32) && AT(count, 40) && AT(codes, 48) && TOKEN_FIRSTS == 512 &&
                   TOKEN_MASK == 511 && TOKEN_EXTRA_MASK == 0xffffffffu << 19,
               "struct deflate_encode");
#undef AT
#define AT(member, offset) (offsetof(struct isal_hufftables, member) == (offset))
_Static_assert(AT(len_table, 344) && AT(lit_table, 1368) && AT(lit_table_sizes, 1882) &&
                   AT(dcodes, 2140) && AT(dcodes_sizes, 2200) && DEFLATE_DISTANCE_SYMBOLS == 30,
               "struct isal_hufftables");
#define FIND_NEEDS (CPU_AVX | CPU_AVX2 | CPU_BMI1 | CPU_BMI2)
#endif

static const struct variant greedy_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_find_greedy_base},
#if ISALK_ASM
    {T_AVX2, FIND_NEEDS, (kernel_fn) isalk_deflate_find_greedy_avx2},
#endif
};

static const struct variant lazy_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_find_lazy_base},
#if ISALK_ASM
    {T_AVX2, FIND_NEEDS, (kernel_fn) isalk_deflate_find_lazy_avx2},
#endif
};

static const struct variant long_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_find_long_base},
#if ISALK_ASM
    {T_AVX2, FIND_NEEDS, (kernel_fn) isalk_deflate_find_long_avx2},
#endif
};

static const struct variant rebase_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_rebase_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_AVX2 | CPU_BMI2, (kernel_fn) isalk_deflate_rebase_avx2},
    {T_AVX512, CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW, (kernel_fn) isalk_deflate_rebase_avx512},
#endif
};

static const struct variant insert_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_insert_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_AVX2, (kernel_fn) isalk_deflate_insert_avx2},
#endif
};

static const struct variant expand_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_expand_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_AVX2, (kernel_fn) isalk_deflate_expand_avx2},
    {T_AVX512, CPU_AVX512F, (kernel_fn) isalk_deflate_expand_avx512},
#endif
};

static const struct variant count_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_count_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_BMI2, (kernel_fn) isalk_deflate_count_avx2},
#endif
};

static const struct variant encode_variants[] = {
    {T_BASE, 0, (kernel_fn) isalk_deflate_encode_base},
#if ISALK_ASM
    {T_AVX2, CPU_AVX | CPU_BMI1 | CPU_BMI2, (kernel_fn) isalk_deflate_encode_avx2},
#endif
};

kernel_slot isalk_deflate_find_slots[DEFLATE_PARSERS] = {
    (kernel_fn) isalk_deflate_find_greedy_base,
    (kernel_fn) isalk_deflate_find_lazy_base,
    (kernel_fn) isalk_deflate_find_long_base,
};
kernel_slot isalk_deflate_rebase_slot = (kernel_fn) isalk_deflate_rebase_base;
kernel_slot isalk_deflate_insert_slot = (kernel_fn) isalk_deflate_insert_base;
kernel_slot isalk_deflate_expand_slot = (kernel_fn) isalk_deflate_expand_base;
kernel_slot isalk_deflate_count_slot = (kernel_fn) isalk_deflate_count_base;
kernel_slot isalk_deflate_encode_slot = (kernel_fn) isalk_deflate_encode_base;

static const struct kernel kernels[] = {
    KERNEL("deflate_find_greedy", &isalk_deflate_find_slots[DEFLATE_GREEDY], greedy_variants),
    KERNEL("deflate_find_lazy", &isalk_deflate_find_slots[DEFLATE_LAZY], lazy_variants),
    KERNEL("deflate_find_long", &isalk_deflate_find_slots[DEFLATE_LONG], long_variants),
    KERNEL("deflate_rebase", &isalk_deflate_rebase_slot, rebase_variants),
    KERNEL("deflate_insert", &isalk_deflate_insert_slot, insert_variants),
    KERNEL("deflate_expand", &isalk_deflate_expand_slot, expand_variants),
    KERNEL("deflate_count", &isalk_deflate_count_slot, count_variants),
    KERNEL("deflate_encode", &isalk_deflate_encode_slot, encode_variants),
};

KERNEL_FAMILY(deflate, kernels)
