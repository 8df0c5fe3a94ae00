/* Huffman codes of DEFLATE blocks: lengths, canonical codes and block headers.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate_huffman.h"

/* ---- Code lengths ---- */

/* A symbol with its count: count << SYMBOL_BITS | symbol. */
enum { SYMBOL_BITS = 9, SYMBOL_MASK = (1 << SYMBOL_BITS) - 1 };

/* Of all symbols together, before HUFFMAN_MAX_SYMBOLS are added at most; the end of the keys has
 * UINT32_MAX >> SYMBOL_BITS. */
#define MOST_WEIGHT 0x400000u

static void sort_few(uint32_t *keys, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        uint32_t key = keys[i];
        unsigned at = i;

        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Sorts by count, and equal counts by symbol: they come in order of symbols, and each pass keeps
 * the order of what it finds equal. */
static uint32_t *sort_many(uint32_t *keys, uint32_t *other, unsigned n, uint32_t all)
{
    enum { DIGIT_BITS = 6, DIGITS = 1 << DIGIT_BITS };

    for (unsigned shift = SYMBOL_BITS; all >> shift != 0; shift += DIGIT_BITS) {
        uint16_t start[DIGITS] = {0};
        uint16_t sum = 0;
        uint32_t *sorted = other;

        for (unsigned i = 0; i < n; i++)
            start[keys[i] >> shift & (DIGITS - 1)]++;
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            uint16_t count = start[digit];
            start[digit] = sum;
            sum = (uint16_t) (sum + count);
        }
        for (unsigned i = 0; i < n; i++)
            sorted[start[keys[i] >> shift & (DIGITS - 1)]++] = keys[i];
        other = keys;
        keys = sorted;
        if (shift + DIGIT_BITS >= 32)
            break;
    }
    return keys;
}

/* Depths of the leaves of the Huffman tree for n sorted keys and one that ends them, as their number
 * by depth, after A. Moffat and J. Katajainen, "In-place calculation of minimum-redundancy
 * codes" (1995): inner nodes come into being in order of their weight, so both queues that the
 * algorithm takes the smaller from are arrays. */
static void count_depths(uint32_t *keys, unsigned n, unsigned limit, unsigned *at_depth)
{
    uint32_t weight[HUFFMAN_MAX_SYMBOLS + 1], parent[HUFFMAN_MAX_SYMBOLS];
    unsigned leaf = 0, inner = 0;

    /* Without branches, which could not be predicted: ends of queues are weights above all others,
     * and a parent is noted even if another child is chosen. */
    for (unsigned made = 0; made < n - 1; made++) {
        uint32_t sum = 0;

        weight[made] = UINT32_MAX;
        for (unsigned child = 0; child < 2; child++) {
            uint32_t of_leaf = keys[leaf] >> SYMBOL_BITS, of_inner = weight[inner];
            unsigned take_leaf = of_leaf <= of_inner;

            parent[inner] = made;
            sum += take_leaf ? of_leaf : of_inner;
            leaf += take_leaf;
            inner += 1 - take_leaf;
        }
        weight[made] = sum;
    }

    /* From the root down, `parent` becomes the depth; inner nodes and leaves share a level. */
    unsigned depth = 0, on_level = 1, i = n - 1;

    parent[n - 2] = 0;
    for (unsigned node = n - 2; node-- > 0;)
        parent[node] = parent[parent[node]] + 1;
    while (on_level > 0) {
        unsigned inner_here = 0;

        while (i > 0 && parent[i - 1] == depth) {
            i--;
            inner_here++;
        }
        at_depth[depth < limit ? depth : limit] += on_level - inner_here;
        on_level = 2 * inner_here;
        depth++;
    }
}

