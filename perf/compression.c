/* Shared by the benchmarks of compression and decompression: formats, records, zlib.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "compression.h"

#include <dlfcn.h>
#include <string.h>

#define ZLIB_FINISH 4
#define ZLIB_STREAM_END 1

typedef int deflate_init_fn(struct zlib_stream *z, int level, int method, int window, int memory,
                            int strategy, const char *version, int size);
typedef int deflate_init_ng_fn(struct zlib_stream *z, int level, int method, int window, int memory,
                               int strategy);
typedef int inflate_init_fn(struct zlib_stream *z, int window, const char *version, int size);

const uint16_t gzip_flags[FORMATS] = {IGZIP_DEFLATE, IGZIP_ZLIB, IGZIP_GZIP};
const uint16_t crc_flags[FORMATS] = {ISAL_DEFLATE, ISAL_ZLIB, ISAL_GZIP};

void make_text(uint8_t *data, size_t n)
{
    static const char *const words[] = {"the ",   "storage ", "of ",   "a ",     "block, ", "and ",
                                        "stream", "s ",       "in ",   "window", ".\n",     "with ",
                                        "code ",  "match ",   "table", "ed "};
    uint32_t x = 1;

    for (size_t at = 0; at < n;) {
        const char *word = words[(x = x * 1664525 + 1013904223) >> 28];
        for (; *word && at < n; at++)
            data[at] = (uint8_t) *word++;
    }
}

size_t compressed_room(const struct perf_case *c, size_t extra)
{
    size_t records = c->record ? c->size / c->record + 1 : 1;

    return c->size * 5 / 4 + 1000 + records * (64 + extra);
}

static const int zlib_windows[FORMATS] = {-15, 15, 31};

void zlib_start(struct zlib_coder *z, const perf_fn functions[3], int format, int level)
{
    const int size = (int) sizeof(z->stream);

    if (!functions[0] || !functions[1] || !functions[2])
        perf_fail("zlib lacks a function");
    z->code = (zlib_code_fn *) functions[1];
    z->reset = (zlib_reset_fn *) functions[2];
    if (level < 0 ? ((inflate_init_fn *) functions[0])(&z->stream, zlib_windows[format], "1", size)
                  : ((deflate_init_fn *) functions[0])(&z->stream, level, 8, zlib_windows[format],
                                                       8, 0, "1", size))
        perf_fail("zlib does not start");
}

void zlib_ng_start(struct zlib_coder *z, const perf_fn functions[3], int format, int level)
{
    z->code = (zlib_code_fn *) functions[1];
    z->reset = (zlib_reset_fn *) functions[2];
    if (((deflate_init_ng_fn *) functions[0])(&z->stream, level, 8, zlib_windows[format], 8, 0))
        perf_fail("zlib-ng does not start");
}

void zlib_start_system(struct zlib_coder *z, int format, int level)
{
    static const char *const names[3] = {"deflateInit2_", "deflate", "deflateReset"};
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    perf_fn functions[3];

    if (!library)
        perf_fail("libz.so.1 is needed to make streams");
    for (int i = 0; i < 3; i++) {
        void *address = dlsym(library, names[i]);
        memcpy(&functions[i], &address, sizeof(address));
    }
    zlib_start(z, functions, format, level);
}

size_t zlib_code(struct zlib_coder *z, const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
    struct zlib_stream *s = &z->stream;

    z->reset(s);
    s->next_in = in;
    s->avail_in = (unsigned) n;
    s->next_out = out;
    s->avail_out = (unsigned) room;
    return z->code(s, ZLIB_FINISH) == ZLIB_STREAM_END ? s->total_out : 0;
}

size_t isal_code(struct isal_zstream *z, int (*deflate)(struct isal_zstream *), int format,
                 uint8_t *level_buf, const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
    static const uint32_t sizes[] = {0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
                                     ISAL_DEF_LVL3_DEFAULT};

    z->level_buf = level_buf;
    z->level_buf_size =
        z->level <= ISAL_DEF_MAX_LEVEL ? sizes[z->level] : isal_deflate_level_buf_size(z->level);
    z->gzip_flag = gzip_flags[format];
    z->end_of_stream = 1;
    z->next_in = (uint8_t *) (uintptr_t) in;
    z->avail_in = (uint32_t) n;
    z->next_out = out;
    z->avail_out = (uint32_t) room;
    return deflate(z) == COMP_OK && z->avail_in == 0 ? z->total_out : 0;
}
