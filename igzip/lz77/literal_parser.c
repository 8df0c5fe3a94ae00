/* The parser that finds no matches: literals only, which leaves all compression to the codes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

static uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)
{
    size_t n = isalk_lz77_next_chunk(lz, token, token_end);

    (void) last; /* no match is held back */
    token = emit_literals(token, lz->next, n);
    lz->state->long_matches = 0;
    lz->state->run = 0;
    isalk_lz77_advance(lz, lz->next + n);
    return token;
}

const struct parser isalk_parser_literal = {"literal", 0, NULL, parse, NULL};
