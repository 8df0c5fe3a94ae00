/* Which short matches are shorter than literals, as far as the codes of the block before tell.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_COSTS_H
#define LZ77_COSTS_H

#include "igzip/lz77/tokens.h"

/* The longest distance at which a match of three or four bytes is worth its bits. */
struct match_costs {
    uint32_t three, four;
};

ISALK_HIDDEN_BEGIN

/* Guesses for a first block. */
void isalk_costs_reset(struct match_costs *costs);

/* After a block with these counts and codes. */
void isalk_costs_update(struct match_costs *costs, const struct deflate_counts *counts,
                        const struct deflate_codes *codes);

ISALK_HIDDEN_END

#endif
