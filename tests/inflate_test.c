/* Tests of decompression against its contract.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel has the kernel check, and what is malformed the fuzz harness. Here: results, states,
 * positions and checksums of the public functions, wrappers, dictionaries, and streams made by
 * other libraries, in one call and in pieces of all sizes. */

#include "isa-l.h"

#include <dlfcn.h>
#include <string.h>

#include "tests/test.h"

#if defined(__has_include)
#if __has_include(<zlib.h>)
#include <zlib.h>
#define HAVE_ZLIB_HEADER 1
#endif
#endif

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct inflate_state state;

/* ---- Streams ---- */

struct bytes {
    uint8_t data[400];
    uint32_t len;
};

static struct bytes from_hex(const char *hex)
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

static void set_buffers(const void *in, size_t len, void *out, size_t room)
{
    state.next_in = (uint8_t *) (uintptr_t) in;
    state.avail_in = (uint32_t) len;
    state.next_out = out;
    state.avail_out = (uint32_t) room;
}

static int one_call(uint32_t flag, const void *in, size_t len, void *out, size_t room)
{
    memset(&state, 0xa5, sizeof state);
    set_buffers(in, len, out, room);
    state.crc_flag = flag;
    return isal_inflate_stateless(&state);
}

/* A stream that is decompressed over several calls. */
struct walk {
    const uint8_t *in;
    uint8_t *out;
    size_t len, room; /* bytes of input, bytes of room for output */
    size_t consumed, delivered;
};

/* One call with the next n_in bytes of input and n_out bytes of room, or fewer at the end. Each is
 * in memory of its own size. */
static int walk(struct walk *w, size_t n_in, size_t n_out)
{
    uint32_t total = state.total_out;
    uint8_t *from, *to;
    int result;

    n_in = n_in < w->len - w->consumed ? n_in : w->len - w->consumed;
    n_out = n_out < w->room - w->delivered ? n_out : w->room - w->delivered;
    from = test_alloc(n_in);
    to = test_alloc(n_out);
    memcpy(from, w->in + w->consumed, n_in);
    set_buffers(from, n_in, to, n_out);
    result = isal_inflate(&state);
    if (result >= 0) {
        EXPECT(state.next_in + state.avail_in == from + n_in &&
                   state.next_out + state.avail_out == to + n_out,
               "%u of %zu bytes of input left, room for %u of %zu", state.avail_in, n_in,
               state.avail_out, n_out);
        EXPECT(result || !state.avail_in || !state.avail_out ||
                   state.block_state == ISAL_BLOCK_FINISH,
               "%u bytes of input and room for %u left", state.avail_in, state.avail_out);
    }
    n_in = (size_t) (state.next_in - from);
    n_out = (size_t) (state.next_out - to);
    EXPECT(state.total_out == total + n_out, "total_out %u", state.total_out);
    if (n_out)
        memcpy(w->out + w->delivered, to, n_out);
    w->consumed += n_in;
    w->delivered += n_out;
    free(from);
    free(to);
    return result;
}

/* Decompresses in pieces of these sizes, 0 for random ones, until the end or until nothing happens
 * any more. *used is the input that was consumed. */
static int in_pieces(const uint8_t *in, size_t len, uint8_t *out, size_t room, size_t piece_in,
                     size_t piece_out, size_t *used)
{
    struct walk w = {in, out, len, room, 0, 0};
    int result = 0, idle = 0;

    while (result == 0 && state.block_state != ISAL_BLOCK_FINISH && idle < 2) {
        size_t before = w.consumed + w.delivered;

        result = walk(&w, piece_in ? piece_in : 1 + test_random(3000),
                      piece_out ? piece_out : test_random(3000));
        idle = w.consumed + w.delivered == before ? idle + 1 : 0;
    }
    *used = w.consumed;
    return result;
}

static const struct vector {
    uint32_t flag;
    const char *hex, *text;
    uint32_t crc;
} vectors[] = {
    {ISAL_DEFLATE, "cb48cdc9c90700", "hello", 0},
    {ISAL_DEFLATE, "4b4c4a4e842100", "abcabcabcabc", 0},
    {ISAL_DEFLATE, "010500faff68656c6c6f", "hello", 0},
    {ISAL_DEFLATE, "0300", "", 0},
    {ISAL_DEFLATE, "010000ffff", "", 0},
    {ISAL_GZIP, "1f8b08000000000000ffcb48cdc9c9070086a6103605000000", "hello", 0x3610a686},
    {ISAL_ZLIB, "785ecb48cdc9c90700062c0215", "hello", 0x062c0215},
    {ISAL_GZIP, "1f8b08000000000002034b4c4a4e842100342a6e5a0c000000", "abcabcabcabc", 0x5a6e2a34},
    {ISAL_ZLIB, "78da4b4c4a4e8421001de00499", "abcabcabcabc", 0x1de00499},
    {ISAL_GZIP_NO_HDR, "cb48cdc9c90700", "hello", 0x3610a686},
    {ISAL_ZLIB_NO_HDR, "cb48cdc9c90700", "hello", 0x062c0215},
    {ISAL_ZLIB_NO_HDR_VER, "cb48cdc9c90700062c0215", "hello", 0x062c0215},
    {ISAL_GZIP_NO_HDR_VER, "cb48cdc9c9070086a6103605000000", "hello", 0x3610a686},
    /* Text, time, extra flags, extra field, name, comment and header CRC. */
    {ISAL_GZIP, "1f8b081f04030201020303000102036e6d00636d006e10cb48cdc9c9070086a6103605000000",
     "hello", 0x3610a686},
};

