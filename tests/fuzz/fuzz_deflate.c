/* Fuzz harness: compress with any settings, in any division, and decode.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The input is the settings in the order of read_settings(), then the dictionary, then the data. In
 * a share of the inputs make_longer() expands the data. The compressor's buffers end at an
 * inaccessible page or begin after one, which also catches assembly kernels, unknown to sanitizers.
 * The decoder is the library's; in a share of the inputs also zlib or the tests' own, which are
 * independent of it. In another share the portable kernels compress the same again, and have to
 * write the same bytes. */

#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "isa-l/igzip_lib.h"
#include "isa-l/isal_api.h"
#include "tests/fuzz/deflate_decoders.h"

#define CALLS 16 /* then they repeat */
#define CALLS_MAX (4 * CALLS)
#define LONGEST 120000 /* bytes that data are made longer to */

enum kind { STREAM, ONE_CALL, PIECES, KINDS };
enum tables { DEFAULT_TABLES, STATIC_TABLES, CUSTOM_TABLES, SUBSET_TABLES, TABLES };
enum preset { NO_DICT, SET_DICT, SET_TWICE, PROCESSED_DICT, PRESETS };

struct settings {
    enum kind kind;
    unsigned level, wrapper, window, buf_size;
    enum tables tables;
    enum preset preset;
    int assign;       /* the tables are assigned, not set */
    int used;         /* the stream has begun something else before */
    int own_buf;      /* level 1 uses the memory in the stream */
    int at_end;       /* buffers end at a guard page; else they begin there */
    unsigned decoder; /* 0: the tests' own too; 1, 2: zlib too; 3 to 8: level 4 to 9 instead of 3 */
    int compare;      /* with the portable kernels */
    int longer;       /* the data stand for more */
    unsigned room;    /* one call: of output */
    size_t dict_size, size;
    struct {
        uint32_t in, out;
        uint16_t flush;
    } calls[CALLS];
};

/* Pages between two inaccessible ones. */
struct arena {
    uint8_t *begin;
    size_t size;
};

static struct arena arena_stream, arena_level, arena_in[2], arena_out, arena_dict;
static uint8_t *dict, *data; /* of the input at work */
static uint8_t *results[2];
static size_t results_room[2];
static struct isal_hufftables custom;

static const uint32_t level_min[4] = {0, ISAL_DEF_LVL1_MIN, ISAL_DEF_LVL2_MIN, ISAL_DEF_LVL3_MIN};

/* ---- Memory ---- */

/* n bytes in the arena, with other contents than before. */
static uint8_t *place(struct arena *a, size_t n, int at_end)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE), size = (n + page) / page * page;

    if (size > a->size) {
        uint8_t *map;

        if (a->size)
            munmap(a->begin - page, a->size + 2 * page);
        a->size = 2 * size;
        map = mmap(NULL, a->size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        FUZZ_EXPECT(map != MAP_FAILED && !mprotect(map + page, a->size, PROT_READ | PROT_WRITE),
                    "%zu bytes", a->size);
        a->begin = map + page;
    }
    return at_end ? a->begin + a->size - n : a->begin;
}

/* ---- Settings ---- */

static struct settings read_settings(struct fuzz_input *in)
{
    static const uint32_t limits[] = {0, 3, 60, 300, 4095, 4095, 4095, 65535};
    struct settings s;
    unsigned flush = fuzz_number(in, 15);
    uint32_t in_max = limits[fuzz_number(in, 7)], out_max = limits[fuzz_number(in, 7)], n;

    memset(&s, 0, sizeof s);
    n = fuzz_number(in, 7);
    s.kind = n < 5 ? STREAM : n == 5 ? PIECES : ONE_CALL;
    s.level = fuzz_number(in, 3);
    s.wrapper = s.kind == PIECES ? IGZIP_DEFLATE : fuzz_number(in, 4);
    n = fuzz_number(in, 31);
    s.window = n < 17 ? n : 0;
    n = fuzz_number(in, 0xffff);
    s.buf_size = level_min[s.level] + (n % 4 == 0 ? 0 : n % 4 == 1 ? 300000 : n);
    n = fuzz_number(in, 15);
    s.tables = n < TABLES ? (enum tables) n : DEFAULT_TABLES;
    n = fuzz_number(in, 7);
    s.preset = n < PRESETS && s.kind == STREAM ? (enum preset) n : NO_DICT;
    n = fuzz_number(in, 0xff);
    s.assign = n & 1;
    s.at_end = (n >> 1 & 3) != 0;
    s.used = (n >> 3 & 3) == 0;
    s.own_buf = (n >> 5 & 3) == 0 && s.kind == ONE_CALL && s.level == 1 && !s.used;
    n = fuzz_number(in, 0xff);
    s.decoder = n & 15;
    if (s.decoder >= 3 && s.decoder <= 8 && s.level == 3) {
        s.level = s.decoder + 1;
        s.buf_size += isal_deflate_level_buf_size(s.level) - level_min[3];
        s.decoder = 0;
    }
    s.compare = (n >> 4 & 7) == 0;
    s.longer = n >> 4 == 15 || n >> 2 == 32; /* not compared, or compared */
    s.room = fuzz_number(in, 0xff);
    s.dict_size = fuzz_number(in, 0xfff);
    for (unsigned i = 0; i < CALLS; i++) {
        s.calls[i].in = fuzz_number(in, 0xffff) % (in_max + 1);
        s.calls[i].out = fuzz_number(in, 0xffff) % (out_max + 1);
        n = fuzz_number(in, 15);
        s.calls[i].flush = (uint16_t) (flush < 3 ? flush : flush < 9 && n < 3 ? n : NO_FLUSH);
    }
    s.dict_size = s.dict_size < in->left / 2 ? s.dict_size : in->left / 2;
    if (in->left > 50000 && s.preset != NO_DICT)
        s.dict_size = in->left / 2;
    s.dict_size = s.preset == NO_DICT ? 0 : s.dict_size;
    s.size = in->left - s.dict_size;
    return s;
}

