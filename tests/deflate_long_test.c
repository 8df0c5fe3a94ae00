/* Tests of streams of more than 4 GiB, and of calls with almost as much, in both directions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They need ISAL_LONG_TESTS=1 in the environment, and 64 bits. A file of 64 MiB is mapped again and
 * again, so that 4 GiB of input or output take no more memory than that. */

#define _DEFAULT_SOURCE /* mmap() */

#include "isa-l.h"

#include <sys/mman.h>

#include "tests/test.h"

#define PIECE ((size_t) 64 << 20)
#define MAX_CALL UINT32_MAX /* bytes of one call */
#define OUT ((size_t) 1 << 20)
#define TOTAL (((uint64_t) 4 << 30) + 3 * PIECE + 77)

static const uint32_t level_size[] = {ISAL_DEF_LVL0_DEFAULT, ISAL_DEF_LVL1_DEFAULT,
                                      ISAL_DEF_LVL2_DEFAULT, ISAL_DEF_LVL3_DEFAULT};
static uint8_t level_buf[ISAL_DEF_LVL3_DEFAULT], out[OUT];
static struct isal_zstream stream;
static struct inflate_state state;

/* The contents of `file` over and over, for at least MAX_CALL bytes; NULL if that is impossible. */
static uint8_t *map_again(FILE *file)
{
    size_t count = MAX_CALL / PIECE + 1;
    uint8_t *map = mmap(NULL, count * PIECE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (size_t i = 0; map != MAP_FAILED && i < count; i++)
        if (mmap(map + i * PIECE, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 fileno(file), 0) == MAP_FAILED)
            return NULL;
    return map == MAP_FAILED ? NULL : map;
}

/* More than 4 GiB that can be read, and as much that can be written; or the test is skipped. Both
 * stay for the next test. */
static uint8_t *input, *output;

static int prepare(void)
{
    const char *wanted = getenv("ISAL_LONG_TESTS");
    FILE *files[2];

    if (!wanted || strcmp(wanted, "1")) {
        test_skip("takes minutes; set ISAL_LONG_TESTS=1");
        return 0;
    }
    if (sizeof(size_t) < 8) {
        test_skip("there are no addresses for 4 GiB");
        return 0;
    }
    if (input)
        return 1;
    for (int i = 0; i < 2; i++) {
        files[i] = tmpfile();
        if (!files[i] || fseek(files[i], (long) PIECE - 1, SEEK_SET) || fputc(0, files[i]) ||
            fflush(files[i])) {
            test_skip("no room for a file of %zu bytes", PIECE);
            return 0;
        }
    }
    input = map_again(files[0]);
    output = map_again(files[1]);
    if (!input || !output) {
        input = NULL;
        test_skip("no addresses for 4 GiB");
        return 0;
    }
    for (size_t i = 0; i < PIECE;) {
        size_t n = PIECE - i < 40 ? PIECE - i : (size_t) 40 + test_random(200);

        n = n < PIECE - i ? n : PIECE - i;
        if (i < 3000000 || test_random(50) == 0) {
            for (size_t k = 0; k < n; k++)
                input[i + k] = (uint8_t) ('a' + test_random(20));
        } else {
            memcpy(input + i, input + i - 300 - test_random(30000), n);
        }
        i += n;
    }
    return 1;
}

static void start(unsigned level, unsigned wrapper)
{
    isal_deflate_init(&stream);
    stream.level = level;
    stream.level_buf = level_buf;
    stream.level_buf_size = level_size[level];
    stream.gzip_flag = (uint16_t) wrapper;
}

/* Decodes n bytes, and compares what comes out with the input. */
static uint64_t decode(uint8_t *data, size_t n, uint64_t done)
{
    size_t room, made;
    int result = 0;

    state.next_in = data;
    state.avail_in = (uint32_t) n;
    do {
        room = PIECE - (size_t) (done % PIECE);
        state.next_out = output;
        state.avail_out = (uint32_t) room;
        result = isal_inflate(&state);
        made = room - state.avail_out;
        if (!EXPECT(result >= 0 && !memcmp(output, input + done % PIECE, made),
                    "%d after %llu bytes", result, (unsigned long long) done))
            return done;
        done += made;
    } while (made == room || (state.avail_in && state.block_state != ISAL_BLOCK_FINISH));
    EXPECT(state.total_out == (uint32_t) done, "total_out %u after %llu bytes", state.total_out,
           (unsigned long long) done);
    return done;
}

/* Pieces of all sizes: totals count modulo 2^32, and so does the length in the gzip trailer, which
 * the decoder verifies. */
static void test_stream(void)
{
    if (!prepare())
        return;
    for (unsigned level = 0; level <= ISAL_DEF_MAX_LEVEL; level++) {
        uint64_t given = 0, made = 0, decoded = 0;
        int failed = 0;

        start(level, level % 2 ? IGZIP_ZLIB : IGZIP_GZIP);
        isal_inflate_init(&state);
        state.crc_flag = level % 2 ? ISAL_ZLIB : ISAL_GZIP;
        while (!failed && stream.internal_state.state != ZSTATE_END) {
            size_t n = (size_t) 1 << test_random(25), at = (size_t) (given % PIECE);

            n = n < PIECE - at ? n : PIECE - at;
            n = n < TOTAL - given ? n : (size_t) (TOTAL - given);
            stream.next_in = input + at;
            stream.avail_in = (uint32_t) n;
            given += n;
            stream.end_of_stream = given == TOTAL;
            stream.flush = (uint16_t) (test_random(4) ? NO_FLUSH : 1 + test_random(2));
            do {
                stream.next_out = out;
                stream.avail_out = (uint32_t) OUT;
                failed |= !EXPECT(isal_deflate(&stream) == COMP_OK, "level %u", level);
                n = OUT - stream.avail_out;
                made += n;
                decoded = decode(out, n, decoded);
            } while (!failed && stream.avail_out == 0);
            failed |=
                !EXPECT(stream.total_in == (uint32_t) given && stream.total_out == (uint32_t) made,
                        "level %u: totals %u and %u after %llu and %llu", level, stream.total_in,
                        stream.total_out, (unsigned long long) given, (unsigned long long) made);
        }
        EXPECT(decoded == TOTAL && state.block_state == ISAL_BLOCK_FINISH,
               "level %u: %llu bytes come back", level, (unsigned long long) decoded);
    }
}

/* Everything in one call, isal_deflate() and isal_deflate_stateless(); and back in one call. */
static void test_one_call(void)
{
    size_t room = (size_t) 3 << 30;
    uint8_t *made;

    if (!prepare())
        return;
    made = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!EXPECT(made != MAP_FAILED, "%zu bytes", room))
        return;
    for (unsigned i = 0; i < 2 * (ISAL_DEF_MAX_LEVEL + 1); i++) {
        unsigned level = i / 2;

        start(level, IGZIP_GZIP);
        stream.next_in = input;
        stream.avail_in = MAX_CALL;
        stream.end_of_stream = 1;
        stream.next_out = made;
        stream.avail_out = (uint32_t) room;
        EXPECT((i % 2 ? isal_deflate_stateless(&stream) : isal_deflate(&stream)) == COMP_OK,
               "level %u", level);
        EXPECT(stream.avail_in == 0 && stream.total_in == MAX_CALL &&
                   stream.next_in == input + MAX_CALL &&
                   stream.next_out == made + stream.total_out &&
                   stream.avail_out == room - stream.total_out &&
                   stream.internal_state.state == ZSTATE_END,
               "level %u: %u and %u bytes are left", level, stream.avail_in, stream.avail_out);
        isal_inflate_init(&state);
        state.crc_flag = ISAL_GZIP;
        state.next_in = made;
        state.avail_in = stream.total_out;
        state.next_out = output;
        state.avail_out = MAX_CALL;
        EXPECT(isal_inflate(&state) == ISAL_DECOMP_OK && state.block_state == ISAL_BLOCK_FINISH &&
                   state.avail_in == 0 && state.avail_out == 0 && state.total_out == MAX_CALL,
               "level %u: %u bytes are left", level, state.avail_out);
    }
    munmap(made, room);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_stream);
    TEST(test_one_call);
    return test_finish();
}
