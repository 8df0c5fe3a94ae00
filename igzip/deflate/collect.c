/* Levels with a level buffer: the tokens of a block, and bytes to store that look incompressible.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

enum {
    PROBED = 4096,          /* bytes that have to look incompressible before some are stored */
    MIN_PROBED = 1024,      /* the same at the end of the input */
    PROBED_AHEAD = 2048,    /* bytes within a chunk that have to look incompressible to end it */
    AHEAD_STEP = 1024,      /* distance between probes within a chunk */
    LONG_REPEATED = 2048,   /* a repeat of this many bytes after stored ones is a long match */
    UNPROBED_BYTES = 131072 /* bytes to parse after many probes, where codes help a little */
};

/* Bytes that may be added to the block. If bytes before it are to be stored, all have to fit in one
 * stored block. */
static size_t block_room(const struct deflate_work *w)
{
    const struct deflate_state *state = w->state;

    if (state->stored_bytes == 0)
        return SIZE_MAX;
    return DEFLATE_STORED_MAX - state->stored_bytes - state->block_bytes;
}

/* Makes `bytes` of input available, or fewer at the end of the input or of the block's room.
 * Returns 0 if the caller must supply more. A full block waits for one byte more, which tells
 * whether it is the last. */
static int get_input(struct deflate_work *w, size_t bytes)
{
    size_t room = block_room(w) + (block_room(w) == 0);

    bytes = bytes < room ? bytes : room;
    while (!isalk_deflate_is_last(w) && (size_t) (w->lz.end - w->lz.next) < bytes)
        if (!isalk_deflate_feed(w))
            return 0;
    return 1;
}

/* Returns whether the block has no tokens, only bytes to store. */
static int is_storing(const struct deflate_work *w)
{
    return w->state->tokens == 0 && w->state->stored_bytes > 0;
}

/* Number of bytes from next on that look incompressible. After stored bytes it may be any number;
 * otherwise it is 0 unless there are enough to end a block. */
static size_t probe(struct deflate_work *w)
{
    struct deflate_block *block = w->block;
    struct lz77 *lz = &w->lz;
    size_t left = (size_t) (lz->end - lz->next), room = block_room(w), n;
    int storing = is_storing(w);
    struct lz77_sample sample;
    struct deflate_find f;

    left = left < room ? left : room;
    left = left < PROBED ? left : PROBED;
    if (!storing && (left < MIN_PROBED || !isalk_lz77_may_be_random(lz->next)))
        return 0;
    isalk_lz77_set_table(lz, &f);
    f.next = lz->next;
    f.limit = lz->next + left;
    n = isalk_lz77_probe(&f, &sample);
    if (storing && n == 0 && sample.repeat && left >= LONG_REPEATED &&
        !memcmp(lz->next, lz->next - sample.repeat, LONG_REPEATED)) {
        lz->state->long_matches = 1;
        lz->state->run = sample.repeat;
    }
    if (!storing && n < left)
        return 0;
    if (w->state->tokens > 0)
        return n;
    if (!storing)
        memset(&block->sample, 0, sizeof(block->sample));
    if (n == left && !isalk_lz77_add_sample(&block->sample, &sample)) {
        block->unprobed_bytes = UNPROBED_BYTES;
        return 0;
    }
    f.limit = f.next + n;
    isalk_lz77_insert_sparse(&f);
    return n;
}

/* Offset of the first incompressible bytes in the next chunk, or SIZE_MAX. */
static size_t probe_ahead(struct deflate_work *w, size_t chunk)
{
    struct lz77 *lz = &w->lz;
    size_t left = (size_t) (lz->end - lz->next);
    struct lz77_sample sample;
    struct deflate_find f;

    isalk_lz77_set_table(lz, &f);
    if (left > chunk + LZ77_LOOKAHEAD)
        left = chunk + LZ77_LOOKAHEAD; /* more input must not change the result */
    for (size_t at = AHEAD_STEP; at < chunk && left >= at + PROBED_AHEAD; at += AHEAD_STEP) {
        f.next = lz->next + at;
        f.limit = f.next + PROBED_AHEAD;
        if (isalk_lz77_may_be_random(f.next) && isalk_lz77_probe(&f, &sample) == PROBED_AHEAD)
            return at;
    }
    return SIZE_MAX;
}

/* Returns whether the next bytes are to be probed. */
static int is_probing(const struct deflate_work *w)
{
    return !w->lz.state->long_matches && w->block->unprobed_bytes == 0;
}

