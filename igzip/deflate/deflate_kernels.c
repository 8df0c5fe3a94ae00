/* Kernel table of compression.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/igzip_lib.h"

#include "igzip/deflate/deflate_kernels.h"
#include "dispatch/kernel_table.h"

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

KERNEL_TABLE(deflate_find_greedy, deflate_find_fn, isalk_deflate_find_greedy_base,
             ROW(avx2, FIND_NEEDS, isalk_deflate_find_greedy_avx2))

KERNEL_TABLE(deflate_find_lazy, deflate_find_fn, isalk_deflate_find_lazy_base,
             ROW(avx2, FIND_NEEDS, isalk_deflate_find_lazy_avx2))

KERNEL_TABLE(deflate_find_long, deflate_find_fn, isalk_deflate_find_long_base,
             ROW(avx2, FIND_NEEDS, isalk_deflate_find_long_avx2))

KERNEL_TABLE(deflate_rebase, deflate_rebase_fn, isalk_deflate_rebase_base,
             ROW(avx2, CPU_AVX | CPU_AVX2 | CPU_BMI2, isalk_deflate_rebase_avx2),
             ROW(avx512, CPU_BMI2 | CPU_AVX512F | CPU_AVX512BW, isalk_deflate_rebase_avx512))

KERNEL_TABLE(deflate_insert, deflate_insert_fn, isalk_deflate_insert_base,
             ROW(avx2, CPU_AVX | CPU_AVX2, isalk_deflate_insert_avx2))

KERNEL_TABLE(deflate_expand, deflate_expand_fn, isalk_deflate_expand_base,
             ROW(avx2, CPU_AVX | CPU_AVX2, isalk_deflate_expand_avx2),
             ROW(avx512, CPU_AVX512F, isalk_deflate_expand_avx512))

KERNEL_TABLE(deflate_count, deflate_count_fn, isalk_deflate_count_base,
             ROW(avx2, CPU_AVX | CPU_BMI2, isalk_deflate_count_avx2))

KERNEL_TABLE(deflate_encode, deflate_encode_fn, isalk_deflate_encode_base,
             ROW(avx2, CPU_AVX | CPU_BMI1 | CPU_BMI2, isalk_deflate_encode_avx2))

static const struct kernel kernels[] = {
    KERNEL(deflate_find_greedy), KERNEL(deflate_find_lazy), KERNEL(deflate_find_long),
    KERNEL(deflate_rebase),      KERNEL(deflate_insert),    KERNEL(deflate_expand),
    KERNEL(deflate_count),       KERNEL(deflate_encode),
};

KERNEL_FAMILY(deflate, kernels)
