/* What the tests of the multi-buffer hashes share: every hash with its functions and members,
 * contexts, and digests by definition and by OpenSSL.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MB_TEST_H
#define MB_TEST_H

#include "test.h"

#include <dlfcn.h>

#include "crypto/hash/hash_kernels.h"
#include "isa-l_crypto/isal_crypto_api.h"
#define ISAL_UNIT_TEST
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

#define MAX_DIGEST 64
#define FILL 0xaa /* content of memory before initialization */

/* One hash: functions that take managers and contexts as void *, offsets of members, properties. */
struct hash {
    const char *name, *openssl;
    void (*old_init)(void *mgr);
    void *(*old_submit)(void *mgr, void *ctx, const void *buffer, uint32_t len,
                        ISAL_HASH_CTX_FLAG flags);
    void *(*old_flush)(void *mgr);
    int (*init)(void *mgr);
    int (*submit)(void *mgr, void *ctx, void **out, const void *buffer, uint32_t len,
                  ISAL_HASH_CTX_FLAG flags);
    int (*flush)(void *mgr, void **out);
    int (*all)(const void *const *buffers, const uint64_t *lens, size_t n, void *digests);
    hash_block_fn *block_fn;
    const void *initial;
    size_t mgr_bytes, ctx_bytes, status, error, total, user_data, job_user_data;
    size_t block, length_field, words, word, lanes;
    int big_endian, swapped, null_if_empty;
};

/* The functions of one hash, with managers and contexts as void *. */
#define FUNCTIONS(id, ID)                                                                         \
    static void id##_old_init(void *mgr)                                                          \
    {                                                                                             \
        id##_ctx_mgr_init(mgr);                                                                   \
    }                                                                                             \
    static void *id##_old_submit(void *mgr, void *ctx, const void *buffer, uint32_t len,          \
                                 ISAL_HASH_CTX_FLAG flags)                                        \
    {                                                                                             \
        return id##_ctx_mgr_submit(mgr, ctx, buffer, len, flags);                                 \
    }                                                                                             \
    static void *id##_old_flush(void *mgr)                                                        \
    {                                                                                             \
        return id##_ctx_mgr_flush(mgr);                                                           \
    }                                                                                             \
    static int id##_init(void *mgr)                                                               \
    {                                                                                             \
        return isal_##id##_ctx_mgr_init(mgr);                                                     \
    }                                                                                             \
    static int id##_submit(void *mgr, void *ctx, void **out, const void *buffer, uint32_t len,    \
                           ISAL_HASH_CTX_FLAG flags)                                              \
    {                                                                                             \
        ISAL_##ID##_HASH_CTX *done = out ? *out : NULL;                                           \
        int error = isal_##id##_ctx_mgr_submit(mgr, ctx, out ? &done : NULL, buffer, len, flags); \
        if (out)                                                                                  \
            *out = done;                                                                          \
        return error;                                                                             \
    }                                                                                             \
    static int id##_flush(void *mgr, void **out)                                                  \
    {                                                                                             \
        ISAL_##ID##_HASH_CTX *done = out ? *out : NULL;                                           \
        int error = isal_##id##_ctx_mgr_flush(mgr, out ? &done : NULL);                           \
        if (out)                                                                                  \
            *out = done;                                                                          \
        return error;                                                                             \
    }
FUNCTIONS(md5, MD5)
FUNCTIONS(sha1, SHA1)
FUNCTIONS(sha256, SHA256)
FUNCTIONS(sha512, SHA512)
FUNCTIONS(sm3, SM3)

