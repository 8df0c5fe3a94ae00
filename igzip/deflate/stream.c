/* The compressor as a machine that can stop wherever input or room for output ends.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is collected as tokens by a match finder (BODY), then its codes are made (CREATE_HDR) and
 * header, tokens and end of block are written. Level 0 has its codes beforehand: it writes the
 * header first, and each handful of tokens at once.
 *
 * A large input is read where it is. Between calls, the stream's buffer keeps what matches may
 * refer to, what the block at work would need to be stored, and what is not yet compressed; input
 * is appended to it until the caller's bytes alone are enough to go on with, and also while output
 * has no room.
 *
 * The output is a function of the data, the level, the tables, the wrapper and the flushes alone.
 * So nothing depends on how much input is at hand or how much room there is for output: the machine
 * waits for whole chunks, and resumes. */

#include "igzip/deflate/stream.h"

enum {
    DIRECT_TOKENS = 4096, /* level 0: tokens made at once */
    FIRST_CHUNK = 2048,   /* bytes by which new data are judged */
    LEAST_RUN = 64,       /* bytes that show one */
    MOST_RUN = 32768,     /* bytes of repeats that are followed at once */
    FEW_TOKENS = 24,      /* whose codes take longer to make than all else, for a few bytes */
    PROBED = 4096,        /* bytes that have to look incompressible before some are stored, */
    FEWEST_PROBED = 1024, /* or so many at the end */
    PROBED_AHEAD = 2048,  /* bytes in a chunk that have to look so to end it */
    AHEAD_STEP = 1024,
    LONG_REPEATED = 2048, /* bytes repeated among such that the finder of long matches is for */
    UNPROBED = 131072,    /* bytes with tokens after many probes in which codes help a little */
    FINAL_GIVEN = 4096,   /* level 0: the longest input whose block is marked as the last */
    TABLE_STEP = 8,       /* the hash table's base moves by multiples of this */
    COMPACT_LEAST = 1024, /* unused bytes worth moving the buffer's contents down for */
    /* Level 0: room at the end of the buffer for encoded tokens that the output has no room for.
     * Codes have at most 15 bits a byte of a chunk; a followed run adds few. */
    SPILL_BYTES = 8704,
    /* Bytes of a block that the buffer can hold beside a whole chunk. A longer one has so few
     * tokens that the static codes make it shorter than stored, whatever they are: 16384 of 31 bits
     * at most. */
    MOST_STORED = sizeof(((struct isal_zstate *) 0)->buffer) - FIND_CHUNK - LOOK_AHEAD,
    STATIC_HEADER = 3, /* bits of a static block's header */
    FEW_GIVEN = 40     /* tokens for which it takes too long to expand the caller's codes */
};

/* ---- Output ---- */

/* Writes whole bytes out of the bit buffer; whether fewer than 8 bits are left. */
static int drain(struct isal_zstream *stream)
{
    struct BitBuf2 *b = &stream->internal_state.bitbuf;
    uint32_t n = b->m_bit_count / 8;

    if (n == 0)
        return 1;
    if (stream->avail_out >= 8) {
        store_le64(stream->next_out, b->m_bits);
        stream->next_out += n;
        stream->avail_out -= n;
        stream->total_out += n;
        b->m_bits = n < 8 ? b->m_bits >> 8 * n : 0;
        b->m_bit_count %= 8;
        return 1;
    }
    for (; b->m_bit_count >= 8 && stream->avail_out > 0; b->m_bit_count -= 8) {
        *stream->next_out++ = (uint8_t) b->m_bits;
        b->m_bits >>= 8;
        stream->avail_out--;
        stream->total_out++;
    }
    return b->m_bit_count < 8;
}

/* Appends n <= 56 bits to a drained bit buffer. */
static void put(struct isal_zstream *stream, uint64_t bits, uint32_t n)
{
    struct BitBuf2 *b = &stream->internal_state.bitbuf;

    b->m_bits |= bits << b->m_bit_count;
    b->m_bit_count += n;
}

static void pad_to_byte(struct isal_zstream *stream)
{
    struct BitBuf2 *b = &stream->internal_state.bitbuf;

    b->m_bit_count = (b->m_bit_count + 7) & ~7u;
}

/* Appends n bytes, which have room, behind an empty bit buffer. */
static void append(struct isal_zstream *stream, const uint8_t *bytes, uint32_t n)
{
    if (n > 0)
        memcpy(stream->next_out, bytes, n);
    stream->next_out += n;
    stream->avail_out -= n;
    stream->total_out += n;
}

/* Writes bytes from `count` of the state on to n, with an empty bit buffer; whether all are written.
 */
static int write_bytes(struct isal_zstream *stream, const uint8_t *bytes, uint32_t n)
{
    uint32_t *done = &stream->internal_state.count;
    uint32_t part = n - *done < stream->avail_out ? n - *done : stream->avail_out;

    append(stream, bytes + *done, part);
    *done += part;
    return *done == n;
}

/* Writes the bits of a header from `count` of the state on; whether all are in the bit buffer. */
static int write_header(struct isal_zstream *stream, const uint8_t *bytes, uint32_t bits)
{
    struct BitBuf2 *b = &stream->internal_state.bitbuf;
    uint32_t *done = &stream->internal_state.count;

    if (!drain(stream))
        return 0;
    if (b->m_bit_count == 0 && *done % 8 == 0) {
        uint32_t whole = (bits - *done) / 8,
                 n = whole < stream->avail_out ? whole : stream->avail_out;

        append(stream, bytes + *done / 8, n);
        *done += 8 * n;
    }
    for (; bits - *done >= 64 && stream->avail_out >= 8; *done += 64) {
        uint64_t v = load_le64(bytes + *done / 8);

        store_le64(stream->next_out, b->m_bits | v << b->m_bit_count);
        stream->next_out += 8;
        stream->avail_out -= 8;
        stream->total_out += 8;
        b->m_bits = v >> 8 >> (56 - b->m_bit_count);
    }
    while (*done < bits) {
        uint32_t n = bits - *done < 32 ? bits - *done : 32;
        uint64_t v = 0;

        if (!drain(stream))
            return 0;
        for (uint32_t i = 0; i < (n + 7) / 8; i++)
            v |= (uint64_t) bytes[*done / 8 + i] << 8 * i;
        put(stream, v & (((uint64_t) 1 << n) - 1), n);
        *done += n;
    }
    return 1;
}

