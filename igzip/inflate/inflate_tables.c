/* Makes decoding tables from code lengths.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_kernels.h"

#include <string.h>

/* ---- Canonical codes (RFC 1951, 3.2.2) ---- */

void isalk_inflate_sort(struct inflate_sorted *s, const uint8_t *lengths, size_t n)
{
    memset(s->count, 0, sizeof s->count);
    for (size_t i = 0; i < n; i++)
        inflate_sort(s, lengths[i], (unsigned) i, 1);
}

int isalk_inflate_code(struct inflate_code *code, struct inflate_sorted *s, const uint8_t *lengths,
                       size_t first, size_t n)
{
    uint16_t others[DEFLATE_MAX_BITS + 1] = {0};
    unsigned at = 0;
    int left = 1;

    /* Counts the few symbols that are not literals: distances, or lengths and the end of block. */
    for (size_t i = first ? first : DEFLATE_END_OF_BLOCK; i < n; i++)
        others[lengths[i]]++;
    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++) {
        unsigned begin = first ? (unsigned) s->count[bits] - others[bits] : 0;
        unsigned count = s->count[bits] - begin;
        const uint16_t *from = s->symbols[bits] + begin;
        uint16_t *to = code->symbols + at;

        for (unsigned i = 0; i < count; i += SYMBOL_BATCH) {
            uint16_t some[SYMBOL_BATCH];

            memcpy(some, from + i, sizeof some);
            for (unsigned k = 0; k < SYMBOL_BATCH; k++)
                some[k] = (uint16_t) (some[k] - first);
            memcpy(to + i, some, sizeof some);
        }
        code->count[bits] = (uint16_t) count;
        code->literals[bits] = (uint16_t) (first ? 0 : count - others[bits]);
        s->count[bits] = (uint16_t) begin;
        at += count;
        left = 2 * left - (int) count;
        if (left < 0)
            return -1;
    }
    code->count[0] = (uint16_t) at;
    code->literals[0] = 0;
    /* An incomplete code is valid if it has one symbol of one bit, or no symbol. */
    return left > 0 && (at > 1 || at != code->count[1]) ? -1 : 0;
}

/* The first bit of a code is the lowest bit of the index of a table. So codes are reversed. */
static inline uint32_t reverse(uint32_t code, unsigned bits)
{
#define R2(n) (n), (n) + 128, (n) + 64, (n) + 192
#define R4(n) R2(n), R2((n) + 32), R2((n) + 16), R2((n) + 48)
#define R6(n) R4(n), R4((n) + 8), R4((n) + 4), R4((n) + 12)
    static const uint8_t bytes[256] = {R6(0), R6(2), R6(1), R6(3)};

    return ((uint32_t) bytes[code & 0xff] << 8 | bytes[code >> 8]) >> (16 - bits);
}

/* ---- All tables ---- */

/* Doubles a table of n entries, a power of two; up to three entries more may be written. Compilers
 * replace memcpy() by a string instruction, which is slow to start, but call memmove(). */
static inline void double_table(uint32_t *table, size_t n)
{
    uint32_t four[4];

    if (n >= 64)
        memmove(table + n, table, n * sizeof *table);
    else
        for (size_t i = 0; i < n; i += 4) {
            memcpy(four, table + i, sizeof four);
            memcpy(table + n + i, four, sizeof four);
        }
}

/* Writes an entry at every index whose low bits are the code. */
static inline void fill(uint32_t *table, unsigned table_bits, uint32_t code, unsigned bits,
                        uint32_t entry)
{
    size_t n = (size_t) 1 << (table_bits - bits), step = (size_t) 1 << bits;

    table += code;
    table[0] = entry;
    if (n > 1)
        table[step] = entry;
    for (size_t i = 2; i < n; i += 2) {
        table += 2 * step;
        table[0] = entry;
        table[step] = entry;
    }
}

/* Bits that index the subtable whose first code has `bits` bits; `count` codes of that length are
 * left. */
static unsigned subtable_bits(const uint16_t *counts, unsigned root, unsigned bits, unsigned count)
{
    int left = (1 << (bits - root)) - (int) count;

    while (left > 0 && bits < DEFLATE_MAX_BITS)
        left = 2 * left - counts[++bits];
    return bits - root;
}

/* ---- Literals and lengths ---- */

static uint32_t special(enum litlen_kind kind, unsigned bits, unsigned extra, unsigned value)
{
    return LITLEN_SPECIAL | (uint32_t) kind << 28 | value << 12 | bits << 8 | (bits + extra);
}

