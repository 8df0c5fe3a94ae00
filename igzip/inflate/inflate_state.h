/* The decompressor's view of struct inflate_state, and the functions between its files.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef INFLATE_STATE_H
#define INFLATE_STATE_H

#include "isa-l/igzip_lib.h"

#include "igzip/inflate/inflate_kernels.h"

#define MAX_CODE_LENGTHS (DEFLATE_LITLEN_SYMBOLS + DEFLATE_DISTANCE_SYMBOLS)

/* Steps of reading a block header, while block_state is ISAL_BLOCK_HDR. */
enum header_phase { HEADER_STORED, HEADER_COUNTS, HEADER_PRECODE, HEADER_LENGTHS, HEADER_INVALID };

/* Why a block header is invalid (ISAL_INVALID_BLOCK). */
enum invalid_header {
    INVALID_TYPE,
    INVALID_STORED_LENGTH,
    INVALID_COUNTS, /* too many literal and length symbols, or too many distances */
    INVALID_PRECODE,
    INVALID_REPEAT, /* of a code length: none to repeat, or too many */
    INVALID_NO_END, /* no code for the end of the block */
    INVALID_LITLENS,
    INVALID_DISTANCES
};

/* Laid over struct inflate_state. The members of a union are in use at different times. */
struct inflater {
    uint8_t *next_out;
    uint32_t avail_out;
    uint32_t total_out;
    const uint8_t *next_in;
    uint64_t bits;      /* input not decoded yet, first bit lowest */
    uint32_t avail_in;  /* bytes */
    uint32_t bit_count; /* of `bits` */
    union {
        uint32_t precode_table[1 << DEFLATE_PRECODE_MAX_BITS]; /* while reading a block header */
        uint32_t litlen_table[LITLEN_ENTRIES];                 /* in a dynamic block */
    };
    uint32_t distance_table[DISTANCE_ENTRIES];
    uint32_t second_table[SECOND_ENTRIES];
    union {
        struct inflate_code precode;     /* while reading a block header */
        struct inflate_code litlen_code; /* in a dynamic block */
    };
    uint16_t distance_code[CODE_BYTES(DEFLATE_FIXED_DISTANCES) / sizeof(uint16_t)];
    enum isal_block_state block_state;
    uint32_t dict_length;
    uint32_t is_last_block;
    uint32_t crc_flag;
    uint32_t crc; /* checksum of the delivered output; Adler-32 is zero-based (checksum.h) */
    uint32_t hist_bits;
    union {
        uint32_t stored_bytes; /* remaining bytes of a stored block */
        uint32_t field_bytes;  /* bytes read of a variable field of a gzip header */
        uint32_t dict_id;      /* Adler-32 of the dictionary that a zlib header names */
    };
    union {
        struct { /* while reading a gzip header */
            uint32_t flags, extra_bytes, crc;
        } gzip;
        struct { /* while reading the header of a dynamic block */
            uint32_t litlens, distances, precodes, lengths_read;
        } header;
        struct { /* in a coded block */
            uint32_t is_fixed, litlen_bits, match_share;
        } block;
        uint32_t invalid; /* enum invalid_header, after HEADER_INVALID */
    };
    int16_t header_done; /* the gzip or zlib header is complete */
    union {
        int16_t header_phase;  /* enum header_phase */
        int16_t wrapper_bytes; /* bytes collected in `wrapper` */
    };
    uint32_t window_end;       /* bytes in `window` */
    uint32_t window_delivered; /* bytes at its start that have been delivered */
    union {
        uint8_t wrapper[ISAL_DEF_MAX_HDR_SIZE]; /* part of a gzip or zlib header or trailer */
        /* While reading the header of a dynamic block. */
        uint8_t code_lengths[ISAL_DEF_MAX_HDR_SIZE];
    };
    /* Decoded output: history, then output that is not delivered yet. */
    uint8_t window[2 * ISAL_DEF_HIST_SIZE + ISAL_LOOK_AHEAD];
} ISALK_ALIAS;

