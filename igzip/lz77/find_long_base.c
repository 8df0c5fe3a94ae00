/* Portable reference of the match finder for long matches.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"

/* The first of LONG_SKIP + 1 positions from p on where LONG_REPEAT bytes are the same as those
 * `distance` before; or NULL. */
ISALK_INLINE const uint8_t *next_repeat(const uint8_t *p, size_t distance)
{
    const uint8_t *last = p + LONG_SKIP;

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
        uint32_t distance = hash_insert(head, hash_bits, window, find_hash(f, p), at), length;

        repeat = matched != 0 ? next_repeat(p, matched) : NULL;
        if (repeat != NULL) {
            p = repeat;
            distance = matched;
            length = LONG_REPEAT;
        } else {
            uint32_t next_distance =
                hash_insert(head, hash_bits, window, find_hash(f, p + 1), at + 1);
            uint32_t next_length = 0;

            if (next_distance)
                next_length = match_length(p + 1 - next_distance, p + 1, 0, FIND_COMPARED);
            length = distance ? match_length(p - distance, p, 0, FIND_COMPARED) : 0;
            matched = 0;
            if (length < FIND_MIN_MATCH && next_length < FIND_MIN_MATCH) {
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
        token = emit_literals(token, start, (size_t) (p - start));
        *token++ = match_token(length, distance);
        matched = distance;
        p = start = p + length;
        hash_insert(head, hash_bits, window, find_hash(f, p - 1), (size_t) (p - 1 - f->base));
    }
    f->matched = p == start ? matched : 0;
    f->token = emit_literals(token, start, (size_t) (p - start));
    f->next = p;
    clear_tokens(f);
}
