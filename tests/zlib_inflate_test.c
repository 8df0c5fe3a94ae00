/* inflate() against the system's zlib: the same random calls to both, and all results are compared.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     zlib_inflate_test [TEST...]     ZLIB_TEST_ROUNDS: rounds of each, 300 by default */

#include "tests/zlib_test.h"

enum { MAX_DATA = 200000, MAX_STREAM = MAX_DATA + 20000 };

static uint8_t data[MAX_DATA], stream[MAX_STREAM], output[LIBRARIES][MAX_DATA + 1000];

/* A stream of the system's zlib: random data, settings, flushes and perhaps damage. */
struct sample {
    size_t bytes, data_bytes;
    int window_bits;
    int damaged;
};

static void make_sample(struct sample *s)
{
    const struct zlib *z = &zlib[PEER];
    unsigned wrap = test_random(3), bits = test_random(3) ? 15 : 9 + test_random(7);
    size_t at = 0;
    z_stream strm;

    memset(&strm, 0, sizeof strm);
    s->data_bytes = test_random(3) ? test_random(3000) : test_random(MAX_DATA);
    make_data(data, s->data_bytes);
    s->window_bits = wrap == 1 ? -(int) bits : (int) bits + (wrap == 2 ? 16 : 0);
    DEFLATE_INIT2(z, &strm, (int) test_random(10), s->window_bits, 1 + (int) test_random(9),
                  (int) test_random(5));
    strm.next_out = stream;
    strm.avail_out = MAX_STREAM;
    do {
        unsigned n = test_random(4) ? (unsigned) (s->data_bytes - at) : 1 + test_random(5000);

        n = n < s->data_bytes - at ? n : (unsigned) (s->data_bytes - at);
        strm.next_in = data + at;
        strm.avail_in = n;
        at += n;
        z->deflate(&strm, at == s->data_bytes ? Z_FINISH : (int) test_random(4));
    } while (at < s->data_bytes);
    s->bytes = strm.total_out;
    z->deflateEnd(&strm);
    s->damaged = test_random(3) == 0 && s->bytes > 0;
    for (unsigned i = 1 + test_random(3); s->damaged && i > 0; i--)
        stream[test_random((unsigned) s->bytes)] ^= (uint8_t) (1u << test_random(8));
}

/* Returns whether a call left both streams, a and b, alike. */
static int same(const z_stream *a, const z_stream *b, int result_a, int result_b, const char *what)
{
    int bad = result_a == Z_DATA_ERROR;

    return EXPECT(result_a == result_b, "%s: %d, not %d", what, result_a, result_b) &&
           EXPECT(a->avail_out == b->avail_out, "%s: %u avail_out, not %u", what, a->avail_out,
                  b->avail_out) &&
           EXPECT(a->avail_in == b->avail_in,
                  "%s (%d): %u avail_in, not %u; data_type %d, not %d; avail_out %u (%s)", what,
                  result_a, a->avail_in, b->avail_in, a->data_type, b->data_type, a->avail_out,
                  a->msg ? a->msg : "") &&
           EXPECT(a->total_in == b->total_in && a->total_out == b->total_out, "%s: totals", what) &&
           EXPECT(a->adler == b->adler, "%s: adler %lx, not %lx", what, a->adler, b->adler) &&
           EXPECT(bad || a->data_type == b->data_type, "%s: data_type %d, not %d", what,
                  a->data_type, b->data_type) &&
           EXPECT((a->msg == NULL) == (b->msg == NULL) &&
                      (a->msg == NULL || !strcmp(a->msg, b->msg)),
                  "%s: %s, not %s", what, a->msg ? a->msg : "NULL", b->msg ? b->msg : "NULL");
}

static int random_flush(void)
{
    static const int flushes[] = {Z_NO_FLUSH, Z_NO_FLUSH,      Z_NO_FLUSH, Z_SYNC_FLUSH,
                                  Z_FINISH,   Z_PARTIAL_FLUSH, Z_BLOCK,    Z_TREES};

    return flushes[test_random(8)];
}

/* Pieces: none, few bytes, many, or all. */
static unsigned piece(unsigned style, size_t left)
{
    unsigned n = style == 0   ? test_random(3)
                 : style == 1 ? test_random(300)
                 : style == 2 ? test_random(20000)
                              : (unsigned) left;

    return n < left ? n : (unsigned) left;
}

