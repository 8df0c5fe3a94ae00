/* CRCs of 16 and 32 bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     function          width, polynomial  bit order  published as
 *     crc16_t10dif      16, 0x8bb7         normal     CRC-16/T10-DIF, with init_crc 0
 *     crc32_ieee        32, 0x04c11db7     normal     CRC-32/BZIP2, with init_crc 0
 *     crc32_gzip_refl   32, 0x04c11db7     reflected  CRC-32 of gzip, zlib, PNG, with init_crc 0
 *     crc32_iscsi       32, 0x1edc6f41     reflected  CRC-32C: ~crc32_iscsi(buf, len, 0xffffffff)
 *
 * Bit order: the first bit of each byte is the most significant one (normal) or the least
 * significant one (reflected).
 *
 * For data in pieces, pass the CRC of the previous pieces as init_crc:
 *
 *     uint32_t crc = 0;
 *     while ((n = fread(buf, 1, sizeof buf, file)) > 0)
 *         crc = crc32_gzip_refl(crc, buf, n);
 *
 * crc32_ieee and crc32_gzip_refl complement init_crc and the result; crc16_t10dif and crc32_iscsi
 * complement neither.
 *
 * len is in bytes. Buffers may have any length and alignment; only their len bytes are accessed.
 * Length 0 returns init_crc, and the buffers may then be NULL. All functions are thread-safe: they
 * keep no state. Functions whose names end in _base are portable C. */

#ifndef ISAL_CRC_H
#define ISAL_CRC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CRC of the len bytes at buf, continued from init_crc. */
uint16_t crc16_t10dif(uint16_t init_crc, const unsigned char *buf, uint64_t len);
uint32_t crc32_ieee(uint32_t init_crc, const unsigned char *buf, uint64_t len);
uint32_t crc32_gzip_refl(uint32_t init_crc, const unsigned char *buf, uint64_t len);
uint16_t crc16_t10dif_base(uint16_t seed, uint8_t *buf, uint64_t len);
uint32_t crc32_ieee_base(uint32_t seed, uint8_t *buf, uint64_t len);
uint32_t crc32_gzip_refl_base(uint32_t seed, uint8_t *buf, uint64_t len);

/* CRC-32C. init_crc is the last argument; a negative length counts as 0. The buffer is not written
 * to. */
unsigned int crc32_iscsi(unsigned char *buffer, int len, unsigned int init_crc);
unsigned int crc32_iscsi_base(unsigned char *buffer, int len, unsigned int crc_init);

/* Copies len bytes from src to dst and returns their CRC, continued from init_crc. dst may equal
 * src; any other overlap is not allowed. src is not written to. */
uint16_t crc16_t10dif_copy(uint16_t init_crc, uint8_t *dst, uint8_t *src, uint64_t len);
uint16_t crc16_t10dif_copy_base(uint16_t init_crc, uint8_t *dst, uint8_t *src, uint64_t len);

/* The same for every CRC, with the arguments of memcpy() followed by init_crc. The data are read
 * once, which is faster than memcpy() followed by a CRC. */
uint16_t isal_crc16_t10dif_copy(void *dst, const void *src, size_t len, uint16_t init_crc);
uint32_t isal_crc32_ieee_copy(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_gzip_refl_copy(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_iscsi_copy(void *dst, const void *src, size_t len, uint32_t init_crc);

/* The same with non-temporal stores, which bypass the caches and leave their contents in place. Use
 * them for data that are much larger than the caches and will not be read soon. The copy itself is
 * not faster, and is much slower for data that fit a cache. dst must not overlap src. */
uint16_t isal_crc16_t10dif_copy_nt(void *dst, const void *src, size_t len, uint16_t init_crc);
uint32_t isal_crc32_ieee_copy_nt(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_gzip_refl_copy_nt(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_iscsi_copy_nt(void *dst, const void *src, size_t len, uint32_t init_crc);

#ifdef __cplusplus
}
#endif

#endif
