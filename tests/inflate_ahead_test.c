/* Tests of decompression over several calls: every split of input and output, and read-ahead.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/inflate_test.h"

#define WINDOW ((size_t) 32768)

static struct session begin_session(const struct stream *s, uint8_t *out)
{
    struct session w = {s->bytes, out, s->len + TRAILING, s->n + 5, 0, 0, 0};

    isal_inflate_init(&state);
    state.crc_flag = s->flag;
    return w;
}

/* Expected `crc` when n bytes of output are delivered. */
static uint32_t checksum(const struct stream *s, size_t n, int finished)
{
    uint32_t adler = isal_adler32(1, s->data, n);

    if (s->flag == ISAL_DEFLATE)
        return 0;
    if (gzip_flag(s->flag))
        return crc32_gzip_refl(0, s->data, n);
    return finished ? adler : (adler & 0xffff0000) | ((adler & 0xffff) + 65520) % 65521;
}

/* Makes one call and checks its results. It consumes all offered bytes of the stream and nothing
 * after them, except that input may be left while 32 KB of output are pending. The call that
 * consumes and delivers the last bytes reaches the end. */
static void step_checked(struct session *w, const struct stream *s, size_t n_in, size_t n_out)
{
    size_t offered = w->consumed + n_in, from = w->delivered;
    int finished, result = step(w, n_in, n_out);

    EXPECT(result == 0, "flag %u: result %d", s->flag, result);
    offered = offered < s->len ? offered : s->len;
    finished = w->consumed == s->len && w->delivered == s->n;
    EXPECT(w->consumed == offered || (w->consumed < offered && s->n > WINDOW),
           "flag %u: %zu bytes consumed of %zu, %zu delivered", s->flag, w->consumed, offered,
           w->delivered);
    EXPECT((state.block_state == ISAL_BLOCK_FINISH) == finished,
           "flag %u: state %d, %zu of %zu bytes consumed, %zu of %zu delivered", s->flag,
           state.block_state, w->consumed, s->len, w->delivered, s->n);
    EXPECT(!finished || state.read_in_length == 0, "flag %u: %d bits left", s->flag,
           state.read_in_length);
    EXPECT(w->delivered <= s->n && !memcmp(w->out + from, s->data + from, w->delivered - from),
           "flag %u: bytes from %zu to %zu", s->flag, from, w->delivered);
    EXPECT(state.crc == checksum(s, w->delivered, finished), "flag %u: crc %08x after %zu", s->flag,
           state.crc, w->delivered);
}

/* Blocks of the kinds in `kinds`: s for stored, f for fixed codes, d for dynamic ones. */
static void make_stream(struct stream *s, uint32_t flag, const char *kinds)
{
    begin_stream(s, flag);
    for (; *kinds; kinds++) {
        size_t from = s->len, n = *kinds == 'd' ? 150 : 60;
        uint8_t data[150];

        for (size_t i = 0; i < n; i++)
            data[i] = (uint8_t) (*kinds == 's'   ? 144 + test_random(112)
                                 : *kinds == 'f' ? 'a' + !test_random(8)
                                                 : 240 + test_random(4));
        append_piece(s, data, n, *kinds == 'f' ? 0 : 1, !kinds[1]);
        EXPECT("sfd"[s->bytes[from] >> 1 & 3] == *kinds, "block of kind %d", s->bytes[from] >> 1);
    }
    end_stream(s);
}

/* Every split of input and output in two, with calls in between that have no input or no output
 * buffer. */
