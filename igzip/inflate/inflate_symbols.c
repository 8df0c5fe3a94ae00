/* Decodes the symbols of a block where the kernel stops: near the ends of input and output. It uses
 * the same tables, and decodes one symbol at a time where these cannot decide.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/decoder.h"
#include "igzip/inflate/inflate_state.h"

/* Finds the symbol at bit `from` of the bit buffer, in a canonical code (RFC 1951, 3.2.2). Returns
 * the number of its bits, 0 if the buffer has too few, or a negative error. */
static int next_symbol(const struct inflate_run *r, const struct inflate_code *code, unsigned from,
                       unsigned *symbol)
{
    uint32_t value = 0, first = 0, index = 0;

    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++) {
        uint32_t n = code->count[bits];

        if (from + bits > r->bit_count)
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

/* Reads the extra bits of a length or distance, whose code is at bit `at`. Returns the number of
 * bits of both, or 0 if the buffer has too few. */
static int next_value(const struct inflate_run *r, unsigned at, int code_bits, unsigned base,
                      unsigned extra, uint32_t *value)
{
    at += (unsigned) code_bits;
    if (at + extra > r->bit_count)
        return 0;
    *value = base + (uint32_t) (r->bits >> at & ((1u << extra) - 1));
    return code_bits + (int) extra;
}

/* Decodes one literal, match or end of block completely, or consumes nothing. Returns 0, an
 * inflate_stop, or an error. */
static int decode_one(struct inflate_run *r, const struct inflate_tables *t, size_t allowed)
{
    unsigned symbol;
    uint32_t length, distance;
    int bits, distance_bits;

    /* The longest match has 48 bits. */
    need_bits(r, 48);
    r->complete_bits = 0;
    bits = next_symbol(r, t->litlen_code, 0, &symbol);
    if (bits <= 0)
        return bits ? bits : STOP_INPUT;
    if (symbol == DEFLATE_END_OF_BLOCK) {
        consume_bits(r, (unsigned) bits);
        return STOP_END;
    }
    if (symbol >= DEFLATE_LITLEN_SYMBOLS)
        return ISAL_INVALID_SYMBOL;
    if (symbol < DEFLATE_END_OF_BLOCK) {
        if (r->out >= r->stop)
            return STOP_OUTPUT;
        consume_bits(r, (unsigned) bits);
        *r->out++ = (uint8_t) symbol;
        return 0;
    }
    symbol -= DEFLATE_FIRST_LENGTH;
    r->complete_bits = (uint32_t) bits;
    bits = next_value(r, 0, bits, deflate_lengths[symbol].base, deflate_lengths[symbol].extra,
                      &length);
    if (bits == 0)
        return STOP_INPUT;
    r->complete_bits = (uint32_t) bits;
    distance_bits = next_symbol(r, t->distance_code, (unsigned) bits, &symbol);
    if (distance_bits <= 0)
        return distance_bits ? distance_bits : STOP_INPUT;
    if (symbol >= allowed)
        return ISAL_INVALID_SYMBOL;
    r->complete_bits = (uint32_t) (bits + distance_bits);
    distance_bits = next_value(r, (unsigned) bits, distance_bits, deflate_distances[symbol].base,
                               deflate_distances[symbol].extra, &distance);
    if (distance_bits == 0)
        return STOP_INPUT;
    if (distance > (size_t) (r->out - r->window))
        return ISAL_INVALID_LOOKBACK;
    if (r->out >= r->stop || length > (size_t) (r->out_end - r->out))
        return STOP_OUTPUT;
    consume_bits(r, (unsigned) (bits + distance_bits));
    copy_match(r->out, distance, length, (size_t) (r->out_end - r->out));
    r->last_distance = distance;
    r->out += length;
    return 0;
}

/* ---- With tables ---- */

/* Decodes all symbols of `entry`, the entry of the next bits. Refuses them all if one might be
 * incomplete or invalid, or if they exceed the output: symbols begin before `stop`. */
ISALK_INLINE enum entry_result decode_entry(struct decoder *d, uint32_t entry, const uint8_t *stop)
{
    uint32_t literals = 0, length = 0, bytes = entry >> 8, distance = 0;
    struct decoder next = *d;

    if (entry & LITLEN_SPECIAL) {
        if (kind_of(entry) == LITLEN_SUBTABLE)
            entry = litlen_subtable_entry(d, entry);
        if ((entry & 63) > d->bit_count)
            return ENTRY_REFUSED;
        switch (kind_of(entry)) {
        case LITLEN_LENGTH:
            length = special_length(d, entry);
            break;
        case LITLEN_LITERAL:
            literals = 1;
            bytes = entry >> 12;
            break;
        case LITLEN_END:
            consume(d, entry & 63);
            return ENTRY_END;
        default:
            return ENTRY_REFUSED;
        }
    } else {
        literals = entry >> 6 & 3;
        length = entry >> 24;
    }
    consume(&next, entry & 63);
    if (length > 0) {
        entry = distance_entry(&next);
        if (!complete_distance(&next, &entry))
            return ENTRY_REFUSED;
        distance = distance_of(&next, entry);
        consume(&next, entry & 63);
    }
    if ((int64_t) next.bit_count < 0 || stop - d->out < (ptrdiff_t) literals + (length > 0) ||
        d->out_end - d->out < (ptrdiff_t) (literals + length) ||
        d->out - d->window + (ptrdiff_t) literals < (ptrdiff_t) distance)
        return ENTRY_REFUSED;
    if (literals > 0)
        d->out[0] = (uint8_t) bytes;
    if (literals > 1)
        d->out[1] = (uint8_t) (bytes >> 8);
    next.out += literals;
    if (length > 0) {
        copy_match(next.out, distance, length, (size_t) (next.out_end - next.out));
        next.last_distance = distance;
    }
    next.out += length;
    *d = next;
    return ENTRY_DECODED;
}

/* Decodes symbols with the tables until the end of the block, an entry that decode_entry() refuses,
 * or, if `exactly` is set, until the output has reached r->stop. Returns whether the block has
 * ended. */
static int decode_entries(struct inflate_run *r, int exactly)
{
    struct decoder d = load_decoder(r);
    const uint8_t *in_end = r->in_end, *stop = r->stop;
    enum entry_result result = ENTRY_DECODED;

    while (result == ENTRY_DECODED && !(exactly && d.out >= stop)) {
        uint32_t entry;

        refill_before(&d, in_end);
        entry = litlen_entry(&d);
        if (entry < LITLEN_HAS_LENGTH && (entry & 63) <= d.bit_count && stop - d.out >= 2)
            emit_literals(&d, entry);
        else
            result = decode_entry(&d, entry, stop);
    }
    store_decoder(&d, r);
    return result == ENTRY_END;
}

/* ---- All symbols of a block ---- */

int isalk_inflate_symbols(struct inflate_run *r, const struct inflate_tables *t, size_t allowed)
{
    int result;

    do
        result = decode_one(r, t, allowed);
    while (result == 0);
    return result;
}

static void set_tables(struct inflate_run *r, const struct inflate_tables *t)
{
    r->litlen = t->litlen;
    r->distance = t->distance;
    r->second = t->second;
    r->litlen_mask = ((uint64_t) 1 << t->litlen_bits) - 1;
    r->match_share = t->match_share;
}

unsigned isalk_inflate_complete_bits(const struct inflater *s, const struct inflate_run *r,
                                     int *in_distance)
{
    const struct inflate_tables t = inflate_tables_of(s);
    unsigned symbol, n;
    int bits = next_symbol(r, t.litlen_code, 0, &symbol);

    *in_distance = 0;
    if (bits < 0)
        return 1; /* the only code of an incomplete set has one bit */
    n = (unsigned) bits;
    if (bits == 0 || symbol <= DEFLATE_END_OF_BLOCK || symbol >= DEFLATE_LITLEN_SYMBOLS)
        return n;
    symbol -= DEFLATE_FIRST_LENGTH;
    if (n + deflate_lengths[symbol].extra > r->bit_count)
        return n;
    n += deflate_lengths[symbol].extra;
    *in_distance = 1;
    bits = next_symbol(r, t.distance_code, n, &symbol);
    if (bits < 0)
        return n + 1;
    n += (unsigned) bits;
    if (bits == 0 || symbol >= DEFLATE_DISTANCE_SYMBOLS ||
        n + deflate_distances[symbol].extra > r->bit_count)
        return n;
    return n + deflate_distances[symbol].extra;
}

int isalk_inflate_block(struct inflater *s, struct inflate_run *r)
{
    inflate_fn *kernel = KERNEL_CALL(isalk_inflate_slot);
    const struct inflate_tables t = inflate_tables_of(s);
    size_t allowed = s->block.is_fixed ? DEFLATE_DISTANCE_SYMBOLS : distance_symbols(s);
    int result;

    set_tables(r, &t);
    do {
        if (r->in_end - r->in >= INFLATE_IN_MARGIN && r->out < r->stop &&
            r->out_end - r->out > INFLATE_OUT_MARGIN && kernel(r))
            return STOP_END;
        if (decode_entries(r, r->resumes))
            return STOP_END;
        if (r->out >= r->stop && r->resumes)
            return STOP_OUTPUT;
        result = decode_one(r, &t, allowed);
    } while (result == 0);
    return result;
}

int isalk_inflate_block_exactly(struct inflater *s, struct inflate_run *r)
{
    const struct inflate_tables t = inflate_tables_of(s);
    size_t allowed = s->block.is_fixed ? DEFLATE_DISTANCE_SYMBOLS : distance_symbols(s);
    int result;

    set_tables(r, &t);
    do {
        if (decode_entries(r, 1))
            return STOP_END;
        if (r->out >= r->stop)
            return STOP_OUTPUT;
        result = decode_one(r, &t, allowed);
    } while (result == 0);
    return result;
}
