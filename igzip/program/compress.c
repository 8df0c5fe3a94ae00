/* Compresses a source into a sink.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With one thread a plain gzip file is one stream. In every other case the data are divided into
 * jobs, and the result does not depend on the number of threads:
 *
 *     plain, several threads: 512 KiB each, compressed with the 32 KiB before it as dictionary and
 *     ended by a sync flush; together they are one member.
 *     --bgzf, --indexed: complete members.
 *     --rsyncable: pieces, each compressed on its own. A piece ends where the last 64 bytes of data
 *     have a certain hash, so that equal pieces give equal bytes wherever they are. */

#include "igzip.h"

#include "compress.h"

#include <isa-l/crc_model.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

#define JOB_DATA (512 * 1024)
#define STREAM_OUT (256 * 1024)
#define BGZF_MEMBERS (JOB_DATA / BGZF_DATA)
#define BGZF_MEMBER_MAX 0x10000

/* Sizes of the pieces of --rsyncable; on average 16 KiB more than PIECE_MIN. */
#define PIECE_MIN 4096
#define PIECE_MAX (256 * 1024)
#define PIECE_BITS 14

struct compressor {
    struct isal_zstream stream;
    uint8_t *level_buffer;
    uint32_t level_buffer_size;
};

/* Makes a compressor, which is reused for the next files. */
static void *new_compressor(void)
{
    struct compressor *c = need_memory(sizeof *c);

    memset(c, 0, sizeof *c);
    c->level_buffer_size = isal_deflate_level_buf_size((uint32_t) opt.level);
    c->level_buffer = need_memory(c->level_buffer_size);
    return c;
}

/* Applies the options, after the library has initialized the stream. */
static void set_up(struct compressor *c, int gzip_flag)
{
    c->stream.level = (uint32_t) opt.level;
    c->stream.level_buf = c->level_buffer;
    c->stream.level_buf_size = c->level_buffer_size;
    c->stream.gzip_flag = (uint16_t) gzip_flag;
}

static void check_result(int result)
{
    if (result != COMP_OK)
        die("the library failed to compress: error %d", result);
}

/* ---- One stream ---- */

static int compress_stream(struct source *in, struct sink *out)
{
    static struct compressor *c;
    static uint8_t buffer[STREAM_OUT];
    struct isal_zstream *s;
    int result = 0;

    if (!c)
        c = new_compressor();
    s = &c->stream;
    isal_deflate_init(s);
    set_up(c, IGZIP_GZIP_NO_HDR);
    while (!result && s->internal_state.state != ZSTATE_END) {
        size_t ready = source_fill(in, 1);

        s->next_in = source_data(in);
        s->avail_in = (uint32_t) ready;
        s->end_of_stream = (uint16_t) in->at_end;
        do {
            s->next_out = buffer;
            s->avail_out = STREAM_OUT;
            check_result(isal_deflate(s));
            result = sink_write(out, buffer, STREAM_OUT - s->avail_out);
        } while (!result && s->avail_out == 0);
        source_consume(in, ready - s->avail_in);
        progress(in->offset);
    }
    return result;
}

/* ---- One job, in a worker thread ---- */

/* Compresses all input of the stream, and appends the output to `out`. */
static void deflate_all(struct isal_zstream *s, struct buffer *out)
{
    do {
        buffer_reserve(out, out->len + s->avail_in + s->avail_in / 8 + 1024);
        s->next_out = out->data + out->len;
        s->avail_out = (uint32_t) (out->capacity - out->len);
        check_result(isal_deflate(s));
        out->len = (size_t) (s->next_out - out->data);
    } while (s->avail_out == 0);
}

/* Compresses a piece of the member, bytes [from, to) of the job. Returns the CRC of the piece,
 * which the library computed while the data were in the cache. The trailer after the last piece
 * covers that piece alone and is dropped. */
