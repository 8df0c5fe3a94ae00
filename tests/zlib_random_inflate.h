/* Random calls that decompress.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZLIB_RANDOM_INFLATE_H
#define ZLIB_RANDOM_INFLATE_H

#include "tests/zlib_random.h"

enum { FIELD = 64 };
enum { IN_LAST_BLOCK = 64, AT_BOUNDARY = 128 }; /* in data_type */

static uint8_t stream[MAX_STREAM];

struct inflating {
    z_stream strm[LIBRARIES];
    size_t bytes, at; /* of the stream */
    int bits;         /* windowBits */
    int result;       /* of the last call of inflate() */
    unsigned dictionary;
    gz_header head[LIBRARIES];
    uint8_t extra[LIBRARIES][FIELD], name[LIBRARIES][FIELD], comment[LIBRARIES][FIELD];
};

/* Makes a stream of one of the libraries; returns its windowBits. */
static int make_stream(struct inflating *s)
{
    const struct zlib *z = &zlib[choose(2)];
    int bits = random_window_bits();
    size_t n = choose(4) ? choose(3000) : choose(MAX_PLAIN), at = 0;
    unsigned most = 1 + choose(n < 5000 ? 500 : 20000);
    uint8_t field[] = "a field of the header";
    gz_header h;
    z_stream strm;

    memset(&strm, 0, sizeof strm);
    make_data(plain, n);
    DEFLATE_INIT2(z, &strm, (int) choose(10), bits, 1 + (int) choose(9), (int) choose(5));
    s->dictionary = choose(4) == 0 ? 1 + choose(sizeof dictionary) : 0;
    if (bits < 16 && s->dictionary > 0) {
        make_data(dictionary, s->dictionary);
        if (s->dictionary < n)
            memcpy(plain, dictionary, s->dictionary / 2);
        z->deflateSetDictionary(&strm, dictionary, s->dictionary);
    } else if (bits > 15 && choose(2)) {
        h = (gz_header){.text = (int) choose(2), .time = 12345, .xflags = 4, .os = 7};
        h.extra = choose(2) ? field : NULL;
        h.extra_len = choose(sizeof field);
        h.name = choose(2) ? field : NULL;
        h.comment = choose(2) ? field + choose(sizeof field - 1) : NULL;
        h.hcrc = (int) choose(2);
        z->deflateSetHeader(&strm, &h);
    }
    strm.next_out = stream;
    strm.avail_out = MAX_STREAM;
    do {
        unsigned length = choose(2) ? 1 + choose(most) : most;

        length = length < n - at ? length : (unsigned) (n - at);
        strm.next_in = plain + at;
        strm.avail_in = length;
        at += length;
        z->deflate(&strm, at == n ? Z_FINISH : choose(3) ? 0 : (int) choose(4));
    } while (at < n && strm.avail_out > 20000);
    s->bytes = strm.total_out;
    z->deflateEnd(&strm);
    for (unsigned i = choose(3) ? 0 : 1 + choose(3); s->bytes > 0 && i > 0; i--)
        stream[choose(2) ? choose((unsigned) s->bytes) : choose(20) % s->bytes] ^=
            (uint8_t) (1u << choose(8));
    return bits;
}

/* Returns whether the stream has stopped before a block. */
static int at_boundary(const struct inflating *s)
{
    return s->strm[PEER].data_type & AT_BOUNDARY;
}

static int is_error(int result)
{
    return result < Z_OK && result != Z_BUF_ERROR;
}

static int same_inflate(const struct inflating *s, const char *what, int result)
{
    const z_stream *a = &s->strm[OURS], *b = &s->strm[PEER];

    return EXPECT(a->avail_out == b->avail_out, "%s: avail_out %u, not %u", what, a->avail_out,
                  b->avail_out) &&
           EXPECT(a->avail_in == b->avail_in && a->next_in == b->next_in, "%s: avail_in %u, not %u",
                  what, a->avail_in, b->avail_in) &&
           EXPECT(a->total_in == b->total_in && a->total_out == b->total_out,
                  "%s: total_in %lu, not %lu; total_out %lu, not %lu", what, a->total_in,
                  b->total_in, a->total_out, b->total_out) &&
           EXPECT(a->adler == b->adler, "%s: adler %lx, not %lx", what, a->adler, b->adler) &&
           EXPECT(is_error(result) || a->data_type == b->data_type, "%s: data_type %d, not %d",
                  what, a->data_type, b->data_type) &&
           EXPECT(same_text(a->msg, b->msg), "%s: msg %s, not %s", what, a->msg ? a->msg : "NULL",
                  b->msg ? b->msg : "NULL");
}

