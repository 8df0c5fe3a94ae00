/* Fuzz harness: gzip and zlib headers are read in pieces and compared with a simple parser (RFC
 * 1950, RFC 1952); others are written and read back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Input: the test, lengths of pieces, then the header to read or the fields of the one to write. */

#include "tests/fuzz/fuzz.h"

#include "isa-l/igzip_lib.h"

#define PIECES 8

/* The bytes of a header, given to the library piece by piece, each in memory of its own size. */
struct feed {
    const uint8_t *data;
    size_t len, at, held; /* held: bytes of the current piece */
    size_t pieces[PIECES];
    unsigned next;
    uint8_t *piece;
};

static void feed_pieces(struct feed *f, struct fuzz_input *in)
{
    for (unsigned i = 0; i < PIECES; i++)
        f->pieces[i] = fuzz_number(in, 255);
}

/* Offers the next piece. After PIECES pieces, it is the rest. */
static void feed_next(struct feed *f, struct inflate_state *state)
{
    size_t n = f->next < PIECES ? f->pieces[f->next++] : SIZE_MAX;

    free(f->piece);
    f->held = n < f->len - f->at ? n : f->len - f->at;
    f->piece = fuzz_alloc(f->held);
    if (f->held)
        memcpy(f->piece, f->data + f->at, f->held);
    state->next_in = f->piece;
    state->avail_in = (uint32_t) f->held;
    f->at += f->held;
}

static size_t feed_used(const struct feed *f, const struct inflate_state *state)
{
    FUZZ_EXPECT(state->next_in + state->avail_in == f->piece + f->held, "next_in and avail_in");
    return f->at - state->avail_in;
}

