/* A near-optimal parser: of all token sequences for a chunk, the one with the fewest bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All matches of all positions of a chunk are collected first. The costs of literals, lengths
 * and distances are estimated from their frequencies in earlier chunks and, after the first
 * pass, in the path found through this chunk. A path is computed backward from the end of the
 * chunk. Each position chooses a literal or a match of any length, whichever is cheapest
 * together with the path after it. */

#include "igzip/lz77/log2.h"
#include "igzip/lz77/tree.h"

enum {
    COST_SHIFT = 4,  /* bits of a cost after the point */
    LENGTH_BITS = 9, /* bits of a length, below a cost */
    LENGTH_MASK = (1 << LENGTH_BITS) - 1,
    COSTS_AT_ONCE = 4,   /* costs in a vector */
    MANY_LENGTHS = 12,   /* from this number on, vectors are faster */
    PATH_BYTES = 2048,   /* of the path computed at a time, at most */
    MAX_MATCHES = 8192,  /* of these bytes */
    DECAY = 16,          /* earlier paths lose one part in DECAY */
    FIRST_TAIL = 3,      /* initial tail_cost, in bits */
    FIRST_MATCH = 3,     /* length of the shortest match in the guess for a first chunk */
    FEW = 2,             /* occurrences of each symbol in that guess, at least */
    FIRST_LENGTH = 256,  /* index of the first length symbol */
    GUESS_LITLEN = 128,  /* each symbol is guessed to be one in 128 */
    GUESS_DISTANCE = 32, /* likewise, for distances */
    LITLENS = FIRST_LENGTH + DEFLATE_LITLEN_SYMBOLS - DEFLATE_FIRST_LENGTH
};

/* Number of occurrences of each symbol. */
struct symbol_counts {
    uint32_t litlen[LITLENS], distance[DEFLATE_DISTANCE_SYMBOLS];
};

/* The parser's memory, after the hash table. */
struct path_finder {
    struct trees trees;
    struct symbol_counts before; /* of earlier chunks, the latest weighted most */
    uint32_t chunks;             /* number of earlier chunks */
    uint32_t tail_cost;          /* estimated cost of a byte after the chunk */
    /* Costs, extra bits included, shifted by LENGTH_BITS. In the first two, the low bits are the
     * length. */
    uint32_t literal_cost[256];
    uint32_t length_cost[DEFLATE_MAX_MATCH + 1];
    uint32_t distance_cost[DEFLATE_DISTANCE_SYMBOLS];
    uint16_t first_match[PATH_BYTES + 1]; /* index in `matches` of each position's first */
    struct tree_match matches[MAX_MATCHES];
    uint16_t chosen[PATH_BYTES];                       /* lengths; 1: a literal */
    uint32_t cost[PATH_BYTES + DEFLATE_MAX_MATCH + 1]; /* from each position to the end, shifted */
};
_Static_assert(sizeof(struct path_finder) <= LZ77_NEAR_MEMORY, "LZ77_NEAR_MEMORY");

/* ---- Matches ---- */

static struct tree_search search_of(const struct lz77 *lz)
{
    return (struct tree_search){
        isalk_lz77_memory(lz),
        lz->next - lz->state->offset,
        lz->end,
        lz->state->position - lz->state->offset,
        lz->window,
        lz->params->max_depth,
        lz->params->nice_length,
    };
}

/* Inserts one in `step` of the positions from p to `to`. */
static void insert(const struct tree_search *s, const uint8_t *p, const uint8_t *to, uint32_t step)
{
    struct tree_match unused[DEFLATE_MAX_MATCH];

    for (; p < to && s->end - p >= LZ77_INSERT_LOAD; p += step)
        tree_insert(s, p, unused);
}

/* Collects the matches of n positions. Positions inside a long match have none. When memory runs
 * low, a position keeps only its longest match. */
static void collect(const struct tree_search *s, struct path_finder *finder, const uint8_t *p,
                    size_t n)
{
    struct tree_match *to = finder->matches, *last = to + MAX_MATCHES - DEFLATE_MAX_MATCH - n;
    size_t searched = 0;

    for (size_t i = 0; i < n; i++) {
        struct tree_match *from = to;

        finder->first_match[i] = (uint16_t) (to - finder->matches);
        if (s->end - (p + i) < LZ77_INSERT_LOAD)
            continue;
        to = tree_insert(s, p + i, to);
        if (to > from && i >= searched) {
            if (to[-1].length >= s->nice_length)
                searched = i + to[-1].length;
            if (from > last) {
                *from = to[-1];
                to = from + 1;
            }
        } else {
            to = from;
        }
    }
    finder->first_match[n] = (uint16_t) (to - finder->matches);
}

/* ---- Costs ---- */

static uint32_t cost_of_bits(uint32_t bits)
{
    return bits << (COST_SHIFT + LENGTH_BITS);
}

