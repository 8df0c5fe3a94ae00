/* Lazy parsers that search rows of candidates.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The positions with one hash of four bytes share a row, a ring of the latest of them. Beside each
 * is a byte of the hash, its tag: one comparison of vectors finds all candidates of a row whose
 * tags match, and few of those are false. A chain of candidates would be one load after the other.
 * Matches of three bytes, which only pay off at short distances, have a table of their own with the
 * latest position of each hash.
 *
 * Positions are kept modulo 2^16 and never move. Entries that are out of date lead to false
 * candidates, which are compared like others: every candidate is within the bytes at hand. */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

enum {
    ENTRY_BITS = 15, /* log2 of the entries of all rows */
    TAG_BITS = 8,
    MIN_ROW = 16,
    THREE_BITS = 13,      /* log2 of the entries of the table for matches of 3 bytes */
    THREE_LOAD = 4,       /* readable bytes at a position with a hash of three or four bytes */
    SPARSE_GAP = 16,      /* more stored bytes than these are inserted one in SPARSE_STEP */
    SPARSE_STEP = 4,
    NEVER_WORTH = 1 << 15 /* bits of a match that no literals exceed */
};

/* The memory after the hash table, which has a few positions for probes. */
struct rows {
    uint32_t inserted;                                   /* position after the last inserted */
    uint16_t row_bits;                                   /* log2 of the rows in use */
    uint16_t literal_bits;                               /* of four literals of the last block */
    uint16_t three_bits[DEFLATE_DISTANCE_SYMBOLS];       /* of a match of 3 bytes */
    uint16_t four_bits[DEFLATE_DISTANCE_SYMBOLS];        /* of a match of 4 bytes */
    uint16_t three[1 << THREE_BITS];                     /* latest position of each hash */
    uint8_t first[1 << ENTRY_BITS >> 4];                 /* slot of the latest entry of each row */
    uint8_t tag[1 << ENTRY_BITS];
    uint16_t position[1 << ENTRY_BITS];
};
_Static_assert(sizeof(struct rows) == LZ77_ROWS_MEMORY, "LZ77_ROWS_MEMORY");

/* What a parser's code is made for. */
struct row_shape {
    unsigned entries; /* of a row: 16, 32 or 64 */
    int three;        /* whether matches of three bytes are searched */
};

/* A call at work. */
struct row_search {
    struct rows *rows;
    const uint8_t *base, *end;
    uint32_t position; /* position of base */
    uint32_t window, row_shift, max_depth, nice_length;
};

struct match {
    uint32_t length, distance;
};

static struct rows *rows_of(const struct lz77 *lz)
{
    return (struct rows *) (void *) (lz->head + ((size_t) 1 << lz->hash_bits));
}

/* Bit i says whether tags[i] is the tag, i < n. */
ISALK_INLINE uint64_t equal_tags(const uint8_t *tags, unsigned n, uint8_t tag)
{
    isalk_bytes16 bytes;
    uint64_t mask = 0;

    for (unsigned i = 0; i < n; i += sizeof(bytes)) {
        memcpy(&bytes, tags + i, sizeof(bytes));
        bytes = (isalk_bytes16) (bytes == tag);
#ifdef __SSE2__
        typedef char chars16 __attribute__((vector_size(16)));

        mask |= (uint64_t) (uint32_t) __builtin_ia32_pmovmskb128((chars16) bytes) << i;
#else
        for (unsigned k = 0; k < sizeof(bytes); k += 8) {
            uint8_t eight[sizeof(bytes)];
            uint64_t bits;

            memcpy(eight, &bytes, sizeof(eight));
            bits = (load_le64(eight + k) & 0x0101010101010101u) * 0x0102040810204080u >> 56;
            mask |= bits << (i + k);
        }
#endif
    }
    return mask;
}

/* The mask of a row of n entries with the bit of slot `first` lowest. */
ISALK_INLINE uint64_t from_first(uint64_t mask, unsigned n, unsigned first)
{
    if (n == 64)
        return mask >> first | mask << (-first & 63);
    return (mask | mask << n) >> first & (((uint64_t) 1 << (n & 63)) - 1);
}

struct place {
    uint32_t row;
    uint8_t tag;
};

ISALK_INLINE struct place place_of(const struct row_search *s, const uint8_t *p)
{
    uint32_t hashed = load_le32(p) * HASH_MULTIPLIER_LOW >> s->row_shift;

    return (struct place){hashed >> TAG_BITS, (uint8_t) hashed};
}

ISALK_INLINE uint16_t *three_of(const struct row_search *s, const uint8_t *p)
{
    return s->rows->three + ((load_le32(p) << 8) * HASH_MULTIPLIER_LOW >> (32 - THREE_BITS));
}

ISALK_INLINE void insert_at(const struct row_search *s, struct place at, uint32_t position,
                            unsigned entries)
{
    uint8_t *first = s->rows->first + at.row;
    unsigned slot = (*first - 1u) & (entries - 1);

    *first = (uint8_t) slot;
    s->rows->tag[at.row * entries + slot] = at.tag;
    s->rows->position[at.row * entries + slot] = (uint16_t) position;
}

