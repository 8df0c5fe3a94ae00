/* Decompression of blocks: their headers, and symbols one at a time where the kernel stops.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_state.h"

#include <string.h>

/* ---- Memory in struct inflate_state ---- */

_Static_assert((LITLEN_ENTRIES + DISTANCE_ENTRIES + SECOND_ENTRIES) * sizeof(uint32_t) +
                       CODE_BYTES(DEFLATE_FIXED_LITLENS) + CODE_BYTES(DEFLATE_FIXED_DISTANCES) <=
                   sizeof(struct inflate_huff_code_large) + sizeof(struct inflate_huff_code_small),
               "the tables and codes are in lit_huff_code and dist_huff_code");
_Static_assert(offsetof(struct inflate_state, dist_huff_code) ==
                   offsetof(struct inflate_state, lit_huff_code) +
                       sizeof(struct inflate_huff_code_large),
               "which are one stretch of memory");

static uint32_t *tables(struct inflate_state *state)
{
    return (uint32_t *) (void *) ((uint8_t *) state +
                                  offsetof(struct inflate_state, lit_huff_code));
}

static uint32_t *distance_table(struct inflate_state *state)
{
    return tables(state) + LITLEN_ENTRIES;
}

static uint32_t *second_table(struct inflate_state *state)
{
    return distance_table(state) + DISTANCE_ENTRIES;
}

static struct inflate_code *litlen_code(struct inflate_state *state)
{
    return (struct inflate_code *) (void *) (second_table(state) + SECOND_ENTRIES);
}

static struct inflate_code *distance_code(struct inflate_state *state)
{
    return (struct inflate_code *) (void *) ((uint8_t *) litlen_code(state) +
                                             CODE_BYTES(DEFLATE_FIXED_LITLENS));
}

/* Numbers that reading a dynamic header keeps between calls. */
#define LITLENS(state) (state)->write_overflow_lits
#define DISTANCES(state) (state)->write_overflow_len
#define PRECODES(state) (state)->copy_overflow_length
#define LENGTHS_READ(state) (state)->copy_overflow_distance
/* While a coded block is read: whether it has the fixed code, and inflate_tables.matches. */
#define IS_FIXED(state) (state)->write_overflow_lits
#define MATCHES(state) (state)->copy_overflow_length
#define LITLEN_INDEX(state) (state)->write_overflow_len

#define LENGTHS_AT_ONCE SYMBOLS_AT_ONCE
#define MOST_LENGTHS (DEFLATE_LITLEN_SYMBOLS + DEFLATE_DISTANCE_SYMBOLS)
_Static_assert(MOST_LENGTHS + LENGTHS_AT_ONCE <=
                   sizeof(((struct inflate_state *) 0)->tmp_in_buffer),
               "code lengths are in tmp_in_buffer");

/* ---- Headers ---- */

/* Steps of ISAL_BLOCK_HDR, in tmp_in_size. */
enum header_step { STEP_STORED, STEP_COUNTS, STEP_PRECODE, STEP_LENGTHS, STEP_BAD };

static int stored_header(struct inflate_state *state, struct inflate_run *r)
{
    uint32_t length, complement;

    if (!inflate_need(r, 32))
        return STOP_INPUT;
    length = inflate_take(r, 16);
    complement = inflate_take(r, 16);
    if (length != (complement ^ 0xffff))
        return ISAL_INVALID_BLOCK;
    state->type0_block_len = (int32_t) length;
    state->block_state = ISAL_BLOCK_TYPE0;
    return 0;
}

/* From the code lengths in tmp_in_buffer; only a complete code of two symbols or more will do. */
static int make_precode(struct inflate_state *state)
{
    struct inflate_sorted sorted;
    struct inflate_code *code = litlen_code(state);

    isalk_inflate_sort(&sorted, state->tmp_in_buffer, DEFLATE_PRECODE_SYMBOLS);
    if (isalk_inflate_code(code, &sorted, state->tmp_in_buffer, 0, DEFLATE_PRECODE_SYMBOLS) ||
        code->count[0] <= 1)
        return ISAL_INVALID_BLOCK;
    isalk_inflate_precode_table(tables(state), code);
    return 0;
}

/* Reads code lengths, run-length coded, until there are enough of both codes. They are 0 so far from
 * LENGTHS_READ on. */
