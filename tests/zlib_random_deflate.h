/* Random calls that compress. Results that do not depend on the compressed bytes are compared, and
 * each library decompresses the other's output as it comes.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_RANDOM_DEFLATE_H
#define ZLIB_RANDOM_DEFLATE_H

#include "tests/zlib_random.h"

struct deflating {
    z_stream strm[LIBRARIES];
    z_stream decoder[LIBRARIES]; /* [i] decodes output of library i with the other */
    size_t bytes, at;            /* of the data */
    size_t decoded[LIBRARIES];
    int bits;         /* windowBits */
    int last_flush;   /* -1 at the start of a stream */
    int primed;       /* calls of deflatePrime() since deflate() */
    int ended;        /* Z_STREAM_END was returned */
    int kept;         /* the peer's stream refers to data of the stream before */
    unsigned history; /* bytes of the dictionary, at the start of the stream */
    gz_header head;
};

/* Decompresses n new bytes of the output of library i. */
static int decode(struct deflating *s, int i, unsigned n)
{
    static uint8_t back[ROOM];
    const struct zlib *z = &zlib[!i];
    z_stream *strm = &s->decoder[i];
    int result;

    if (i == PEER && s->kept)
        return 1;
    strm->next_in = output[i];
    strm->avail_in = n;
    do {
        unsigned got;

        strm->next_out = back;
        strm->avail_out = sizeof back;
        result = z->inflate(strm, 0);
        if (result == Z_NEED_DICT) {
            result = z->inflateSetDictionary(strm, dictionary, s->history);
            continue;
        }
        got = (unsigned) sizeof back - strm->avail_out;
        if (!EXPECT(s->decoded[i] + got <= s->bytes && !memcmp(back, plain + s->decoded[i], got),
                    "%s: %u bytes at %zu decode to others", i == OURS ? "this library" : "peer",
                    got, s->decoded[i]))
            return 0;
        s->decoded[i] += got;
    } while (result == Z_OK && (strm->avail_in > 0 || strm->avail_out == 0));
    return EXPECT(result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END,
                  "%s: the output decodes to %d, %s, at %zu", i == OURS ? "this library" : "peer",
                  result, strm->msg ? strm->msg : "", s->decoded[i]);
}

static int same_deflate(const struct deflating *s, const int *result, const char *what)
{
    const z_stream *a = &s->strm[OURS], *b = &s->strm[PEER];

    return EXPECT(result[OURS] == result[PEER], "%s: %d, not %d", what, result[OURS],
                  result[PEER]) &&
           EXPECT(a->avail_in == b->avail_in && a->total_in == b->total_in,
                  "%s: avail_in %u, not %u; total_in %lu, not %lu", what, a->avail_in, b->avail_in,
                  a->total_in, b->total_in) &&
           EXPECT(a->adler == b->adler, "%s: adler %lx, not %lx", what, a->adler, b->adler) &&
           EXPECT(same_text(a->msg, b->msg), "%s: msg %s, not %s", what, a->msg ? a->msg : "NULL",
                  b->msg ? b->msg : "NULL");
}

/* Compresses the input with a call for each piece of room. In the end, some room is left. */
static int compress_tight(struct deflating *s, int i, int flush)
{
    z_stream *strm = &s->strm[i];
    unsigned most = 1 + test_random(test_random(2) ? 10 : 2000), rounds = 0;
    int result;

    do {
        unsigned room = rounds++ < 50 ? test_random(most) : 5000, had;

        give_room(s->strm, room);
        had = strm->avail_in;
        result = zlib[i].deflate(strm, flush);
        calls_made++;
        if (!decode(s, i, room - strm->avail_out) ||
            !EXPECT(result != Z_BUF_ERROR || room == 0 || had == 0, "Z_BUF_ERROR with %u bytes",
                    had) ||
            !EXPECT(result != Z_STREAM_ERROR, "Z_STREAM_ERROR"))
            return Z_STREAM_ERROR;
    } while (result != Z_STREAM_END && (strm->avail_out == 0 || strm->avail_in > 0));
    strm->msg = NULL; /* Z_BUF_ERROR depends on the number of calls */
    return result == Z_BUF_ERROR ? Z_OK : result;
}

/* Compresses the input with one call. */
static int compress_once(struct deflating *s, int i, int flush)
{
    z_stream *strm = &s->strm[i];
    int result;

    give_room(s->strm, ROOM);
    result = zlib[i].deflate(strm, flush);
    calls_made++;
    return decode(s, i, ROOM - strm->avail_out) ? result : Z_STREAM_ERROR;
}

