/* The MAC of a TLS record whose length is secret.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The time of a hash depends on the number of its blocks, so an ordinary MAC reveals the length of
 * the padding (AlFardan and Paterson, "Lucky Thirteen", 2013). Here the number of blocks is always
 * that of the longest text. The result is the state after the last block of the actual text, of n
 * bytes. Neither branches nor addresses depend on n. */

#include "crypto/openssl/tls_mac.h"

#include "crypto/openssl/constant_time.h"

#include <string.h>

#define BLOCK 64
#define LENGTH_BYTES 8 /* at the end of the last block */

/* Block i of the message: header, text, a byte 0x80, zeros and, at the end of the last block, the
 * length in bits. */
static void make_block(uint8_t block[BLOCK], size_t i, size_t is_last, const uint8_t *header,
                       const uint8_t *text, size_t n, size_t max)
{
    const size_t bits = 8 * (BLOCK + TLS_HEADER + n); /* with the block of the key */

    for (size_t k = 0; k < BLOCK; k++) {
        size_t p = BLOCK * i + k, byte = 0;

        if (p < TLS_HEADER)
            byte = header[p];
        else if (p - TLS_HEADER < max)
            byte = text[p - TLS_HEADER];
        byte = (byte & ct_less(p, TLS_HEADER + n)) | (0x80 & ct_equal(p, TLS_HEADER + n));
        if (k >= BLOCK - 4) /* a record is shorter than 2^29 bytes */
            byte |= bits >> 8 * (BLOCK - 1 - k) & 0xff & is_last;
        block[k] = (uint8_t) byte;
    }
}

/* The inner hash; its digest is the state of `message` afterwards. */
static int inner_hash(const struct hash *hash, struct tls_mac *key, const uint8_t *header,
                      const uint8_t *text, size_t n, size_t max)
{
    const size_t shortest = max > 255 ? max - 255 : 0;
    const size_t first = (TLS_HEADER + shortest) / BLOCK; /* the blocks before it are text */
    const size_t last = (TLS_HEADER + max + LENGTH_BYTES) / BLOCK;
    const size_t last_of_n = (TLS_HEADER + n + LENGTH_BYTES) / BLOCK;
    uint8_t kept[HASH_MAX_DIGEST] = {0}, block[BLOCK];
    uint8_t *state = hash->family->state(&key->message);
    const size_t state_bytes = 8 * hash->family->word_bytes;

    hash_copy(hash, &key->message, &key->inner);
    if (first &&
        !(hash_add(hash, &key->message, header, TLS_HEADER, ISAL_HASH_UPDATE) &&
          hash_add(hash, &key->message, text, BLOCK * first - TLS_HEADER, ISAL_HASH_UPDATE)))
        return 0;
    for (size_t i = first; i <= last; i++) {
        size_t is_last = ct_equal(i, last_of_n);

        make_block(block, i, is_last, header, text, n, max);
        if (!hash_add(hash, &key->message, block, BLOCK, ISAL_HASH_UPDATE))
            return 0;
        for (size_t b = 0; b < state_bytes; b++)
            kept[b] |= (uint8_t) (state[b] & is_last);
    }
    memcpy(state, kept, state_bytes);
    OPENSSL_cleanse(kept, sizeof kept);
    OPENSSL_cleanse(block, sizeof block);
    return 1;
}

int tls_mac(const struct hash *hash, struct tls_mac *key, const uint8_t header[TLS_HEADER],
            const uint8_t *text, size_t n, size_t max, uint8_t *mac)
{
    uint8_t inner[HASH_MAX_DIGEST];
    int ok;

    if (!inner_hash(hash, key, header, text, n, max))
        return 0;
    hash_digest(hash, &key->message, inner);
    hash_copy(hash, &key->message, &key->outer);
    ok = hash_add(hash, &key->message, inner, hash->digest_bytes, ISAL_HASH_UPDATE) &&
         hash_end(hash, &key->message, mac);
    OPENSSL_cleanse(inner, sizeof inner);
    return ok;
}
