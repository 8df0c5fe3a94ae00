/* CRCs of 64 bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     polynomial                     normal order (_norm)     reflected order (_refl)
 *     ecma      0x42f0e1eba9ea3693   CRC-64/WE                CRC-64/XZ
 *     iso       0x000000000000001b                            CRC-64/GO-ISO
 *     jones     0xad93d23594c935a9                            Redis's, but with complements
 *     rocksoft  0xad93d23594c93659                            CRC-64/NVME
 *
 * The published values are those with init_crc 0: every function complements the value that it
 * takes and the one that it returns. The order says which bit of each byte comes first: the most
 * significant one (normal) or the least significant one (reflected).
 *
 * Every function takes the result of the call before it, so that data can come in pieces: the CRC
 * of A followed by B is f(f(init, A), B).
 *
 * Buffers may have any length and alignment. Nothing beyond len bytes is read or written. Length 0
 * returns init_crc, and then the buffers may be NULL. All functions are thread-safe: there is no
 * state. */

#ifndef ISAL_CRC64_H
#define ISAL_CRC64_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CRC of len bytes at buf that follow data whose CRC is init_crc. */
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

/* The same by carry-less multiplication with SSE encodings; without PCLMULQDQ and SSE4.1 in the
 * build, portable C. They need a CPU that has both: the functions above choose by themselves. */
uint64_t crc64_ecma_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_ecma_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_iso_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_jones_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_norm_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);
uint64_t crc64_rocksoft_refl_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len);

/* Copies len bytes from src to dst and returns their CRC. dst may be src, but must not overlap it
 * otherwise. The data passes through the core once, which is faster than memcpy() and the CRC one
 * after the other. */
uint64_t isal_crc64_ecma_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_ecma_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_iso_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_iso_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_jones_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_jones_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_rocksoft_norm_copy(void *dst, const void *src, size_t len, uint64_t init_crc);
uint64_t isal_crc64_rocksoft_refl_copy(void *dst, const void *src, size_t len, uint64_t init_crc);

/* The same with non-temporal stores: dst goes to memory past the caches, which keep what they hold.
 * This is for much more data than the caches hold that is not read soon. It is not faster in itself,
 * and for data that fits a cache much slower. dst must not overlap src. */
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
