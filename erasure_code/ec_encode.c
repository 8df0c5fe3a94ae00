/* The encode, update and multiply kernels of each tier. They divide the work into groups of rows
 * and tiles that stay in cache, and call the building blocks of the tier.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "ec_kernels.h"

/* Every group of rows reads the sources again, so the sources of a tile, TILE_BYTES in all, fit in
 * the L1 cache. The building blocks need tiles of a multiple of 64 bytes. */
#define TILE_BYTES (24u * 1024)
#define TILE_MIN 512u

/* Returns whether all k coefficients of a row are 1: byte 1 of a table is its coefficient. */
ISALK_INLINE int row_of_ones(const uint8_t *tbls, size_t k)
{
    for (size_t j = 0; j < k; j++)
        if (tbls[32 * j + 1] != 1)
            return 0;
    return 1;
}

/* Largest number of rows in a pass of this tier on this CPU. */
ISALK_INLINE int max_rows(const struct gf_rows *g)
{
    uint64_t features = atomic_load_explicit(&isalk_features_in_force, memory_order_relaxed);

    return features & CPU_EC_4_ROWS ? g->max_rows_ec_4_rows : g->max_rows;
}

/* One group of n rows. */
ISALK_INLINE void encode_group(const struct gf_rows *g, size_t pos, size_t end, size_t k, int n,
                               const uint8_t *tbls, uint8_t *const *data, uint8_t *const *coding)
{
    (row_of_ones(tbls, k) ? g->dot_ones[n] : g->dot[n])(pos, end, k, tbls, data, coding);
}

/* Several groups, or no sources. Not inline, so that calls with one group save no registers. */
static void encode_groups(const struct gf_rows *g, size_t end, size_t k, unsigned rows,
                          const uint8_t *tbls, uint8_t *const *data, uint8_t *const *coding)
{
    unsigned max = (unsigned) max_rows(g), groups = (rows + max - 1) / max;
    size_t tile;

    if (!k) {
        for (unsigned r = 0; r < rows; r++)
            memset(coding[r], 0, end);
        return;
    }
    tile = TILE_BYTES / k & ~(size_t) 127;
    if (tile < TILE_MIN)
        tile = TILE_MIN;
    for (size_t pos = 0; pos < end; pos += tile) {
        size_t stop = end - pos < tile ? end : pos + tile;
        unsigned r = 0;
        for (unsigned i = 0; i < groups; i++) {
            unsigned n = (rows - r) / (groups - i); /* groups of equal size */
            encode_group(g, pos, stop, k, (int) n, tbls + 32 * k * r, data, coding + r);
            r += n;
        }
    }
}

ISALK_INLINE void encode(const struct gf_rows *g, int len, int k, int rows, const uint8_t *tbls,
                         uint8_t *const *data, uint8_t *const *coding)
{
    size_t end = (size_t) len, sources = k > 0 ? (size_t) k : 0;

    if (len <= 0 || rows <= 0)
        return;
    if (sources && (rows <= GF_MAX_ROWS_EC_4_ROWS || rows <= max_rows(g)))
        encode_group(g, 0, end, sources, rows, tbls, data, coding);
    else
        encode_groups(g, end, sources, (unsigned) rows, tbls, data, coding);
}

ISALK_INLINE void update(const struct gf_rows *g, int len, int k, int rows, int vec_i,
                         const uint8_t *tbls, const uint8_t *data, uint8_t *const *coding)
{
    size_t end = (size_t) len, sources = (size_t) k;
    int max;

    if (len <= 0 || k <= 0 || vec_i < 0 || rows <= 0)
        return;
    tbls += 32 * (size_t) vec_i;
    max = rows <= GF_MAX_ROWS_EC_4_ROWS ? rows : max_rows(g);
    while (rows > 0) {
        /* the last two groups share their rows equally, because a small group is less efficient */
        int n = rows <= max ? rows : rows < 2 * max ? (rows + 1) / 2 : max;
        g->mad[n](0, end, sources, tbls, data, coding);
        tbls += 32 * sources * (size_t) n;
        coding += n;
        rows -= n;
    }
}

/* gf_rows of a tier. */
#define DOT(n, tier) isalk_gf_dot##n##_##tier,
#define DOT_ONES(n, tier) isalk_gf_dot##n##_ones_##tier,
#define MAD(n, tier) isalk_gf_mad##n##_##tier,
#define BLOCKS(tier)                            \
    static const struct gf_rows rows_##tier = { \
        {0, EC_ROWS(DOT, tier)},                \
        {0, EC_ROWS(DOT_ONES, tier)},           \
        {0, EC_ROWS(MAD, tier)},                \
        isalk_gf_mul_##tier,                    \
        GF_MAX_ROWS,                            \
        GF_MAX_ROWS_EC_4_ROWS,                  \
    };

/* The five kernels of a tier. */
#define KERNELS(tier)                                                                            \
    void isalk_ec_encode_data_##tier(int len, int k, int rows, unsigned char *gftbls,            \
                                     unsigned char **data, unsigned char **coding)               \
    {                                                                                            \
        encode(&rows_##tier, len, k, rows, gftbls, data, coding);                                \
    }                                                                                            \
    void isalk_gf_dot_prod_##tier(int len, int vlen, unsigned char *gftbls, unsigned char **src, \
                                  unsigned char *dest)                                           \
    {                                                                                            \
        encode(&rows_##tier, len, vlen, 1, gftbls, src, &dest);                                  \
    }                                                                                            \
    void isalk_ec_update_##tier(int len, int k, int rows, int vec_i, unsigned char *gftbls,      \
                                unsigned char *data, unsigned char **coding)                     \
    {                                                                                            \
        update(&rows_##tier, len, k, rows, vec_i, gftbls, data, coding);                         \
    }                                                                                            \
    void isalk_gf_vect_mad_##tier(int len, int vec, int vec_i, unsigned char *gftbls,            \
                                  unsigned char *src, unsigned char *dest)                       \
    {                                                                                            \
        update(&rows_##tier, len, vec, 1, vec_i, gftbls, src, &dest);                            \
    }                                                                                            \
    int isalk_gf_vect_mul_##tier(int len, unsigned char *gftbl, void *src, void *dest)           \
    {                                                                                            \
        uint8_t *dst = dest;                                                                     \
        if (len < 0 || len % 32)                                                                 \
            return 1;                                                                            \
        if (len)                                                                                 \
            rows_##tier.mul(0, (size_t) len, 1, gftbl, src, &dst);                               \
        return 0;                                                                                \
    }

#define TIER(tier) \
    BLOCKS(tier)   \
    KERNELS(tier)

TIER(base)
#if ISALK_ASM
TIER(sse)
TIER(avx)
TIER(avx2)
TIER(avx2_v)
TIER(avx512)
TIER(avx512_v)
#else
TIER(portable)
#endif