ISALK_INLINE void insert(const struct row_search *s, const uint8_t *p, struct row_shape shape)
{
    uint32_t position = s->position + (uint32_t) (p - s->base);

    insert_at(s, place_of(s, p), position, shape.entries);
    if (shape.three)
        *three_of(s, p) = (uint16_t) position;
}

ISALK_INLINE uint32_t distance_symbol(uint32_t distance)
{
    return (match_token(DEFLATE_MIN_MATCH, distance) >> TOKEN_SECOND_SHIFT & TOKEN_MASK) -
           TOKEN_DISTANCES;
}

/* Inserts p and returns the longest match there of more than `longer` >= 3 bytes, or of 3, in
 * shapes that search those, if longer is 3; of length 0 if there is none. */
ISALK_INLINE struct match find_longest(const struct row_search *s, const uint8_t *p,
                                       uint32_t longer, uint32_t depth, struct row_shape shape)
{
    const struct rows *rows = s->rows;
    struct place at = place_of(s, p);
    unsigned first = rows->first[at.row];
    const uint16_t *positions = rows->position + at.row * shape.entries;
    uint64_t mask = equal_tags(rows->tag + at.row * shape.entries, shape.entries, at.tag);
    uint32_t offset = (uint32_t) (p - s->base), position = s->position + offset;
    uint32_t max = offset < s->window ? offset : s->window;
    uint32_t most = s->end - p < DEFLATE_MAX_MATCH ? (uint32_t) (s->end - p) : DEFLATE_MAX_MATCH;
    struct match best = {longer, 0};

    mask = from_first(mask, shape.entries, first);
    for (; mask != 0 && depth > 0 && best.length < most; mask &= mask - 1, depth--) {
        unsigned slot = (first + (unsigned) __builtin_ctzll(mask)) & (shape.entries - 1);
        uint32_t distance = (uint16_t) (position - positions[slot]), length;
        const uint8_t *candidate = p - distance;

        if (distance - 1 >= max)
            break;
        if (load_le32(candidate + best.length - 3) != load_le32(p + best.length - 3))
            continue;
        length = match_length(candidate, p, 0, most);
        if (length <= best.length)
            continue;
        best.length = length;
        best.distance = distance;
        if (length >= s->nice_length)
            break;
    }
    if (shape.three && best.distance == 0 && longer == DEFLATE_MIN_MATCH) {
        uint32_t distance = (uint16_t) (position - *three_of(s, p));

        if (distance - 1 < max && (load_le32(p) ^ load_le32(p - distance)) << 8 == 0 &&
            rows->three_bits[distance_symbol(distance)] * 4 < rows->literal_bits * 3)
            best.distance = distance;
    }
    insert_at(s, at, position, shape.entries);
    if (shape.three)
        *three_of(s, p) = (uint16_t) position;
    if (best.distance == 0)
        best.length = 0;
    else if (best.length == 4 &&
             rows->four_bits[distance_symbol(best.distance)] >= rows->literal_bits)
        best.length = 0;
    return best;
}

/* Whether the match at the next position is better, by the bits that each saves: about four for
 * each byte, less the extra bits of the distance. */
ISALK_INLINE int is_better(struct match next, struct match m)
{
    int gain = 4 * ((int) next.length - (int) m.length) + __builtin_clz(next.distance) -
               __builtin_clz(m.distance);

    return gain > 2;
}

/* Tokens of the positions from p to `limit`. Positions before `last` can be hashed. */
ISALK_INLINE const uint8_t *find(struct row_search *s, const uint8_t *p, const uint8_t *limit,
                                 const uint8_t *last, uint32_t **token, struct row_shape shape)
{
    const uint8_t *start = p, *stop = limit < last ? limit : last;

    while (p < stop) {
        struct match m = find_longest(s, p, 3, s->max_depth, shape), next;
        const uint8_t *inserted = p + 1;

        if (m.length == 0) {
            p++;
            continue;
        }
        while (m.length < s->nice_length && p + 1 < stop) {
            next = find_longest(s, p + 1, m.length < 4 ? 3 : m.length - 1, s->max_depth >> 1, shape);
            inserted = p + 2;
            if (next.length == 0 || !is_better(next, m))
                break;
            m = next;
            p++;
        }
        *token = emit_literals(*token, start, (size_t) (p - start));
        *(*token)++ = match_token(m.length, m.distance);
        p = start = p + m.length;
        for (const uint8_t *to = p < last ? p : last; inserted < to; inserted++)
            insert(s, inserted, shape);
    }
    if (p < limit)
        p = limit;
    *token = emit_literals(*token, start, (size_t) (p - start));
    return p;
}

