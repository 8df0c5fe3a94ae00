/* Kernel table of compression after the parser.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/igzip_lib.h"

#include "igzip/deflate/deflate_kernels.h"

#if ISALK_ASM
/* As the assembly files have them. */
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
#endif

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

kernel_slot isalk_deflate_expand_slot = (kernel_fn) isalk_deflate_expand_base;
kernel_slot isalk_deflate_count_slot = (kernel_fn) isalk_deflate_count_base;
kernel_slot isalk_deflate_encode_slot = (kernel_fn) isalk_deflate_encode_base;

static const struct kernel kernels[] = {
    KERNEL("deflate_expand", &isalk_deflate_expand_slot, expand_variants),
    KERNEL("deflate_count", &isalk_deflate_count_slot, count_variants),
    KERNEL("deflate_encode", &isalk_deflate_encode_slot, encode_variants),
};

KERNEL_FAMILY(deflate, kernels)
