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

/* The block functions by tier; _ni means the SHA extensions. A tier has the widths that are faster
 * than those of lower tiers. 16 bytes of a vector hold 4 lanes (SHA-512: 2). MD5's x8 of sse and
 * avx, x16 of avx2, and x32 interleave two vectors. */
#define MD5_LANES(X) \
    X(x8, base)      \
    X(x8, sse)       \
    X(x8, avx)       \
    X(x8, avx2) X(x8, avx512) X(x16, base) X(x16, avx2) X(x16, avx512) X(x32, base) X(x32, avx512)
#define SHA256_LANES(X) \
    X(x4, base)         \
    X(x4, sse)          \
    X(x4, avx)          \
    X(x8, base) X(x8, avx2) X(x8, avx512) X(x16, base) X(x16, avx512) X(ni_x2, base) X(ni_x2, sse)
#define SHA1_LANES(X) SHA256_LANES(X) X(ni_x2, avx512)
#define SHA512_LANES(X) \
    X(x2, base)         \
    X(x2, sse) X(x2, avx) X(x4, base) X(x4, avx2) X(x4, avx512) X(x8, base) X(x8, avx512)
#define SM3_LANES(X) \
    X(x4, base)      \
    X(x4, sse) X(x4, avx) X(x8, base) X(x8, avx2) X(x8, avx512) X(x16, base) X(x16, avx512)

ISALK_HIDDEN_BEGIN

#define X(lanes, tier) hash_lanes_fn isalk_md5_##lanes##_##tier;
MD5_LANES(X)
#undef X
#define X(lanes, tier) hash_lanes_fn isalk_sha1_##lanes##_##tier;
SHA1_LANES(X)
#undef X
#define X(lanes, tier) hash_lanes_fn isalk_sha256_##lanes##_##tier;
SHA256_LANES(X)
#undef X
#define X(lanes, tier) hash_lanes_fn isalk_sha512_##lanes##_##tier;
SHA512_LANES(X)
#undef X
#define X(lanes, tier) hash_lanes_fn isalk_sm3_##lanes##_##tier;
SM3_LANES(X)
#undef X

hash_block_fn isalk_md5_x1_base, isalk_md5_x1_sse;
hash_block_fn isalk_sha1_x1_base, isalk_sha1_x1_avx2, isalk_sha1_x1_avx512, isalk_sha1_ni_x1_sse,
    isalk_sha1_ni_x1_avx512;
hash_block_fn isalk_sha256_x1_base, isalk_sha256_x1_avx2, isalk_sha256_x1_avx512,
    isalk_sha256_ni_x1_sse;
hash_block_fn isalk_sha512_x1_base, isalk_sha512_x1_avx2, isalk_sha512_x1_avx512;
hash_block_fn isalk_sm3_x1_base, isalk_sm3_x1_avx2;

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
