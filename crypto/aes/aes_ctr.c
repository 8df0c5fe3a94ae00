/* AES in counter mode: the public functions of isa-l_crypto/aes_ctr.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_kernels.h"

#include <string.h>

#include "dispatch/bytes.h"
#include "dispatch/fips.h"

/* Blocks before the lower half of the counter wraps to 0; 0 means 2^64. */
static uint64_t blocks_to_wrap(const uint8_t *counter)
{
    return 0 - load_be64(counter + 8);
}

/* Counter mode; the counter becomes that of the next block. Within one call of the kernel its lower
 * half must not wrap before the last block, so a message is split where it wraps. */
static void ctr(aes_ctr_fn *kernel, uint8_t counter[AES_BLOCK], const uint8_t *in,
                const uint8_t *keys, uint8_t *out, uint64_t len)
{
    while (len) {
        uint64_t to_wrap = blocks_to_wrap(counter);
        uint64_t blocks = len / AES_BLOCK + (len % AES_BLOCK != 0), n = len;

        if (to_wrap && blocks > to_wrap) {
            blocks = to_wrap;
            n = blocks * AES_BLOCK;
        }
        kernel(in, counter, keys, out, (size_t) n);
        store_be64(counter + 8, blocks - to_wrap);
        if (blocks == to_wrap)
            store_be64(counter, load_be64(counter) + 1);
        in += n;
        out += n;
        len -= n;
    }
}

static void whole_message(aes_ctr_fn *kernel, const uint8_t *in, const uint8_t *iv,
                          const uint8_t *keys, uint8_t *out, uint64_t len)
{
    uint8_t counter[AES_BLOCK];

    if (len / AES_BLOCK <= blocks_to_wrap(iv) - 1) {
        kernel(in, iv, keys, out, (size_t) len);
        return;
    }
    memcpy(counter, iv, AES_BLOCK);
    ctr(kernel, counter, in, keys, out, len);
}

static void update(aes_ctr_fn *kernel, struct isal_aes_ctr_context *context, const uint8_t *in,
                   const uint8_t *keys, uint8_t *out, uint64_t len)
{
    for (; context->used && len; len--) {
        *out++ = *in++ ^ context->key_stream[context->used];
        context->used = (context->used + 1) % AES_BLOCK;
    }
    if (!len)
        return;
    ctr(kernel, context->counter, in, keys, out, len / AES_BLOCK * AES_BLOCK);
    in += len / AES_BLOCK * AES_BLOCK;
    out += len / AES_BLOCK * AES_BLOCK;
    len %= AES_BLOCK;
    if (len) {
        memset(context->key_stream, 0, AES_BLOCK);
        ctr(kernel, context->counter, context->key_stream, keys, context->key_stream, AES_BLOCK);
        for (; context->used < len; context->used++)
            out[context->used] = in[context->used] ^ context->key_stream[context->used];
    }
}

static int text_error(const void *keys, const void *in, const void *out, uint64_t len)
{
    if (!keys)
        return ISAL_CRYPTO_ERR_NULL_EXP_KEY;
    if (!in && len)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (!out && len)
        return ISAL_CRYPTO_ERR_NULL_DST;
    if (aes_beyond_memory(len))
        return ISAL_CRYPTO_ERR_CIPH_LEN;
    return isalk_self_test_error();
}

ISAL_PUBLIC int isal_aes_ctr_init(struct isal_aes_ctr_context *context, const void *iv)
{
    if (!context)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!iv)
        return ISAL_CRYPTO_ERR_NULL_IV;
    if (isalk_self_test_error())
        return ISAL_CRYPTO_ERR_SELF_TEST;
    memset(context, 0, sizeof *context);
    memcpy(context->counter, iv, AES_BLOCK);
    return 0;
}

#define CTR(bits)                                                                              \
    ISAL_PUBLIC int isal_aes_ctr_##bits(const void *in, const void *iv, const void *keys,      \
                                        void *out, uint64_t len_bytes)                         \
    {                                                                                          \
        int error = text_error(keys, in, out, len_bytes);                                      \
        if (error)                                                                             \
            return error;                                                                      \
        if (!iv)                                                                               \
            return ISAL_CRYPTO_ERR_NULL_IV;                                                    \
        whole_message(AES_CALL(aes_ctr_##bits), in, iv, keys, out, len_bytes);                 \
        return 0;                                                                              \
    }                                                                                          \
    ISAL_PUBLIC int isal_aes_ctr_##bits##_update(struct isal_aes_ctr_context *context,         \
                                                 const void *in, const void *keys, void *out,  \
                                                 uint64_t len_bytes)                           \
    {                                                                                          \
        int error = context ? text_error(keys, in, out, len_bytes) : ISAL_CRYPTO_ERR_NULL_CTX; \
        if (!error)                                                                            \
            update(AES_CALL(aes_ctr_##bits), context, in, keys, out, len_bytes);               \
        return error;                                                                          \
    }
CTR(128)
CTR(192)
CTR(256)