/* Level 0: the codes of the caller's tables by token field. */
struct given_codes {
    const struct deflate_codes *codes; /* NULL until they are expanded */
    struct deflate_codes expanded;
};

static const struct deflate_codes *ready_codes(const struct isal_hufftables *tables)
{
    if (tables == &isalk_hufftables_default)
        return &isalk_deflate_codes_default;
    return tables == &isalk_hufftables_static ? &isalk_deflate_codes_static : NULL;
}

/* Writes tokens; returns the first that found no room. */
static const uint32_t *write_tokens(struct isal_zstream *stream, const uint32_t *token,
                                    const uint32_t *token_end, const struct deflate_codes *codes)
{
    struct BitBuf2 *b = &stream->internal_state.bitbuf;

    if (!drain(stream))
        return token;
    if (stream->avail_out >= 8) {
        struct deflate_encode e = {
            token,
            token_end,
            stream->next_out,
            stream->next_out + stream->avail_out - 8,
            b->m_bits,
            b->m_bit_count,
            codes,
        };
        uint32_t made;

        KERNEL_CALL(isalk_deflate_encode_slot)(&e);
        made = (uint32_t) (e.out - stream->next_out);
        stream->next_out = e.out;
        stream->avail_out -= made;
        stream->total_out += made;
        b->m_bits = e.bits;
        b->m_bit_count = e.count;
        token = e.token;
    }
    for (; token < token_end && drain(stream); token++) {
        uint32_t n;
        uint64_t bits = token_bits(*token, codes, &n);

        put(stream, bits, n);
    }
    drain(stream);
    return token;
}

/* The bits of a token in the caller's codes. */
static uint64_t given_bits(uint32_t token, const struct isal_hufftables *tables, uint32_t *count)
{
    uint32_t first = token & TOKEN_MASK, second = token >> TOKEN_SECOND_SHIFT & TOKEN_MASK;
    uint64_t bits, second_bits = 0, extra_bits = 0;
    uint32_t n, second_n = 0, extra_n = 0;

    if (first < TOKEN_LENGTHS) {
        bits = tables->lit_table[first];
        n = tables->lit_table_sizes[first];
        if (second >= TOKEN_LITERALS) {
            second_bits = tables->lit_table[second - TOKEN_LITERALS];
            second_n = tables->lit_table_sizes[second - TOKEN_LITERALS];
        }
    } else {
        const uint32_t symbol = second - TOKEN_DISTANCES;

        bits = tables->len_table[first - TOKEN_LENGTHS] >> HUFFTABLE_SIZE_BITS;
        n = tables->len_table[first - TOKEN_LENGTHS] & HUFFTABLE_SIZE_MASK;
        second_bits = tables->dcodes[symbol];
        second_n = tables->dcodes_sizes[symbol];
        extra_n = deflate_distances[symbol].extra;
        extra_bits = (uint64_t) (token & TOKEN_EXTRA_MASK) >> (32 - extra_n);
    }
    *count = n + second_n + extra_n;
    return bits | second_bits << n | extra_bits << (n + second_n);
}

static void expand_given(struct given_codes *given, const struct isal_hufftables *tables)
{
    if (given->codes == NULL) {
        isalk_hufftables_expand(tables, &given->expanded);
        given->codes = &given->expanded;
    }
}

/* Level 0: writes tokens in the codes of the caller's tables, which are expanded once there are enough
 * tokens to pay for it. */
static const uint32_t *write_given_tokens(struct isal_zstream *stream, const uint32_t *token,
                                          const uint32_t *token_end, struct given_codes *given)
{
    if (token_end - token > FEW_GIVEN)
        expand_given(given, stream->hufftables);
    if (given->codes != NULL)
        return write_tokens(stream, token, token_end, given->codes);
    for (; token < token_end && drain(stream); token++) {
        uint32_t n;
        uint64_t bits = given_bits(*token, stream->hufftables, &n);

        put(stream, bits, n);
    }
    drain(stream);
    return token;
}

/* ---- Input ---- */

/* Bytes before next that matches may refer to. */
static uint32_t history(const struct deflate_work *w)
{
    uint32_t offset = w->state->total_in_start;

    return offset < w->window ? offset : w->window;
}

/* Bytes before next that have to stay at hand: those down to the hash table's base, which moves in
 * steps, and those of a block that may be stored. */
static uint32_t bytes_to_keep(const struct deflate_work *w)
{
    const struct isal_zstate *state = w->state;
    uint32_t keep = state->total_in_start, most = w->window + 2 * TABLE_STEP - 1;

    keep = keep < most ? keep : most;
    if (state->hash_mask != NOT_STORABLE && state->tmp_out_start + state->hash_mask > keep)
        keep = state->tmp_out_start + state->hash_mask;
    return keep;
}

/* Bytes of the buffer that input may fill. */
static uint32_t buffer_room(const struct deflate_work *w)
{
    return sizeof(w->state->buffer) - (w->block ? 0 : SPILL_BYTES);
}

static void sum_to(struct deflate_work *w, const uint8_t *to)
{
    if (to > w->summed) {
        w->state->crc = isalk_deflate_checksum(w->stream->gzip_flag, w->state->crc, w->summed,
                                               (size_t) (to - w->summed));
        w->summed = to;
    }
}

static void open_input(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;

    w->copied = 0;
    w->direct = state->b_bytes_valid == state->b_bytes_processed && bytes_to_keep(w) == 0 &&
                w->stream->avail_in > 0;
    if (w->direct) {
        w->low = w->next = w->summed = w->stream->next_in;
        w->end = w->next + w->stream->avail_in;
    } else {
        w->low = state->buffer;
        w->next = w->low + state->b_bytes_processed;
        w->end = w->low + state->b_bytes_valid;
    }
}

static void take(struct isal_zstream *stream, uint32_t n)
{
    stream->next_in += n;
    stream->avail_in -= n;
    stream->total_in += n;
}

/* Copies input to the buffer, as much as has room. */
static void buffer_input(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    uint8_t *buffer = w->state->buffer;
    uint32_t have = (uint32_t) (w->end - w->next), keep = bytes_to_keep(w);
    uint32_t room = buffer_room(w) - (uint32_t) (w->end - buffer);
    uint32_t unused = (uint32_t) (w->next - buffer) - keep, n;

    if (room < stream->avail_in &&
        (unused >= COMPACT_LEAST || have + room < FIND_CHUNK + LOOK_AHEAD)) {
        memmove(buffer, w->next - keep, keep + have);
        w->next = buffer + keep;
        w->end = w->next + have;
        room += unused;
    }
    n = room < stream->avail_in ? room : stream->avail_in;
    if (n == 0)
        return;
    memcpy(buffer + (w->end - buffer), stream->next_in, n);
    w->state->crc = isalk_deflate_checksum(stream->gzip_flag, w->state->crc, stream->next_in, n);
    w->end += n;
    w->copied += n;
    take(stream, n);
}

