/* deflate() against the system's zlib: random calls. Results that do not depend on the compressed
 * bytes are compared, and the system's inflate() decodes all output.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     zlib_deflate_test [TEST...]     ZLIB_TEST_ROUNDS: rounds of each, 200 by default */

#include "tests/zlib_test.h"

enum { MAX_DATA = 300000, MAX_STREAM = 2 * MAX_DATA };

static uint8_t data[MAX_DATA], stream[LIBRARIES][MAX_STREAM], back[MAX_DATA + 1];

struct settings {
    int level, bits, mem, strategy;
    size_t bytes;
    unsigned dictionary; /* bytes */
    unsigned primed;     /* bits */
    int prime;
};

static void make_settings(struct settings *s)
{
    static const int offsets[] = {0, 16};
    int bits = test_random(3) ? 15 : 9 + (int) test_random(7);

    s->level = (int) test_random(11) - 1;
    s->bits = test_random(3) ? bits + offsets[test_random(2)] : -bits;
    s->mem = test_random(3) ? 8 : 1 + (int) test_random(9);
    s->strategy = test_random(2) ? 0 : (int) test_random(5);
    s->bytes = test_random(3) ? test_random(5000) : test_random(MAX_DATA);
    s->dictionary = s->bits < 16 && test_random(4) == 0 ? 1 + test_random(40000) : 0;
    s->primed = s->bits < 0 && test_random(4) == 0 ? test_random(17) : 0;
    s->prime = (int) test_random(65536);
    make_data(data, s->bytes);
}

/* Returns whether the system's inflate() decodes the stream of a library to the data. */
static int decodes(const struct settings *s, const uint8_t *from, size_t n,
                   const uint8_t *dictionary)
{
    const struct zlib *z = &zlib[PEER];
    z_stream strm;
    int result;

    memset(&strm, 0, sizeof strm);
    INFLATE_INIT2(z, &strm, s->bits);
    strm.next_in = from;
    strm.avail_in = (unsigned) n;
    strm.next_out = back;
    strm.avail_out = sizeof back;
    if (s->primed > 0) { /* the bits before the stream */
        strm.next_in += s->primed / 8;
        strm.avail_in -= s->primed / 8;
        if (s->primed % 8)
            z->inflatePrime(&strm, 8 - (int) s->primed % 8, *strm.next_in++ >> s->primed % 8);
        strm.avail_in -= s->primed % 8 != 0;
    }
    if (s->dictionary > 0 && s->bits < 0)
        z->inflateSetDictionary(&strm, dictionary, s->dictionary);
    result = z->inflate(&strm, Z_FINISH);
    if (result == Z_NEED_DICT) {
        z->inflateSetDictionary(&strm, dictionary, s->dictionary);
        result = z->inflate(&strm, Z_FINISH);
    }
    z->inflateEnd(&strm);
    return EXPECT(result == Z_STREAM_END, "inflate: %d, %s; %lu bytes of %zu", result,
                  strm.msg ? strm.msg : "", strm.total_out, s->bytes) &&
           EXPECT(strm.total_out == s->bytes && !memcmp(back, data, s->bytes), "%lu bytes, not %zu",
                  strm.total_out, s->bytes) &&
           EXPECT(strm.avail_in == 0, "%u bytes too many", strm.avail_in);
}

/* Begins a stream of a library. */
static int begin(int i, z_stream *strm, const struct settings *s, const uint8_t *dictionary)
{
    int result;

    memset(strm, 0, sizeof *strm);
    result = DEFLATE_INIT2(&zlib[i], strm, s->level, s->bits, s->mem, s->strategy);
    if (result == Z_OK && s->dictionary > 0)
        result = zlib[i].deflateSetDictionary(strm, dictionary, s->dictionary);
    if (result == Z_OK && s->primed > 0)
        result = zlib[i].deflatePrime(strm, (int) s->primed, s->prime);
    return result;
}

