/* T10 protection information.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/t10_pi.h"

#include <string.h>

#include "dispatch/bytes.h"
#include "isa-l/crc.h"
#include "isa-l/crc64.h"

/* Addresses of the parts of the current sector, and the distances in bytes to those of the next
 * one. */
struct layout {
    const uint8_t *data;
    uint8_t *copy; /* destination of the data; NULL: no copy */
    uint8_t *tuple;
    size_t data_step, copy_step, tuple_step;
};

static int is_wide(const struct isal_dif *dif)
{
    return dif->guard == ISAL_DIF_GUARD64;
}

static int format_ok(const struct isal_dif *dif)
{
    return dif->type >= ISAL_DIF_TYPE1 && dif->type <= ISAL_DIF_TYPE3 && dif->sector_size > 0 &&
           (dif->guard == ISAL_DIF_GUARD16 || dif->guard == ISAL_DIF_GUARD64);
}

ISAL_PUBLIC int isal_dif_init(struct isal_dif *dif, int type, size_t sector_size, int guard,
                              uint16_t app_tag)
{
    memset(dif, 0, sizeof *dif);
    if (type < 0 || type > UINT16_MAX || guard < 0 || guard > UINT16_MAX)
        return ISAL_DIF_ERR_FORMAT;
    dif->sector_size = sector_size;
    dif->type = (uint16_t) type;
    dif->guard = (uint16_t) guard;
    dif->app_tag = app_tag;
    dif->app_mask = 0xffff;
    dif->checks = ISAL_DIF_GUARD | ISAL_DIF_APP | (type == ISAL_DIF_TYPE3 ? 0 : ISAL_DIF_REF);
    return format_ok(dif) ? ISAL_DIF_OK : ISAL_DIF_ERR_FORMAT;
}

ISAL_PUBLIC size_t isal_dif_tuple_size(const struct isal_dif *dif)
{
    return is_wide(dif) ? 16 : 8;
}

/* ---- Fields ---- */

struct tuple {
    uint64_t guard, ref;
    uint16_t app;
};

/* Guard, application tag and reference tag have 16, 16 and 32 bits, or 64, 16 and 48 if wide. */
static void store_tuple(uint8_t *p, int wide, const struct tuple *t)
{
    if (wide) {
        store_be64(p, t->guard);
        store_be64(p + 8, (uint64_t) t->app << 48 | t->ref);
    } else {
        store_be64(p, t->guard << 48 | (uint64_t) t->app << 32 | t->ref);
    }
}

static void load_tuple(const uint8_t *p, int wide, struct tuple *t)
{
    uint64_t first = load_be64(p);

    if (wide) {
        uint64_t second = load_be64(p + 8);
        t->guard = first;
        t->app = (uint16_t) (second >> 48);
        t->ref = second & 0xffffffffffff;
    } else {
        t->guard = first >> 48;
        t->app = (uint16_t) (first >> 32);
        t->ref = first & 0xffffffff;
    }
}

/* The largest reference tag. */
static uint64_t max_ref(int wide)
{
    return ~(uint64_t) 0 >> (wide ? 16 : 32);
}

static uint64_t guard_of(int wide, const uint8_t *data, size_t size)
{
    return wide ? crc64_rocksoft_refl(0, data, size) : crc16_t10dif(0, data, size);
}

static uint64_t copy_with_guard(int wide, uint8_t *dst, const uint8_t *data, size_t size)
{
    return wide ? isal_crc64_rocksoft_refl_copy(dst, data, size, 0)
                : isal_crc16_t10dif_copy(dst, data, size, 0);
}

/* Computes the tuple of sector number i, and copies the sector if the layout says so. */
static void expected_tuple(const struct isal_dif *dif, const struct layout *l, uint64_t i,
                           uint64_t ref, struct tuple *t)
{
    int wide = is_wide(dif);

    t->guard = l->copy ? copy_with_guard(wide, l->copy, l->data, dif->sector_size)
                       : guard_of(wide, l->data, dif->sector_size);
    t->app = dif->app_tag;
    t->ref = (dif->type == ISAL_DIF_TYPE3 ? ref : ref + i) & max_ref(wide);
}

static void step(struct layout *l)
{
    l->data += l->data_step;
    l->tuple += l->tuple_step;
    if (l->copy)
        l->copy += l->copy_step;
}

