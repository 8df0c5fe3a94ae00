/* Test of isal_adler32() and isal_zero_detect(): the contract, published values, long buffers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel check compares kernels with portable C, at every length and alignment. */

#include "isa-l/igzip_lib.h"
#include "isa-l/isal_api.h"
#include "isa-l/mem_routines.h"

#include <dlfcn.h>

#include "dispatch/kernel.h"
#include "dispatch/tiers.h"
#include "test.h"

#define LONG (5u << 20)
static uint8_t *buffer;

static const char *const caps[] = {TIERS(TIER_NAME)};

/* Calls test() with each tier as the cap, then removes the cap. */
static void with_every_cap(void (*test)(const char *cap))
{
    for (size_t i = 0; i < ARRAY_SIZE(caps); i++) {
        isal_set_isa_limit(caps[i]);
        test(caps[i]);
    }
    isal_set_isa_limit(NULL);
}

/* ---- Adler-32 ---- */

/* RFC 1950, section 8.2, one byte at a time. */
static uint32_t model(uint32_t init, const uint8_t *buf, size_t len)
{
    uint32_t a = (init & 0xffff) % 65521, b = (init >> 16) % 65521;

    for (size_t i = 0; i < len; i++) {
        a = (a + buf[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void adler32_vectors(void)
{
    static const struct {
        const char *text;
        uint32_t value;
    } vectors[] = {{"", 1},
                   {"a", 0x00620062},
                   {"abc", 0x024d0127},
                   {"123456789", 0x091e01de},
                   {"Wikipedia", 0x11e60398},
                   {"message digest", 0x29750586}};
    uint8_t bytes[32] = {0};

    for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
        const char *text = vectors[i].text;
        uint32_t value = isal_adler32(1, (const uint8_t *) text, strlen(text));
        EXPECT(value == vectors[i].value, "\"%s\": %08x", text, (unsigned) value);
    }
    EXPECT(isal_adler32(1, bytes, 32) == 0x00200001, "32 zeros");
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t) i;
    EXPECT(isal_adler32(1, bytes, 32) == 0x157001f1, "00..1f");
}

/* The 16-bit halves of init are reduced modulo 65521, even if there are no data. */
static void adler32_init(void)
{
    EXPECT(isal_adler32(0xffffffff, NULL, 0) == 0x000e000e, "%08x",
           (unsigned) isal_adler32(0xffffffff, NULL, 0));
    EXPECT(isal_adler32(0xfff1fff1, NULL, 0) == 0, "65521");
    EXPECT(isal_adler32(0xfff0fff0, NULL, 0) == 0xfff0fff0, "65520");
    test_fill_random(buffer, 300);
    for (unsigned len = 0; len < 300; len++)
        EXPECT(isal_adler32(0xffffffff, buffer, len) == model(0xffffffff, buffer, len), "%u bytes",
               len);
}

/* The largest sums, with lengths around those after which kernels reduce them. */
static void adler32_largest_sums(const char *cap)
{
    static const size_t sizes[] = {5552, 16384, 32768, 65536, 131072, 262144, 1u << 20, 4u << 20};

    memset(buffer, 0xff, LONG);
    for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
        for (size_t off = 0; off < 3; off++)
            for (int sign = -1; sign <= 1; sign++) {
                size_t len = sizes[i] + (size_t) (sign * (int) (off * 37));
                EXPECT(isal_adler32(0xfff0fff0, buffer + off, len) ==
                           model(0xfff0fff0, buffer + off, len),
                       "%zu bytes, %s", len, cap);
            }
}

static void adler32_long(void)
{
    with_every_cap(adler32_largest_sums);
}

static void adler32_in_pieces(void)
{
    test_fill_random(buffer, 100000);
    for (int i = 0; i < 100; i++) {
        size_t len = test_random(100000), at = 0;
        uint32_t sum = 1;
        while (at < len) {
            size_t n = 1 + test_random(i % 2 ? 100 : 20000);
            n = n > len - at ? len - at : n;
            sum = isal_adler32(sum, buffer + at, n);
            at += n;
        }
        EXPECT(sum == model(1, buffer, len), "%zu bytes", len);
    }
}

/* Random data against zlib, if it is installed. */
static void adler32_zlib(void)
{
    void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    unsigned long (*adler32)(unsigned long, const uint8_t *, unsigned) = NULL;

    if (zlib)
        *(void **) &adler32 = dlsym(zlib, "adler32");
    if (!adler32) {
        test_skip("zlib is not installed");
        return;
    }
    test_fill_random(buffer, LONG);
    for (int i = 0; i < 300; i++) {
        unsigned len = test_random(i % 3 ? 2000 : LONG), at = test_random(LONG - len);
        uint32_t init = (test_random(65521) << 16) + test_random(65521);
        EXPECT(isal_adler32(init, buffer + at, len) == adler32(init, buffer + at, len), "%u bytes",
               len);
    }
}

/* ---- Zero detection ---- */

/* Puts one non-zero byte in every position, including directly outside the buffer. */
static void zero_detect_positions(const char *cap)
{
    memset(buffer, 0, 5000);
    for (size_t len = 0; len < 1500; len += 1 + len / 90)
        for (size_t at = 0; at<len + 2; at += len> 600 && at % 8 < 4 ? 2 : 1) {
            uint8_t *mem = buffer + 64 + len % 61;
            int expected = at >= 1 && at <= len;
            mem[at - 1] = (uint8_t) (1u << at % 8);
            EXPECT((isal_zero_detect(mem, len) != 0) == expected, "%zu bytes, one at %zu, %s", len,
                   at, cap);
            mem[at - 1] = 0;
        }
}

static void zero_detect_everywhere(void)
{
    with_every_cap(zero_detect_positions);
}

static void zero_detect_contract(void)
{
    EXPECT(isal_zero_detect(NULL, 0) == 0, "NULL");
    memset(buffer, 0, LONG);
    EXPECT(isal_zero_detect(buffer, 100) == 0, "100 zeros");
    EXPECT(isal_zero_detect(buffer, LONG) == 0, "%u zeros", LONG);
    buffer[LONG - 1] = 1;
    EXPECT(isal_zero_detect(buffer, LONG) == 1, "last byte");
    EXPECT(isal_zero_detect(buffer, LONG - 1) == 0, "all but the last byte");
    EXPECT(buffer[LONG - 1] == 1, "not written to");
}

int main(int argc, char **argv)
{
    buffer = test_alloc(LONG);
    test_start(argc, argv);
    TEST(adler32_vectors);
    TEST(adler32_init);
    TEST(adler32_long);
    TEST(adler32_in_pieces);
    TEST(adler32_zlib);
    TEST(zero_detect_everywhere);
    TEST(zero_detect_contract);
    free(buffer);
    return test_finish();
}
