/* What the tests of decompression share: calls in pieces, malformed streams, and streams made here.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef INFLATE_TEST_H
#define INFLATE_TEST_H

#include "isa-l.h"

#include "tests/test.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct inflate_state state;

/* ---- Streams ---- */

struct bytes {
    uint8_t data[400];
    uint32_t len;
};

static inline struct bytes from_hex(const char *hex)
{
    struct bytes b = {{0}, 0};
    unsigned value;

    for (; hex[0] && hex[1]; hex += 2) {
        while (*hex == ' ')
            hex++;
        sscanf(hex, "%2x", &value);
        b.data[b.len++] = (uint8_t) value;
    }
    return b;
}

static inline void set_buffers(const void *in, size_t len, void *out, size_t out_size)
{
    state.next_in = (uint8_t *) (uintptr_t) in;
    state.avail_in = (uint32_t) len;
    state.next_out = out;
    state.avail_out = (uint32_t) out_size;
}

static inline int one_call(uint32_t flag, const void *in, size_t len, void *out, size_t out_size)
{
    memset(&state, 0xa5, sizeof state);
    set_buffers(in, len, out, out_size);
    state.crc_flag = flag;
    return isal_inflate_stateless(&state);
}

/* A stream that is decompressed by several calls. */
struct session {
    const uint8_t *in;
    uint8_t *out;
    size_t len, out_size; /* bytes at `in`, bytes at `out` */
    size_t consumed, delivered;
    unsigned idle; /* calls in a row that did nothing */
};

#define MAX_IDLE 200 /* most such calls, if sizes are random and may be 0 */

/* Calls isal_inflate() with the next n_in bytes of input and n_out bytes of output buffer, or fewer
 * at the end, each in memory of its own size. */
static inline int step(struct session *w, size_t n_in, size_t n_out)
{
    uint32_t total = state.total_out;
    uint8_t *from, *to;
    int result;

    n_in = n_in < w->len - w->consumed ? n_in : w->len - w->consumed;
    n_out = n_out < w->out_size - w->delivered ? n_out : w->out_size - w->delivered;
    from = test_alloc(n_in);
    to = test_alloc(n_out);
    memcpy(from, w->in + w->consumed, n_in);
    set_buffers(from, n_in, to, n_out);
    result = isal_inflate(&state);
    if (result >= 0) {
        EXPECT(state.next_in + state.avail_in == from + n_in &&
                   state.next_out + state.avail_out == to + n_out,
               "%u of %zu bytes of input left, %u of %zu of output", state.avail_in, n_in,
               state.avail_out, n_out);
        EXPECT(result || !state.avail_in || !state.avail_out ||
                   state.block_state == ISAL_BLOCK_FINISH,
               "%u bytes of input and %u of output left", state.avail_in, state.avail_out);
    }
    n_in = (size_t) (state.next_in - from);
    n_out = (size_t) (state.next_out - to);
    EXPECT(state.total_out == total + n_out, "total_out %u", state.total_out);
    if (n_out)
        memcpy(w->out + w->delivered, to, n_out);
    w->consumed += n_in;
    w->delivered += n_out;
    w->idle = n_in || n_out ? 0 : w->idle + 1;
    EXPECT(w->idle < MAX_IDLE, "nothing happens after %zu and %zu bytes", w->consumed,
           w->delivered);
    free(from);
    free(to);
    return result;
}

/* Decompresses in pieces of these sizes, 0 for random ones, until the end or until two calls in a
 * row do nothing. *used is the number of input bytes consumed. */
static inline int in_pieces(const uint8_t *in, size_t len, uint8_t *out, size_t out_size,
                            size_t piece_in, size_t piece_out, size_t *used)
{
    struct session w = {in, out, len, out_size, 0, 0, 0};
    int result = 0;

    while (result == 0 && state.block_state != ISAL_BLOCK_FINISH && w.idle < 2)
        result = step(&w, piece_in ? piece_in : 1 + test_random(3000),
                      piece_out ? piece_out : test_random(3000));
    *used = w.consumed;
    return result;
}

/* Malformed streams. */
static const struct {
    uint32_t flag;
    int result;
    const char *hex, *before; /* output before the error */
} errors[] = {
    {ISAL_DEFLATE, ISAL_INVALID_BLOCK, "07", ""},                     /* block type 3 */
    {ISAL_DEFLATE, ISAL_INVALID_BLOCK, "010500fbff68656c6c6f", ""},   /* length check */
    {ISAL_DEFLATE, ISAL_INVALID_BLOCK, "fd000000000000000000", ""},   /* 288 lit/len codes */
    {ISAL_DEFLATE, ISAL_INVALID_BLOCK, "051e000000000000000000", ""}, /* 31 distance codes */
    {ISAL_DEFLATE, ISAL_INVALID_BLOCK, "0500000000000000000000", ""}, /* no code for lengths */
    {ISAL_DEFLATE, ISAL_INVALID_BLOCK, "05e0ffffffffffffffffff", ""}, /* over-subscribed */
    {ISAL_DEFLATE, ISAL_INVALID_SYMBOL, "4b1c0300000000", "a"},       /* length symbol 286 */
    {ISAL_DEFLATE, ISAL_INVALID_SYMBOL, "4b043e00000000", "a"},       /* distance symbol 30 */
    {ISAL_DEFLATE, ISAL_INVALID_LOOKBACK, "4b042200", "a"},           /* distance 3 */
    {ISAL_GZIP, ISAL_INVALID_WRAPPER, "1f8c08000000000000ff", ""},
    {ISAL_GZIP, ISAL_UNSUPPORTED_METHOD, "1f8b07000000000000ff", ""},
    {ISAL_GZIP, ISAL_INCORRECT_CHECKSUM, "1f8b08020000000000ff0000", ""},
    {ISAL_ZLIB, ISAL_UNSUPPORTED_METHOD, "775e", ""},
    {ISAL_ZLIB, ISAL_INCORRECT_CHECKSUM, "785d", ""},
    {ISAL_ZLIB, ISAL_INCORRECT_CHECKSUM, "785ecb48cdc9c90700062c0216", "hello"},
    {ISAL_GZIP, ISAL_INCORRECT_CHECKSUM, "1f8b08000000000000ffcb48cdc9c9070086a6103705000000",
     "hello"},
    {ISAL_GZIP, ISAL_INCORRECT_CHECKSUM, "1f8b08000000000000ffcb48cdc9c9070086a6103606000000",
     "hello"},
};