static int generate(const struct isal_dif *dif, struct layout l, uint64_t count, uint64_t ref)
{
    struct tuple t;

    if (!format_ok(dif))
        return ISAL_DIF_ERR_FORMAT;
    for (uint64_t i = 0; i < count; i++, step(&l)) {
        expected_tuple(dif, &l, i, ref, &t);
        store_tuple(l.tuple, is_wide(dif), &t);
    }
    return ISAL_DIF_OK;
}

/* ---- Verification ---- */

/* Returns whether a tuple marks its sector as not protected. */
static int is_unprotected(const struct isal_dif *dif, const struct tuple *found)
{
    return found->app == 0xffff &&
           (dif->type != ISAL_DIF_TYPE3 || found->ref == max_ref(is_wide(dif)));
}

static unsigned difference(const struct isal_dif *dif, const struct tuple *expected,
                           const struct tuple *found)
{
    unsigned differ = 0;

    if (expected->guard != found->guard)
        differ |= ISAL_DIF_GUARD;
    if ((expected->app ^ found->app) & dif->app_mask)
        differ |= ISAL_DIF_APP;
    if (expected->ref != found->ref)
        differ |= ISAL_DIF_REF;
    return differ & dif->checks;
}

static int verify(const struct isal_dif *dif, struct layout l, uint64_t count, uint64_t ref,
                  struct isal_dif_error *error)
{
    struct tuple expected, found;

    if (!format_ok(dif))
        return ISAL_DIF_ERR_FORMAT;
    for (uint64_t i = 0; i < count; i++, step(&l)) {
        unsigned differ;
        load_tuple(l.tuple, is_wide(dif), &found);
        expected_tuple(dif, &l, i, ref, &expected);
        differ = difference(dif, &expected, &found);
        if (!differ || is_unprotected(dif, &found))
            continue;
        if (error) {
            error->sector = i;
            error->differ = differ;
            error->app[0] = expected.app;
            error->app[1] = found.app;
            error->guard[0] = expected.guard;
            error->guard[1] = found.guard;
            error->ref[0] = expected.ref;
            error->ref[1] = found.ref;
        }
        return ISAL_DIF_MISMATCH;
    }
    return ISAL_DIF_OK;
}

/* ---- Public functions ---- */

/* A tuple after each sector. sectors may be NULL: nothing is added to NULL. */
static struct layout interleaved(const struct isal_dif *dif, const void *sectors, void *copy,
                                 size_t copy_step)
{
    size_t step = dif->sector_size + isal_dif_tuple_size(dif);
    uint8_t *data = (uint8_t *) (uintptr_t) sectors;
    struct layout l = {data, copy, data ? data + dif->sector_size : data, step, copy_step, step};

    return l;
}

static struct layout separate(const struct isal_dif *dif, const void *data, const void *tuples)
{
    struct layout l = {
        data, NULL, (uint8_t *) (uintptr_t) tuples, dif->sector_size, 0, isal_dif_tuple_size(dif)};

    return l;
}

ISAL_PUBLIC int isal_dif_generate(const struct isal_dif *dif, void *sectors, uint64_t count,
                                  uint64_t ref)
{
    return generate(dif, interleaved(dif, sectors, NULL, 0), count, ref);
}

ISAL_PUBLIC int isal_dif_generate_separate(const struct isal_dif *dif, const void *data,
                                           void *tuples, uint64_t count, uint64_t ref)
{
    return generate(dif, separate(dif, data, tuples), count, ref);
}

ISAL_PUBLIC int isal_dif_verify(const struct isal_dif *dif, const void *sectors, uint64_t count,
                                uint64_t ref, struct isal_dif_error *error)
{
    return verify(dif, interleaved(dif, sectors, NULL, 0), count, ref, error);
}

ISAL_PUBLIC int isal_dif_verify_separate(const struct isal_dif *dif, const void *data,
                                         const void *tuples, uint64_t count, uint64_t ref,
                                         struct isal_dif_error *error)
{
    return verify(dif, separate(dif, data, tuples), count, ref, error);
}

ISAL_PUBLIC int isal_dif_insert(const struct isal_dif *dif, void *sectors, const void *data,
                                uint64_t count, uint64_t ref)
{
    size_t step = dif->sector_size + isal_dif_tuple_size(dif);
    struct layout l = interleaved(dif, sectors, sectors, step);

    l.data = data;
    l.data_step = dif->sector_size;
    return generate(dif, l, count, ref);
}

ISAL_PUBLIC int isal_dif_strip(const struct isal_dif *dif, void *data, const void *sectors,
                               uint64_t count, uint64_t ref, struct isal_dif_error *error)
{
    return verify(dif, interleaved(dif, sectors, data, dif->sector_size), count, ref, error);
}
