/* CRCs of 64 bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     polynomial                     normal order (_norm)     reflected order (_refl)
 *     ecma      0x42f0e1eba9ea3693   CRC-64/WE                CRC-64/XZ
 *     iso       0x000000000000001b                            CRC-64/GO-ISO
 *     jones     0xad93d23594c935a9                            Redis's CRC, complemented
 *     rocksoft  0xad93d23594c93659                            CRC-64/NVME
 *
 * init_crc 0 gives the published values: every function complements init_crc and the result. Bit
 * order: the first bit of each byte is the most significant one (normal) or the least significant
 * one (reflected).
 *
 * For data in pieces, pass the CRC of the previous pieces as init_crc:
 *
 *     uint64_t crc = 0;
 *     while ((n = fread(buf, 1, sizeof buf, file)) > 0)
 *         crc = crc64_rocksoft_refl(crc, buf, n);
 *
 * len is in bytes. Buffers may have any length and alignment; only their len bytes are accessed.
 * Length 0 returns init_crc, and the buffers may then be NULL. All functions are thread-safe: they
 * keep no state. */

#ifndef ISAL_CRC64_H
#define ISAL_CRC64_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CRC of the len bytes at buf, continued from init_crc. */
uint64_t crc64_ecma_norm(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_ecma_refl(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_norm(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_refl(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_norm(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_refl(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_norm(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_refl(uint64_t init_crc, const unsigned char *buf, uint64_t len);

/* The same in portable C. */
uint64_t crc64_ecma_norm_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_ecma_refl_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_norm_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_refl_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_norm_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_refl_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_norm_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_refl_base(uint64_t init_crc, const unsigned char *buf, uint64_t len);

/* The same with SSE4.1 and PCLMULQDQ, which the CPU must have; portable C in builds without
 * assembly. Kept for programs that name them: the functions above choose the fastest variant. */
uint64_t crc64_ecma_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_ecma_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);

/* Copies len bytes from src to dst and returns their CRC, continued from init_crc. dst may equal
 * src; any other overlap is not allowed. The data are read once, which is faster than memcpy()
 * followed by a CRC. */
uint64_t isal_crc64_ecma_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_ecma_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_iso_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_iso_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_jones_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_jones_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_rocksoft_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_rocksoft_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);

/* The same with non-temporal stores, which bypass the caches and leave their contents in place. Use
 * them for data that are much larger than the caches and will not be read soon. The copy itself is
 * not faster, and is much slower for data that fit a cache. dst must not overlap src. */
uint64_t isal_crc64_ecma_norm_copy_nt(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_ecma_refl_copy_nt(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_iso_norm_copy_nt(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_iso_refl_copy_nt(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_jones_norm_copy_nt(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_jones_refl_copy_nt(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_rocksoft_norm_copy_nt(void *dst, const void *src, size_t len,
                                          uint64_t init_crc);
uint64_t isal_crc64_rocksoft_refl_copy_nt(void *dst, const void *src, size_t len,
                                          uint64_t init_crc);

#ifdef __cplusplus
}
#endif

#endif
