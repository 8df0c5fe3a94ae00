/* Headers of dynamic blocks (RFC 1951, section 3.2.7).
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/format/bytes.h"
#include "igzip/huffman/huffman.h"

/* Symbols of the code length code: lengths themselves, and runs. */
enum { REPEAT_PREVIOUS = 16, REPEAT_ZERO = 17, REPEAT_ZERO_LONG = 18 };

/* One symbol of the code length code, with its extra bits above it. */
enum { ITEM_SHIFT = 5, ITEM_MASK = (1 << ITEM_SHIFT) - 1 };

enum {
    MOST_LENGTHS = DEFLATE_LITLEN_SYMBOLS + DEFLATE_DISTANCE_SYMBOLS,
    LEAST_REPEATED = 3,
    LEAST_LONG = 11,
    MOST_ZEROS = 138,
    MOST_PREVIOUS = 6
};

/* Where runs of equal lengths begin, and n; returns their number. 8 bytes are read for each that is
 * begun. */
static unsigned find_runs(const uint8_t *lengths, unsigned n, uint16_t *starts)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu, gather = 0x0102040810204080u;
    uint64_t before = 0xff, bits = 0;
    unsigned runs = 0;

    for (unsigned i = 0; i < n; i += 8) {
        uint64_t eight = load_le64(lengths + i), differ = eight ^ (eight << 8 | before);

        before = eight >> 56;
        differ = (((differ & low) + low) | differ) & ~low; /* the top bit of bytes that are not 0 */
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

/* An item that repeats a length 3 to 6 times, or 0 3 to 138 times. */
static unsigned repetition(unsigned zero, unsigned times)
{
    unsigned is_long = zero & (times >= LEAST_LONG);

    return (REPEAT_PREVIOUS + zero + is_long) |
           (times - LEAST_REPEATED - (LEAST_LONG - LEAST_REPEATED) * is_long) << ITEM_SHIFT;
}

/* Turns lengths into items (RFC 1951, section 3.2.7); returns their number. One more may be written.
 * The only branch is for runs of more than one item that repeats. */
static unsigned run_lengths(const uint8_t *lengths, unsigned n, uint16_t *items)
{
    uint16_t starts[MOST_LENGTHS + 8 + 1];
    unsigned runs = find_runs(lengths, n, starts), made = 0;

    for (unsigned i = 0; i < runs; i++) {
        unsigned value = lengths[starts[i]], zero = value == 0;
        unsigned times = (unsigned) starts[i + 1] - starts[i] - !zero; /* the rest of the run */
        unsigned most = MOST_PREVIOUS + (MOST_ZEROS - MOST_PREVIOUS) * zero, alone;

        items[made] = (uint16_t) value;
        made += !zero;
        for (; times > most; times -= most)
            items[made++] = (uint16_t) repetition(zero, most);
        alone = 0u - (times < LEAST_REPEATED); /* all bits or none: what is left is not repeated */
        items[made] = (uint16_t) ((value & alone) | (repetition(zero, times) & ~alone));
        items[made + 1] = (uint16_t) value;
        made += 1 + ((times - 1) & alone);
    }
    return made;
}

struct bit_writer {
    uint64_t bits;
    unsigned count;
    uint8_t *out;
};

/* Appends n bits to what waits, 64 in all at most. */
ISALK_INLINE void add_bits(struct bit_writer *w, uint64_t bits, unsigned n)
{
    w->bits |= bits << w->count;
    w->count += n;
}

/* Writes whole bytes, of 56 bits at most; 8 bytes are written. */
ISALK_INLINE void flush_bits(struct bit_writer *w)
{
    store_le64(w->out, w->bits);
    w->out += w->count / 8;
    w->bits >>= w->count & ~7u;
    w->count %= 8;
}

/* Makes the code for code lengths; `code` and `bits` are what an item of each symbol begins with and how
 * long it is with its extra bits. */
static void make_precode(const uint16_t *items, unsigned n, struct huffman_code *precode,
                         uint16_t *code, uint8_t *bits)
{
    static const uint8_t extra_bits[DEFLATE_PRECODE_SYMBOLS] = {
        [REPEAT_PREVIOUS] = 2, [REPEAT_ZERO] = 3, [REPEAT_ZERO_LONG] = 7};
    uint32_t counts[DEFLATE_PRECODE_SYMBOLS] = {0}, odd[DEFLATE_PRECODE_SYMBOLS] = {0};
    unsigned used = 0, i = 0;

    /* In two places: neighbours are alike, and each addition waits for the one before. */
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
    /* Decoders want this code complete, so that it takes two symbols. */
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
    uint8_t lengths[MOST_LENGTHS + 8], bits[ITEM_MASK + 1];
    uint16_t items[MOST_LENGTHS + AT_ONCE], code[ITEM_MASK + 1];
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
        for (unsigned j = i; j < i + AT_ONCE; j++) { /* of 14 bits each at most */
            unsigned symbol = items[j] & ITEM_MASK, extra = items[j] >> ITEM_SHIFT;

            add_bits(&w, code[symbol] | extra << precode.size[symbol], bits[symbol]);
        }
    }
    flush_bits(&w);
    header->bits = (uint32_t) (w.out - header->bytes) * 8 + w.count;
}
