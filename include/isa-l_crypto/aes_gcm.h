/* AES in Galois/counter mode: authenticated encryption (NIST SP 800-38D).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Encryption turns a message into ciphertext of the same length and a tag, which also covers `aad`,
 * additional data that are sent in the clear. Decryption computes the tag of its input; the caller
 * compares it with the received tag, in constant time (not with memcmp()):
 *
 *     isal_aes_gcm_dec_128(&key, &context, text, ciphertext, len, iv, aad, aad_len, tag, 16);
 *     unsigned char difference = 0;
 *     for (int i = 0; i < 16; i++)
 *         difference |= tag[i] ^ received[i];
 *     if (difference)
 *         reject the message and wipe text;
 *
 * Never use an IV twice with the same key: two messages with the same IV reveal their XOR and let
 * anybody forge tags.
 *
 * Prepare a key once with isal_aes_gcm_pre_*(); threads may share the prepared key. It is as secret
 * as the key: wipe it after use with explicit_bzero(). A context belongs to one message at a time.
 * Keys, contexts and buffers may have any alignment; 16 bytes is fastest. out may equal in; any
 * other overlap is not allowed. A message has at most ISAL_GCM_MAX_LEN bytes; the standard allows
 * only 2^36 - 32.
 *
 * For a message in pieces call init, then enc_update or dec_update for each piece of any length,
 * then finalize. enc and dec do all three.
 *
 * Functions return 0; or, with nothing written, the first of the listed errors that applies. */

#ifndef ISAL_CRYPTO_AES_GCM_H
#define ISAL_CRYPTO_AES_GCM_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All in bytes. */
#define ISAL_GCM_MAX_TAG_LEN 16
#define ISAL_GCM_IV_LEN 12
#define ISAL_GCM_128_KEY_LEN 16
#define ISAL_GCM_256_KEY_LEN 32
#define ISAL_GCM_BLOCK_LEN 16
#define ISAL_GCM_ENC_KEY_LEN 16
#define ISAL_GCM_KEY_SETS 15 /* number of round keys of the largest key */
#define ISAL_GCM_MAX_LEN ((1ULL << 39) - 257)

#if defined(__GNUC__) || defined(__clang__)
#define ISAL_GCM_ALIGNED __attribute__((aligned(16)))
#else
#define ISAL_GCM_ALIGNED
#endif

/* A prepared key: its encryption schedule and powers of the hash key in a private layout. The
 * names of the members are kept for existing programs. */
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

/* A message in progress. Programs may read aad_length, in_length and partial_block_length (only
 * modulo 16 after isal_aes_gcm_init_iv_*()). The rest is private. */
struct isal_gcm_context_data {
    uint8_t aad_hash[ISAL_GCM_BLOCK_LEN];
    uint64_t aad_length; /* bytes of aad */
    uint64_t in_length;  /* bytes of the message so far */
    uint8_t partial_block_enc_key[ISAL_GCM_BLOCK_LEN];
    uint8_t orig_IV[ISAL_GCM_BLOCK_LEN];
    uint8_t current_counter[ISAL_GCM_BLOCK_LEN];
    uint64_t partial_block_length; /* bytes of the current block */
};

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
/* Older names of the above. */
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

/* Prepares a key of 16 or 32 bytes. A key prepared while isal_crypto_set_isa_limit() or ISAL_ISA
 * hides the feature avx512f serves only until it is no longer hidden. Errors:
 * ISAL_CRYPTO_ERR_NULL_KEY, _NULL_EXP_KEY (key_data). */
int isal_aes_gcm_pre_128(const void *key, struct isal_gcm_key_data *key_data);
int isal_aes_gcm_pre_256(const void *key, struct isal_gcm_key_data *key_data);

/* Encrypts or decrypts a message of len bytes and computes its tag.
 *
 * key_data: a prepared key. context_data: scratch memory. in, out: len bytes; NULL is allowed if
 * len is 0. iv: 12 bytes. aad: aad_len bytes, any number. auth_tag: receives the first auth_tag_len
 * bytes of the tag, 8, 12 or 16.
 *
 * Errors: ISAL_CRYPTO_ERR_NULL_EXP_KEY (key_data is NULL), _NULL_CTX (context_data), _NULL_DST
 * (out), _NULL_SRC (in), _CIPH_LEN (len is above ISAL_GCM_MAX_LEN or does not fit in a size_t),
 * _NULL_IV (iv), _NULL_AAD (aad is NULL and aad_len > 0, or aad_len does not fit in a size_t),
 * _NULL_AUTH (auth_tag), _AUTH_TAG_LEN. */
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

/* Begins a message with an IV of 12 bytes. Errors: ISAL_CRYPTO_ERR_NULL_EXP_KEY, _NULL_CTX,
 * _NULL_IV, _NULL_AAD, as above. */
int isal_aes_gcm_init_128(const struct isal_gcm_key_data *key_data,
                          struct isal_gcm_context_data *context_data, const uint8_t *iv,
                          const uint8_t *aad, const uint64_t aad_len);
int isal_aes_gcm_init_256(const struct isal_gcm_key_data *key_data,
                          struct isal_gcm_context_data *context_data, const uint8_t *iv,
                          const uint8_t *aad, const uint64_t aad_len);

/* Begins a message with an IV of iv_len bytes, at least 1; 12 bytes are best. Errors: as above;
 * ISAL_CRYPTO_ERR_NULL_IV also if iv_len is 0 or does not fit in a size_t. */
int isal_aes_gcm_init_iv_128(const struct isal_gcm_key_data *key_data,
                             struct isal_gcm_context_data *context_data, const uint8_t *iv,
                             uint64_t iv_len, const uint8_t *aad, uint64_t aad_len);
int isal_aes_gcm_init_iv_256(const struct isal_gcm_key_data *key_data,
                             struct isal_gcm_context_data *context_data, const uint8_t *iv,
                             uint64_t iv_len, const uint8_t *aad, uint64_t aad_len);

/* Encrypts or decrypts the next len bytes of a message. Errors: ISAL_CRYPTO_ERR_NULL_EXP_KEY,
 * _NULL_CTX, _NULL_SRC and _NULL_DST (if len > 0), _CIPH_LEN. */
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

/* Ends a message and writes the first auth_tag_len bytes of its tag. Errors:
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

/* The same functions for large messages whose output will not be read soon. Other implementations
 * require in and out aligned to 64 bytes, and pieces (except the last) of a multiple of 64 bytes;
 * this one has no such requirements. */
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

/* ---- Older names without argument checks, kept for existing programs. An auth_tag_len other than
 * 8, 12 or 16 counts as 8. ---- */
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
