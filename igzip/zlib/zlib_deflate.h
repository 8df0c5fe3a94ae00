/* The state of a zlib-compatible compression stream.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_DEFLATE_H
#define ZLIB_DEFLATE_H

#include "igzip/deflate/stream.h"
#include "igzip/zlib/zlib_stream.h"

/* Z_FILTERED: bytes of the shortest match at levels 4 to 9, as in zlib. */
enum { FILTERED_MIN_MATCH = 6 };

/* Values of last_flush: no call yet; the last call lacked room for output. */
enum { FLUSH_NONE = -2, FLUSH_UNFINISHED = -1 };

enum deflate_status {
    STATUS_NEW,       /* nothing written */
    STATUS_HEADER,    /* in the header */
    STATUS_DATA,      /* after the header */
    STATUS_FINISHING, /* all input of the stream is consumed */
    STATUS_END
};

/* Parts of a gzip header. */
enum header_part { PART_FIXED, PART_EXTRA_LENGTH, PART_EXTRA, PART_NAME, PART_COMMENT, PART_CRC };

struct level_choice {
    int level, strategy; /* as programs give them */
};

struct deflate_stream {
    struct internal_state base;
    int wrap; /* WRAP_RAW, WRAP_ZLIB, WRAP_GZIP */
    int window_bits, mem_level;
    struct level_choice current, next; /* `next` takes effect with the next block */
    enum deflate_status status;
    enum deflate_data data;
    int last_flush;
    int has_dictionary; /* zlib: the header has its ID */
    uint32_t dictionary_id;
    const gz_header *header;
    enum header_part header_part;
    size_t header_written; /* bytes of the part that are written */
    uint32_t header_crc;
    uint8_t *level_memory; /* allocated; contains level_buf, aligned */
    size_t level_bytes;
    struct isal_zstream s; /* allocated up to the end of the block, not level 0's hash table */
};

enum {
    DEFLATE_STREAM_BYTES = offsetof(struct deflate_stream, s.internal_state) +
                           offsetof(struct deflate_state, block) + sizeof(struct deflate_block),
    LEVEL_ALIGNMENT = 64
};

/* The level buffer: the first aligned address in memory with LEVEL_ALIGNMENT spare bytes. */
ISALK_INLINE uint8_t *level_buf_in(uint8_t *memory)
{
    return memory + (-(uintptr_t) memory & (LEVEL_ALIGNMENT - 1));
}

ISALK_HIDDEN_BEGIN

/* The state of a stream, or NULL. */
struct deflate_stream *isalk_zlib_deflate_state(z_stream *strm);

/* Returns whether level and strategy are valid; replaces Z_DEFAULT_COMPRESSION by a level. */
int isalk_zlib_valid_choice(struct level_choice *choice);

/* The row of the level table. */
const struct level *isalk_zlib_row(struct level_choice choice);

/* Switches to a level and allocates its memory; returns 0 if out of memory. */
int isalk_zlib_use_level(struct deflate_stream *d, struct level_choice choice);

/* The checksums of an empty stream and of the input so far, in the form of strm->adler. */
uint32_t isalk_zlib_first_check(const struct deflate_stream *d);
uint32_t isalk_zlib_check(const struct deflate_stream *d);

/* Writes the rest of the header; returns whether it is complete. */
int isalk_zlib_write_header(struct deflate_stream *d);

/* Bytes of the header. */
unsigned long isalk_zlib_header_bytes(const struct deflate_stream *d);

/* Returns whether the stream is between blocks, with all its input compressed. */
int isalk_zlib_between_blocks(const struct deflate_stream *d);

ISALK_HIDDEN_END

#endif
