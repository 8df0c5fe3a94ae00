/* Types and declarations shared by the files of the multi-hash family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MH_KERNELS_H
#define MH_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

#define MH_BLOCK 1024 /* bytes: a 64-byte block of every segment */
#define MH_SEGMENTS 16
#define MH_SHA1_WORDS 5
#define MH_SHA256_WORDS 8

/* Hashes blocks >= 1 blocks into the states of the segments, uint32_t [words][MH_SEGMENTS] in host
 * order. In the kernel with Murmur, murmur is uint64_t [2], h1 and h2; the others ignore it. No
 * alignment is required. */
typedef void mh_block_fn(const uint8_t *data, size_t blocks, void *states, void *murmur);
KERNEL_SLOT_TYPE(mh_block_fn);

/* X(tier) for each tier. */
#define MH_TIERS(X) X(base) X(portable) X(sse) X(avx) X(avx2) X(avx512)

ISALK_HIDDEN_BEGIN

#define X(tier)                               \
    mh_block_fn isalk_mh_sha1_block_##tier;   \
    mh_block_fn isalk_mh_sha256_block_##tier; \
    mh_block_fn isalk_mh_sha1_murmur3_block_##tier;
MH_TIERS(X)
#undef X

/* The variants that run on this machine. */
extern mh_block_fn_slot isalk_mh_sha1_block_slot, isalk_mh_sha256_block_slot;
extern mh_block_fn_slot isalk_mh_sha1_murmur3_block_slot;

/* MurmurHash3_x64_128: whole blocks of 16 bytes; and the last 0 to 15 bytes of a message of len
 * bytes in all. h is uint64_t [2]. */
void isalk_murmur3_blocks(const uint8_t *data, size_t blocks, void *h);
void isalk_murmur3_end(const uint8_t *tail, uint32_t len, void *h);

ISALK_HIDDEN_END

#endif
