/* Portable reference of the greedy and lazy match finders.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the next token is a literal or a match is unpredictable, and a mispredicted branch costs
 * more than a probe. So all positions of a batch are probed first, without a branch. Then tokens
 * are emitted from the matches found, a literal run and a match at a time. */

#include "igzip/lz77/match.h"

enum { WORD = 64 }; /* positions that share a word of bits */

enum choice { GREEDY, LAZY };

/* Probes and inserts n positions from offset `at` on, n a multiple of FIND_STEP. Writes the
 * distance of each match, or 0, and a bit for each position that has one. The hash is that of
 * find_hash(); its parameters are arguments because a compiler reads them from *f again after each
 * store to the table. */
ISALK_INLINE void probe_hashed(const struct deflate_find *f, size_t at, size_t n,
                               uint32_t *distance, uint64_t *matches, uint32_t multiplier,
                               uint32_t shift)
{
    deflate_entry *head = f->head;
    uint32_t hash_bits = f->hash_bits, window = f->window;
    const uint8_t *p = f->base + at;

    for (size_t k = 0; k < n;) {
        size_t left = n - k < WORD ? n - k : WORD, end = k + left;
        uint64_t bits = 0;

        for (; k < end; k++) {
            uint32_t hashed = hash_bytes_at(p + k, multiplier, shift);
            distance[k] = hash_insert(head, hash_bits, window, hashed, at + k);
            bits = bits >> 1 | (uint64_t) (distance[k] != 0) << (WORD - 1);
        }
        matches[(k - 1) / WORD] = bits >> (WORD - left);
    }
}

static void probe_batch(const struct deflate_find *f, size_t at, size_t n, uint32_t *distance,
                        uint64_t *matches)
{
    if (f->hash_multiplier)
        probe_hashed(f, at, n, distance, matches, f->hash_multiplier, f->hash_shift);
    else
        probe_hashed(f, at, n, distance, matches, 0, 8);
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

/* Emits tokens for the first n positions of a batch from position i on. Returns the first position
 * without a token, which may be in a later batch. */
ISALK_INLINE size_t emit_batch(struct deflate_find *f, enum choice choice, const uint8_t *p,
                               size_t i, size_t n, const uint32_t *distance,
                               const uint64_t *matches)
{
    uint32_t *token = f->token;

    while (i < n) {
        size_t start = i;
        uint32_t length = 0, longer;

        i = next_match(matches, i, n);
        i = i < n ? i : n;
        if (i < n) {
            length = match_length(p + i - distance[i], p + i, 0, FIND_COMPARED);
            if (choice == LAZY && distance[i + 1] != 0) {
                longer = match_length(p + i + 1 - distance[i + 1], p + i + 1, 0, FIND_COMPARED);
                if (longer > length) {
                    length = longer;
                    i++;
                }
            }
            if (length == FIND_COMPARED)
                length = whole_match(p + i - distance[i], p + i, length, f->end);
            i += length < FIND_MIN_MATCH;
        }
        token = emit_literals(token, p + start, i - start);
        if (length >= FIND_MIN_MATCH) {
            *token++ = match_token(length, distance[i]);
            i += length;
        }
    }
    f->token = token;
    return i;
}

ISALK_INLINE void find(struct deflate_find *f, enum choice choice)
{
    const uint8_t *last = f->limit < f->end - FIND_LOOKAHEAD ? f->limit : f->end - FIND_LOOKAHEAD;
    size_t i = (size_t) (f->next - f->base), at = i & ~(size_t) 7;
    uint32_t distance[FIND_BATCH + 1];
    uint64_t matches[FIND_BATCH / WORD];

    while (last - f->base + (ptrdiff_t) f->past_limit >= (ptrdiff_t) (at + FIND_STEP)) {
        size_t left = (size_t) (last - f->base) - at, n = FIND_BATCH;

        if (left < FIND_BATCH)
            n = (left + f->past_limit) & ~(size_t) (FIND_STEP - 1);
        left = left < n ? left : n;
        probe_batch(f, at, n, distance, matches);
        distance[n] = 0;
        i = at + emit_batch(f, choice, f->base + at, i - at, left, distance, matches);
        at += n;
    }
    f->next = f->base + i;
    clear_tokens(f);
}

void isalk_deflate_find_greedy_base(struct deflate_find *f)
{
    find(f, GREEDY);
}

void isalk_deflate_find_lazy_base(struct deflate_find *f)
{
    find(f, LAZY);
}
