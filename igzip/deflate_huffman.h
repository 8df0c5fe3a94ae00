/* Huffman codes of DEFLATE blocks.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_HUFFMAN_H
#define DEFLATE_HUFFMAN_H

#include "igzip/deflate_kernels.h"

/* Lengths and bit-reversed codes of one alphabet each. */
struct huffman_codes {
    uint8_t litlen_size[DEFLATE_LITLEN_SYMBOLS + 2]; /* the static code has two symbols more */
    uint8_t distance_size[DEFLATE_DISTANCE_SYMBOLS + 2];
    uint16_t litlen[DEFLATE_LITLEN_SYMBOLS + 2];
    uint16_t distance[DEFLATE_DISTANCE_SYMBOLS + 2];
};

/* A block header, BFINAL and BTYPE included: whole bytes, lowest bit first. */
struct huffman_header {
    uint8_t bytes[352]; /* 328 at most, and what is written behind them */
    uint32_t bits;
};

enum { HUFFMAN_MAX_SYMBOLS = 288, HUFFMAN_MAX_SUM = (1 << 22) };

ISALK_HIDDEN_BEGIN

/* Lengths of an optimal prefix code for n symbols with these counts, whose sum is at most
 * HUFFMAN_MAX_SUM, limited to `limit` bits by a heuristic. Symbols with count 0 get length 0; a lone
 * symbol gets length 1. */
void isalk_huffman_lengths(const uint32_t *counts, unsigned n, unsigned limit, uint8_t *lengths);

/* The canonical codes of these lengths (RFC 1951, section 3.2.2), bit-reversed. */
void isalk_huffman_canonical(const uint8_t *lengths, unsigned n, uint16_t *codes);

/* Lengths, or lengths and codes, of the static block type. */
void isalk_huffman_static_sizes(struct huffman_codes *codes);
void isalk_huffman_static(struct huffman_codes *codes);

/* The header of a dynamic block with these codes. */
void isalk_huffman_header(const struct huffman_codes *codes, int final,
                          struct huffman_header *header);

/* The same codes by token field. */
void isalk_huffman_expand(const struct huffman_codes *from, struct deflate_codes *to);

/* Bits that symbols with these counts take, extra bits included. */
uint64_t isalk_huffman_cost(const struct huffman_codes *codes, const uint32_t *litlen,
                            const uint32_t *distance);

ISALK_HIDDEN_END

#endif