/* The cost of a symbol that occurred `count` times; an absent one counts as half an occurrence. */
static uint32_t cost_of(uint32_t count, uint32_t log_total)
{
    uint32_t log = count ? fixed_log2(count) : 0, zero = count ? 0 : 1u << LOG2_SHIFT;
    uint32_t bits = log_total - log + zero;

    return bits >> (LOG2_SHIFT - COST_SHIFT) << LENGTH_BITS;
}

static void set_costs(struct path_finder *finder, const struct symbol_counts *now)
{
    uint32_t litlen[LITLENS], litlens = 1, distances = 1;

    for (unsigned i = 0; i < LITLENS; i++) {
        litlen[i] = finder->before.litlen[i] + now->litlen[i];
        litlens += litlen[i];
    }
    litlens = fixed_log2(litlens);
    for (unsigned i = 0; i < 256; i++)
        finder->literal_cost[i] = cost_of(litlen[i], litlens) + 1;
    for (unsigned i = 0; i < 256; i++) {
        unsigned symbol = isalk_deflate_length_symbol[i];

        finder->length_cost[DEFLATE_MIN_MATCH + i] =
            cost_of(litlen[FIRST_LENGTH + symbol], litlens) +
            cost_of_bits(deflate_lengths[symbol].extra) + DEFLATE_MIN_MATCH + i;
    }
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        distances += finder->before.distance[i] + now->distance[i];
    distances = fixed_log2(distances);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        finder->distance_cost[i] =
            cost_of(finder->before.distance[i] + now->distance[i], distances) +
            cost_of_bits(deflate_distances[i].extra);
}

/* Guess for a later chunk: a few of each symbol. Otherwise a symbol that has not occurred would
 * stay expensive and never occur. */
static void guess_next(struct symbol_counts *counts, const struct symbol_counts *before)
{
    uint32_t litlens = 0, distances = 0;

    for (unsigned i = 0; i < LITLENS; i++)
        litlens += before->litlen[i];
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        distances += before->distance[i];
    for (unsigned i = 0; i < LITLENS; i++)
        counts->litlen[i] = litlens / GUESS_LITLEN;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        counts->distance[i] = distances / GUESS_DISTANCE;
}

/* ---- The path ---- */

/* The least sum of cost[i] and length_cost[i], i < n, n a multiple of COSTS_AT_ONCE. */
ISALK_INLINE uint32_t least_cost(const uint32_t *cost, const uint32_t *length_cost, unsigned n)
{
    isalk_ints4 least, next, lengths;
    uint32_t best = UINT32_MAX;

    memset(&least, 0x7f, sizeof(least));
    for (unsigned i = 0; i < n; i += COSTS_AT_ONCE) {
        memcpy(&next, cost + i, sizeof(next));
        memcpy(&lengths, length_cost + i, sizeof(lengths));
        next += lengths;
        least = (next & (next < least)) | (least & (next >= least));
    }
    for (unsigned i = 0; i < COSTS_AT_ONCE; i++)
        best = (uint32_t) least[i] < best ? (uint32_t) least[i] : best;
    return best;
}

/* Chooses the token at each position; matches have at least min_match bytes. Costs have the length
 * in their low bits, so that the least cost tells the choice without a branch. */
static void choose(struct path_finder *finder, const uint8_t *p, size_t n, uint32_t min_match)
{
    const uint32_t *length_cost = finder->length_cost;
    uint32_t *cost = finder->cost;

    for (size_t i = 0; i <= DEFLATE_MAX_MATCH; i++)
        cost[n + i] = (uint32_t) (DEFLATE_MAX_MATCH - i) * finder->tail_cost << LENGTH_BITS;
    for (size_t i = n; i-- > 0;) {
        const struct tree_match *m = finder->matches + finder->first_match[i];
        const struct tree_match *end = finder->matches + finder->first_match[i + 1];
        uint32_t best = cost[i + 1] + finder->literal_cost[p[i]];

        while (m < end && m->length < min_match)
            m++;
        for (unsigned l = min_match; m < end; m++) {
            uint32_t distance_cost = finder->distance_cost[m->symbol], length = m->length;

            if (length - l >= MANY_LENGTHS) {
                unsigned many = (length - l) / COSTS_AT_ONCE * COSTS_AT_ONCE;
                uint32_t total = least_cost(cost + i + l, length_cost + l, many) + distance_cost;

                best = total < best ? total : best;
                l += many;
            }
            for (; l <= length; l++) {
                uint32_t total = cost[i + l] + length_cost[l] + distance_cost;

                best = total < best ? total : best;
            }
        }
        cost[i] = best & ~(uint32_t) LENGTH_MASK;
        finder->chosen[i] = best & LENGTH_MASK;
    }
}

/* The shortest match at position i of at least this length. */
ISALK_INLINE struct tree_match chosen_match(const struct path_finder *finder, size_t i,
                                            uint32_t length)
{
    const struct tree_match *m = finder->matches + finder->first_match[i];

    while (m->length < length)
        m++;
    return *m;
}

