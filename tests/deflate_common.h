/* Inputs and streams for the tests of compression.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_COMMON_H
#define DEFLATE_COMMON_H

#include "test.h"

#include "isa-l.h"

#include "inflate_reference.h"

#include "igzip/format/deflate_format.h"

enum { MAX_INPUT = 300000, MAX_OUTPUT = 2 * MAX_INPUT + 100000 };
enum { GUARD = 64 }; /* bytes after a level buffer, which must not change */
enum { LEVELS = ISAL_DEF_HIGHEST_LEVEL + 1, MAX_LEVEL_BUF = 4 << 20 };

static uint8_t input[MAX_INPUT], output[MAX_OUTPUT], decoded[MAX_INPUT + 70000];
static struct isal_zstream stream;
static uint8_t *guarded_buf;

/* Bytes of the smallest level buffer of a level. */
static inline uint32_t level_min(unsigned level)
{
    static const uint32_t sizes[] = {0, ISAL_DEF_LVL1_MIN, ISAL_DEF_LVL2_MIN, ISAL_DEF_LVL3_MIN};

    return level <= ISAL_DEF_MAX_LEVEL ? sizes[level] : isal_deflate_level_buf_size(level);
}

/* A level buffer of this size at any alignment, with a guard after it. */
static inline uint8_t *make_level_buf(uint32_t size)
{
    unsigned skip = test_random(64);

    free(guarded_buf);
    guarded_buf = test_alloc(skip + size + GUARD);
    memset(guarded_buf, 0x5b, skip + size + GUARD);
    return guarded_buf + skip;
}

static inline int is_guard_intact(const uint8_t *buf, uint32_t size)
{
    for (unsigned i = 0; buf && i < GUARD; i++)
        if (buf[size + i] != 0x5b)
            return 0;
    return 1;
}

/* ---- Data ---- */

/* Writes input[i] to input[n - 1]: random bytes, few values, one value, repeats, skewed values, or
 * records of one size that change little. */
static inline void make_bytes(size_t i, size_t n)
{
    unsigned kind = test_random(7), values = 1 + test_random(256);
    size_t record = 1 + test_random(test_random(2) ? 8 : 3000);
    unsigned often = test_random(2) ? 40 : 5000;

    while (i < n) {
        if (kind == 3 && i > 4 && test_random(3)) {
            size_t back = 1 + test_random((unsigned) (i < 40000 ? i : 40000));
            size_t length = 1 + test_random(test_random(2) ? 300 : 12);

            for (; length > 0 && i < n; length--, i++)
                input[i] = input[i - back];
        } else if (kind == 6 && i >= record && test_random(often)) {
            input[i] = input[i - record];
            i++;
        } else {
            input[i++] = (uint8_t) (kind == 0   ? test_random(256)
                                    : kind == 1 ? 'a' + test_random(3)
                                    : kind == 2 ? values
                                    : kind == 3 ? test_random(256)
                                                : test_random(1 + test_random(values)));
        }
    }
}

static inline size_t make_size(size_t max)
{
    return test_random(4) ? test_random(test_random(2) ? 5000 : 60) : test_random((unsigned) max);
}

/* Makes up to `max` bytes of input of one kind, or of a few one after the other; returns their
 * number. */
static inline size_t make_input(size_t max)
{
    size_t n = make_size(max), part = test_random(2) ? n : 1 + test_random(60000);

    for (size_t i = 0; i < n; i += part) {
        part = part < n - i ? part : n - i;
        make_bytes(i, i + part);
    }
    return n;
}