static void test_vectors(void)
{
    for (size_t i = 0; i < COUNT(vectors); i++) {
        const struct vector *v = &vectors[i];
        struct bytes b = from_hex(v->hex);
        size_t len = strlen(v->text), used;
        uint8_t out[40];

        memcpy(b.data + b.len, "trailing", 8);
        EXPECT(one_call(v->flag, b.data, b.len + 8, out, len) == ISAL_DECOMP_OK, "vector %zu", i);
        EXPECT(state.block_state == ISAL_BLOCK_FINISH && state.total_out == len, "vector %zu", i);
        EXPECT(!memcmp(out, v->text, len) && state.crc == v->crc, "vector %zu: crc %08x", i,
               state.crc);
        EXPECT(state.avail_in == 8 && !memcmp(state.next_in, "trailing", 8) &&
                   state.read_in_length == 0,
               "vector %zu: %u bytes left", i, state.avail_in);
        for (size_t piece = 1; piece < 30; piece++) {
            memset(&state, 0xa5, sizeof state);
            isal_inflate_init(&state);
            state.crc_flag = v->flag;
            EXPECT(in_pieces(b.data, b.len + 8, out, len, piece, 1 + piece % 7, &used) == 0 &&
                       state.block_state == ISAL_BLOCK_FINISH,
                   "vector %zu in pieces of %zu: state %d", i, piece, state.block_state);
            EXPECT(used == b.len && state.total_out == len && state.crc == v->crc &&
                       !memcmp(out, v->text, len) && state.read_in_length == 0,
                   "vector %zu in pieces of %zu: %zu used, crc %08x", i, piece, used, state.crc);
        }
        for (size_t cut = 0; cut < b.len; cut++)
            EXPECT(one_call(v->flag, b.data, cut, out, len) == ISAL_END_INPUT,
                   "vector %zu cut to %zu bytes", i, cut);
        for (size_t room = 0; room < len; room++)
            EXPECT(one_call(v->flag, b.data, b.len, out, room) == ISAL_OUT_OVERFLOW,
                   "vector %zu, room for %zu bytes", i, room);
    }
}

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

static void test_errors(void)
{
    for (size_t i = 0; i < COUNT(errors); i++) {
        struct bytes b = from_hex(errors[i].hex);
        size_t len = strlen(errors[i].before), used;
        uint8_t out[300];
        int result = one_call(errors[i].flag, b.data, b.len, out, sizeof out);

        EXPECT(result == errors[i].result, "error %zu: %d", i, result);
        EXPECT(state.next_out == out + len && !memcmp(out, errors[i].before, len), "error %zu", i);
        for (size_t piece = 1; piece < 4; piece++) {
            isal_inflate_init(&state);
            state.crc_flag = errors[i].flag;
            result = in_pieces(b.data, b.len, out, sizeof out, piece, piece, &used);
            EXPECT(result == errors[i].result, "error %zu in pieces of %zu: %d", i, piece, result);
            EXPECT(state.total_out == len && !memcmp(out, errors[i].before, len), "error %zu", i);
            if (len == 5)
                EXPECT(state.block_state == ISAL_BLOCK_FINISH && used == b.len, "error %zu", i);
        }
    }
}

/* Bits, lowest first. */
static void put(struct bytes *b, unsigned *at, unsigned value, unsigned bits)
{
    for (; bits > 0; bits--, value >>= 1, ++*at) {
        b->data[*at / 8] |= (uint8_t) ((value & 1) << *at % 8);
        b->len = *at / 8 + 1;
    }
}

/* A dynamic block: 'a', a match of length 3 with distance symbol `distance` and extra bits 0, end.
 * Distance symbols 0 and `distance` have a code of one bit. */
static struct bytes dynamic_block(unsigned distance)
{
    struct bytes b = {{0}, 0};
    unsigned at = 0;
    /* Code lengths 0, 1 and 2, and runs of zeros: all in two bits. */
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1};

    put(&b, &at, 1, 1);
    put(&b, &at, 2, 2);
    put(&b, &at, 1, 5); /* 258 */
    put(&b, &at, distance, 5);
    put(&b, &at, 14, 4);
    for (int i = 0; i < 18; i++)
        put(&b, &at, order[i] <= 2 || order[i] == 18 ? 2 : 0, 3);
    /* Codes, reversed: 0 is 00, 1 is 10, 2 is 01, 18 is 11. */
    put(&b, &at, 3, 2); /* 97 zeros */
    put(&b, &at, 97 - 11, 7);
    put(&b, &at, 2, 2); /* 'a': 1 bit */
    put(&b, &at, 3, 2);
    put(&b, &at, 138 - 11, 7);
    for (int i = 98 + 138; i < 256; i++)
        put(&b, &at, 0, 2);
    put(&b, &at, 1, 2); /* end: 2 bits */
    put(&b, &at, 1, 2); /* length 3 */
    for (unsigned i = 0; i <= distance; i++)
        put(&b, &at, i == 0 || i == distance ? 2 : 0, 2);
    put(&b, &at, 0, 1); /* 'a' */
    put(&b, &at, 3, 2); /* length 3 */
    put(&b, &at, 1, 1);
    for (unsigned i = distance < 4 ? 0 : (distance - 2) / 2; i > 0; i--)
        put(&b, &at, 0, 1);
    put(&b, &at, 1, 2); /* end */
    b.len += 2;
    return b;
}

static void test_window(void)
{
    static const uint16_t base[30] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static uint8_t dict[32768], out[300];

    test_fill_random(dict, sizeof dict);
    for (unsigned symbol = 1; symbol < 30; symbol++)
        for (uint32_t bits = 0; bits <= 16; bits++) {
            struct bytes b = dynamic_block(symbol);
            int allowed = bits == 0 || bits >= 15 || symbol < 2 * bits, result;

            isal_inflate_init(&state);
            state.hist_bits = bits;
            EXPECT(isal_inflate_set_dict(&state, dict, sizeof dict) == COMP_OK, "set_dict");
            set_buffers(b.data, b.len, out, sizeof out);
            result = isal_inflate(&state);
            EXPECT(result == (allowed ? 0 : ISAL_INVALID_SYMBOL), "symbol %u, bits %u: %d", symbol,
                   bits, result);
            if (allowed && result == 0) {
                uint8_t want = base[symbol] == 1 ? 'a' : dict[32769 - base[symbol]];
                EXPECT(state.total_out == 4 && out[0] == 'a' && out[1] == want,
                       "symbol %u: %u bytes", symbol, state.total_out);
            }
            /* One byte of history too few. */
            if (bits == 0 && symbol > 1) {
                isal_inflate_init(&state);
                isal_inflate_set_dict(&state, dict, base[symbol] - 2u);
                set_buffers(b.data, b.len, out, sizeof out);
                EXPECT(isal_inflate(&state) == ISAL_INVALID_LOOKBACK, "symbol %u", symbol);
                isal_inflate_init(&state);
                isal_inflate_set_dict(&state, dict, base[symbol] - 1u);
                set_buffers(b.data, b.len, out, sizeof out);
                EXPECT(isal_inflate(&state) == 0 && out[1] == dict[0], "symbol %u", symbol);
            }
        }
}

