/* Benchmark of decompression on files: speed beside other libraries, and the means of the ratios.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: inflate_files_perf [OPTION]... FILE...
 *
 *     --record BYTES     each file in records of so many bytes, which are streams of their own
 *     --format FORMAT    raw, zlib or gzip
 *     --level N          zlib's level that makes the streams (6)
 *     --streaming        isal_inflate rather than isal_inflate_stateless
 *     --once             files in rotation rather than each again and again: branch predictors
 *                        learn small streams by heart
 *     --time MS          for each library and file (20)
 *     --against LIBRARY  a libisal or libdeflate; may be repeated
 *     --peers            libisal, libdeflate and zlib of the system
 *     --csv
 *
 * The libraries take turns on each file, and the fastest turn of each counts. The ratios are those of
 * the time of another library to ours. */

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l/igzip_lib.h"
#include "files.h"

#define TURN 2e-3 /* seconds */

enum { MOST_FILES = 200, MOST_DECODERS = 8 };
enum format { RAW, ZLIB, GZIP };

typedef int isal_fn(struct inflate_state *);
typedef void isal_init_fn(struct inflate_state *);
typedef void *alloc_fn(void);
typedef int libdeflate_fn(void *d, const void *in, size_t n, void *out, size_t room, size_t *made);
typedef int zlib_deflate_init_fn(struct zlib_stream *, int level, int method, int window,
                                 int memory, int strategy, const char *version, int size);
typedef int zlib_inflate_init_fn(struct zlib_stream *, int window, const char *version, int size);
typedef int zlib_reset_fn(struct zlib_stream *);
typedef int zlib_code_fn(struct zlib_stream *, int flush);

/* Pointers to functions as dlsym() gives them. */
union function {
    void *symbol;
    isal_fn *isal;
    isal_init_fn *isal_init;
    alloc_fn *alloc;
    libdeflate_fn *libdeflate;
    zlib_deflate_init_fn *zlib_deflate_init;
    zlib_inflate_init_fn *zlib_inflate_init;
    zlib_reset_fn *zlib_reset;
    zlib_code_fn *zlib_code;
};

const char program_name[] = "inflate_files_perf";

struct decoder {
    char name[40];
    int (*run)(struct decoder *, const uint8_t *in, size_t n, uint8_t *out, size_t room);
    union function run_fn, reset_fn;
    void *state;
};

struct stream {
    uint8_t *bytes;
    size_t size, made_of;
};

static struct options {
    enum format format;
    size_t record;
    int level, streaming, once, csv;
    double seconds;
} options = {RAW, 0, 6, 0, 0, 0, 0.02};
static struct decoder decoders[MOST_DECODERS];
static unsigned decoder_count;
static const char *const format_names[] = {"raw", "zlib", "gzip"};

static union function find(void *library, const char *name)
{
    return (union function){find_symbol(library, name)};
}

/* ---- Libraries ---- */

static int run_isal(struct decoder *d, const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
    static const uint32_t flags[] = {ISAL_DEFLATE, ISAL_ZLIB, ISAL_GZIP};
    struct inflate_state *s = d->state;

    if (options.streaming)
        d->reset_fn.isal_init(s);
    s->next_in = (uint8_t *) (uintptr_t) in;
    s->avail_in = (uint32_t) n;
    s->next_out = out;
    s->avail_out = (uint32_t) room;
    s->crc_flag = flags[options.format];
    return d->run_fn.isal(s) || s->block_state != ISAL_BLOCK_FINISH || s->total_out != room;
}

static int run_libdeflate(struct decoder *d, const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
    size_t made;

    return d->run_fn.libdeflate(d->state, in, n, out, room, &made) || made != room;
}

static int run_zlib(struct decoder *d, const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
    struct zlib_stream *z = d->state;

    d->reset_fn.zlib_reset(z);
    z->next_in = in;
    z->avail_in = (unsigned) n;
    z->next_out = out;
    z->avail_out = (unsigned) room;
    return d->run_fn.zlib_code(z, 4) != 1 || z->total_out != room;
}

static struct decoder *add_decoder(const char *name)
{
    struct decoder *d = &decoders[decoder_count++];
    const char *file = strrchr(name, '/');

    if (decoder_count > MOST_DECODERS)
        fail("too many libraries", name);
    snprintf(d->name, sizeof(d->name), "%s", file ? file + 1 : name);
    return d;
}

static void add_isal(const char *name, void *library)
{
    struct decoder *d = add_decoder(name);

    d->run = run_isal;
    d->state = allocate(sizeof(struct inflate_state));
    if (library) {
        d->run_fn = find(library, options.streaming ? "isal_inflate" : "isal_inflate_stateless");
        d->reset_fn = find(library, "isal_inflate_init");
    } else {
        d->run_fn.isal = options.streaming ? isal_inflate : isal_inflate_stateless;
        d->reset_fn.isal_init = isal_inflate_init;
    }
}

