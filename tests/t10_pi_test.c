/* Test of isa-l/t10_pi.h: published guards, every layout, every reason of a mismatch.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/t10_pi.h"

#include "dispatch/kernel.h"
#include "test.h"

#define COUNT 37
#define MAX_SECTOR_BYTES ((4096 + 16) * COUNT)

static const struct {
    size_t size;
    int guard;
    size_t tuple;
} formats[] = {{512, 16, 8},  {520, 16, 8},   {4096, 16, 8},
               {512, 64, 16}, {4096, 64, 16}, {1, 16, 8}};

static uint8_t *data, *tuples, *sectors, *copy;

static uint64_t big_endian(const uint8_t *p, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | p[i];
    return value;
}

/* The guard by definition, one bit at a time. */
static uint64_t guard(int bits, const uint8_t *p, size_t len)
{
    uint64_t crc16 = 0, crc64 = ~(uint64_t) 0;

    for (size_t i = 0; i < len * 8; i++) {
        uint64_t bit = (crc16 >> 15 ^ p[i / 8] >> (7 - i % 8)) & 1;
        crc16 = (crc16 << 1 & 0xffff) ^ (bit ? 0x8bb7 : 0);
        bit = (crc64 ^ p[i / 8] >> i % 8) & 1;
        crc64 = crc64 >> 1 ^ (bit ? 0x9a6c9329ac4bc9b5 : 0); /* ad93d23594c93659 reversed */
    }
    return bits == 16 ? crc16 : ~crc64;
}

/* T10 SBC-3, table of sample block guards; NVM Command Set Specification 1.0, 64-bit CRC cases. */
static void published_guards(void)
{
    static const struct {
        int bits;
        size_t size;
        unsigned first, step;
        uint64_t value;
    } vectors[] = {
        {16, 32, 0, 0, 0x0000},
        {16, 32, 0xff, 0, 0xa293},
        {16, 32, 0, 1, 0x0224},
        {64, 4096, 0, 0, 0x6482d367eb22b64e},
        {64, 4096, 0xff, 0, 0xc0ddba7302eca3ac},
        {64, 4096, 0, 1, 0x3e729f5f6750449c},
        {64, 4096, 0xff, 255, 0x9a2df64b8e9e517e},
    };

    for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
        struct isal_dif dif;
        uint8_t tuple[16];
        int bits = vectors[i].bits;
        for (size_t j = 0; j < vectors[i].size; j++)
            data[j] = (uint8_t) (vectors[i].first + j * vectors[i].step);
        isal_dif_init(&dif, ISAL_DIF_TYPE1, vectors[i].size, bits, 0);
        EXPECT(isal_dif_generate_separate(&dif, data, tuple, 1, 0) == ISAL_DIF_OK, "vector %zu", i);
        EXPECT(big_endian(tuple, (unsigned) bits / 8) == vectors[i].value, "vector %zu: %llx", i,
               (unsigned long long) big_endian(tuple, (unsigned) bits / 8));
    }
}

