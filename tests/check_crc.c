/* Kernel check of the CRC family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crc/crc_kernels.h"
#include "isa-l/crc.h"
#include "isa-l/crc64.h"
#include "isa-l/crc_model.h"
#include "isa-l/t10_pi.h"

static uint64_t random64(struct check *c)
{
    uint64_t high = check_random(c, 1u << 31), middle = check_random(c, 1u << 31);

    return high << 40 ^ middle << 16 ^ check_random(c, 1u << 16);
}

/* The constants of a published CRC, or of a random polynomial of any width. */
static const struct crc_constants *constants(struct check *c, int reflected)
{
    static const struct crc_constants *const published[2][6] = {
        {&isalk_crc16_t10dif_k, &isalk_crc32_ieee_k, &isalk_crc64_ecma_norm_k,
         &isalk_crc64_iso_norm_k, &isalk_crc64_jones_norm_k, &isalk_crc64_rocksoft_norm_k},
        {&isalk_crc32_gzip_refl_k, &isalk_crc32_iscsi_k, &isalk_crc64_ecma_refl_k,
         &isalk_crc64_iso_refl_k, &isalk_crc64_jones_refl_k, &isalk_crc64_rocksoft_refl_k},
    };
    static struct crc_constants k;
    unsigned width;

    if (check_random(c, 4))
        return published[reflected][check_random(c, 6)];
    width = 1 + check_random(c, 64);
    isalk_crc_constants_init(&k, width, random64(c) >> (64 - width), reflected);
    return &k;
}

/* A state as callers pass it: all bits outside the CRC are 0. */
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

/* The parameter of the tests of folding: 1 for reflected order. */
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

/* CRCs with dedicated kernels: the parameter is the index in this list. */
enum { T10DIF, IEEE, GZIP, ISO_NORM, ISO_REFL, ISCSI };
static const struct crc_constants *const constants_of[] = {
    &isalk_crc16_t10dif_k,   &isalk_crc32_ieee_k,     &isalk_crc32_gzip_refl_k,
    &isalk_crc64_iso_norm_k, &isalk_crc64_iso_refl_k, &isalk_crc32_iscsi_k};

static void one_crc(struct check *c, size_t len)
{
    const struct crc_constants *k = constants_of[check_parameter(c)];
    uint64_t s = state(c, k);
    uint8_t *buf = check_input(c, len);

    check_describe(c, "state %#llx", (unsigned long long) s);
    check_run(c, ARG(s), ARG(buf), ARG(k), ARG(len));
}

static void iscsi(struct check *c, size_t len)
{
    uint64_t s = state(c, &isalk_crc32_iscsi_k);
    uint8_t *buf = check_input(c, len);

    check_describe(c, "state %#llx", (unsigned long long) s);
    check_run(c, ARG(buf), ARG(len), ARG(s));
}

static void one_crc_copy(struct check *c, size_t len)
{
    const struct crc_constants *k = constants_of[check_parameter(c)];
    uint64_t s = state(c, k);
    int in_place = !check_random(c, 4);
    uint8_t *dst = check_output(c, len), *src = in_place ? dst : check_input(c, len);

    check_describe(c, "state %#llx%s", (unsigned long long) s, in_place ? ", in place" : "");
    check_run(c, ARG(s), ARG(src), ARG(k), ARG(len), ARG(dst));
}

/* ---- Calls ---- */

enum { SHORT = 100, LONG = 4096 };
static uint8_t data[LONG], copy[LONG];

/* The descriptor of a CRC in the catalogue. */
static const struct isal_crc *model(const char *name)
{
    static struct isal_crc crc;

    isal_crc_init(&crc, isal_crc_find(name));
    return &crc;
}

/* A T10 format with a guard of 16 or 64 bits. */
static const struct isal_dif *dif(int guard)
{
    static struct isal_dif format;

    isal_dif_init(&format, ISAL_DIF_TYPE1, 512, guard, 0);
    return &format;
}

