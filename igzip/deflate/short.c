/* Level 0: a short piece of data compressed in one pass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The result is that of the state machine, without its cost. */

#include "igzip/deflate/output.h"

/* Whether all data not yet compressed end with this call and are short, and the output certainly
 * has room. A one-call stream may lack room: then it stores the data instead. */
static int is_short(const struct deflate_work *w)
{
    enum { ENOUGH = ISAL_DEF_MAX_HDR_SIZE + 64 }; /* also for the wrapper and a marker */
    const struct isal_zstream *stream = w->stream;
    const struct deflate_state *state = w->state;

    return w->block == NULL && state->phase == PHASE_BETWEEN_BLOCKS && state->bit_count == 0 &&
           state->buffered == state->buffer_parsed && stream->avail_in > 0 &&
           stream->avail_in <= LZ77_FIRST_CHUNK &&
           (stream->end_of_stream || stream->flush != NO_FLUSH) &&
           (w->one_call || stream->avail_out >= 2 * stream->avail_in + ENOUGH);
}

/* Appends n <= 56 bits where there is room for 8 bytes. */
static void append(struct deflate_encode *e, uint64_t bits, uint32_t n)
{
    e->bits |= bits << e->count;
    e->count += n;
    store_le64(e->out, e->bits);
    e->out += e->count / 8;
    e->bits >>= e->count & ~7u;
    e->count %= 8;
}

/* The header of a block in the caller's codes, after a whole byte. */
static void append_header(struct deflate_encode *e, const struct isal_hufftables *tables, int final)
{
    uint8_t *header = e->out;
    uint32_t whole = tables->deflate_hdr_count, rest = tables->deflate_hdr_extra_bits;

    memcpy(header, tables->deflate_hdr, whole);
    e->out += whole;
    if (rest > 0)
        append(e, tables->deflate_hdr[whole] & ((1u << rest) - 1), rest);
    if (whole == 0)
        e->bits = (e->bits & ~1u) | (unsigned) final;
    header[0] = (uint8_t) ((header[0] & ~1u) | (unsigned) final);
}

/* Appends tokens and the end of the block. */
static void append_tokens(struct deflate_encode *e, const uint32_t *token,
                          const uint32_t *token_end, const struct isal_hufftables *tables,
                          const struct deflate_codes *codes)
{
    if (codes != NULL) {
        e->token = token;
        e->token_end = token_end;
        e->codes = codes;
        KERNEL_CALL(isalk_deflate_encode_slot)(e);
    } else {
        struct deflate_encode local = *e; /* in registers: output may alias *e */

        for (; token < token_end; token++) {
            uint32_t n;
            uint64_t bits = table_token_bits(*token, tables, &n);

            append(&local, bits, n);
        }
        *e = local;
    }
    append(e, tables->lit_table[DEFLATE_END_OF_BLOCK],
           tables->lit_table_sizes[DEFLATE_END_OF_BLOCK]);
}

/* One call: bytes of the block and of the trailer or marker after it. */
static uint64_t short_cost(const struct isal_zstream *stream, const uint32_t *token,
                           const uint32_t *token_end, const struct deflate_codes *codes)
{
    const struct isal_hufftables *tables = stream->hufftables;
    uint64_t bits = 8 * tables->deflate_hdr_count + tables->deflate_hdr_extra_bits +
                    isalk_deflate_token_cost(token, token_end, codes);
    uint8_t trailer[8];

    if (stream->end_of_stream)
        return (bits + 7) / 8 + isalk_deflate_wrapper_trailer(stream, 0, trailer);
    return (bits + 3 + 7) / 8 + 4;
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

/* What follows the block: the trailer, or a marker. */
static void append_end(struct deflate_work *w, struct deflate_encode *e)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;

    if (state->final_block) {
        append(e, 0, -e->count & 7);
        e->out += isalk_deflate_wrapper_trailer(
            stream, stream->total_in + (w->direct ? stream->avail_in : 0), e->out);
        state->phase = PHASE_END;
    } else {
        append(e, DEFLATE_STORED << 1, 3);
        append(e, 0, -e->count & 7);
        append(e, 0xffff0000u, 32);
        if (stream->flush == FULL_FLUSH)
            isalk_lz77_reset(&state->search);
    }
}

int isalk_deflate_short(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;
    const struct isal_hufftables *tables = stream->hufftables;
    uint32_t tokens[LZ77_FIRST_CHUNK + 2 * LZ77_MIN_TOKEN_ROOM], *token_end;
    struct caller_codes caller;
    struct deflate_encode e;

    if (!is_short(w))
        return 0;
    caller.codes = isalk_level0_ready_codes(tables);
    token_end = parse_all(w, tokens, tokens + ARRAY_SIZE(tokens));
    if (token_end - tokens > FEW_TABLE_TOKENS || w->one_call)
        isalk_level0_expand(&caller, tables);
    if (w->one_call) {
        uint64_t cost = short_cost(stream, tokens, token_end, caller.codes);

        if (cost + sizeof(e.bits) > stream->avail_out) {
            memset(&state->search, 0, sizeof(state->search));
            return cost > stream->avail_out;
        }
    }

    e.out = stream->next_out;
    e.out_last = e.out + stream->avail_out - sizeof(e.bits);
    e.bits = 0;
    e.count = 0;
    if (!state->wrapper_begun)
        e.out += isalk_deflate_wrapper_header(stream, e.out);
    state->wrapper_begun = 1;
    state->final_block = stream->end_of_stream != 0;
    append_header(&e, tables, state->final_block);
    append_tokens(&e, tokens, token_end, tables, caller.codes);
    if (w->direct)
        isalk_deflate_sum(w, w->lz.end);
    append_end(w, &e);
    state->bits = e.bits;
    state->bit_count = e.count;
    advance_output(stream, (uint32_t) (e.out - stream->next_out));
    isalk_deflate_close_input(w);
    state->state = (enum isal_zstate_state) state->phase;
    return 1;
}
