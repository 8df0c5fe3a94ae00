/* DEFLATE compression and decompression (RFC 1951) with the zlib (RFC 1950) and gzip (RFC 1952)
 * formats, and the Adler-32 checksum.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing here allocates memory: the caller owns every structure and buffer. Functions on
 * different structures may run in different threads at once; one structure belongs to one thread at
 * a time. */

#ifndef IGZIP_LIB_H
#define IGZIP_LIB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sizes that the structures are made of ---- */

#define IGZIP_K 1024
#define ISAL_DEF_MAX_HDR_SIZE 328 /* bytes of the longest dynamic block header, rounded up */
#define ISAL_DEF_MAX_CODE_LEN 15
#define ISAL_DEF_HIST_SIZE (32 * IGZIP_K) /* bytes that a match may reach back */
#define ISAL_DEF_MAX_HIST_BITS 15
#define ISAL_DEF_MAX_MATCH 258
#define ISAL_DEF_MIN_MATCH 3
#define ISAL_DEF_LIT_SYMBOLS 257 /* literals and the end of block */
#define ISAL_DEF_LEN_SYMBOLS 29
#define ISAL_DEF_DIST_SYMBOLS 30
#define ISAL_DEF_LIT_LEN_SYMBOLS (ISAL_DEF_LIT_SYMBOLS + ISAL_DEF_LEN_SYMBOLS)
#define ISAL_LOOK_AHEAD 288 /* the longest match, rounded up to 32 bytes */

/* Compression window. A program that defines a smaller one before including this header works only
 * with a library built the same way. */
#ifndef IGZIP_HIST_SIZE
#define IGZIP_HIST_SIZE ISAL_DEF_HIST_SIZE
#elif (IGZIP_HIST_SIZE > ISAL_DEF_HIST_SIZE)
#undef IGZIP_HIST_SIZE
#define IGZIP_HIST_SIZE ISAL_DEF_HIST_SIZE
#endif
#ifdef LONGER_HUFFTABLE
#if (IGZIP_HIST_SIZE > 8 * IGZIP_K)
#undef IGZIP_HIST_SIZE
#define IGZIP_HIST_SIZE (8 * IGZIP_K)
#endif
#endif
#define ISAL_LIMIT_HASH_UPDATE
#define IGZIP_HASH8K_HASH_SIZE (8 * IGZIP_K)
#define IGZIP_HASH_HIST_SIZE IGZIP_HIST_SIZE
#define IGZIP_HASH_MAP_HASH_SIZE IGZIP_HIST_SIZE

/* Entries of each level's hash table. */
#define IGZIP_LVL0_HASH_SIZE (8 * IGZIP_K)
#define IGZIP_LVL1_HASH_SIZE IGZIP_HASH8K_HASH_SIZE
#define IGZIP_LVL2_HASH_SIZE IGZIP_HASH_HIST_SIZE
#define IGZIP_LVL3_HASH_SIZE IGZIP_HASH_MAP_HASH_SIZE

#ifdef LONGER_HUFFTABLE
enum { IGZIP_DIST_TABLE_SIZE = 8 * 1024 };
enum { IGZIP_DECODE_OFFSET = 26 };
#else
enum { IGZIP_DIST_TABLE_SIZE = 2 };
enum { IGZIP_DECODE_OFFSET = 0 };
#endif
enum { IGZIP_LEN_TABLE_SIZE = 256 };
enum { IGZIP_LIT_TABLE_SIZE = ISAL_DEF_LIT_SYMBOLS };

/* ---- Compression: choices and results ---- */

/* Huffman tables of level 0, for isal_deflate_set_hufftables(). */
#define IGZIP_HUFFTABLE_CUSTOM 0
#define IGZIP_HUFFTABLE_DEFAULT 1
#define IGZIP_HUFFTABLE_STATIC 2

/* isal_zstream.flush */
#define NO_FLUSH 0   /* output may be held back */
#define SYNC_FLUSH 1 /* all input so far can be decoded; output ends on a byte boundary */
#define FULL_FLUSH 2 /* as SYNC_FLUSH, and a decoder can start at what follows */
#define FINISH_FLUSH 0

/* isal_zstream.gzip_flag */
#define IGZIP_DEFLATE 0     /* raw DEFLATE */
#define IGZIP_GZIP 1        /* gzip header, DEFLATE, gzip trailer */
#define IGZIP_GZIP_NO_HDR 2 /* DEFLATE, gzip trailer */
#define IGZIP_ZLIB 3        /* zlib header, DEFLATE, zlib trailer */
#define IGZIP_ZLIB_NO_HDR 4 /* DEFLATE, zlib trailer */

