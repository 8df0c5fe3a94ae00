/* Greedy and lazy parsers that search rows of candidates.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/costs.h"
#include "igzip/lz77/rows.h"

/* The memory after the hash table. */
struct row_memory {
    struct rows rows;
    struct match_costs costs;
};
_Static_assert(sizeof(struct row_memory) == LZ77_ROWS_MEMORY, "LZ77_ROWS_MEMORY");

/* Inserts p and returns its longest match of more than `length_to_beat` >= 3 bytes, or one of
 * length 0. If that is 3, a shape with hash3 also finds a match of three bytes. */
ISALK_INLINE struct match find_longest(const struct row_search *s, const struct match_costs *costs,
                                       const uint8_t *p, uint32_t length_to_beat, uint32_t depth,
                                       struct row_shape shape)
{
    const struct rows *rows = s->rows;
    struct row_hash at = row_hash_of(s, p);
    unsigned first = rows->first[at.row];
    const uint16_t *positions = rows->position + at.row * shape.entries;
    uint64_t mask = equal_tags(rows->tag + at.row * shape.entries, shape.entries, at.tag);
    uint32_t offset = (uint32_t) (p - s->base), position = s->position + offset;
    uint32_t max_length = longest_match(p, s->end);
    uint32_t max_distance = offset < s->window ? offset : s->window;
    struct match best = {length_to_beat, 0};

    if (s->end - p >= LZ77_INSERT_LOAD + ROW_AHEAD)
        row_prefetch(s, p + ROW_AHEAD, shape.entries);
    mask = from_first(mask, shape.entries, first);
    for (; mask != 0 && depth > 0 && best.length < max_length; mask &= mask - 1, depth--) {
        unsigned slot = (first + (unsigned) __builtin_ctzll(mask)) & (shape.entries - 1);
        uint32_t distance = entry_distance(position, positions[slot]), length;
        const uint8_t *candidate = p - distance;

        if (distance - 1 >= max_distance)
            break; /* outside the window, like all older ones */
        if (load_le32(candidate + best.length - 3) != load_le32(p + best.length - 3))
            continue;
        length = match_length(candidate, p, 0, max_length);
        if (length <= best.length)
            continue;
        best.length = length;
        best.distance = distance;
        if (length >= s->nice_length)
            break;
    }
    if (shape.hash3 && best.distance == 0 && length_to_beat == DEFLATE_MIN_MATCH) {
        uint32_t distance = entry_distance(position, *hash3_entry(s, p));

        if (distance - 1 < max_distance && distance <= costs->max_distance3 &&
            (load_le32(p) ^ load_le32(p - distance)) << 8 == 0)
            best.distance = distance;
    }
    insert_at(s, at, position, shape.entries);
    if (shape.hash3)
        *hash3_entry(s, p) = (uint16_t) position;
    if (best.distance == 0 || (best.length == 4 && best.distance > costs->max_distance4))
        best.length = 0;
    return best;
}

/* Returns whether the match at the next position saves over two bits more than m. A match saves
 * about four bits for each byte, less the extra bits of its distance. */
ISALK_INLINE int is_better(struct match next, struct match m)
{
    return next.length > 0 && 4 * ((int) next.length - (int) m.length) +
                                      __builtin_clz(next.distance) - __builtin_clz(m.distance) >
                                  2;
}

/* Emits tokens for the positions from p to `limit`, of which those before `search_end` are
 * searched. Returns the first position without a token. */
ISALK_INLINE const uint8_t *find(const struct row_search *s, const struct match_costs *costs,
                                 const uint8_t *p, const uint8_t *limit, const uint8_t *search_end,
                                 uint32_t **token, struct row_shape shape)
{
    const uint8_t *start = p, *stop = limit < search_end ? limit : search_end;

    while (p < stop) {
        struct match m = find_longest(s, costs, p, s->length_to_beat, s->max_depth, shape), next;
        const uint8_t *inserted = p + 1;

        if (m.length == 0) {
            p++;
            continue;
        }
        while (shape.lazy && m.length < s->nice_length && p + 1 < stop) {
            uint32_t length_to_beat = m.length < 4 ? DEFLATE_MIN_MATCH : m.length - 1;

            next = find_longest(s, costs, p + 1, length_to_beat, s->max_depth / shape.lazy, shape);
            inserted = p + 2;
            if (!is_better(next, m))
                break;
            m = next;
            p++;
        }
        *token = emit_literals(*token, start, (size_t) (p - start));
        *(*token)++ = match_token(m.length, m.distance);
        p = start = p + m.length;
        for (const uint8_t *to = p < search_end ? p : search_end; inserted < to; inserted++)
            row_insert(s, inserted, shape);
    }
    if (p < limit)
        p = limit;
    *token = emit_literals(*token, start, (size_t) (p - start));
    return p;
}

ISALK_INLINE void reset(struct lz77 *lz, struct row_shape shape)
{
    struct row_memory *memory = isalk_lz77_memory(lz);

    rows_reset(lz, shape);
    memory->costs.max_distance3 = COSTS_UNKNOWN;
}

ISALK_INLINE uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end,
                             struct row_shape shape)
{
    struct row_memory *memory = isalk_lz77_memory(lz);
    size_t left = (size_t) (lz->end - lz->next), n = isalk_lz77_next_chunk(lz, token, token_end);
    struct row_search s = rows_begin(lz, n, shape);
    struct match_costs costs;
    const uint8_t *search_end =
        left < LZ77_INSERT_LOAD ? lz->next : lz->end - (LZ77_INSERT_LOAD - 1);

    if (memory->costs.max_distance3 == COSTS_UNKNOWN)
        isalk_costs_guess(&memory->costs, lz->next, n);
    costs = memory->costs;
    memory->rows.inserted = isalk_lz77_advance_inserted(
        lz, find(&s, &costs, lz->next, lz->next + n, search_end, &token, shape));
    return token;
}

static void block_done(struct lz77 *lz, const struct deflate_counts *counts,
                       const struct deflate_codes *codes)
{
    struct row_memory *memory = isalk_lz77_memory(lz);

    isalk_costs_update(&memory->costs, counts, codes);
}

/* Defines the parser of a shape. */
#define ROW_PARSER(id, ...)                                                                      \
    static void reset_##id(struct lz77 *lz)                                                      \
    {                                                                                            \
        reset(lz, (struct row_shape){__VA_ARGS__});                                              \
    }                                                                                            \
    static uint32_t *parse_##id(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last) \
    {                                                                                            \
        (void) last; /* no match is held back */                                                 \
        return parse(lz, token, token_end, (struct row_shape){__VA_ARGS__});                     \
    }                                                                                            \
    const struct parser isalk_parser_##id = {#id, sizeof(struct row_memory), reset_##id,         \
                                             parse_##id, block_done}

ROW_PARSER(row16, 16, 15, 0, 0);
ROW_PARSER(row32, 32, 16, 1, 4);
ROW_PARSER(row64, 64, 16, 1, 2);
