/* GCM as a template, over any block cipher in counter mode and any GHASH.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The including file defines cipher_keys and CIPHER() as for aes_modes.h. GCM_MODES(nt, tier)
 * defines the kernels with the GHASH of that tier; nt is empty or _nt. */

#ifndef GCM_MODES_H
#define GCM_MODES_H

#include "aes_kernels.h"

#include "aes_sliced.h"
#include "dispatch/bytes.h"

#define COUNTER_AT 12 /* place of the 4-byte counter in its block */

ISALK_INLINE void gcm(aes_ghash_fn *ghash, const struct isal_gcm_key_data *key,
                      struct isal_gcm_context_data *context, uint8_t *out, const uint8_t *in,
                      size_t len, const struct gcm_message *m, unsigned rounds, int decrypt)
{
    cipher_keys keys;
    uint8_t whole_hash[AES_BLOCK] = {0}, whole_counter[AES_BLOCK] = {[15] = 1};
    uint8_t mask[AES_BLOCK] = {0}, lengths[AES_BLOCK];
    uint8_t *hash = m ? whole_hash : context->aad_hash;
    uint8_t *counter = m ? whole_counter : context->current_counter;

    CIPHER(keys)(&keys, key->expanded_keys, rounds);
    if (m) {
        memcpy(counter, m->iv, 12);
        CIPHER(ctr)(&keys, counter, COUNTER_AT, mask, mask, sizeof mask);
        ghash(key, hash, m->aad, (size_t) m->aad_len);
    }
    if (decrypt)
        ghash(key, hash, in, len);
    CIPHER(ctr)(&keys, counter, COUNTER_AT, out, in, len);
    if (!decrypt)
        ghash(key, hash, out, len);
    if (m) {
        store_be64(lengths, 8 * m->aad_len);
        store_be64(lengths + 8, 8 * (uint64_t) len);
        ghash(key, hash, lengths, sizeof lengths);
        for (size_t i = 0; i < m->tag_len; i++)
            m->tag[i] = hash[i] ^ mask[i];
    }
    isalk_aes_wipe(&keys, sizeof keys);
    isalk_aes_wipe(mask, sizeof mask);
    isalk_aes_wipe(whole_hash, sizeof whole_hash);
}

#define GCM_KERNEL(name, bits, nt, decrypt, tier)                                                 \
    void isalk_aes_gcm_##name##_##bits##nt##_##tier(                                              \
        const struct isal_gcm_key_data *key, struct isal_gcm_context_data *context, uint8_t *out, \
        const uint8_t *in, size_t len, const struct gcm_message *m)                               \
    {                                                                                             \
        gcm(isalk_aes_ghash_##tier, key, context, out, in, len, m, (bits) / 32 + 6, decrypt);     \
    }

#define GCM_MODES(nt, tier)           \
    GCM_KERNEL(enc, 128, nt, 0, tier) \
    GCM_KERNEL(enc, 256, nt, 0, tier) \
    GCM_KERNEL(dec, 128, nt, 1, tier) \
    GCM_KERNEL(dec, 256, nt, 1, tier)

#endif