static void test_all_splits(void)
{
    static const char *const kinds[] = {"s", "f", "d", "sfds"};
    static struct stream s;
    uint8_t out[400];

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (uint32_t flag = ISAL_DEFLATE; flag <= ISAL_GZIP_NO_HDR_VER; flag++) {
            make_stream(&s, flag, kinds[k]);
            for (size_t i = 0; i <= s.len + TRAILING; i++)
                for (size_t o = 0; o <= s.n + 1; o++) {
                    struct session w = begin_session(&s, out);

                    switch ((i + o) % 4) {
                    case 0:
                        step_checked(&w, &s, i, o);
                        break;
                    case 1:
                        step_checked(&w, &s, i, 0);
                        step_checked(&w, &s, 0, o);
                        step_checked(&w, &s, s.len, 0);
                        break;
                    case 2:
                        step_checked(&w, &s, 0, o);
                        step_checked(&w, &s, i, 0);
                        step_checked(&w, &s, 0, 0);
                        break;
                    default:
                        step_checked(&w, &s, i, 0);
                        step_checked(&w, &s, s.len, o);
                    }
                    /* The output buffer fits exactly, or is one or two bytes larger. */
                    step_checked(&w, &s, s.len + TRAILING, s.n - w.delivered + (i + o) % 3);
                    EXPECT(w.consumed == s.len && w.delivered == s.n &&
                               state.block_state == ISAL_BLOCK_FINISH,
                           "flag %u: split at %zu and %zu", flag, i, o);
                    if ((i + o) % 16 == 0) {
                        EXPECT(step(&w, TRAILING, 5) == 0 && w.consumed == s.len &&
                                   w.delivered == s.n,
                               "flag %u: after the end", flag);
                    }
                }
        }
}

/* Random splits of streams with more output than the state holds: small, large and empty pieces. */
static void test_random_splits(void)
{
    static const unsigned max_sizes[] = {1, 2, 20, 300, 5000, 40000, 2 * DATA_BYTES};
    static struct stream s;
    static uint8_t data[DATA_BYTES], out[2 * DATA_BYTES + 5];

    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t flag = ISAL_DEFLATE; flag <= ISAL_GZIP_NO_HDR_VER; flag++) {
            size_t n = make_data(kind, data), first = n / 8;
            uint32_t level = (uint32_t) kind % 4;

            begin_stream(&s, flag);
            append_piece(&s, data, first, level, 0);
            append_piece(&s, data + first, n - first, (level + 1) % 4, 0);
            append_piece(&s, data, n, (level + 2) % 4, 1);
            end_stream(&s);
            for (int turn = 0; turn < 8; turn++) {
                struct session w = begin_session(&s, out);
                unsigned max_in = max_sizes[2 + test_random(COUNT(max_sizes) - 2)];
                unsigned max_out = max_sizes[2 + test_random(COUNT(max_sizes) - 2)];

                while (state.block_state != ISAL_BLOCK_FINISH && test_state.failures == 0) {
                    if (test_random(50) == 0)
                        max_in = max_sizes[test_random(COUNT(max_sizes))];
                    if (test_random(50) == 0)
                        max_out = max_sizes[test_random(COUNT(max_sizes))];
                    step_checked(&w, &s, test_random(max_in + 1), test_random(max_out + 1));
                }
            }
        }
}

/* The last block of a stream: a match of length 3 at distance 32768, with the fixed code. */
static struct bytes farthest_match(void)
{
    struct bytes b = {{0}, 0};
    unsigned at = 0;

    put_bits(&b, &at, 1, 1);
    put_bits(&b, &at, 1, 2);
    put_bits(&b, &at, 0x40, 7); /* length 3 */
    put_bits(&b, &at, 0x17, 5); /* distance symbol 29 */
    put_bits(&b, &at, 0x1fff, 13);
    put_bits(&b, &at, 0, 7); /* end */
    return b;
}