/* Gets more input at hand; returns 0 if there is none. */
static int feed(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    uint32_t have = (uint32_t) (w->end - w->next);

    if (w->direct || stream->avail_in == 0)
        return 0;
    if (w->copied >= bytes_to_keep(w) + have) {
        w->direct = 1;
        w->low = stream->next_in - w->copied;
        w->next = stream->next_in - have;
        w->end = stream->next_in + stream->avail_in;
        w->summed = stream->next_in;
    } else {
        buffer_input(w);
    }
    return 1;
}

/* Whether all input is at hand. */
static int input_at_hand(const struct deflate_work *w)
{
    return w->direct || w->stream->avail_in == 0;
}

/* Leaves in the buffer what the next call needs, and as much of the remaining input as has room. */
static void close_input(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;

    if (w->direct) {
        uint32_t keep = bytes_to_keep(w), room = buffer_room(w) - keep;
        const uint8_t *taken = (size_t) (w->end - w->next) < room ? w->end : w->next + room;
        uint32_t have;

        if (w->stateless)
            taken = w->next;
        sum_to(w, taken);
        taken = w->summed;
        take(w->stream, (uint32_t) (taken - w->stream->next_in));
        have = (uint32_t) (taken - w->next);
        if (state->state == ZSTATE_END || w->stateless)
            keep = have = 0;
        if (keep + have > 0)
            memcpy(state->buffer, w->next - keep, keep + have);
        state->b_bytes_processed = keep;
        state->b_bytes_valid = keep + have;
    } else {
        if (w->stream->avail_in > 0)
            buffer_input(w);
        state->b_bytes_processed = (uint32_t) (w->next - state->buffer);
        state->b_bytes_valid = (uint32_t) (w->end - state->buffer);
    }
}

/* ---- Tokens ---- */

/* Empties the hash table. */
static void forget(struct deflate_work *w)
{
    memset(w->head, 0, sizeof(*w->head) << w->hash_bits);
}

/* Bits of a hash table that so many bytes are worth clearing. */
static uint32_t short_hash_bits(uint32_t hash_bits, uint32_t bytes)
{
    while (hash_bits > 9 && (uint32_t) 1 << (hash_bits - 1) >= bytes)
        hash_bits--;
    return hash_bits;
}

/* Prepares the hash table before the first token of a stream or after a full flush: empty, except for
 * a dictionary. For few data a short table is enough, which takes less time to clear. Up to FIRST_CHUNK
 * bytes are always processed together, so the choice does not depend on how the input is split. */
static void prepare_table(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;
    const struct isal_zstream *stream = w->stream;
    uint32_t dictionary = history(w), bytes;

    if (dictionary > (size_t) (w->next - w->low))
        dictionary = (uint32_t) (w->next - w->low);
    state->total_in_start = dictionary;
    bytes = dictionary + (uint32_t) (w->end - w->next);
    if (w->stateless || (bytes <= FIRST_CHUNK && input_at_hand(w) &&
                         (stream->end_of_stream || stream->flush == FULL_FLUSH)))
        w->hash_bits = short_hash_bits(w->hash_bits, bytes);
    forget(w);
    if (dictionary > 0)
        isalk_deflate_insert(w->head, w->hash_bits, w->next - dictionary, dictionary);
    state->has_level_buf_init = (uint16_t) w->hash_bits;
}

/* Goes on at `next`. It may be further from the hash table's base than offsets reach, if the bytes
 * in between were not entered; the offset then saturates, since no entry is in the window any more.
 * It keeps its remainder, so that batches begin at the same bytes whenever the base moves. */
static void advance(struct deflate_work *w, const uint8_t *next)
{
    uint32_t most = UINT16_MAX / TABLE_STEP * TABLE_STEP + w->window + TABLE_STEP;
    size_t offset = w->state->total_in_start + (size_t) (next - w->next);

    if (offset > most)
        offset = most - ((most - offset) & (TABLE_STEP - 1));
    w->state->total_in_start = (uint32_t) offset;
    w->next = next;
}

/* Moves the hash table's base up if the bytes there are not at hand or offsets would not fit. What
 * is found does not depend on when that happens: entries that it changes stay beyond the window. */
static void rebase(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;
    uint32_t offset = state->total_in_start, delta;

    if (offset <= (size_t) (w->next - w->low) && offset <= UINT16_MAX - FIND_CHUNK - LOOK_AHEAD)
        return;
    delta = (offset - w->window - TABLE_STEP) & ~(uint32_t) (TABLE_STEP - 1);
    KERNEL_CALL(isalk_deflate_rebase_slot)(w->head, w->hash_bits, delta);
    state->total_in_start = offset - delta;
}

/* Tokens for the repeats that go on behind the last match, if some do, in about `left` bytes. */
static void follow_run(struct deflate_work *w, struct deflate_find *f, size_t left)
{
    f->run = w->state->dist_mask - 1;
    if (f->run > history(w))
        f->run = 0;
    if (f->run == 0)
        return;
    f->limit = f->next + (left < MOST_RUN ? left : MOST_RUN);
    isalk_deflate_find_run(f);
    advance(w, f->next);
}

/* Whether LEAST_RUN bytes from p on repeat themselves, at the distance 1, 2, 4 or 8. */
static int is_run(const uint8_t *p, const uint8_t *end)
{
    uint64_t differ = 0;

    if (end - p < LEAST_RUN)
        return 0;
    for (unsigned i = 0; i < LEAST_RUN - sizeof(differ); i += sizeof(differ))
        differ |= load_le64(p + i) ^ load_le64(p + i + sizeof(differ));
    return differ == 0;
}

/* Bytes of a whole chunk, for so many tokens. */
static size_t chunk_bytes(const struct deflate_work *w, const uint32_t *token,
                          const uint32_t *token_end)
{
    size_t chunk = w->state->total_in_start == 0 ? FIRST_CHUNK : FIND_CHUNK;
    size_t room = (size_t) (token_end - token) - FIND_TOKENS_PAST - FIND_TOKENS_BEHIND;

    chunk = chunk < room ? chunk : room;
    return chunk < w->chunk_most ? chunk : w->chunk_most;
}

