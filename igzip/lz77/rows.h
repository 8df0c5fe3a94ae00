/* Rows of candidates: the match finder of levels 5 to 7.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The latest positions whose four bytes have the same hash share a row, used as a ring. Each
 * entry has a tag, another byte of the hash: one vector comparison finds all candidates of a row
 * whose tag matches, and few of them are false. In a chain of candidates, each load would wait
 * for the one before. Matches of three bytes, which only pay off at short distances, have a
 * table of their own with the latest position of each hash.
 *
 * Positions are kept modulo 2^16 and never adjusted. A stale entry gives a false candidate,
 * which is harmless: every candidate lies within the available bytes and is compared. */

#ifndef LZ77_ROWS_H
#define LZ77_ROWS_H

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

enum {
    ENTRY_BITS = 16, /* log2 of the entries of all rows, at most */
    TAG_BITS = 8,
    MAX_ROWS = 2048,
    HASH3_BITS = 13, /* log2 of the entries of the table for matches of 3 bytes */
    ROW_AHEAD = 3    /* a row is prefetched this many positions ahead of its search */
};

/* The finder's memory, at the start of the parser's memory. */
struct rows {
    uint32_t inserted; /* position in the stream after the last one inserted */
    uint32_t row_bits; /* log2 of the rows in use */
    uint16_t hash3[1 << HASH3_BITS];
    uint8_t first[MAX_ROWS]; /* slot of the latest entry of each row */
    uint8_t tag[1 << ENTRY_BITS];
    uint16_t position[1 << ENTRY_BITS];
};

/* A variant of the row parser, as compile-time constants. */
struct row_shape {
    unsigned entries;    /* of a row: 16, 32 or 64 */
    unsigned entry_bits; /* log2 of the entries of all rows */
    int hash3;           /* whether matches of three bytes are searched for */
    unsigned lazy;       /* the next position gets 1/lazy of the depth; 0: it is not searched */
};

/* State of one call. */
struct row_search {
    struct rows *rows;
    const uint8_t *base, *end;
    uint32_t position; /* position of base */
    uint32_t window, row_shift, max_depth, nice_length;
    uint32_t length_to_beat; /* a first match is longer, or has three bytes if this is 3 */
};

struct match {
    uint32_t length, distance;
};

/* Bit i is set if tags[i] == tag, i < n. */
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
        uint8_t equal[sizeof(bytes)];

        memcpy(equal, &bytes, sizeof(equal));
        for (unsigned k = 0; k < sizeof(bytes); k += 8) {
            uint64_t bits = load_le64(equal + k) & 0x0101010101010101u;

            mask |= (bits * 0x0102040810204080u >> 56) << (i + k);
        }
#endif
    }
    return mask;
}

/* Rotates the mask of a row of n entries so that slot `first` becomes bit 0. */
ISALK_INLINE uint64_t from_first(uint64_t mask, unsigned n, unsigned first)
{
    if (n == 64)
        return mask >> first | mask << (-first & 63);
    return (mask | mask << n) >> first & (((uint64_t) 1 << (n & 63)) - 1);
}

/* The two parts of a position's hash. */
struct row_hash {
    uint32_t row;
    uint8_t tag;
};

ISALK_INLINE struct row_hash row_hash_of(const struct row_search *s, const uint8_t *p)
{
    uint32_t hashed = load_le32(p) * HASH_MULTIPLIER_LOW >> s->row_shift;

    return (struct row_hash){hashed >> TAG_BITS, (uint8_t) hashed};
}

/* Prefetches the row of a position that will be searched soon. */
ISALK_INLINE void row_prefetch(const struct row_search *s, const uint8_t *p, unsigned entries)
{
    uint32_t row = row_hash_of(s, p).row;

    __builtin_prefetch(s->rows->tag + row * entries);
    __builtin_prefetch(s->rows->position + row * entries);
    if (entries > 32)
        __builtin_prefetch(s->rows->position + row * entries + 32);
}

