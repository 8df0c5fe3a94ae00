/* CRCs of 16 and 32 bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     function          width, polynomial  order      published as
 *     crc16_t10dif      16, 0x8bb7         normal     CRC-16/T10-DIF, with init_crc 0
 *     crc32_ieee        32, 0x04c11db7     normal     CRC-32/BZIP2, with init_crc 0
 *     crc32_gzip_refl   32, 0x04c11db7     reflected  CRC-32 of gzip, zlib, PNG, with init_crc 0
 *     crc32_iscsi       32, 0x1edc6f41     reflected  CRC-32C: ~crc32_iscsi(buf, len, 0xffffffff)
 *
 * The order says which bit of each byte comes first: the most significant one (normal) or the least
 * significant one (reflected).
 *
 * Every function takes the result of the call before it, so that data can come in pieces: the CRC
 * of A followed by B is f(f(init, A), B). crc32_ieee and crc32_gzip_refl complement the value that
 * they take and the one that they return, crc16_t10dif and crc32_iscsi neither.
 *
 * Buffers may have any length and alignment. Nothing beyond len bytes is read or written. Length 0
 * returns init_crc, and then the buffers may be NULL. All functions are thread-safe: there is no
 * state. The functions whose names end in _base are portable C. */

#ifndef ISAL_CRC_H
#define ISAL_CRC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CRC of len bytes at buf that follow data whose CRC is init_crc. */
uint16_t crc16_t10dif(uint16_t init_crc, const unsigned char *buf, uint64_t len);
uint32_t crc32_ieee(uint32_t init_crc, const unsigned char *buf, uint64_t len);
uint32_t crc32_gzip_refl(uint32_t init_crc, const unsigned char *buf, uint64_t len);
uint16_t crc16_t10dif_base(uint16_t seed, uint8_t *buf, uint64_t len);
uint32_t crc32_ieee_base(uint32_t seed, uint8_t *buf, uint64_t len);
uint32_t crc32_gzip_refl_base(uint32_t seed, uint8_t *buf, uint64_t len);

/* The same with other arguments: buffer, length, init_crc. A negative length counts as 0. The
 * buffer is not written to. */
unsigned int crc32_iscsi(unsigned char *buffer, int len, unsigned int init_crc);
unsigned int crc32_iscsi_base(unsigned char *buffer, int len, unsigned int crc_init);

/* Copies len bytes from src to dst and returns their CRC. dst may be src, but must not overlap it
 * otherwise. src is not written to. */
uint16_t crc16_t10dif_copy(uint16_t init_crc, uint8_t *dst, uint8_t *src, uint64_t len);
uint16_t crc16_t10dif_copy_base(uint16_t init_crc, uint8_t *dst, uint8_t *src, uint64_t len);

/* The same for every CRC, in one order of arguments, that of memcpy() and then the CRC so far. The
 * data passes through the core once, which is faster than memcpy() and the CRC one after the
 * other. */
uint16_t isal_crc16_t10dif_copy(void *dst, const void *src, size_t len, uint16_t init_crc);
uint32_t isal_crc32_ieee_copy(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_gzip_refl_copy(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_iscsi_copy(void *dst, const void *src, size_t len, uint32_t init_crc);

/* The same with non-temporal stores: dst goes to memory past the caches, which keep what they hold.
 * This is for much more data than the caches hold that is not read soon. It is not faster in itself,
 * and for data that fits a cache much slower. dst must not overlap src. */
uint16_t isal_crc16_t10dif_copy_nt(void *dst, const void *src, size_t len, uint16_t init_crc);
uint32_t isal_crc32_ieee_copy_nt(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_gzip_refl_copy_nt(void *dst, const void *src, size_t len, uint32_t init_crc);
uint32_t isal_crc32_iscsi_copy_nt(void *dst, const void *src, size_t len, uint32_t init_crc);

#ifdef __cplusplus
}
#endif

#endif
