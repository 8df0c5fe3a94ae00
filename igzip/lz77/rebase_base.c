/* Portable reference: the base of a hash table moved up.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"

void isalk_deflate_rebase_base(deflate_entry *head, uint32_t hash_bits, uint32_t delta)
{
    enum { AT_ONCE = 4 }; /* with signed offsets, a form that compilers vectorize */
    int32_t max = (int32_t) delta;

    for (size_t i = 0; i < (size_t) 1 << hash_bits; i += AT_ONCE)
        for (size_t k = i; k < i + AT_ONCE; k++) {
            int32_t offset = (int32_t) (head[k] & OFFSET_MASK);

            head[k] -= (uint32_t) (offset < max ? offset : max);
        }
}
