/* Decompresses a source into a sink.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * decode_member() decodes a member in the calling thread, in bounded memory, and reports its
 * errors. With several threads, another thread writes the output meanwhile.
 *
 * With several threads, decode_jobs() decodes what follows the first member. It divides the source
 * into jobs of complete members, by the sizes in BGZF and --indexed headers. A regular file without
 * sizes is divided at bytes that look like a header. A job succeeds only if its last member ends
 * exactly where the job ends. The output of all jobs before the first failed one is written. The
 * input of the others returns to the source, and decode_member() continues there. Therefore wrong
 * sizes and false headers cost only time. */

#include "igzip.h"

#include "decompress.h"

#include <errno.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"
#include "pool.h"
#include "zip.h"

#define JOB_IN (256 * 1024)            /* minimum input of a job, except the last */
#define JOB_OUT (512 * 1024)           /* or this much output, if the sizes are known */
#define OUT_MIN (256 * 1024)           /* initial output buffer, if the size is not known */
#define JOB_OUT_MAX (32 * 1024 * 1024) /* larger members are left to decode_member() */
#define SEARCHED_MAX (8 * 1024 * 1024) /* bytes searched for a header */
#define BAD_JOBS_MAX 4                 /* after these, one thread decodes the rest */

struct decoder {
    struct source *in;
    struct sink *out;
    const char *name;
    int copies; /* as for decompress_file() */
    struct decompressed *info;
    struct inflate_state *state;
    uint64_t members; /* decoded */
    int bad_jobs;
    int lacks_end; /* the last member states its size and is not empty */
};

/* ---- One member ---- */

/* Reports an error of isal_inflate() in the member that starts at `begin`. */
static enum decoded report(const struct decoder *d, int result, uint64_t begin)
{
    static const char text[] = "%s: invalid compressed data--%s (member %llu, which starts at byte "
                               "%llu)";
    unsigned long long member = d->members + 1, at = begin;
    const uint8_t *trailer = source_consumed(d->in, MEMBER_TRAILER);

    if (result != ISAL_INCORRECT_CHECKSUM) {
        error(text, d->name, "format violated", member, at);
        return DECODED_ERROR;
    }
    if (load_le32(trailer) != d->state->crc)
        error(text, d->name, "crc error", member, at);
    if (load_le32(trailer) == d->state->crc || load_le32(trailer + 4) != d->state->total_out)
        error(text, d->name, "length error", member, at);
    return DECODED_ERROR;
}

enum decoded report_end(const struct source *in, const char *name)
{
    error("%s: %s", name, in->error ? strerror(in->error) : "unexpected end of file");
    return DECODED_ERROR;
}

enum decoded report_write(const char *name)
{
    error("%s: cannot write: %s", name, strerror(errno));
    return DECODED_ERROR;
}

/* Checks the fixed part of the header; reports features that are not supported. */
static enum decoded check_header(struct decoder *d)
{
    size_t ready = source_fill(d->in, 10);
    const uint8_t *p = source_data(d->in);

    if (ready && (p[0] != 0x1f || (ready > 1 ? p[1] != 0x8b : d->copies)))
        return NOT_GZIP;
    if (ready < 3)
        return report_end(d->in, d->name);
    if (p[2] != 8) {
        error("%s: unknown method %d -- not supported", d->name, p[2]);
        return DECODED_ERROR;
    }
    if (ready < 10)
        return report_end(d->in, d->name);
    if (p[3] & 0x20) {
        error("%s is encrypted -- not supported", d->name);
        return DECODED_ERROR;
    }
    if (p[3] & 0xc0) {
        error("%s has flags 0x%x -- not supported", d->name, p[3]);
        return DECODED_ERROR;
    }
    return DECODED_OK;
}

static enum decoded read_header(struct decoder *d)
{
    struct isal_gzip_header header;
    enum decoded result = check_header(d);
    uint64_t begin = d->in->offset;
    size_t ready;
    int status = ISAL_END_INPUT;

    if (result != DECODED_OK)
        return result;
    isal_inflate_init(d->state);
    d->state->crc_flag = ISAL_GZIP;
    isal_gzip_header_init(&header);
    header.name = d->info->name;
    header.name_buf_len = sizeof d->info->name;
    if (d->members) {
        header.name = NULL;
        header.name_buf_len = 0;
    }
    while (status == ISAL_END_INPUT) {
        ready = source_fill(d->in, 1);
        if (!ready)
            return report_end(d->in, d->name);
        d->state->next_in = source_data(d->in);
        d->state->avail_in = (uint32_t) ready;
        status = isal_read_gzip_header(d->state, &header);
        source_consume(d->in, ready - d->state->avail_in);
        if (status == ISAL_NAME_OVERFLOW) { /* longer than any file name: ignored */
            header.name = NULL;
            header.name_buf_len = 0;
            d->info->name[0] = 0;
            status = ISAL_END_INPUT;
        }
    }
    if (status != ISAL_DECOMP_OK) {
        error("%s: the header of member %llu has a wrong checksum", d->name,
              (unsigned long long) d->members + 1);
        return DECODED_ERROR;
    }
    if (!d->members) {
        d->info->time = header.time;
        d->info->overhead = d->in->offset - begin + MEMBER_TRAILER;
        if (!(header.flags & 8))
            d->info->name[0] = 0;
    }
    return DECODED_OK;
}

