/* TLS records under AES-CBC: padding and MAC.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The record layer of libssl sets the TLS version and the size of the MAC, and passes whole
 * records. The plaintext of a record is text, MAC and 1 to 256 bytes of padding (RFC 5246, section
 * 6.2.3.2). The length of the padding is secret until the MAC has been checked. An attacker who
 * learns that the padding of a forged record is valid learns a byte of text. So no branch and no
 * address depends on the padding. A record with invalid padding gets a random MAC, which libssl
 * then finds wrong. */

#include "crypto/openssl/tls_cbc.h"

#include "crypto/openssl/constant_time.h"
#include "crypto/openssl/padding.h"
#include "crypto/openssl/statistics.h"

#include <openssl/rand.h>
#include <openssl/ssl3.h>
#include <openssl/tls1.h>
#include <string.h>

static int encrypt(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize,
                   const unsigned char *in, size_t n)
{
    size_t padding = AES_BLOCK - n % AES_BLOCK;

    if (out != in || outsize < n + padding)
        return provider_error(REASON_OUTPUT_SIZE);
    memset(out + n, (int) (padding - 1), padding);
    *outl = n + padding;
    return cipher_cbc_blocks(c, out, out, n + padding);
}

static int decrypt(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize,
                   const unsigned char *in, size_t n)
{
    const size_t explicit_iv = c->tls_version == TLS1_VERSION ? 0 : AES_BLOCK;
    const size_t mac_bytes = c->tls_mac_bytes;
    size_t padding, end, bad;

    /* The length of a record is public, so one that is too short may be rejected at once. */
    if (n % AES_BLOCK || n < explicit_iv + mac_bytes + 1)
        return provider_error(REASON_FINAL_BLOCK_LENGTH);
    if (outsize < n)
        return provider_error(REASON_OUTPUT_SIZE);
    if (mac_bytes && !c->has_wrong_mac) {
        if (RAND_bytes(c->wrong_mac, sizeof c->wrong_mac) <= 0)
            return 0;
        c->has_wrong_mac = 1;
    }
    if (!cipher_cbc_blocks(c, out, in, n))
        return 0;
    out += explicit_iv;
    n -= explicit_iv;
    padding = tls_padding(out, n, mac_bytes);
    if (!mac_bytes) { /* encrypt-then-MAC (RFC 7366): the record is already authenticated */
        if (!padding)
            return provider_error(REASON_BAD_DECRYPT);
        *outl = n - padding;
        return 1;
    }
    end = n - padding;
    bad = ct_equal(padding, 0);
    tls_extract_mac(c->tls_mac, mac_bytes, out, n, end);
    for (size_t i = 0; i < mac_bytes; i++)
        c->tls_mac[i] = (uint8_t) ct_select(bad, c->wrong_mac[i], c->tls_mac[i]);
    *outl = end - mac_bytes;
    return 1;
}

int tls_cbc_record(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize,
                   const unsigned char *in, size_t n)
{
    statistics_add(STATISTIC_RECORD, 1);
    *outl = 0;
    if (c->tls_version == SSL3_VERSION)
        return provider_error(REASON_PARAMETER);
    return c->encrypting ? encrypt(c, out, outl, outsize, in, n)
                         : decrypt(c, out, outl, outsize, in, n);
}
