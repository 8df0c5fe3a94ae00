/* Kernel check of the hashes' block functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "crypto/hash/hash_kernels.h"

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/mh_sha1.h"
#include "isa-l_crypto/mh_sha1_murmur3_x64_128.h"
#include "isa-l_crypto/mh_sha256.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

/* The parameter of a test: bytes of a state and of a block, and the number of lanes (0: any). */
#define HASH(state, block, lanes) ((state) << 16 | (block) << 8 | (lanes))
#define MD5(lanes) HASH(16, 64, lanes)
#define SHA1(lanes) HASH(20, 64, lanes)
#define SHA256(lanes) HASH(32, 64, lanes)
#define SHA512(lanes) HASH(64, 128, lanes)
#define SM3(lanes) HASH(32, 64, lanes)

#define HASH_MAX_MESSAGES 64

struct shape {
    size_t state, block, lanes;
};

static struct shape shape_of(const struct check *c)
{
    size_t p = (size_t) check_parameter(c);

    return (struct shape){p >> 16, p >> 8 & 255, p & 255};
}

static void one(struct check *c, size_t blocks)
{
    struct shape s = shape_of(c);
    uint8_t *state = check_output(c, s.state), *data = check_input(c, blocks * s.block);

    check_run(c, ARG(state), ARG(data), ARG(blocks));
}

/* States and data of n messages, as arrays of pointers. */
static void messages(struct check *c, size_t n, size_t blocks, void **states, void **data)
{
    struct shape s = shape_of(c);
    uint8_t *state[HASH_MAX_MESSAGES], *message[HASH_MAX_MESSAGES];

    for (size_t i = 0; i < n; i++) {
        state[i] = check_output(c, s.state);
        message[i] = check_input(c, blocks * s.block);
    }
    *states = check_pointers(c, state, n);
    *data = check_pointers(c, message, n);
}

static void lanes(struct check *c, size_t blocks)
{
    void *states, *data;

    messages(c, shape_of(c).lanes, blocks, &states, &data);
    check_run(c, ARG(states), ARG(data), ARG(blocks));
}

/* The result is the number of messages that a row hashes fastest, and differs between rows. */
static const char *settle_lanes(void *arg, uint64_t result)
{
    (void) arg;
    return result < 1 || result > HASH_MAX_LANES ? "returns an impossible number of lanes" : NULL;
}

static void many(struct check *c, size_t n)
{
    size_t blocks =
        check_random(c, 12) ? check_number(c, "blocks", 0, 4) : check_number(c, "blocks", 5, 40);
    void *states, *data;

    messages(c, n, blocks, &states, &data);
    check_settle(c, settle_lanes, NULL);
    check_run(c, ARG(n), ARG(states), ARG(data), ARG(blocks));
}

/* ---- Calls ---- */

static uint8_t text[256], digest[64 * HASH_MAX_LANES];

/* submit_all: submits enough messages for any manager to call the kernel. submit_one: submits one
 * message, for flush to hash. */
#define MANAGER(hash, HASH)                                                                        \
    static ISAL_##HASH##_HASH_CTX_MGR hash##_manager;                                              \
    static ISAL_##HASH##_HASH_CTX hash##_contexts[HASH_MAX_LANES], *hash##_done;                   \
    static void hash##_start(void)                                                                 \
    {                                                                                              \
        isal_##hash##_ctx_mgr_init(&hash##_manager);                                               \
        for (size_t i = 0; i < HASH_MAX_LANES; i++)                                                \
            isal_hash_ctx_init(&hash##_contexts[i]);                                               \
        check_ignore_calls();                                                                      \
    }                                                                                              \
    static void isal_##hash##_submit_all(void)                                                     \
    {                                                                                              \
        hash##_start();                                                                            \
        for (size_t i = 0; i < HASH_MAX_LANES; i++)                                                \
            isal_##hash##_ctx_mgr_submit(&hash##_manager, &hash##_contexts[i], &hash##_done, text, \
                                         sizeof text, ISAL_HASH_ENTIRE);                           \
    }                                                                                              \
    static void hash##_submit_all(void)                                                            \
    {                                                                                              \
        hash##_start();                                                                            \
        for (size_t i = 0; i < HASH_MAX_LANES; i++)                                                \
            hash##_ctx_mgr_submit(&hash##_manager, &hash##_contexts[i], text, sizeof text,         \
                                  ISAL_HASH_ENTIRE);                                               \
    }                                                                                              \
    static void hash##_submit_one(void)                                                            \
    {                                                                                              \
        hash##_start();                                                                            \
        isal_##hash##_ctx_mgr_submit(&hash##_manager, hash##_contexts, &hash##_done, text,         \
                                     sizeof text, ISAL_HASH_ENTIRE);                               \
        check_ignore_calls();                                                                      \
        if (hash##_done) /* with one lane, submit has hashed it */                                 \
            check_expect_no_call();                                                                \
    }
MANAGER(md5, MD5)
MANAGER(sha1, SHA1)
MANAGER(sha256, SHA256)
MANAGER(sha512, SHA512)
MANAGER(sm3, SM3)

static void mb_hash(int (*hash)(const void *const *, const uint64_t *, size_t, void *))
{
    const void *buffer = text;
    uint64_t len = sizeof text;

    hash(&buffer, &len, 1, digest);
}

