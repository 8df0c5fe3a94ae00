/* Shared by the benchmarks of compression and decompression: formats, records, zlib.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PERF_COMPRESSION_H
#define PERF_COMPRESSION_H

#include "perf.h"

#include "isa-l/igzip_lib.h"

/* Formats of streams, the first setting of both families. */
#define FORMAT_CHOICES "raw,zlib,gzip"
enum { FORMATS = 3 };

/* Values of isal_zstream.gzip_flag and inflate_state.crc_flag for each format. */
extern const uint16_t gzip_flags[FORMATS], crc_flags[FORMATS];

/* Fills a buffer with generated text, which compresses. */
void make_text(uint8_t *data, size_t n);

/* Bytes that c->size bytes need when compressed record by record, with `extra` bytes per record. */
size_t compressed_room(const struct perf_case *c, size_t extra);

/* z_stream: its layout is part of zlib's interface. */
struct zlib_stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state, *alloc, *free, *opaque;
    int data_type;
    unsigned long adler, reserved;
};

typedef int zlib_code_fn(struct zlib_stream *z, int flush);
typedef int zlib_reset_fn(struct zlib_stream *z);
struct zlib_coder {
    struct zlib_stream stream;
    zlib_code_fn *code;
    zlib_reset_fn *reset;
};

/* Starts zlib's compressor at a level, or its decompressor at level -1. functions: deflateInit2_,
 * deflate and deflateReset, or inflateInit2_, inflate and inflateReset. */
void zlib_start(struct zlib_coder *z, const perf_fn functions[3], int format, int level);

/* Starts zlib-ng's compressor at a level. functions: zng_deflateInit2, zng_deflate and
 * zng_deflateReset. */
void zlib_ng_start(struct zlib_coder *z, const perf_fn functions[3], int format, int level);

/* Codes n bytes at `in` as one stream. Returns the bytes of output, 0 if that failed. */
size_t zlib_code(struct zlib_coder *z, const uint8_t *in, size_t n, uint8_t *out, size_t room);

/* The system's zlib, ready to compress; the program ends if there is none. */
void zlib_start_system(struct zlib_coder *z, int format, int level);

/* isal_deflate_stateless() or isal_deflate() on an initialized z with z->level set. Returns the
 * bytes of output, 0 if that failed. */
size_t isal_code(struct isal_zstream *z, int (*deflate)(struct isal_zstream *), int format,
                 uint8_t *level_buf, const uint8_t *in, size_t n, uint8_t *out, size_t room);

#endif
