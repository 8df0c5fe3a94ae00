/* Block headers (RFC 1951, 3.2.3 to 3.2.7), read over any number of calls.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/inflate/inflate_state.h"

/* The invalid numbers stay in the bit buffer, where inflateSync() begins its search. */
static int invalid(struct inflater *s, enum invalid_header reason)
{
    s->invalid = reason;
    s->header_phase = HEADER_INVALID; /* later calls find the error again */
    return ISAL_INVALID_BLOCK;
}

static int stored_header(struct inflater *s, struct inflate_run *r)
{
    uint32_t length, complement;

    if (!need_bits(r, 32))
        return STOP_INPUT;
    length = (uint32_t) (r->bits & 0xffff);
    complement = (uint32_t) (r->bits >> 16 & 0xffff);
    if (length != (complement ^ 0xffff))
        return invalid(s, INVALID_STORED_LENGTH);
    consume_bits(r, 32);
    s->stored_bytes = length;
    s->block_state = ISAL_BLOCK_TYPE0;
    return 0;
}

/* Block type and whether the block is the last. A block with the fixed code has no more header. */
static int read_type(struct inflater *s, struct inflate_run *r)
{
    if (!need_bits(r, 3))
        return STOP_INPUT;
    s->is_last_block = consume_bits(r, 1);
    s->block_state = ISAL_BLOCK_HDR;
    switch (consume_bits(r, 2)) {
    case DEFLATE_STORED:
        consume_bits(r, r->bit_count & 7);
        s->header_phase = HEADER_STORED;
        return 0;
    case DEFLATE_FIXED:
        s->block.is_fixed = 1;
        s->block_state = ISAL_BLOCK_CODED;
        return 0;
    case DEFLATE_DYNAMIC:
        s->header_phase = HEADER_COUNTS;
        return 0;
    default:
        return invalid(s, INVALID_TYPE);
    }
}

/* Reads how many code lengths the two codes and the precode have. */
static int read_counts(struct inflater *s, struct inflate_run *r)
{
    enum { COUNTS_BITS = 14 };

    if (!need_bits(r, COUNTS_BITS))
        return STOP_INPUT;
    s->header.litlens = (uint32_t) (r->bits & 31) + 257;
    s->header.distances = (uint32_t) (r->bits >> 5 & 31) + 1;
    s->header.precodes = (uint32_t) (r->bits >> 10 & 15) + 4;
    s->header.lengths_read = 0;
    if (s->header.litlens > DEFLATE_LITLEN_SYMBOLS ||
        s->header.distances > DEFLATE_DISTANCE_SYMBOLS)
        return invalid(s, INVALID_COUNTS);
    consume_bits(r, COUNTS_BITS);
    memset(s->code_lengths, 0, DEFLATE_PRECODE_SYMBOLS);
    s->header_phase = HEADER_PRECODE;
    return 0;
}

/* The precode, which must be complete and have two symbols or more. Where it may have no symbol, as
 * in zlib, the code lengths follow: one bit each, whose value is 0. */
static int read_precode(struct inflater *s, struct inflate_run *r)
{
    struct inflate_sorted sorted;

    while (s->header.lengths_read < s->header.precodes) {
        if (!need_bits(r, 3))
            return STOP_INPUT;
        s->code_lengths[deflate_precode_order[s->header.lengths_read++]] =
            (uint8_t) consume_bits(r, 3);
    }
    isalk_inflate_sort(&sorted, s->code_lengths, DEFLATE_PRECODE_SYMBOLS);
    if (isalk_inflate_code(&s->precode, &sorted, s->code_lengths, 0, DEFLATE_PRECODE_SYMBOLS) ||
        s->precode.count[0] == 1 || (s->precode.count[0] == 0 && !r->reads_empty_precode))
        return invalid(s, INVALID_PRECODE);
    isalk_inflate_precode_table(s->precode_table, &s->precode);
    s->header.lengths_read = 0;
    memset(s->code_lengths, 0, MAX_CODE_LENGTHS);
    s->header_phase = HEADER_LENGTHS;
    return 0;
}

