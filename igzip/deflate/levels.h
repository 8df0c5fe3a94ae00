/* The compression levels.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_LEVELS_H
#define DEFLATE_LEVELS_H

#include "isa-l/igzip_lib.h"

#include "igzip/lz77/parser.h"

struct level {
    struct lz77_params params;
    uint32_t min_level_buf; /* bytes; 0: no level buffer, and the caller's codes */
};

enum { DICTIONARY_HASH_BITS = 14 }; /* log2 of the entries of a dictionary's hash table, at most */

enum { LEVEL_ROWS = ISAL_DEF_HIGHEST_LEVEL + 1 };

struct deflate_work;

ISALK_HIDDEN_BEGIN

extern const struct level isalk_levels[LEVEL_ROWS];

/* COMP_OK, or why the stream's level or level buffer is invalid for this row. */
int isalk_level_check(const struct level *level, const struct isal_zstream *stream);

/* Sets up a call: where the parser's memory and the tokens are. */
void isalk_level_layout(const struct level *level, struct isal_zstream *stream,
                        struct deflate_work *w);

ISALK_HIDDEN_END

/* The row of a stream's level; the last row for an invalid level. */
ISALK_INLINE const struct level *level_of(const struct isal_zstream *stream)
{
    return &isalk_levels[stream->level < LEVEL_ROWS ? stream->level : LEVEL_ROWS - 1];
}

#endif
