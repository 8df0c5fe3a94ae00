/* Types and declarations shared by the files of the AES family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef AES_KERNELS_H
#define AES_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/aes_cbc.h"
#include "isa-l_crypto/aes_ctr.h"
#include "isa-l_crypto/aes_gcm.h"
#include "isa-l_crypto/aes_keyexp.h"
#include "isa-l_crypto/aes_xts.h"

#include "aes_sliced.h"
#include "dispatch/kernel.h"

#define AES_BLOCK 16
#define AES_MAX_ROUND_KEYS 15

/* Returns whether a length does not fit in a size_t, as is possible where addresses have fewer than
 * 64 bits. */
ISALK_INLINE int aes_beyond_memory(uint64_t len)
{
    return (size_t) len != len;
}

/* Expands the key to both schedules, or to the encryption schedule alone if dec is NULL. */
typedef void aes_keyexp_fn(const uint8_t *key, uint8_t *enc, uint8_t *dec);
KERNEL_SLOT_TYPE(aes_keyexp_fn);

/* CBC of len bytes, a multiple of 16. */
typedef void aes_cbc_fn(const uint8_t *in, const uint8_t *iv, const uint8_t *keys, uint8_t *out,
                        size_t len);
KERNEL_SLOT_TYPE(aes_cbc_fn);

/* Counter mode of len bytes. The counter is a big-endian integer whose lower 64 bits do not wrap
 * before the last block. */
typedef void aes_ctr_fn(const uint8_t *in, const uint8_t *counter, const uint8_t *keys,
                        uint8_t *out, size_t len);
KERNEL_SLOT_TYPE(aes_ctr_fn);

/* CBC encryption of `blocks` >= 1 blocks in each lane, one message a lane. Advances the pointers
 * and the IVs. Messages do not overlap each other, but lanes may be identical.
 *
 * aes_cbc_mb: the first AES_LANES lanes, under one key, whose schedule is `keys`.
 * aes_cbc_mb_keys: all lanes; `keys` is a struct aes_cbc_table. Both structs are aligned. */
#define AES_LANES 8
#define AES_KEYED_LANES 16
struct aes_cbc_lanes {
    _Alignas(64) uint8_t iv[AES_KEYED_LANES][AES_BLOCK];
    const uint8_t *in[AES_KEYED_LANES];
    uint8_t *out[AES_KEYED_LANES];
};
struct aes_cbc_table {
    _Alignas(64) uint8_t round_key[AES_MAX_ROUND_KEYS][AES_KEYED_LANES][AES_BLOCK];
};
typedef void aes_cbc_mb_fn(struct aes_cbc_lanes *lanes, const uint8_t *keys, size_t blocks);
KERNEL_SLOT_TYPE(aes_cbc_mb_fn);

/* XTS of one sector of len >= 16 bytes. k1 and k2 are schedules; if k2 is NULL, the tweak is
 * already encrypted. */
typedef void aes_xts_fn(const uint8_t *k2, const uint8_t *k1, const uint8_t *tweak, size_t len,
                        const uint8_t *in, uint8_t *out);
KERNEL_SLOT_TYPE(aes_xts_fn);

/* What XTS needs from keys that are not expanded: keys = the schedule of k1, for encryption or
 * decryption; first = the encrypted tweak. */
typedef void aes_xts_keys_fn(const uint8_t *k2, const uint8_t *k1, const uint8_t *tweak,
                             uint8_t *keys, uint8_t *first);
KERNEL_SLOT_TYPE(aes_xts_keys_fn);

/* GCM.
 *
 * A polynomial over GF(2) of degree below 128 is a 128-bit integer whose bit 127 - i is the
 * coefficient of x^i. It is the value of the block as a big-endian integer. The carry-less product
 * of two such integers is the product of the polynomials times x. Therefore the powers of the hash
 * key H are stored divided by x, modulo x^128 + x^7 + x^2 + x + 1, each as a little-endian integer:
 * H^GCM_POWERS / x first, H / x last. GCM_PADDING blocks of zeros follow, so that whole vectors can
 * be loaded. All variants use this layout, because the cap may change while a key is in use. On
 * CPUs without AVX-512, no variant reads more than the last GCM_FEW_POWERS, and the others may be
 * missing. */
#define GCM_POWERS 33
#define GCM_FEW_POWERS 16
#define GCM_PADDING 3
#define GCM_POWERS_AT offsetof(struct isal_gcm_key_data, shifted_hkey_1)
_Static_assert(offsetof(struct isal_gcm_key_data, expanded_keys) == 0, "key data is a schedule");
_Static_assert(GCM_POWERS_AT + AES_BLOCK * (GCM_POWERS + GCM_PADDING) <= 1264, "the powers fit");

/* Computes the powers of a key from its schedule: all, or the last GCM_FEW_POWERS in a row that
 * avoids AVX-512. */
typedef void aes_gcm_powers_fn(struct isal_gcm_key_data *key);
KERNEL_SLOT_TYPE(aes_gcm_powers_fn);