/* Reads the run-length coded code lengths of both codes. code_lengths is 0 from lengths_read on. */
static int read_lengths(struct inflater *s, struct inflate_run *r, struct inflate_sorted *sorted)
{
    enum { NO_LENGTH = DEFLATE_MAX_BITS + 1 };
    const uint32_t *table = s->precode_table;
    uint8_t *lengths = s->code_lengths;
    uint32_t n = s->header.lengths_read, last = n ? lengths[n - 1] : NO_LENGTH;
    const uint32_t all = s->header.litlens + s->header.distances, begin = n;
    int result = 0;

    isalk_inflate_sort(sorted, lengths, 0);
    while (n < all && result == 0) {
        uint64_t bits, count;

        /* A symbol has at most 14 bits. */
        need_bits(r, 2 * DEFLATE_PRECODE_MAX_BITS);
        bits = r->bits;
        count = r->bit_count;
        do {
            uint32_t entry = table[bits & ((1u << DEFLATE_PRECODE_MAX_BITS) - 1)], repeat;

            if ((entry & 15) > count) {
                result = STOP_INPUT;
                break;
            }
            repeat = (entry >> 24) +
                     (uint32_t) ((bits & ((1u << (entry & 15)) - 1)) >> (entry >> 4 & 15));
            last = (entry >> 8 & 15) | (last & (0 - (entry >> 16 & 1)));
            bits >>= entry & 15;
            count -= entry & 15;
            if (repeat > all - n || last == NO_LENGTH) {
                result = invalid(s, INVALID_REPEAT);
                break;
            }
            /* Runs longer than SYMBOL_BATCH have length 0, which the array already holds. */
            memset(lengths + n, (int) last, SYMBOL_BATCH);
            inflate_sort(sorted, last, n, repeat);
            n += repeat;
        } while (n < all && count >= 2 * DEFLATE_PRECODE_MAX_BITS);
        r->bits = bits;
        r->bit_count = count;
    }
    if (result >= 0)
        s->header.lengths_read = n;
    if (begin > 0 && result == 0) /* earlier calls read some: sort all, but once */
        isalk_inflate_sort(sorted, lengths, n);
    return result;
}

/* The limit of the bits that index the table of literals and lengths: lower for the only block of a
 * short stream. */
static unsigned max_index_bits(const struct inflater *s, const struct inflate_run *r)
{
    size_t left = (size_t) (r->in_end - r->in);

    if (!s->is_last_block || left >= 4096)
        return LITLEN_BITS;
    return left < 384 ? LITLEN_BITS - 3 : left < 1024 ? LITLEN_BITS - 2 : LITLEN_BITS - 1;
}

static int make_tables(struct inflater *s, const struct inflate_run *r,
                       struct inflate_sorted *sorted)
{
    struct inflate_code *distance_code = distance_code_of(s);
    const uint8_t *lengths = s->code_lengths;
    size_t litlens = s->header.litlens, all = litlens + s->header.distances;
    unsigned index_bits = max_index_bits(s, r);
    uint32_t match_share;

    if (lengths[DEFLATE_END_OF_BLOCK] == 0)
        return invalid(s, INVALID_NO_END);
    if (isalk_inflate_code(distance_code, sorted, lengths, litlens, all)) {
        /* The literals and lengths come first. */
        isalk_inflate_sort(sorted, lengths, litlens);
        if (!isalk_inflate_code(&s->litlen_code, sorted, lengths, 0, litlens))
            return invalid(s, INVALID_DISTANCES);
        return invalid(s, INVALID_LITLENS);
    }
    if (isalk_inflate_code(&s->litlen_code, sorted, lengths, 0, litlens))
        return invalid(s, INVALID_LITLENS);
    isalk_inflate_litlen_table(s->litlen_table, &s->litlen_code, &index_bits, &match_share);
    isalk_inflate_distance_table(s->distance_table, distance_code, distance_symbols(s));
    if (match_share >= INFLATE_FEW_MATCHES)
        isalk_inflate_second_table(s->second_table, &s->litlen_code);
    s->block.is_fixed = 0;
    s->block.match_share = match_share;
    s->block.litlen_bits = index_bits;
    s->block_state = ISAL_BLOCK_CODED;
    return 0;
}

int isalk_inflate_block_header(struct inflater *s, struct inflate_run *r)
{
    struct inflate_sorted sorted;
    int result = 0;

    if (s->block_state == ISAL_BLOCK_NEW_HDR) {
        result = read_type(s, r);
        if (result || s->block_state == ISAL_BLOCK_CODED)
            return result;
    }
    switch (s->header_phase) {
    case HEADER_STORED:
        return stored_header(s, r);
    case HEADER_COUNTS:
        result = read_counts(s, r);
        if (result)
            return result;
        /* fall through */
    case HEADER_PRECODE:
        result = read_precode(s, r);
        if (result)
            return result;
        /* fall through */
    case HEADER_LENGTHS:
        result = read_lengths(s, r, &sorted);
        return result ? result : make_tables(s, r, &sorted);
    default:
        return ISAL_INVALID_BLOCK;
    }
}
