/* The hashes of the provider: one message at a time through the multi-buffer managers.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef HASH_H
#define HASH_H

#include "crypto/openssl/async.h"

#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

/* Limits of all hashes, in bytes. */
#define HASH_MAX_BLOCK 128
#define HASH_MAX_DIGEST 64

union hash_context {
    ISAL_MD5_HASH_CTX md5;
    ISAL_SHA1_HASH_CTX sha1;
    ISAL_SHA256_HASH_CTX sha256;
    ISAL_SHA512_HASH_CTX sha512;
    ISAL_SM3_HASH_CTX sm3;
};

union hash_manager {
    ISAL_MD5_HASH_CTX_MGR md5;
    ISAL_SHA1_HASH_CTX_MGR sha1;
    ISAL_SHA256_HASH_CTX_MGR sha256;
    ISAL_SHA512_HASH_CTX_MGR sha512;
    ISAL_SM3_HASH_CTX_MGR sm3;
};

/* The public functions of one hash of the library. */
struct hash_family {
    size_t context_bytes, word_bytes;
    int big_endian;  /* byte order of the digest's words */
    int holds_bytes; /* the context holds the digest's bytes, not words in host order */
    struct async_kind kind;
    int (*init)(void *manager);
    int (*submit)(void *manager, void *context, void **done, const void *data, uint32_t n,
                  ISAL_HASH_CTX_FLAG flags);
    int (*flush)(void *manager, void **done);
    int (*whole)(const void *const *data, const uint64_t *n, size_t messages, void *digest);
    void (*prepare)(void *context);
    void *(*state)(void *context);
};

/* One hash of the provider. */
struct hash {
    const char *name;
    const struct hash_family *family;
    size_t block_bytes, digest_bytes;
    const void *initial; /* initial state; NULL: the family's */
};

extern const struct hash hash_md5, hash_sha1, hash_sha224, hash_sha256, hash_sha384, hash_sha512,
    hash_sm3;

/* The hash with this name in OpenSSL, or NULL. */
const struct hash *hash_by_name(const char *name);

/* Begins a message. */
int hash_start(const struct hash *hash, union hash_context *context);
void hash_copy(const struct hash *hash, union hash_context *to, const union hash_context *from);
/* Hashes the next n bytes, together with other jobs if there are any. ISAL_HASH_FIRST starts a
 * message that has the initial state of the family; otherwise the flag is ISAL_HASH_UPDATE. */
int hash_add(const struct hash *hash, union hash_context *context, const void *data, size_t n,
             ISAL_HASH_CTX_FLAG flags);
/* Hashes at most 1 GiB at once. */
int hash_piece(const struct hash *hash, union hash_context *context, const void *data, uint32_t n,
               ISAL_HASH_CTX_FLAG flags);
/* Ends a message and writes its digest. */
int hash_end(const struct hash *hash, union hash_context *context, uint8_t *digest);
/* Writes the digest of a message that has ended, in the byte order of its standard. */
void hash_digest(const struct hash *hash, union hash_context *context, uint8_t *digest);

/* Prepares HMAC (FIPS 198-1): the inner and the outer hash after the block of the key. */
int hash_hmac_key(const struct hash *hash, const uint8_t *key, size_t n, union hash_context *inner,
                  union hash_context *outer);

#endif