static uint32_t crc32(const uint8_t *p, size_t len)
{
    uint32_t crc = 0xffffffff;

    while (len--) {
        crc ^= *p++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t le32(const uint8_t *p)
{
    return p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;
}

/* ---- gzip: the simple parser ---- */

struct parsed {
    int result;
    size_t len; /* of the header */
    const uint8_t *extra, *name, *comment;
    size_t extra_len, name_len, comment_len; /* strings with their NUL */
};

static int parse_string(const uint8_t *p, size_t len, size_t *at, const uint8_t **string, size_t *n)
{
    const uint8_t *end = memchr(p + *at, 0, len - *at);

    if (!end)
        return ISAL_END_INPUT;
    *string = p + *at;
    *n = (size_t) (end - *string) + 1;
    *at += *n;
    return ISAL_DECOMP_OK;
}

static struct parsed parse(const uint8_t *p, size_t len)
{
    struct parsed h = {.result = ISAL_END_INPUT};
    size_t at = 10;

    if (len < 10)
        return h;
    h.len = 10;
    h.result = p[0] != 0x1f || p[1] != 0x8b ? ISAL_INVALID_WRAPPER
               : p[2] != 8                  ? ISAL_UNSUPPORTED_METHOD
                                            : ISAL_DECOMP_OK;
    if (h.result)
        return h;
    h.result = ISAL_END_INPUT;
    if (p[3] & 4) {
        if (len - at < 2 || len - at - 2 < (size_t) (p[at] | p[at + 1] << 8))
            return h;
        h.extra_len = (size_t) (p[at] | p[at + 1] << 8);
        h.extra = p + at + 2;
        at += 2 + h.extra_len;
    }
    if (p[3] & 8 && parse_string(p, len, &at, &h.name, &h.name_len))
        return h;
    if (p[3] & 16 && parse_string(p, len, &at, &h.comment, &h.comment_len))
        return h;
    h.result = ISAL_DECOMP_OK;
    if (p[3] & 2) {
        if (len - at < 2) {
            h.result = ISAL_END_INPUT;
            return h;
        }
        if ((crc32(p, at) & 0xffff) != (uint32_t) (p[at] | p[at + 1] << 8))
            h.result = ISAL_INCORRECT_CHECKSUM;
        at += 2;
    }
    h.len = at;
    return h;
}

/* ---- gzip: reading with the library ---- */

/* Doubles a buffer that was too small, and keeps its contents. */
static void *larger(void *old, uint32_t *len)
{
    uint8_t *new = fuzz_alloc(2 * (size_t) *len + 1);

    memcpy(new, old, *len);
    free(old);
    *len = 2 * *len + 1;
    return new;
}

static void read_gzip(struct feed *f, unsigned wanted, uint32_t small)
{
    struct inflate_state *state = fuzz_alloc(sizeof *state);
    struct isal_gzip_header h;
    struct parsed p = parse(f->data, f->len);
    int result;

    isal_inflate_init(state);
    isal_gzip_header_init(&h);
    h.extra_buf_len = h.name_buf_len = h.comment_buf_len = small;
    h.extra = wanted & 1 ? fuzz_alloc(small) : NULL;
    h.name = wanted & 2 ? fuzz_alloc(small) : NULL;
    h.comment = wanted & 4 ? fuzz_alloc(small) : NULL;
    feed_next(f, state);
    for (;;) {
        result = isal_read_gzip_header(state, &h);
        if (result == ISAL_EXTRA_OVERFLOW && h.extra)
            h.extra = larger(h.extra, &h.extra_buf_len);
        else if (result == ISAL_NAME_OVERFLOW && h.name)
            h.name = larger(h.name, &h.name_buf_len);
        else if (result == ISAL_COMMENT_OVERFLOW && h.comment)
            h.comment = larger(h.comment, &h.comment_buf_len);
        else if (result == ISAL_END_INPUT && f->at < f->len)
            feed_next(f, state);
        else
            break;
    }
    FUZZ_EXPECT(result == p.result, "isal_read_gzip_header is %d, not %d", result, p.result);
    if (result == ISAL_DECOMP_OK || result == ISAL_INCORRECT_CHECKSUM)
        FUZZ_EXPECT(feed_used(f, state) == p.len, "%zu bytes consumed of %zu", feed_used(f, state),
                    p.len);
    if (result == ISAL_DECOMP_OK) {
        const uint8_t *d = f->data;
        FUZZ_EXPECT(h.text == (d[3] & 1), "text %u", h.text);
        FUZZ_EXPECT(h.flags == d[3], "flags %u", h.flags);
        FUZZ_EXPECT(h.time == le32(d + 4), "time %u", h.time);
        FUZZ_EXPECT(h.xflags == d[8] && h.os == d[9], "xflags %u, os %u", h.xflags, h.os);
        FUZZ_EXPECT(h.extra_len == p.extra_len, "extra_len %u", h.extra_len);
        FUZZ_EXPECT(!h.extra || !p.extra || !memcmp(h.extra, p.extra, p.extra_len), "extra");
        FUZZ_EXPECT(!h.name || !p.name || !memcmp(h.name, p.name, p.name_len), "name");
        FUZZ_EXPECT(!h.comment || !p.comment || !memcmp(h.comment, p.comment, p.comment_len),
                    "comment");
        FUZZ_EXPECT(!(d[3] & 2) || h.hcrc == crc32(d, p.len - 2), "hcrc %x", h.hcrc);
    }
    free(h.extra);
    free(h.name);
    free(h.comment);
    free(state);
}

/* ---- zlib ---- */

static void read_zlib(struct feed *f)
{
    struct inflate_state *state = fuzz_alloc(sizeof *state);
    struct isal_zlib_header h;
    const uint8_t *d = f->data;
    int result, wanted;
    size_t len = 2;

    isal_inflate_init(state);
    isal_zlib_header_init(&h);
    feed_next(f, state);
    while ((result = isal_read_zlib_header(state, &h)) == ISAL_END_INPUT && f->at < f->len)
        feed_next(f, state);
    if (f->len < 2)
        wanted = ISAL_END_INPUT;
    else if ((d[0] & 15) != 8)
        wanted = ISAL_UNSUPPORTED_METHOD;
    else if ((d[0] << 8 | d[1]) % 31)
        wanted = ISAL_INCORRECT_CHECKSUM;
    else
        wanted = d[1] & 32 && f->len < 6 ? ISAL_END_INPUT : ISAL_DECOMP_OK;
    FUZZ_EXPECT(result == wanted, "isal_read_zlib_header is %d, not %d", result, wanted);
    if (result == ISAL_DECOMP_OK) {
        FUZZ_EXPECT(h.info == (uint32_t) d[0] >> 4, "info %u", h.info);
        FUZZ_EXPECT(h.level == (uint32_t) d[1] >> 6, "level %u", h.level);
        FUZZ_EXPECT(!h.dict_flag == !(d[1] & 32), "dict_flag %u", h.dict_flag);
        if (d[1] & 32) {
            len = 6;
            FUZZ_EXPECT(h.dict_id == ((uint32_t) d[2] << 24 | (uint32_t) d[3] << 16 |
                                      (uint32_t) d[4] << 8 | d[5]),
                        "dict_id %x", h.dict_id);
        }
        FUZZ_EXPECT(feed_used(f, state) == len, "%zu bytes consumed", feed_used(f, state));
    }
    free(state);
}

/* ---- Writing ---- */

/* Calls a writing function with `space` bytes of output; if that is too small, again with the bytes
 * needed. Sets *out to the header and *len to its length. */
#define WRITE(out, space, call, len)                                                               \
    do {                                                                                           \
        struct isal_zstream *stream = fuzz_alloc(sizeof *stream);                                  \
        uint8_t *first = fuzz_alloc(space);                                                        \
        uint32_t needed;                                                                           \
        isal_deflate_init(stream);                                                                 \
        stream->next_out = first;                                                                  \
        stream->avail_out = space;                                                                 \
        needed = call;                                                                             \
        if (needed) {                                                                              \
            FUZZ_EXPECT(needed > space && stream->next_out == first && stream->avail_out == space, \
                        "%u bytes needed, %u available", needed, space);                           \
            *(out) = fuzz_alloc(needed);                                                           \
            stream->next_out = *(out);                                                             \
            stream->avail_out = needed;                                                            \
            FUZZ_EXPECT(call == 0 && stream->avail_out == 0, "%u bytes are not enough", needed);   \
            free(first);                                                                           \
        } else {                                                                                   \
            *(out) = first;                                                                        \
        }                                                                                          \
        *(len) = (size_t) (stream->next_out - *(out));                                             \
        FUZZ_EXPECT(stream->total_out == *(len), "total_out %u", stream->total_out);               \
        free(stream);                                                                              \
    } while (0)

static void write_gzip(struct fuzz_input *in, struct feed *f, unsigned wanted, uint32_t space)
{
    struct isal_gzip_header h;
    uint8_t *out;
    char *name, *comment;

    isal_gzip_header_init(&h);
    h.text = fuzz_number(in, 1);
    h.hcrc = fuzz_number(in, 1);
    h.time = fuzz_number(in, UINT32_MAX);
    h.xflags = fuzz_number(in, 255);
    h.os = fuzz_number(in, 255);
    h.extra_len = fuzz_number(in, 300);
    h.name_buf_len = 1 + fuzz_number(in, 300);
    h.comment_buf_len = 1 + fuzz_number(in, 300);
    h.extra = fuzz_copy(in, h.extra_len);
    h.extra_buf_len = h.extra_len;
    name = (char *) fuzz_copy(in, h.name_buf_len);
    comment = (char *) fuzz_copy(in, h.comment_buf_len);
    name[h.name_buf_len - 1] = comment[h.comment_buf_len - 1] = 0;
    if (!(wanted & 1)) {
        free(h.extra);
        h.extra = NULL;
    }
    h.name = wanted & 2 ? name : NULL;
    h.comment = wanted & 4 ? comment : NULL;
    WRITE(&out, space, isal_write_gzip_header(stream, &h), &f->len);
    f->data = out;
    struct parsed p = parse(out, f->len);
    FUZZ_EXPECT(p.result == ISAL_DECOMP_OK && p.len == f->len, "%d, length %zu of %zu", p.result,
                p.len, f->len);
    FUZZ_EXPECT(out[3] == (h.text | h.hcrc << 1 | (wanted & 7) << 2), "flags %x", out[3]);
    FUZZ_EXPECT(le32(out + 4) == h.time && out[8] == h.xflags && out[9] == h.os, "fixed part");
    FUZZ_EXPECT(!h.extra || (p.extra_len == h.extra_len && !memcmp(p.extra, h.extra, p.extra_len)),
                "extra");
    FUZZ_EXPECT(!h.name || !strcmp((const char *) p.name, name), "name");
    FUZZ_EXPECT(!h.comment || !strcmp((const char *) p.comment, comment), "comment");
    read_gzip(f, wanted, space);
    free(h.extra);
    free(name);
    free(comment);
    free(out);
}

static void write_zlib(struct fuzz_input *in, struct feed *f, uint32_t space)
{
    struct isal_zlib_header h;
    uint8_t *out;

    isal_zlib_header_init(&h);
    h.info = fuzz_number(in, 7);
    h.level = fuzz_number(in, 3);
    h.dict_flag = fuzz_number(in, 1);
    h.dict_id = fuzz_number(in, UINT32_MAX);
    WRITE(&out, space, isal_write_zlib_header(stream, &h), &f->len);
    FUZZ_EXPECT(f->len == (h.dict_flag ? 6 : 2), "%zu bytes", f->len);
    FUZZ_EXPECT(out[0] == (8 | h.info << 4) && out[1] >> 6 == h.level, "%02x%02x", out[0], out[1]);
    f->data = out;
    read_zlib(f);
    free(out);
}

FUZZ_HARNESS(wrapper)
{
    unsigned test = fuzz_number(in, 3), wanted = fuzz_number(in, 7);
    uint32_t space = fuzz_number(in, 255);
    struct feed feed = {0};
    uint8_t *copy = NULL;

    feed_pieces(&feed, in);
    if (test == 0) {
        write_gzip(in, &feed, wanted, space);
    } else if (test == 1) {
        write_zlib(in, &feed, space);
    } else {
        feed.len = in->left;
        feed.data = copy = fuzz_copy(in, in->left);
        if (test == 2)
            read_gzip(&feed, wanted, space);
        else
            read_zlib(&feed);
    }
    free(feed.piece);
    free(copy);
}
