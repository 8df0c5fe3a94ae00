/* The hashes of the provider: one message at a time through the multi-buffer managers.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/hash.h"

#include <openssl/evp.h>
#include <string.h>

/* Bytes of the largest piece that a manager takes, a multiple of every block. */
#define MAX_PIECE ((uint32_t) 1 << 30)

/* Shorter requests were slower in the lanes of 64 jobs than alone. SMALL_NI: hashes that have
 * instructions of their own. */
#define SMALL 1024
#define SMALL_NI 2048

/* Hashes the next pieces of several messages. */
static void run_many(const struct hash_family *f, const struct async_request *requests, unsigned n)
{
    union hash_manager manager;
    void *returned = NULL;

    f->init(&manager);
    for (unsigned i = 0; i < n; i++)
        f->submit(&manager, requests[i].context, &returned, requests[i].in,
                  (uint32_t) requests[i].n, ISAL_HASH_UPDATE);
    while (!f->flush(&manager, &returned) && returned)
        ;
}

#define FAMILY(name, NAME, word, big, as_bytes, small)                                         \
    static int name##_init(void *manager)                                                      \
    {                                                                                          \
        return isal_##name##_ctx_mgr_init(manager);                                            \
    }                                                                                          \
    static int name##_submit(void *manager, void *context, void **done, const void *data,      \
                             uint32_t n, ISAL_HASH_CTX_FLAG flags)                             \
    {                                                                                          \
        ISAL_##NAME##_HASH_CTX *returned = NULL;                                               \
        int error = isal_##name##_ctx_mgr_submit(manager, context, &returned, data, n, flags); \
                                                                                               \
        *done = returned;                                                                      \
        return error;                                                                          \
    }                                                                                          \
    static int name##_flush(void *manager, void **done)                                        \
    {                                                                                          \
        ISAL_##NAME##_HASH_CTX *returned = NULL;                                               \
        int error = isal_##name##_ctx_mgr_flush(manager, &returned);                           \
                                                                                               \
        *done = returned;                                                                      \
        return error;                                                                          \
    }                                                                                          \
    static void name##_prepare(void *context)                                                  \
    {                                                                                          \
        isal_hash_ctx_init((ISAL_##NAME##_HASH_CTX *) context);                                \
    }                                                                                          \
    static void *name##_state(void *context)                                                   \
    {                                                                                          \
        return isal_hash_ctx_digest((ISAL_##NAME##_HASH_CTX *) context);                       \
    }                                                                                          \
    static const struct hash_family name;                                                      \
    static void name##_many(const struct async_request *requests, unsigned n)                  \
    {                                                                                          \
        run_many(&name, requests, n);                                                          \
    }                                                                                          \
    static const struct hash_family name = {                                                   \
        .context_bytes = sizeof(ISAL_##NAME##_HASH_CTX),                                       \
        .word_bytes = (word),                                                                  \
        .big_endian = (big),                                                                   \
        .holds_bytes = (as_bytes),                                                             \
        .kind = {ISAL_##NAME##_MAX_LANES, (small), name##_many},                               \
        .init = name##_init,                                                                   \
        .submit = name##_submit,                                                               \
        .flush = name##_flush,                                                                 \
        .whole = isal_##name##_mb_hash,                                                        \
        .prepare = name##_prepare,                                                             \
        .state = name##_state,                                                                 \
    };

FAMILY(md5, MD5, 4, 0, 0, SMALL)
FAMILY(sha1, SHA1, 4, 1, 0, SMALL_NI)
FAMILY(sha256, SHA256, 4, 1, 0, SMALL_NI)
FAMILY(sha512, SHA512, 8, 1, 0, SMALL)
FAMILY(sm3, SM3, 4, 1, 1, SMALL)

/* The shorter hashes differ from SHA-256 and SHA-512 in their initial states (FIPS 180-4, sections
 * 5.3.2 and 5.3.4). */
static const uint32_t sha224_initial[8] = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                           0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
static const uint64_t sha384_initial[8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};

const struct hash hash_md5 = {"MD5", &md5, 64, 16, NULL};
const struct hash hash_sha1 = {"SHA1", &sha1, 64, 20, NULL};
const struct hash hash_sha224 = {"SHA2-224", &sha256, 64, 28, sha224_initial};
const struct hash hash_sha256 = {"SHA2-256", &sha256, 64, 32, NULL};
const struct hash hash_sha384 = {"SHA2-384", &sha512, 128, 48, sha384_initial};
const struct hash hash_sha512 = {"SHA2-512", &sha512, 128, 64, NULL};
const struct hash hash_sm3 = {"SM3", &sm3, 64, 32, NULL};

const struct hash *hash_by_name(const char *name)
{
    static const struct {
        const char *name;
        const struct hash *hash;
    } names[] = {
        {"MD5", &hash_md5},        {"SSL3-MD5", &hash_md5},   {"SHA1", &hash_sha1},
        {"SHA-1", &hash_sha1},     {"SSL3-SHA1", &hash_sha1}, {"SHA2-224", &hash_sha224},
        {"SHA-224", &hash_sha224}, {"SHA224", &hash_sha224},  {"SHA2-256", &hash_sha256},
        {"SHA-256", &hash_sha256}, {"SHA256", &hash_sha256},  {"SHA2-384", &hash_sha384},
        {"SHA-384", &hash_sha384}, {"SHA384", &hash_sha384},  {"SHA2-512", &hash_sha512},
        {"SHA-512", &hash_sha512}, {"SHA512", &hash_sha512},  {"SM3", &hash_sm3},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!OPENSSL_strcasecmp(name, names[i].name))
            return names[i].hash;
    return NULL;
}

int hash_piece(const struct hash *hash, union hash_context *context, const void *data, uint32_t n,
               ISAL_HASH_CTX_FLAG flags)
{
    const struct hash_family *f = hash->family;
    union hash_manager manager;
    void *done;

    if (flags & ISAL_HASH_FIRST)
        f->prepare(context);
    if (f->init(&manager) || f->submit(&manager, context, &done, data, n, flags))
        return 0;
    return done || !f->flush(&manager, &done);
}

int hash_start(const struct hash *hash, union hash_context *context)
{
    if (!hash_piece(hash, context, "", 0, ISAL_HASH_FIRST))
        return 0;
    if (hash->initial)
        memcpy(hash->family->state(context), hash->initial, 8 * hash->family->word_bytes);
    return 1;
}

void hash_copy(const struct hash *hash, union hash_context *to, const union hash_context *from)
{
    memcpy(to, from, hash->family->context_bytes);
}

static int add_piece(const struct hash *hash, union hash_context *context, const uint8_t *data,
                     uint32_t n, ISAL_HASH_CTX_FLAG flags)
{
    if (!async_is_wanted(&hash->family->kind, n))
        return hash_piece(hash, context, data, n, flags);
    if (flags == ISAL_HASH_FIRST && !hash_start(hash, context))
        return 0;
    return async_run(&hash->family->kind, context, NULL, data, n);
}

int hash_add(const struct hash *hash, union hash_context *context, const void *data, size_t n,
             ISAL_HASH_CTX_FLAG flags)
{
    const uint8_t *next = data;

    for (; n > MAX_PIECE; next += MAX_PIECE, n -= MAX_PIECE, flags = ISAL_HASH_UPDATE)
        if (!add_piece(hash, context, next, MAX_PIECE, flags))
            return 0;
    return add_piece(hash, context, next, (uint32_t) n, flags);
}

/* Write words in the byte order of a standard; the compiler makes each a move. */
static void words_md5(uint8_t *to, const uint8_t *state, size_t n)
{
    for (size_t i = 0; i < n; i += 4) {
        uint32_t word;

        memcpy(&word, state + i, 4);
        to[i] = (uint8_t) word;
        to[i + 1] = (uint8_t) (word >> 8);
        to[i + 2] = (uint8_t) (word >> 16);
        to[i + 3] = (uint8_t) (word >> 24);
    }
}

static void words_32(uint8_t *to, const uint8_t *state, size_t n)
{
    for (size_t i = 0; i < n; i += 4) {
        uint32_t word;

        memcpy(&word, state + i, 4);
        to[i] = (uint8_t) (word >> 24);
        to[i + 1] = (uint8_t) (word >> 16);
        to[i + 2] = (uint8_t) (word >> 8);
        to[i + 3] = (uint8_t) word;
    }
}

static void words_64(uint8_t *to, const uint8_t *state, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word;

        memcpy(&word, state + i, 8);
        to[i] = (uint8_t) (word >> 56);
        to[i + 1] = (uint8_t) (word >> 48);
        to[i + 2] = (uint8_t) (word >> 40);
        to[i + 3] = (uint8_t) (word >> 32);
        to[i + 4] = (uint8_t) (word >> 24);
        to[i + 5] = (uint8_t) (word >> 16);
        to[i + 6] = (uint8_t) (word >> 8);
        to[i + 7] = (uint8_t) word;
    }
}

void hash_digest(const struct hash *hash, union hash_context *context, uint8_t *digest)
{
    const struct hash_family *f = hash->family;
    const uint8_t *state = f->state(context);

    if (f->holds_bytes)
        memcpy(digest, state, hash->digest_bytes);
    else if (f->word_bytes == 8)
        words_64(digest, state, hash->digest_bytes);
    else if (f->big_endian)
        words_32(digest, state, hash->digest_bytes);
    else
        words_md5(digest, state, hash->digest_bytes);
}

int hash_end(const struct hash *hash, union hash_context *context, uint8_t *digest)
{
    if (!hash_piece(hash, context, "", 0, ISAL_HASH_LAST))
        return 0;
    hash_digest(hash, context, digest);
    return 1;
}

/* ---- HMAC ---- */

/* Hashes the first block of the inner or the outer hash: the key XORed with `pad`. */
static int first_block(const struct hash *hash, union hash_context *context, const uint8_t *key,
                       uint8_t pad)
{
    uint8_t block[HASH_MAX_BLOCK];
    int ok;

    for (size_t i = 0; i < hash->block_bytes; i++)
        block[i] = key[i] ^ pad;
    ok = hash_start(hash, context) &&
         hash_add(hash, context, block, hash->block_bytes, ISAL_HASH_UPDATE);
    OPENSSL_cleanse(block, sizeof block);
    return ok;
}

int hash_hmac_key(const struct hash *hash, const uint8_t *key, size_t n, union hash_context *inner,
                  union hash_context *outer)
{
    uint8_t block[HASH_MAX_BLOCK] = {0};
    int ok = 1;

    if (n > hash->block_bytes)
        ok = hash_start(hash, inner) && hash_add(hash, inner, key, n, ISAL_HASH_UPDATE) &&
             hash_end(hash, inner, block);
    else if (n)
        memcpy(block, key, n);
    ok = ok && first_block(hash, inner, block, 0x36) && first_block(hash, outer, block, 0x5c);
    OPENSSL_cleanse(block, sizeof block);
    return ok;
}
