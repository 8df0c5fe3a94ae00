/* Proofs of linear functions, in every tier: make check-linear.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Erasure codes, RAID parity and CRCs are linear over GF(2) in their data. A kernel is linear as
 * well if its control flow and its addresses do not depend on data and its operations on data are
 * linear. Then it is right for every input of a length if it is right for zeros and for each input
 * with a single one bit. All of these are tried at every length from 0 to 600 bytes, and at longer
 * ones where other code takes over: tiles of erasure codes, taps of long CRCs. Alignments differ
 * from length to length and take all 64 values. tests/data_flow.py shows that neither control flow
 * nor addresses depend on data. The checks of parity and zero detection branch on data: for them
 * these inputs are a test, not a proof. The expected outputs come from the definitions, one byte at
 * a time, or for CRCs from the functions with the suffix _base. */

#include "dispatch/compiler.h"

#include "dispatch/kernel.h"
#include "dispatch/tiers.h"
#include "isa-l.h"
#include "tests/test.h"

enum { MAX_LENGTH = 600, LONG = 2208, CRC_LONG = 98560, SOURCES = 12, ROWS = 8 };

static const char *const tiers[] = {TIERS(TIER_NAME)};
static const char *tier;

static uint8_t memory[SOURCES + ROWS][LONG + 128];
static uint8_t zeros[CRC_LONG + 128], message[CRC_LONG + 128], copied[CRC_LONG + 128];

/* The address of a buffer of n bytes; the alignment changes with n and with the buffer. */
static uint8_t *place(unsigned buffer, size_t n)
{
    uint8_t *aligned = memory[buffer] + (64 - (uintptr_t) memory[buffer] % 64);

    return aligned + (n * 7 + buffer * 13) % 64;
}

/* True if byte i of n is `value` and all others are zero. */
static int is_single(const uint8_t *p, size_t n, size_t i, uint8_t value)
{
    return !memcmp(p, zeros, i) && p[i] == value && !memcmp(p + i + 1, zeros, n - i - 1);
}

static void clear(void)
{
    memset(memory, 0, sizeof(memory));
}

/* ---- Erasure codes ---- */

/* Codes of k sources and `rows` rows, lengths from `first` to `last`. */
static void prove_ec(int k, int rows, int update, size_t first, size_t last)
{
    unsigned char matrix[(SOURCES + ROWS) * SOURCES], tables[32 * SOURCES * ROWS];
    uint8_t *data[SOURCES], *coding[ROWS];
    size_t wrong = 0;

    clear();
    gf_gen_cauchy1_matrix(matrix, k + rows, k);
    ec_init_tables(k, rows, matrix + k * k, tables);
    for (size_t n = first; n <= last; n++) {
        for (int j = 0; j < k; j++)
            data[j] = place((unsigned) j, n);
        for (int r = 0; r < rows; r++)
            coding[r] = place((unsigned) (SOURCES + r), n);
        for (size_t bit = 0; bit < 8 * n * (size_t) k; bit++) {
            size_t j = bit / 8 / n, i = bit / 8 % n;

            data[j][i] = (uint8_t) (1 << bit % 8);
            if (update) {
                for (int r = 0; r < rows; r++)
                    memset(coding[r], 0, n);
                ec_encode_data_update((int) n, k, rows, (int) j, tables, data[j], coding);
            } else {
                ec_encode_data((int) n, k, rows, tables, data, coding);
            }
            for (int r = 0; r < rows; r++)
                wrong += !is_single(coding[r], n, i,
                                    gf_mul(matrix[(size_t) ((k + r) * k) + j], data[j][i]));
            data[j][i] = 0;
        }
        ec_encode_data((int) n, k, rows, tables, data, coding);
        for (int r = 0; r < rows; r++)
            wrong += memcmp(coding[r], zeros, n) != 0;
    }
    EXPECT(!wrong, "%s: %d+%d%s: %zu wrong outputs", tier, k, rows, update ? ", update" : "",
           wrong);
}

static void prove_erasure_codes(void)
{
    for (int rows = 1; rows <= ROWS; rows++) {
        prove_ec(2, rows, 0, 0, MAX_LENGTH);
        prove_ec(1, rows, 1, 0, MAX_LENGTH);
    }
    prove_ec(1, 4, 0, 0, MAX_LENGTH);
    prove_ec(5, 3, 0, 0, MAX_LENGTH);
    prove_ec(SOURCES, 1, 0, LONG, LONG); /* two tiles */
    prove_ec(SOURCES, ROWS, 0, LONG, LONG);
}