/* Every function gives the tuples of the definition, and writes nothing else. */
static void layouts(void)
{
    for (size_t f = 0; f < ARRAY_SIZE(formats); f++)
        for (int type = 1; type <= 3; type++) {
            size_t size = formats[f].size, tuple = formats[f].tuple, both = size + tuple;
            unsigned guard_bytes = (unsigned) formats[f].guard / 8;
            uint64_t ref = 0xfffffffffff0, mask = tuple == 8 ? 0xffffffff : 0xffffffffffff;
            struct isal_dif dif;
            test_fill_random(data, size * COUNT);
            memset(sectors, 0x6d, both * COUNT + 1);
            memset(tuples, 0x6d, tuple * COUNT + 1);
            EXPECT(isal_dif_init(&dif, type, size, formats[f].guard, 0xabcd) == ISAL_DIF_OK,
                   "format %zu", f);
            EXPECT(isal_dif_tuple_size(&dif) == tuple, "format %zu", f);
            EXPECT(isal_dif_generate_separate(&dif, data, tuples, COUNT, ref) == ISAL_DIF_OK,
                   "format %zu", f);
            EXPECT(tuples[tuple * COUNT] == 0x6d, "format %zu", f);
            for (size_t i = 0; i < COUNT; i++) {
                const uint8_t *t = tuples + i * tuple;
                EXPECT(big_endian(t, guard_bytes) == guard(formats[f].guard, data + i * size, size),
                       "format %zu, guard of sector %zu", f, i);
                EXPECT(big_endian(t + guard_bytes, 2) == 0xabcd, "format %zu", f);
                EXPECT(big_endian(t + guard_bytes + 2, (unsigned) tuple - guard_bytes - 2) ==
                           ((ref + (type == 3 ? 0 : i)) & mask),
                       "format %zu, reference tag of sector %zu", f, i);
            }

            EXPECT(isal_dif_insert(&dif, sectors, data, COUNT, ref) == ISAL_DIF_OK, "format %zu",
                   f);
            EXPECT(sectors[both * COUNT] == 0x6d, "format %zu", f);
            memset(copy, 0, both * COUNT);
            for (size_t i = 0; i < COUNT; i++) {
                EXPECT(!memcmp(sectors + i * both, data + i * size, size) &&
                           !memcmp(sectors + i * both + size, tuples + i * tuple, tuple),
                       "format %zu, sector %zu", f, i);
                memcpy(copy + i * both, data + i * size, size);
            }
            EXPECT(isal_dif_generate(&dif, copy, COUNT, ref) == ISAL_DIF_OK, "format %zu", f);
            EXPECT(!memcmp(copy, sectors, both * COUNT), "format %zu", f);

            EXPECT(isal_dif_verify(&dif, sectors, COUNT, ref, NULL) == ISAL_DIF_OK, "format %zu",
                   f);
            EXPECT(isal_dif_verify_separate(&dif, data, tuples, COUNT, ref, NULL) == ISAL_DIF_OK,
                   "format %zu", f);
            memset(copy, 0x6d, size * COUNT + 1);
            EXPECT(isal_dif_strip(&dif, copy, sectors, COUNT, ref, NULL) == ISAL_DIF_OK,
                   "format %zu", f);
            EXPECT(!memcmp(copy, data, size * COUNT) && copy[size * COUNT] == 0x6d, "format %zu",
                   f);
        }
}

