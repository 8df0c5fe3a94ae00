/* Checksums, whole buffers, misuse, inflateBack() and inflateSync() against the system's zlib.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/zlib_test.h"

#include <limits.h>
#include <unistd.h>

enum { MAX_DATA = 200000 };

static uint8_t data[MAX_DATA], packed[2 * MAX_DATA], out[LIBRARIES][MAX_DATA];

static void test_checksums(void)
{
    make_data(data, MAX_DATA);
    for (unsigned round = 0; round < 2000; round++) {
        unsigned n = test_random(round % 10 ? 300 : MAX_DATA), at = test_random(MAX_DATA - n);
        unsigned long a = test_random(UINT32_MAX), b = test_random(UINT32_MAX);
        int64_t length = (int64_t) test_random(1u << 20) * test_random(1u << (round % 21));

        BOTH(unsigned long, crc, z->crc32(a, data + at, n));
        BOTH(unsigned long, crc_z, z->crc32_z(a, data + at, n));
        BOTH(unsigned long, adler, z->adler32(a & 0xfff0fff, data + at, n));
        BOTH(unsigned long, adler_z, z->adler32_z(1, data + at, n));
        BOTH(unsigned long, combined, z->crc32_combine(a, b, (z_off_t) (length & LONG_MAX)));
        BOTH(unsigned long, op, z->crc32_combine_gen64(length));
        BOTH(unsigned long, by_op, z->crc32_combine_op(a, b, op[OURS]));
        BOTH(unsigned long, adlers, z->adler32_combine64(a, b, length));
    }
    BOTH(unsigned long, crc, z->crc32(5, NULL, 0));
    BOTH(unsigned long, adler, z->adler32(5, NULL, 0));
    BOTH(unsigned long, empty, z->adler32(5, data, 0));
    BOTH(int, table, memcmp(z->get_crc_table(), zlib[PEER].get_crc_table(), 1024));
    BOTH(unsigned long, flags, z->zlibCompileFlags());
    for (int error = -8; error < 5; error++)
        EXPECT(!strcmp(zlib[OURS].zError(error),
                       error < -6 || error > 2 ? "" : zlib[PEER].zError(error)),
               "zError(%d)", error);
}

/* Buffers of all sizes around the right one. */
static void test_buffers(void)
{
    for (unsigned round = 0; round < 300; round++) {
        unsigned n = test_random(round % 10 ? 3000 : MAX_DATA), level = test_random(12);
        unsigned long size = zlib[OURS].compressBound(n), length[LIBRARIES], used[LIBRARIES];
        unsigned room = test_random(2) ? n : n + test_random(20) - (n < 10 ? 0 : 10);

        make_data(data, n);
        BOTH(unsigned long, bound, z->compressBound(n));
        EXPECT(zlib[OURS].compress2(packed, &size, data, n, (int) level - 1) ==
                   (level <= 10 ? Z_OK : Z_STREAM_ERROR),
               "compress2 at level %d", (int) level - 1);
        if (level > 10)
            continue;
        if (test_random(4) == 0)
            size -= test_random((unsigned) size);
        else if (test_random(4) == 0)
            packed[test_random((unsigned) size)] ^= 4;
        length[OURS] = length[PEER] = room;
        used[OURS] = used[PEER] = size;
        BOTH(int, result, z->uncompress2(out[i], &length[i], packed, &used[i]));
        EXPECT(length[OURS] == length[PEER] && used[OURS] == used[PEER],
               "%lu bytes of %lu, not %lu of %lu", length[OURS], used[OURS], length[PEER],
               used[PEER]);
        EXPECT(!memcmp(out[OURS], out[PEER], length[PEER]), "output");
    }
}

