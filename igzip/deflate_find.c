/* Match finder of compression: LZ77 tokens with a hash table of recent positions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the next token is a literal or a match cannot be predicted, and a branch on it costs more
 * than to look a position up. So all positions of a batch are looked up first, without a branch; then
 * tokens are made of what was found, a run of literals and a match at a time. */

#include "igzip/deflate_kernels.h"

#if ISALK_X86_64
#include <emmintrin.h>
#endif

enum {
    LOAD = 8,      /* bytes that are loaded at a position, to be hashed and compared */
    LEAST = 4,     /* length of a match */
    AT_ONCE = LOAD /* bytes that are compared when a position is looked up */
};

ISALK_INLINE size_t hash(const struct deflate_find *f, uint64_t bytes)
{
    return (size_t) (bytes * f->multiplier >> (64 - f->hash_bits));
}

/* Bytes at a and b that are the same, of those that are loaded. */
ISALK_INLINE uint32_t same_bytes(const uint8_t *a, uint64_t b)
{
    uint64_t differ = load_le64(a) ^ b;

    return differ != 0 ? (uint32_t) __builtin_ctzll(differ) >> 3 : LOAD;
}

/* Length of the match of a and b, a before b, `length` or more. */
static uint32_t match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end,
                             uint32_t length)
{
    uint32_t most = end - b < DEFLATE_MAX_MATCH ? (uint32_t) (end - b) : DEFLATE_MAX_MATCH;

    for (; length + LOAD <= most; length += LOAD) {
        uint32_t same = same_bytes(a + length, load_le64(b + length));

        if (same < LOAD)
            return length + same;
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

ISALK_INLINE uint32_t *literal_tokens(uint32_t *token, const uint8_t *bytes, size_t n)
{
    for (; n >= 2; n -= 2, bytes += 2)
        *token++ = bytes[0] | (uint32_t) (TOKEN_LITERALS + bytes[1]) << TOKEN_SECOND_SHIFT;
    if (n > 0)
        *token++ = bytes[0];
    return token;
}

/* ---- Batches ---- */

/* What a position has in the table. */
struct found {
    uint32_t same;     /* bytes that are the same, 0 if the position is too far */
    uint32_t distance; /* 1 or more */
};

/* Looks up and enters n positions. */
ISALK_INLINE void look_up(const struct deflate_find *f, size_t at, size_t n, struct found *found)
{
    for (size_t i = 0; i < n; i++, at++) {
        uint64_t bytes = load_le64(f->base + at);
        size_t h = hash(f, bytes), offset = f->head[h];

        f->head[h] = (uint16_t) at;
        found[i].distance = (uint32_t) (at - offset);
        found[i].same = at - offset <= f->window ? same_bytes(f->base + offset, bytes) : 0;
    }
    /* The position behind what was compared is often at the same distance. */
    for (size_t i = 0; i + AT_ONCE < n; i++)
        if (found[i].same == AT_ONCE && found[i + AT_ONCE].distance == found[i].distance)
            found[i].same += found[i + AT_ONCE].same;
}

/* Tokens for the positions of a batch from i on; returns the first position without one, which may be
 * in a later batch. With `look`, a match is passed over if the next position has a longer one. */
ISALK_INLINE size_t make_tokens(struct deflate_find *f, const uint8_t *p, size_t i, size_t n,
                                const struct found *found, int look)
{
    while (i < n) {
        size_t start = i;

        while (i < n && (found[i].same < LEAST || (look && found[i + 1].same > found[i].same)))
            i++;
        f->token = literal_tokens(f->token, p + start, i - start);
        if (i < n) {
            uint32_t length = found[i].same, distance = found[i].distance;

            if (length % AT_ONCE == 0)
                length = match_length(p + i - distance, p + i, f->end, length);
            *f->token++ = match_token(length, distance);
            i += length;
        }
    }
    return i;
}

ISALK_INLINE void find(struct deflate_find *f, int look)
{
    const uint8_t *last = f->limit < f->end - FIND_BEHIND ? f->limit : f->end - FIND_BEHIND;
    size_t i = (size_t) (f->next - f->base), at = i & ~(size_t) 7;
    size_t third = at + 2 * FIND_BATCH, tokens = 0, tokens_before = 0;
    struct found found[FIND_BATCH + 1];

    while (last - f->base >= (ptrdiff_t) at + FIND_STEP) {
        size_t n = (size_t) (last - f->base) - at;
        uint32_t *token = f->token;

        if (at >= third && tokens_before < f->few)
            break;
        n = n < FIND_BATCH ? n & ~(size_t) (FIND_STEP - 1) : FIND_BATCH;
        look_up(f, at, n, found);
        found[n].same = 0;
        i = at + make_tokens(f, f->base + at, i - at, n, found, look);
        at += n;
        tokens_before = tokens;
        tokens = (size_t) (f->token - token);
    }
    f->next = f->base + i;
    memset(f->token, 0, FIND_TOKENS_BEHIND * sizeof(*f->token));
}

void isalk_deflate_find_fast_base(struct deflate_find *f)
{
    find(f, 0);
}

void isalk_deflate_find_look_base(struct deflate_find *f)
{
    find(f, 1);
}

/* ---- Before and behind batches ---- */

/* Takes positions one by one up to `limit`. */
static void find_few(struct deflate_find *f, const uint8_t *limit)
{
    const uint8_t *p = f->next;

    while (p < limit) {
        if (f->end - p >= LOAD) {
            uint64_t bytes = load_le64(p);
            size_t h = hash(f, bytes), at = (size_t) (p - f->base), distance = at - f->head[h];
            uint32_t length = same_bytes(p - distance, bytes);

            f->head[h] = (uint16_t) at;
            if (length >= LEAST && distance - 1 < f->window) {
                if (length == AT_ONCE)
                    length = match_length(p - distance, p, f->end, length);
                *f->token++ = match_token(length, (uint32_t) distance);
                f->head[hash(f, bytes >> 16)] = (uint16_t) (at + 2);
                p += length;
                if (f->end - p >= LOAD - 1)
                    f->head[hash(f, load_le64(p - 1))] = (uint16_t) (p - 1 - f->base);
                continue;
            }
        }
        *f->token++ = *p++;
    }
    f->next = p;
}

void isalk_deflate_find(struct deflate_find *f, kernel_fn batches, int to_limit)
{
    ptrdiff_t room = f->token_end - f->token - FIND_TOKENS_BEHIND;

    if (f->limit - f->next > room)
        f->limit = f->next + room;
    if (f->next == f->base && f->next < f->limit)
        find_few(f, f->next + 1);
    for (;;) {
        const uint32_t *token;

        ((deflate_find_fn *) batches)(f);
        if (f->limit - f->next < FIND_SPARSE)
            break;
        /* Long matches: to look up what is inside them would be in vain. */
        do {
            token = f->token;
            find_few(f, f->next + FIND_SPARSE);
        } while (f->token - token <= FIND_SPARSE / FIND_BATCH * (ptrdiff_t) f->few &&
                 f->limit - f->next >= FIND_SPARSE);
    }
    if (to_limit)
        find_few(f, f->limit);
}

/* ---- Hash tables without matches ---- */

void isalk_deflate_insert(uint16_t *head, uint32_t hash_bits, uint64_t multiplier,
                          const uint8_t *base, uint32_t n)
{
    for (uint32_t i = 0; i + LOAD <= n; i++)
        head[load_le64(base + i) * multiplier >> (64 - hash_bits)] = (uint16_t) i;
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