static int same(const z_stream *strm, const int *result, const char *what)
{
    const z_stream *a = &strm[OURS], *b = &strm[PEER];

    return EXPECT(result[OURS] == result[PEER], "%s: %d, not %d", what, result[OURS],
                  result[PEER]) &&
           EXPECT(a->avail_in == b->avail_in && a->total_in == b->total_in,
                  "%s: avail_in %u, not %u", what, a->avail_in, b->avail_in) &&
           EXPECT(a->adler == b->adler, "%s: adler %lx, not %lx", what, a->adler, b->adler) &&
           EXPECT((a->msg == NULL) == (b->msg == NULL) &&
                      (a->msg == NULL || !strcmp(a->msg, b->msg)),
                  "%s: %s, not %s", what, a->msg ? a->msg : "NULL", b->msg ? b->msg : "NULL");
}

/* A change of parameters, now and then. */
static int change(z_stream *strm, size_t *out)
{
    int level = (int) test_random(10), strategy = (int) test_random(5), result[LIBRARIES];

    for (int i = 0; i < LIBRARIES; i++) {
        strm[i].avail_in = 0;
        strm[i].next_out = stream[i] + out[i];
        strm[i].avail_out = (unsigned) (MAX_STREAM - out[i]);
        result[i] = zlib[i].deflateParams(&strm[i], level, strategy);
        out[i] = MAX_STREAM - strm[i].avail_out;
    }
    return same(strm, result, "deflateParams");
}

/* Compresses with much room for output, in both libraries. */
static int compress_both(z_stream *strm, const struct settings *s, size_t *out)
{
    int wild = test_random(3) == 0, result[LIBRARIES] = {0}, flush;
    size_t at = 0;

    do {
        unsigned n = test_random(3) ? test_random(5000) : test_random(100000);

        n = n < s->bytes - at ? n : (unsigned) (s->bytes - at);
        flush = wild ? (int) test_random(7) : test_random(3) ? 0 : (int) test_random(4);
        if (at + n == s->bytes && test_random(2))
            flush = Z_FINISH;
        else if (flush == Z_FINISH)
            flush = Z_BLOCK;
        for (int i = 0; i < LIBRARIES; i++) {
            strm[i].next_in = data + at;
            strm[i].avail_in = n;
            strm[i].next_out = stream[i] + out[i];
            strm[i].avail_out = (unsigned) (MAX_STREAM - out[i]);
            result[i] = zlib[i].deflate(&strm[i], flush);
            out[i] = MAX_STREAM - strm[i].avail_out;
        }
        if (!same(strm, result, "deflate"))
            return 0;
        at += n - strm[OURS].avail_in;
        if (wild && test_random(8) == 0 && result[OURS] != Z_STREAM_END && !change(strm, out))
            return 0;
    } while (result[OURS] != Z_STREAM_END);
    return EXPECT(strm[OURS].data_type == strm[PEER].data_type || s->dictionary || wild ||
                      s->bytes > 10000,
                  "data_type %d, not %d", strm[OURS].data_type, strm[PEER].data_type);
}

static unsigned rounds(void)
{
    const char *text = getenv("ZLIB_TEST_ROUNDS");

    if (getenv("ZLIB_TEST_SEED"))
        test_state.random = strtoull(getenv("ZLIB_TEST_SEED"), NULL, 0);
    return text ? (unsigned) atoi(text) : 200;
}

static void print_settings(const struct settings *s, uint64_t seed)
{
    printf("ZLIB_TEST_SEED=%llu: level %d, windowBits %d, memLevel %d, strategy %d, %zu bytes, "
           "dictionary %u, primed %u\n",
           (unsigned long long) seed, s->level, s->bits, s->mem, s->strategy, s->bytes,
           s->dictionary, s->primed);
}