static int call_inflate(struct inflating *s)
{
    static const int flushes[] = {0,        0,       0,      Z_PARTIAL_FLUSH, Z_SYNC_FLUSH,
                                  Z_FINISH, Z_BLOCK, Z_TREES};
    z_stream *strm = s->strm;
    unsigned in = piece(s->bytes - s->at), room = piece(ROOM);
    int flush = flushes[choose(8)], results[LIBRARIES];

    give_input(strm, stream + s->at, in);
    give_room(strm, room);
    for (int i = 0; i < LIBRARIES; i++)
        results[i] = zlib[i].inflate(&strm[i], flush);
    calls_made++;
    if (tracing)
        printf("inflate, %u bytes, room %u, flush %d: %d, %u and %u left\n", in, room, flush,
               results[PEER], strm[PEER].avail_in, strm[PEER].avail_out);
    s->at += in - strm[OURS].avail_in;
    s->result = results[PEER];
    return EXPECT(results[OURS] == results[PEER], "inflate: %d, not %d (%s, %s)", results[OURS],
                  results[PEER], strm[OURS].msg ? strm[OURS].msg : "",
                  strm[PEER].msg ? strm[PEER].msg : "") &&
           same_inflate(s, "inflate", results[OURS]) &&
           EXPECT(!memcmp(output[OURS], output[PEER], room - strm[PEER].avail_out), "output");
}

/* Continues with a copy. */
static int copy_inflate(struct inflating *s)
{
    z_stream copy[LIBRARIES];

    if (!SAME(z->inflateCopy(&copy[i], &s->strm[i])) || !SAME(z->inflateEnd(&s->strm[i])) ||
        !SAME(z->inflateEnd(&s->strm[i])))
        return 0;
    memcpy(s->strm, copy, sizeof copy);
    if (!SAME(z->inflate(&s->strm[i], 0))) /* a stream that moved */
        return 0;
    if (!SAME(z->inflateCopy(&s->strm[i], &copy[i])))
        return 0;
    return SAME(z->inflateEnd(&copy[i]));
}

static int get_dictionary(struct inflating *s)
{
    unsigned length[LIBRARIES] = {0};

    /* After the last block or an error, the last output may be missing in either. */
    if (s->strm[PEER].data_type & IN_LAST_BLOCK || s->result == Z_STREAM_END || is_error(s->result))
        return 1;
    give_room(s->strm, ROOM);
    if (!SAME(z->inflateGetDictionary(&s->strm[i], output[i], &length[i])))
        return 0;
    return EXPECT(length[OURS] >= length[PEER], "inflateGetDictionary: %u bytes, not %u",
                  length[OURS], length[PEER]) &&
           EXPECT(!memcmp(output[OURS] + length[OURS] - length[PEER], output[PEER], length[PEER]),
                  "inflateGetDictionary");
}

static int get_header(struct inflating *s)
{
    unsigned most[] = {choose(FIELD), choose(FIELD), choose(FIELD)}, fields = choose(8);

    for (int i = 0; i < LIBRARIES; i++) {
        gz_header *h = &s->head[i];

        memset(h, 0, sizeof *h);
        h->extra = fields & 1 ? s->extra[i] : NULL;
        h->extra_max = most[0];
        h->name = fields & 2 ? s->name[i] : NULL;
        h->name_max = most[1];
        h->comment = fields & 4 ? s->comment[i] : NULL;
        h->comm_max = most[2];
    }
    return SAME(z->inflateGetHeader(&s->strm[i], &s->head[i]));
}

static int same_header(const struct inflating *s)
{
    const gz_header *a = &s->head[OURS], *b = &s->head[PEER];

    return EXPECT(a->text == b->text && a->time == b->time && a->xflags == b->xflags &&
                      a->os == b->os && a->extra_len == b->extra_len && a->hcrc == b->hcrc &&
                      a->done == b->done,
                  "header: text %d, not %d; time %lu, %lu; extra_len %u, %u; done %d, %d", a->text,
                  b->text, a->time, b->time, a->extra_len, b->extra_len, a->done, b->done) &&
           EXPECT((a->extra == NULL) == (b->extra == NULL) &&
                      (a->name == NULL) == (b->name == NULL) &&
                      (a->comment == NULL) == (b->comment == NULL),
                  "fields of the header") &&
           EXPECT(!memcmp(s->extra[OURS], s->extra[PEER], FIELD) &&
                      !memcmp(s->name[OURS], s->name[PEER], FIELD) &&
                      !memcmp(s->comment[OURS], s->comment[PEER], FIELD),
                  "text of the header");
}

