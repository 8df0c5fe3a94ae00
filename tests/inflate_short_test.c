/* Tests of streams of one short block: decoded in one call, with guard pages around input and
 * output, as in calls of one byte.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _DEFAULT_SOURCE /* mmap() */

#include <sys/mman.h>
#include <unistd.h>

#include "tests/inflate_test.h"

#define STREAMS 40000
#define MAX_IN 200    /* bytes of a stream; longer ones are left to the kernel */
#define ROOM 40000    /* bytes of output that no stream exceeds */
#define PAGES 0x10000 /* bytes between guard pages */

/* ---- Streams ---- */

/* Appends the code of a symbol of the fixed code (RFC 1951, 3.2.6), its highest bit first. */
static void put_fixed(struct bytes *b, unsigned *at, unsigned symbol)
{
    unsigned bits = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    unsigned code = symbol < 144   ? 0x30 + symbol
                    : symbol < 256 ? 0x190 + symbol - 144
                    : symbol < 280 ? symbol - 256
                                   : 0xc0 + symbol - 280;

    while (bits-- > 0)
        put_bits(b, at, code >> bits & 1, 1);
}

static void put_match(struct bytes *b, unsigned *at, unsigned length, unsigned distance)
{
    static const uint8_t extra[30] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0, 0};

    put_fixed(b, at, 257 + length);
    if (length < 28)
        put_bits(b, at, test_random(32), extra[length]);
    for (unsigned bits = 5; bits-- > 0;)
        put_bits(b, at, distance >> bits & 1, 1);
    if (distance > 3)
        put_bits(b, at, test_random(1 << 14) & (test_random(4) ? 0 : 0x3fff), distance / 2 - 1);
}

/* A block with the fixed code; few of its symbols and distances are invalid. */
static void make_fixed(struct bytes *b)
{
    unsigned at = 0, n = test_random(4) ? test_random(30) : test_random(150);

    put_bits(b, &at, 3, 3);
    for (; n > 0 && at < 8 * (MAX_IN - 8); n--)
        if (test_random(5))
            put_fixed(b, &at, test_random(8) ? 'a' + test_random(26) : test_random(256));
        else
            put_match(b, &at, test_random(60) ? test_random(29) : test_random(31),
                      test_random(60) ? test_random(4) : test_random(32));
    if (test_random(20))
        put_fixed(b, &at, 256);
    if (test_random(20) == 0)
        b->data[test_random(b->len)] ^= (uint8_t) (1 << test_random(8));
}

static void make_stored(struct bytes *b)
{
    unsigned n = test_random(test_random(2) ? 20 : 120);

    b->len = n + 5;
    test_fill_random(b->data, b->len);
    b->data[0] = (uint8_t) (1 | test_random(32) << 3);
    b->data[1] = (uint8_t) (test_random(20) ? n : n + 1);
    b->data[2] = 0;
    b->data[3] = b->data[1] ^ 0xff;
    b->data[4] = test_random(20) ? 0xff : 0xfe;
}

/* ---- Checks ---- */

/* Two regions of PAGES bytes between guard pages. */
static uint8_t *in_pages, *out_pages;

static uint8_t *guarded(void)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE);
    uint8_t *map = mmap(NULL, PAGES + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED || mprotect(map + page, PAGES, PROT_READ | PROT_WRITE)) {
        perror("mmap");
        exit(1);
    }
    return map + page;
}

/* What calls of one byte find. */
static struct {
    int result;
    size_t used, made;
    uint8_t out[ROOM];
} expected;

static void decode_bytewise(uint32_t flag, const uint8_t *in, size_t len)
{
    isal_inflate_init(&state);
    state.crc_flag = flag;
    expected.result = in_pieces(in, len, expected.out, sizeof expected.out, 1, sizeof expected.out,
                                &expected.used);
    expected.made = state.total_out;
    if (expected.result == 0 && state.block_state != ISAL_BLOCK_FINISH)
        expected.result = ISAL_END_INPUT;
}

