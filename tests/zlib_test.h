/* Two libraries with zlib's interface, side by side: this one and the system's; and data for both.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_TEST_H
#define ZLIB_TEST_H

#include "igzip/zlib/zlib_api.h" /* first: it chooses the size of off_t */

#include <dlfcn.h>

#include "tests/test.h"

#define ZLIB_FUNCTIONS(F)   \
    F(deflateInit_)         \
    F(deflateInit2_)        \
    F(deflate)              \
    F(deflateEnd)           \
    F(deflateReset)         \
    F(deflateResetKeep)     \
    F(deflateCopy)          \
    F(deflateSetDictionary) \
    F(deflateGetDictionary) \
    F(deflateParams)        \
    F(deflateTune)          \
    F(deflateBound)         \
    F(deflatePending)       \
    F(deflatePrime)         \
    F(deflateSetHeader)     \
    F(inflateInit_)         \
    F(inflateInit2_)        \
    F(inflate)              \
    F(inflateEnd)           \
    F(inflateReset)         \
    F(inflateReset2)        \
    F(inflateResetKeep)     \
    F(inflateCopy)          \
    F(inflateSetDictionary) \
    F(inflateGetDictionary) \
    F(inflateSync)          \
    F(inflateSyncPoint)     \
    F(inflatePrime)         \
    F(inflateMark)          \
    F(inflateGetHeader)     \
    F(inflateUndermine)     \
    F(inflateValidate)      \
    F(inflateCodesUsed)     \
    F(inflateBackInit_)     \
    F(inflateBack)          \
    F(inflateBackEnd)       \
    F(compress)             \
    F(compress2)            \
    F(compressBound)        \
    F(uncompress)           \
    F(uncompress2)          \
    F(adler32)              \
    F(adler32_z)            \
    F(adler32_combine)      \
    F(adler32_combine64)    \
    F(crc32)                \
    F(crc32_z)              \
    F(crc32_combine)        \
    F(crc32_combine64)      \
    F(crc32_combine_gen)    \
    F(crc32_combine_gen64)  \
    F(crc32_combine_op)     \
    F(get_crc_table)        \
    F(zlibVersion)          \
    F(zError)               \
    F(zlibCompileFlags)     \
    F(gzopen)               \
    F(gzopen64)             \
    F(gzdopen)              \
    F(gzbuffer)             \
    F(gzsetparams)          \
    F(gzread)               \
    F(gzfread)              \
    F(gzwrite)              \
    F(gzfwrite)             \
    F(gzprintf)             \
    F(gzputs)               \
    F(gzgets)               \
    F(gzputc)               \
    F(gzgetc)               \
    F(gzgetc_)              \
    F(gzungetc)             \
    F(gzflush)              \
    F(gzseek)               \
    F(gzseek64)             \
    F(gzrewind)             \
    F(gztell)               \
    F(gztell64)             \
    F(gzoffset)             \
    F(gzoffset64)           \
    F(gzeof)                \
    F(gzdirect)             \
    F(gzclose)              \
    F(gzclose_r)            \
    F(gzclose_w)            \
    F(gzerror)              \
    F(gzclearerr)

struct zlib {
#define MEMBER(name) __typeof__(&name) name;
    ZLIB_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Indices of the two libraries. */
enum { OURS, PEER, LIBRARIES };
static struct zlib zlib[LIBRARIES];

/* Loads a library; returns whether it has all functions. */
static int load_zlib(struct zlib *z, const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        printf("SKIP: %s\n", dlerror());
        return 0;
    }
#define LOAD(name)                                        \
    *(void **) (void *) &z->name = dlsym(library, #name); \
    if (z->name == NULL) {                                \
        printf("SKIP: %s has no " #name "\n", file);      \
        return 0;                                         \
    }
    ZLIB_FUNCTIONS(LOAD)
#undef LOAD
    return 1;
}

/* Loads this library, unless it is part of the program. ISAL_ZLIB names another file. */
static int load_ours(struct zlib *z)
{
#ifdef ZLIB_LINKED
#define LINKED(name) .name = name,
    *z = (struct zlib){ZLIB_FUNCTIONS(LINKED)};
#undef LINKED
    return 1;
#else
    const char *file = getenv("ISAL_ZLIB");

    return load_zlib(z, file ? file : "igzip/zlib/.libs/libz.so.1");
#endif
}

/* Loads both. PEER_ZLIB names another peer. It comes first: its name without a folder would match
 * ours, once that is loaded. */
static inline int load_libraries(void)
{
    const char *peer = getenv("PEER_ZLIB");

    return load_zlib(&zlib[PEER], peer ? peer : "libz.so.1") && load_ours(&zlib[OURS]) &&
           EXPECT(zlib[OURS].inflate != zlib[PEER].inflate, "the system's zlib is this one");
}

#define DEFLATE_INIT2(z, s, level, bits, mem, strategy) \
    (z)->deflateInit2_(s, level, Z_DEFLATED, bits, mem, strategy, "1.2.11", (int) sizeof(z_stream))
#define INFLATE_INIT2(z, s, bits) (z)->inflateInit2_(s, bits, "1.2.11", (int) sizeof(z_stream))

/* Makes the call for each library, z. The variable gets both results, which must be equal. */
#define BOTH(type, variable, call)                                        \
    type variable[LIBRARIES];                                             \
    for (int i = 0; i < LIBRARIES; i++) {                                 \
        const struct zlib *z = &zlib[i];                                  \
        variable[i] = (type) (call);                                      \
    }                                                                     \
    EXPECT(variable[OURS] == variable[PEER], "%s: %lld, not %lld", #call, \
           (long long) variable[OURS], (long long) variable[PEER])

/* Fills n bytes with stretches of words, runs, random bytes and copies of earlier bytes. */
__attribute__((unused)) static void make_data(uint8_t *to, size_t n)
{
    static const char *const words[] = {"the ", "quick ", "brown\n", "0.125,", "{\"id\": ", "zlib"};
    size_t at = 0;

    while (at < n) {
        size_t left = n - at, length = 1 + test_random(test_random(4) ? 40 : 3000);
        unsigned kind = test_random(5), byte = test_random(256);

        length = length < left ? length : left;
        if (kind == 0) {
            memset(to + at, (int) byte, length);
        } else if (kind == 1) {
            for (size_t i = 0; i < length; i++)
                to[at + i] = (uint8_t) test_random(256);
        } else if (kind == 2 && at > 0) {
            size_t distance = 1 + test_random(at < 40000 ? (unsigned) at : 40000);

            for (size_t i = 0; i < length; i++)
                to[at + i] = distance <= at ? to[at + i - distance] : 0;
        } else {
            const char *word = words[test_random(6)];

            length = strlen(word) < left ? strlen(word) : left;
            memcpy(to + at, word, length);
        }
        at += length;
    }
}

#endif
