/* Code lengths of Huffman codes limited in length.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of a few KB has so few tokens that its codes take as long to make as all else. Most of that
 * time would go to mispredicted branches and to loads that wait for stores; there are few of both. */

#include <string.h>

#include "igzip/huffman/huffman.h"

/* A symbol with its count: count << SYMBOL_BITS | symbol. */
enum { SYMBOL_BITS = 9, SYMBOL_MASK = (1 << SYMBOL_BITS) - 1 };

/* Sorts by count, and equal counts by symbol: they come in order of symbols, and each of two passes
 * keeps the order of what it finds equal. `all` has every bit of the counts. */
static void sort(const uint32_t *keys, unsigned n, uint32_t all, uint32_t *sorted)
{
    enum { MOST_DIGITS = 1 << 11 };
    unsigned bits = (unsigned) (33 - __builtin_clz(all)) / 2, digits = 1u << bits;
    unsigned low = SYMBOL_BITS, high = SYMBOL_BITS + bits;
    uint16_t low_start[MOST_DIGITS], high_start[MOST_DIGITS], low_sum = 0, high_sum = 0;
    uint32_t half[HUFFMAN_MAX_SYMBOLS];

    memset(low_start, 0, digits * sizeof(*low_start));
    memset(high_start, 0, digits * sizeof(*high_start));
    for (unsigned i = 0; i < n; i++) {
        low_start[keys[i] >> low & (digits - 1)]++;
        high_start[keys[i] >> high]++;
    }
    for (unsigned digit = 0; digit < digits; digit++) {
        uint16_t low_count = low_start[digit], high_count = high_start[digit];

        low_start[digit] = low_sum;
        high_start[digit] = high_sum;
        low_sum = (uint16_t) (low_sum + low_count);
        high_sum = (uint16_t) (high_sum + high_count);
    }
    for (unsigned i = 0; i < n; i++)
        half[low_start[keys[i] >> low & (digits - 1)]++] = keys[i];
    for (unsigned i = 0; i < n; i++)
        sorted[high_start[half[i] >> high]++] = half[i];
}

/* Depths of the leaves of the Huffman tree for n >= 2 sorted keys, as their number by depth; deeper
 * ones count at the limit. After A. Moffat and J. Katajainen, "In-place calculation of
 * minimum-redundancy codes" (1995): inner nodes come into being in order of their weight, so the two
 * least weights are at the heads of two queues that are arrays. Inner nodes of one depth are
 * neighbours in theirs, so that where each depth begins is enough to know. */
static void count_depths(const uint32_t *keys, unsigned n, unsigned limit, uint32_t *at_depth)
{
    enum { NONE = UINT32_MAX >> 1 };
    uint32_t leaves[HUFFMAN_MAX_SYMBOLS + 2], inner[HUFFMAN_MAX_SYMBOLS + 2];
    uint16_t children[HUFFMAN_MAX_SYMBOLS]; /* inner nodes from there on are below this one or later
                                             * ones */
    unsigned leaf = 0;

    for (unsigned i = 0; i < n; i++) {
        leaves[i] = keys[i] >> SYMBOL_BITS;
        inner[i] = NONE;
    }
    leaves[n] = leaves[n + 1] = inner[n] = NONE;
    for (unsigned made = 0; made < n - 1; made++) {
        unsigned next = 2 * made - leaf; /* inner node without a parent */
        uint32_t leaf0 = leaves[leaf], leaf1 = leaves[leaf + 1];
        uint32_t inner0 = inner[next], inner1 = inner[next + 1];

        /* Of equal ones, leaves first. */
        children[made] = (uint16_t) next;
        inner[made] = (inner1 < leaf0 ? inner1 : leaf0) + (leaf1 <= inner0 ? leaf1 : inner0);
        leaf += 1u + (leaf1 <= inner0) - (inner1 < leaf0);
    }

    for (unsigned depth = 1, first = n - 2, above = 1; above > 0; depth++) {
        unsigned here = first - children[first];

        at_depth[depth < limit ? depth : limit] += 2 * above - here;
        first = children[first];
        above = here;
    }
}

void isalk_huffman_make(const uint32_t *counts, unsigned n, unsigned limit, struct huffman_code *to)
{
    uint32_t keys[HUFFMAN_MAX_SYMBOLS], sorted[HUFFMAN_MAX_SYMBOLS], all = 0;
    uint32_t with_size[DEFLATE_MAX_BITS + 1] = {0};
    uint8_t sizes[HUFFMAN_MAX_SYMBOLS + HUFFMAN_STEP], *size = sizes;
    uint64_t total = 0;
    unsigned used = 0;

    for (unsigned symbol = 0; symbol < n; symbol++) {
        uint32_t count = counts[symbol];

        to->symbol[used] = (uint16_t) symbol;
        keys[used] = count << SYMBOL_BITS | symbol;
        all |= count;
        used += count != 0;
    }
    for (unsigned i = 0; i < HUFFMAN_MAX_SYMBOLS; i += HUFFMAN_STEP)
        memset(to->size + i, 0, HUFFMAN_STEP);
    to->used = used;
    to->bits = 0;
    if (used == 0)
        return;
    if (used == 1) {
        to->size[keys[0] & SYMBOL_MASK] = 1;
        to->bits = keys[0] >> SYMBOL_BITS;
        to->code[0] = 0;
        return;
    }

    uint32_t space = 0; /* of the code, in codes of `limit` bits */

    sort(keys, used, all, sorted);
    count_depths(sorted, used, limit, with_size);
    for (unsigned bits = 1; bits <= limit; bits++)
        space += with_size[bits] << (limit - bits);
    /* What was too deep has been counted at the limit. Until the codes fit: a leaf above the limit
     * becomes an inner node, with itself and one leaf of the limit as children. */
    for (; space > (uint32_t) 1 << limit; space--) {
        unsigned bits = limit - 1;

        while (with_size[bits] == 0)
            bits--;
        with_size[bits]--;
        with_size[bits + 1] += 2;
        with_size[limit]--;
    }

    for (unsigned bits = limit; bits > 0; bits--) {
        unsigned done = 0;

        do {
            memset(size + done, (int) bits, HUFFMAN_STEP);
            done += HUFFMAN_STEP;
        } while (done < with_size[bits]);
        size += with_size[bits];
    }
    for (unsigned i = 0; i < used; i++) {
        to->size[sorted[i] & SYMBOL_MASK] = sizes[i];
        total += (sorted[i] >> SYMBOL_BITS) * sizes[i];
    }
    to->bits = total;
    isalk_huffman_assign(to, with_size);
}
