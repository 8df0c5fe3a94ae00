/* Which short matches cost fewer bits than literals, judged by the codes of the previous block.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_COSTS_H
#define LZ77_COSTS_H

#include "igzip/lz77/tokens.h"

/* The longest distances at which matches of three and of four bytes pay off. */
struct match_costs {
    uint32_t max_distance3, max_distance4;
};

ISALK_HIDDEN_BEGIN

/* Sets the limits for a first block. */
void isalk_costs_reset(struct match_costs *costs);

/* Sets the limits after a block with these counts and codes. */
void isalk_costs_update(struct match_costs *costs, const struct deflate_counts *counts,
                        const struct deflate_codes *codes);

ISALK_HIDDEN_END

#endif
