/* Adler-32 and CRC-32 of data, and of joined parts whose checksums are known.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "dispatch/compiler.h"
#include "igzip/zlib/zlib_api.h"
#include "igzip/format/checksum.h"
#include "isa-l/crc_model.h"

/* ---- Adler-32 ---- */

ISAL_PUBLIC unsigned long adler32_z(unsigned long adler, const uint8_t *buf, size_t len)
{
    return buf == NULL ? 1 : isal_adler32((uint32_t) adler, buf, len);
}

ISAL_PUBLIC unsigned long adler32(unsigned long adler, const uint8_t *buf, unsigned len)
{
    return adler32_z(adler, buf, len);
}

/* The low sums add up. The high sums do too, plus the low sum of the first part for each byte of
 * the second. The low sum of each part begins at 1, the high sum at 0. */
ISAL_PUBLIC unsigned long adler32_combine64(unsigned long adler1, unsigned long adler2,
                                            int64_t len2)
{
    uint64_t n = (uint64_t) len2 % ADLER_MODULUS;
    uint64_t low1 = adler1 & 0xffff, high1 = adler1 >> 16 & 0xffff;
    uint64_t low2 = adler2 & 0xffff, high2 = adler2 >> 16 & 0xffff;

    if (len2 < 0)
        return 0xffffffff;
    low1 %= ADLER_MODULUS;
    return (unsigned long) ((high1 + high2 + n * (low1 + ADLER_MODULUS - 1)) % ADLER_MODULUS << 16 |
                            (low1 + low2 + ADLER_MODULUS - 1) % ADLER_MODULUS);
}

ISAL_PUBLIC unsigned long adler32_combine(unsigned long adler1, unsigned long adler2, z_off_t len2)
{
    return adler32_combine64(adler1, adler2, len2);
}

/* ---- CRC-32 ---- */

ISAL_PUBLIC unsigned long crc32_z(unsigned long crc, const uint8_t *buf, size_t len)
{
    return buf == NULL ? 0 : crc32_gzip_refl((uint32_t) crc, buf, len);
}

ISAL_PUBLIC unsigned long crc32(unsigned long crc, const uint8_t *buf, unsigned len)
{
    return buf == NULL ? 0 : crc32_gzip_refl((uint32_t) crc, buf, len);
}

ISAL_PUBLIC unsigned long crc32_combine64(unsigned long crc1, unsigned long crc2, int64_t len2)
{
    return len2 < 0
               ? 0
               : isal_crc32_gzip_refl_combine((uint32_t) crc1, (uint32_t) crc2, (uint64_t) len2);
}

ISAL_PUBLIC unsigned long crc32_combine(unsigned long crc1, unsigned long crc2, z_off_t len2)
{
    return crc32_combine64(crc1, crc2, len2);
}

/* a * b modulo the polynomial of CRC-32. The highest bit is the coefficient of x^0. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;

    for (uint32_t bit = 0x80000000u; bit != 0; bit >>= 1) {
        if (a & bit)
            product ^= b;
        b = b >> 1 ^ (b & 1 ? 0xedb88320u : 0);
    }
    return product;
}

/* The operator is x^(8 len2): the CRC of the first part is multiplied by it. */
ISAL_PUBLIC unsigned long crc32_combine_gen64(int64_t len2)
{
    uint32_t power = 0x00800000u, result = 0x80000000u; /* x^8, 1 */

    for (uint64_t n = len2 < 0 ? 0 : (uint64_t) len2; n != 0; n >>= 1) {
        if (n & 1)
            result = multiply(power, result);
        power = multiply(power, power);
    }
    return result;
}

ISAL_PUBLIC unsigned long crc32_combine_gen(z_off_t len2)
{
    return crc32_combine_gen64(len2);
}

ISAL_PUBLIC unsigned long crc32_combine_op(unsigned long crc1, unsigned long crc2, unsigned long op)
{
    return multiply((uint32_t) op, (uint32_t) crc1) ^ (crc2 & 0xffffffff);
}

/* Entry i is the CRC of byte i, without inversions. It is linear in the bits of i. */
ISAL_PUBLIC const uint32_t *get_crc_table(void)
{
#define BIT0(v) (v), (v) ^ 0x77073096u
#define BIT1(v) BIT0(v), BIT0((v) ^ 0xee0e612cu)
#define BIT2(v) BIT1(v), BIT1((v) ^ 0x076dc419u)
#define BIT3(v) BIT2(v), BIT2((v) ^ 0x0edb8832u)
#define BIT4(v) BIT3(v), BIT3((v) ^ 0x1db71064u)
#define BIT5(v) BIT4(v), BIT4((v) ^ 0x3b6e20c8u)
#define BIT6(v) BIT5(v), BIT5((v) ^ 0x76dc4190u)
    static const uint32_t table[256] = {BIT6(0u), BIT6(0xedb88320u)};

    return table;
}