/* Adds the tokens up to token_end, which represent n bytes, to the block. */
static void add_to_block(struct deflate_work *w, const uint32_t *token_end, uint32_t n)
{
    struct deflate_state *state = w->state;
    struct deflate_block *block = w->block;

    KERNEL_CALL(isalk_deflate_count_slot)
    (&block->counts, w->tokens + state->tokens, token_end);
    isalk_deflate_sum(w, w->lz.next);
    state->tokens = (uint32_t) (token_end - w->tokens);
    block->unprobed_bytes -= n < block->unprobed_bytes ? n : block->unprobed_bytes;
    if (state->block_bytes != NOT_STORABLE)
        state->block_bytes += n;
    if (state->block_bytes > MAX_STORABLE && state->stored_bytes == 0)
        state->block_bytes = NOT_STORABLE;
}

/* Parses a chunk, at most `room` bytes, into the block. */
static void parse_chunk(struct deflate_work *w, size_t room)
{
    struct lz77 *lz = &w->lz;
    uint32_t *token = w->tokens + w->state->tokens, *token_end = w->tokens + w->max_tokens;
    const uint8_t *start = lz->next, *end = lz->end;
    int last = isalk_deflate_is_last(w);

    if ((size_t) (end - start) >= room) {
        lz->end = start + room;
        last = 1;
    }
    if (is_probing(w))
        lz->max_chunk = probe_ahead(w, isalk_lz77_chunk(lz, token, token_end));
    token = lz->params->parser->parse(lz, token, token_end, last);
    lz->max_chunk = SIZE_MAX;
    lz->end = end;
    add_to_block(w, token, (uint32_t) (lz->next - start));
}

/* Returns whether the next chunk, at most `room` bytes, should begin a new block. */
static int is_change(const struct deflate_work *w, size_t room)
{
    const struct lz77 *lz = &w->lz;
    size_t n = isalk_lz77_next_chunk(lz, w->tokens + w->state->tokens, w->tokens + w->max_tokens);

    n = n < room ? n : room;
    return isalk_deflate_splits(w->block, lz->next, n) && w->state->tokens > 0;
}

/* Adds the next n bytes to those that will be stored. */
static void store_bytes(struct deflate_work *w, size_t n)
{
    isalk_lz77_advance(&w->lz, w->lz.next + n);
    isalk_deflate_sum(w, w->lz.next);
    w->state->stored_bytes += (uint32_t) n;
}

/* Collects bytes to store without probing them. */
static enum progress collect_stored(struct deflate_work *w)
{
    struct deflate_state *state = w->state;
    struct lz77 *lz = &w->lz;

    for (;;) {
        size_t room = DEFLATE_STORED_MAX - state->stored_bytes, n;

        if (!get_input(w, LZ77_CHUNK))
            return STOP;
        n = (size_t) (lz->end - lz->next);
        n = n < room ? n : room;
        if (n == 0)
            break;
        store_bytes(w, n);
    }
    state->phase = PHASE_BLOCK_CODES;
    return CONTINUE;
}

enum progress isalk_deflate_collect(struct deflate_work *w)
{
    struct deflate_state *state = w->state;
    struct lz77 *lz = &w->lz;
    uint32_t *token_end = w->tokens + w->max_tokens;

    if (w->blocks == BLOCKS_STORED)
        return collect_stored(w);
    do {
        uint32_t *token = w->tokens + state->tokens;
        size_t need = isalk_lz77_chunk(lz, token, token_end) + LZ77_LOOKAHEAD;
        size_t room = block_room(w);

        if (!get_input(w, is_storing(w) || need < PROBED ? PROBED : need))
            return STOP;
        if ((isalk_deflate_is_last(w) && lz->next == lz->end) || room == 0)
            break;
        isalk_deflate_prepare_table(w);
        if (is_probing(w)) {
            size_t stored = probe(w);

            if (stored > 0 && state->tokens > 0)
                break;
            if (stored > 0) {
                store_bytes(w, stored);
                continue;
            }
        }
        need = isalk_lz77_chunk(lz, token, token_end) + LZ77_LOOKAHEAD;
        if (is_storing(w) && !get_input(w, need))
            return STOP;
        if (lz->params->splits && is_change(w, room))
            break;
        parse_chunk(w, room);
    } while (w->max_tokens - state->tokens >= LZ77_MIN_TOKEN_ROOM);
    state->phase = PHASE_BLOCK_CODES;
    return CONTINUE;
}