static void add_libdeflate(const char *name, void *library)
{
    static const char *const functions[] = {"libdeflate_deflate_decompress",
                                            "libdeflate_zlib_decompress",
                                            "libdeflate_gzip_decompress"};
    struct decoder *d = add_decoder(name);

    d->run = run_libdeflate;
    d->state = find(library, "libdeflate_alloc_decompressor").alloc();
    d->run_fn = find(library, functions[options.format]);
}

static void add_zlib(const char *name, void *library)
{
    static const int windows[] = {-15, 15, 31};
    struct decoder *d = add_decoder(name);

    d->run = run_zlib;
    d->state = allocate(sizeof(struct zlib_stream));
    if (find(library, "inflateInit2_")
            .zlib_inflate_init(d->state, windows[options.format], "1",
                               (int) sizeof(struct zlib_stream)))
        fail("cannot start", name);
    d->run_fn = find(library, "inflate");
    d->reset_fn = find(library, "inflateReset");
}

static int add_library(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

    if (!library)
        return 0;
    if (dlsym(library, "isal_inflate_stateless"))
        add_isal(name, library);
    else if (dlsym(library, "libdeflate_deflate_decompress"))
        add_libdeflate(name, library);
    else
        add_zlib(name, library);
    return 1;
}

/* ---- Streams ---- */

static struct stream compress(const uint8_t *data, size_t n)
{
    static const int windows[] = {-15, 15, 31};
    static struct zlib_stream z;
    static union function deflate, reset;
    struct stream s = {allocate(n + n / 100 + 100), 0, n};

    if (!deflate.symbol) {
        void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!zlib)
            fail("is needed to make streams", "libz.so.1");
        deflate = find(zlib, "deflate");
        reset = find(zlib, "deflateReset");
        if (find(zlib, "deflateInit2_")
                .zlib_deflate_init(&z, options.level, 8, windows[options.format], 8, 0, "1",
                                   (int) sizeof(z)))
            fail("cannot start", "zlib");
    }
    reset.zlib_reset(&z);
    z.next_in = data;
    z.avail_in = (unsigned) n;
    z.next_out = s.bytes;
    z.avail_out = (unsigned) (n + n / 100 + 100);
    if (deflate.zlib_code(&z, 4) != 1)
        fail("cannot compress", "zlib");
    s.size = z.total_out;
    return s;
}

/* ---- Measuring ---- */

static void pass(struct decoder *d, const struct stream *streams, size_t count, uint8_t *out)
{
    int bad = 0;

    for (size_t i = 0; i < count; i++)
        bad |= d->run(d, streams[i].bytes, streams[i].size, out, streams[i].made_of);
    if (bad)
        fail("decompression failed", d->name);
}

/* One turn: the seconds that a pass takes. */
static double turn(struct decoder *d, const struct stream *streams, size_t count, uint8_t *out)
{
    unsigned passes = 0;
    double start, spent;

    pass(d, streams, count, out);
    start = now();
    do {
        pass(d, streams, count, out);
        passes++;
        spent = now() - start;
    } while (spent < TURN);
    return spent / passes;
}

/* A file and what it was compressed to, and the best seconds of each decoder. */
struct file {
    const char *name;
    size_t size, count;
    struct stream *streams;
    double best[MOST_DECODERS];
};

static struct file files[MOST_FILES];
static unsigned file_count;

static void add_file(const char *name)
{
    struct file *f = &files[file_count++];
    uint8_t *data = read_file(name, &f->size);
    size_t step = options.record ? options.record : f->size;

    if (!f->size)
        fail("is empty", name);
    f->name = name;
    f->streams = allocate((f->size / step + 1) * sizeof(*f->streams));
    for (size_t at = 0; at < f->size; at += step)
        f->streams[f->count++] = compress(data + at, step < f->size - at ? step : f->size - at);
    for (unsigned i = 0; i < decoder_count; i++)
        f->best[i] = 1e9;
    free(data);
}

static void note(struct file *f, unsigned i, double seconds)
{
    if (seconds < f->best[i])
        f->best[i] = seconds;
}

/* Each file again and again, the libraries in turn. */
static void measure_repeated(struct file *f, uint8_t *out)
{
    for (unsigned k = 0; k < 3 || k * TURN < options.seconds; k++)
        for (unsigned i = 0; i < decoder_count; i++)
            note(f, i, turn(&decoders[i], f->streams, f->count, out));
}

