/* The compression levels: a row for each, and their memory.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

/* log2 of the entries of each hash table. Small level buffers have room for fewer. */
enum {
    LEVEL1_HASH_BITS = 14,
    LEVEL2_HASH_BITS = 15,
    LEVEL3_HASH_BITS = 15,
    LEVEL4_HASH_BITS = 16,
    ROW_HASH_BITS = 12
};
#define TABLE_FITS(bits, size) \
    _Static_assert(sizeof(deflate_entry) << (bits) <= (size), "a level's hash table")
TABLE_FITS(LEVEL0_HASH_BITS, sizeof(((struct isal_huff_histogram *) 0)->hash_table));
TABLE_FITS(DICTIONARY_HASH_BITS, sizeof(((struct isal_dict *) 0)->hashtable));

/* Tokens of a block, at most, even with memory for more. Codes fit longer blocks less well: output
 * gets 0.5 % (many files) to 3 % (one archive of them) larger. */
enum { MAX_TOKENS = 16384 };

/* Bytes of a level buffer: alignment, hash table, tokens and the parser's memory. */
enum {
    ALIGNMENT = 64,
    TOKENS_BUF = ALIGNMENT - 1 + sizeof(uint32_t) * MAX_TOKENS,
    /* A hash table gets at most three quarters of a buffer. */
    HASH_LEVEL_BUF = ALIGNMENT + (sizeof(deflate_entry) << LEVEL4_HASH_BITS) / 3 * 4 + 8,
    ROWS_LEVEL_BUF = TOKENS_BUF + (sizeof(deflate_entry) << ROW_HASH_BITS) + LZ77_ROWS_MEMORY,
    NEAR_LEVEL_BUF = TOKENS_BUF + (sizeof(deflate_entry) << ROW_HASH_BITS) + LZ77_NEAR_MEMORY
};

#define GREEDY(bits, given, long_bytes)                                          \
    {                                                                            \
        .parser = &isalk_parser_greedy, .hash_bits = bits, .given_codes = given, \
        .long_token_bytes = long_bytes                                           \
    }
#define LAZY(bits, long_bytes, split)                                                    \
    {                                                                                    \
        .parser = &isalk_parser_lazy, .hash_bits = bits, .long_token_bytes = long_bytes, \
        .splits = split                                                                  \
    }
#define ROWS(shape, depth, nice)                                                         \
    {                                                                                    \
        .parser = &isalk_parser_##shape, .hash_bits = ROW_HASH_BITS, .max_depth = depth, \
        .splits = 1, .nice_length = nice                                                 \
    }
#define NEAR_OPTIMAL(depth, nice, count)                                                           \
    {                                                                                              \
        .parser = &isalk_parser_near, .hash_bits = ROW_HASH_BITS, .max_depth = depth, .splits = 1, \
        .passes = count, .nice_length = nice                                                       \
    }

/* The greedy parser is 10 % to 16 % faster than the lazy one, and its output at most 1 % larger. So
 * level 0 uses it, with a larger table. Each bit more of a table makes output 1 % to 3 % smaller
 * and compression 3 % to 5 % slower. Level 4 changes to the finder for long matches only where they
 * are very long, which makes output 1.1 % smaller. It splits blocks where the data change: 0.4 %
 * smaller, and 12 % slower. */
const struct level isalk_levels[LEVEL_ROWS] = {
    {GREEDY(LEVEL0_HASH_BITS, 1, 9), ISAL_DEF_LVL0_MIN},
    {GREEDY(LEVEL1_HASH_BITS, 0, 8), ISAL_DEF_LVL1_MIN},
    {GREEDY(LEVEL2_HASH_BITS, 0, 9), ISAL_DEF_LVL2_MIN},
    {LAZY(LEVEL3_HASH_BITS, 12, 0), ISAL_DEF_LVL3_MIN},
    {LAZY(LEVEL4_HASH_BITS, 40, 1), HASH_LEVEL_BUF},
    {ROWS(row16, 4, 32), ROWS_LEVEL_BUF},
    {ROWS(row32, 32, 128), ROWS_LEVEL_BUF},
    {ROWS(row64, 64, 258), ROWS_LEVEL_BUF},
    {NEAR_OPTIMAL(12, 96, 1), NEAR_LEVEL_BUF},
    {NEAR_OPTIMAL(32, 258, 2), NEAR_LEVEL_BUF},
};

int isalk_level_check(const struct level *level, const struct isal_zstream *stream)
{
    if (level->min_level_buf == 0)
        return COMP_OK;
    if (stream->level_buf == NULL)
        return ISAL_INVALID_LEVEL_BUF;
    if (stream->level > ISAL_DEF_HIGHEST_LEVEL || stream->level_buf_size < level->min_level_buf)
        return ISAL_INVALID_LEVEL;
    return COMP_OK;
}

ISAL_PUBLIC uint32_t isal_deflate_level_buf_size(uint32_t level)
{
    static const uint32_t sizes[] = {ISAL_DEF_LVL0_DEFAULT, ISAL_DEF_LVL1_DEFAULT,
                                     ISAL_DEF_LVL2_DEFAULT, ISAL_DEF_LVL3_DEFAULT};

    if (level <= ISAL_DEF_MAX_LEVEL)
        return sizes[level];
    return level < LEVEL_ROWS ? isalk_levels[level].min_level_buf : 0;
}

/* The level buffer, of any alignment, holds the parser's memory and the tokens. Level 0 has no
 * level buffer: its hash table is in the stream, where other levels have their block. */
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
    w->lz.min_match = DEFLATE_MIN_MATCH;
    w->lz.is_short = 0;
    w->lz.ends = stream->end_of_stream || stream->flush == FULL_FLUSH;
    if (level->min_level_buf == 0) {
        w->lz.head = state->hash_table;
        w->block = NULL;
        w->tokens = NULL;
        w->max_tokens = 0;
    } else {
        uint8_t *memory = stream->level_buf + (-(uintptr_t) stream->level_buf & (ALIGNMENT - 1));
        size_t room = stream->level_buf_size - (ALIGNMENT - 1);
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
