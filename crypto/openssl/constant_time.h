/* Masks without branches, for values that are secret.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CONSTANT_TIME_H
#define CONSTANT_TIME_H

#include <stddef.h>
#include <stdint.h>

/* Hides a value's origin from the compiler, which could otherwise branch on it or derive addresses
 * from it. */
static inline size_t ct_hide(size_t x)
{
    __asm__ volatile("" : "+r"(x));
    return x;
}

/* All ones if a < b, else 0. */
static inline size_t ct_less(size_t a, size_t b)
{
    /* The top bit is the borrow of a - b. If the top bits of a and b differ, it is that of b; else
     * that of a - b. */
    size_t borrow;

    a = ct_hide(a);
    b = ct_hide(b);
    borrow = (~a & b) | (~(a ^ b) & (a - b));
    return (size_t) 0 - ct_hide(borrow >> (8 * sizeof borrow - 1));
}

/* All ones if a == b, else 0. */
static inline size_t ct_equal(size_t a, size_t b)
{
    size_t x = ct_hide(a) ^ ct_hide(b);

    return (size_t) 0 - ct_hide((~x & (x - 1)) >> (8 * sizeof x - 1));
}

static inline size_t ct_select(size_t mask, size_t if_set, size_t if_clear)
{
    return (mask & if_set) | (~mask & if_clear);
}

#endif
