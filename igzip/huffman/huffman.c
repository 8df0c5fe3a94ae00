/* Huffman codes of DEFLATE blocks: code lengths, canonical codes and block headers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For a block of a few KB, making its codes takes as long as everything else. Most of that time
 * would be lost in mispredicted branches and in loads that wait for stores, so this code has few of
 * both. It is one file so that the compiler specializes isalk_huffman_make() for the code length
 * code. */

#include <string.h>

#include "dispatch/bytes.h"
#include "igzip/huffman/huffman.h"

/* ---- Code lengths ---- */

/* A symbol with its count: count << SYMBOL_BITS | symbol. */
enum { SYMBOL_BITS = 9, SYMBOL_MASK = (1 << SYMBOL_BITS) - 1 };

/* Sorts by count, and equal counts by symbol: keys come in order of symbols, and both passes of the
 * radix sort are stable. `all` is the OR of all counts. */
static void sort(const uint32_t *keys, unsigned n, uint32_t all, uint32_t *sorted)
{
    enum { MAX_DIGITS = 1 << 11 };
    unsigned bits = (unsigned) (33 - __builtin_clz(all)) / 2, digits = 1u << bits;
    unsigned low = SYMBOL_BITS, high = SYMBOL_BITS + bits;
    uint16_t low_start[MAX_DIGITS], high_start[MAX_DIGITS], low_sum = 0, high_sum = 0;
    uint32_t by_low_digit[HUFFMAN_MAX_SYMBOLS];

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
        by_low_digit[low_start[keys[i] >> low & (digits - 1)]++] = keys[i];
    for (unsigned i = 0; i < n; i++)
        sorted[high_start[by_low_digit[i] >> high]++] = by_low_digit[i];
}

/* The number of leaves at each depth of the Huffman tree for n >= 2 sorted keys; deeper leaves
 * are counted at the limit. After A. Moffat and J. Katajainen, "In-place calculation of
 * minimum-redundancy codes" (1995). Inner nodes are created in order of weight, so the two least
 * weights are at the heads of two queues, which are arrays. Inner nodes of one depth are
 * neighbours, so only the start of each depth has to be known. */
