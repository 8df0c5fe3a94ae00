/* Compression with a dictionary: public functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

/* log2 of the entries of the hash table that comes with a dictionary. */
static uint32_t dictionary_hash_bits(const struct level *level)
{
    return level->params.hash_bits < DICTIONARY_HASH_BITS ? level->params.hash_bits
                                                          : DICTIONARY_HASH_BITS;
}

/* Returns whether a dictionary may be set now. */
static int accepts_dictionary(const struct deflate_state *state)
{
    return state->state == ZSTATE_NEW_HDR && state->buffered == state->buffer_parsed;
}

/* Shortens a dictionary to what matches can reach; returns its first byte. */
static const uint8_t *shorten(const uint8_t *dict, uint32_t *dict_len)
{
    if (*dict_len > DEFLATE_WINDOW) {
        dict += *dict_len - DEFLATE_WINDOW;
        *dict_len = DEFLATE_WINDOW;
    }
    return dict;
}

/* Replaces the history by its last `keep` bytes and n new ones. hash_bits: log2 of the entries of
 * the hash table if it already has their positions, else 0. */
static void set_history(struct deflate_state *state, uint32_t keep, const uint8_t *bytes,
                        uint32_t n, uint32_t hash_bits)
{
    memmove(state->buffer, state->buffer + state->buffer_parsed - keep, keep);
    if (n > 0)
        memcpy(state->buffer + keep, bytes, n);
    state->buffered = keep + n;
    state->buffer_parsed = keep + n;
    state->block_bytes = 0;
    state->search.offset = keep + n;
    state->search.hash_bits = (uint8_t) hash_bits;
}

void isalk_deflate_add_history(struct deflate_state *state, const uint8_t *bytes, uint32_t n)
{
    const uint8_t *added = shorten(bytes, &n);
    uint32_t keep = state->search.offset;

    keep = keep < state->buffer_parsed ? keep : state->buffer_parsed;
    keep = keep < DEFLATE_WINDOW - n ? keep : DEFLATE_WINDOW - n;
    set_history(state, keep, added, n, 0);
}

ISAL_PUBLIC int isal_deflate_set_dict(struct isal_zstream *stream, uint8_t *dict, uint32_t dict_len)
{
    struct deflate_state *state = state_of(stream);

    if (!accepts_dictionary(state))
        return ISAL_INVALID_STATE;
    if (dict_len > 0) {
        const uint8_t *history = shorten(dict, &dict_len);

        set_history(state, 0, history, dict_len, 0);
    }
    return COMP_OK;
}

ISAL_PUBLIC int isal_deflate_process_dict(struct isal_zstream *stream, struct isal_dict *dict_str,
                                          uint8_t *dict, uint32_t dict_len)
{
    uint32_t hash_bits = dictionary_hash_bits(level_of(stream));
    deflate_entry *head;
    const uint8_t *history;

    if (dict_str == NULL || dict_len == 0 || stream->level > ISAL_DEF_HIGHEST_LEVEL)
        return ISAL_INVALID_STATE;
    history = shorten(dict, &dict_len);
    dict_str->params = 0;
    dict_str->level = stream->level;
    dict_str->hist_size = dict_len;
    dict_str->hash_size = stream->level < 2 ? IGZIP_LVL1_HASH_SIZE : IGZIP_LVL3_HASH_SIZE;
    memcpy(dict_str->history, history, dict_len);
    head = (deflate_entry *) (void *) dict_str->hashtable;
    memset(head, 0, sizeof(*head) << hash_bits);
    isalk_lz77_insert(head, hash_bits, history, dict_len, LZ77_HASH_BYTES);
    return COMP_OK;
}

ISAL_PUBLIC int isal_deflate_reset_dict(struct isal_zstream *stream, struct isal_dict *dict_str)
{
    struct deflate_state *state = state_of(stream);
    const struct level *level = level_of(stream);
    struct deflate_work w;
    int error;

    if (dict_str == NULL || !accepts_dictionary(state) || dict_str->level != stream->level ||
        dict_str->hist_size == 0 || dict_str->hist_size > DEFLATE_WINDOW ||
        dict_str->hash_size > IGZIP_LVL3_HASH_SIZE)
        return ISAL_INVALID_STATE;
    error = isalk_level_check(level, stream);
    if (error)
        return error;
    if (level->params.parser->reset) { /* its memory is prepared with the first bytes */
        set_history(state, 0, dict_str->history, dict_str->hist_size, 0);
        return COMP_OK;
    }
    isalk_deflate_set_window(stream);
    state->search.hash_bits = 0;
    isalk_level_layout(level, stream, &w);
    if (w.lz.hash_bits == dictionary_hash_bits(level)) {
        memcpy(w.lz.head, dict_str->hashtable, sizeof(*w.lz.head) << w.lz.hash_bits);
    } else {
        memset(w.lz.head, 0, sizeof(*w.lz.head) << w.lz.hash_bits);
        isalk_lz77_insert(w.lz.head, w.lz.hash_bits, dict_str->history, dict_str->hist_size,
                          LZ77_HASH_BYTES);
    }
    set_history(state, 0, dict_str->history, dict_str->hist_size, w.lz.hash_bits);
    return COMP_OK;
}
