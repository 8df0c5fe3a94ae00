/* Compression: the public functions that set up streams and compress.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

/* Bits of a level's hash table, as many as the interface has memory for: of level 1, in all but the
 * smallest buffers. */
enum { LVL0_BITS = 12, LVL1_BITS = 13, LVL2_BITS = 13, LVL3_BITS = 14 };
#define TABLE_FITS(bits, size) \
    _Static_assert(sizeof(deflate_entry) << (bits) <= (size), "a level's hash table")
TABLE_FITS(LVL0_BITS, sizeof(((struct isal_zstate *) 0)->head));
TABLE_FITS(LVL0_BITS, sizeof(((struct isal_huff_histogram *) 0)->hash_table));
TABLE_FITS(LVL1_BITS, ISAL_DEF_LVL1_SMALL);
TABLE_FITS(LVL2_BITS, ISAL_DEF_LVL2_REQ);
TABLE_FITS(LVL3_BITS, ISAL_DEF_LVL3_REQ);
TABLE_FITS(LVL3_BITS, sizeof(((struct isal_dict *) 0)->hashtable));

const struct deflate_strategy isalk_deflate_strategies[ISAL_DEF_MAX_LEVEL + 1] = {
    {LVL0_BITS, DEFLATE_LAZY, 9, ISAL_DEF_LVL0_MIN},
    {LVL1_BITS, DEFLATE_GREEDY, 8, ISAL_DEF_LVL1_MIN},
    {LVL2_BITS, DEFLATE_LAZY, 9, ISAL_DEF_LVL2_MIN},
    {LVL3_BITS, DEFLATE_LAZY, 12, ISAL_DEF_LVL3_MIN},
};

/* Of a block, whatever memory there is: the codes of longer ones fit less well, and the output gets
 * 0.5 % (many files) to 3 % (one archive of them) larger. */
enum { MOST_TOKENS = 16384 };

static void reset_state(struct isal_zstate *state)
{
    state->total_in_start = 0;
    state->block_next = 0;
    state->block_end = 0;
    state->dist_mask = 0;
    state->hash_mask = 0;
    state->state = ZSTATE_NEW_HDR;
    memset(&state->bitbuf, 0, sizeof(state->bitbuf));
    state->crc = 0;
    state->has_wrap_hdr = 0;
    state->has_eob_hdr = 0;
    state->has_eob = 0;
    state->has_hist = IGZIP_NO_HIST;
    state->has_level_buf_init = 0;
    state->count = 0;
    state->tmp_out_start = 0;
    state->tmp_out_end = 0;
    state->b_bytes_valid = 0;
    state->b_bytes_processed = 0;
}

ISAL_PUBLIC void isal_deflate_reset(struct isal_zstream *stream)
{
    stream->total_in = 0;
    stream->total_out = 0;
    reset_state(&stream->internal_state);
}

ISAL_PUBLIC void isal_deflate_init(struct isal_zstream *stream)
{
    isal_deflate_reset(stream);
    stream->hufftables = (struct isal_hufftables *) &isalk_hufftables_default;
    stream->level = 0;
    stream->level_buf_size = 0;
    stream->level_buf = NULL;
    stream->end_of_stream = 0;
    stream->flush = NO_FLUSH;
    stream->gzip_flag = IGZIP_DEFLATE;
    stream->hist_bits = 0;
}

ISAL_PUBLIC void isal_deflate_stateless_init(struct isal_zstream *stream)
{
    isal_deflate_init(stream);
}

ISAL_PUBLIC int isal_deflate_set_hufftables(struct isal_zstream *stream,
                                            struct isal_hufftables *hufftables, int type)
{
    if (stream->internal_state.state != ZSTATE_NEW_HDR)
        return ISAL_INVALID_OPERATION;
    switch (type) {
    case IGZIP_HUFFTABLE_CUSTOM:
        if (hufftables == NULL)
            return ISAL_INVALID_OPERATION;
        stream->hufftables = hufftables;
        return COMP_OK;
    case IGZIP_HUFFTABLE_DEFAULT:
        stream->hufftables = (struct isal_hufftables *) &isalk_hufftables_default;
        return COMP_OK;
    case IGZIP_HUFFTABLE_STATIC:
        stream->hufftables = (struct isal_hufftables *) &isalk_hufftables_static;
        return COMP_OK;
    default:
        return ISAL_INVALID_OPERATION;
    }
}