enum decoded inflate_all(struct source *in, struct sink *out, const char *name,
                         struct inflate_state *s, int *status)
{
    *status = 0;
    while (s->block_state != ISAL_BLOCK_FINISH) {
        size_t ready = source_fill(in, 1), produced;
        uint8_t *data = source_data(in);

        s->next_in = data;
        s->avail_in = (uint32_t) ready;
        do {
            uint8_t *buffer = sink_buffer();

            s->next_out = buffer;
            s->avail_out = SINK_BUFFER;
            *status = isal_inflate(s);
            produced = (size_t) (s->next_out - buffer);
            if (sink_submit(out, produced)) {
                *status = 0;
                return report_write(name);
            }
        } while (*status >= 0 && produced == SINK_BUFFER && s->block_state != ISAL_BLOCK_FINISH);
        source_consume(in, (size_t) (s->next_in - data));
        progress(in->offset);
        if (*status < 0)
            return DECODED_ERROR;
        if (!ready && s->block_state != ISAL_BLOCK_FINISH)
            return report_end(in, name);
    }
    return sink_wait() ? report_write(name) : DECODED_OK;
}

static enum decoded decode_member(struct decoder *d)
{
    struct inflate_state *s = d->state;
    size_t ready = source_fill(d->in, 64), member, data_size;
    enum sizes sizes = member_sizes(source_data(d->in), ready, &member, &data_size);
    uint64_t begin = d->in->offset, before = d->out->total;
    enum decoded result = read_header(d);
    int status;

    if (result != DECODED_OK)
        return result;
    result = inflate_all(d->in, d->out, d->name, s, &status);
    if (status < 0)
        return report(d, status, begin);
    if (result != DECODED_OK)
        return result;
    d->members++;
    d->lacks_end = (sizes == SIZES_BGZF || sizes == SIZES_INDEXED) && d->out->total != before;
    if (d->out->total != before || d->members == 1)
        d->info->crc = s->crc;
    return DECODED_OK;
}

/* ---- Several threads ---- */

static void *new_state(void)
{
    return need_memory(sizeof(struct inflate_state));
}

/* Decodes the member at *at. Returns whether it is valid. */
static int decode_next(struct inflate_state *s, struct job *job, size_t *at)
{
    struct buffer *out = &job->out;

    isal_inflate_init(s);
    s->crc_flag = ISAL_GZIP;
    s->next_in = job->in.data + *at;
    s->avail_in = (uint32_t) (job->in.len - *at);
    while (s->block_state != ISAL_BLOCK_FINISH) {
        if (out->len == out->capacity) {
            if (out->len >= JOB_OUT_MAX)
                return 0;
            buffer_reserve(out, 2 * out->len < OUT_MIN ? OUT_MIN : 2 * out->len);
        }
        s->next_out = out->data + out->len;
        s->avail_out = (uint32_t) (out->capacity - out->len);
        if (isal_inflate(s) < 0)
            return 0;
        out->len = (size_t) (s->next_out - out->data);
        if (s->avail_out && !s->avail_in && s->block_state != ISAL_BLOCK_FINISH)
            return 0;
    }
    *at = job->in.len - s->avail_in;
    return 1;
}

static void decode_job(void *state, struct job *job)
{
    size_t at = 0, member, data, before;
    enum sizes sizes = SIZES_NONE;

    buffer_reserve(&job->out, job->expected + 1);
    while (at < job->in.len) {
        const uint8_t *p = job->in.data + at;

        before = job->out.len;
        sizes = member_sizes(p, job->in.len - at, &member, &data);
        if (job->in.len - at < 10 || member_find(p, 0, 10) || !decode_next(state, job, &at)) {
            job->failed = 1;
            return;
        }
        job->lacks_end = sizes != SIZES_NONE && job->out.len != before;
        job->members++;
        if (job->out.len != before)
            job->crc = load_le32(job->in.data + at - MEMBER_TRAILER);
    }
}

static const struct work decompression = {new_state, decode_job};

/* Bytes of the complete members at the start of the source whose headers state sizes; 0 if there
 * are none. Sets *expected to the bytes of their data. */
static size_t length_by_sizes(struct source *in, size_t *expected)
{
    size_t at = 0, member, data, ready;

    *expected = 0;
    while (at < JOB_IN && *expected < JOB_OUT) {
        enum sizes sizes;

        ready = source_fill(in, at + 64);
        sizes = member_sizes(source_data(in) + at, ready - at, &member, &data);
        if (sizes != SIZES_BGZF && sizes != SIZES_INDEXED)
            break;
        ready = source_fill(in, at + member);
        if (ready - at < member)
            break;
        at += member;
        if (sizes == SIZES_BGZF) {
            data = load_le32(source_data(in) + at - 4);
            if (data > 0x10000)
                data = 0x10000;
        }
        *expected += data;
    }
    return at;
}

