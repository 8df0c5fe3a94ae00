/* AES in cipher block chaining mode (NIST SP 800-38A).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CBC hides contents but does not detect changes: authenticate the ciphertext as well, or use GCM.
 * The IV of each message must be unpredictable to an attacker.
 *
 *     isal_aes_keyexp_256(key, enc_keys, dec_keys);
 *     isal_aes_cbc_enc_256(text, iv, enc_keys, ciphertext, len);
 *     isal_aes_cbc_dec_256(ciphertext, iv, dec_keys, text, len);
 *
 * keys: a schedule from isal_aes_keyexp_*(), the encryption schedule to encrypt and the decryption
 * schedule to decrypt. iv: 16 bytes, not changed; to continue a message, pass the last block of its
 * ciphertext. len_bytes: a multiple of 16; 0 does nothing. out may equal in; any other overlap is
 * not allowed. Any alignment will do. All functions are thread-safe: they keep no state. */

#ifndef ISAL_CRYPTO_AES_CBC_H
#define ISAL_CRYPTO_AES_CBC_H

#include <stdint.h>

#include "aes_keyexp.h"
#include "isal_crypto_api.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Key sizes in bytes. */
typedef enum isal_cbc_key_size {
    ISAL_CBC_128_BITS = 16,
    ISAL_CBC_192_BITS = 24,
    ISAL_CBC_256_BITS = 32
} isal_cbc_key_size;

#define ISAL_CBC_ROUND_KEY_LEN 16        /* bytes */
#define ISAL_CBC_128_KEY_ROUNDS 11       /* round keys */
#define ISAL_CBC_192_KEY_ROUNDS 13       /* round keys */
#define ISAL_CBC_256_KEY_ROUNDS 15       /* round keys */
#define ISAL_CBC_MAX_KEYS_SIZE (16 * 15) /* bytes of the largest schedule */
#define ISAL_CBC_IV_DATA_LEN 16          /* bytes */

/* Both schedules of a key. The schedules of shorter keys do not fill the arrays. */
struct isal_cbc_key_data {
    uint8_t enc_keys[ISAL_CBC_MAX_KEYS_SIZE]; /* encryption schedule */
    uint8_t dec_keys[ISAL_CBC_MAX_KEYS_SIZE]; /* decryption schedule */
};

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
/* Older names of the above. */
#define cbc_key_data isal_cbc_key_data
#define cbc_key_size isal_cbc_key_size
#define CBC_128_BITS ISAL_CBC_128_BITS
#define CBC_192_BITS ISAL_CBC_192_BITS
#define CBC_256_BITS ISAL_CBC_256_BITS
#define CBC_ROUND_KEY_LEN ISAL_CBC_ROUND_KEY_LEN
#define CBC_128_KEY_ROUNDS ISAL_CBC_128_KEY_ROUNDS
#define CBC_192_KEY_ROUNDS ISAL_CBC_192_KEY_ROUNDS
#define CBC_256_KEY_ROUNDS ISAL_CBC_256_KEY_ROUNDS
#define CBC_MAX_KEYS_SIZE ISAL_CBC_MAX_KEYS_SIZE
#define CBC_IV_DATA_LEN ISAL_CBC_IV_DATA_LEN
#endif

/* Encrypts or decrypts len_bytes from in to out.
 *
 * Returns 0; or, with nothing written, the first error in this order: ISAL_CRYPTO_ERR_NULL_EXP_KEY
 * (keys is NULL), _NULL_SRC (in), _NULL_DST (out), _NULL_IV (iv), _CIPH_LEN (len_bytes is not a
 * multiple of 16, or does not fit in a size_t). */
int isal_aes_cbc_enc_128(const void *in, const void *iv, const void *keys, void *out,
                         const uint64_t len_bytes);
int isal_aes_cbc_enc_192(const void *in, const void *iv, const void *keys, void *out,
                         const uint64_t len_bytes);
int isal_aes_cbc_enc_256(const void *in, const void *iv, const void *keys, void *out,
                         const uint64_t len_bytes);
int isal_aes_cbc_dec_128(const void *in, const void *iv, const void *keys, void *out,
                         const uint64_t len_bytes);
int isal_aes_cbc_dec_192(const void *in, const void *iv, const void *keys, void *out,
                         const uint64_t len_bytes);