/* Expands the data: each byte becomes one byte, or many that are equal, random, or a repetition at
 * a new distance or the last one. The compressor handles each kind differently once it has seen
 * some KB of it. */
static void make_longer(struct settings *s)
{
    uint8_t *to = fuzz_alloc(LONGEST);
    uint32_t random = 1;
    size_t n = 0, back = 1;

    for (size_t i = 0; i < s->size && n < LONGEST; i++) {
        size_t count = data[i] % 4 == 0 ? 1 : (size_t) 64 << (data[i] >> 2) % 8;

        if (data[i] & 0x80)
            back = n / 2 + 1;
        count = count < LONGEST - n ? count : LONGEST - n;
        for (; count > 0; count--, n++) {
            random = random * 1664525 + 1013904223;
            to[n] = data[i] % 4 == 2                ? (uint8_t) (random >> 24)
                    : data[i] % 4 == 3 && n >= back ? to[n - back]
                                                    : data[i];
        }
    }
    free(data);
    data = to;
    s->size = n;
}

/* Codes for the data; those of SUBSET_TABLES have no others. */
static void make_tables(const struct settings *s)
{
    static struct isal_huff_histogram counts;
    uint8_t *copy = place(&arena_in[0], s->size, s->at_end);
    int result;

    memset(&counts, 0, sizeof counts);
    if (s->size)
        memcpy(copy, data, s->size);
    isal_update_histogram(copy, (int) s->size, &counts);
    for (size_t i = 0; i < s->size; i++) /* what is in a match here may be a literal there */
        counts.lit_len_histogram[data[i]]++;
    result = s->tables == CUSTOM_TABLES ? isal_create_hufftables(&custom, &counts)
                                        : isal_create_hufftables_subset(&custom, &counts);
    FUZZ_EXPECT(!result, "tables");
}

static struct isal_hufftables *tables_of(const struct settings *s)
{
    return s->tables >= CUSTOM_TABLES ? &custom : NULL;
}

/* After isal_deflate_init(), isal_deflate_stateless_init() or isal_deflate_reset(). */
static void set_up(const struct settings *s, struct isal_zstream *stream, uint8_t *level_buf)
{
    static const int types[TABLES] = {IGZIP_HUFFTABLE_DEFAULT, IGZIP_HUFFTABLE_STATIC,
                                      IGZIP_HUFFTABLE_CUSTOM, IGZIP_HUFFTABLE_CUSTOM};

    stream->level = s->level;
    stream->level_buf = s->level && !s->own_buf ? level_buf : NULL;
    stream->level_buf_size = s->level ? s->buf_size : 0;
    stream->gzip_flag = (uint16_t) s->wrapper;
    stream->hist_bits = (uint16_t) s->window;
    stream->flush = NO_FLUSH;
    stream->end_of_stream = 0;
    if (s->assign && tables_of(s))
        stream->hufftables = tables_of(s);
    else
        FUZZ_EXPECT(!isal_deflate_set_hufftables(stream, tables_of(s), types[s->tables]),
                    "tables %d", s->tables);
}

