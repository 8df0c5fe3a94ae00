/* Padding and digests of the multi-buffer hashes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Defined in a header: as functions of another file they make short jobs 4 to 8 % slower. */

#ifndef ISALK_MB_MESSAGE_H
#define ISALK_MB_MESSAGE_H

#include <string.h>

#include "mb.h"

/* Returns whether the hash's byte order differs from this machine's. */
ISALK_INLINE int is_byte_swapped(const struct mb_hash *h)
{
    const uint16_t one = 1;

    return (*(const uint8_t *) &one == 0) != h->big_endian;
}

/* Copies a few dozen bytes in pieces of constant size; the last two may overlap. A compiler that
 * knows a length to be short makes memcpy() a string instruction, whose startup takes as long as
 * all other bookkeeping of a job. */
static void copy_short(uint8_t *to, const uint8_t *from, size_t n)
{
    size_t i = 0;

    if (n >= 16) {
        for (; n - i > 16; i += 16)
            memcpy(to + i, from + i, 16);
        memcpy(to + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, from, 8);
        memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, from, 4);
        memcpy(to + n - 4, from + n - 4, 4);
    } else {
        for (; i < n; i++)
            to[i] = from[i];
    }
}

/* Pads the `used` bytes of the two blocks at `tail` as the standards say: a bit, zeros, and the
 * message length in bits. Returns the number of blocks. If `used` is a multiple of 16, each 16-byte
 * load of a single-message kernel reads bytes of one store only, so that the store is forwarded to
 * it. Not inlined, because that makes short jobs 3 % slower. */
ISALK_NOINLINE unsigned pad_message(const struct mb_hash *h, uint8_t *tail, size_t used,
                                    uint64_t length)
{
    static const uint8_t bit[16] = {0x80};
    unsigned blocks = used + 1 + h->length_field > h->block ? 2 : 1;
    uint8_t *p = tail + used, *end = tail + blocks * (size_t) h->block;
    uint64_t bits[2] = {h->length_field > 8 ? length >> 61 : 0, length << 3};

    if (is_byte_swapped(h)) {
        bits[0] = __builtin_bswap64(bits[0]);
        bits[1] = __builtin_bswap64(bits[1]);
    }
    if (end - p > 16) {
        memcpy(p, bit, 16);
        for (p += 16; end - p > 16; p += 16)
            memset(p, 0, 16);
        memcpy(end - 16, bits, 16);
    } else { /* 9 bytes or more */
        memcpy(p, bit, 8);
        memcpy(end - 8, &bits[1], 8);
    }
    return blocks;
}

/* Converts a state to the bytes of the standard digest, possibly in place. */
static void standard_digest(const struct mb_hash *h, const uint8_t *state, uint8_t *digest)
{
    size_t n = (size_t) h->words * h->word_bytes;

    if (!is_byte_swapped(h)) {
        copy_short(digest, state, n);
    } else if (h->word_bytes == 4) {
        for (size_t i = 0; i < n; i += 4) {
            uint32_t word;
            memcpy(&word, state + i, 4);
            word = __builtin_bswap32(word);
            memcpy(digest + i, &word, 4);
        }
    } else {
        for (size_t i = 0; i < n; i += 8) {
            uint64_t word;
            memcpy(&word, state + i, 8);
            word = __builtin_bswap64(word);
            memcpy(digest + i, &word, 8);
        }
    }
}

#endif
