/* The state of a file open for reading or writing, compressed or not.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_GZ_H
#define ZLIB_GZ_H

#include "igzip/zlib/zlib_stream.h"

enum gz_mode { GZ_READ = 1, GZ_WRITE };

/* What the file that is read continues with. */
enum gz_content { GZ_UNKNOWN, GZ_PLAIN, GZ_COMPRESSED };

enum { GZ_DEFAULT_BUFFER = 8192 };

struct gz {
    struct gzFile_s visible; /* reading: decompressed bytes not read yet; writing: the position */
    enum gz_mode mode;
    int fd;
    char *path;        /* for messages */
    unsigned size;     /* bytes of a buffer; gzbuffer() sets it */
    uint8_t *in, *out; /* buffers, or NULL; reading, `out` has twice the size; writing, `in` */
    int direct;        /* reading: no gzip stream has been seen; writing: nothing is compressed */
    enum gz_content content;
    int64_t start; /* offset of the descriptor when it was opened */
    int at_end;    /* of the file */
    int past_end;  /* a read was attempted at the end */
    int level, strategy;
    int finished;  /* writing: the stream has ended; another begins with the next byte */
    int64_t skip;  /* bytes that a seek still has to skip */
    int error;     /* the last result: Z_OK or an error of zlib */
    char *message; /* allocated, or NULL */
    z_stream strm;
    uint8_t *unwritten; /* the compressed bytes before it, from `out` on, are in the file */
};

/* Consumes n decompressed bytes. */
ISALK_INLINE void gz_consume(struct gz *gz, size_t n)
{
    gz->visible.have -= (unsigned) n;
    gz->visible.next += n;
    gz->visible.pos += (int64_t) n;
}

ISALK_HIDDEN_BEGIN

/* Records an error, or Z_OK, and its text. */
void isalk_gz_error(struct gz *gz, int error, const char *text);

/* The file, if it is open in this mode and has no fatal error; else NULL. */
struct gz *isalk_gz_file(gzFile file, enum gz_mode mode);

/* Allocates buffers and the stream on first use; returns 0 if out of memory. */
int isalk_gz_prepare(struct gz *gz);

/* Resets the state of a file after a move to its start. */
void isalk_gz_restart(struct gz *gz);

/* Reads until there are decompressed bytes, or the file ends; returns 0 after an error. */
int isalk_gz_fetch(struct gz *gz);

/* Finds out what the file contains; returns 0 after an error. */
int isalk_gz_detect(struct gz *gz);

/* Closes the file and frees its memory. Returns Z_ERRNO if that fails, else `result`. */
int isalk_gz_close(struct gz *gz, int result);

ISALK_HIDDEN_END

#endif