/* ---- A level's memory ---- */

static void fix_window(struct isal_zstream *stream)
{
    if (stream->hist_bits == 0 || stream->hist_bits > ISAL_DEF_MAX_HIST_BITS)
        stream->hist_bits = ISAL_DEF_MAX_HIST_BITS;
}

static int check_level(const struct isal_zstream *stream)
{
    if (stream->level == 0)
        return COMP_OK;
    if (stream->level_buf == NULL)
        return ISAL_INVALID_LEVEL_BUF;
    if (stream->level > ISAL_DEF_MAX_LEVEL ||
        stream->level_buf_size < isalk_deflate_strategies[stream->level].level_buf_min)
        return ISAL_INVALID_LEVEL;
    return COMP_OK;
}

/* Lays out the level's memory: in its buffer, which has any alignment, the hash table and tokens. The
 * block at work is in the stream, where level 0 has its hash table. */
static void lay_out(struct deflate_work *w, struct isal_zstream *stream)
{
    _Static_assert(sizeof(struct deflate_block) <= sizeof(w->state->head), "level 0's table");
    const struct deflate_strategy *strategy = &isalk_deflate_strategies[stream->level];

    w->stream = stream;
    w->state = &stream->internal_state;
    w->hash_bits = strategy->hash_bits;
    w->parser = strategy->parser;
    w->long_tokens = strategy->long_tokens;
    w->window = (uint32_t) 1 << stream->hist_bits;
    w->chunk_most = SIZE_MAX;
    w->stateless = 0;
    if (stream->level == 0) {
        w->head = (deflate_entry *) (void *) stream->internal_state.head;
        w->block = NULL;
        w->tokens = NULL;
        w->token_room = 0;
    } else {
        size_t skip = (64 - (uintptr_t) stream->level_buf % 64) % 64;
        uint8_t *at = stream->level_buf + skip;
        size_t hash_size, room = stream->level_buf_size - 63; /* whatever the alignment */

        if (sizeof(*w->head) << w->hash_bits > room / 4 * 3)
            w->hash_bits--; /* level 1, of which the smallest buffer has room for that */
        hash_size = sizeof(*w->head) << w->hash_bits;
        w->head = (deflate_entry *) (void *) at;
        w->block = (struct deflate_block *) (void *) stream->internal_state.head;
        w->tokens = (uint32_t *) (void *) (at + hash_size);
        w->token_room = (uint32_t) ((room - hash_size) / sizeof(*w->tokens));
        if (w->token_room > MOST_TOKENS)
            w->token_room = MOST_TOKENS;
    }
    if (stream->internal_state.has_level_buf_init)
        w->hash_bits = stream->internal_state.has_level_buf_init;
}

/* ---- Streaming ---- */

ISAL_PUBLIC int isal_deflate(struct isal_zstream *stream)
{
    struct isal_zstate *state = &stream->internal_state;
    struct deflate_work w;
    int error;

    if (stream->flush > FULL_FLUSH)
        return INVALID_FLUSH;
    error = check_level(stream);
    if (error)
        return error;
    if (stream->level && stream->level_buf == state->buffer)
        return ISAL_INVALID_LEVEL_BUF; /* left by isal_deflate_stateless() */
    fix_window(stream);

    if (state->state == ZSTATE_END) {
        stream->next_in += stream->avail_in;
        stream->total_in += stream->avail_in;
        stream->avail_in = 0;
        return COMP_OK;
    }
    lay_out(&w, stream);
    state->has_hist = IGZIP_HIST;
    isalk_deflate_run(&w);
    return COMP_OK;
}

/* ---- Dictionaries ---- */

/* Whether the stream is where a dictionary may be set. */
static int takes_dictionary(const struct isal_zstream *stream)
{
    const struct isal_zstate *state = &stream->internal_state;

    return state->state == ZSTATE_NEW_HDR && state->b_bytes_valid == state->b_bytes_processed;
}