#define MANAGER_CALLS(X, hash)                                                              \
    X(hash##_many, isal_##hash##_ctx_mgr_init, isal_##hash##_ctx_mgr_init(&hash##_manager)) \
    X(hash##_many, hash##_ctx_mgr_init, hash##_ctx_mgr_init(&hash##_manager))               \
    X(hash##_many, isal_##hash##_ctx_mgr_submit, isal_##hash##_submit_all())                \
    X(hash##_many, hash##_ctx_mgr_submit, hash##_submit_all())                              \
    X(hash##_many, isal_##hash##_ctx_mgr_flush,                                             \
      (hash##_submit_one(), isal_##hash##_ctx_mgr_flush(&hash##_manager, &hash##_done)))    \
    X(hash##_many, hash##_ctx_mgr_flush,                                                    \
      (hash##_submit_one(), hash##_ctx_mgr_flush(&hash##_manager)))                         \
    X(hash##_many, isal_##hash##_mb_hash, mb_hash(isal_##hash##_mb_hash))

/* A multi-hash ends with the hash of its segments' digests. */
static struct isal_mh_sha1_ctx mh_sha1;
static struct isal_mh_sha256_ctx mh_sha256;
static struct isal_mh_sha1_murmur3_x64_128_ctx murmur3;

#define MULTI_HASH_CALLS(X, many, id)                                                         \
    X(many, isal_##id##_finalize, (isal_##id##_init(&id), isal_##id##_finalize(&id, digest))) \
    X(many, id##_finalize, (id##_init(&id), id##_finalize(&id, digest)))

#define CALLS(X)                                                         \
    MANAGER_CALLS(X, md5)                                                \
    MANAGER_CALLS(X, sha1)                                               \
    MANAGER_CALLS(X, sha256)                                             \
    MANAGER_CALLS(X, sha512)                                             \
    MANAGER_CALLS(X, sm3)                                                \
    MULTI_HASH_CALLS(X, sha1_many, mh_sha1)                              \
    MULTI_HASH_CALLS(X, sha256_many, mh_sha256)                          \
    X(sha1_many, isal_mh_sha1_murmur3_x64_128_finalize,                  \
      (isal_mh_sha1_murmur3_x64_128_init(&murmur3, 0),                   \
       isal_mh_sha1_murmur3_x64_128_finalize(&murmur3, digest, digest))) \
    X(sha1_many, mh_sha1_murmur3_x64_128_finalize,                       \
      (mh_sha1_murmur3_x64_128_init(&murmur3, 0),                        \
       mh_sha1_murmur3_x64_128_finalize(&murmur3, digest, digest)))
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptor ---- */

/* clang-format off */
#define TEST_ONE(kernel, hash) \
    {kernel, one, {"blocks", 64, 0, 8, 200, 0}, \
     SIGNATURE(hash_block_fn, void, void *, const uint8_t *, size_t), hash(1)}
#define TEST_LANES(kernel, hash, count) \
    {kernel, lanes, {"blocks", 64, 1, 4, 150, 0}, \
     SIGNATURE(hash_lanes_fn, void, void *const *, const uint8_t *const *, size_t), hash(count)}
#define TEST_MANY(kernel, hash) \
    {kernel, many, {"messages", 64, 0, HASH_MAX_MESSAGES, HASH_MAX_MESSAGES, 0}, \
     SIGNATURE(hash_many_fn, size_t, size_t, void *const *, const uint8_t *const *, size_t), \
     hash(0)}
/* clang-format on */

static const struct check_kernel tests[] = {
    TEST_MANY("md5_many", MD5),
    TEST_ONE("md5_x1", MD5),
    TEST_LANES("md5_x8", MD5, 8),
    TEST_LANES("md5_x16", MD5, 16),
    TEST_LANES("md5_x32", MD5, 32),
    TEST_MANY("sha1_many", SHA1),
    TEST_ONE("sha1_x1", SHA1),
    TEST_LANES("sha1_x4", SHA1, 4),
    TEST_LANES("sha1_x8", SHA1, 8),
    TEST_LANES("sha1_x16", SHA1, 16),
    TEST_LANES("sha1_ni_x2", SHA1, 2),
    TEST_MANY("sha256_many", SHA256),
    TEST_ONE("sha256_x1", SHA256),
    TEST_LANES("sha256_x4", SHA256, 4),
    TEST_LANES("sha256_x8", SHA256, 8),
    TEST_LANES("sha256_x16", SHA256, 16),
    TEST_LANES("sha256_ni_x2", SHA256, 2),
    TEST_MANY("sha512_many", SHA512),
    TEST_ONE("sha512_x1", SHA512),
    TEST_LANES("sha512_x2", SHA512, 2),
    TEST_LANES("sha512_x4", SHA512, 4),
    TEST_LANES("sha512_x8", SHA512, 8),
    TEST_MANY("sm3_many", SM3),
    TEST_ONE("sm3_x1", SM3),
    TEST_LANES("sm3_x4", SM3, 4),
    TEST_LANES("sm3_x8", SM3, 8),
    TEST_LANES("sm3_x16", SM3, 16),
};

const struct check_family check_hash = {tests, ARRAY_SIZE(tests), calls, 0};
