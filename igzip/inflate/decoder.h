/* Decoding of symbols with tables: what the kernel in C shares with the loop that decodes near the
 * ends of input and output.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DECODER_H
#define DECODER_H

#include "igzip/inflate/inflate_kernels.h"

/* The members of struct inflate_run that a loop keeps in registers. Bits of `bits` above bit_count
 * are 0 or the next bits of input. */
struct decoder {
    const uint8_t *in, *window;
    uint8_t *out, *out_end;
    uint64_t bits, bit_count, litlen_mask;
    const uint32_t *litlen, *distance;
    uint32_t last_distance;
};

enum entry_result { ENTRY_DECODED, ENTRY_REFUSED, ENTRY_END };

ISALK_INLINE struct decoder load_decoder(const struct inflate_run *r)
{
    return (struct decoder){r->in,        r->window,      r->out,    r->out_end,  r->bits,
                            r->bit_count, r->litlen_mask, r->litlen, r->distance, r->last_distance};
}

ISALK_INLINE void store_decoder(const struct decoder *d, struct inflate_run *r)
{
    r->in = d->in;
    r->out = d->out;
    r->bits = d->bits & (((uint64_t) 1 << d->bit_count) - 1);
    r->bit_count = d->bit_count;
    r->last_distance = d->last_distance;
}

/* Fills `bits` with at least 56 bits. A byte that bit_count counts only in part is read again, into
 * the same place. */
ISALK_INLINE void refill(struct decoder *d)
{
    d->bits |= load_le64(d->in) << d->bit_count;
    d->in += (63 - d->bit_count) >> 3;
    d->bit_count |= 56;
}

/* Fills `bits` with at least 48 bits, enough for every entry, or with all input that is left. */
ISALK_INLINE void refill_before(struct decoder *d, const uint8_t *in_end)
{
    if (d->bit_count >= 48)
        return;
    if (in_end - d->in >= 8) {
        refill(d);
        return;
    }
    for (; d->bit_count < 56 && d->in < in_end; d->bit_count += 8)
        d->bits |= (uint64_t) *d->in++ << d->bit_count;
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

/* Emits the literals of an entry that is not special, and consumes its bits. Two bytes are
 * written. */
ISALK_INLINE void emit_literals(struct decoder *d, uint32_t entry)
{
    d->out[0] = (uint8_t) (entry >> 8);
    d->out[1] = (uint8_t) (entry >> 16);
    d->out += entry >> 6 & 3;
    consume(d, entry & 63);
}

/* The entry of a code longer than the index, in the subtable that `entry` names. */
ISALK_INLINE uint32_t litlen_subtable_entry(const struct decoder *d, uint32_t entry)
{
    return d->litlen[(entry >> 12 & 0x1fff) +
                     (d->bits >> (entry & 63) & ((1u << (entry >> 8 & 15)) - 1))];
}

ISALK_INLINE enum litlen_kind kind_of(uint32_t special_entry)
{
    return (enum litlen_kind)(special_entry >> 28 & 7);
}

/* Value of the extra bits of an entry whose code has `code_bits` bits. */
ISALK_INLINE uint32_t extra_bits(const struct decoder *d, uint32_t entry, uint32_t code_bits)
{
    return (uint32_t) ((d->bits & ((1ull << (entry & 63)) - 1)) >> code_bits);
}

/* Length of a special entry of the kind LITLEN_LENGTH. */
ISALK_INLINE uint32_t special_length(const struct decoder *d, uint32_t entry)
{
    return (entry >> 12 & 0x1ff) + extra_bits(d, entry, entry >> 8 & 15);
}

ISALK_INLINE uint32_t distance_entry(const struct decoder *d)
{
    return d->distance[d->bits & ((1u << DISTANCE_BITS) - 1)];
}

/* Replaces the entry of a long code by that in its subtable. Returns 0 if the code is invalid. */
ISALK_INLINE int complete_distance(const struct decoder *d, uint32_t *entry)
{
    if (!(*entry & DISTANCE_SPECIAL))
        return 1;
    if (*entry == DISTANCE_SPECIAL)
        return 0;
    *entry = d->distance[(*entry >> 16 & 0x7fff) +
                         (d->bits >> DISTANCE_BITS & ((1u << (*entry >> 8 & 15)) - 1))];
    return !(*entry & DISTANCE_SPECIAL);
}

/* The distance of an entry that is not special. */
ISALK_INLINE uint32_t distance_of(const struct decoder *d, uint32_t entry)
{
    return (entry >> 16) + extra_bits(d, entry, entry >> 8 & 63);
}

/* Reads all 8 bytes before it writes any. */
ISALK_INLINE void copy8(uint8_t *to, const uint8_t *from)
{
    uint8_t bytes[8];

    memcpy(bytes, from, 8);
    memcpy(to, bytes, 8);
}

/* Copies a match; the output has `room` bytes left. */
ISALK_INLINE void copy_match(uint8_t *out, size_t distance, size_t length, size_t room)
{
    const uint8_t *from = out - distance;

    if (distance == 1) {
        memset(out, *from, length);
    } else if (distance >= 8 && (length >= 8 || room >= 8)) {
        size_t last = length > 8 ? length - 8 : 0; /* where the last 8 bytes begin */

        for (size_t i = 0; i < last; i += 8)
            copy8(out + i, from + i);
        copy8(out + last, from + last);
    } else {
        /* The bytes from `from` on are periodic, so that each step may double the distance. */
        for (; length > distance; distance *= 2) {
            memcpy(out, from, distance);
            out += distance;
            length -= distance;
        }
        memcpy(out, from, length);
    }
}

#endif
