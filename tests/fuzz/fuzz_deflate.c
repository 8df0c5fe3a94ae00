/* Fuzz harness: compress with any settings, in any division, and decode.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Input: level, wrapper, window, level buffer, kind of call, length of the dictionary; then pairs of
 * input and output lengths with a flush for each call, 16 of them; then the data. */

#include "tests/fuzz/fuzz.h"

#include "isa-l/igzip_lib.h"
#include "tests/inflate_reference.h"

#define CALLS 16

static const uint32_t level_min[4] = {0, ISAL_DEF_LVL1_MIN, ISAL_DEF_LVL2_MIN, ISAL_DEF_LVL3_MIN};

static void check(const uint8_t *made, size_t size, const uint8_t *dict, size_t dict_size,
                  const uint8_t *data, size_t n, unsigned wrapper)
{
    size_t header = wrapper == IGZIP_GZIP ? 10 : wrapper == IGZIP_ZLIB ? 2 : 0;
    size_t trailer = wrapper == 0 ? 0 : wrapper <= IGZIP_GZIP_NO_HDR ? 8 : 4;
    struct reference r = {0};

    FUZZ_EXPECT(size >= header + trailer, "%zu bytes", size);
    r.in = made + header;
    r.in_size = size - header - trailer;
    r.out_size = dict_size + n;
    r.out = fuzz_alloc(r.out_size);
    r.made = dict_size;
    if (dict_size)
        memcpy(r.out, dict, dict_size);
    FUZZ_EXPECT(!reference_inflate(&r) && r.finished, "it does not decode: %zu of %zu bytes",
                r.made - dict_size, n);
    FUZZ_EXPECT((r.bit + 7) / 8 == r.in_size && r.made == r.out_size, "%zu of %zu bytes", r.made,
                r.out_size);
    FUZZ_EXPECT(n == 0 || !memcmp(r.out + dict_size, data, n), "other data");
    free(r.out);
}

FUZZ_HARNESS(deflate)
{
    unsigned level = fuzz_number(in, 3), wrapper = fuzz_number(in, 4), window = fuzz_number(in, 16);
    uint32_t buf_size = level_min[level] + fuzz_number(in, 0xffff);
    unsigned one_call = fuzz_number(in, 3) == 0;
    size_t dict_size = one_call ? 0 : fuzz_number(in, 0xfff), n, given = 0, size = 0, most;
    struct {
        uint32_t in, out;
        uint16_t flush;
    } calls[CALLS];
    struct isal_zstream *stream = fuzz_alloc(sizeof(*stream));
    uint8_t *level_buf = fuzz_alloc(buf_size), *data, *dict, *out, *piece = NULL;

    for (unsigned i = 0; i < CALLS; i++) {
        calls[i].in = fuzz_number(in, 0xfff);
        calls[i].out = fuzz_number(in, 0xff);
        calls[i].flush = (uint16_t) fuzz_number(in, 2);
    }
    dict_size = dict_size < in->left / 2 ? dict_size : in->left / 2;
    dict = fuzz_copy(in, dict_size);
    n = in->left;
    data = fuzz_copy(in, n);
    memset(stream, 0xa5, sizeof(*stream));
    isal_deflate_init(stream);
    stream->level = level;
    stream->level_buf = level ? level_buf : NULL;
    stream->level_buf_size = level ? buf_size : 0;
    stream->gzip_flag = (uint16_t) wrapper;
    stream->hist_bits = (uint16_t) window;

    if (one_call) {
        most = n + 5 * (n ? (n + 65534) / 65535 : 1) + 18;
        out = fuzz_alloc(most);
        stream->next_in = data;
        stream->avail_in = (uint32_t) n;
        stream->next_out = out;
        stream->avail_out = (uint32_t) most;
        FUZZ_EXPECT(isal_deflate_stateless(stream) == COMP_OK, "%zu bytes", n);
        size = stream->total_out;
    } else {
        most = (size_t) isal_deflate_bound(n, level, wrapper, 4 * CALLS * 256, NULL);
        out = fuzz_alloc(most);
        if (dict_size)
            FUZZ_EXPECT(!isal_deflate_set_dict(stream, dict, (uint32_t) dict_size), "dictionary");
        stream->avail_in = 0;
        for (unsigned i = 0; stream->internal_state.state != ZSTATE_END; i++) {
            uint32_t more = i < 4 * CALLS ? calls[i % CALLS].in : (uint32_t) n;
            uint32_t space = i < 4 * CALLS ? calls[i % CALLS].out : 4096;
            uint8_t *next;

            more = more < n - given ? more : (uint32_t) (n - given);
            next = fuzz_alloc(stream->avail_in + more);
            if (stream->avail_in)
                memcpy(next, stream->next_in, stream->avail_in);
            if (more)
                memcpy(next + stream->avail_in, data + given, more);
            free(piece);
            stream->next_in = piece = next;
            stream->avail_in += more;
            given += more;
            stream->end_of_stream = given == n;
            stream->flush = i < 4 * CALLS ? calls[i % CALLS].flush : NO_FLUSH;
            space = space < most - size ? space : (uint32_t) (most - size);
            stream->next_out = out + size;
            stream->avail_out = space;
            FUZZ_EXPECT(isal_deflate(stream) == COMP_OK, "call %u", i);
            FUZZ_EXPECT(!stream->avail_in || !stream->avail_out, "call %u", i);
            size = (size_t) (stream->next_out - out);
            FUZZ_EXPECT(size == stream->total_out && i < 100000, "call %u", i);
        }
    }
    check(out, size, dict, dict_size, data, n, wrapper);
    free(piece);
    free(out);
    free(data);
    free(dict);
    free(level_buf);
    free(stream);
}
