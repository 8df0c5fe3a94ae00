/* The contract of compression.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include "test.h"

#include "isa-l.h"
#include "inflate_reference.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#define HAVE_DLOPEN 1
#else
#define HAVE_DLOPEN 0
#endif

enum { MOST_INPUT = 300000, MOST_OUTPUT = 2 * MOST_INPUT + 100000, LEVELS = 4 };

static const uint32_t level_min[LEVELS] = {0, ISAL_DEF_LVL1_MIN, ISAL_DEF_LVL2_MIN,
                                           ISAL_DEF_LVL3_MIN};
static uint8_t level_buf[ISAL_DEF_LVL3_EXTRA_LARGE + 64];
static uint8_t *exact_buf; /* a level buffer that ends with its memory */

enum { BEHIND = 64 }; /* bytes behind the buffer, which have to stay as they are */

/* A level buffer of this size, at any alignment, with something behind it. */
static uint8_t *make_level_buf(uint32_t size)
{
    unsigned skip = test_random(64);

    free(exact_buf);
    exact_buf = test_alloc(skip + size + BEHIND);
    memset(exact_buf, 0x5b, skip + size + BEHIND);
    return exact_buf + skip;
}

static int is_level_buf_left(const uint8_t *buf, uint32_t size)
{
    for (unsigned i = 0; buf && i < BEHIND; i++)
        if (buf[size + i] != 0x5b)
            return 0;
    return 1;
}
static uint8_t input[MOST_INPUT], output[MOST_OUTPUT], decoded[MOST_INPUT + 70000];

/* ---- Data ---- */

/* Bytes i to n: of one of several kinds: random, of few values, all alike, repeating, skewed, or records
 * of one size that change little. */
static void make_bytes(size_t i, size_t n)
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

static size_t make_size(size_t most)
{
    return test_random(4) ? test_random(test_random(2) ? 5000 : 60) : test_random((unsigned) most);
}

/* Bytes of one kind or of a few, one after the other. */
static size_t make_input(size_t most)
{
    size_t n = make_size(most), part = test_random(2) ? n : 1 + test_random(60000);

    for (size_t i = 0; i < n; i += part) {
        part = part < n - i ? part : n - i;
        make_bytes(i, i + part);
    }
    return n;
}

