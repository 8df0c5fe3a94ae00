/* A program's Huffman tables expanded to codes by token field.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"

/* An entry of struct deflate_codes. `bits`: the number of bits, extra bits included. */
static uint64_t entry(uint64_t code, uint32_t bits)
{
    return bits != 0 ? code << (-bits & 63) | bits : 0;
}

void isalk_deflate_expand_base(const struct isal_hufftables *from, struct deflate_codes *to)
{
    for (unsigned i = 0; i < 256; i++)
        to->first[i] = entry(from->lit_table[i], from->lit_table_sizes[i]);
    memcpy(to->second + TOKEN_LITERALS, to->first, 256 * sizeof(*to->first));
    for (unsigned i = 0; i < IGZIP_LEN_TABLE_SIZE; i++)
        to->first[TOKEN_LENGTHS + i] = entry(from->len_table[i] >> HUFFTABLE_SIZE_BITS,
                                             from->len_table[i] & HUFFTABLE_SIZE_MASK);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        to->second[TOKEN_DISTANCES + i] =
            entry(from->dcodes[i], from->dcodes_sizes[i] + (uint32_t) deflate_distances[i].extra);
}

void isalk_hufftables_expand(const struct isal_hufftables *from, struct deflate_codes *to)
{
    KERNEL_CALL(isalk_deflate_expand_slot)(from, to);
    to->first[TOKEN_FIRSTS] =
        entry(from->lit_table[DEFLATE_END_OF_BLOCK], from->lit_table_sizes[DEFLATE_END_OF_BLOCK]);
    to->second[0] = 0;
    to->second[TOKEN_LITERALS - 1] = 0;
}
