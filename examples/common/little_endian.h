/* Little-endian integers.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LITTLE_ENDIAN_H
#define LITTLE_ENDIAN_H

#include <stdint.h>

/* Returns the unsigned integer in the `bytes` bytes at p, bytes <= 8. */
static inline uint64_t get_le(const unsigned char *p, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t) p[i] << 8 * i;
    return value;
}

/* Writes the low `bytes` bytes of value to p, bytes <= 8. */
static inline void put_le(unsigned char *p, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        p[i] = (unsigned char) (value >> 8 * i);
}

#endif
