/* Fuzz harness: random calls of libz.so.1, compared with the same calls of the system's zlib.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Input: the direction, the seed of the data, then numbers that choose the calls. For decompression
 * the compressed stream may be part of the input; else it is made from data. In the replay,
 * libz.so.1 is loaded; libFuzzer's program contains its code. */

#define MAX_PLAIN 80000 /* enough for the window to slide; more would be slow */

#include "tests/zlib_random_deflate.h"
#include "tests/zlib_random_inflate.h"

#include "tests/fuzz/fuzz.h"

static struct fuzz_input *calls; /* what remains of the input */

static unsigned choose(unsigned n)
{
    return fuzz_number(calls, n - 1);
}

/* Takes the compressed stream from the input. */
static int inflate_given(void)
{
    size_t n = choose(MAX_STREAM);

    memset(&inflating, 0, sizeof inflating);
    n = n < calls->left ? n : calls->left;
    inflating.bytes = n;
    if (n > 0)
        memcpy(stream, calls->data, n);
    calls->data += n;
    calls->left -= n;
    return inflate_sequence(&inflating, random_window_bits());
}

FUZZ_HARNESS(zlib)
{
    static int (*const sequences[])(void) = {random_deflate, random_inflate, inflate_given};
    static enum { UNKNOWN, READY, MISSING } libraries;
    int same;

    if (libraries == UNKNOWN)
        libraries = prepare_sequences() ? READY : MISSING;
    if (libraries == MISSING)
        return;
    calls = in;
    test_state.name = "zlib";
    test_state.random = fuzz_number(in, UINT32_MAX);
    live_blocks = 0;
    same = sequences[choose(3)]() && test_state.failures == 0;
    fflush(stdout);
    FUZZ_EXPECT(same, "the libraries differ");
}
