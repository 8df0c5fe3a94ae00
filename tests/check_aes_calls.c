/* Calls of the public functions of the AES family, for the kernel check.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/aes_cbc.h"
#include "isa-l_crypto/aes_ctr.h"
#include "isa-l_crypto/aes_gcm.h"
#include "isa-l_crypto/aes_keyexp.h"
#include "isa-l_crypto/aes_xts.h"

extern const struct check_call check_aes_calls[]; /* check_aes.c */

enum { LEN = 4096 };
static _Alignas(64) uint8_t out[LEN];
static uint8_t in[LEN], iv[16], tag[16];
static uint8_t key[32], other_key[32], encrypt[15 * 16], decrypt[15 * 16];

/* ---- Key expansion ---- */

static struct isal_cbc_key_data cbc_keys;

#define KEYEXP_CALLS(X, bits)                                                                   \
    X(aes_keyexp_##bits, isal_aes_keyexp_##bits, isal_aes_keyexp_##bits(key, encrypt, decrypt)) \
    X(aes_keyexp_##bits, aes_keyexp_##bits, aes_keyexp_##bits(key, encrypt, decrypt))           \
    X(aes_keyexp_##bits, aes_cbc_precomp, aes_cbc_precomp(key, (bits) / 8, &cbc_keys))

/* ---- CBC and CTR ---- */

static const struct isal_aes_cbc_buffer messages[2] = {{in, iv, out, LEN}, {in, iv, out, LEN}};

static const struct isal_aes_cbc_keyed_buffer keyed[2] = {{{in, iv, out, LEN}, encrypt},
                                                          {{in, iv, out, LEN}, encrypt}};

static struct isal_aes_ctr_context *ctr_context(void)
{
    static struct isal_aes_ctr_context context;

    isal_aes_ctr_init(&context, iv);
    return &context;
}

#define CBC_CALLS(X, bits)                                                                   \
    X(aes_cbc_enc_##bits, isal_aes_cbc_enc_##bits,                                           \
      isal_aes_cbc_enc_##bits(in, iv, encrypt, out, LEN))                                    \
    X(aes_cbc_enc_##bits, aes_cbc_enc_##bits, aes_cbc_enc_##bits(in, iv, encrypt, out, LEN)) \
    X(aes_cbc_enc_##bits, isal_aes_cbc_enc_##bits##_mb,                                      \
      isal_aes_cbc_enc_##bits##_mb(encrypt, messages, 1))                                    \
    X(aes_cbc_mb_##bits, isal_aes_cbc_enc_##bits##_mb,                                       \
      isal_aes_cbc_enc_##bits##_mb(encrypt, messages, 2))                                    \
    X(aes_cbc_enc_##bits, isal_aes_cbc_enc_##bits##_mb_keys,                                 \
      isal_aes_cbc_enc_##bits##_mb_keys(keyed, 1))                                           \
    X(aes_cbc_mb_keys_##bits, isal_aes_cbc_enc_##bits##_mb_keys,                             \
      isal_aes_cbc_enc_##bits##_mb_keys(keyed, 2))                                           \
    X(aes_cbc_dec_##bits, isal_aes_cbc_dec_##bits,                                           \
      isal_aes_cbc_dec_##bits(in, iv, decrypt, out, LEN))                                    \
    X(aes_cbc_dec_##bits, aes_cbc_dec_##bits, aes_cbc_dec_##bits(in, iv, decrypt, out, LEN)) \
    X(aes_ctr_##bits, isal_aes_ctr_##bits, isal_aes_ctr_##bits(in, iv, encrypt, out, LEN))   \
    X(aes_ctr_##bits, isal_aes_ctr_##bits##_update,                                          \
      isal_aes_ctr_##bits##_update(ctr_context(), in, encrypt, out, LEN))

/* ---- XTS ---- */

#define XTS_CALLS(X, name, bits)                                                       \
    X(aes_xts_##name##_##bits, isal_aes_xts_##name##_##bits,                           \
      isal_aes_xts_##name##_##bits(key, other_key, iv, LEN, in, out))                  \
    X(aes_xts_##name##_##bits, XTS_AES_##bits##_##name,                                \
      XTS_AES_##bits##_##name(key, other_key, iv, LEN, in, out))                       \
    X(aes_xts_keys_##name##_##bits, isal_aes_xts_##name##_##bits,                      \
      isal_aes_xts_##name##_##bits(key, other_key, iv, LEN, in, out))                  \
    X(aes_xts_keys_##name##_##bits, XTS_AES_##bits##_##name,                           \
      XTS_AES_##bits##_##name(key, other_key, iv, LEN, in, out))                       \
    X(aes_xts_##name##_##bits, isal_aes_xts_##name##_##bits##_expanded_key,            \
      isal_aes_xts_##name##_##bits##_expanded_key(encrypt, encrypt, iv, LEN, in, out)) \
    X(aes_xts_##name##_##bits, XTS_AES_##bits##_##name##_expanded_key,                 \
      XTS_AES_##bits##_##name##_expanded_key(encrypt, encrypt, iv, LEN, in, out))      \
    X(aes_xts_##name##_##bits, isal_aes_xts_##name##_##bits##_sectors,                 \
      isal_aes_xts_##name##_##bits##_sectors(encrypt, encrypt, 0, 512, 8, in, out))    \
    X(aes_cbc_mb_##bits, isal_aes_xts_##name##_##bits##_sectors,                       \
      isal_aes_xts_##name##_##bits##_sectors(encrypt, encrypt, 0, 512, 8, in, out))

/* ---- GCM ---- */

static struct isal_gcm_key_data gcm_keys;

/* The context of a message with additional data and len bytes of text so far. */
static struct isal_gcm_context_data *begun(uint64_t len)
{
    static struct isal_gcm_context_data context;

    isal_aes_gcm_init_128(&gcm_keys, &context, iv, in, 20);
    if (len)
        isal_aes_gcm_enc_128_update(&gcm_keys, &context, out, in, len);
    check_ignore_calls();
    return &context;
}

#define GCM_KEY_CALLS(X, bits)                                                                 \
    X(aes_keyexp_##bits, isal_aes_gcm_pre_##bits, isal_aes_gcm_pre_##bits(key, &gcm_keys))     \
    X(aes_keyexp_##bits, aes_gcm_pre_##bits, aes_gcm_pre_##bits(key, &gcm_keys))               \
    X(aes_gcm_powers_##bits, isal_aes_gcm_pre_##bits, isal_aes_gcm_pre_##bits(key, &gcm_keys)) \
    X(aes_gcm_powers_##bits, aes_gcm_pre_##bits, aes_gcm_pre_##bits(key, &gcm_keys))           \
    X(aes_ghash, isal_aes_gcm_init_##bits,                                                     \
      isal_aes_gcm_init_##bits(&gcm_keys, begun(0), iv, in, 20))                               \
    X(aes_ghash, aes_gcm_init_##bits, aes_gcm_init_##bits(&gcm_keys, begun(0), iv, in, 20))    \
    X(aes_ghash, isal_aes_gcm_init_iv_##bits,                                                  \
      isal_aes_gcm_init_iv_##bits(&gcm_keys, begun(0), iv, 16, in, 20))

/* A message with 20 bytes of additional data, or a piece of one. `nt` is empty or _nt; non-temporal
 * kernels are for long texts. */
#define GCM_TEXT_CALLS(X, name, bits, nt)                                                       \
    X(aes_gcm_##name##_##bits##nt, isal_aes_gcm_##name##_##bits##nt,                            \
      isal_aes_gcm_##name##_##bits##nt(&gcm_keys, begun(0), out, in, LEN, iv, in, 20, tag, 16)) \
    X(aes_gcm_##name##_##bits##nt, aes_gcm_##name##_##bits##nt,                                 \
      aes_gcm_##name##_##bits##nt(&gcm_keys, begun(0), out, in, LEN, iv, in, 20, tag, 16))      \
    X(aes_gcm_##name##_##bits##nt, isal_aes_gcm_##name##_##bits##_update##nt,                   \
      isal_aes_gcm_##name##_##bits##_update##nt(&gcm_keys, begun(0), out, in, LEN))             \
    X(aes_gcm_##name##_##bits##nt, aes_gcm_##name##_##bits##_update##nt,                        \
      aes_gcm_##name##_##bits##_update##nt(&gcm_keys, begun(0), out, in, LEN))

/* The key stream of a partial block and that of the tag are made with CBC of one block. */
#define GCM_CALLS(X, name, bits)                                                 \
    GCM_TEXT_CALLS(X, name, bits, )                                              \
    GCM_TEXT_CALLS(X, name, bits, _nt)                                           \
    X(aes_cbc_enc_##bits, isal_aes_gcm_##name##_##bits##_update,                 \
      isal_aes_gcm_##name##_##bits##_update(&gcm_keys, begun(0), out, in, 3))    \
    X(aes_cbc_enc_##bits, aes_gcm_##name##_##bits##_update,                      \
      aes_gcm_##name##_##bits##_update(&gcm_keys, begun(0), out, in, 3))         \
    X(aes_cbc_enc_##bits, isal_aes_gcm_##name##_##bits##_update_nt,              \
      isal_aes_gcm_##name##_##bits##_update_nt(&gcm_keys, begun(0), out, in, 3)) \
    X(aes_cbc_enc_##bits, aes_gcm_##name##_##bits##_update_nt,                   \
      aes_gcm_##name##_##bits##_update_nt(&gcm_keys, begun(0), out, in, 3))      \
    X(aes_ghash, isal_aes_gcm_##name##_##bits##_update,                          \
      isal_aes_gcm_##name##_##bits##_update(&gcm_keys, begun(3), out, in, 13))   \
    X(aes_ghash, aes_gcm_##name##_##bits##_update,                               \
      aes_gcm_##name##_##bits##_update(&gcm_keys, begun(3), out, in, 13))        \
    X(aes_cbc_enc_##bits, isal_aes_gcm_##name##_##bits##_finalize,               \
      isal_aes_gcm_##name##_##bits##_finalize(&gcm_keys, begun(16), tag, 16))    \
    X(aes_cbc_enc_##bits, aes_gcm_##name##_##bits##_finalize,                    \
      aes_gcm_##name##_##bits##_finalize(&gcm_keys, begun(16), tag, 16))         \
    X(aes_ghash, isal_aes_gcm_##name##_##bits##_finalize,                        \
      isal_aes_gcm_##name##_##bits##_finalize(&gcm_keys, begun(16), tag, 16))    \
    X(aes_ghash, aes_gcm_##name##_##bits##_finalize,                             \
      aes_gcm_##name##_##bits##_finalize(&gcm_keys, begun(16), tag, 16))

/* ---- The list ---- */

#define CALLS(X)           \
    KEYEXP_CALLS(X, 128)   \
    KEYEXP_CALLS(X, 192)   \
    KEYEXP_CALLS(X, 256)   \
    CBC_CALLS(X, 128)      \
    CBC_CALLS(X, 192)      \
    CBC_CALLS(X, 256)      \
    XTS_CALLS(X, enc, 128) \
    XTS_CALLS(X, enc, 256) \
    XTS_CALLS(X, dec, 128) \
    XTS_CALLS(X, dec, 256) \
    GCM_KEY_CALLS(X, 128)  \
    GCM_KEY_CALLS(X, 256)  \
    GCM_CALLS(X, enc, 128) \
    GCM_CALLS(X, enc, 256) \
    GCM_CALLS(X, dec, 128) \
    GCM_CALLS(X, dec, 256)
CALLS(CALL_FUNCTION)
const struct check_call check_aes_calls[] = {CALLS(CALL_ENTRY) CALLS_END};