static void test_both(void)
{
    static uint8_t dictionary[40000];

    for (unsigned round = rounds(); round > 0; round--) {
        uint64_t seed = test_state.random;
        z_stream strm[LIBRARIES];
        int result[LIBRARIES], good;
        struct settings s;

        make_settings(&s);
        make_data(dictionary, s.dictionary);
        for (int i = 0; i < LIBRARIES; i++)
            result[i] = begin(i, &strm[i], &s, dictionary);
        good = same(strm, result, "deflateInit2");
        if (good && result[OURS] == Z_OK) {
            for (unsigned again = 1 + test_random(2); good && again > 0; again--) {
                size_t out[LIBRARIES] = {0};

                good = compress_both(strm, &s, out) &&
                       decodes(&s, stream[OURS], out[OURS], dictionary);
                for (int i = 0; i < LIBRARIES; i++)
                    zlib[i].deflateReset(&strm[i]);
                s.dictionary = s.primed = 0;
            }
        }
        for (int i = 0; i < LIBRARIES; i++)
            result[i] = zlib[i].deflateEnd(&strm[i]);
        if (!good || !same(strm, result, "deflateEnd")) {
            print_settings(&s, seed);
            return;
        }
    }
}

/* Compresses with little room for output; now and then a copy continues the stream. */
static int compress_tight(z_stream *strm, const struct settings *s, size_t *out)
{
    const struct zlib *z = &zlib[OURS];
    unsigned style = test_random(3), idle = 0;
    size_t at = 0;
    int result, flush = 0;

    do {
        unsigned n = test_random(2) ? test_random(300) : test_random(60000), room, pending;

        n = n < s->bytes - at ? n : (unsigned) (s->bytes - at);
        room = style == 0 ? test_random(3) : style == 1 ? test_random(100) : test_random(5000);
        if (strm->avail_out > 0 || strm->total_out == 0) /* the last flush is complete */
            flush = at + n == s->bytes ? Z_FINISH : test_random(4) ? 0 : (int) test_random(4);
        else if (flush == Z_FINISH)
            n = (unsigned) (s->bytes - at);
        strm->next_in = data + at;
        strm->avail_in = n;
        strm->next_out = stream[OURS] + *out;
        strm->avail_out = room;
        z->deflatePending(strm, &pending, NULL);
        result = z->deflate(strm, flush);
        if (!EXPECT(result != Z_BUF_ERROR || room == 0 || n == 0, "Z_BUF_ERROR") ||
            !EXPECT(result != Z_STREAM_ERROR, "Z_STREAM_ERROR") ||
            !EXPECT(room - strm->avail_out >= (pending < room ? pending : room),
                    "%u of %u pending bytes", room - strm->avail_out, pending))
            return 0;
        idle = n == strm->avail_in && room == strm->avail_out ? idle + 1 : 0;
        *out += room - strm->avail_out;
        at += n - strm->avail_in;
        strm->avail_out += room == 0;
        if (test_random(50) == 0) {
            z_stream copy;

            if (!EXPECT(z->deflateCopy(&copy, strm) == Z_OK, "deflateCopy"))
                return 0;
            z->deflateEnd(strm);
            *strm = copy; /* the state then belongs to another z_stream */
            if (!EXPECT(z->deflate(strm, flush) == Z_STREAM_ERROR, "a stream that moved"))
                return 0;
            z->deflateCopy(strm, &copy);
            z->deflateEnd(&copy);
        }
    } while (result != Z_STREAM_END && idle < 100 && *out + 6000 < MAX_STREAM);
    return EXPECT(result == Z_STREAM_END, "no end: %d, %zu of %zu bytes", result, at, s->bytes);
}

static void test_tight(void)
{
    static uint8_t dictionary[40000];

    for (unsigned round = rounds(); round > 0; round--) {
        uint64_t seed = test_state.random;
        struct settings s;
        z_stream strm;
        size_t out = 0;
        int good;

        make_settings(&s);
        if (test_random(2))
            s.bytes = s.bytes < 20000 ? s.bytes : 20000;
        make_data(dictionary, s.dictionary);
        good = begin(OURS, &strm, &s, dictionary) == Z_OK && compress_tight(&strm, &s, &out) &&
               decodes(&s, stream[OURS], out, dictionary);
        zlib[OURS].deflateEnd(&strm);
        if (!good) {
            print_settings(&s, seed);
            return;
        }
    }
}

