/* What the compressor keeps of a stream between calls.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_STATE_H
#define DEFLATE_STATE_H

#include "isa-l/igzip_lib.h"

#include "igzip/huffman/huffman.h"
#include "igzip/lz77/parser.h"

/* What the stream is doing. The values are the states that callers see, except where shown_state()
 * says otherwise. */
enum deflate_phase {
    PHASE_BETWEEN_BLOCKS = ZSTATE_NEW_HDR,
    PHASE_WRAPPER_HEADER = ZSTATE_TMP_HDR,
    PHASE_COLLECT = ZSTATE_BODY,
    PHASE_BLOCK_CODES = ZSTATE_CREATE_HDR,
    PHASE_BLOCK_HEADER = ZSTATE_HDR,
    PHASE_BLOCK_TOKENS = ZSTATE_FLUSH_ICF_BUFFER,
    PHASE_STORED_HEADER = ZSTATE_TYPE0_HDR,
    PHASE_STORED_BYTES = ZSTATE_TYPE0_BODY,
    PHASE_MARKER = ZSTATE_SYNC_FLUSH,
    PHASE_MARKER_END = ZSTATE_FLUSH_WRITE_BUFFER,
    PHASE_TRAILER = ZSTATE_TRL,
    PHASE_TRAILER_BYTES = ZSTATE_TMP_TRL,
    PHASE_END = ZSTATE_END
};

/* The current block of a level with a level buffer, which holds the hash table and the tokens. */
struct deflate_block {
    struct deflate_counts counts; /* of its tokens */
    int64_t balance;              /* bits saved so far, which stored blocks may spend */
    uint32_t byte_counts[256];    /* of a sample of its bytes, at levels that split blocks */
    uint32_t bytes_counted;
    struct lz77_sample sample; /* of the bytes that will be stored without tokens */
    uint32_t unprobed_bytes;   /* bytes to parse without probes: codes make them a little shorter */
    struct deflate_codes codes;
    struct huffman_header header;
} ISALK_ALIAS;

/* log2 of the entries of level 0's hash table. A call that has all input keeps none of it in the
 * buffer, which then serves as a larger table. */
enum { LEVEL0_HASH_BITS = 12, LEVEL0_ONE_CALL_HASH_BITS = 14 };

/* An overlay of struct isal_zstate. Callers read `state` and `crc`. */
struct deflate_state {
    struct lz77_state search;
    uint32_t tokens;              /* tokens of the block */
    enum isal_zstate_state state; /* as callers see it */
    union {
        struct {
            uint64_t bits;          /* pending output */
            uint32_t bit_count;     /* valid bits of it */
            uint32_t item_written;  /* of the current item: bits of a header, or bytes */
            uint32_t wrapper_bytes; /* bytes in `wrapper` */
            uint32_t spilled;       /* level 0: bytes of encoded tokens at the end of `buffer` */
        };
        struct BitBuf2 public_layout;
    };
    uint32_t crc;            /* checksum of the input so far; Adler-32 is zero-based (checksum.h) */
    uint8_t phase;           /* enum deflate_phase */
    uint8_t wrapper_begun;   /* the wrapper's header is written, at least in part */
    uint8_t final_block;     /* the current block is the last */
    uint8_t marker_flush;    /* kind of flush whose marker is being written */
    uint32_t tokens_written; /* tokens of the block that are encoded */
    uint32_t block_bytes;    /* bytes that the tokens of the block represent, or NOT_STORABLE */
    uint32_t stored_bytes;   /* bytes before the block that will be stored */
    uint32_t buffered;       /* bytes in `buffer` */
    uint32_t buffer_parsed;  /* bytes of them that have tokens */
    uint8_t wrapper[16];     /* header or trailer of the wrapper */
    _Alignas(deflate_entry) uint8_t buffer[sizeof(((struct isal_zstate *) 0)->buffer)];
    union {
        deflate_entry hash_table[1 << LEVEL0_HASH_BITS]; /* level 0 */
        struct deflate_block block;                      /* other levels */
    };
} ISALK_ALIAS;

#define PINNED(member)                                                                 \
    (offsetof(struct deflate_state, member) == offsetof(struct isal_zstate, member) && \
     sizeof(((struct deflate_state *) 0)->member) == sizeof(((struct isal_zstate *) 0)->member))
_Static_assert(PINNED(state) && PINNED(crc), "members that callers read");
_Static_assert(sizeof(struct deflate_state) <= sizeof(struct isal_zstate) &&
                   _Alignof(struct deflate_state) <= _Alignof(struct isal_zstate),
               "struct deflate_state");
#undef PINNED

_Static_assert(sizeof(deflate_entry) << LEVEL0_ONE_CALL_HASH_BITS <=
                   sizeof(((struct deflate_state *) 0)->buffer),
               "a hash table in place of the buffer");

/* Bytes of a block that the buffer can hold beside a whole chunk. A longer block has at most 16384
 * tokens, of at most 31 bits each in the static codes: it is always smaller coded than stored. */
enum { MAX_STORABLE = sizeof(((struct deflate_state *) 0)->buffer) - LZ77_CHUNK - LZ77_LOOKAHEAD };
#define NOT_STORABLE UINT32_MAX

ISALK_INLINE struct deflate_state *state_of(struct isal_zstream *stream)
{
    return (struct deflate_state *) &stream->internal_state;
}

#endif
