/* Makes random sequences of calls to two libraries with zlib's interface and compares their
 * results. The program that includes this defines choose().
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_RANDOM_H
#define ZLIB_RANDOM_H

#include "tests/zlib_test.h"

enum {
    ROOM = 1 << 18,     /* bytes of output of a call, at most */
    MAX_PLAIN = 300000, /* bytes of data of a stream */
    GUARD = 16          /* bytes after the output that must not change */
};

/* Returns a number from 0 to n - 1, which decides about the next call. */
static unsigned choose(unsigned n);

static unsigned long long calls_made;
static int tracing; /* prints the calls */
static uint8_t plain[MAX_PLAIN], output[LIBRARIES][ROOM + GUARD], dictionary[40000];

/* Memory of the streams. */
static long live_blocks;

static void *count_alloc(void *opaque, unsigned items, unsigned size)
{
    void *p = test_alloc((size_t) items * size);

    (void) opaque;
    memset(p, 0xa5, (size_t) items * size);
    live_blocks++;
    return p;
}

static void count_free(void *opaque, void *address)
{
    (void) opaque;
    live_blocks -= address != NULL;
    free(address);
}

static void new_streams(z_stream *strm)
{
    memset(strm, 0, LIBRARIES * sizeof *strm);
    for (int i = 0; i < LIBRARIES; i++) {
        strm[i].zalloc = count_alloc;
        strm[i].zfree = count_free;
    }
}

/* Calls a function of both libraries; `i` is the library. Evaluates to whether results agree. */
#define SAME(call)                                                                         \
    __extension__({                                                                        \
        long long results_[LIBRARIES];                                                     \
        for (int i = 0; i < LIBRARIES; i++) {                                              \
            const struct zlib *z = &zlib[i];                                               \
            results_[i] = (long long) (call);                                              \
        }                                                                                  \
        if (tracing)                                                                       \
            printf(#call ": %lld\n", results_[PEER]);                                      \
        calls_made++;                                                                      \
        EXPECT(results_[OURS] == results_[PEER], #call ": %lld, not %lld", results_[OURS], \
               results_[PEER]);                                                            \
    })

/* Room for output, with a guard after it. */
static void give_room(z_stream *strm, unsigned room)
{
    for (int i = 0; i < LIBRARIES; i++) {
        strm[i].next_out = output[i];
        strm[i].avail_out = room;
        memset(output[i] + room, 0xee, GUARD);
    }
}

static int guards_hold(const z_stream *strm, int i)
{
    static const uint8_t guard[GUARD] = {[0 ... GUARD - 1] = 0xee};

    return EXPECT(!memcmp(strm[i].next_out + strm[i].avail_out, guard, GUARD), "overrun by %s",
                  i == OURS ? "this library" : "the peer");
}

static int same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : !strcmp(a, b);
}

/* Bytes of a piece: none, one, few, many. */
static unsigned piece(size_t left)
{
    static const unsigned most[] = {1, 2, 2, 3, 20, 300, 5000, 70000};
    unsigned n = choose(most[choose(8)]);

    n += n >= 20 ? choose(n) : 0;
    return n < left ? n : (unsigned) left;
}

static const int wrappers[] = {0, 16, -1}; /* of windowBits: zlib, gzip, raw */

static int random_window_bits(void)
{
    int bits = choose(3) ? 15 : 9 + (int) choose(7), wrapper = wrappers[choose(3)];

    return wrapper < 0 ? -bits : bits + wrapper;
}

#endif