static uint32_t adler32(const uint8_t *bytes, size_t n)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < n; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint32_t crc32(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static uint32_t little_endian(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16 |
           (uint32_t) bytes[3] << 24;
}

static uint32_t big_endian(const uint8_t *bytes)
{
    return bytes[3] | (uint32_t) bytes[2] << 8 | (uint32_t) bytes[1] << 16 |
           (uint32_t) bytes[0] << 24;
}

/* Whether `size` bytes of output are a stream of the first n bytes of input, in this wrapper and
 * with this dictionary; `window` limits distances. */
static int is_stream(size_t size, size_t n, unsigned wrapper, const uint8_t *dict, size_t dict_size,
                     size_t window)
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

static struct isal_zstream stream;

static void start_stream(uint32_t level, uint32_t buf_size)
{
    memset(&stream, 0xa5, sizeof(stream));
    isal_deflate_init(&stream);
    stream.level = level;
    stream.level_buf = level ? make_level_buf(buf_size) : NULL;
    stream.level_buf_size = level ? buf_size : 0;
    stream.avail_in = 0;
    stream.avail_out = 0;
}

/* How a test divides a stream. */
struct division {
    unsigned most_in, most_out; /* bytes that a call gets */
    unsigned flush;             /* 0 to 2, or 3: any */
    unsigned always_one;        /* one in so many calls has room for one byte of output; 0: none */
};

/* Compresses n bytes of input; returns the size, or 0 after a failure. Input that was not taken moves
 * between the calls, and what was taken is overwritten. */
static size_t run_stream(size_t n, const struct division *d)
{
    uint8_t *here = NULL;
    size_t given = 0, size = 0;

    for (unsigned calls = 0; stream.internal_state.state != ZSTATE_END; calls++) {
        size_t more = d->most_in ? test_random(d->most_in + 1) : n;
        uint32_t room = d->most_out ? test_random(d->most_out + 1) : MOST_OUTPUT, before;
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
        room = room < MOST_OUTPUT - size ? room : (uint32_t) (MOST_OUTPUT - size);
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
    EXPECT(is_level_buf_left(stream.level_buf, stream.level_buf_size), "behind the level buffer");
    return stream.internal_state.state == ZSTATE_END ? size : 0;
}

static void test_streams(void)
{
    static const struct division divisions[] = {
        {0, 0, 0, 0}, {100, 30, 0, 0}, {20000, 50000, 3, 0}, {1, 30, 3, 0}, {70000, 3, 1, 0},
    };

    for (unsigned i = 0; i < 800; i++) {
        size_t n = make_input(MOST_INPUT);
        unsigned level = test_random(LEVELS), wrapper = test_random(5), hist_bits = test_random(18);
        const struct division *d = &divisions[test_random(5)];
        size_t window = hist_bits == 0 || hist_bits > 15 ? 32768 : (size_t) 1 << hist_bits, size;

        start_stream(level, level_min[level] + (test_random(2) ? test_random(200000) : 0));
        stream.gzip_flag = (uint16_t) wrapper;
        stream.hist_bits = (uint16_t) hist_bits;
        if (test_random(2))
            isal_deflate_set_hufftables(&stream, NULL, IGZIP_HUFFTABLE_STATIC);
        size = run_stream(n, d);
        EXPECT(is_stream(size, n, wrapper, NULL, 0, window),
               "case %u: %zu bytes, level %u, wrapper %u, window %u, division %td", i, n, level,
               wrapper, hist_bits, d - divisions);
    }
}

/* A flush on every call, while output has room for one byte at a time. */
static void test_flush_byte_by_byte(void)
{
    for (unsigned i = 0; i < 400; i++) {
        struct division d = {1 + test_random(3000), 1 + test_random(40), 1 + i % 2, 2};
        unsigned level = test_random(LEVELS);
        size_t n = make_input(20000), size;

        start_stream(level, level_min[level]);
        size = run_stream(n, &d);
        EXPECT(is_stream(size, n, 0, NULL, 0, 32768), "case %u: %zu bytes, level %u, flush %u", i,
               n, level, d.flush);
    }
}

/* What follows a full flush decodes alone; after each flush, all of the input so far does. */
static void test_flush_points(void)
{
    for (unsigned i = 0; i < 150; i++) {
        unsigned level = test_random(LEVELS), flush = 1 + i % 2;
        size_t n = make_input(60000), given = 0, size = 0;
        struct reference r = {0};

        start_stream(level, level_min[level]);
        r.in = output;
        r.out = decoded;
        r.out_size = sizeof(decoded);
        while (given < n) {
            size_t part = 1 + test_random(9000);

            part = part < n - given ? part : n - given;
            stream.next_in = input + given;
            stream.avail_in = (uint32_t) part;
            stream.flush = (uint16_t) flush;
            stream.next_out = output + size;
            stream.avail_out = (uint32_t) (MOST_OUTPUT - size);
            EXPECT(isal_deflate(&stream) == COMP_OK, "flush");
            EXPECT(stream.internal_state.state == ZSTATE_NEW_HDR && stream.avail_in == 0,
                   "state %d", (int) stream.internal_state.state);
            given += part;
            size = stream.total_out;
            EXPECT(size >= 4 && !memcmp(output + size - 4, "\0\0\xff\xff", 4), "no marker");
            r.start = flush == FULL_FLUSH ? r.made : 0;
            r.in_size = size;
            if (!EXPECT(!reference_inflate(&r) && r.made == given && !memcmp(decoded, input, given),
                        "case %u: level %u, flush %u, %zu of %zu bytes", i, level, flush, given, n))
                break;
        }
        if (n > 0)
            EXPECT(isal_deflate(&stream) == COMP_OK && stream.total_out == size + 5u &&
                       output[size] == 0,
                   "an empty flush adds an empty block: %u bytes",
                   stream.total_out - (unsigned) size);
    }
}

/* ---- Splits ---- */

/* Where a flush is asked for, and its kind. */
struct flush_point {
    size_t at;
    unsigned flush;
};

/* Whether the state that a call returned with says that output is owed, as callers need it to. */
static int is_state_shown(const struct isal_zstream *z)
{
    enum isal_zstate_state state = z->internal_state.state, body = ZSTATE_TMP_FLUSH_ICF_BUFFER;

    if (z->level == 0)
        body = ZSTATE_TMP_BODY;
    if (z->avail_out > 0)
        return state < ZSTATE_TMP_OFFSET;
    return state == ZSTATE_NEW_HDR || state == ZSTATE_END || state == body ||
           state == ZSTATE_TMP_HDR || state == ZSTATE_TMP_SYNC_FLUSH || state == ZSTATE_TMP_TRL;
}

/* Compresses n bytes of input with these flushes, the last of which is the end of the stream. A
 * call gets at most so many bytes of input and room for output; 0: all of them. Returns the
 * size. */
static size_t run_split(const struct flush_point *point, unsigned most_in, unsigned most_out)
{
    size_t given = 0, size = 0;
    unsigned calls = 0;

    for (int done = 0; !done; point++) {
        int last = point->flush == NO_FLUSH, offered = 0;

        for (int flushed = 0; !flushed && !done; calls++) {
            size_t part = point->at - given, room = MOST_OUTPUT - size, taken;
            uint8_t *piece;

            if (most_in && !offered)
                part = test_random(most_in + 1);
            part = part < point->at - given ? part : point->at - given;
            offered = given + part == point->at; /* then all that is left is offered again */
            if (most_out && calls < 400000)
                room = test_random(most_out + 1);
            room = room < MOST_OUTPUT - size ? room : MOST_OUTPUT - size;
            piece = test_alloc(part + 1);
            if (part > 0)
                memcpy(piece, input + given, part);
            stream.next_in = piece;
            stream.avail_in = (uint32_t) part;
            stream.next_out = output + size;
            stream.avail_out = (uint32_t) room;
            stream.end_of_stream = last && offered;
            stream.flush = (uint16_t) (offered ? point->flush : NO_FLUSH);
            if (!EXPECT(isal_deflate(&stream) == COMP_OK, "deflate"))
                return 0;
            taken = part - stream.avail_in;
            free(piece);
            EXPECT(is_state_shown(&stream), "level %u: state %u with room for %u bytes left",
                   stream.level, stream.internal_state.state, stream.avail_out);
            given += taken;
            size = (size_t) (stream.next_out - output);
            done = stream.internal_state.state == ZSTATE_END;
            flushed = stream.flush != NO_FLUSH && given == point->at &&
                      (stream.avail_out > 0 || stream.internal_state.state == ZSTATE_NEW_HDR);
        }
        if (!EXPECT(!done == !last, "the end comes with the last byte of input"))
            return 0;
    }
    return size;
}

/* The bytes made depend on the data, the level and the flushes, not on what each call gets. */
static void test_splits(void)
{
    static const struct {
        unsigned most_in, most_out;
    } splits[] = {{0, 1}, {1, 0}, {0, 64}, {3, 3}, {300, 300}, {20000, 1000}, {70000, 70000}};
    static uint8_t first[MOST_OUTPUT], dict[40000];

    for (unsigned i = 0; i < 300; i++) {
        size_t n = make_input(i % 3 ? 60000 : MOST_INPUT), first_size, dict_size = 0;
        unsigned level = i % LEVELS, wrapper = test_random(5), points = test_random(3) ? 0 : 3;
        unsigned hist_bits = test_random(2) ? 0 : 1 + test_random(15);
        uint32_t buf_size = level_min[level] + (level ? test_random(2) * 200000 : 0);
        struct flush_point point[4];

        if (test_random(4) == 0)
            dict_size = test_random(sizeof(dict));
        for (size_t j = 0; j < dict_size; j++)
            dict[j] = n ? input[(j + i) % n] : (uint8_t) j;
        for (unsigned j = 0; j < points; j++) {
            size_t at = test_random((unsigned) n + 1);

            point[j].at = j && test_random(4) == 0 ? point[j - 1].at : at;
            point[j].flush = 1 + test_random(2);
            for (unsigned k = j; k > 0 && point[k].at < point[k - 1].at; k--) {
                at = point[k].at;
                point[k].at = point[k - 1].at;
                point[k - 1].at = at;
            }
        }
        point[points].at = n;
        point[points].flush = NO_FLUSH;
        for (unsigned k = 0; k < 4; k++) {
            unsigned split = (i / LEVELS + k) % (sizeof(splits) / sizeof(splits[0]));
            unsigned most_in = k ? splits[split].most_in : 0;
            unsigned most_out = k ? splits[split].most_out : 0;
            size_t size;

            start_stream(level, buf_size);
            stream.gzip_flag = (uint16_t) wrapper;
            stream.hist_bits = (uint16_t) hist_bits;
            if (dict_size)
                EXPECT(isal_deflate_set_dict(&stream, dict, (uint32_t) dict_size) == COMP_OK,
                       "dictionary");
            size = run_split(point, most_in, most_out);
            if (k == 0) {
                first_size = size;
                memcpy(first, output, size);
                continue;
            }
            if (!EXPECT(size == first_size && !memcmp(first, output, size),
                        "case %u: level %u, %zu bytes, dictionary %zu, %u flushes, window %u: "
                        "%zu bytes in one call, %zu with at most %u in and %u out",
                        i, level, n, dict_size, points, hist_bits, first_size, size, most_in,
                        most_out))
                return;
        }
    }
}

/* A block that is full in the middle of a run ends in the same place, however much input is at
 * hand. */
static void test_run_fills_block(void)
{
    static uint8_t first[MOST_OUTPUT];

    for (unsigned i = 0; i < 40; i++) {
        size_t n = MOST_INPUT, letters = 1000 + test_random(2500), first_size, size;
        struct flush_point end = {n, NO_FLUSH};
        unsigned most_in = 1 + test_random(i % 2 ? 3000 : 20000);

        memset(input, 0, n);
        for (size_t k = 0; k < letters; k++)
            input[k] = (uint8_t) ('a' + test_random(20));
        start_stream(1, level_min[1]);
        first_size = run_split(&end, 0, 0);
        memcpy(first, output, first_size);
        start_stream(1, level_min[1]);
        size = run_split(&end, most_in, 0);
        EXPECT(size == first_size && !memcmp(first, output, size),
               "case %u: %zu letters, %zu bytes in one call, %zu with at most %u in", i, letters,
               first_size, size, most_in);
    }
}

/* Input is consumed while output has no room, until the stream's buffer is full. */
static void test_absorption(void)
{
    for (unsigned level = 0; level < LEVELS; level++) {
        size_t given = 0;

        for (size_t i = 0; i < MOST_INPUT; i++)
            input[i] = (uint8_t) ('a' + test_random(20));
        start_stream(level, level_min[level] + (level ? 200000 : 0));
        stream.next_out = output;
        stream.avail_out = 0;
        do {
            stream.next_in = input + given;
            stream.avail_in = 1000;
            if (!EXPECT(isal_deflate(&stream) == COMP_OK, "deflate"))
                return;
            given += 1000 - stream.avail_in;
        } while (stream.avail_in == 0 && given + 1000 <= MOST_INPUT);
        EXPECT(given == stream.total_in && given >= 55000, "level %u: %zu bytes", level, given);
        EXPECT(is_state_shown(&stream) && stream.internal_state.state >= ZSTATE_TMP_OFFSET,
               "level %u: state %u", level, stream.internal_state.state);
    }
}

/* ---- One call ---- */

static void test_stateless(void)
{
    static const unsigned extra[5] = {0, 18, 8, 6, 4};

    for (unsigned i = 0; i < 600; i++) {
        size_t n = make_input(MOST_INPUT);
        unsigned level = test_random(LEVELS), wrapper = test_random(5);
        uint32_t bound = (uint32_t) (n + 5 * (n ? (n + 65534) / 65535 : 1) + extra[wrapper]), size;
        uint8_t *exact;

        memset(&stream, 0xa5, sizeof(stream));
        isal_deflate_stateless_init(&stream);
        stream.level = level;
        if (level > 1 || (level == 1 && test_random(2))) {
            stream.level_buf_size = level_min[level] + (test_random(2) ? test_random(200000) : 0);
            stream.level_buf = make_level_buf(stream.level_buf_size);
        }
        stream.gzip_flag = (uint16_t) wrapper;
        stream.next_in = input;
        stream.avail_in = (uint32_t) n;
        stream.next_out = output;
        stream.avail_out = bound;
        if (!EXPECT(isal_deflate_stateless(&stream) == COMP_OK, "%zu bytes, level %u", n, level))
            continue;
        size = stream.total_out;
        EXPECT(stream.avail_in == 0 && stream.total_in == n && stream.end_of_stream == 1 &&
                   stream.internal_state.state == ZSTATE_END && stream.avail_out == bound - size,
               "counters");
        EXPECT(is_stream(size, n, wrapper, NULL, 0, 32768),
               "case %u: %zu bytes, level %u, wrapper %u", i, n, level, wrapper);

        /* With less room it fits, or says that it does not, and writes no more. */
        exact = test_alloc(size + 8);
        for (uint32_t room = size < 12 ? 0 : size - 12; room <= size + 7; room++) {
            int status;

            memset(exact, 0xcc, size + 8);
            isal_deflate_reset(&stream);
            stream.next_in = input;
            stream.avail_in = (uint32_t) n;
            stream.next_out = exact;
            stream.avail_out = room;
            status = isal_deflate_stateless(&stream);
            EXPECT(status == COMP_OK || (status == STATELESS_OVERFLOW && room < size + 7),
                   "%d with %u bytes for %u", status, room, size);
            EXPECT(room == size + 8 || exact[room] == 0xcc, "it wrote too much");
        }
        free(exact);
    }
}

/* Pieces with a full flush make one stream. */
static void test_stateless_pieces(void)
{
    for (unsigned i = 0; i < 150; i++) {
        size_t n = make_input(MOST_INPUT), given = 0;
        unsigned level = test_random(LEVELS);

        isal_deflate_stateless_init(&stream);
        stream.level = level;
        stream.level_buf = level_buf;
        stream.level_buf_size = level_min[level];
        stream.next_out = output;
        stream.avail_out = MOST_OUTPUT;
        stream.flush = FULL_FLUSH;
        do {
            size_t part = test_random(40000);

            part = part < n - given ? part : n - given;
            stream.next_in = input + given;
            stream.avail_in = (uint32_t) part;
            given += part;
            stream.end_of_stream = given == n;
            EXPECT(isal_deflate_stateless(&stream) == COMP_OK, "piece");
            EXPECT(stream.internal_state.state == (given == n ? ZSTATE_END : ZSTATE_NEW_HDR),
                   "state");
        } while (given < n);
        EXPECT(is_stream(stream.total_out, n, 0, NULL, 0, 32768), "case %u: level %u", i, level);
    }
}

/* ---- Return codes ---- */

static void test_errors(void)
{
    start_stream(0, 0);
    stream.flush = 3;
    EXPECT(isal_deflate(&stream) == INVALID_FLUSH, "flush 3");
    stream.flush = 0;
    stream.level = 7;
    EXPECT(isal_deflate(&stream) == ISAL_INVALID_LEVEL_BUF, "level 7 without a buffer");
    stream.level_buf = level_buf;
    stream.level_buf_size = sizeof(level_buf);
    EXPECT(isal_deflate(&stream) == ISAL_INVALID_LEVEL, "level 7");
    for (unsigned level = 1; level < LEVELS; level++) {
        start_stream(level, level_min[level] - 1);
        EXPECT(isal_deflate(&stream) == ISAL_INVALID_LEVEL, "small buffer");
        EXPECT(isal_deflate_stateless(&stream) == ISAL_INVALID_LEVEL, "small buffer");
        stream.level_buf = NULL;
        EXPECT(isal_deflate(&stream) == ISAL_INVALID_LEVEL_BUF, "no buffer");
        if (level > 1)
            EXPECT(isal_deflate_stateless(&stream) == ISAL_INVALID_LEVEL_BUF, "no buffer");
    }
    start_stream(0, 0);
    stream.flush = SYNC_FLUSH;
    EXPECT(isal_deflate_stateless(&stream) == INVALID_FLUSH, "stateless sync flush");
}

static void test_init(void)
{
    memset(&stream, 0x5a, sizeof(stream));
    isal_deflate_init(&stream);
    EXPECT(!stream.total_in && !stream.total_out && !stream.level && !stream.level_buf &&
               !stream.level_buf_size && !stream.end_of_stream && !stream.flush &&
               !stream.gzip_flag && !stream.hist_bits && stream.hufftables &&
               stream.internal_state.state == ZSTATE_NEW_HDR,
           "init");
    EXPECT(stream.avail_in == 0x5a5a5a5a && stream.avail_out == 0x5a5a5a5a, "the caller's members");
    stream.end_of_stream = 1;
    stream.total_in = stream.total_out = 3;
    isal_deflate_reset(&stream);
    EXPECT(!stream.total_in && !stream.total_out && stream.end_of_stream == 1, "reset");
}

static void test_readable_state(void)
{
    start_stream(1, sizeof(level_buf) - 64);
    memcpy(input, "hello", 5);
    stream.gzip_flag = IGZIP_ZLIB;
    stream.next_in = input;
    stream.avail_in = 5;
    stream.next_out = output;
    stream.avail_out = MOST_OUTPUT;
    stream.end_of_stream = 1;
    EXPECT(isal_deflate(&stream) == COMP_OK && stream.internal_state.state == ZSTATE_END, "hello");
    EXPECT(stream.internal_state.crc == 0x062c0214, "crc %08x", stream.internal_state.crc);
    EXPECT(stream.total_out == 13 &&
               !memcmp(output, "\x78\x5e\xcb\x48\xcd\xc9\xc9\x07\0\x06\x2c\x02\x15", 13),
           "zlib of hello");
    stream.avail_in = 5;
    EXPECT(isal_deflate(&stream) == COMP_OK && stream.avail_in == 0 && stream.total_out == 13,
           "after the end");
}

/* ---- Huffman tables ---- */

static void test_hufftables(void)
{
    static struct isal_huff_histogram histogram;
    static struct isal_hufftables tables;

    memset(&histogram, 0, sizeof(histogram));
    memcpy(input, "abcdefghabcdefghabcdefgh", 24);
    isal_update_histogram(input, 24, &histogram);
    isal_update_histogram(input, 0, &histogram);
    EXPECT(histogram.lit_len_histogram[256] == 1, "end of block");
    for (unsigned i = 0; i < 400; i++) {
        unsigned kind = i % 3;
        size_t n = make_input(60000), size;

        memset(&histogram, 0, sizeof(histogram));
        if (kind == 0)
            for (unsigned j = 0; j < 286; j++)
                histogram.lit_len_histogram[j] = (uint64_t) test_random(1u << 31)
                                                 << test_random(33);
        else
            isal_update_histogram(input, (int) n, &histogram);
        if (kind == 1)
            EXPECT(isal_create_hufftables_subset(&tables, &histogram) == 0, "subset");
        else
            EXPECT(isal_create_hufftables(&tables, &histogram) == 0, "create");
        EXPECT((tables.deflate_hdr[0] & 7) == 5, "header of a last dynamic block");
        for (unsigned j = 0; j < 257 && kind != 1; j++)
            EXPECT(tables.lit_table_sizes[j] > 0 && tables.lit_table_sizes[j] <= 15, "literal %u",
                   j);
        start_stream(0, 0);
        EXPECT(isal_deflate_set_hufftables(&stream, &tables, IGZIP_HUFFTABLE_CUSTOM) == COMP_OK,
               "set");
        size = run_stream(n, &(struct division){test_random(2) ? 9000 : 0, 0, test_random(4), 0});
        EXPECT(is_stream(size, n, 0, NULL, 0, 32768), "case %u", i);
    }
    start_stream(0, 0);
    EXPECT(isal_deflate_set_hufftables(&stream, NULL, IGZIP_HUFFTABLE_CUSTOM) ==
                   ISAL_INVALID_OPERATION &&
               isal_deflate_set_hufftables(&stream, &tables, 3) == ISAL_INVALID_OPERATION,
           "bad arguments");
    stream.next_in = input;
    stream.avail_in = 4;
    stream.next_out = output;
    stream.avail_out = 2;
    isal_deflate(&stream);
    EXPECT(isal_deflate_set_hufftables(&stream, NULL, IGZIP_HUFFTABLE_STATIC) ==
               ISAL_INVALID_OPERATION,
           "in a block");
}

/* ---- Dictionaries ---- */

static void test_dictionaries(void)
{
    static uint8_t dict[40000];
    static struct isal_dict ready;

    for (unsigned i = 0; i < 400; i++) {
        size_t n = make_size(60000), dict_size = test_random(sizeof(dict)), size, plain;
        unsigned level = test_random(LEVELS);
        struct division d = {test_random(2) ? 9000 : 0, test_random(2) ? 2000 : 0, test_random(4),
                             0};

        make_bytes(0, n);
        for (size_t j = 0; j < dict_size; j++)
            dict[j] = n ? input[(j + i) % n] : (uint8_t) j;
        start_stream(level, level_min[level]);
        if (i % 2 && dict_size) {
            memset(&ready, (int) test_random(256), sizeof(ready));
            EXPECT(isal_deflate_process_dict(&stream, &ready, dict, (uint32_t) dict_size) ==
                       COMP_OK,
                   "process");
            EXPECT(isal_deflate_reset_dict(&stream, &ready) == COMP_OK, "reset");
        } else {
            EXPECT(isal_deflate_set_dict(&stream, dict, (uint32_t) dict_size) == COMP_OK, "set");
        }
        size = run_stream(n, &d);
        EXPECT(is_stream(size, n, 0, dict, dict_size, 32768), "case %u: level %u", i, level);
        if (n > 100 && n < 5000 && dict_size > n && d.flush == 0) {
            start_stream(level, level_min[level]);
            plain = run_stream(n, &d);
            EXPECT(size <= plain + 8, "a dictionary with the data: %zu bytes, without %zu", size,
                   plain);
        }
    }
    /* What a dictionary has is found there, whatever memory the level has. */
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0; i < 4; i++) {
            for (unsigned j = 0; j < 3000; j++)
                input[j] = dict[j] = (uint8_t) test_random(256);
            start_stream(level, level_min[level] + (i & 1 ? 200000 : 0));
            if (i & 2)
                EXPECT(isal_deflate_process_dict(&stream, &ready, dict, 3000) == COMP_OK &&
                           isal_deflate_reset_dict(&stream, &ready) == COMP_OK,
                       "level %u", level);
            else
                EXPECT(isal_deflate_set_dict(&stream, dict, 3000) == COMP_OK, "level %u", level);
            EXPECT(run_stream(3000, &(struct division){0, 0, 0, 0}) < 400, "level %u: %u", level,
                   i);
        }
    start_stream(1, level_min[1]);
    EXPECT(isal_deflate_process_dict(&stream, NULL, dict, 9) == ISAL_INVALID_STATE &&
               isal_deflate_process_dict(&stream, &ready, dict, 0) == ISAL_INVALID_STATE,
           "process with bad arguments");
    EXPECT(isal_deflate_process_dict(&stream, &ready, dict, 9) == COMP_OK && ready.hist_size == 9 &&
               ready.level == 1 && ready.hash_size == 8192,
           "process");
    stream.level = 2;
    EXPECT(isal_deflate_reset_dict(&stream, &ready) == ISAL_INVALID_STATE, "another level");
    stream.level = 1;
    stream.level_buf = NULL;
    EXPECT(isal_deflate_reset_dict(&stream, &ready) == ISAL_INVALID_LEVEL_BUF, "no buffer");
    ready.hist_size = 32769;
    EXPECT(isal_deflate_reset_dict(&stream, &ready) == ISAL_INVALID_STATE, "too much history");
    start_stream(1, level_min[1]);
    stream.next_in = input;
    stream.avail_in = 100;
    isal_deflate(&stream);
    EXPECT(isal_deflate_set_dict(&stream, dict, 5) == ISAL_INVALID_STATE, "input is buffered");
}

/* ---- Headers of the wrappers ---- */

static void test_headers(void)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 8, 0x1f, 4,   3, 2,   1,   2, 3,    3,   0,
                                   1,    2,    3, 'n',  'm', 0, 'c', 'm', 0, 0x6e, 0x10};
    static const struct {
        unsigned level, dict;
        uint8_t bytes[2];
    } zlib[] = {{0, 0, {0x78, 0x01}}, {1, 0, {0x78, 0x5e}}, {2, 0, {0x78, 0x9c}},
                {3, 0, {0x78, 0xda}}, {0, 1, {0x78, 0x3f}}, {3, 1, {0x78, 0xf9}}};
    uint8_t extra[] = {1, 2, 3};
    char name[] = "nm", comment[] = "cm";
    struct isal_gzip_header g;
    struct isal_zlib_header z;

    isal_gzip_header_init(&g);
    EXPECT(g.os == 255 && !g.name && !g.hcrc, "init");
    g.text = 1;
    g.time = 0x01020304;
    g.xflags = 2;
    g.os = 3;
    g.extra = extra;
    g.extra_len = g.extra_buf_len = 3;
    g.name = name;
    g.comment = comment;
    g.name_buf_len = g.comment_buf_len = 3;
    g.hcrc = 1;
    start_stream(0, 0);
    stream.next_out = output;
    stream.avail_out = sizeof(gzip) - 1;
    EXPECT(isal_write_gzip_header(&stream, &g) == sizeof(gzip) && stream.next_out == output,
           "too little room");
    stream.avail_out++;
    EXPECT(isal_write_gzip_header(&stream, &g) == 0 && !memcmp(output, gzip, sizeof(gzip)) &&
               stream.avail_out == 0 && stream.total_out == sizeof(gzip),
           "gzip header");
    g.extra_len = 65536;
    EXPECT(isal_write_gzip_header(&stream, &g) == UINT32_MAX, "too long a field");

    for (unsigned i = 0; i < sizeof(zlib) / sizeof(zlib[0]); i++) {
        isal_zlib_header_init(&z);
        z.info = 7;
        z.level = zlib[i].level;
        z.dict_flag = zlib[i].dict;
        z.dict_id = 0x01020304;
        stream.next_out = output;
        stream.avail_out = 1;
        EXPECT(isal_write_zlib_header(&stream, &z) == (z.dict_flag ? 6u : 2u), "too little room");
        stream.avail_out = 6;
        EXPECT(isal_write_zlib_header(&stream, &z) == 0 && !memcmp(output, zlib[i].bytes, 2) &&
                   (!z.dict_flag || big_endian(output + 2) == z.dict_id),
               "zlib header %u", i);
    }
}