static uint32_t deflate_piece(struct compressor *c, struct job *job, size_t from, size_t to,
                              int flush, int last)
{
    isal_deflate_init(&c->stream);
    set_up(c, IGZIP_GZIP_NO_HDR);
    if (job->dictionary)
        check_result(isal_deflate_set_dict(&c->stream, job->in.data, (uint32_t) job->dictionary));
    c->stream.next_in = job->in.data + from;
    c->stream.avail_in = (uint32_t) (to - from);
    c->stream.flush = (uint16_t) (last ? NO_FLUSH : flush);
    c->stream.end_of_stream = (uint16_t) last;
    deflate_all(&c->stream, &job->out);
    if (last)
        job->out.len -= MEMBER_TRAILER;
    return c->stream.internal_state.crc;
}

/* Compresses bytes [from, to) of the job as a member. */
static void deflate_member(struct compressor *c, struct job *job, size_t from, size_t to)
{
    static const struct origin none = {NULL, 0};
    const struct origin *origin = job->origin && from == 0 ? job->origin : &none;
    struct isal_zstream *s = &c->stream;
    struct buffer *out = &job->out;
    size_t begin = out->len, data = to - from;

    buffer_reserve(out, begin + member_header_bound(origin) + data + data / 1024 + 1024);
    out->len += member_header(out->data + begin, opt.format, opt.level, origin);
    isal_deflate_stateless_init(s);
    set_up(c, IGZIP_GZIP_NO_HDR);
    s->next_in = job->in.data + from;
    s->avail_in = (uint32_t) (to - from);
    s->next_out = out->data + out->len;
    s->avail_out = (uint32_t) (out->capacity - out->len);
    s->end_of_stream = 1;
    check_result(isal_deflate_stateless(s));
    out->len = (size_t) (s->next_out - out->data);
    member_set_size(out->data + begin, opt.format, out->len - begin, to - from);
}

static void compress_job(void *state, struct job *job)
{
    struct compressor *c = state;
    size_t from = job->dictionary, step, to;
    uint32_t crc;

    if (opt.format != FORMAT_GZIP) {
        step = opt.format == FORMAT_BGZF ? BGZF_DATA : INDEXED_DATA;
        for (; from < job->in.len; from += step)
            deflate_member(c, job, from, job->in.len - from > step ? from + step : job->in.len);
        return;
    }
    job->crc = 0;
    if (!opt.rsyncable)
        job->crc = deflate_piece(c, job, from, job->in.len, SYNC_FLUSH, job->last);
    for (size_t i = 0; i < job->ncuts; i++, from = to) {
        to = job->cuts[i];
        crc = deflate_piece(c, job, from, to, FULL_FLUSH, job->last && i + 1 == job->ncuts);
        job->crc = isal_crc32_gzip_refl_combine(job->crc, crc, to - from);
    }
}

static const struct work compression = {new_compressor, compress_job};

/* ---- Dividing the source into jobs ---- */

/* Length of the piece that starts at p. The hash of the last 64 bytes is a sum of one random
 * number for each byte, shifted by the byte's age. Source of this "gear" hash: Xia et al.,
 * "FastCDC", USENIX ATC 2016. */
static size_t piece_length(const uint8_t *p, size_t len)
{
    static uint64_t gear[256];
    uint64_t hash = 0, z;
    size_t i, end = len < PIECE_MAX ? len : PIECE_MAX;

    for (i = 0; i < 256 && !gear[255]; i++) { /* SplitMix64 */
        z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        gear[i] = z ^ z >> 31;
    }
    for (i = PIECE_MIN - 64; i < end; i++) {
        hash = (hash << 1) + gear[p[i]];
        if (i >= PIECE_MIN && hash >> (64 - PIECE_BITS) == 0)
            return i + 1;
    }
    return end;
}

static void append(struct buffer *b, const uint8_t *data, size_t len)
{
    buffer_reserve(b, b->len + len + 1);
    memcpy(b->data + b->len, data, len);
    b->len += len;
}