static int call_deflate(struct deflating *s)
{
    static const int flushes[] = {0, 0, 0, 0, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK};
    size_t left = s->bytes - s->at;
    unsigned n = piece(left);
    int flush = flushes[choose(8)], tight = n < 20000 && choose(4) == 0, result[LIBRARIES];

    if (choose(30) == 0 || left == 0) {
        flush = Z_FINISH;
        s->bytes = s->at + n;
    }
    give_input(s->strm, plain + s->at, n);
    for (int i = 0; i < LIBRARIES; i++)
        result[i] = tight && !s->ended ? compress_tight(s, i, flush) : compress_once(s, i, flush);
    if (tracing)
        printf("deflate, %u bytes, %s, flush %d: %d\n", n, tight ? "tight" : "much room", flush,
               result[PEER]);
    if (test_state.failures || !same_deflate(s, result, "deflate"))
        return 0;
    s->at += n - s->strm[OURS].avail_in;
    s->primed = 0;
    s->last_flush = flush;
    if (result[OURS] == Z_STREAM_END)
        s->ended = 1;
    for (int i = 0; i < LIBRARIES; i++)
        if (flush >= Z_PARTIAL_FLUSH && flush <= Z_FINISH && result[i] >= Z_OK &&
            !(i == PEER && s->kept) &&
            !EXPECT(s->decoded[i] == s->at, "%s: %zu of %zu bytes after flush %d",
                    i == OURS ? "this library" : "peer", s->decoded[i], s->at, flush))
            return 0;
    return 1;
}

static int copy_deflate(struct deflating *s)
{
    z_stream copy[LIBRARIES];

    if (!SAME(z->deflateCopy(&copy[i], &s->strm[i])) || !SAME(z->deflateEnd(&s->strm[i])) ||
        !SAME(z->deflateEnd(&s->strm[i])))
        return 0;
    memcpy(s->strm, copy, sizeof copy);
    if (!SAME(z->deflateReset(&s->strm[i]))) /* a stream that moved */
        return 0;
    return SAME(z->deflateCopy(&s->strm[i], &copy[i])) && SAME(z->deflateEnd(&copy[i]));
}

static int change(struct deflating *s)
{
    unsigned n = choose(2) ? 0 : piece(s->bytes - s->at);
    int level = (int) choose(12) - 1, strategy = choose(3) ? 0 : (int) choose(6), result[LIBRARIES];

    give_input(s->strm, plain + s->at, n);
    give_room(s->strm, ROOM);
    for (int i = 0; i < LIBRARIES; i++) {
        result[i] = zlib[i].deflateParams(&s->strm[i], level, strategy);
        if (!decode(s, i, ROOM - s->strm[i].avail_out))
            return 0;
    }
    calls_made++;
    if (!same_deflate(s, result, "deflateParams"))
        return 0;
    s->at += n - s->strm[OURS].avail_in;
    if (s->last_flush >= 0)
        s->last_flush = 0;
    return 1;
}

/* Inserts an empty static block. */
static int prime_deflate(struct deflating *s)
{
    enum { BITS = 10, VALUE = 2 };

    if (s->ended || s->primed == 4 || (s->bits > 0 && s->last_flush < 0))
        return 1;
    s->primed++;
    return SAME(z->deflatePrime(&s->strm[i], BITS, VALUE));
}

/* Sets a dictionary only where the decoder has all data, and can set it too. */
static int set_dictionary(struct deflating *s)
{
    unsigned n = choose(choose(2) ? 100 : sizeof dictionary);

    if (s->ended ||
        (s->last_flush >= 0 && s->last_flush != Z_SYNC_FLUSH && s->last_flush != Z_FULL_FLUSH))
        return 1;
    if (s->primed || (s->last_flush < 0 && s->history > 0))
        return 1;
    make_data(dictionary, n);
    if (!SAME(z->deflateSetDictionary(&s->strm[i], dictionary, n)))
        return 0;
    s->history = n;
    for (int i = 0; i < LIBRARIES && s->bits < 0; i++)
        zlib[!i].inflateSetDictionary(&s->decoder[i], dictionary, n);
    return EXPECT(s->strm[OURS].adler == s->strm[PEER].adler, "deflateSetDictionary: adler");
}

static int get_deflate_dictionary(struct deflating *s)
{
    unsigned length[LIBRARIES] = {0}, n;

    give_room(s->strm, ROOM);
    if (!SAME(z->deflateGetDictionary(&s->strm[i], output[i], &length[i])))
        return 0;
    n = length[OURS] < length[PEER] ? length[OURS] : length[PEER];
    return EXPECT(!memcmp(output[OURS] + length[OURS] - n, output[PEER] + length[PEER] - n, n),
                  "deflateGetDictionary: %u and %u bytes", length[OURS], length[PEER]);
}

