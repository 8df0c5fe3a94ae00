/* Divides a number of messages among the block functions of one tier.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "hash_run.h"

#include <string.h>

/* Hashes fewer messages than lanes: the other lanes hash the first message into a spare state. */
static void run_part(hash_lanes_fn *fn, unsigned lanes, size_t n, void *const *states,
                     const uint8_t *const *data, size_t blocks)
{
    void *all_states[HASH_MAX_LANES];
    const uint8_t *all_data[HASH_MAX_LANES];
    uint64_t spare[8] = {0};

    for (unsigned i = 0; i < lanes; i++) {
        all_states[i] = i < n ? states[i] : spare;
        all_data[i] = data[i < n ? i : 0];
    }
    fn(all_states, all_data, blocks);
}

size_t isalk_hash_many(const struct hash_kernels *k, size_t n, void *const *states,
                       const uint8_t *const *data, size_t blocks)
{
    unsigned w = 0;

    if (blocks == 0)
        return k->best;
    while (n) {
        size_t now = 1;
        while (n < k->width[w].from)
            w++;
        if (k->width[w].fn && (n > 1 || blocks > k->x1_blocks)) {
            unsigned lanes = k->width[w].lanes;
            now = n < lanes ? n : lanes;
            if (n >= lanes)
                k->width[w].fn(states, data, blocks);
            else
                run_part(k->width[w].fn, lanes, n, states, data, blocks);
        } else {
            k->x1(states[0], data[0], blocks);
        }
        n -= now;
        states += now;
        data += now;
    }
    return k->best;
}