/* ---- Sizes ---- */

/* Data that lose a little in every block: random bytes with a few matches of the shortest length,
 * far away or near, or a few values that are slightly more frequent, in pieces of any size. */
static void make_losing(size_t n)
{
    size_t end = 0;
    unsigned kind = 0, often = 1;

    for (size_t i = 0; i < n; i++) {
        if (i == end) {
            end = i + 1 + test_random(test_random(2) ? 70000 : 3000);
            kind = test_random(5);
            often = 2 + test_random(test_random(2) ? 10 : 300);
        }
        input[i] = (uint8_t) test_random(256);
        if (kind == 0 && i > 100 && test_random(often) == 0) {
            size_t back = 5 + test_random((unsigned) (i < 32000 ? i - 5 : 32000));

            for (unsigned k = 0; k < 5 && i < n; k++, i++)
                input[i] = input[i - back];
            i--;
        } else if (kind == 1 && test_random(often) == 0) {
            input[i] = 'e';
        } else if (kind == 2) {
            input[i] = (uint8_t) test_random(256 - often / 8);
        } else if (kind == 3 && often > 100) {
            input[i] = (uint8_t) ('a' + test_random(20));
        }
    }
}

/* One call with all input never makes more than stored blocks of DEFLATE's longest: programs size
 * their output by that. */
