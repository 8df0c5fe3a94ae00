/* Benchmark of compression: speed and ratio of every level on files, beside other libraries.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: deflate_perf [--record BYTES] [--passes N] [--against LIBRARY] [--peers] [--csv] FILE...
 *
 * Every file is compressed alone, whole or in records of that many bytes. The implementations take
 * turns on each file, and the fastest of N passes counts, so that ratios of speeds hold although the
 * machine does not stand still. */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l/igzip_lib.h"
#include "files.h"

enum { MOST_FILES = 200, MOST_CODERS = 32, LEVELS = 4 };

typedef void init_fn(struct isal_zstream *);
typedef int stateless_fn(struct isal_zstream *);
typedef void *alloc_fn(int level);
typedef size_t compress_fn(void *c, const void *in, size_t n, void *out, size_t room);

typedef int zlib_init_fn(struct zlib_stream *, int level, int method, int window, int memory,
                         int strategy, const char *version, int size);
typedef int zlib_reset_fn(struct zlib_stream *);
typedef int zlib_deflate_fn(struct zlib_stream *, int flush);

const char program_name[] = "deflate_perf";

struct coder {
    char name[40];
    int level;
    size_t (*run)(struct coder *, const uint8_t *in, size_t n);
    void *functions[2], *state;
    double seconds;
    size_t size;
};

static struct {
    const char *name;
    uint8_t *bytes;
    size_t size;
} files[MOST_FILES];
static unsigned file_count, coder_count;
static struct coder coders[MOST_CODERS];
static double best[MOST_CODERS];
static uint8_t *out, *level_buf;
static size_t room, total;
static struct isal_zstream stream;

/* ---- Libraries ---- */

static size_t run_isal(struct coder *c, const uint8_t *in, size_t n)
{
    static const uint32_t sizes[LEVELS] = {0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
                                           ISAL_DEF_LVL3_DEFAULT};
    init_fn *init;
    stateless_fn *deflate;

    memcpy(&init, &c->functions[0], sizeof(init));
    memcpy(&deflate, &c->functions[1], sizeof(deflate));
    init(&stream);
    stream.level = (uint32_t) c->level;
    stream.level_buf = level_buf;
    stream.level_buf_size = sizes[c->level];
    stream.next_in = (uint8_t *) (uintptr_t) in;
    stream.avail_in = (uint32_t) n;
    stream.next_out = out;
    stream.avail_out = (uint32_t) room;
    if (deflate(&stream) != COMP_OK)
        fail("failed", c->name);
    return stream.total_out;
}

static size_t run_libdeflate(struct coder *c, const uint8_t *in, size_t n)
{
    compress_fn *compress;

    memcpy(&compress, &c->functions[0], sizeof(compress));
    return compress(c->state, in, n, out, room);
}

static size_t run_zlib(struct coder *c, const uint8_t *in, size_t n)
{
    struct zlib_stream *z = c->state;
    zlib_reset_fn *reset;
    zlib_deflate_fn *deflate;

    memcpy(&reset, &c->functions[0], sizeof(reset));
    memcpy(&deflate, &c->functions[1], sizeof(deflate));
    reset(z);
    z->next_in = in;
    z->avail_in = (unsigned) n;
    z->next_out = out;
    z->avail_out = (unsigned) room;
    deflate(z, 4);
    return z->total_out;
}

static struct coder *add_coder(const char *library, int level)
{
    struct coder *c = &coders[coder_count++];

    if (coder_count > MOST_CODERS)
        fail("too many", library);
    snprintf(c->name, sizeof(c->name), "%s %d", library, level);
    c->level = level;
    return c;
}

static void add_isal(const char *name, void *library)
{
    for (int level = 0; level < LEVELS; level++) {
        struct coder *c = add_coder(name, level);
        init_fn *init = isal_deflate_stateless_init;
        stateless_fn *deflate = isal_deflate_stateless;

        c->run = run_isal;
        memcpy(&c->functions[0], &init, sizeof(init));
        memcpy(&c->functions[1], &deflate, sizeof(deflate));
        if (library) {
            c->functions[0] = find_symbol(library, "isal_deflate_stateless_init");
            c->functions[1] = find_symbol(library, "isal_deflate_stateless");
        }
    }
}