/* Whether a whole chunk and its lookahead are at hand. Fewer bytes get tokens only if they are the
 * last, so that tokens do not depend on how the input is split. */
static int has_chunk(const struct deflate_work *w, const uint32_t *token, const uint32_t *token_end)
{
    return (size_t) (w->end - w->next) >= chunk_bytes(w, token, token_end) + LOOK_AHEAD;
}

/* Makes tokens of the next chunk; `last`: no more input follows what is at hand. */
static uint32_t *make_tokens(struct deflate_work *w, uint32_t *token, uint32_t *token_end, int last)
{
    struct isal_zstate *state = w->state;
    const uint8_t *start = w->next;
    struct deflate_find f;
    size_t chunk;
    int whole;

    if (!state->has_level_buf_init)
        prepare_table(w);
    chunk = chunk_bytes(w, token, token_end);
    whole = has_chunk(w, token, token_end);
    f.next = start;
    f.end = w->end;
    f.token = token;
    f.token_end = token_end;
    f.matched = 0;
    if (state->dist_mask != 0) {
        follow_run(w, &f, (size_t) (w->end - start) - (last ? 0 : LOOK_AHEAD));
        if (f.run != 0 || w->next != start)
            return f.token;
    }

    rebase(w);
    f.limit = (size_t) (w->end - start) < chunk ? w->end : start + chunk;
    f.base = start - state->total_in_start;
    f.head = w->head;
    f.hash_bits = w->hash_bits;
    f.window = w->window;
    f.long_least = w->long_tokens / 4 * 3;
    if (state->dist_mask != 0 || is_run(start, w->end)) {
        int go_on = isalk_deflate_find(&f, DEFLATE_LONG, !whole);

        state->dist_mask = go_on ? 1 + f.run : 0;
    } else {
        isalk_deflate_find(&f, w->parser, !whole);
        state->dist_mask = f.next - start > (f.token - token) * (ptrdiff_t) w->long_tokens;
    }
    advance(w, f.next);
    return f.token;
}

/* Whether the tokens of the bytes at hand may be made to the last: there will be no more, or the
 * output has to catch up. */
static int is_last(const struct deflate_work *w)
{
    return input_at_hand(w) && (w->stream->end_of_stream || w->stream->flush != NO_FLUSH);
}

enum progress { GO_ON, STOP };

/* Level 0: encodes tokens that the output has no room for into the end of the buffer. */
static void spill_tokens(struct deflate_work *w, const uint32_t *token, const uint32_t *token_end,
                         struct given_codes *given)
{
    struct isal_zstate *state = w->state;
    uint8_t *spill = state->buffer + sizeof(state->buffer) - SPILL_BYTES;
    uint32_t whole = state->bitbuf.m_bit_count / 8;
    struct deflate_encode e = {0};

    expand_given(given, w->stream->hufftables);
    store_le64(spill, state->bitbuf.m_bits);
    e.token = token;
    e.token_end = token_end;
    e.out = spill + whole;
    e.out_last = spill + SPILL_BYTES - sizeof(e.bits);
    e.bits = whole < sizeof(e.bits) ? state->bitbuf.m_bits >> 8 * whole : 0;
    e.count = state->bitbuf.m_bit_count % 8;
    e.codes = given->codes;
    KERNEL_CALL(isalk_deflate_encode_slot)(&e);
    state->bitbuf.m_bits = e.bits;
    state->bitbuf.m_bit_count = e.count;
    state->count = 0;
    state->tmp_out_end = (uint32_t) (e.out - spill);
}

/* Level 0: writes what was spilled; whether all of it is written. */
static int write_spill(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;

    if (state->tmp_out_end == 0)
        return 1;
    if (!write_bytes(w->stream, state->buffer + sizeof(state->buffer) - SPILL_BYTES,
                     state->tmp_out_end))
        return 0;
    state->tmp_out_end = 0;
    return 1;
}

/* Level 0: makes and writes tokens. */
static enum progress direct_body(struct deflate_work *w, struct given_codes *given)
{
    struct isal_zstream *stream = w->stream;
    uint32_t tokens[DIRECT_TOKENS];

    for (;;) {
        int last = is_last(w);
        uint32_t *token_end;
        const uint32_t *written;

        if (!write_spill(w) || !drain(stream) || stream->avail_out == 0)
            return STOP;
        if (last && w->next == w->end) {
            w->state->state = ZSTATE_FLUSH_ICF_BUFFER;
            return GO_ON;
        }
        if (!last && !has_chunk(w, tokens, tokens + DIRECT_TOKENS)) {
            if (feed(w))
                continue;
            return STOP;
        }
        token_end = make_tokens(w, tokens, tokens + DIRECT_TOKENS, last);
        if (w->direct)
            sum_to(w, w->next);
        written = write_given_tokens(stream, tokens, token_end, given);
        if (written < token_end)
            spill_tokens(w, written, token_end, given);
    }
}

/* Level 0: the header of a block says whether it is the last, which may not be known yet; whether
 * it is to be marked depends on the number of bytes alone. Returns 0 if more input is needed to
 * know that. */
static int know_final(struct deflate_work *w)
{
    while (!is_last(w) && w->end - w->next <= FINAL_GIVEN)
        if (!feed(w))
            return 0;
    w->state->has_eob_hdr = w->stream->end_of_stream && w->end - w->next <= FINAL_GIVEN;
    return 1;
}

/* Whether this is the last block. */
static int is_final(const struct deflate_work *w)
{
    return w->stream->end_of_stream && input_at_hand(w) && w->next == w->end;
}

/* Bytes that may be added to the block at work. If bytes before it are to be stored, all of them
 * have to fit in one stored block. */
static size_t block_room(const struct deflate_work *w)
{
    const struct isal_zstate *state = w->state;

    if (state->tmp_out_start == 0)
        return SIZE_MAX;
    return DEFLATE_STORED_MAX - state->tmp_out_start - state->hash_mask;
}

/* Gets bytes at hand, or all that there are of the input or fit in the block; returns 0 if more
 * input is needed. Of a full block it has to be known whether it is the last. */
static int get_input(struct deflate_work *w, size_t bytes)
{
    size_t room = block_room(w) + (block_room(w) == 0);

    bytes = bytes < room ? bytes : room;
    while (!is_last(w) && (size_t) (w->end - w->next) < bytes)
        if (!feed(w))
            return 0;
    return 1;
}

