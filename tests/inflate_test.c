/* Tests of decompression: results, states, positions and checksums of the public functions, in one
 * call and in pieces; headers and dictionaries.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel check tests the kernel, and the fuzz harness malformed streams. */

#include "tests/inflate_test.h"

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
        for (size_t out_size = 0; out_size < len; out_size++)
            EXPECT(one_call(v->flag, b.data, b.len, out, out_size) == ISAL_OUT_OVERFLOW,
                   "vector %zu, output buffer of %zu bytes", i, out_size);
    }
}

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

/* A dynamic block: 'a', a match of length 3 with distance symbol `distance` and extra bits 0, end.
 * Distance symbols 0 and `distance` have a code of one bit. */
static struct bytes dynamic_block(unsigned distance)
{
    struct bytes b = {{0}, 0};
    unsigned at = 0;
    /* Code lengths 0, 1 and 2, and runs of zeros: all in two bits. */
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1};

    put_bits(&b, &at, 1, 1);
    put_bits(&b, &at, 2, 2);
    put_bits(&b, &at, 1, 5); /* 258 */
    put_bits(&b, &at, distance, 5);
    put_bits(&b, &at, 14, 4);
    for (int i = 0; i < 18; i++)
        put_bits(&b, &at, order[i] <= 2 || order[i] == 18 ? 2 : 0, 3);
    /* Codes, reversed: 0 is 00, 1 is 10, 2 is 01, 18 is 11. */
    put_bits(&b, &at, 3, 2); /* 97 zeros */
    put_bits(&b, &at, 97 - 11, 7);
    put_bits(&b, &at, 2, 2); /* 'a': 1 bit */
    put_bits(&b, &at, 3, 2);
    put_bits(&b, &at, 138 - 11, 7);
    for (int i = 98 + 138; i < 256; i++)
        put_bits(&b, &at, 0, 2);
    put_bits(&b, &at, 1, 2); /* end: 2 bits */
    put_bits(&b, &at, 1, 2); /* length 3 */
    for (unsigned i = 0; i <= distance; i++)
        put_bits(&b, &at, i == 0 || i == distance ? 2 : 0, 2);
    put_bits(&b, &at, 0, 1); /* 'a' */
    put_bits(&b, &at, 3, 2); /* length 3 */
    put_bits(&b, &at, 1, 1);
    for (unsigned i = distance < 4 ? 0 : (distance - 2) / 2; i > 0; i--)
        put_bits(&b, &at, 0, 1);
    put_bits(&b, &at, 1, 2); /* end */
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
            /* A history that is one byte too short, and one that is just long enough. */
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
    EXPECT(isal_inflate(&state) == 0 && state.block_state != ISAL_BLOCK_FINISH, "no output buffer");
    state.avail_out = 5;
    EXPECT(isal_inflate(&state) == 0 && state.block_state == ISAL_BLOCK_FINISH,
           "exact output buffer");
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
    /* The rest is not a gzip member, which is reported after ten bytes. */
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
    /* Each call of isal_inflate_stateless() decodes one member. */
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
    struct bytes b = from_hex("783f062c0215");
    struct isal_zlib_header h;
    unsigned at = 48;
    uint8_t out[10], sum[4];
    uint32_t adler = isal_adler32(1, (const unsigned char *) "hellohello", 10);
    size_t used;

    put_bits(&b, &at, 1, 1);
    put_bits(&b, &at, 1, 2);
    put_bits(&b, &at, 8, 7); /* length 10 is symbol 264: 0001000, reversed */
    put_bits(&b, &at, 4, 5); /* distance symbol 4 is 00100, reversed */
    put_bits(&b, &at, 0, 1); /* 5 */
    put_bits(&b, &at, 0, 7); /* end */
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
    return test_finish();
}
