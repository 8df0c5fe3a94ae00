/* Which short matches cost fewer bits than literals, judged by the codes of the previous block.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/costs.h"
#include "igzip/lz77/log2.h"

enum {
    FIRST_LENGTH_BITS = 4,   /* guess for the code of a short length, before the first block */
    FIRST_DISTANCE_BITS = 4, /* guess for the code of a distance, without extra bits */
    MIN_GUESSED = 64,        /* fewer bytes are not judged */
    UNGUESSED_DISTANCE3 = 2048,
    ABSENT_BITS = 10 /* assumed for a distance symbol without a code */
};

/* The longest distance with at most this many extra bits. */
static uint32_t max_distance_of(int extra_bits)
{
    if (extra_bits < 0)
        return 0;
    return extra_bits < 13 ? 4u << extra_bits : DEFLATE_WINDOW;
}

void isalk_costs_guess(struct match_costs *costs, const uint8_t *p, size_t n)
{
    uint32_t counts[256] = {0}, odd[256] = {0};
    uint64_t entropy = 0;

    costs->max_distance3 = UNGUESSED_DISTANCE3;
    costs->max_distance4 = DEFLATE_WINDOW;
    if (n < MIN_GUESSED)
        return;
    n &= ~(size_t) 1;
    for (size_t i = 0; i < n; i += 2) {
        counts[p[i]]++;
        odd[p[i + 1]]++;
    }
    for (unsigned i = 0; i < 256; i++)
        if (counts[i] + odd[i])
            entropy += (uint64_t) (counts[i] + odd[i]) * fixed_log2(counts[i] + odd[i]);
    entropy = fixed_log2((uint32_t) n) - entropy / n; /* of a byte */
    costs->max_distance3 = max_distance_of((int) (3 * entropy >> LOG2_SHIFT) - FIRST_LENGTH_BITS -
                                           FIRST_DISTANCE_BITS);
    costs->max_distance4 = max_distance_of((int) (4 * entropy >> LOG2_SHIFT) - FIRST_LENGTH_BITS -
                                           FIRST_DISTANCE_BITS);
}

/* Bits of distance symbol i, extra bits included. */
static uint32_t distance_bits(const struct deflate_counts *counts,
                              const struct deflate_codes *codes, unsigned i)
{
    if (counts->second[TOKEN_DISTANCES + i])
        return code_bits(codes->second[TOKEN_DISTANCES + i]);
    return ABSENT_BITS + (uint32_t) deflate_distances[i].extra;
}

/* The longest distance that takes at most this many bits. */
static uint32_t max_distance(const struct deflate_counts *counts, const struct deflate_codes *codes,
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
    costs->max_distance3 = max_distance(
        counts, codes, (int) (3 * bits / literals) - 1 - length_bits(counts, codes, 0));
    costs->max_distance4 = max_distance(
        counts, codes, (int) (4 * bits / literals) - 1 - length_bits(counts, codes, 1));
}
