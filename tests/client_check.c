/* Checks behaviour that programs rely on beyond symbols and layouts, with public functions only.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Returned states, consumption of input, read-ahead, sizes of output, order of hash contexts. The
 * checks apply to any library with the same interface; to run them on another one:
 *
 *     LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libisal.so.2 tests/client_check */

#include "test.h"

#include "isa-l.h"
#include "isa-l_crypto.h"

enum { LEVELS = 4, MAX_INPUT = 1 << 20, MAX_OUTPUT = 2 * MAX_INPUT };

static uint8_t input[MAX_INPUT], output[MAX_OUTPUT], decoded[MAX_OUTPUT];
static uint8_t level_buf[ISAL_DEF_LVL3_DEFAULT];
static struct isal_zstream stream;

/* ---- Data ---- */

enum { WORDS = 11 };

/* Fills data with words, at random from the first ones of the list. */
static void fill_words(size_t begin, size_t end, unsigned words)
{
    static const char *const text[WORDS] = {"storage ", "block ", "erasure ",  "kernel ",
                                            "of ",      "the ",   "compress ", "\n",
                                            "0123 ",    "value=", "a"};

    while (begin < end)
        for (const char *p = text[test_random(words)]; *p && begin < end; p++)
            input[begin++] = (uint8_t) *p;
}

/* Fills data with pieces of 9000 bytes, alternately random and words. */
static void fill_mixed(size_t n)
{
    for (size_t i = 0; i < n; i += 9000) {
        size_t end = n - i < 9000 ? n : i + 9000;

        if (i / 9000 % 2)
            fill_words(i, end, WORDS);
        else
            test_fill_random(input + i, end - i);
    }
}

/* ---- Compression ---- */

static void start(int level, int wrapper)
{
    static const uint32_t sizes[LEVELS] = {0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
                                           ISAL_DEF_LVL3_DEFAULT};

    isal_deflate_init(&stream);
    stream.level = (uint32_t) level;
    stream.level_buf = level_buf;
    stream.level_buf_size = sizes[level];
    stream.gzip_flag = (uint16_t) wrapper;
}

static void offer(size_t begin, size_t n)
{
    stream.next_in = input + begin;
    stream.avail_in = (uint32_t) n;
}

static int ended(void)
{
    return stream.internal_state.state == ZSTATE_END;
}

/* Compresses all input in one call. Returns the size of the output, or 0 if the stream did not
 * end. */
static size_t compress_at_once(int level, int wrapper, int flush, size_t n)
{
    start(level, wrapper);
    offer(0, n);
    stream.next_out = output;
    stream.avail_out = sizeof output;
    stream.end_of_stream = 1;
    stream.flush = (uint16_t) flush;
    return isal_deflate(&stream) == COMP_OK && ended() ? stream.total_out : 0;
}

/* Programs pass an output buffer of the size of stored blocks to a single call. */
static void test_stored_size(void)
{
    static const size_t sizes[] = {0,     1,     5,      31,     100,   1000,  2047,
                                   2048,  2049,  4096,   8192,   16384, 32768, 65534,
                                   65535, 65536, 131070, 200000, 300000};
    static const size_t wrapper_bytes[] = {0, 18, 8, 6};

    for (int mixed = 0; mixed < 2; mixed++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int level = 1; level < LEVELS; level++)
                for (int wrapper = IGZIP_DEFLATE; wrapper <= IGZIP_ZLIB; wrapper++)
                    for (int flush = NO_FLUSH; flush <= FULL_FLUSH; flush++) {
                        size_t n = sizes[i], most = n + 5 * (1 + n / 65535), size;

                        most += wrapper_bytes[wrapper];
                        if (mixed)
                            fill_mixed(n);
                        else
                            test_fill_random(input, n);
                        size = compress_at_once(level, wrapper, flush, n);
                        EXPECT(size && size <= most,
                               "%s, %zu bytes, level %d, wrapper %d, flush %d: %zu > %zu",
                               mixed ? "mixed" : "random", n, level, wrapper, flush, size, most);
                    }
}

