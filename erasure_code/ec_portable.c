/* The building blocks of the erasure code family in C with vectors, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On targets with byte shuffles, a product is two table lookups, one for each nibble:
 * Plank, Greenan and Miller, "Screaming fast Galois field arithmetic using Intel SIMD
 * instructions", FAST 2013.
 *
 * Elsewhere, multiplication is XOR and doubling. The terms of a row are ordered by powers of two:
 * for each bit, the sum of the sources whose coefficient has it. Horner's rule then doubles 7 times
 * in all. The sums of every four sources are made once, for all bits and rows: Arlazarov, Dinic,
 * Kronrod and Faradzev, "On economical construction of the transitive closure of a directed
 * graph", 1970. Addresses depend on coefficients, never on data. */

#include "ec_kernels.h"

#if !ISALK_ASM

#include "dispatch/vector.h"

/* Vectors of a row that a step computes. */
#define VECTORS 4

ISALK_INLINE uint8_t coefficient(const uint8_t *table)
{
    return table[1];
}

#if ISALK_LOOKUP

/* Six rows need too many registers. */
#define ROW_VECTORS(n) ((n) < 6 ? VECTORS : VECTORS / 2)

/* Adds to n accumulators the products of p, `vectors` vectors, with coefficients whose tables are
 * `stride` bytes apart. */
ISALK_INLINE void add_products(int n, int vectors, const uint8_t *p, const uint8_t *tbls,
                               size_t stride, vec acc[][VECTORS])
{
    vec low[VECTORS], high[VECTORS];

    ISALK_UNROLL
    for (int i = 0; i < vectors; i++) {
        vec x = vec_load(p + (size_t) i * sizeof(vec));
        low[i] = x & vec_bytes(15);
        high[i] = (vec) ((isalk_bytes16) x >> 4);
    }
    ISALK_UNROLL
    for (int r = 0; r < n; r++, tbls += stride) {
        vec low_table = vec_load(tbls), high_table = vec_load(tbls + 16);
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            acc[r][i] ^= vec_lookup(low_table, low[i]) ^ vec_lookup(high_table, high[i]);
    }
}

/* n rows of the dot product, `vectors` vectors at pos. */
ISALK_INLINE void dot_step(int n, int vectors, size_t pos, size_t k, const uint8_t *tbls,
                           uint8_t *const *src, uint8_t *const *dst)
{
    vec acc[GF_MAX_ROWS][VECTORS];

    ISALK_UNROLL
    for (int r = 0; r < n; r++) {
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            acc[r][i] = vec_bytes(0);
    }
    for (size_t j = 0; j < k; j++)
        add_products(n, vectors, src[j] + pos, tbls + 32 * j, 32 * k, acc);
    ISALK_UNROLL
    for (int r = 0; r < n; r++) {
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            vec_store(dst[r] + pos + (size_t) i * sizeof(vec), acc[r][i]);
    }
}

/* Whole vectors of n rows from pos on; returns where they end. */
ISALK_INLINE size_t dot_vectors(int n, size_t pos, size_t end, size_t k, const uint8_t *tbls,
                                uint8_t *const *src, uint8_t *const *dst)
{
    size_t step = (size_t) ROW_VECTORS(n) * sizeof(vec);

    for (; end - pos >= step; pos += step)
        dot_step(n, ROW_VECTORS(n), pos, k, tbls, src, dst);
    for (; end - pos >= sizeof(vec); pos += sizeof(vec))
        dot_step(n, 1, pos, k, tbls, src, dst);
    return pos;
}

/* Adds one source to n rows, `vectors` vectors at pos. */
ISALK_INLINE void mad_step(int n, int vectors, size_t pos, size_t k, const uint8_t *tbls,
                           const uint8_t *src, uint8_t *const *dst)
{
    vec acc[GF_MAX_ROWS][VECTORS];

    ISALK_UNROLL
    for (int r = 0; r < n; r++) {
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            acc[r][i] = vec_load(dst[r] + pos + (size_t) i * sizeof(vec));
    }
    add_products(n, vectors, src + pos, tbls, 32 * k, acc);
    ISALK_UNROLL
    for (int r = 0; r < n; r++) {
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            vec_store(dst[r] + pos + (size_t) i * sizeof(vec), acc[r][i]);
    }
}

ISALK_INLINE size_t mad_vectors(int n, size_t pos, size_t end, size_t k, const uint8_t *tbls,
                                const uint8_t *src, uint8_t *const *dst)
{
    size_t step = (size_t) ROW_VECTORS(n) * sizeof(vec);

    for (; end - pos >= step; pos += step)
        mad_step(n, ROW_VECTORS(n), pos, k, tbls, src, dst);
    for (; end - pos >= sizeof(vec); pos += sizeof(vec))
        mad_step(n, 1, pos, k, tbls, src, dst);
    return pos;
}

