/* Canonical Huffman codes, by symbol and by token field.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/huffman/huffman.h"

void isalk_huffman_assign(struct huffman_code *code, const uint32_t *with_size)
{
    uint32_t next[DEFLATE_MAX_BITS + 1], first = 0;

    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++) {
        next[bits] = first;
        first = (first + with_size[bits]) << 1;
    }
    for (unsigned i = 0; i < code->used; i++) {
        unsigned bits = code->size[code->symbol[i]];

        code->code[i] = (uint16_t) next[bits]++;
    }
    for (unsigned i = 0; i < code->used; i += HUFFMAN_STEP) {
        uint16_t *at = code->code + i;

        for (unsigned lane = 0; lane < HUFFMAN_STEP; lane++) {
            unsigned v = at[lane];

            v = (v & 0x5555) << 1 | (v >> 1 & 0x5555);
            v = (v & 0x3333) << 2 | (v >> 2 & 0x3333);
            v = (v & 0x0f0f) << 4 | (v >> 4 & 0x0f0f);
            at[lane] = (uint16_t) (v << 8 | v >> 8);
        }
    }
}

/* See struct deflate_codes. */
static uint64_t entry(uint64_t code, uint32_t bits, uint32_t extra_bits)
{
    return code << 48 >> extra_bits | (bits + extra_bits);
}

void isalk_huffman_expand(const struct huffman_codes *from, struct deflate_codes *to)
{
    const struct huffman_code *litlen = &from->litlen, *distance = &from->distance;
    unsigned i = 0;

    to->second[0] = 0;
    for (; i < litlen->used && litlen->symbol[i] < DEFLATE_END_OF_BLOCK; i++) {
        unsigned symbol = litlen->symbol[i];

        to->first[symbol] = entry(litlen->code[i], litlen->size[symbol], 0);
        to->second[TOKEN_LITERALS + symbol] = to->first[symbol];
    }
    for (; i < litlen->used && litlen->symbol[i] < DEFLATE_LITLEN_SYMBOLS; i++) {
        unsigned symbol = litlen->symbol[i], number = symbol - DEFLATE_FIRST_LENGTH;

        if (symbol == DEFLATE_END_OF_BLOCK) {
            to->first[TOKEN_FIRSTS] = entry(litlen->code[i], litlen->size[symbol], 0);
        } else {
            uint32_t extra_bits = deflate_lengths[number].extra;
            uint64_t code = entry(litlen->code[i], litlen->size[symbol], extra_bits);
            uint64_t *length =
                to->first + TOKEN_LENGTHS + deflate_lengths[number].base - DEFLATE_MIN_MATCH;

            /* The extra bits are at the top. The longest match is overwritten by the next symbol, its
             * own. */
            for (uint64_t extra = 0; extra < 1u << extra_bits; extra++)
                *length++ = code + (extra << ((64 - extra_bits) & 63));
        }
    }
    for (i = 0; i < distance->used && distance->symbol[i] < DEFLATE_DISTANCE_SYMBOLS; i++) {
        unsigned symbol = distance->symbol[i];

        to->second[TOKEN_DISTANCES + symbol] =
            entry(distance->code[i], distance->size[symbol], deflate_distances[symbol].extra);
    }
}

uint64_t isalk_huffman_static_bits(const uint32_t *litlen, const uint32_t *distance,
                                   uint64_t *extra)
{
    uint32_t seven = 0, eight = 0, nine = 0, five = 0, extra_bits = 0;

    for (unsigned i = 0; i < 144; i++)
        eight += litlen[i];
    for (unsigned i = 144; i < 256; i++)
        nine += litlen[i];
    for (unsigned i = 256; i < 280; i++)
        seven += litlen[i];
    for (unsigned i = 280; i < DEFLATE_LITLEN_SYMBOLS; i++)
        eight += litlen[i];
    for (unsigned i = 0; i < 29; i++)
        extra_bits += litlen[DEFLATE_FIRST_LENGTH + i] * deflate_lengths[i].extra;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++) {
        five += distance[i];
        extra_bits += distance[i] * deflate_distances[i].extra;
    }
    *extra = extra_bits;
    return 7 * seven + 8 * eight + 9 * nine + 5 * five + extra_bits;
}