/* Each bit of a tuple, and bits of the data: every function reports the sector and the reason. */
static void mismatches(void)
{
    for (size_t f = 0; f < ARRAY_SIZE(formats); f++) {
        size_t size = formats[f].size, tuple = formats[f].tuple, both = size + tuple;
        unsigned guard_bytes = (unsigned) formats[f].guard / 8;
        struct isal_dif dif;
        isal_dif_init(&dif, ISAL_DIF_TYPE1, size, formats[f].guard, 0x1234);
        test_fill_random(data, size * COUNT);
        isal_dif_insert(&dif, sectors, data, COUNT, 5);
        for (size_t bit = 0; bit < (tuple + 1) * 8; bit++) {
            size_t sector = test_random(COUNT);
            /* the bits of the tuple, then one bit of each byte of the data */
            size_t at = bit < tuple * 8 ? size + bit / 8 : test_random((unsigned) size);
            unsigned expected = at < size + guard_bytes       ? ISAL_DIF_GUARD
                                : at < size + guard_bytes + 2 ? ISAL_DIF_APP
                                                              : ISAL_DIF_REF;
            struct isal_dif_error e, e2, e3;
            memset(&e, 0, sizeof e);
            sectors[sector * both + at] ^= (uint8_t) (1 << bit % 8);
            EXPECT(isal_dif_verify(&dif, sectors, COUNT, 5, &e) == ISAL_DIF_MISMATCH,
                   "format %zu, bit %zu", f, bit);
            EXPECT(e.sector == sector && e.differ == expected, "format %zu, bit %zu: %llu, %u", f,
                   bit, (unsigned long long) e.sector, e.differ);
            EXPECT((e.guard[0] != e.guard[1]) == (expected == ISAL_DIF_GUARD), "bit %zu", bit);
            EXPECT((e.app[0] != e.app[1]) == (expected == ISAL_DIF_APP), "bit %zu", bit);
            EXPECT((e.ref[0] != e.ref[1]) == (expected == ISAL_DIF_REF), "bit %zu", bit);
            EXPECT(e.app[0] == 0x1234 && e.ref[0] == 5 + sector, "expected values, bit %zu", bit);
            memset(copy, 0x6d, size * COUNT);
            EXPECT(isal_dif_strip(&dif, copy, sectors, COUNT, 5, &e2) == ISAL_DIF_MISMATCH &&
                       e2.sector == sector && e2.differ == expected,
                   "format %zu, bit %zu", f, bit);
            EXPECT(!memcmp(copy, data, sector * size), "stripped before the sector");
            for (size_t i = 0; i < COUNT; i++) {
                memcpy(copy + i * size, sectors + i * both, size);
                memcpy(tuples + i * tuple, sectors + i * both + size, tuple);
            }
            EXPECT(isal_dif_verify_separate(&dif, copy, tuples, COUNT, 5, &e3) ==
                           ISAL_DIF_MISMATCH &&
                       e3.sector == sector && e3.differ == expected,
                   "format %zu, bit %zu", f, bit);
            dif.checks &= ~expected;
            EXPECT(isal_dif_verify(&dif, sectors, COUNT, 5, &e) == ISAL_DIF_OK,
                   "not checked, format %zu, bit %zu", f, bit);
            dif.checks |= expected;
            sectors[sector * both + at] ^= (uint8_t) (1 << bit % 8);
        }
        EXPECT(isal_dif_verify(&dif, sectors, COUNT, 6, NULL) == ISAL_DIF_MISMATCH, "other ref");
    }
}

/* Several reasons at once; the first sector that fails counts. */
static void several_reasons(void)
{
    struct isal_dif dif;
    struct isal_dif_error e;

    isal_dif_init(&dif, ISAL_DIF_TYPE2, 512, ISAL_DIF_GUARD16, 7);
    memset(sectors, 0, 520 * 4);
    isal_dif_generate(&dif, sectors, 4, 100);
    memset(sectors + 520 * 2 + 512, 0x11, 8);
    sectors[520 * 3] = 1;
    EXPECT(isal_dif_verify(&dif, sectors, 4, 100, &e) == ISAL_DIF_MISMATCH, "two sectors");
    EXPECT(e.sector == 2 && e.differ == (ISAL_DIF_GUARD | ISAL_DIF_APP | ISAL_DIF_REF), "%llu %u",
           (unsigned long long) e.sector, e.differ);
    EXPECT(e.guard[0] == 0 && e.guard[1] == 0x1111 && e.app[0] == 7 && e.app[1] == 0x1111 &&
               e.ref[0] == 102 && e.ref[1] == 0x11111111,
           "values");
    dif.app_mask = 0xeee8; /* the bits that are equal in 7 and 0x1111 */
    dif.checks = ISAL_DIF_APP;
    EXPECT(isal_dif_verify(&dif, sectors, 4, 100, &e) == ISAL_DIF_OK, "mask");
}