/* c times a source, in whole vectors from pos on; returns where they end. */
static size_t mul_vectors(size_t pos, size_t end, const uint8_t *tbls, const uint8_t *src,
                          uint8_t *dst)
{
    const vec low_table = vec_load(tbls), high_table = vec_load(tbls + 16);
    const size_t step = VECTORS * sizeof(vec);

    for (; end - pos >= step; pos += step) {
        ISALK_UNROLL
        for (size_t i = 0; i < step; i += sizeof(vec)) {
            vec x = vec_load(src + pos + i);
            vec_store(dst + pos + i, vec_lookup(low_table, x & vec_bytes(15)) ^
                                         vec_lookup(high_table, (vec) ((isalk_bytes16) x >> 4)));
        }
    }
    return pos;
}

#else /* !ISALK_LOOKUP */

/* Groups of four sources whose sums are kept at a time: 3 KB of them, in the L1 cache. */
#define GROUPS 3
#define BATCH (4 * GROUPS)

/* Sum of each subset of the sources of a group: bit i of the index for source i. */
typedef vec group_sums[16][VECTORS];

/* For each row and bit, from bit 7 on: the subset of each group, four bits for a group. */
typedef uint16_t subsets[GF_MAX_ROWS][8];

static void choose_subsets(int n, size_t k, size_t count, const uint8_t *tbls, subsets subset)
{
    for (int r = 0; r < n; r++, tbls += 32 * k)
        for (int bit = 0; bit < 8; bit++) {
            unsigned all = 0;
            for (size_t j = 0; j < count; j++)
                all |= (coefficient(tbls + 32 * j) >> (7 - bit) & 1u) << j;
            subset[r][bit] = (uint16_t) all;
        }
}

ISALK_INLINE void make_sums(int vectors, size_t pos, size_t count, uint8_t *const *src,
                            group_sums sums)
{
    ISALK_UNROLL
    for (int i = 0; i < vectors; i++)
        sums[0][i] = vec_bytes(0);
    ISALK_UNROLL
    for (size_t j = 0; j < 4; j++) {
        vec x[VECTORS];
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            x[i] = j < count ? vec_load(src[j] + pos + (size_t) i * sizeof(vec)) : vec_bytes(0);
        ISALK_UNROLL
        for (size_t s = 0; s < (size_t) 1 << j; s++) {
            ISALK_UNROLL
            for (int i = 0; i < vectors; i++)
                sums[s + ((size_t) 1 << j)][i] = sums[s][i] ^ x[i];
        }
    }
}

/* n rows of the dot product, `vectors` vectors at pos, from `count` sources. `more`: adds to what
 * the rows contain. */
ISALK_INLINE void dot_step(int n, int vectors, size_t pos, size_t count, int more,
                           const subsets subset, uint8_t *const *src, uint8_t *const *dst)
{
    group_sums sums[GROUPS];
    size_t groups = (count + 3) / 4;

    for (size_t g = 0; g < groups; g++)
        make_sums(vectors, pos, count - 4 * g, src + 4 * g, sums[g]);
    for (int r = 0; r < n; r++) {
        uint8_t *row = dst[r] + pos;
        vec acc[VECTORS];
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            acc[i] = vec_bytes(0);
        for (int bit = 0; bit < 8; bit++) {
            ISALK_UNROLL
            for (int i = 0; i < vectors; i++)
                acc[i] = vec_gf_double(acc[i]);
            unsigned chosen = subset[r][bit];
            for (size_t g = 0; g < groups; g++, chosen >>= 4) {
                ISALK_UNROLL
                for (int i = 0; i < vectors; i++)
                    acc[i] ^= sums[g][chosen & 15][i];
            }
        }
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++) {
            uint8_t *at = row + (size_t) i * sizeof(vec);
            vec_store(at, more ? acc[i] ^ vec_load(at) : acc[i]);
        }
    }
}

/* Whole vectors of n rows from pos on; returns where they end. */
static size_t dot_vectors(int n, size_t pos, size_t end, size_t k, const uint8_t *tbls,
                          uint8_t *const *src, uint8_t *const *dst)
{
    size_t step = VECTORS * sizeof(vec), stop = end - (end - pos) % sizeof(vec), first = 0;

    do {
        size_t count = k - first < BATCH ? k - first : BATCH, at = pos;
        subsets subset;
        choose_subsets(n, k, count, tbls + 32 * first, subset);
        for (; stop - at >= step; at += step)
            dot_step(n, VECTORS, at, count, first != 0, subset, src + first, dst);
        for (; at < stop; at += sizeof(vec))
            dot_step(n, 1, at, count, first != 0, subset, src + first, dst);
        first += count;
    } while (first < k);
    return stop;
}

/* Adds one source to n rows, `vectors` vectors at pos. masks: all ones where a coefficient has the
 * bit. */