static void count_depths(const uint32_t *keys, unsigned n, unsigned limit, uint32_t *at_depth)
{
    enum { NONE = UINT32_MAX >> 1 };
    uint32_t leaves[HUFFMAN_MAX_SYMBOLS + 2], inner[HUFFMAN_MAX_SYMBOLS + 2];
    uint16_t children[HUFFMAN_MAX_SYMBOLS]; /* first inner node below each inner node */
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

        /* Among equal weights, leaves first. */
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

/* Makes room for the deeper leaves, which were counted at the limit. While the code does not fit, a
 * leaf above the limit becomes an inner node. Its children are that leaf and one of the leaves at
 * the limit. */
ISALK_INLINE void limit_depths(uint32_t *with_size, unsigned limit)
{
    uint32_t space = 0; /* taken by the code, in codes of `limit` bits */

    for (unsigned bits = 1; bits <= limit; bits++)
        space += with_size[bits] << (limit - bits);
    for (; space > (uint32_t) 1 << limit; space--) {
        unsigned bits = limit - 1;

        while (with_size[bits] == 0)
            bits--;
        with_size[bits]--;
        with_size[bits + 1] += 2;
        with_size[limit]--;
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

    sort(keys, used, all, sorted);
    count_depths(sorted, used, limit, with_size);
    limit_depths(with_size, limit);
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

/* ---- Codes ---- */

void isalk_huffman_assign(struct huffman_code *code, const uint32_t *with_size)
{
    uint32_t next[DEFLATE_MAX_BITS + 1], first = 0;

    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++) {
        next[bits] = first;
        first = (first + with_size[bits]) << 1;
    }
    for (unsigned i = 0; i < code->used; i++) {
        unsigned bits = code->size[code->symbol[i]];

        code->code[i] = (uint16_t) next[bits]++;
    }
    for (unsigned i = 0; i < code->used; i += HUFFMAN_STEP) {
        uint16_t *at = code->code + i;

        for (unsigned lane = 0; lane < HUFFMAN_STEP; lane++) {
            unsigned v = at[lane];

            v = (v & 0x5555) << 1 | (v >> 1 & 0x5555);
            v = (v & 0x3333) << 2 | (v >> 2 & 0x3333);
            v = (v & 0x0f0f) << 4 | (v >> 4 & 0x0f0f);
            at[lane] = (uint16_t) (v << 8 | v >> 8);
        }
    }
}

/* See struct deflate_codes. */
static uint64_t entry(uint64_t code, uint32_t bits, uint32_t extra_bits)
{
    return code << 48 >> extra_bits | (bits + extra_bits);
}

void isalk_huffman_expand(const struct huffman_codes *from, struct deflate_codes *to)
{
    const struct huffman_code *litlen = &from->litlen, *distance = &from->distance;
    unsigned i = 0;

    to->second[0] = 0;
    for (; i < litlen->used && litlen->symbol[i] < DEFLATE_END_OF_BLOCK; i++) {
        unsigned symbol = litlen->symbol[i];

        to->first[symbol] = entry(litlen->code[i], litlen->size[symbol], 0);
        to->second[TOKEN_LITERALS + symbol] = to->first[symbol];
    }
    for (; i < litlen->used && litlen->symbol[i] < DEFLATE_LITLEN_SYMBOLS; i++) {
        unsigned symbol = litlen->symbol[i], number = symbol - DEFLATE_FIRST_LENGTH;

        if (symbol == DEFLATE_END_OF_BLOCK) {
            to->first[TOKEN_FIRSTS] = entry(litlen->code[i], litlen->size[symbol], 0);
        } else {
            uint32_t extra_bits = deflate_lengths[number].extra;
            uint64_t code = entry(litlen->code[i], litlen->size[symbol], extra_bits);
            uint64_t *length =
                to->first + TOKEN_LENGTHS + deflate_lengths[number].base - DEFLATE_MIN_MATCH;

            /* The extra bits are at the top. The next symbol, which stands for the longest match
             * alone, overwrites its entry. */
            for (uint64_t extra = 0; extra < 1u << extra_bits; extra++)
                *length++ = code + (extra << ((64 - extra_bits) & 63));
        }
    }
    for (i = 0; i < distance->used && distance->symbol[i] < DEFLATE_DISTANCE_SYMBOLS; i++) {
        unsigned symbol = distance->symbol[i];

        to->second[TOKEN_DISTANCES + symbol] =
            entry(distance->code[i], distance->size[symbol], deflate_distances[symbol].extra);
    }
}

uint64_t isalk_huffman_static_bits(const uint32_t *litlen, const uint32_t *distance,
                                   uint64_t *extra)
{
    uint32_t seven = 0, eight = 0, nine = 0, five = 0, extra_bits = 0;

    for (unsigned i = 0; i < 144; i++)
        eight += litlen[i];
    for (unsigned i = 144; i < 256; i++)
        nine += litlen[i];
    for (unsigned i = 256; i < 280; i++)
        seven += litlen[i];
    for (unsigned i = 280; i < DEFLATE_LITLEN_SYMBOLS; i++)
        eight += litlen[i];
    for (unsigned i = 0; i < 29; i++)
        extra_bits += litlen[DEFLATE_FIRST_LENGTH + i] * deflate_lengths[i].extra;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++) {
        five += distance[i];
        extra_bits += distance[i] * deflate_distances[i].extra;
    }
    *extra = extra_bits;
    return 7 * seven + 8 * eight + 9 * nine + 5 * five + extra_bits;
}

/* ---- Header of a dynamic block ---- */

/* Symbols of the code length code that stand for runs; the others are lengths. */
enum { REPEAT_PREVIOUS = 16, REPEAT_ZERO = 17, REPEAT_ZERO_LONG = 18 };

/* An item is a symbol of the code length code, with its extra bits above it. */
enum { ITEM_SHIFT = 5, ITEM_MASK = (1 << ITEM_SHIFT) - 1 };

enum {
    MAX_LENGTHS = DEFLATE_LITLEN_SYMBOLS + DEFLATE_DISTANCE_SYMBOLS,
    MIN_REPEAT = 3,
    MIN_LONG_ZEROS = 11,
    MAX_ZEROS = 138,
    MAX_PREVIOUS = 6
};

/* Finds where runs of equal lengths begin, and appends n; returns the number of runs. Reads
 * `lengths` 8 bytes at a time. */
static unsigned find_runs(const uint8_t *lengths, unsigned n, uint16_t *starts)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu, gather = 0x0102040810204080u;
    uint64_t before = 0xff, bits = 0;
    unsigned runs = 0;

    for (unsigned i = 0; i < n; i += 8) {
        uint64_t eight = load_le64(lengths + i), differ = eight ^ (eight << 8 | before);

        before = eight >> 56;
        differ = (((differ & low) + low) | differ) & ~low; /* the top bit of each nonzero byte */
        bits |= (differ >> 7) * gather >> 56 << i % 64;
        if (i % 64 == 56 || i + 8 >= n)
            for (; bits != 0; bits &= bits - 1)
                starts[runs++] = (uint16_t) ((i & ~63u) + (unsigned) __builtin_ctzll(bits));
    }
    while (starts[runs - 1] >= n)
        runs--;
    starts[runs] = (uint16_t) n;
    return runs;
}