/* Inflates a sample with both; returns whether all calls agreed. */
static int inflate_both(z_stream *strm, const struct sample *s)
{
    unsigned in_style = test_random(4), out_style = test_random(4), calls = 0, stuck = 0;
    int fixed_flush = test_random(2) ? (int) Z_NO_FLUSH : -1;
    size_t in = 0, out = 0;
    int result[LIBRARIES];

    do {
        unsigned in_piece = piece(in_style, s->bytes - in);
        unsigned out_piece = piece(out_style, sizeof output[0] - out);
        int flush = fixed_flush >= 0 ? fixed_flush : random_flush();

        for (int i = 0; i < LIBRARIES; i++) {
            strm[i].next_in = stream + in;
            strm[i].avail_in = in_piece;
            strm[i].next_out = output[i] + out;
            strm[i].avail_out = out_piece;
            result[i] = zlib[i].inflate(&strm[i], flush);
        }
        if (!same(&strm[OURS], &strm[PEER], result[OURS], result[PEER], "inflate"))
            return 0;
        if (!EXPECT(
                !memcmp(output[OURS] + out, output[PEER] + out, out_piece - strm[OURS].avail_out),
                "output differs"))
            return 0;
        stuck =
            in_piece == strm[OURS].avail_in && out_piece == strm[OURS].avail_out ? stuck + 1 : 0;
        in += in_piece - strm[OURS].avail_in;
        out += out_piece - strm[OURS].avail_out;
        if (test_random(8) == 0 && !EXPECT(zlib[OURS].inflateSyncPoint(&strm[OURS]) ==
                                               zlib[PEER].inflateSyncPoint(&strm[PEER]),
                                           "inflateSyncPoint"))
            return 0;
    } while (result[OURS] >= Z_OK && result[OURS] != Z_STREAM_END && result[OURS] != Z_NEED_DICT
                 ? stuck < 40
                 : result[OURS] == Z_BUF_ERROR && stuck < 40 && ++calls < 100000);
    if (!s->damaged && result[OURS] == Z_STREAM_END)
        return EXPECT(out == s->data_bytes && !memcmp(output[OURS], data, out), "wrong data");
    return 1;
}

static unsigned rounds(void)
{
    const char *text = getenv("ZLIB_TEST_ROUNDS");

    return text ? (unsigned) atoi(text) : 300;
}

static void test_inflate(void)
{
    if (getenv("ZLIB_TEST_SEED"))
        test_state.random = strtoull(getenv("ZLIB_TEST_SEED"), NULL, 0);
    for (unsigned round = rounds(); round > 0; round--) {
        z_stream strm[LIBRARIES];
        int result[LIBRARIES], bits;
        struct sample s;
        uint64_t seed = test_state.random;

        make_sample(&s);
        bits = s.window_bits;
        if (bits > 0 && test_random(4) == 0)
            bits = 15 + 32;
        else if (test_random(8) == 0)
            bits = (int) test_random(50) - 16;
        else if (bits > 0 && bits < 16 && test_random(4) == 0)
            bits = 0;
        memset(strm, 0, sizeof strm);
        for (int i = 0; i < LIBRARIES; i++)
            result[i] = INFLATE_INIT2(&zlib[i], &strm[i], bits);
        if (!EXPECT(result[OURS] == result[PEER], "windowBits %d: %d", bits, result[OURS]))
            return;
        if (result[OURS] != Z_OK)
            continue;
        for (unsigned again = 1 + test_random(2); again > 0; again--) {
            if (!inflate_both(strm, &s)) {
                printf("seed %llu, round %u, windowBits %d of %d\n", (unsigned long long) seed,
                       round, bits, s.window_bits);
                return;
            }
            for (int i = 0; i < LIBRARIES; i++)
                zlib[i].inflateReset(&strm[i]);
        }
        for (int i = 0; i < LIBRARIES; i++)
            zlib[i].inflateEnd(&strm[i]);
    }
}

/* Two calls, the first with the given room, of a stream that was made with the largest window. */
static void inflate_small_window(size_t bytes, unsigned room)
{
    z_stream strm[LIBRARIES];

    memset(strm, 0, sizeof strm);
    for (int i = 0; i < LIBRARIES; i++) {
        INFLATE_INIT2(&zlib[i], &strm[i], -9);
        strm[i].next_in = stream;
        strm[i].avail_in = (unsigned) bytes;
    }
    for (int call = 0; call < 2; call++) {
        int result[LIBRARIES];

        for (int i = 0; i < LIBRARIES; i++) {
            strm[i].next_out = output[i];
            strm[i].avail_out = call == 0 ? room : sizeof output[i];
            result[i] = zlib[i].inflate(&strm[i], Z_NO_FLUSH);
        }
        EXPECT(same(&strm[OURS], &strm[PEER], result[OURS], result[PEER], "inflate"),
               "call %d, room %u", call, room);
    }
    for (int i = 0; i < LIBRARIES; i++)
        zlib[i].inflateEnd(&strm[i]);
}

/* A match may copy what the window has at the start of the call, and the output of the call. The
 * distances here are 300 and 600, the window has 512 bytes, and a call ends before the first match,
 * in it, between them, or in the second. */
