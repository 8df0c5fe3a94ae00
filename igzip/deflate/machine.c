/* The compressor as a state machine, which can stop wherever input or room for output ends.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tokens of a block are collected, then its codes are made, and header, tokens and end of block are
 * written. Level 0 has its codes beforehand: it writes the header first, then the tokens of each
 * chunk.
 *
 * The output is a function of the data, the level, the tables, the wrapper and the flushes. It does
 * not depend on how input and output are divided among calls: the machine waits for whole chunks,
 * and resumes. */

#include "igzip/deflate/output.h"

/* Clears the sizes of a block. */
static void clear_block(struct deflate_state *state)
{
    state->tokens_written = 0;
    state->tokens = 0;
    state->block_bytes = 0;
    state->item_written = 0;
}

void isalk_deflate_start_block(struct deflate_work *w)
{
    clear_block(w->state);
    if (w->block) {
        memset(&w->block->counts, 0, sizeof(w->block->counts));
        if (w->lz.params->splits) {
            memset(w->block->byte_counts, 0, sizeof(w->block->byte_counts));
            w->block->bytes_counted = 0;
        }
    }
}

/* At the start of the output and after a marker: blocks have saved nothing yet that a stored block
 * could spend, and probes resume. */
static void reset_balance(struct deflate_work *w)
{
    if (w->block)
        w->block->balance = w->block->unprobed_bytes = 0;
}

/* Enters the phase after a block. */
static void end_block(struct deflate_work *w)
{
    struct deflate_state *state = w->state;

    clear_block(state);
    if (state->final_block) {
        state->phase = PHASE_TRAILER;
    } else if (w->lz.next == w->lz.end && isalk_deflate_has_all_input(w) &&
               !w->stream->end_of_stream && w->stream->flush != NO_FLUSH) {
        state->marker_flush = (uint8_t) w->stream->flush;
        state->phase = PHASE_MARKER;
    } else {
        state->phase = PHASE_BETWEEN_BLOCKS;
    }
}

/* Chooses the phase between blocks. `flushed`: a marker was completed in this call. */
static enum progress between_blocks(struct deflate_work *w, int flushed)
{
    struct deflate_state *state = w->state;
    struct isal_zstream *stream = w->stream;
    int more = w->lz.next < w->lz.end || !isalk_deflate_has_all_input(w);

    if (!state->wrapper_begun) {
        reset_balance(w);
        state->wrapper_begun = 1;
        state->item_written = 0;
        state->wrapper_bytes = isalk_deflate_wrapper_header(stream, state->wrapper);
        state->phase = PHASE_WRAPPER_HEADER;
    } else if (!more && stream->end_of_stream) {
        /* An empty last block. */
        if (!drain(stream))
            return STOP;
        append_bits(stream, 1 | DEFLATE_FIXED << 1, EMPTY_STATIC_BITS);
        state->final_block = 1;
        end_block(w);
    } else if (more) {
        isalk_deflate_start_block(w);
        state->spilled = 0;
        state->final_block = 0;
        state->phase = w->block ? PHASE_COLLECT : PHASE_BLOCK_CODES;
    } else if (stream->flush != NO_FLUSH && !flushed) {
        state->marker_flush = (uint8_t) stream->flush;
        state->phase = PHASE_MARKER;
    } else {
        return STOP;
    }
    return CONTINUE;
}

/* Writes the rest of the marker. */
static int end_marker(struct deflate_work *w)
{
    struct deflate_state *state = w->state;

    if (!drain(w->stream) || (state->bit_count > 0 && state->marker_flush <= FULL_FLUSH))
        return 0;
    if (state->marker_flush == FULL_FLUSH || w->stream->flush == FULL_FLUSH)
        isalk_lz77_reset(&state->search);
    reset_balance(w);
    return 1;
}

/* Makes the trailer, which begins on a byte boundary. */
static int make_trailer(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;

    if (!drain(stream))
        return 0;
    pad_to_byte(stream);
    state->item_written = 0;
    state->wrapper_bytes = isalk_deflate_wrapper_trailer(
        stream, stream->total_in + (w->direct ? stream->avail_in : 0), state->wrapper);
    return 1;
}

static int write_trailer(struct deflate_work *w)
{
    struct deflate_state *state = w->state;

    drain(w->stream);
    return state->bit_count == 0 &&
           isalk_deflate_write_bytes(w->stream, state->wrapper, state->wrapper_bytes);
}