static void test_one_call_bound(void)
{
    static const unsigned wrapper_size[] = {0, 18, 8, 6, 4};
    static const unsigned near[] = {0, 4096, 8192, 16384, 32768, 65535, 131070, 196605, 262140};

    for (unsigned i = 0; i < 700; i++) {
        size_t n = i < 300 ? i
                   : i % 2 ? near[i / 2 % (sizeof(near) / sizeof(near[0]))] + test_random(5)
                   : test_random(2) ? test_random(10000)
                                    : test_random(MOST_INPUT);
        unsigned wrapper = test_random(5), level = 1 + i % (LEVELS - 1);
        size_t most = n + 5 * (1 + n / 65535) + wrapper_size[wrapper];

        switch (i % 5) {
        case 0:
            make_bytes(0, n);
            break;
        case 1:
            for (size_t k = 0; k < n; k++)
                input[k] = (uint8_t) test_random(256);
            break;
        default:
            make_losing(n);
        }
        start_stream(level, level_min[level] + test_random(2) * 200000);
        stream.gzip_flag = (uint16_t) wrapper;
        stream.next_in = input;
        stream.avail_in = (uint32_t) n;
        stream.next_out = output;
        stream.avail_out = (uint32_t) most;
        stream.end_of_stream = 1;
        stream.flush = (uint16_t) test_random(3);
        EXPECT(isal_deflate(&stream) == COMP_OK && stream.internal_state.state == ZSTATE_END,
               "%zu bytes do not fit in %zu at level %u", n, most, level);
        EXPECT(isal_deflate_bound(n, level, wrapper, 0, NULL) == most, "isal_deflate_bound()");
        EXPECT(is_stream(stream.total_out, n, wrapper, NULL, 0, 32768),
               "case %u: %zu bytes, level %u", i, n, level);
        if (i % 5 == 1 && n == 4096)
            EXPECT(stream.total_out == 4096 + 5 + wrapper_size[wrapper], "%u bytes",
                   stream.total_out);
    }
}

