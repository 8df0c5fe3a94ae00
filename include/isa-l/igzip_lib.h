/* DEFLATE compression and decompression (RFC 1951) with the zlib (RFC 1950) and gzip (RFC 1952)
 * formats, and the Adler-32 checksum.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing here allocates memory: the caller owns every structure and buffer. Threads may work on
 * different structures at the same time; one structure belongs to one thread at a time.
 *
 * Decompression needs up to 64 KB of stack, compression 44 KB, and histograms and Huffman tables 24
 * KB (doc/stack.md). The structures are large, too: a stream of either kind has about 90 KB. */

#ifndef IGZIP_LIB_H
#define IGZIP_LIB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sizes in the structures ---- */

#define IGZIP_K 1024
#define ISAL_DEF_MAX_HDR_SIZE 328 /* bytes of the longest dynamic block header, rounded up */
#define ISAL_DEF_MAX_CODE_LEN 15
#define ISAL_DEF_HIST_SIZE (32 * IGZIP_K) /* longest match distance in bytes */
#define ISAL_DEF_MAX_HIST_BITS 15
#define ISAL_DEF_MAX_MATCH 258
#define ISAL_DEF_MIN_MATCH 3
#define ISAL_DEF_LIT_SYMBOLS 257 /* literals and end of block */
#define ISAL_DEF_LEN_SYMBOLS 29
#define ISAL_DEF_DIST_SYMBOLS 30
#define ISAL_DEF_LIT_LEN_SYMBOLS (ISAL_DEF_LIT_SYMBOLS + ISAL_DEF_LEN_SYMBOLS)
#define ISAL_LOOK_AHEAD 288 /* the longest match, rounded up to 32 bytes */

/* Compression window in bytes. A program that defines a smaller one before including this header
 * needs a library built with the same definition. */
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

/* Sizes of memory in the structures and level buffers, in units of 2 bytes. */
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
#define NO_FLUSH 0   /* output may be delayed */
#define SYNC_FLUSH 1 /* all input so far can be decoded; output ends on a byte boundary */
#define FULL_FLUSH 2 /* SYNC_FLUSH, and a decoder can start at the next byte of output */
#define FINISH_FLUSH 0

/* isal_zstream.gzip_flag */
#define IGZIP_DEFLATE 0     /* raw DEFLATE */
#define IGZIP_GZIP 1        /* gzip header, DEFLATE, gzip trailer */
#define IGZIP_GZIP_NO_HDR 2 /* DEFLATE, gzip trailer */
#define IGZIP_ZLIB 3        /* zlib header, DEFLATE, zlib trailer */
#define IGZIP_ZLIB_NO_HDR 4 /* DEFLATE, zlib trailer */

/* Results of the compression functions. */
#define COMP_OK 0
#define INVALID_FLUSH -7          /* flush has a value that the function does not allow */
#define INVALID_PARAM -8          /* not returned */
#define STATELESS_OVERFLOW -1     /* avail_out is too small for isal_deflate_stateless() */
#define ISAL_INVALID_OPERATION -9 /* tables cannot be set now, or are invalid */
#define ISAL_INVALID_STATE -3     /* a dictionary cannot be set now, or is invalid */
#define ISAL_INVALID_LEVEL -4     /* level is above 9, or level_buf_size is too small for it */
#define ISAL_INVALID_LEVEL_BUF -5 /* level_buf is NULL */

/* ---- Decompression: choices and results ---- */

/* inflate_state.crc_flag */
#define ISAL_DEFLATE 0         /* raw DEFLATE, no checksum */
#define ISAL_GZIP 1            /* gzip header, DEFLATE, gzip trailer; verified */
#define ISAL_GZIP_NO_HDR 2     /* DEFLATE; computes the CRC-32, does not read a trailer */
#define ISAL_ZLIB 3            /* zlib header, DEFLATE, zlib trailer; verified */
#define ISAL_ZLIB_NO_HDR 4     /* DEFLATE; computes the Adler-32, does not read a trailer */
#define ISAL_ZLIB_NO_HDR_VER 5 /* DEFLATE, zlib trailer; verified */
#define ISAL_GZIP_NO_HDR_VER 6 /* DEFLATE, gzip trailer; verified */

