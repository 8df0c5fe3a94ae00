/* Which short matches cost fewer bits than literals, judged by the codes of the previous block.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_COSTS_H
#define LZ77_COSTS_H

#include <stddef.h>

#include "igzip/lz77/tokens.h"

/* The longest distances at which matches of three and of four bytes pay off. */
struct match_costs {
    uint32_t max_distance3, max_distance4;
};

#define COSTS_UNKNOWN UINT32_MAX /* max_distance3 of a stream without a chunk */

ISALK_HIDDEN_BEGIN

/* Guesses the limits for a first block that begins with n bytes, by their entropy. */
void isalk_costs_guess(struct match_costs *costs, const uint8_t *p, size_t n);

/* Sets the limits after a block with these counts and codes. */
void isalk_costs_update(struct match_costs *costs, const struct deflate_counts *counts,
                        const struct deflate_codes *codes);

ISALK_HIDDEN_END

#endif
