/* Which short matches are shorter than literals, as far as the codes of the block before tell.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/costs.h"

enum {
    FIRST_THREE = 2048, /* before the first block */
    FIRST_FOUR = 32768,
    UNUSED_BITS = 10    /* of a distance symbol that has no code */
};

void isalk_costs_reset(struct match_costs *costs)
{
    costs->three = FIRST_THREE;
    costs->four = FIRST_FOUR;
}

/* Bits of distance symbol i with its extra bits. */
static uint32_t distance_bits(const struct deflate_counts *counts,
                              const struct deflate_codes *codes, unsigned i)
{
    if (counts->second[TOKEN_DISTANCES + i])
        return code_bits(codes->second[TOKEN_DISTANCES + i]);
    return UNUSED_BITS + (uint32_t) deflate_distances[i].extra;
}

/* The longest distance whose symbol takes at most this many bits. */
static uint32_t longest(const struct deflate_counts *counts, const struct deflate_codes *codes,
                        int bits)
{
    unsigned i = DEFLATE_DISTANCE_SYMBOLS;

    while (i > 0 && (int) distance_bits(counts, codes, i - 1) > bits)
        i--;
    return i == DEFLATE_DISTANCE_SYMBOLS ? DEFLATE_WINDOW : deflate_distances[i].base - 1u;
}

/* Bits of the length symbol of a match of 3 + i bytes. */
static int length_bits(const struct deflate_counts *counts, const struct deflate_codes *codes,
                       unsigned i)
{
    return counts->first[TOKEN_LENGTHS + i] ? (int) code_bits(codes->first[TOKEN_LENGTHS + i])
                                            : DEFLATE_MAX_BITS;
}

void isalk_costs_update(struct match_costs *costs, const struct deflate_counts *counts,
                        const struct deflate_codes *codes)
{
    uint32_t literals = 0, bits = 0;

    for (unsigned i = 0; i < 256; i++) {
        uint32_t n = counts->first[i] + counts->second[TOKEN_LITERALS + i];

        literals += n;
        bits += n ? n * code_bits(codes->first[i]) : 0;
    }
    if (literals == 0)
        return;
    costs->three =
        longest(counts, codes, (int) (3 * bits / literals) - 1 - length_bits(counts, codes, 0));
    costs->four =
        longest(counts, codes, (int) (4 * bits / literals) - 1 - length_bits(counts, codes, 1));
}
