/* The interface of libz.so.1: the types, constants and functions of zlib 1.3, for programs compiled
 * against it. zlib's header zlib.h documents them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_API_H
#define ZLIB_API_H

#include "dispatch/compiler.h"

#include <stdarg.h>

#define ZLIB_VERSION "1.3.0" /* with three parts: pigz 2.6 takes "1.3" for older than 1.2.3 */

/* Values of `flush`. */
enum { Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES };

/* Results. */
enum {
    Z_OK = 0,
    Z_STREAM_END = 1,
    Z_NEED_DICT = 2,
    Z_ERRNO = -1,
    Z_STREAM_ERROR = -2,
    Z_DATA_ERROR = -3,
    Z_MEM_ERROR = -4,
    Z_BUF_ERROR = -5,
    Z_VERSION_ERROR = -6
};

/* Levels, strategies, data types, the method. */
enum { Z_DEFAULT_COMPRESSION = -1, Z_NO_COMPRESSION = 0, Z_BEST_COMPRESSION = 9 };
enum { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED };
enum { Z_BINARY, Z_TEXT, Z_UNKNOWN };
enum { Z_DEFLATED = 8 };

typedef void *z_alloc_fn(void *opaque, unsigned items, unsigned size);
typedef void z_free_fn(void *opaque, void *address);
struct internal_state;

/* off_t without _FILE_OFFSET_BITS, as in programs that call functions without 64 in their names. */
#if SIZEOF_OFF_T == 4
typedef int32_t z_off_t;
#else
typedef int64_t z_off_t;
#endif

