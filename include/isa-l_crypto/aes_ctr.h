/* AES in counter mode (NIST SP 800-38A).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each block of 16 bytes is combined with the cipher of a counter, a big-endian integer of 16 bytes
 * that starts at `iv` and grows by one a block, modulo 2^128. Encryption and decryption are the
 * same.
 *
 * No counter value must ever be used twice with a key, in one message or in two: that gives away
 * the difference of the two blocks. A usual `iv` is 12 bytes that are new for each message, then
 * four of zeros, which leaves room for 2^32 blocks. Counter mode hides contents but does not detect
 * changes: who flips a bit of the ciphertext flips that bit of the text. Authenticate the
 * ciphertext as well, or use GCM.
 *
 * `keys` is an encryption schedule as isal_aes_keyexp_*() makes it, for both directions. Any length
 * and any alignment will do; 0 bytes do nothing. out may be in, but must not overlap it otherwise.
 * All functions are thread-safe: what state there is belongs to the caller. */

#ifndef ISAL_CRYPTO_AES_CTR_H
#define ISAL_CRYPTO_AES_CTR_H

#include <stdint.h>

#include "aes_keyexp.h"
#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Encrypts or decrypts a message of len_bytes from in to out. iv is not changed.
 *
 * Returns 0, or, with nothing written, the first that applies of ISAL_CRYPTO_ERR_NULL_EXP_KEY (no
 * keys), _NULL_SRC (no in), _NULL_DST (no out), _CIPH_LEN (more bytes than a size_t can hold),
 * _NULL_IV. With 0 bytes in and out may be NULL. */
int isal_aes_ctr_128(const void *in, const void *iv, const void *keys, void *out,
                     uint64_t len_bytes);
int isal_aes_ctr_192(const void *in, const void *iv, const void *keys, void *out,
                     uint64_t len_bytes);
int isal_aes_ctr_256(const void *in, const void *iv, const void *keys, void *out,
                     uint64_t len_bytes);

/* A message in pieces. Its members are private; key_stream is secret until the message has ended.
 */
struct isal_aes_ctr_context {
    uint8_t counter[16];    /* of the next block */
    uint8_t key_stream[16]; /* of the block that is begun */
    uint64_t used;          /* bytes of it, 0 to 15 */
};

/* Begins a message.
 *
 * Returns 0, or, with nothing written, ISAL_CRYPTO_ERR_NULL_CTX or _NULL_IV. */
int isal_aes_ctr_init(struct isal_aes_ctr_context *context, const void *iv);

/* The next len_bytes of the message; pieces of any length give what the whole would give.
 *
 *     struct isal_aes_ctr_context context;
 *     isal_aes_ctr_init(&context, iv);
 *     while ((n = read(from, buffer, sizeof buffer)) > 0) {
 *         isal_aes_ctr_128_update(&context, buffer, keys, buffer, (uint64_t) n);
 *         write(to, buffer, (size_t) n);
 *     }
 *     explicit_bzero(&context, sizeof context);
 *
 * not with memset(), which a compiler may leave out before memory that nobody reads again.
 *
 * Returns 0, or, with nothing written, the first that applies of ISAL_CRYPTO_ERR_NULL_CTX,
 * _NULL_EXP_KEY, _NULL_SRC, _NULL_DST, _CIPH_LEN. With 0 bytes in and out may be NULL. */
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
