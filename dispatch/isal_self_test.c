/* Known answers of every algorithm of libisal.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Inputs are long enough to reach the main loops and the tails of the kernels in use. A digest of
 * each algorithm's output is compared with the expected one. Compressed bytes are not, because they
 * may change from version to version: they are decompressed and compared with the input. */

#include <string.h>

#include "isa-l.h"

#include "bytes.h"

enum { BYTES = 5000, SHORT = 99, OUTPUT = 8192, SOURCES = 5, ROWS = 4, SHARD = 992 };

struct run {
    uint8_t data[BYTES]; /* the input of every test */
    uint8_t output[OUTPUT];
    size_t output_bytes;
    int failed;
};

/* FNV-1a, which uses no kernel. */
static uint64_t digest_of(const uint8_t *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325;

    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3;
    return h;
}

static void append(struct run *r, uint64_t value)
{
    store_le64(r->output + r->output_bytes, value);
    r->output_bytes += 8;
}

/* Sources of SHARD bytes in the input, and buffers of as many bytes in the output. */
static void shards(struct run *r, uint8_t **sources, uint8_t **outputs, size_t n)
{
    for (size_t i = 0; i < SOURCES; i++)
        sources[i] = r->data + SHARD * i;
    for (size_t i = 0; i < n; i++)
        outputs[i] = r->output + SHARD * i;
}

/* Rebuilds two lost shards, a source and a row. */
static void decode(struct run *r, const uint8_t *matrix, uint8_t **sources, uint8_t **rows)
{
    static const int lost[] = {1, SOURCES + 2};
    uint64_t plan[512]; /* aligned as a plan must be */
    struct isal_ec_decode *p = (struct isal_ec_decode *) plan;
    uint8_t *all[SOURCES + ROWS], rebuilt[2][SHARD];

    memcpy(all, sources, SOURCES * sizeof(*all));
    memcpy(all + SOURCES, rows, ROWS * sizeof(*all));
    all[lost[0]] = rebuilt[0];
    all[lost[1]] = rebuilt[1];
    if (isal_ec_decode_size(SOURCES, SOURCES + ROWS, 2) > sizeof(plan) ||
        isal_ec_decode_init(p, SOURCES, SOURCES + ROWS, matrix, lost, 2) ||
        isal_ec_decode_data(p, SHARD - 1, all)) {
        r->failed = 1;
        return;
    }
    r->failed |= memcmp(rebuilt[0], sources[1], SHARD - 1);
    r->failed |= memcmp(rebuilt[1], rows[2], SHARD - 1);
}

/* Encodes all rows at once, by updates with one source after the other, and a single row in both
 * ways; decodes lost shards; multiplies one source. */
static void test_erasure_code(struct run *r)
{
    uint8_t matrix[SOURCES * (SOURCES + ROWS)], tables[32 * SOURCES * ROWS];
    uint8_t *sources[SOURCES], *rows[2 * ROWS];

    gf_gen_cauchy1_matrix(matrix, SOURCES + ROWS, SOURCES);
    ec_init_tables(SOURCES, ROWS, &matrix[SOURCES * SOURCES], tables);
    shards(r, sources, rows, 2 * ROWS);
    ec_encode_data(SHARD - 1, SOURCES, ROWS, tables, sources, rows);
    for (int i = 0; i < SOURCES; i++)
        ec_encode_data_update(SHARD - 1, SOURCES, ROWS, i, tables, sources[i], rows + ROWS);
    r->failed |= memcmp(rows[0], rows[ROWS], ROWS * SHARD);
    memset(rows[ROWS], 0, SHARD);
    gf_vect_dot_prod(SHARD - 1, SOURCES, tables, sources, rows[ROWS]);
    r->failed |= memcmp(rows[0], rows[ROWS], SHARD - 1);
    memset(rows[ROWS], 0, SHARD);
    for (int i = 0; i < SOURCES; i++)
        gf_vect_mad(SHARD - 1, SOURCES, i, tables, sources[i], rows[ROWS]);
    r->failed |= memcmp(rows[0], rows[ROWS], SHARD - 1);
    decode(r, matrix, sources, rows);
    r->failed |= gf_vect_mul(SHARD, tables, sources[0], rows[ROWS]);
    r->output_bytes = (ROWS + 1) * SHARD;
}