ISALK_INLINE uint16_t *hash3_entry(const struct row_search *s, const uint8_t *p)
{
    return s->rows->hash3 + ((load_le32(p) << 8) * HASH_MULTIPLIER_LOW >> (32 - HASH3_BITS));
}

ISALK_INLINE void insert_at(const struct row_search *s, struct row_hash at, uint32_t position,
                            unsigned entries)
{
    uint8_t *first = s->rows->first + at.row;
    unsigned slot = (*first - 1u) & (entries - 1);

    *first = (uint8_t) slot;
    s->rows->tag[at.row * entries + slot] = at.tag;
    s->rows->position[at.row * entries + slot] = (uint16_t) position;
}

ISALK_INLINE void row_insert(const struct row_search *s, const uint8_t *p, struct row_shape shape)
{
    uint32_t position = s->position + (uint32_t) (p - s->base);

    insert_at(s, row_hash_of(s, p), position, shape.entries);
    if (shape.hash3)
        *hash3_entry(s, p) = (uint16_t) position;
}

ISALK_INLINE struct row_search row_search_of(const struct lz77 *lz)
{
    struct row_search s;

    s.rows = isalk_lz77_memory(lz);
    s.base = lz->next - lz->state->offset;
    s.end = lz->end;
    s.position = lz->state->position - lz->state->offset;
    s.window = lz->window;
    s.row_shift = 32 - TAG_BITS - s.rows->row_bits;
    s.max_depth = lz->params->max_depth;
    s.nice_length = lz->params->nice_length;
    s.length_to_beat = lz->min_match > DEFLATE_MIN_MATCH ? lz->min_match - 1 : DEFLATE_MIN_MATCH;
    return s;
}

/* Inserts one in `step` of the n positions before next. */
ISALK_INLINE void insert_before(const struct lz77 *lz, uint32_t n, uint32_t step,
                                struct row_shape shape)
{
    struct row_search s = row_search_of(lz);

    for (const uint8_t *p = lz->next - n; p < lz->next && s.end - p >= LZ77_INSERT_LOAD; p += step)
        row_insert(&s, p, shape);
}

/* Empties the rows, then inserts the dictionary, if there is one. If the hash table was made
 * smaller for a short input, so are the rows. */
ISALK_INLINE void rows_reset(const struct lz77 *lz, struct row_shape shape)
{
    struct rows *rows = isalk_lz77_memory(lz);
    unsigned entry_bits = shape.entry_bits + lz->hash_bits - lz->params->hash_bits;
    size_t entries = (size_t) 1 << entry_bits;

    memset(rows->hash3, 0, sizeof(rows->hash3));
    memset(rows->first, 0, entries / shape.entries);
    memset(rows->tag, 0, entries);
    memset(rows->position, 0, sizeof(*rows->position) * entries);
    rows->row_bits = entry_bits - (unsigned) __builtin_ctz(shape.entries);
    rows->inserted = lz->state->position;
    insert_before(lz, isalk_lz77_history(lz), 1, shape);
}

/* Prepares for a chunk of n bytes: inserts the stored bytes before it in the rows. */
ISALK_INLINE struct row_search rows_begin(struct lz77 *lz, size_t n, struct row_shape shape)
{
    const struct rows *rows = isalk_lz77_memory(lz);
    uint32_t gap = isalk_lz77_gap(lz, rows->inserted);

    isalk_lz77_begin_chunk(lz, n);
    insert_before(lz, gap, gap < LZ77_SPARSE_GAP ? 1 : LZ77_SPARSE_STEP, shape);
    return row_search_of(lz);
}

/* Distance of a candidate. A stale entry gives 0, a distance beyond the window, or a false
 * candidate. */
ISALK_INLINE uint32_t entry_distance(uint32_t position, uint16_t entry)
{
    return (uint16_t) (position - entry);
}

#endif
