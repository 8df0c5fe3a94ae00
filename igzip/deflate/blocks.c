/* Levels with a level buffer: the type, the codes and the header of a block, and its output.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/output.h"

/* Blocks with at most this many tokens use the static codes. Levels that split blocks make codes
 * for smaller ones, which takes longer than all else in 4 KB of zeros. */
enum { FEW_TOKENS = 24, FEW_TOKENS_SPLIT = 8 };

/* Bits of a stored block that begins `before` bits into a byte. */
static uint64_t stored_cost(uint32_t bytes, uint32_t before)
{
    return 3 + ((5 - before) & 7) + 32 + 8 * (uint64_t) bytes;
}

uint64_t isalk_deflate_token_cost(const uint32_t *token, const uint32_t *token_end,
                                  const struct deflate_codes *codes)
{
    uint64_t bits = code_bits(codes->first[TOKEN_FIRSTS]);

    for (; token < token_end; token++)
        bits += code_bits(codes->first[*token & TOKEN_MASK]) +
                code_bits(codes->second[*token >> TOKEN_SECOND_SHIFT & TOKEN_MASK]);
    return bits;
}

/* Counts of literals, length symbols and the end of block. */
static void count_litlens(const struct deflate_counts *counts, uint32_t *litlen)
{
    const uint32_t *length = counts->first + TOKEN_LENGTHS;

    for (unsigned i = 0; i < 256; i++)
        litlen[i] = counts->first[i] + counts->second[TOKEN_LITERALS + i];
    litlen[DEFLATE_END_OF_BLOCK] = 1;
    for (unsigned i = 0; i < 29; i++) {
        uint32_t count = *length++;

        /* The longest match has its own symbol. */
        for (unsigned left = (1u << deflate_lengths[i].extra) - 1 - (i == 27); left > 0; left--)
            count += *length++;
        litlen[DEFLATE_FIRST_LENGTH + i] = count;
    }
}

/* Makes the codes and the header of the block. Returns the bits of the block with them, and in
 * static_cost those with the static codes. */
static uint64_t make_codes(struct deflate_work *w, struct huffman_codes *codes,
                           uint64_t *static_cost)
{
    struct deflate_block *block = w->block;
    const uint32_t *distances = block->counts.second + TOKEN_DISTANCES;
    uint32_t litlen[DEFLATE_LITLEN_SYMBOLS];
    uint64_t extra;

    count_litlens(&block->counts, litlen);
    isalk_huffman_make(litlen, DEFLATE_LITLEN_SYMBOLS, DEFLATE_MAX_BITS, &codes->litlen);
    isalk_huffman_make(distances, DEFLATE_DISTANCE_SYMBOLS, DEFLATE_MAX_BITS, &codes->distance);
    isalk_huffman_header(codes, w->state->final_block, &block->header);
    *static_cost = STATIC_HEADER_BITS + isalk_huffman_static_bits(litlen, distances, &extra);
    return block->header.bits + codes->litlen.bits + codes->distance.bits + extra;
}

/* Adds the bytes of the block to those that will be stored; `now`: all of them are stored now. */
static void store_block(struct deflate_work *w, int now)
{
    struct deflate_state *state = w->state;

    if (state->stored_bytes == 0) /* no probe has begun the sample */
        memset(&w->block->sample, 0, sizeof(w->block->sample));
    state->stored_bytes += state->block_bytes;
    isalk_deflate_start_block(w);
    state->phase = now ? PHASE_STORED_HEADER : PHASE_COLLECT;
    if (now) /* the balance allows for one header in DEFLATE_STORED_MAX bytes */
        w->block->balance += 40 + 8 * (int64_t) state->stored_bytes -
                             (int64_t) stored_cost(state->stored_bytes, state->bit_count & 7);
}

/* Returns whether to store the block, now or together with later bytes, rather than code it at this
 * cost. If not, updates the balance. `ends`: the output ends with this block.
 *
 * Bytes to be stored wait for more of them, up to DEFLATE_STORED_MAX. A coded block ends the wait,
 * and must save as much as the header of the shorter stored block costs. So the output never
 * exceeds the bytes that it represents by more than 5 for each full stored block, and 5 at the
 * end. */
static int is_best_stored(struct deflate_work *w, uint64_t cost, int ends)
{
    const struct deflate_state *state = w->state;
    struct deflate_block *block = w->block;
    uint32_t waiting = state->stored_bytes, bytes = waiting + state->block_bytes;
    uint32_t before = state->bit_count & 7, after = (before + (uint32_t) cost) & 7;
    int64_t balance;

    if (waiting > 0) {
        after = (uint32_t) cost & 7;
        cost += stored_cost(waiting, before);
    }
    balance = block->balance + 8 * (int64_t) bytes - (int64_t) cost;
    if (cost >= stored_cost(bytes, before)) {
        block->unprobed_bytes = 0;
        return 1;
    }
    if (!ends && balance < (int64_t) (-after & 7))
        return 1;
    block->balance = balance;
    return 0;
}

