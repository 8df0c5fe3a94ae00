/* AES key expansion: the round keys for the other AES functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A schedule is an array of round keys of 16 bytes each, in the byte order of FIPS 197: 11 round
 * keys (176 bytes) for a 128-bit key, 13 (208) for 192 bits, 15 (240) for 256 bits. The encryption
 * schedule is in order of use. The decryption schedule is that of the equivalent inverse cipher:
 * the round keys in reverse, with InvMixColumns applied to all except the first and the last.
 *
 * Schedules may have any alignment; 16 bytes is fastest. They are as secret as the key: wipe them
 * after use with explicit_bzero(), not with memset(), which a compiler may remove. All functions
 * are thread-safe: they keep no state. */

#ifndef ISAL_CRYPTO_AES_KEYEXP_H
#define ISAL_CRYPTO_AES_KEYEXP_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Expands a key of 16, 24 or 32 bytes into both schedules, and writes exactly 176, 208 or 240 bytes
 * to each. The key and the schedules must not overlap.
 *
 * Returns 0, ISAL_CRYPTO_ERR_NULL_KEY or ISAL_CRYPTO_ERR_NULL_EXP_KEY. */
int isal_aes_keyexp_128(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);
int isal_aes_keyexp_192(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);
int isal_aes_keyexp_256(const uint8_t *key, uint8_t *exp_key_enc, uint8_t *exp_key_dec);

/* The same without argument checks, kept for existing programs. */
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