/* Distance to the next likely header in a regular file; 0 if none is found within SEARCHED_MAX. */
static size_t length_by_search(struct source *in)
{
    size_t from = 1, at, ready, wanted;

    for (wanted = 2 * JOB_IN; in->size && wanted <= SEARCHED_MAX; wanted *= 2) {
        ready = source_fill(in, wanted);
        if (member_find(source_data(in), 0, ready))
            return 0;
        if (ready > JOB_IN && from < JOB_IN)
            from = JOB_IN;
        at = member_find(source_data(in), from, ready);
        if (at < ready)
            return at < JOB_IN ? ready : at;
        if (ready < wanted)
            return 0;
        from = ready - 9; /* a header may begin there */
    }
    return 0;
}

/* Fills a job with complete members. Returns whether that was possible. */
static int fill_with_members(struct decoder *d, struct job *job)
{
    size_t len = length_by_sizes(d->in, &job->expected);

    if (!len)
        len = length_by_search(d->in);
    if (!len)
        return 0;
    buffer_reserve(&job->in, len);
    memcpy(job->in.data, source_data(d->in), len);
    job->in.len = len;
    source_consume(d->in, len);
    return 1;
}

/* Returns the input of this job and of all later ones to the source. */
static void put_back(struct decoder *d, struct pool *pool, struct job *job)
{
    struct buffer all = {NULL, 0, 0};

    for (; job; job = pool_oldest(pool)) {
        buffer_reserve(&all, all.len + job->in.len + 1);
        memcpy(all.data + all.len, job->in.data, job->in.len);
        all.len += job->in.len;
        pool_release(pool, job);
    }
    source_put_back(d->in, all.data, all.len);
    free(all.data);
}

static enum decoded decode_jobs(struct decoder *d)
{
    static struct pool *pool;
    enum decoded result = DECODED_OK;
    struct job *job;
    int more = 1;

    if (!pool)
        pool = pool_open(&decompression, opt.threads);
    for (;;) {
        while (more && (job = pool_free_job(pool)) && (more = fill_with_members(d, job)))
            pool_submit(pool);
        job = pool_oldest(pool);
        if (!job)
            break;
        if (job->failed) {
            d->bad_jobs++;
            put_back(d, pool, job);
            break;
        }
        if (sink_write(d->out, job->out.data, job->out.len)) {
            result = report_write(d->name);
            break;
        }
        d->members += job->members;
        d->lacks_end = job->lacks_end;
        if (job->out.len)
            d->info->crc = job->crc;
        pool_release(pool, job);
        progress(d->in->offset);
    }
    pool_drop(pool);
    return result;
}

/* ---- A file ---- */

/* Consumes the bytes after the last member: zeros, or other data with a warning. */
static enum decoded check_rest(struct decoder *d)
{
    const uint8_t *p;
    size_t ready, zeros;

    while ((ready = source_fill(d->in, 1))) {
        p = source_data(d->in);
        for (zeros = 0; zeros < ready && !p[zeros]; zeros++)
            continue;
        if (zeros < ready) {
            warning("%s: decompression OK, trailing garbage ignored", d->name);
            return DECODED_OK;
        }
        source_consume(d->in, ready);
    }
    if (d->in->error)
        return report_end(d->in, d->name);
    if (opt.verbose)
        say("%s: decompression OK, trailing zero bytes ignored", d->name);
    return DECODED_OK;
}

static enum decoded copy_rest(struct decoder *d)
{
    size_t n;

    while ((n = source_fill(d->in, 1))) {
        if (sink_write(d->out, source_data(d->in), n))
            return report_write(d->name);
        source_consume(d->in, n);
    }
    return DECODED_OK;
}

static enum decoded decode_all(struct decoder *d)
{
    enum decoded result;

    do {
        result = decode_member(d);
        sink_wait(); /* the data before an error are written, too */
        /* The first member is decoded above, for its name and time. */
        if (result == DECODED_OK && opt.threads > 1 && d->bad_jobs < BAD_JOBS_MAX)
            result = decode_jobs(d);
    } while (result == DECODED_OK && source_fill(d->in, 1));
    if (result == NOT_GZIP && d->copies)
        result = copy_rest(d);
    else if (result == NOT_GZIP && d->members)
        result = check_rest(d);
    if (result == DECODED_OK && d->in->error)
        result = report_end(d->in, d->name);
    if (result == DECODED_OK && d->lacks_end) {
        warning("%s: may be truncated: BGZF and --indexed files end with an empty member, which is "
                "missing; check the end of the data",
                d->name);
        result = DECODED_INCOMPLETE;
    }
    return result;
}

enum decoded decompress_file(struct source *in, struct sink *out, const char *name, int copies,
                             struct decompressed *info)
{
    struct decoder d = {.in = in, .out = out, .name = name, .copies = copies, .info = info};
    enum decoded result;

    memset(info, 0, sizeof *info);
    if (zip_begins(in))
        return zip_decompress(in, out, name, info);
    d.state = new_state();
    result = decode_all(&d);
    free(d.state);
    return result;
}