/* A match that needs the whole window, near the point where delivered output is dropped. */
static void test_window_ahead(void)
{
    static struct stream s;
    static uint8_t out[3 * WINDOW];
    struct bytes far = farthest_match();

    for (uint32_t n = 65530; n < 65543; n++) {
        uint32_t left = n;

        begin_stream(&s, ISAL_GZIP_NO_HDR);
        test_fill_random(s.data, n);
        while (left > 0) {
            uint32_t length = left < 40000 ? left : 40000;
            uint8_t header[5] = {0, (uint8_t) length, (uint8_t) (length >> 8), (uint8_t) ~length,
                                 (uint8_t) (~length >> 8)};

            append(&s, header, sizeof header);
            append(&s, s.data + s.n, length);
            s.n += length;
            left -= length;
        }
        append(&s, far.data, far.len);
        memcpy(s.data + n, s.data + n - WINDOW, 3);
        s.n += 3;
        end_stream(&s);
        for (size_t first = 32700; first < 32850; first++) {
            struct session w = begin_session(&s, out);

            step_checked(&w, &s, s.len, 0);
            step_checked(&w, &s, s.len, first);
            step_checked(&w, &s, s.len, s.n);
        }
    }
}

/* Read-ahead is 64 KB without an output buffer, and later at least 32 KB while input is left,
 * whatever the sizes of the calls. */
static void test_how_far_ahead(void)
{
    static const unsigned sizes[] = {1, 16, 1000, 4096, 30000, 40000, 70000};
    static struct stream s;
    static uint8_t data[DATA_BYTES], out[20 * DATA_BYTES];
    struct session w;
    size_t before;

    begin_stream(&s, ISAL_DEFLATE);
    append_piece(&s, data, make_data(2, data), 1, 1);
    end_stream(&s);
    w = begin_session(&s, out);
    step_checked(&w, &s, s.len, 0);
    EXPECT(w.consumed > 0 && w.consumed < s.len, "%zu of %zu", w.consumed, s.len);
    step_checked(&w, &s, 0, s.n);
    EXPECT(w.delivered >= 2 * WINDOW, "%zu bytes ahead", w.delivered);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int turn = 0; turn < 10; turn++) {
            w = begin_session(&s, out);
            for (unsigned n = test_random(40000); w.delivered < n && !test_state.failures;)
                step_checked(&w, &s, s.len, sizes[i]);
            if (w.consumed == s.len)
                continue;
            before = w.delivered;
            step_checked(&w, &s, 0, s.n);
            EXPECT(w.delivered - before >= WINDOW, "%zu bytes ahead of %zu, in calls for %u",
                   w.delivered - before, before, sizes[i]);
        }
}

/* An error is reported by the call that delivers the last byte before it, and by every call after
 * that. */
static void test_errors_ahead(void)
{
    enum { BEFORE = 20000 };
    static const size_t pieces[] = {1, 7, 1000, BEFORE - 1, BEFORE, BEFORE + 1, BEFORE + 9};
    static struct stream s;
    static uint8_t data[DATA_BYTES], out[BEFORE + 9];
    struct bytes far = farthest_match();

    make_data(2, data);
    for (size_t e = 0; e <= COUNT(errors); e++) {
        struct bytes b = e < COUNT(errors) ? from_hex(errors[e].hex) : far;
        int expected = e < COUNT(errors) ? errors[e].result : ISAL_INVALID_LOOKBACK;
        const char *last = e < COUNT(errors) ? errors[e].before : "";

        /* Wrapper errors have no output before them; the short distance is valid after output. */
        if (e < COUNT(errors) &&
            (errors[e].flag != ISAL_DEFLATE || expected == ISAL_INVALID_LOOKBACK))
            continue;
        for (size_t i = 0; i < COUNT(pieces); i++)
            for (size_t o = 0; o < COUNT(pieces); o++) {
                struct session w;
                int result = 0;
                size_t n;

                begin_stream(&s, ISAL_DEFLATE);
                append_piece(&s, data, BEFORE, 1, 0);
                append(&s, b.data, b.len);
                memcpy(s.data + s.n, last, strlen(last));
                n = s.n + strlen(last);
                w = begin_session(&s, out);
                w.len = s.len;
                w.out_size = n + 1;
                for (size_t calls = 0; !result && !test_state.failures; calls++) {
                    result = step(&w, pieces[i], calls % 3 ? pieces[o] : 0);
                    EXPECT(result ? w.delivered == n : w.delivered < n || w.consumed < s.len,
                           "error %zu, pieces of %zu and %zu: %d after %zu bytes", e, pieces[i],
                           pieces[o], result, w.delivered);
                }
                EXPECT(result == expected && !memcmp(out, s.data, n),
                       "error %zu, pieces of %zu and %zu: %d", e, pieces[i], pieces[o], result);
                EXPECT(step(&w, pieces[i], 1) == expected && w.delivered == n, "error %zu again",
                       e);
            }
    }
}