ISALK_INLINE void mad_step(int n, int vectors, size_t pos, vec masks[8][GF_MAX_ROWS],
                           const uint8_t *src, uint8_t *const *dst)
{
    vec acc[GF_MAX_ROWS][VECTORS], x[VECTORS];

    ISALK_UNROLL
    for (int i = 0; i < vectors; i++)
        x[i] = vec_load(src + pos + (size_t) i * sizeof(vec));
    ISALK_UNROLL
    for (int r = 0; r < n; r++) {
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            acc[r][i] = vec_load(dst[r] + pos + (size_t) i * sizeof(vec));
    }
    for (int bit = 0;; bit++) {
        ISALK_UNROLL
        for (int r = 0; r < n; r++) {
            ISALK_UNROLL
            for (int i = 0; i < vectors; i++)
                acc[r][i] ^= x[i] & masks[bit][r];
        }
        if (bit == 7)
            break;
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            x[i] = vec_gf_double(x[i]);
    }
    ISALK_UNROLL
    for (int r = 0; r < n; r++) {
        ISALK_UNROLL
        for (int i = 0; i < vectors; i++)
            vec_store(dst[r] + pos + (size_t) i * sizeof(vec), acc[r][i]);
    }
}

ISALK_INLINE size_t mad_vectors(int n, size_t pos, size_t end, size_t k, const uint8_t *tbls,
                                const uint8_t *src, uint8_t *const *dst)
{
    size_t step = 2 * sizeof(vec); /* more would not fit 16 registers */
    vec masks[8][GF_MAX_ROWS];

    for (int bit = 0; bit < 8; bit++)
        for (int r = 0; r < n; r++)
            masks[bit][r] =
                vec_bytes((uint8_t) - (coefficient(tbls + 32 * k * (size_t) r) >> bit & 1));
    for (; end - pos >= step; pos += step)
        mad_step(n, 2, pos, masks, src, dst);
    for (; end - pos >= sizeof(vec); pos += sizeof(vec))
        mad_step(n, 1, pos, masks, src, dst);
    return pos;
}

static size_t mul_vectors(size_t pos, size_t end, const uint8_t *tbls, const uint8_t *src,
                          uint8_t *dst)
{
    uint8_t *sources[1] = {(uint8_t *) (uintptr_t) src};

    return dot_vectors(1, pos, end, 1, tbls, sources, &dst);
}

#endif

/* One row whose coefficients are all 1. */
static size_t xor_vectors(size_t pos, size_t end, size_t k, uint8_t *const *src, uint8_t *dst)
{
    size_t step = VECTORS * sizeof(vec);

    for (; end - pos >= step; pos += step) {
        vec acc[VECTORS];
        ISALK_UNROLL
        for (int i = 0; i < VECTORS; i++)
            acc[i] = vec_bytes(0);
        for (size_t j = 0; j < k; j++) {
            ISALK_UNROLL
            for (int i = 0; i < VECTORS; i++)
                acc[i] ^= vec_load(src[j] + pos + (size_t) i * sizeof(vec));
        }
        ISALK_UNROLL
        for (int i = 0; i < VECTORS; i++)
            vec_store(dst + pos + (size_t) i * sizeof(vec), acc[i]);
    }
    return pos;
}

/* The specification computes the bytes after the last whole vector. */
#define X(n, tier)                                                                            \
    void isalk_gf_dot##n##_##tier(size_t pos, size_t end, size_t k, const uint8_t *tbls,      \
                                  uint8_t *const *src, uint8_t *const *dst)                   \
    {                                                                                         \
        pos = dot_vectors(n, pos, end, k, tbls, src, dst);                                    \
        isalk_gf_dot##n##_base(pos, end, k, tbls, src, dst);                                  \
    }                                                                                         \
    void isalk_gf_dot##n##_ones_##tier(size_t pos, size_t end, size_t k, const uint8_t *tbls, \
                                       uint8_t *const *src, uint8_t *const *dst)              \
    {                                                                                         \
        if ((n) == 1)                                                                         \
            pos = xor_vectors(pos, end, k, src, dst[0]);                                      \
        isalk_gf_dot##n##_##tier(pos, end, k, tbls, src, dst);                                \
    }                                                                                         \
    void isalk_gf_mad##n##_##tier(size_t pos, size_t end, size_t k, const uint8_t *tbls,      \
                                  const uint8_t *src, uint8_t *const *dst)                    \
    {                                                                                         \
        pos = mad_vectors(n, pos, end, k, tbls, src, dst);                                    \
        isalk_gf_mad##n##_base(pos, end, k, tbls, src, dst);                                  \
    }
EC_ROWS(X, portable)
#undef X

void isalk_gf_mul_portable(size_t pos, size_t end, size_t k, const uint8_t *tbls,
                           const uint8_t *src, uint8_t *const *dst)
{
    pos = mul_vectors(pos, end, tbls, src, dst[0]);
    isalk_gf_mul_base(pos, end, k, tbls, src, dst);
}

#endif
