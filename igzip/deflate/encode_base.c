/* Portable reference of the encoder.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/deflate_kernels.h"
#include "dispatch/bytes.h"

/* Pending bits are at the top of `pending`, above bits that are already written. Appending a
 * code is a right shift by its length and an OR: what an entry has below its code lands among
 * the written bits. */
void isalk_deflate_encode_base(struct deflate_encode *e)
{
    const struct deflate_codes *codes = e->codes;
    const uint32_t *token = e->token;
    uint64_t pending = e->count ? e->bits << (64 - e->count) : 0;
    uint32_t count = e->count;
    uint8_t *out = e->out;

    for (; token < e->token_end && out <= e->out_last; token++) {
        uint64_t first = codes->first[*token & TOKEN_MASK];
        uint64_t second = codes->second[*token >> TOKEN_SECOND_SHIFT & TOKEN_MASK];
        uint32_t size = (uint32_t) first + (uint32_t) second;
        uint64_t extra = (uint64_t) (*token & TOKEN_EXTRA_MASK) << 32;

        pending = pending >> size | (first >> (second & 63) | (second | extra));
        count += size; /* at most 7 + 15 + 5 + 15 + 13 */
        store_le64(out, pending >> (-count & 63));
        out += count >> 3;
        count &= 7;
    }
    e->token = token;
    e->out = out;
    e->bits = count ? pending >> (64 - count) : 0;
    e->count = count;
    if (out <= e->out_last)
        store_le64(out, e->bits);
}