/* Results of the compression functions. */
#define COMP_OK 0
#define INVALID_FLUSH -7          /* flush is not one that the function allows */
#define INVALID_PARAM -8          /* not returned */
#define STATELESS_OVERFLOW -1     /* avail_out is too small for isal_deflate_stateless() */
#define ISAL_INVALID_OPERATION -9 /* tables cannot be set now, or are none */
#define ISAL_INVALID_STATE -3     /* a dictionary cannot be set now, or is none */
#define ISAL_INVALID_LEVEL -4     /* level is above 3, or level_buf_size is too small for it */
#define ISAL_INVALID_LEVEL_BUF -5 /* level_buf is NULL */

/* ---- Decompression: choices and results ---- */

/* inflate_state.crc_flag */
#define ISAL_DEFLATE 0         /* raw DEFLATE, no checksum */
#define ISAL_GZIP 1            /* gzip header, DEFLATE, gzip trailer, which is verified */
#define ISAL_GZIP_NO_HDR 2     /* DEFLATE; the CRC-32 is computed, a trailer is left unread */
#define ISAL_ZLIB 3            /* zlib header, DEFLATE, zlib trailer, which is verified */
#define ISAL_ZLIB_NO_HDR 4     /* DEFLATE; the Adler-32 is computed, a trailer is left unread */
#define ISAL_ZLIB_NO_HDR_VER 5 /* DEFLATE and a zlib trailer, which is verified */
#define ISAL_GZIP_NO_HDR_VER 6 /* DEFLATE and a gzip trailer, which is verified */

/* Results of the decompression functions: errors are negative. */
#define ISAL_DECOMP_OK 0
#define ISAL_END_INPUT 1        /* the input ends too early */
#define ISAL_OUT_OVERFLOW 2     /* the output buffer is too small */
#define ISAL_NAME_OVERFLOW 3    /* the buffer for the gzip name is too small */
#define ISAL_COMMENT_OVERFLOW 4 /* the buffer for the gzip comment is too small */
#define ISAL_EXTRA_OVERFLOW 5   /* the buffer for the gzip extra field is too small */
#define ISAL_NEED_DICT 6       /* the zlib stream needs a dictionary; see isal_inflate_set_dict() */
#define ISAL_INVALID_BLOCK -1  /* a block header is wrong, or of codes that are none */
#define ISAL_INVALID_SYMBOL -2 /* a code stands for nothing */
#define ISAL_INVALID_LOOKBACK -3   /* a match begins before the output and the dictionary */
#define ISAL_INVALID_WRAPPER -4    /* not a gzip header */
#define ISAL_UNSUPPORTED_METHOD -5 /* a header of another compression method */
#define ISAL_INCORRECT_CHECKSUM -6 /* of the output or of a header */

/* ---- Compression: memory of the levels ---- */

#define ISAL_DEF_MIN_LEVEL 0
#define ISAL_DEF_MAX_LEVEL 3

/* isal_zstream.level_buf_size of level n: at least ISAL_DEF_LVLn_MIN. More gives larger blocks,
 * up to ISAL_DEF_LVLn_SMALL, which is a good choice: longer blocks would compress less. */
#define ISAL_DEF_LVL0_REQ 0
#define ISAL_DEF_LVL0_MIN ISAL_DEF_LVL0_REQ
#define ISAL_DEF_LVL0_SMALL ISAL_DEF_LVL0_REQ
#define ISAL_DEF_LVL0_MEDIUM ISAL_DEF_LVL0_REQ
#define ISAL_DEF_LVL0_LARGE ISAL_DEF_LVL0_REQ
#define ISAL_DEF_LVL0_EXTRA_LARGE ISAL_DEF_LVL0_REQ
#define ISAL_DEF_LVL0_DEFAULT ISAL_DEF_LVL0_REQ

#define ISAL_DEF_LVL1_REQ (4 * IGZIP_K + 2 * IGZIP_LVL1_HASH_SIZE)
#define ISAL_DEF_LVL1_TOKEN_SIZE 4
#define ISAL_DEF_LVL1_MIN (ISAL_DEF_LVL1_REQ + ISAL_DEF_LVL1_TOKEN_SIZE * 1 * IGZIP_K)
#define ISAL_DEF_LVL1_SMALL (ISAL_DEF_LVL1_REQ + ISAL_DEF_LVL1_TOKEN_SIZE * 16 * IGZIP_K)
#define ISAL_DEF_LVL1_MEDIUM (ISAL_DEF_LVL1_REQ + ISAL_DEF_LVL1_TOKEN_SIZE * 32 * IGZIP_K)
#define ISAL_DEF_LVL1_LARGE (ISAL_DEF_LVL1_REQ + ISAL_DEF_LVL1_TOKEN_SIZE * 64 * IGZIP_K)
#define ISAL_DEF_LVL1_EXTRA_LARGE (ISAL_DEF_LVL1_REQ + ISAL_DEF_LVL1_TOKEN_SIZE * 128 * IGZIP_K)
#define ISAL_DEF_LVL1_DEFAULT ISAL_DEF_LVL1_LARGE