/* ---- RAID ---- */

/* Parity of `sources` buffers, and Q too if pq; the check must find each single bit. */
static void prove_raid(unsigned sources, int pq)
{
    unsigned all = sources + (pq ? 2 : 1);
    void *arrays[SOURCES + 2];
    size_t wrong = 0;

    clear();
    for (size_t n = 32; n <= MAX_LENGTH; n += 32) {
        for (unsigned j = 0; j < all; j++)
            arrays[j] =
                memory[j] + (64 - (uintptr_t) memory[j] % 64) + 32 * (n / 32 % 2); /* aligned */
        for (size_t bit = 0; bit < 8 * n * sources; bit++) {
            size_t j = bit / 8 / n, i = bit / 8 % n;
            uint8_t *at = (uint8_t *) arrays[j] + i, power = 1;

            for (size_t e = 0; e < j; e++)
                power = gf_mul(power, 2);
            *at = (uint8_t) (1 << bit % 8);
            if (pq) {
                wrong += pq_gen((int) all, (int) n, arrays) != 0;
                wrong += !is_single(arrays[sources + 1], n, i, gf_mul(power, *at));
                wrong += pq_check((int) all, (int) n, arrays) != 0;
            } else {
                wrong += xor_gen((int) all, (int) n, arrays) != 0;
                wrong += xor_check((int) all, (int) n, arrays) != 0;
            }
            wrong += !is_single(arrays[sources], n, i, *at);
            *at = 0;
            wrong += (pq ? pq_check : xor_check)((int) all, (int) n, arrays) == 0;
        }
        memset(arrays[sources], 0, n);
        memset(arrays[all - 1], 0, n);
    }
    EXPECT(!wrong, "%s: %s, %u sources: %zu wrong", tier, pq ? "P+Q" : "XOR", sources, wrong);
}

static void prove_parity(void)
{
    for (unsigned sources = 2; sources <= 10; sources++) {
        prove_raid(sources, 0);
        prove_raid(sources, 1);
    }
}

/* ---- CRCs ---- */

/* All CRCs as functions of one type, beside the portable ones. */
/* clang-format off */
#define CRC_FUNCTIONS(X)                        \
    X(crc16_t10dif, (uint16_t) seed, p, n)      \
    X(crc32_ieee, (uint32_t) seed, p, n)        \
    X(crc32_gzip_refl, (uint32_t) seed, p, n)   \
    X(crc64_ecma_refl, seed, p, n)              \
    X(crc64_ecma_norm, seed, p, n)              \
    X(crc64_iso_refl, seed, p, n)               \
    X(crc64_iso_norm, seed, p, n)               \
    X(crc64_jones_refl, seed, p, n)             \
    X(crc64_jones_norm, seed, p, n)             \
    X(crc64_rocksoft_refl, seed, p, n)          \
    X(crc64_rocksoft_norm, seed, p, n)
/* clang-format on */
#define CRC_WRAPPERS(name, ...)                                            \
    static uint64_t fast_##name(uint64_t seed, uint8_t *p, uint64_t n)     \
    {                                                                      \
        return name(__VA_ARGS__);                                          \
    }                                                                      \
    static uint64_t portable_##name(uint64_t seed, uint8_t *p, uint64_t n) \
    {                                                                      \
        return name##_base(__VA_ARGS__);                                   \
    }
CRC_FUNCTIONS(CRC_WRAPPERS)

static uint64_t fast_crc32_iscsi(uint64_t seed, uint8_t *p, uint64_t n)
{
    return crc32_iscsi(p, (int) n, (unsigned) seed);
}

static uint64_t portable_crc32_iscsi(uint64_t seed, uint8_t *p, uint64_t n)
{
    return crc32_iscsi_base(p, (int) n, (unsigned) seed);
}

/* Copies to a second buffer, which must then equal the first. */
#define COPY_WRAPPER(name, type)                                          \
    static uint64_t name##_wrapper(uint64_t seed, uint8_t *p, uint64_t n) \
    {                                                                     \
        uint8_t *copy = copied + n * 11 % 64;                             \
        uint64_t crc;                                                     \
                                                                          \
        memset(copy, 0xaa, (size_t) n);                                   \
        crc = name(copy, p, (size_t) n, (type) seed);                     \
        return memcmp(copy, p, (size_t) n) ? ~crc : crc;                  \
    }
