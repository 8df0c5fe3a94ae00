/* The kernel that decodes the symbols of a block, in C.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_kernels.h"

#include <string.h>

/* Copies 16 bytes, all of them read first. */
static inline void copy16(uint8_t *to, const uint8_t *from)
{
    uint8_t bytes[16];

    memcpy(bytes, from, 16);
    memcpy(to, bytes, 16);
}

/* A match longer than 16 bytes or than its distance; there is room for what is left of a vector. */
static inline void copy_match(uint8_t *out, uint32_t distance, uint32_t length)
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

/* The loop. Where literals are nearly all there is, or matches are, a branch on which one comes is
 * predicted well. Else it is not, at some 18 cycles for each miss; then every entry is taken for
 * literals and a match, of length 0 maybe, whose distance of 0 takes no bits. */
ISALK_INLINE int decode(struct inflate_run *r)
{
    const uint8_t *in = r->in, *in_last = r->in_end - INFLATE_IN_MARGIN, *window = r->window;
    uint8_t *out = r->out, *out_end = r->out_end, *stop = r->stop;
    const uint64_t litlen_mask = r->litlen_mask;
    const uint32_t *litlen = r->litlen, *distances = r->distance;
    uint64_t bits = r->bits, before, count = r->count, before_count;
    uint32_t entry, length, distance;
    int end = 0, branch = r->matches < INFLATE_MATCHES_FEW;

    if (r->in_end - in < INFLATE_IN_MARGIN || out_end - out < INFLATE_OUT_MARGIN)
        return 0;
    if (out_end - stop < INFLATE_OUT_MARGIN)
        stop = out_end - INFLATE_OUT_MARGIN;

/* At least 56 bits, and whatever the word that was read holds besides: reading those bits again
 * changes nothing. */
#define REFILL()                           \
    do {                                   \
        bits |= inflate_load(in) << count; \
        in += (63 - count) >> 3;           \
        count |= 56;                       \
    } while (0)
#define TAKE(n)       \
    do {              \
        bits >>= (n); \
        count -= (n); \
    } while (0)
#define ENTRY() litlen[bits & litlen_mask]

    while (in <= in_last && out < stop) {
        REFILL();
        entry = ENTRY();
        before = bits;
        before_count = count;
        if (branch && entry < 1u << 24) {
            /* Of 64 bits, three entries take 36. */
            out[0] = (uint8_t) (entry >> 8);
            out[1] = (uint8_t) (entry >> 16);
            out += entry >> 6 & 3;
            TAKE(entry & 63);
            entry = ENTRY();
            if (entry < 1u << 24) {
                out[0] = (uint8_t) (entry >> 8);
                out[1] = (uint8_t) (entry >> 16);
                out += entry >> 6 & 3;
                TAKE(entry & 63);
                entry = ENTRY();
                if (entry < 1u << 24) {
                    out[0] = (uint8_t) (entry >> 8);
                    out[1] = (uint8_t) (entry >> 16);
                    out += entry >> 6 & 3;
                    TAKE(entry & 63);
                    continue;
                }
            }
            if (in > in_last)
                break;
            REFILL();
            before = bits;
            before_count = count;
        }
        if (!(entry & LITLEN_SPECIAL)) {
            out[0] = (uint8_t) (entry >> 8);
            out[1] = (uint8_t) (entry >> 16);
            out += entry >> 6 & 3;
            length = entry >> 24;
            TAKE(entry & 63);
            distance = distances[bits & ((1u << DISTANCE_BITS) - 1)];
            distance = length ? distance : 0;
        } else {
            if ((entry >> 28 & 7) == LITLEN_SUBTABLE)
                entry = litlen[(entry >> 12 & 0x1fff) +
                               (bits >> (entry & 63) & ((1u << (entry >> 8 & 15)) - 1))];
            if ((entry >> 28 & 7) == LITLEN_LITERAL) {
                *out++ = (uint8_t) (entry >> 12);
                TAKE(entry & 63);
                continue;
            }
            if ((entry >> 28 & 7) == LITLEN_END) {
                TAKE(entry & 63);
                end = 1;
                break;
            }
            if ((entry >> 28 & 7) == LITLEN_INVALID)
                break;
            length = (entry >> 12 & 0x1ff) +
                     (uint32_t) ((bits & ((1ull << (entry & 63)) - 1)) >> (entry >> 8 & 15));
            TAKE(entry & 63);
            entry = 0;
            distance = distances[bits & ((1u << DISTANCE_BITS) - 1)];
        }
        if (distance & DISTANCE_SPECIAL) {
            if (distance == DISTANCE_SPECIAL)
                goto undo;
            distance = distances[(distance >> 16 & 0x7fff) +
                                 (bits >> DISTANCE_BITS & ((1u << (distance >> 8 & 15)) - 1))];
            if (distance & DISTANCE_SPECIAL)
                goto undo;
        }
        {
            uint32_t taken = distance & 63;
            uint32_t d = (distance >> 16) +
                         (uint32_t) ((bits & ((1ull << taken) - 1)) >> (distance >> 8 & 63));
            if (d > (size_t) (out - window))
                goto undo;
            if (length > (d < 16 ? d : 16)) {
                if (length > (size_t) (out_end - out) - 16)
                    goto undo;
                copy_match(out, d, length);
            } else {
                copy16(out, out - d);
            }
            out += length;
            TAKE(taken);
        }
        continue;
    undo:
        out -= entry >> 6 & 3;
        bits = before;
        count = before_count;
        break;
    }
    r->in = in;
    r->out = out;
    r->bits = bits & (((uint64_t) 1 << count) - 1);
    r->count = count;
    return end;
}

int isalk_inflate_base(struct inflate_run *r)
{
    return decode(r);
}
