/* Encoder of compression: the bits of tokens.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate_kernels.h"

/* The bits that wait for output are at the top of `waiting`; below them is what came before. To
 * append a code is to shift by its length, which an entry has where shifts look for it, and to OR
 * the entry: its length falls among the old bits. */
ISALK_INLINE void encode(struct deflate_encode *e)
{
    const struct deflate_codes *codes = e->codes;
    const uint32_t *token = e->token, *token_end = e->token_end;
    uint8_t *out = e->out, *out_last = e->out_last;
    uint64_t waiting = e->count ? e->bits << (64 - e->count) : 0;
    uint32_t count = e->count;

    /* A token has at most 15 + 5 + 15 + 13 = 48 bits, and 7 may wait. */
    for (; token < token_end && out <= out_last; token++) {
        uint32_t t = *token;
        uint64_t first = codes->first[t & TOKEN_MASK];
        uint64_t second = codes->second[t >> TOKEN_SECOND_SHIFT & TOKEN_MASK];

        waiting = waiting >> (first & 63) | first;
        waiting = waiting >> (second & 63) | second | (uint64_t) (t & TOKEN_EXTRA_MASK) << 32;
        count = (count + (uint32_t) first + (uint32_t) second) & 63;
        store_le64(out, waiting >> (-count & 63));
        out += count >> 3;
        count &= 7;
    }
    e->token = token;
    e->out = out;
    e->bits = count ? waiting >> (64 - count) : 0;
    e->count = count;
}

void isalk_deflate_encode_base(struct deflate_encode *e)
{
    encode(e);
}

#if ISALK_X86_64
__attribute__((target("bmi,bmi2"))) void isalk_deflate_encode_avx2(struct deflate_encode *e)
{
    encode(e);
}
#endif

void isalk_deflate_count(struct deflate_counts *counts, const uint32_t *token,
                         const uint32_t *token_end)
{
    for (; token < token_end; token++) {
        counts->first[*token & TOKEN_MASK]++;
        counts->second[*token >> TOKEN_SECOND_SHIFT & TOKEN_MASK]++;
    }
}