#define HASH(id, ID, ssl, first, block_bytes, field, count, size, big, swap, null)          \
    {                                                                                       \
#id, ssl, id##_old_init, id##_old_submit, id##_old_flush, id##_init, id##_submit,   \
            id##_flush, isal_##id##_mb_hash, isalk_##id##_x1_base, first,                   \
            sizeof(ISAL_##ID##_HASH_CTX_MGR), sizeof(ISAL_##ID##_HASH_CTX),                 \
            offsetof(ISAL_##ID##_HASH_CTX, status), offsetof(ISAL_##ID##_HASH_CTX, error),  \
            offsetof(ISAL_##ID##_HASH_CTX, total_length),                                   \
            offsetof(ISAL_##ID##_HASH_CTX, user_data),                                      \
            offsetof(ISAL_##ID##_HASH_CTX, job.user_data), block_bytes, field, count, size, \
            ISAL_##ID##_MAX_LANES, big, swap, null                                          \
    }

static const struct hash hashes[] = {
    HASH(md5, MD5, "MD5", isalk_sha1_initial, 64, 8, 4, 4, 0, 0, 0),
    HASH(sha1, SHA1, "SHA1", isalk_sha1_initial, 64, 8, 5, 4, 1, 0, 0),
    HASH(sha256, SHA256, "SHA256", isalk_sha256_initial, 64, 8, 8, 4, 1, 0, 0),
    HASH(sha512, SHA512, "SHA512", isalk_sha512_initial, 128, 16, 8, 8, 1, 0, 0),
    HASH(sm3, SM3, "SM3", isalk_sm3_initial, 64, 8, 8, 4, 1, 1, 1),
};
#define HASHES (sizeof hashes / sizeof *hashes)

static const char *const tiers[] = {"base", "sse", "avx", "avx2", "avx512", NULL};

/* ---- Contexts ---- */

static inline uint32_t get32(const void *ctx, size_t offset)
{
    uint32_t value;

    memcpy(&value, (const uint8_t *) ctx + offset, sizeof value);
    return value;
}

static inline void set32(void *ctx, size_t offset, uint32_t value)
{
    memcpy((uint8_t *) ctx + offset, &value, sizeof value);
}

static inline uint64_t get64(const void *ctx, size_t offset)
{
    uint64_t value;

    memcpy(&value, (const uint8_t *) ctx + offset, sizeof value);
    return value;
}

static inline size_t digest_bytes(const struct hash *h)
{
    return h->words * h->word;
}

/* A context as programs prepare it: status and error set, the rest garbage, 16-byte aligned. */
static inline void *new_context(const struct hash *h)
{
    uint8_t *ctx = test_alloc(h->ctx_bytes + 64); /* malloc aligns to 16 bytes */

    memset(ctx, FILL, h->ctx_bytes);
    set32(ctx, h->status, ISAL_HASH_CTX_STS_COMPLETE);
    set32(ctx, h->error, 0);
    return ctx;
}

static inline void *new_manager(const struct hash *h)
{
    uint8_t *mgr = test_alloc(h->mgr_bytes);

    memset(mgr, FILL, h->mgr_bytes);
    EXPECT(h->init(mgr) == 0, "%s: init", h->name);
    return mgr;
}

static inline int little_endian(void)
{
    const uint16_t one = 1;

    return *(const uint8_t *) &one;
}

/* Converts the words of a state to the bytes of the standard digest. */
static inline void standard_digest(const struct hash *h, const void *words, uint8_t *digest)
{
    size_t flip = h->big_endian == little_endian() ? h->word - 1 : 0;

    for (size_t i = 0; i < digest_bytes(h); i++)
        digest[i] = ((const uint8_t *) words)[i ^ flip];
}

/* The digest of a context, at offset 64. */
static inline void digest_of(const struct hash *h, const void *ctx, uint8_t *digest)
{
    const uint8_t *result = (const uint8_t *) ctx + 64;

    if (h->swapped)
        memcpy(digest, result, digest_bytes(h));
    else
        standard_digest(h, result, digest);
}

/* The digest by definition: the message padded in one piece, and the portable block function. The
 * padding states a length of `stated` bytes. */
static inline void reference_of_length(const struct hash *h, const uint8_t *data, size_t len,
                                       uint64_t stated, uint8_t *digest)
{
    size_t padded = (len + h->length_field + h->block) / h->block * h->block;
    uint8_t *message = test_alloc(padded);
    uint64_t state[8];

    memset(message, 0, padded);
    if (len)
        memcpy(message, data, len);
    message[len] = 0x80;
    for (size_t i = 0; i < 8; i++)
        message[padded - 8 + i] = (uint8_t) (stated * 8 >> 8 * (h->big_endian ? 7 - i : i));
    if (h->length_field > 8)
        message[padded - 9] = (uint8_t) (stated >> 61);
    memcpy(state, h->initial, digest_bytes(h));
    h->block_fn(state, message, padded / h->block);
    standard_digest(h, state, digest);
    free(message);
}

static inline void reference(const struct hash *h, const uint8_t *data, size_t len, uint8_t *digest)
{
    reference_of_length(h, data, len, len, digest);
}

static inline void expect_digest(const struct hash *h, const uint8_t *got, const uint8_t *want,
                                 const char *what, size_t a, size_t b)
{
    EXPECT(!memcmp(got, want, digest_bytes(h)),
           "%s: %s %zu, %zu: digest %02x%02x.., not %02x%02x..", h->name, what, a, b, got[0],
           got[1], want[0], want[1]);
}

/* Submits a piece, and flushes until the context returns. The manager holds no other context. */
static inline void run_piece(const struct hash *h, void *mgr, void *ctx, const void *data,
                             size_t len, ISAL_HASH_CTX_FLAG flags)
{
    void *out;
    int error = h->submit(mgr, ctx, &out, data, (uint32_t) len, flags);

    EXPECT(error == 0, "%s: submit of %zu bytes, flags %d: %d", h->name, len, (int) flags, error);
    if (!out) {
        EXPECT(get32(ctx, h->status) & ISAL_HASH_CTX_STS_PROCESSING, "%s: status %u in the manager",
               h->name, (unsigned) get32(ctx, h->status));
        h->flush(mgr, &out);
    }
    EXPECT(out == ctx, "%s: submit and flush returned %p, not the context", h->name, out);
    EXPECT(get32(ctx, h->status) ==
               (flags & ISAL_HASH_LAST ? ISAL_HASH_CTX_STS_COMPLETE : ISAL_HASH_CTX_STS_IDLE),
           "%s: status %u after flags %d", h->name, (unsigned) get32(ctx, h->status), (int) flags);
    h->flush(mgr, &out);
    EXPECT(!out, "%s: flush of an empty manager", h->name);
}

/* ---- OpenSSL ---- */

static struct {
    void *library;
    int (*digest)(const void *data, size_t n, uint8_t *out, unsigned *out_n, const void *type,
                  void *engine);
    const void *(*by_name)(const char *name);
} openssl;

static inline int openssl_open(void)
{
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
    void *p;

    for (size_t i = 0; i < 2 && !openssl.library; i++)
        openssl.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!openssl.library)
        return 0;
    p = dlsym(openssl.library, "EVP_Digest");
    memcpy(&openssl.digest, &p, sizeof p);
    p = dlsym(openssl.library, "EVP_get_digestbyname");
    memcpy(&openssl.by_name, &p, sizeof p);
    return openssl.digest && openssl.by_name;
}

/* The digest by OpenSSL if it is available, else by definition. */
static inline void peer_digest(const struct hash *h, const uint8_t *data, size_t len,
                               uint8_t *digest)
{
    const void *type = openssl.library ? openssl.by_name(h->openssl) : NULL;

    if (!type || !openssl.digest(data, len, digest, NULL, type, NULL))
        reference(h, data, len, digest);
}

#endif