static void test_split_output(void)
{
    const size_t n = 200000;

    for (int level = 0; level < LEVELS; level++) {
        size_t whole;

        fill_words(0, n, WORDS);
        whole = compress_at_once(level, IGZIP_DEFLATE, NO_FLUSH, n);
        for (uint32_t room = 1; room < 20000; room = room * 5 + 2) {
            start(level, IGZIP_DEFLATE);
            offer(0, n);
            stream.end_of_stream = 1;
            while (!ended()) {
                stream.next_out = output;
                stream.avail_out = room;
                isal_deflate(&stream);
            }
            EXPECT(stream.total_out <= whole + whole / 500,
                   "level %d, %u bytes a call: %u, in one call %zu", level, room, stream.total_out,
                   whole);
        }
    }
}

/* Zeros between random data are not stored. */
static void test_skipping(void)
{
    const size_t random = 64 << 10, zeros = 20 << 10, records = 10;

    for (int level = 1; level < LEVELS; level++) {
        size_t n = 0, size;

        for (size_t i = 0; i < records; i++, n += random + zeros) {
            test_fill_random(input + n, random);
            memset(input + n + random, 0, zeros);
        }
        size = compress_at_once(level, IGZIP_DEFLATE, NO_FLUSH, n);
        EXPECT(size && (double) size < (double) n * 0.775, "level %d: %.1f %%", level,
               100.0 * (double) size / (double) n);
    }
}

enum { PIECE = 16 << 10, ROOM = 1000, STREAM_BYTES = 600000 };

/* Observations after calls that left output pending for lack of space. */
struct pending {
    unsigned calls, tmp_states, absorbed; /* absorbed: all input was consumed */
    uint32_t min_held; /* fewest bytes consumed but not yet output, when input remained */
    uint32_t max_held; /* most such bytes */
};

/* Compresses STREAM_BYTES in pieces, with ROOM bytes of output for each call. */
static struct pending compress_in_pieces(int level)
{
    static struct inflate_state decoder;
    struct pending pending = {.min_held = UINT32_MAX};
    size_t offered = 0;

    start(level, IGZIP_DEFLATE);
    stream.avail_in = 0;
    isal_inflate_init(&decoder);
    decoder.next_out = decoded;
    decoder.avail_out = sizeof decoded;
    while (!ended()) {
        uint32_t held;

        if (stream.avail_in == 0 && offered < STREAM_BYTES) {
            size_t n = STREAM_BYTES - offered < PIECE ? STREAM_BYTES - offered : PIECE;

            offer(offered, n);
            offered += n;
        }
        stream.end_of_stream = offered == STREAM_BYTES;
        stream.next_out = output;
        stream.avail_out = ROOM;
        isal_deflate(&stream);
        decoder.next_in = output;
        decoder.avail_in = ROOM - stream.avail_out;
        isal_inflate(&decoder);
        if (stream.avail_out || ended())
            continue;
        pending.calls++;
        pending.tmp_states += stream.internal_state.state >= ZSTATE_TMP_NEW_HDR;
        pending.absorbed += stream.avail_in == 0;
        held = stream.total_in - decoder.total_out;
        if (stream.avail_in && held < pending.min_held)
            pending.min_held = held;
        if (held > pending.max_held)
            pending.max_held = held;
    }
    EXPECT(decoder.block_state == ISAL_BLOCK_FINISH && decoder.total_out == STREAM_BYTES,
           "level %d: %u bytes decoded", level, decoder.total_out);
    return pending;
}

/* Programs call again for pending output only as long as the state is a TMP one. */
static void test_pending_states(void)
{
    for (int level = 0; level < LEVELS; level++) {
        struct pending pending;

        fill_words(0, STREAM_BYTES, WORDS);
        pending = compress_in_pieces(level);
        EXPECT(pending.calls && pending.tmp_states == pending.calls,
               "level %d: %u of %u returns with output pending have a TMP state", level,
               pending.tmp_states, pending.calls);
    }
}

/* Programs treat remaining input as the end of the data, so input is consumed even while output
 * is pending. Level 0 consumes all input in at least a third of such calls. Levels 1 to 3
 * collect input before the first output; when input remains, they hold about 32 KB. The limit is
 * a little less, because the bytes held vary by those that one call's output represents. */
static void test_absorption(void)
{
    enum { FEW_WORDS = 3, MIN_HELD = 31 << 10 };

    for (int level = 0; level < LEVELS; level++) {
        struct pending pending;

        fill_words(0, STREAM_BYTES, FEW_WORDS);
        pending = compress_in_pieces(level);
        EXPECT(pending.calls && pending.max_held >= MIN_HELD, "level %d: at most %u bytes held",
               level, pending.max_held);
        if (level == 0)
            EXPECT(pending.absorbed * 3 >= pending.calls,
                   "level 0: %u of %u returns with output pending have consumed all input",
                   pending.absorbed, pending.calls);
        else
            EXPECT(pending.min_held >= MIN_HELD, "level %d: input remains with %u bytes held",
                   level, pending.min_held);
    }
}

