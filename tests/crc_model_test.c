/* Test of isa-l/crc_model.h: the catalogue, CRCs of any parameters against the definition, and
 * arithmetic with CRCs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/crc.h"
#include "isa-l/crc64.h"
#include "isa-l/crc_model.h"

#include "dispatch/kernel.h"
#include "test.h"

/* ---- The definition: one bit at a time, with a register of the CRC's width ---- */

static uint64_t mirror(uint64_t a, unsigned width)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < width; i++)
        r |= (a >> i & 1) << (width - 1 - i);
    return r;
}

static uint64_t model_crc(const struct isal_crc_params *p, const uint8_t *data, size_t len)
{
    uint64_t mask = ~(uint64_t) 0 >> (64 - p->width), r = p->init;

    for (size_t i = 0; i < len * 8; i++) {
        uint64_t bit = data[i / 8] >> (p->refin ? i % 8 : 7 - i % 8) & 1;
        bit ^= r >> (p->width - 1);
        r = (r << 1 & mask) ^ (bit & 1 ? p->poly : 0);
    }
    return (p->refout ? mirror(r, p->width) : r) ^ p->xorout;
}

/* ---- Inputs ---- */

#define DATA_BYTES 100000
static uint8_t data[DATA_BYTES], copy[DATA_BYTES];

static uint64_t random64(void)
{
    return (uint64_t) test_random(1u << 31) << 33 ^ (uint64_t) test_random(1u << 31) << 11 ^
           test_random(1u << 11);
}

static struct isal_crc_params random_params(unsigned width)
{
    uint64_t mask = ~(uint64_t) 0 >> (64 - width);
    struct isal_crc_params p = {NULL,
                                width,
                                (int) test_random(2),
                                (int) test_random(2),
                                (random64() | 1) & mask,
                                random64() & mask,
                                random64() & mask,
                                0};

    if (test_random(4) == 0)
        p.poly = (1 | (uint64_t) 1 << test_random(width)) & mask;
    return p;
}

static void describe(char *text, size_t size, const struct isal_crc_params *p)
{
    snprintf(text, size, "%s width %u poly %#llx init %#llx refin %d refout %d xorout %#llx",
             p->name ? p->name : "-", p->width, (unsigned long long) p->poly,
             (unsigned long long) p->init, p->refin, p->refout, (unsigned long long) p->xorout);
}

/* Calls test(crc, description) for every CRC of the catalogue and for random ones of every
 * width. */
static void for_many(void (*test)(const struct isal_crc *, const char *))
{
    static struct isal_crc crc;
    const struct isal_crc_params *p;
    char text[200];

    test_fill_random(data, sizeof data);
    for (size_t i = 0; (p = isal_crc_catalogue(i)) != NULL; i++) {
        describe(text, sizeof text, p);
        memset(&crc, 0xaa, sizeof crc);
        if (EXPECT(isal_crc_init(&crc, p) == ISAL_CRC_OK, "%s\n", text))
            test(&crc, text);
    }
    for (unsigned width = 1; width <= 64; width++)
        for (int i = 0; i < 8; i++) {
            struct isal_crc_params random = random_params(width);
            random.refin = i & 1;
            random.refout = i >> 1 & 1;
            describe(text, sizeof text, &random);
            if (EXPECT(isal_crc_init(&crc, &random) == ISAL_CRC_OK, "%s\n", text))
                test(&crc, text);
        }
}

/* ---- The catalogue ---- */

static void check_values(void)
{
    const struct isal_crc_params *p;
    struct isal_crc crc;
    size_t count = 0;

    for (; (p = isal_crc_catalogue(count)) != NULL; count++) {
        if (!EXPECT(isal_crc_init(&crc, p) == ISAL_CRC_OK, "%s", p->name))
            continue;
        EXPECT(isal_crc_compute(&crc, "123456789", 9) == p->check, "%s: %#llx", p->name,
               (unsigned long long) isal_crc_compute(&crc, "123456789", 9));
        EXPECT(model_crc(p, (const uint8_t *) "123456789", 9) == p->check, "%s", p->name);
        EXPECT(isal_crc_find(p->name) == p, "%s", p->name);
        EXPECT(!strcmp(crc.params.name, p->name), "%s", p->name);
    }
    EXPECT(count == 112, "%zu", count);
    EXPECT(isal_crc_catalogue((size_t) -1) == NULL, "index");
}

