/* The parser that finds runs of one byte, matches of distance 1: for filtered images.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

static uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)
{
    const uint8_t *start = lz->next, *p = start;
    const uint8_t *limit = p + isalk_lz77_next_chunk(lz, token, token_end);

    (void) last; /* no match is held back */
    if (isalk_lz77_history(lz) == 0 && p < limit)
        p++;
    while (p < limit) {
        uint32_t length = p[0] == p[-1] ? whole_match(p - 1, p, 1, lz->end) : 0;

        if (length < DEFLATE_MIN_MATCH) {
            p++;
            continue;
        }
        token = emit_literals(token, start, (size_t) (p - start));
        *token++ = match_token(length, 1);
        p = start = p + length;
    }
    token = emit_literals(token, start, (size_t) (p - start));
    lz->state->long_matches = 0;
    lz->state->run = 0;
    isalk_lz77_advance(lz, p);
    return token;
}

const struct parser isalk_parser_run = {"run", 0, NULL, parse, NULL};
