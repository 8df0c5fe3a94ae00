/* Files with gzip's format: writing.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/zlib/zlib_gz.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Output ---- */

/* Writes n bytes to the file; returns 0 after an error. */
static int write_file(struct gz *gz, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(gz->fd, bytes, n < INT_MAX ? n : INT_MAX);

        if (written < 0) {
            isalk_gz_error(gz, Z_ERRNO, strerror(errno));
            return 0;
        }
        bytes += written;
        n -= (size_t) written;
    }
    return 1;
}

/* Writes the compressed bytes; returns 0 after an error. */
static int write_output(struct gz *gz)
{
    if (!write_file(gz, gz->unwritten, (size_t) (gz->strm.next_out - gz->unwritten)))
        return 0;
    gz->strm.next_out = gz->unwritten = gz->out;
    gz->strm.avail_out = gz->size;
    return 1;
}

/* Compresses all input of the stream. With a flush, also writes all output to the file. */
static int compress_input(struct gz *gz, int flush)
{
    z_stream *strm = &gz->strm;
    unsigned before;
    int result;

    if (!isalk_gz_prepare(gz))
        return 0;
    if (gz->direct) {
        int written = write_file(gz, strm->next_in, strm->avail_in);

        strm->avail_in = 0;
        return written;
    }
    if (gz->finished) {
        if (strm->avail_in == 0)
            return 1; /* no empty stream after another */
        deflateReset(strm);
        gz->finished = 0;
    }
    do {
        if (strm->avail_out == 0 && !write_output(gz))
            return 0;
        before = strm->avail_out;
        result = deflate(strm, flush);
        if (result == Z_STREAM_ERROR) {
            isalk_gz_error(gz, Z_STREAM_ERROR, "internal error: deflate stream corrupt");
            return 0;
        }
    } while (result == Z_OK && before != strm->avail_out && strm->avail_out == 0);
    gz->finished = flush == Z_FINISH;
    return flush == Z_NO_FLUSH || write_output(gz);
}

/* ---- Input ---- */

/* Bytes buffered at `in`. */
static unsigned buffered(const struct gz *gz)
{
    return gz->strm.avail_in;
}

/* Compresses the buffered bytes. */
static int compress_buffered(struct gz *gz, int flush)
{
    gz->strm.next_in = gz->in;
    return compress_input(gz, flush);
}

/* Adds n bytes to the input; returns 0 after an error. Large inputs are compressed in place. */
static int add_bytes(struct gz *gz, const uint8_t *bytes, size_t n)
{
    if (!isalk_gz_prepare(gz))
        return 0;
    gz->visible.pos += (int64_t) n;
    while (n > 0) {
        unsigned room = gz->size - buffered(gz), part;

        if (buffered(gz) == 0 && n >= gz->size) {
            part = n < UINT_MAX ? (unsigned) n : UINT_MAX;
            gz->strm.next_in = bytes;
            gz->strm.avail_in = part;
            if (!compress_input(gz, Z_NO_FLUSH))
                return 0;
        } else {
            part = n < room ? (unsigned) n : room;
            memcpy(gz->in + buffered(gz), bytes, part);
            gz->strm.avail_in += part;
            if (buffered(gz) == gz->size && !compress_buffered(gz, Z_NO_FLUSH))
                return 0;
        }
        bytes += part;
        n -= part;
    }
    return 1;
}

/* Completes a seek by writing gz->skip zeros; returns 0 after an error. */
static int complete_seek(struct gz *gz)
{
    static const uint8_t zeros[4096];

    while (gz->skip > 0) {
        size_t n = gz->skip < (int64_t) sizeof(zeros) ? (size_t) gz->skip : sizeof(zeros);

        gz->skip -= (int64_t) n;
        if (!add_bytes(gz, zeros, n))
            return 0;
    }
    return 1;
}

static size_t write_bytes(struct gz *gz, const void *bytes, size_t n)
{
    return n > 0 && complete_seek(gz) && add_bytes(gz, bytes, n) ? n : 0;
}

/* The file, if it is open for writing and has no error; else NULL. */
static struct gz *writer(gzFile file)
{
    struct gz *gz = isalk_gz_file(file, GZ_WRITE);

