/* The compression levels: a row for each, and their memory.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

/* log2 of the entries of each hash table. Small level buffers have room for fewer. */
enum { LEVEL1_HASH_BITS = 14, LEVEL2_HASH_BITS = 15, LEVEL3_HASH_BITS = 15, CHAIN_HASH_BITS = 14 };
#define TABLE_FITS(bits, size) \
    _Static_assert(sizeof(deflate_entry) << (bits) <= (size), "a level's hash table")
TABLE_FITS(LEVEL0_HASH_BITS, sizeof(((struct isal_huff_histogram *) 0)->hash_table));
TABLE_FITS(DICTIONARY_HASH_BITS, sizeof(((struct isal_dict *) 0)->hashtable));

#define GREEDY(bits, given_codes, long_token_bytes)                     \
    {                                                                   \
        &isalk_parser_greedy, bits, given_codes, long_token_bytes, 1, 0 \
    }
#define LAZY(bits, long_token_bytes)                        \
    {                                                       \
        &isalk_parser_lazy, bits, 0, long_token_bytes, 1, 0 \
    }
#define CHAIN(bits, depth, nice)                     \
    {                                                \
        &isalk_parser_chain, bits, 0, 0, depth, nice \
    }

/* Greedy is 10 % to 16 % faster than lazy, output at most 1 % larger: level 0 has a larger table
 * instead. Each bit more of a table makes output 1 % to 3 % smaller and 3 % to 5 % slower. */
const struct level isalk_levels[LEVEL_ROWS] = {
    {GREEDY(LEVEL0_HASH_BITS, 1, 9), ISAL_DEF_LVL0_MIN},
    {GREEDY(LEVEL1_HASH_BITS, 0, 8), ISAL_DEF_LVL1_MIN},
    {GREEDY(LEVEL2_HASH_BITS, 0, 9), ISAL_DEF_LVL2_MIN},
    {LAZY(LEVEL3_HASH_BITS, 12), ISAL_DEF_LVL3_MIN},
    [LEVEL_CHAIN] = {CHAIN(CHAIN_HASH_BITS, 16, 64), ISAL_DEF_LVL3_SMALL + 65536},
};

/* Tokens of a block, whatever memory there is: the codes of longer ones fit less well, and the
 * output gets 0.5 % (many files) to 3 % (one archive of them) larger. */
enum { MAX_TOKENS = 16384 };

int isalk_level_check(const struct level *level, const struct isal_zstream *stream)
{
    if (level->min_level_buf == 0)
        return COMP_OK;
    if (stream->level_buf == NULL)
        return ISAL_INVALID_LEVEL_BUF;
    if (stream->level > ISAL_DEF_MAX_LEVEL || stream->level_buf_size < level->min_level_buf)
        return ISAL_INVALID_LEVEL;
    return COMP_OK;
}

/* The level buffer, which has any alignment, holds the parser's memory and the tokens. Level 0 has
 * none: its hash table is in the stream, where other levels have their block. */
void isalk_level_layout(const struct level *level, struct isal_zstream *stream,
                        struct deflate_work *w)
{
    struct deflate_state *state = state_of(stream);

    w->stream = stream;
    w->state = state;
    w->one_call = 0;
    w->spare_out = 0;
    w->blocks = BLOCKS_ALL;
    w->data = NULL;
    w->lz.params = &level->params;
    w->lz.state = &state->search;
    w->lz.hash_bits = level->params.hash_bits;
    w->lz.window = (uint32_t) 1 << stream->hist_bits;
    w->lz.max_chunk = SIZE_MAX;
    w->lz.is_short = 0;
    if (level->min_level_buf == 0) {
        w->lz.head = state->hash_table;
        w->block = NULL;
        w->tokens = NULL;
        w->max_tokens = 0;
    } else {
        uint8_t *memory = stream->level_buf + (64 - (uintptr_t) stream->level_buf % 64) % 64;
        size_t room = stream->level_buf_size - 63; /* whatever the alignment */
        size_t used, max_table = (room - level->params.parser->memory) / 4 * 3;

        while (sizeof(*w->lz.head) << w->lz.hash_bits > max_table)
            w->lz.hash_bits--;
        used = (sizeof(*w->lz.head) << w->lz.hash_bits) + level->params.parser->memory;
        w->lz.head = (deflate_entry *) (void *) memory;
        w->block = &state->block;
        w->tokens = (uint32_t *) (void *) (memory + used);
        w->max_tokens = (uint32_t) ((room - used) / sizeof(*w->tokens));
        if (w->max_tokens > MAX_TOKENS)
            w->max_tokens = MAX_TOKENS;
    }
    if (state->search.hash_bits)
        w->lz.hash_bits = state->search.hash_bits;
}
