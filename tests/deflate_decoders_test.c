/* Compressed data of all tiers, read by other decoders, and of real data.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "deflate_common.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define HAVE_DLOPEN 1
#else
#define HAVE_DLOPEN 0
#endif

static uint8_t level_buf[MAX_LEVEL_BUF];

/* ---- Every tier writes the same ---- */

static void test_tiers(void)
{
    static const char *const tiers[] = {"base", "sse", "avx", "avx2", "avx512"};
    static uint8_t first[MAX_OUTPUT];

    for (unsigned i = 0; i < 100; i++) {
        size_t n = make_input(MAX_INPUT), first_size = 0;
        unsigned level = test_random(LEVELS), flush = test_random(3), part = 1 + test_random(50000);

        for (unsigned t = 0; t < sizeof(tiers) / sizeof(tiers[0]); t++) {
            size_t given = 0;

            isal_set_isa_limit(tiers[t]);
            isal_deflate_init(&stream);
            stream.level = level;
            stream.level_buf = level_buf;
            stream.level_buf_size = level_min(level) + 40000;
            stream.next_out = output;
            stream.avail_out = MAX_OUTPUT;
            stream.flush = (uint16_t) flush;
            do {
                size_t now = part < n - given ? part : n - given;

                stream.next_in = input + given;
                stream.avail_in = (uint32_t) now;
                given += now;
                stream.end_of_stream = given == n;
                EXPECT(isal_deflate(&stream) == COMP_OK, "deflate");
            } while (given < n);
            if (t == 0) {
                first_size = stream.total_out;
                memcpy(first, output, first_size);
            }
            EXPECT(stream.total_out == first_size && !memcmp(first, output, first_size),
                   "level %u differs between base and %s", level, tiers[t]);
        }
    }
    isal_set_isa_limit(NULL);
}

/* ---- Other decoders, and real data ---- */

#if HAVE_DLOPEN
/* The whole of libdeflate's interface that is needed, and zlib's: they are not needed to build. */
typedef int uncompress_fn(uint8_t *dest, unsigned long *dest_len, const uint8_t *source,
                          unsigned long source_len);
typedef void *alloc_decompressor_fn(void);
typedef void free_decompressor_fn(void *d);
typedef int zlib_decompress_fn(void *d, const void *in, size_t in_size, void *out, size_t out_room,
                               size_t *out_size);

static void *symbol(const char *file, const char *name)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL),
         *found = library ? dlsym(library, name) : NULL;

    if (!found)
        test_skip("no %s", file);
    return found;
}
#endif

static void test_other_decoders(void)
{
#if HAVE_DLOPEN
    uncompress_fn *uncompress;
    alloc_decompressor_fn *alloc;
    free_decompressor_fn *release = NULL;
    zlib_decompress_fn *decompress = NULL;
    void *found, *decompressor = NULL;

    /* Through void: ISO C has no conversion from objects to functions. */
    found = symbol("libz.so.1", "uncompress");
    memcpy(&uncompress, &found, sizeof(found));
    found = symbol("libdeflate.so.0", "libdeflate_alloc_decompressor");
    memcpy(&alloc, &found, sizeof(found));
    if (alloc) {
        found = symbol("libdeflate.so.0", "libdeflate_zlib_decompress");
        memcpy(&decompress, &found, sizeof(found));
        found = symbol("libdeflate.so.0", "libdeflate_free_decompressor");
        memcpy(&release, &found, sizeof(found));
        decompressor = alloc();
    }
    for (unsigned i = 0; i < 400 && (uncompress || decompressor); i++) {
        size_t n = make_input(MAX_INPUT), size, got;
        unsigned level = test_random(LEVELS);
        unsigned long length = MAX_INPUT;

        start_stream(level, level_min(level) + (test_random(2) ? 200000 : 0));
        stream.gzip_flag = IGZIP_ZLIB;
        size = run_stream(n, &(struct division){9000, 20000, test_random(4), 0});
        if (uncompress)
            EXPECT(uncompress(decoded, &length, output, (unsigned long) size) == 0 && length == n &&
                       !memcmp(decoded, input, n),
                   "zlib, case %u: level %u", i, level);
        if (decompressor)
            EXPECT(decompress(decompressor, output, size, decoded, MAX_INPUT, &got) == 0 &&
                       got == n && !memcmp(decoded, input, n),
                   "libdeflate, case %u: level %u", i, level);
    }
    if (decompressor)
        release(decompressor);
#else
    test_skip("this system has no dlopen()");
#endif
}

static void test_corpora(void)
{
    static const char *const names[] = {
        "calgary/book1", "calgary/geo",    "calgary/obj2",           "calgary/pic",
        "calgary/progp", "canterbury/sum", "canterbury/alice29.txt", "artificial/aaa.txt"};
    const char *folder = getenv("ISAL_CORPORA");
    unsigned found = 0;

    for (unsigned i = 0; folder && i < sizeof(names) / sizeof(names[0]); i++) {
        char path[1000];
        size_t n, size;
        FILE *file;

        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        file = fopen(path, "rb");
        if (!file)
            continue;
        n = fread(input, 1, MAX_INPUT, file);
        fclose(file);
        found++;
        for (unsigned level = 0; level < LEVELS; level++) {
            start_stream(level, level_min(level) + 200000);
            size = run_stream(n, &(struct division){0, 0, 0, 0});
            EXPECT(is_stream(size, n, 0, NULL, 0, 32768), "%s, level %u", names[i], level);
        }
    }
    if (!found)
        test_skip("no corpora: ISAL_CORPORA names their folder");
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_tiers);
    TEST(test_other_decoders);
    TEST(test_corpora);
    return test_finish();
}