#define ISAL_DEF_LVL2_REQ (4 * IGZIP_K + 2 * IGZIP_LVL2_HASH_SIZE)
#define ISAL_DEF_LVL2_TOKEN_SIZE 4
#define ISAL_DEF_LVL2_MIN (ISAL_DEF_LVL2_REQ + ISAL_DEF_LVL2_TOKEN_SIZE * 1 * IGZIP_K)
#define ISAL_DEF_LVL2_SMALL (ISAL_DEF_LVL2_REQ + ISAL_DEF_LVL2_TOKEN_SIZE * 16 * IGZIP_K)
#define ISAL_DEF_LVL2_MEDIUM (ISAL_DEF_LVL2_REQ + ISAL_DEF_LVL2_TOKEN_SIZE * 32 * IGZIP_K)
#define ISAL_DEF_LVL2_LARGE (ISAL_DEF_LVL2_REQ + ISAL_DEF_LVL2_TOKEN_SIZE * 64 * IGZIP_K)
#define ISAL_DEF_LVL2_EXTRA_LARGE (ISAL_DEF_LVL2_REQ + ISAL_DEF_LVL2_TOKEN_SIZE * 128 * IGZIP_K)
#define ISAL_DEF_LVL2_DEFAULT ISAL_DEF_LVL2_LARGE

#define ISAL_DEF_LVL3_REQ (20 * IGZIP_K + 2 * IGZIP_LVL3_HASH_SIZE)
#define ISAL_DEF_LVL3_TOKEN_SIZE 4
#define ISAL_DEF_LVL3_MIN (ISAL_DEF_LVL3_REQ + ISAL_DEF_LVL3_TOKEN_SIZE * 1 * IGZIP_K)
#define ISAL_DEF_LVL3_SMALL (ISAL_DEF_LVL3_REQ + ISAL_DEF_LVL3_TOKEN_SIZE * 16 * IGZIP_K)
#define ISAL_DEF_LVL3_MEDIUM (ISAL_DEF_LVL3_REQ + ISAL_DEF_LVL3_TOKEN_SIZE * 32 * IGZIP_K)
#define ISAL_DEF_LVL3_LARGE (ISAL_DEF_LVL3_REQ + ISAL_DEF_LVL3_TOKEN_SIZE * 64 * IGZIP_K)
#define ISAL_DEF_LVL3_EXTRA_LARGE (ISAL_DEF_LVL3_REQ + ISAL_DEF_LVL3_TOKEN_SIZE * 128 * IGZIP_K)
#define ISAL_DEF_LVL3_DEFAULT ISAL_DEF_LVL3_LARGE

/* isal_zstate.has_hist */
#define IGZIP_NO_HIST 0
#define IGZIP_HIST 1
#define IGZIP_DICT_HIST 2
#define IGZIP_DICT_HASH_SET 3

/* ---- Compression: structures ---- */

/* Counts of what a sample's DEFLATE symbols are: zero it, fill it with isal_update_histogram(), and
 * make tables of it with isal_create_hufftables(). */
struct isal_huff_histogram {
    uint64_t lit_len_histogram[ISAL_DEF_LIT_LEN_SYMBOLS];
    uint64_t dist_histogram[ISAL_DEF_DIST_SYMBOLS];
    uint16_t hash_table[IGZIP_LVL0_HASH_SIZE]; /* scratch of isal_update_histogram() */
};

/* Layout kept for programs that name it; the library does not use it. */
struct isal_mod_hist {
    uint32_t d_hist[30];
    uint32_t ll_hist[513];
};

/* States of compression. A program may compare isal_zstream.internal_state.state with
 * ZSTATE_NEW_HDR (at a block boundary with nothing owed) and ZSTATE_END (the stream is finished and
 * delivered); the others are the library's own. */
#define ZSTATE_TMP_OFFSET 12
enum isal_zstate_state {
    ZSTATE_NEW_HDR,
    ZSTATE_HDR,
    ZSTATE_CREATE_HDR,
    ZSTATE_BODY,
    ZSTATE_FLUSH_READ_BUFFER,
    ZSTATE_FLUSH_ICF_BUFFER,
    ZSTATE_TYPE0_HDR,
    ZSTATE_TYPE0_BODY,
    ZSTATE_SYNC_FLUSH,
    ZSTATE_FLUSH_WRITE_BUFFER,
    ZSTATE_TRL,
    ZSTATE_END,
    ZSTATE_TMP_NEW_HDR,
    ZSTATE_TMP_HDR,
    ZSTATE_TMP_CREATE_HDR,
    ZSTATE_TMP_BODY,
    ZSTATE_TMP_FLUSH_READ_BUFFER,
    ZSTATE_TMP_FLUSH_ICF_BUFFER,
    ZSTATE_TMP_TYPE0_HDR,
    ZSTATE_TMP_TYPE0_BODY,
    ZSTATE_TMP_SYNC_FLUSH,
    ZSTATE_TMP_FLUSH_WRITE_BUFFER,
    ZSTATE_TMP_TRL,
    ZSTATE_TMP_END
};