static void test_states(void)
{
    struct bytes b = from_hex("cb48cdc9c90700"), more = from_hex("1f8b08000000000000ff0300");
    uint8_t out[20];

    memset(&state, 0xff, sizeof state);
    isal_inflate_init(&state);
    EXPECT(!state.next_in && !state.avail_in && !state.next_out && !state.avail_out &&
               !state.total_out && !state.crc_flag && !state.crc && !state.hist_bits &&
               state.block_state == ISAL_BLOCK_NEW_HDR && !state.read_in_length,
           "after init");
    set_buffers(b.data, b.len, out, 0);
    EXPECT(isal_inflate(&state) == 0 && state.block_state != ISAL_BLOCK_FINISH, "no room");
    state.avail_out = 5;
    EXPECT(isal_inflate(&state) == 0 && state.block_state == ISAL_BLOCK_FINISH, "exact room");
    EXPECT(state.total_out == 5 && state.avail_out == 0, "%u", state.total_out);
    state.next_in = b.data;
    state.avail_in = b.len;
    state.avail_out = 9;
    EXPECT(isal_inflate(&state) == 0 && state.avail_in == b.len && state.avail_out == 9, "ended");
    EXPECT(isal_inflate_set_dict(&state, out, 5) == ISAL_INVALID_STATE, "set_dict at the end");
    state.crc_flag = ISAL_GZIP;
    state.hist_bits = 12;
    isal_inflate_reset(&state);
    EXPECT(state.next_in == b.data && state.avail_in == b.len && state.avail_out == 9 &&
               state.crc_flag == ISAL_GZIP && state.hist_bits == 12 && state.total_out == 0 &&
               state.block_state == ISAL_BLOCK_NEW_HDR,
           "after reset");
    /* What is left is no gzip member; that shows once ten bytes are there. */
    EXPECT(isal_inflate(&state) == 0 && state.avail_in == 0, "seven bytes");
    state.next_in = more.data;
    state.avail_in = more.len;
    EXPECT(isal_inflate(&state) == ISAL_INVALID_WRAPPER, "ten bytes");
}

static void test_members(void)
{
    struct bytes b = from_hex("1f8b08000000000000ffcb48cdc9c9070086a6103605000000"
                              "1f8b08000000000002034b4c4a4e842100342a6e5a0c000000");
    uint8_t out[40];

    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    set_buffers(b.data, b.len, out, sizeof out);
    EXPECT(isal_inflate(&state) == 0 && state.block_state == ISAL_BLOCK_FINISH, "first");
    EXPECT(state.avail_in == b.len / 2 && state.next_out == out + 5, "%u", state.avail_in);
    isal_inflate_reset(&state);
    EXPECT(isal_inflate(&state) == 0 && state.block_state == ISAL_BLOCK_FINISH, "second");
    EXPECT(state.avail_in == 0 && !memcmp(out, "helloabcabcabcabc", 17), "%u", state.avail_in);
    /* One call decodes one member, and the next call the one after it. */
    EXPECT(one_call(ISAL_GZIP, b.data, b.len, out, sizeof out) == 0 && state.total_out == 5 &&
               state.next_in == b.data + b.len / 2 && state.avail_in == b.len / 2,
           "one call: %u bytes, %u left", state.total_out, state.avail_in);
    EXPECT(isal_inflate_stateless(&state) == 0 && state.total_out == 12 && state.avail_in == 0 &&
               !memcmp(out, "helloabcabcabcabc", 17),
           "a second call: %u bytes, %u left", state.total_out, state.avail_in);
}

static void test_gzip_header(void)
{
    struct bytes b = from_hex("1f8b081f04030201020303000102036e6d00636d006e10cb48cdc9c90700");
    struct isal_gzip_header h;
    uint8_t extra[3], out[5];
    char name[3], comment[3];

    for (size_t piece = 1; piece < 25; piece++)
        for (uint32_t small = 0; small < 8; small++) {
            size_t at = 0;
            int result = ISAL_END_INPUT;

            memset(&h, 0, sizeof h);
            h.extra = extra;
            h.extra_buf_len = small & 1 ? 0 : 3;
            h.name = name;
            h.name_buf_len = small & 2 ? 2 : 3;
            h.comment = comment;
            h.comment_buf_len = small & 4 ? 1 : 3;
            memset(extra, 0xa5, sizeof extra);
            isal_inflate_init(&state);
            while (result > 0) {
                if (result == ISAL_END_INPUT) {
                    set_buffers(b.data + at, piece < b.len - at ? piece : b.len - at, NULL, 0);
                    at += state.avail_in;
                } else if (result == ISAL_EXTRA_OVERFLOW) {
                    EXPECT(h.extra_buf_len < 3, "extra %u", small);
                    h.extra_buf_len++;
                } else if (result == ISAL_NAME_OVERFLOW) {
                    EXPECT(h.name_buf_len < 3, "name %u", small);
                    h.name_buf_len++;
                } else {
                    EXPECT(result == ISAL_COMMENT_OVERFLOW && h.comment_buf_len < 3, "%d", result);
                    h.comment_buf_len++;
                }
                result = isal_read_gzip_header(&state, &h);
            }
            EXPECT(result == ISAL_DECOMP_OK && at - state.avail_in == 23, "%d after %zu", result,
                   at - state.avail_in);
            EXPECT(h.text == 1 && h.time == 0x01020304 && h.xflags == 2 && h.os == 3 &&
                       h.flags == 0x1f && h.extra_len == 3 && (h.hcrc & 0xffff) == 0x106e,
                   "fixed fields, CRC %08x", h.hcrc);
            EXPECT(!memcmp(extra, "\1\2\3", 3) && !strcmp(name, "nm") && !strcmp(comment, "cm"),
                   "fields");
            EXPECT(state.wrapper_flag == 1 && state.block_state == ISAL_BLOCK_NEW_HDR, "state");
            set_buffers(b.data + 23, b.len - 23, out, sizeof out);
            state.crc_flag = ISAL_GZIP_NO_HDR;
            EXPECT(isal_inflate(&state) == 0 && state.crc == 0x3610a686, "body");
        }
    memset(&h, 0, sizeof h);
    isal_inflate_init(&state);
    set_buffers(b.data, b.len, NULL, 0);
    EXPECT(isal_read_gzip_header(&state, &h) == 0 && state.avail_in == 7, "fields skipped");
    b.data[21] ^= 1;
    isal_inflate_init(&state);
    set_buffers(b.data, b.len, NULL, 0);
    EXPECT(isal_read_gzip_header(&state, &h) == ISAL_INCORRECT_CHECKSUM, "header CRC");
}

