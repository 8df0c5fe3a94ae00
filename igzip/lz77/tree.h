/* Binary trees of positions: the match finder of levels 8 and 9.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The positions whose four bytes have the same hash form a tree. It is sorted by the strings that
 * begin there; the latest position is the root, and each child is older than its parent. An
 * insertion descends towards the string of the new position and meets candidates at increasing
 * distances. It splits the tree into the smaller and the larger strings, which become the subtrees
 * of the new root.
 *
 * Positions are kept modulo 2^16. One outside the window ends a search. Stale entries, and
 * strings that were compared only up to the end of the input, may leave a tree out of order.
 * Matches are then missed, but none is wrong, since each is compared from its first byte. */

#ifndef LZ77_TREE_H
#define LZ77_TREE_H

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

enum {
    TREE_HASH_BITS = 15,
    TREE_SIZE = DEFLATE_WINDOW, /* positions; the longest distance is one less */
    HASH3_BITS = 15,            /* log2 of the entries of the table for matches of 3 bytes */
    NEAR_AHEAD = 2,             /* positions ahead: prefetch of a root's node and string */
    FAR_AHEAD = 6               /* positions ahead: prefetch of a root */
};

struct trees {
    uint32_t inserted;               /* position in the stream after the last one inserted */
    uint16_t hash3[1 << HASH3_BITS]; /* latest position of each hash of three bytes */
    uint16_t root[1 << TREE_HASH_BITS];
    uint16_t child[TREE_SIZE][2]; /* roots of the smaller and the larger strings */
};

struct tree_search {
    struct trees *trees;
    const uint8_t *base, *end;
    uint32_t position; /* position of base */
    uint32_t window, max_depth, nice_length;
};

struct tree_match {
    uint32_t length : 9, symbol : 5, distance : 16; /* symbol: of the distance */
};

ISALK_INLINE struct tree_match tree_match_of(uint32_t length, uint32_t distance)
{
    uint32_t token = match_token(DEFLATE_MIN_MATCH, distance);

    return (struct tree_match){
        .length = length & 511,
        .symbol = ((token >> TOKEN_SECOND_SHIFT & TOKEN_MASK) - TOKEN_DISTANCES) & 31,
        .distance = distance & UINT16_MAX,
    };
}

ISALK_INLINE uint16_t *root_of(struct trees *trees, const uint8_t *p)
{
    return trees->root + (load_le32(p) * HASH_MULTIPLIER_LOW >> (32 - TREE_HASH_BITS));
}

/* Prefetches what the next searches begin with. */
ISALK_INLINE void tree_prefetch(const struct tree_search *s, const uint8_t *p)
{
    uint16_t next = *root_of(s->trees, p + NEAR_AHEAD);
    uint32_t offset = (uint32_t) (p - s->base), distance = s->position + offset - next;

    __builtin_prefetch(s->trees->child[next % TREE_SIZE]);
    __builtin_prefetch((const void *) ((uintptr_t) p - (distance & UINT16_MAX)));
    __builtin_prefetch(root_of(s->trees, p + FAR_AHEAD));
}

/* Inserts p and writes its matches from `to` on, each longer and farther than the one before, at
 * most nice_length of them. Returns the end of the matches. */
ISALK_INLINE struct tree_match *tree_insert(const struct tree_search *s, const uint8_t *p,
                                            struct tree_match *to)
{
    struct trees *trees = s->trees;
    uint32_t bytes = load_le32(p), offset = (uint32_t) (p - s->base);
    uint16_t position = (uint16_t) (s->position + offset);
    uint16_t *hash3 = trees->hash3 + ((bytes << 8) * HASH_MULTIPLIER_LOW >> (32 - HASH3_BITS));
    uint16_t *root = root_of(trees, p);
    uint16_t next = *root, *smaller = &trees->child[position % TREE_SIZE][0];
    uint16_t *larger = &trees->child[position % TREE_SIZE][1];
    uint32_t max_distance = offset < s->window ? offset : s->window, best = DEFLATE_MIN_MATCH;
    uint32_t max_length = longest_match(p, s->end), distance = (uint16_t) (position - *hash3);

    if (s->end - p >= LZ77_INSERT_LOAD + FAR_AHEAD)
        tree_prefetch(s, p);
    if (distance - 1 < max_distance && (bytes ^ load_le32(p - distance)) << 8 == 0)
        *to++ = tree_match_of(DEFLATE_MIN_MATCH, distance);
    *hash3 = *root = position;
    max_distance = max_distance < TREE_SIZE ? max_distance : TREE_SIZE - 1;
    for (uint32_t depth = s->max_depth; depth > 0; depth--) {
        const uint8_t *candidate;
        uint16_t *child;
        uint32_t length;

        distance = (uint16_t) (position - next);
        if (distance - 1 >= max_distance)
            break;
        candidate = p - distance;
        child = trees->child[next % TREE_SIZE];
        length = match_length(candidate, p, 0, max_length);
        if (length > best) {
            best = length;
            *to++ = tree_match_of(length, distance);
        }
        if (length >= s->nice_length || length == max_length) { /* p replaces the candidate */
            *smaller = child[0];
            *larger = child[1];
            return to;
        }
        if (candidate[length] < p[length]) {
            *smaller = next;
            smaller = child + 1;
            next = *smaller;
        } else {
            *larger = next;
            larger = child;
            next = *larger;
        }
    }
    *smaller = *larger = (uint16_t) (position - TREE_SIZE); /* never in the window */
    return to;
}

#endif
