/* Adler-32 in C with vectors, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The message is rows of one vector. A block of rows adds each byte to the sum of its column, after
 * it has added that sum to another, `before`, which so counts each byte once for every row of the
 * block that follows it. Then, with N bytes in a row and R rows:
 *
 *     b += N R a + sum over the columns i of N before[i] + (N - i) sum[i]
 *     a += sum over the columns i of sum[i]
 *
 * Columns have 16 bits. Even and odd bytes of a row are added apart. */

#include "crc/adler32_kernels.h"

#if !ISALK_ASM

#include "dispatch/vector.h"

#define MODULUS 65521u
#define ROW sizeof(vec)
#define COLUMNS (ROW / 2)

/* Rows of a block, at most: 255 ROWS (ROWS - 1) / 2 < 2^16. */
#define ROWS 23u

/* Blocks between reductions: at most 5552 bytes (adler32_base.c). */
#define BLOCKS (5552 / (ROWS * ROW))

/* The place of the low byte of 16 bits in memory. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOW 1u
#else
#define LOW 0u
#endif

struct sums {
    uint32_t a, b;
};

/* Continues s over a block. */
ISALK_INLINE struct sums block(struct sums s, const uint8_t *p, uint32_t rows)
{
    vec low = vec_bytes(0), high = low, low_before = low, high_before = low;
    vec mask = vec_low_bytes();
    uint16_t sum[2][COLUMNS], before[2][COLUMNS];
    uint32_t first = s.a * rows, last = 0;

    for (uint32_t r = 0; r < rows; r++, p += ROW) {
        vec x = vec_load(p);
        low_before += low;
        high_before += high;
        low += x & mask;
        high += x >> 8 & mask;
    }
    vec_store(sum[LOW], low);
    vec_store(sum[1 - LOW], high);
    vec_store(before[LOW], low_before);
    vec_store(before[1 - LOW], high_before);
    for (uint32_t i = 0; i < COLUMNS; i++) {
        uint32_t even = sum[0][i], odd = sum[1][i];
        s.a += even + odd;
        first += (uint32_t) before[0][i] + before[1][i];
        last += (uint32_t) (ROW - 2 * i) * (even + odd) - odd;
    }
    s.b += (uint32_t) ROW * first + last;
    return s;
}

uint32_t isalk_adler32_portable(uint32_t init, const uint8_t *buf, size_t len)
{
    struct sums s = {(init & 0xffff) % MODULUS, (init >> 16) % MODULUS};

    while (len >= ROW) {
        for (size_t i = 0; i < BLOCKS && len >= ROW; i++) {
            size_t rows = len < ROWS * ROW ? len / ROW : ROWS;
            s = block(s, buf, (uint32_t) rows);
            buf += rows * ROW;
            len -= rows * ROW;
        }
        s.a %= MODULUS;
        s.b %= MODULUS;
    }
    return isalk_adler32_base(s.b << 16 | s.a, buf, len);
}

#endif
