/* Level 0: each chunk's tokens are written as soon as they are found, in the caller's codes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/output.h"

enum {
    CHUNK_TOKENS = 4096, /* room for tokens of a chunk */
    MAX_MARKED = 4096    /* with more bytes remaining, a block is not marked as the last */
};

/* ---- The caller's codes ---- */

const struct deflate_codes *isalk_level0_ready_codes(const struct isal_hufftables *tables)
{
    if (tables == &isalk_hufftables_default)
        return &isalk_deflate_codes_default;
    return tables == &isalk_hufftables_static ? &isalk_deflate_codes_static : NULL;
}

void isalk_level0_expand(struct caller_codes *caller, const struct isal_hufftables *tables)
{
    if (caller->codes == NULL) {
        isalk_hufftables_expand(tables, &caller->expanded);
        caller->codes = &caller->expanded;
    }
}

/* Writes tokens; returns the first for which there is no room. */
static const uint32_t *write_tokens(struct isal_zstream *stream, const uint32_t *token,
                                    const uint32_t *token_end, struct caller_codes *caller)
{
    if (token_end - token > FEW_TABLE_TOKENS)
        isalk_level0_expand(caller, stream->hufftables);
    if (caller->codes != NULL)
        return isalk_deflate_write_tokens(stream, token, token_end, caller->codes);
    for (; token < token_end && drain(stream); token++) {
        uint32_t n;
        uint64_t bits = table_token_bits(*token, stream->hufftables, &n);

        append_bits(stream, bits, n);
    }
    drain(stream);
    return token;
}

/* ---- Header and end of a block ---- */

/* Decides whether the block is marked as the last. It is if at most MAX_MARKED bytes remain,
 * however the input is split. Returns 0 if the decision needs more input. */
static int decide_final(struct deflate_work *w)
{
    const struct lz77 *lz = &w->lz;

    while (!isalk_deflate_is_last(w) && lz->end - lz->next <= MAX_MARKED)
        if (!isalk_deflate_feed(w))
            return 0;
    w->state->final_block = w->stream->end_of_stream && lz->end - lz->next <= MAX_MARKED;
    return 1;
}

int isalk_level0_header(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;
    const struct isal_hufftables *tables = stream->hufftables;
    uint32_t bits = 8 * tables->deflate_hdr_count + tables->deflate_hdr_extra_bits;

    if (state->item_written == 0) {
        uint32_t first, n = bits < 8 ? bits : 8;

        if (!decide_final(w) || !drain(stream))
            return 0;
        first = (tables->deflate_hdr[0] & ~1u) | (state->final_block != 0);
        append_bits(stream, first & (((uint32_t) 1 << n) - 1), n);
        state->item_written = n;
    }
    return isalk_deflate_write_header(stream, tables->deflate_hdr, bits);
}

int isalk_level0_end(struct isal_zstream *stream)
{
    const struct isal_hufftables *tables = stream->hufftables;

    if (!drain(stream))
        return 0;
    append_bits(stream, tables->lit_table[DEFLATE_END_OF_BLOCK],
                tables->lit_table_sizes[DEFLATE_END_OF_BLOCK]);
    return 1;
}

/* ---- Tokens ---- */

/* Memory for encoded tokens that the output has no room for. It is the end of the buffer or, if
 * that is the hash table, the memory of the smaller table. */
static uint8_t *spill_of(const struct deflate_work *w)
{
    struct deflate_state *state = w->state;

    if (w->one_call)
        return (uint8_t *) state->hash_table;
    return state->buffer + sizeof(state->buffer) - LEVEL0_SPILL_BYTES;
}

static void spill_tokens(struct deflate_work *w, const uint32_t *token, const uint32_t *token_end,
                         struct caller_codes *caller)
{
    struct deflate_state *state = w->state;
    uint8_t *spill = spill_of(w);
    uint32_t whole = state->bit_count / 8;
    struct deflate_encode e = {0};

    isalk_level0_expand(caller, w->stream->hufftables);
    store_le64(spill, state->bits);
    e.token = token;
    e.token_end = token_end;
    e.out = spill + whole;
    e.out_last = spill + LEVEL0_SPILL_BYTES - sizeof(e.bits);
    e.bits = whole < sizeof(e.bits) ? state->bits >> 8 * whole : 0;
    e.count = state->bit_count % 8;
    e.codes = caller->codes;
    KERNEL_CALL(isalk_deflate_encode_slot)(&e);
    state->bits = e.bits;
    state->bit_count = e.count;
    state->item_written = 0;
    state->spilled = (uint32_t) (e.out - spill);
}

/* Writes the spilled bytes; returns whether all are written. */
static int write_spilled(struct deflate_work *w)
{
    struct deflate_state *state = w->state;

    if (state->spilled == 0)
        return 1;
    if (!isalk_deflate_write_bytes(w->stream, spill_of(w), state->spilled))
        return 0;
    state->spilled = 0;
    return 1;
}

enum progress isalk_level0_body(struct deflate_work *w, struct caller_codes *caller)
{
    struct isal_zstream *stream = w->stream;
    struct lz77 *lz = &w->lz;
    uint32_t tokens[CHUNK_TOKENS];

    for (;;) {
        int last = isalk_deflate_is_last(w);
        uint32_t *token_end;
        const uint32_t *written;

        if (!write_spilled(w) || !drain(stream) || stream->avail_out == 0)
            return STOP;
        if (last && lz->next == lz->end) {
            w->state->phase = PHASE_BLOCK_TOKENS;
            return CONTINUE;
        }
        if (!last && !isalk_lz77_has_chunk(lz, tokens, tokens + CHUNK_TOKENS)) {
            if (isalk_deflate_feed(w))
                continue;
            return STOP;
        }
        isalk_deflate_prepare_table(w);
        token_end = lz->params->parser->parse(lz, tokens, tokens + CHUNK_TOKENS, last);
        isalk_deflate_sum(w, lz->next);
        written = write_tokens(stream, tokens, token_end, caller);
        if (written < token_end)
            spill_tokens(w, written, token_end, caller);
    }
}