/* X(copy, type, portable function): ordinary and non-temporal stores. */
#define COPIES(X, crc, type) X(isal_##crc##_copy, type, crc) X(isal_##crc##_copy_nt, type, crc)
#define CRC_COPIES(X)                    \
    COPIES(X, crc16_t10dif, uint16_t)    \
    COPIES(X, crc32_ieee, uint32_t)      \
    COPIES(X, crc32_gzip_refl, uint32_t) \
    COPIES(X, crc32_iscsi, uint32_t)     \
    COPIES(X, crc64_ecma_norm, uint64_t) \
    COPIES(X, crc64_ecma_refl, uint64_t)
#define X(name, type, portable) COPY_WRAPPER(name, type)
CRC_COPIES(X)
#undef X

typedef uint64_t crc_fn(uint64_t seed, uint8_t *p, uint64_t n);

/* What a bit contributes depends on its distance from the end, and on no other bit. */
static uint64_t contribution[CRC_LONG + 1][8];

/* Another zero byte after the bit is a step of the CRC from the contribution before it. */
static void fill_contributions(crc_fn *portable, size_t longest)
{
    uint8_t byte = 0;
    uint64_t empty = portable(0, zeros, 1);

    for (unsigned b = 0; b < 8; b++) {
        byte = (uint8_t) (1 << b);
        contribution[1][b] = portable(0, &byte, 1) ^ empty;
        for (size_t n = 2; n <= longest; n++)
            contribution[n][b] = portable(contribution[n - 1][b], zeros, 1) ^ empty;
    }
}

/* The number of wrong CRCs of n bytes at p, which are zeros. */
static size_t wrong_crcs(crc_fn *fast, crc_fn *portable, uint8_t *p, size_t n)
{
    uint64_t empty = portable(0, zeros, n);
    size_t wrong = fast(0, p, n) != empty;

    for (unsigned b = 0; b < 64; b++)
        wrong += fast((uint64_t) 1 << b, p, n) != portable((uint64_t) 1 << b, zeros, n);
    for (size_t bit = 0; bit < 8 * n; bit++) {
        p[bit / 8] = (uint8_t) (1 << bit % 8);
        wrong += (fast(0, p, n) ^ empty) != contribution[n - bit / 8][bit % 8];
        p[bit / 8] = 0;
    }
    return wrong;
}

static void prove_crc(const char *name, crc_fn *fast, crc_fn *portable)
{
    size_t wrong = 0;

    fill_contributions(portable, MAX_LENGTH);
    for (size_t n = 0; n <= MAX_LENGTH; n++)
        wrong += wrong_crcs(fast, portable, message + n * 7 % 64, n);
    EXPECT(!wrong, "%s: %s: %zu wrong", tier, name, wrong);
}

static void prove_crcs(void)
{
#define X(name, ...) prove_crc(#name, fast_##name, portable_##name);
    CRC_FUNCTIONS(X)
#undef X
    prove_crc("crc32_iscsi", fast_crc32_iscsi, portable_crc32_iscsi);
#define X(name, type, portable) prove_crc(#name, name##_wrapper, portable_##portable);
    CRC_COPIES(X)
#undef X
}

/* Lengths just above those from which long messages have kernels of their own. */
static void prove_long_crc(const char *name, crc_fn *fast, crc_fn *portable, size_t longest)
{
    static const size_t lengths[] = {1057, 1601, 4171, 8299, 12409, 16493, 32869, 49277, CRC_LONG};

    fill_contributions(portable, longest);
    for (size_t i = 0; i < ARRAY_SIZE(lengths) && lengths[i] <= longest; i++) {
        size_t wrong = wrong_crcs(fast, portable, message + 13 * i, lengths[i]);

        EXPECT(!wrong, "%s: %s of %zu bytes: %zu wrong", tier, name, lengths[i], wrong);
    }
}

/* Tiers that have a kernel of their own for long messages. */
static void prove_long_crcs(const char *kernel, crc_fn *fast, crc_fn *portable, size_t longest)
{
    const char *before = "base";

    for (size_t t = 1; t < ARRAY_SIZE(tiers); t++) {
        isal_set_isa_limit(tiers[t]);
        if (!strcmp(isal_get_kernel(kernel), before))
            continue;
        tier = before = isal_get_kernel(kernel);
        prove_long_crc(kernel, fast, portable, longest);
    }
    isal_set_isa_limit(NULL);
}