/* A wrong trailer is read ahead, but reported with the last byte of output. */
static void test_wrong_trailer_ahead(void)
{
    static const uint32_t flags[] = {ISAL_GZIP, ISAL_ZLIB, ISAL_ZLIB_NO_HDR_VER,
                                     ISAL_GZIP_NO_HDR_VER};
    static struct stream s;
    uint8_t out[400];

    for (size_t f = 0; f < COUNT(flags); f++) {
        make_stream(&s, flags[f], "sd");
        s.bytes[s.len - 1] ^= 0x40;
        for (size_t i = 0; i <= s.len; i++)
            for (size_t o = 0; o <= s.n; o++) {
                struct session w = begin_session(&s, out);
                int result = step(&w, i, o);

                if (i < s.len || o < s.n) {
                    EXPECT(result == 0 && state.block_state != ISAL_BLOCK_FINISH,
                           "flag %u, %zu and %zu: result %d", flags[f], i, o, result);
                    result = step(&w, s.len, 0);
                    EXPECT(w.consumed == s.len, "flag %u, %zu and %zu: %zu bytes consumed",
                           flags[f], i, o, w.consumed);
                }
                if (w.delivered < s.n) {
                    EXPECT(result == 0, "flag %u, %zu and %zu: result %d", flags[f], i, o, result);
                    result = step(&w, 0, s.n);
                }
                EXPECT(result == ISAL_INCORRECT_CHECKSUM && w.delivered == s.n &&
                           w.consumed == s.len && state.block_state == ISAL_BLOCK_FINISH &&
                           state.crc == checksum(&s, s.n, 1),
                       "flag %u, %zu and %zu: result %d", flags[f], i, o, result);
            }
    }
}

/* Members in sequence, then other bytes; each member ends with its own trailer. */
static void test_members_ahead(void)
{
    static const size_t sizes[] = {1, 2, 60, 100000};
    static struct stream members[3];
    static uint8_t all[sizeof members[0].bytes * 2], data[DATA_BYTES], out[DATA_BYTES + 400];

    make_stream(&members[0], ISAL_GZIP, "d");
    begin_stream(&members[1], ISAL_GZIP);
    append_piece(&members[1], data, make_data(2, data) / 2, 2, 1);
    end_stream(&members[1]);
    make_stream(&members[2], ISAL_GZIP, "sf");
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t o = 0; o < COUNT(sizes); o++) {
            struct session w = {all, out, 0, 0, 0, 0, 0};
            size_t in_end = 0, out_end = 0;

            for (size_t m = 0; m < COUNT(members); m++) {
                memcpy(all + w.len, members[m].bytes, members[m].len + TRAILING);
                w.len += members[m].len;
                w.out_size += members[m].n;
            }
            w.len += TRAILING;
            isal_inflate_init(&state);
            state.crc_flag = ISAL_GZIP;
            for (size_t m = 0; m < COUNT(members); m++) {
                const struct stream *s = &members[m];

                isal_inflate_reset(&state);
                for (size_t calls = 0;
                     state.block_state != ISAL_BLOCK_FINISH && !test_state.failures; calls++)
                    EXPECT(step(&w, sizes[i], calls % 4 ? sizes[o] : 0) == 0, "member %zu", m);
                in_end += s->len;
                EXPECT(w.consumed == in_end && w.delivered == out_end + s->n &&
                           state.total_out == s->n && !memcmp(out + out_end, s->data, s->n) &&
                           state.crc == checksum(s, s->n, 1),
                       "member %zu, pieces of %zu and %zu: %zu of %zu consumed, %zu of %zu made", m,
                       sizes[i], sizes[o], w.consumed, in_end, w.delivered, out_end + s->n);
                out_end += s->n;
            }
            EXPECT(w.len - w.consumed == TRAILING, "%zu left", w.len - w.consumed);
        }
}