#define SAME_PLACE(member, public_member)                                       \
    _Static_assert(offsetof(struct inflater, member) ==                         \
                           offsetof(struct inflate_state, public_member) &&     \
                       sizeof(((struct inflater *) 0)->member) ==               \
                           sizeof(((struct inflate_state *) 0)->public_member), \
                   #public_member)
_Static_assert(sizeof(struct inflater) == sizeof(struct inflate_state), "struct inflate_state");
SAME_PLACE(next_out, next_out);
SAME_PLACE(avail_out, avail_out);
SAME_PLACE(total_out, total_out);
SAME_PLACE(next_in, next_in);
SAME_PLACE(bits, read_in);
SAME_PLACE(avail_in, avail_in);
SAME_PLACE(bit_count, read_in_length);
SAME_PLACE(block_state, block_state);
SAME_PLACE(dict_length, dict_length);
SAME_PLACE(is_last_block, bfinal);
SAME_PLACE(crc_flag, crc_flag);
SAME_PLACE(crc, crc);
SAME_PLACE(hist_bits, hist_bits);
SAME_PLACE(dict_id, dict_id);
SAME_PLACE(header_done, wrapper_flag);
SAME_PLACE(wrapper_bytes, tmp_in_size);
SAME_PLACE(window_end, tmp_out_valid);
SAME_PLACE(window_delivered, tmp_out_processed);
SAME_PLACE(wrapper, tmp_in_buffer);
SAME_PLACE(window, tmp_out_buffer);
#undef SAME_PLACE
_Static_assert(MAX_CODE_LENGTHS + SYMBOL_BATCH <= ISAL_DEF_MAX_HDR_SIZE, "code_lengths");

ISALK_INLINE struct inflater *inflater_of(struct inflate_state *state)
{
    return (struct inflater *) state;
}

/* The distance code has less room for symbols than struct inflate_code. */
ISALK_INLINE struct inflate_code *distance_code_of(struct inflater *s)
{
    return (struct inflate_code *) s->distance_code;
}

/* Number of distance symbols that dynamic blocks may use: two for each bit of the window size. */
ISALK_INLINE size_t distance_symbols(const struct inflater *s)
{
    return s->hist_bits > 0 && s->hist_bits < ISAL_DEF_MAX_HIST_BITS ? 2 * (size_t) s->hist_bits
                                                                     : DEFLATE_DISTANCE_SYMBOLS;
}

/* Tables of the current block. */
ISALK_INLINE struct inflate_tables inflate_tables_of(const struct inflater *s)
{
    return s->block.is_fixed ? isalk_inflate_fixed
                             : (struct inflate_tables){s->litlen_table,
                                                       s->distance_table,
                                                       s->second_table,
                                                       &s->litlen_code,
                                                       distance_code_of((struct inflater *) s),
                                                       s->block.litlen_bits,
                                                       s->block.match_share};
}

ISALK_HIDDEN_BEGIN

/* Reads a block header, or continues to read it. Returns STOP_INPUT, an error, or 0 with
 * block_state ISAL_BLOCK_TYPE0 or ISAL_BLOCK_CODED. */
int isalk_inflate_block_header(struct inflater *s, struct inflate_run *r);

/* Decodes the symbols of a block until its end, the end of input or output, or an error. Returns an
 * inflate_stop or the error. */
int isalk_inflate_block(struct inflater *s, struct inflate_run *r);

/* The same without the kernel, which may decode several symbols after r->stop. Here, only a match
 * that begins before r->stop may end after it. */
int isalk_inflate_block_exactly(struct inflater *s, struct inflate_run *r);

/* Copies a stored block until its end, the end of the input or r->stop. Returns an inflate_stop. */
int isalk_inflate_stored(struct inflater *s, struct inflate_run *r);

/* Called when isalk_inflate_block() has stopped before a symbol that is incomplete or invalid.
 * Returns the number of bits of its complete parts, which are codes and extra bits; an invalid code
 * counts as complete. Sets *in_distance to whether the length is complete. */
unsigned isalk_inflate_complete_bits(const struct inflater *s, const struct inflate_run *r,
                                     int *in_distance);

/* Reads the gzip or zlib header that crc_flag asks for, or continues to read it. Returns
 * STOP_INPUT, ISAL_NEED_DICT, an error, or 0 when it is complete. */
int isalk_inflate_wrapper(struct inflater *s);

ISALK_HIDDEN_END

/* Reads whole bytes into the bit buffer until it has at least n bits, n <= 56. Returns whether it
 * has. */
ISALK_INLINE int need_bits(struct inflate_run *r, unsigned n)
{
    if (r->bit_count >= n)
        return 1;
    if (r->in_end - r->in >= 8) {
        r->bits |= load_le64(r->in) << r->bit_count;
        r->in += (63 - r->bit_count) >> 3;
        r->bit_count |= 56;
        r->bits &= ((uint64_t) 1 << r->bit_count) - 1;
        return 1;
    }
    while (r->bit_count < n) {
        if (r->in == r->in_end)
            return 0;
        r->bits |= (uint64_t) *r->in++ << r->bit_count;
        r->bit_count += 8;
    }
    return 1;
}

/* Consumes n < 64 bits, which the bit buffer must have. */
ISALK_INLINE uint32_t consume_bits(struct inflate_run *r, unsigned n)
{
    uint32_t value = (uint32_t) (r->bits & (((uint64_t) 1 << n) - 1));

    r->bits >>= n;
    r->bit_count -= n;
    return value;
}

#endif
