/* Compression of streams: the contract.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "deflate_common.h"

static uint8_t level_buf[MAX_LEVEL_BUF];

static void test_streams(void)
{
    static const struct division divisions[] = {
        {0, 0, 0, 0}, {100, 30, 0, 0}, {20000, 50000, 3, 0}, {1, 30, 3, 0}, {70000, 3, 1, 0},
    };

    for (unsigned i = 0; i < 800; i++) {
        size_t n = make_input(MAX_INPUT);
        unsigned level = test_random(LEVELS), wrapper = test_random(5), hist_bits = test_random(18);
        const struct division *d = &divisions[test_random(5)];
        size_t window = hist_bits == 0 || hist_bits > 15 ? 32768 : (size_t) 1 << hist_bits, size;

        start_stream(level, level_min(level) + (test_random(2) ? test_random(200000) : 0));
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

/* A flush in every call, with room for one byte of output. */
static void test_flush_byte_by_byte(void)
{
    for (unsigned i = 0; i < 400; i++) {
        struct division d = {1 + test_random(3000), 1 + test_random(40), 1 + i % 2, 2};
        unsigned level = test_random(LEVELS);
        size_t n = make_input(20000), size;

        start_stream(level, level_min(level));
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

        start_stream(level, level_min(level));
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
            stream.avail_out = (uint32_t) (MAX_OUTPUT - size);
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
            EXPECT(
                isal_deflate(&stream) == COMP_OK && stream.total_out == size + 5u &&
                    output[size] == 0,
                "an empty flush adds an empty block: %u bytes", stream.total_out - (unsigned) size);
    }
}

/* ---- Splits ---- */

/* A flush: the bytes of input before it, its kind, and a dictionary that is set after it. */
struct flush_point {
    size_t at;
    unsigned flush;
    uint8_t *dict;
    uint32_t dict_size;
};

/* Returns whether the state after a call says correctly if output is pending. */
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

/* Compresses n bytes of input with these flushes; the last one is the end of the stream. A call
 * gets at most max_in bytes of input and max_out of room; 0: all. Returns the size. */
