/* AES in counter mode (NIST SP 800-38A).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each block of 16 bytes is XORed with the encrypted counter, a big-endian integer of 16 bytes that
 * starts at `iv` and increases by 1 for each block, modulo 2^128. Encryption and decryption are the
 * same operation.
 *
 * Never use a counter value twice with the same key, in one message or in two: it reveals the XOR
 * of the two blocks. A common iv is 12 bytes that are unique to the message, then four zero bytes,
 * enough for 2^32 blocks. Counter mode hides contents but does not detect changes: flipping a bit
 * of the ciphertext flips that bit of the text. Authenticate the ciphertext as well, or use GCM.
 *
 * keys: an encryption schedule from isal_aes_keyexp_*(), for both directions. iv: 16 bytes, not
 * changed. len_bytes: any length; 0 does nothing, and in and out may then be NULL. out may equal
 * in; any other overlap is not allowed. Any alignment will do. All functions are thread-safe: the
 * only state is the caller's context. */

#ifndef ISAL_CRYPTO_AES_CTR_H
#define ISAL_CRYPTO_AES_CTR_H

#include <stdint.h>

#include "aes_keyexp.h"
#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Encrypts or decrypts a message of len_bytes from in to out.
 *
 * Returns 0; or, with nothing written, the first error in this order: ISAL_CRYPTO_ERR_NULL_EXP_KEY
 * (keys is NULL), _NULL_SRC (in), _NULL_DST (out), _CIPH_LEN (len_bytes does not fit in a size_t),
 * _NULL_IV (iv). */
int isal_aes_ctr_128(const void *in, const void *iv, const void *keys, void *out,
                     uint64_t len_bytes);
int isal_aes_ctr_192(const void *in, const void *iv, const void *keys, void *out,
                     uint64_t len_bytes);
int isal_aes_ctr_256(const void *in, const void *iv, const void *keys, void *out,
                     uint64_t len_bytes);

/* State of a message in pieces; private. key_stream is secret until the message has ended. */
struct isal_aes_ctr_context {
    uint8_t counter[16];    /* counter of the next block */
    uint8_t key_stream[16]; /* key stream of the current block */
    uint64_t used;          /* bytes of key_stream already used, 0 to 15 */
};

/* Begins a message.
 *
 * Returns 0; or, with nothing written, ISAL_CRYPTO_ERR_NULL_CTX or _NULL_IV. */
int isal_aes_ctr_init(struct isal_aes_ctr_context *context, const void *iv);

/* Encrypts or decrypts the next len_bytes of a message. The result does not depend on how the
 * message is divided.
 *
 *     struct isal_aes_ctr_context context;
 *     isal_aes_ctr_init(&context, iv);
 *     while ((n = read(from, buffer, sizeof buffer)) > 0) {
 *         isal_aes_ctr_128_update(&context, buffer, keys, buffer, (uint64_t) n);
 *         write(to, buffer, (size_t) n);
 *     }
 *     explicit_bzero(&context, sizeof context);
 *
 * Do not replace explicit_bzero() by memset(), which a compiler may remove.
 *
 * Returns 0; or, with nothing written, the first error in this order: ISAL_CRYPTO_ERR_NULL_CTX,
 * _NULL_EXP_KEY, _NULL_SRC, _NULL_DST, _CIPH_LEN. */
int isal_aes_ctr_128_update(struct isal_aes_ctr_context *context, const void *in, const void *keys,
                            void *out, uint64_t len_bytes);
int isal_aes_ctr_192_update(struct isal_aes_ctr_context *context, const void *in, const void *keys,
                            void *out, uint64_t len_bytes);
int isal_aes_ctr_256_update(struct isal_aes_ctr_context *context, const void *in, const void *keys,
                            void *out, uint64_t len_bytes);

#ifdef __cplusplus
}
#endif

#endif
