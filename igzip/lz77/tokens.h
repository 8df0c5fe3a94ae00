/* LZ77 tokens, their counts, and their codes.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_TOKENS_H
#define LZ77_TOKENS_H

#include "igzip/format/deflate_format.h"

/* A token is one literal, two literals or a match. It has two fields, each an index into a table of
 * counts or codes:
 *
 *     bits 0-8    a literal, or 256 + length - 3
 *     bits 9-17   0; or 1 + distance symbol, for a match; or 32 + the second literal
 *     bits 19-31  extra bits of the distance, aligned to the top, zeros below */
#define TOKEN_SECOND_SHIFT 9
#define TOKEN_MASK 511
#define TOKEN_EXTRA_MASK 0xfff80000u
#define TOKEN_LENGTHS 256 /* first field of a match of length 3 */
#define TOKEN_FIRSTS 512
#define TOKEN_DISTANCES 1 /* second field of distance symbol 0 */
#define TOKEN_LITERALS 32 /* second field of literal 0 */
#define TOKEN_SECONDS (TOKEN_LITERALS + 256)

/* How often each value of the two fields occurs. */
struct deflate_counts {
    uint32_t first[TOKEN_FIRSTS];
    uint32_t second[TOKEN_SECONDS];
};

/* The code of each value of the two fields. Low 32 bits: number of bits, extra bits included. Top
 * bits: the bit-reversed code; above it a length's extra bits, or zeros where a distance's extra
 * bits go. first[TOKEN_FIRSTS] is the end of block; second[0] is 0. */
struct deflate_codes {
    uint64_t first[TOKEN_FIRSTS + 1];
    uint64_t second[TOKEN_SECONDS];
};

/* Number of bits of an entry of struct deflate_codes. */
ISALK_INLINE uint32_t code_bits(uint64_t code)
{
    return code & 0xff;
}

/* The bits of a token, first bit lowest. */
ISALK_INLINE uint64_t token_bits(uint32_t token, const struct deflate_codes *codes, uint32_t *count)
{
    uint64_t first = codes->first[token & TOKEN_MASK];
    uint64_t second = codes->second[token >> TOKEN_SECOND_SHIFT & TOKEN_MASK];
    uint32_t first_bits = code_bits(first), second_bits = code_bits(second);
    uint64_t bits = first_bits ? first >> (64 - first_bits) : 0;

    second |= (uint64_t) (token & TOKEN_EXTRA_MASK) << 32;
    *count = first_bits + second_bits;
    return second_bits ? bits | second >> (64 - second_bits) << first_bits : bits;
}

#endif