/* Bits on their way out; the library's own. */
struct BitBuf2 {
    uint64_t m_bits;
    uint32_t m_bit_count;
    uint8_t *m_out_buf;
    uint8_t *m_out_end;
    uint8_t *m_out_start;
};

/* A zlib header, for isal_write_zlib_header() and isal_read_zlib_header(). */
struct isal_zlib_header {
    uint32_t info;      /* log2 of the window size less 8 */
    uint32_t level;     /* compression level as the header tells it, 0 to 3 */
    uint32_t dict_id;   /* Adler-32 of the dictionary */
    uint32_t dict_flag; /* a dictionary is needed */
};

/* A gzip header, for isal_write_gzip_header() and isal_read_gzip_header(). */
struct isal_gzip_header {
    uint32_t text;            /* the data are probably text */
    uint32_t time;            /* modification time, seconds since 1970 */
    uint32_t xflags;          /* extra flags */
    uint32_t os;              /* operating system; 255: unknown */
    uint8_t *extra;           /* extra field, or NULL */
    uint32_t extra_buf_len;   /* bytes at extra */
    uint32_t extra_len;       /* bytes of the field */
    char *name;               /* file name, or NULL */
    uint32_t name_buf_len;    /* bytes at name */
    char *comment;            /* comment, or NULL */
    uint32_t comment_buf_len; /* bytes at comment */
    uint32_t hcrc;            /* writing: whether to add a CRC of the header; reading: that CRC */
    uint32_t flags;           /* reading: the header's flags */
};

/* What isal_zstream keeps between calls. Programs may read state and crc. */
struct isal_zstate {
    uint32_t total_in_start;
    uint32_t block_next;
    uint32_t block_end;
    uint32_t dist_mask;
    uint32_t hash_mask;
    enum isal_zstate_state state;
    struct BitBuf2 bitbuf;
    uint32_t crc; /* CRC-32 of the input so far; zlib: Adler-32 with its low half less one */
    uint8_t has_wrap_hdr;
    uint8_t has_eob_hdr;
    uint8_t has_eob;
    uint8_t has_hist;
    uint16_t has_level_buf_init;
    uint32_t count;
    uint8_t tmp_out_buff[16];
    uint32_t tmp_out_start;
    uint32_t tmp_out_end;
    uint32_t b_bytes_valid;
    uint32_t b_bytes_processed;
    uint8_t buffer[2 * IGZIP_HIST_SIZE + ISAL_LOOK_AHEAD];
    uint16_t head[IGZIP_LVL0_HASH_SIZE];
};

/* Huffman codes for level 0, from isal_create_hufftables(), or constants of a program's own. Codes
 * are stored with their bits reversed, ready for output from the lowest bit. */
struct isal_hufftables {
    uint8_t deflate_hdr[ISAL_DEF_MAX_HDR_SIZE]; /* block header as of a last block */
    uint32_t deflate_hdr_count;                 /* whole bytes of it */
    uint32_t deflate_hdr_extra_bits;            /* bits in the byte after them */
    /* Match of distance index + 1, and of length index + 3: total length in bits 0 to 4, then from
     * bit 5 the code, and above it the value of the extra bits. */
    uint32_t dist_table[IGZIP_DIST_TABLE_SIZE];
    uint32_t len_table[IGZIP_LEN_TABLE_SIZE];
    /* Literals and, last, the end of block. */
    uint16_t lit_table[IGZIP_LIT_TABLE_SIZE];
    uint8_t lit_table_sizes[IGZIP_LIT_TABLE_SIZE];
    /* Distance symbols, without extra bits. */
    uint16_t dcodes[ISAL_DEF_DIST_SYMBOLS - IGZIP_DECODE_OFFSET];
    uint8_t dcodes_sizes[ISAL_DEF_DIST_SYMBOLS - IGZIP_DECODE_OFFSET];
};

/* A compression stream. */
struct isal_zstream {
    uint8_t *next_in;   /* next input byte */
    uint32_t avail_in;  /* bytes at next_in */
    uint32_t total_in;  /* bytes read so far, modulo 2^32 */
    uint8_t *next_out;  /* where the next output byte goes */
    uint32_t avail_out; /* bytes of room at next_out */
    uint32_t total_out; /* bytes written so far, modulo 2^32 */
    struct isal_hufftables *hufftables;
    uint32_t level; /* 0 to 3 */
    uint32_t level_buf_size;
    uint8_t *level_buf;
    uint16_t end_of_stream; /* nonzero: this call's input is the last */
    uint16_t flush;         /* NO_FLUSH, SYNC_FLUSH or FULL_FLUSH */
    uint16_t gzip_flag;     /* IGZIP_DEFLATE ... IGZIP_ZLIB_NO_HDR */
    uint16_t hist_bits;     /* log2 of the window size; 0: the largest, 15 */
    struct isal_zstate internal_state;
};