static void test_zlib_dictionary(void)
{
    /* "hellohello" with the dictionary "hello": a match of 10 at distance 5, fixed code. */
    struct bytes b = from_hex("783f"
                              "062c0215"
                              "8390000"
                              "0");
    struct isal_zlib_header h;
    unsigned at = 48;
    uint8_t out[10], sum[4];
    uint32_t adler = isal_adler32(1, (const unsigned char *) "hellohello", 10);
    size_t used;

    memset(b.data + 6, 0, sizeof b.data - 6);
    put(&b, &at, 1, 1);
    put(&b, &at, 1, 2);
    put(&b, &at, 8, 7); /* length 10 is symbol 264: 0001000, reversed */
    put(&b, &at, 4, 5); /* distance symbol 4 is 00100, reversed */
    put(&b, &at, 0, 1); /* 5 */
    put(&b, &at, 0, 7); /* end */
    for (int i = 0; i < 4; i++)
        sum[i] = (uint8_t) (adler >> (24 - 8 * i));
    memcpy(b.data + b.len, sum, 4);
    b.len += 4;
    for (size_t piece = 1; piece < 20; piece++) {
        isal_inflate_init(&state);
        state.crc_flag = ISAL_ZLIB;
        EXPECT(in_pieces(b.data, b.len, out, 10, piece, 10, &used) == ISAL_NEED_DICT, "dictionary");
        EXPECT(used == 6 && state.dict_id == 0x062c0215, "%zu, id %08x", used, state.dict_id);
        EXPECT(isal_inflate_set_dict(&state, (uint8_t *) (uintptr_t) "other", 5) == COMP_OK, "set");
        EXPECT(isal_inflate_set_dict(&state, (uint8_t *) (uintptr_t) "hello", 5) == COMP_OK, "set");
        EXPECT(in_pieces(b.data + 6, b.len - 6, out, 10, piece, piece, &used) == 0, "body");
        EXPECT(state.block_state == ISAL_BLOCK_FINISH && used == b.len - 6 && state.crc == adler &&
                   !memcmp(out, "hellohello", 10),
               "after the dictionary, in pieces of %zu: %zu used", piece, used);
    }
    isal_inflate_init(&state);
    state.crc_flag = ISAL_ZLIB;
    set_buffers(b.data, b.len, out, sizeof out);
    EXPECT(isal_inflate(&state) == ISAL_NEED_DICT, "dictionary");
    EXPECT(isal_inflate(&state) == ISAL_INVALID_LOOKBACK, "without it");
    EXPECT(one_call(ISAL_ZLIB, b.data, b.len, out, sizeof out) == ISAL_NEED_DICT, "stateless");

    for (size_t piece = 1; piece < 8; piece++) {
        size_t from = 0;
        int result = ISAL_END_INPUT;
        isal_inflate_init(&state);
        while (result == ISAL_END_INPUT && from < b.len) {
            set_buffers(b.data + from, piece, NULL, 0);
            result = isal_read_zlib_header(&state, &h);
            from += piece - state.avail_in;
        }
        EXPECT(result == 0 && from == 6 && h.info == 7 && h.level == 0 && h.dict_flag == 1 &&
                   h.dict_id == 0x062c0215,
               "%d after %zu", result, from);
    }
}

/* ---- Streams of other libraries ---- */

#define DATA_BYTES 80000 /* more than the 64 KB after which history is moved */

/* Contents of several kinds, number `kind` of KINDS. */
#define KINDS 7
static size_t make_data(int kind, uint8_t *data)
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

static void check_stream(const char *what, const uint8_t *stream, size_t len, const uint8_t *data,
                         size_t n)
{
    static const size_t pieces[][2] = {{1, 0}, {0, 1}, {0, 0}, {100000, 300}, {70, 100000}};
    static uint8_t out[DATA_BYTES];
    static size_t turn;
    uint32_t crc = crc32_gzip_refl(0, data, n);
    size_t used;

    EXPECT(one_call(ISAL_GZIP_NO_HDR, stream, len, out, n) == 0 && state.avail_in == 0 &&
               state.total_out == n && !memcmp(out, data, n) && state.crc == crc,
           "%s, one call", what);
    /* Two of the sizes for each stream: those of one byte take long. */
    for (size_t k = 0; k < 2; k++) {
        size_t i = turn++ % COUNT(pieces);
        memset(out, 0, n);
        isal_inflate_init(&state);
        state.crc_flag = ISAL_GZIP_NO_HDR;
        EXPECT(in_pieces(stream, len, out, n, pieces[i][0], pieces[i][1], &used) == 0 &&
                   state.block_state == ISAL_BLOCK_FINISH && used == len && state.crc == crc &&
                   !memcmp(out, data, n),
               "%s, pieces of %zu and %zu", what, pieces[i][0], pieces[i][1]);
    }
}

