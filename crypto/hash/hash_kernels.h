/* The block functions of the hashes, for the families that hash: crypto/mb and mh_sha1.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A state is the chaining value of one message as words in host order: 4 (MD5), 5 (SHA-1) or 8
 * (SHA-256, SM3) uint32_t, or 8 uint64_t (SHA-512). A block is 64 bytes, for SHA-512 128. States
 * and messages may have any alignment. The functions do not pad messages. */

#ifndef HASH_KERNELS_H
#define HASH_KERNELS_H

#include "dispatch/kernel.h"

/* One message: hashes `blocks` blocks at data into the state. blocks may be 0. */
typedef void hash_block_fn(void *state, const uint8_t *data, size_t blocks);

/* The number of messages in the name (x4, x8, ...): for each lane i, hashes `blocks` blocks at
 * data[i] into states[i]. blocks >= 1. Lanes may share data; lanes that share a state must share
 * data. */
typedef void hash_lanes_fn(void *const *states, const uint8_t *const *data, size_t blocks);

/* Any number n of messages, with the functions that are fastest for that number. Returns, even if n
 * is 0, the number of messages to collect for best speed. Call with
 *
 *     KERNEL_CALL(isalk_sha256_many_slot)(n, states, data, blocks) */
typedef size_t hash_many_fn(size_t n, void *const *states, const uint8_t *const *data,
                            size_t blocks);
KERNEL_SLOT_TYPE(hash_many_fn);

#define HASH_MAX_LANES 32

/* X(hash, lanes, tier): the block functions of many messages; _ni means the SHA extensions. A tier
 * has the widths that are faster than those of lower tiers. 16 bytes of a vector hold 4 lanes
 * (SHA-512: 2). MD5's x8 of sse and avx, x16 of avx2, and x32 interleave two vectors. */
/* clang-format off */
#define HASH_LANES(X) \
    X(md5, x8, base) X(md5, x8, sse) X(md5, x8, avx) X(md5, x8, avx2) X(md5, x8, avx512) \
    X(md5, x16, base) X(md5, x16, avx2) X(md5, x16, avx512) X(md5, x32, base) X(md5, x32, avx512) \
    SHA_LANES(X, sha1) X(sha1, ni_x2, avx512) SHA_LANES(X, sha256) \
    X(sha512, x2, base) X(sha512, x2, sse) X(sha512, x2, avx) X(sha512, x4, base) \
    X(sha512, x4, avx2) X(sha512, x4, avx512) X(sha512, x8, base) X(sha512, x8, avx512) \
    FOUR_LANES(X, sm3)
#define SHA_LANES(X, hash) FOUR_LANES(X, hash) X(hash, ni_x2, base) X(hash, ni_x2, sse)
#define FOUR_LANES(X, hash) \
    X(hash, x4, base) X(hash, x4, sse) X(hash, x4, avx) X(hash, x8, base) X(hash, x8, avx2) \
    X(hash, x8, avx512) X(hash, x16, base) X(hash, x16, avx512)
/* clang-format on */

ISALK_HIDDEN_BEGIN

#define X(hash, lanes, tier) hash_lanes_fn isalk_##hash##_##lanes##_##tier;
HASH_LANES(X)
#undef X

hash_block_fn isalk_md5_x1_base, isalk_md5_x1_sse;
hash_block_fn isalk_sha1_x1_base, isalk_sha1_x1_avx2, isalk_sha1_x1_avx512, isalk_sha1_ni_x1_sse,
    isalk_sha1_ni_x1_avx512;
hash_block_fn isalk_sha256_x1_base, isalk_sha256_x1_avx2, isalk_sha256_x1_avx512,
    isalk_sha256_ni_x1_sse;
hash_block_fn isalk_sha512_x1_base, isalk_sha512_x1_avx2, isalk_sha512_x1_avx512;
hash_block_fn isalk_sha1_x1_armv8, isalk_sha256_x1_armv8;
hash_block_fn isalk_sm3_x1_base, isalk_sm3_x1_avx2;

hash_many_fn isalk_md5_many_portable, isalk_sha1_many_portable, isalk_sha256_many_portable;
hash_many_fn isalk_sha512_many_portable, isalk_sm3_many_portable;
hash_many_fn isalk_sha1_many_armv8, isalk_sha256_many_armv8;

/* hash_many_fn, chosen for this machine. */
extern hash_many_fn_slot isalk_md5_many_slot, isalk_sha1_many_slot, isalk_sha256_many_slot;
extern hash_many_fn_slot isalk_sha512_many_slot, isalk_sm3_many_slot;

/* Constants and initial states. MD5's initial state is the first four words of SHA-1's. */
extern const uint32_t isalk_md5_k[64], isalk_sha1_k[4], isalk_sha256_k[64], isalk_sm3_k[64];
extern const uint64_t isalk_sha512_k[80];
extern const uint32_t isalk_sha1_initial[5], isalk_sha256_initial[8], isalk_sm3_initial[8];
extern const uint64_t isalk_sha512_initial[8];
extern const uint32_t isalk_mh_sha1_initial[5 * 16], isalk_mh_sha256_initial[8 * 16];

ISALK_HIDDEN_END

#endif