/* A dictionary made ready for one level by isal_deflate_process_dict(). */
struct isal_dict {
    uint32_t params;
    uint32_t level;
    uint32_t hist_size;
    uint32_t hash_size;
    uint8_t history[ISAL_DEF_HIST_SIZE];
    uint16_t hashtable[IGZIP_LVL3_HASH_SIZE];
};

/* ---- Decompression: structures ---- */

/* States of decompression. A program may compare inflate_state.block_state with ISAL_BLOCK_NEW_HDR
 * (before a block) and ISAL_BLOCK_FINISH (the stream is finished). */
enum isal_block_state {
    ISAL_BLOCK_NEW_HDR,
    ISAL_BLOCK_HDR,
    ISAL_BLOCK_TYPE0,
    ISAL_BLOCK_CODED,
    ISAL_BLOCK_INPUT_DONE,
    ISAL_BLOCK_FINISH,
    ISAL_GZIP_EXTRA_LEN,
    ISAL_GZIP_EXTRA,
    ISAL_GZIP_NAME,
    ISAL_GZIP_COMMENT,
    ISAL_GZIP_HCRC,
    ISAL_ZLIB_DICT,
    ISAL_CHECKSUM_CHECK
};

/* Sizes of the memory for decoding tables. */
#define ISAL_DECODE_LONG_BITS 12
#define ISAL_DECODE_SHORT_BITS 10
#define ISAL_L_REM (21 - ISAL_DECODE_LONG_BITS)
#define ISAL_S_REM (15 - ISAL_DECODE_SHORT_BITS)
#define ISAL_L_DUP ((1 << ISAL_L_REM) - (ISAL_L_REM + 1))
#define ISAL_S_DUP ((1 << ISAL_S_REM) - (ISAL_S_REM + 1))
#define ISAL_L_UNUSED 465
#define ISAL_S_UNUSED 21
#define ISAL_L_SIZE (ISAL_DEF_LIT_LEN_SYMBOLS + ISAL_L_DUP + ISAL_L_UNUSED)
#define ISAL_S_SIZE (ISAL_DEF_DIST_SYMBOLS + ISAL_S_DUP + ISAL_S_UNUSED)
#define ISAL_HUFF_CODE_LARGE_LONG_ALIGNED ((ISAL_L_SIZE + 15) / 16 * 16)
#define ISAL_HUFF_CODE_SMALL_LONG_ALIGNED ((ISAL_S_SIZE + 15) / 16 * 16)

/* Memory of the literal and length code's table; the library's own. */
struct inflate_huff_code_large {
    uint32_t short_code_lookup[1 << ISAL_DECODE_LONG_BITS];
    uint16_t long_code_lookup[ISAL_HUFF_CODE_LARGE_LONG_ALIGNED];
};

/* Memory of the distance code's table; the library's own. */
struct inflate_huff_code_small {
    uint16_t short_code_lookup[1 << ISAL_DECODE_SHORT_BITS];
    uint16_t long_code_lookup[ISAL_HUFF_CODE_SMALL_LONG_ALIGNED];
};

/* A decompression stream. Programs set the members up to avail_in, crc_flag and hist_bits, and may
 * read total_out, block_state, crc, dict_id, read_in and read_in_length; the rest is the library's
 * own. */
