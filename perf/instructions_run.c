/* Repeats one function of a libisal, for perf/instructions to count its instructions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: instructions_run LIBRARY TEXT COMPRESSED TIMES [OPERATION]
 *
 * Without an operation, prints their names. TEXT and COMPRESSED are the same data, plain and as raw
 * DEFLATE. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l.h"

enum { SHARD = 4096, SOURCES = 10, ROWS = 4, ALL = SOURCES + ROWS, FILE_MAX = 1 << 20 };

static void *library;
static uint8_t shards[ALL][SHARD] __attribute__((aligned(64)));
static uint8_t *pointers[ALL], matrix[ALL * SOURCES], tables[32 * SOURCES * ROWS];
static uint8_t text[FILE_MAX], compressed[FILE_MAX], output[2 * FILE_MAX];
static uint32_t text_bytes, compressed_bytes;
static volatile uint64_t result;

/* The function of the library, called as the header declares it. */
static void *symbol(const char *name)
{
    void *address = dlsym(library, name);

    if (!address) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return address;
}
#define CALL(function)                                     \
    (__extension__({                                       \
        static __typeof__(&(function)) known;              \
        if (!known)                                        \
            known = (__typeof__(known)) symbol(#function); \
        known;                                             \
    }))

static void encode(void)
{
    CALL(ec_encode_data)(SHARD, SOURCES, ROWS, tables, pointers, pointers + SOURCES);
}

static void encode_one(void)
{
    CALL(ec_encode_data)(SHARD, SOURCES, 1, tables, pointers, pointers + SOURCES);
}

static void update(void)
{
    CALL(ec_encode_data_update)(SHARD, SOURCES, ROWS, 3, tables, shards[3], pointers + SOURCES);
}

static void multiply(void)
{
    CALL(gf_vect_mul)(SHARD, tables, shards[0], shards[1]);
}

#define RAID(name, vectors)                                                 \
    static void name##_op(void)                                             \
    {                                                                       \
        result = (uint64_t) CALL(name)(vectors, SHARD, (void **) pointers); \
    }
RAID(xor_gen, SOURCES + 1)
RAID(xor_check, SOURCES + 1)
RAID(pq_gen, SOURCES + 2)
RAID(pq_check, SOURCES + 2)

#define CRC(name)                                 \
    static void name##_op(void)                   \
    {                                             \
        result = CALL(name)(0, shards[0], SHARD); \
    }
#define CRCS(X)                                                                                  \
    X(crc16_t10dif)                                                                              \
    X(crc32_ieee)                                                                                \
    X(crc32_gzip_refl) X(crc64_ecma_norm) X(crc64_ecma_refl) X(crc64_iso_norm) X(crc64_iso_refl) \
        X(crc64_jones_norm) X(crc64_jones_refl) X(isal_adler32)
CRCS(CRC)

static void crc16_t10dif_copy_op(void)
{
    result = CALL(crc16_t10dif_copy)(0, shards[1], shards[0], SHARD);
}

static void crc32_iscsi_op(void)
{
    result = CALL(crc32_iscsi)(shards[0], SHARD, 0);
}

static void zero_detect(void)
{
    result = (uint64_t) CALL(isal_zero_detect)(shards[ALL - 1], SHARD);
}

static void deflate_at(uint32_t level)
{
    static struct isal_zstream z;
    static uint8_t level_buf[ISAL_DEF_LVL3_DEFAULT];

    CALL(isal_deflate_init)(&z);
    z.level = level;
    z.level_buf = level_buf;
    z.level_buf_size = sizeof level_buf;
    z.next_in = text;
    z.avail_in = text_bytes;
    z.next_out = output;
    z.avail_out = sizeof output;
    z.end_of_stream = 1;
    if (CALL(isal_deflate)(&z) || z.internal_state.state != ZSTATE_END)
        exit(1);
}

#define DEFLATE(level)                \
    static void deflate_##level(void) \
    {                                 \
        deflate_at(level);            \
    }
DEFLATE(0)
DEFLATE(1)
DEFLATE(2)
DEFLATE(3)

static void inflate(void)
{
    static struct inflate_state s;

    CALL(isal_inflate_init)(&s);
    s.next_in = compressed;
    s.avail_in = compressed_bytes;
    s.next_out = output;
    s.avail_out = sizeof output;
    if (CALL(isal_inflate)(&s) || s.total_out != text_bytes)
        exit(1);
}

static const struct {
    const char *name;
    void (*run)(void);
} operations[] = {
    {"ec_encode_data 10+4", encode},
    {"ec_encode_data 10+1", encode_one},
    {"ec_encode_data_update 10+4", update},
    {"gf_vect_mul", multiply},
#define X(name) {#name, name##_op},
    X(xor_gen) X(xor_check) X(pq_gen) X(pq_check) CRCS(X) X(crc16_t10dif_copy) X(crc32_iscsi)
#undef X
        {"isal_zero_detect", zero_detect},
    {"isal_deflate level 0", deflate_0},
    {"isal_deflate level 1", deflate_1},
    {"isal_deflate level 2", deflate_2},
    {"isal_deflate level 3", deflate_3},
    {"isal_inflate", inflate},
};

static uint32_t read_file(const char *name, uint8_t *to)
{
    FILE *f = fopen(name, "rb");
    size_t n = f ? fread(to, 1, FILE_MAX, f) : 0;

    if (!f || ferror(f)) {
        perror(name);
        exit(1);
    }
    fclose(f);
    return (uint32_t) n;
}

/* Parity that xor_check() and pq_check() confirm, and zeros in the last shard. */
static void fill(void)
{
    for (size_t i = 0; i < ALL; i++)
        pointers[i] = shards[i];
    for (size_t i = 0; i < SOURCES * SHARD; i++)
        (&shards[0][0])[i] = (uint8_t) ((i * 2654435761u) >> 13);
    CALL(gf_gen_cauchy1_matrix)(matrix, ALL, SOURCES);
    CALL(ec_init_tables)(SOURCES, ROWS, matrix + SOURCES * SOURCES, tables);
    pq_gen_op();
}

int main(int argc, char **argv)
{
    size_t n = sizeof operations / sizeof *operations;

    if (argc < 5)
        return 2;
    library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    text_bytes = read_file(argv[2], text);
    compressed_bytes = read_file(argv[3], compressed);
    fill();
    for (size_t i = 0; i < n; i++) {
        if (argc == 5)
            puts(operations[i].name);
        else if (!strcmp(argv[5], operations[i].name))
            for (int t = atoi(argv[4]); t > 0; t--)
                operations[i].run();
    }
    return 0;
}