/* Whether the block at work has none but bytes to be stored. */
static int is_storing(const struct deflate_work *w)
{
    return w->state->block_end == 0 && w->state->tmp_out_start > 0;
}

/* How many of the next bytes look incompressible. Between two stored blocks, any number is welcome;
 * else it is 0 unless there are enough to end a block. */
static size_t probe(struct deflate_work *w)
{
    struct deflate_block *block = w->block;
    size_t left = (size_t) (w->end - w->next), room = block_room(w), n;
    int storing = is_storing(w);
    struct deflate_sample sample;
    struct deflate_find f;

    left = left < room ? left : room;
    left = left < PROBED ? left : PROBED;
    if (!storing && (left < FEWEST_PROBED || !isalk_deflate_may_be_random(w->next)))
        return 0;
    rebase(w);
    f.next = w->next;
    f.limit = w->next + left;
    f.base = w->next - w->state->total_in_start;
    f.head = w->head;
    f.hash_bits = w->hash_bits;
    f.window = w->window;
    n = isalk_deflate_probe(&f, &sample);
    if (storing && n == 0 && sample.repeat && left >= LONG_REPEATED &&
        !memcmp(w->next, w->next - sample.repeat, LONG_REPEATED))
        w->state->dist_mask = 1 + sample.repeat;
    if (!storing && n < left)
        return 0;
    if (w->state->block_end > 0)
        return n;
    if (!storing)
        memset(&block->sample, 0, sizeof(block->sample));
    if (n == left && !isalk_deflate_add_sample(&block->sample, &sample)) {
        block->unprobed = UNPROBED;
        return 0;
    }
    f.limit = f.next + n;
    isalk_deflate_insert_sparse(&f);
    return n;
}

/* Where incompressible bytes begin in the next chunk: its bytes before them, or SIZE_MAX. */
static size_t probe_ahead(struct deflate_work *w, const uint8_t *end, size_t chunk)
{
    struct deflate_sample sample;
    struct deflate_find f;

    f.base = w->next - w->state->total_in_start;
    f.head = w->head;
    f.hash_bits = w->hash_bits;
    f.window = w->window;
    if ((size_t) (end - w->next) > chunk + LOOK_AHEAD)
        end = w->next + chunk + LOOK_AHEAD; /* whatever else is at hand */
    for (size_t at = AHEAD_STEP; at < chunk && (size_t) (end - w->next) >= at + PROBED_AHEAD;
         at += AHEAD_STEP) {
        f.next = w->next + at;
        f.limit = f.next + PROBED_AHEAD;
        if (isalk_deflate_may_be_random(f.next) && isalk_deflate_probe(&f, &sample) == PROBED_AHEAD)
            return at;
    }
    return SIZE_MAX;
}

/* Levels 1 to 3: makes tokens until there is a block of them, or stores bytes that look
 * incompressible. */
static enum progress collect_body(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;
    uint32_t *token_end = w->tokens + w->token_room;

    for (;;) {
        uint32_t *token = w->tokens + state->block_end;
        size_t need = chunk_bytes(w, token, token_end) + LOOK_AHEAD, room = block_room(w), stored;
        const uint8_t *start, *end;
        uint32_t made;
        int last;

        if (is_storing(w) || need < PROBED)
            need = PROBED;
        if (!get_input(w, need))
            return STOP;
        last = is_last(w);
        start = w->next;
        end = w->end;
        if ((last && start == end) || room == 0)
            break;
        if (!state->has_level_buf_init)
            prepare_table(w);
        if (state->dist_mask == 0 && w->block->unprobed == 0) {
            stored = probe(w);
            if (stored > 0 && state->block_end > 0)
                break;
            if (stored > 0) {
                advance(w, start + stored);
                if (w->direct)
                    sum_to(w, w->next);
                state->tmp_out_start += (uint32_t) stored;
                continue;
            }
        }
        if (is_storing(w)) {
            if (!get_input(w, chunk_bytes(w, token, token_end) + LOOK_AHEAD))
                return STOP;
            last = is_last(w);
            start = w->next;
            end = w->end;
        }
        if ((size_t) (end - start) >= room) {
            w->end = start + room;
            last = 1;
        }
        if (state->dist_mask == 0 && w->block->unprobed == 0) {
            rebase(w);
            w->chunk_most = probe_ahead(w, w->end, chunk_bytes(w, token, token_end));
        }
        token = make_tokens(w, token, token_end, last);
        w->chunk_most = SIZE_MAX;
        w->end = end;
        KERNEL_CALL(isalk_deflate_count_slot)
        (&w->block->counts, w->tokens + state->block_end, token);
        if (w->direct)
            sum_to(w, w->next);
        state->block_end = (uint32_t) (token - w->tokens);
        made = (uint32_t) (w->next - start);
        w->block->unprobed -= made < w->block->unprobed ? made : w->block->unprobed;
        if (state->hash_mask != NOT_STORABLE)
            state->hash_mask += made;
        if (state->hash_mask > MOST_STORED && state->tmp_out_start == 0)
            state->hash_mask = NOT_STORABLE;
        if (token_end - token < FIND_TOKENS)
            break;
    }
    state->state = ZSTATE_CREATE_HDR;
    return GO_ON;
}

/* ---- Blocks ---- */

static void start_block(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;

    state->block_next = 0;
    state->block_end = 0;
    state->hash_mask = 0;
    state->count = 0;
    if (w->block)
        memset(&w->block->counts, 0, sizeof(w->block->counts));
}

/* Bits of a stored block of so many bytes, behind `before` bits in the byte at work. */
static uint64_t stored_cost(uint32_t bytes, uint32_t before)
{
    return 3 + ((5 - before) & 7) + 32 + 8 * (uint64_t) bytes;
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

        for (unsigned left = (1u << deflate_lengths[i].extra) - 1 - (i == 27); left > 0; left--)
            count += *length++;
        litlen[DEFLATE_FIRST_LENGTH + i] = count;
    }
}