typedef struct z_stream_s {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg; /* the last error, or NULL */
    struct internal_state *state;
    z_alloc_fn *zalloc;
    z_free_fn *zfree;
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

typedef struct gz_header_s {
    int text;
    unsigned long time;
    int xflags;
    int os;
    uint8_t *extra;
    unsigned extra_len;
    unsigned extra_max;
    uint8_t *name;
    unsigned name_max;
    uint8_t *comment;
    unsigned comm_max;
    int hcrc;
    int done;
} gz_header;

typedef unsigned z_in_fn(void *desc, const uint8_t **buf);
typedef int z_out_fn(void *desc, uint8_t *buf, unsigned n);

/* The part of an open file that the macro gzgetc() of zlib.h reads. */
typedef struct gzFile_s {
    unsigned have;
    uint8_t *next;
    int64_t pos;
} * gzFile;

/* ---- Compression ---- */

int deflateInit_(z_stream *strm, int level, const char *version, int stream_size);
int deflateInit2_(z_stream *strm, int level, int method, int window_bits, int mem_level,
                  int strategy, const char *version, int stream_size);
int deflate(z_stream *strm, int flush);
int deflateEnd(z_stream *strm);
int deflateReset(z_stream *strm);
int deflateResetKeep(z_stream *strm);
int deflateCopy(z_stream *dest, z_stream *source);
int deflateSetDictionary(z_stream *strm, const uint8_t *dictionary, unsigned length);
int deflateGetDictionary(z_stream *strm, uint8_t *dictionary, unsigned *length);
int deflateParams(z_stream *strm, int level, int strategy);
int deflateTune(z_stream *strm, int good_length, int max_lazy, int nice_length, int max_chain);
unsigned long deflateBound(z_stream *strm, unsigned long length);
int deflatePending(z_stream *strm, unsigned *pending, int *bits);
int deflatePrime(z_stream *strm, int bits, int value);
int deflateSetHeader(z_stream *strm, gz_header *head);

/* ---- Decompression ---- */

int inflateInit_(z_stream *strm, const char *version, int stream_size);
int inflateInit2_(z_stream *strm, int window_bits, const char *version, int stream_size);
int inflate(z_stream *strm, int flush);
int inflateEnd(z_stream *strm);
int inflateReset(z_stream *strm);
int inflateReset2(z_stream *strm, int window_bits);
int inflateResetKeep(z_stream *strm);
int inflateCopy(z_stream *dest, z_stream *source);
int inflateSetDictionary(z_stream *strm, const uint8_t *dictionary, unsigned length);
int inflateGetDictionary(z_stream *strm, uint8_t *dictionary, unsigned *length);
int inflateSync(z_stream *strm);
int inflateSyncPoint(z_stream *strm);
int inflatePrime(z_stream *strm, int bits, int value);
long inflateMark(z_stream *strm);
int inflateGetHeader(z_stream *strm, gz_header *head);
int inflateUndermine(z_stream *strm, int subvert);
int inflateValidate(z_stream *strm, int check);
unsigned long inflateCodesUsed(z_stream *strm);
int inflateBackInit_(z_stream *strm, int window_bits, uint8_t *window, const char *version,
                     int stream_size);
int inflateBack(z_stream *strm, z_in_fn *in, void *in_desc, z_out_fn *out, void *out_desc);
int inflateBackEnd(z_stream *strm);

/* ---- Whole buffers ---- */

int compress(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
             unsigned long source_len);
int compress2(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
              unsigned long source_len, int level);
unsigned long compressBound(unsigned long source_len);
int uncompress(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
               unsigned long source_len);
int uncompress2(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
                unsigned long *source_len);

/* ---- Checksums ---- */

unsigned long adler32(unsigned long adler, const uint8_t *buf, unsigned len);
unsigned long adler32_z(unsigned long adler, const uint8_t *buf, size_t len);
unsigned long adler32_combine(unsigned long adler1, unsigned long adler2, z_off_t len2);
unsigned long adler32_combine64(unsigned long adler1, unsigned long adler2, int64_t len2);
unsigned long crc32(unsigned long crc, const uint8_t *buf, unsigned len);
unsigned long crc32_z(unsigned long crc, const uint8_t *buf, size_t len);
unsigned long crc32_combine(unsigned long crc1, unsigned long crc2, z_off_t len2);
unsigned long crc32_combine64(unsigned long crc1, unsigned long crc2, int64_t len2);
unsigned long crc32_combine_gen(z_off_t len2);
unsigned long crc32_combine_gen64(int64_t len2);
unsigned long crc32_combine_op(unsigned long crc1, unsigned long crc2, unsigned long op);
const uint32_t *get_crc_table(void);

/* ---- The library ---- */

const char *zlibVersion(void);
const char *zError(int error);
unsigned long zlibCompileFlags(void);

/* ---- Files ---- */

gzFile gzopen(const char *path, const char *mode);
gzFile gzopen64(const char *path, const char *mode);
gzFile gzdopen(int fd, const char *mode);
int gzbuffer(gzFile file, unsigned size);
int gzsetparams(gzFile file, int level, int strategy);
int gzread(gzFile file, void *buf, unsigned len);
size_t gzfread(void *buf, size_t size, size_t items, gzFile file);
int gzwrite(gzFile file, const void *buf, unsigned len);
size_t gzfwrite(const void *buf, size_t size, size_t items, gzFile file);
int gzprintf(gzFile file, const char *format, ...);
int gzvprintf(gzFile file, const char *format, va_list args);
int gzputs(gzFile file, const char *s);
char *gzgets(gzFile file, char *buf, int len);
int gzputc(gzFile file, int c);
int gzgetc(gzFile file);
int gzgetc_(gzFile file);
int gzungetc(int c, gzFile file);
int gzflush(gzFile file, int flush);
z_off_t gzseek(gzFile file, z_off_t offset, int whence);
int64_t gzseek64(gzFile file, int64_t offset, int whence);
int gzrewind(gzFile file);
z_off_t gztell(gzFile file);
int64_t gztell64(gzFile file);
z_off_t gzoffset(gzFile file);
int64_t gzoffset64(gzFile file);
int gzeof(gzFile file);
int gzdirect(gzFile file);
int gzclose(gzFile file);
int gzclose_r(gzFile file);
int gzclose_w(gzFile file);
const char *gzerror(gzFile file, int *error);
void gzclearerr(gzFile file);

#endif
