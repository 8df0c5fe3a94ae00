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

/* Decompresses in pieces of these sizes, each in memory of its own size, until the end or until
 * nothing happens any more. *used is what of the input it took. */
static int in_pieces(const uint8_t *in, size_t len, uint8_t *out, size_t room, size_t piece_in,
                     size_t piece_out, size_t *used)
{
    size_t at = 0, made = 0;
    int result = 0, idle = 0;

    while (result == 0 && state.block_state != ISAL_BLOCK_FINISH && idle < 2) {
        size_t n_in = piece_in ? piece_in : 1 + test_random(3000);
        size_t n_out = piece_out ? piece_out : test_random(3000);
        uint8_t *from, *to;

        n_in = n_in < len - at ? n_in : len - at;
        n_out = n_out < room - made ? n_out : room - made;
        from = test_alloc(n_in);
        to = test_alloc(n_out);
        memcpy(from, in + at, n_in);
        set_buffers(from, n_in, to, n_out);
        result = isal_inflate(&state);
        memcpy(out + made, to, n_out - state.avail_out);
        idle = state.avail_in == n_in && state.avail_out == n_out ? idle + 1 : 0;
        at += n_in - state.avail_in;
        made += n_out - state.avail_out;
        free(from);
        free(to);
    }
    *used = at;
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
    return test_finish();
}
