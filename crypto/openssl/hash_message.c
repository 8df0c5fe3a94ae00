/* A message of a digest or a MAC: collects short pieces.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/hash_message.h"

#include <string.h>

void hash_message_continue(const struct hash *hash, struct hash_message *m,
                           const union hash_context *context)
{
    hash_copy(hash, &m->context, context);
    m->is_begun = 1;
    m->buffered = 0;
}

/* Hashes the next bytes without collecting them. */
static int add(const struct hash *hash, struct hash_message *m, const void *data, size_t n)
{
    const ISAL_HASH_CTX_FLAG flag =
        m->is_begun || hash->initial ? ISAL_HASH_UPDATE : ISAL_HASH_FIRST;

    if (!m->is_begun && hash->initial && !hash_start(hash, &m->context))
        return 0;
    m->is_begun = 1;
    return hash_add(hash, &m->context, data, n, flag);
}

int hash_message_add(const struct hash *hash, struct hash_message *m, const void *data, size_t n)
{
    const size_t buffered = m->buffered;

    if (n <= sizeof m->buffer - buffered) {
        if (n)
            memcpy(m->buffer + buffered, data, n);
        m->buffered += n;
        return 1;
    }
    m->buffered = 0;
    return (!buffered || add(hash, m, m->buffer, buffered)) && add(hash, m, data, n);
}

int hash_message_end(const struct hash *hash, struct hash_message *m, uint8_t *digest)
{
    const void *data = m->buffer;
    const uint64_t n = m->buffered;

    m->buffered = 0;
    if (!m->is_begun && !hash->initial)
        return !hash->family->whole(&data, &n, 1, digest);
    if (!m->is_begun && !hash_start(hash, &m->context))
        return 0;
    m->is_begun = 1;
    if (!hash_piece(hash, &m->context, data, (uint32_t) n, ISAL_HASH_LAST))
        return 0;
    hash_digest(hash, &m->context, digest);
    return 1;
}
