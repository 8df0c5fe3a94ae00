/* Fuzz harness: decompression of arbitrary bytes, in one call and in pieces, compared with zlib.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Input: choices, sizes of pieces, then a raw DEFLATE stream. Both libraries must agree on whether
 * it is valid, on its output (up to an error), and on where it ends. While at most 32 KB of output
 * are pending, all input must be consumed. If zlib is not installed, one call and pieces are
 * compared with each other. */

#include "tests/fuzz/fuzz.h"

#include <dlfcn.h>

#include "igzip/format/deflate_format.h"
#include "isa-l/igzip_lib.h"

#if defined(__has_include)
#if __has_include(<zlib.h>)
#include <zlib.h>
#define HAVE_ZLIB_HEADER 1
#endif
#endif

#define MAX_OUT 70000  /* more than the 64 KB after which the history is moved */
#define SMALL_OUT 4096 /* unless the input asks for more */
#define PIECES 6
#define READ_AHEAD 32768 /* pending output up to which all input is consumed */

enum verdict { COMPLETE, NEEDS_INPUT, FULL, INVALID };

struct outcome {
    enum verdict verdict;
    size_t out, in;
};

static uint8_t expected[MAX_OUT], got[MAX_OUT];
static struct inflate_state state;

#ifdef HAVE_ZLIB_HEADER
static int (*zlib_init)(z_stream *, int, const char *, int), (*zlib_reset)(z_stream *),
    (*zlib_inflate)(z_stream *, int);

static int have_zlib(void)
{
    static int tried;
    void *zlib;

    if (!tried) {
        tried = 1;
        zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
        if (zlib) {
            *(void **) &zlib_init = dlsym(zlib, "inflateInit2_");
            *(void **) &zlib_reset = dlsym(zlib, "inflateReset");
            *(void **) &zlib_inflate = dlsym(zlib, "inflate");
        }
    }
    return zlib_init && zlib_reset && zlib_inflate;
}

static struct outcome by_zlib(const uint8_t *data, size_t len, size_t room)
{
    static z_stream z;
    static int ready;
    int result;

    if (!ready)
        FUZZ_EXPECT(zlib_init(&z, -15, ZLIB_VERSION, (int) sizeof z) == Z_OK, "inflateInit2");
    else
        zlib_reset(&z);
    ready = 1;
    z.next_in = (uint8_t *) (uintptr_t) data;
    z.avail_in = (unsigned) len;
    z.next_out = expected;
    z.avail_out = (unsigned) room;
    result = zlib_inflate(&z, Z_SYNC_FLUSH);
    return (struct outcome){result == Z_STREAM_END                ? COMPLETE
                            : result < 0 && result != Z_BUF_ERROR ? INVALID
                            : z.avail_out == 0                    ? FULL
                                                                  : NEEDS_INPUT,
                            room - z.avail_out, len - z.avail_in};
}
#endif

static struct outcome in_one_call(const uint8_t *data, size_t len, size_t room, uint8_t *out)
{
    int result;

    state.next_in = (uint8_t *) (uintptr_t) data;
    state.avail_in = (uint32_t) len;
    state.next_out = out;
    state.avail_out = (uint32_t) room;
    state.crc_flag = ISAL_DEFLATE;
    result = isal_inflate_stateless(&state);
    FUZZ_EXPECT(result != ISAL_DECOMP_OK || state.block_state == ISAL_BLOCK_FINISH, "state %d",
                state.block_state);
    return (struct outcome){result == ISAL_DECOMP_OK      ? COMPLETE
                            : result == ISAL_END_INPUT    ? NEEDS_INPUT
                            : result == ISAL_OUT_OVERFLOW ? FULL
                                                          : INVALID,
                            (size_t) (state.next_out - out), (size_t) (state.next_in - data)};
}

/* Each piece is in memory of its own size. */
static struct outcome in_pieces(const uint8_t *data, size_t len, size_t room, uint8_t *out,
                                const uint32_t *sizes, struct outcome right)
{
    struct outcome r = {NEEDS_INPUT, 0, 0};
    uint32_t idle = 0;

    isal_inflate_init(&state);
    for (unsigned i = 0; idle < 2 * PIECES; i += 2) {
        size_t n_in = sizes[i % PIECES], n_out = sizes[(i + 1) % PIECES];
        uint8_t *piece_in, *piece_out;
        int result;

        n_in = n_in < len - r.in ? n_in : len - r.in;
        n_out = n_out < room - r.out ? n_out : room - r.out;
        piece_in = fuzz_alloc(n_in);
        piece_out = fuzz_alloc(n_out);
        if (n_in)
            memcpy(piece_in, data + r.in, n_in);
        state.next_in = piece_in;
        state.avail_in = (uint32_t) n_in;
        state.next_out = piece_out;
        state.avail_out = (uint32_t) n_out;
        result = isal_inflate(&state);
        if (state.next_out != piece_out)
            memcpy(out + r.out, piece_out, (size_t) (state.next_out - piece_out));
        r.out += (size_t) (state.next_out - piece_out);
        r.in += (size_t) (state.next_in - piece_in);
        idle = state.next_out == piece_out && state.next_in == piece_in ? idle + 1 : 0;
        if (result >= 0) {
            FUZZ_EXPECT(state.next_in + state.avail_in == piece_in + n_in, "avail_in");
            FUZZ_EXPECT(state.next_out + state.avail_out == piece_out + n_out, "avail_out");
            FUZZ_EXPECT(state.total_out == r.out, "total_out %u", state.total_out);
            FUZZ_EXPECT(right.verdict != COMPLETE || right.out > READ_AHEAD || !state.avail_in ||
                            r.in == right.in,
                        "%u bytes of input left after %zu of %zu", state.avail_in, r.in, right.in);
            FUZZ_EXPECT(right.verdict != COMPLETE || r.in < right.in || r.out < right.out ||
                            state.block_state == ISAL_BLOCK_FINISH,
                        "all is consumed and delivered in state %d", state.block_state);
        }
        free(piece_in);
        free(piece_out);
        if (result < 0) {
            r.verdict = INVALID;
            return r;
        }
        if (state.block_state == ISAL_BLOCK_FINISH) {
            r.verdict = COMPLETE;
            return r;
        }
        FUZZ_EXPECT(state.avail_in == 0 || state.avail_out == 0, "stopped with both left");
    }
    r.verdict = r.out == room ? FULL : NEEDS_INPUT;
    return r;
}

