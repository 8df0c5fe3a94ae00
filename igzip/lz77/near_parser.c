/* A near-optimal parser: of all ways through a chunk, the one with the fewest bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All matches of all positions of a chunk are collected first. What literals, lengths and distances
 * cost follows from how often they occurred in the chunks before and, after the first pass, in the
 * way found through this chunk. Costs go back from the end of the chunk: at each position, one
 * literal or one match of any length, and the cost of what follows it. */

#include "igzip/lz77/log2.h"
#include "igzip/lz77/rows.h"

enum {
    COST_SHIFT = 4,      /* bits of a cost after the point */
    MAX_MATCHES = 32768, /* of a chunk */
    TAIL_BITS = 3,       /* guess for a byte after the chunk */
    FIRST_LENGTH = 256,  /* index of the first length symbol */
    LITLENS = FIRST_LENGTH + DEFLATE_LITLEN_SYMBOLS - DEFLATE_FIRST_LENGTH
};

static const struct row_shape near_shape = {64, 1};

/* How often symbols occurred. */
struct symbol_counts {
    uint32_t litlen[LITLENS], distance[DEFLATE_DISTANCE_SYMBOLS];
};

struct short_match {
    uint16_t length, distance;
};

/* The memory after the hash table. */
struct near {
    struct rows rows;
    struct symbol_counts before;                  /* of earlier chunks, the latest counted most */
    uint32_t chunks;                              /* counted there; 0 or not */
    uint16_t literal_cost[256];
    uint16_t length_cost[DEFLATE_MAX_MATCH + 1];  /* with extra bits, as the next */
    uint16_t distance_cost[DEFLATE_DISTANCE_SYMBOLS];
    uint16_t first_match[LZ77_CHUNK + 1];         /* of each position, in `matches` */
    struct short_match matches[MAX_MATCHES];
    struct short_match chosen[LZ77_CHUNK];        /* length 1: a literal */
    uint32_t cost[LZ77_CHUNK + DEFLATE_MAX_MATCH + 1]; /* from a position to the end */
};
_Static_assert(sizeof(struct near) <= LZ77_NEAR_MEMORY, "LZ77_NEAR_MEMORY");

/* ---- Matches ---- */

/* Inserts p and appends its matches, each longer and further than the one before, from `to` on;
 * returns where the next goes. */
static struct short_match *find_all(const struct row_search *s, const uint8_t *p,
                                    struct short_match *to)
{
    const struct rows *rows = s->rows;
    const unsigned entries = near_shape.entries;
    struct place at = place_of(s, p);
    unsigned first = rows->first[at.row];
    const uint16_t *positions = rows->position + at.row * entries;
    uint64_t mask = equal_tags(rows->tag + at.row * entries, entries, at.tag);
    uint32_t offset = (uint32_t) (p - s->base), position = s->position + offset;
    uint32_t max = offset < s->window ? offset : s->window, most = longest_match(s, p);
    uint32_t distance = entry_distance(position, *three_of(s, p)), best = DEFLATE_MIN_MATCH;

    if (distance - 1 < max && (load_le32(p) ^ load_le32(p - distance)) << 8 == 0)
        *to++ = (struct short_match){DEFLATE_MIN_MATCH, (uint16_t) distance};
    mask = from_first(mask, entries, first);
    for (uint32_t depth = s->max_depth; mask != 0 && depth > 0 && best < most; depth--) {
        unsigned slot = (first + (unsigned) __builtin_ctzll(mask)) & (entries - 1);
        uint32_t length;

        mask &= mask - 1;
        distance = entry_distance(position, positions[slot]);
        if (distance - 1 >= max)
            break; /* the others are older */
        if (load_le32(p - distance + best - 3) != load_le32(p + best - 3))
            continue;
        length = match_length(p - distance, p, 0, most);
        if (length <= best)
            continue;
        best = length;
        *to++ = (struct short_match){(uint16_t) length, (uint16_t) distance};
        if (length >= s->nice_length)
            break;
    }
    insert_at(s, at, position, entries);
    *three_of(s, p) = (uint16_t) position;
    return to;
}

/* Collects the matches of n positions. Positions inside a long match have none. */
static void collect(const struct row_search *s, struct near *near, const uint8_t *p, size_t n)
{
    struct short_match *to = near->matches, *last = near->matches + MAX_MATCHES - 64 - 1;
    size_t searched = 0;

    for (size_t i = 0; i < n; i++) {
        near->first_match[i] = (uint16_t) (to - near->matches);
        if (s->end - (p + i) < ROW_LOAD)
            continue;
        if (i < searched || to > last) {
            row_insert(s, p + i, near_shape);
            continue;
        }
        to = find_all(s, p + i, to);
        if (to > near->matches && to - near->matches > near->first_match[i] &&
            to[-1].length >= s->nice_length)
            searched = i + to[-1].length;
    }
    near->first_match[n] = (uint16_t) (to - near->matches);
}

/* ---- Costs ---- */

ISALK_INLINE uint32_t distance_symbol(uint32_t distance)
{
    return (match_token(DEFLATE_MIN_MATCH, distance) >> TOKEN_SECOND_SHIFT & TOKEN_MASK) -
           TOKEN_DISTANCES;
}

/* The cost of a symbol that occurred `count` times; half of a time, if it did not. */
static uint32_t cost_of(uint32_t count, uint32_t log_total)
{
    uint32_t log = count ? fixed_log2(count) : 0, zero = count ? 0 : 1u << LOG2_SHIFT;
    uint32_t bits = log_total - log + zero;

    return bits >> (LOG2_SHIFT - COST_SHIFT);
}

