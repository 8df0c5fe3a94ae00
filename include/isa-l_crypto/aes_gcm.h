/* AES in Galois/counter mode: encryption and authentication in one (NIST SP 800-38D).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Encryption turns a message into ciphertext of the same length and a tag, which also covers `aad`,
 * additional data that is sent in the clear. Decryption computes the tag of what it was given, and
 * leaves it to the caller to compare that with the tag received:
 *
 *     isal_aes_gcm_dec_128(&key, &context, text, ciphertext, len, iv, aad, aad_len, tag, 16);
 *     unsigned char difference = 0;
 *     for (int i = 0; i < 16; i++)
 *         difference |= tag[i] ^ received[i];
 *     if (difference)
 *         refuse, and forget text;
 *
 * in constant time, not with memcmp(). Never use an initialization vector twice with the same key:
 * two messages with the same one reveal their difference and let anybody forge tags.
 *
 * Prepare a key once with isal_aes_gcm_pre_*(); the key data is only read afterwards and may be
 * shared between threads. It is as secret as the key: wipe it when it is no longer needed
 * (explicit_bzero). A context belongs to one message at a time. Everything may have any
 * alignment; 16 bytes is fastest. out may be in, but must not overlap it otherwise. A message has
 * at most ISAL_GCM_MAX_LEN bytes under the rules of these functions, and should have at most 2^36 -
 * 32 under those of the standard.
 *
 * For messages in pieces: init, then any number of enc_update or dec_update calls with pieces of
 * any length, then finalize. The others do all three.
 *
 * Functions return 0, or with nothing written the first that applies of the errors given. */

#ifndef ISAL_CRYPTO_AES_GCM_H
#define ISAL_CRYPTO_AES_GCM_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_GCM_MAX_TAG_LEN 16
#define ISAL_GCM_IV_LEN 12
#define ISAL_GCM_128_KEY_LEN 16
#define ISAL_GCM_256_KEY_LEN 32
#define ISAL_GCM_BLOCK_LEN 16
#define ISAL_GCM_ENC_KEY_LEN 16
#define ISAL_GCM_KEY_SETS 15 /* round keys of the largest key */
#define ISAL_GCM_MAX_LEN ((1ULL << 39) - 257)

/* A prepared key: its encryption schedule, and powers of the hash key whose arrangement is the
 * library's own. The names of the members are kept for programs that were compiled with them. */
