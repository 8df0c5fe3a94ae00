/* Makes random sequences of calls to two libraries with zlib's interface and compares their
 * results. The program that includes this defines choose().
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_RANDOM_H
#define ZLIB_RANDOM_H

#include "dispatch/compiler.h" /* first: it chooses the system's interfaces */

#include <sys/mman.h>
#include <unistd.h>

#include "tests/zlib_test.h"

#ifndef MAX_PLAIN
#define MAX_PLAIN 300000 /* bytes of data of a stream, at most */
#endif

enum {
    ROOM = 1 << 18,                /* bytes of output of a call, at most */
    MAX_STREAM = MAX_PLAIN + 40000 /* of a compressed stream */
};

/* Returns a number from 0 to n - 1, which decides about the next call. */
static unsigned choose(unsigned n);

static unsigned long long calls_made;
static int tracing; /* prints the calls */
static uint8_t plain[MAX_PLAIN], dictionary[40000];

/* Ends of the memory for input and output. Inaccessible pages follow, so that a read or write
 * beyond a buffer stops the program. */
static uint8_t *input_end, *output_end[LIBRARIES];
static uint8_t *output[LIBRARIES]; /* of the last call */

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

/* Returns the end of n bytes of new memory, before an inaccessible page. */
static uint8_t *end_of_memory(size_t n)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE), bytes = (n + page - 1) / page * page;
    uint8_t *p =
        mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED || mprotect(p + bytes, page, PROT_NONE)) {
        perror("memory");
        exit(2);
    }
    return p + bytes;
}

/* Loads the libraries and allocates the memory of sequences; returns whether it did. */
static int prepare_sequences(void)
{
    if (!load_libraries())
        return 0;
    input_end = end_of_memory(MAX_STREAM);
    for (int i = 0; i < LIBRARIES; i++)
        output_end[i] = end_of_memory(ROOM);
    return 1;
}

/* Gives both streams the same n bytes of input. */
static void give_input(z_stream *strm, const uint8_t *from, unsigned n)
{
    memcpy(input_end - n, from, n);
    for (int i = 0; i < LIBRARIES; i++) {
        strm[i].next_in = input_end - n;
        strm[i].avail_in = n;
    }
}

static void give_room(z_stream *strm, unsigned room)
{
    for (int i = 0; i < LIBRARIES; i++) {
        output[i] = output_end[i] - room;
        strm[i].next_out = output[i];
        strm[i].avail_out = room;
    }
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
