/* The RAID kernels in C with vectors, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Q by Horner's rule from the last source. Source: Anvin, "The mathematics of RAID-6". */

#include "raid_kernels.h"

#if !ISALK_ASM

#include "dispatch/vector.h"

/* Vectors of each buffer in a step: two sums of each fit 16 registers. */
#define VECTORS 4
#define STEP (VECTORS * sizeof(vec))

/* The vectors of a step. Steps have STEP bytes, or at most sizeof(vec), in v[0]. */
struct step {
    vec v[VECTORS];
};

struct pq {
    struct step p, q;
};

ISALK_INLINE struct step zero(void)
{
    struct step s;

    ISALK_UNROLL
    for (int i = 0; i < VECTORS; i++)
        s.v[i] = vec_bytes(0);
    return s;
}

ISALK_INLINE struct step load(void *const *array, size_t buffer, size_t pos, size_t bytes)
{
    const uint8_t *p = (const uint8_t *) array[buffer] + pos;
    struct step s = zero();

    if (bytes < STEP) {
        s.v[0] = vec_load_part(p, bytes);
        return s;
    }
    ISALK_UNROLL
    for (size_t i = 0; i < VECTORS; i++)
        s.v[i] = vec_load(p + i * sizeof(vec));
    return s;
}

ISALK_INLINE void store(void *const *array, size_t buffer, size_t pos, struct step s, size_t bytes)
{
    uint8_t *p = (uint8_t *) array[buffer] + pos;

    if (bytes < STEP) {
        vec_store_part(p, s.v[0], bytes);
        return;
    }
    ISALK_UNROLL
    for (size_t i = 0; i < VECTORS; i++)
        vec_store(p + i * sizeof(vec), s.v[i]);
}

ISALK_INLINE struct step sum(struct step a, struct step b)
{
    ISALK_UNROLL
    for (int i = 0; i < VECTORS; i++)
        a.v[i] ^= b.v[i];
    return a;
}

ISALK_INLINE struct step twice(struct step a)
{
    ISALK_UNROLL
    for (int i = 0; i < VECTORS; i++)
        a.v[i] = vec_gf_double(a.v[i]);
    return a;
}

ISALK_INLINE struct step product(struct step a, const uint8_t table[32])
{
    ISALK_UNROLL
    for (int i = 0; i < VECTORS; i++)
        a.v[i] = vec_gf_multiply(a.v[i], table);
    return a;
}

ISALK_INLINE int any(struct step a, struct step b)
{
    vec all = vec_bytes(0);

    ISALK_UNROLL
    for (int i = 0; i < VECTORS; i++)
        all |= a.v[i] | b.v[i];
    return !vec_is_zero(all);
}

ISALK_INLINE struct step xor_of(size_t n, size_t pos, size_t bytes, void *const *array)
{
    struct step p = load(array, 0, pos, bytes);

    for (size_t j = 1; j < n; j++)
        p = sum(p, load(array, j, pos, bytes));
    return p;
}

ISALK_INLINE struct pq pq_of(size_t n, size_t pos, size_t bytes, void *const *array)
{
    struct pq s = {zero(), zero()};

    for (size_t j = n; j-- > 0;) {
        struct step x = load(array, j, pos, bytes);
        s.p = sum(s.p, x);
        s.q = sum(twice(s.q), x);
    }
    return s;
}

ISALK_INLINE int xor_gen_step(size_t n, size_t pos, size_t bytes, void *const *array)
{
    store(array, n, pos, xor_of(n, pos, bytes, array), bytes);
    return 0;
}

ISALK_INLINE int xor_check_step(size_t n, size_t pos, size_t bytes, void *const *array)
{
    return any(xor_of(n + 1, pos, bytes, array), zero());
}

ISALK_INLINE int pq_gen_step(size_t n, size_t pos, size_t bytes, void *const *array)
{
    struct pq s = pq_of(n, pos, bytes, array);

    store(array, n, pos, s.p, bytes);
    store(array, n + 1, pos, s.q, bytes);
    return 0;
}

ISALK_INLINE int pq_check_step(size_t n, size_t pos, size_t bytes, void *const *array)
{
    struct pq s = pq_of(n, pos, bytes, array);

    return any(sum(s.p, load(array, n, pos, bytes)), sum(s.q, load(array, n + 1, pos, bytes)));
}

ISALK_INLINE int pq_solve_step(size_t n, size_t pos, size_t bytes, void *const *array)
{
    const struct pq_solution *solution = array[n + 4];
    struct pq s = pq_of(n, pos, bytes, array);
    struct step a = sum(s.p, load(array, n, pos, bytes));
    struct step b = sum(s.q, load(array, n + 1, pos, bytes));
    struct step r = sum(product(a, solution->a), product(b, solution->b));

    store(array, n + 2, pos, r, bytes);
    ISALK_UNROLL
    for (int i = 0; i < VECTORS; i++)
        r.v[i] &= vec_bytes(solution->mask[0]);
    store(array, n + 3, pos, sum(a, r), bytes);
    return 0;
}

/* The kernel of each step: whole steps, vectors, and the bytes after the last one. */
#define KERNEL(name)                                                                  \
    int isalk_##name##_portable(size_t n, size_t len, void *const *array)             \
    {                                                                                 \
        size_t pos = 0;                                                               \
        for (; len - pos >= STEP; pos += STEP)                                        \
            if (name##_step(n, pos, STEP, array))                                     \
                return 1;                                                             \
        for (; len - pos >= sizeof(vec); pos += sizeof(vec))                          \
            if (name##_step(n, pos, sizeof(vec), array))                              \
                return 1;                                                             \
        return pos < len ? name##_step(n, pos, (len - pos) % sizeof(vec), array) : 0; \
    }
KERNEL(xor_gen)
KERNEL(xor_check)
KERNEL(pq_gen)
KERNEL(pq_check)
KERNEL(pq_solve)

#endif
