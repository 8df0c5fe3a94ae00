/* Match finders of compression: LZ77 tokens with a hash table of recent positions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each strategy is one inline function, which is compiled for every tier. A new strategy only has
 * to make tokens: blocks, codes and output are the same for all of them. */

#include "igzip/deflate_kernels.h"

#if ISALK_X86_64
#include <emmintrin.h>
#endif

enum {
    LOAD = 8, /* bytes that are loaded at a position, to be hashed */
    /* Bytes after a position at which lengths of matches there and one byte further need no check
     * against the end: the longest match, and what is loaded behind it. */
    UNCHECKED = DEFLATE_MAX_MATCH + 2 + 2 * LOAD
};

/* What does not change while a finder runs. */
struct finding {
    const uint8_t *base, *end;
    uint16_t *head;
    uint64_t multiplier;
    uint32_t shift;
    size_t window;
};

ISALK_INLINE size_t hash(const struct finding *s, uint64_t bytes)
{
    return bytes * s->multiplier >> s->shift;
}

ISALK_INLINE void insert(const struct finding *s, uint64_t bytes, size_t offset)
{
    s->head[hash(s, bytes)] = (uint16_t) offset;
}

/* Length of the match of a and b, a before b, 4 or more. Unchecked, bytes behind the longest match
 * may be read; checked, none at the end or behind it. */
ISALK_INLINE uint32_t match_length(const struct finding *s, const uint8_t *a, const uint8_t *b,
                                   int checked)
{
    uint64_t differ = load_le64(a) ^ load_le64(b);
    uint32_t most, length = 8;

    if (differ != 0)
        return (uint32_t) __builtin_ctzll(differ) >> 3;
    most = checked && s->end - b < DEFLATE_MAX_MATCH ? (uint32_t) (s->end - b) : DEFLATE_MAX_MATCH;
    for (; checked ? length + 8 <= most : length < 256; length += 8) {
        differ = load_le64(a + length) ^ load_le64(b + length);
        if (differ != 0)
            return length + ((uint32_t) __builtin_ctzll(differ) >> 3);
    }
    while (length < most && a[length] == b[length])
        length++;
    return length;
}

/* The distance symbol of distance d is 2e + ((d - 1) >> e), with e extra bits: the two highest bits
 * of d - 1 and their place. */
ISALK_INLINE uint32_t match_token(uint32_t length, uint32_t distance)
{
    uint32_t d = distance - 1, extra_bits = 30 - (uint32_t) __builtin_clz(d | 2);
    uint32_t symbol = 2 * extra_bits + (d >> extra_bits);
    uint32_t extra = (uint32_t) ((uint64_t) d << (32 - extra_bits));

    return (TOKEN_LENGTHS + length - DEFLATE_MIN_MATCH) |
           (TOKEN_DISTANCES + symbol) << TOKEN_SECOND_SHIFT | extra;
}

ISALK_INLINE uint32_t literal_pair(uint64_t bytes)
{
    return (uint32_t) (bytes & 0xff) + ((uint32_t) (bytes >> 8 & 0xff) << TOKEN_SECOND_SHIFT) +
           (TOKEN_LITERALS << TOKEN_SECOND_SHIFT);
}

/* Whether the bytes at an offset begin with these 4. */
ISALK_INLINE int is_candidate(const struct finding *s, size_t offset, uint64_t bytes)
{
    return load_le32(s->base + offset) == (uint32_t) bytes;
}

/* Whether an offset is 1 to `window` bytes before `at`. */
ISALK_INLINE int in_window(const struct finding *s, size_t at, size_t offset)
{
    return at - offset - 1 < s->window;
}

/* ---- Fast, look and dense: the latest position with the same hash ----
 *
 * Two positions at a time: a match at the first is taken; with `look`, only if the one at the second
 * is not longer. Of the positions in a match the first ones and the last are hashed, with `dense` all
 * of them. */

