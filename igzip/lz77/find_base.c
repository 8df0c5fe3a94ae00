/* Match finder of compression: LZ77 tokens with a hash table of recent positions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the next token is a literal or a match cannot be predicted, and a branch on it costs more
 * than to look a position up. So all positions of a batch are looked up first, without a branch; then
 * tokens are made of what was found, a run of literals and a match at a time. Where matches are long it
 * is faster to look up only where a token begins. */

#include "igzip/deflate/deflate_kernels.h"

#if ISALK_X86_64
#include <emmintrin.h>
#endif

enum {
    LOAD = 8,  /* bytes that are loaded at a position */
    LEAST = 4, /* length of a match */
    OFFSET_MASK = 0xffff
};

/* Of HASHED bytes; the products fill a vector's lanes, too. */
ISALK_INLINE uint32_t hash(const uint8_t *p)
{
    return load_le32(p) * FIND_MULTIPLIER_LOW + load_le32(p + 1) * FIND_MULTIPLIER_HIGH;
}

/* Enters position `at`, with this hash, in a table; returns the distance to the one that was there, or
 * 0 if that had another hash or is beyond the window. */
ISALK_INLINE uint32_t enter(deflate_entry *head, uint32_t hash_bits, uint32_t window,
                            uint32_t hashed, size_t at)
{
    deflate_entry *entry = head + (hashed >> (32 - hash_bits));
    uint32_t new = (hashed << FIND_CHECK_SHIFT & ~(uint32_t) OFFSET_MASK) | (uint32_t) at;
    uint32_t old = *entry;
    uint32_t distance = new - old; /* the upper half is 0 if the hashes are the same */

    *entry = new;
    return distance <= window ? distance : 0;
}

#if ISALK_X86_64
/* A bit for each of 16 bytes. */
ISALK_INLINE uint32_t same_bytes(const uint8_t *a, const uint8_t *b)
{
    return (uint32_t) _mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *) (const void *) a),
                       _mm_loadu_si128((const __m128i *) (const void *) b)));
}
#endif

