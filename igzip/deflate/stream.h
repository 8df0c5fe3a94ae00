/* The compressor at work: what a call keeps of the stream, and what it shares among its files.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_STREAM_H
#define DEFLATE_STREAM_H

#include "isa-l/igzip_lib.h"

#include "igzip/huffman/huffman.h"

/* Meanings of those members of struct isal_zstate whose names do not say it: the layout is part of
 * the interface.
 *
 *     total_in_start      offset from the hash table's base of the first byte without a token, or less
 *     block_next          number of the next token to encode
 *     block_end           number of tokens in the block
 *     dist_mask           not 0: the finder of long matches is at work; 1 more than its `run`
 *     hash_mask           bytes that the tokens of the block stand for, or NOT_STORABLE
 *     count               bytes or bits done of what is being written
 *     has_wrap_hdr        the wrapper's header is written or begun
 *     has_eob_hdr         the block at work is the last
 *     has_eob             the state at work, which `state` hides while output has no room
 *     has_level_buf_init  log2 of the entries of the hash table, or 0: it is not ready
 *     tmp_out_buff        header or trailer of the wrapper
 *     tmp_out_start       bytes before those of the block at work that will be stored
 *     tmp_out_end         flush: its kind; level 0: bytes of encoded tokens at the buffer's end
 *     b_bytes_valid       bytes in the buffer
 *     b_bytes_processed   those of them that have tokens
 */
#define NOT_STORABLE 0xffffffffu

/* Entries of struct isal_hufftables with a length have its number of bits lowest. */
enum { HUFFTABLE_SIZE_BITS = 5, HUFFTABLE_SIZE_MASK = (1 << HUFFTABLE_SIZE_BITS) - 1 };

/* Bytes kept after a chunk, except at the end of the input, so that every finder can see a match of
 * the longest length there. */
enum { LOOK_AHEAD = LONG_BEHIND };

/* What levels 1 to 3 keep of a block in the stream, where level 0 has its hash table; their hash
 * table and tokens are in the level's buffer. */
struct deflate_block {
    struct deflate_counts counts;
    int64_t balance;              /* bits that the output may still lose against stored blocks */
    struct deflate_sample sample; /* of the bytes that are stored without tokens */
    uint32_t unprobed; /* bytes to go without probes, since codes make them a little shorter */
    struct deflate_codes codes;
    struct huffman_header header;
};

struct deflate_work {
    struct isal_zstream *stream;
    struct isal_zstate *state;
    deflate_entry *head;
    uint32_t hash_bits;
    enum deflate_parser parser;
    uint32_t long_tokens;
    struct deflate_block *block; /* levels 1 to 3 */
    uint32_t *tokens;
    uint32_t token_room;
    uint32_t window;
    size_t chunk_most; /* bytes of the next chunk, at most */
    int stateless;

    /* The bytes at hand: the caller's (direct) or those in the stream's buffer. */
    const uint8_t *low;    /* the first */
    const uint8_t *next;   /* the first without a token */
    const uint8_t *end;    /* of them */
    const uint8_t *summed; /* direct: the first that is not in the checksum */
    uint32_t copied;       /* not direct: bytes before end that this call's caller has, too */
    int direct;
};

/* How a level works. */
struct deflate_strategy {
    uint32_t hash_bits; /* the table has 1 << hash_bits entries */
    enum deflate_parser parser;
    uint32_t long_tokens; /* bytes a token from which the finder of long matches takes over */
    uint32_t level_buf_min;
};

ISALK_HIDDEN_BEGIN

extern const struct deflate_strategy isalk_deflate_strategies[ISAL_DEF_MAX_LEVEL + 1];

/* Compresses until input or room for output is used up. */
void isalk_deflate_run(struct deflate_work *w);

/* checksum continued over n bytes, for this gzip_flag and in the form of isal_zstate.crc. */
uint32_t isalk_deflate_checksum(uint32_t gzip_flag, uint32_t checksum, const uint8_t *bytes,
                                size_t n);

/* Bytes of the wrapper's header (at most 10) and trailer (at most 8). */
uint32_t isalk_deflate_wrapper_header(const struct isal_zstream *stream, uint8_t *to);
uint32_t isalk_deflate_wrapper_trailer(const struct isal_zstream *stream, uint32_t total_in,
                                       uint8_t *to);

extern const struct isal_hufftables isalk_hufftables_default, isalk_hufftables_static;
/* What isalk_hufftables_expand() makes of them. */
extern const struct deflate_codes isalk_deflate_codes_default, isalk_deflate_codes_static;

/* As isal_create_hufftables(), from codes. */
void isalk_hufftables_fill(struct isal_hufftables *to, const struct huffman_codes *codes,
                           const struct huffman_header *header);
void isalk_hufftables_expand(const struct isal_hufftables *from, struct deflate_codes *to);

ISALK_HIDDEN_END

#endif
