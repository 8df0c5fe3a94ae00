/* The compressor at work on a stream: what its files share.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_STREAM_H
#define DEFLATE_STREAM_H

#include "igzip/deflate/deflate_kernels.h"
#include "igzip/deflate/levels.h"
#include "igzip/deflate/state.h"
#include "dispatch/bytes.h"

enum {
    STATIC_HEADER_BITS = 3, /* of a block with the static codes */
    EMPTY_STATIC_BITS = 10, /* of such a block without symbols: its end is 7 zeros */
    FEW_TABLE_TOKENS = 40,  /* for up to this many tokens, the caller's tables are not expanded */
    /* Level 0: memory for encoded tokens that the output has no room for. A chunk takes at most 15
     * bits a byte; a run that continues after it adds few. */
    LEVEL0_SPILL_BYTES = 8704,
    /* Level 0, short data: room kept after the last token. The end of the block, the trailer or a
     * marker, and the overrun of the last token and of each store need it. */
    SHORT_END_ROOM = 32
};

/* Kinds of flush for the library's own streams, in isal_zstream.flush: both end the block and leave
 * the output unaligned. */
enum {
    FLUSH_PARTIAL = FULL_FLUSH + 1, /* an empty static block follows: the decoder sees all input */
    FLUSH_BLOCK                     /* nothing follows */
};

/* Block types that may be written; stored blocks always may. */
enum deflate_blocks { BLOCKS_ALL, BLOCKS_STATIC, BLOCKS_STORED };

/* The kind of data, guessed from the literals of the first block. */
enum deflate_data { DATA_BINARY, DATA_TEXT, DATA_UNKNOWN };

/* One call of the compressor. The available input, in lz, is in the caller's memory (direct) or in
 * the stream's buffer. */
struct deflate_work {
    struct isal_zstream *stream;
    struct deflate_state *state;
    struct lz77 lz;
    struct deflate_block *block; /* NULL at level 0 */
    uint32_t *tokens;
    uint32_t max_tokens;
    enum deflate_blocks blocks; /* types allowed, with a level buffer */
    enum deflate_data *data;    /* replaced if DATA_UNKNOWN; NULL: not wanted */
    int one_call;               /* all input is available, and no state is kept after the call */
    uint32_t spare_out;         /* one call: bytes free beyond avail_out, at most SHORT_END_ROOM */
    int direct;
    const uint8_t *summed; /* direct: end of the bytes in the checksum */
    uint32_t copied;       /* not direct: bytes before next_in that are in the buffer, too */
};

/* The caller's tables as codes by token field, once they are expanded. */
struct caller_codes {
    const struct deflate_codes *codes; /* NULL: not expanded */
    struct deflate_codes expanded;
};

enum progress { CONTINUE, STOP };

/* Sets the largest window if the caller chose none. */
ISALK_INLINE void isalk_deflate_set_window(struct isal_zstream *stream)
{
    if (stream->hist_bits == 0 || stream->hist_bits > ISAL_DEF_MAX_HIST_BITS)
        stream->hist_bits = ISAL_DEF_MAX_HIST_BITS;
}

/* Returns whether all of the caller's input is available. */
ISALK_INLINE int isalk_deflate_has_all_input(const struct deflate_work *w)
{
    return w->direct || w->stream->avail_in == 0;
}

/* Returns whether all input up to the end of the stream or the next flush is available. */
ISALK_INLINE int isalk_deflate_is_last(const struct deflate_work *w)
{
    return isalk_deflate_has_all_input(w) &&
           (w->stream->end_of_stream || w->stream->flush != NO_FLUSH);
}

ISALK_HIDDEN_BEGIN

/* ---- deflate.c ---- */

void isalk_deflate_reset_state(struct deflate_state *state);

/* ---- machine.c ---- */

/* Compresses until input or room for output is used up. */
void isalk_deflate_run(struct deflate_work *w);

/* Starts a new block, empty. */
void isalk_deflate_start_block(struct deflate_work *w);

/* ---- input.c ---- */

void isalk_deflate_open_input(struct deflate_work *w);

/* Makes more of the caller's input available; returns 0 if there is none. */
int isalk_deflate_feed(struct deflate_work *w);

/* Direct: continues the checksum up to `to`. Otherwise it is continued as input is copied. */
void isalk_deflate_sum(struct deflate_work *w, const uint8_t *to);

/* Leaves in the buffer what the next call needs, and as much of the remaining input as fits. */
void isalk_deflate_close_input(struct deflate_work *w);

/* Prepares the hash table before the first token of a stream or after a full flush. */
void isalk_deflate_prepare_table(struct deflate_work *w);

/* ---- output.c ---- */

/* Writes n bytes, continuing at item_written; returns whether all are written. The bit buffer must
 * be empty. */
int isalk_deflate_write_bytes(struct isal_zstream *stream, const uint8_t *bytes, uint32_t n);