void isalk_huffman_lengths(const uint32_t *counts, unsigned n, unsigned limit, uint8_t *lengths)
{
    uint32_t a[HUFFMAN_MAX_SYMBOLS + 1], b[HUFFMAN_MAX_SYMBOLS + 1], all = 0;
    uint32_t *keys = a;
    uint64_t total = 0;
    unsigned used = 0, scale = 0;

    /* The weight of the whole tree stays below that of the end of the keys. Large level buffers hold
     * blocks of more symbols, whose counts are scaled down, to 1 at least. */
    for (unsigned symbol = 0; symbol < n; symbol++)
        total += counts[symbol];
    while (total >> scale > MOST_WEIGHT)
        scale++;
    for (unsigned symbol = 0; symbol < n; symbol++) {
        uint32_t count = (counts[symbol] >> scale) + (scale != 0 && counts[symbol] != 0);

        lengths[symbol] = 0;
        a[used] = count << SYMBOL_BITS | symbol;
        all |= a[used];
        used += count != 0;
    }
    if (used == 0)
        return;
    if (used == 1) {
        lengths[a[0] & SYMBOL_MASK] = 1;
        return;
    }
    if (used <= 32)
        sort_few(a, used);
    else
        keys = sort_many(a, b, used, all);

    unsigned at_depth[DEFLATE_MAX_BITS + 1] = {0};
    uint32_t space = 0; /* of the code, in codes of `limit` bits */

    keys[used] = UINT32_MAX;
    count_depths(keys, used, limit, at_depth);
    for (unsigned bits = 1; bits <= limit; bits++)
        space += at_depth[bits] << (limit - bits);
    /* What was too deep has been counted at the limit. Until the codes fit: a leaf above the limit
     * becomes an inner node, with itself and one leaf of the limit as children. */
    for (; space > (uint32_t) 1 << limit; space--) {
        unsigned bits = limit - 1;

        while (at_depth[bits] == 0)
            bits--;
        at_depth[bits]--;
        at_depth[bits + 1] += 2;
        at_depth[limit]--;
    }

    for (unsigned bits = limit; bits > 0; bits--)
        for (unsigned left = at_depth[bits]; left > 0; left--)
            lengths[*keys++ & SYMBOL_MASK] = (uint8_t) bits;
}

/* ---- Codes ---- */

static uint16_t reverse_bits(unsigned v, unsigned bits)
{
    v = (v & 0x5555) << 1 | (v >> 1 & 0x5555);
    v = (v & 0x3333) << 2 | (v >> 2 & 0x3333);
    v = (v & 0x0f0f) << 4 | (v >> 4 & 0x0f0f);
    v = (v & 0x00ff) << 8 | (v >> 8 & 0x00ff);
    return (uint16_t) (v >> (16 - bits));
}

void isalk_huffman_canonical(const uint8_t *lengths, unsigned n, uint16_t *codes)
{
    unsigned next[DEFLATE_MAX_BITS + 1] = {0}, count[DEFLATE_MAX_BITS + 1] = {0};
    unsigned odd[DEFLATE_MAX_BITS + 1] = {0}; /* neighbours are alike, and each add waits */

    for (unsigned symbol = 0; symbol + 2 <= n; symbol += 2) {
        count[lengths[symbol]]++;
        odd[lengths[symbol + 1]]++;
    }
    if (n % 2 != 0)
        count[lengths[n - 1]]++;
    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++)
        count[bits] += odd[bits];
    count[0] = 0;
    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++)
        next[bits] = (next[bits - 1] + count[bits - 1]) << 1;
    for (unsigned symbol = 0; symbol < n; symbol++) {
        unsigned bits = lengths[symbol];

        codes[symbol] = reverse_bits(next[bits]++, bits); /* of no bits: 0 */
    }
}

void isalk_huffman_static_sizes(struct huffman_codes *codes)
{
    memset(codes->litlen_size, 8, 144);
    memset(codes->litlen_size + 144, 9, 112);
    memset(codes->litlen_size + 256, 7, 24);
    memset(codes->litlen_size + 280, 8, 8);
    memset(codes->distance_size, 5, sizeof(codes->distance_size));
}