static int set_header(struct deflating *s)
{
    static uint8_t field[] = "a field of the header";

    if (s->bits <= 15 || s->last_flush >= 0)
        return 1;
    s->head = (gz_header){.text = (int) choose(2), .time = choose(UINT32_MAX), .os = 3};
    s->head.extra = choose(2) ? field : NULL;
    s->head.extra_len = choose(sizeof field);
    s->head.name = choose(2) ? field : NULL;
    s->head.comment = choose(2) ? field : NULL;
    s->head.hcrc = (int) choose(2);
    return SAME(z->deflateSetHeader(&s->strm[i], &s->head));
}

/* Begins the next stream, and its data. */
static int restart(struct deflating *s, int keep)
{
    if (keep ? !s->ended || !SAME(z->deflateResetKeep(&s->strm[i]))
             : !SAME(z->deflateReset(&s->strm[i])))
        return keep && !s->ended;
    for (int i = 0; i < LIBRARIES; i++) {
        zlib[!i].inflateReset(&s->decoder[i]);
        s->decoded[i] = 0;
    }
    s->bytes = choose(4) ? choose(3000) : choose(MAX_PLAIN);
    make_data(plain, s->bytes);
    s->at = s->history = 0;
    s->kept = keep;
    s->last_flush = -1;
    s->ended = s->primed = 0;
    return EXPECT(s->strm[OURS].adler == s->strm[PEER].adler, "deflateReset: adler");
}

/* Calls that are errors. */
static int misuse_deflate(struct deflating *s)
{
    int flush = choose(2) ? 6 + (int) choose(3) : -1 - (int) choose(3);

    give_room(s->strm, 100);
    for (int i = 0; i < LIBRARIES; i++) {
        s->strm[i].avail_in = 0;
        s->strm[i].next_in = NULL;
    }
    switch (choose(4)) {
    case 0:
        return SAME(z->deflate(&s->strm[i], flush));
    case 1:
        s->strm[OURS].next_out = s->strm[PEER].next_out = NULL;
        return SAME(z->deflate(&s->strm[i], Z_SYNC_FLUSH));
    case 2:
        s->strm[OURS].avail_in = s->strm[PEER].avail_in = 1;
        return SAME(z->deflate(&s->strm[i], Z_SYNC_FLUSH));
    default:
        return SAME(z->inflate(&s->strm[i], 0));
    }
}

static int pending(struct deflating *s)
{
    unsigned bytes[LIBRARIES];
    int bits[LIBRARIES];

    return s->primed || (SAME(z->deflatePending(&s->strm[i], &bytes[i], &bits[i])) &&
                         EXPECT(bytes[OURS] == bytes[PEER] && bits[OURS] >= 0 && bits[OURS] < 8,
                                "deflatePending: %u, %d, not %u, %d", bytes[OURS], bits[OURS],
                                bytes[PEER], bits[PEER]));
}

/* A call other than deflate(). */
static int call_deflate_other(struct deflating *s)
{
    switch (choose(12)) {
    case 0:
        return copy_deflate(s);
    case 1:
    case 2:
    case 3:
        return change(s);
    case 4:
        return prime_deflate(s);
    case 5:
        return set_dictionary(s);
    case 6:
        return get_deflate_dictionary(s);
    case 7:
        return set_header(s);
    case 8:
        return choose(8) != 0 || restart(s, 0);
    case 9:
        return misuse_deflate(s);
    case 10:
        return SAME(z->deflateTune(&s->strm[i], 4, 4, 8, 16));
    default:
        return pending(s);
    }
}

/* Several streams of one state; returns whether the libraries agree. */
static int random_deflate(void)
{
    static struct deflating s;
    int level = (int) choose(11) - 1, strategy = choose(2) ? 0 : (int) choose(5);
    int mem = choose(3) ? 8 : 1 + (int) choose(9), good = 1;

    memset(&s, 0, sizeof s);
    new_streams(s.strm);
    s.bits = random_window_bits();
    for (int i = 0; i < LIBRARIES; i++)
        INFLATE_INIT2(&zlib[!i], &s.decoder[i], s.bits);
    good = SAME(DEFLATE_INIT2(z, &s.strm[i], level, s.bits, mem, strategy)) && restart(&s, 0);
    for (unsigned n = 4 + choose(choose(4) ? 60 : 500); good && n > 0; n--) {
        good = choose(3) ? call_deflate(&s) : call_deflate_other(&s);
        if (good && s.ended && choose(4) == 0)
            good = restart(&s, (int) choose(3) == 0);
    }
    for (int i = 0; i < LIBRARIES; i++)
        zlib[!i].inflateEnd(&s.decoder[i]);
    return SAME(z->deflateEnd(&s.strm[i])) && good &&
           EXPECT(live_blocks == 0, "%ld blocks of memory", live_blocks);
}

#endif
