/* A message of a digest or a MAC: collects short pieces.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each call of a hash's manager costs as much as half a block. So pieces are collected, and a short
 * message takes one call. */

#ifndef HASH_MESSAGE_H
#define HASH_MESSAGE_H

#include "crypto/openssl/hash.h"

/* Bytes that may be collected: two blocks of the largest hash. */
#define HASH_MESSAGE_BYTES 256

struct hash_message {
    int is_begun;    /* whether `context` has the state of the bytes before the buffer */
    size_t buffered; /* bytes in `buffer` */
    uint8_t buffer[HASH_MESSAGE_BYTES];
    union hash_context context; /* last: of digests, only the hash's own context is allocated */
};

/* Bytes of a message of one hash. */
static inline size_t hash_message_size(const struct hash *hash)
{
    return offsetof(struct hash_message, context) + hash->family->context_bytes;
}

/* Starts a message, or continues one whose first blocks are in `context`. */
static inline void hash_message_start(struct hash_message *m)
{
    m->is_begun = 0;
    m->buffered = 0;
}
void hash_message_continue(const struct hash *hash, struct hash_message *m,
                           const union hash_context *context);

/* Hashes the next n bytes; hash_message_end() ends the message and writes its digest. */
int hash_message_add(const struct hash *hash, struct hash_message *m, const void *data, size_t n);
int hash_message_end(const struct hash *hash, struct hash_message *m, uint8_t *digest);

#endif
