/* How a number of messages is divided among the block functions of one tier.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef HASH_RUN_H
#define HASH_RUN_H

#include "hash_kernels.h"

/* The block functions of a tier, widest first. A width serves `from` messages or more; fewer go to
 * the next width. The last entry has no function and `from` 0: its messages go to x1 one by one. */
struct hash_kernels {
    size_t best; /* messages to collect */
    struct {
        hash_lanes_fn *fn;
        unsigned lanes, from;
    } width[4];
    hash_block_fn *x1;
    size_t x1_blocks; /* most blocks of a single message for which x1 is faster */
};

ISALK_HIDDEN_BEGIN

/* A hash_many_fn with the functions of a tier. */
size_t isalk_hash_many(const struct hash_kernels *k, size_t n, void *const *states,
                       const uint8_t *const *data, size_t blocks);

ISALK_HIDDEN_END

#endif
