/* The kernel that decodes the symbols of a block, in C.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_kernels.h"

/* ---- Matches ---- */

/* Reads all 16 bytes before it writes any. */
static inline void copy16(uint8_t *to, const uint8_t *from)
{
    uint8_t bytes[16];

    memcpy(bytes, from, 16);
    memcpy(to, bytes, 16);
}

/* Copies a match longer than 16 bytes or than its distance. Writes up to 15 bytes after it. */
static inline void copy_long_match(uint8_t *out, uint32_t distance, uint32_t length)
{
    const uint8_t *from = out - distance;
    uint8_t *end = out + length;

    if (distance >= 16) {
        do {
            copy16(out, from);
            out += 16;
            from += 16;
        } while (out < end);
    } else if (distance == 1) {
        uint8_t byte = *from;
        do {
            memset(out, byte, 16);
            out += 16;
        } while (out < end);
    } else {
        /* Whole periods of the pattern in 16 bytes. */
        uint8_t pattern[32];
        uint32_t step = 16 - 16 % distance;
        for (uint32_t i = 0; i < 16; i += distance)
            memcpy(pattern + i, from, 16 < distance ? 16 : distance);
        do {
            memcpy(out, pattern, 16);
            out += step;
        } while (out < end);
    }
}

/* ---- Symbols ---- */

/* The members of struct inflate_run that the loop keeps in registers. Bits of `bits` above
 * bit_count are 0 or the next bits of input. */
struct decoder {
    const uint8_t *in, *window;
    uint8_t *out, *out_end;
    uint64_t bits, bit_count, litlen_mask;
    const uint32_t *litlen, *distance;
};

enum entry_result { ENTRY_DECODED, ENTRY_REFUSED, ENTRY_END };

/* Fills `bits` with at least 56 bits. A byte that bit_count counts only in part is read again, into
 * the same place. */
ISALK_INLINE void refill(struct decoder *d)
{
    d->bits |= load_le64(d->in) << d->bit_count;
    d->in += (63 - d->bit_count) >> 3;
    d->bit_count |= 56;
}

ISALK_INLINE void consume(struct decoder *d, uint32_t n)
{
    d->bits >>= n;
    d->bit_count -= n;
}

ISALK_INLINE uint32_t litlen_entry(const struct decoder *d)
{
    return d->litlen[d->bits & d->litlen_mask];
}

ISALK_INLINE uint32_t distance_entry(const struct decoder *d)
{
    return d->distance[d->bits & ((1u << DISTANCE_BITS) - 1)];
}

/* Value of the extra bits of an entry whose code has `code_bits` bits. */
ISALK_INLINE uint32_t extra_bits(const struct decoder *d, uint32_t entry, uint32_t code_bits)
{
    return (uint32_t) ((d->bits & ((1ull << (entry & 63)) - 1)) >> code_bits);
}

/* Emits the literals of an entry that is not special, and consumes its bits. */
ISALK_INLINE void emit_literals(struct decoder *d, uint32_t entry)
{
    d->out[0] = (uint8_t) (entry >> 8);
    d->out[1] = (uint8_t) (entry >> 16);
    d->out += entry >> 6 & 3;
    consume(d, entry & 63);
}

/* Decodes up to three entries without a length; they have at most 36 of the 56 bits. Returns 1
 * after three, else 0 with the next entry in *entry. */
ISALK_INLINE int decode_literals(struct decoder *d, uint32_t *entry)
{
    for (int i = 0; i < 3; i++) {
        if (*entry >= LITLEN_HAS_LENGTH)
            return 0;
        emit_literals(d, *entry);
        if (i < 2)
            *entry = litlen_entry(d);
    }
    return 1;
}