static void test_own_streams(void)
{
    static struct isal_zstream z;
    static uint8_t data[DATA_BYTES], stream[DATA_BYTES * 2], buffer[ISAL_DEF_LVL3_DEFAULT];
    char what[60];

    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t level = 0; level <= 3; level++) {
            size_t n = make_data(kind, data);

            isal_deflate_init(&z);
            z.level = level;
            z.level_buf = buffer;
            z.level_buf_size = sizeof buffer;
            z.next_in = data;
            z.avail_in = (uint32_t) n;
            z.next_out = stream;
            z.avail_out = sizeof stream;
            z.end_of_stream = 1;
            EXPECT(isal_deflate(&z) == COMP_OK, "deflate");
            snprintf(what, sizeof what, "own level %u, data %d", level, kind);
            check_stream(what, stream, z.total_out, data, n);
        }
}

/* Output that fits exactly ends in the same call, also where the last match begins in one of the
 * pieces in which checksums are taken and ends in the next; with and without room in place. */
static void test_exact_room(void)
{
    enum { PIECE = 16384, MOST = PIECE + 600 };
    static struct isal_zstream z;
    static uint8_t stream[MOST], data[MOST], out[MOST];

    for (uint32_t n = PIECE; n < MOST; n++) {
        isal_deflate_stateless_init(&z);
        z.next_in = data;
        z.avail_in = n;
        z.next_out = stream;
        z.avail_out = sizeof stream;
        EXPECT(isal_deflate_stateless(&z) == COMP_OK, "deflate");
        EXPECT(one_call(ISAL_GZIP_NO_HDR, stream, z.total_out, out, n) == 0 && state.total_out == n,
               "%u bytes, one call", n);
        for (uint32_t first = 0; first < 2; first++) {
            isal_inflate_init(&state);
            state.crc_flag = ISAL_GZIP_NO_HDR;
            set_buffers(stream, z.total_out, out, first);
            EXPECT(isal_inflate(&state) == 0, "%u bytes, %u first", n, first);
            state.avail_out = n - first;
            EXPECT(isal_inflate(&state) == 0 && state.block_state == ISAL_BLOCK_FINISH &&
                       state.total_out == n,
                   "%u bytes, %u first, in state %d", n, first, state.block_state);
        }
    }
}