static void test_raid_xor(struct run *r)
{
    uint8_t *buffers[SOURCES + 1];

    shards(r, buffers, buffers + SOURCES, 1);
    r->failed |= xor_gen(SOURCES + 1, SHARD - 1, (void **) buffers);
    r->failed |= xor_check(SOURCES + 1, SHARD - 1, (void **) buffers);
    r->output[3] ^= 1;
    r->failed |= !xor_check(SOURCES + 1, SHARD - 1, (void **) buffers);
    r->output[3] ^= 1;
    r->output_bytes = SHARD - 1;
}

static void test_raid_pq(struct run *r)
{
    uint8_t *buffers[SOURCES + 2], lost[SHARD];

    shards(r, buffers, buffers + SOURCES, 2);
    r->failed |= pq_gen(SOURCES + 2, SHARD, (void **) buffers);
    r->failed |= pq_check(SOURCES + 2, SHARD, (void **) buffers);
    r->output[SHARD] ^= 1;
    r->failed |= !pq_check(SOURCES + 2, SHARD, (void **) buffers);
    r->output[SHARD] ^= 1;
    memcpy(lost, buffers[1], SHARD);
    memset(buffers[1], 0, SHARD);
    r->failed |= isal_pq_recover(SOURCES + 2, SHARD, (void **) buffers, 1, SOURCES);
    r->failed |= memcmp(lost, buffers[1], SHARD);
    memset(buffers[1], 0, SHARD);
    memset(buffers[4], 0, SHARD);
    r->failed |= isal_pq_recover(SOURCES + 2, SHARD, (void **) buffers, 4, 1);
    r->failed |= memcmp(lost, buffers[1], SHARD);
    r->output_bytes = 2 * SHARD;
}

/* The CRC of the data, which both copying functions and the combination of two pieces must
 * return. */
#define CRC(type, function, crc_of)                                                        \
    static void test_##function(struct run *r)                                             \
    {                                                                                      \
        type crc = crc_of(r->data, BYTES, 0x1234), begin = crc_of(r->data, SHORT, 0x1234); \
        type end = crc_of(r->data + SHORT, BYTES - SHORT, 0);                              \
                                                                                           \
        r->failed |= isal_##function##_copy(r->output, r->data, BYTES, 0x1234) != crc;     \
        r->failed |= memcmp(r->output, r->data, BYTES);                                    \
        memset(r->output, 0, BYTES);                                                       \
        r->failed |= isal_##function##_copy_nt(r->output, r->data, BYTES, 0x1234) != crc;  \
        r->failed |= memcmp(r->output, r->data, BYTES);                                    \
        r->failed |= isal_##function##_combine(begin, end, BYTES - SHORT) != crc;          \
        append(r, crc);                                                                    \
    }
