/* A lazy parser with hash chains: several candidates for each position.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No public level uses it. Tests and benchmarks do, as a parser whose tokens depend on memory of
 * its own and on the codes of the block before. */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

enum { CHAIN_SIZE = DEFLATE_WINDOW, CHAIN_MASK = CHAIN_SIZE - 1, INITIAL_LITERAL_BITS = 8 };

/* The memory after the hash table. */
struct chain {
    uint16_t literal_bits;                         /* mean of the last block */
    uint16_t short_bits[DEFLATE_DISTANCE_SYMBOLS]; /* of the shortest match, by distance symbol */
    uint16_t unused;
    uint16_t step[CHAIN_SIZE]; /* distance from a position to the one before in its chain, or 0 */
};
_Static_assert(sizeof(struct chain) % 8 == 0, "a multiple of 8");

/* A call at work. */
struct search {
    struct deflate_find f;
    struct chain *chain;
    uint32_t max_depth, nice_length;
    uint32_t position; /* position of `base`, modulo 2^32 */
};

struct match {
    uint32_t length, distance;
};

static struct chain *chain_of(const struct lz77 *lz)
{
    return (struct chain *) (void *) (lz->head + ((size_t) 1 << lz->hash_bits));
}

static void reset(struct lz77 *lz)
{
    struct chain *chain = chain_of(lz);

    memset(chain, 0, sizeof(*chain));
    chain->literal_bits = INITIAL_LITERAL_BITS;
}

/* Inserts p at the head of its chain; returns the distance to the head before, or 0. */
static uint32_t insert(struct search *s, const uint8_t *p)
{
    uint32_t offset = (uint32_t) (p - s->f.base), hashed = hash(p);
    deflate_entry *head = s->f.head + (hashed >> (32 - s->f.hash_bits));
    uint32_t step = (offset - *head) & OFFSET_MASK;

    *head = hash_entry(hashed, offset);
    s->chain->step[(s->position + offset) & CHAIN_MASK] = (uint16_t) step;
    return step;
}

/* Whether the last block's codes make a match no longer than its literals. */
static int is_worth_it(const struct search *s, struct match m)
{
    uint32_t symbol =
        (match_token(m.length, m.distance) >> TOKEN_SECOND_SHIFT & TOKEN_MASK) - TOKEN_DISTANCES;

    return m.length > FIND_MIN_MATCH ||
           s->chain->short_bits[symbol] <= FIND_MIN_MATCH * s->chain->literal_bits;
}

/* Inserts p and returns the longest match of its chain, of length 0 if there is none. Steps that
 * are out of date lead to false candidates, which are compared like others. */
static struct match find_longest(struct search *s, const uint8_t *p)
{
    uint32_t offset = (uint32_t) (p - s->f.base), distance = 0, step = insert(s, p);
    uint32_t max = offset < s->f.window ? offset : s->f.window;
    struct match best = {0, 0};

    for (uint32_t depth = s->max_depth; depth > 0 && step != 0; depth--) {
        struct match m;

        distance += step;
        if (distance > max)
            break;
        m.distance = distance;
        m.length = whole_match(p - distance, p, 0, s->f.end);
        if (m.length >= FIND_MIN_MATCH && m.length > best.length && is_worth_it(s, m))
            best = m;
        if (best.length >= s->nice_length)
            break;
        step = s->chain->step[(s->position + offset - distance) & CHAIN_MASK];
    }
    return best;
}

/* Tokens of the positions up to f.limit. Positions before `last` can be hashed. */
static void find(struct search *s, const uint8_t *last)
{
    const uint8_t *p = s->f.next, *start = p, *limit = s->f.limit;
    uint32_t *token = s->f.token;

    while (p < limit && p < last) {
        struct match m = find_longest(s, p), next;
        const uint8_t *inserted = p + 1;

        if (m.length == 0) {
            p++;
            continue;
        }
        while (m.length < s->nice_length && p + 1 < limit && p + 1 < last) {
            next = find_longest(s, p + 1);
            inserted = p + 2;
            if (next.length <= m.length)
                break;
            m = next;
            p++;
        }
        token = emit_literals(token, start, (size_t) (p - start));
        *token++ = match_token(m.length, m.distance);
        p = start = p + m.length;
        for (; inserted < p && inserted < last; inserted++)
            insert(s, inserted);
    }
    if (p < limit)
        p = limit;
    s->f.token = emit_literals(token, start, (size_t) (p - start));
    s->f.next = p;
}

static uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)
{
    const uint8_t *start = lz->next;
    size_t left = (size_t) (lz->end - start), chunk = isalk_lz77_chunk(lz, token, token_end);
    struct search s;

    (void) last; /* no match is held back */
    isalk_lz77_set_table(lz, &s.f);
    s.f.next = start;
    s.f.limit = left < chunk ? lz->end : start + chunk;
    s.f.end = lz->end;
    s.f.token = token;
    s.chain = chain_of(lz);
    s.max_depth = lz->params->max_depth;
    s.nice_length = lz->params->nice_length;
    s.position = lz->state->position - lz->state->offset;
    lz->state->long_matches = 0;
    find(&s, left < HASH_LOAD ? start : lz->end - (HASH_LOAD - 1));
    isalk_lz77_advance(lz, s.f.next);
    return s.f.token;
}

static void block_done(struct lz77 *lz, const struct deflate_counts *counts,
                       const struct deflate_codes *codes)
{
    struct chain *chain = chain_of(lz);
    uint32_t literals = 0, length_bits = DEFLATE_MAX_BITS;
    uint64_t bits = 0;

    for (unsigned i = 0; i < 256; i++) {
        uint32_t n = counts->first[i] + counts->second[TOKEN_LITERALS + i];

        literals += n;
        bits += n ? (uint64_t) n * code_bits(codes->first[i]) : 0;
    }
    chain->literal_bits = (uint16_t) (literals ? bits / literals : INITIAL_LITERAL_BITS);
    if (counts->first[TOKEN_LENGTHS + FIND_MIN_MATCH - DEFLATE_MIN_MATCH])
        length_bits = code_bits(codes->first[TOKEN_LENGTHS + FIND_MIN_MATCH - DEFLATE_MIN_MATCH]);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++) {
        uint32_t distance_bits = DEFLATE_MAX_BITS + deflate_distances[i].extra;

        if (counts->second[TOKEN_DISTANCES + i])
            distance_bits = code_bits(codes->second[TOKEN_DISTANCES + i]);
        chain->short_bits[i] = (uint16_t) (length_bits + distance_bits);
    }
}

const struct parser isalk_parser_chain = {"chain", sizeof(struct chain), reset, parse, block_done};
