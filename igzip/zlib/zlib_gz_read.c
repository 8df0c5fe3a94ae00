/* Files with gzip's format, or any other: reading.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/zlib/zlib_gz.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "igzip/format/wrapper.h"

/* ---- Input ---- */

/* Reads up to n bytes from the file; returns how many, or -1. */
static int64_t read_file(struct gz *gz, uint8_t *to, unsigned n)
{
    unsigned done = 0;

    while (done < n && !gz->at_end) {
        unsigned part = n - done < INT_MAX ? n - done : INT_MAX;
        ssize_t got = read(gz->fd, to + done, part);

        if (got < 0) {
            isalk_gz_error(gz, Z_ERRNO, strerror(errno));
            return -1;
        }
        gz->at_end = got == 0;
        done += (unsigned) got;
    }
    return done;
}

/* Reads more of the file, after the input that remains; returns 0 after an error. */
static int get_input(struct gz *gz)
{
    z_stream *strm = &gz->strm;
    int64_t got;

    if (gz->error != Z_OK && gz->error != Z_BUF_ERROR)
        return 0;
    if (gz->at_end)
        return 1;
    if (strm->avail_in > 0)
        memmove(gz->in, strm->next_in, strm->avail_in);
    got = read_file(gz, gz->in + strm->avail_in, gz->size - strm->avail_in);
    if (got < 0)
        return 0;
    strm->next_in = gz->in;
    strm->avail_in += (unsigned) got;
    return 1;
}

/* After a gzip stream, everything except another gzip stream is ignored. */
int isalk_gz_detect(struct gz *gz)
{
    z_stream *strm = &gz->strm;

    if (!isalk_gz_prepare(gz) || (strm->avail_in < 2 && !get_input(gz)))
        return 0;
    if (strm->avail_in == 0)
        return 1;
    if (strm->avail_in > 1 && strm->next_in[0] == GZIP_ID1 && strm->next_in[1] == GZIP_ID2) {
        inflateReset(strm);
        gz->content = GZ_COMPRESSED;
        gz->direct = 0;
        return 1;
    }
    if (!gz->direct) {
        strm->avail_in = 0;
        gz->at_end = 1;
        gz->visible.have = 0;
        return 1;
    }
    memcpy(gz->out, strm->next_in, strm->avail_in);
    gz->visible.next = gz->out;
    gz->visible.have = strm->avail_in;
    strm->avail_in = 0;
    gz->content = GZ_PLAIN;
    return 1;
}

/* ---- Output ---- */

/* Decompresses up to n bytes to `to`; they are the next to be read. Returns 0 after an error. */
static int decompress(struct gz *gz, uint8_t *to, unsigned n)
{
    z_stream *strm = &gz->strm;
    int result = Z_OK;

    strm->next_out = to;
    strm->avail_out = n;
    while (strm->avail_out > 0 && result != Z_STREAM_END) {
        if (strm->avail_in == 0 && !get_input(gz))
            return 0;
        if (strm->avail_in == 0) {
            isalk_gz_error(gz, Z_BUF_ERROR, "unexpected end of file");
            break;
        }
        result = inflate(strm, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR) {
            isalk_gz_error(gz, Z_MEM_ERROR, NULL);
            return 0;
        }
        if (result == Z_DATA_ERROR) {
            isalk_gz_error(gz, Z_DATA_ERROR, strm->msg);
            return 0;
        }
    }
    gz->visible.next = to;
    gz->visible.have = n - strm->avail_out;
    if (result == Z_STREAM_END)
        gz->content = GZ_UNKNOWN;
    return 1;
}

int isalk_gz_fetch(struct gz *gz)
{
    int64_t got;

    do {
        switch (gz->content) {
        case GZ_UNKNOWN:
            if (!isalk_gz_detect(gz))
                return 0;
            if (gz->content == GZ_UNKNOWN)
                return 1;
            break;
        case GZ_PLAIN:
            got = read_file(gz, gz->out, 2 * gz->size);
            if (got < 0)
                return 0;
            gz->visible.next = gz->out;
            gz->visible.have = (unsigned) got;
            return 1;
        case GZ_COMPRESSED:
            if (!decompress(gz, gz->out, 2 * gz->size))
                return 0;
            break;
        }
    } while (gz->visible.have == 0 && (!gz->at_end || gz->strm.avail_in > 0));
    return 1;
}

/* Completes a seek by skipping gz->skip bytes; returns 0 after an error. */
static int complete_seek(struct gz *gz)
{
    while (gz->skip > 0) {
        unsigned n = gz->skip < (int64_t) gz->visible.have ? (unsigned) gz->skip : gz->visible.have;

        gz_consume(gz, n);
        gz->skip -= n;
        if (gz->skip == 0 || (n == 0 && gz->at_end && gz->strm.avail_in == 0))
            break;
        if (gz->visible.have == 0 && !isalk_gz_fetch(gz)) {
            gz->skip = 0;
            return 0;
        }
    }
    gz->skip = 0;
    return 1;
}

/* Reads up to n bytes directly to `to`, from a file whose content is known; returns how many, or
 * -1. */
static int64_t fetch_directly(struct gz *gz, uint8_t *to, unsigned n)
{
    unsigned got;

    if (gz->content == GZ_PLAIN)
        return read_file(gz, to, n);
    if (!decompress(gz, to, n))
        return -1;
    got = gz->visible.have;
    gz->visible.have = 0;
    return got;
}

