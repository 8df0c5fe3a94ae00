/* AES-CBC of the provider.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/cipher.h"
#include "crypto/openssl/padding.h"
#include "crypto/openssl/tls_cbc.h"

#include <openssl/evp.h>
#include <string.h>

/* Moves input to the buffer, up to one block. */
static size_t buffer_input(struct cipher *c, const unsigned char *in, size_t n)
{
    size_t room = AES_BLOCK - c->buffered;

    n = n < room ? n : room;
    if (n)
        memcpy(c->buffer + c->buffered, in, n);
    c->buffered += n;
    return n;
}

static int update(void *context, unsigned char *out, size_t *outl, size_t outsize,
                  const unsigned char *in, size_t n)
{
    struct cipher *c = context;
    /* final() decrypts the last block of padded ciphertext, so at least a byte is kept for it. */
    size_t held = !c->encrypting && !c->no_padding;
    size_t used = 0, blocks;

    if (!c->has_key)
        return provider_error(REASON_NO_KEY);
    if (c->tls_version)
        return tls_cbc_record(c, out, outl, outsize, in, n);
    if (c->encrypting && !c->buffered && n % AES_BLOCK == 0 && outsize >= n) {
        *outl = n;
        return cipher_cbc_blocks(c, out, in, n);
    }
    *outl = 0;
    if (c->buffered) {
        used = buffer_input(c, in, n);
        if (c->buffered < AES_BLOCK || (held && used == n))
            return 1;
    }
    blocks = n - used < held ? 0 : (n - used - held) / AES_BLOCK * AES_BLOCK;
    if (outsize < blocks + (c->buffered ? AES_BLOCK : 0))
        return provider_error(REASON_OUTPUT_SIZE);
    if (c->buffered) {
        if (!cipher_cbc_blocks(c, out, c->buffer, AES_BLOCK))
            return 0;
        *outl = AES_BLOCK;
        c->buffered = 0;
    }
    if (!cipher_cbc_blocks(c, out + *outl, in + used, blocks))
        return 0;
    *outl += blocks;
    used += blocks;
    buffer_input(c, in + used, n - used);
    return 1;
}

static int final(void *context, unsigned char *out, size_t *outl, size_t outsize)
{
    struct cipher *c = context;
    uint8_t block[AES_BLOCK];
    int text = 0, ok;

    if (!c->has_key)
        return provider_error(REASON_NO_KEY);
    *outl = 0;
    if (c->tls_version)
        return provider_error(REASON_PARAMETER);
    if (c->no_padding && !c->buffered)
        return 1;
    if (c->no_padding && (c->encrypting || c->buffered != AES_BLOCK))
        return provider_error(REASON_FINAL_BLOCK_LENGTH);
    if (c->encrypting) {
        size_t padding = AES_BLOCK - c->buffered;

        if (outsize < AES_BLOCK)
            return provider_error(REASON_OUTPUT_SIZE);
        memset(c->buffer + c->buffered, (int) padding, padding);
        c->buffered = 0;
        *outl = AES_BLOCK;
        return cipher_cbc_blocks(c, out, c->buffer, AES_BLOCK);
    }
    if (c->buffered != AES_BLOCK)
        return provider_error(REASON_FINAL_BLOCK_LENGTH);
    ok = cipher_cbc_blocks(c, block, c->buffer, AES_BLOCK);
    if (ok) {
        text = c->no_padding ? AES_BLOCK : padding_of_block(block);
        if (text < 0)
            ok = provider_error(REASON_BAD_DECRYPT);
        else if (outsize < (size_t) text)
            ok = provider_error(REASON_OUTPUT_SIZE);
    }
    if (ok) {
        memcpy(out, block, (size_t) text);
        *outl = (size_t) text;
        c->buffered = 0;
    }
    OPENSSL_cleanse(block, sizeof block);
    return ok;
}

/* Whole blocks without padding. */
static int whole(void *context, unsigned char *out, size_t *outl, size_t outsize,
                 const unsigned char *in, size_t n)
{
    struct cipher *c = context;

    if (!c->has_key)
        return provider_error(REASON_NO_KEY);
    if (outsize < n)
        return provider_error(REASON_OUTPUT_SIZE);
    if (n % AES_BLOCK)
        return provider_error(REASON_FINAL_BLOCK_LENGTH);
    *outl = n;
    return cipher_cbc_blocks(c, out, in, n);
}

#define CBC(key_bits)                                             \
    static const struct cipher_kind aes_##key_bits##_cbc_kind = { \
        .mode = EVP_CIPH_CBC_MODE,                                \
        .bits = (key_bits),                                       \
        .key_bytes = (key_bits) / 8,                              \
        .iv_bytes = AES_BLOCK,                                    \
        .block_bytes = AES_BLOCK,                                 \
    };                                                            \
    CIPHER_FUNCTIONS(aes_##key_bits##_cbc)                        \
    CIPHER_TABLE(aes_##key_bits##_cbc, cipher, update, final, whole)

CBC(128)
CBC(192)
CBC(256)
