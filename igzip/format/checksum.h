/* Adler-32 as streams keep it between calls.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs can read the checksum of a stream while it runs. Its Adler-32 is then zero-based: the
 * low half is one less than in the standard (modulo 65521), so that it starts at 0 as CRC-32
 * does. */

#ifndef IGZIP_CHECKSUM_H
#define IGZIP_CHECKSUM_H

#include "isa-l/crc.h"
#include "isa-l/igzip_lib.h"

#include "dispatch/compiler.h"

#define ADLER_MODULUS 65521

ISALK_INLINE uint32_t adler_standard(uint32_t zero_based)
{
    return (zero_based & 0xffff0000) | ((zero_based & 0xffff) + 1) % ADLER_MODULUS;
}

ISALK_INLINE uint32_t adler_zero_based(uint32_t standard)
{
    return (standard & 0xffff0000) | ((standard & 0xffff) + ADLER_MODULUS - 1) % ADLER_MODULUS;
}

/* Continues an Adler-32 over n bytes. For a few, a kernel would take longer. */
ISALK_INLINE uint32_t adler_continue(uint32_t adler, const uint8_t *data, uint64_t n)
{
    enum { FEW = 16 };
    uint32_t a = adler & 0xffff, b = adler >> 16;

    if (n >= FEW)
        return isal_adler32(adler, data, n);
    for (uint64_t i = 0; i < n; i++) {
        a += data[i];
        b += a;
    }
    return b % ADLER_MODULUS << 16 | a % ADLER_MODULUS;
}

/* The same, zero-based. */
ISALK_INLINE uint32_t adler_update(uint32_t zero_based, const uint8_t *data, uint64_t n)
{
    return adler_zero_based(adler_continue(adler_standard(zero_based), data, n));
}

#endif