static void set_search(const struct lz77 *lz, struct row_search *s)
{
    s->rows = rows_of(lz);
    s->base = lz->next - lz->state->offset;
    s->end = lz->end;
    s->position = lz->state->position - lz->state->offset;
    s->window = lz->window;
    s->row_shift = 32 - TAG_BITS - s->rows->row_bits;
    s->max_depth = lz->params->max_depth;
    s->nice_length = lz->params->nice_length;
}

/* Inserts one in `step` of the n positions before next. */
static void insert_before(const struct lz77 *lz, uint32_t n, uint32_t step, struct row_shape shape)
{
    struct row_search s;

    set_search(lz, &s);
    for (const uint8_t *p = lz->next - n; p < lz->next && s.end - p >= THREE_LOAD; p += step)
        insert(&s, p, shape);
}

ISALK_INLINE void reset(struct lz77 *lz, struct row_shape shape)
{
    struct rows *rows = rows_of(lz);
    unsigned entry_bits = ENTRY_BITS + lz->hash_bits - lz->params->hash_bits;
    size_t entries = (size_t) 1 << entry_bits;

    memset(rows->three, 0, sizeof(rows->three));
    memset(rows->first, 0, entries / shape.entries);
    memset(rows->tag, 0, entries);
    memset(rows->position, 0, sizeof(*rows->position) * entries);
    rows->row_bits = (uint16_t) (entry_bits - (unsigned) __builtin_ctz(shape.entries));
    rows->inserted = lz->state->position;
    rows->literal_bits = 4 * 7;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++) {
        rows->three_bits[i] = (uint16_t) (12 + deflate_distances[i].extra);
        rows->four_bits[i] = (uint16_t) (12 + deflate_distances[i].extra);
    }
    insert_before(lz, isalk_lz77_history(lz), 1, shape);
}

ISALK_INLINE uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end,
                             struct row_shape shape)
{
    size_t left = (size_t) (lz->end - lz->next), chunk = isalk_lz77_chunk(lz, token, token_end);
    struct rows *rows = rows_of(lz);
    uint32_t gap = lz->state->position - rows->inserted, history = isalk_lz77_history(lz);
    struct deflate_find probed;
    struct row_search s;
    const uint8_t *limit, *next;

    isalk_lz77_set_table(lz, &probed);
    if (gap > 0)
        insert_before(lz, gap < history ? gap : history, gap < SPARSE_GAP ? 1 : SPARSE_STEP, shape);
    set_search(lz, &s);
    limit = left < chunk ? lz->end : lz->next + chunk;
    next = find(&s, lz->next, limit, left < THREE_LOAD ? lz->next : lz->end - (THREE_LOAD - 1),
                &token, shape);
    probed.next = lz->next;
    probed.limit = limit;
    isalk_lz77_insert_sparse(&probed);
    lz->state->long_matches = 0;
    isalk_lz77_advance(lz, next);
    rows->inserted = lz->state->position - (uint32_t) (lz->end - next < THREE_LOAD
                                                           ? THREE_LOAD - 1 - (lz->end - next)
                                                           : 0);
    return token;
}

static void block_done(struct lz77 *lz, const struct deflate_counts *counts,
                       const struct deflate_codes *codes)
{
    struct rows *rows = rows_of(lz);
    uint32_t literals = 0, bits = 0, three = DEFLATE_MAX_BITS, four = DEFLATE_MAX_BITS;

    for (unsigned i = 0; i < 256; i++) {
        uint32_t n = counts->first[i] + counts->second[TOKEN_LITERALS + i];

        literals += n;
        bits += n ? n * code_bits(codes->first[i]) : 0;
    }
    if (literals > 0)
        rows->literal_bits = (uint16_t) (4 * bits / literals);
    if (counts->first[TOKEN_LENGTHS])
        three = code_bits(codes->first[TOKEN_LENGTHS]);
    if (counts->first[TOKEN_LENGTHS + 1])
        four = code_bits(codes->first[TOKEN_LENGTHS + 1]);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++) {
        uint32_t distance_bits = 10 + deflate_distances[i].extra;

        if (counts->second[TOKEN_DISTANCES + i])
            distance_bits = code_bits(codes->second[TOKEN_DISTANCES + i]);
        rows->three_bits[i] = (uint16_t) (three + distance_bits);
        rows->four_bits[i] = (uint16_t) (four + distance_bits);
    }
}

/* The parser of a shape. */
#define ROW_PARSER(id, entries, three)                                                             \
    static void reset_##id(struct lz77 *lz)                                                        \
    {                                                                                              \
        reset(lz, (struct row_shape){entries, three});                                             \
    }                                                                                              \
    static uint32_t *parse_##id(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)   \
    {                                                                                              \
        (void) last; /* no match is held back */                                                   \
        return parse(lz, token, token_end, (struct row_shape){entries, three});                    \
    }                                                                                              \
    const struct parser isalk_parser_##id = {#id, sizeof(struct rows), reset_##id, parse_##id,     \
                                             block_done}

ROW_PARSER(row16, 16, 0);
ROW_PARSER(row32, 32, 1);
ROW_PARSER(row64, 64, 1);