/* hash = GHASH of hash and len bytes of data; the last block is padded with zeros. */
typedef void aes_ghash_fn(const struct isal_gcm_key_data *key, uint8_t *hash, const uint8_t *data,
                          size_t len);
KERNEL_SLOT_TYPE(aes_ghash_fn);

/* The parts of a message other than its text. */
struct gcm_message {
    const uint8_t *iv; /* 12 bytes */
    const uint8_t *aad;
    uint64_t aad_len;
    uint8_t *tag;
    uint64_t tag_len; /* 8, 12 or 16 */
};

/* The counter of a message's first block of text. A piece of 8 blocks or more must begin at a
 * counter that exceeds it by a multiple of 8, a piece of 32 blocks or more by a multiple of 32. */
#define GCM_FIRST_COUNTER 2u

/* Adds 0 or 1 to the last four bytes of a counter, without a branch: with an IV other than 96 bits,
 * the initial counter depends on H and is secret. */
ISALK_INLINE void gcm_count(uint8_t counter[AES_BLOCK], unsigned n)
{
    isalk_aes_count(counter, 12, n);
}

/* Encrypts or decrypts len bytes. With m: a whole message and its tag; the context is not used.
 * With m NULL: a piece, len is a multiple of 16; advances current_counter, the counter of the next
 * block, and aad_hash in the context. */
typedef void aes_gcm_fn(const struct isal_gcm_key_data *key, struct isal_gcm_context_data *context,
                        uint8_t *out, const uint8_t *in, size_t len, const struct gcm_message *m);
KERNEL_SLOT_TYPE(aes_gcm_fn);

/* X(kernel, type): the kernels of the family. Those with _nt may use non-temporal stores; they
 * require out aligned to 64 bytes and different from in. */
#define AES_KERNELS(X)                       \
    X(aes_keyexp_128, aes_keyexp_fn)         \
    X(aes_keyexp_192, aes_keyexp_fn)         \
    X(aes_keyexp_256, aes_keyexp_fn)         \
    X(aes_cbc_enc_128, aes_cbc_fn)           \
    X(aes_cbc_enc_192, aes_cbc_fn)           \
    X(aes_cbc_enc_256, aes_cbc_fn)           \
    X(aes_cbc_mb_128, aes_cbc_mb_fn)         \
    X(aes_cbc_mb_192, aes_cbc_mb_fn)         \
    X(aes_cbc_mb_256, aes_cbc_mb_fn)         \
    X(aes_cbc_mb_keys_128, aes_cbc_mb_fn)    \
    X(aes_cbc_mb_keys_192, aes_cbc_mb_fn)    \
    X(aes_cbc_mb_keys_256, aes_cbc_mb_fn)    \
    X(aes_cbc_dec_128, aes_cbc_fn)           \
    X(aes_cbc_dec_192, aes_cbc_fn)           \
    X(aes_cbc_dec_256, aes_cbc_fn)           \
    X(aes_ctr_128, aes_ctr_fn)               \
    X(aes_ctr_192, aes_ctr_fn)               \
    X(aes_ctr_256, aes_ctr_fn)               \
    X(aes_xts_enc_128, aes_xts_fn)           \
    X(aes_xts_enc_256, aes_xts_fn)           \
    X(aes_xts_dec_128, aes_xts_fn)           \
    X(aes_xts_dec_256, aes_xts_fn)           \
    X(aes_xts_keys_enc_128, aes_xts_keys_fn) \
    X(aes_xts_keys_enc_256, aes_xts_keys_fn) \
    X(aes_xts_keys_dec_128, aes_xts_keys_fn) \
    X(aes_xts_keys_dec_256, aes_xts_keys_fn) \
    X(aes_gcm_powers_128, aes_gcm_powers_fn) \
    X(aes_gcm_powers_256, aes_gcm_powers_fn) \
    X(aes_ghash, aes_ghash_fn)               \
    X(aes_gcm_enc_128, aes_gcm_fn)           \
    X(aes_gcm_enc_256, aes_gcm_fn)           \
    X(aes_gcm_dec_128, aes_gcm_fn)           \
    X(aes_gcm_dec_256, aes_gcm_fn)           \
    X(aes_gcm_enc_128_nt, aes_gcm_fn)        \
    X(aes_gcm_enc_256_nt, aes_gcm_fn)        \
    X(aes_gcm_dec_128_nt, aes_gcm_fn)        \
    X(aes_gcm_dec_256_nt, aes_gcm_fn)

ISALK_HIDDEN_BEGIN

#define X(kernel, type)                                      \
    type isalk_##kernel##_base, isalk_##kernel##_portable;   \
    type isalk_##kernel##_armv8;                             \
    type isalk_##kernel##_sse, isalk_##kernel##_avx;         \
    type isalk_##kernel##_avx2_v, isalk_##kernel##_avx512_v; \
    extern type##_slot isalk_##kernel##_slot;
AES_KERNELS(X)
#undef X

ISALK_HIDDEN_END

/* The variant of a kernel that is in force. */
#define AES_CALL(kernel) KERNEL_CALL(isalk_##kernel##_slot)

#endif
