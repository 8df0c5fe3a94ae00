/* Level 0: a short piece of data compressed in one pass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The result is that of the state machine, without its cost. */

#include "igzip/deflate/output.h"
#include "igzip/lz77/match.h"

enum {
    MAX_WRAPPER = 10,                   /* bytes of a wrapper's header */
    ENOUGH = ISAL_DEF_MAX_HDR_SIZE + 64 /* room beside codes: also for the wrapper and a marker */
};

/* Returns whether all data not yet compressed are input of this call, end with it and are short,
 * and the output certainly has room. With one_call, room may be lacking; then the data are
 * stored. */
static int is_short(const struct deflate_work *w)
{
    const struct isal_zstream *stream = w->stream;
    const struct deflate_state *state = w->state;

    return state->phase == PHASE_BETWEEN_BLOCKS && state->bit_count == 0 &&
           state->buffered == state->buffer_parsed && stream->avail_in > 0 &&
           stream->avail_in <= LZ77_FIRST_CHUNK &&
           (stream->end_of_stream || stream->flush != NO_FLUSH) &&
           (w->one_call || stream->avail_out >= 2 * stream->avail_in + ENOUGH);
}

/* Appends the header of a block in the caller's codes, at a byte boundary. */
static void append_header(struct deflate_encode *e, const struct isal_hufftables *tables, int final)
{
    uint8_t *header = e->out;
    uint32_t whole = tables->deflate_hdr_count, rest = tables->deflate_hdr_extra_bits;

    memcpy(header, tables->deflate_hdr, whole);
    e->out += whole;
    if (rest > 0)
        append_code(e, tables->deflate_hdr[whole] & ((1u << rest) - 1), rest);
    if (whole == 0)
        e->bits = (e->bits & ~1u) | (unsigned) final;
    header[0] = (uint8_t) ((header[0] & ~1u) | (unsigned) final);
}

/* Appends tokens, up to out_last, and the end of the block; returns whether all had room. */
static int append_tokens(struct deflate_encode *e, const struct isal_hufftables *tables)
{
    if (e->codes != NULL) {
        KERNEL_CALL(isalk_deflate_encode_slot)(e);
    } else {
        struct deflate_encode local = *e; /* in registers: output may alias *e */

        for (; local.token < local.token_end && local.out <= local.out_last; local.token++) {
            uint32_t n;
            uint64_t bits = table_token_bits(*local.token, tables, &n);

            append_code(&local, bits, n);
        }
        *e = local;
    }
    if (e->token < e->token_end)
        return 0;
    append_code(e, tables->lit_table[DEFLATE_END_OF_BLOCK],
                tables->lit_table_sizes[DEFLATE_END_OF_BLOCK]);
    return 1;
}

/* Bytes of a block and of the trailer or marker after it. */
static uint64_t size_with_end(const struct isal_zstream *stream, uint64_t bits)
{
    uint8_t trailer[8];

    if (stream->end_of_stream)
        return (bits + 7) / 8 + isalk_deflate_wrapper_trailer(stream, 0, trailer);
    return (bits + 3 + 7) / 8 + 4;
}

/* One call: whether the block and what follows fit the output, judged by the cost of the tokens. */
static int fits(const struct isal_zstream *stream, const uint32_t *token, const uint32_t *token_end,
                struct caller_codes *caller)
{
    const struct isal_hufftables *tables = stream->hufftables;
    uint64_t bits = 8 * tables->deflate_hdr_count + tables->deflate_hdr_extra_bits;

    isalk_level0_expand(caller, tables);
    bits += isalk_deflate_token_cost(token, token_end, caller->codes);
    return size_with_end(stream, bits) <= stream->avail_out;
}

/* Emits the tokens of all data; returns their end. */
static uint32_t *parse_all(struct deflate_work *w, uint32_t *token, uint32_t *token_end)
{
    struct lz77 *lz = &w->lz;

    isalk_deflate_open_input(w);
    while (isalk_deflate_feed(w))
        ;
    isalk_deflate_prepare_table(w);
    while (lz->next < lz->end)
        token = lz->params->parser->parse(lz, token, token_end, 1);
    return token;
}

/* Appends what follows the block, the trailer or a marker, to the output so far, which is at start.
 * The stream has total_in bytes. */
static void append_end(struct isal_zstream *stream, struct deflate_encode *e, const uint8_t *start,
                       uint32_t total_in)
{
    struct deflate_state *state = state_of(stream);

    if (state->final_block) {
        append_code(e, 0, -e->count & 7);
        e->out += isalk_deflate_wrapper_trailer(stream, total_in, e->out);
        state->phase = PHASE_END;
    } else {
        append_code(e, DEFLATE_STORED << 1, 3);
        append_code(e, 0, -e->count & 7);
        append_code(e, 0xffff0000u, 32);
        if (stream->flush == FULL_FLUSH)
            isalk_lz77_reset(&state->search);
    }
    state->bits = e->bits;
    state->bit_count = e->count;
    state->state = (enum isal_zstate_state) state->phase;
    if (start != stream->next_out)
        memcpy(stream->next_out, start, (size_t) (e->out - start));
    advance_output(stream, (uint32_t) (e->out - start));
}