/* The special entry of a symbol. */
static uint32_t single(unsigned symbol, unsigned bits)
{
    if (symbol < DEFLATE_END_OF_BLOCK)
        return special(LITLEN_LITERAL, bits, 0, symbol);
    if (symbol == DEFLATE_END_OF_BLOCK)
        return special(LITLEN_END, bits, 0, 0);
    if (symbol >= DEFLATE_LITLEN_SYMBOLS)
        return special(LITLEN_INVALID, bits, 0, 0);
    symbol -= DEFLATE_FIRST_LENGTH;
    return special(LITLEN_LENGTH, bits, deflate_lengths[symbol].extra,
                   deflate_lengths[symbol].base);
}

#define MAX_ENTRY_LENGTH 127

/* Shares of 32768, for the choice of the index. "Others" are symbols that are not literals. */
#define FEW_OTHERS 2048
#define MANY_OTHERS 24576
#define FEW_LONG_CODES 96
#define COMMON_LITERALS 8192 /* two of these in a row have a share of 1/16 */

/* A word is the symbols of one entry that is not special. Low half: its input bits, as in the
 * index. High half: the value that it adds to an entry. Lists of words are sorted by number of
 * bits. */
typedef uint64_t word;
#define WORD(code, entry) ((uint64_t) (entry) << 32 | (code))

/* Words that may follow a literal: lengths that fit an entry, with their extra bits; and literals,
 * alone or before such a length. There are at most 2^q words of q bits. */
struct followers {
    word match[LITLEN_BITS + 1][MAX_ENTRY_LENGTH];
    word all[1 << LITLEN_BITS]; /* the words of q bits start at 1 << q */
    unsigned match_count[LITLEN_BITS + 1], count[LITLEN_BITS + 1];
    unsigned with_match[LITLEN_BITS + 1]; /* words in `all` with a length */
};

/* The sorted literals of a code, as words, with the range of each number of bits. */
struct literals {
    word words[DEFLATE_FIXED_LITLENS];
    uint16_t begin[DEFLATE_MAX_BITS + 1], end[DEFLATE_MAX_BITS + 1];
};

#define FIRST_LITERAL(symbol) (1u << 6 | (uint32_t) (symbol) << 8)
/* Turns the word of a first literal into that of a second one. */
static inline word second_literal(word w)
{
    return (w & 0xffffffffff) | (w >> 40 & 0xff) << 48;
}

/* The word `second` after `bits` bits of another. */
static inline word after(word second, unsigned bits)
{
    return (second >> 32 << 32) | (uint32_t) second << bits;
}

static inline void enter_word(uint32_t *table, word w)
{
    table[(uint32_t) w] = (uint32_t) (w >> 32);
}

/* Adds the words of a length symbol that fit an entry. */
static void add_match(struct followers *f, unsigned root, unsigned symbol, uint32_t code,
                      unsigned bits)
{
    unsigned i = symbol - DEFLATE_FIRST_LENGTH, all, length;

    if (symbol == DEFLATE_END_OF_BLOCK || symbol >= DEFLATE_LITLEN_SYMBOLS)
        return;
    all = bits + deflate_lengths[i].extra;
    length = deflate_lengths[i].base;
    if (all > root)
        return;
    for (uint32_t value = 0; value < 1u << (all - bits) && length <= MAX_ENTRY_LENGTH;
         value++, length++)
        f->match[all][f->match_count[all]++] = WORD(code | value << bits, all | length << 24);
}

/* Lists the followers of q bits. */
static void list_followers(struct followers *f, unsigned q, const struct literals *l)
{
    word *to = f->all + ((size_t) 1 << q);

    for (unsigned i = 0; i < f->match_count[q]; i++)
        *to++ = f->match[q][i];
    f->with_match[q] = f->match_count[q];
    for (unsigned i = l->begin[q]; i < l->end[q]; i++)
        *to++ = second_literal(l->words[i]);
    for (unsigned bits = 1; bits < q; bits++)
        for (unsigned m = 0; m < f->match_count[q - bits]; m++) {
            const word match = after(f->match[q - bits][m], bits);

            for (unsigned i = l->begin[bits]; i < l->end[bits]; i++)
                *to++ = second_literal(l->words[i]) + match;
            f->with_match[q] += (unsigned) (l->end[bits] - l->begin[bits]);
        }
    f->count[q] = (unsigned) (to - f->all) - (1u << q);
}

/* Enters the words of q bits that consist of a literal and a follower. Returns how many have a
 * length. */
static uint32_t enter_words(uint32_t *table, unsigned q, const struct followers *f,
                            const struct literals *l)
{
    uint32_t with_match = 0;

    for (unsigned bits = 1; bits < q; bits++) {
        const word *followers = f->all + ((size_t) 1 << (q - bits));
        unsigned count = l->begin[bits] < l->end[bits] ? f->count[q - bits] : 0;

        for (unsigned n = 0; n < count; n++) {
            const word follower = after(followers[n], bits);

            for (unsigned i = l->begin[bits]; i < l->end[bits]; i++)
                enter_word(table, l->words[i] + follower);
        }
        if (count)
            with_match += (uint32_t) (l->end[bits] - l->begin[bits]) * f->with_match[q - bits];
    }
    return with_match;
}