/* Reads n bytes or to the end; returns how many. Large reads bypass the buffer. */
static size_t read_bytes(struct gz *gz, uint8_t *to, size_t n)
{
    size_t done = 0;

    if (n == 0 || !complete_seek(gz))
        return 0;
    while (done < n) {
        size_t left = n - done;
        unsigned part = left < UINT_MAX / 2 ? (unsigned) left : UINT_MAX / 2;

        if (gz->visible.have > 0) {
            part = part < gz->visible.have ? part : gz->visible.have;
            memcpy(to + done, gz->visible.next, part);
            gz->visible.next += part;
            gz->visible.have -= part;
        } else if (gz->at_end && gz->strm.avail_in == 0) {
            gz->past_end = 1;
            break;
        } else if (gz->content == GZ_UNKNOWN || part < 2 * gz->size) {
            if (!isalk_gz_fetch(gz))
                return 0;
            continue;
        } else {
            int64_t got = fetch_directly(gz, to + done, part);

            if (got < 0)
                return 0;
            part = (unsigned) got;
        }
        done += part;
        gz->visible.pos += part;
    }
    return done;
}

ISAL_PUBLIC int gzread(gzFile file, void *buf, unsigned len)
{
    struct gz *gz = isalk_gz_file(file, GZ_READ);
    size_t n;

    if (gz == NULL)
        return -1;
    if (len > INT_MAX) {
        isalk_gz_error(gz, Z_STREAM_ERROR, "request does not fit in an int");
        return -1;
    }
    n = read_bytes(gz, buf, len);
    return n == 0 && gz->error != Z_OK && gz->error != Z_BUF_ERROR ? -1 : (int) n;
}

ISAL_PUBLIC size_t gzfread(void *buf, size_t size, size_t items, gzFile file)
{
    struct gz *gz = isalk_gz_file(file, GZ_READ);

    if (gz == NULL || size == 0)
        return 0;
    if (items > SIZE_MAX / size) {
        isalk_gz_error(gz, Z_STREAM_ERROR, "request does not fit in a size_t");
        return 0;
    }
    return read_bytes(gz, buf, size * items) / size;
}

ISAL_PUBLIC int gzgetc(gzFile file)
{
    struct gz *gz = isalk_gz_file(file, GZ_READ);
    uint8_t byte;

    return gz != NULL && read_bytes(gz, &byte, 1) == 1 ? byte : -1;
}

ISAL_PUBLIC int gzgetc_(gzFile file)
{
    return gzgetc(file);
}

ISAL_PUBLIC int gzungetc(int c, gzFile file)
{
    struct gz *gz = isalk_gz_file(file, GZ_READ);
    uint8_t *end;

    if (gz == NULL || c < 0 || !isalk_gz_prepare(gz) || !complete_seek(gz))
        return -1;
    end = gz->out + 2 * (size_t) gz->size;
    if (gz->visible.have == 2 * gz->size) {
        isalk_gz_error(gz, Z_DATA_ERROR, "out of room to push characters");
        return -1;
    }
    if (gz->visible.have == 0) {
        gz->visible.next = end;
    } else if (gz->visible.next == gz->out) {
        memmove(end - gz->visible.have, gz->out, gz->visible.have);
        gz->visible.next = end - gz->visible.have;
    }
    *--gz->visible.next = (uint8_t) c;
    gz->visible.have++;
    gz->visible.pos--;
    gz->past_end = 0;
    return c;
}

ISAL_PUBLIC char *gzgets(gzFile file, char *buf, int len)
{
    struct gz *gz = isalk_gz_file(file, GZ_READ);
    size_t left = len > 0 ? (size_t) len - 1 : 0;
    uint8_t *to = (uint8_t *) buf;
    int complete = 0;

    if (gz == NULL || buf == NULL || len < 1 || !complete_seek(gz))
        return NULL;
    while (left > 0 && !complete) {
        const uint8_t *newline;
        size_t n;

        if (gz->visible.have == 0 && !isalk_gz_fetch(gz))
            return NULL;
        if (gz->visible.have == 0) {
            gz->past_end = 1;
            break;
        }
        n = gz->visible.have < left ? gz->visible.have : left;
        newline = memchr(gz->visible.next, '\n', n);
        if (newline != NULL) {
            n = (size_t) (newline - gz->visible.next) + 1;
            complete = 1;
        }
        memcpy(to, gz->visible.next, n);
        gz_consume(gz, n);
        left -= n;
        to += n;
    }
    if (to == (uint8_t *) buf)
        return NULL;
    *to = 0;
    return buf;
}

ISAL_PUBLIC int gzdirect(gzFile file)
{
    struct gz *gz = (struct gz *) (void *) file;

    if (gz == NULL)
        return 0;
    if (gz->mode == GZ_READ && gz->content == GZ_UNKNOWN && gz->visible.have == 0)
        isalk_gz_detect(gz);
    return gz->direct;
}

ISAL_PUBLIC int gzclose_r(gzFile file)
{
    struct gz *gz = (struct gz *) (void *) file;
    int result;

    if (gz == NULL || gz->mode != GZ_READ)
        return Z_STREAM_ERROR;
    result = gz->error == Z_BUF_ERROR ? Z_BUF_ERROR : Z_OK;
    if (gz->in != NULL)
        inflateEnd(&gz->strm);
    return isalk_gz_close(gz, result);
}
