/* The MAC of a TLS record whose length is secret.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef TLS_MAC_H
#define TLS_MAC_H

#include "crypto/openssl/hash.h"

/* Bytes of a record's pseudo-header: sequence number, type, version and length. */
#define TLS_HEADER 13

/* A key of HMAC, and memory for the message. */
struct tls_mac {
    union hash_context inner, outer; /* after the block of the key */
    union hash_context message;
};

/* Computes the HMAC of the header and of n bytes of text, where max - 255 <= n <= max. n is secret;
 * the time depends on max alone. `hash` has blocks of 64 bytes and is big-endian. Returns 0 on
 * failure. */
int tls_mac(const struct hash *hash, struct tls_mac *key, const uint8_t header[TLS_HEADER],
            const uint8_t *text, size_t n, size_t max, uint8_t *mac);

#endif