void isalk_huffman_static(struct huffman_codes *codes)
{
    isalk_huffman_static_sizes(codes);
    isalk_huffman_canonical(codes->litlen_size, DEFLATE_LITLEN_SYMBOLS + 2, codes->litlen);
    isalk_huffman_canonical(codes->distance_size, DEFLATE_DISTANCE_SYMBOLS + 2, codes->distance);
}

/* See struct deflate_codes. Codes of no bits have no bits set. */
static uint64_t entry(uint64_t code, uint32_t bits, uint32_t extra_bits)
{
    uint32_t all = bits + extra_bits;

    return code << ((64 - all) & 63) | all;
}

void isalk_huffman_expand(const struct huffman_codes *from, struct deflate_codes *to)
{
    uint64_t *length = to->first + TOKEN_LENGTHS;

    memset(to->second, 0, TOKEN_LITERALS * sizeof(to->second[0]));
    for (unsigned i = 0; i < 256; i++) {
        to->first[i] = entry(from->litlen[i], from->litlen_size[i], 0);
        to->second[TOKEN_LITERALS + i] = to->first[i];
    }
    for (unsigned i = 0; i < 28; i++) {
        unsigned symbol = DEFLATE_FIRST_LENGTH + i, extra_bits = deflate_lengths[i].extra;
        uint64_t code = entry(from->litlen[symbol], from->litlen_size[symbol], extra_bits);

        for (uint32_t left = (uint32_t) 1 << extra_bits; left > 0; left--) {
            *length++ = code;
            code += (uint64_t) 1 << ((64 - extra_bits) & 63); /* the extra bits are at the top */
        }
    }
    /* The longest match has a symbol of its own. */
    length[-1] = entry(from->litlen[285], from->litlen_size[285], 0);
    to->first[TOKEN_FIRSTS] =
        entry(from->litlen[DEFLATE_END_OF_BLOCK], from->litlen_size[DEFLATE_END_OF_BLOCK], 0);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        to->second[TOKEN_DISTANCES + i] =
            entry(from->distance[i], from->distance_size[i], deflate_distances[i].extra);
}

uint64_t isalk_huffman_cost(const struct huffman_codes *codes, const uint32_t *litlen,
                            const uint32_t *distance)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < DEFLATE_FIRST_LENGTH; i++)
        bits += (uint64_t) litlen[i] * codes->litlen_size[i];
    for (unsigned i = 0; i < 29; i++)
        bits += (uint64_t) litlen[DEFLATE_FIRST_LENGTH + i] *
                (codes->litlen_size[DEFLATE_FIRST_LENGTH + i] + deflate_lengths[i].extra);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        bits += (uint64_t) distance[i] * (codes->distance_size[i] + deflate_distances[i].extra);
    return bits;
}

/* ---- Header of a dynamic block ---- */

/* Symbols of the code length code: lengths themselves, and runs. */
enum { REPEAT_PREVIOUS = 16, REPEAT_ZERO = 17, REPEAT_ZERO_LONG = 18 };

/* One symbol of the code length code, with its extra bits above it. */
enum { ITEM_SHIFT = 5, ITEM_MASK = (1 << ITEM_SHIFT) - 1 };

/* Turns lengths into items (RFC 1951, section 3.2.7); returns their number. */
static unsigned run_lengths(const uint8_t *lengths, unsigned n, uint16_t *items, uint32_t *counts)
{
    unsigned made = 0;

    for (unsigned i = 0; i < n;) {
        unsigned value = lengths[i], run = 1;

        while (i + run < n && lengths[i + run] == value)
            run++;
        i += run;
        if (value == 0) {
            for (; run >= 3; made++) {
                unsigned part = run < 138 ? run : 138;
                unsigned item = part >= 11 ? REPEAT_ZERO_LONG | (part - 11) << ITEM_SHIFT
                                           : REPEAT_ZERO | (part - 3) << ITEM_SHIFT;

                items[made] = (uint16_t) item;
                counts[item & ITEM_MASK]++;
                run -= part;
            }
        } else {
            items[made++] = (uint16_t) value;
            counts[value]++;
            run--;
            for (; run >= 3; made++) {
                unsigned part = run < 6 ? run : 6;

                items[made] = (uint16_t) (REPEAT_PREVIOUS | (part - 3) << ITEM_SHIFT);
                counts[REPEAT_PREVIOUS]++;
                run -= part;
            }
        }
        for (; run > 0; run--) {
            items[made++] = (uint16_t) value;
            counts[value]++;
        }
    }
    return made;
}