/* ---- Decompression ---- */

/* Input is read while the output is full, and the last byte of output comes with the end of the
 * stream. The last 1 to 8 bytes of the stream come late. */
static void test_read_ahead(void)
{
    enum { TRIALS = 300, MAX_ROOM = 2048 };

    for (int level = 0; level < LEVELS; level++)
        for (int trial = 0; trial < TRIALS; trial++) {
            static struct inflate_state state;
            size_t n = 3000 + test_random(37000), size, early, done = 0;
            uint32_t room, made;
            int result, late = 0;

            if (trial % 2)
                fill_words(0, n, WORDS);
            else
                test_fill_random(input, n);
            size = compress_at_once(level, IGZIP_DEFLATE, NO_FLUSH, n);
            if (!EXPECT(size, "level %d: %zu bytes not compressed", level, n))
                continue;
            early = size - 1 - test_random(8);
            isal_inflate_init(&state);
            state.next_in = output;
            state.avail_in = (uint32_t) early;
            do {
                room = (uint32_t) (n - done < MAX_ROOM ? n - done : MAX_ROOM);
                state.next_out = decoded + done;
                state.avail_out = room;
                result = isal_inflate(&state);
                made = room - state.avail_out;
                if (done == 0)
                    EXPECT(state.avail_in == 0,
                           "level %d, %zu bytes: %u of %zu input bytes remain after the first call",
                           level, n, state.avail_in, early);
                done += made;
                if (state.avail_in == 0 && !late) {
                    late = 1;
                    state.next_in = output + early;
                    state.avail_in = (uint32_t) (size - early);
                }
            } while (done < n && !result && made);
            EXPECT(!result && done == n && state.block_state == ISAL_BLOCK_FINISH &&
                       !memcmp(decoded, input, n),
                   "level %d: %zu of %zu bytes, result %d, state %d", level, done, n, result,
                   (int) state.block_state);
        }
}

/* ---- Hashes ---- */

/* Equal jobs are returned in the order of submission: programs keep their contexts in a ring. */
#define TEST_ORDER(id, ID)                                                                      \
    static void test_order_##id(void)                                                           \
    {                                                                                           \
        enum { JOBS = 64, BYTES = 832 };                                                        \
        static ISAL_##ID##_HASH_CTX_MGR mgr;                                                    \
        static ISAL_##ID##_HASH_CTX jobs[JOBS];                                                 \
        ISAL_##ID##_HASH_CTX *job;                                                              \
        int next = 0, wrong = 0;                                                                \
                                                                                                \
        isal_##id##_ctx_mgr_init(&mgr);                                                         \
        for (int i = 0; i < JOBS; i++) {                                                        \
            isal_hash_ctx_init(&jobs[i]);                                                       \
            job = NULL;                                                                         \
            isal_##id##_ctx_mgr_submit(&mgr, &jobs[i], &job, input, BYTES, ISAL_HASH_ENTIRE);   \
            if (job)                                                                            \
                wrong += job != &jobs[next++];                                                  \
        }                                                                                       \
        while (isal_##id##_ctx_mgr_flush(&mgr, &job) == 0 && job && next < JOBS)                \
            wrong += job != &jobs[next++];                                                      \
        EXPECT(!wrong && next == JOBS && !job, "%d of %d equal jobs out of order, %d returned", \
               wrong, JOBS, next);                                                              \
    }

TEST_ORDER(md5, MD5)
TEST_ORDER(sha1, SHA1)
TEST_ORDER(sha256, SHA256)
TEST_ORDER(sha512, SHA512)
TEST_ORDER(sm3, SM3)

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_stored_size);
    TEST(test_split_output);
    TEST(test_skipping);
    TEST(test_pending_states);
    TEST(test_absorption);
    TEST(test_read_ahead);
    TEST(test_order_md5);
    TEST(test_order_sha1);
    TEST(test_order_sha256);
    TEST(test_order_sha512);
    TEST(test_order_sm3);
    return test_finish();
}
