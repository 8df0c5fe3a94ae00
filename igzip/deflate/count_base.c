/* Portable reference: counts of the fields of tokens.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/deflate_kernels.h"

void isalk_deflate_count_base(struct deflate_counts *counts, const uint32_t *token,
                              const uint32_t *token_end)
{
    for (; token < token_end; token++) {
        counts->first[*token & TOKEN_MASK]++;
        counts->second[*token >> TOKEN_SECOND_SHIFT & TOKEN_MASK]++;
    }
}