ISAL_PUBLIC int isal_deflate_set_dict(struct isal_zstream *stream, uint8_t *dict, uint32_t dict_len)
{
    struct isal_zstate *state = &stream->internal_state;

    if (!takes_dictionary(stream))
        return ISAL_INVALID_STATE;
    if (dict_len == 0)
        return COMP_OK;
    if (dict_len > DEFLATE_WINDOW) {
        dict += dict_len - DEFLATE_WINDOW;
        dict_len = DEFLATE_WINDOW;
    }
    memcpy(state->buffer, dict, dict_len);
    state->b_bytes_valid = dict_len;
    state->b_bytes_processed = dict_len;
    state->hash_mask = 0;
    state->total_in_start = dict_len;
    state->has_level_buf_init = 0;
    state->has_hist = IGZIP_DICT_HIST;
    return COMP_OK;
}

ISAL_PUBLIC int isal_deflate_process_dict(struct isal_zstream *stream, struct isal_dict *dict_str,
                                          uint8_t *dict, uint32_t dict_len)
{
    const struct deflate_strategy *strategy;

    if (dict_str == NULL || dict_len == 0 || stream->level > ISAL_DEF_MAX_LEVEL)
        return ISAL_INVALID_STATE;
    if (dict_len > DEFLATE_WINDOW) {
        dict += dict_len - DEFLATE_WINDOW;
        dict_len = DEFLATE_WINDOW;
    }
    strategy = &isalk_deflate_strategies[stream->level];
    dict_str->params = 0;
    dict_str->level = stream->level;
    dict_str->hist_size = dict_len;
    dict_str->hash_size = stream->level < 2 ? IGZIP_LVL1_HASH_SIZE : IGZIP_LVL3_HASH_SIZE;
    memcpy(dict_str->history, dict, dict_len);
    memset(dict_str->hashtable, 0, sizeof(deflate_entry) << strategy->hash_bits);
    isalk_deflate_insert((deflate_entry *) (void *) dict_str->hashtable, strategy->hash_bits, dict,
                         dict_len);
    return COMP_OK;
}

ISAL_PUBLIC int isal_deflate_reset_dict(struct isal_zstream *stream, struct isal_dict *dict_str)
{
    struct isal_zstate *state = &stream->internal_state;
    struct deflate_work w;
    int error;

    if (dict_str == NULL || !takes_dictionary(stream) || dict_str->level != stream->level ||
        dict_str->hist_size == 0 || dict_str->hist_size > DEFLATE_WINDOW ||
        dict_str->hash_size > IGZIP_LVL3_HASH_SIZE)
        return ISAL_INVALID_STATE;
    error = check_level(stream);
    if (error)
        return error;
    fix_window(stream);
    state->has_level_buf_init = 0;
    lay_out(&w, stream);

    memcpy(state->buffer, dict_str->history, dict_str->hist_size);
    if (w.hash_bits == isalk_deflate_strategies[stream->level].hash_bits) {
        memcpy(w.head, dict_str->hashtable, sizeof(*w.head) << w.hash_bits);
    } else {
        memset(w.head, 0, sizeof(*w.head) << w.hash_bits);
        isalk_deflate_insert(w.head, w.hash_bits, dict_str->history, dict_str->hist_size);
    }
    state->b_bytes_valid = dict_str->hist_size;
    state->b_bytes_processed = dict_str->hist_size;
    state->hash_mask = 0;
    state->total_in_start = dict_str->hist_size;
    state->has_level_buf_init = (uint16_t) w.hash_bits;
    state->has_hist = IGZIP_DICT_HASH_SET;
    return COMP_OK;
}

/* ---- One call ---- */

/* Stored blocks for so many bytes. */
static uint64_t stored_pieces(uint32_t bytes)
{
    return bytes == 0 ? 1 : ((uint64_t) bytes + DEFLATE_STORED_MAX - 1) / DEFLATE_STORED_MAX;
}

/* Stores all input as it is; whether it has room. */
static int store_all(struct isal_zstream *stream)
{
    uint32_t left = stream->avail_in;
    uint64_t pieces = stored_pieces(left);

    if (stream->avail_out < left + 5 * pieces)
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
    stream->avail_out -= (uint32_t) (stream->avail_in + 5 * pieces);
    stream->total_out += (uint32_t) (stream->avail_in + 5 * pieces);
    stream->total_in += stream->avail_in;
    stream->avail_in = 0;
    return 1;
}