/* Decodes a special entry. For a literal, sets *length to 0 and returns ENTRY_DECODED. */
ISALK_INLINE enum entry_result decode_special(struct decoder *d, uint32_t entry, uint32_t *length)
{
    *length = 0;
    if ((entry >> 28 & 7) == LITLEN_SUBTABLE)
        entry = d->litlen[(entry >> 12 & 0x1fff) +
                          (d->bits >> (entry & 63) & ((1u << (entry >> 8 & 15)) - 1))];
    switch (entry >> 28 & 7) {
    case LITLEN_LENGTH:
        *length = (entry >> 12 & 0x1ff) + extra_bits(d, entry, entry >> 8 & 15);
        break;
    case LITLEN_LITERAL:
        *d->out++ = (uint8_t) (entry >> 12);
        break;
    case LITLEN_END:
        consume(d, entry & 63);
        return ENTRY_END;
    default:
        return ENTRY_REFUSED;
    }
    consume(d, entry & 63);
    return ENTRY_DECODED;
}

/* Copies a match; `entry` is the entry of its distance. Returns 0 if the distance is invalid or the
 * match might not fit. */
ISALK_INLINE int decode_match(struct decoder *d, uint32_t length, uint32_t entry)
{
    uint32_t distance;

    if (entry & DISTANCE_SPECIAL) {
        if (entry == DISTANCE_SPECIAL)
            return 0;
        entry = d->distance[(entry >> 16 & 0x7fff) +
                            (d->bits >> DISTANCE_BITS & ((1u << (entry >> 8 & 15)) - 1))];
        if (entry & DISTANCE_SPECIAL)
            return 0;
    }
    distance = (entry >> 16) + extra_bits(d, entry, entry >> 8 & 63);
    if (distance > (size_t) (d->out - d->window))
        return 0;
    if (length > (distance < 16 ? distance : 16)) {
        if (length > (size_t) (d->out_end - d->out) - 16)
            return 0;
        copy_long_match(d->out, distance, length);
    } else {
        copy16(d->out, d->out - distance);
    }
    d->out += length;
    consume(d, entry & 63);
    return 1;
}

/* Decodes all symbols of an entry, or consumes nothing. An entry without a length is decoded as one
 * with a match of length 0, at a distance of 0 that has no bits. This avoids a branch: in a mix of
 * literals and matches it would be mispredicted, which costs some 18 cycles. */
ISALK_INLINE enum entry_result decode_entry(struct decoder *d, uint32_t entry)
{
    const uint64_t bits = d->bits, bit_count = d->bit_count;
    uint32_t literals = 0, length, distance;

    if (!(entry & LITLEN_SPECIAL)) {
        literals = entry >> 6 & 3;
        length = entry >> 24;
        emit_literals(d, entry);
        distance = distance_entry(d);
        distance = length ? distance : 0;
    } else {
        enum entry_result result = decode_special(d, entry, &length);

        if (result != ENTRY_DECODED || length == 0)
            return result;
        distance = distance_entry(d);
    }
    if (decode_match(d, length, distance))
        return ENTRY_DECODED;
    d->out -= literals;
    d->bits = bits;
    d->bit_count = bit_count;
    return ENTRY_REFUSED;
}

int isalk_inflate_base(struct inflate_run *r)
{
    struct decoder d = {r->in,        r->window,      r->out,    r->out_end, r->bits,
                        r->bit_count, r->litlen_mask, r->litlen, r->distance};
    const uint8_t *in_last = r->in_end - INFLATE_IN_MARGIN;
    uint8_t *stop = r->stop;
    int few_matches = r->match_share < INFLATE_FEW_MATCHES;
    enum entry_result result = ENTRY_DECODED;

    if (r->in_end - d.in < INFLATE_IN_MARGIN || d.out_end - d.out < INFLATE_OUT_MARGIN)
        return 0;
    if (d.out_end - stop < INFLATE_OUT_MARGIN)
        stop = d.out_end - INFLATE_OUT_MARGIN;
    while (result == ENTRY_DECODED && d.in <= in_last && d.out < stop) {
        uint32_t entry;

        refill(&d);
        entry = litlen_entry(&d);
        /* With few matches, this branch is predicted well. */
        if (few_matches && entry < LITLEN_HAS_LENGTH) {
            if (decode_literals(&d, &entry))
                continue;
            if (d.in > in_last)
                break;
            refill(&d);
        }
        result = decode_entry(&d, entry);
    }
    r->in = d.in;
    r->out = d.out;
    r->bits = d.bits & (((uint64_t) 1 << d.bit_count) - 1);
    r->bit_count = d.bit_count;
    return result == ENTRY_END;
}
