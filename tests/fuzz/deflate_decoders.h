/* Decoders of what a harness compressed: the library's, one of the tests' own, and zlib's.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_DECODERS_H
#define DEFLATE_DECODERS_H

#include "tests/fuzz/fuzz.h"

#include "isa-l/igzip_lib.h"
#include "tests/inflate_reference.h"

#ifdef __has_include
#if __has_include(<dlfcn.h>) && __has_include(<zlib.h>)
#include <dlfcn.h>
#include <zlib.h>
#define WITH_ZLIB 1
#endif
#endif

/* What was compressed, and how. */
struct original {
    uint8_t *dict;
    const uint8_t *data;
    size_t dict_size, size;
    unsigned wrapper, window;
};

/* The last flush that was complete, and how much flushing there was. */
struct flushed {
    size_t in, out;
    uint16_t flush;
    unsigned calls;
};

static uint8_t *decoded;
static size_t decoded_room;

static uint8_t *reserve(uint8_t **buffer, size_t *room, size_t n)
{
    if (n > *room || *buffer == NULL) {
        free(*buffer);
        *room = 2 * n;
        *buffer = fuzz_alloc(*room);
    }
    return *buffer;
}

static void check_inflate(const struct original *o, const uint8_t *in, size_t in_size)
{
    static const uint32_t flags[] = {ISAL_DEFLATE, ISAL_GZIP_NO_HDR_VER, ISAL_GZIP_NO_HDR_VER,
                                     ISAL_ZLIB_NO_HDR_VER, ISAL_ZLIB_NO_HDR_VER};
    static struct inflate_state state;
    uint8_t *out = reserve(&decoded, &decoded_room, o->dict_size + o->size);
    int result = 0;

    isal_inflate_init(&state);
    state.crc_flag = flags[o->wrapper];
    if (o->dict_size)
        FUZZ_EXPECT(!isal_inflate_set_dict(&state, o->dict, (uint32_t) o->dict_size), "dictionary");
    state.next_in = (uint8_t *) (uintptr_t) in;
    state.avail_in = (uint32_t) in_size;
    state.next_out = out;
    state.avail_out = (uint32_t) o->size;
    result = isal_inflate(&state);
    FUZZ_EXPECT(result == ISAL_DECOMP_OK && state.block_state == ISAL_BLOCK_FINISH,
                "it does not decode: %d", result);
    FUZZ_EXPECT(state.avail_in == 0 && state.avail_out == 0, "%u and %u bytes are left",
                state.avail_in, state.avail_out);
    FUZZ_EXPECT(o->size == 0 || !memcmp(out, o->data, o->size), "other data");
}

static void check_reference(const struct original *o, const uint8_t *in, size_t in_size,
                            const struct flushed *last)
{
    unsigned window = o->window == 0 || o->window > 15 ? 15 : o->window;
    struct reference r = {0};

    r.in = in;
    r.in_size = in_size - (o->wrapper == 0 ? 0 : o->wrapper <= IGZIP_GZIP_NO_HDR ? 8 : 4);
    r.out_size = o->dict_size + o->size;
    r.out = reserve(&decoded, &decoded_room, r.out_size);
    r.made = o->dict_size;
    if (o->dict_size)
        memcpy(r.out, o->dict, o->dict_size);
    FUZZ_EXPECT(!reference_inflate(&r) && r.finished, "it does not decode: %zu of %zu bytes",
                r.made - o->dict_size, o->size);
    FUZZ_EXPECT((r.bit + 7) / 8 == r.in_size && r.made == r.out_size, "%zu of %zu bytes", r.made,
                r.out_size);
    FUZZ_EXPECT(o->size == 0 || !memcmp(r.out + o->dict_size, o->data, o->size), "other data");
    FUZZ_EXPECT(r.farthest <= (size_t) 1 << window, "a match %zu bytes back", r.farthest);
    /* What follows a full flush can be decoded on its own. */
    if (last->flush == FULL_FLUSH) {
        r.in += last->out;
        r.in_size -= last->out;
        r.out_size = o->size - last->in;
        r.bit = r.made = 0;
        r.finished = 0;
        FUZZ_EXPECT(!reference_inflate(&r) && r.finished && r.made == r.out_size,
                    "after a flush: %zu of %zu bytes", r.made, r.out_size);
    }
}

#ifdef WITH_ZLIB
static void check_zlib(const struct original *o, const uint8_t *in, size_t in_size)
{
    static int (*init)(z_stream *, int, const char *, int), (*run)(z_stream *, int),
        (*reset)(z_stream *), (*preset)(z_stream *, const Bytef *, unsigned);
    static z_stream z;
    static int tried;
    uint8_t *out = reserve(&decoded, &decoded_room, o->size);

    if (!tried++) {
        void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);

        if (zlib) {
            *(void **) &init = dlsym(zlib, "inflateInit2_");
            *(void **) &run = dlsym(zlib, "inflate");
            *(void **) &reset = dlsym(zlib, "inflateReset");
            *(void **) &preset = dlsym(zlib, "inflateSetDictionary");
            FUZZ_EXPECT(init(&z, -15, ZLIB_VERSION, (int) sizeof z) == Z_OK, "zlib");
        }
    }
    if (!run)
        return;
    reset(&z);
    if (o->dict_size)
        FUZZ_EXPECT(preset(&z, o->dict, (unsigned) o->dict_size) == Z_OK, "dictionary");
    z.next_in = (uint8_t *) (uintptr_t) in;
    z.avail_in = (unsigned) in_size;
    z.next_out = out;
    z.avail_out = (unsigned) o->size;
    FUZZ_EXPECT(run(&z, Z_FINISH) == Z_STREAM_END && z.avail_out == 0, "zlib: %s",
                z.msg ? z.msg : "?");
    FUZZ_EXPECT(o->size == 0 || !memcmp(out, o->data, o->size), "other data");
}
#else
static void check_zlib(const struct original *o, const uint8_t *in, size_t in_size)
{
    check_inflate(o, in, in_size);
}
#endif

#endif
