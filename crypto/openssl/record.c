/* MAC and padding of several TLS records at once.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/record.h"

#include <string.h>

/* Finishes all messages of a manager. */
static void finish_all(const struct hash_family *f, union hash_manager *manager)
{
    void *returned;

    while (!f->flush(manager, &returned) && returned)
        ;
}

/* Hashes headers and texts. A header is put before its text, in place of the IV, because each piece
 * of a message costs as much as half a block. Without an IV it is a piece of its own. */
static void hash_inner(const struct hash *hash, const struct record *records, unsigned n)
{
    const struct hash_family *f = hash->family;
    uint8_t replaced[RECORD_LANES][TLS_HEADER];
    union hash_manager manager;
    void *returned;

    f->init(&manager);
    for (unsigned i = 0; i < n; i++) {
        const struct record *r = &records[i];
        size_t before = r->is_after_iv ? TLS_HEADER : 0;

        hash_copy(hash, r->message, &r->mac->inner);
        if (r->out != r->text)
            memmove(r->out, r->text, r->text_bytes);
        if (before) {
            memcpy(replaced[i], r->out - before, TLS_HEADER);
            memcpy(r->out - before, r->header, TLS_HEADER);
        } else {
            hash_piece(hash, r->message, r->header, TLS_HEADER, ISAL_HASH_UPDATE);
        }
        f->submit(&manager, r->message, &returned, r->out - before,
                  (uint32_t) (before + r->text_bytes), ISAL_HASH_LAST);
    }
    finish_all(f, &manager);
    for (unsigned i = 0; i < n; i++)
        if (records[i].is_after_iv)
            memcpy(records[i].out - TLS_HEADER, replaced[i], TLS_HEADER);
}

/* Replaces the inner digests, which are where the MACs go, by the MACs. */
static void hash_outer(const struct hash *hash, const struct record *records, unsigned n)
{
    const struct hash_family *f = hash->family;
    union hash_manager manager;
    void *returned;

    f->init(&manager);
    for (unsigned i = 0; i < n; i++) {
        const struct record *r = &records[i];
        uint8_t *mac = r->out + r->text_bytes;

        hash_digest(hash, r->message, mac);
        hash_copy(hash, r->message, &r->mac->outer);
        f->submit(&manager, r->message, &returned, mac, (uint32_t) hash->digest_bytes,
                  ISAL_HASH_LAST);
    }
    finish_all(f, &manager);
}

void record_protect(const struct hash *hash, const struct record *records, unsigned n)
{
    hash_inner(hash, records, n);
    hash_outer(hash, records, n);
    for (unsigned i = 0; i < n; i++) {
        const struct record *r = &records[i];
        const size_t mac = r->text_bytes, padding = r->bytes - mac - hash->digest_bytes;

        hash_digest(hash, r->message, r->out + mac);
        memset(r->out + mac + hash->digest_bytes, (int) (padding - 1), padding);
    }
}