/* Tags that mark a sector as not protected. */
static void unprotected(void)
{
    for (int type = 1; type <= 3; type++)
        for (size_t f = 0; f < ARRAY_SIZE(formats); f++) {
            size_t size = formats[f].size, guard_bytes = (size_t) formats[f].guard / 8;
            struct isal_dif dif;
            isal_dif_init(&dif, type, size, formats[f].guard, 3);
            memset(sectors, 0x55, size + formats[f].tuple);
            memset(sectors + size + guard_bytes, 0xff, 2);
            EXPECT(isal_dif_verify(&dif, sectors, 1, 0, NULL) ==
                       (type == 3 ? ISAL_DIF_MISMATCH : ISAL_DIF_OK),
                   "type %d, format %zu", type, f);
            memset(sectors + size + guard_bytes, 0xff, formats[f].tuple - guard_bytes);
            EXPECT(isal_dif_verify(&dif, sectors, 1, 0, NULL) == ISAL_DIF_OK, "type %d, format %zu",
                   type, f);
        }
}

static void errors(void)
{
    struct isal_dif dif, bad;

    EXPECT(isal_dif_init(&dif, 0, 512, 16, 0) == ISAL_DIF_ERR_FORMAT, "type 0");
    EXPECT(isal_dif_init(&dif, 4, 512, 16, 0) == ISAL_DIF_ERR_FORMAT, "type 4");
    EXPECT(isal_dif_init(&dif, 0x10001, 512, 16, 0) == ISAL_DIF_ERR_FORMAT, "type 0x10001");
    EXPECT(isal_dif_init(&dif, 1, 0, 16, 0) == ISAL_DIF_ERR_FORMAT, "empty sectors");
    EXPECT(isal_dif_init(&dif, 1, 512, 32, 0) == ISAL_DIF_ERR_FORMAT, "guard of 32 bits");
    EXPECT(isal_dif_init(&dif, 1, 512, 0x10010, 0) == ISAL_DIF_ERR_FORMAT, "guard of 65552 bits");
    EXPECT(isal_dif_init(&dif, 1, 512, 16, 0) == ISAL_DIF_OK, "good");
    bad = dif;
    bad.guard = 24;
    EXPECT(isal_dif_generate(&bad, data, 1, 0) == ISAL_DIF_ERR_FORMAT, "generate");
    EXPECT(isal_dif_generate_separate(&bad, data, tuples, 1, 0) == ISAL_DIF_ERR_FORMAT, "separate");
    EXPECT(isal_dif_verify(&bad, data, 1, 0, NULL) == ISAL_DIF_ERR_FORMAT, "verify");
    EXPECT(isal_dif_verify_separate(&bad, data, tuples, 1, 0, NULL) == ISAL_DIF_ERR_FORMAT,
           "verify separate");
    EXPECT(isal_dif_insert(&bad, sectors, data, 1, 0) == ISAL_DIF_ERR_FORMAT, "insert");
    EXPECT(isal_dif_strip(&bad, data, sectors, 1, 0, NULL) == ISAL_DIF_ERR_FORMAT, "strip");
    EXPECT(isal_dif_generate(&dif, NULL, 0, 0) == ISAL_DIF_OK, "no sectors");
    EXPECT(isal_dif_verify(&dif, NULL, 0, 0, NULL) == ISAL_DIF_OK, "no sectors");
    EXPECT(isal_dif_strip(&dif, NULL, NULL, 0, 0, NULL) == ISAL_DIF_OK, "no sectors");
    EXPECT(isal_dif_insert(&dif, NULL, NULL, 0, 0) == ISAL_DIF_OK, "no sectors");
}

int main(int argc, char **argv)
{
    data = test_alloc(MAX_SECTOR_BYTES + 1);
    sectors = test_alloc(MAX_SECTOR_BYTES + 1);
    copy = test_alloc(MAX_SECTOR_BYTES + 1);
    tuples = test_alloc(16 * COUNT + 1);
    test_start(argc, argv);
    TEST(published_guards);
    TEST(layouts);
    TEST(mismatches);
    TEST(several_reasons);
    TEST(unprotected);
    TEST(errors);
    free(data);
    free(sectors);
    free(copy);
    free(tuples);
    return test_finish();
}
