/* TLS records under AES-CBC: padding and MAC.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef TLS_CBC_H
#define TLS_CBC_H

#include "crypto/openssl/cipher.h"

/* Bytes of the longest MAC. */
#define TLS_MAX_MAC 64

/* Encrypts or decrypts one TLS record of n bytes in a context whose TLS version is set. Encryption
 * adds the padding. Decryption removes the padding and the explicit IV, and keeps the MAC in the
 * context; whether they are valid is not answered, and does not change the time. */
int tls_cbc_record(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize,
                   const unsigned char *in, size_t n);

/* Bytes of padding, with its length byte, of n >= mac_bytes + 1 bytes of text, MAC and padding; 0
 * if the padding is invalid. The time depends on n and mac_bytes alone. */
size_t tls_padding(const uint8_t *text, size_t n, size_t mac_bytes);

/* Copies the MAC that ends at the secret position `end`, between n - 256 and n, in the same way. */
void tls_extract_mac(uint8_t *mac, size_t mac_bytes, const uint8_t *text, size_t n, size_t end);

#endif