/* The state after n zero bytes is linear in the state before them. */
#define PROVE_COMBINE(crc, type)                                                    \
    for (unsigned b = 0; b < 8 * sizeof(type); b++)                                 \
        for (size_t n = 0; n <= MAX_LENGTH; n++) {                                  \
            uint64_t bit = (uint64_t) 1 << b;                                       \
                                                                                    \
            wrong += isal_##crc##_combine((type) bit, 0, n) !=                      \
                     (portable_##crc(bit, zeros, n) ^ portable_##crc(0, zeros, n)); \
            wrong += isal_##crc##_combine(0, (type) bit, n) != bit;                 \
        }

static void prove_combinations(void)
{
    size_t wrong = 0;

    PROVE_COMBINE(crc16_t10dif, uint16_t)
    PROVE_COMBINE(crc32_ieee, uint32_t)
    PROVE_COMBINE(crc32_gzip_refl, uint32_t)
    PROVE_COMBINE(crc32_iscsi, uint32_t)
    PROVE_COMBINE(crc64_ecma_norm, uint64_t)
    PROVE_COMBINE(crc64_ecma_refl, uint64_t)
    EXPECT(!wrong, "%s: combination of CRCs: %zu wrong", tier, wrong);
}

/* ---- Zero detection ---- */

static void prove_zero_detection(void)
{
    size_t wrong = 0;

    clear();
    for (size_t n = 0; n <= MAX_LENGTH; n++) {
        uint8_t *p = place(0, n);

        wrong += isal_zero_detect(p, n) != 0;
        for (size_t bit = 0; bit < 8 * n; bit++) {
            p[bit / 8] = (uint8_t) (1 << bit % 8);
            wrong += isal_zero_detect(p, n) == 0;
            p[bit / 8] = 0;
        }
    }
    EXPECT(!wrong, "%s: zero detection: %zu wrong", tier, wrong);
}

/* Runs the proof in each tier with a variant of its own, except portable C. */
static void prove_tiers(void (*prove)(void), const char *kernel)
{
    const char *before = "base";

    for (size_t t = 1; t < ARRAY_SIZE(tiers); t++) {
        isal_set_isa_limit(tiers[t]);
        if (!strcmp(isal_get_kernel(kernel), before))
            continue;
        tier = before = isal_get_kernel(kernel);
        prove();
    }
    isal_set_isa_limit(NULL);
}

static void test_erasure_codes(void)
{
    prove_tiers(prove_erasure_codes, "ec_encode_data");
}

static void test_raid(void)
{
    prove_tiers(prove_parity, "pq_gen");
}

static void test_crcs(void)
{
    /* CRCs have kernels of different tiers, so all tiers are tried. */
    for (size_t t = 1; t < ARRAY_SIZE(tiers); t++) {
        isal_set_isa_limit(tier = tiers[t]);
        if (!strcmp(isal_get_isa(), tiers[t]))
            prove_crcs();
    }
    isal_set_isa_limit(NULL);
}

static void test_long_crcs(void)
{
    prove_long_crcs("crc16_t10dif", fast_crc16_t10dif, portable_crc16_t10dif, 16493);
    prove_long_crcs("crc16_t10dif_copy", isal_crc16_t10dif_copy_wrapper, portable_crc16_t10dif,
                    16493);
    prove_long_crcs("crc32_ieee", fast_crc32_ieee, portable_crc32_ieee, CRC_LONG);
    prove_long_crcs("crc32_gzip_refl", fast_crc32_gzip_refl, portable_crc32_gzip_refl, CRC_LONG);
    prove_long_crcs("crc32_iscsi", fast_crc32_iscsi, portable_crc32_iscsi, 16493);
    prove_long_crcs("crc32_iscsi_copy", isal_crc32_iscsi_copy_wrapper, portable_crc32_iscsi, 16493);
    prove_long_crcs("crc64_iso_norm", fast_crc64_iso_norm, portable_crc64_iso_norm, 16493);
    prove_long_crcs("crc64_iso_refl", fast_crc64_iso_refl, portable_crc64_iso_refl, 16493);
}

static void test_combinations(void)
{
    prove_tiers(prove_combinations, "crc_multiply_norm");
}

static void test_zero_detection(void)
{
    prove_tiers(prove_zero_detection, "zero_detect");
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_erasure_codes);
    TEST(test_raid);
    TEST(test_crcs);
    TEST(test_long_crcs);
    TEST(test_combinations);
    TEST(test_zero_detection);
    return test_finish();
}