static void set_costs(struct near *near, const struct symbol_counts *now)
{
    uint32_t litlen[LITLENS], litlens = 1, distances = 1;

    for (unsigned i = 0; i < LITLENS; i++) {
        litlen[i] = near->before.litlen[i] + now->litlen[i];
        litlens += litlen[i];
    }
    litlens = fixed_log2(litlens);
    for (unsigned i = 0; i < 256; i++)
        near->literal_cost[i] = (uint16_t) cost_of(litlen[i], litlens);
    for (unsigned i = 0; i < 256; i++) {
        unsigned symbol = isalk_deflate_length_symbol[i];

        near->length_cost[DEFLATE_MIN_MATCH + i] =
            (uint16_t) (cost_of(litlen[FIRST_LENGTH + symbol], litlens) +
                        ((uint32_t) deflate_lengths[symbol].extra << COST_SHIFT));
    }
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        distances += near->before.distance[i] + now->distance[i];
    distances = fixed_log2(distances);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        near->distance_cost[i] =
            (uint16_t) (cost_of(near->before.distance[i] + now->distance[i], distances) +
                        ((uint32_t) deflate_distances[i].extra << COST_SHIFT));
}

/* What a first chunk may contain: its bytes as literals, and matches of all kinds. */
static void guess(struct symbol_counts *counts, const uint8_t *p, size_t n)
{
    memset(counts, 0, sizeof(*counts));
    for (size_t i = 0; i < n; i++)
        counts->litlen[p[i]] += 4;
    for (unsigned i = FIRST_LENGTH; i < LITLENS; i++)
        counts->litlen[i] = (uint32_t) n / (i < FIRST_LENGTH + 8 ? 4 : 16);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        counts->distance[i] = (uint32_t) n;
}

/* ---- The way ---- */

/* The best choice at each position. */
static void choose(struct near *near, const uint8_t *p, size_t n)
{
    uint32_t *cost = near->cost;

    for (size_t i = 0; i <= DEFLATE_MAX_MATCH; i++)
        cost[n + i] = (uint32_t) (DEFLATE_MAX_MATCH - i) * (TAIL_BITS << COST_SHIFT);
    for (size_t i = n; i-- > 0;) {
        const struct short_match *m = near->matches + near->first_match[i];
        const struct short_match *end = near->matches + near->first_match[i + 1];
        uint32_t best = cost[i + 1] + near->literal_cost[p[i]], length = 1, distance = 0;

        for (unsigned l = DEFLATE_MIN_MATCH; m < end; m++) {
            uint32_t distance_cost = near->distance_cost[distance_symbol(m->distance)];

            for (; l <= m->length; l++) {
                uint32_t total = cost[i + l] + near->length_cost[l] + distance_cost;

                if (total < best) {
                    best = total;
                    length = l;
                    distance = m->distance;
                }
            }
        }
        cost[i] = best;
        near->chosen[i] = (struct short_match){(uint16_t) length, (uint16_t) distance};
    }
}

static void count_way(const struct near *near, const uint8_t *p, size_t n,
                      struct symbol_counts *counts)
{
    memset(counts, 0, sizeof(*counts));
    for (size_t i = 0; i < n; i += near->chosen[i].length) {
        struct short_match m = near->chosen[i];

        if (m.length == 1) {
            counts->litlen[p[i]]++;
        } else {
            counts->litlen[FIRST_LENGTH + isalk_deflate_length_symbol[m.length - 3]]++;
            counts->distance[distance_symbol(m.distance)]++;
        }
    }
}

/* Adds a chunk to those before, which count three quarters as much from now on. */
static void add_chunk(struct near *near, const struct symbol_counts *now)
{
    for (unsigned i = 0; i < LITLENS; i++)
        near->before.litlen[i] += now->litlen[i] - near->before.litlen[i] / 4;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        near->before.distance[i] += now->distance[i] - near->before.distance[i] / 4;
}

/* Emits the way's tokens; returns the length of the way, which may be more than n. */
static size_t emit(const struct near *near, const uint8_t *p, size_t n, uint32_t **token)
{
    size_t start = 0, i = 0;

    while (i < n) {
        struct short_match m = near->chosen[i];

        if (m.length == 1) {
            i++;
            continue;
        }
        *token = emit_literals(*token, p + start, i - start);
        *(*token)++ = match_token(m.length, m.distance);
        i = start = i + m.length;
    }
    *token = emit_literals(*token, p + start, i - start);
    return i;
}

static void reset(struct lz77 *lz)
{
    struct near *near = parser_memory(lz);

    rows_reset(lz, near_shape);
    memset(&near->before, 0, sizeof(near->before));
    near->chunks = 0;
}

static uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)
{
    struct near *near = parser_memory(lz);
    const uint8_t *p = lz->next;
    size_t left = (size_t) (lz->end - p), n = isalk_lz77_chunk(lz, token, token_end), way;
    struct symbol_counts now;
    struct row_search s;

    (void) last; /* no match is held back */
    n = n < left ? n : left;
    s = rows_begin(lz, n, near_shape);
    collect(&s, near, p, n);
    if (near->chunks)
        memset(&now, 0, sizeof(now));
    else
        guess(&now, p, n);
    near->chunks = 1;
    for (unsigned pass = 0; pass < lz->params->passes; pass++) {
        set_costs(near, &now);
        choose(near, p, n);
        count_way(near, p, n, &now);
    }
    add_chunk(near, &now);
    way = emit(near, p, n, &token);
    for (size_t i = n; i < way && s.end - (p + i) >= ROW_LOAD; i++)
        row_insert(&s, p + i, near_shape);
    rows_end(lz, p + way);
    return token;
}

const struct parser isalk_parser_near = {"near", LZ77_NEAR_MEMORY, reset, parse, NULL};
