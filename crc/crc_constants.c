/* The constants of a CRC from its polynomial, at run time.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc_kernels.h"

#include <string.h>

static uint64_t reverse(uint64_t a)
{
    uint64_t r = 0;

    for (int i = 0; i < 64; i++)
        r = r << 1 | (a >> i & 1);
    return r;
}

/* a x mod x^64 + p. */
static uint64_t times_x(uint64_t a, uint64_t p)
{
    return a << 1 ^ (a >> 63 ? p : 0);
}

/* x^n mod x^64 + p, n >= 64. */
static uint64_t power(unsigned n, uint64_t p)
{
    uint64_t a = p;

    while (n-- > 64)
        a = times_x(a, p);
    return a;
}

void isalk_crc_constants_init(struct crc_constants *k, unsigned width, uint64_t poly, int reflected)
{
    static const uint16_t distance[CRC_FOLDS] = {256, 192, 128, 112, 96, 80, 64, 48, 32, 16};
    uint64_t p = poly << (64 - width); /* P' without x^64 */
    uint64_t quotient[2] = {0, 0};     /* Q without x^128 */
    uint64_t rest = p;

    memset(k, 0, sizeof *k);
    k->poly = poly;
    k->width = width;
    k->reflected = reflected != 0;

    /* Long division of x^192, of which the first step has been done. */
    for (unsigned i = 128; i-- > 0;) {
        quotient[i / 64] |= (rest >> 63) << i % 64;
        rest = times_x(rest, p);
    }
    for (size_t row = 0; row < CRC_FOLDS; row++) {
        unsigned d = 8 * (unsigned) distance[row];
        k->fold[row][0] = reflected ? reverse(power(d + 63, p)) : power(d, p);
        k->fold[row][1] = reflected ? reverse(power(d - 1, p)) : power(d + 64, p);
    }
    if (reflected) {
        k->quotient[0] = reverse(quotient[1] >> 1 | (uint64_t) 1 << 63);
        k->quotient[1] = reverse(quotient[0] >> 1 | quotient[1] << 63);
        k->divisor[0] = reverse(p >> 1 | (uint64_t) 1 << 63);
        k->divisor[1] = p & 1 ? ~(uint64_t) 0 : 0;
    } else {
        memcpy(k->quotient, quotient, sizeof quotient);
        k->divisor[0] = p;
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t state = reflected ? reverse(byte) : (uint64_t) byte << 56;
        for (int i = 0; i < 8; i++)
            state = times_x(state, p);
        k->table[byte] = reflected ? reverse(state) : state;
    }
}
