/* Portable reference: the base of a hash table moved up.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"

void isalk_deflate_rebase_base(deflate_entry *head, uint32_t hash_bits, uint32_t delta)
{
    for (size_t i = 0; i < (size_t) 1 << hash_bits; i++) {
        uint32_t offset = head[i] & OFFSET_MASK;

        head[i] -= offset < delta ? offset : delta;
    }
}
