/* The state of a zlib-compatible decompression stream.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_INFLATE_H
#define ZLIB_INFLATE_H

#include "igzip/inflate/inflate_state.h"
#include "igzip/zlib/zlib_stream.h"

/* The part of the stream that is read next, in the order of the format. */
enum inflate_mode {
    MODE_HEAD, /* before the wrapper's header */
    MODE_GZIP_FLAGS,
    MODE_GZIP_TIME,
    MODE_GZIP_OS,
    MODE_GZIP_EXTRA_LENGTH,
    MODE_GZIP_EXTRA,
    MODE_GZIP_NAME,
    MODE_GZIP_COMMENT,
    MODE_GZIP_CRC,
    MODE_DICT_ID,
    MODE_DICT,     /* a dictionary is needed */
    MODE_BOUNDARY, /* before a block, where Z_BLOCK stops */
    MODE_BLOCK_HEADER,
    MODE_DATA_START, /* after the header of a block, where Z_TREES stops */
    MODE_DATA,
    MODE_CHECK,
    MODE_LENGTH,
    MODE_DONE,
    MODE_BAD,
    MODE_SYNC /* inflateSync() is searching */
};

enum {
    NO_HEADER = -1,       /* gzip_flags before a header */
    IS_GZIP = 256,        /* bit of gzip_flags */
    HISTORY = 32768,      /* bytes that matches may reach back */
    WINDOW_AHEAD = 16384, /* bytes decoded before the window slides; half as many: 5 % slower */
    WINDOW_MARGIN = 2 * DEFLATE_MAX_MATCH + INFLATE_OUT_MARGIN,
    DIRECT_MIN = 2 * HISTORY /* with less room for output, decoding in place is not worth a copy */
};

struct inflate_stream {
    struct internal_state base;
    enum inflate_mode mode;
    int wrap;         /* WRAP_ZLIB, WRAP_GZIP or both; WRAP_CHECKED: checksums are verified */
    int window_bits;  /* the program's choice; 0: as in the header */
    int history_bits; /* log2 of the bytes that matches may reach back; 0: not known yet */
    int gzip_flags;   /* FLG of gzip with IS_GZIP; 0: zlib */
    int has_dictionary;
    gz_header *header;     /* the program's, to fill in, or NULL */
    uint32_t checksum;     /* of the output, or of the gzip header; or the ID of the dictionary */
    uint32_t field_bytes;  /* gzip header: bytes read of a string, or remaining of `extra` */
    uint32_t marker_bytes; /* bytes of the marker that inflateSync() has found */
    uint32_t symbol_bits;  /* bits of the complete parts of a symbol in which the input ended */
    uint32_t wanted_bits;  /* with fewer in the bit buffer, no more parts are complete */
    int distance_too_far;  /* of the next match: an error as soon as the output has room */
    uint64_t total_out;
    uint8_t *window;              /* allocated when it is first needed */
    uint32_t window_history;      /* bytes that it keeps when it slides */
    uint32_t window_end;          /* bytes in the window */
    uint32_t window_delivered;    /* bytes of it that are delivered */
    uint32_t pending_distance;    /* small windows: of the match that is not delivered, or 0 */
    uint32_t window_low;          /* offset of the first byte that matches may copy */
    uint8_t *back_window;         /* inflateBack(): the program's window */
    unsigned long dynamic_blocks; /* so far */
    struct inflater s;            /* only its members before `window` are allocated */
};

enum { INFLATE_STREAM_BYTES = offsetof(struct inflate_stream, s.window) };

/* One call of inflate(). */
struct inflate_call {
    z_stream *strm;
    struct inflate_stream *t;
    struct inflate_run r;
    uint8_t *start; /* next_out at the start */
    int unsaved;    /* output decoded in place since `start` is not in the window */
    int flush;
};

/* Why a step ended. STEP_MORE: the step of the next mode follows. */
enum inflate_step { STEP_MORE, STEP_INPUT, STEP_OUTPUT, STEP_STOP, STEP_NEED_DICT, STEP_MEMORY };

ISALK_HIDDEN_BEGIN

struct inflate_stream *isalk_zlib_inflate_state(z_stream *strm);

/* Allocates the window, for a history of history_bits; returns whether there is one. */
int isalk_zlib_get_window(struct inflate_stream *t);

/* Appends n bytes to the history. */
void isalk_zlib_add_window(struct inflate_stream *t, const uint8_t *data, size_t n);

/* Begins a call with this room in the output. Matches may copy the last 1 << history_bits bytes
 * that are delivered before it, and all its output. As in zlib, that holds for the rest of a match
 * that is not delivered. */
void isalk_zlib_limit_history(struct inflate_stream *t, size_t room);

/* Adds output decoded in place to the window, if there is any; returns 0 if out of memory. */
int isalk_zlib_save_output(struct inflate_call *c);

/* Stops at invalid data: sets msg and the mode. Returns whole bytes from the bit buffer to the
 * input, except for `keep` bits, which count as read. */
enum inflate_step isalk_zlib_invalid(struct inflate_call *c, const char *msg, unsigned keep);

/* Reads a field of the wrapper's header. */
enum inflate_step isalk_zlib_read_header(struct inflate_call *c);

/* Reads the header of a block, or decodes its data. */
enum inflate_step isalk_zlib_read_block(struct inflate_call *c);
enum inflate_step isalk_zlib_read_data(struct inflate_call *c);

/* Copies output from the window to the program. */
void isalk_zlib_deliver(z_stream *strm, struct inflate_stream *t);

/* Decodes symbols of a block one at a time, into the window, which must have bytes and room.
 * Returns whether the call is done; if not, isalk_zlib_inflate() continues it. */
int isalk_zlib_inflate_small(z_stream *strm, struct inflate_stream *t);

/* inflate() without its checks of arguments and progress. */
int isalk_zlib_inflate(z_stream *strm, struct inflate_stream *t, int flush);

ISALK_HIDDEN_END

/* Bytes of the window in use at which it slides. */
ISALK_INLINE uint32_t window_full(const struct inflate_stream *t)
{
    return t->window_history + WINDOW_AHEAD;
}

/* Bits in the bit buffer, less the complete parts of an incomplete symbol. */
ISALK_INLINE unsigned inflate_unused_bits(const struct inflate_stream *t)
{
    return t->s.bit_count - t->symbol_bits;
}

/* zlib's data_type after inflate(). */
ISALK_INLINE int inflate_data_type(const struct inflate_stream *t)
{
    enum { IN_LAST_BLOCK = 64, AT_BOUNDARY = 128, AFTER_HEADER = 256 };

    return (int) inflate_unused_bits(t) + (t->s.is_last_block ? IN_LAST_BLOCK : 0) +
           (t->mode == MODE_BOUNDARY ? AT_BOUNDARY : 0) +
           (t->mode == MODE_DATA_START ? AFTER_HEADER : 0);
}

#endif