static void set_dict(const struct settings *s, struct isal_zstream *stream)
{
    static struct isal_dict processed;
    uint8_t *copy;

    if (s->dict_size == 0)
        return;
    copy = place(&arena_dict, s->dict_size, s->at_end);
    memcpy(copy, dict, s->dict_size);
    if (s->preset == SET_TWICE)
        FUZZ_EXPECT(!isal_deflate_set_dict(stream, copy, (uint32_t) s->dict_size / 2), "first");
    if (s->preset == PROCESSED_DICT) {
        processed.level = 0;
        FUZZ_EXPECT(!isal_deflate_process_dict(stream, &processed, copy, (uint32_t) s->dict_size),
                    "%zu bytes", s->dict_size);
        memset(copy, 0xa5, s->dict_size);
        FUZZ_EXPECT(!isal_deflate_reset_dict(stream, &processed), "%zu bytes", s->dict_size);
    } else {
        FUZZ_EXPECT(!isal_deflate_set_dict(stream, copy, (uint32_t) s->dict_size), "%zu bytes",
                    s->dict_size);
        memset(copy, 0xa5, s->dict_size);
    }
}

/* ---- Compression ---- */

/* The stream, fresh or after other work. */
static struct isal_zstream *begin(const struct settings *s)
{
    struct isal_zstream *stream =
        (void *) place(&arena_stream, (sizeof *stream + 7) & ~(size_t) 7, s->at_end);
    uint8_t *level_buf = place(&arena_level, s->buf_size, s->at_end), out[64];

    if (s->used) {
        isal_deflate_init(stream);
        set_up(s, stream, level_buf);
        stream->next_in = data;
        stream->avail_in = (uint32_t) s->size;
        stream->flush = s->calls[0].flush;
        stream->next_out = out;
        stream->avail_out = s->room % sizeof out;
        FUZZ_EXPECT(isal_deflate(stream) == COMP_OK, "before");
        isal_deflate_reset(stream);
        FUZZ_EXPECT(stream->total_in == 0 && stream->total_out == 0, "reset");
    } else {
        memset(stream, 0xa5, sizeof *stream);
        if (s->kind == STREAM)
            isal_deflate_init(stream);
        else
            isal_deflate_stateless_init(stream);
    }
    set_up(s, stream, level_buf);
    return stream;
}

/* isal_deflate(), call by call: what is left of one call's input lies elsewhere in the next. */
static size_t compress_stream(const struct settings *s, uint8_t *made, size_t most,
                              struct flushed *last)
{
    struct isal_zstream *stream = begin(s);
    size_t given = 0, size = 0;
    uint8_t *before = NULL;

    set_dict(s, stream);
    stream->next_in = NULL;
    stream->avail_in = 0;
    for (unsigned i = 0; stream->internal_state.state != ZSTATE_END; i++) {
        uint32_t more = i < CALLS_MAX ? s->calls[i % CALLS].in : (uint32_t) s->size;
        uint32_t room = i < CALLS_MAX ? s->calls[i % CALLS].out : 4096, left = stream->avail_in;
        uint8_t *in, *out = place(&arena_out, room, s->at_end);
        size_t n;

        more = more < s->size - given ? more : (uint32_t) (s->size - given);
        in = place(&arena_in[i % 2], left + more, s->at_end);
        if (left)
            memcpy(in, stream->next_in, left);
        if (more)
            memcpy(in + left, data + given, more);
        if (before)
            memset(before, 0xa5, left);
        before = in;
        stream->next_in = in;
        stream->avail_in = left + more;
        given += more;
        stream->end_of_stream = given == s->size;
        stream->flush = i < CALLS_MAX ? s->calls[i % CALLS].flush : NO_FLUSH;
        last->calls += stream->flush != NO_FLUSH;
        stream->next_out = out;
        stream->avail_out = room;
        FUZZ_EXPECT(isal_deflate(stream) == COMP_OK, "call %u", i);
        FUZZ_EXPECT(!stream->avail_in || !stream->avail_out, "call %u", i);
        n = room - stream->avail_out;
        FUZZ_EXPECT(stream->next_out == out + n && n <= most - size, "call %u: %zu bytes", i, n);
        if (n)
            memcpy(made + size, out, n);
        size += n;
        FUZZ_EXPECT(size == stream->total_out && i < 100000, "call %u", i);
        FUZZ_EXPECT(stream->total_in == given - stream->avail_in, "call %u", i);
        if (stream->flush != NO_FLUSH && !stream->end_of_stream && stream->avail_out) {
            FUZZ_EXPECT(stream->internal_state.state == ZSTATE_NEW_HDR, "call %u", i);
            FUZZ_EXPECT(size >= 4 && !memcmp(made + size - 4, "\0\0\377\377", 4), "call %u", i);
            last->in = given;
            last->out = size;
            last->flush = stream->flush;
        }
    }
    FUZZ_EXPECT(given == s->size && stream->avail_in == 0, "%zu of %zu bytes", given, s->size);
    return size;
}

