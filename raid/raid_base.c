/* Portable reference of the RAID kernels: the specification that every other variant must match.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Q by Horner's rule from the last source: Q = D_(n-1); Q = 2 * Q + D_i for i = n-2 .. 0. Source:
 * Anvin, "The mathematics of RAID-6". */

#include "raid_kernels.h"

struct pq {
    uint8_t p, q;
};

static uint8_t load(void *const *array, size_t buffer, size_t i)
{
    return ((const uint8_t *) array[buffer])[i];
}

static void store(void *const *array, size_t buffer, size_t i, uint8_t value)
{
    ((uint8_t *) array[buffer])[i] = value;
}

static uint8_t mul2(uint8_t x)
{
    return (uint8_t) (x << 1 ^ (x & 0x80 ? 0x1d : 0));
}

/* XOR of byte i of the first n buffers. */
static uint8_t xor_of(size_t n, size_t i, void *const *array)
{
    uint8_t p = 0;

    for (size_t j = 0; j < n; j++)
        p ^= load(array, j, i);
    return p;
}

/* P and Q of byte i of the first n buffers. */
static struct pq pq_of(size_t n, size_t i, void *const *array)
{
    struct pq s = {0, 0};

    for (size_t j = n; j-- > 0;) {
        s.p ^= load(array, j, i);
        s.q = mul2(s.q) ^ load(array, j, i);
    }
    return s;
}

int isalk_xor_gen_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++)
        store(array, n, i, xor_of(n, i, array));
    return 0;
}

int isalk_xor_check_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++)
        if (xor_of(n + 1, i, array))
            return 1;
    return 0;
}

int isalk_pq_gen_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++) {
        struct pq s = pq_of(n, i, array);
        store(array, n, i, s.p);
        store(array, n + 1, i, s.q);
    }
    return 0;
}

int isalk_pq_fault_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++) {
        struct pq s = pq_of(n, i, array);
        if (s.p != load(array, n, i))
            return (int) (i | 1);
        if (s.q != load(array, n + 1, i))
            return (int) (i | 2);
    }
    return 0;
}

int isalk_pq_check_base(size_t n, size_t len, void *const *array)
{
    return isalk_pq_fault_base(n, len, array) != 0;
}

/* Product of x and the coefficient of a table of gf_vect_mul_init(). */
static uint8_t table_mul(const uint8_t *table, uint8_t x)
{
    return table[x & 15] ^ table[16 + (x >> 4)];
}

int isalk_pq_solve_base(size_t n, size_t len, void *const *array)
{
    const struct pq_solution *solution = array[n + 4];

    for (size_t i = 0; i < len; i++) {
        struct pq s = pq_of(n, i, array);
        uint8_t a = s.p ^ load(array, n, i), b = s.q ^ load(array, n + 1, i);
        uint8_t r = table_mul(solution->a, a) ^ table_mul(solution->b, b);
        store(array, n + 2, i, r);
        store(array, n + 3, i, a ^ (solution->mask[0] & r));
    }
    return 0;
}