/* An item that repeats the previous length 3 to 6 times, or a zero length 3 to 138 times. */
static unsigned repetition(unsigned zero, unsigned times)
{
    unsigned is_long = zero & (times >= MIN_LONG_ZEROS);

    return (REPEAT_PREVIOUS + zero + is_long) |
           (times - MIN_REPEAT - (MIN_LONG_ZEROS - MIN_REPEAT) * is_long) << ITEM_SHIFT;
}

/* Turns lengths into items (RFC 1951, section 3.2.7); returns their number. May write one more
 * item. Branches only for runs that take more than one repetition. */
static unsigned run_lengths(const uint8_t *lengths, unsigned n, uint16_t *items)
{
    uint16_t starts[MAX_LENGTHS + 8 + 1];
    unsigned runs = find_runs(lengths, n, starts), made = 0;

    for (unsigned i = 0; i < runs; i++) {
        unsigned value = lengths[starts[i]], zero = value == 0;
        unsigned times = (unsigned) starts[i + 1] - starts[i] - !zero; /* after the first */
        unsigned max = MAX_PREVIOUS + (MAX_ZEROS - MAX_PREVIOUS) * zero, too_short;

        items[made] = (uint16_t) value;
        made += !zero;
        for (; times > max; times -= max)
            items[made++] = (uint16_t) repetition(zero, max);
        too_short = 0u - (times < MIN_REPEAT); /* a mask: is the remainder too short to repeat? */
        items[made] = (uint16_t) ((value & too_short) | (repetition(zero, times) & ~too_short));
        items[made + 1] = (uint16_t) value;
        made += 1 + ((times - 1) & too_short);
    }
    return made;
}

struct bit_writer {
    uint64_t bits;
    unsigned count;
    uint8_t *out;
};

/* Appends n bits; at most 64 are pending. */
ISALK_INLINE void add_bits(struct bit_writer *w, uint64_t bits, unsigned n)
{
    w->bits |= bits << w->count;
    w->count += n;
}

/* Writes the whole bytes of at most 56 pending bits; stores 8 bytes. */
ISALK_INLINE void flush_bits(struct bit_writer *w)
{
    store_le64(w->out, w->bits);
    w->out += w->count / 8;
    w->bits >>= w->count & ~7u;
    w->count %= 8;
}

/* Makes the code length code. `code` and `bits` get the code of each symbol, and its length with
 * extra bits. */