/* Makes codes and header of the block at work; bits of the block with them and with the static codes. */
static void make_codes(struct deflate_work *w, struct huffman_codes *codes, uint64_t *cost,
                       uint64_t *static_cost)
{
    struct deflate_block *block = w->block;
    const uint32_t *distances = block->counts.second + TOKEN_DISTANCES;
    uint32_t litlen[DEFLATE_LITLEN_SYMBOLS];
    uint64_t extra;

    count_litlens(&block->counts, litlen);
    isalk_huffman_make(litlen, DEFLATE_LITLEN_SYMBOLS, DEFLATE_MAX_BITS, &codes->litlen);
    isalk_huffman_make(distances, DEFLATE_DISTANCE_SYMBOLS, DEFLATE_MAX_BITS, &codes->distance);
    isalk_huffman_header(codes, w->state->has_eob_hdr, &block->header);
    *static_cost = STATIC_HEADER + isalk_huffman_static_bits(litlen, distances, &extra);
    *cost = block->header.bits + codes->litlen.bits + codes->distance.bits + extra;
}

/* Bits of tokens and an end of block in these codes. */
static uint64_t cost_of_tokens(const uint32_t *token, const uint32_t *token_end,
                               const struct deflate_codes *codes)
{
    uint64_t bits = codes->first[TOKEN_FIRSTS] & 0xff;

    for (; token < token_end; token++)
        bits += (codes->first[*token & TOKEN_MASK] & 0xff) +
                (codes->second[*token >> TOKEN_SECOND_SHIFT & TOKEN_MASK] & 0xff);
    return bits;
}

/* Adds the bytes of the block at work to those that will be stored, and stores them if `now`. */
static void store_block(struct deflate_work *w, int now)
{
    struct isal_zstate *state = w->state;

    state->tmp_out_start += state->hash_mask;
    start_block(w);
    state->state = now ? ZSTATE_TYPE0_HDR : ZSTATE_BODY;
    if (now) /* one header in DEFLATE_STORED_MAX bytes is allowed for */
        w->block->balance +=
            40 + 8 * (int64_t) state->tmp_out_start -
            (int64_t) stored_cost(state->tmp_out_start, state->bitbuf.m_bit_count & 7);
}

/* Chooses the type of the block whose tokens are collected, and makes its header and codes.
 *
 * Bytes that are best stored wait for more of them, up to DEFLATE_STORED_MAX, and a block that is
 * coded has to make up for the stored block that it ends: at any time, what is written is no longer
 * than the bytes that it stands for and 5 more for each whole stored block. So all output has at
 * most 5 bytes more than that. */
static void create_block(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;
    struct deflate_block *block = w->block;
    uint32_t before = state->bitbuf.m_bit_count & 7, waiting = state->tmp_out_start;
    uint64_t cost = UINT64_MAX, static_cost, all;
    int ends = is_last(w) && w->next == w->end;
    struct huffman_codes codes;

    state->has_eob_hdr = (uint8_t) is_final(w);
    if (state->block_end == 0) {
        store_block(w, 1);
        return;
    }
    if (state->block_end > FEW_TOKENS)
        make_codes(w, &codes, &cost, &static_cost);
    else
        static_cost = STATIC_HEADER + cost_of_tokens(w->tokens, w->tokens + state->block_end,
                                                     &isalk_deflate_codes_static);
    all = cost < static_cost ? cost : static_cost;
    if (state->hash_mask != NOT_STORABLE) {
        uint32_t bytes = waiting + state->hash_mask, after = (before + (uint32_t) all) & 7;
        int64_t balance;

        if (waiting > 0) {
            after = (uint32_t) all & 7;
            all += stored_cost(waiting, before);
        }
        balance = block->balance + 8 * (int64_t) bytes - (int64_t) all;
        if (all >= stored_cost(bytes, before))
            block->unprobed = 0;
        if (all >= stored_cost(bytes, before) || (!ends && balance < (int64_t) (-after & 7))) {
            store_block(w, ends || bytes == DEFLATE_STORED_MAX);
            return;
        }
        block->balance = balance;
    }
    if (static_cost <= cost) {
        block->header.bytes[0] = (uint8_t) (state->has_eob_hdr | DEFLATE_FIXED << 1);
        block->header.bits = STATIC_HEADER;
    } else {
        isalk_huffman_expand(&codes, &block->codes);
    }
    if (waiting == 0)
        state->hash_mask = 0;
    state->state = waiting > 0 ? ZSTATE_TYPE0_HDR : ZSTATE_HDR;
}

/* Level 0: the header of a block with the caller's codes; whether it is written. */
static int write_given_header(struct isal_zstream *stream, int final)
{
    const struct isal_hufftables *tables = stream->hufftables;
    uint32_t bits = 8 * tables->deflate_hdr_count + tables->deflate_hdr_extra_bits;
    uint8_t first = (uint8_t) ((tables->deflate_hdr[0] & ~1u) | (final != 0));

    if (stream->internal_state.count == 0) {
        uint32_t n = bits < 8 ? bits : 8;

        if (!drain(stream))
            return 0;
        put(stream, first & (((uint32_t) 1 << n) - 1), n);
        stream->internal_state.count = n;
    }
    return write_header(stream, tables->deflate_hdr, bits);
}

/* Writes what is left of the block's tokens, and its end; whether all is written. */
static int write_end_of_block(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct isal_zstate *state = w->state;
    const struct isal_hufftables *tables = stream->hufftables;

    if (w->block) {
        const struct deflate_codes *codes = &w->block->codes;
        const uint32_t *left = w->tokens + state->block_next;
        uint64_t end;
        uint32_t bits;

        if (w->block->header.bits == STATIC_HEADER)
            codes = &isalk_deflate_codes_static;
        if (state->block_next < state->block_end)
            left = write_tokens(stream, left, w->tokens + state->block_end, codes);
        state->block_next = (uint32_t) (left - w->tokens);
        if (state->block_next < state->block_end || !drain(stream))
            return 0;
        end = codes->first[TOKEN_FIRSTS];
        bits = end & 0xff;
        put(stream, end >> (64 - bits), bits);
    } else {
        if (!drain(stream))
            return 0;
        put(stream, tables->lit_table[DEFLATE_END_OF_BLOCK],
            tables->lit_table_sizes[DEFLATE_END_OF_BLOCK]);
    }
    return 1;
}

/* Writes the bytes before the block at work as a stored block; whether all is written. */
static int write_stored(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct isal_zstate *state = w->state;
    uint32_t n = state->tmp_out_start;

    if (!drain(stream))
        return 0;
    if (state->state == ZSTATE_TYPE0_HDR) {
        int final = state->has_eob_hdr && state->block_end == 0;

        put(stream, (uint64_t) final | DEFLATE_STORED << 1, 3);
        pad_to_byte(stream);
        put(stream, n | (uint64_t) (~n & 0xffff) << 16, 32);
        state->count = 0;
        state->state = ZSTATE_TYPE0_BODY;
        drain(stream);
    }
    if (state->bitbuf.m_bit_count > 0 || !write_bytes(stream, w->next - state->hash_mask - n, n))
        return 0;
    state->tmp_out_start = 0;
    state->hash_mask = 0;
    state->count = 0;
    return 1;
}