static int synchronize(struct inflating *s)
{
    unsigned in = piece(s->bytes - s->at);

    if (s->bits % 16 == 0) /* without the header, zlib then has a window of one byte */
        return 1;
    if (in == 0 && is_error(s->result)) /* bits of invalid symbols may be left */
        return 1;
    give_input(s->strm, stream + s->at, in);
    s->result = Z_DATA_ERROR;
    if (!SAME(z->inflateSync(&s->strm[i])))
        return 0;
    s->at += in - s->strm[OURS].avail_in;
    return same_inflate(s, "inflateSync", Z_DATA_ERROR);
}

/* Inserts bits before the next block. */
static int prime(struct inflating *s)
{
    int bits = (int) choose(20) - 2, value = (int) choose(65536);

    return s->result == Z_DATA_ERROR || !at_boundary(s) ||
           SAME(z->inflatePrime(&s->strm[i], bits, value));
}

/* Within a coded block, this library does not report the output of a match that waits for room. */
static int mark(struct inflating *s)
{
    long marks[LIBRARIES];

    for (int i = 0; i < LIBRARIES; i++)
        marks[i] = zlib[i].inflateMark(&s->strm[i]);
    return is_error(s->result) ||
           EXPECT(marks[OURS] == marks[PEER] || (marks[OURS] >= 0 && marks[PEER] >= 0),
                  "inflateMark: %ld, not %ld", marks[OURS], marks[PEER]);
}

/* A call other than inflate(). */
static int call_other(struct inflating *s)
{
    int number = (int) choose(70) - 20;

    switch (choose(26)) {
    case 0:
        return copy_inflate(s);
    case 1:
        return get_dictionary(s);
    case 2:
        return choose(3) || synchronize(s);
    case 3:
        return choose(4) || prime(s);
    case 4:
        return choose(4) || (SAME(z->inflateReset(&s->strm[i])) && (s->at = 0, 1));
    case 5:
        return choose(8) ||
               (SAME(z->inflateReset2(&s->strm[i], number)) && (s->at = 0, s->bits = number, 1));
    case 6:
        return choose(4) || s->result == Z_STREAM_END || is_error(s->result) ||
               (SAME(z->inflateResetKeep(&s->strm[i])) && (s->at = 0, 1));
    case 7:
        return s->strm[PEER].total_in > 0 || SAME(z->inflateValidate(&s->strm[i], number & 1));
    case 8:
        return (s->strm[PEER].total_in > 0 && !at_boundary(s)) ||
               SAME(z->inflateSetDictionary(&s->strm[i], dictionary, s->dictionary));
    case 9:
        return SAME(z->inflateUndermine(&s->strm[i], number & 1));
    case 10:
        return get_header(s);
    case 11:
        return SAME(z->inflateCodesUsed(&s->strm[i]) == ~0ul);
    case 12:
        return SAME(z->inflateSyncPoint(&s->strm[i]));
    case 13:
        for (int i = 0; i < LIBRARIES; i++)
            s->strm[i].next_out = NULL;
        return SAME(z->inflate(&s->strm[i], 0));
    case 14:
        return SAME(z->deflate((&s->strm[i]), 0));
    default:
        return mark(s) && same_header(s);
    }
}

/* Decompresses a stream in pieces, with other calls in between; returns whether the libraries
 * agree. `bits`: the windowBits it was made with. */
static int inflate_sequence(struct inflating *s, int bits)
{
    int good = 1;

    if (bits > 0 && choose(4) == 0)
        bits = 15 + 32;
    else if (choose(8) == 0)
        bits = (int) choose(50) - 16;
    else if (bits > 0 && bits < 16 && choose(4) == 0)
        bits = 0;
    new_streams(s->strm);
    s->bits = bits;
    if (!SAME(INFLATE_INIT2(z, &s->strm[i], bits)))
        return 0;
    if (s->strm[PEER].state == NULL)
        return 1;
    if (bits < 0 && s->dictionary > 0)
        good = SAME(z->inflateSetDictionary(&s->strm[i], dictionary, s->dictionary));
    for (unsigned n = 4 + choose(choose(4) ? 60 : 2000); good && n > 0;
         n -= s->result == Z_DATA_ERROR && n > 10 ? 10 : 1)
        good = choose(s->result < Z_OK ? 2 : 5) ? call_inflate(s) : call_other(s);
    return SAME(z->inflateEnd(&s->strm[i])) && good &&
           EXPECT(live_blocks == 0, "%ld blocks of memory", live_blocks);
}

static struct inflating inflating;

/* The same with a random stream. */
static int random_inflate(void)
{
    memset(&inflating, 0, sizeof inflating);
    return inflate_sequence(&inflating, make_stream(&inflating));
}

#endif