int isal_aes_cbc_dec_256(const void *in, const void *iv, const void *keys, void *out,
                         const uint64_t len_bytes);

/* One message of isal_aes_cbc_enc_*_mb(). */
struct isal_aes_cbc_buffer {
    const void *in;     /* text */
    const void *iv;     /* 16 bytes, not changed */
    void *out;          /* equals in, or overlaps no `in` of the call */
    uint64_t len_bytes; /* a multiple of 16 */
};

/* Encrypts n independent messages under one key. CBC encrypts the blocks of a message one after the
 * other, which leaves most of the CPU idle: eight messages at once take little longer than one.
 * Messages may differ in length and come in any order.
 *
 * Returns 0; or, with nothing written, the first error in this order: ISAL_CRYPTO_ERR_NULL_EXP_KEY
 * (keys is NULL), _NULL_SRC (buffers is NULL and n > 0), then for each message _NULL_SRC,
 * _NULL_DST, _NULL_IV and _CIPH_LEN as above. */
int isal_aes_cbc_enc_128_mb(const void *keys, const struct isal_aes_cbc_buffer *buffers,
                            uint64_t n);
int isal_aes_cbc_enc_192_mb(const void *keys, const struct isal_aes_cbc_buffer *buffers,
                            uint64_t n);
int isal_aes_cbc_enc_256_mb(const void *keys, const struct isal_aes_cbc_buffer *buffers,
                            uint64_t n);

/* One message of isal_aes_cbc_enc_*_mb_keys(). */
struct isal_aes_cbc_keyed_buffer {
    struct isal_aes_cbc_buffer buffer; /* the message */
    const void *keys;                  /* encryption schedule of the message */
};

/* Encrypts n independent messages, each under its own key; messages may share keys. With VAES,
 * sixteen messages at once take little longer than one. For short messages under one key,
 * isal_aes_cbc_enc_*_mb() is faster.
 *
 * Returns 0; or, with nothing written, the first error in this order: ISAL_CRYPTO_ERR_NULL_SRC
 * (buffers is NULL and n > 0), then for each message _NULL_EXP_KEY, _NULL_SRC, _NULL_DST, _NULL_IV
 * and _CIPH_LEN as above. */
int isal_aes_cbc_enc_128_mb_keys(const struct isal_aes_cbc_keyed_buffer *buffers, uint64_t n);
int isal_aes_cbc_enc_192_mb_keys(const struct isal_aes_cbc_keyed_buffer *buffers, uint64_t n);
int isal_aes_cbc_enc_256_mb_keys(const struct isal_aes_cbc_keyed_buffer *buffers, uint64_t n);

/* ---- Older names without argument checks, kept for existing programs ---- */

/* Expands a key of key_size bytes into both schedules. Returns 0, or 1 with nothing written if
 * key_size is not 16, 24 or 32. */
ISAL_DEPRECATED("use isal_aes_keyexp_128 and its like")
int aes_cbc_precomp(uint8_t *key, int key_size, struct isal_cbc_key_data *keys_blk);

/* Encryption returns 0. */
ISAL_DEPRECATED("use isal_aes_cbc_enc_128")
int aes_cbc_enc_128(void *in, uint8_t *IV, uint8_t *keys, void *out, uint64_t len_bytes);
ISAL_DEPRECATED("use isal_aes_cbc_enc_192")
int aes_cbc_enc_192(void *in, uint8_t *IV, uint8_t *keys, void *out, uint64_t len_bytes);
ISAL_DEPRECATED("use isal_aes_cbc_enc_256")
int aes_cbc_enc_256(void *in, uint8_t *IV, uint8_t *keys, void *out, uint64_t len_bytes);
ISAL_DEPRECATED("use isal_aes_cbc_dec_128")
void aes_cbc_dec_128(void *in, uint8_t *IV, uint8_t *keys, void *out, uint64_t len_bytes);
ISAL_DEPRECATED("use isal_aes_cbc_dec_192")
void aes_cbc_dec_192(void *in, uint8_t *IV, uint8_t *keys, void *out, uint64_t len_bytes);
ISAL_DEPRECATED("use isal_aes_cbc_dec_256")
void aes_cbc_dec_256(void *in, uint8_t *IV, uint8_t *keys, void *out, uint64_t len_bytes);

#ifdef __cplusplus
}
#endif

#endif
