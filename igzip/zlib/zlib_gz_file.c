/* Files with gzip's format: opening, errors, positions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/zlib/zlib_gz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Errors ---- */

void isalk_gz_error(struct gz *gz, int error, const char *text)
{
    size_t bytes;

    free(gz->message);
    gz->message = NULL;
    if (error != Z_OK && error != Z_BUF_ERROR)
        gz->visible.have = 0; /* the macro gzgetc() then calls a function */
    gz->error = error;
    if (text == NULL || error == Z_MEM_ERROR)
        return;
    bytes = strlen(gz->path) + strlen(text) + 3;
    gz->message = malloc(bytes);
    if (gz->message == NULL)
        gz->error = Z_MEM_ERROR;
    else
        snprintf(gz->message, bytes, "%s: %s", gz->path, text);
}

struct gz *isalk_gz_file(gzFile file, enum gz_mode mode)
{
    struct gz *gz = (struct gz *) (void *) file;

    if (gz == NULL || gz->mode != mode || (gz->error != Z_OK && gz->error != Z_BUF_ERROR))
        return NULL;
    return gz;
}

ISAL_PUBLIC const char *gzerror(gzFile file, int *error)
{
    struct gz *gz = (struct gz *) (void *) file;

    if (gz == NULL)
        return NULL;
    if (error != NULL)
        *error = gz->error;
    if (gz->error == Z_MEM_ERROR)
        return "out of memory";
    return gz->message != NULL ? gz->message : "";
}

ISAL_PUBLIC void gzclearerr(gzFile file)
{
    struct gz *gz = (struct gz *) (void *) file;

    if (gz == NULL)
        return;
    if (gz->mode == GZ_READ)
        gz->at_end = gz->past_end = 0;
    isalk_gz_error(gz, Z_OK, NULL);
}

/* ---- Opening ---- */

/* Applies a letter of the mode; returns 0 if it is '+', which zlib does not support. Ignores
 * unknown letters. */
static int apply_letter(struct gz *gz, char letter, int *flags)
{
    switch (letter) {
    case 'r':
        gz->mode = GZ_READ;
        break;
    case 'w':
    case 'a':
        gz->mode = GZ_WRITE;
        *flags = (*flags & ~(O_TRUNC | O_APPEND)) | (letter == 'w' ? O_TRUNC : O_APPEND);
        break;
    case '+':
        return 0;
    case 'x':
        *flags |= O_EXCL;
        break;
    case 'e':
        *flags |= O_CLOEXEC;
        break;
    case 'f':
        gz->strategy = Z_FILTERED;
        break;
    case 'h':
        gz->strategy = Z_HUFFMAN_ONLY;
        break;
    case 'R':
        gz->strategy = Z_RLE;
        break;
    case 'F':
        gz->strategy = Z_FIXED;
        break;
    case 'T':
        gz->direct = 1;
        break;
    default:
        if (letter >= '0' && letter <= '9')
            gz->level = letter - '0';
        break;
    }
    return 1;
}

static struct gz *open_file(const char *path, int fd, const char *mode)
{
    int flags = 0, valid = 1;
    struct gz *gz = calloc(1, sizeof(*gz));

    if (gz == NULL)
        return NULL;
    gz->size = GZ_DEFAULT_BUFFER;
    gz->level = Z_DEFAULT_COMPRESSION;
    gz->path = strdup(path);
    while (*mode != '\0' && valid)
        valid = apply_letter(gz, *mode++, &flags);
    if (gz->path == NULL || !valid || gz->mode == 0 || (gz->mode == GZ_READ && gz->direct))
        goto failed;
    if (gz->mode == GZ_READ) {
        flags &= O_CLOEXEC;
        gz->direct = 1; /* until a gzip stream is seen */
    } else {
        flags |= O_WRONLY | O_CREAT;
    }
    gz->fd = fd >= 0 ? fd : open(path, flags, 0666);
    if (gz->fd < 0)
        goto failed;
    if (flags & O_APPEND)
        lseek(gz->fd, 0, SEEK_END); /* for gzoffset() */
    if (gz->mode == GZ_READ)
        gz->start = lseek(gz->fd, 0, SEEK_CUR);
    if (gz->start < 0)
        gz->start = 0;
    return gz;
failed:
    free(gz->path);
    free(gz);
    return NULL;
}

ISAL_PUBLIC gzFile gzopen(const char *path, const char *mode)
{
    return path == NULL || mode == NULL ? NULL : (gzFile) (void *) open_file(path, -1, mode);
}

ISAL_PUBLIC gzFile gzopen64(const char *path, const char *mode)
{
    return gzopen(path, mode);
}

ISAL_PUBLIC gzFile gzdopen(int fd, const char *mode)
{
    char name[32];

    if (fd == -1 || mode == NULL)
        return NULL;
    snprintf(name, sizeof(name), "<fd:%d>", fd);
    return (gzFile) (void *) open_file(name, fd, mode);
}

ISAL_PUBLIC int gzbuffer(gzFile file, unsigned size)
{
    struct gz *gz = (struct gz *) (void *) file;

    if (gz == NULL || gz->in != NULL || size > UINT32_MAX / 2)
        return -1;
    gz->size = size < 2 ? 2 : size;
    return 0;
}

/* ---- Buffers, closing ---- */

