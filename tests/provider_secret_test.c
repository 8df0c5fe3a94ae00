/* Checks that no branch or address of the provider's padding functions depends on a secret.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Under valgrind the text is marked as undefined, so that memcheck reports every conditional jump
 * and every address computed from it (Langley, "ctgrind", 2010). `make check-sanitize` runs this
 * test. */

#include "test.h"

#include "crypto/openssl/padding.h"
#include "crypto/openssl/tls_mac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#ifdef __has_include
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#endif

#ifdef VALGRIND_MAKE_MEM_UNDEFINED
#define SECRET(a, n) VALGRIND_MAKE_MEM_UNDEFINED(a, n)
#define KNOWN(a, n) VALGRIND_MAKE_MEM_DEFINED(a, n)
#else
#define SECRET(a, n) ((void) (a))
#define KNOWN(a, n) ((void) (a))
#endif

#define MAX_BYTES 700

/* One record of n bytes with p bytes of padding, perhaps with a wrong one. */
static void check_record(size_t n, size_t mac_bytes, size_t p, int wrong)
{
    uint8_t record[MAX_BYTES], mac[TLS_MAX_MAC];
    size_t padding, end, expected = wrong || p + mac_bytes > n ? 0 : p;

    test_fill_random(record, n);
    for (size_t i = 1; i <= p && i <= n; i++)
        record[n - i] = (uint8_t) (p - 1);
    if (wrong)
        record[n - p + test_random((unsigned) p - 1)] ^= 1;
    SECRET(record, n);
    padding = tls_padding(record, n, mac_bytes);
    end = n - padding;
    tls_extract_mac(mac, mac_bytes, record, n, end);
    KNOWN(record, n);
    KNOWN(mac, sizeof mac);
    KNOWN(&padding, sizeof padding);
    EXPECT(padding == expected, "%zu of %zu bytes: padding %zu", p, n, padding);
    EXPECT(!memcmp(mac, record + n - expected - mac_bytes, mac_bytes), "%zu of %zu bytes: MAC", p,
           n);
}

static void test_records(void)
{
    static const size_t macs[] = {16, 20, 32, 48};

    for (int round = 0; round < 400; round++) {
        size_t mac_bytes = macs[round % 4], p = 1 + test_random(round % 3 ? 256 : 16);
        size_t n = mac_bytes + 1 + test_random(MAX_BYTES - 50);

        check_record(n, mac_bytes, p, p > 1 && p + mac_bytes <= n && round % 5 == 0);
    }
}

static void test_blocks(void)
{
    for (unsigned p = 0; p < 256; p++)
        for (unsigned wrong = 0; wrong < 16; wrong++) {
            uint8_t block[16] = {0};
            int bytes, valid = p >= 1 && p <= 16;

            for (unsigned i = 1; i <= p && i <= 16; i++)
                block[16 - i] = (uint8_t) p;
            if (wrong && wrong < p && wrong < 16) {
                block[15 - wrong] ^= 0x20;
                valid = 0;
            }
            SECRET(block, sizeof block);
            bytes = padding_of_block(block);
            KNOWN(&bytes, sizeof bytes);
            EXPECT(bytes == (valid ? 16 - (int) p : -1), "padding %u: %d", p, bytes);
        }
}

/* Stand-ins for the parts of the provider that the MAC does not need. */
int provider_error(enum provider_reason reason)
{
    return (int) reason * 0;
}

struct async_settings async_settings; /* off */

int async_run(const struct async_kind *kind, void *context, uint8_t *out, const uint8_t *in,
              size_t n)
{
    (void) kind;
    (void) context;
    (void) out;
    (void) in;
    (void) n;
    return 0;
}

/* The MAC of a record whose length, header and text are secret, against libcrypto's. */
static void test_macs(void)
{
    static const struct hash *const hashes[] = {&hash_sha1, &hash_sha256};
    struct tls_mac *mac = test_alloc(sizeof *mac);
    uint8_t key[32], message[TLS_HEADER + MAX_BYTES], expected[EVP_MAX_MD_SIZE], got[64];

    for (int round = 0; round < 300; round++) {
        const struct hash *hash = hashes[round % 2];
        size_t max = test_random(MAX_BYTES);
        size_t n = max - test_random(max < 255 ? (unsigned) max + 1 : 256), secret_n = n;

        test_fill_random(key, sizeof key);
        test_fill_random(message, sizeof message);
        HMAC(round % 2 ? EVP_sha256() : EVP_sha1(), key, sizeof key, message, TLS_HEADER + n,
             expected, NULL);
        EXPECT(hash_hmac_key(hash, key, sizeof key, &mac->inner, &mac->outer), "key");
        SECRET(message, sizeof message);
        SECRET(&secret_n, sizeof secret_n);
        EXPECT(tls_mac(hash, mac, message, message + TLS_HEADER, secret_n, max, got), "MAC");
        KNOWN(message, sizeof message);
        KNOWN(got, sizeof got);
        KNOWN(mac, sizeof *mac);
        EXPECT(!memcmp(got, expected, hash->digest_bytes), "%s of %zu of %zu bytes", hash->name, n,
               max);
    }
    free(mac);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_records);
    TEST(test_blocks);
    TEST(test_macs);
    return test_finish();
}