#if defined(__GNUC__) || defined(__clang__)
#define ISAL_GCM_ALIGNED __attribute__((aligned(16)))
#else
#define ISAL_GCM_ALIGNED
#endif
struct isal_gcm_key_data {
    uint8_t expanded_keys[ISAL_GCM_ENC_KEY_LEN * ISAL_GCM_KEY_SETS] ISAL_GCM_ALIGNED;
    uint8_t shifted_hkey_1[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_2[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_3[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_4[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_5[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_6[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_7[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_8[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_1_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_2_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_3_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_4_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_5_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_6_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_7_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_8_k[ISAL_GCM_ENC_KEY_LEN];
    uint8_t shifted_hkey_n_k[ISAL_GCM_ENC_KEY_LEN * (64 - 16)];
};

/* A message in progress. aad_length, in_length and partial_block_length may be read: bytes so far,
 * and bytes of the block begun (after isal_aes_gcm_init_iv_*(), modulo 16). */
struct isal_gcm_context_data {
    uint8_t aad_hash[ISAL_GCM_BLOCK_LEN];
    uint64_t aad_length;
    uint64_t in_length;
    uint8_t partial_block_enc_key[ISAL_GCM_BLOCK_LEN];
    uint8_t orig_IV[ISAL_GCM_BLOCK_LEN];
    uint8_t current_counter[ISAL_GCM_BLOCK_LEN];
    uint64_t partial_block_length;
};

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
/* Older names of the above, and what older programs find here. */
#define gcm_key_data isal_gcm_key_data
#define gcm_context_data isal_gcm_context_data
#define MAX_TAG_LEN ISAL_GCM_MAX_TAG_LEN
#define GCM_IV_LEN 16
#define GCM_IV_DATA_LEN ISAL_GCM_IV_LEN
#define GCM_IV_END_MARK {0x00, 0x00, 0x00, 0x01};
#define GCM_IV_END_START 12
#define GCM_128_KEY_LEN ISAL_GCM_128_KEY_LEN
#define GCM_256_KEY_LEN ISAL_GCM_256_KEY_LEN
#define GCM_BLOCK_LEN ISAL_GCM_BLOCK_LEN
#define GCM_ENC_KEY_LEN ISAL_GCM_ENC_KEY_LEN
#define GCM_KEY_SETS ISAL_GCM_KEY_SETS
#define GCM_MAX_LEN ISAL_GCM_MAX_LEN
#define LONGEST_TESTED_AAD_LENGTH (2 * 1024)
#endif

/* Prepares a key of 16 or 32 bytes. Errors: ISAL_CRYPTO_ERR_NULL_KEY, _NULL_EXP_KEY (no key_data).
 */
int isal_aes_gcm_pre_128(const void *key, struct isal_gcm_key_data *key_data);
int isal_aes_gcm_pre_256(const void *key, struct isal_gcm_key_data *key_data);

/* Encrypts or decrypts a message of len bytes and computes its tag.
 *
 * iv: 12 bytes; aad: aad_len bytes, any number; auth_tag: receives the first auth_tag_len, 8, 12 or
 * 16, bytes of the tag. context_data is used as scratch. in and out may be NULL if len is 0.
 *
 * Errors: ISAL_CRYPTO_ERR_NULL_EXP_KEY (no key_data), _NULL_CTX, _NULL_DST (no out), _NULL_SRC (no
 * in), _CIPH_LEN (len is more than ISAL_GCM_MAX_LEN or than a size_t can hold), _NULL_IV, _NULL_AAD
 * (no aad although aad_len > 0, or aad_len is more than a size_t can hold), _NULL_AUTH (no
 * auth_tag), _AUTH_TAG_LEN. */
int isal_aes_gcm_enc_128(const struct isal_gcm_key_data *key_data,
                         struct isal_gcm_context_data *context_data, uint8_t *out,
                         const uint8_t *in, const uint64_t len, const uint8_t *iv,
                         const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                         const uint64_t auth_tag_len);
int isal_aes_gcm_enc_256(const struct isal_gcm_key_data *key_data,
                         struct isal_gcm_context_data *context_data, uint8_t *out,
                         const uint8_t *in, const uint64_t len, const uint8_t *iv,
                         const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                         const uint64_t auth_tag_len);
int isal_aes_gcm_dec_128(const struct isal_gcm_key_data *key_data,
                         struct isal_gcm_context_data *context_data, uint8_t *out,
                         const uint8_t *in, const uint64_t len, const uint8_t *iv,
                         const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                         const uint64_t auth_tag_len);
int isal_aes_gcm_dec_256(const struct isal_gcm_key_data *key_data,
                         struct isal_gcm_context_data *context_data, uint8_t *out,
                         const uint8_t *in, const uint64_t len, const uint8_t *iv,
                         const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                         const uint64_t auth_tag_len);

/* Starts a message. iv has 12 bytes. Errors: ISAL_CRYPTO_ERR_NULL_EXP_KEY, _NULL_CTX, _NULL_IV,
 * _NULL_AAD, as above. */
int isal_aes_gcm_init_128(const struct isal_gcm_key_data *key_data,
                          struct isal_gcm_context_data *context_data, const uint8_t *iv,
                          const uint8_t *aad, const uint64_t aad_len);
int isal_aes_gcm_init_256(const struct isal_gcm_key_data *key_data,
                          struct isal_gcm_context_data *context_data, const uint8_t *iv,
                          const uint8_t *aad, const uint64_t aad_len);

/* The same with an initialization vector of any length but 0: 12 bytes are best. Errors: as above,
 * and ISAL_CRYPTO_ERR_NULL_IV also if iv_len is 0 or more than a size_t can hold. */
int isal_aes_gcm_init_iv_128(const struct isal_gcm_key_data *key_data,
                             struct isal_gcm_context_data *context_data, const uint8_t *iv,
                             uint64_t iv_len, const uint8_t *aad, uint64_t aad_len);
int isal_aes_gcm_init_iv_256(const struct isal_gcm_key_data *key_data,
                             struct isal_gcm_context_data *context_data, const uint8_t *iv,
                             uint64_t iv_len, const uint8_t *aad, uint64_t aad_len);

/* Continues a message with len bytes. Errors: ISAL_CRYPTO_ERR_NULL_EXP_KEY, _NULL_CTX, _NULL_SRC
 * and _NULL_DST (if len > 0), _CIPH_LEN. */
int isal_aes_gcm_enc_128_update(const struct isal_gcm_key_data *key_data,
                                struct isal_gcm_context_data *context_data, uint8_t *out,
                                const uint8_t *in, const uint64_t len);
int isal_aes_gcm_enc_256_update(const struct isal_gcm_key_data *key_data,
                                struct isal_gcm_context_data *context_data, uint8_t *out,
                                const uint8_t *in, const uint64_t len);
int isal_aes_gcm_dec_128_update(const struct isal_gcm_key_data *key_data,
                                struct isal_gcm_context_data *context_data, uint8_t *out,
                                const uint8_t *in, const uint64_t len);
int isal_aes_gcm_dec_256_update(const struct isal_gcm_key_data *key_data,
                                struct isal_gcm_context_data *context_data, uint8_t *out,
                                const uint8_t *in, const uint64_t len);

/* Ends a message: writes the first auth_tag_len bytes of its tag. Errors:
 * ISAL_CRYPTO_ERR_NULL_EXP_KEY, _NULL_CTX, _NULL_AUTH, _AUTH_TAG_LEN. */
int isal_aes_gcm_enc_128_finalize(const struct isal_gcm_key_data *key_data,
                                  struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                                  const uint64_t auth_tag_len);
int isal_aes_gcm_enc_256_finalize(const struct isal_gcm_key_data *key_data,
                                  struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                                  const uint64_t auth_tag_len);
int isal_aes_gcm_dec_128_finalize(const struct isal_gcm_key_data *key_data,
                                  struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                                  const uint64_t auth_tag_len);
int isal_aes_gcm_dec_256_finalize(const struct isal_gcm_key_data *key_data,
                                  struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                                  const uint64_t auth_tag_len);

/* The same for large messages that will not be read again soon. Programs should align in and out to
 * 64 bytes, and pass pieces of a multiple of 64 bytes but for the last, as other implementations
 * ask; this one gives the right result in any case. */
int isal_aes_gcm_enc_128_nt(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, const uint64_t len, const uint8_t *iv,
                            const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                            const uint64_t auth_tag_len);
int isal_aes_gcm_enc_256_nt(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, const uint64_t len, const uint8_t *iv,
                            const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                            const uint64_t auth_tag_len);
int isal_aes_gcm_dec_128_nt(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, const uint64_t len, const uint8_t *iv,
                            const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                            const uint64_t auth_tag_len);
int isal_aes_gcm_dec_256_nt(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, const uint64_t len, const uint8_t *iv,
                            const uint8_t *aad, const uint64_t aad_len, uint8_t *auth_tag,
                            const uint64_t auth_tag_len);
int isal_aes_gcm_enc_128_update_nt(const struct isal_gcm_key_data *key_data,
                                   struct isal_gcm_context_data *context_data, uint8_t *out,
                                   const uint8_t *in, const uint64_t len);
int isal_aes_gcm_enc_256_update_nt(const struct isal_gcm_key_data *key_data,
                                   struct isal_gcm_context_data *context_data, uint8_t *out,
                                   const uint8_t *in, const uint64_t len);
int isal_aes_gcm_dec_128_update_nt(const struct isal_gcm_key_data *key_data,
                                   struct isal_gcm_context_data *context_data, uint8_t *out,
                                   const uint8_t *in, const uint64_t len);
int isal_aes_gcm_dec_256_update_nt(const struct isal_gcm_key_data *key_data,
                                   struct isal_gcm_context_data *context_data, uint8_t *out,
                                   const uint8_t *in, const uint64_t len);

/* ---- Older names, without checks, for programs that already call them. A tag length other than
 * 16, 12 or 8 writes 8 bytes. ---- */
ISAL_DEPRECATED("use isal_aes_gcm_pre_128")
void aes_gcm_pre_128(const void *key, struct isal_gcm_key_data *key_data);
ISAL_DEPRECATED("use isal_aes_gcm_pre_256")
void aes_gcm_pre_256(const void *key, struct isal_gcm_key_data *key_data);
ISAL_DEPRECATED("use isal_aes_gcm_init_128")
void aes_gcm_init_128(const struct isal_gcm_key_data *key_data,
                      struct isal_gcm_context_data *context_data, uint8_t *iv, const uint8_t *aad,
                      uint64_t aad_len);
ISAL_DEPRECATED("use isal_aes_gcm_init_256")
void aes_gcm_init_256(const struct isal_gcm_key_data *key_data,
                      struct isal_gcm_context_data *context_data, uint8_t *iv, const uint8_t *aad,
                      uint64_t aad_len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_128")
void aes_gcm_enc_128(const struct isal_gcm_key_data *key_data,
                     struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                     uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                     uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_128_update")
void aes_gcm_enc_128_update(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_256")
void aes_gcm_enc_256(const struct isal_gcm_key_data *key_data,
                     struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                     uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                     uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_256_update")
void aes_gcm_enc_256_update(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_128")
void aes_gcm_dec_128(const struct isal_gcm_key_data *key_data,
                     struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                     uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                     uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_128_update")
void aes_gcm_dec_128_update(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_256")
void aes_gcm_dec_256(const struct isal_gcm_key_data *key_data,
                     struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                     uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                     uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_256_update")
void aes_gcm_dec_256_update(const struct isal_gcm_key_data *key_data,
                            struct isal_gcm_context_data *context_data, uint8_t *out,
                            const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_128_nt")
void aes_gcm_enc_128_nt(const struct isal_gcm_key_data *key_data,
                        struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                        uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                        uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_128_update_nt")
void aes_gcm_enc_128_update_nt(const struct isal_gcm_key_data *key_data,
                               struct isal_gcm_context_data *context_data, uint8_t *out,
                               const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_256_nt")
void aes_gcm_enc_256_nt(const struct isal_gcm_key_data *key_data,
                        struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                        uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                        uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_256_update_nt")
void aes_gcm_enc_256_update_nt(const struct isal_gcm_key_data *key_data,
                               struct isal_gcm_context_data *context_data, uint8_t *out,
                               const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_128_nt")
void aes_gcm_dec_128_nt(const struct isal_gcm_key_data *key_data,
                        struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                        uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                        uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_128_update_nt")
void aes_gcm_dec_128_update_nt(const struct isal_gcm_key_data *key_data,
                               struct isal_gcm_context_data *context_data, uint8_t *out,
                               const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_256_nt")
void aes_gcm_dec_256_nt(const struct isal_gcm_key_data *key_data,
                        struct isal_gcm_context_data *context_data, uint8_t *out, const uint8_t *in,
                        uint64_t len, uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
                        uint8_t *auth_tag, uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_256_update_nt")
void aes_gcm_dec_256_update_nt(const struct isal_gcm_key_data *key_data,
                               struct isal_gcm_context_data *context_data, uint8_t *out,
                               const uint8_t *in, uint64_t len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_128_finalize")
void aes_gcm_enc_128_finalize(const struct isal_gcm_key_data *key_data,
                              struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                              uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_enc_256_finalize")
void aes_gcm_enc_256_finalize(const struct isal_gcm_key_data *key_data,
                              struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                              uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_128_finalize")
void aes_gcm_dec_128_finalize(const struct isal_gcm_key_data *key_data,
                              struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                              uint64_t auth_tag_len);
ISAL_DEPRECATED("use isal_aes_gcm_dec_256_finalize")
void aes_gcm_dec_256_finalize(const struct isal_gcm_key_data *key_data,
                              struct isal_gcm_context_data *context_data, uint8_t *auth_tag,
                              uint64_t auth_tag_len);

#ifdef __cplusplus
}
#endif

#endif