/* Codes that save a block less than the header of the stored block behind it takes must not add up:
 * repeats of every length among random bytes. */
static void test_small_savings(void)
{
    enum { RANDOM = 4096, MIXED = 2048, TURNS = 5, BACK = 1500 };
    const size_t turn = RANDOM + MIXED, n = TURNS * turn + RANDOM, most = n + 5;

    for (size_t repeat = 0; repeat < 400; repeat++)
        for (unsigned level = 1; level < LEVELS; level++) {
            test_fill_random(input, n);
            for (size_t at = RANDOM + MIXED / 4; at < TURNS * turn; at += turn)
                for (size_t k = at; k < at + repeat; k++)
                    input[k] = input[k - BACK];
            start_stream(level, level_min[level]);
            stream.next_in = input;
            stream.avail_in = (uint32_t) n;
            stream.next_out = output;
            stream.avail_out = (uint32_t) most;
            stream.end_of_stream = 1;
            EXPECT(isal_deflate(&stream) == COMP_OK && stream.internal_state.state == ZSTATE_END,
                   "repeats of %zu: more than %zu bytes at level %u", repeat, most, level);
        }
}

static void test_bound(void)
{
    for (unsigned i = 0; i < 600; i++) {
        unsigned level = test_random(LEVELS), wrapper = test_random(5), flush = test_random(3);
        size_t n = test_random(2) ? make_input(MOST_INPUT / 4) : test_random(3000), size = 0,
               given = 0;
        uint64_t flushes = 0, bound;

        if (i % 3 == 0)
            make_losing(n);

        start_stream(level, level_min[level]);
        stream.gzip_flag = (uint16_t) wrapper;
        do {
            size_t part = 1 + test_random(flush ? 300 : 100000);

            part = part < n - given ? part : n - given;
            stream.next_in = input + given;
            stream.avail_in = (uint32_t) part;
            given += part;
            stream.end_of_stream = given == n;
            stream.flush = (uint16_t) flush;
            flushes += flush != 0;
            stream.next_out = output + size;
            stream.avail_out = (uint32_t) (MOST_OUTPUT - size);
            EXPECT(isal_deflate(&stream) == COMP_OK, "deflate");
            size = stream.total_out;
        } while (given < n);
        bound = isal_deflate_bound(n, level, wrapper, flushes, NULL);
        EXPECT(size <= bound, "%zu bytes, level %u, wrapper %u: %zu, bound %llu", n, level, wrapper,
               size, (unsigned long long) bound);
    }
    EXPECT(isal_deflate_bound(1, 4, 0, 0, NULL) == UINT64_MAX &&
               isal_deflate_bound(1, 0, 5, 0, NULL) == UINT64_MAX &&
               isal_deflate_bound(UINT64_MAX, 1, 0, 0, NULL) == UINT64_MAX,
           "out of range");
}

