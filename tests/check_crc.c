/* Kernel check of the CRC family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crc/crc_kernels.h"

#define LONGEST_OF_ALL 1100 /* the harness counts lengths up to there, and then makes them up */

static uint64_t random64(struct check *c)
{
    uint64_t high = check_random(c, 1u << 31), middle = check_random(c, 1u << 31);

    return high << 40 ^ middle << 16 ^ check_random(c, 1u << 16);
}

/* The constants of a classic CRC or of a polynomial of any width. */
static const struct crc_constants *constants(struct check *c, int reflected)
{
    static const struct crc_constants *const classics[2][6] = {
        {&isalk_crc16_t10dif_k, &isalk_crc32_ieee_k, &isalk_crc64_ecma_norm_k,
         &isalk_crc64_iso_norm_k, &isalk_crc64_jones_norm_k, &isalk_crc64_rocksoft_norm_k},
        {&isalk_crc32_gzip_refl_k, &isalk_crc32_iscsi_k, &isalk_crc64_ecma_refl_k,
         &isalk_crc64_iso_refl_k, &isalk_crc64_jones_refl_k, &isalk_crc64_rocksoft_refl_k},
    };
    static struct crc_constants k;
    unsigned width;

    if (check_random(c, 4))
        return classics[reflected][check_random(c, 6)];
    width = 1 + check_random(c, 64);
    isalk_crc_constants_init(&k, width, random64(c) >> (64 - width), reflected);
    return &k;
}

/* A state that the kernel can meet: no bits beside the CRC's. */
static uint64_t state(struct check *c, const struct crc_constants *k)
{
    uint64_t s = random64(c);

    switch (check_random(c, 4)) {
    case 0:
        s = 0;
        break;
    case 1:
        s = ~(uint64_t) 0;
        break;
    }
    return k->reflected ? s >> (64 - k->width) : s & ~(uint64_t) 0 << (64 - k->width);
}

/* The parameter of the tests of folding: reflected. */
static void fold(struct check *c, size_t len)
{
    const struct crc_constants *k = constants(c, check_parameter(c));
    uint64_t s = state(c, k);
    uint8_t *buf = check_input(c, len);

    check_describe(c, "width %u, polynomial %#llx, state %#llx", (unsigned) k->width,
                   (unsigned long long) k->poly, (unsigned long long) s);
    check_run(c, ARG(s), ARG(buf), ARG(k), ARG(len));
}

static void fold_copy(struct check *c, size_t len)
{
    const struct crc_constants *k = constants(c, check_parameter(c));
    uint64_t s = state(c, k);
    int in_place = !check_random(c, 4);
    uint8_t *dst = check_output(c, len), *src = in_place ? dst : check_input(c, len);

    check_describe(c, "width %u, polynomial %#llx, state %#llx%s", (unsigned) k->width,
                   (unsigned long long) k->poly, (unsigned long long) s,
                   in_place ? ", in place" : "");
    check_run(c, ARG(s), ARG(src), ARG(k), ARG(len), ARG(dst));
}

/* CRCs with kernels of their own: the parameter is the number in this list. */
enum { T10DIF, IEEE, GZIP, ISO_NORM, ISO_REFL, ISCSI };
static const struct crc_constants *const own[] = {&isalk_crc16_t10dif_k,    &isalk_crc32_ieee_k,
                                                  &isalk_crc32_gzip_refl_k, &isalk_crc64_iso_norm_k,
                                                  &isalk_crc64_iso_refl_k,  &isalk_crc32_iscsi_k};

/* Longer buffers too: these kernels change their ways with the length. */
static size_t own_length(struct check *c, size_t len)
{
    return len > LONGEST_OF_ALL ? check_random(c, CHECK_BYTES) : len;
}

static void own_plain(struct check *c, size_t len)
{
    const struct crc_constants *k = own[check_parameter(c)];
    uint64_t s = state(c, k);
    size_t n = own_length(c, len);
    uint8_t *buf = check_input(c, n);

    check_describe(c, "%zu bytes, state %#llx", n, (unsigned long long) s);
    check_run(c, ARG(s), ARG(buf), ARG(k), ARG(n));
}

static void iscsi(struct check *c, size_t len)
{
    uint64_t s = state(c, &isalk_crc32_iscsi_k);
    size_t n = own_length(c, len);
    uint8_t *buf = check_input(c, n);

    check_describe(c, "%zu bytes, state %#llx", n, (unsigned long long) s);
    check_run(c, ARG(buf), ARG(n), ARG(s));
}

static void own_copy(struct check *c, size_t len)
{
    const struct crc_constants *k = own[check_parameter(c)];
    uint64_t s = state(c, k);
    size_t n = own_length(c, len);
    int in_place = !check_random(c, 4);
    uint8_t *dst = check_output(c, n), *src = in_place ? dst : check_input(c, n);

    check_describe(c, "%zu bytes, state %#llx%s", n, (unsigned long long) s,
                   in_place ? ", in place" : "");
    check_run(c, ARG(s), ARG(src), ARG(k), ARG(n), ARG(dst));
}

static const struct check_kernel tests[] = {
    {"crc16_t10dif", own_plain, T10DIF, 2},
    {"crc16_t10dif_copy", own_copy, T10DIF, 2},
    {"crc32_ieee", own_plain, IEEE, 2},
    {"crc32_gzip_refl", own_plain, GZIP, 2},
    {"crc32_iscsi", own_plain, ISCSI, 2},
    {"crc32_iscsi_copy", own_copy, ISCSI, 2},
    {"crc64_iso_norm", own_plain, ISO_NORM, 2},
    {"crc64_iso_refl", own_plain, ISO_REFL, 2},
    {"crc_fold_norm", fold, 0, 2},
    {"crc_fold_refl", fold, 1, 2},
    {"crc_fold_iscsi", iscsi, 0, 2},
    {"crc_nt_norm", fold_copy, 0, 2},
    {"crc_nt_refl", fold_copy, 1, 2},
    {"crc_copy_norm", fold_copy, 0, 2},
    {"crc_copy_refl", fold_copy, 1, 2},
};

const struct check_family check_crc = {tests, ARRAY_SIZE(tests)};