/* One call with deflateBound() bytes, and headers with all fields. */
static void test_bound(void)
{
    for (unsigned round = rounds(); round > 0; round--) {
        uint64_t seed = test_state.random;
        uint8_t extra[50] = {1, 2, 3};
        unsigned long bound;
        struct settings s;
        z_stream strm;
        gz_header h;

        make_settings(&s);
        s.dictionary = s.primed = 0;
        if (test_random(2))
            test_fill_random(data, s.bytes);
        memset(&h, 0, sizeof h);
        h.extra = test_random(2) ? extra : NULL;
        h.extra_len = test_random(50);
        h.name = test_random(2) ? (uint8_t *) "name" : NULL;
        h.comment = test_random(2) ? (uint8_t *) "comment" : NULL;
        h.hcrc = (int) test_random(2);
        begin(OURS, &strm, &s, NULL);
        if (s.bits > 15)
            zlib[OURS].deflateSetHeader(&strm, &h);
        bound = zlib[OURS].deflateBound(&strm, s.bytes);
        strm.next_in = data;
        strm.avail_in = (unsigned) s.bytes;
        strm.next_out = stream[OURS];
        strm.avail_out = (unsigned) bound;
        if (!EXPECT(zlib[OURS].deflate(&strm, Z_FINISH) == Z_STREAM_END, "%lu bytes for %zu", bound,
                    s.bytes) ||
            !decodes(&s, stream[OURS], strm.total_out, NULL)) {
            print_settings(&s, seed);
            return;
        }
        zlib[OURS].deflateEnd(&strm);
    }
}

/* Bytes of the data in one call of a library. */
static unsigned long size_of(int library, int level, int strategy, size_t n)
{
    z_stream strm;

    memset(&strm, 0, sizeof strm);
    DEFLATE_INIT2(&zlib[library], &strm, level, 15, 8, strategy);
    strm.next_in = data;
    strm.avail_in = (unsigned) n;
    strm.next_out = stream[library];
    strm.avail_out = MAX_STREAM;
    EXPECT(zlib[library].deflate(&strm, Z_FINISH) == Z_STREAM_END, "%zu bytes", n);
    zlib[library].deflateEnd(&strm);
    return strm.total_out;
}

/* Differences of a noisy image: small numbers without repeats, where short matches only cost. */
static void test_filtered(void)
{
    size_t n = 150000;

    for (size_t i = 0; i < n; i++)
        data[i] = (uint8_t) (test_random(3) + test_random(3) - test_random(3) - test_random(3));
    for (int level = 4; level <= 9; level++) {
        unsigned long filtered = size_of(OURS, level, Z_FILTERED, n);
        unsigned long peer = size_of(PEER, level, Z_FILTERED, n);

        EXPECT(filtered < size_of(OURS, level, Z_DEFAULT_STRATEGY, n), "level %d", level);
        EXPECT(filtered < peer + peer / 25, "level %d: %lu bytes, zlib %lu", level, filtered, peer);
    }
}

static size_t allocated;

static void *add_alloc(void *opaque, unsigned items, unsigned size)
{
    (void) opaque;
    allocated += (size_t) items * size;
    return test_alloc((size_t) items * size);
}

static void release(void *opaque, void *address)
{
    (void) opaque;
    free(address);
}

/* Bytes of a stream's memory. */
static size_t memory_of(int library, int level, int mem_level)
{
    z_stream strm;

    memset(&strm, 0, sizeof strm);
    strm.zalloc = add_alloc;
    strm.zfree = release;
    allocated = 0;
    DEFLATE_INIT2(&zlib[library], &strm, level, 15, mem_level, Z_DEFAULT_STRATEGY);
    zlib[library].deflateEnd(&strm);
    return allocated;
}

/* Up to level 7, a quarter more than zlib's; a smaller memLevel takes less. */
static void test_memory(void)
{
    for (int level = 0; level <= 9; level++) {
        size_t bytes = memory_of(OURS, level, 8), peer = memory_of(PEER, level, 8);

        EXPECT(level > 7 || bytes <= peer + peer / 4, "level %d: %zu bytes, zlib %zu", level, bytes,
               peer);
        EXPECT(level == 0 || memory_of(OURS, level, 6) < bytes, "level %d, memLevel 6", level);
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (!load_libraries())
        return 77;
    TEST(test_both);
    TEST(test_tight);
    TEST(test_bound);
    TEST(test_filtered);
    TEST(test_memory);
    return test_finish();
}