static size_t run_split(const struct flush_point *point, unsigned max_in, unsigned max_out)
{
    size_t given = 0, size = 0;
    unsigned calls = 0;

    for (int done = 0; !done; point++) {
        int last = point->flush == NO_FLUSH, offered = 0;

        for (int flushed = 0; !flushed && !done; calls++) {
            size_t part = point->at - given, room = MAX_OUTPUT - size, taken;
            uint8_t *piece;

            if (max_in && !offered)
                part = test_random(max_in + 1);
            part = part < point->at - given ? part : point->at - given;
            offered = given + part == point->at; /* from then on, all of the rest is offered */
            if (max_out && calls < 400000)
                room = test_random(max_out + 1);
            room = room < MAX_OUTPUT - size ? room : MAX_OUTPUT - size;
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
        if (point->dict_size > 0)
            EXPECT(isal_deflate_set_dict(&stream, point->dict, point->dict_size) == COMP_OK,
                   "a dictionary after a flush");
    }
    return size;
}

/* The bytes made depend on the data, the level and the flushes, not on what each call gets. */
static void test_splits(void)
{
    static const struct {
        unsigned max_in, max_out;
    } splits[] = {{0, 1}, {1, 0}, {0, 64}, {3, 3}, {300, 300}, {20000, 1000}, {70000, 70000}};
    static uint8_t first[MAX_OUTPUT], dict[40000];

    for (unsigned i = 0; i < 300; i++) {
        size_t n = make_input(i % 3 ? 60000 : MAX_INPUT), first_size, dict_size = 0;
        unsigned level = i % LEVELS, wrapper = test_random(5), points = test_random(3) ? 0 : 3;
        unsigned hist_bits = test_random(2) ? 0 : 1 + test_random(15);
        uint32_t buf_size = level_min(level) + (level ? test_random(2) * 200000 : 0);
        struct flush_point point[4];

        if (test_random(4) == 0)
            dict_size = test_random(sizeof(dict));
        for (size_t j = 0; j < dict_size; j++)
            dict[j] = n ? input[(j + i) % n] : (uint8_t) j;
        for (unsigned j = 0; j < points; j++) {
            size_t at = test_random((unsigned) n + 1);

            point[j].dict_size = 0;
            point[j].at = j && test_random(4) == 0 ? point[j - 1].at : at;
            point[j].flush = 1 + test_random(2);
            for (unsigned k = j; k > 0 && point[k].at < point[k - 1].at; k--) {
                at = point[k].at;
                point[k].at = point[k - 1].at;
                point[k - 1].at = at;
            }
        }
        point[points].dict_size = 0;
        point[points].at = n;
        point[points].flush = NO_FLUSH;
        for (unsigned k = 0; k < 4; k++) {
            unsigned split = (i / LEVELS + k) % (sizeof(splits) / sizeof(splits[0]));
            unsigned max_in = k ? splits[split].max_in : 0;
            unsigned max_out = k ? splits[split].max_out : 0;
            size_t size;

            start_stream(level, buf_size);
            stream.gzip_flag = (uint16_t) wrapper;
            stream.hist_bits = (uint16_t) hist_bits;
            if (dict_size)
                EXPECT(isal_deflate_set_dict(&stream, dict, (uint32_t) dict_size) == COMP_OK,
                       "dictionary");
            size = run_split(point, max_in, max_out);
            if (k == 0) {
                first_size = size;
                memcpy(first, output, size);
                continue;
            }
            if (!EXPECT(size == first_size && !memcmp(first, output, size),
                        "case %u: level %u, %zu bytes, dictionary %zu, %u flushes, window %u: "
                        "%zu bytes in one call, %zu with at most %u in and %u out",
                        i, level, n, dict_size, points, hist_bits, first_size, size, max_in,
                        max_out))
                return;
        }
    }
}

/* A few bytes between full flushes, which level 0 may write in one loop. The state after them does
 * not depend on how they come. */
static void test_few_bytes_between_flushes(void)
{
    enum { RUN = 6000, ALL = 12000 };
    static uint8_t first[MAX_OUTPUT];

    for (unsigned i = 0; i < 50; i++) {
        size_t few = 1 + test_random(1500), first_size, size;
        struct flush_point point[] = {
            {RUN, FULL_FLUSH, NULL, 0}, {RUN + few, FULL_FLUSH, NULL, 0}, {ALL, NO_FLUSH, NULL, 0}};

        memset(input, 0, ALL);
        for (size_t k = RUN; k < ALL; k++)
            input[k] = test_random(8) ? input[k - 1 - test_random(100)]
                                      : (uint8_t) test_random(1 + 40 * (i % 4));
        start_stream(0, 0);
        first_size = run_split(point, 0, 0);
        memcpy(first, output, first_size);
        start_stream(0, 0);
        size = run_split(point, 1, 0);
        EXPECT(size == first_size && !memcmp(first, output, size),
               "%zu bytes between flushes: %zu bytes, or %zu from single bytes", few, first_size,
               size);
        if (i % 10 == 0)
            EXPECT(is_stream(size, ALL, 0, NULL, 0, 32768), "stream");
    }
}

/* The same after a dictionary. In every third case it is set once more after a flush, which the
 * reference decoder does not know. */
static void test_few_bytes_after_dictionary(void)
{
    static const struct {
        unsigned max_in, max_out;
    } splits[] = {{1, 0}, {0, 1}, {300, 300}};
    static uint8_t dict[40000], first[MAX_OUTPUT];

    for (unsigned i = 0; i < 400; i++) {
        uint32_t dict_size = 1 + test_random(i % 4 ? 2000 : sizeof(dict) - 1), again = i % 3;
        size_t few = 1 + test_random(i % 2 ? 300 : 2200), n = few + again * 500, first_size = 0;
        struct flush_point point[] = {{few, FULL_FLUSH, dict, again / 2 * dict_size},
                                      {n, NO_FLUSH, NULL, 0}};
        unsigned hist_bits = i % 5 ? 0 : 9 + test_random(7);
        size_t window = hist_bits ? (size_t) 1 << hist_bits : 32768;

        for (size_t k = 0; k < dict_size; k++)
            dict[k] = (uint8_t) ('a' + test_random(1 + i % 20));
        for (size_t k = 0; k < n; k++)
            input[k] = test_random(9) ? dict[(k + i) % dict_size] : (uint8_t) test_random(256);
        for (unsigned k = 0; k <= sizeof(splits) / sizeof(splits[0]); k++) {
            size_t size;

            start_stream(0, 0);
            stream.hist_bits = (uint16_t) hist_bits;
            EXPECT(isal_deflate_set_dict(&stream, dict, dict_size) == COMP_OK, "dictionary");
            size = k == 0 ? run_split(point + !again, 0, 0)
                          : run_split(point + !again, splits[k - 1].max_in, splits[k - 1].max_out);
            if (k == 0) {
                first_size = size;
                memcpy(first, output, size);
                EXPECT(again == 2 || is_stream(size, n, 0, dict, dict_size, window), "stream");
            }
            EXPECT(size == first_size && !memcmp(first, output, size),
                   "case %u: %zu bytes after %u, split %u: %zu bytes, not %zu", i, few, dict_size,
                   k, size, first_size);
        }
    }
}

/* A block that becomes full within a run ends at the same place, however input is split. */
static void test_run_fills_block(void)
{
    static uint8_t first[MAX_OUTPUT];

    for (unsigned i = 0; i < 40; i++) {
        size_t n = MAX_INPUT, letters = 1000 + test_random(2500), first_size, size;
        struct flush_point end = {n, NO_FLUSH, NULL, 0};
        unsigned max_in = 1 + test_random(i % 2 ? 3000 : 20000);

        memset(input, 0, n);
        for (size_t k = 0; k < letters; k++)
            input[k] = (uint8_t) ('a' + test_random(20));
        start_stream(1, level_min(1));
        first_size = run_split(&end, 0, 0);
        memcpy(first, output, first_size);
        start_stream(1, level_min(1));
        size = run_split(&end, max_in, 0);
        EXPECT(size == first_size && !memcmp(first, output, size),
               "case %u: %zu letters, %zu bytes in one call, %zu with at most %u in", i, letters,
               first_size, size, max_in);
    }
}

/* Input is consumed while output has no room, until the stream's buffer is full. */
static void test_absorption(void)
{
    for (unsigned level = 0; level < LEVELS; level++) {
        size_t given = 0;

        for (size_t i = 0; i < MAX_INPUT; i++)
            input[i] = (uint8_t) ('a' + test_random(20));
        start_stream(level, level_min(level) + (level ? 200000 : 0));
        stream.next_out = output;
        stream.avail_out = 0;
        do {
            stream.next_in = input + given;
            stream.avail_in = 1000;
            if (!EXPECT(isal_deflate(&stream) == COMP_OK, "deflate"))
                return;
            given += 1000 - stream.avail_in;
        } while (stream.avail_in == 0 && given + 1000 <= MAX_INPUT);
        EXPECT(given == stream.total_in && given >= 55000, "level %u: %zu bytes", level, given);
        EXPECT(is_state_shown(&stream) && stream.internal_state.state >= ZSTATE_TMP_OFFSET,
               "level %u: state %u", level, stream.internal_state.state);
    }
}

/* ---- Return codes ---- */

static void test_errors(void)
{
    start_stream(0, 0);
    stream.flush = 3;
    EXPECT(isal_deflate(&stream) == INVALID_FLUSH, "flush 3");
    stream.flush = 0;
    stream.level = LEVELS;
    EXPECT(isal_deflate(&stream) == ISAL_INVALID_LEVEL_BUF, "no such level, without a buffer");
    stream.level_buf = level_buf;
    stream.level_buf_size = sizeof(level_buf);
    EXPECT(isal_deflate(&stream) == ISAL_INVALID_LEVEL, "no such level");
    EXPECT(isal_deflate_level_buf_size(0) == 0 && isal_deflate_level_buf_size(LEVELS) == 0,
           "levels without a buffer");
    EXPECT(isal_deflate_level_buf_size(1) == ISAL_DEF_LVL1_DEFAULT &&
               isal_deflate_level_buf_size(3) == ISAL_DEF_LVL3_DEFAULT,
           "best buffers");
    for (unsigned level = 1; level < LEVELS; level++) {
        start_stream(level, level_min(level) - 1);
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
    stream.avail_out = MAX_OUTPUT;
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
    TEST(test_few_bytes_between_flushes);
    TEST(test_few_bytes_after_dictionary);
    TEST(test_run_fills_block);
    TEST(test_absorption);
    return test_finish();
}