int isalk_gz_prepare(struct gz *gz)
{
    int reading = gz->mode == GZ_READ, result = Z_OK;

    if (gz->in != NULL)
        return 1;
    memset(&gz->strm, 0, sizeof(gz->strm));
    gz->in = malloc((reading ? 1 : 2) * (size_t) gz->size); /* the second half is gzprintf()'s */
    gz->out = malloc((reading ? 2 : 1) * (size_t) gz->size);
    if (gz->in == NULL || gz->out == NULL)
        result = Z_MEM_ERROR;
    else if (reading)
        result = inflateInit2_(&gz->strm, MAX_WINDOW_BITS + 16, ZLIB_VERSION, sizeof(gz->strm));
    else if (!gz->direct)
        result = deflateInit2_(&gz->strm, gz->level, Z_DEFLATED, MAX_WINDOW_BITS + 16, 8,
                               gz->strategy, ZLIB_VERSION, sizeof(gz->strm));
    if (result != Z_OK) {
        free(gz->in);
        free(gz->out);
        gz->in = gz->out = NULL;
        isalk_gz_error(gz, Z_MEM_ERROR, NULL);
        return 0;
    }
    gz->strm.next_out = gz->unwritten = gz->out;
    gz->strm.avail_out = gz->size;
    return 1;
}

int isalk_gz_close(struct gz *gz, int result)
{
    int closed = close(gz->fd);

    isalk_gz_error(gz, Z_OK, NULL);
    free(gz->in);
    free(gz->out);
    free(gz->path);
    free(gz);
    return closed != 0 ? Z_ERRNO : result;
}

ISAL_PUBLIC int gzclose(gzFile file)
{
    struct gz *gz = (struct gz *) (void *) file;

    if (gz == NULL)
        return Z_STREAM_ERROR;
    return gz->mode == GZ_READ ? gzclose_r(file) : gzclose_w(file);
}

/* ---- Positions ---- */

void isalk_gz_restart(struct gz *gz)
{
    gz->visible.have = 0;
    gz->visible.pos = 0;
    gz->at_end = gz->past_end = 0;
    gz->content = GZ_UNKNOWN;
    gz->skip = 0;
    gz->strm.avail_in = 0;
    isalk_gz_error(gz, Z_OK, NULL);
}

/* Moves the descriptor as lseek() does. off_t may have 32 bits. */
static int seek_file(const struct gz *gz, int64_t offset, int whence)
{
    if ((off_t) offset != offset) {
        errno = EOVERFLOW;
        return -1;
    }
    return lseek(gz->fd, (off_t) offset, whence) < 0 ? -1 : 0;
}

/* A position, or -1 if z_off_t is too small for it. */
static z_off_t fit(int64_t position)
{
    return (z_off_t) position == position ? (z_off_t) position : -1;
}

ISAL_PUBLIC int gzrewind(gzFile file)
{
    struct gz *gz = isalk_gz_file(file, GZ_READ);

    if (gz == NULL || seek_file(gz, gz->start, SEEK_SET) < 0)
        return -1;
    isalk_gz_restart(gz);
    gz->direct = 1;
    return 0;
}

/* Seeks in a file that is not compressed. */
static int64_t seek_plain(struct gz *gz, int64_t offset)
{
    if (seek_file(gz, offset - (int64_t) gz->visible.have, SEEK_CUR) < 0)
        return -1;
    gz->visible.have = 0;
    gz->at_end = gz->past_end = 0;
    gz->skip = 0;
    gz->strm.avail_in = 0;
    isalk_gz_error(gz, Z_OK, NULL);
    gz->visible.pos += offset;
    return gz->visible.pos;
}

ISAL_PUBLIC int64_t gzseek64(gzFile file, int64_t offset, int whence)
{
    struct gz *gz = (struct gz *) (void *) file;

    if (gz == NULL || (gz->error != Z_OK && gz->error != Z_BUF_ERROR) ||
        (whence != SEEK_SET && whence != SEEK_CUR))
        return -1;
    /* Makes the offset relative to the position. */
    offset += whence == SEEK_SET ? -gz->visible.pos : gz->skip;
    gz->skip = 0;
    if (gz->mode == GZ_READ && gz->content == GZ_PLAIN && gz->visible.pos + offset >= 0)
        return seek_plain(gz, offset);
    if (offset < 0) {
        offset += gz->visible.pos;
        if (gz->mode != GZ_READ || offset < 0 || gzrewind(file) != 0)
            return -1;
    }
    if (gz->mode == GZ_READ) {
        unsigned n = offset < (int64_t) gz->visible.have ? (unsigned) offset : gz->visible.have;

        gz_consume(gz, n);
        offset -= n;
    }
    gz->skip = offset;
    return gz->visible.pos + offset;
}

ISAL_PUBLIC z_off_t gzseek(gzFile file, z_off_t offset, int whence)
{
    return fit(gzseek64(file, offset, whence));
}

ISAL_PUBLIC int64_t gztell64(gzFile file)
{
    const struct gz *gz = (const struct gz *) (void *) file;

    return gz == NULL ? -1 : gz->visible.pos + gz->skip;
}

ISAL_PUBLIC z_off_t gztell(gzFile file)
{
    return fit(gztell64(file));
}

ISAL_PUBLIC int64_t gzoffset64(gzFile file)
{
    const struct gz *gz = (const struct gz *) (void *) file;
    int64_t offset;

    if (gz == NULL)
        return -1;
    offset = lseek(gz->fd, 0, SEEK_CUR);
    if (offset < 0)
        return -1;
    return gz->mode == GZ_READ ? offset - gz->strm.avail_in : offset;
}

ISAL_PUBLIC z_off_t gzoffset(gzFile file)
{
    return fit(gzoffset64(file));
}

ISAL_PUBLIC int gzeof(gzFile file)
{
    const struct gz *gz = (const struct gz *) (void *) file;

    return gz != NULL && gz->mode == GZ_READ && gz->past_end;
}
