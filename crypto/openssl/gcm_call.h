/* The GCM functions of the library by key size and direction.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef GCM_CALL_H
#define GCM_CALL_H

#include "isa-l_crypto/aes_gcm.h"

#include <stddef.h>

static inline int gcm_key(unsigned bits, const uint8_t *key, struct isal_gcm_key_data *keys)
{
    return bits == 128 ? isal_aes_gcm_pre_128(key, keys) : isal_aes_gcm_pre_256(key, keys);
}

static inline int gcm_init(unsigned bits, const struct isal_gcm_key_data *keys,
                           struct isal_gcm_context_data *message, const uint8_t *iv,
                           size_t iv_bytes, const uint8_t *aad, size_t aad_bytes)
{
    if (iv_bytes == ISAL_GCM_IV_LEN)
        return bits == 128 ? isal_aes_gcm_init_128(keys, message, iv, aad, aad_bytes)
                           : isal_aes_gcm_init_256(keys, message, iv, aad, aad_bytes);
    return bits == 128 ? isal_aes_gcm_init_iv_128(keys, message, iv, iv_bytes, aad, aad_bytes)
                       : isal_aes_gcm_init_iv_256(keys, message, iv, iv_bytes, aad, aad_bytes);
}

static inline int gcm_update(unsigned bits, int encrypting, const struct isal_gcm_key_data *keys,
                             struct isal_gcm_context_data *message, uint8_t *out, const uint8_t *in,
                             size_t n)
{
    if (bits == 128)
        return encrypting ? isal_aes_gcm_enc_128_update(keys, message, out, in, n)
                          : isal_aes_gcm_dec_128_update(keys, message, out, in, n);
    return encrypting ? isal_aes_gcm_enc_256_update(keys, message, out, in, n)
                      : isal_aes_gcm_dec_256_update(keys, message, out, in, n);
}

/* Makes the tag, which is the same in both directions. */
static inline int gcm_finalize(unsigned bits, const struct isal_gcm_key_data *keys,
                               struct isal_gcm_context_data *message, uint8_t *tag,
                               size_t tag_bytes)
{
    return bits == 128 ? isal_aes_gcm_enc_128_finalize(keys, message, tag, tag_bytes)
                       : isal_aes_gcm_enc_256_finalize(keys, message, tag, tag_bytes);
}

#endif