#ifdef HAVE_ZLIB_HEADER
static void test_zlib_streams(void)
{
    static uint8_t data[DATA_BYTES], stream[DATA_BYTES * 2];
    void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(z_stream *, int, int, int, int, int, const char *, int) = NULL;
    int (*run)(z_stream *, int) = NULL, (*end)(z_stream *) = NULL;
    char what[60];

    if (zlib) {
        *(void **) &init = dlsym(zlib, "deflateInit2_");
        *(void **) &run = dlsym(zlib, "deflate");
        *(void **) &end = dlsym(zlib, "deflateEnd");
    }
    if (!init || !run || !end) {
        test_skip("zlib is not installed");
        return;
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (int level = 0; level <= 9; level++)
            for (int strategy = 0; strategy <= 4; strategy++) {
                size_t n = make_data(kind, data);
                z_stream z;

                if (strategy && level != 1 && level != 9)
                    continue;
                memset(&z, 0, sizeof z);
                EXPECT(init(&z, level, Z_DEFLATED, -9 - level % 7, 1 + level % 9, strategy,
                            ZLIB_VERSION, (int) sizeof z) == Z_OK,
                       "deflateInit2");
                z.next_in = data;
                z.avail_in = (unsigned) n;
                z.next_out = stream;
                z.avail_out = sizeof stream;
                EXPECT(run(&z, Z_FINISH) == Z_STREAM_END, "deflate");
                snprintf(what, sizeof what, "zlib level %d, strategy %d, data %d", level, strategy,
                         kind);
                check_stream(what, stream, sizeof stream - z.avail_out, data, n);
                end(&z);
            }
}
#else
static void test_zlib_streams(void)
{
    test_skip("there is no zlib.h (package zlib1g-dev)");
}
#endif

static void test_libdeflate_streams(void)
{
    static uint8_t data[DATA_BYTES], stream[DATA_BYTES * 2];
    void *library = dlopen("libdeflate.so.0", RTLD_NOW | RTLD_LOCAL);
    void *(*make)(int) = NULL;
    void (*release)(void *) = NULL;
    size_t (*run)(void *, const void *, size_t, void *, size_t) = NULL;
    char what[60];

    if (library) {
        *(void **) &make = dlsym(library, "libdeflate_alloc_compressor");
        *(void **) &release = dlsym(library, "libdeflate_free_compressor");
        *(void **) &run = dlsym(library, "libdeflate_deflate_compress");
    }
    if (!make || !release || !run) {
        test_skip("libdeflate is not installed");
        return;
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (int level = 0; level <= 12; level++) {
            size_t n = make_data(kind, data), len;
            void *c = make(level);

            len = c ? run(c, data, n, stream, sizeof stream) : 0;
            EXPECT(len > 0, "libdeflate level %d", level);
            snprintf(what, sizeof what, "libdeflate level %d, data %d", level, kind);
            check_stream(what, stream, len, data, n);
            release(c);
        }
}

/* ---- Reading ahead ---- */

#define WINDOW ((size_t) 32768)

static uint32_t gzip_flag(uint32_t crc_flag)
{
    return crc_flag == ISAL_GZIP || crc_flag == ISAL_GZIP_NO_HDR ||
           crc_flag == ISAL_GZIP_NO_HDR_VER;
}

/* A stream, and what isal_inflate() must make of it with crc_flag `flag`. */
struct stream {
    uint32_t flag;
    size_t len; /* bytes that belong to the stream */
    size_t n;   /* bytes of output */
    uint8_t bytes[2 * DATA_BYTES], data[DATA_BYTES];
};

#define LEFTOVER 9 /* bytes of another kind after each stream */

static void append(struct stream *s, const void *bytes, size_t n)
{
    memcpy(s->bytes + s->len, bytes, n);
    s->len += n;
}

/* Appends a piece of output, compressed at `level`, as blocks that do not end the stream or as the
 * last ones. */
static void append_piece(struct stream *s, const uint8_t *data, size_t n, uint32_t level, int last)
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

static void begin_stream(struct stream *s, uint32_t flag)
{
    s->flag = flag;
    s->len = s->n = 0;
    if (flag == ISAL_GZIP)
        append(s, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    else if (flag == ISAL_ZLIB)
        append(s, "\x78\x5e", 2);
}

static void end_stream(struct stream *s)
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
    memcpy(s->bytes + s->len, "leftovers", LEFTOVER);
}

static struct walk begin_walk(const struct stream *s, uint8_t *out)
{
    struct walk w = {s->bytes, out, s->len + LEFTOVER, s->n + 5, 0, 0};

    isal_inflate_init(&state);
    state.crc_flag = s->flag;
    return w;
}

/* `crc` once the first n bytes of output are delivered. */
static uint32_t checksum(const struct stream *s, size_t n, int finished)
{
    uint32_t adler = isal_adler32(1, s->data, n);

    if (s->flag == ISAL_DEFLATE)
        return 0;
    if (gzip_flag(s->flag))
        return crc32_gzip_refl(0, s->data, n);
    return finished ? adler : (adler & 0xffff0000) | ((adler & 0xffff) + 65520) % 65521;
}

/* One call, and what must hold after it. All of the stream that was offered is consumed and nothing
 * after it, except that input may be left while 32 KB of output are owed. The call that consumes
 * and delivers the last bytes reaches the end. */
static void walk_stream(struct walk *w, const struct stream *s, size_t n_in, size_t n_out)
{
    size_t offered = w->consumed + n_in, from = w->delivered;
    int finished, result = walk(w, n_in, n_out);

    EXPECT(result == 0, "flag %u: result %d", s->flag, result);
    offered = offered < s->len ? offered : s->len;
    finished = w->consumed == s->len && w->delivered == s->n;
    EXPECT(w->consumed == offered || (w->consumed < offered && s->n > WINDOW),
           "flag %u: %zu bytes consumed of %zu, %zu delivered", s->flag, w->consumed, offered,
           w->delivered);
    EXPECT((state.block_state == ISAL_BLOCK_FINISH) == finished,
           "flag %u: state %d, %zu of %zu bytes consumed, %zu of %zu delivered", s->flag,
           state.block_state, w->consumed, s->len, w->delivered, s->n);
    EXPECT(!finished || state.read_in_length == 0, "flag %u: %d bits left", s->flag,
           state.read_in_length);
    EXPECT(w->delivered <= s->n && !memcmp(w->out + from, s->data + from, w->delivered - from),
           "flag %u: bytes from %zu to %zu", s->flag, from, w->delivered);
    EXPECT(state.crc == checksum(s, w->delivered, finished), "flag %u: crc %08x after %zu", s->flag,
           state.crc, w->delivered);
}

/* Blocks of the kinds in `kinds`: s for stored, f for fixed codes, d for dynamic ones. */
static void make_stream(struct stream *s, uint32_t flag, const char *kinds)
{
    begin_stream(s, flag);
    for (; *kinds; kinds++) {
        size_t from = s->len, n = *kinds == 'd' ? 150 : 60;
        uint8_t data[150];

        for (size_t i = 0; i < n; i++)
            data[i] = (uint8_t) (*kinds == 's'   ? 144 + test_random(112)
                                 : *kinds == 'f' ? 'a' + !test_random(8)
                                                 : 240 + test_random(4));
        append_piece(s, data, n, *kinds == 'f' ? 0 : 1, !kinds[1]);
        EXPECT("sfd"[s->bytes[from] >> 1 & 3] == *kinds, "block of kind %d", s->bytes[from] >> 1);
    }
    end_stream(s);
}

/* Every split of input and output in two, with calls among them that have no input or no room. */
static void test_all_splits(void)
{
    static const char *const kinds[] = {"s", "f", "d", "sfds"};
    static struct stream s;
    uint8_t out[400];

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (uint32_t flag = ISAL_DEFLATE; flag <= ISAL_GZIP_NO_HDR_VER; flag++) {
            make_stream(&s, flag, kinds[k]);
            for (size_t i = 0; i <= s.len + LEFTOVER; i++)
                for (size_t o = 0; o <= s.n + 1; o++) {
                    struct walk w = begin_walk(&s, out);

                    switch ((i + o) % 4) {
                    case 0:
                        walk_stream(&w, &s, i, o);
                        break;
                    case 1:
                        walk_stream(&w, &s, i, 0);
                        walk_stream(&w, &s, 0, o);
                        walk_stream(&w, &s, s.len, 0);
                        break;
                    case 2:
                        walk_stream(&w, &s, 0, o);
                        walk_stream(&w, &s, i, 0);
                        walk_stream(&w, &s, 0, 0);
                        break;
                    default:
                        walk_stream(&w, &s, i, 0);
                        walk_stream(&w, &s, s.len, o);
                    }
                    /* Exactly as much room as there is output, or some more. */
                    walk_stream(&w, &s, s.len + LEFTOVER, s.n - w.delivered + (i + o) % 3);
                    EXPECT(w.consumed == s.len && w.delivered == s.n &&
                               state.block_state == ISAL_BLOCK_FINISH,
                           "flag %u: split at %zu and %zu", flag, i, o);
                    if ((i + o) % 16 == 0) {
                        EXPECT(walk(&w, LEFTOVER, 5) == 0 && w.consumed == s.len &&
                                   w.delivered == s.n,
                               "flag %u: after the end", flag);
                    }
                }
        }
}

/* Random splits of streams with more output than is kept; small pieces, large ones and none. */
static void test_random_splits(void)
{
    static const unsigned most[] = {1, 2, 20, 300, 5000, 40000, 2 * DATA_BYTES};
    static struct stream s;
    static uint8_t data[DATA_BYTES], out[DATA_BYTES + 5];

    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t flag = ISAL_DEFLATE; flag <= ISAL_GZIP_NO_HDR_VER; flag++) {
            size_t n = make_data(kind, data) / 2;
            uint32_t level = (uint32_t) kind % 4;

            begin_stream(&s, flag);
            append_piece(&s, data, n, level, 0);
            append_piece(&s, data + n, n, (level + 1) % 4, 1);
            end_stream(&s);
            for (int turn = 0; turn < 8; turn++) {
                struct walk w = begin_walk(&s, out);
                unsigned most_in = most[2 + test_random(COUNT(most) - 2)];
                unsigned most_out = most[2 + test_random(COUNT(most) - 2)];

                while (state.block_state != ISAL_BLOCK_FINISH && test_state.failures == 0) {
                    if (test_random(50) == 0)
                        most_in = most[test_random(COUNT(most))];
                    if (test_random(50) == 0)
                        most_out = most[test_random(COUNT(most))];
                    walk_stream(&w, &s, test_random(most_in + 1), test_random(most_out + 1));
                }
            }
        }
}

/* How much is read ahead: without room for output, 64 KB; later, at least 32 KB whenever input is
 * left, whatever the sizes of the calls. */
static void test_how_far_ahead(void)
{
    static const unsigned sizes[] = {1, 16, 1000, 4096, 30000, 40000, 70000};
    static struct stream s;
    static uint8_t data[DATA_BYTES], out[20 * DATA_BYTES];
    struct walk w;
    size_t before;

    begin_stream(&s, ISAL_DEFLATE);
    append_piece(&s, data, make_data(2, data), 1, 1);
    end_stream(&s);
    w = begin_walk(&s, out);
    walk_stream(&w, &s, s.len, 0);
    EXPECT(w.consumed > 0 && w.consumed < s.len, "%zu of %zu", w.consumed, s.len);
    walk_stream(&w, &s, 0, s.n);
    EXPECT(w.delivered >= 2 * WINDOW, "%zu bytes ahead", w.delivered);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int turn = 0; turn < 10; turn++) {
            w = begin_walk(&s, out);
            for (unsigned n = test_random(40000); w.delivered < n;)
                walk_stream(&w, &s, s.len, sizes[i]);
            if (w.consumed == s.len)
                continue;
            before = w.delivered;
            walk_stream(&w, &s, 0, s.n);
            EXPECT(w.delivered - before >= WINDOW, "%zu bytes ahead of %zu, in calls for %u",
                   w.delivered - before, before, sizes[i]);
        }
}

