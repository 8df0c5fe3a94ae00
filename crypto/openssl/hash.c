/* The hashes of the provider: one message at a time through the multi-buffer managers.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/async.h"

#include <openssl/evp.h>
#include <string.h>

/* Bytes of the largest piece that a manager takes, a multiple of every block. */
#define MAX_PIECE ((uint32_t) 1 << 30)

#define FAMILY(name, NAME, word, big, is_standard)                                                \
    static int name##_init(void *manager)                                                         \
    {                                                                                             \
        return isal_##name##_ctx_mgr_init(manager);                                               \
    }                                                                                             \
    static int name##_submit(void *manager, void *context, void **done, const void *data,         \
                             uint32_t n, ISAL_HASH_CTX_FLAG flags)                                \
    {                                                                                             \
        ISAL_##NAME##_HASH_CTX *returned = NULL;                                                  \
        int error = isal_##name##_ctx_mgr_submit(manager, context, &returned, data, n, flags);    \
                                                                                                  \
        *done = returned;                                                                         \
        return error;                                                                             \
    }                                                                                             \
    static int name##_flush(void *manager, void **done)                                           \
    {                                                                                             \
        ISAL_##NAME##_HASH_CTX *returned = NULL;                                                  \
        int error = isal_##name##_ctx_mgr_flush(manager, &returned);                              \
                                                                                                  \
        *done = returned;                                                                         \
        return error;                                                                             \
    }                                                                                             \
    static void name##_prepare(void *context)                                                     \
    {                                                                                             \
        isal_hash_ctx_init((ISAL_##NAME##_HASH_CTX *) context);                                   \
    }                                                                                             \
    static void *name##_state(void *context)                                                      \
    {                                                                                             \
        return isal_hash_ctx_digest((ISAL_##NAME##_HASH_CTX *) context);                          \
    }                                                                                             \
    static const struct hash_family name = {                                                      \
        .word_bytes = (word),                                                                     \
        .big_endian = (big),                                                                      \
        .standard = (is_standard),                                                                \
        .max_lanes = ISAL_##NAME##_MAX_LANES,                                                     \
        .init = name##_init,                                                                      \
        .submit = name##_submit,                                                                  \
        .flush = name##_flush,                                                                    \
        .prepare = name##_prepare,                                                                \
        .state = name##_state,                                                                    \
    };

FAMILY(md5, MD5, 4, 0, 0)
FAMILY(sha1, SHA1, 4, 1, 0)
FAMILY(sha256, SHA256, 4, 1, 0)
FAMILY(sha512, SHA512, 8, 1, 0)
FAMILY(sm3, SM3, 4, 1, 1)

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
        {"MD5", &hash_md5},          {"SSL3-MD5", &hash_md5},     {"SHA1", &hash_sha1},
        {"SHA-1", &hash_sha1},       {"SSL3-SHA1", &hash_sha1},   {"SHA2-224", &hash_sha224},
        {"SHA-224", &hash_sha224},   {"SHA224", &hash_sha224},    {"SHA2-256", &hash_sha256},
        {"SHA-256", &hash_sha256},   {"SHA256", &hash_sha256},    {"SHA2-384", &hash_sha384},
        {"SHA-384", &hash_sha384},   {"SHA384", &hash_sha384},    {"SHA2-512", &hash_sha512},
        {"SHA-512", &hash_sha512},   {"SHA512", &hash_sha512},    {"SM3", &hash_sm3},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!OPENSSL_strcasecmp(name, names[i].name))
            return names[i].hash;
    return NULL;
}

/* Hashes one piece of at most MAX_PIECE bytes. */
static int run_piece(const struct hash_family *f, union hash_context *context, const void *data,
                     uint32_t n, ISAL_HASH_CTX_FLAG flags)
{
    union hash_manager manager;
    void *done;

    if (f->init(&manager) || f->submit(&manager, context, &done, data, n, flags))
        return 0;
    return done || !f->flush(&manager, &done);
}

int hash_start(const struct hash *hash, union hash_context *context)
{
    const struct hash_family *f = hash->family;

    f->prepare(context);
    if (!run_piece(f, context, "", 0, ISAL_HASH_FIRST))
        return 0;
    if (hash->initial)
        memcpy(f->state(context), hash->initial, 8 * f->word_bytes);
    return 1;
}

int hash_add(const struct hash *hash, union hash_context *context, const void *data, size_t n)
{
    const uint8_t *next = data;

    while (n) {
        uint32_t piece = n < MAX_PIECE ? (uint32_t) n : MAX_PIECE;
        enum async_result result = async_hash(hash->family, context, next, piece);

        if (result == ASYNC_ABANDONED)
            return provider_error(REASON_ABORTED);
        if (result == ASYNC_NOT_QUEUED &&
            !run_piece(hash->family, context, next, piece, ISAL_HASH_UPDATE))
            return 0;
        next += piece;
        n -= piece;
    }
    return 1;
}

/* Writes the standard digest of a finished message. */
static void write_digest(const struct hash *hash, union hash_context *context, uint8_t *digest)
{
    const struct hash_family *f = hash->family;
    const uint8_t *state = f->state(context);

    if (f->standard) {
        memcpy(digest, state, hash->digest_bytes);
        return;
    }
    for (size_t i = 0; i < hash->digest_bytes; i++) {
        size_t word = i / f->word_bytes, byte = i % f->word_bytes;
        uint64_t value;

        if (f->word_bytes == 8) {
            memcpy(&value, state + 8 * word, 8);
        } else {
            uint32_t narrow;

            memcpy(&narrow, state + 4 * word, 4);
            value = narrow;
        }
        digest[i] = (uint8_t) (value >> 8 * (f->big_endian ? f->word_bytes - 1 - byte : byte));
    }
}

int hash_end(const struct hash *hash, union hash_context *context, uint8_t *digest)
{
    if (!run_piece(hash->family, context, "", 0, ISAL_HASH_LAST))
        return 0;
    write_digest(hash, context, digest);
    return 1;
}
