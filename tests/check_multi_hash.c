/* Kernel check of the multi-hash block functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "mh_sha1/mh_kernels.h"

#define ISAL_UNIT_TEST /* no deprecation warnings here */
#include "isa-l_crypto/mh_sha1.h"
#include "isa-l_crypto/mh_sha1_murmur3_x64_128.h"
#include "isa-l_crypto/mh_sha256.h"

/* The parameter of a test: the words of a state. */
static void blocks(struct check *c, size_t n)
{
    uint8_t *data = check_input(c, n * MH_BLOCK);
    uint8_t *states = check_output(c, 4 * MH_SEGMENTS * (size_t) check_parameter(c));
    uint8_t *murmur = check_output(c, 16);

    check_run(c, ARG(data), ARG(n), ARG(states), ARG(murmur));
}

/* ---- Calls ---- */

static uint8_t data[2 * MH_BLOCK], digest[32];
static struct isal_mh_sha1_ctx mh_sha1;
static struct isal_mh_sha256_ctx mh_sha256;
static struct isal_mh_sha1_murmur3_x64_128_ctx murmur3;

#define MULTI_HASH_CALLS(X, id)                                                       \
    X(id##_block, isal_##id##_update,                                                 \
      (isal_##id##_init(&id), isal_##id##_update(&id, data, sizeof data)))            \
    X(id##_block, id##_update, (id##_init(&id), id##_update(&id, data, sizeof data))) \
    X(id##_block, isal_##id##_finalize,                                               \
      (isal_##id##_init(&id), isal_##id##_finalize(&id, digest)))                     \
    X(id##_block, id##_finalize, (id##_init(&id), id##_finalize(&id, digest)))

#define CALLS(X)                                                          \
    MULTI_HASH_CALLS(X, mh_sha1)                                          \
    MULTI_HASH_CALLS(X, mh_sha256)                                        \
    X(mh_sha1_murmur3_block, isal_mh_sha1_murmur3_x64_128_update,         \
      (isal_mh_sha1_murmur3_x64_128_init(&murmur3, 0),                    \
       isal_mh_sha1_murmur3_x64_128_update(&murmur3, data, sizeof data))) \
    X(mh_sha1_murmur3_block, mh_sha1_murmur3_x64_128_update,              \
      (mh_sha1_murmur3_x64_128_init(&murmur3, 0),                         \
       mh_sha1_murmur3_x64_128_update(&murmur3, data, sizeof data)))      \
    X(mh_sha1_block, isal_mh_sha1_murmur3_x64_128_finalize,               \
      (isal_mh_sha1_murmur3_x64_128_init(&murmur3, 0),                    \
       isal_mh_sha1_murmur3_x64_128_finalize(&murmur3, digest, digest)))  \
    X(mh_sha1_block, mh_sha1_murmur3_x64_128_finalize,                    \
      (mh_sha1_murmur3_x64_128_init(&murmur3, 0),                         \
       mh_sha1_murmur3_x64_128_finalize(&murmur3, digest, digest)))
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptor ---- */

/* clang-format off */
#define BLOCKS {"blocks", MH_BLOCK, 1, 8, CHECK_BYTES / MH_BLOCK, 0}
/* clang-format on */
#define MULTI_HASH SIGNATURE(mh_block_fn, void, const uint8_t *, size_t, void *, void *)

static const struct check_kernel tests[] = {
    {"mh_sha1_block", blocks, BLOCKS, MULTI_HASH, MH_SHA1_WORDS},
    {"mh_sha1_murmur3_block", blocks, BLOCKS, MULTI_HASH, MH_SHA1_WORDS},
    {"mh_sha256_block", blocks, BLOCKS, MULTI_HASH, MH_SHA256_WORDS},
};

const struct check_family check_multi_hash = {tests, ARRAY_SIZE(tests), calls, 0};
