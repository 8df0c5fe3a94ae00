/* Tests of decompression with streams of this library, zlib and libdeflate.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/inflate_test.h"

#include <dlfcn.h>

#if defined(__has_include)
#if __has_include(<zlib.h>)
#include <zlib.h>
#define HAVE_ZLIB_HEADER 1
#endif
#endif

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
    /* Two of the sizes for each stream, because pieces of one byte take long. */
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

/* A call whose output buffer fits exactly reaches the end, decoded in place or not. Checksums are
 * computed piece by piece; the last match may begin in one piece and end in the next. */
static void test_exact_output(void)
{
    enum { PIECE = 16384, MAX = PIECE + 600 };
    static struct isal_zstream z;
    static uint8_t stream[MAX], data[MAX], out[MAX];

    for (uint32_t n = PIECE; n < MAX; n++) {
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
    TEST(test_own_streams);
    TEST(test_exact_output);
    TEST(test_zlib_streams);
    TEST(test_libdeflate_streams);
    return test_finish();
}