/* Decodes into a buffer of `room` bytes, both buffers at the start or the end of their pages. */
static void check_one_call(uint32_t flag, const uint8_t *stream, size_t len, size_t room,
                           int at_end)
{
    uint8_t *in = in_pages + (at_end ? PAGES - len : 0);
    uint8_t *out = out_pages + (at_end ? PAGES - room : 0);
    int fits = expected.made <= room, result;

    memcpy(in, stream, len);
    result = one_call(flag, in, len, out, room);
    /* A full output buffer may be noticed before the end of the input or an error. */
    EXPECT(result == expected.result ? fits || result
                                     : result == ISAL_OUT_OVERFLOW &&
                                           (!fits || (expected.result && room == expected.made)),
           "flag %u, %zu bytes, room for %zu of %zu: result %d instead of %d", flag, len, room,
           expected.made, result, expected.result);
    EXPECT(result || (state.total_out == expected.made && state.next_out == out + expected.made &&
                      state.avail_out == room - expected.made),
           "flag %u, %zu bytes: %u bytes of output", flag, len, state.total_out);
    EXPECT(result || (state.next_in == in + expected.used &&
                      state.avail_in == len - expected.used && !state.read_in_length),
           "flag %u, %zu bytes: %u bytes of input left", flag, len, state.avail_in);
    EXPECT(result || state.block_state == ISAL_BLOCK_FINISH, "state %d", state.block_state);
    EXPECT(result || !memcmp(out, expected.out, expected.made), "flag %u, %zu bytes: wrong bytes",
           flag, len);
}

/* The same with isal_inflate(), which keeps output that does not fit. */
static void check_call(uint32_t flag, const uint8_t *stream, size_t len, size_t room)
{
    uint8_t *in = in_pages + PAGES - len, out[ROOM];
    size_t used;
    int result;

    memcpy(in, stream, len);
    isal_inflate_init(&state);
    state.crc_flag = flag;
    result = in_pieces(in, len, out, sizeof out, len, room + 1, &used);
    EXPECT(result == (expected.result == ISAL_END_INPUT ? 0 : expected.result),
           "flag %u, %zu bytes, room for %zu: result %d instead of %d", flag, len, room, result,
           expected.result);
    EXPECT(state.total_out == expected.made && (result || used == expected.used) &&
               !memcmp(out, expected.out, expected.made),
           "flag %u, %zu bytes, room for %zu: %u bytes of output", flag, len, room,
           state.total_out);
}

static void check_stream(const struct bytes *b, uint32_t flag)
{
    static struct stream s;
    size_t len;

    begin_stream(&s, flag);
    append(&s, b->data, b->len);
    decode_bytewise(ISAL_DEFLATE, b->data, b->len);
    memcpy(s.data, expected.out, expected.made);
    s.n = expected.made;
    end_stream(&s);
    len = s.len + (test_random(2) ? TRAILING : 0);
    if (test_random(8) == 0)
        len = test_random((unsigned) s.len + 1);
    decode_bytewise(flag, s.bytes, len);
    for (unsigned i = 0; i < 2; i++) {
        check_one_call(flag, s.bytes, len, expected.made + test_random(10), (int) i);
        check_one_call(flag, s.bytes, len, expected.made, (int) i);
        check_one_call(flag, s.bytes, len, test_random((unsigned) expected.made + 1), (int) i);
    }
    check_call(flag, s.bytes, len, expected.made + test_random(10));
    check_call(flag, s.bytes, len, test_random((unsigned) expected.made + 1));
}

static void test_short_streams(void)
{
    static const uint32_t flags[] = {ISAL_DEFLATE, ISAL_DEFLATE,     ISAL_GZIP,
                                     ISAL_ZLIB,    ISAL_GZIP_NO_HDR, ISAL_ZLIB_NO_HDR_VER};
    size_t complete = 0;

    in_pages = guarded();
    out_pages = guarded();
    for (unsigned i = 0; i < STREAMS; i++) {
        struct bytes b = {{0}, 0};

        if (test_random(4))
            make_fixed(&b);
        else
            make_stored(&b);
        check_stream(&b, flags[test_random(COUNT(flags))]);
        complete += expected.result == 0;
    }
    EXPECT(complete > STREAMS / 2 && complete < STREAMS, "%zu complete streams", complete);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_short_streams);
    return test_finish();
}
