/* Tests of the CRC functions against their contract.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The public functions, under every tier of this CPU, are compared with published values and with a
 * register that shifts one bit at a time. The kernel check compares kernels with portable C, at
 * every length and alignment. */

#define _GNU_SOURCE /* RTLD_DEEPBIND and dladdr */

#include "isa-l/crc.h"
#include "isa-l/crc64.h"
#include "isa-l/isal_api.h"

#include <string.h>

#include "crc/crc_kernels.h"
#include "dispatch/tiers.h"
#include "peer.h"
#include "test.h"

#if HAVE_DLOPEN
#include <sys/mman.h>
#include <unistd.h>
#endif

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_LEN ((size_t) 1 << 20)
#define GUARD 256 /* bytes before and after every copy that must not change */
#define UNTOUCHED 0xa5

/* ---- Every public function, with one prototype ---- */

typedef uint64_t plain_fn(uint64_t crc, const uint8_t *buf, size_t len);
typedef uint64_t copy_fn(uint64_t crc, uint8_t *dst, const uint8_t *src, size_t len);

#define NARROW(name, width)                                                           \
    static uint64_t plain_##name(uint64_t crc, const uint8_t *buf, size_t len)        \
    {                                                                                 \
        return name((uint##width##_t) crc, buf, len);                                 \
    }                                                                                 \
    static uint64_t plain_##name##_base(uint64_t crc, const uint8_t *buf, size_t len) \
    {                                                                                 \
        return name##_base((uint##width##_t) crc, (uint8_t *) (uintptr_t) buf, len);  \
    }
NARROW(crc16_t10dif, 16)
NARROW(crc32_ieee, 32)
NARROW(crc32_gzip_refl, 32)

static uint64_t plain_crc32_iscsi(uint64_t crc, const uint8_t *buf, size_t len)
{
    return crc32_iscsi((uint8_t *) (uintptr_t) buf, (int) len, (unsigned) crc);
}

static uint64_t plain_crc32_iscsi_base(uint64_t crc, const uint8_t *buf, size_t len)
{
    return crc32_iscsi_base((uint8_t *) (uintptr_t) buf, (int) len, (unsigned) crc);
}

static uint64_t t10dif_copy(uint64_t crc, uint8_t *dst, const uint8_t *src, size_t len)
{
    return crc16_t10dif_copy((uint16_t) crc, dst, (uint8_t *) (uintptr_t) src, len);
}

static uint64_t t10dif_copy_base(uint64_t crc, uint8_t *dst, const uint8_t *src, size_t len)
{
    return crc16_t10dif_copy_base((uint16_t) crc, dst, (uint8_t *) (uintptr_t) src, len);
}

#define WIDE(name)                                                                    \
    static uint64_t plain_##name(uint64_t crc, const uint8_t *buf, size_t len)        \
    {                                                                                 \
        return name(crc, buf, len);                                                   \
    }                                                                                 \
    static uint64_t plain_##name##_base(uint64_t crc, const uint8_t *buf, size_t len) \
    {                                                                                 \
        return name##_base(crc, buf, len);                                            \
    }
WIDE(crc64_ecma_norm)
WIDE(crc64_ecma_refl)
WIDE(crc64_iso_norm)
WIDE(crc64_iso_refl)
WIDE(crc64_jones_norm)
WIDE(crc64_jones_refl)
WIDE(crc64_rocksoft_norm)
WIDE(crc64_rocksoft_refl)

#define X(name, order, width, complemented, kernel, copy)                                      \
    static uint64_t copy_##name(uint64_t crc, uint8_t *dst, const uint8_t *src, size_t len)    \
    {                                                                                          \
        return isal_##name##_copy(dst, src, len, (uint##width##_t) crc);                       \
    }                                                                                          \
    static uint64_t copy_nt_##name(uint64_t crc, uint8_t *dst, const uint8_t *src, size_t len) \
    {                                                                                          \
        return isal_##name##_copy_nt(dst, src, len, (uint##width##_t) crc);                    \
    }
CRC_PREDEFINED(X)
#undef X

static const struct model {
    const char *name;
    plain_fn *plain, *base;
    copy_fn *copies[4];
    unsigned width;
    uint64_t poly;
    int reflected, complemented;
    const struct crc_constants *constants;
    uint64_t start, check, zeros, ramp; /* CRCs of "123456789", of 32 zeros, and of 0x00 to 0x1f */
} models[] = {
#define MODEL(name, width, poly, reflected, complemented, start, check, zeros, ramp, ...)      \
    {                                                                                          \
#name, plain_##name, plain_##name##_base,                                              \
            {copy_##name, copy_nt_##name, __VA_ARGS__ }, width, poly, reflected, complemented, \
             &isalk_##name##_k, start, check, zeros, ramp                                      \
    }
    /* The check values, those of "123456789", are published in the catalogue of parametrised CRC
     * algorithms, https://reveng.sourceforge.io/crc-catalogue/, under the names that isa-l/crc.h
     * and isa-l/crc64.h list. CRC-32C of zeros and of the ramp: RFC 3720, B.4. The rest was
     * measured with libisal 2.32. */
    MODEL(crc16_t10dif, 16, 0x8bb7, 0, 0, 0, 0xd0db, 0, 0x0224, t10dif_copy, t10dif_copy_base),
    MODEL(crc32_ieee, 32, 0x04c11db7, 0, 1, 0, 0xfc891918, 0xb5aa5098, 0x707e66af, NULL, NULL),
    MODEL(crc32_gzip_refl, 32, 0x04c11db7, 1, 1, 0, 0xcbf43926, 0x190a55ad, 0x91267e8a, NULL, NULL),
    MODEL(crc32_iscsi, 32, 0x1edc6f41, 1, 0, 0xffffffff, (uint32_t) ~0xe3069283,
          (uint32_t) ~0x8a9136aa, (uint32_t) ~0x46dd794e, NULL, NULL),
    MODEL(crc64_ecma_norm, 64, 0x42f0e1eba9ea3693, 0, 1, 0, 0x62ec59e3f1a4f00a, 0x30ccab3e861f5a93,
          0xef6c98fc587cdae9, NULL, NULL),
    MODEL(crc64_ecma_refl, 64, 0x42f0e1eba9ea3693, 1, 1, 0, 0x995dc9bbdf1939fa, 0xc95af8617cd5330c,
          0x7fe571a587084d10, NULL, NULL),
    MODEL(crc64_iso_norm, 64, 0x1b, 0, 1, 0, 0x1b00415a776c026f, 0xfffffffffff69f69,
          0x896566b95ebbd852, NULL, NULL),
    MODEL(crc64_iso_refl, 64, 0x1b, 1, 1, 0, 0xb90956c775a41001, 0x96f96fffffffffff,
          0x167d4af964bea784, NULL, NULL),
    MODEL(crc64_jones_norm, 64, 0xad93d23594c935a9, 0, 1, 0, 0xdcf90fb7d3a994f3, 0xdda9f643eb9d11c1,
          0xb707e50691e348ac, NULL, NULL),
    MODEL(crc64_jones_refl, 64, 0xad93d23594c935a9, 1, 1, 0, 0x3558e8e979f60d7e, 0x8388b9d7c26f95bb,
          0x5a473c818d7fee0a, NULL, NULL),
    MODEL(crc64_rocksoft_norm, 64, 0xad93d23594c93659, 0, 1, 0, 0xc0e340d3ed32f595,
          0xdcf372b2c2ce2cf3, 0xeae92d6b89122f7e, NULL, NULL),
    MODEL(crc64_rocksoft_refl, 64, 0xad93d23594c93659, 1, 1, 0, 0xae8b14860a799888,
          0xcf3473434d4ecf3b, 0xb9d9d4a8492cbd7f, NULL, NULL),
};

static uint64_t all_ones(const struct model *m)
{
    return ~(uint64_t) 0 >> (64 - m->width);
}

/* The CRC by definition. */
static uint64_t bit_by_bit(const struct model *m, uint64_t crc, const uint8_t *buf, size_t len)
{
    uint64_t top = (uint64_t) 1 << (m->width - 1), invert = m->complemented ? all_ones(m) : 0;
    uint64_t mirrored = 0;

    for (unsigned i = 0; i < m->width; i++)
        mirrored |= (m->poly >> i & 1) << (m->width - 1 - i);
    crc ^= invert;
    for (size_t i = 0; i < len; i++)
        for (int bit = 0; bit < 8; bit++)
            if (m->reflected) {
                crc ^= buf[i] >> bit & 1;
                crc = crc >> 1 ^ (crc & 1 ? mirrored : 0);
            } else {
                crc ^= buf[i] >> (7 - bit) & 1 ? top : 0;
                crc = (crc << 1 ^ (crc & top ? m->poly : 0)) & all_ones(m);
            }
    return crc ^ invert;
}

/* Runs a test body under each tier of this CPU, from base up. */
static const char *const tiers[] = {TIERS(TIER_NAME)};

static void each_model(void (*body)(const struct model *m, const char *tier))
{
    for (size_t i = 0; i < COUNT(tiers); i++) {
        if (isal_set_isa_limit(tiers[i]) || strcmp(isal_get_isa(), tiers[i]))
            continue;
        for (size_t j = 0; j < COUNT(models); j++)
            body(&models[j], tiers[i]);
    }
    isal_set_isa_limit(NULL);
}

static uint64_t random_crc(const struct model *m)
{
    uint64_t crc = 0;

    for (int i = 0; i < 8; i++)
        crc = crc << 8 | test_random(256);
    return crc & all_ones(m);
}

static uint8_t *data, *copies; /* MAX_LEN random bytes, and memory for a copy and its guards */

/* ---- Tests ---- */

static void vectors(const struct model *m, const char *tier)
{
    static const struct {
        const char *name;
        size_t len;
    } texts[] = {{"check", 9}, {"zeros", 32}, {"ramp", 32}};
    uint8_t buf[32], dst[32];

    for (size_t i = 0; i < COUNT(texts); i++) {
        uint64_t want = i == 0 ? m->check : i == 1 ? m->zeros : m->ramp;
        uint64_t got;
        for (size_t j = 0; j < texts[i].len; j++)
            buf[j] = (uint8_t) (i == 0 ? '1' + j : i == 1 ? 0 : j);
        got = m->plain(m->start, buf, texts[i].len);
        EXPECT(got == want, "%s, %s, %s: %llx", m->name, tier, texts[i].name,
               (unsigned long long) got);
        got = m->base(m->start, buf, texts[i].len);
        EXPECT(got == want, "%s_base, %s: %llx", m->name, texts[i].name, (unsigned long long) got);
        for (size_t j = 0; j < COUNT(m->copies); j++)
            if (m->copies[j]) {
                memset(dst, UNTOUCHED, sizeof dst);
                got = m->copies[j](m->start, dst, buf, texts[i].len);
                EXPECT(got == want && !memcmp(dst, buf, texts[i].len), "%s, copy %zu, %s, %s: %llx",
                       m->name, j, tier, texts[i].name, (unsigned long long) got);
            }
    }
}

static void test_vectors(void)
{
    each_model(vectors);
}

static void lengths(const struct model *m, const char *tier)
{
    for (size_t len = 0; len < 600; len += len < 300 ? 1 : 17) {
        const uint8_t *buf = data + test_random(64);
        uint64_t crc = random_crc(m), want = bit_by_bit(m, crc, buf, len);
        uint64_t got = m->plain(crc, buf, len);
        EXPECT(got == want, "%s, %s, length %zu: %llx, not %llx", m->name, tier, len,
               (unsigned long long) got, (unsigned long long) want);
        got = m->base(crc, buf, len);
        EXPECT(got == want, "%s_base, length %zu: %llx, not %llx", m->name, len,
               (unsigned long long) got, (unsigned long long) want);
    }
}

static void test_lengths(void)
{
    each_model(lengths);
}

/* Long buffers, for which kernels have other code. */
static const size_t long_lengths[] = {1000,   2047,   4096,   5001,   8192,   10000,  16383,
                                      20000,  24576,  32768,  40001,  49152,  65536,  70000,
                                      98304,  131072, 150001, 262144, 300000, 500000, 524288,
                                      700003, 777777, 999983, 1048560};

static void long_buffers(const struct model *m, const char *tier)
{
    for (size_t i = 0; i < COUNT(long_lengths); i++) {
        size_t len = long_lengths[i] + (i % 3 ? test_random(16) : 0);
        const uint8_t *buf = data + (i % 2 ? test_random((unsigned) (MAX_LEN - len)) % 256 : 0);
        uint64_t crc = random_crc(m), want = m->base(crc, buf, len);
        uint64_t got = m->plain(crc, buf, len);
        EXPECT(got == want, "%s, %s, length %zu: %llx, not %llx", m->name, tier, len,
               (unsigned long long) got, (unsigned long long) want);
    }
}

static void test_long_buffers(void)
{
    each_model(long_buffers);
}

static void chains(const struct model *m, const char *tier)
{
    for (int i = 0; i < 40; i++) {
        size_t len = test_random(i % 8 ? 1500 : 200000), cut = test_random((unsigned) len + 1);
        uint64_t crc = random_crc(m), whole = m->plain(crc, data, len);
        uint64_t parts = m->plain(m->plain(crc, data, cut), data + cut, len - cut);
        EXPECT(whole == parts, "%s, %s, %zu bytes cut at %zu", m->name, tier, len, cut);
    }
    EXPECT(m->plain(m->start, NULL, 0) == m->start, "%s, %s", m->name, tier);
    EXPECT(m->base(m->start, NULL, 0) == m->start, "%s_base", m->name);
    for (size_t j = 0; j < COUNT(m->copies); j++)
        EXPECT(!m->copies[j] || m->copies[j](m->start, NULL, NULL, 0) == m->start,
               "%s, copy %zu, %s", m->name, j, tier);
}

static void test_chains(void)
{
    each_model(chains);
}

/* Copies with any alignment of source and destination, also in place. Guards do not change. */
static void one_copy(const struct model *m, const char *tier, size_t j, size_t len, int in_place)
{
    size_t at = GUARD + test_random(64);
    uint8_t *dst = copies + at;
    const uint8_t *src = data + test_random(64);
    uint64_t crc = random_crc(m), want = m->base(crc, src, len), got;
    size_t bad = 0;

    memset(copies, UNTOUCHED, at);
    memset(dst, in_place ? 0 : UNTOUCHED, len);
    memset(dst + len, UNTOUCHED, GUARD);
    if (in_place)
        memcpy(dst, src, len);
    got = m->copies[j](crc, dst, in_place ? dst : src, len);
    EXPECT(got == want, "%s, copy %zu, %s, length %zu: %llx, not %llx", m->name, j, tier, len,
           (unsigned long long) got, (unsigned long long) want);
    EXPECT(!memcmp(dst, src, len), "%s, copy %zu, %s, length %zu", m->name, j, tier, len);
    for (size_t i = 0; i < GUARD; i++)
        bad += copies[at - 1 - i] != UNTOUCHED || dst[len + i] != UNTOUCHED;
    EXPECT(bad == 0, "%s, copy %zu, %s, length %zu: writes outside", m->name, j, tier, len);
}

static void copying(const struct model *m, const char *tier)
{
    for (size_t j = 0; j < COUNT(m->copies); j++) {
        if (!m->copies[j])
            continue;
        for (size_t len = 0; len < 1100; len += 1 + len / 20)
            one_copy(m, tier, j, len, j != 1 && test_random(4) == 0);
        for (size_t i = 0; i < COUNT(long_lengths); i += 3)
            one_copy(m, tier, j, long_lengths[i], 0);
    }
}

static void test_copying(void)
{
    each_model(copying);
}

/* Buffers that end directly before, or begin directly after, an inaccessible page. */
static void pages(const struct model *m, const char *tier)
{
#if HAVE_DLOPEN
    size_t page = (size_t) sysconf(_SC_PAGESIZE), room = 160 * 1024 / page * page;
    uint8_t *map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (!EXPECT(map != MAP_FAILED && !mprotect(map + page, room, PROT_READ | PROT_WRITE), "mmap"))
        return;
    memcpy(map + page, data, room);
    for (size_t len = 0; len <= room; len += len < 64 ? 1 : len * 3 / 4) {
        uint8_t *start = map + page, *end = start + room - len;
        uint64_t crc = random_crc(m);
        EXPECT(m->plain(crc, start, len) == m->base(crc, start, len), "%s, %s, length %zu", m->name,
               tier, len);
        EXPECT(m->plain(crc, end, len) == m->base(crc, end, len), "%s, %s, length %zu", m->name,
               tier, len);
    }
    munmap(map, room + 2 * page);
#else
    (void) m;
    (void) tier;
#endif
}

static void test_pages(void)
{
    each_model(pages);
}

static void test_negative_length(void)
{
    uint8_t byte = 1;

    EXPECT(crc32_iscsi(&byte, -1, 7) == 7 && crc32_iscsi_base(&byte, -1, 7) == 7, "length -1");
    EXPECT(crc32_iscsi(&byte, -2147483647 - 1, 7) == 7, "least length");
}

/* The generated constants equal those that the library computes at run time. */
static void test_constants(void)
{
    for (size_t i = 0; i < COUNT(models); i++) {
        struct crc_constants k;
        isalk_crc_constants_init(&k, models[i].width, models[i].poly, models[i].reflected);
        k.shift = models[i].reflected ? 0 : 64 - models[i].width;
        if (models[i].complemented)
            k.complement[0] = k.complement[1] = ~(uint64_t) 0 >> (64 - models[i].width) << k.shift;
        if (!models[i].reflected) { /* complement_q times the divisor, modulo x^64 */
            uint64_t product = 0;
            k.complement_q = models[i].constants->complement_q;
            for (int bit = 0; bit < 64; bit++)
                if (k.complement_q >> bit & 1)
                    product ^= k.divisor[0] << bit;
            EXPECT(product == k.complement[0], "%s, complement", models[i].name);
        }
        EXPECT(!memcmp(&k, models[i].constants, sizeof k), "%s", models[i].name);
    }
}

/* Functions named after an instruction set. */
static void test_variants(void)
{
#if defined(__x86_64__) || defined(_M_X64)
    static plain_fn *const by8[] = {crc64_ecma_norm_by8,     crc64_ecma_refl_by8,
                                    crc64_iso_norm_by8,      crc64_iso_refl_by8,
                                    crc64_jones_norm_by8,    crc64_jones_refl_by8,
                                    crc64_rocksoft_norm_by8, crc64_rocksoft_refl_by8};
    const char *name;
    int present, all = 1;

    for (size_t i = 0; (name = isal_list_cpu_features(i, &present)); i++)
        if (!strcmp(name, "pclmulqdq") || !strcmp(name, "sse4.1"))
            all &= present;
    if (!all) {
        test_skip("this CPU lacks PCLMULQDQ or SSE4.1");
        return;
    }
    for (size_t i = 0; i < COUNT(by8); i++)
        for (size_t len = 0; len < 5000; len += 1 + len / 9) {
            const struct model *m = &models[i + 4];
            uint64_t crc = random_crc(m);
            EXPECT(by8[i](crc, data, len) == m->base(crc, data, len), "%s_by8, length %zu", m->name,
                   len);
        }
#else
    test_skip("this is not x86-64");
#endif
}

/* ---- The system's own libisal ---- */

static void test_peer(void)
{
    void *peer = peer_open();

    if (!peer)
        return;
    for (size_t i = 0; i < COUNT(models); i++) {
        const struct model *m = &models[i];
        void *symbol = peer_symbol(peer, m->name);
        union {
            void *symbol;
            uint16_t (*crc16)(uint16_t, const uint8_t *, uint64_t);
            uint32_t (*crc32)(uint32_t, const uint8_t *, uint64_t);
            uint64_t (*crc64)(uint64_t, const uint8_t *, uint64_t);
            unsigned (*iscsi)(const uint8_t *, int, unsigned);
        } theirs = {symbol};

        if (!symbol) {
            printf("the system's libisal lacks %s\n", m->name);
            continue;
        }
        for (int j = 0; j < 300; j++) {
            size_t len = test_random(j % 10 ? 1200 : 150000);
            const uint8_t *buf = data + test_random(64);
            uint64_t crc = random_crc(m), want;
            if (m->width == 64)
                want = theirs.crc64(crc, buf, len);
            else if (m->width == 16)
                want = theirs.crc16((uint16_t) crc, buf, len);
            else if (!strcmp(m->name, "crc32_iscsi"))
                want = theirs.iscsi(buf, (int) len, (unsigned) crc);
            else
                want = theirs.crc32((uint32_t) crc, buf, len);
            EXPECT(m->plain(crc, buf, len) == want, "%s, length %zu", m->name, len);
        }
    }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    data = test_alloc(MAX_LEN + 512);
    copies = test_alloc(MAX_LEN + 64 + 2 * GUARD);
    test_fill_random(data, MAX_LEN + 512);
    TEST(test_vectors);
    TEST(test_lengths);
    TEST(test_long_buffers);
    TEST(test_chains);
    TEST(test_copying);
    TEST(test_pages);
    TEST(test_negative_length);
    TEST(test_constants);
    TEST(test_variants);
    TEST(test_peer);
    return test_finish();
}