struct bit_writer {
    uint64_t bits;
    unsigned count;
    uint8_t *out;
};

/* Appends n <= 32 bits; up to 8 bytes are written. */
static void write_bits(struct bit_writer *w, uint32_t bits, unsigned n)
{
    w->bits |= (uint64_t) bits << w->count;
    w->count += n;
    store_le64(w->out, w->bits);
    w->out += w->count / 8;
    w->bits >>= w->count & ~7u;
    w->count %= 8;
}

void isalk_huffman_header(const struct huffman_codes *codes, int final,
                          struct huffman_header *header)
{
    static const uint8_t extra_bits[DEFLATE_PRECODE_SYMBOLS] = {
        [REPEAT_PREVIOUS] = 2, [REPEAT_ZERO] = 3, [REPEAT_ZERO_LONG] = 7};
    unsigned litlens = DEFLATE_LITLEN_SYMBOLS, distances = DEFLATE_DISTANCE_SYMBOLS;
    uint8_t lengths[DEFLATE_LITLEN_SYMBOLS + DEFLATE_DISTANCE_SYMBOLS];
    uint16_t items[DEFLATE_LITLEN_SYMBOLS + DEFLATE_DISTANCE_SYMBOLS];
    uint32_t counts[DEFLATE_PRECODE_SYMBOLS] = {0};
    uint8_t size[DEFLATE_PRECODE_SYMBOLS];
    uint16_t code[DEFLATE_PRECODE_SYMBOLS];
    struct bit_writer w = {0, 0, header->bytes};

    while (litlens > 257 && codes->litlen_size[litlens - 1] == 0)
        litlens--;
    while (distances > 1 && codes->distance_size[distances - 1] == 0)
        distances--;
    memcpy(lengths, codes->litlen_size, litlens);
    memcpy(lengths + litlens, codes->distance_size, distances);

    unsigned made = run_lengths(lengths, litlens + distances, items, counts);
    unsigned used = 0, sizes = DEFLATE_PRECODE_SYMBOLS;

    /* Decoders want this code complete, so that it takes two symbols. */
    for (unsigned i = 0; i < DEFLATE_PRECODE_SYMBOLS; i++)
        used += counts[i] != 0;
    if (used < 2)
        counts[counts[0] ? 1 : 0]++;
    isalk_huffman_lengths(counts, DEFLATE_PRECODE_SYMBOLS, DEFLATE_PRECODE_MAX_BITS, size);
    isalk_huffman_canonical(size, DEFLATE_PRECODE_SYMBOLS, code);
    while (sizes > 4 && size[deflate_precode_order[sizes - 1]] == 0)
        sizes--;

    write_bits(&w, (uint32_t) (final != 0) | DEFLATE_DYNAMIC << 1, 3);
    write_bits(&w, (litlens - 257) | (distances - 1) << 5 | (sizes - 4) << 10, 14);
    for (unsigned i = 0; i < sizes; i++)
        write_bits(&w, size[deflate_precode_order[i]], 3);
    for (unsigned i = 0; i < made; i++) {
        unsigned symbol = items[i] & ITEM_MASK, bits = size[symbol];

        write_bits(&w, code[symbol] | (uint32_t) (items[i] >> ITEM_SHIFT) << bits,
                   bits + extra_bits[symbol]);
    }
    header->bits = (uint32_t) (w.out - header->bytes) * 8 + w.count;
}
