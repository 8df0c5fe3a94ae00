/* The kernel that decodes the symbols of a block, in C.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/decoder.h"

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
    if (kind_of(entry) == LITLEN_SUBTABLE)
        entry = litlen_subtable_entry(d, entry);
    switch (kind_of(entry)) {
    case LITLEN_LENGTH:
        *length = special_length(d, entry);
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

    if (!complete_distance(d, &entry))
        return 0;
    distance = distance_of(d, entry);
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
    struct decoder d = load_decoder(r);
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
    store_decoder(&d, r);
    return result == ENTRY_END;
}
