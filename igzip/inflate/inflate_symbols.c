/* Decodes the symbols of a block, one at a time where the kernel stops.
 * SPDX-License-Identifier: BSD-3-Clause */

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

/* Copies a match; the output has `room` bytes left. */
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

/* Decodes the symbols of an entry that is not special, unless input or output might be too short.
 * Returns whether it did. */
static int decode_entry(struct inflate_run *r, const struct inflate_tables *t)
{
    uint32_t entry, literals, length, bits, code = 0, distance = 0;
    size_t room = (size_t) (r->out_end - r->out);

    need_bits(r, 48);
    entry = t->litlen[r->bits & r->litlen_mask];
    literals = entry >> 6 & 3;
    length = entry >> 24;
    bits = entry & 63;
    if (entry & LITLEN_SPECIAL || literals + length > room ||
        (size_t) (r->stop - r->out) < literals + 1)
        return 0;
    if (length) {
        code = t->distance[r->bits >> bits & ((1u << DISTANCE_BITS) - 1)];
        if (code & DISTANCE_SPECIAL)
            return 0;
        distance = (code >> 16) +
                   (uint32_t) ((r->bits >> bits & ((1ull << (code & 63)) - 1)) >> (code >> 8 & 63));
        if (distance > (size_t) (r->out - r->window) + literals)
            return 0;
        bits += code & 63;
    }
    if (bits > r->bit_count)
        return 0;
    consume_bits(r, bits);
    if (literals > 0)
        r->out[0] = (uint8_t) (entry >> 8);
    if (literals > 1)
        r->out[1] = (uint8_t) (entry >> 16);
    r->out += literals;
    if (length) {
        copy_match(r->out, distance, length, room - literals);
        r->last_distance = distance;
    }
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

/* Tables of the current block. */
static struct inflate_tables tables_of(const struct inflater *s)
{
    return s->block.is_fixed ? isalk_inflate_fixed
                             : (struct inflate_tables){s->litlen_table,
                                                       s->distance_table,
                                                       s->second_table,
                                                       &s->litlen_code,
                                                       distance_code_of((struct inflater *) s),
                                                       s->block.litlen_bits,
                                                       s->block.match_share};
}

unsigned isalk_inflate_complete_bits(const struct inflater *s, const struct inflate_run *r,
                                     int *in_distance)
{
    const struct inflate_tables t = tables_of(s);
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
    const struct inflate_tables t = tables_of(s);
    size_t allowed = s->block.is_fixed ? DEFLATE_DISTANCE_SYMBOLS : distance_symbols(s);
    int result;

    r->litlen = t.litlen;
    r->distance = t.distance;
    r->second = t.second;
    r->litlen_mask = ((uint64_t) 1 << t.litlen_bits) - 1;
    r->match_share = t.match_share;
    do {
        if (r->in_end - r->in >= INFLATE_IN_MARGIN && r->out < r->stop &&
            r->out_end - r->out > INFLATE_OUT_MARGIN && kernel(r))
            return STOP_END;
        if (r->out >= r->stop && r->resumes)
            return STOP_OUTPUT;
        result = r->out < r->stop && decode_entry(r, &t) ? 0 : decode_one(r, &t, allowed);
    } while (result == 0);
    return result;
}

int isalk_inflate_block_exactly(struct inflater *s, struct inflate_run *r)
{
    const struct inflate_tables t = tables_of(s);
    size_t allowed = s->block.is_fixed ? DEFLATE_DISTANCE_SYMBOLS : distance_symbols(s);
    int result;

    r->litlen_mask = ((uint64_t) 1 << t.litlen_bits) - 1;
    do {
        if (r->out >= r->stop)
            return STOP_OUTPUT;
        result = decode_entry(r, &t) ? 0 : decode_one(r, &t, allowed);
    } while (result == 0);
    return result;
}