/* Results of the decompression functions: errors are negative. */
#define ISAL_DECOMP_OK 0
#define ISAL_END_INPUT 1        /* the input is incomplete */
#define ISAL_OUT_OVERFLOW 2     /* the output buffer is too small */
#define ISAL_NAME_OVERFLOW 3    /* the buffer for the gzip name is too small */
#define ISAL_COMMENT_OVERFLOW 4 /* the buffer for the gzip comment is too small */
#define ISAL_EXTRA_OVERFLOW 5   /* the buffer for the gzip extra field is too small */
#define ISAL_NEED_DICT 6       /* the zlib stream needs a dictionary; see isal_inflate_set_dict() */
#define ISAL_INVALID_BLOCK -1  /* invalid block header or invalid Huffman code */
#define ISAL_INVALID_SYMBOL -2 /* code without a symbol, or distance beyond the window */
#define ISAL_INVALID_LOOKBACK -3   /* match distance beyond the output and the dictionary */
#define ISAL_INVALID_WRAPPER -4    /* not a gzip header */
#define ISAL_UNSUPPORTED_METHOD -5 /* compression method other than DEFLATE in the header */
#define ISAL_INCORRECT_CHECKSUM -6 /* wrong checksum of the output or of a header */

/* ---- Compression: memory of the levels ---- */

#define ISAL_DEF_MIN_LEVEL 0
#define ISAL_DEF_MAX_LEVEL 3     /* highest level with a memory size among the constants below */
#define ISAL_DEF_HIGHEST_LEVEL 9 /* above 3: the memory is isal_deflate_level_buf_size() bytes */

/* Values of isal_zstream.level_buf_size for level n, at least ISAL_DEF_LVLn_MIN. Use
 * ISAL_DEF_LVLn_DEFAULT: smaller buffers have smaller hash tables or shorter blocks, and larger
 * ones change nothing. */
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

/* Counts of the DEFLATE symbols in samples of data. Zero it, add samples with
 * isal_update_histogram(), and pass it to isal_create_hufftables(). */
struct isal_huff_histogram {
    uint64_t lit_len_histogram[ISAL_DEF_LIT_LEN_SYMBOLS]; /* literals, end of block, lengths */
    uint64_t dist_histogram[ISAL_DEF_DIST_SYMBOLS];       /* distances */
    uint16_t hash_table[IGZIP_LVL0_HASH_SIZE]; /* scratch memory of isal_update_histogram() */
};

/* Layout kept for programs that name it; the library does not use it. */
struct isal_mod_hist {
    uint32_t d_hist[30];
    uint32_t ll_hist[513];
};

/* States of compression. A program may compare isal_zstream.internal_state.state with
 *
 *     ZSTATE_NEW_HDR                 at a block boundary, with no output pending
 *     ZSTATE_END                     the stream is finished and all output delivered
 *
 * and, after a call that left avail_out 0 and output pending, with
 *
 *     ZSTATE_TMP_HDR                 in the header of the wrapper
 *     ZSTATE_TMP_BODY                in a block, level 0
 *     ZSTATE_TMP_FLUSH_ICF_BUFFER    in a block, levels 1 to 9
 *     ZSTATE_TMP_SYNC_FLUSH          in a flush
 *     ZSTATE_TMP_TRL                 in the trailer
 *
 * The others are private. */
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

/* Bit buffer of the output; private. */
struct BitBuf2 {
    uint64_t m_bits;
    uint32_t m_bit_count;
    uint8_t *m_out_buf;
    uint8_t *m_out_end;
    uint8_t *m_out_start;
};

/* A zlib header, for isal_write_zlib_header() and isal_read_zlib_header(). */
struct isal_zlib_header {
    uint32_t info;      /* log2 of the window size, minus 8 */
    uint32_t level;     /* FLEVEL, the header's compression level, 0 to 3 */
    uint32_t dict_id;   /* Adler-32 of the dictionary */
    uint32_t dict_flag; /* 1 if a dictionary is needed */
};