/* Counts the symbols of the chosen path. */
static void count_path(const struct path_finder *finder, const uint8_t *p, size_t n,
                       struct symbol_counts *counts)
{
    memset(counts, 0, sizeof(*counts));
    for (size_t i = 0; i < n; i += finder->chosen[i]) {
        uint32_t length = finder->chosen[i];

        if (length == 1) {
            counts->litlen[p[i]]++;
        } else {
            counts->litlen[FIRST_LENGTH + isalk_deflate_length_symbol[length - 3]]++;
            counts->distance[chosen_match(finder, i, length).symbol]++;
        }
    }
}

/* Guess for a first chunk: the symbols of a greedy parse, and a few of each. */
static void guess_first(struct path_finder *finder, const uint8_t *p, size_t n,
                        struct symbol_counts *counts)
{
    for (size_t i = 0; i < n; i++) {
        unsigned end = finder->first_match[i + 1];

        finder->chosen[i] = 1;
        if (end > finder->first_match[i] && finder->matches[end - 1].length >= FIRST_MATCH)
            finder->chosen[i] = (uint16_t) finder->matches[end - 1].length;
    }
    count_path(finder, p, n, counts);
    for (unsigned i = 0; i < LITLENS; i++)
        counts->litlen[i] += FEW;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        counts->distance[i] += FEW;
}

/* Adds a chunk's counts to the earlier ones, which are first reduced to three quarters. */
static void add_chunk(struct path_finder *finder, const struct symbol_counts *now)
{
    for (unsigned i = 0; i < LITLENS; i++)
        finder->before.litlen[i] += now->litlen[i] - finder->before.litlen[i] / DECAY;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        finder->before.distance[i] += now->distance[i] - finder->before.distance[i] / DECAY;
}

/* Emits the tokens of the path; returns the bytes that they cover, which may be more than n. */
static size_t emit(const struct path_finder *finder, const uint8_t *p, size_t n, uint32_t **token)
{
    size_t start = 0, i = 0;

    while (i < n) {
        uint32_t length = finder->chosen[i];

        if (length == 1) {
            i++;
            continue;
        }
        *token = emit_literals(*token, p + start, i - start);
        *(*token)++ = match_token(length, chosen_match(finder, i, length).distance);
        i = start = i + length;
    }
    *token = emit_literals(*token, p + start, i - start);
    return i;
}

static void reset(struct lz77 *lz)
{
    struct path_finder *finder = isalk_lz77_memory(lz);
    struct tree_search s = search_of(lz);

    memset(&finder->trees, 0, sizeof(finder->trees));
    memset(&finder->before, 0, sizeof(finder->before));
    finder->chunks = 0;
    finder->tail_cost = FIRST_TAIL << COST_SHIFT;
    finder->trees.inserted = lz->state->position;
    insert(&s, lz->next - isalk_lz77_history(lz), lz->next, 1);
}

/* Prepares for a chunk of n bytes: inserts the stored bytes before it in the trees. */
static struct tree_search prepare(struct lz77 *lz, size_t n)
{
    const struct trees *trees = isalk_lz77_memory(lz);
    uint32_t gap = isalk_lz77_gap(lz, trees->inserted);
    struct tree_search s;

    isalk_lz77_begin_chunk(lz, n);
    s = search_of(lz);
    insert(&s, lz->next - gap, lz->next, gap < LZ77_SPARSE_GAP ? 1 : LZ77_SPARSE_STEP);
    return s;
}

static uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)
{
    struct path_finder *finder = isalk_lz77_memory(lz);
    const uint8_t *p = lz->next, *path_end;
    size_t n = isalk_lz77_next_chunk(lz, token, token_end);
    struct tree_search s = prepare(lz, n = n < PATH_BYTES ? n : PATH_BYTES);
    unsigned passes = lz->params->passes + (finder->chunks == 0);
    struct symbol_counts now;

    (void) last; /* no match is held back */
    collect(&s, finder, p, n);
    if (finder->chunks++)
        guess_next(&now, &finder->before);
    else
        guess_first(finder, p, n, &now);
    for (unsigned pass = 0; pass < passes; pass++) {
        set_costs(finder, &now);
        choose(finder, p, n, lz->min_match);
        if (finder->cost[0] > finder->cost[n])
            finder->tail_cost = ((finder->cost[0] - finder->cost[n]) >> LENGTH_BITS) / (uint32_t) n;
        count_path(finder, p, n, &now);
    }
    add_chunk(finder, &now);
    path_end = p + emit(finder, p, n, &token);
    insert(&s, p + n, path_end, 1);
    finder->trees.inserted = isalk_lz77_advance_inserted(lz, path_end);
    return token;
}

const struct parser isalk_parser_near = {"near", LZ77_NEAR_MEMORY, reset, parse, NULL};