static void test_misuse(void)
{
    z_stream strm[LIBRARIES], other;
    uint8_t byte = 0;

    memset(strm, 0, sizeof strm);
    BOTH(int, no_stream, z->deflateInit_(NULL, 6, "1", sizeof(z_stream)));
    BOTH(int, version, z->deflateInit_(&strm[i], 6, "2", sizeof(z_stream)));
    BOTH(int, no_version, z->inflateInit_(&strm[i], NULL, sizeof(z_stream)));
    BOTH(int, size, z->inflateInit_(&strm[i], "1", sizeof(z_stream) - 1));
    for (int bits = -20; bits < 70; bits++) {
        BOTH(int, made, DEFLATE_INIT2(z, &strm[i], 6, bits, 8, 0));
        BOTH(int, end, z->deflateEnd(&strm[i]));
        memset(strm, 0, sizeof strm);
        BOTH(int, opened, INFLATE_INIT2(z, &strm[i], bits));
        BOTH(int, inflate_end, z->inflateEnd(&strm[i]));
        memset(strm, 0, sizeof strm);
    }
    for (int k = -2; k < 12; k++) {
        BOTH(int, level, DEFLATE_INIT2(z, &strm[i], k, 15, 8, 0));
        BOTH(int, end1, z->deflateEnd(&strm[i]));
        BOTH(int, mem, DEFLATE_INIT2(z, &strm[i], 6, 15, k, 0));
        BOTH(int, end2, z->deflateEnd(&strm[i]));
        BOTH(int, strategy, DEFLATE_INIT2(z, &strm[i], 6, 15, 8, k));
        BOTH(int, end3, z->deflateEnd(&strm[i]));
        memset(strm, 0, sizeof strm);
    }
    BOTH(int, none, z->deflate(NULL, 0));
    BOTH(int, no_state, z->deflate(&strm[i], 0));
    BOTH(int, no_inflate, z->inflate(&strm[i], 0));
    BOTH(int, reset, z->inflateReset(NULL));
    BOTH(long, mark, z->inflateMark(NULL));
    BOTH(unsigned long, codes, z->inflateCodesUsed(NULL));
    for (int i = 0; i < LIBRARIES; i++)
        INFLATE_INIT2(&zlib[i], &strm[i], 15);
    BOTH(int, no_output, z->inflate(&strm[i], 0));
    BOTH(int, kind, z->deflate(&strm[i], 0));
    BOTH(int, undermine, z->inflateUndermine(&strm[i], 1));
    BOTH(int, early, z->inflateSetDictionary(&strm[i], &byte, 1));
    BOTH(int, header, z->inflateGetHeader(&strm[i], NULL));
    BOTH(int, prime, z->inflatePrime(&strm[i], 17, 0));
    BOTH(int, prime16, z->inflatePrime(&strm[i], 16, 0));
    BOTH(int, prime_more, z->inflatePrime(&strm[i], 16, 0));
    BOTH(int, prime_most, z->inflatePrime(&strm[i], 1, 0));
    for (int i = 0; i < LIBRARIES; i++) {
        other = strm[i];
        EXPECT(zlib[i].inflateReset(&other) == Z_STREAM_ERROR, "a moved stream");
        zlib[i].inflateEnd(&strm[i]);
    }
}

/* ---- inflateBack() ---- */

struct source {
    const uint8_t *at;
    size_t left;
    unsigned piece;
    size_t written, fail_at;
    uint8_t *to;
};

static unsigned supply_input(void *desc, const uint8_t **buf)
{
    struct source *s = desc;
    unsigned n = s->left < s->piece ? (unsigned) s->left : s->piece;

    *buf = s->at;
    s->at += n;
    s->left -= n;
    return n;
}

static int accept_output(void *desc, uint8_t *buf, unsigned n)
{
    struct source *s = desc;

    if (s->written + n > s->fail_at)
        return 1;
    memcpy(s->to + s->written, buf, n);
    s->written += n;
    return 0;
}

