/* Portable reference of Adler-32.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/adler32_kernels.h"

#define MODULUS 65521u /* the largest prime below 2^16 */

/* Bytes between reductions, so that b stays below 2^32: the largest n with
 * 255 n (n + 1) / 2 + (n + 1) (MODULUS - 1) < 2^32. */
#define CHUNK 5552

uint32_t isalk_adler32_base(uint32_t init, const uint8_t *buf, size_t len)
{
    uint32_t a = (init & 0xffff) % MODULUS, b = (init >> 16) % MODULUS;

    while (len) {
        size_t n = len < CHUNK ? len : CHUNK;
        len -= n;
        while (n--) {
            a += *buf++;
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    return b << 16 | a;
}
