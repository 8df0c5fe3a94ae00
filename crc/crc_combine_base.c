/* Portable reference of products modulo the polynomial of a CRC.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/crc_combine_kernels.h"

/* Horner's rule over the bits of a, highest power first. p = x^64 mod P' is the state after a byte
 * with only its last bit set. */
uint64_t isalk_crc_multiply_norm_base(uint64_t a, uint64_t b, const struct crc_constants *k)
{
    uint64_t p = k->table[1], product = 0;

    for (int i = 63; i >= 0; i--) {
        product = product << 1 ^ (p & -(product >> 63));
        product ^= b & -(a >> i & 1);
    }
    return product;
}

uint64_t isalk_crc_multiply_refl_base(uint64_t a, uint64_t b, const struct crc_constants *k)
{
    uint64_t p = k->table[0x80], product = 0;

    for (int i = 0; i < 64; i++) {
        product = product >> 1 ^ (p & -(product & 1));
        product ^= b & -(a >> i & 1);
    }
    return product;
}
