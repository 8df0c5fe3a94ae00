/* Input of a stream: the available bytes, in the caller's memory or in the stream's buffer.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A large input is read in place. Between calls, the buffer keeps what matches may refer to,
 * what the current block would need to be stored, and what is not yet compressed. Input is
 * appended to it until the caller's bytes alone are enough to continue, and also while output
 * has no room. */

#include "igzip/deflate/stream.h"

enum { MIN_COMPACTION = 1024 }; /* moving the contents of the buffer must gain this many bytes */

/* Bytes to keep before next: back to the base of the hash table, which moves in steps, and to the
 * start of bytes that may be stored. */
static uint32_t bytes_to_keep(const struct deflate_work *w)
{
    const struct deflate_state *state = w->state;
    uint32_t keep = state->search.offset, max = w->lz.window + 2 * LZ77_BASE_STEP - 1;

    keep = keep < max ? keep : max;
    if (state->block_bytes != NOT_STORABLE && state->stored_bytes + state->block_bytes > keep)
        keep = state->stored_bytes + state->block_bytes;
    return keep;
}

/* Bytes of the buffer that input may fill. */
static uint32_t buffer_room(const struct deflate_work *w)
{
    return sizeof(w->state->buffer) - (w->block ? 0 : LEVEL0_SPILL_BYTES);
}

void isalk_deflate_sum(struct deflate_work *w, const uint8_t *to)
{
    if (w->direct && to > w->summed) {
        w->state->crc = isalk_deflate_checksum(w->stream->gzip_flag, w->state->crc, w->summed,
                                               (size_t) (to - w->summed));
        w->summed = to;
    }
}

void isalk_deflate_open_input(struct deflate_work *w)
{
    struct deflate_state *state = w->state;

    w->copied = 0;
    w->direct =
        state->buffered == state->buffer_parsed && bytes_to_keep(w) == 0 && w->stream->avail_in > 0;
    if (w->direct) {
        w->lz.low = w->lz.next = w->summed = w->stream->next_in;
        w->lz.end = w->lz.next + w->stream->avail_in;
    } else {
        w->lz.low = state->buffer;
        w->lz.next = w->lz.low + state->buffer_parsed;
        w->lz.end = w->lz.low + state->buffered;
    }
}

static void consume(struct isal_zstream *stream, uint32_t n)
{
    stream->next_in += n;
    stream->avail_in -= n;
    stream->total_in += n;
}

/* Copies input to the buffer, as much as fits. */
static void buffer_input(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct lz77 *lz = &w->lz;
    uint8_t *buffer = w->state->buffer;
    uint32_t have = (uint32_t) (lz->end - lz->next), keep = bytes_to_keep(w);
    uint32_t room = buffer_room(w) - (uint32_t) (lz->end - buffer);
    uint32_t unused = (uint32_t) (lz->next - buffer) - keep, n;

    if (room < stream->avail_in &&
        (unused >= MIN_COMPACTION || have + room < LZ77_CHUNK + LZ77_LOOKAHEAD)) {
        memmove(buffer, lz->next - keep, keep + have);
        lz->next = buffer + keep;
        lz->end = lz->next + have;
        room += unused;
    }
    n = room < stream->avail_in ? room : stream->avail_in;
    if (n == 0)
        return;
    memcpy(buffer + (lz->end - buffer), stream->next_in, n);
    w->state->crc = isalk_deflate_checksum(stream->gzip_flag, w->state->crc, stream->next_in, n);
    lz->end += n;
    w->copied += n;
    consume(stream, n);
}

int isalk_deflate_feed(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    uint32_t have = (uint32_t) (w->lz.end - w->lz.next);

    if (w->direct || stream->avail_in == 0)
        return 0;
    if (w->copied >= bytes_to_keep(w) + have) {
        w->direct = 1;
        w->lz.low = stream->next_in - w->copied;
        w->lz.next = stream->next_in - have;
        w->lz.end = stream->next_in + stream->avail_in;
        w->summed = stream->next_in;
    } else {
        buffer_input(w);
    }
    return 1;
}

/* Direct: moves to the buffer what the next call needs. */
static void close_direct(struct deflate_work *w)
{
    struct deflate_state *state = w->state;
    const struct lz77 *lz = &w->lz;
    uint32_t keep = bytes_to_keep(w), room = buffer_room(w) - keep, have;
    const uint8_t *consumed = (size_t) (lz->end - lz->next) < room ? lz->end : lz->next + room;

    if (w->one_call)
        consumed = lz->next;
    isalk_deflate_sum(w, consumed);
    consumed = w->summed;
    consume(w->stream, (uint32_t) (consumed - w->stream->next_in));
    have = (uint32_t) (consumed - lz->next);
    if (state->phase == PHASE_END || w->one_call)
        keep = have = 0;
    if (keep + have > 0)
        memcpy(state->buffer, lz->next - keep, keep + have);
    state->buffer_parsed = keep;
    state->buffered = keep + have;
}

void isalk_deflate_close_input(struct deflate_work *w)
{
    struct deflate_state *state = w->state;

    if (w->direct) {
        close_direct(w);
        return;
    }
    if (w->stream->avail_in > 0)
        buffer_input(w);
    state->buffer_parsed = (uint32_t) (w->lz.next - state->buffer);
    state->buffered = (uint32_t) (w->lz.end - state->buffer);
}

/* Makes the table smaller for short inputs. Up to LZ77_FIRST_CHUNK bytes are always processed
 * together, so the size of the table does not depend on how the input is split. */
void isalk_deflate_prepare_table(struct deflate_work *w)
{
    const struct isal_zstream *stream = w->stream;
    size_t max_short = 0;

    if (w->state->search.hash_bits)
        return;
    if (w->one_call)
        max_short = SIZE_MAX;
    else if (isalk_deflate_has_all_input(w) &&
             (stream->end_of_stream || stream->flush == FULL_FLUSH))
        max_short = LZ77_FIRST_CHUNK;
    isalk_lz77_prepare(&w->lz, max_short);
}
