/* Kernel table of decompression.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_kernels.h"
#include "dispatch/kernel_table.h"

#if ISALK_ASM
/* As igzip/inflate/decode.asm has them. */
#define AT(member, offset) (offsetof(struct inflate_run, member) == (offset))
_Static_assert(AT(in, 0) && AT(in_end, 8) && AT(out, 16) && AT(stop, 24) && AT(out_end, 32) &&
                   AT(window, 40) && AT(bits, 48) && AT(count, 56) && AT(litlen, 64) &&
                   AT(distance, 72) && AT(litlen_mask, 80) && AT(matches, 88) && AT(second, 96) &&
                   AT(no_length, 104) && AT(limit, 112) && sizeof(void *) == 8,
               "struct inflate_run");
_Static_assert(DISTANCE_BITS == 8 && SECOND_LITERAL == 1 << 14 && LITLEN_LITERAL == 1 &&
                   LITLEN_END == 2 && LITLEN_SUBTABLE == 3 && INFLATE_IN_MARGIN == 8 &&
                   INFLATE_OUT_MARGIN == 68 && INFLATE_MATCHES_FEW == 11500,
               "entries");
#endif

KERNEL_TABLE(inflate, inflate_fn, isalk_inflate_base,
             ROW(avx2, CPU_AVX | CPU_BMI1 | CPU_BMI2, isalk_inflate_avx2))

static const struct kernel kernels[] = {
    KERNEL(inflate),
};

KERNEL_FAMILY(inflate, kernels)