/* ---- Incompressible data ---- */

/* n bytes from i on, in turn this many random ones and as many of one of these kinds: zeros, few
 * values, or what came `back` bytes before. */
enum other { ZEROS, LETTERS, REPEATS };

static void make_turns(size_t n, size_t random, size_t others, enum other other, size_t back)
{
    for (size_t i = 0; i < n; i++) {
        if (i % (random + others) < random)
            input[i] = (uint8_t) test_random(256);
        else
            input[i] = (uint8_t) (other == ZEROS     ? 0
                                  : other == LETTERS ? 'a' + test_random(16)
                                                     : input[i - back]);
    }
}

/* What compresses is found between incompressible data: at most a few hundred bytes of it are
 * stored each time, and of the incompressible ones nearly all. */
static void test_turns(void)
{
    static const struct {
        size_t random, others;
        enum other other;
        size_t back;
        unsigned eighths; /* of the others' bytes, that they are compressed to */
        unsigned lost;    /* bytes each time, at most */
    } turns[] = {
        {65536, 20480, ZEROS, 0, 0, 500},        {32768, 32768, LETTERS, 0, 4, 900},
        {9000, 9000, LETTERS, 0, 4, 900},        {20000, 4000, REPEATS, 20000, 0, 700},
        {40000, 30000, REPEATS, 31000, 0, 1100}, {16384, 4096, LETTERS, 0, 4, 900},
    };
    enum { SIZE = MOST_INPUT };

    for (unsigned i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
        for (unsigned level = 1; level < LEVELS; level++) {
            size_t turn = turns[i].random + turns[i].others, times = SIZE / turn, n = times * turn;
            size_t most =
                times * (turns[i].random + turns[i].others * turns[i].eighths / 8 + turns[i].lost);

            make_turns(n, turns[i].random, turns[i].others, turns[i].other, turns[i].back);
            start_stream(level, level_min[level] + 200000);
            EXPECT(is_stream(run_stream(n, &(struct division){0, 0, 0, 0}), n, 0, NULL, 0, 32768) &&
                       stream.total_out <= most,
                   "level %u, %zu random bytes and %zu of kind %u: %zu to %u, at most %zu", level,
                   turns[i].random, turns[i].others, turns[i].other, n, stream.total_out, most);
        }

    /* Bytes of which some values never occur. */
    for (unsigned level = 1; level < LEVELS; level++) {
        for (size_t k = 0; k < SIZE; k++)
            input[k] = (uint8_t) test_random(232);
        start_stream(level, level_min[level] + 200000);
        EXPECT(run_stream(SIZE, &(struct division){0, 0, 0, 0}) < SIZE - SIZE / 100,
               "level %u, 232 values: %u", level, stream.total_out);
    }
}

/* ---- Repeats without end ---- */

/* n bytes at `to`: random ones of half the values, then repeats of this period, or, for 0, bytes of any
 * value, and random ones of which each 40 come twice. Returns how many take much room. */
static size_t make_run(uint8_t *to, size_t n, size_t period)
{
    size_t twice = 4000, random = test_random(2) ? 1500 : 50000;

    for (size_t i = 0; i < n; i++) {
        if (i < random || (i >= n - twice && (n - i) / 40 % 2))
            to[i] = (uint8_t) test_random(128);
        else if (period == 0 && i < n - twice)
            to[i] = (uint8_t) test_random(256);
        else
            to[i] = to[i - (i >= n - twice ? 40 : period)];
    }
    return period ? random + twice : n;
}

static void test_runs(void)
{
#if HAVE_DLOPEN
    static const size_t periods[] = {1, 3, 300, 1400, 0};
    size_t page = (size_t) sysconf(_SC_PAGESIZE), most = 5000000 / page * page;
    uint8_t *map = mmap(NULL, most + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *back = test_alloc(most);
    struct inflate_state inflate;

    if (!EXPECT(map != MAP_FAILED && !mprotect(map + page, most, PROT_READ | PROT_WRITE), "mmap"))
        return;
    for (unsigned i = 0; i < 120; i++) {
        /* Offsets in the hash table that are moved by 16 bits of a little more than 65536 stay large. */
        unsigned level = i % LEVELS, hist_bits = test_random(2) ? 15 : 9 + test_random(6);
        size_t little = ((size_t) 1 << hist_bits) + 4300 + test_random(3000);
        size_t period = periods[i % 5], n = 65536 * (2 + test_random(3)) + little, random;
        uint8_t *from;

        if (i < 20 && period && level)
            n = most;
        from = test_random(2) ? map + page : map + page + most - n;
        random = make_run(from, n, period);
        if (period >> hist_bits)
            random = n;
        start_stream(level, level_min[level] + test_random(3000));
        stream.hist_bits = (uint16_t) hist_bits;
        stream.next_in = from;
        stream.avail_in = (uint32_t) n;
        stream.next_out = output;
        stream.avail_out = MOST_OUTPUT;
        stream.end_of_stream = 1;
        EXPECT(isal_deflate(&stream) == COMP_OK && stream.avail_in == 0 &&
                   stream.total_out < 2 * random + 5000 + n / (level ? 180 : 60),
               "level %u, period %zu: %zu bytes to %u", level, period, n, stream.total_out);
        EXPECT(is_level_buf_left(stream.level_buf, stream.level_buf_size), "behind the buffer");
        isal_inflate_init(&inflate);
        inflate.next_in = output;
        inflate.avail_in = stream.total_out;
        inflate.next_out = back;
        inflate.avail_out = (uint32_t) most;
        EXPECT(isal_inflate(&inflate) == ISAL_DECOMP_OK && inflate.total_out == n &&
                   !memcmp(back, from, n),
               "level %u, period %zu: %zu bytes come back as %u", level, period, n,
               inflate.total_out);
    }
    free(back);
    munmap(map, most + 2 * page);
#else
    test_skip("no pages without access here");
#endif
}

/* ---- Every tier writes the same ---- */

static void test_tiers(void)
{
    static const char *const tiers[] = {"base", "sse", "avx", "avx2", "avx512"};
    static uint8_t first[MOST_OUTPUT];

    for (unsigned i = 0; i < 100; i++) {
        size_t n = make_input(MOST_INPUT), first_size = 0;
        unsigned level = test_random(LEVELS), flush = test_random(3), part = 1 + test_random(50000);

        for (unsigned t = 0; t < sizeof(tiers) / sizeof(tiers[0]); t++) {
            size_t given = 0;

            isal_set_isa_limit(tiers[t]);
            isal_deflate_init(&stream);
            stream.level = level;
            stream.level_buf = level_buf;
            stream.level_buf_size = level_min[level] + 40000;
            stream.next_out = output;
            stream.avail_out = MOST_OUTPUT;
            stream.flush = (uint16_t) flush;
            do {
                size_t now = part < n - given ? part : n - given;

                stream.next_in = input + given;
                stream.avail_in = (uint32_t) now;
                given += now;
                stream.end_of_stream = given == n;
                EXPECT(isal_deflate(&stream) == COMP_OK, "deflate");
            } while (given < n);
            if (t == 0) {
                first_size = stream.total_out;
                memcpy(first, output, first_size);
            }
            EXPECT(stream.total_out == first_size && !memcmp(first, output, first_size),
                   "level %u differs between base and %s", level, tiers[t]);
        }
    }
    isal_set_isa_limit(NULL);
}

/* ---- Other decoders, and real data ---- */

#if HAVE_DLOPEN
/* The whole of libdeflate's interface that is needed, and zlib's: they are not needed to build. */
typedef int uncompress_fn(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
                          unsigned long source_len);
typedef void *alloc_decompressor_fn(void);
typedef void free_decompressor_fn(void *d);
typedef int zlib_decompress_fn(void *d, const void *in, size_t in_size, void *out, size_t out_room,
                               size_t *out_size);

static void *symbol(const char *file, const char *name)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL),
         *found = library ? dlsym(library, name) : NULL;

    if (!found)
        test_skip("no %s", file);
    return found;
}
#endif