/* An error is reported in the call that delivers the last byte before it, and in no earlier one;
 * after that again and again. */
static void test_errors_ahead(void)
{
    enum { BEFORE = 20000 };
    static const size_t pieces[] = {1, 7, 1000, BEFORE - 1, BEFORE, BEFORE + 1, BEFORE + 9};
    static struct stream s;
    static uint8_t data[DATA_BYTES], out[BEFORE + 9];
    struct bytes far = {{0}, 0};
    unsigned at = 0;

    make_data(2, data);
    put(&far, &at, 1, 1);
    put(&far, &at, 1, 2);
    put(&far, &at, 0x40, 7); /* length 3 */
    put(&far, &at, 0x17, 5); /* distance 32768 */
    put(&far, &at, 0x1fff, 13);
    for (size_t e = 0; e <= COUNT(errors); e++) {
        struct bytes b = e < COUNT(errors) ? from_hex(errors[e].hex) : far;
        int expected = e < COUNT(errors) ? errors[e].result : ISAL_INVALID_LOOKBACK;
        const char *last = e < COUNT(errors) ? errors[e].before : "";

        /* Not those of wrappers, and not the short distance, which is none after other output. */
        if (e < COUNT(errors) &&
            (errors[e].flag != ISAL_DEFLATE || expected == ISAL_INVALID_LOOKBACK))
            continue;
        for (size_t i = 0; i < COUNT(pieces); i++)
            for (size_t o = 0; o < COUNT(pieces); o++) {
                struct walk w;
                int result = 0;
                size_t n;

                begin_stream(&s, ISAL_DEFLATE);
                append_piece(&s, data, BEFORE, 1, 0);
                append(&s, b.data, b.len);
                memcpy(s.data + s.n, last, strlen(last));
                n = s.n + strlen(last);
                w = begin_walk(&s, out);
                w.len = s.len;
                w.room = n + 1;
                for (size_t calls = 0; !result && calls < 3 * s.n; calls++) {
                    result = walk(&w, pieces[i], calls % 3 ? pieces[o] : 0);
                    EXPECT(result ? w.delivered == n : w.delivered < n || w.consumed < s.len,
                           "error %zu, pieces of %zu and %zu: %d after %zu bytes", e, pieces[i],
                           pieces[o], result, w.delivered);
                }
                EXPECT(result == expected && !memcmp(out, s.data, n),
                       "error %zu, pieces of %zu and %zu: %d", e, pieces[i], pieces[o], result);
                EXPECT(walk(&w, pieces[i], 1) == expected && w.delivered == n, "error %zu again",
                       e);
            }
    }
}

/* A wrong trailer is read ahead, and reported with the last byte of output. */
static void test_wrong_trailer_ahead(void)
{
    static const uint32_t flags[] = {ISAL_GZIP, ISAL_ZLIB, ISAL_ZLIB_NO_HDR_VER,
                                     ISAL_GZIP_NO_HDR_VER};
    static struct stream s;
    uint8_t out[400];

    for (size_t f = 0; f < COUNT(flags); f++) {
        make_stream(&s, flags[f], "sd");
        s.bytes[s.len - 1] ^= 0x40;
        for (size_t i = 0; i <= s.len; i++)
            for (size_t o = 0; o <= s.n; o++) {
                struct walk w = begin_walk(&s, out);
                int result = walk(&w, i, o);

                if (i < s.len || o < s.n) {
                    EXPECT(result == 0 && state.block_state != ISAL_BLOCK_FINISH,
                           "flag %u, %zu and %zu: result %d", flags[f], i, o, result);
                    result = walk(&w, s.len, 0);
                    EXPECT(w.consumed == s.len, "flag %u, %zu and %zu: %zu bytes consumed",
                           flags[f], i, o, w.consumed);
                }
                if (w.delivered < s.n) {
                    EXPECT(result == 0, "flag %u, %zu and %zu: result %d", flags[f], i, o, result);
                    result = walk(&w, 0, s.n);
                }
                EXPECT(result == ISAL_INCORRECT_CHECKSUM && w.delivered == s.n &&
                           w.consumed == s.len && state.block_state == ISAL_BLOCK_FINISH &&
                           state.crc == checksum(&s, s.n, 1),
                       "flag %u, %zu and %zu: result %d", flags[f], i, o, result);
            }
    }
}