/* The kind of data whose first block has these counts. Text has tabs, line ends or printable bytes,
 * and no control characters except those that text may contain: 7 to 13, 26 and 27. */
static enum deflate_data guess(const struct deflate_counts *counts)
{
    enum { ESCAPE = 27, SPACE = 32 };
    int printable = 0;

    for (unsigned i = 0; i < 256; i++) {
        int control = i < 7 || (i >= 14 && i < SPACE && i != 26 && i != ESCAPE);
        int may_be_text = i >= SPACE || i == 9 || i == 10 || i == 13;

        if (counts->first[i] == 0 && counts->second[TOKEN_LITERALS + i] == 0)
            continue;
        if (control)
            return DATA_BINARY;
        printable |= may_be_text;
    }
    return printable ? DATA_TEXT : DATA_BINARY;
}

void isalk_deflate_create_block(struct deflate_work *w)
{
    struct deflate_state *state = w->state;
    struct deflate_block *block = w->block;
    const struct parser *parser = w->lz.params->parser;
    uint64_t cost = UINT64_MAX, static_cost;
    uint32_t few = w->lz.params->splits ? FEW_TOKENS_SPLIT : FEW_TOKENS;
    int ends = isalk_deflate_is_last(w) && w->lz.next == w->lz.end;
    const struct deflate_codes *chosen = &block->codes;
    struct huffman_codes codes;

    state->final_block = ends && w->stream->end_of_stream;
    if (w->data != NULL && *w->data == DATA_UNKNOWN && w->blocks != BLOCKS_STORED)
        *w->data = guess(&block->counts);
    if (state->tokens == 0) {
        store_block(w, 1);
        return;
    }
    if (state->tokens > few && w->blocks == BLOCKS_ALL)
        cost = make_codes(w, &codes, &static_cost);
    else
        static_cost =
            STATIC_HEADER_BITS + isalk_deflate_token_cost(w->tokens, w->tokens + state->tokens,
                                                          &isalk_deflate_codes_static);
    if (state->block_bytes != NOT_STORABLE) {
        uint32_t bytes = state->stored_bytes + state->block_bytes;

        if (is_best_stored(w, cost < static_cost ? cost : static_cost, ends)) {
            store_block(w, ends || bytes == DEFLATE_STORED_MAX);
            return;
        }
    }
    if (static_cost <= cost) {
        block->header.bytes[0] = (uint8_t) (state->final_block | DEFLATE_FIXED << 1);
        block->header.bits = STATIC_HEADER_BITS;
        chosen = &isalk_deflate_codes_static;
    } else {
        isalk_huffman_expand(&codes, &block->codes);
    }
    if (parser->block_done)
        parser->block_done(&w->lz, &block->counts, chosen);
    if (state->stored_bytes == 0)
        state->block_bytes = 0;
    state->phase = state->stored_bytes > 0 ? PHASE_STORED_HEADER : PHASE_BLOCK_HEADER;
}

int isalk_deflate_write_block(struct deflate_work *w)
{
    struct deflate_state *state = w->state;
    const struct deflate_codes *codes = &w->block->codes;
    uint64_t end;

    if (w->block->header.bits == STATIC_HEADER_BITS)
        codes = &isalk_deflate_codes_static;
    if (state->tokens_written < state->tokens) {
        const uint32_t *next = isalk_deflate_write_tokens(
            w->stream, w->tokens + state->tokens_written, w->tokens + state->tokens, codes);

        state->tokens_written = (uint32_t) (next - w->tokens);
    }
    if (state->tokens_written < state->tokens || !drain(w->stream))
        return 0;
    end = codes->first[TOKEN_FIRSTS];
    append_bits(w->stream, end >> (64 - code_bits(end)), code_bits(end));
    return 1;
}

int isalk_deflate_write_stored(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;
    uint32_t n = state->stored_bytes;

    if (!drain(stream))
        return 0;
    if (state->phase == PHASE_STORED_HEADER) {
        int final = state->final_block && state->tokens == 0;

        append_bits(stream, (uint64_t) final | DEFLATE_STORED << 1, 3);
        pad_to_byte(stream);
        append_bits(stream, n | (uint64_t) (~n & 0xffff) << 16, 32);
        state->item_written = 0;
        state->phase = PHASE_STORED_BYTES;
        drain(stream);
    }
    if (state->bit_count > 0 ||
        !isalk_deflate_write_bytes(stream, w->lz.next - state->block_bytes - n, n))
        return 0;
    state->stored_bytes = 0;
    state->block_bytes = 0;
    state->item_written = 0;
    return 1;
}
