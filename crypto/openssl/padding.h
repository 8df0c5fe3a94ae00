/* Padding of CBC in constant time.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PADDING_H
#define PADDING_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest MAC of a TLS record. */
#define TLS_MAX_MAC 64

/* Returns the bytes of text in the last block of a padded message, or -1 if the padding is not n
 * bytes of value n, 1 <= n <= 16. The time does not depend on the block. */
int padding_of_block(const uint8_t block[16]);

/* `text` has n >= mac_bytes + 1 bytes of text, MAC and padding. Returns the bytes of padding, its
 * length byte included, or 0 if it is invalid. The time depends on n and mac_bytes alone. */
size_t tls_padding(const uint8_t *text, size_t n, size_t mac_bytes);

/* Copies the MAC that ends at `end`, a secret position from n - 256 to n. The time depends on n and
 * mac_bytes alone. */
void tls_extract_mac(uint8_t *mac, size_t mac_bytes, const uint8_t *text, size_t n, size_t end);

#endif
