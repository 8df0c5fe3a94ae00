/* zlib's levels and strategies as rows of the level table, and their memory.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/zlib/zlib_deflate.h"

enum { DEFAULT_LEVEL = 6 };

/* Rows of the strategies that restrict matches. Their small hash table serves only the probes for
 * incompressible data. */
static const struct level literals_row = {
    .params = {.parser = &isalk_parser_literal, .hash_bits = LZ77_MIN_HASH_BITS},
    .min_level_buf = ISAL_DEF_LVL1_MIN,
};
static const struct level runs_row = {
    .params = {.parser = &isalk_parser_run, .hash_bits = LZ77_MIN_HASH_BITS},
    .min_level_buf = ISAL_DEF_LVL1_MIN,
};

/* For each level of zlib, the fastest level whose output is no larger in the mean. Measured on the
 * first MB of each of 63 files (the corpora and other kinds of data; zlib 1.2.13; Emerald Rapids):
 *
 *     zlib's level       1     2     3     4     5     6     7     8     9
 *     ratio, zlib      .317  .307  .299  .277  .270  .266  .265  .263  .262
 *     ratio, this one  .293  .293  .291  .266  .266  .266  .264  .255  .255
 *     gain in speed     6.8   7.4   9.0   1.3   1.9   3.0   3.2   1.2   1.6
 *
 * Output at the library's level 5 is 1 % larger than at zlib's level 4. */
static const uint8_t library_levels[Z_BEST_COMPRESSION + 1] = {1, 1, 1, 2, 6, 6, 6, 7, 8, 8};

int isalk_zlib_valid_choice(struct level_choice *choice)
{
    if (choice->level == Z_DEFAULT_COMPRESSION)
        choice->level = DEFAULT_LEVEL;
    return choice->level >= Z_NO_COMPRESSION && choice->level <= Z_BEST_COMPRESSION &&
           choice->strategy >= Z_DEFAULT_STRATEGY && choice->strategy <= Z_FIXED;
}

const struct level *isalk_zlib_row(struct level_choice choice)
{
    if (choice.level == Z_NO_COMPRESSION || choice.strategy == Z_HUFFMAN_ONLY)
        return &literals_row;
    if (choice.strategy == Z_RLE)
        return &runs_row;
    return &isalk_levels[library_levels[choice.level]];
}

/* Bytes of a level buffer. A smaller memLevel halves the tokens and the hash table, as in zlib. The
 * parsers of levels 4 to 9 have fixed tables; with the default memLevel, the tokens of a block are
 * what remains of a quarter more than zlib's memory. Output is 0.05 % larger than with 16384. */
static size_t level_bytes(struct level_choice choice, int mem_level)
{
    enum { DEFAULT_MEM_LEVEL = 8, TOKENS = 16384, FEWER_TOKENS = 6400, MIN_TOKENS = 2048 };
    enum { MARGIN = 4096, MIN_HASH_BITS = 11 };
    const struct lz77_params *params = &isalk_zlib_row(choice)->params;
    uint32_t halvings =
        mem_level < DEFAULT_MEM_LEVEL ? DEFAULT_MEM_LEVEL - (uint32_t) mem_level : 0;
    uint32_t tokens = TOKENS, hash_bits = params->hash_bits;

    if (choice.level == Z_NO_COMPRESSION)
        return ISAL_DEF_LVL1_MIN;
    if (params->parser->memory > 0) {
        tokens = mem_level > DEFAULT_MEM_LEVEL ? TOKENS : FEWER_TOKENS;
    } else {
        while (hash_bits > MIN_HASH_BITS && hash_bits + halvings > params->hash_bits)
            hash_bits--;
    }
    tokens = tokens >> halvings < MIN_TOKENS ? MIN_TOKENS : tokens >> halvings;
    return (sizeof(deflate_entry) << hash_bits) + params->parser->memory +
           tokens * sizeof(uint32_t) + (params->parser->memory > 0 ? LEVEL_ALIGNMENT : MARGIN);
}

int isalk_zlib_use_level(struct deflate_stream *d, struct level_choice choice)
{
    z_stream *strm = d->base.strm;
    size_t bytes = level_bytes(choice, d->mem_level);

    if (bytes > d->level_bytes) {
        uint8_t *memory = strm->zalloc(strm->opaque, 1, (unsigned) bytes + LEVEL_ALIGNMENT);

        if (memory == NULL)
            return 0;
        if (d->level_memory != NULL)
            strm->zfree(strm->opaque, d->level_memory);
        d->level_memory = memory;
        d->level_bytes = bytes;
    }
    d->s.level_buf = level_buf_in(d->level_memory);
    d->s.level_buf_size = (uint32_t) d->level_bytes;
    d->current = d->next = choice;
    d->s.internal_state.state = ZSTATE_NEW_HDR;
    state_of(&d->s)->search.hash_bits = 0; /* the table is rebuilt, with the history */
    return 1;
}