/* Appends n bytes; whether they have room. */
static int append(struct isal_zstream *stream, const uint8_t *bytes, uint32_t n)
{
    if (stream->avail_out < n)
        return 0;
    memcpy(stream->next_out, bytes, n);
    stream->next_out += n;
    stream->avail_out -= n;
    stream->total_out += n;
    return 1;
}

/* Whether codes can make the input smaller: level 0 writes the header of the caller's codes before all
 * else. */
static int is_worth_codes(const struct isal_zstream *stream)
{
    const struct isal_hufftables *tables = stream->hufftables;

    return stream->level > 0 || tables->deflate_hdr_count < (uint64_t) stream->avail_in + 5;
}

/* Compresses all input in memory that was laid out; whether there was room. */
static int compress_all(struct isal_zstream *stream)
{
    enum { SHORT = 16384 }; /* level 0 looks at one position less: 2 % larger at most, 7 % faster */
    struct deflate_work w;

    lay_out(&w, stream);
    w.stateless = 1;
    if (stream->level == 0 && stream->avail_in <= SHORT)
        w.parser = DEFLATE_GREEDY;
    isalk_deflate_run(&w);
    return stream->internal_state.state == (stream->end_of_stream ? ZSTATE_END : ZSTATE_NEW_HDR) &&
           stream->avail_in == 0;
}

ISAL_PUBLIC int isal_deflate_stateless(struct isal_zstream *stream)
{
    struct isal_zstate *state = &stream->internal_state;
    uint8_t had_wrap_hdr = state->has_wrap_hdr, *input, *output;
    uint8_t wrapper[sizeof(state->tmp_out_buff)];
    uint32_t avail_in, avail_out, total_in, total_out;
    uint64_t bound;
    int error;

    if (stream->flush != NO_FLUSH && stream->flush != FULL_FLUSH)
        return INVALID_FLUSH;
    if (stream->level == 1 && stream->level_buf == NULL) {
        /* The window's buffer is free: nothing outlives the call. */
        stream->level_buf = state->buffer;
        stream->level_buf_size = sizeof(state->buffer);
    }
    error = check_level(stream);
    if (error)
        return error;
    fix_window(stream);
    if (stream->flush == NO_FLUSH)
        stream->end_of_stream = 1;

    reset_state(state);
    if (!had_wrap_hdr && !append(stream, wrapper, isalk_deflate_wrapper_header(stream, wrapper)))
        return STATELESS_OVERFLOW;
    state->has_wrap_hdr = 1;

    /* Compressed data are good if they are no longer than the same stored. */
    input = stream->next_in;
    avail_in = stream->avail_in;
    total_in = stream->total_in;
    output = stream->next_out;
    avail_out = stream->avail_out;
    total_out = stream->total_out;
    bound = avail_in + 5 * stored_pieces(avail_in);
    if (stream->end_of_stream)
        bound += isalk_deflate_wrapper_trailer(stream, 0, wrapper);
    if (stream->avail_out > bound)
        stream->avail_out = (uint32_t) bound;
    if (is_worth_codes(stream) && compress_all(stream)) {
        stream->avail_out = avail_out - (uint32_t) (stream->next_out - output);
        return COMP_OK;
    }

    stream->next_in = input;
    stream->avail_in = avail_in;
    stream->total_in = total_in;
    stream->next_out = output;
    stream->avail_out = avail_out;
    stream->total_out = total_out;
    reset_state(state);
    state->has_wrap_hdr = 1;
    if (!store_all(stream))
        return STATELESS_OVERFLOW;
    if (stream->end_of_stream) {
        state->crc = isalk_deflate_checksum(stream->gzip_flag, 0, input, avail_in);
        if (!append(stream, wrapper,
                    isalk_deflate_wrapper_trailer(stream, stream->total_in, wrapper)))
            return STATELESS_OVERFLOW;
        state->state = ZSTATE_END;
    }
    return COMP_OK;
}