/* Appends bits, lowest first, at bit *at. */
static inline void put_bits(struct bytes *b, unsigned *at, unsigned value, unsigned bits)
{
    for (; bits > 0; bits--, value >>= 1, ++*at) {
        b->data[*at / 8] |= (uint8_t) ((value & 1) << *at % 8);
        b->len = *at / 8 + 1;
    }
}

/* ---- Data and streams ---- */

#define DATA_BYTES 80000 /* more than the 64 KB after which the history is moved */

/* Makes data of one of KINDS kinds. */
#define KINDS 7
static inline size_t make_data(int kind, uint8_t *data)
{
    static const char *const words[] = {"the ", "inflate", " of ",  "distance",
                                        "s\n",  "a",       "block "};
    size_t n = DATA_BYTES, at = 0;

    switch (kind) {
    case 0:
        memset(data, 'x', n);
        break;
    case 1:
        test_fill_random(data, n);
        break;
    case 2:
        for (; at < n - 10; at += strlen((char *) data + at))
            strcpy((char *) data + at, words[test_random(COUNT(words))]);
        n = at;
        break;
    case 3: /* repeated far away */
        test_fill_random(data, 32768);
        for (at = 32768; at < n; at++)
            data[at] = test_random(500) ? data[at - 32768] : (uint8_t) test_random(256);
        break;
    case 4: /* short periods */
        for (; at < n; at++)
            data[at] = at < 20 || test_random(60) == 0 ? (uint8_t) test_random(256)
                                                       : data[at - 1 - at / 1000 % 19];
        break;
    case 5: /* few literals, and skewed */
        for (; at < n; at++)
            data[at] = (uint8_t) (test_random(8) * test_random(8) * test_random(4));
        break;
    default:
        n = 3;
        memcpy(data, "abc", n);
    }
    return n;
}

static inline uint32_t gzip_flag(uint32_t crc_flag)
{
    return crc_flag == ISAL_GZIP || crc_flag == ISAL_GZIP_NO_HDR ||
           crc_flag == ISAL_GZIP_NO_HDR_VER;
}

/* A stream, and the output that is expected with crc_flag `flag`. */
struct stream {
    uint32_t flag;
    size_t len; /* bytes of the stream */
    size_t n;   /* bytes of output */
    uint8_t bytes[3 * DATA_BYTES], data[2 * DATA_BYTES];
};

#define TRAILING 9 /* bytes after each stream that are not part of it */

static inline void append(struct stream *s, const void *bytes, size_t n)
{
    memcpy(s->bytes + s->len, bytes, n);
    s->len += n;
}

/* Appends a piece of output, compressed at `level`; if `last`, its blocks end the stream. */
static inline void append_piece(struct stream *s, const uint8_t *data, size_t n, uint32_t level,
                                int last)
{
    static struct isal_zstream z;
    static uint8_t buffer[ISAL_DEF_LVL3_DEFAULT];

    isal_deflate_stateless_init(&z);
    if (level == 0)
        EXPECT(isal_deflate_set_hufftables(&z, NULL, IGZIP_HUFFTABLE_STATIC) == COMP_OK, "static");
    z.level = level;
    z.level_buf = buffer;
    z.level_buf_size = sizeof buffer;
    z.flush = FULL_FLUSH;
    z.end_of_stream = last != 0;
    z.next_in = (uint8_t *) (uintptr_t) data;
    z.avail_in = (uint32_t) n;
    z.next_out = s->bytes + s->len;
    z.avail_out = (uint32_t) (sizeof s->bytes - s->len);
    EXPECT(isal_deflate_stateless(&z) == COMP_OK, "deflate");
    s->len += z.total_out;
    memcpy(s->data + s->n, data, n);
    s->n += n;
}

static inline void begin_stream(struct stream *s, uint32_t flag)
{
    s->flag = flag;
    s->len = s->n = 0;
    if (flag == ISAL_GZIP)
        append(s, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    else if (flag == ISAL_ZLIB)
        append(s, "\x78\x5e", 2);
}

static inline void end_stream(struct stream *s)
{
    uint32_t crc = crc32_gzip_refl(0, s->data, s->n), adler = isal_adler32(1, s->data, s->n);
    uint8_t trailer[8];

    for (unsigned i = 0; i < 4; i++) {
        trailer[i] = (uint8_t) (gzip_flag(s->flag) ? crc >> 8 * i : adler >> (24 - 8 * i));
        trailer[4 + i] = (uint8_t) (s->n >> 8 * i);
    }
    if (s->flag == ISAL_GZIP || s->flag == ISAL_GZIP_NO_HDR_VER)
        append(s, trailer, 8);
    else if (s->flag == ISAL_ZLIB || s->flag == ISAL_ZLIB_NO_HDR_VER)
        append(s, trailer, 4);
    memcpy(s->bytes + s->len, "leftovers", TRAILING);
}

#endif
