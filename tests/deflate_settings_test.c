/* Compression in one call, Huffman tables, dictionaries and headers: the contract.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "deflate_common.h"

static uint8_t level_buf[MAX_LEVEL_BUF];

/* ---- One call ---- */

static void test_stateless(void)
{
    static const unsigned extra[5] = {0, 18, 8, 6, 4};

    for (unsigned i = 0; i < 1000; i++) {
        size_t n = make_input(MAX_INPUT);
        unsigned level = test_random(LEVELS), wrapper = test_random(5);
        uint32_t bound = (uint32_t) (n + 5 * (n ? (n + 65534) / 65535 : 1) + extra[wrapper]), size;
        uint8_t *exact;

        memset(&stream, 0xa5, sizeof(stream));
        isal_deflate_stateless_init(&stream);
        stream.level = level;
        if (level > 1 || (level == 1 && test_random(2))) {
            stream.level_buf_size = level_min(level) + (test_random(2) ? test_random(200000) : 0);
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

        /* With less room the call succeeds or returns an error, and writes nothing after it. Twenty
         * calls of the slow levels take long if the input is. */
        if (level >= 8 && n > 10000)
            continue;
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
                   "level %u: %d with %u bytes for %u", level, status, room, size);
            EXPECT(room == size + 8 || exact[room] == 0xcc, "it wrote too much");
        }
        free(exact);
    }
}

/* Pieces with a full flush make one stream. */
static void test_stateless_pieces(void)
{
    for (unsigned i = 0; i < 150; i++) {
        size_t n = make_input(MAX_INPUT), given = 0;
        unsigned level = test_random(LEVELS);

        isal_deflate_stateless_init(&stream);
        stream.level = level;
        stream.level_buf = level_buf;
        stream.level_buf_size = level_min(level);
        stream.next_out = output;
        stream.avail_out = MAX_OUTPUT;
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

/* What memory holds before a stream does not matter. The data are nearly random: some blocks become
 * tokens and are then stored. */
static void test_memory(void)
{
    uint32_t size = level_min(LEVELS - 1);
    uint8_t *buf = make_level_buf(size);

    for (unsigned i = 0; i < 3000; i++) {
        size_t n = 1024 + test_random(7000), sizes[2];
        unsigned level = 1 + i % (LEVELS - 1), kind = test_random(2), skew = 1 + test_random(12);

        for (size_t k = 0; k < n; k++)
            input[k] = (uint8_t) (kind                    ? test_random(230 + 2 * skew)
                                  : test_random(64) < skew ? test_random(16)
                                                           : test_random(256));
        for (unsigned fill = 0; fill < 2; fill++) {
            uint8_t *to = fill ? decoded : output;

            memset(buf, fill ? 0xff : 0, size);
            isal_deflate_stateless_init(&stream);
            stream.level = level;
            stream.level_buf = buf;
            stream.level_buf_size = size;
            stream.next_in = input;
            stream.avail_in = (uint32_t) n;
            stream.next_out = to;
            stream.avail_out = sizeof(decoded);
            EXPECT(isal_deflate_stateless(&stream) == COMP_OK, "level %u", level);
            sizes[fill] = stream.total_out;
        }
        EXPECT(sizes[0] == sizes[1] && !memcmp(output, decoded, sizes[0]),
               "case %u: level %u: %zu and %zu bytes for %zu", i, level, sizes[0], sizes[1], n);
    }
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
        start_stream(level, level_min(level));
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
            start_stream(level, level_min(level));
            plain = run_stream(n, &d);
            EXPECT(size <= plain + 8, "a dictionary with the data: %zu bytes, without %zu", size,
                   plain);
        }
    }
}

static void test_dictionary_matches(void)
{
    static uint8_t dict[3000];
    static struct isal_dict ready;

    /* Matches in a dictionary are found, whatever the size of the level buffer. */
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0; i < 4; i++) {
            for (unsigned j = 0; j < 3000; j++)
                input[j] = dict[j] = (uint8_t) test_random(256);
            start_stream(level, level_min(level) + (i & 1 ? 200000 : 0));
            if (i & 2)
                EXPECT(isal_deflate_process_dict(&stream, &ready, dict, 3000) == COMP_OK &&
                           isal_deflate_reset_dict(&stream, &ready) == COMP_OK,
                       "level %u", level);
            else
                EXPECT(isal_deflate_set_dict(&stream, dict, 3000) == COMP_OK, "level %u", level);
            EXPECT(run_stream(3000, &(struct division){0, 0, 0, 0}) < 400, "level %u: %u", level,
                   i);
        }
}

static void test_dictionary_errors(void)
{
    static uint8_t dict[9];
    static struct isal_dict ready;

    start_stream(1, level_min(1));
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
    start_stream(1, level_min(1));
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

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_stateless);
    TEST(test_stateless_pieces);
    TEST(test_memory);
    TEST(test_hufftables);
    TEST(test_dictionaries);
    TEST(test_dictionary_matches);
    TEST(test_dictionary_errors);
    TEST(test_headers);
    return test_finish();
}
