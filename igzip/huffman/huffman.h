/* Huffman codes of DEFLATE blocks.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_HUFFMAN_H
#define DEFLATE_HUFFMAN_H

#include "igzip/lz77/tokens.h"

enum {
    HUFFMAN_MAX_SYMBOLS = DEFLATE_FIXED_LITLENS,
    HUFFMAN_MAX_SUM = 1 << 22, /* of the counts of an alphabet */
    HUFFMAN_STEP = 16          /* codes and sizes are written this many at a time */
};

/* The code of one alphabet. */
struct huffman_code {
    uint32_t used;                                     /* symbols that have a code */
    uint16_t symbol[HUFFMAN_MAX_SYMBOLS];              /* those symbols, in order */
    uint16_t code[HUFFMAN_MAX_SYMBOLS + HUFFMAN_STEP]; /* bit-reversed codes, in the top bits */
    uint8_t size[HUFFMAN_MAX_SYMBOLS];                 /* code length of every symbol, or 0 */
    uint64_t bits;                                     /* that all counted symbols take */
};

struct huffman_codes {
    struct huffman_code litlen, distance;
};

/* A block header, BFINAL and BTYPE included: whole bytes, lowest bit first. */
struct huffman_header {
    uint8_t bytes[352]; /* at most 328 used; the last store overruns */
    uint32_t bits;
};

ISALK_HIDDEN_BEGIN

/* Makes a prefix code for n symbols with these counts, whose sum is at most HUFFMAN_MAX_SUM. It is
 * optimal, except that a heuristic shortens codes of more than `limit` bits. Symbols with count 0
 * get no code; a lone symbol gets one bit. */
void isalk_huffman_make(const uint32_t *counts, unsigned n, unsigned limit,
                        struct huffman_code *to);

/* Assigns canonical codes (RFC 1951, section 3.2.2) to the used symbols, from their sizes;
 * with_size[i] symbols have size i. */
void isalk_huffman_assign(struct huffman_code *code, const uint32_t *with_size);

/* Makes the header of a dynamic block with these codes. */
void isalk_huffman_header(const struct huffman_codes *codes, int final,
                          struct huffman_header *header);

/* Expands codes to an entry for each value of a token field. Entries of unused symbols are left as
 * they are. */
void isalk_huffman_expand(const struct huffman_codes *from, struct deflate_codes *to);

/* Bits of symbols with these counts in a static block, extra bits included; *extra: the extra
 * bits. */
uint64_t isalk_huffman_static_bits(const uint32_t *litlen, const uint32_t *distance,
                                   uint64_t *extra);

ISALK_HIDDEN_END

#endif