/* Members one after the other, and leftovers: each ends with its own trailer. */
static void test_members_ahead(void)
{
    static const size_t sizes[] = {1, 2, 60, 100000};
    static struct stream members[3];
    static uint8_t all[sizeof members[0].bytes * 2], data[DATA_BYTES], out[DATA_BYTES + 400];

    make_stream(&members[0], ISAL_GZIP, "d");
    begin_stream(&members[1], ISAL_GZIP);
    append_piece(&members[1], data, make_data(2, data) / 2, 2, 1);
    end_stream(&members[1]);
    make_stream(&members[2], ISAL_GZIP, "sf");
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t o = 0; o < COUNT(sizes); o++) {
            struct walk w = {all, out, 0, 0, 0, 0};
            size_t in_end = 0, out_end = 0;

            for (size_t m = 0; m < COUNT(members); m++) {
                memcpy(all + w.len, members[m].bytes, members[m].len + LEFTOVER);
                w.len += members[m].len;
                w.room += members[m].n;
            }
            w.len += LEFTOVER;
            isal_inflate_init(&state);
            state.crc_flag = ISAL_GZIP;
            for (size_t m = 0; m < COUNT(members); m++) {
                const struct stream *s = &members[m];

                isal_inflate_reset(&state);
                for (size_t calls = 0; state.block_state != ISAL_BLOCK_FINISH && calls < 200000;
                     calls++)
                    EXPECT(walk(&w, sizes[i], calls % 4 ? sizes[o] : 0) == 0, "member %zu", m);
                in_end += s->len;
                EXPECT(w.consumed == in_end && w.delivered == out_end + s->n &&
                           state.total_out == s->n && !memcmp(out + out_end, s->data, s->n) &&
                           state.crc == checksum(s, s->n, 1),
                       "member %zu, pieces of %zu and %zu: %zu of %zu consumed, %zu of %zu made", m,
                       sizes[i], sizes[o], w.consumed, in_end, w.delivered, out_end + s->n);
                out_end += s->n;
            }
            EXPECT(w.len - w.consumed == LEFTOVER, "%zu left", w.len - w.consumed);
        }
}

/* Raw streams with a dictionary, split everywhere. While output is owed no other can be set. */
static void test_dictionary_ahead(void)
{
    enum { N = 400 };
    static const size_t lengths[] = {50, 32768, 40000};
    static const uint32_t flags[] = {ISAL_DEFLATE, ISAL_GZIP_NO_HDR_VER, ISAL_ZLIB_NO_HDR_VER};
    static uint8_t dict[40000], out[N + 5], buffer[ISAL_DEF_LVL1_DEFAULT];
    static struct isal_zstream z;
    static struct stream s;

    test_fill_random(dict, sizeof dict);
    for (size_t k = 0; k < COUNT(lengths); k++) {
        begin_stream(&s, flags[k]);
        s.n = N;
        for (size_t i = 0; i < N; i++) /* as far back as the window goes, and near */
            s.data[i] = i % 50 < 3
                            ? (uint8_t) i
                            : (i < N / 2 && lengths[k] > WINDOW ? dict[lengths[k] - WINDOW + i]
                                                                : dict[lengths[k] - 50 + i % 50]);
        isal_deflate_init(&z);
        z.level = 1;
        z.level_buf = buffer;
        z.level_buf_size = sizeof buffer;
        EXPECT(isal_deflate_set_dict(&z, dict, (uint32_t) lengths[k]) == COMP_OK, "set_dict");
        z.end_of_stream = 1;
        z.next_in = s.data;
        z.avail_in = N;
        z.next_out = s.bytes;
        z.avail_out = sizeof s.bytes;
        EXPECT(isal_deflate(&z) == COMP_OK && z.total_out < N * 3 / 4, "%u bytes", z.total_out);
        s.len = z.total_out;
        end_stream(&s);
        for (size_t i = 0; i <= s.len; i++)
            for (size_t o = 0; o <= N; o++) {
                struct walk w = begin_walk(&s, out);

                EXPECT(isal_inflate_set_dict(&state, dict, (uint32_t) lengths[k]) == COMP_OK,
                       "set_dict");
                walk_stream(&w, &s, i, o % 3 ? o : 0);
                walk_stream(&w, &s, s.len, 0);
                if (w.delivered < N) {
                    EXPECT(isal_inflate_set_dict(&state, dict, 1) == ISAL_INVALID_STATE,
                           "dictionary with %zu bytes owed", N - w.delivered);
                }
                walk_stream(&w, &s, s.len, o);
                walk_stream(&w, &s, s.len, N);
            }
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_vectors);
    TEST(test_errors);
    TEST(test_window);
    TEST(test_states);
    TEST(test_members);
    TEST(test_gzip_header);
    TEST(test_zlib_dictionary);
    TEST(test_own_streams);
    TEST(test_exact_room);
    TEST(test_zlib_streams);
    TEST(test_libdeflate_streams);
    TEST(test_all_splits);
    TEST(test_random_splits);
    TEST(test_how_far_ahead);
    TEST(test_errors_ahead);
    TEST(test_wrong_trailer_ahead);
    TEST(test_members_ahead);
    TEST(test_dictionary_ahead);
    return test_finish();
}