static int read_lengths(struct inflate_state *state, struct inflate_run *r,
                        struct inflate_sorted *sorted)
{
    enum { NO_LENGTH = DEFLATE_MAX_BITS + 1 };
    const uint32_t *table = tables(state);
    uint8_t *lengths = state->tmp_in_buffer;
    uint32_t n = (uint32_t) LENGTHS_READ(state), last = n ? lengths[n - 1] : NO_LENGTH;
    const uint32_t all = (uint32_t) (LITLENS(state) + DISTANCES(state));
    int result = 0;

    isalk_inflate_sort(sorted, lengths, n);
    while (n < all && result == 0) {
        uint64_t bits, count;

        /* A symbol takes 14 bits at most. */
        inflate_need(r, 2 * DEFLATE_PRECODE_MAX_BITS);
        bits = r->bits;
        count = r->count;
        do {
            uint32_t entry = table[bits & ((1u << DEFLATE_PRECODE_MAX_BITS) - 1)], repeat;

            if ((entry & 15) > count) {
                result = STOP_INPUT;
                break;
            }
            repeat = (entry >> 24) +
                     (uint32_t) ((bits & ((1u << (entry & 15)) - 1)) >> (entry >> 4 & 15));
            last = (entry >> 8 & 15) | (last & (0 - (entry >> 16 & 1)));
            if (repeat > all - n || last == NO_LENGTH)
                return ISAL_INVALID_BLOCK;
            bits >>= entry & 15;
            count -= entry & 15;
            /* There is room for a few more. All that repeat more often are 0, as the memory is. */
            memset(lengths + n, (int) last, LENGTHS_AT_ONCE);
            inflate_sort(sorted, last, n, repeat);
            n += repeat;
        } while (n < all && count >= 2 * DEFLATE_PRECODE_MAX_BITS);
        r->bits = bits;
        r->count = count;
    }
    LENGTHS_READ(state) = (int32_t) n;
    return result;
}

/* Bits to index the table of literals and lengths: fewer for the one block of a short stream. */
static unsigned index_bits(const struct inflate_state *state, const struct inflate_run *r)
{
    size_t left = (size_t) (r->in_end - r->in);

    if (!state->bfinal || left >= 4096)
        return LITLEN_BITS;
    return left < 384 ? LITLEN_BITS - 3 : left < 1024 ? LITLEN_BITS - 2 : LITLEN_BITS - 1;
}

static int make_tables(struct inflate_state *state, const struct inflate_run *r,
                       struct inflate_sorted *sorted)
{
    uint32_t matches;
    size_t litlens = (size_t) LITLENS(state), distances = (size_t) DISTANCES(state);
    const uint8_t *lengths = state->tmp_in_buffer;
    unsigned root = index_bits(state, r);
    size_t allowed = DEFLATE_DISTANCE_SYMBOLS;

    /* Two distance symbols for each bit of the window. */
    if (state->hist_bits > 0 && state->hist_bits < ISAL_DEF_MAX_HIST_BITS)
        allowed = 2 * (size_t) state->hist_bits;
    if (lengths[DEFLATE_END_OF_BLOCK] == 0 ||
        isalk_inflate_code(distance_code(state), sorted, lengths, litlens, litlens + distances) ||
        isalk_inflate_code(litlen_code(state), sorted, lengths, 0, litlens))
        return ISAL_INVALID_BLOCK;
    isalk_inflate_litlen_table(tables(state), litlen_code(state), &root, &matches);
    isalk_inflate_distance_table(distance_table(state), distance_code(state), allowed);
    if (matches >= INFLATE_MATCHES_FEW)
        isalk_inflate_second_table(second_table(state), litlen_code(state));
    IS_FIXED(state) = 0;
    MATCHES(state) = (int32_t) matches;
    LITLEN_INDEX(state) = (int32_t) root;
    state->block_state = ISAL_BLOCK_CODED;
    return 0;
}

