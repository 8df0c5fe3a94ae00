/* Portable reference of the RAID kernels: the specification that every other variant must match.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Q by Horner's rule from the last source: Q = D_(n-1); Q = 2 * Q + D_i for i = n-2 .. 0. Source:
 * Anvin, "The mathematics of RAID-6". */

#include "raid_kernels.h"

static uint8_t twice(uint8_t x)
{
    return (uint8_t) (x << 1 ^ (x & 0x80 ? 0x1d : 0));
}

void isalk_xor_gen_base(size_t n, size_t len, uint8_t *const *array)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t p = 0;
        for (size_t j = 0; j < n; j++)
            p ^= array[j][i];
        array[n][i] = p;
    }
}

int isalk_xor_check_base(size_t n, size_t len, uint8_t *const *array)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t p = 0;
        for (size_t j = 0; j <= n; j++)
            p ^= array[j][i];
        if (p)
            return 1;
    }
    return 0;
}

void isalk_pq_gen_base(size_t n, size_t len, uint8_t *const *array)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t p = 0, q = 0;
        for (size_t j = n; j-- > 0;) {
            p ^= array[j][i];
            q = twice(q) ^ array[j][i];
        }
        array[n][i] = p;
        array[n + 1][i] = q;
    }
}

int isalk_pq_check_base(size_t n, size_t len, uint8_t *const *array)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t p = 0, q = 0;
        for (size_t j = n; j-- > 0;) {
            p ^= array[j][i];
            q = twice(q) ^ array[j][i];
        }
        if (p != array[n][i] || q != array[n + 1][i])
            return 1;
    }
    return 0;
}