/* Writes the block; returns whether it and what follows fit the output. */
static int append_block(struct deflate_work *w, struct deflate_encode *e)
{
    const struct isal_zstream *stream = w->stream;
    const struct isal_hufftables *tables = stream->hufftables;
    size_t room = (size_t) stream->avail_out + w->spare_out;

    if (room < tables->deflate_hdr_count + MAX_WRAPPER + SHORT_END_ROOM)
        return 0;
    e->out = stream->next_out;
    e->out_last = e->out + room - SHORT_END_ROOM;
    e->bits = 0;
    e->count = 0;
    if (!w->state->wrapper_begun)
        e->out += isalk_deflate_wrapper_header(stream, e->out);
    append_header(e, tables, stream->end_of_stream != 0);
    return append_tokens(e, tables) &&
           size_with_end(stream, 8 * (uint64_t) (e->out - stream->next_out) + e->count) <=
               stream->avail_out;
}

int isalk_deflate_short(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;
    uint32_t tokens[LZ77_FIRST_CHUNK + 2 * LZ77_MIN_TOKEN_ROOM];
    struct caller_codes caller;
    struct deflate_encode e;

    if (!is_short(w))
        return 0;
    caller.codes = isalk_level0_ready_codes(stream->hufftables);
    e.token = tokens;
    e.token_end = parse_all(w, tokens, tokens + ARRAY_SIZE(tokens));
    if (e.token_end - tokens > FEW_TABLE_TOKENS)
        isalk_level0_expand(&caller, stream->hufftables);
    e.codes = caller.codes;
    if (!append_block(w, &e)) { /* only in one call */
        memset(&state->search, 0, sizeof(state->search));
        return w->spare_out == SHORT_END_ROOM || !fits(stream, tokens, e.token_end, &caller);
    }
    state->wrapper_begun = 1;
    state->final_block = stream->end_of_stream != 0;
    isalk_deflate_sum(w, w->lz.end);
    append_end(stream, &e, stream->next_out, stream->total_in + (w->direct ? stream->avail_in : 0));
    isalk_deflate_close_input(w);
    return 1;
}

_Static_assert(1 << (LEVEL0_HASH_BITS - 1) == LZ77_FIRST_CHUNK,
               "only inputs of one chunk get a smaller table, as in isalk_deflate_prepare_table()");

/* Appends the codes of the input and the end of the block. */
static void append_tiny(struct isal_zstream *stream, struct deflate_encode *e)
{
    const struct isal_hufftables *tables = stream->hufftables;
    struct deflate_state *state = state_of(stream);
    struct deflate_tiny t;

    t.bytes = stream->next_in;
    t.size = stream->avail_in;
    t.window = (uint32_t) 1 << stream->hist_bits;
    t.start = state->buffered < t.window ? state->buffered : t.window;
    if (t.start > 0) {
        t.bytes = state->buffer + state->buffered - t.start;
        memcpy(state->buffer + state->buffered, stream->next_in, t.size);
        t.size += t.start;
    }
    t.probed = t.size < HASH_LOAD ? 0 : t.size - HASH_LOAD + 1;
    t.hash_bits = isalk_lz77_short_hash_bits(LEVEL0_HASH_BITS, t.size);
    t.head = state->hash_table;
    memset(t.head, 0, sizeof(*t.head) << t.hash_bits);
    isalk_lz77_insert(t.head, t.hash_bits, t.bytes, t.start, LZ77_MIN_HASH_BYTES);
    t.tables = tables;
    t.out = e->out;
    t.out_limit = e->out_last;
    t.bits = e->bits;
    t.count = e->count;
    KERNEL_CALL(isalk_deflate_tiny_slot)(&t);
    e->out = t.out;
    e->bits = t.bits;
    e->count = t.count;
    append_code(e, tables->lit_table[DEFLATE_END_OF_BLOCK],
                tables->lit_table_sizes[DEFLATE_END_OF_BLOCK]);
}

/* Returns whether the input is tiny, and nothing but a dictionary precedes it. */
static int is_tiny(const struct isal_zstream *stream, const struct deflate_state *state)
{
    uint32_t n = stream->avail_in, history = state->search.offset;

    return n > 0 && n <= LZ77_FIRST_CHUNK && state->phase == PHASE_BETWEEN_BLOCKS &&
           state->bit_count == 0 && state->search.hash_bits == 0 && state->buffered == history &&
           state->buffer_parsed == history && (history == 0 || state->search.position == 0) &&
           (stream->end_of_stream || stream->flush == FULL_FLUSH) &&
           isalk_lz77_is_tiny(stream->next_in, n);
}

int isalk_deflate_write_tiny(struct isal_zstream *stream, size_t room)
{
    struct deflate_state *state = state_of(stream);
    uint8_t *start = stream->next_out;
    uint32_t n = stream->avail_in;
    struct deflate_encode e;

    if (!is_tiny(stream, state))
        return 0;
    if (room < 2 * n + ENOUGH) /* beyond a dictionary and the input */
        start = state->buffer + DEFLATE_WINDOW + LZ77_FIRST_CHUNK;
    e.out = start;
    e.out_last = start + stream->avail_out;
    e.bits = 0;
    e.count = 0;
    if (!state->wrapper_begun)
        e.out += isalk_deflate_wrapper_header(stream, e.out);
    append_header(&e, stream->hufftables, stream->end_of_stream != 0);
    append_tiny(stream, &e);
    if (size_with_end(stream, 8 * (uint64_t) (e.out - start) + e.count) > stream->avail_out)
        return 0;
    if (stream->gzip_flag != IGZIP_DEFLATE)
        state->crc = isalk_deflate_checksum(stream->gzip_flag, state->crc, stream->next_in, n);
    state->wrapper_begun = 1;
    state->final_block = stream->end_of_stream != 0;
    state->search.position += n;
    state->search.long_matches = 0;
    state->search.run = 0;
    state->buffered = state->buffer_parsed = 0;
    stream->next_in += n;
    stream->avail_in = 0;
    stream->total_in += n;
    append_end(stream, &e, start, stream->total_in);
    return 1;
}