struct inflate_state {
    uint8_t *next_out;      /* where the next output byte goes */
    uint32_t avail_out;     /* bytes of room at next_out */
    uint32_t total_out;     /* bytes written so far, modulo 2^32 */
    uint8_t *next_in;       /* next input byte */
    uint64_t read_in;       /* bits taken from the input and not yet decoded */
    uint32_t avail_in;      /* bytes at next_in */
    int32_t read_in_length; /* number of those bits */
    struct inflate_huff_code_large lit_huff_code;
    struct inflate_huff_code_small dist_huff_code;
    enum isal_block_state block_state;
    uint32_t dict_length;
    uint32_t bfinal;
    uint32_t crc_flag;  /* ISAL_DEFLATE ... ISAL_GZIP_NO_HDR_VER */
    uint32_t crc;       /* checksum of the output */
    uint32_t hist_bits; /* log2 of the window size; 0: the largest, 15 */
#ifdef __GNUC__
    __extension__ union {
#else
    union {
#endif
        int32_t type0_block_len;
        int32_t count;
        uint32_t dict_id; /* with ISAL_NEED_DICT: Adler-32 of the dictionary */
    };
    int32_t write_overflow_lits;
    int32_t write_overflow_len;
    int32_t copy_overflow_length;
    int32_t copy_overflow_distance;
    int16_t wrapper_flag;
    int16_t tmp_in_size;
    int32_t tmp_out_valid;
    int32_t tmp_out_processed;
    uint8_t tmp_in_buffer[ISAL_DEF_MAX_HDR_SIZE];
    uint8_t tmp_out_buffer[2 * ISAL_DEF_HIST_SIZE + ISAL_LOOK_AHEAD];
};

/* ---- Compression: functions ---- */

/* A stream of data, in pieces of any size:
 *
 *     struct isal_zstream stream;
 *     uint8_t *level_buf = malloc(ISAL_DEF_LVL2_DEFAULT);
 *
 *     isal_deflate_init(&stream);
 *     stream.level = 2;
 *     stream.level_buf = level_buf;
 *     stream.level_buf_size = ISAL_DEF_LVL2_DEFAULT;
 *     stream.gzip_flag = IGZIP_GZIP;
 *     do {
 *         stream.avail_in = (uint32_t) fread(in, 1, sizeof(in), input);
 *         stream.next_in = in;
 *         stream.end_of_stream = feof(input) != 0;
 *         do {
 *             stream.next_out = out;
 *             stream.avail_out = sizeof(out);
 *             if (isal_deflate(&stream) != COMP_OK)
 *                 return -1;
 *             fwrite(out, 1, sizeof(out) - stream.avail_out, output);
 *         } while (stream.avail_out == 0);
 *     } while (!stream.end_of_stream);
 *
 * The compressed bytes depend on the input, how it is divided among calls, and the members of the
 * stream, but not on the CPU. */

/* Makes a stream ready, whatever was in it: level 0 with the default tables, raw DEFLATE, largest
 * window, no flushing, and zeroed counters. next_in, avail_in, next_out and avail_out are left to
 * the caller. */
void isal_deflate_init(struct isal_zstream *stream);

/* Makes a stream ready for other data with the same settings: zeroes total_in and total_out. All
 * other public members, end_of_stream among them, stay as they are. */
void isal_deflate_reset(struct isal_zstream *stream);

/* Compresses from next_in to next_out until avail_in or avail_out is 0, and advances both, and the
 * totals. Input that was taken need not stay in memory; what was not taken may move between calls.
 * Output may be held back until there is enough input for a block, a flush or the end.
 *
 * end_of_stream says that the input ends with the avail_in bytes of this call. It must stay set, and
 * calls have to be repeated with more room for output, until internal_state.state is ZSTATE_END.
 *
 * flush SYNC_FLUSH or FULL_FLUSH makes all input so far decodable, with a byte-aligned empty stored
 * block (00 00 ff ff) behind it. The flush is complete when the call leaves avail_out > 0; if not,
 * call again with the same flush. A call with nothing to flush writes another empty block.
 *
 * level, level_buf, gzip_flag and hist_bits are to be set before the first call and must not change
 * until the stream is finished or reset; levels 1 to 3 need their level_buf, of any alignment and
 * contents, all the time. hist_bits is set to 15 if it is 0 or more than 15.
 *
 * Returns COMP_OK; or, with the stream unchanged, INVALID_FLUSH for another flush,
 * ISAL_INVALID_LEVEL_BUF for a level above 0 without level_buf, ISAL_INVALID_LEVEL for a level above
 * 3 or a level_buf_size below ISAL_DEF_LVLn_MIN. After the end, input is discarded. */
int isal_deflate(struct isal_zstream *stream);

/* As isal_deflate_init(), for isal_deflate_stateless(). */
void isal_deflate_stateless_init(struct isal_zstream *stream);

/* Compresses all avail_in bytes in one call. With NO_FLUSH the result is a whole stream, and
 * end_of_stream is set to 1. With FULL_FLUSH and end_of_stream 0 it is a piece, which ends on a byte
 * boundary and is independent of other pieces; pieces concatenated, the last one with end_of_stream
 * set, make one raw DEFLATE stream. No other flush is allowed.
 *
 * The wrapper's header is written by the first call after init or reset; its trailer by a call with
 * end_of_stream, with the checksum of that call's data and the length of the data of all calls.
 *
 * Level 1 without level_buf uses memory inside the stream and sets level_buf to it: such a stream
 * must not be copied, nor used for isal_deflate() with that level_buf.
 *
 * Returns COMP_OK; STATELESS_OVERFLOW if avail_out is too small, which never happens when it is at
 * least avail_in + 5 bytes for every begun 65535 of them (at least one) + 18 for gzip, 6 for zlib;
 * pointers and counters are then unspecified; or an error as isal_deflate(). */
int isal_deflate_stateless(struct isal_zstream *stream);

/* Bytes that isal_deflate() writes at most for a stream of `length` bytes, wrapper included, however
 * input and output are divided among calls. flushes: how many calls begin with SYNC_FLUSH or
 * FULL_FLUSH. hufftables: the codes of level 0; NULL for the default ones. (The bound of
 * isal_deflate_stateless() is lower, see there.) Returns UINT64_MAX if level or gzip_flag are out of
 * range, or length or flushes above 2^48. */
uint64_t isal_deflate_bound(uint64_t length, uint32_t level, uint32_t gzip_flag, uint64_t flushes,
                            const struct isal_hufftables *hufftables);

/* ---- Huffman tables for level 0 ---- */

/* Adds what the symbols of a sample are: literals, one end of block, and matches of 4 bytes or more
 * within 32 KiB. Zero the histogram before the first sample. length 0 or less adds nothing. */
void isal_update_histogram(uint8_t *in_stream, int length, struct isal_huff_histogram *histogram);

/* Makes tables in which every symbol has a code, the shorter the more frequent. Returns 0. */
int isal_create_hufftables(struct isal_hufftables *hufftables,
                           struct isal_huff_histogram *histogram);

/* The same, but literals that the histogram does not have get no code: data with such a literal
 * must not be compressed with these tables. Returns 0. */
int isal_create_hufftables_subset(struct isal_hufftables *hufftables,
                                  struct isal_huff_histogram *histogram);

/* Chooses the tables of level 0: type IGZIP_HUFFTABLE_DEFAULT, IGZIP_HUFFTABLE_STATIC, or
 * IGZIP_HUFFTABLE_CUSTOM for `hufftables`, which is not copied. Returns COMP_OK, or
 * ISAL_INVALID_OPERATION with nothing changed if the stream is not at its start or a completed
 * flush, the type is another, or custom tables are NULL. */
int isal_deflate_set_hufftables(struct isal_zstream *stream, struct isal_hufftables *hufftables,
                                int type);

/* ---- Dictionaries: data that matches may refer to, which the decoder must have, too ---- */

/* Sets the data before the next byte of the stream; they are copied, and of more than 32768 bytes
 * the last ones count. For a stream at its start or a completed flush, else ISAL_INVALID_STATE. A
 * second call replaces the first; dict_len 0 changes nothing. */
int isal_deflate_set_dict(struct isal_zstream *stream, uint8_t *dict, uint32_t dict_len);

/* Makes a dictionary ready for streams of stream->level; the stream does not change. Returns
 * COMP_OK, or ISAL_INVALID_STATE if dict_str is NULL, dict_len is 0 or the level is above 3. */
int isal_deflate_process_dict(struct isal_zstream *stream, struct isal_dict *dict_str,
                              uint8_t *dict, uint32_t dict_len);

/* Sets such a dictionary, faster than isal_deflate_set_dict(): dict_str may be used for many streams
 * at once. level and level_buf must be set. Returns ISAL_INVALID_STATE if the stream is not at its
 * start or a completed flush, its level is another or dict_str is not a dictionary; or an error as
 * isal_deflate(). */
int isal_deflate_reset_dict(struct isal_zstream *stream, struct isal_dict *dict_str);

/* ---- Headers of the wrappers, for IGZIP_GZIP_NO_HDR and IGZIP_ZLIB_NO_HDR ---- */

/* Everything 0 or NULL, but for os: unknown. */
void isal_gzip_header_init(struct isal_gzip_header *gz_hdr);
void isal_zlib_header_init(struct isal_zlib_header *z_hdr);

/* Writes a gzip header at next_out, before the first call of a compression function. Fields that are
 * not NULL are written: extra_len bytes of extra; name and comment up to their zero, or all of
 * *_buf_len bytes, without a zero, if there is none. hcrc other than 0 adds a CRC of the header.
 * Returns 0; the bytes needed if avail_out is less, with nothing written; or UINT32_MAX if the
 * fields are too long. */
uint32_t isal_write_gzip_header(struct isal_zstream *stream, struct isal_gzip_header *gz_hdr);

/* The same for a zlib header: 2 bytes, or 6 with dict_flag. */
uint32_t isal_write_zlib_header(struct isal_zstream *stream, struct isal_zlib_header *z_hdr);

/* ---- Decompression: functions ----
 *
 * A stream, its input and output coming in pieces of any size:
 *
 *     struct inflate_state s;
 *     int result;
 *
 *     isal_inflate_init(&s);
 *     s.crc_flag = ISAL_GZIP;
 *     do {
 *         if (s.avail_in == 0)
 *             s.avail_in = (uint32_t) fread(s.next_in = in, 1, sizeof in, from);
 *         s.next_out = out;
 *         s.avail_out = sizeof out;
 *         result = isal_inflate(&s);
 *         fwrite(out, 1, sizeof out - s.avail_out, to);
 *         if (s.avail_in == 0 && s.avail_out == sizeof out && s.block_state != ISAL_BLOCK_FINISH)
 *             break; // the input has ended too early
 *     } while (result == ISAL_DECOMP_OK && s.block_state != ISAL_BLOCK_FINISH);
 *
 * Everything in memory, and room for the output: one call of isal_inflate_stateless(). */

/* Prepares a structure, whatever it contains, for a new stream: raw DEFLATE, no input, no output,
 * any window. Set next_in, avail_in, next_out, avail_out, and crc_flag and hist_bits if they are to
 * differ, afterwards. */
void isal_inflate_init(struct inflate_state *state);

/* Prepares for a new stream, and keeps input, output, crc_flag and hist_bits. */
void isal_inflate_reset(struct inflate_state *state);

/* Lets matches reach back into dict_len bytes at dict, of which the last 32768 count. They are
 * copied; a second call replaces them. For raw DEFLATE, call it before the first isal_inflate();
 * for zlib, after ISAL_NEED_DICT. Returns COMP_OK, or ISAL_INVALID_STATE unless block_state is
 * ISAL_BLOCK_NEW_HDR with no output waiting. */
int isal_inflate_set_dict(struct inflate_state *state, uint8_t *dict, uint32_t dict_len);

/* Reads a gzip header at next_in, after isal_inflate_init(); isal_inflate() then goes on with what
 * follows. gz_hdr->extra, name and comment point to buffers of extra_buf_len, name_buf_len and
 * comment_buf_len bytes, or are NULL for fields to be skipped; strings get their NUL. Fields that
 * the header does not have are left as they are, and extra_len is then 0. Returns
 *
 *     ISAL_DECOMP_OK         the header has been read
 *     ISAL_END_INPUT         call again with more input
 *     ISAL_EXTRA_OVERFLOW, ISAL_NAME_OVERFLOW, ISAL_COMMENT_OVERFLOW
 *                            a buffer is full: call again with a larger one that begins with
 *                            the same bytes
 *     ISAL_INVALID_WRAPPER, ISAL_UNSUPPORTED_METHOD, ISAL_INCORRECT_CHECKSUM (of the header)
 *
 * Calls for one header have the same state and the same gz_hdr. */
int isal_read_gzip_header(struct inflate_state *state, struct isal_gzip_header *gz_hdr);

/* Reads a zlib header in the same way. Returns ISAL_DECOMP_OK, ISAL_END_INPUT,
 * ISAL_UNSUPPORTED_METHOD or ISAL_INCORRECT_CHECKSUM. If it sets dict_flag, call
 * isal_inflate_set_dict() next. */
int isal_read_zlib_header(struct inflate_state *state, struct isal_zlib_header *zlib_hdr);

/* Decompresses from next_in to next_out until input or output is used up or the stream ends; then
 * block_state is ISAL_BLOCK_FINISH, and next_in points just after the stream: after its trailer if
 * crc_flag asks to verify one. Further calls then do nothing. The structures before and after
 * *state, and buffers between calls, belong to the caller: consumed input may be overwritten, the
 * output moved. avail_in and avail_out may be 0.
 *
 * Reads ahead: when the output is full, input is consumed and decoded into the state until 32 KB of
 * output or more are owed. Further calls deliver that, also with avail_in 0. total_out and crc
 * count delivered bytes alone. The call that delivers the last byte reaches ISAL_BLOCK_FINISH.
 *
 * Returns ISAL_DECOMP_OK for progress of any kind; that input has ended too early shows in
 * ISAL_BLOCK_FINISH not being reached. ISAL_NEED_DICT: see isal_inflate_set_dict(). Errors, after
 * all that was decoded before has been delivered:
 *
 *     ISAL_INVALID_BLOCK       a block header that is wrong, or of codes that are none
 *     ISAL_INVALID_SYMBOL      a code that stands for nothing, or outside the window of hist_bits
 *     ISAL_INVALID_LOOKBACK    a match that begins before the output and the dictionary
 *     ISAL_INVALID_WRAPPER, ISAL_UNSUPPORTED_METHOD
 *                              not a header of the format
 *     ISAL_INCORRECT_CHECKSUM  of the output or of a header
 *
 * crc is the CRC-32 of the output so far for the gzip modes. For the zlib modes it is its Adler-32,
 * with 1 taken from the low half until ISAL_BLOCK_FINISH. It is 0 for ISAL_DEFLATE.
 *
 * A gzip file may have several members: while there is input after ISAL_BLOCK_FINISH, call
 * isal_inflate_reset() and isal_inflate() again. */
int isal_inflate(struct inflate_state *state);

/* Decompresses a whole stream in one call: of a gzip file one member, after which next_in points at
 * the next one if there is any. Only next_in, avail_in, next_out, avail_out and crc_flag need to be
 * set, and no other function called before. Returns ISAL_DECOMP_OK; ISAL_END_INPUT or
 * ISAL_OUT_OVERFLOW if the input or the room for output does not suffice; ISAL_NEED_DICT for a zlib
 * stream with a dictionary, which it cannot use; or an error as isal_inflate() does. */
int isal_inflate_stateless(struct inflate_state *state);

/* ---- Checksum ---- */

/* Adler-32 (RFC 1950) of len bytes at buf, continued from init, which is 1 for the first call.
 * Halves of init are reduced modulo 65521 first, also when len is 0; buf may then be NULL. Any
 * alignment. Safe to call from any thread. */
uint32_t isal_adler32(uint32_t init, const unsigned char *buf, uint64_t len);

#ifdef __cplusplus
}
#endif

#endif
