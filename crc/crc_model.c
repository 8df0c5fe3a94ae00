/* CRCs of any polynomial: the functions of isa-l/crc_model.h that take a descriptor.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/crc_model.h"

#include <string.h>

#include "crc/crc_combine_kernels.h"

#define LENGTH_BITS 64

/* The opaque part of struct isal_crc. */
struct model {
    struct crc_constants k;
    uint64_t start;              /* state before the first byte */
    uint64_t power[LENGTH_BITS]; /* x^(8 * 2^i) mod P' */
    uint64_t inverse;            /* x^-8 mod P; 0 if there is none */
    uint32_t kernel;             /* index in kernel_slots */
    uint32_t reverse_out;        /* 1 if refin and refout differ */
};
_Static_assert(sizeof(struct model) <= sizeof(((struct isal_crc *) 0)->opaque) &&
                   _Alignof(struct model) <= _Alignof(struct isal_crc),
               "struct model fits in struct isal_crc");

static struct model *writable_model(struct isal_crc *crc)
{
    return (struct model *) (void *) crc->opaque;
}

static const struct model *model_of(const struct isal_crc *crc)
{
    return (const struct model *) (const void *) crc->opaque;
}

/* ---- Kernels ---- */

/* The kernels for any CRC, indexed by bit order, then those of the predefined CRCs. */
static const struct {
    crc_fn_slot *fold;
    crc_copy_fn_slot *copy;
    const struct crc_constants *k; /* constants of the CRC; NULL: any CRC */
} kernel_slots[] = {{&isalk_crc_fold_norm_slot, &isalk_crc_copy_norm_slot, NULL},
                    {&isalk_crc_fold_refl_slot, &isalk_crc_copy_refl_slot, NULL},
#define X(name, order, width, complemented, kernel, copy) \
    {&isalk_##kernel##_slot, &isalk_##copy##_slot, &isalk_##name##_k},
                    CRC_PREDEFINED(X)
#undef X
};

static uint32_t choose_kernel(const struct crc_constants *k)
{
    for (uint32_t i = 2; i < ARRAY_SIZE(kernel_slots); i++) {
        const struct crc_constants *known = kernel_slots[i].k;
        if (known->width == k->width && known->poly == k->poly && known->reflected == k->reflected)
            return i;
    }
    return k->reflected;
}

/* ---- Descriptors ---- */

ISAL_PUBLIC int isal_crc_init(struct isal_crc *crc, const struct isal_crc_params *params)
{
    struct model *m = writable_model(crc);
    uint64_t unused, inverse;

    if (!params)
        return ISAL_CRC_ERR_NULL;
    if (params->width < 1 || params->width > 64)
        return ISAL_CRC_ERR_WIDTH;
    unused = ~(~(uint64_t) 0 >> (64 - params->width)); /* bits above the width */
    if ((params->poly | params->init | params->xorout) & unused)
        return ISAL_CRC_ERR_RANGE;

    crc->params = *params;
    memset(crc->opaque, 0, sizeof crc->opaque);
    isalk_crc_constants_init(&m->k, params->width, params->poly, params->refin);
    m->reverse_out = !params->refin != !params->refout;
    m->kernel = choose_kernel(&m->k);
    m->start = params->refin ? crc_reverse(params->init, params->width)
                             : params->init << (64 - params->width);
    m->power[0] = crc_monomial(&m->k, 8);
    for (int i = 1; i < LENGTH_BITS; i++)
        m->power[i] = isalk_crc_multiply(&m->k, m->power[i - 1], m->power[i - 1]);
    if (params->poly & 1) {
        /* x ((P + 1) / x) = 1 mod P. An inverse modulo P also serves modulo P', because states are
         * multiples of x^(64 - width). */
        inverse = params->poly >> 1 | (uint64_t) 1 << (params->width - 1);
        if (params->refin)
            inverse = crc_reverse(inverse, 64);
        for (int i = 0; i < 3; i++)
            inverse = isalk_crc_multiply(&m->k, inverse, inverse);
        m->inverse = inverse;
    }
    return ISAL_CRC_OK;
}

/* ---- CRC of data ---- */

ISAL_PUBLIC uint64_t isal_crc_begin(const struct isal_crc *crc)
{
    return model_of(crc)->start;
}

ISAL_PUBLIC uint64_t isal_crc_update(const struct isal_crc *crc, uint64_t state, const void *buf,
                                     size_t len)
{
    const struct model *m = model_of(crc);

    return KERNEL_CALL(*kernel_slots[m->kernel].fold)(state, buf, &m->k, len);
}

ISAL_PUBLIC uint64_t isal_crc_copy(const struct isal_crc *crc, uint64_t state, void *dst,
                                   const void *src, size_t len)
{
    const struct model *m = model_of(crc);

    return KERNEL_CALL(*kernel_slots[m->kernel].copy)(state, src, &m->k, len, dst);
}

ISAL_PUBLIC uint64_t isal_crc_finish(const struct isal_crc *crc, uint64_t state)
{
    uint64_t value = crc->params.refin ? state : state >> (64 - crc->params.width);

    if (model_of(crc)->reverse_out)
        value = crc_reverse(value, crc->params.width);
    return value ^ crc->params.xorout;
}

ISAL_PUBLIC uint64_t isal_crc_resume(const struct isal_crc *crc, uint64_t value)
{
    unsigned unused_bits = 64 - crc->params.width;

    value = (value ^ crc->params.xorout) << unused_bits >> unused_bits;
    if (model_of(crc)->reverse_out)
        value = crc_reverse(value, crc->params.width);
    return crc->params.refin ? value : value << unused_bits;
}

ISAL_PUBLIC uint64_t isal_crc_compute(const struct isal_crc *crc, const void *buf, size_t len)
{
    return isal_crc_finish(crc, isal_crc_update(crc, model_of(crc)->start, buf, len));
}

/* ---- Arithmetic on CRCs ----
 *
 * A message of len bytes, begun in the state `start`, leads to the state that it reaches from state
 * 0, plus start x^(8 len). With s_A, s_B and s_AB the states after A, B and AB, and n the length of
 * B: s_AB = (s_A + start) x^(8 n) + s_B. */

/* state x^(8 n). */
static uint64_t shift(const struct model *m, uint64_t state, uint64_t n)
{
    for (int i = 0; n; i++, n >>= 1)
        if (n & 1)
            state = isalk_crc_multiply(&m->k, state, m->power[i]);
    return state;
}

ISAL_PUBLIC uint64_t isal_crc_combine(const struct isal_crc *crc, uint64_t crc_a, uint64_t crc_b,
                                      uint64_t len_b)
{
    const struct model *m = model_of(crc);
    uint64_t a = shift(m, isal_crc_resume(crc, crc_a) ^ m->start, len_b);

    return isal_crc_finish(crc, a ^ isal_crc_resume(crc, crc_b));
}

ISAL_PUBLIC uint64_t isal_crc_append_zeros(const struct isal_crc *crc, uint64_t crc_a, uint64_t n)
{
    return isal_crc_finish(crc, shift(model_of(crc), isal_crc_resume(crc, crc_a), n));
}

ISAL_PUBLIC uint64_t isal_crc_unprepend(const struct isal_crc *crc, uint64_t crc_ab, uint64_t crc_a,
                                        uint64_t len_b)
{
    return isal_crc_combine(crc, crc_a, crc_ab, len_b);
}

ISAL_PUBLIC uint64_t isal_crc_unappend(const struct isal_crc *crc, uint64_t crc_ab, uint64_t crc_b,
                                       uint64_t len_b)
{
    const struct model *m = model_of(crc);
    uint64_t state = isal_crc_resume(crc, crc_ab) ^ isal_crc_resume(crc, crc_b);

    if (!m->inverse)
        return 0;
    state = isalk_crc_multiply_power(&m->k, state, m->inverse, len_b);
    return isal_crc_finish(crc, state ^ m->start);
}

ISAL_PUBLIC uint64_t isal_crc_replace(const struct isal_crc *crc, uint64_t crc_whole,
                                      uint64_t crc_old, uint64_t crc_new, uint64_t len_b)
{
    const struct model *m = model_of(crc);
    uint64_t change = isal_crc_resume(crc, crc_old) ^ isal_crc_resume(crc, crc_new);

    return isal_crc_finish(crc, isal_crc_resume(crc, crc_whole) ^ shift(m, change, len_b));
}

ISAL_PUBLIC uint64_t isal_crc_combine_gen(const struct isal_crc *crc, uint64_t len_b)
{
    const struct model *m = model_of(crc);

    return shift(m, crc_monomial(&m->k, 0), len_b);
}

ISAL_PUBLIC uint64_t isal_crc_combine_op(const struct isal_crc *crc, uint64_t crc_a, uint64_t crc_b,
                                         uint64_t op)
{
    const struct model *m = model_of(crc);
    uint64_t a = isalk_crc_multiply(&m->k, isal_crc_resume(crc, crc_a) ^ m->start, op);

    return isal_crc_finish(crc, a ^ isal_crc_resume(crc, crc_b));
}