static int block_header(struct inflate_state *state, struct inflate_run *r)
{
    struct inflate_sorted sorted;
    int result;

    if (state->block_state == ISAL_BLOCK_NEW_HDR) {
        if (!inflate_need(r, 3))
            return STOP_INPUT;
        state->bfinal = inflate_take(r, 1);
        state->block_state = ISAL_BLOCK_HDR;
        switch (inflate_take(r, 2)) {
        case DEFLATE_FIXED:
            IS_FIXED(state) = 1;
            state->block_state = ISAL_BLOCK_CODED;
            return 0;
        case DEFLATE_STORED:
            inflate_take(r, r->count & 7);
            state->tmp_in_size = STEP_STORED;
            break;
        case DEFLATE_DYNAMIC:
            state->tmp_in_size = STEP_COUNTS;
            break;
        default:
            return ISAL_INVALID_BLOCK;
        }
    }
    switch (state->tmp_in_size) {
    case STEP_STORED:
        return stored_header(state, r);
    case STEP_COUNTS:
        if (!inflate_need(r, 14))
            return STOP_INPUT;
        if ((r->bits & 31) + 257 > DEFLATE_LITLEN_SYMBOLS ||
            (r->bits >> 5 & 31) + 1 > DEFLATE_DISTANCE_SYMBOLS)
            return ISAL_INVALID_BLOCK;
        LITLENS(state) = (int32_t) inflate_take(r, 5) + 257;
        DISTANCES(state) = (int32_t) inflate_take(r, 5) + 1;
        PRECODES(state) = (int32_t) inflate_take(r, 4) + 4;
        LENGTHS_READ(state) = 0;
        memset(state->tmp_in_buffer, 0, DEFLATE_PRECODE_SYMBOLS);
        state->tmp_in_size = STEP_PRECODE;
        /* fall through */
    case STEP_PRECODE:
        while (LENGTHS_READ(state) < PRECODES(state)) {
            if (!inflate_need(r, 3))
                return STOP_INPUT;
            state->tmp_in_buffer[deflate_precode_order[LENGTHS_READ(state)++]] =
                (uint8_t) inflate_take(r, 3);
        }
        result = make_precode(state);
        if (result)
            return result;
        LENGTHS_READ(state) = 0;
        memset(state->tmp_in_buffer, 0, MOST_LENGTHS);
        state->tmp_in_size = STEP_LENGTHS;
        /* fall through */
    case STEP_LENGTHS:
        result = read_lengths(state, r, &sorted);
        return result ? result : make_tables(state, r, &sorted);
    default:
        return ISAL_INVALID_BLOCK;
    }
}

int isalk_inflate_block_header(struct inflate_state *state, struct inflate_run *r)
{
    int result = block_header(state, r);

    if (result < 0)
        state->tmp_in_size = STEP_BAD; /* it is not read on from the middle in another call */
    return result;
}

/* ---- Symbols one at a time ---- */

/* The next symbol of a canonical code, from bit `from` on (RFC 1951, 3.2.2). Returns its bits, 0 if
 * the bits that are there are not enough, or a negative error. */
static int next_symbol(const struct inflate_run *r, const struct inflate_code *code, unsigned from,
                       unsigned *symbol)
{
    uint32_t value = 0, first = 0, index = 0;

    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++) {
        uint32_t n = code->count[bits];

        if (from + bits > r->count)
            return 0;
        value |= (uint32_t) (r->bits >> (from + bits - 1) & 1);
        if (value < first + n) {
            *symbol = code->symbols[index + value - first];
            return (int) bits;
        }
        index += n;
        if (index == code->count[0]) /* the code is incomplete */
            break;
        first = (first + n) << 1;
        value <<= 1;
    }
    return ISAL_INVALID_SYMBOL;
}

/* A length or distance, with its extra bits. Returns as next_symbol() does. */
static int next_value(const struct inflate_run *r, unsigned at, int code_bits, unsigned base,
                      unsigned extra, uint32_t *value)
{
    at += (unsigned) code_bits;
    if (at + extra > r->count)
        return 0;
    *value = base + (uint32_t) (r->bits >> at & ((1u << extra) - 1));
    return code_bits + (int) extra;
}

/* Copies a match; `room` is there from `out` on. */
static void copy_match(uint8_t *out, size_t distance, size_t length, size_t room)
{
    const uint8_t *from = out - distance;

    if (distance == 1) {
        memset(out, *from, length);
    } else if (distance >= 8 && room >= length + 8) {
        for (uint8_t *end = out + length; out < end; out += 8, from += 8) {
            uint8_t bytes[8];
            memcpy(bytes, from, 8);
            memcpy(out, bytes, 8);
        }
    } else {
        for (; length > 0; length--)
            *out++ = *from++;
    }
}

