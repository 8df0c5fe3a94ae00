/* Portable reference: positions inserted in a hash table without a probe.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"

void isalk_deflate_insert_base(deflate_entry *head, uint32_t hash_bits, const uint8_t *base,
                               uint32_t n, uint32_t hash_multiplier)
{
    for (uint32_t i = 0; i < n; i++)
        hash_insert(head, hash_bits, 0,
                    hash_four(base + i) + load_le32(base + i + 1) * hash_multiplier, i);
}
