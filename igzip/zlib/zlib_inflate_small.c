/* Calls of inflate() with a few bytes of input, or room for a few bytes of output, within a block.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Here, one symbol at a time is decoded into the window, and nothing is set up for a kernel.
 * Whatever else a call may meet, such as the end of the block or an invalid symbol, is left to the
 * general function, which continues the call. */

#include "igzip/zlib/zlib_inflate.h"

#include "igzip/inflate/decoder.h"

enum { LITERAL_9_BITS = 144 }; /* the first literal of the fixed code that has 9 bits */

enum small_result { SMALL_DECODED, SMALL_INPUT, SMALL_OTHER };

/* Bits of a literal's code in the current block. */
static unsigned literal_bits(const struct inflater *s, unsigned literal)
{
    if (s->block.is_fixed)
        return literal < LITERAL_9_BITS ? 8 : 9;
    return s->code_lengths[literal];
}

/* Bits of the code of a length in an entry that is not special. */
static unsigned length_code_bits(uint32_t entry)
{
    unsigned length = entry >> 24, extra = 0;

    /* Each length from 3 to 10 has a code of its own. Beyond, four codes share each number of extra
     * bits (RFC 1951, 3.2.5). */
    if (length > 10)
        extra = 29 - (unsigned) __builtin_clz(length - DEFLATE_MIN_MATCH);
    return (entry & 63) - extra;
}

/* Bits of a symbol in which the input ends. */
struct incomplete {
    uint32_t complete_bits; /* of its complete parts */
    uint32_t wanted_bits;   /* with fewer, no more parts are complete; 0: unknown */
};

/* Decodes the rest of a match, whose length has `length_bits` bits. */
static enum small_result decode_distance(struct decoder *d, uint32_t length, unsigned length_bits,
                                         struct incomplete *rest)
{
    struct decoder next = *d;
    uint32_t entry, distance;

    *rest = (struct incomplete){length_bits, 0};
    consume(&next, length_bits);
    entry = distance_entry(&next);
    if (!complete_distance(&next, &entry))
        return SMALL_OTHER;
    if ((entry >> 8 & 63) > next.bit_count)
        return SMALL_INPUT;
    *rest = (struct incomplete){length_bits + (entry >> 8 & 63), length_bits + (entry & 63)};
    if ((entry & 63) > next.bit_count)
        return SMALL_INPUT;
    distance = distance_of(&next, entry);
    consume(&next, entry & 63);
    if (distance > (size_t) (next.out - next.window))
        return SMALL_OTHER;
    copy_match(next.out, distance, length, (size_t) (next.out_end - next.out));
    next.out += length;
    *d = next;
    return SMALL_DECODED;
}

/* Decodes the first literal or match of `entry`. The bits after bit_count are 0 or those that
 * follow, so that the entry is that of the next symbol if the bit buffer has all its bits. */
static enum small_result decode_first(struct decoder *d, const struct inflater *s, uint32_t entry,
                                      struct incomplete *rest)
{
    unsigned bits, code_bits, byte = entry >> 8 & 0xff;
    uint32_t length;

    *rest = (struct incomplete){0, 0};
    if (!(entry & LITLEN_SPECIAL)) {
        length = entry >> 6 & 3 ? 0 : entry >> 24;
        bits = length > 0 ? entry & 63 : literal_bits(s, byte);
        code_bits = length > 0 ? length_code_bits(entry) : bits;
    } else {
        if (kind_of(entry) == LITLEN_SUBTABLE)
            entry = litlen_subtable_entry(d, entry);
        if (kind_of(entry) != LITLEN_LENGTH && kind_of(entry) != LITLEN_LITERAL)
            return (entry & 63) > d->bit_count && kind_of(entry) == LITLEN_END ? SMALL_INPUT
                                                                               : SMALL_OTHER;
        byte = entry >> 12 & 0xff;
        bits = entry & 63;
        code_bits = kind_of(entry) == LITLEN_LENGTH ? entry >> 8 & 15 : bits;
        length = kind_of(entry) == LITLEN_LENGTH ? special_length(d, entry) : 0;
    }
    if (bits > d->bit_count) {
        if (code_bits <= d->bit_count)
            *rest = (struct incomplete){code_bits, bits};
        return SMALL_INPUT;
    }
    if (length > 0)
        return decode_distance(d, length, bits, rest);
    *d->out++ = (uint8_t) byte;
    consume(d, bits);
    return SMALL_DECODED;
}