/* ---- Short pieces at level 0 ---- */

/* Returns whether all data not yet compressed end with this call and are short, and the output has room
 * in any case. A stateless call may lack room: then it stores the data instead. */
static int is_short(const struct deflate_work *w)
{
    enum { ENOUGH = ISAL_DEF_MAX_HDR_SIZE + 64 }; /* the wrapper and a marker, too */
    const struct isal_zstream *stream = w->stream;
    const struct isal_zstate *state = w->state;

    return w->block == NULL && state->state == ZSTATE_NEW_HDR && state->bitbuf.m_bit_count == 0 &&
           state->b_bytes_valid == state->b_bytes_processed && stream->avail_in > 0 &&
           stream->avail_in <= FIRST_CHUNK &&
           (stream->end_of_stream || stream->flush != NO_FLUSH) &&
           (w->stateless || stream->avail_out >= 2 * stream->avail_in + ENOUGH);
}

/* Appends n <= 56 bits, where 8 bytes have room. */
static void append_bits(struct deflate_encode *e, uint64_t bits, uint32_t n)
{
    e->bits |= bits << e->count;
    e->count += n;
    store_le64(e->out, e->bits);
    e->out += e->count / 8;
    e->bits >>= e->count & ~7u;
    e->count %= 8;
}

/* The header of a block with the caller's codes, where no bits wait. */
static void append_given_header(struct deflate_encode *e, const struct isal_hufftables *tables,
                                int final)
{
    uint8_t *header = e->out;
    uint32_t whole = tables->deflate_hdr_count, left = tables->deflate_hdr_extra_bits;

    memcpy(header, tables->deflate_hdr, whole);
    e->out += whole;
    if (left > 0)
        append_bits(e, tables->deflate_hdr[whole] & ((1u << left) - 1), left);
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
        struct deflate_encode local = *e; /* in registers: output may be anywhere in memory */

        for (; token < token_end; token++) {
            uint32_t n;
            uint64_t bits = given_bits(*token, tables, &n);

            append_bits(&local, bits, n);
        }
        *e = local;
    }
    append_bits(e, tables->lit_table[DEFLATE_END_OF_BLOCK],
                tables->lit_table_sizes[DEFLATE_END_OF_BLOCK]);
}

/* Stateless: bytes that a block takes up, and the trailer or a marker. */
static uint64_t cost_of_short(const struct isal_zstream *stream, const uint32_t *token,
                              const uint32_t *token_end, const struct deflate_codes *codes)
{
    const struct isal_hufftables *tables = stream->hufftables;
    uint64_t bits = 8 * tables->deflate_hdr_count + tables->deflate_hdr_extra_bits +
                    cost_of_tokens(token, token_end, codes);
    uint8_t trailer[8];

    if (stream->end_of_stream)
        return (bits + 7) / 8 + isalk_deflate_wrapper_trailer(stream, 0, trailer);
    return (bits + 3 + 7) / 8 + 4;
}

/* Level 0: does at once what the machine would do with a short piece, or finds that the output has no
 * room for it. Returns 0, with nothing changed, if the machine has to do it. */
static int compress_short(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct isal_zstate *state = w->state;
    const struct isal_hufftables *tables = stream->hufftables;
    uint32_t tokens[FIRST_CHUNK + 2 * FIND_TOKENS], *token = tokens, made;
    int final = stream->end_of_stream != 0;
    struct given_codes given;
    struct deflate_encode e;

    given.codes = ready_codes(tables);
    open_input(w);
    while (feed(w))
        ;
    while (w->next < w->end)
        token = make_tokens(w, token, tokens + ARRAY_SIZE(tokens), 1);
    if (token - tokens > FEW_GIVEN || w->stateless)
        expand_given(&given, tables);
    if (w->stateless) {
        uint64_t cost = cost_of_short(stream, tokens, token, given.codes);

        if (cost + sizeof(e.bits) > stream->avail_out) {
            state->total_in_start = 0;
            state->dist_mask = 0;
            state->has_level_buf_init = 0;
            return cost > stream->avail_out;
        }
    }

    e.out = stream->next_out;
    e.out_last = e.out + stream->avail_out - sizeof(e.bits);
    e.bits = 0;
    e.count = 0;
    if (!state->has_wrap_hdr)
        e.out += isalk_deflate_wrapper_header(stream, e.out);
    append_given_header(&e, tables, final);
    append_tokens(&e, tokens, token, tables, given.codes);
    if (w->direct)
        sum_to(w, w->end);
    if (final) {
        append_bits(&e, 0, -e.count & 7);
        e.out += isalk_deflate_wrapper_trailer(
            stream, stream->total_in + (w->direct ? stream->avail_in : 0), e.out);
        state->state = ZSTATE_END;
    } else {
        append_bits(&e, DEFLATE_STORED << 1, 3);
        append_bits(&e, 0, -e.count & 7);
        append_bits(&e, 0xffff0000u, 32);
        if (stream->flush == FULL_FLUSH) {
            state->total_in_start = 0;
            state->has_level_buf_init = 0;
        }
    }
    state->has_wrap_hdr = 1;
    state->has_eob_hdr = (uint8_t) final;
    state->bitbuf.m_bits = e.bits;
    state->bitbuf.m_bit_count = e.count;
    made = (uint32_t) (e.out - stream->next_out);
    stream->next_out = e.out;
    stream->avail_out -= made;
    stream->total_out += made;
    close_input(w);
    return 1;
}

/* ---- The machine ---- */

/* What comes after a block. */
static void end_block(struct deflate_work *w)
{
    struct isal_zstate *state = w->state;

    start_block(w);
    if (state->has_eob_hdr) {
        state->state = ZSTATE_TRL;
    } else if (w->next == w->end && input_at_hand(w) && !w->stream->end_of_stream &&
               w->stream->flush != NO_FLUSH) {
        state->tmp_out_end = w->stream->flush;
        state->state = ZSTATE_SYNC_FLUSH;
    } else {
        state->state = ZSTATE_NEW_HDR;
    }
}