static void agree(const char *who, struct outcome a, struct outcome b)
{
    FUZZ_EXPECT(a.verdict == b.verdict, "%s: %d, not %d, after %zu bytes", who, a.verdict,
                b.verdict, a.out);
    FUZZ_EXPECT(a.out == b.out, "%s: %zu bytes, not %zu", who, a.out, b.out);
    FUZZ_EXPECT(a.verdict != COMPLETE || a.in == b.in, "%s: %zu bytes of input, not %zu", who, a.in,
                b.in);
    FUZZ_EXPECT(!memcmp(got, expected, a.out), "%s: other bytes", who);
}

/* The reference, or this library if there is none; leaves the output in `expected`. */
static struct outcome by_reference(const uint8_t *data, size_t len, size_t room)
{
#ifdef HAVE_ZLIB_HEADER
    if (have_zlib())
        return by_zlib(data, len, room);
#endif
    return in_one_call(data, len, room, expected);
}

/* One call can find a header invalid before all of it is there. Returns what zlib finds if the
 * stream continues with zeros. */
static struct outcome with_zeros(const uint8_t *data, size_t len, size_t room, struct outcome right)
{
    uint8_t *more = fuzz_alloc(len + 400);

    memcpy(more, data, len);
    memset(more + len, 0, 400);
#ifdef HAVE_ZLIB_HEADER
    if (have_zlib())
        right = by_zlib(more, len + 400, room);
#endif
    free(more);
    return right;
}

static void compare_one_call(struct outcome mine, struct outcome right)
{
    if (right.verdict == FULL) {
        /* One call does not decode a match that does not fit completely. If the output buffer is
         * exactly full, it may report any reason to stop. */
        FUZZ_EXPECT(mine.verdict == FULL || mine.out == right.out, "%d when full", mine.verdict);
        FUZZ_EXPECT(mine.out + DEFLATE_MAX_MATCH > right.out && !memcmp(got, expected, mine.out),
                    "when full");
    } else if (mine.verdict == FULL) {
        /* A match that does not fit, followed by an error or the end of the input. */
        FUZZ_EXPECT(right.verdict == NEEDS_INPUT || right.verdict == INVALID, "full, not %d",
                    right.verdict);
    } else {
        agree("one call", mine, right);
    }
}

FUZZ_HARNESS(inflate)
{
    uint32_t choices = fuzz_number(in, 255), sizes[PIECES];
    size_t max = choices & 8 ? MAX_OUT : SMALL_OUT, room = max, len;
    struct outcome right, mine;
    uint8_t *data, *out;

    for (int i = 0; i < PIECES; i++) {
        sizes[i] = fuzz_number(in, 255);
        if (choices & 1 && i & 1)
            sizes[i] *= 257;
    }
    sizes[0] += !sizes[0];
    sizes[1] += !sizes[1];
    len = in->left;
    data = fuzz_copy(in, len);
    right = by_reference(data, len, room);

    /* An output buffer that fits exactly, or is larger. */
    if (right.verdict != FULL)
        room = right.out + (choices >> 4) * (choices & 2) * 20;
    room = room < max ? room : max;
    out = fuzz_alloc(room);
    mine = in_one_call(data, len, room, out);
    memcpy(got, out, mine.out);
    free(out);
    if (mine.verdict == INVALID && right.verdict == NEEDS_INPUT)
        right = with_zeros(data, len, max, right);
    compare_one_call(mine, right);
    if (choices & 4 || right.out < 2000) {
        if (right.verdict != FULL)
            room = right.out + 1 < max ? right.out + 1 : max;
        mine = in_pieces(data, len, room, got, sizes, right);
        if (right.verdict == FULL) {
            FUZZ_EXPECT(mine.out >= right.out && !memcmp(got, expected, right.out),
                        "pieces: %zu bytes when full", mine.out);
        } else {
            agree("pieces", mine, right);
        }
    }
    free(data);
}