static void names(void)
{
    EXPECT(isal_crc_find("crc-32/iso-hdlc") == isal_crc_find("CRC-32"), "case and alias");
    EXPECT(isal_crc_find("CRC-32C") == isal_crc_find("CRC-32/ISCSI"), "alias");
    EXPECT(isal_crc_find("crc-64/rocksoft") == isal_crc_find("CRC-64/NVME"), "alias");
    EXPECT(isal_crc_find("CRC-32") != NULL, "found");
    EXPECT(isal_crc_find("CRC-3") == NULL, "beginning of a name");
    EXPECT(isal_crc_find("CRC-32/ISCSI ") == NULL, "name and more");
    EXPECT(isal_crc_find("") == NULL, "empty");
    EXPECT(isal_crc_find(NULL) == NULL, "NULL");
}

static void errors(void)
{
    struct isal_crc crc;
    struct isal_crc_params p = {NULL, 16, 0, 0, 0x1021, 0, 0, 0};

    EXPECT(isal_crc_init(&crc, NULL) == ISAL_CRC_ERR_NULL, "NULL");
    p.width = 0;
    EXPECT(isal_crc_init(&crc, &p) == ISAL_CRC_ERR_WIDTH, "width 0");
    p.width = 65;
    EXPECT(isal_crc_init(&crc, &p) == ISAL_CRC_ERR_WIDTH, "width 65");
    p.width = 12;
    EXPECT(isal_crc_init(&crc, &p) == ISAL_CRC_ERR_RANGE, "poly");
    p.width = 16;
    p.init = 0x10000;
    EXPECT(isal_crc_init(&crc, &p) == ISAL_CRC_ERR_RANGE, "init");
    p.init = 0;
    p.xorout = (uint64_t) 1 << 63;
    EXPECT(isal_crc_init(&crc, &p) == ISAL_CRC_ERR_RANGE, "xorout");
    p.xorout = 0;
    p.refin = 7; /* any value except 0 is true */
    p.refout = -1;
    EXPECT(isal_crc_init(&crc, &p) == ISAL_CRC_OK, "flags");
    EXPECT(isal_crc_compute(&crc, "123456789", 9) == 0x2189, "CRC-16/KERMIT");
}

/* ---- CRC of data ---- */

static void against_definition(const struct isal_crc *crc, const char *text)
{
    static const size_t lengths[] = {0, 1, 2, 7, 8, 15, 16, 17, 31, 64, 100, 255, 256, 257, 1000};

    for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
        size_t len = lengths[i];
        const uint8_t *from = data + test_random(64);
        uint64_t expected = model_crc(&crc->params, from, len);
        EXPECT(isal_crc_compute(crc, from, len) == expected, "%s, %zu bytes", text, len);
        memset(copy, 0, len + 1);
        EXPECT(isal_crc_finish(crc, isal_crc_copy(crc, isal_crc_begin(crc), copy, from, len)) ==
                   expected,
               "%s, %zu bytes copied", text, len);
        EXPECT(!memcmp(copy, from, len) && !copy[len], "%s, %zu bytes copied", text, len);
    }
    EXPECT(isal_crc_compute(crc, NULL, 0) == model_crc(&crc->params, data, 0), "%s, NULL", text);
}

static void definition(void)
{
    for_many(against_definition);
}

static void in_pieces(const struct isal_crc *crc, const char *text)
{
    size_t len = 1 + test_random(20000), at = 0;
    uint64_t state = isal_crc_begin(crc), whole = isal_crc_compute(crc, data, len);

    while (at < len) {
        size_t n = test_random(test_random(2) ? 40 : 4000);
        n = n > len - at ? len - at : n;
        state = isal_crc_update(crc, state, data + at, n);
        if (test_random(3) == 0)
            state = isal_crc_resume(crc, isal_crc_finish(crc, state));
        at += n;
    }
    EXPECT(isal_crc_finish(crc, state) == whole, "%s, %zu bytes", text, len);
}

static void pieces(void)
{
    for_many(in_pieces);
}

/* A copied descriptor works. */
static void descriptor_copied(void)
{
    struct isal_crc a, b;

    isal_crc_init(&a, isal_crc_find("CRC-24/BLE"));
    memcpy(&b, &a, sizeof b);
    memset(&a, 0xff, sizeof a);
    EXPECT(isal_crc_compute(&b, "123456789", 9) == b.params.check, "copy");
}

/* ---- Arithmetic on CRCs ---- */