static inline uint32_t adler32(const uint8_t *bytes, size_t n)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < n; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static inline uint32_t crc32(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static inline uint32_t little_endian(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16 |
           (uint32_t) bytes[3] << 24;
}

static inline uint32_t big_endian(const uint8_t *bytes)
{
    return bytes[3] | (uint32_t) bytes[2] << 8 | (uint32_t) bytes[1] << 16 |
           (uint32_t) bytes[0] << 24;
}

/* Returns whether `size` bytes of output are a stream of the first n bytes of input, in this
 * wrapper and with this dictionary; `window` limits distances. */
static inline int is_stream(size_t size, size_t n, unsigned wrapper, const uint8_t *dict,
                            size_t dict_size, size_t window)
{
    size_t header = wrapper == IGZIP_GZIP ? 10 : wrapper == IGZIP_ZLIB ? 2 : 0;
    size_t trailer = wrapper == 0 ? 0 : wrapper <= IGZIP_GZIP_NO_HDR ? 8 : 4;
    struct reference r = {0};
    const uint8_t *end;

    if (size < header + trailer)
        return 0;
    if (dict_size > 32768) {
        dict += dict_size - 32768;
        dict_size = 32768;
    }
    if (dict_size > 0)
        memcpy(decoded, dict, dict_size);
    r.in = output + header;
    r.in_size = size - header - trailer;
    r.out = decoded;
    r.out_size = sizeof(decoded);
    r.made = dict_size;
    if (reference_inflate(&r) || !r.finished || (r.bit + 7) / 8 != r.in_size ||
        r.made - dict_size != n || memcmp(decoded + dict_size, input, n) || r.farthest > window)
        return 0;
    if (header == 10 && (output[0] != 0x1f || output[1] != 0x8b || output[2] != 8 || output[3]))
        return 0;
    if (header == 2 && ((output[0] & 15) != 8 || (output[0] << 8 | output[1]) % 31))
        return 0;
    end = output + size - trailer;
    if (trailer == 8)
        return little_endian(end) == crc32(input, n) && little_endian(end + 4) == (uint32_t) n;
    return trailer != 4 || big_endian(end) == adler32(input, n);
}

/* ---- Streams ---- */

/* How a test divides a stream. */
struct division {
    unsigned max_in, max_out; /* bytes that a call gets */
    unsigned flush;           /* 0 to 2, or 3: any */
    unsigned always_one;      /* one call in this many has room for one byte of output; 0: none */
};

/* Initializes `stream`, with a level buffer of this size. */
static inline void start_stream(uint32_t level, uint32_t buf_size)
{
    memset(&stream, 0xa5, sizeof(stream));
    isal_deflate_init(&stream);
    stream.level = level;
    stream.level_buf = level ? make_level_buf(buf_size) : NULL;
    stream.level_buf_size = level ? buf_size : 0;
    stream.avail_in = 0;
    stream.avail_out = 0;
}

/* Compresses n bytes of input; returns the size, or 0 after a failure. Input that is not consumed
 * moves between calls, and consumed input is overwritten. */
static inline size_t run_stream(size_t n, const struct division *d)
{
    uint8_t *here = NULL;
    size_t given = 0, size = 0;

    for (unsigned calls = 0; stream.internal_state.state != ZSTATE_END; calls++) {
        size_t more = d->max_in ? test_random(d->max_in + 1) : n;
        uint32_t room = d->max_out ? test_random(d->max_out + 1) : MAX_OUTPUT, before;
        uint8_t *next = test_alloc(stream.avail_in + n);

        if (calls > 2000) { /* long enough; then in large steps, so that it ends */
            more = n;
            room = 5000;
        }
        if (d->always_one && test_random(d->always_one) == 0)
            room = 1;
        more = more < n - given ? more : n - given;
        if (stream.avail_in)
            memcpy(next, stream.next_in, stream.avail_in);
        memcpy(next + stream.avail_in, input + given, more);
        if (here)
            memset(here, 0xdd, 1);
        free(here);
        here = next;
        stream.next_in = next;
        stream.avail_in += (uint32_t) more;
        given += more;
        stream.end_of_stream = given == n;
        stream.flush = (uint16_t) (calls > 2000 ? 0 : d->flush == 3 ? test_random(3) : d->flush);
        room = room < MAX_OUTPUT - size ? room : (uint32_t) (MAX_OUTPUT - size);
        stream.next_out = output + size;
        stream.avail_out = room;
        before = stream.total_in + stream.avail_in;
        if (!EXPECT(isal_deflate(&stream) == COMP_OK, "call %u", calls) ||
            !EXPECT(!stream.avail_in || !stream.avail_out, "%u in and %u out are left",
                    stream.avail_in, stream.avail_out) ||
            !EXPECT(stream.total_in + stream.avail_in == before, "total_in") ||
            !EXPECT(stream.next_out + stream.avail_out == output + size + room, "next_out"))
            break;
        size = (size_t) (stream.next_out - output);
        if (!EXPECT(stream.total_out == size, "total_out") ||
            !EXPECT(calls < 100000, "the stream does not end"))
            break;
    }
    free(here);
    EXPECT(is_guard_intact(stream.level_buf, stream.level_buf_size),
           "bytes after the level buffer");
    return stream.internal_state.state == ZSTATE_END ? size : 0;
}

#endif