/* Makes the subtables of the codes longer than the index. `next` is the first such symbol, `value`
 * its code. */
static void make_litlen_subtables(uint32_t *table, unsigned root, const struct inflate_code *code,
                                  size_t next, uint32_t value)
{
    uint32_t sub = 0, sub_prefix = ~0u, end = 1u << root;
    unsigned sub_bits = 0;

    for (unsigned bits = root + 1; bits <= DEFLATE_MAX_BITS; bits++, value <<= 1)
        for (unsigned left = code->count[bits]; left > 0; left--) {
            uint32_t reversed = reverse(value++, bits);
            uint32_t prefix = reversed & ((1u << root) - 1);

            if (prefix != sub_prefix) {
                sub_prefix = prefix;
                sub_bits = subtable_bits(code->count, root, bits, left);
                sub = end;
                end += 1u << sub_bits;
                table[prefix] = LITLEN_SPECIAL | (uint32_t) LITLEN_SUBTABLE << 28 | sub << 12 |
                                sub_bits << 8 | root;
            }
            fill(table + sub, sub_bits, reversed >> root, bits - root,
                 single(code->symbols[next++], bits));
        }
}

/* Chooses the bits of the index. With few matches, it has room for two common literals. If no
 * two literals fit, it is the shortest that few codes exceed. With few literals, the longest
 * index gains nothing (in pi.txt, 86 % of the symbols are matches). */
static unsigned choose_index_bits(const struct inflate_code *code, unsigned max)
{
    unsigned longer = 1u << DEFLATE_MAX_BITS, others = 0, literals = 0, common = 0, symbols = 0;

    for (unsigned bits = 1; bits <= LITLEN_BITS; bits++) {
        literals += (unsigned) code->literals[bits] << (DEFLATE_MAX_BITS - bits);
        if (!common && literals >= COMMON_LITERALS)
            common = bits;
        others += (unsigned) (code->count[bits] - code->literals[bits])
                  << (DEFLATE_MAX_BITS - bits);
        symbols += code->count[bits];
    }
    if ((code->count[0] - symbols > LITLEN_MAX_LONG || others >= MANY_OTHERS) && max == LITLEN_BITS)
        return LITLEN_BITS - 1;
    if (others >= FEW_OTHERS || (common && 2 * common <= max))
        return max;
    if (common && 2 * common <= LITLEN_BITS && code->count[0] == symbols)
        return LITLEN_BITS;
    for (unsigned bits = 1; bits < max; bits++) {
        longer -= (unsigned) code->count[bits] << (DEFLATE_MAX_BITS - bits);
        if (bits >= LITLEN_MIN_BITS && longer < FEW_LONG_CODES)
            return bits;
    }
    return max;
}

/* Sets the range of literals for each number of bits. Returns the fewest bits of a literal, or
 * `max` if there is no literal. */
static unsigned list_literals(struct literals *l, const struct inflate_code *code, unsigned max)
{
    unsigned next = 0, shortest = 0;

    for (unsigned bits = 1; bits <= max; bits++) {
        l->begin[bits] = (uint16_t) next;
        l->end[bits] = (uint16_t) (next + code->literals[bits]);
        if (!shortest && l->begin[bits] < l->end[bits])
            shortest = bits;
        next += code->count[bits];
    }
    return shortest ? shortest : max;
}

/* The table grows by one bit of index at a time. It is doubled, and then each word of that many
 * bits replaces the shorter word that it begins with. So entries that differ only in bits after
 * their words are copied in order, which is much faster than writing each. */