/* Moves to the next phase if the current one is done. */
static enum progress next_if(struct deflate_state *state, int done, enum deflate_phase next)
{
    if (!done)
        return STOP;
    state->phase = (uint8_t) next;
    return CONTINUE;
}

/* The phases of a block and the bytes stored before it. */
static enum progress run_block(struct deflate_work *w, struct caller_codes *caller)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;

    switch (state->phase) {
    case PHASE_COLLECT:
        return w->block ? isalk_deflate_collect(w) : isalk_level0_body(w, caller);
    case PHASE_BLOCK_CODES:
        if (!w->block)
            return next_if(state, isalk_level0_header(w), PHASE_COLLECT);
        isalk_deflate_create_block(w);
        return CONTINUE;
    case PHASE_BLOCK_HEADER:
        return next_if(
            state,
            isalk_deflate_write_header(stream, w->block->header.bytes, w->block->header.bits),
            PHASE_BLOCK_TOKENS);
    case PHASE_BLOCK_TOKENS:
        if (w->block ? !isalk_deflate_write_block(w) : !isalk_level0_end(stream))
            return STOP;
        end_block(w);
        return CONTINUE;
    default: /* PHASE_STORED_HEADER, PHASE_STORED_BYTES */
        if (!isalk_deflate_write_stored(w))
            return STOP;
        if (state->tokens > 0)
            state->phase = PHASE_BLOCK_HEADER;
        else
            end_block(w);
        return CONTINUE;
    }
}

/* The state that callers see. When the output is full, a state of ZSTATE_TMP_OFFSET or above means
 * that more output follows. Callers may compare it with the value for the current phase, listed in
 * igzip_lib.h. */
static enum isal_zstate_state shown_state(const struct deflate_work *w)
{
    const struct deflate_state *state = w->state;
    enum isal_zstate_state shown = (enum isal_zstate_state) state->phase;
    int full = w->stream->avail_out == 0;

    switch (state->phase) {
    case PHASE_END:
    case PHASE_WRAPPER_HEADER:
        return shown;
    case PHASE_MARKER:
    case PHASE_MARKER_END:
        return ZSTATE_TMP_SYNC_FLUSH;
    case PHASE_TRAILER:
    case PHASE_TRAILER_BYTES:
        return ZSTATE_TMP_TRL;
    case PHASE_BETWEEN_BLOCKS:
        full = state->bit_count >= 8;
        break;
    default:
        break;
    }
    if (!full)
        return shown;
    return w->block ? ZSTATE_TMP_FLUSH_ICF_BUFFER : ZSTATE_TMP_BODY;
}

static void run_phases(struct deflate_work *w, struct caller_codes *caller)
{
    struct isal_zstream *stream = w->stream;
    struct deflate_state *state = w->state;
    enum progress progress = CONTINUE;
    int flushed = 0;

    while (progress == CONTINUE) {
        switch (state->phase) {
        case PHASE_BETWEEN_BLOCKS:
            progress = between_blocks(w, flushed);
            break;
        case PHASE_WRAPPER_HEADER:
            progress = next_if(
                state, isalk_deflate_write_bytes(stream, state->wrapper, state->wrapper_bytes),
                PHASE_BETWEEN_BLOCKS);
            break;
        case PHASE_MARKER:
            progress = next_if(state, isalk_deflate_write_marker(stream), PHASE_MARKER_END);
            break;
        case PHASE_MARKER_END:
            progress = next_if(state, end_marker(w), PHASE_BETWEEN_BLOCKS);
            flushed |= progress == CONTINUE;
            break;
        case PHASE_TRAILER:
            progress = next_if(state, make_trailer(w), PHASE_TRAILER_BYTES);
            break;
        case PHASE_TRAILER_BYTES:
            progress = next_if(state, write_trailer(w), PHASE_END);
            break;
        case PHASE_END:
            progress = STOP;
            break;
        default:
            progress = run_block(w, caller);
            break;
        }
    }
}

void isalk_deflate_run(struct deflate_work *w)
{
    struct caller_codes caller;

    if (!w->block && isalk_deflate_short(w))
        return;
    if (w->one_call)
        reset_balance(w);
    if (!w->block)
        caller.codes = isalk_level0_ready_codes(w->stream->hufftables);
    isalk_deflate_open_input(w);
    if (w->block || w->state->phase != PHASE_COLLECT)
        drain(w->stream); /* at level 0, spilled bytes come first */
    run_phases(w, &caller);
    isalk_deflate_close_input(w);
    w->state->state = shown_state(w);
}