#define CRC_OF(type, function)                                                  \
    static type function##_of(const uint8_t *data, uint64_t len, uint16_t init) \
    {                                                                           \
        return function(init, data, len);                                       \
    }                                                                           \
    CRC(type, function, function##_of)

CRC_OF(uint16_t, crc16_t10dif)
CRC_OF(uint32_t, crc32_ieee)
CRC_OF(uint32_t, crc32_gzip_refl)
CRC_OF(uint64_t, crc64_ecma_norm)
CRC_OF(uint64_t, crc64_ecma_refl)
CRC_OF(uint64_t, crc64_iso_norm)
CRC_OF(uint64_t, crc64_iso_refl)
CRC_OF(uint64_t, crc64_jones_norm)
CRC_OF(uint64_t, crc64_jones_refl)
CRC_OF(uint64_t, crc64_rocksoft_norm)
CRC_OF(uint64_t, crc64_rocksoft_refl)

static uint32_t crc32_iscsi_of(uint8_t *data, int len, uint16_t init)
{
    return crc32_iscsi(data, len, init);
}
CRC(uint32_t, crc32_iscsi, crc32_iscsi_of)

static void test_adler32(struct run *r)
{
    append(r, isal_adler32(1, r->data, BYTES));
}

static void test_zero_detect(struct run *r)
{
    r->failed |= isal_zero_detect(r->output, OUTPUT);
    for (size_t i = 0; i < OUTPUT; i += 97) {
        r->output[i] = 0x80;
        r->failed |= !isal_zero_detect(r->output, OUTPUT);
        r->output[i] = 0;
    }
}

enum { TEXT = 2500, PACKED = TEXT + 500 };

/* Random letters with short repetitions and a long one: literals, short and long matches. */
static void write_text(uint8_t *text)
{
    uint32_t x = 1;

    for (size_t i = 0; i < TEXT; i++) {
        x = x * 1664525 + 1013904223;
        text[i] = (uint8_t) ('a' + (x >> 24) * (x >> 24 & 255) / 3252);
        if (i >= 300 && i % 50 < 20)
            text[i] = text[i - 150];
        if (i >= 1500 && i < 2100)
            text[i] = text[i - 700];
    }
}

/* Compresses the text in two pieces. Returns the number of bytes at `packed`. */
ISALK_NOINLINE uint32_t compress(struct run *r, uint32_t level, uint8_t *text, uint8_t *packed)
{
    struct isal_zstream z;
    uint8_t level_buf[ISAL_DEF_LVL3_MIN];

    isal_deflate_init(&z);
    z.level = level;
    z.level_buf = level_buf;
    z.level_buf_size = sizeof(level_buf);
    z.gzip_flag = level % 2 ? IGZIP_GZIP : IGZIP_ZLIB;
    z.next_in = text;
    z.avail_in = TEXT / 2;
    z.next_out = packed;
    z.avail_out = PACKED;
    r->failed |= isal_deflate(&z);
    z.avail_in += TEXT / 2;
    z.end_of_stream = 1;
    r->failed |= isal_deflate(&z);
    return z.total_out;
}

ISALK_NOINLINE void decompress(struct run *r, uint32_t level, uint8_t *packed, uint32_t bytes,
                               uint8_t *back)
{
    struct inflate_state s;

    s.crc_flag = level % 2 ? ISAL_GZIP : ISAL_ZLIB;
    s.next_in = packed;
    s.avail_in = bytes;
    s.next_out = back;
    s.avail_out = TEXT;
    r->failed |= isal_inflate_stateless(&s) || s.total_out != TEXT;
}

static void test_deflate(struct run *r)
{
    uint8_t *text = r->output, *packed = text + TEXT, *back = packed + PACKED;

    write_text(text);
    for (uint32_t level = 0; level <= ISAL_DEF_MAX_LEVEL; level++) {
        uint32_t bytes = compress(r, level, text, packed);

        r->failed |= bytes > TEXT * 3 / 4; /* compression saves something */
        memset(back, 0, TEXT);
        decompress(r, level, packed, bytes, back);
        r->failed |= memcmp(text, back, TEXT);
    }
}

static const struct {
    const char *name;
    void (*test)(struct run *r);
    uint64_t answer;
} tests[] = {
#define ANSWER(name, answer) {#name, test_##name, answer},
#include "isal_self_test_answers.h"
#undef ANSWER
};

ISAL_PUBLIC int isal_self_test(const char **failed)
{
    struct run r;

    for (size_t i = 0; i < BYTES; i++)
        r.data[i] = (uint8_t) (131 * i + 7 * (i >> 8) + 3);
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        r.failed = 0;
        r.output_bytes = 0;
        memset(r.output, 0, sizeof(r.output));
        tests[i].test(&r);
        if (r.failed || digest_of(r.output, r.output_bytes) != tests[i].answer) {
            if (failed)
                *failed = tests[i].name;
            return -1;
        }
    }
    return 0;
}
