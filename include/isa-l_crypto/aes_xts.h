/* AES in XTS mode, for storage sectors (IEEE 1619, NIST SP 800-38E).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each sector has a tweak of 16 bytes, usually its number as a little-endian integer. Key k1
 * encrypts the data and key k2 the tweak; the keys must be independent. XTS hides contents but does
 * not detect changes: a changed block of 16 bytes decrypts to noise. The same data in the same
 * sector always give the same ciphertext.
 *
 *     isal_aes_keyexp_256(k1, k1_enc, k1_dec);
 *     isal_aes_keyexp_256(k2, k2_enc, k2_dec);
 *     isal_aes_xts_enc_256_sectors(k2_enc, k1_enc, first, 4096, n, text, ciphertext);
 *     isal_aes_xts_dec_256_sectors(k2_enc, k1_dec, first, 4096, n, ciphertext, text);
 *
 * A sector has 16 bytes to 16 MiB; a length that is not a multiple of 16 is handled by ciphertext
 * stealing. out may equal in; any other overlap is not allowed. The tweak is not changed. Any
 * alignment will do. All functions are thread-safe: they keep no state.
 *
 * For more than a few sectors use the functions with expanded keys: the others expand both keys in
 * every call. */

#ifndef ISAL_CRYPTO_AES_XTS_H
#define ISAL_CRYPTO_AES_XTS_H

#include <stdint.h>

#include "aes_keyexp.h"
#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of a sector, in bytes. */
#define ISAL_AES_XTS_MIN_LEN 16
#define ISAL_AES_XTS_MAX_LEN (1 << 24)

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define AES_XTS_MIN_LEN ISAL_AES_XTS_MIN_LEN
#define AES_XTS_MAX_LEN ISAL_AES_XTS_MAX_LEN
#endif

/* Encrypts or decrypts a sector of len_bytes. k1, k2: keys of 16 or 32 bytes. initial_tweak: 16
 * bytes.
 *
 * Returns 0; or, with nothing written, the first error in this order: ISAL_CRYPTO_ERR_NULL_KEY (k1
 * or k2 is NULL), _XTS_NULL_TWEAK (initial_tweak), _NULL_SRC (in), _NULL_DST (out), _CIPH_LEN
 * (len_bytes is below ISAL_AES_XTS_MIN_LEN or above ISAL_AES_XTS_MAX_LEN). */
int isal_aes_xts_enc_128(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);
int isal_aes_xts_enc_256(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);
int isal_aes_xts_dec_128(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);
int isal_aes_xts_dec_256(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);

/* The same with schedules from isal_aes_keyexp_*(). k2: an encryption schedule. k1: an encryption
 * schedule to encrypt, a decryption schedule to decrypt. The error for a NULL key is
 * ISAL_CRYPTO_ERR_NULL_EXP_KEY. */
int isal_aes_xts_enc_128_expanded_key(const uint8_t *k2, const uint8_t *k1,
                                      const uint8_t *initial_tweak, const uint64_t len_bytes,
                                      const void *in, void *out);
int isal_aes_xts_enc_256_expanded_key(const uint8_t *k2, const uint8_t *k1,
                                      const uint8_t *initial_tweak, const uint64_t len_bytes,
                                      const void *in, void *out);
int isal_aes_xts_dec_128_expanded_key(const uint8_t *k2, const uint8_t *k1,
                                      const uint8_t *initial_tweak, const uint64_t len_bytes,
                                      const void *in, void *out);
int isal_aes_xts_dec_256_expanded_key(const uint8_t *k2, const uint8_t *k1,
                                      const uint8_t *initial_tweak, const uint64_t len_bytes,
                                      const void *in, void *out);

/* Encrypts or decrypts n consecutive sectors of sector_bytes each, n * sector_bytes bytes from in
 * to out. k1 and k2 are schedules as above. The tweak of sector i is the little-endian integer
 * (first_sector + i) mod 2^64 in 16 bytes; its last 8 bytes are 0.
 *
 * Returns 0; or, with nothing written, the first error in this order: ISAL_CRYPTO_ERR_NULL_EXP_KEY,
 * _NULL_SRC, _NULL_DST, _CIPH_LEN (sector_bytes is out of range, or n * sector_bytes does not fit
 * in a size_t). With n = 0 only the keys are checked. */
int isal_aes_xts_enc_128_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);
int isal_aes_xts_enc_256_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);
int isal_aes_xts_dec_128_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);
int isal_aes_xts_dec_256_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);

/* ---- Older names, kept for existing programs. N is the number of bytes. Arguments are not
 * checked, except that N < 16 does nothing. ---- */
ISAL_DEPRECATED("use isal_aes_xts_enc_128")
void XTS_AES_128_enc(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N, const uint8_t *pt,
                     uint8_t *ct);
ISAL_DEPRECATED("use isal_aes_xts_enc_256")
void XTS_AES_256_enc(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N, const uint8_t *pt,
                     uint8_t *ct);
ISAL_DEPRECATED("use isal_aes_xts_dec_128")
void XTS_AES_128_dec(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N, const uint8_t *ct,
                     uint8_t *pt);
ISAL_DEPRECATED("use isal_aes_xts_dec_256")
void XTS_AES_256_dec(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N, const uint8_t *ct,
                     uint8_t *pt);
ISAL_DEPRECATED("use isal_aes_xts_enc_128_expanded_key")
void XTS_AES_128_enc_expanded_key(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N,
                                  const uint8_t *pt, uint8_t *ct);
ISAL_DEPRECATED("use isal_aes_xts_enc_256_expanded_key")
void XTS_AES_256_enc_expanded_key(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N,
                                  const uint8_t *pt, uint8_t *ct);
ISAL_DEPRECATED("use isal_aes_xts_dec_128_expanded_key")
void XTS_AES_128_dec_expanded_key(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N,
                                  const uint8_t *ct, uint8_t *pt);
ISAL_DEPRECATED("use isal_aes_xts_dec_256_expanded_key")
void XTS_AES_256_dec_expanded_key(uint8_t *k2, uint8_t *k1, uint8_t *TW_initial, uint64_t N,
                                  const uint8_t *ct, uint8_t *pt);

#ifdef __cplusplus
}
#endif

#endif