/* Writes the bits of a header from item_written on; returns whether all are in the bit buffer. */
int isalk_deflate_write_header(struct isal_zstream *stream, const uint8_t *bytes, uint32_t bits);

/* Writes tokens; returns the first for which there is no room. */
const uint32_t *isalk_deflate_write_tokens(struct isal_zstream *stream, const uint32_t *token,
                                           const uint32_t *token_end,
                                           const struct deflate_codes *codes);

/* Writes the marker of a flush of the kind marker_flush: an empty block or nothing. Returns 0 if
 * the bit buffer has no room for it. */
int isalk_deflate_write_marker(struct isal_zstream *stream);

/* ---- collect.c: levels with a level buffer ---- */

/* Emits tokens until the block is full, or collects bytes to store that look incompressible. */
enum progress isalk_deflate_collect(struct deflate_work *w);

/* ---- split.c ---- */

/* Returns whether the n bytes from p on differ so much from those of the block that it should end.
 * If not, adds them to the counts of the block. */
int isalk_deflate_splits(struct deflate_block *block, const uint8_t *p, size_t n);

/* ---- blocks.c: levels with a level buffer ---- */

/* Chooses the type of the block whose tokens are collected, and makes its header and codes. */
void isalk_deflate_create_block(struct deflate_work *w);

/* Writes the remaining tokens of the block and its end; returns whether all are written. */
int isalk_deflate_write_block(struct deflate_work *w);

/* Writes the bytes before the block as a stored block; returns whether all are written. */
int isalk_deflate_write_stored(struct deflate_work *w);

/* Bits of tokens and an end of block in these codes. */
uint64_t isalk_deflate_token_cost(const uint32_t *token, const uint32_t *token_end,
                                  const struct deflate_codes *codes);

/* ---- level0.c ---- */

/* Emits and writes tokens. */
enum progress isalk_level0_body(struct deflate_work *w, struct caller_codes *caller);

/* Writes the header of a block; returns 0 if more input or room is needed. */
int isalk_level0_header(struct deflate_work *w);

/* Writes the end of a block; returns whether it is written. */
int isalk_level0_end(struct isal_zstream *stream);

/* The codes of the library's tables, which are always expanded; NULL for others. */
const struct deflate_codes *isalk_level0_ready_codes(const struct isal_hufftables *tables);

void isalk_level0_expand(struct caller_codes *caller, const struct isal_hufftables *tables);

/* ---- constant.c ---- */

/* The last isal_deflate_stateless() of a stream: if all bytes of the input are the same, writes
 * them as one block and leaves next_in as it is. Returns whether it did. */
int isalk_deflate_constant(struct isal_zstream *stream);

/* ---- short.c ---- */

/* Level 0: compresses a short piece of data at once. Returns 0, with nothing changed, if it is not
 * short or may lack room. */
int isalk_deflate_short(struct deflate_work *w);

/* The same for a whole stream, or what is between full flushes, if it is tiny
 * (isalk_lz77_is_tiny()). `room` bytes of output, avail_out or more, may be overwritten. */
int isalk_deflate_write_tiny(struct isal_zstream *stream, size_t room);

/* ---- dictionary.c ---- */

/* Appends n bytes to the history, whose last 32768 bytes are kept. Call it only when no input is
 * pending and no block is open. */
void isalk_deflate_add_history(struct deflate_state *state, const uint8_t *bytes, uint32_t n);

/* ---- deflate_wrapper.c ---- */

/* Continues a checksum over n bytes. gzip_flag chooses its kind; its form is that of
 * deflate_state.crc. */
uint32_t isalk_deflate_checksum(uint32_t gzip_flag, uint32_t checksum, const uint8_t *bytes,
                                size_t n);

/* Bytes of the wrapper's header (at most 10) and trailer (at most 8). */
uint32_t isalk_deflate_wrapper_header(const struct isal_zstream *stream, uint8_t *to);
uint32_t isalk_deflate_wrapper_trailer(const struct isal_zstream *stream, uint32_t total_in,
                                       uint8_t *to);

/* ---- hufftables.c ---- */

extern const struct isal_hufftables isalk_hufftables_default, isalk_hufftables_static;
/* The same, expanded by isalk_hufftables_expand(). */
extern const struct deflate_codes isalk_deflate_codes_default, isalk_deflate_codes_static;

/* As isal_create_hufftables(), from codes. */
void isalk_hufftables_fill(struct isal_hufftables *to, const struct huffman_codes *codes,
                           const struct huffman_header *header);
void isalk_hufftables_expand(const struct isal_hufftables *from, struct deflate_codes *to);

/* As isal_update_histogram(), with the given hash table and match finder. */
void isalk_update_histogram(const uint8_t *bytes, size_t length, deflate_entry *head,
                            uint32_t hash_bits, deflate_find_fn *find,
                            struct isal_huff_histogram *histogram);

ISALK_HIDDEN_END

#endif