/* Raw streams with a dictionary, in every split. While output is pending, none can be set. */
static void test_dictionary_ahead(void)
{
    enum { N = 400 };
    static const size_t lengths[] = {50, 32768, 40000};
    static const uint32_t flags[] = {ISAL_DEFLATE, ISAL_GZIP_NO_HDR_VER, ISAL_ZLIB_NO_HDR_VER};
    static uint8_t dict[40000], out[N + 5], buffer[ISAL_DEF_LVL1_DEFAULT];
    static struct isal_zstream z;
    static struct stream s;

    test_fill_random(dict, sizeof dict);
    for (size_t k = 0; k < COUNT(lengths); k++) {
        begin_stream(&s, flags[k]);
        s.n = N;
        for (size_t i = 0; i < N; i++) /* distances of the whole window, and short ones */
            s.data[i] = i % 50 < 3
                            ? (uint8_t) i
                            : (i < N / 2 && lengths[k] > WINDOW ? dict[lengths[k] - WINDOW + i]
                                                                : dict[lengths[k] - 50 + i % 50]);
        isal_deflate_init(&z);
        z.level = 1;
        z.level_buf = buffer;
        z.level_buf_size = sizeof buffer;
        EXPECT(isal_deflate_set_dict(&z, dict, (uint32_t) lengths[k]) == COMP_OK, "set_dict");
        z.end_of_stream = 1;
        z.next_in = s.data;
        z.avail_in = N;
        z.next_out = s.bytes;
        z.avail_out = sizeof s.bytes;
        EXPECT(isal_deflate(&z) == COMP_OK && z.total_out < N * 3 / 4, "%u bytes", z.total_out);
        s.len = z.total_out;
        end_stream(&s);
        for (size_t i = 0; i <= s.len; i++)
            for (size_t o = 0; o <= N; o++) {
                struct session w = begin_session(&s, out);

                EXPECT(isal_inflate_set_dict(&state, dict, (uint32_t) lengths[k]) == COMP_OK,
                       "set_dict");
                step_checked(&w, &s, i, o % 3 ? o : 0);
                step_checked(&w, &s, s.len, 0);
                if (w.delivered < N) {
                    EXPECT(isal_inflate_set_dict(&state, dict, 1) == ISAL_INVALID_STATE,
                           "dictionary with %zu bytes pending", N - w.delivered);
                }
                step_checked(&w, &s, s.len, o);
                step_checked(&w, &s, s.len, N);
            }
    }
    /* Between blocks, a dictionary can be set when all output is delivered. */
    begin_stream(&s, ISAL_DEFLATE);
    append_piece(&s, dict, N, 1, 0);
    isal_inflate_init(&state);
    set_buffers(s.bytes, s.len, out, 0);
    EXPECT(isal_inflate(&state) == 0 && state.avail_in == 0, "%u bytes left", state.avail_in);
    EXPECT(state.block_state == ISAL_BLOCK_NEW_HDR &&
               isal_inflate_set_dict(&state, dict, N) == ISAL_INVALID_STATE,
           "state %d", state.block_state);
    state.avail_out = N;
    EXPECT(isal_inflate(&state) == 0 && state.avail_out == 0 && !memcmp(out, dict, N) &&
               isal_inflate_set_dict(&state, dict, N) == COMP_OK,
           "state %d", state.block_state);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_all_splits);
    TEST(test_random_splits);
    TEST(test_window_ahead);
    TEST(test_how_far_ahead);
    TEST(test_errors_ahead);
    TEST(test_wrong_trailer_ahead);
    TEST(test_members_ahead);
    TEST(test_dictionary_ahead);
    return test_finish();
}