static void arithmetic_of(const struct isal_crc *crc, const char *text)
{
    size_t a = test_random(3000), old = test_random(3000), b = test_random(3000);
    const uint8_t *data_b = data + a + old;
    uint64_t crc_a = isal_crc_compute(crc, data, a), crc_b = isal_crc_compute(crc, data_b, b);
    uint64_t ab, zeros, crc_old, crc_new, whole;

    memcpy(copy, data, a);
    memcpy(copy + a, data_b, b);
    ab = isal_crc_compute(crc, copy, a + b);
    EXPECT(isal_crc_combine(crc, crc_a, crc_b, b) == ab, "%s, %zu and %zu", text, a, b);
    EXPECT(isal_crc_combine_op(crc, crc_a, crc_b, isal_crc_combine_gen(crc, b)) == ab,
           "%s, %zu and %zu", text, a, b);
    EXPECT(isal_crc_unprepend(crc, ab, crc_a, b) == crc_b, "%s, %zu and %zu", text, a, b);
    if (crc->params.poly & 1)
        EXPECT(isal_crc_unappend(crc, ab, crc_b, b) == crc_a, "%s, %zu and %zu", text, a, b);
    else
        EXPECT(isal_crc_unappend(crc, ab, crc_b, b) == 0, "%s", text);

    memset(copy + a, 0, b);
    zeros = isal_crc_compute(crc, copy, a + b);
    EXPECT(isal_crc_append_zeros(crc, crc_a, b) == zeros, "%s, %zu and %zu zeros", text, a, b);

    whole = isal_crc_compute(crc, data, a + old + b);
    crc_old = isal_crc_compute(crc, data + a, old);
    memcpy(copy, data, a + old + b);
    for (size_t i = 0; i < old; i++)
        copy[a + i] ^= (uint8_t) (i * 7 + 1);
    crc_new = isal_crc_compute(crc, copy + a, old);
    EXPECT(isal_crc_replace(crc, whole, crc_old, crc_new, b) ==
               isal_crc_compute(crc, copy, a + old + b),
           "%s, %zu, %zu and %zu", text, a, old, b);
}

static void arithmetic(void)
{
    for_many(arithmetic_of);
}

/* Lengths beyond any buffer, reached in steps of smaller lengths. */
static void long_lengths_of(const struct isal_crc *crc, const char *text)
{
    uint64_t value = isal_crc_compute(crc, data, 100), slow = value;
    unsigned shift = test_random(20);
    uint64_t n = (uint64_t) 3 << (40 + shift);

    for (int i = 0; i < 6; i++)
        slow = isal_crc_append_zeros(crc, slow, n / 6);
    EXPECT(isal_crc_append_zeros(crc, value, n) == slow, "%s, 3 << %u", text, 40 + shift);
    EXPECT(isal_crc_append_zeros(crc, value, ~(uint64_t) 0) ==
               isal_crc_append_zeros(crc, isal_crc_append_zeros(crc, value, ~(uint64_t) 0 - 5), 5),
           "%s, 2^64 - 1", text);
    if (crc->params.poly & 1) {
        uint64_t b = isal_crc_compute(crc, data, 10),
                 ab = isal_crc_combine(crc, value, b, ~(uint64_t) 0);
        EXPECT(isal_crc_unappend(crc, ab, b, ~(uint64_t) 0) == value, "%s, 2^64 - 1", text);
    }
}

static void long_lengths(void)
{
    for_many(long_lengths_of);
}

#define CLASSICS(X)            \
    X(crc16_t10dif, 16)        \
    X(crc32_ieee, 32)          \
    X(crc32_gzip_refl, 32)     \
    X(crc64_ecma_norm, 64)     \
    X(crc64_ecma_refl, 64)     \
    X(crc64_iso_norm, 64)      \
    X(crc64_iso_refl, 64)      \
    X(crc64_jones_norm, 64)    \
    X(crc64_jones_refl, 64)    \
    X(crc64_rocksoft_norm, 64) \
    X(crc64_rocksoft_refl, 64)

static void predefined(void)
{
    test_fill_random(data, sizeof data);
    for (int i = 0; i < 200; i++) {
        size_t a = test_random(500), b = test_random(i % 2 ? 500 : 50000);
#define X(name, width)                                                                            \
    {                                                                                             \
        uint##width##_t start = (uint##width##_t) random64(), crc_a = name(start, data, a);       \
        EXPECT(isal_##name##_combine(crc_a, name(0, data + a, b), b) == name(start, data, a + b), \
               "%zu and %zu", a, b);                                                              \
    }
        CLASSICS(X)
#undef X
        unsigned crc_a = crc32_iscsi(data, (int) a, ~0u);
        EXPECT(isal_crc32_iscsi_combine(crc_a, crc32_iscsi(data + a, (int) b, 0), b) ==
                   crc32_iscsi(data, (int) (a + b), ~0u),
               "%zu and %zu", a, b);
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(check_values);
    TEST(names);
    TEST(errors);
    TEST(definition);
    TEST(pieces);
    TEST(descriptor_copied);
    TEST(arithmetic);
    TEST(long_lengths);
    TEST(predefined);
    return test_finish();
}
