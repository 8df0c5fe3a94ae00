/* Portable reference of the compressor of tiny inputs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/output.h"
#include "igzip/lz77/match.h"

/* Inserts the position at offset i; returns the distance of its candidate, or 0. */
static uint32_t probe(const struct deflate_tiny *t, size_t i)
{
    return hash_insert(t->head, t->hash_bits, t->window, hash_four(t->bytes + i), i);
}

void isalk_deflate_tiny_base(struct deflate_tiny *t)
{
    const struct isal_hufftables *tables = t->tables;
    struct deflate_encode e = {.out = t->out, .bits = t->bits, .count = t->count};
    size_t size = t->size, i = t->start;

    while (i < size && (i >= t->probed || e.out <= t->out_limit)) {
        uint32_t distance = 0, length = 0, n;
        const uint8_t *p = t->bytes + i;
        uint64_t bits;

        if (i < t->probed)
            distance = probe(t, i);
        if (distance > 0)
            length = whole_match(p - distance, p, 0, t->bytes + size);
        if (length < FIND_MIN_MATCH) {
            append_code(&e, tables->lit_table[*p], tables->lit_table_sizes[*p]);
            i++;
            continue;
        }
        bits = table_token_bits(match_token(length, distance), tables, &n);
        append_code(&e, bits, n);
        probe(t, i + 1);
        i += length;
        if (i <= t->probed)
            probe(t, i - 1);
    }
    t->out = e.out;
    t->bits = e.bits;
    t->count = e.count;
}