/* Decodes symbols until the output has passed `last`. */
static enum small_result decode_few(struct decoder *d, const struct inflater *s,
                                    const uint8_t *in_end, const uint8_t *last,
                                    struct incomplete *rest)
{
    enum small_result result = SMALL_DECODED;

    while (d->out <= last && result == SMALL_DECODED) {
        uint32_t entry;

        refill_before(d, in_end);
        entry = litlen_entry(d);
        if (entry < LITLEN_HAS_LENGTH && (entry & 63) <= d->bit_count && last - d->out >= 2)
            emit_literals(d, entry);
        else
            result = decode_first(d, s, entry, rest);
    }
    return result;
}

/* Appends input to an incomplete symbol, which remains incomplete with the same complete parts. */
static void append_input(z_stream *strm, struct inflate_stream *t)
{
    for (; strm->avail_in > 0; strm->avail_in--, strm->total_in++) {
        t->s.bits |= (uint64_t) *strm->next_in++ << t->s.bit_count;
        t->s.bit_count += 8;
    }
    strm->data_type = inflate_data_type(t);
}

/* Copies bytes of a stored block, except for the last. Returns whether input or room has ended. */
static int copy_stored(z_stream *strm, struct inflate_stream *t)
{
    size_t n = strm->avail_in < strm->avail_out ? strm->avail_in : strm->avail_out;
    size_t room = window_full(t) - t->window_end;

    if (t->window_end > t->window_delivered || t->s.bit_count > 0 || t->s.stored_bytes <= n ||
        room < n)
        return 0;
    if (n > 0)
        memcpy(t->window + t->window_end, strm->next_in, n);
    t->window_end += (uint32_t) n;
    t->s.stored_bytes -= (uint32_t) n;
    strm->next_in += n;
    strm->avail_in -= (unsigned) n;
    strm->total_in += n;
    isalk_zlib_deliver(strm, t);
    strm->data_type = inflate_data_type(t);
    return 1;
}

/* As isalk_zlib_inflate_small(). */
static int decode_call(z_stream *strm, struct inflate_stream *t)
{
    const uint8_t *in = strm->next_in, *in_end = strm->avail_in > 0 ? in + strm->avail_in : in;
    const struct inflate_tables tables = inflate_tables_of(&t->s);
    size_t room = strm->avail_out, ahead = window_full(t) - 1 - t->window_delivered;
    const uint8_t *last = t->window + t->window_delivered + (room < ahead ? room : ahead);
    struct decoder d = {
        .in = in,
        .window = t->window,
        .out = t->window + t->window_end,
        .out_end = t->window + window_full(t) + WINDOW_MARGIN,
        .bits = t->s.bits,
        .bit_count = t->s.bit_count,
        .litlen_mask = ((uint64_t) 1 << tables.litlen_bits) - 1,
        .litlen = tables.litlen,
        .distance = tables.distance,
    };
    struct incomplete rest = {0, 0};
    enum small_result result = decode_few(&d, &t->s, in_end, last, &rest);

    t->symbol_bits = result == SMALL_INPUT ? rest.complete_bits : 0;
    t->wanted_bits = result == SMALL_INPUT ? rest.wanted_bits : 0;
    if (result != SMALL_INPUT) {
        size_t unread = (size_t) (d.bit_count / 8), consumed = (size_t) (d.in - in);

        unread = unread < consumed ? unread : consumed;
        d.in -= unread;
        d.bit_count -= 8 * unread;
    }
    t->s.bits = d.bits & (((uint64_t) 1 << d.bit_count) - 1);
    t->s.bit_count = (uint32_t) d.bit_count;
    t->window_end = (uint32_t) (d.out - t->window);
    strm->avail_in -= (unsigned) (d.in - in);
    strm->total_in += (unsigned long) (d.in - in);
    strm->next_in = d.in;
    isalk_zlib_deliver(strm, t);
    strm->data_type = inflate_data_type(t);
    return result == SMALL_INPUT || t->window_end > t->window_delivered;
}

int isalk_zlib_inflate_small(z_stream *strm, struct inflate_stream *t)
{
    if (t->s.block_state == ISAL_BLOCK_TYPE0)
        return copy_stored(strm, t);
    if (t->s.bit_count + 8 * (uint64_t) strm->avail_in < t->wanted_bits) {
        append_input(strm, t);
        return 1;
    }
    return decode_call(strm, t);
}
