/* What portable match finders share: hashes, the length of a match, tokens.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_MATCH_H
#define LZ77_MATCH_H

#include "dispatch/bytes.h"
#include "igzip/lz77/lz77_kernels.h"

enum { HASH_LOAD = 8, OFFSET_MASK = 0xffff }; /* HASH_LOAD: readable bytes at a hashed position */

/* The hash of five bytes. */
ISALK_INLINE uint32_t hash_five(const uint8_t *p)
{
    return load_le32(p) * HASH_MULTIPLIER_LOW + load_le32(p + 1) * HASH_MULTIPLIER_HIGH;
}

/* The hash of four bytes. */
ISALK_INLINE uint32_t hash_four(const uint8_t *p)
{
    return load_le32(p) * HASH_MULTIPLIER_LOW;
}

/* The hash of as many bytes as a finder with this multiplier and shift is set to. */
ISALK_INLINE uint32_t hash_bytes_at(const uint8_t *p, uint32_t multiplier, uint32_t shift)
{
    return load_le32(p) * HASH_MULTIPLIER_LOW + load_le32(p + shift / 8) * multiplier;
}

ISALK_INLINE uint32_t find_hash(const struct deflate_find *f, const uint8_t *p)
{
    return hash_bytes_at(p, f->hash_multiplier, f->hash_shift);
}

/* Sets the number of bytes that a finder hashes, 4 to 7. */
ISALK_INLINE void set_hash_bytes(struct deflate_find *f, uint32_t bytes)
{
    f->hash_multiplier = bytes > 4 ? HASH_MULTIPLIER_HIGH : 0;
    f->hash_shift = bytes > 4 ? 8 * (bytes - 4) : 8;
}

/* The table entry of a position with this hash. */
ISALK_INLINE uint32_t hash_entry(uint32_t hashed, size_t offset)
{
    return (hashed << HASH_TAG_SHIFT & ~(uint32_t) OFFSET_MASK) | (uint32_t) offset;
}

/* Inserts a position with this hash in a table. Returns the distance to the position that it
 * replaces, or 0 if that has another hash tag or is beyond the window. */
ISALK_INLINE uint32_t hash_insert(deflate_entry *head, uint32_t hash_bits, uint32_t window,
                                  uint32_t hashed, size_t offset)
{
    deflate_entry *entry = head + (hashed >> (32 - hash_bits));
    uint32_t new = hash_entry(hashed, offset);
    uint32_t distance = new - *entry; /* the high half is 0 if the tags are the same */

    *entry = new;
    return distance <= window ? distance : 0;
}

/* Length of the longest match that can begin at p. */
ISALK_INLINE uint32_t longest_match(const uint8_t *p, const uint8_t *end)
{
    return end - p < DEFLATE_MAX_MATCH ? (uint32_t) (end - p) : DEFLATE_MAX_MATCH;
}

/* Length of the match of a and b, at most `max`. The first `length` bytes are known to be equal. */
ISALK_INLINE uint32_t match_length(const uint8_t *a, const uint8_t *b, uint32_t length,
                                   uint32_t max)
{
    for (; length + 8 <= max; length += 8) {
        uint64_t differ = load_le64(a + length) ^ load_le64(b + length);

        if (differ != 0)
            return length + ((uint32_t) __builtin_ctzll(differ) >> 3);
    }
    while (length < max && a[length] == b[length])
        length++;
    return length;
}

/* The same, limited by `end` and by the longest length. */
ISALK_INLINE uint32_t whole_match(const uint8_t *a, const uint8_t *b, uint32_t length,
                                  const uint8_t *end)
{
    return match_length(a, b, length, longest_match(b, end));
}

/* The token of a match. The symbol of distance d is 2e + ((d - 1) >> e), with e extra bits. It
 * stands for the two highest bits of d - 1 and their position. */
ISALK_INLINE uint32_t match_token(uint32_t length, uint32_t distance)
{
    uint32_t d = distance - 1, extra_bits = 30 - (uint32_t) __builtin_clz(d | 2);
    uint32_t symbol = 2 * extra_bits + (d >> extra_bits);
    uint32_t extra = (uint32_t) ((uint64_t) d << (32 - extra_bits));

    return (TOKEN_LENGTHS + length - DEFLATE_MIN_MATCH) |
           (TOKEN_DISTANCES + symbol) << TOKEN_SECOND_SHIFT | extra;
}

/* Emits the tokens of n literals; returns where the next token goes. */
ISALK_INLINE uint32_t *emit_literals(uint32_t *token, const uint8_t *bytes, size_t n)
{
    for (; n >= 2; n -= 2, bytes += 2)
        *token++ = bytes[0] | (uint32_t) (TOKEN_LITERALS + bytes[1]) << TOKEN_SECOND_SHIFT;
    if (n > 0)
        *token++ = bytes[0];
    return token;
}

/* Clears the tokens after the last, as kernels do. */
ISALK_INLINE void clear_tokens(const struct deflate_find *f)
{
    memset(f->token, 0, FIND_TOKENS_CLEARED * sizeof(*f->token));
}

#endif