/* Each library all files, one after the other, so that branches are as hard to predict as in data
 * not seen before. */
static void measure_once(uint8_t *out)
{
    double start = now();

    for (unsigned k = 0; k < 3 || now() - start < options.seconds * decoder_count * file_count; k++)
        for (unsigned i = 0; i < decoder_count; i++)
            for (unsigned n = 0; n < file_count; n++) {
                double begun = now();

                pass(&decoders[i], files[n].streams, files[n].count, out);
                note(&files[n], i, now() - begun);
            }
}

static void print_line(const char *name, size_t size, double speed, const double *ratios)
{
    const char *file = strrchr(name, '/');

    name = file ? file + 1 : name;
    if (options.csv)
        printf("%s,%zu,%.1f", name, size, speed);
    else
        printf("%-16s %9zu %8.0f", name, size, speed);
    for (unsigned i = 1; i < decoder_count; i++)
        printf(options.csv ? ",%.3f" : " %15.2fx", ratios[i]);
    putchar('\n');
}

static void print_results(void)
{
    double log_speed = 0, logs[MOST_DECODERS] = {0}, ratios[MOST_DECODERS];

    printf(options.csv ? "file,bytes,MB/s" : "%-16s %9s %8s", "file", "bytes", "MB/s");
    for (unsigned i = 1; i < decoder_count; i++)
        printf(options.csv ? ",%s" : " %16s", decoders[i].name);
    putchar('\n');
    for (unsigned n = 0; n < file_count; n++) {
        const struct file *f = &files[n];
        double speed = (double) f->size / f->best[0] / 1e6;

        for (unsigned i = 1; i < decoder_count; i++) {
            ratios[i] = f->best[i] / f->best[0];
            logs[i] += log(ratios[i]);
        }
        log_speed += log(speed);
        print_line(f->name, f->size, speed, ratios);
    }
    for (unsigned i = 1; i < decoder_count; i++)
        ratios[i] = exp(logs[i] / file_count);
    print_line("geometric mean", 0, exp(log_speed / file_count), ratios);
}

/* ---- Command line ---- */

static unsigned long number(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end)
        fail("is not a number", text);
    return value;
}

static enum format format_named(const char *name)
{
    for (unsigned i = 0; i < 3; i++)
        if (!strcmp(name, format_names[i]))
            return (enum format) i;
    fail("is not raw, zlib or gzip", name);
}

int main(int argc, char **argv)
{
    static const char *const system_libraries[] = {"libisal.so.2", "libdeflate.so.0", "libz.so.1"};
    const char *against[MOST_DECODERS], *names[MOST_FILES];
    unsigned against_count = 0, name_count = 0;
    size_t most = 0;
    uint8_t *out;
    int peers = 0;

    for (int i = 1; i < argc; i++) {
        int more = i + 1 < argc;

        if (!strcmp(argv[i], "--streaming"))
            options.streaming = 1;
        else if (!strcmp(argv[i], "--once"))
            options.once = 1;
        else if (!strcmp(argv[i], "--peers"))
            peers = 1;
        else if (!strcmp(argv[i], "--csv"))
            options.csv = 1;
        else if (!strcmp(argv[i], "--record") && more)
            options.record = number(argv[++i]);
        else if (!strcmp(argv[i], "--level") && more)
            options.level = (int) number(argv[++i]);
        else if (!strcmp(argv[i], "--time") && more)
            options.seconds = 1e-3 * (double) number(argv[++i]);
        else if (!strcmp(argv[i], "--format") && more)
            options.format = format_named(argv[++i]);
        else if (!strcmp(argv[i], "--against") && more && against_count < MOST_DECODERS)
            against[against_count++] = argv[++i];
        else if (argv[i][0] == '-')
            fail("is no option, or lacks its value", argv[i]);
        else if (name_count < MOST_FILES)
            names[name_count++] = argv[i];
        else
            fail("too many files", argv[i]);
    }
    if (!name_count)
        fail("no file is named", "nothing to do");
    add_isal("this", NULL);
    for (unsigned i = 0; i < against_count; i++)
        if (!add_library(against[i]))
            fail("cannot be loaded", against[i]);
    for (unsigned i = 0; peers && i < 3; i++)
        if (!add_library(system_libraries[i]))
            fprintf(stderr, "SKIP: %s is missing\n", system_libraries[i]);
    for (unsigned i = 0; i < name_count; i++) {
        add_file(names[i]);
        most = files[i].size > most ? files[i].size : most;
    }
    out = allocate(most);
    for (unsigned i = 0; i < file_count && !options.once; i++)
        measure_repeated(&files[i], out);
    if (options.once)
        measure_once(out);
    print_results();
    free(out);
    return 0;
}