static void test_distances(void)
{
    z_stream strm;

    test_fill_random(data, 2000);
    memcpy(data + 700, data + 400, 200);
    memcpy(data + 900, data + 300, 200);
    memset(&strm, 0, sizeof strm);
    DEFLATE_INIT2(&zlib[PEER], &strm, 9, -15, 8, 0);
    strm.next_in = data;
    strm.avail_in = 2000;
    strm.next_out = stream;
    strm.avail_out = MAX_STREAM;
    EXPECT(zlib[PEER].deflate(&strm, Z_FINISH) == Z_STREAM_END, "a stream");
    zlib[PEER].deflateEnd(&strm);
    for (unsigned room = 690; room < 1110; room++)
        inflate_small_window(strm.total_out, room);
}

/* Inflates n bytes of the stream, `step` bytes a call. */
static void inflate_header(int window_bits, unsigned n, unsigned step)
{
    z_stream strm[LIBRARIES];

    memset(strm, 0, sizeof strm);
    for (int i = 0; i < LIBRARIES; i++)
        INFLATE_INIT2(&zlib[i], &strm[i], window_bits);
    for (unsigned at = 0; at < n; at += step) {
        int result[LIBRARIES];

        for (int i = 0; i < LIBRARIES; i++) {
            strm[i].next_in = stream + at;
            strm[i].avail_in = step < n - at ? step : n - at;
            strm[i].next_out = output[i];
            strm[i].avail_out = sizeof output[i];
            result[i] = zlib[i].inflate(&strm[i], Z_NO_FLUSH);
        }
        if (!EXPECT(same(&strm[OURS], &strm[PEER], result[OURS], result[PEER], "inflate"),
                    "%u bytes of %u, %u a call", at, n, step))
            break;
    }
    for (int i = 0; i < LIBRARIES; i++)
        zlib[i].inflateEnd(&strm[i]);
}

/* A dynamic block whose code of the code lengths is empty, cut after each byte. The code lengths
 * have one bit each and are read before the block is found to be invalid. */
static void test_empty_precode(void)
{
    enum { BYTES = 64 };
    static const int window_bits[] = {-8, -9, -15};

    memset(stream, 0, BYTES);
    for (unsigned counts = 0; counts < 1024; counts += 31) {
        uint32_t bits = 1 | 2 << 1 | (counts & 31) << 3 | (counts >> 5) << 8;

        stream[0] = (uint8_t) bits;
        stream[1] = (uint8_t) (bits >> 8);
        for (unsigned n = 1; n < BYTES; n++)
            for (unsigned step = 1; step <= n; step += n < 8 ? 1 : n / 2)
                inflate_header(window_bits[n % 3], n, step);
    }
}

static size_t allocated; /* bytes, by counting_alloc() */

static void *counting_alloc(void *opaque, unsigned items, unsigned size)
{
    (void) opaque;
    allocated += (size_t) items * size;
    return malloc((size_t) items * size);
}

static void counting_free(void *opaque, void *address)
{
    (void) opaque;
    free(address);
}

/* The memory of a stream, at most, in KiB. Small windows take less, unless a call has much room. */
static void test_memory(void)
{
    static const int limits[16] = {[9] = 39, [12] = 43, [15] = 70};

    test_fill_random(data, 100000);
    for (int bits = 9; bits <= 15; bits += 3) {
        z_stream strm;

        memset(&strm, 0, sizeof strm);
        DEFLATE_INIT2(&zlib[PEER], &strm, 1, bits, 8, 0);
        strm.next_in = data;
        strm.avail_in = 100000;
        strm.next_out = stream;
        strm.avail_out = MAX_STREAM;
        EXPECT(zlib[PEER].deflate(&strm, Z_FINISH) == Z_STREAM_END, "a stream");
        zlib[PEER].deflateEnd(&strm);
        memset(&strm, 0, sizeof strm);
        strm.zalloc = counting_alloc;
        strm.zfree = counting_free;
        allocated = 0;
        INFLATE_INIT2(&zlib[OURS], &strm, bits);
        strm.next_in = stream;
        strm.avail_in = MAX_STREAM;
        do {
            strm.next_out = output[OURS];
            strm.avail_out = 4096;
        } while (zlib[OURS].inflate(&strm, Z_NO_FLUSH) == Z_OK);
        EXPECT(strm.total_out == 100000, "%lu bytes", strm.total_out);
        EXPECT(allocated <= 1024 * (size_t) limits[bits], "windowBits %d: %zu", bits, allocated);
        zlib[OURS].inflateEnd(&strm);
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (!load_libraries())
        return 77;
    TEST(test_inflate);
    TEST(test_distances);
    TEST(test_empty_precode);
    TEST(test_memory);
    return test_finish();
}
