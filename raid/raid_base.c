/* Portable reference of the RAID kernels: the specification that every other variant must match.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Q by Horner's rule from the last source: Q = D_(n-1); Q = 2 * Q + D_i for i = n-2 .. 0. Source:
 * Anvin, "The mathematics of RAID-6". */

#include "raid_kernels.h"

struct pq {
    uint8_t p, q;
};

static uint8_t at(void *const *array, size_t buffer, size_t i)
{
    return ((const uint8_t *) array[buffer])[i];
}

static void put(void *const *array, size_t buffer, size_t i, uint8_t value)
{
    ((uint8_t *) array[buffer])[i] = value;
}

static uint8_t twice(uint8_t x)
{
    return (uint8_t) (x << 1 ^ (x & 0x80 ? 0x1d : 0));
}

/* The sum of the first n buffers at byte i. */
static uint8_t sum(size_t n, size_t i, void *const *array)
{
    uint8_t p = 0;

    for (size_t j = 0; j < n; j++)
        p ^= at(array, j, i);
    return p;
}

static struct pq sums(size_t n, size_t i, void *const *array)
{
    struct pq s = {0, 0};

    for (size_t j = n; j-- > 0;) {
        s.p ^= at(array, j, i);
        s.q = twice(s.q) ^ at(array, j, i);
    }
    return s;
}

int isalk_xor_gen_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++)
        put(array, n, i, sum(n, i, array));
    return 0;
}

int isalk_xor_check_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++)
        if (sum(n + 1, i, array))
            return 1;
    return 0;
}

int isalk_pq_gen_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++) {
        struct pq s = sums(n, i, array);
        put(array, n, i, s.p);
        put(array, n + 1, i, s.q);
    }
    return 0;
}

int isalk_pq_fault_base(size_t n, size_t len, void *const *array)
{
    for (size_t i = 0; i < len; i++) {
        struct pq s = sums(n, i, array);
        if (s.p != at(array, n, i))
            return (int) (i | 1);
        if (s.q != at(array, n + 1, i))
            return (int) (i | 2);
    }
    return 0;
}

int isalk_pq_check_base(size_t n, size_t len, void *const *array)
{
    return isalk_pq_fault_base(n, len, array) != 0;
}

static uint8_t times(const uint8_t *table, uint8_t x)
{
    return table[x & 15] ^ table[16 + (x >> 4)];
}

int isalk_pq_solve_base(size_t n, size_t len, void *const *array)
{
    const struct pq_solution *solution = array[n + 4];

    for (size_t i = 0; i < len; i++) {
        struct pq s = sums(n, i, array);
        uint8_t a = s.p ^ at(array, n, i), b = s.q ^ at(array, n + 1, i);
        uint8_t r = times(solution->a, a) ^ times(solution->b, b);
        put(array, n + 2, i, r);
        put(array, n + 3, i, a ^ (solution->mask[0] & r));
    }
    return 0;
}
