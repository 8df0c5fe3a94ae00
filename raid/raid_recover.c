/* Recovery of lost buffers of XOR and P+Q arrays.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/erasure_code.h"
#include "isa-l/raid.h"

#include <string.h>

#include "raid_kernels.h"

/* Bytes processed at a time where a scratch or zero buffer stands in for a buffer of the array. The
 * caller's array of pointers may be shared: it is copied, not written to. */
#define BLOCK 2048
#define MAX_SOURCES 255

static const uint8_t zeros[BLOCK];

static void *at(void *buffer, size_t pos)
{
    return (uint8_t *) buffer + pos;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void run(raid_fn_slot *slot, size_t n, size_t len, void *const *array)
{
    KERNEL_CALL(*slot)(n, len, array);
}

ISAL_PUBLIC int isal_xor_recover(int vects, int len, void **array, int lost)
{
    void *local[MAX_SOURCES + 1];
    uint8_t sums[2][BLOCK];
    size_t bytes, step;

    if (vects < 3 || len < 0 || lost < 0 || lost >= vects)
        return 1;
    /* With more than MAX_SOURCES sources, partial sums alternate between two blocks: a kernel
     * cannot add to its destination. */
    step = vects - 1 <= MAX_SOURCES ? (size_t) len : BLOCK;
    for (size_t pos = 0; pos < (size_t) len; pos += bytes) {
        size_t n = 0, turn = 0;
        bytes = smaller((size_t) len - pos, step);
        for (int i = 0; i < vects; i++) {
            if (i == lost)
                continue;
            if (n == MAX_SOURCES) {
                local[n] = sums[turn];
                run(&isalk_xor_gen_slot, n, bytes, local);
                local[0] = sums[turn];
                n = 1;
                turn ^= 1;
            }
            local[n++] = at(array[i], pos);
        }
        local[n] = at(array[lost], pos);
        run(&isalk_xor_gen_slot, n, bytes, local);
    }
    return 0;
}

/* Recovers Q only: P, which is intact, must not be written. */
static void recover_q(size_t n, size_t len, void *const *array)
{
    void *local[MAX_SOURCES + 2];
    uint8_t p[BLOCK];
    size_t bytes;

    for (size_t pos = 0; pos < len; pos += bytes) {
        bytes = smaller(len - pos, BLOCK);
        for (size_t i = 0; i < n; i++)
            local[i] = at(array[i], pos);
        local[n] = p;
        local[n + 1] = at(array[n + 1], pos);
        run(&isalk_pq_gen_slot, n, bytes, local);
    }
}

static unsigned char power_of_2(size_t exponent)
{
    unsigned char x = 1;

    while (exponent-- > 0)
        x = gf_mul(x, 2);
    return x;
}

/* Recovers source x < n and another buffer y > x. Let a = P + the XOR of the sources and b = Q +
 * their Q, with the lost buffers as zeros. The kernel computes two results:
 *
 *     y source    r = D_y = (b + 2^x * a) / (2^x + 2^y)     a + r = D_x
 *     y is P      r = D_x = b / 2^x                         a + r = P
 *     y is Q      r = Q   = b + 2^x * a                     a     = D_x */
static void recover_two(size_t n, size_t len, void *const *array, size_t x, size_t y)
{
    void *local[MAX_SOURCES + 5];
    struct pq_solution solution;
    unsigned char weight = power_of_2(x), a, b;
    size_t bytes, r = y, other = x;

    if (y < n) {
        b = gf_inv(weight ^ power_of_2(y));
        a = gf_mul(weight, b);
    } else if (y == n) {
        b = gf_inv(weight);
        a = 0;
        r = x;
        other = y;
    } else {
        b = 1;
        a = weight;
    }
    gf_vect_mul_init(a, solution.a);
    gf_vect_mul_init(b, solution.b);
    memset(solution.mask, y <= n ? 0xff : 0, sizeof solution.mask);

    for (size_t pos = 0; pos < len; pos += bytes) {
        bytes = smaller(len - pos, BLOCK);
        for (size_t i = 0; i < n + 2; i++)
            local[i] = at(array[i], pos);
        local[n + 2] = local[r];
        local[n + 3] = local[other];
        local[n + 4] = &solution;
        local[x] = local[y] = (void *) zeros;
        run(&isalk_pq_solve_slot, n, bytes, local);
    }
}

/* Recovers source x from P: their roles in the XOR are swapped. */
static void recover_source(size_t n, size_t len, void *const *array, size_t x)
{
    void *local[MAX_SOURCES + 1];

    memcpy(local, array, (n + 1) * sizeof local[0]);
    local[x] = array[n];
    local[n] = array[x];
    run(&isalk_xor_gen_slot, n, len, local);
}

ISAL_PUBLIC int isal_pq_recover(int vects, int len, void **array, int lost_a, int lost_b)
{
    int x = lost_a, y = lost_b; /* x < y, or y is -1 */
    size_t n = (size_t) vects - 2, bytes = (size_t) len;

    if (lost_b >= 0 && lost_b < lost_a) {
        x = lost_b;
        y = lost_a;
    }
    if (vects < 4 || vects > MAX_SOURCES + 2 || len < 0 || x < 0 || x >= vects || y < -1 ||
        y >= vects || x == y)
        return 1;

    if (x == vects - 1)
        recover_q(n, bytes, array);
    else if (x == vects - 2)
        run(y < 0 ? &isalk_xor_gen_slot : &isalk_pq_gen_slot, n, bytes, array);
    else if (y < 0)
        recover_source(n, bytes, array, (size_t) x);
    else
        recover_two(n, bytes, array, (size_t) x, (size_t) y);
    return 0;
}