/* Between blocks: what comes next. `flushed` says that a marker was completed in this call. */
static enum progress between_blocks(struct deflate_work *w, int flushed)
{
    struct isal_zstate *state = w->state;
    struct isal_zstream *stream = w->stream;
    int more = w->next < w->end || !input_at_hand(w);

    if (!state->has_wrap_hdr) {
        if (w->block)
            w->block->balance = w->block->unprobed = 0;
        state->has_wrap_hdr = 1;
        state->count = 0;
        state->tmp_out_end = isalk_deflate_wrapper_header(stream, state->tmp_out_buff);
        state->state = ZSTATE_TMP_HDR;
    } else if (!more && stream->end_of_stream) {
        /* A last block of nothing: static, with the 7 zeros of its end. */
        if (!drain(stream))
            return STOP;
        put(stream, 1 | DEFLATE_FIXED << 1, 10);
        state->has_eob_hdr = 1;
        end_block(w);
    } else if (more) {
        start_block(w);
        state->tmp_out_end = 0;
        state->has_eob_hdr = 0;
        state->state = w->block == NULL ? ZSTATE_CREATE_HDR : ZSTATE_BODY;
    } else if (stream->flush != NO_FLUSH && !flushed) {
        state->tmp_out_end = stream->flush;
        state->state = ZSTATE_SYNC_FLUSH;
    } else {
        return STOP;
    }
    return GO_ON;
}

/* An empty stored block, of which 3 bits come first. */
static int write_marker(struct isal_zstream *stream)
{
    if (!drain(stream))
        return 0;
    put(stream, DEFLATE_STORED << 1, 3);
    pad_to_byte(stream);
    put(stream, 0xffff0000u, 32);
    return 1;
}

/* What the caller is shown of the state. With no room for output, a state of ZSTATE_TMP_OFFSET or
 * above says that there is more to come: callers go on only if they see the one of that phase. */
static enum isal_zstate_state shown_state(const struct deflate_work *w)
{
    const struct isal_zstate *state = w->state;
    int full = w->stream->avail_out == 0;

    switch (state->state) {
    case ZSTATE_END:
    case ZSTATE_TMP_HDR:
        return state->state;
    case ZSTATE_SYNC_FLUSH:
    case ZSTATE_FLUSH_WRITE_BUFFER:
        return ZSTATE_TMP_SYNC_FLUSH;
    case ZSTATE_TRL:
    case ZSTATE_TMP_TRL:
        return ZSTATE_TMP_TRL;
    case ZSTATE_NEW_HDR:
        full = state->bitbuf.m_bit_count >= 8;
        break;
    default:
        break;
    }
    if (!full)
        return state->state;
    return w->block ? ZSTATE_TMP_FLUSH_ICF_BUFFER : ZSTATE_TMP_BODY;
}

void isalk_deflate_run(struct deflate_work *w)
{
    struct isal_zstream *stream = w->stream;
    struct isal_zstate *state = w->state;
    struct given_codes given;
    enum progress progress = GO_ON;
    int flushed = 0;

    if (state->state >= ZSTATE_TMP_OFFSET)
        state->state = (enum isal_zstate_state) state->has_eob;
    if (is_short(w) && compress_short(w))
        return;
    if (w->block && w->stateless)
        w->block->balance = w->block->unprobed = 0;
    if (!w->block)
        given.codes = ready_codes(stream->hufftables);
    open_input(w);
    if (w->block || state->state != ZSTATE_BODY)
        drain(stream); /* level 0: behind what was spilled */
    while (progress == GO_ON) {
        switch (state->state) {
        case ZSTATE_NEW_HDR:
            progress = between_blocks(w, flushed);
            break;

        case ZSTATE_TMP_HDR: /* the wrapper's header */
            if (write_bytes(stream, state->tmp_out_buff, state->tmp_out_end))
                state->state = ZSTATE_NEW_HDR;
            else
                progress = STOP;
            break;

        case ZSTATE_BODY:
            progress = w->block ? collect_body(w) : direct_body(w, &given);
            break;

        case ZSTATE_CREATE_HDR:
            if (w->block)
                create_block(w);
            else if (state->count == 0 && !know_final(w))
                progress = STOP;
            else if (write_given_header(stream, state->has_eob_hdr))
                state->state = ZSTATE_BODY;
            else
                progress = STOP;
            break;

        case ZSTATE_HDR:
            if (write_header(stream, w->block->header.bytes, w->block->header.bits))
                state->state = ZSTATE_FLUSH_ICF_BUFFER;
            else
                progress = STOP;
            break;

        case ZSTATE_FLUSH_ICF_BUFFER:
            if (!write_end_of_block(w))
                progress = STOP;
            else
                end_block(w);
            break;

        case ZSTATE_TYPE0_HDR:
        case ZSTATE_TYPE0_BODY:
            if (!write_stored(w))
                progress = STOP;
            else if (state->block_end > 0)
                state->state = ZSTATE_HDR;
            else
                end_block(w);
            break;

        case ZSTATE_SYNC_FLUSH:
            if (!write_marker(stream))
                progress = STOP;
            else
                state->state = ZSTATE_FLUSH_WRITE_BUFFER;
            break;

        case ZSTATE_FLUSH_WRITE_BUFFER: /* the rest of the marker */
            drain(stream);
            if (state->bitbuf.m_bit_count > 0) {
                progress = STOP;
                break;
            }
            if (state->tmp_out_end == FULL_FLUSH || stream->flush == FULL_FLUSH) {
                state->total_in_start = 0;
                state->has_level_buf_init = 0;
            }
            if (w->block)
                w->block->balance = w->block->unprobed = 0;
            flushed = 1;
            state->state = ZSTATE_NEW_HDR;
            break;

        case ZSTATE_TRL:
            if (!drain(stream)) {
                progress = STOP;
                break;
            }
            pad_to_byte(stream);
            state->count = 0;
            state->tmp_out_end = isalk_deflate_wrapper_trailer(
                stream, stream->total_in + (w->direct ? stream->avail_in : 0), state->tmp_out_buff);
            state->state = ZSTATE_TMP_TRL;
            break;

        case ZSTATE_TMP_TRL:
            drain(stream);
            if (state->bitbuf.m_bit_count > 0 ||
                !write_bytes(stream, state->tmp_out_buff, state->tmp_out_end))
                progress = STOP;
            else
                state->state = ZSTATE_END;
            break;

        default: /* ZSTATE_END */
            progress = STOP;
            break;
        }
    }
    close_input(w);
    state->has_eob = (uint8_t) state->state;
    state->state = shown_state(w);
}