#define COPY_CALLS(X, kernel, nt, name)                                    \
    X(kernel, isal_##name##_copy, isal_##name##_copy(copy, data, LONG, 0)) \
    X(nt, isal_##name##_copy_nt, isal_##name##_copy_nt(copy, data, LONG, 0))
#define MODEL_CALLS(X, fold, copies, name)                                \
    X(fold, isal_crc_compute, isal_crc_compute(model(name), data, LONG))  \
    X(fold, isal_crc_update, isal_crc_update(model(name), 0, data, LONG)) \
    X(copies, isal_crc_copy, isal_crc_copy(model(name), 0, copy, data, LONG))
#define DIF_CALLS(X, kernel, copies, guard)                                   \
    X(kernel, isal_dif_generate, isal_dif_generate(dif(guard), data, 2, 0))   \
    X(kernel, isal_dif_generate_separate,                                     \
      isal_dif_generate_separate(dif(guard), data, copy, 2, 0))               \
    X(kernel, isal_dif_verify, isal_dif_verify(dif(guard), data, 2, 0, NULL)) \
    X(kernel, isal_dif_verify_separate,                                       \
      isal_dif_verify_separate(dif(guard), data, copy, 2, 0, NULL))           \
    X(copies, isal_dif_insert, isal_dif_insert(dif(guard), copy, data, 2, 0)) \
    X(copies, isal_dif_strip, isal_dif_strip(dif(guard), copy, data, 2, 0, NULL))

/* X(kernel, function, call). Short buffers go to the kernels for any polynomial. */
#define CALLS(X)                                                                    \
    X(crc_fold_norm, crc16_t10dif, crc16_t10dif(0, data, SHORT))                    \
    X(crc16_t10dif, crc16_t10dif, crc16_t10dif(0, data, LONG))                      \
    X(crc16_t10dif_copy, crc16_t10dif_copy, crc16_t10dif_copy(0, copy, data, LONG)) \
    X(crc_fold_norm, crc32_ieee, crc32_ieee(0, data, SHORT))                        \
    X(crc32_ieee, crc32_ieee, crc32_ieee(0, data, LONG))                            \
    X(crc_fold_refl, crc32_gzip_refl, crc32_gzip_refl(0, data, SHORT))              \
    X(crc32_gzip_refl, crc32_gzip_refl, crc32_gzip_refl(0, data, LONG))             \
    X(crc_fold_iscsi, crc32_iscsi, crc32_iscsi(data, SHORT, 0))                     \
    X(crc32_iscsi, crc32_iscsi, crc32_iscsi(data, LONG, 0))                         \
    X(crc_fold_norm, crc64_iso_norm, crc64_iso_norm(0, data, SHORT))                \
    X(crc64_iso_norm, crc64_iso_norm, crc64_iso_norm(0, data, LONG))                \
    X(crc_fold_refl, crc64_iso_refl, crc64_iso_refl(0, data, SHORT))                \
    X(crc64_iso_refl, crc64_iso_refl, crc64_iso_refl(0, data, LONG))                \
    X(crc_fold_norm, crc64_ecma_norm, crc64_ecma_norm(0, data, LONG))               \
    X(crc_fold_refl, crc64_ecma_refl, crc64_ecma_refl(0, data, LONG))               \
    X(crc_fold_norm, crc64_jones_norm, crc64_jones_norm(0, data, LONG))             \
    X(crc_fold_refl, crc64_jones_refl, crc64_jones_refl(0, data, LONG))             \
    X(crc_fold_norm, crc64_rocksoft_norm, crc64_rocksoft_norm(0, data, LONG))       \
    X(crc_fold_refl, crc64_rocksoft_refl, crc64_rocksoft_refl(0, data, LONG))       \
    COPY_CALLS(X, crc16_t10dif_copy, crc_nt_norm, crc16_t10dif)                     \
    COPY_CALLS(X, crc_copy_norm, crc_nt_norm, crc32_ieee)                           \
    COPY_CALLS(X, crc_copy_refl, crc_nt_refl, crc32_gzip_refl)                      \
    COPY_CALLS(X, crc32_iscsi_copy, crc_nt_refl, crc32_iscsi)                       \
    COPY_CALLS(X, crc_copy_norm, crc_nt_norm, crc64_ecma_norm)                      \
    COPY_CALLS(X, crc_copy_refl, crc_nt_refl, crc64_ecma_refl)                      \
    COPY_CALLS(X, crc_copy_norm, crc_nt_norm, crc64_iso_norm)                       \
    COPY_CALLS(X, crc_copy_refl, crc_nt_refl, crc64_iso_refl)                       \
    COPY_CALLS(X, crc_copy_norm, crc_nt_norm, crc64_jones_norm)                     \
    COPY_CALLS(X, crc_copy_refl, crc_nt_refl, crc64_jones_refl)                     \
    COPY_CALLS(X, crc_copy_norm, crc_nt_norm, crc64_rocksoft_norm)                  \
    COPY_CALLS(X, crc_copy_refl, crc_nt_refl, crc64_rocksoft_refl)                  \
    MODEL_CALLS(X, crc_fold_norm, crc_copy_norm, "CRC-24/OPENPGP")                  \
    MODEL_CALLS(X, crc_fold_refl, crc_copy_refl, "CRC-8/ROHC")                      \
    MODEL_CALLS(X, crc32_iscsi, crc32_iscsi_copy, "CRC-32/ISCSI")                   \
    DIF_CALLS(X, crc_fold_norm, crc16_t10dif_copy, ISAL_DIF_GUARD16)                \
    DIF_CALLS(X, crc_fold_refl, crc_copy_refl, ISAL_DIF_GUARD64)
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptor ---- */

/* Dedicated kernels use other algorithms for long buffers. */
#define BYTES_TO_LONGEST                           \
    {                                              \
        "bytes", 1, 0, CHECK_EVERY, CHECK_BYTES, 0 \
    }
#define CRC \
    SIGNATURE(crc_fn, uint64_t, uint64_t, const uint8_t *, const struct crc_constants *, size_t)
#define CRC_COPY                                                                              \
    SIGNATURE(crc_copy_fn, uint64_t, uint64_t, const uint8_t *, const struct crc_constants *, \
              size_t, uint8_t *)
#define CRC_ISCSI SIGNATURE(crc_iscsi_fn, uint32_t, const uint8_t *, size_t, uint32_t)

static const struct check_kernel tests[] = {
    {"crc16_t10dif", one_crc, BYTES_TO_LONGEST, CRC, T10DIF},
    {"crc16_t10dif_copy", one_crc_copy, BYTES_TO_LONGEST, CRC_COPY, T10DIF},
    {"crc32_ieee", one_crc, BYTES_TO_LONGEST, CRC, IEEE},
    {"crc32_gzip_refl", one_crc, BYTES_TO_LONGEST, CRC, GZIP},
    {"crc32_iscsi", one_crc, BYTES_TO_LONGEST, CRC, ISCSI},
    {"crc32_iscsi_copy", one_crc_copy, BYTES_TO_LONGEST, CRC_COPY, ISCSI},
    {"crc64_iso_norm", one_crc, BYTES_TO_LONGEST, CRC, ISO_NORM},
    {"crc64_iso_refl", one_crc, BYTES_TO_LONGEST, CRC, ISO_REFL},
    {"crc_fold_norm", fold, BYTES, CRC, 0},
    {"crc_fold_refl", fold, BYTES, CRC, 1},
    {"crc_fold_iscsi", iscsi, BYTES_TO_LONGEST, CRC_ISCSI, 0},
    {"crc_nt_norm", fold_copy, BYTES, CRC_COPY, 0},
    {"crc_nt_refl", fold_copy, BYTES, CRC_COPY, 1},
    {"crc_copy_norm", fold_copy, BYTES, CRC_COPY, 0},
    {"crc_copy_refl", fold_copy, BYTES, CRC_COPY, 1},
};

const struct check_family check_crc = {tests, ARRAY_SIZE(tests), calls, 0};