static void test_other_decoders(void)
{
#if HAVE_DLOPEN
    uncompress_fn *uncompress;
    alloc_decompressor_fn *alloc;
    free_decompressor_fn *release = NULL;
    zlib_decompress_fn *decompress = NULL;
    void *found, *decompressor = NULL;

    /* Through void: ISO C has no conversion from objects to functions. */
    found = symbol("libz.so.1", "uncompress");
    memcpy(&uncompress, &found, sizeof(found));
    found = symbol("libdeflate.so.0", "libdeflate_alloc_decompressor");
    memcpy(&alloc, &found, sizeof(found));
    if (alloc) {
        found = symbol("libdeflate.so.0", "libdeflate_zlib_decompress");
        memcpy(&decompress, &found, sizeof(found));
        found = symbol("libdeflate.so.0", "libdeflate_free_decompressor");
        memcpy(&release, &found, sizeof(found));
        decompressor = alloc();
    }
    for (unsigned i = 0; i < 400 && (uncompress || decompressor); i++) {
        size_t n = make_input(MOST_INPUT), size, got;
        unsigned level = test_random(LEVELS);
        unsigned long length = MOST_INPUT;

        start_stream(level, level_min[level] + (test_random(2) ? 200000 : 0));
        stream.gzip_flag = IGZIP_ZLIB;
        size = run_stream(n, &(struct division){9000, 20000, test_random(4), 0});
        if (uncompress)
            EXPECT(uncompress(decoded, &length, output, (unsigned long) size) == 0 && length == n &&
                       !memcmp(decoded, input, n),
                   "zlib, case %u: level %u", i, level);
        if (decompressor)
            EXPECT(decompress(decompressor, output, size, decoded, MOST_INPUT, &got) == 0 &&
                       got == n && !memcmp(decoded, input, n),
                   "libdeflate, case %u: level %u", i, level);
    }
    if (decompressor)
        release(decompressor);
#else
    test_skip("this system has no dlopen()");
#endif
}