void isalk_inflate_litlen_table(uint32_t *table, const struct inflate_code *code,
                                unsigned *index_bits, uint32_t *match_share)
{
    struct literals l;
    struct followers f;
    size_t next = 0;
    uint32_t value = 0, share = 0;
    unsigned root = choose_index_bits(code, *index_bits);
    unsigned shortest = list_literals(&l, code, root);
    int pairs = *index_bits >= LITLEN_MIN_PAIR_BITS;

    memset(f.match_count, 0, sizeof f.match_count);
    table[0] = special(LITLEN_INVALID, 0, 0, 0);
    for (unsigned bits = 1; bits <= root; bits++, value <<= 1) {
        size_t end = next + code->count[bits];

        double_table(table, (size_t) 1 << (bits - 1));
        share += (uint32_t) (end - l.end[bits]) << (DEFLATE_MAX_BITS - bits);
        for (; next < l.end[bits]; next++) {
            uint32_t at = reverse(value++, bits), entry = bits | FIRST_LITERAL(code->symbols[next]);
            l.words[next] = WORD(at, entry);
            table[at] = entry;
        }
        for (; next < end; next++) {
            uint32_t at = reverse(value++, bits);
            table[at] = single(code->symbols[next], bits);
            add_match(&f, root, code->symbols[next], at, bits);
        }
        for (unsigned i = 0; i < f.match_count[bits]; i++)
            enter_word(table, f.match[bits][i]);
        if (pairs)
            share += enter_words(table, bits, &f, &l) << (DEFLATE_MAX_BITS - bits);
        if (pairs && bits <= root - shortest)
            list_followers(&f, bits, &l);
    }
    make_litlen_subtables(table, root, code, next, value);
    *index_bits = root;
    *match_share = share;
}

/* ---- Distances ---- */

static uint32_t distance_entry(unsigned symbol, unsigned bits, size_t allowed)
{
    if (symbol >= allowed)
        return DISTANCE_SPECIAL;
    return (uint32_t) deflate_distances[symbol].base << 16 | bits << 8 |
           (bits + deflate_distances[symbol].extra);
}

void isalk_inflate_distance_table(uint32_t *table, const struct inflate_code *code, size_t allowed)
{
    const uint16_t *symbol = code->symbols;
    uint32_t value = 0, sub = 0, sub_prefix = ~0u, end = 1u << DISTANCE_BITS;
    unsigned sub_bits = 0;

    table[0] = DISTANCE_SPECIAL; /* remains where the code is incomplete */
    for (unsigned bits = 1; bits <= DISTANCE_BITS; bits++, value <<= 1) {
        double_table(table, (size_t) 1 << (bits - 1));
        for (unsigned left = code->count[bits]; left > 0; left--)
            table[reverse(value++, bits)] = distance_entry(*symbol++, bits, allowed);
    }
    for (unsigned bits = DISTANCE_BITS + 1; bits <= DEFLATE_MAX_BITS; bits++, value <<= 1)
        for (unsigned left = code->count[bits]; left > 0; left--) {
            uint32_t reversed = reverse(value++, bits);
            uint32_t prefix = reversed & ((1u << DISTANCE_BITS) - 1);

            if (prefix != sub_prefix) {
                sub_prefix = prefix;
                sub_bits = subtable_bits(code->count, DISTANCE_BITS, bits, left);
                sub = end;
                end += 1u << sub_bits;
                table[prefix] = DISTANCE_SPECIAL | sub << 16 | sub_bits << 8;
            }
            fill(table + sub, sub_bits, reversed >> DISTANCE_BITS, bits - DISTANCE_BITS,
                 distance_entry(*symbol++, bits, allowed));
        }
}

void isalk_inflate_second_table(uint32_t *table, const struct inflate_code *code)
{
    const uint16_t *symbol = code->symbols;
    uint32_t value = 0;

    table[0] = 0; /* remains where there is no literal */
    for (unsigned bits = 1; bits <= DISTANCE_BITS; bits++, value <<= 1) {
        unsigned others = (unsigned) code->count[bits] - code->literals[bits];

        double_table(table, (size_t) 1 << (bits - 1));
        for (unsigned left = code->literals[bits]; left > 0; left--)
            table[reverse(value++, bits)] =
                (uint32_t) *symbol++ << 16 | SECOND_LITERAL | bits << 8 | bits;
        symbol += others;
        value += others;
    }
}

/* ---- Code lengths ---- */

static uint32_t precode_entry(unsigned symbol, unsigned bits)
{
    static const uint8_t extra[3] = {2, 3, 7}, min_repeat[3] = {3, 3, 11};
    unsigned i = symbol - 16;

    if (symbol < 16)
        return 1u << 24 | symbol << 8 | bits << 4 | bits;
    return (uint32_t) min_repeat[i] << 24 | (symbol == 16 ? PRECODE_REPEATS_LAST : 0) | bits << 4 |
           (bits + extra[i]);
}

void isalk_inflate_precode_table(uint32_t *table, const struct inflate_code *code)
{
    const uint16_t *symbol = code->symbols;
    uint32_t value = 0;

    table[0] = precode_entry(0, 1); /* remains where the code has no symbol */
    for (unsigned bits = 1; bits <= DEFLATE_PRECODE_MAX_BITS; bits++, value <<= 1) {
        double_table(table, (size_t) 1 << (bits - 1));
        for (unsigned left = code->count[bits]; left > 0; left--)
            table[reverse(value++, bits)] = precode_entry(*symbol++, bits);
    }
}