static void add_peers(void)
{
    void *library = dlopen("libdeflate.so.0", RTLD_NOW | RTLD_LOCAL), *found;

    for (int level = 1; library && level <= 6; level++) {
        struct coder *c = add_coder("libdeflate", level);
        alloc_fn *alloc;

        found = find_symbol(library, "libdeflate_alloc_compressor");
        memcpy(&alloc, &found, sizeof(found));
        c->run = run_libdeflate;
        c->state = alloc(level);
        c->functions[0] = find_symbol(library, "libdeflate_deflate_compress");
    }
    library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    for (int level = 1; library && level <= 6; level++) {
        struct coder *c = add_coder("zlib", level);
        zlib_init_fn *init;

        found = find_symbol(library, "deflateInit2_");
        memcpy(&init, &found, sizeof(found));
        c->run = run_zlib;
        c->state = allocate(sizeof(struct zlib_stream));
        if (init(c->state, level, 8, -15, 8, 0, "1", (int) sizeof(struct zlib_stream)))
            fail("cannot start", c->name);
        c->functions[0] = find_symbol(library, "deflateReset");
        c->functions[1] = find_symbol(library, "deflate");
    }
}

/* ---- Measuring ---- */

static void add_file(const char *name)
{
    size_t size;

    if (file_count == MOST_FILES)
        fail("too many files", name);
    files[file_count].name = name;
    files[file_count].bytes = read_file(name, &size);
    files[file_count++].size = size;
    total += size;
    if (room < size * 5 / 4 + 1000)
        room = size * 5 / 4 + 1000;
}

static void measure(size_t record, unsigned passes)
{
    for (unsigned f = 0; f < file_count; f++) {
        for (unsigned pass = 0; pass < passes; pass++)
            for (unsigned i = 0; i < coder_count; i++) {
                struct coder *c = &coders[i];
                size_t step = record ? record : files[f].size, made = 0;
                double start = now();

                for (size_t at = 0; at < files[f].size; at += step)
                    made += c->run(c, files[f].bytes + at,
                                   step < files[f].size - at ? step : files[f].size - at);
                start = now() - start;
                if (pass == 0 || start < best[i])
                    best[i] = start;
                if (pass == 0)
                    c->size += made;
            }
        for (unsigned i = 0; i < coder_count; i++)
            coders[i].seconds += best[i];
    }
}

static void print(int csv)
{
    printf(csv ? "coder,bytes,ratio,MB/s\n" : "coder                 bytes    ratio     MB/s\n");
    for (unsigned i = 0; i < coder_count; i++)
        printf(csv ? "%s,%zu,%.4f,%.1f\n" : "%-16s %10zu   %.4f  %7.1f\n", coders[i].name,
               coders[i].size, (double) coders[i].size / (double) total,
               (double) total / coders[i].seconds / 1e6);
}

int main(int argc, char **argv)
{
    size_t record = 0;
    unsigned passes = 5;
    int csv = 0, peers = 0;

    add_isal("isal", NULL);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--record") && i + 1 < argc) {
            record = strtoul(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--passes") && i + 1 < argc) {
            passes = (unsigned) strtoul(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--against") && i + 1 < argc) {
            void *library = dlopen(argv[++i], RTLD_NOW | RTLD_LOCAL);

            if (library == NULL)
                fail("cannot load", argv[i]);
            add_isal("other", library);
        } else if (!strcmp(argv[i], "--peers")) {
            peers = 1;
        } else if (!strcmp(argv[i], "--csv")) {
            csv = 1;
        } else if (argv[i][0] == '-') {
            fail("unknown option", argv[i]);
        } else {
            add_file(argv[i]);
        }
    }
    if (peers)
        add_peers();
    if (total == 0 || passes == 0)
        fail("no file is named, or only empty ones", "nothing to do");
    out = allocate(room);
    level_buf = allocate(ISAL_DEF_LVL3_EXTRA_LARGE);
    measure(record, passes);
    print(csv);
    return 0;
}
