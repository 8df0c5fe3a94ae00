/* Padding of CBC in constant time: no branch and no address depends on its contents.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/padding.h"

#include "crypto/openssl/constant_time.h"

#include <openssl/crypto.h>

#define BLOCK 16

int padding_of_block(const uint8_t block[BLOCK])
{
    size_t n = block[BLOCK - 1], bad = ct_equal(n, 0) | ct_less(BLOCK, n);

    for (size_t i = 1; i < BLOCK; i++)
        bad |= ct_less(i, n) & ~ct_equal(block[BLOCK - 1 - i], n);
    return (int) ct_select(bad, (size_t) -1, BLOCK - n);
}

/* Bytes of the longest padding of a TLS record, its length byte included. */
#define MAX_PADDING 256

size_t tls_padding(const uint8_t *text, size_t n, size_t mac_bytes)
{
    size_t padding = text[n - 1], bad = ct_less(n, padding + 1 + mac_bytes);
    size_t checked = n < MAX_PADDING ? n : MAX_PADDING;

    for (size_t i = 1; i < checked; i++)
        bad |= ~ct_less(padding, i) & ~ct_equal(text[n - 1 - i], padding);
    return ct_select(bad, 0, padding + 1);
}

void tls_extract_mac(uint8_t *mac, size_t mac_bytes, const uint8_t *text, size_t n, size_t end)
{
    uint8_t rotated[TLS_MAX_MAC] = {0};
    size_t first = n > mac_bytes + MAX_PADDING ? n - mac_bytes - MAX_PADDING : 0;
    size_t start = end - mac_bytes, rotation = 0, at = 0;

    /* A byte i of the text that belongs to the MAC goes to place (i - first) % mac_bytes. So the
     * MAC is collected rotated by `rotation`. */
    for (size_t i = first; i < n; i++) {
        size_t inside = ~ct_less(i, start) & ct_less(i, end);

        rotated[at] |= (uint8_t) (text[i] & inside);
        rotation |= ct_equal(i, start) & at;
        at = at + 1 < mac_bytes ? at + 1 : 0;
    }
    for (size_t i = 0; i < mac_bytes; i++) {
        size_t from = ct_hide(rotation) + i, byte = 0;

        from -= ~ct_less(from, mac_bytes) & mac_bytes;
        for (size_t j = 0; j < mac_bytes; j++)
            byte |= ct_equal(j, from) & rotated[j];
        mac[i] = (uint8_t) byte;
    }
    OPENSSL_cleanse(rotated, sizeof rotated);
}
