/* Compression in one call: public function.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/output.h"

/* Number of stored blocks that hold these bytes. */
static uint64_t stored_blocks(uint32_t bytes)
{
    return bytes == 0 ? 1 : ((uint64_t) bytes + DEFLATE_STORED_MAX - 1) / DEFLATE_STORED_MAX;
}

/* Bytes of the input in stored blocks. */
static uint64_t stored_size(const struct isal_zstream *stream)
{
    return stream->avail_in + 5 * stored_blocks(stream->avail_in);
}

/* Stores all input; returns whether there was room. */
static int store_all(struct isal_zstream *stream)
{
    uint32_t left = stream->avail_in;
    uint64_t size = stored_size(stream);

    if (stream->avail_out < size)
        return 0;
    do {
        uint32_t n = left < DEFLATE_STORED_MAX ? left : DEFLATE_STORED_MAX;
        uint8_t header[5] = {(uint8_t) (stream->end_of_stream && n == left), (uint8_t) n,
                             (uint8_t) (n >> 8), (uint8_t) ~n, (uint8_t) (~n >> 8)};

        memcpy(stream->next_out, header, sizeof(header));
        if (n > 0)
            memcpy(stream->next_out + sizeof(header), stream->next_in, n);
        stream->next_out += sizeof(header) + n;
        stream->next_in += n;
        left -= n;
    } while (left > 0);
    stream->avail_out -= (uint32_t) size;
    stream->total_out += (uint32_t) size;
    stream->total_in += stream->avail_in;
    stream->avail_in = 0;
    return 1;
}

/* Appends n bytes; returns whether there was room. */
static int append(struct isal_zstream *stream, const uint8_t *bytes, uint32_t n)
{
    if (n == 0)
        return 1;
    if (stream->avail_out < n)
        return 0;
    memcpy(stream->next_out, bytes, n);
    advance_output(stream, n);
    return 1;
}

/* Returns whether codes may make the input smaller. Level 0 first writes the header of the caller's
 * codes, which may leave little room for a short input. */
static int is_worth_codes(const struct level *level, const struct isal_zstream *stream)
{
    uint64_t header = stream->hufftables->deflate_hdr_count, stored = stored_size(stream);

    if (level->min_level_buf > 0)
        return 1;
    if (header >= stored)
        return 0;
    return 8 * (stored - header) >= 5 * (uint64_t) stream->avail_in ||
           isalk_lz77_near_pairs(stream->next_in, stream->avail_in) >= LZ77_PAIRS / 3;
}

/* Compresses all input; returns whether there was room. The `spare` bytes after that room may be
 * overwritten. */
static int compress_all(const struct level *level, struct isal_zstream *stream, uint32_t spare)
{
    struct deflate_work w;

    if (level->min_level_buf == 0 && isalk_lz77_is_tiny(stream->next_in, stream->avail_in))
        return isalk_deflate_write_tiny(stream, (size_t) stream->avail_out + spare);
    isalk_level_layout(level, stream, &w);
    w.one_call = 1;
    w.spare_out = spare < SHORT_END_ROOM ? spare : SHORT_END_ROOM;
    w.lz.is_short = stream->avail_in <= LZ77_SHORT;
    w.lz.ends = 1;
    if (w.block == NULL) {
        w.lz.head = (deflate_entry *) (void *) w.state->buffer;
        w.lz.hash_bits = LEVEL0_ONE_CALL_HASH_BITS;
    }
    isalk_deflate_run(&w);
    return w.state->state == (stream->end_of_stream ? ZSTATE_END : ZSTATE_NEW_HDR) &&
           stream->avail_in == 0;
}

/* Ends the stream after the last `size` bytes of input; returns whether there was room. */
static int end_stream(struct isal_zstream *stream, const uint8_t *input, uint32_t size)
{
    struct deflate_state *state = state_of(stream);

    if (stream->gzip_flag != IGZIP_DEFLATE) {
        state->crc = isalk_deflate_checksum(stream->gzip_flag, 0, input, size);
        size = isalk_deflate_wrapper_trailer(stream, stream->total_in, state->wrapper);
        if (!append(stream, state->wrapper, size))
            return 0;
    }
    state->phase = PHASE_END;
    state->state = ZSTATE_END;
    return 1;
}

/* Stores all input, with the trailer if it is the last; returns whether there was room. */
static int store_stream(struct isal_zstream *stream)
{
    const uint8_t *input = stream->next_in;
    uint32_t size = stream->avail_in;

    return store_all(stream) && (!stream->end_of_stream || end_stream(stream, input, size));
}

/* Undoes a failed attempt: back to the totals before it, with the wrapper begun. */
static void restore(struct isal_zstream *stream, uint32_t total_in, uint32_t total_out)
{
    uint32_t in = stream->total_in - total_in, out = stream->total_out - total_out;

    isalk_deflate_reset_state(state_of(stream));
    state_of(stream)->wrapper_begun = 1;
    stream->next_in -= in;
    stream->avail_in += in;
    stream->total_in = total_in;
    stream->next_out -= out;
    stream->total_out = total_out;
}

/* Compresses all input; returns whether the result is no longer than the same data stored. If not,
 * all is as before. */
static int compress_or_restore(const struct level *level, struct isal_zstream *stream)
{
    uint32_t total_in = stream->total_in, total_out = stream->total_out;
    uint32_t avail_out = stream->avail_out;
    uint64_t bound = stored_size(stream);
    uint8_t trailer[8];
    int done;

    if (stream->end_of_stream)
        bound += isalk_deflate_wrapper_trailer(stream, 0, trailer);
    if (stream->avail_out > bound)
        stream->avail_out = (uint32_t) bound;
    done = compress_all(level, stream, avail_out - stream->avail_out);
    if (!done)
        restore(stream, total_in, total_out);
    stream->avail_out = avail_out - (stream->total_out - total_out);
    return done;
}

ISAL_PUBLIC int isal_deflate_stateless(struct isal_zstream *stream)
{
    const struct level *level = level_of(stream);
    struct deflate_state *state = state_of(stream);
    uint8_t had_wrapper = state->wrapper_begun, wrapper[sizeof(state->wrapper)];
    int error;

    if (stream->flush != NO_FLUSH && stream->flush != FULL_FLUSH)
        return INVALID_FLUSH;
    if (stream->level == 1 && stream->level_buf == NULL) {
        /* The buffer of the window is free: nothing outlives the call. */
        stream->level_buf = state->buffer;
        stream->level_buf_size = sizeof(state->buffer);
    }
    error = isalk_level_check(level, stream);
    if (error)
        return error;
    isalk_deflate_set_window(stream);
    if (stream->flush == NO_FLUSH)
        stream->end_of_stream = 1;

    isalk_deflate_reset_state(state);
    if (!had_wrapper && !append(stream, wrapper, isalk_deflate_wrapper_header(stream, wrapper)))
        return STATELESS_OVERFLOW;
    state->wrapper_begun = 1;

    if (isalk_deflate_constant(stream)) {
        const uint8_t *input = stream->next_in;
        uint32_t size = stream->avail_in;

        stream->next_in += size;
        stream->avail_in = 0;
        stream->total_in += size;
        return end_stream(stream, input, size) ? COMP_OK : STATELESS_OVERFLOW;
    }

    if (is_worth_codes(level, stream) && compress_or_restore(level, stream))
        return COMP_OK;
    return store_stream(stream) ? COMP_OK : STATELESS_OVERFLOW;
}