ISALK_INLINE const uint8_t *greedy_tokens(struct deflate_find *f, const struct finding s,
                                          const uint8_t *p, const uint8_t *limit, int look,
                                          int dense, int checked)
{
    uint32_t *token = f->token;

    while (p < limit) {
        uint64_t bytes = load_le64(p), bytes2 = load_le64(p + 1);
        size_t at = (size_t) (p - s.base), h = hash(&s, bytes), h2 = hash(&s, bytes2);
        size_t offset = s.head[h], offset2;
        uint32_t length;

        s.head[h] = (uint16_t) at;
        offset2 = s.head[h2];
        s.head[h2] = (uint16_t) (at + 1);
        if (is_candidate(&s, offset, bytes) && in_window(&s, at, offset)) {
            length = match_length(&s, s.base + offset, p, checked);
            if (look && is_candidate(&s, offset2, bytes2) && in_window(&s, at + 1, offset2)) {
                uint32_t length2 = match_length(&s, s.base + offset2, p + 1, checked);

                if (length2 > length) {
                    *token++ = bytes & 0xff;
                    length = length2;
                    offset = offset2 - 1;
                    p++;
                }
            }
            *token++ = match_token(length, (uint32_t) (at - offset));
        } else if (is_candidate(&s, offset2, bytes2) && in_window(&s, at + 1, offset2)) {
            length = match_length(&s, s.base + offset2, p + 1, checked);
            token[0] = bytes & 0xff;
            token[1] = match_token(length, (uint32_t) (at + 1 - offset2));
            token += 2;
            p++;
        } else {
            *token++ = literal_pair(bytes);
            p += 2;
            continue;
        }
        insert(&s, bytes >> 16, at + 2);
        p += length;
        if (dense) {
            const uint8_t *q = s.base + at + 3;
            const uint8_t *stop = checked && s.end - p < LOAD ? s.end - LOAD + 1 : p;

            for (; q < stop; q++)
                insert(&s, load_le64(q), (size_t) (q - s.base));
        } else if (!checked || s.end - p >= LOAD - 1)
            insert(&s, load_le64(p - 1), (size_t) (p - s.base) - 1);
    }
    f->token = token;
    return p;
}

ISALK_INLINE const uint8_t *literal_tokens(struct deflate_find *f, const uint8_t *p,
                                           const uint8_t *limit)
{
    for (; p < limit; p++)
        *f->token++ = *p;
    return p;
}

/* Runs one of the strategies: unchecked as far as possible, then checked, then for bytes that are
 * too close to the end to be hashed. */
#define FIND(f, tokens)                                                                        \
    do {                                                                                       \
        const struct finding s = {(f)->base,           (f)->end,   (f)->head, (f)->multiplier, \
                                  64 - (f)->hash_bits, (f)->window};                           \
        const uint8_t *p = (f)->next,                                                          \
                      *limit = (f)->limit; /* Every byte takes at most one token. */           \
        ptrdiff_t room = (f)->token_end - (f)->token - FIND_TOKENS + 1;                        \
        if (limit - p > room)                                                                  \
            limit = p + room;                                                                  \
        if (s.end - p > UNCHECKED)                                                             \
            p = tokens(f, s, p, limit < s.end - UNCHECKED ? limit : s.end - UNCHECKED, 0);     \
        if (s.end - p > LOAD + 3)                                                              \
            p = tokens(f, s, p, limit < s.end - LOAD - 3 ? limit : s.end - LOAD - 3, 1);       \
        if (s.end - p <= LOAD + 3)                                                             \
            p = literal_tokens(f, p, limit);                                                   \
        (f)->next = p;                                                                         \
    } while (0)

#define FAST_TOKENS(f, s, p, limit, checked) greedy_tokens(f, s, p, limit, 0, 0, checked)
#define LOOK_TOKENS(f, s, p, limit, checked) greedy_tokens(f, s, p, limit, 1, 0, checked)
#define DENSE_TOKENS(f, s, p, limit, checked) greedy_tokens(f, s, p, limit, 1, 1, checked)

/* ---- Hash tables without matches ---- */

void isalk_deflate_insert(uint16_t *head, uint32_t hash_bits, uint64_t multiplier,
                          const uint8_t *base, uint32_t n)
{
    struct finding s = {base, base + n, head, multiplier, 64 - hash_bits, 0};

    for (uint32_t i = 0; i + LOAD <= n; i++)
        insert(&s, load_le64(base + i), i);
}

/* Positions before the new base get offset 0: a wrong guess, but one that can be read. */
void isalk_deflate_rebase(uint16_t *head, uint32_t hash_bits, uint32_t delta)
{
    size_t n = (size_t) 1 << hash_bits;

#if ISALK_X86_64
    __m128i by = _mm_set1_epi16((short) delta);

    for (size_t i = 0; i < n; i += 8) {
        __m128i *at = (__m128i *) (void *) (head + i);

        _mm_storeu_si128(at, _mm_subs_epu16(_mm_loadu_si128(at), by));
    }
#else
    for (size_t i = 0; i < n; i++)
        head[i] = (uint16_t) (head[i] > delta ? head[i] - delta : 0);
#endif
}

/* ---- The strategies for each tier ---- */

#define FINDERS(tier, target)                                           \
    target void isalk_deflate_find_fast_##tier(struct deflate_find *f)  \
    {                                                                   \
        FIND(f, FAST_TOKENS);                                           \
    }                                                                   \
    target void isalk_deflate_find_look_##tier(struct deflate_find *f)  \
    {                                                                   \
        FIND(f, LOOK_TOKENS);                                           \
    }                                                                   \
    target void isalk_deflate_find_dense_##tier(struct deflate_find *f) \
    {                                                                   \
        FIND(f, DENSE_TOKENS);                                          \
    }

FINDERS(base, )
#if ISALK_X86_64
FINDERS(avx2, __attribute__((target("bmi,bmi2"))))
#endif