    return gz != NULL && gz->error == Z_OK ? gz : NULL;
}

ISAL_PUBLIC int gzwrite(gzFile file, const void *buf, unsigned len)
{
    struct gz *gz = writer(file);

    if (gz == NULL)
        return 0;
    if (len > INT_MAX) {
        isalk_gz_error(gz, Z_DATA_ERROR, "requested length does not fit in int");
        return 0;
    }
    return (int) write_bytes(gz, buf, len);
}

ISAL_PUBLIC size_t gzfwrite(const void *buf, size_t size, size_t items, gzFile file)
{
    struct gz *gz = writer(file);

    if (gz == NULL || size == 0)
        return 0;
    if (items > SIZE_MAX / size) {
        isalk_gz_error(gz, Z_STREAM_ERROR, "request does not fit in a size_t");
        return 0;
    }
    return write_bytes(gz, buf, size * items) / size;
}

ISAL_PUBLIC int gzputc(gzFile file, int c)
{
    struct gz *gz = writer(file);
    uint8_t byte = (uint8_t) c;

    return gz != NULL && write_bytes(gz, &byte, 1) == 1 ? byte : -1;
}

ISAL_PUBLIC int gzputs(gzFile file, const char *s)
{
    struct gz *gz = writer(file);
    size_t n;

    if (gz == NULL)
        return -1;
    n = strlen(s);
    if (n > INT_MAX) {
        isalk_gz_error(gz, Z_STREAM_ERROR, "string length does not fit in int");
        return -1;
    }
    return write_bytes(gz, s, n) < n ? -1 : (int) n;
}

ISAL_PUBLIC int gzvprintf(gzFile file, const char *format, va_list args)
{
    struct gz *gz = writer(file);
    char *text;
    int n;

    if (gz == NULL)
        return Z_STREAM_ERROR;
    if (!isalk_gz_prepare(gz) || !complete_seek(gz))
        return gz->error;
    text = (char *) gz->in + gz->size;
    n = vsnprintf(text, gz->size, format, args);
    if (n <= 0 || (unsigned) n >= gz->size)
        return 0;
    return write_bytes(gz, text, (size_t) n) == (size_t) n ? n : gz->error;
}

ISAL_PUBLIC int gzprintf(gzFile file, const char *format, ...)
{
    va_list args;
    int result;

    va_start(args, format);
    result = gzvprintf(file, format, args);
    va_end(args);
    return result;
}

/* ---- Flushes, parameters, the end ---- */

ISAL_PUBLIC int gzflush(gzFile file, int flush)
{
    struct gz *gz = writer(file);

    if (gz == NULL || flush < Z_NO_FLUSH || flush > Z_FINISH)
        return Z_STREAM_ERROR;
    if (isalk_gz_prepare(gz) && complete_seek(gz))
        compress_buffered(gz, flush);
    return gz->error;
}

ISAL_PUBLIC int gzsetparams(gzFile file, int level, int strategy)
{
    struct gz *gz = writer(file);

    if (gz == NULL || gz->direct)
        return Z_STREAM_ERROR;
    if (level == gz->level && strategy == gz->strategy)
        return Z_OK;
    if (!complete_seek(gz))
        return gz->error;
    if (gz->in != NULL) {
        if (buffered(gz) > 0 && !compress_buffered(gz, Z_BLOCK))
            return gz->error;
        deflateParams(&gz->strm, level, strategy);
    }
    gz->level = level;
    gz->strategy = strategy;
    return Z_OK;
}

ISAL_PUBLIC int gzclose_w(gzFile file)
{
    struct gz *gz = (struct gz *) (void *) file;
    int result = Z_OK;

    if (gz == NULL || gz->mode != GZ_WRITE)
        return Z_STREAM_ERROR;
    if (gz->error == Z_OK && isalk_gz_prepare(gz) && complete_seek(gz))
        compress_buffered(gz, Z_FINISH);
    result = gz->error;
    if (gz->in != NULL && !gz->direct)
        deflateEnd(&gz->strm);
    return isalk_gz_close(gz, result);
}