static void make_precode(const uint16_t *items, unsigned n, struct huffman_code *precode,
                         uint16_t *code, uint8_t *bits)
{
    static const uint8_t extra_bits[DEFLATE_PRECODE_SYMBOLS] = {
        [REPEAT_PREVIOUS] = 2, [REPEAT_ZERO] = 3, [REPEAT_ZERO_LONG] = 7};
    uint32_t counts[DEFLATE_PRECODE_SYMBOLS] = {0}, odd[DEFLATE_PRECODE_SYMBOLS] = {0};
    unsigned used = 0, i = 0;

    /* Two sets of counts: items in a row are often equal, and would wait for each other. */
    for (; i + 2 <= n; i += 2) {
        counts[items[i] & ITEM_MASK]++;
        odd[items[i + 1] & ITEM_MASK]++;
    }
    if (i < n)
        counts[items[i] & ITEM_MASK]++;
    for (i = 0; i < DEFLATE_PRECODE_SYMBOLS; i++) {
        counts[i] += odd[i];
        used += counts[i] != 0;
    }
    /* Decoders expect a complete code, which takes two symbols. */
    if (used < 2)
        counts[counts[0] ? 1 : 0]++;
    isalk_huffman_make(counts, DEFLATE_PRECODE_SYMBOLS, DEFLATE_PRECODE_MAX_BITS, precode);
    for (i = 0; i < precode->used; i++) {
        unsigned symbol = precode->symbol[i];

        code[symbol] = (uint16_t) (precode->code[i] >> (16 - precode->size[symbol]));
        bits[symbol] = (uint8_t) (precode->size[symbol] + extra_bits[symbol]);
    }
}

void isalk_huffman_header(const struct huffman_codes *codes, int final,
                          struct huffman_header *header)
{
    enum { AT_ONCE = 3, NO_ITEM = ITEM_MASK };
    unsigned litlens = DEFLATE_LITLEN_SYMBOLS, distances = DEFLATE_DISTANCE_SYMBOLS;
    uint8_t lengths[MAX_LENGTHS + 8], bits[ITEM_MASK + 1];
    uint16_t items[MAX_LENGTHS + AT_ONCE], code[ITEM_MASK + 1];
    struct huffman_code precode;
    struct bit_writer w = {0, 0, header->bytes};

    while (litlens > 257 && codes->litlen.size[litlens - 1] == 0)
        litlens--;
    while (distances > 1 && codes->distance.size[distances - 1] == 0)
        distances--;
    memcpy(lengths, codes->litlen.size, DEFLATE_LITLEN_SYMBOLS);
    memcpy(lengths + litlens, codes->distance.size, DEFLATE_DISTANCE_SYMBOLS);
    memset(lengths + litlens + distances, 0, 8);

    unsigned made = run_lengths(lengths, litlens + distances, items);
    unsigned sizes = DEFLATE_PRECODE_SYMBOLS;

    make_precode(items, made, &precode, code, bits);
    while (sizes > 4 && precode.size[deflate_precode_order[sizes - 1]] == 0)
        sizes--;

    add_bits(&w, (uint64_t) (final != 0) | DEFLATE_DYNAMIC << 1, 3);
    add_bits(&w, (litlens - 257) | (distances - 1) << 5 | (sizes - 4) << 10, 14);
    for (unsigned i = 0; i < sizes; i++) {
        if (i % 8 == 0)
            flush_bits(&w);
        add_bits(&w, precode.size[deflate_precode_order[i]], 3);
    }
    for (unsigned i = 0; i < AT_ONCE - 1; i++)
        items[made + i] = NO_ITEM;
    code[NO_ITEM] = 0;
    bits[NO_ITEM] = precode.size[NO_ITEM] = 0;
    for (unsigned i = 0; i < made; i += AT_ONCE) {
        flush_bits(&w);
        for (unsigned j = i; j < i + AT_ONCE; j++) { /* at most 14 bits each */
            unsigned symbol = items[j] & ITEM_MASK, extra = items[j] >> ITEM_SHIFT;

            add_bits(&w, code[symbol] | extra << precode.size[symbol], bits[symbol]);
        }
    }
    flush_bits(&w);
    header->bits = (uint32_t) (w.out - header->bytes) * 8 + w.count;
}