/* Decodes one symbol, or a length with its distance: all of it or nothing. */
static int decode_one(struct inflate_run *r, const struct inflate_tables *t, size_t allowed)
{
    unsigned symbol;
    uint32_t length, distance;
    int bits, more;

    /* The longest match takes 48 bits. */
    inflate_need(r, 48);
    bits = next_symbol(r, t->litlen_code, 0, &symbol);
    if (bits <= 0)
        return bits ? bits : STOP_INPUT;
    if (symbol == DEFLATE_END_OF_BLOCK) {
        inflate_take(r, (unsigned) bits);
        return STOP_END;
    }
    if (symbol >= DEFLATE_LITLEN_SYMBOLS)
        return ISAL_INVALID_SYMBOL;
    if (symbol < DEFLATE_END_OF_BLOCK) {
        if (r->out >= r->stop)
            return STOP_OUTPUT;
        inflate_take(r, (unsigned) bits);
        *r->out++ = (uint8_t) symbol;
        return 0;
    }
    symbol -= DEFLATE_FIRST_LENGTH;
    bits = next_value(r, 0, bits, deflate_lengths[symbol].base, deflate_lengths[symbol].extra,
                      &length);
    if (bits == 0)
        return STOP_INPUT;
    more = next_symbol(r, t->distance_code, (unsigned) bits, &symbol);
    if (more <= 0)
        return more ? more : STOP_INPUT;
    if (symbol >= allowed)
        return ISAL_INVALID_SYMBOL;
    more = next_value(r, (unsigned) bits, more, deflate_distances[symbol].base,
                      deflate_distances[symbol].extra, &distance);
    if (more == 0)
        return STOP_INPUT;
    if (distance > (size_t) (r->out - r->window))
        return ISAL_INVALID_LOOKBACK;
    if (r->out >= r->stop || length > (size_t) (r->out_end - r->out))
        return STOP_OUTPUT;
    inflate_take(r, (unsigned) (bits + more));
    copy_match(r->out, distance, length, (size_t) (r->out_end - r->out));
    r->out += length;
    return 0;
}

/* Decodes what an entry of the first form stands for, if input and output certainly allow all of
 * it. Returns whether it did. */
static int decode_entry(struct inflate_run *r, const struct inflate_tables *t)
{
    uint32_t entry, literals, length, taken, code = 0, distance = 0;
    size_t room = (size_t) (r->out_end - r->out);

    inflate_need(r, 48);
    entry = t->litlen[r->bits & r->litlen_mask];
    literals = entry >> 6 & 3;
    length = entry >> 24;
    taken = entry & 63;
    if (entry & LITLEN_SPECIAL || literals + length > room ||
        (size_t) (r->stop - r->out) < literals + 1)
        return 0;
    if (length) {
        code = t->distance[r->bits >> taken & ((1u << DISTANCE_BITS) - 1)];
        if (code & DISTANCE_SPECIAL)
            return 0;
        distance = (code >> 16) + (uint32_t) ((r->bits >> taken & ((1ull << (code & 63)) - 1)) >>
                                              (code >> 8 & 63));
        if (distance > (size_t) (r->out - r->window) + literals)
            return 0;
        taken += code & 63;
    }
    if (taken > r->count)
        return 0;
    inflate_take(r, taken);
    if (literals > 0)
        r->out[0] = (uint8_t) (entry >> 8);
    if (literals > 1)
        r->out[1] = (uint8_t) (entry >> 16);
    r->out += literals;
    if (length)
        copy_match(r->out, distance, length, room - literals);
    r->out += length;
    return 1;
}

int isalk_inflate_symbols(struct inflate_run *r, const struct inflate_tables *t, size_t allowed)
{
    int result;

    do
        result = decode_one(r, t, allowed);
    while (result == 0);
    return result;
}

int isalk_inflate_block(struct inflate_state *state, struct inflate_run *r)
{
    inflate_fn *kernel = KERNEL_CALL(isalk_inflate_slot);
    struct inflate_tables own, *t = &own;
    size_t allowed = DEFLATE_DISTANCE_SYMBOLS;
    int result;

    if (IS_FIXED(state)) {
        own = isalk_inflate_fixed;
    } else {
        own = (struct inflate_tables){
            tables(state),
            distance_table(state),
            second_table(state),
            litlen_code(state),
            distance_code(state),
            (uint32_t) LITLEN_INDEX(state),
            (uint32_t) MATCHES(state),
        };
        if (state->hist_bits > 0 && state->hist_bits < ISAL_DEF_MAX_HIST_BITS)
            allowed = 2 * (size_t) state->hist_bits;
    }
    r->litlen = t->litlen;
    r->distance = t->distance;
    r->second = t->second;
    r->litlen_mask = ((uint64_t) 1 << t->litlen_bits) - 1;
    r->matches = t->matches;
    do {
        if (r->in_end - r->in >= INFLATE_IN_MARGIN && r->out < r->stop &&
            r->out_end - r->out > INFLATE_OUT_MARGIN && kernel(r))
            return STOP_END;
        if (r->out >= r->stop && r->paused)
            return STOP_OUTPUT;
        result = r->out < r->stop && decode_entry(r, t) ? 0 : decode_one(r, t, allowed);
    } while (result == 0);
    return result;
}