/* isal_deflate_stateless() with any room, and with enough. */
static size_t compress_once(const struct settings *s, uint8_t *made, size_t most)
{
    size_t room = s->room < 128 ? most : most * (s->room - 128) / 128; /* any, then enough */

    for (;;) {
        struct isal_zstream *stream = begin(s);
        uint8_t *out = place(&arena_out, room, s->at_end);
        int result;

        stream->next_in = place(&arena_in[0], s->size, s->at_end);
        if (s->size)
            memcpy(stream->next_in, data, s->size);
        stream->avail_in = (uint32_t) s->size;
        stream->next_out = out;
        stream->avail_out = (uint32_t) room;
        result = isal_deflate_stateless(stream);
        if (result == COMP_OK) {
            size_t n = stream->total_out;

            FUZZ_EXPECT(n <= room && stream->avail_out == room - n && stream->avail_in == 0 &&
                            stream->total_in == s->size,
                        "%zu bytes", n);
            memcpy(made, out, n);
            return n;
        }
        FUZZ_EXPECT(result == STATELESS_OVERFLOW && room < most, "%d at %zu of %zu bytes", result,
                    room, most);
        room = most;
    }
}

/* isal_deflate_stateless() for pieces that join to one stream. */
static size_t compress_pieces(const struct settings *s, uint8_t *made, size_t most)
{
    struct isal_zstream *stream = begin(s);
    size_t given = 0, size = 0;

    for (unsigned i = 0; size == 0 || stream->internal_state.state != ZSTATE_END; i++) {
        size_t n = i < CALLS - 1 ? s->calls[i].in : s->size, room;

        n = n < s->size - given ? n : s->size - given;
        room = n + 5 * (n ? (n + 65534) / 65535 : 1);
        stream->next_in = place(&arena_in[0], n, s->at_end);
        if (n)
            memcpy(stream->next_in, data + given, n);
        stream->avail_in = (uint32_t) n;
        given += n;
        stream->flush = FULL_FLUSH;
        stream->end_of_stream = given == s->size;
        stream->next_out = place(&arena_out, room, s->at_end);
        stream->avail_out = (uint32_t) room;
        FUZZ_EXPECT(isal_deflate_stateless(stream) == COMP_OK, "piece %u of %zu bytes", i, n);
        n = room - stream->avail_out;
        FUZZ_EXPECT(n <= most - size, "piece %u", i);
        memcpy(made + size, stream->next_out - n, n);
        size += n;
    }
    return size;
}

static size_t make_stream(const struct settings *s, unsigned which, struct flushed *last)
{
    size_t most = 2 * s->size + 512 * (CALLS_MAX + 2); /* much more than the bounds */
    uint8_t *made = reserve(&results[which], &results_room[which], most);
    size_t size;

    memset(last, 0, sizeof *last);
    if (s->kind == PIECES)
        return compress_pieces(s, made, most);
    if (s->kind == ONE_CALL) {
        static const uint8_t wrappers[] = {0, 18, 8, 6, 4};

        return compress_once(s, made,
                             s->size + 5 * (s->size ? (s->size + 65534) / 65535 : 1) +
                                 wrappers[s->wrapper]);
    }
    size = compress_stream(s, made, most, last);
    most = (size_t) isal_deflate_bound(s->size, s->level, s->wrapper, last->calls,
                                       s->level ? NULL : tables_of(s));
    FUZZ_EXPECT(size <= most, "%zu bytes, more than the bound %zu with %u flushes", size, most,
                last->calls);
    return size;
}

/* ---- An input ---- */

FUZZ_HARNESS(deflate)
{
    struct settings s = read_settings(in);
    size_t header = s.wrapper == IGZIP_GZIP ? 10 : s.wrapper == IGZIP_ZLIB ? 2 : 0;
    size_t trailer = s.wrapper == 0 ? 0 : s.wrapper <= IGZIP_GZIP_NO_HDR ? 8 : 4;
    struct flushed last, again;
    struct original o;
    size_t size;

    dict = fuzz_copy(in, s.dict_size);
    data = fuzz_copy(in, s.size);
    if (s.longer)
        make_longer(&s);
    if (tables_of(&s))
        make_tables(&s);
    size = make_stream(&s, 0, &last);
    FUZZ_EXPECT(size >= header + trailer, "%zu bytes", size);
    if (s.compare) {
        FUZZ_EXPECT(!isal_set_isa_limit("base"), "base");
        FUZZ_EXPECT(make_stream(&s, 1, &again) == size && !memcmp(results[0], results[1], size),
                    "other bytes from the portable kernels");
    }
    o = (struct original){dict, data, s.dict_size, s.size, s.wrapper, s.window};
    check_inflate(&o, results[0] + header, size - header);
    if (s.compare)
        isal_set_isa_limit(NULL);
    if (last.out >= header)
        last.out -= header;
    if (s.decoder == 0)
        check_reference(&o, results[0] + header, size - header, &last);
    else if (s.decoder <= 2)
        check_zlib(&o, results[0] + header, size - header);
    free(data);
    free(dict);
}