static void test_corpora(void)
{
    static const char *const names[] = {
        "calgary/book1", "calgary/geo",    "calgary/obj2",           "calgary/pic",
        "calgary/progp", "canterbury/sum", "canterbury/alice29.txt", "artificial/aaa.txt"};
    const char *folder = getenv("ISAL_CORPORA");
    unsigned found = 0;

    for (unsigned i = 0; folder && i < sizeof(names) / sizeof(names[0]); i++) {
        char path[1000];
        size_t n, size;
        FILE *file;

        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        file = fopen(path, "rb");
        if (!file)
            continue;
        n = fread(input, 1, MOST_INPUT, file);
        fclose(file);
        found++;
        for (unsigned level = 0; level < LEVELS; level++) {
            start_stream(level, level_min[level] + 200000);
            size = run_stream(n, &(struct division){0, 0, 0, 0});
            EXPECT(is_stream(size, n, 0, NULL, 0, 32768), "%s, level %u", names[i], level);
        }
    }
    if (!found)
        test_skip("no corpora: ISAL_CORPORA names their folder");
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_init);
    TEST(test_errors);
    TEST(test_readable_state);
    TEST(test_streams);
    TEST(test_flush_byte_by_byte);
    TEST(test_flush_points);
    TEST(test_splits);
    TEST(test_run_fills_block);
    TEST(test_absorption);
    TEST(test_stateless);
    TEST(test_stateless_pieces);
    TEST(test_hufftables);
    TEST(test_dictionaries);
    TEST(test_headers);
    TEST(test_one_call_bound);
    TEST(test_small_savings);
    TEST(test_bound);
    TEST(test_turns);
    TEST(test_runs);
    TEST(test_tiers);
    TEST(test_other_decoders);
    TEST(test_corpora);
    return test_finish();
}