/* A gzip header, for isal_write_gzip_header() and isal_read_gzip_header(). */
struct isal_gzip_header {
    uint32_t text;            /* 1 if the data are probably text */
    uint32_t time;            /* modification time, seconds since 1970 */
    uint32_t xflags;          /* extra flags */
    uint32_t os;              /* operating system; 255: unknown */
    uint8_t *extra;           /* extra field, or NULL */
    uint32_t extra_buf_len;   /* size of the buffer at extra, in bytes */
    uint32_t extra_len;       /* size of the extra field, in bytes */
    char *name;               /* file name, or NULL */
    uint32_t name_buf_len;    /* size of the buffer at name, in bytes */
    char *comment;            /* comment, or NULL */
    uint32_t comment_buf_len; /* size of the buffer at comment, in bytes */
    uint32_t hcrc;            /* writing: non-zero adds a CRC of the header; reading: that CRC */
    uint32_t flags;           /* reading: flags of the header */
};

/* State of an isal_zstream between calls. Programs may read state and crc; the rest is private. */
struct isal_zstate {
    uint32_t total_in_start;
    uint32_t block_next;
    uint32_t block_end;
    uint32_t dist_mask;
    uint32_t hash_mask;
    enum isal_zstate_state state;
    struct BitBuf2 bitbuf;
    uint32_t crc; /* CRC-32 of the input so far; zlib: Adler-32, minus 1 in its low half */
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

/* Huffman codes for level 0, from isal_create_hufftables() or constants in a program. Codes are
 * stored with their bits reversed, lowest bit first in the output. */
struct isal_hufftables {
    uint8_t deflate_hdr[ISAL_DEF_MAX_HDR_SIZE]; /* block header with BFINAL set */
    uint32_t deflate_hdr_count;                 /* complete bytes of the header */
    uint32_t deflate_hdr_extra_bits;            /* bits in the byte after them */
    /* Codes with extra bits. Bits 0 to 4: number of bits. Above them: the code, then extra bits. */
    uint32_t dist_table[IGZIP_DIST_TABLE_SIZE]; /* entry i: distance i + 1 */
    uint32_t len_table[IGZIP_LEN_TABLE_SIZE];   /* entry i: length i + 3 */
    /* Literals, then end of block. */
    uint16_t lit_table[IGZIP_LIT_TABLE_SIZE];
    uint8_t lit_table_sizes[IGZIP_LIT_TABLE_SIZE];
    /* Distance symbols, without extra bits. */
    uint16_t dcodes[ISAL_DEF_DIST_SYMBOLS - IGZIP_DECODE_OFFSET];
    uint8_t dcodes_sizes[ISAL_DEF_DIST_SYMBOLS - IGZIP_DECODE_OFFSET];
};

/* A compression stream. */
struct isal_zstream {
    uint8_t *next_in;                   /* next input byte */
    uint32_t avail_in;                  /* bytes at next_in */
    uint32_t total_in;                  /* bytes read so far, modulo 2^32 */
    uint8_t *next_out;                  /* next output byte */
    uint32_t avail_out;                 /* bytes free at next_out */
    uint32_t total_out;                 /* bytes written so far, modulo 2^32 */
    struct isal_hufftables *hufftables; /* codes of level 0 */
    uint32_t level;                     /* 0 to 9 */
    uint32_t level_buf_size;            /* bytes at level_buf */
    uint8_t *level_buf;                 /* memory of levels 1 to 9, any alignment */
    uint16_t end_of_stream;             /* non-zero: no input follows the avail_in bytes */
    uint16_t flush;                     /* NO_FLUSH, SYNC_FLUSH or FULL_FLUSH */
    uint16_t gzip_flag;                 /* IGZIP_DEFLATE ... IGZIP_ZLIB_NO_HDR */
    uint16_t hist_bits;                 /* log2 of the window size; 0: 15 */
    struct isal_zstate internal_state;  /* the library's; state and crc may be read */
};

/* A dictionary prepared for one level by isal_deflate_process_dict(); private. */
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
 * (before a block) and ISAL_BLOCK_FINISH (the stream is finished); the others are private. */
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

/* Decoding table of literals and lengths; private. */
struct inflate_huff_code_large {
    uint32_t short_code_lookup[1 << ISAL_DECODE_LONG_BITS];
    uint16_t long_code_lookup[ISAL_HUFF_CODE_LARGE_LONG_ALIGNED];
};

/* Decoding table of distances; private. */
struct inflate_huff_code_small {
    uint16_t short_code_lookup[1 << ISAL_DECODE_SHORT_BITS];
    uint16_t long_code_lookup[ISAL_HUFF_CODE_SMALL_LONG_ALIGNED];
};

/* A decompression stream. Programs set next_in, avail_in, next_out, avail_out, crc_flag and
 * hist_bits, and may read total_out, block_state, crc, dict_id, read_in and read_in_length. The
 * rest is private. */
struct inflate_state {
    uint8_t *next_out;      /* next output byte */
    uint32_t avail_out;     /* bytes free at next_out */
    uint32_t total_out;     /* bytes written so far, modulo 2^32 */
    uint8_t *next_in;       /* next input byte */
    uint64_t read_in;       /* bits read from the input and not yet decoded */
    uint32_t avail_in;      /* bytes at next_in */
    int32_t read_in_length; /* number of bits in read_in */
    struct inflate_huff_code_large lit_huff_code;
    struct inflate_huff_code_small dist_huff_code;
    enum isal_block_state block_state;
    uint32_t dict_length;
    uint32_t bfinal;
    uint32_t crc_flag;  /* ISAL_DEFLATE ... ISAL_GZIP_NO_HDR_VER */
    uint32_t crc;       /* checksum of the output so far; see isal_inflate() */
    uint32_t hist_bits; /* log2 of the window size; 0: 15 */
#ifdef __GNUC__
    __extension__ union {
#else
    union {
#endif
        int32_t type0_block_len;
        int32_t count;
        uint32_t dict_id; /* after ISAL_NEED_DICT: Adler-32 of the dictionary */
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

/* ---- Compression: functions ----
 *
 * A stream, with input and output in pieces of any size:
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
 * The compressed bytes depend on the input, the flushes and the settings of the stream. They do not
 * depend on the CPU or on how input and output are divided among calls. */

/* Initializes a stream, whatever it contains: level 0 with the default tables, raw DEFLATE, largest
 * window, no flushing, counters 0. It does not set next_in, avail_in, next_out and avail_out. */
void isal_deflate_init(struct isal_zstream *stream);

/* Prepares a stream for new data with the same settings: zeroes total_in and total_out. All other
 * public members, including end_of_stream, keep their values. */
void isal_deflate_reset(struct isal_zstream *stream);

/* Compresses from next_in to next_out until avail_in or avail_out is 0, and advances the pointers,
 * counters and totals.
 *
 * Consumed input need not stay in memory; remaining input may move between calls. Output may be
 * delayed until there is enough input for a block, or a flush, or the end. With avail_out 0, input
 * is consumed until the stream's buffer of about 64 KiB is full.
 *
 * end_of_stream: the input ends with the avail_in bytes of this call. Leave it set, and repeat the
 * call with more output space, until internal_state.state is ZSTATE_END. After the end, input is
 * discarded.
 *
 * flush: SYNC_FLUSH and FULL_FLUSH make all input so far decodable, and append a byte-aligned empty
 * stored block (00 00 ff ff). The flush is complete when the call leaves avail_out > 0; otherwise
 * call again with the same flush. A call with nothing to flush writes another empty block.
 *
 * level, level_buf, gzip_flag and hist_bits must be set before the first call and must not change
 * until the stream is finished or reset. Levels 1 to 9 need level_buf, of any alignment and
 * contents, for that time. A hist_bits of 0 or more than 15 is replaced by 15.
 *
 * Returns COMP_OK, or with the stream unchanged
 *
 *     INVALID_FLUSH             unknown value of flush
 *     ISAL_INVALID_LEVEL_BUF    level above 0 without level_buf
 *     ISAL_INVALID_LEVEL        level above 9, or level_buf_size too small: below
 *                               ISAL_DEF_LVLn_MIN, or isal_deflate_level_buf_size() above level 3
 */
int isal_deflate(struct isal_zstream *stream);

/* Bytes of level_buf that are best for a level: ISAL_DEF_LVLn_DEFAULT for levels 1 to 3; for levels
 * 4 to 9 the smallest size, which is also the best. 0 for level 0, which needs no memory, and for
 * levels above 9. */
uint32_t isal_deflate_level_buf_size(uint32_t level);

/* isal_deflate_init() for isal_deflate_stateless(). */
void isal_deflate_stateless_init(struct isal_zstream *stream);

/* Compresses all avail_in bytes in one call.
 *
 * NO_FLUSH: the output is a complete stream, and end_of_stream is set to 1. FULL_FLUSH with
 * end_of_stream 0: the output is a piece that ends on a byte boundary and is independent of other
 * pieces. Pieces, the last one with end_of_stream set, concatenate to one raw DEFLATE stream. No
 * other flush is allowed.
 *
 * The first call after init or reset writes the wrapper's header. A call with end_of_stream writes
 * the trailer: the checksum of that call's data and the length of the data of all calls.
 *
 * Level 1 without level_buf uses memory inside the stream and points level_buf to it. Do not copy
 * such a stream, or pass it to isal_deflate() with that level_buf.
 *
 * Returns COMP_OK; STATELESS_OVERFLOW, with pointers and counters unspecified, if avail_out is too
 * small; or an error of isal_deflate(). avail_out is always large enough if it is at least avail_in
 * + 5 * max(1, ceil(avail_in / 65535)) + 18 for gzip, 6 for zlib or 0 for raw DEFLATE. */
int isal_deflate_stateless(struct isal_zstream *stream);

/* Upper bound of the bytes that isal_deflate() writes for a stream of `length` bytes, wrapper
 * included, however input and output are divided among calls.
 *
 * length: bytes of input. level, gzip_flag: as in the stream. flushes: the number of flushes, each
 * counted once, however many calls complete it. hufftables: the codes of level 0, or NULL for the
 * default ones; ignored at other levels. For a gzip stream of level 1 without flushes:
 *
 *     uint64_t most = isal_deflate_bound(length, 1, IGZIP_GZIP, 0, NULL);
 *
 * Returns UINT64_MAX if level or gzip_flag is out of range, or length or flushes is 2^48 or more.
 * isal_deflate_stateless() describes its own, lower bound. */
uint64_t isal_deflate_bound(uint64_t length, uint32_t level, uint32_t gzip_flag, uint64_t flushes,
                            const struct isal_hufftables *hufftables);

/* Description of a result of the compression functions, in English; never NULL. Thread-safe. */
const char *isal_deflate_strerror(int error);

/* ---- Huffman tables for level 0 ---- */

/* Adds the symbols of a sample of `length` bytes to a histogram: literals, one end of block, and
 * matches of 4 bytes or more within 32 KiB. Zero the histogram before the first sample. length 0 or
 * less adds nothing. */
void isal_update_histogram(uint8_t *in_stream, int length, struct isal_huff_histogram *histogram);

/* Makes tables in which every symbol has a code, with shorter codes for more frequent symbols.
 * Returns 0. */
int isal_create_hufftables(struct isal_hufftables *hufftables,
                           struct isal_huff_histogram *histogram);

/* The same, except that literals with a count of 0 get no code. Data that contain such a literal
 * must not be compressed with these tables. Returns 0. */
int isal_create_hufftables_subset(struct isal_hufftables *hufftables,
                                  struct isal_huff_histogram *histogram);

/* Chooses the tables of level 0. type: IGZIP_HUFFTABLE_DEFAULT, IGZIP_HUFFTABLE_STATIC, or
 * IGZIP_HUFFTABLE_CUSTOM for `hufftables`, which is not copied and must stay in memory.
 *
 * Returns COMP_OK; or ISAL_INVALID_OPERATION with nothing changed. Reasons: the stream is neither
 * at its start nor at a completed flush; the type is unknown; custom tables are NULL. */
int isal_deflate_set_hufftables(struct isal_zstream *stream, struct isal_hufftables *hufftables,
                                int type);

/* ---- Dictionaries: bytes for matches to refer to; the decoder must have them, too ---- */

/* Sets the dictionary of a stream: dict_len bytes, of which the last 32768 count, that precede the
 * next byte of input. They are copied. A second call replaces them; dict_len 0 changes nothing.
 * Returns COMP_OK, or ISAL_INVALID_STATE if the stream is neither at its start nor at a completed
 * flush. */
int isal_deflate_set_dict(struct isal_zstream *stream, uint8_t *dict, uint32_t dict_len);

/* Prepares a dictionary for streams of level stream->level; the stream does not change. Returns
 * COMP_OK, or ISAL_INVALID_STATE if dict_str is NULL, dict_len is 0 or the level is above 9. */
int isal_deflate_process_dict(struct isal_zstream *stream, struct isal_dict *dict_str,
                              uint8_t *dict, uint32_t dict_len);

/* Sets a prepared dictionary. At levels 0 and 1, and at levels 2 and 3 with the smallest level_buf,
 * this is faster than isal_deflate_set_dict(). Many streams may share one dict_str. level and
 * level_buf must be set.
 *
 * Returns COMP_OK, an error of isal_deflate(), or ISAL_INVALID_STATE. Reasons for the last: the
 * stream is neither at its start nor at a completed flush; its level is not that of the dictionary;
 * dict_str is not a prepared dictionary. */
int isal_deflate_reset_dict(struct isal_zstream *stream, struct isal_dict *dict_str);

/* ---- Headers of the wrappers, for IGZIP_GZIP_NO_HDR and IGZIP_ZLIB_NO_HDR ---- */

/* Sets all members to 0 or NULL, except os, which becomes 255 (unknown). */
void isal_gzip_header_init(struct isal_gzip_header *gz_hdr);
void isal_zlib_header_init(struct isal_zlib_header *z_hdr);

/* Writes a gzip header to next_out. Call it before the first call of a compression function.
 *
 * Fields that are not NULL are written: extra_len bytes of extra, and the strings name and comment.
 * A string without a NUL in its *_buf_len bytes is written whole, and without a NUL. A non-zero
 * hcrc adds a CRC of the header.
 *
 * Returns 0; the number of bytes needed, with nothing written, if avail_out is less; or UINT32_MAX
 * if the fields are too long. */
uint32_t isal_write_gzip_header(struct isal_zstream *stream, struct isal_gzip_header *gz_hdr);

/* Writes a zlib header in the same way: 2 bytes, or 6 with dict_flag. */
uint32_t isal_write_zlib_header(struct isal_zstream *stream, struct isal_zlib_header *z_hdr);

/* ---- Decompression: functions ----
 *
 * A stream, with input and output in pieces of any size:
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
 *             break; // the input is incomplete
 *     } while (result == ISAL_DECOMP_OK && s.block_state != ISAL_BLOCK_FINISH);
 *
 * If all input and output fit in memory, call isal_inflate_stateless() once. */

/* Initializes a structure, whatever it contains: raw DEFLATE, no input, no output, any window. Then
 * set next_in, avail_in, next_out, avail_out, and crc_flag and hist_bits as needed. */
void isal_inflate_init(struct inflate_state *state);

/* Prepares for a new stream. Input, output, crc_flag and hist_bits keep their values. */
void isal_inflate_reset(struct inflate_state *state);

/* Sets the dictionary: dict_len bytes, of which the last 32768 count, that precede the output. They
 * are copied; a second call replaces them. For raw DEFLATE, call it before the first
 * isal_inflate(); for zlib, after ISAL_NEED_DICT. Returns COMP_OK; or ISAL_INVALID_STATE if
 * block_state is not ISAL_BLOCK_NEW_HDR, or output is pending. */
int isal_inflate_set_dict(struct inflate_state *state, uint8_t *dict, uint32_t dict_len);

/* Reads a gzip header from next_in. Call it after isal_inflate_init(); isal_inflate() then
 * continues after the header.
 *
 * gz_hdr->extra, name and comment point to buffers of extra_buf_len, name_buf_len and
 * comment_buf_len bytes; NULL skips the field. Strings end in NUL. The buffer of a field that the
 * header does not contain is unchanged; extra_len is 0 without an extra field. Returns
 *
 *     ISAL_DECOMP_OK         the header has been read
 *     ISAL_END_INPUT         call again with more input
 *     ISAL_EXTRA_OVERFLOW, ISAL_NAME_OVERFLOW, ISAL_COMMENT_OVERFLOW
 *                            a buffer is full: call again with a larger one that begins with
 *                            the same bytes
 *     ISAL_INVALID_WRAPPER, ISAL_UNSUPPORTED_METHOD, ISAL_INCORRECT_CHECKSUM (of the header)
 *
 * Pass the same state and gz_hdr in every call for one header. */
int isal_read_gzip_header(struct inflate_state *state, struct isal_gzip_header *gz_hdr);

/* Reads a zlib header in the same way. Returns ISAL_DECOMP_OK, ISAL_END_INPUT,
 * ISAL_UNSUPPORTED_METHOD or ISAL_INCORRECT_CHECKSUM. If it sets dict_flag, call
 * isal_inflate_set_dict() next. */
int isal_read_zlib_header(struct inflate_state *state, struct isal_zlib_header *zlib_hdr);

/* Decompresses from next_in to next_out until the input is consumed, the output is full or the
 * stream ends.
 *
 * At the end, block_state is ISAL_BLOCK_FINISH, and next_in points to the byte after the stream,
 * including the trailer if crc_flag asks to verify it. Further calls do nothing. Between calls,
 * consumed input may be overwritten and the output moved. avail_in and avail_out may be 0.
 *
 * When the output is full, decoding continues into the state until 32 KB of output or more are
 * pending. Further calls deliver them, even with avail_in 0. total_out and crc count delivered
 * bytes only. The call that delivers the last byte sets ISAL_BLOCK_FINISH.
 *
 * Returns ISAL_DECOMP_OK, ISAL_NEED_DICT (see isal_inflate_set_dict()) or an error. Incomplete
 * input is not an error: it never reaches ISAL_BLOCK_FINISH. Errors, returned after the output
 * before them has been delivered:
 *
 *     ISAL_INVALID_BLOCK       invalid block header or invalid Huffman code
 *     ISAL_INVALID_SYMBOL      code without a symbol, or distance beyond the window of hist_bits
 *     ISAL_INVALID_LOOKBACK    match distance beyond the output and the dictionary
 *     ISAL_INVALID_WRAPPER, ISAL_UNSUPPORTED_METHOD
 *                              not a header of the format
 *     ISAL_INCORRECT_CHECKSUM  wrong checksum of the output or of a header
 *
 * crc is the CRC-32 of the output so far in the gzip modes. In the zlib modes it is the Adler-32,
 * with 1 subtracted from its low half until ISAL_BLOCK_FINISH. It is 0 for ISAL_DEFLATE.
 *
 * A gzip file may have several members: while there is input after ISAL_BLOCK_FINISH, call
 * isal_inflate_reset() and isal_inflate() again. */
int isal_inflate(struct inflate_state *state);

/* Decompresses a whole stream, or one member of a gzip file, in one call. Set next_in, avail_in,
 * next_out, avail_out and crc_flag; no other function has to be called before. next_in then points
 * to the byte after the stream: the next member, if there is one.
 *
 * Returns
 *
 *     ISAL_DECOMP_OK       the stream has been decompressed
 *     ISAL_END_INPUT       the input is incomplete
 *     ISAL_OUT_OVERFLOW    the output buffer is too small
 *     ISAL_NEED_DICT       a zlib stream with a dictionary, which this function cannot use
 *
 * or an error of isal_inflate(). */
int isal_inflate_stateless(struct inflate_state *state);

/* Description of a result of the decompression functions, in English; never NULL. Thread-safe. */
const char *isal_inflate_strerror(int error);

/* ---- Checksum ---- */

/* Adler-32 (RFC 1950) of the len bytes at buf, of any alignment, continued from init; init is 1 for
 * the first call. The halves of init are first reduced modulo 65521. With len 0 buf may be NULL,
 * and the result is the reduced init. Thread-safe: it keeps no state. */
uint32_t isal_adler32(uint32_t init, const unsigned char *buf, uint64_t len);

#ifdef __cplusplus
}
#endif

#endif
