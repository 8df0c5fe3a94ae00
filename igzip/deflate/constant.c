/* Compression in one call of bytes that are all the same.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The result is one block: the byte, then matches at distance 1. Matches of the longest length have
 * codes of one bit, 0, and so has the distance: a megabyte takes a kilobyte of zeros. */

#include "igzip/deflate/output.h"

/* Codes of code lengths and of symbols, as bits in the order of the output. One length symbol has a
 * code of END_BITS even if no match needs it: without it, the codes would be incomplete. */
enum { LENGTH_1 = 1, LENGTH_2 = 5, LENGTH_3 = 3, LENGTH_BITS = 3 };
enum { LONG_REPEAT_ZERO = 2, LONG_BITS = 2, SHORT_REPEAT_ZERO = 7, SHORT_BITS = 3, ZERO_BITS = 2 };
enum { BYTE = 1, BYTE_BITS = 2, END = 3, LENGTH = 7, END_BITS = 3, LONGEST_BITS = 1 };
enum { DISTANCE_BITS = 1 };

/* Appends n code lengths of 0. */
static void append_unused(struct isal_zstream *stream, uint32_t n)
{
    enum { LONG_MIN = 11, LONG_MAX = 138, SHORT_MIN = 3 };

    drain(stream);
    while (n >= LONG_MIN) {
        uint32_t repeats = n < LONG_MAX ? n : LONG_MAX;

        append_bits(stream, LONG_REPEAT_ZERO | (repeats - LONG_MIN) << LONG_BITS, LONG_BITS + 7);
        n -= repeats;
    }
    if (n >= SHORT_MIN)
        append_bits(stream, SHORT_REPEAT_ZERO | (n - SHORT_MIN) << SHORT_BITS, SHORT_BITS + 3);
    else
        append_bits(stream, 0, n * ZERO_BITS);
}

/* Appends the header of a last block with codes for this byte, this length symbol, the longest
 * length and distance 1. */
static void append_header(struct isal_zstream *stream, uint32_t byte, uint32_t symbol)
{
    static const uint8_t lengths[DEFLATE_PRECODE_SYMBOLS] = {
        [0] = 2, [1] = 3, [2] = 3, [3] = 3, [17] = 3, [18] = 2};
    enum { LISTED = 18 }; /* entries of `lengths` in the header; the last is that of symbol 1 */
    uint64_t bits = 0;

    append_bits(stream, 1 | DEFLATE_DYNAMIC << 1, 3);
    append_bits(stream, (DEFLATE_LITLEN_SYMBOLS - 257) | (LISTED - 4) << 10, 14);
    drain(stream);
    for (uint32_t i = 0; i < LISTED; i++)
        bits |= (uint64_t) lengths[deflate_precode_order[i]] << 3 * i;
    append_bits(stream, bits, 3 * LISTED);
    append_unused(stream, byte);
    append_bits(stream, LENGTH_2, LENGTH_BITS);
    append_unused(stream, DEFLATE_END_OF_BLOCK - 1 - byte);
    append_bits(stream, LENGTH_3, LENGTH_BITS);
    append_unused(stream, symbol - DEFLATE_END_OF_BLOCK - 1);
    append_bits(stream, LENGTH_3, LENGTH_BITS);
    append_unused(stream, DEFLATE_LITLEN_SYMBOLS - 1 - symbol - 1);
    append_bits(stream, LENGTH_1 | LENGTH_1 << LENGTH_BITS, 2 * LENGTH_BITS);
    drain(stream);
}

/* Returns whether n > 8 bytes are all the same. */
static int is_constant(const uint8_t *bytes, size_t n)
{
    return load_le64(bytes) == load_le64(bytes + 1) && memcmp(bytes, bytes + 1, n - 1) == 0;
}

int isalk_deflate_constant(struct isal_zstream *stream)
{
    enum { MIN_BYTES = 64, MAX_BITS = 145 }; /* MAX_BITS: of the block without the zeros */
    uint32_t repeats = stream->avail_in - 1, matches = repeats / DEFLATE_MAX_MATCH;
    uint32_t rest = repeats % DEFLATE_MAX_MATCH, symbol = 0;
    uint64_t zeros = (uint64_t) matches * (LONGEST_BITS + DISTANCE_BITS);
    uint8_t trailer[8];

    if (!stream->end_of_stream || stream->avail_in < MIN_BYTES ||
        !is_constant(stream->next_in, stream->avail_in) ||
        stream->avail_out <
            (MAX_BITS + zeros + 7) / 8 + isalk_deflate_wrapper_trailer(stream, 0, trailer))
        return 0;
    if (rest >= DEFLATE_MIN_MATCH)
        symbol = isalk_deflate_length_symbol[rest - DEFLATE_MIN_MATCH];
    append_header(stream, *stream->next_in, DEFLATE_FIRST_LENGTH + symbol);
    append_bits(stream, BYTE, BYTE_BITS);
    while (zeros > 0) {
        uint32_t n = zeros < 48 ? (uint32_t) zeros : 48;

        append_bits(stream, 0, n);
        drain(stream);
        zeros -= n;
    }
    if (rest >= DEFLATE_MIN_MATCH) {
        append_bits(stream, LENGTH, END_BITS);
        append_bits(stream, rest - deflate_lengths[symbol].base, deflate_lengths[symbol].extra);
        append_bits(stream, 0, DISTANCE_BITS);
    } else {
        for (; rest > 0; rest--)
            append_bits(stream, BYTE, BYTE_BITS);
    }
    append_bits(stream, END, END_BITS);
    pad_to_byte(stream);
    drain(stream);
    return 1;
}