/* Fills a job with complete pieces. */
static void fill_with_pieces(struct source *in, struct job *job)
{
    size_t ready = source_fill(in, JOB_DATA + PIECE_MAX + 1), at = 0;

    do {
        at += piece_length(source_data(in) + at, ready - at);
        if (job->ncuts == job->cuts_capacity) {
            job->cuts_capacity = 2 * job->cuts_capacity + 64;
            job->cuts = need_more_memory(job->cuts, job->cuts_capacity * sizeof *job->cuts);
        }
        job->cuts[job->ncuts++] = (uint32_t) at;
    } while (at < JOB_DATA && at < ready);
    append(&job->in, source_data(in), at);
    source_consume(in, at);
    job->last = at == ready;
}

/* Fills a job; only the last one may be smaller. */
static void fill_with_data(struct source *in, struct job *job, struct buffer *dictionary)
{
    size_t size = opt.format == FORMAT_BGZF ? BGZF_MEMBERS * BGZF_DATA : JOB_DATA, n, keep;

    buffer_reserve(&job->in, dictionary->len + size);
    append(&job->in, dictionary->data, dictionary->len);
    job->dictionary = dictionary->len;
    n = source_read(in, job->in.data + job->in.len, size);
    job->in.len += n;
    job->last = n < size;
    if (opt.format == FORMAT_GZIP) {
        keep = n < ISAL_DEF_HIST_SIZE ? n : ISAL_DEF_HIST_SIZE;
        dictionary->len = 0;
        append(dictionary, job->in.data + job->in.len - keep, keep);
    }
}

/* `origin` is for the first member of --indexed, else NULL. */
static int compress_jobs(struct source *in, struct sink *out, const struct origin *origin,
                         uint32_t *crc)
{
    static struct pool *pool;
    struct buffer dictionary = {need_memory(ISAL_DEF_HIST_SIZE), 0, ISAL_DEF_HIST_SIZE};
    struct job *job;
    int result = 0, more = 1;

    if (!pool)
        pool = pool_open(&compression, opt.threads);
    while (!result) {
        while (more && (job = pool_free_job(pool))) {
            if (opt.rsyncable)
                fill_with_pieces(in, job);
            else
                fill_with_data(in, job, &dictionary);
            more = !job->last;
            job->origin = origin;
            origin = NULL;
            pool_submit(pool);
        }
        job = pool_oldest(pool);
        if (!job)
            break;
        result = sink_write(out, job->out.data, job->out.len);
        *crc = isal_crc32_gzip_refl_combine(*crc, job->crc, job->in.len - job->dictionary);
        pool_release(pool, job);
        progress(in->offset);
    }
    free(dictionary.data);
    pool_drop(pool);
    return result;
}

int compress_file(struct source *in, struct sink *out, const struct origin *origin,
                  uint64_t *overhead)
{
    uint8_t *header = need_memory(member_header_bound(origin)), end[MEMBER_END_MAX];
    uint64_t begin = in->offset;
    uint32_t crc = 0;
    int result;

    *overhead = MEMBER_TRAILER;
    if (opt.format != FORMAT_GZIP) {
        result = compress_jobs(in, out, opt.format == FORMAT_INDEXED ? origin : NULL, &crc);
        if (!result)
            result = sink_write(out, end, member_end(end, opt.format));
        free(header);
        return result;
    }
    *overhead += member_header(header, opt.format, opt.level, origin);
    result = sink_write(out, header, (size_t) *overhead - MEMBER_TRAILER);
    if (!result && opt.threads <= 1 && !opt.rsyncable) {
        result = compress_stream(in, out);
    } else if (!result) {
        result = compress_jobs(in, out, NULL, &crc);
        store_le32(end, crc);
        store_le32(end + 4, (uint32_t) (in->offset - begin));
        if (!result)
            result = sink_write(out, end, MEMBER_TRAILER);
    }
    free(header);
    return result;
}
