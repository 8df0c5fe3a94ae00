/* AES key expansion: the round keys that the other AES functions take.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A schedule is an array of round keys of 16 bytes each, in the byte order of FIPS 197: 11 of them
 * (176 bytes) for a key of 128 bits, 13 (208) for 192, 15 (240) for 256. The encryption schedule is
 * in the order of use. The decryption schedule is that of the equivalent inverse cipher: the round
 * keys in reverse, all but the first and the last through InvMixColumns.
 *
 * Schedules may have any alignment; 16 bytes is fastest. They are as secret as the key: wipe them
 * when they are no longer needed, with explicit_bzero() or its like, since a compiler may leave out
 * a memset() of what nobody reads again. All functions are thread-safe: there is no state. */

#ifndef ISAL_CRYPTO_AES_KEYEXP_H
#define ISAL_CRYPTO_AES_KEYEXP_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Expands a key of 16, 24 or 32 bytes into both schedules, which must not overlap the key or each
 * other. Exactly the 176, 208 or 240 bytes of each are written.
 *
 * Returns 0, ISAL_CRYPTO_ERR_NULL_KEY or ISAL_CRYPTO_ERR_NULL_EXP_KEY. */
int isal_aes_keyexp_128(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);
int isal_aes_keyexp_192(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);
int isal_aes_keyexp_256(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);

/* The same without checks, for programs that already call them. */
ISAL_DEPRECATED("use isal_aes_keyexp_128")
void aes_keyexp_128(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);
ISAL_DEPRECATED("use isal_aes_keyexp_192")
void aes_keyexp_192(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);
ISAL_DEPRECATED("use isal_aes_keyexp_256")
void aes_keyexp_256(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);

#ifdef __cplusplus
}
#endif

#endif
