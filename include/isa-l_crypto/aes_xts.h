/* AES in XTS mode, for sectors of storage (IEEE 1619, NIST SP 800-38E).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each sector has a tweak of 16 bytes, usually its number as a little-endian integer, and two keys:
 * k1 encrypts the data, k2 the tweak. They must be independent of each other. XTS hides contents,
 * and a change turns a block of 16 bytes into noise, but is not detected; writing the same data to
 * the same sector again gives the same ciphertext.
 *
 * A sector has len_bytes >= 16, any number: the last 16 to 31 bytes are encrypted with ciphertext
 * stealing. Any alignment will do. out may be in, but must not overlap it otherwise. The tweak is
 * not changed. All functions are thread-safe: there is no state.
 *
 * Use the functions with expanded keys for more than a few sectors: the others expand both keys on
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

/* Fewest and most bytes of a sector. */
#define ISAL_AES_XTS_MIN_LEN 16
#define ISAL_AES_XTS_MAX_LEN (1 << 24)

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define AES_XTS_MIN_LEN ISAL_AES_XTS_MIN_LEN
#define AES_XTS_MAX_LEN ISAL_AES_XTS_MAX_LEN
#endif

/* Encrypts or decrypts a sector; k1 and k2 are keys of 16 or 32 bytes each.
 *
 * Returns 0, or, with nothing written, the first that applies of ISAL_CRYPTO_ERR_NULL_KEY,
 * _XTS_NULL_TWEAK, _NULL_SRC (no in), _NULL_DST (no out), _CIPH_LEN (fewer than
 * ISAL_AES_XTS_MIN_LEN or more than ISAL_AES_XTS_MAX_LEN bytes). */
int isal_aes_xts_enc_128(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);
int isal_aes_xts_enc_256(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);
int isal_aes_xts_dec_128(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);
int isal_aes_xts_dec_256(const uint8_t *k2, const uint8_t *k1, const uint8_t *initial_tweak,
                         const uint64_t len_bytes, const void *in, void *out);

/* The same with schedules as isal_aes_keyexp_*() makes them: k2 is an encryption schedule; k1 is
 * one for encryption and a decryption schedule for decryption. Without a key the error is
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
 * to out. The tweak of sector i is (first_sector + i) mod 2^64 as a little-endian integer of 16
 * bytes, the last 8 of which are therefore 0: sector 2^64 - 1 is followed by sector 0. Schedules are
 * as above. Tweaks are encrypted eight at a time, ahead of the sectors.
 *
 * Returns 0, or, with nothing written, the first that applies of ISAL_CRYPTO_ERR_NULL_EXP_KEY,
 * _NULL_SRC, _NULL_DST, _CIPH_LEN (sector_bytes out of range, or the product does not fit in a
 * size_t). With n = 0 nothing but the keys is looked at. */
int isal_aes_xts_enc_128_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);
int isal_aes_xts_enc_256_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);
int isal_aes_xts_dec_128_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);
int isal_aes_xts_dec_256_sectors(const uint8_t *k2, const uint8_t *k1, uint64_t first_sector,
                                 uint64_t sector_bytes, uint64_t n, const void *in, void *out);

/* ---- Older names, for programs that already call them: N bytes, no checks but that fewer than 16
 * do nothing ---- */
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
