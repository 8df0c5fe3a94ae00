/* TLS records under AES-CBC: padding and MAC.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef TLS_CBC_H
#define TLS_CBC_H

#include "crypto/openssl/cipher.h"

/* Encrypts or decrypts one TLS record of n bytes in a context whose TLS version is set. Encryption
 * adds the padding. Decryption removes the explicit IV, the padding and the MAC, which it stores in
 * the context. Neither the result nor the time tells whether padding and MAC are valid. */
int tls_cbc_record(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize,
                   const unsigned char *in, size_t n);

#endif