static void test_back(void)
{
    static uint8_t window[32768];

    for (unsigned round = 0; round < 300; round++) {
        unsigned n = test_random(round % 4 ? 3000 : MAX_DATA), piece = 1 + test_random(5000);
        unsigned bits = 9 + test_random(7);
        size_t fail = test_random(6) ? SIZE_MAX / 2 : test_random(n + 1);
        struct source s[LIBRARIES];
        z_stream strm[LIBRARIES];

        memset(strm, 0, sizeof strm);
        make_data(data, n);
        DEFLATE_INIT2(&zlib[PEER], &strm[0], 6, -(int) bits, 8, 0);
        strm[0].next_in = data;
        strm[0].avail_in = n;
        strm[0].next_out = packed;
        strm[0].avail_out = sizeof packed;
        zlib[PEER].deflate(&strm[0], Z_FINISH);
        for (int i = 0; i < LIBRARIES; i++)
            s[i] = (struct source){packed, strm[0].total_out, piece, 0, fail, out[i]};
        zlib[PEER].deflateEnd(&strm[0]);
        if (test_random(4) == 0)
            packed[test_random((unsigned) s[0].left)] ^= 8;
        if (test_random(4) == 0)
            s[OURS].left = s[PEER].left -= test_random((unsigned) s[0].left);
        memset(strm, 0, sizeof strm);
        BOTH(int, made, z->inflateBackInit_(&strm[i], (int) bits, window, "1", sizeof(z_stream)));
        BOTH(int, result, z->inflateBack(&strm[i], supply_input, &s[i], accept_output, &s[i]));
        EXPECT(s[OURS].written == s[PEER].written, "%zu bytes, not %zu (%d)", s[OURS].written,
               s[PEER].written, result[PEER]);
        EXPECT(!memcmp(out[OURS], out[PEER], s[PEER].written), "output");
        EXPECT((strm[OURS].next_in == NULL) == (strm[PEER].next_in == NULL), "next_in");
        BOTH(int, end, z->inflateBackEnd(&strm[i]));
    }
}

/* ---- Dictionaries, headers, synchronization ---- */

static void test_sync(void)
{
    for (unsigned round = 0; round < 200; round++) {
        unsigned n = 5000 + test_random(40000), size, start, skip;
        z_stream strm[LIBRARIES], from;

        memset(&from, 0, sizeof from);
        memset(strm, 0, sizeof strm);
        make_data(data, n);
        DEFLATE_INIT2(&zlib[PEER], &from, 6, 15, 8, 0);
        from.next_out = packed;
        from.avail_out = sizeof packed;
        for (unsigned at = 0; at < 5; at++) {
            from.next_in = data + at * (n / 5);
            from.avail_in = n / 5;
            zlib[PEER].deflate(&from, at == 4 ? Z_FINISH : Z_FULL_FLUSH);
        }
        size = (unsigned) from.total_out;
        zlib[PEER].deflateEnd(&from);
        start = test_random(size);
        skip = test_random(size - start);
        for (int i = 0; i < LIBRARIES; i++) {
            INFLATE_INIT2(&zlib[i], &strm[i], 15);
            strm[i].next_in = packed;
            strm[i].avail_in = start;
            strm[i].next_out = out[i];
            strm[i].avail_out = MAX_DATA;
            zlib[i].inflate(&strm[i], Z_SYNC_FLUSH);
            strm[i].next_in = packed + start + skip;
            strm[i].avail_in = size - start - skip;
        }
        BOTH(int, found, z->inflateSync(&strm[i]));
        EXPECT(strm[OURS].avail_in == strm[PEER].avail_in, "after inflateSync: %u, not %u",
               strm[OURS].avail_in, strm[PEER].avail_in);
        BOTH(int, result, z->inflate(&strm[i], Z_SYNC_FLUSH));
        EXPECT(strm[OURS].total_out == strm[PEER].total_out, "%lu bytes, not %lu",
               strm[OURS].total_out, strm[PEER].total_out);
        BOTH(int, end, z->inflateEnd(&strm[i]));
    }
}

/* ---- Memory ---- */

struct memory {
    long live, until_failure;
};

static void *limited_alloc(void *opaque, unsigned items, unsigned size)
{
    struct memory *m = opaque;

    if (m->until_failure-- == 0)
        return NULL;
    m->live++;
    return test_alloc((size_t) items * size);
}

static void limited_free(void *opaque, void *address)
{
    ((struct memory *) opaque)->live--;
    free(address);
}

