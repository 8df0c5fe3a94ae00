/* The first entry of a .zip file, stored or deflated (APPNOTE.TXT, 4.3.7 to 4.3.9).
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "zip.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY 0x04034b50U
#define DESCRIPTOR 0x08074b50U
#define FIXED_HEADER 30
#define FLAG_ENCRYPTED 1
#define FLAG_DESCRIPTOR 8 /* CRC and sizes follow the data */
#define STORED 0
#define DEFLATED 8
#define EXTRA_ZIP64 1
#define IN_ZIP64 0xffffffffU /* the zip64 field has this size */

struct entry {
    unsigned flags, method;
    uint32_t crc;
    uint64_t compressed, size;
};

struct reader {
    struct source *in;
    struct sink *out;
    const char *name;
    uint32_t crc; /* of the data so far */
};

int zip_begins(struct source *in)
{
    return source_fill(in, 4) >= 4 && load_le32(source_data(in)) == ENTRY;
}

static uint64_t load_le64(const uint8_t *p)
{
    return load_le32(p) | (uint64_t) load_le32(p + 4) << 32;
}

static enum decoded report_damage(const struct reader *r, const char *what)
{
    error("%s: invalid compressed data--%s", r->name, what);
    return DECODED_ERROR;
}

/* ---- Header ---- */

/* The field has the size and the compressed size, in this order; each is present only if the header
 * has IN_ZIP64 in its place. */
static void read_zip64(struct entry *e, const uint8_t *p, size_t len)
{
    uint64_t *const sizes[] = {&e->size, &e->compressed};

    for (size_t i = 0; i < 2; i++) {
        if (*sizes[i] == IN_ZIP64 && len >= 8) {
            *sizes[i] = load_le64(p);
            p += 8;
            len -= 8;
        }
    }
}

static enum decoded read_header(struct reader *r, struct entry *e)
{
    size_t extra, end, n;
    const uint8_t *p;

    if (source_fill(r->in, FIXED_HEADER) < FIXED_HEADER)
        return report_end(r->in, r->name);
    p = source_data(r->in);
    e->flags = load_le16(p + 6);
    e->method = load_le16(p + 8);
    e->crc = load_le32(p + 14);
    e->compressed = load_le32(p + 18);
    e->size = load_le32(p + 22);
    extra = FIXED_HEADER + (size_t) load_le16(p + 26);
    end = extra + load_le16(p + 28);
    if (source_fill(r->in, end) < end)
        return report_end(r->in, r->name);
    p = source_data(r->in);
    for (; end - extra >= 4; extra += n) {
        n = 4 + (size_t) load_le16(p + extra + 2);
        if (n > end - extra)
            break;
        if (load_le16(p + extra) == EXTRA_ZIP64)
            read_zip64(e, p + extra + 4, n - 4);
    }
    source_consume(r->in, end);
    if (e->flags & FLAG_ENCRYPTED) {
        error("%s: encrypted file -- use unzip", r->name);
    } else if (e->method != DEFLATED && (e->method != STORED || e->flags & FLAG_DESCRIPTOR)) {
        error("%s: first entry not deflated or stored -- use unzip", r->name);
    } else {
        return DECODED_OK;
    }
    return DECODED_ERROR;
}

/* ---- Data ---- */

static enum decoded copy_stored(struct reader *r, uint64_t left)
{
    while (left) {
        size_t n = source_fill(r->in, 1);

        if (!n)
            return report_end(r->in, r->name);
        if (n > left)
            n = (size_t) left;
        r->crc = crc32_gzip_refl(r->crc, source_data(r->in), n);
        if (sink_write(r->out, source_data(r->in), n))
            return report_write(r->name);
        source_consume(r->in, n);
        left -= n;
        progress(r->in->offset);
    }
    return DECODED_OK;
}

static enum decoded inflate_entry(struct reader *r)
{
    struct inflate_state *s = need_memory(sizeof *s);
    enum decoded result;
    int status;

    isal_inflate_init(s);
    s->crc_flag = ISAL_GZIP_NO_HDR; /* the CRC, but no trailer */
    result = inflate_all(r->in, r->out, r->name, s, &status);
    if (result != DECODED_OK)
        sink_wait(); /* the data before the error are written, too */
    if (status < 0)
        result = report_damage(r, "format violated");
    r->crc = s->crc;
    free(s);
    return result;
}

/* Reads the CRC and the sizes that follow the data. In some files the signature is missing, or the
 * sizes have 64 bits. */
static void read_descriptor(struct reader *r, struct entry *e)
{
    size_t ready = source_fill(r->in, 24), at;
    uint8_t p[24] = {0};

    memcpy(p, source_data(r->in), ready < sizeof p ? ready : sizeof p);
    at = load_le32(p) == DESCRIPTOR ? 4 : 0;
    e->crc = load_le32(p + at);
    if (load_le32(p + at + 4) == (uint32_t) e->compressed &&
        load_le32(p + at + 8) == (uint32_t) e->size) {
        at += 12;
    } else {
        e->compressed = load_le64(p + at + 4);
        e->size = load_le64(p + at + 12);
        at += 20;
    }
    source_consume(r->in, at < ready ? at : ready);
}

enum decoded zip_decompress(struct source *in, struct sink *out, const char *name,
                            struct decompressed *info)
{
    struct reader r = {.in = in, .out = out, .name = name};
    struct entry e;
    enum decoded result = read_header(&r, &e);
    uint64_t begin = in->offset, compressed, size;
    size_t n;

    if (result == DECODED_OK)
        result = e.method == STORED ? copy_stored(&r, e.compressed) : inflate_entry(&r);
    if (result != DECODED_OK)
        return result;
    compressed = in->offset - begin;
    size = out->total;
    if (e.flags & FLAG_DESCRIPTOR) {
        e.compressed = compressed;
        e.size = size;
        read_descriptor(&r, &e);
    }
    if (e.crc != r.crc)
        return report_damage(&r, "crc error");
    if (e.size != size || e.compressed != compressed)
        return report_damage(&r, "length error");
    info->crc = r.crc;
    if (zip_begins(in))
        warning("%s has more than one entry--rest ignored", name);
    while ((n = source_fill(in, 1))) /* the directory */
        source_consume(in, n);
    info->overhead = in->offset - compressed;
    return in->error ? report_end(in, name) : DECODED_OK;
}
