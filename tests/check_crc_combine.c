/* Kernel check of products modulo the polynomial of a CRC.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crc/crc_combine_kernels.h"
#include "isa-l/crc_model.h"

static uint64_t random64(struct check *c)
{
    uint64_t high = check_random(c, 0xffffffff), low = check_random(c, 0xffffffff);

    switch (check_random(c, 6)) {
    case 0:
        return (uint64_t) 1 << check_random(c, 64);
    case 1:
        return ~(uint64_t) 0 >> check_random(c, 64);
    default:
        return high << 32 ^ low << 8 ^ low >> 24;
    }
}

/* The parameter of a test: 1 for reflected order. */
static void multiply(struct check *c, size_t repetition)
{
    static struct crc_constants k;
    unsigned width = 1 + check_random(c, 64);
    uint64_t poly = random64(c) >> (64 - width), a = random64(c), b = random64(c);

    (void) repetition;
    isalk_crc_constants_init(&k, width, poly, check_parameter(c));
    check_describe(c, "width %u, polynomial %#llx, %#llx times %#llx", width,
                   (unsigned long long) poly, (unsigned long long) a, (unsigned long long) b);
    check_run(c, ARG(a), ARG(b), ARG(&k));
}

/* ---- Calls ---- */

static struct isal_crc crc;

static const struct isal_crc *model(const char *name)
{
    isal_crc_init(&crc, isal_crc_find(name));
    check_ignore_calls();
    return &crc;
}

#define MODEL_CALLS(X, kernel, name)                                           \
    X(kernel, isal_crc_init, isal_crc_init(&crc, isal_crc_find(name)))         \
    X(kernel, isal_crc_combine, isal_crc_combine(model(name), 1, 2, 3))        \
    X(kernel, isal_crc_append_zeros, isal_crc_append_zeros(model(name), 1, 3)) \
    X(kernel, isal_crc_unprepend, isal_crc_unprepend(model(name), 1, 2, 3))    \
    X(kernel, isal_crc_unappend, isal_crc_unappend(model(name), 1, 2, 3))      \
    X(kernel, isal_crc_replace, isal_crc_replace(model(name), 1, 2, 3, 4))     \
    X(kernel, isal_crc_combine_gen, isal_crc_combine_gen(model(name), 3))      \
    X(kernel, isal_crc_combine_op, isal_crc_combine_op(model(name), 1, 2, 3))
#define COMBINE_CALL(X, kernel, name) \
    X(kernel, isal_##name##_combine, isal_##name##_combine(1, 2, 3))

#define CALLS(X)                                            \
    MODEL_CALLS(X, crc_multiply_norm, "CRC-24/OPENPGP")     \
    MODEL_CALLS(X, crc_multiply_refl, "CRC-8/ROHC")         \
    COMBINE_CALL(X, crc_multiply_norm, crc16_t10dif)        \
    COMBINE_CALL(X, crc_multiply_norm, crc32_ieee)          \
    COMBINE_CALL(X, crc_multiply_refl, crc32_gzip_refl)     \
    COMBINE_CALL(X, crc_multiply_refl, crc32_iscsi)         \
    COMBINE_CALL(X, crc_multiply_norm, crc64_ecma_norm)     \
    COMBINE_CALL(X, crc_multiply_refl, crc64_ecma_refl)     \
    COMBINE_CALL(X, crc_multiply_norm, crc64_iso_norm)      \
    COMBINE_CALL(X, crc_multiply_refl, crc64_iso_refl)      \
    COMBINE_CALL(X, crc_multiply_norm, crc64_jones_norm)    \
    COMBINE_CALL(X, crc_multiply_refl, crc64_jones_refl)    \
    COMBINE_CALL(X, crc_multiply_norm, crc64_rocksoft_norm) \
    COMBINE_CALL(X, crc_multiply_refl, crc64_rocksoft_refl)
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptor ---- */

#define MULTIPLY \
    SIGNATURE(crc_multiply_fn, uint64_t, uint64_t, uint64_t, const struct crc_constants *)

static const struct check_kernel tests[] = {
    {"crc_multiply_norm", multiply, REPETITIONS, MULTIPLY, 0},
    {"crc_multiply_refl", multiply, REPETITIONS, MULTIPLY, 1},
};

const struct check_family check_crc_combine = {tests, ARRAY_SIZE(tests), calls, 0};