/* Length of the match of a and b, a before b, `length` or more and `most` at most. */
ISALK_INLINE uint32_t match_length(const uint8_t *a, const uint8_t *b, uint32_t length,
                                   uint32_t most)
{
#if ISALK_X86_64
    for (; length + 16 <= most; length += 16) {
        uint32_t differ = ~same_bytes(a + length, b + length) & 0xffff;

        if (differ != 0)
            return length + (uint32_t) __builtin_ctz(differ);
    }
#endif
    for (; length + LOAD <= most; length += LOAD) {
        uint64_t differ = load_le64(a + length) ^ load_le64(b + length);

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

ISALK_INLINE uint32_t *literal_tokens(uint32_t *token, const uint8_t *bytes, size_t n)
{
    for (; n >= 2; n -= 2, bytes += 2)
        *token++ = bytes[0] | (uint32_t) (TOKEN_LITERALS + bytes[1]) << TOKEN_SECOND_SHIFT;
    if (n > 0)
        *token++ = bytes[0];
    return token;
}

static void end_tokens(struct deflate_find *f)
{
    memset(f->token, 0, FIND_TOKENS_BEHIND * sizeof(*f->token));
}

static uint32_t whole_match(const uint8_t *a, const uint8_t *b, uint32_t length, const uint8_t *end)
{
    uint32_t most = end - b < DEFLATE_MAX_MATCH ? (uint32_t) (end - b) : DEFLATE_MAX_MATCH;

    return match_length(a, b, length, most);
}

/* ---- Batches ---- */

enum { WORD = 64 }; /* positions that share a word of bits */

/* Looks up and enters n positions from `at` on, a multiple of FIND_STEP: how far each is from its match,
 * and a bit for each that has one. */
static void look_up(const struct deflate_find *f, size_t at, size_t n, uint32_t *distance,
                    uint64_t *matches)
{
    deflate_entry *head = f->head;
    uint32_t hash_bits = f->hash_bits, window = f->window;
    const uint8_t *p = f->base + at;

    for (size_t k = 0; k < n;) {
        size_t left = n - k < WORD ? n - k : WORD, end = k + left;
        uint64_t bits = 0;

        for (; k < end; k++) {
            distance[k] = enter(head, hash_bits, window, hash(p + k), at + k);
            bits = bits >> 1 | (uint64_t) (distance[k] != 0) << (WORD - 1);
        }
        matches[(k - 1) / WORD] = bits >> (WORD - left);
    }
}

/* The first position from i on, below n, that has a match; or n. */
ISALK_INLINE size_t next_match(const uint64_t *matches, size_t i, size_t n)
{
    uint64_t bits = matches[i / WORD] >> i % WORD;

    if (bits == 0) {
        i &= ~(size_t) (WORD - 1);
        do {
            i += WORD;
            if (i >= n)
                return n;
            bits = matches[i / WORD];
        } while (bits == 0);
    }
    return i + (size_t) __builtin_ctzll(bits);
}

/* Tokens for the n positions of a batch from i on; returns the first position without a token, which
 * may be in a later batch. */
ISALK_INLINE size_t make_tokens(struct deflate_find *f, enum deflate_parser parser,
                                const uint8_t *p, size_t i, size_t n, const uint32_t *distance,
                                const uint64_t *matches)
{
    uint32_t *token = f->token;

    while (i < n) {
        size_t start = i;
        uint32_t length = 0, longer;

        i = next_match(matches, i, n);
        if (i < n) {
            length = match_length(p + i - distance[i], p + i, 0, FIND_COMPARED);
            if (parser == DEFLATE_LAZY && distance[i + 1] != 0) {
                longer = match_length(p + i + 1 - distance[i + 1], p + i + 1, 0, FIND_COMPARED);
                if (longer > length) {
                    length = longer;
                    i++;
                }
            }
            if (length == FIND_COMPARED)
                length = whole_match(p + i - distance[i], p + i, length, f->end);
            i += length < LEAST;
        }
        token = literal_tokens(token, p + start, i - start);
        if (length >= LEAST) {
            *token++ = match_token(length, distance[i]);
            i += length;
        }
    }
    f->token = token;
    return i;
}

ISALK_INLINE void find(struct deflate_find *f, enum deflate_parser parser)
{
    const uint8_t *last = f->limit < f->end - FIND_BEHIND ? f->limit : f->end - FIND_BEHIND;
    size_t i = (size_t) (f->next - f->base), at = i & ~(size_t) 7;
    uint32_t distance[FIND_BATCH + 1];
    uint64_t matches[FIND_BATCH / WORD];

    while (last - f->base >= (ptrdiff_t) at + FIND_STEP) {
        size_t n = (size_t) (last - f->base) - at;

        n = n < FIND_BATCH ? n & ~(size_t) (FIND_STEP - 1) : FIND_BATCH;
        look_up(f, at, n, distance, matches);
        distance[n] = 0;
        i = at + make_tokens(f, parser, f->base + at, i - at, n, distance, matches);
        at += n;
    }
    f->next = f->base + i;
    end_tokens(f);
}

void isalk_deflate_find_greedy_base(struct deflate_find *f)
{
    find(f, DEFLATE_GREEDY);
}

void isalk_deflate_find_lazy_base(struct deflate_find *f)
{
    find(f, DEFLATE_LAZY);
}

/* ---- One by one ---- */

/* Length of the match of a and b, FIND_COMPARED at most, of which so many bytes can be read. */
ISALK_INLINE uint32_t first_length(const uint8_t *a, const uint8_t *b)
{
#if ISALK_X86_64
    uint32_t differ = ~(same_bytes(a, b) | same_bytes(a + 16, b + 16) << 16);

    return differ ? (uint32_t) __builtin_ctz(differ) : FIND_COMPARED;
#else
    return match_length(a, b, 0, FIND_COMPARED);
#endif
}

/* The first of the LONG_SKIPPED + 1 positions from p on from which LONG_REPEAT bytes are the same as those
 * `distance` before; or NULL. */
ISALK_INLINE const uint8_t *next_repeat(const uint8_t *p, size_t distance)
{
    const uint8_t *last = p + LONG_SKIPPED;

    while (p <= last) {
        uint32_t length = match_length(p - distance, p, 0, LONG_REPEAT);

        if (length == LONG_REPEAT)
            return p;
        p += length + 1;
    }
    return NULL;
}

void isalk_deflate_find_long_base(struct deflate_find *f)
{
    const uint8_t *p = f->next, *start = p, *repeat;
    deflate_entry *head = f->head;
    uint32_t hash_bits = f->hash_bits, window = f->window, *token = f->token;
    uint32_t matched = f->matched;

    f->run = 0;
    while (p < f->limit && f->run == 0) {
        size_t at = (size_t) (p - f->base);
        uint32_t distance = enter(head, hash_bits, window, hash(p), at), length;

        repeat = matched != 0 ? next_repeat(p, matched) : NULL;
        if (repeat != NULL) {
            p = repeat;
            distance = matched;
            length = LONG_REPEAT;
        } else {
            uint32_t next_distance = enter(head, hash_bits, window, hash(p + 1), at + 1);
            uint32_t next_length = next_distance ? first_length(p + 1 - next_distance, p + 1) : 0;

            length = distance ? first_length(p - distance, p) : 0;
            matched = 0;
            if (length < LEAST && next_length < LEAST) {
                p += 2;
                continue;
            }
            if (next_length > length) {
                length = next_length;
                distance = next_distance;
                p++;
            }
        }
        if (length >= LONG_REPEAT)
            length = match_length(p - distance, p, length, DEFLATE_MAX_MATCH);
        if (length == DEFLATE_MAX_MATCH)
            f->run = distance;
        token = literal_tokens(token, start, (size_t) (p - start));
        *token++ = match_token(length, distance);
        matched = distance;
        p = start = p + length;
        enter(head, hash_bits, window, hash(p - 1), (size_t) (p - 1 - f->base));
    }
    f->matched = p == start ? matched : 0;
    f->token = literal_tokens(token, start, (size_t) (p - start));
    f->next = p;
    end_tokens(f);
}

void isalk_deflate_find_run(struct deflate_find *f)
{
    enum { AT_ONCE = 4 };
    const size_t distance = f->run;
    const uint32_t repeat = match_token(DEFLATE_MAX_MATCH, f->run);
    const uint32_t *token_last = f->token_end - FIND_TOKENS;
    const uint8_t *p = f->next;
    uint32_t *token = f->token, length;

    /* Where it stops, too, is the same as if it took one match at a time. */
    while (p < f->limit && token <= token_last) {
        if (f->limit - p > (AT_ONCE - 1) * DEFLATE_MAX_MATCH && token_last - token >= AT_ONCE - 1 &&
            f->end - p >= AT_ONCE * DEFLATE_MAX_MATCH &&
            memcmp(p - distance, p, AT_ONCE * DEFLATE_MAX_MATCH) == 0) {
            for (unsigned i = 0; i < AT_ONCE; i++)
                *token++ = repeat;
            p += AT_ONCE * DEFLATE_MAX_MATCH;
            continue;
        }
        length = whole_match(p - distance, p, 0, f->end);
        if (length >= LEAST) {
            *token++ = match_token(length, f->run);
            p += length;
        }
        if (length < DEFLATE_MAX_MATCH) {
            f->run = 0;
            break;
        }
    }
    f->matched = (uint32_t) distance;
    f->next = p;
    f->token = token;
    end_tokens(f);
}

/* Tokens for the positions up to `limit`, where few bytes may be left; greedily. */
static void find_few(struct deflate_find *f, const uint8_t *limit)
{
    const uint8_t *p = f->next, *start = p, *last = limit;
    const uint8_t *base = f->base, *end = f->end;
    deflate_entry *head = f->head;
    uint32_t hash_bits = f->hash_bits, window = f->window, *token = f->token;

    if (end - last < LOAD - 1)
        last = end - p < LOAD ? p : end - (LOAD - 1);
    while (p < last) {
        uint32_t distance = enter(head, hash_bits, window, hash(p), (size_t) (p - base)), length;

        if (distance == 0 || (length = whole_match(p - distance, p, 0, end)) < LEAST) {
            p++;
            continue;
        }
        token = literal_tokens(token, start, (size_t) (p - start));
        *token++ = match_token(length, distance);
        enter(head, hash_bits, window, hash(p + 1), (size_t) (p + 1 - base));
        p = start = p + length;
        if (end - p >= LOAD - 1)
            enter(head, hash_bits, window, hash(p - 1), (size_t) (p - 1 - base));
    }
    if (p < limit)
        p = limit;
    f->token = literal_tokens(token, start, (size_t) (p - start));
    f->next = p;
}

/* Whether the matches are still long. */
static int find_long(struct deflate_find *f)
{
    const uint8_t *limit = f->limit, *last = limit;
    int go_on = 1;

    if (f->end - LONG_BEHIND < last)
        last = f->end - LONG_BEHIND;
    while (f->next < last && go_on) {
        const uint8_t *start = f->next;
        const uint32_t *token = f->token;
        size_t at = (size_t) (start - f->base), bytes, tokens;

        if (at >= LOAD) /* what was followed as a run is not in the table, but may come again */
            enter(f->head, f->hash_bits, 0, hash(start - LOAD), at - LOAD);
        f->limit = last - start < LONG_PIECE ? last : start + LONG_PIECE;
        KERNEL_CALL(isalk_deflate_find_long_slot)(f);
        bytes = (size_t) (f->next - start);
        tokens = (size_t) (f->token - token);
        go_on = f->run || bytes >= tokens * f->long_least;
        f->limit = last;
        if (f->run)
            isalk_deflate_find_run(f);
    }
    f->limit = limit;
    return go_on;
}

/* The first byte of all, before which there is none that an entry may stand for. */
static void find_first(struct deflate_find *f)
{
    if (f->next == f->base && f->next < f->limit)
        find_few(f, f->next + 1);
}

int isalk_deflate_find(struct deflate_find *f, enum deflate_parser parser, int to_limit)
{
    ptrdiff_t room = f->token_end - f->token - FIND_TOKENS_PAST - FIND_TOKENS_BEHIND;

    if (f->limit - f->next > room)
        f->limit = f->next + room;
    f->run = 0;
    if (parser == DEFLATE_LONG) {
        find_first(f);
        if (!find_long(f))
            return 0;
    } else if (f->limit - f->next > FIND_STEP && f->end - f->next > FIND_STEP + FIND_BEHIND) {
        find_first(f);
        if (parser == DEFLATE_LAZY)
            KERNEL_CALL(isalk_deflate_find_lazy_slot)(f);
        else
            KERNEL_CALL(isalk_deflate_find_greedy_slot)(f);
    }
    if (to_limit)
        find_few(f, f->limit);
    return 1;
}

/* ---- Probes ---- */

enum { PROBE_LOADS = 8, PROBE_LOOKUPS = 32 };

/* The distance of a match, of LOAD bytes at least, that one of PROBE_LOOKUPS positions from p on
 * has in the table; or 0. isalk_deflate_insert_sparse() enters one position in so many. */
static uint32_t find_repeat(const struct deflate_find *f, const uint8_t *p)
{
    const deflate_entry *head = f->head;
    uint32_t hash_bits = f->hash_bits, window = f->window, at = (uint32_t) (p - f->base);
    uint32_t found = 0;

    for (uint32_t i = 0; i < PROBE_LOOKUPS; i++) {
        uint32_t hashed = hash(p + i), old = head[hashed >> (32 - hash_bits)];
        uint32_t new = (hashed << FIND_CHECK_SHIFT & ~(uint32_t) OFFSET_MASK) | (at + i);

        found |= new - old - 1 < window;
    }
    for (uint32_t i = 0; i < PROBE_LOOKUPS && found; i++) {
        uint32_t hashed = hash(p + i), old = head[hashed >> (32 - hash_bits)];
        uint32_t new = (hashed << FIND_CHECK_SHIFT & ~(uint32_t) OFFSET_MASK) | (at + i);

        if (new - old - 1 < window && load_le64(p + i) == load_le64(p + i - (new - old)))
            return new - old;
    }
    return 0;
}

/* How often one of 16 bytes from p on is the same as one of the NEAR after it. */
static uint32_t count_near(const uint8_t *p)
{
    enum { NEAR = 8 };
#if ISALK_X86_64
    __m128i bytes = _mm_loadu_si128((const __m128i *) (const void *) p);
    __m128i sums = _mm_setzero_si128();

    for (unsigned i = 1; i <= NEAR; i++)
        sums = _mm_sub_epi8(
            sums, _mm_cmpeq_epi8(bytes, _mm_loadu_si128((const __m128i *) (const void *) (p + i))));
    sums = _mm_sad_epu8(sums, _mm_setzero_si128());
    return (uint32_t) (_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4));
#else
    uint32_t count = 0;

    for (unsigned k = 0; k < 16; k++)
        for (unsigned i = 1; i <= NEAR; i++)
            count += p[k] == p[k + i];
    return count;
#endif
}

int isalk_deflate_may_be_random(const uint8_t *p)
{
    enum { MOST = 5 }; /* random bytes: 1 on average, more than 5 once in 1700 */

    return count_near(p) + count_near(p + PROBE_PIECE / 2) <= MOST;
}

/* Of n random bytes, n (n - 1) / 512 pairs are equal, give or take the square root of that. Less
 * than four times as far off is taken to be random. */
static int is_random(uint32_t pairs, uint32_t n)
{
    return 512 * pairs <= n * (n - 1) + 96 * n + 512 * 3;
}

size_t isalk_deflate_probe(const struct deflate_find *f, struct deflate_sample *sample)
{
    const uint8_t *p = f->next;
    uint16_t *counts = sample->counts;
    uint32_t n = 0, pairs = 0;

    memset(sample, 0, sizeof(*sample));
    while (f->limit - p >= PROBE_LEAST) {
        size_t piece = f->limit - p < PROBE_PIECE ? (size_t) (f->limit - p) : PROBE_PIECE;
        size_t step = (piece - LOAD) / (PROBE_LOADS - 1);

        for (unsigned i = 0; i < PROBE_LOADS; i++) {
            uint64_t bytes = load_le64(p + i * step);

            for (unsigned k = 0; k < LOAD; k++, bytes >>= 8)
                pairs += counts[bytes & 0xff]++;
            n += LOAD;
            if (!is_random(pairs, n))
                return (size_t) (p - f->next);
        }
        sample->repeat = find_repeat(f, p);
        if (sample->repeat)
            return (size_t) (p - f->next);
        p += piece;
    }
    sample->bytes = n;
    sample->pairs = pairs;
    return (size_t) (f->limit - f->next);
}

int isalk_deflate_add_sample(struct deflate_sample *all, const struct deflate_sample *more)
{
    all->pairs += more->pairs;
    all->bytes += more->bytes;
    for (unsigned i = 0; i < 256; i++) {
        all->pairs += (uint32_t) all->counts[i] * more->counts[i];
        all->counts[i] = (uint16_t) (all->counts[i] + more->counts[i]);
    }
    return is_random(all->pairs, all->bytes);
}

void isalk_deflate_insert_sparse(const struct deflate_find *f)
{
    for (const uint8_t *p = f->next; f->limit - p >= LOAD; p += PROBE_LOOKUPS)
        enter(f->head, f->hash_bits, 0, hash(p), (size_t) (p - f->base));
}

/* ---- Hash tables without matches ---- */

void isalk_deflate_insert_base(deflate_entry *head, uint32_t hash_bits, const uint8_t *base,
                               uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        enter(head, hash_bits, 0, hash(base + i), i);
}

void isalk_deflate_insert(deflate_entry *head, uint32_t hash_bits, const uint8_t *base, uint32_t n)
{
    if (n >= INSERT_LEAST + INSERT_BEHIND)
        KERNEL_CALL(isalk_deflate_insert_slot)
    (head, hash_bits, base, n - INSERT_BEHIND);
}

void isalk_deflate_rebase_base(deflate_entry *head, uint32_t hash_bits, uint32_t delta)
{
    size_t n = (size_t) 1 << hash_bits;

#if ISALK_X86_64
    __m128i by = _mm_set1_epi32((int) delta);

    for (size_t i = 0; i < n; i += 4) {
        __m128i *at = (__m128i *) (void *) (head + i);

        _mm_storeu_si128(at, _mm_subs_epu16(_mm_loadu_si128(at), by));
    }
#else
    for (size_t i = 0; i < n; i++) {
        uint32_t offset = head[i] & OFFSET_MASK;

        head[i] -= offset < delta ? offset : delta;
    }
#endif
}