/* Either a call succeeds, or it lacks memory and the stream is as before. */
#define ENOUGH(call) enough(call, #call, fails)

static int enough(int result, const char *call, long fails)
{
    EXPECT(result == Z_OK || result == Z_STREAM_END || result == Z_MEM_ERROR,
           "%s: %d, allocation %ld fails", call, result, fails);
    return result != Z_MEM_ERROR;
}

/* Compresses with changes of level and a copy; returns the compressed bytes, or 0. */
static size_t compress_with(struct memory *m, long fails)
{
    const struct zlib *z = &zlib[OURS];
    z_stream strm = {.zalloc = limited_alloc, .zfree = limited_free, .opaque = m}, copy;
    size_t bytes = 0;

    if (!ENOUGH(DEFLATE_INIT2(z, &strm, 1, 15, 8, 0)))
        return 0;
    strm.next_in = data;
    strm.next_out = packed;
    strm.avail_out = sizeof packed;
    for (int level = 2; level < 10; level++) {
        strm.avail_in = MAX_DATA / 8;
        ENOUGH(z->deflate(&strm, level % 2 ? 0 : Z_SYNC_FLUSH));
        ENOUGH(z->deflateParams(&strm, level, level == 7 ? Z_RLE : 0));
    }
    if (ENOUGH(z->deflateCopy(&copy, &strm))) {
        EXPECT(z->deflateEnd(&copy) == Z_DATA_ERROR, "the end of a copy");
        EXPECT(z->deflateEnd(&copy) == Z_STREAM_ERROR, "no copy");
    }
    if (ENOUGH(z->deflate(&strm, Z_FINISH)))
        bytes = strm.total_out;
    EXPECT(z->deflateEnd(&strm) == Z_OK, "deflateEnd");
    return bytes;
}

/* Decompresses in pieces, with a copy; repeats calls that lacked memory. */
static void decompress_with(struct memory *m, long fails, size_t bytes)
{
    const struct zlib *z = &zlib[OURS];
    z_stream strm = {.zalloc = limited_alloc, .zfree = limited_free, .opaque = m}, copy;
    int result = Z_OK;

    if (!ENOUGH(INFLATE_INIT2(z, &strm, 15)))
        return;
    strm.next_in = packed;
    strm.avail_in = (unsigned) bytes;
    strm.next_out = out[OURS];
    for (int i = 0; i < 10 && result != Z_STREAM_END && result != Z_MEM_ERROR; i++) {
        strm.avail_out = i < 5 ? 10000 : MAX_DATA - (unsigned) strm.total_out;
        result = z->inflate(&strm, 0);
        if (i == 3 && ENOUGH(z->inflateCopy(&copy, &strm)))
            EXPECT(z->inflateEnd(&copy) == Z_OK, "the end of a copy");
    }
    EXPECT(result == Z_MEM_ERROR || (result == Z_STREAM_END && !memcmp(out[OURS], data, MAX_DATA)),
           "inflate: %d, allocation %ld fails", result, fails);
    EXPECT(z->inflateEnd(&strm) == Z_OK, "inflateEnd");
}

/* Each allocation fails once. */
static void test_memory(void)
{
    struct memory m = {0, 0};

    make_data(data, MAX_DATA);
    for (long fails = 0; m.until_failure <= 0; fails++) {
        size_t bytes;

        m = (struct memory){0, fails};
        bytes = compress_with(&m, fails);
        EXPECT(m.live == 0, "deflate: %ld blocks of memory", m.live);
        if (bytes == 0)
            continue;
        m.until_failure = m.until_failure < 0 ? fails : m.until_failure;
        decompress_with(&m, fails, bytes);
        EXPECT(m.live == 0, "inflate: %ld blocks of memory", m.live);
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (!load_libraries())
        return 77;
    TEST(test_checksums);
    TEST(test_buffers);
    TEST(test_misuse);
    TEST(test_back);
    TEST(test_sync);
    TEST(test_memory);
    return test_finish();
}
