/* Computes the constants of a CRC from its polynomial.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc_kernels.h"

#include <string.h>

static uint64_t reverse(uint64_t a)
{
    return crc_reverse(a, 64);
}

/* a x mod x^64 + p. */
static uint64_t times_x(uint64_t a, uint64_t p)
{
    return a << 1 ^ (a >> 63 ? p : 0);
}

/* Powers of x modulo P', from which the rows are made. */
#define POWERS (16 * CRC_WIDE_LANES + 8 + 1)
struct powers {
    uint64_t at[POWERS];     /* x^(8 i) */
    uint64_t before[POWERS]; /* x^(8 i - 1), i > 0 */
};

static void compute_powers(struct powers *x, uint64_t p)
{
    uint64_t a = 1;

    x->at[0] = a;
    for (size_t i = 1; i < POWERS; i++) {
        for (int bit = 0; bit < 7; bit++)
            a = times_x(a, p);
        x->before[i] = a;
        x->at[i] = a = times_x(a, p);
    }
}

/* Row of crc_constants.fold for a distance in bytes. */
static void norm_row(uint64_t row[2], const struct powers *x, size_t bytes)
{
    row[0] = x->at[bytes];
    row[1] = x->at[bytes + 8];
}

static void refl_row(uint64_t row[2], const struct powers *x, size_t bytes)
{
    row[0] = reverse(x->before[bytes + 8]);
    row[1] = reverse(x->before[bytes]);
}

void isalk_crc_constants_init(struct crc_constants *k, unsigned width, uint64_t poly, int reflected)
{
    static const uint16_t distance[CRC_FOLDS] = {128, 112, 96, 80, 64, 48, 32, 16};
    uint64_t p = poly << (64 - width); /* P' without x^64 */
    uint64_t quotient[2] = {0, 0};     /* Q without x^128 */
    uint64_t remainder = p;
    void (*fold_row)(uint64_t[2], const struct powers *, size_t) = reflected ? refl_row : norm_row;
    struct powers x;

    memset(k, 0, sizeof *k);
    k->poly = poly;
    k->width = width;
    k->reflected = reflected != 0;

    /* Long division of x^192; the initial values are the result of the first step. */
    for (unsigned i = 128; i-- > 0;) {
        quotient[i / 64] |= (remainder >> 63) << i % 64;
        remainder = times_x(remainder, p);
    }
    compute_powers(&x, p);
    for (size_t i = 0; i < CRC_WIDE_LANES; i++)
        fold_row(k->wide[i], &x, 16 * (CRC_WIDE_LANES - 1 - i) + 8);
    refl_row(k->wide_step[0], &x, 256);
    fold_row(k->wide_step[1], &x, 256);
    for (size_t i = 0; i < CRC_MOVES; i++)
        fold_row(k->move[i], &x, i + 8);
    for (size_t row = 0; row < CRC_FOLDS; row++)
        fold_row(k->fold[row], &x, distance[row]);
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
