/* Encoder of compression: the bits of tokens.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate_kernels.h"

enum { MOST_WAITING = 56 }; /* bits: the 8 below them are lengths of codes */

/* The bits that wait for output are at the top of `waiting`; below them is what came before. To
 * append a code is to shift by its length, which an entry has where shifts look for it, and to OR
 * the entry: its length falls among the old bits. */
ISALK_INLINE uint64_t append(uint64_t waiting, uint64_t first, uint64_t second, uint32_t token)
{
    waiting = waiting >> (first & 63) | first;
    return waiting >> (second & 63) | second | (uint64_t) (token & TOKEN_EXTRA_MASK) << 32;
}

/* Writes the whole bytes of count bits, and leaves the rest. */
ISALK_INLINE uint8_t *write_bytes(uint8_t *out, uint64_t waiting, uint32_t *count)
{
    store_le64(out, waiting >> (-*count & 63));
    out += *count >> 3;
    *count &= 7;
    return out;
}

ISALK_INLINE void encode(struct deflate_encode *e)
{
    const struct deflate_codes *codes = e->codes;
    const uint32_t *token = e->token, *token_end = e->token_end;
    uint8_t *out = e->out, *out_last = e->out_last;
    uint64_t waiting = e->count ? e->bits << (64 - e->count) : 0;
    uint32_t count = e->count;

    /* Two tokens nearly always fit in one store. A token has at most 15 + 5 + 15 + 13 = 48 bits, and 7
     * may wait. */
    while (token_end - token >= 2 && out <= out_last) {
        uint32_t a = token[0], b = token[1], both;
        uint64_t first = codes->first[a & TOKEN_MASK];
        uint64_t second = codes->second[a >> TOKEN_SECOND_SHIFT & TOKEN_MASK];
        uint64_t next_first = codes->first[b & TOKEN_MASK];
        uint64_t next_second = codes->second[b >> TOKEN_SECOND_SHIFT & TOKEN_MASK];

        waiting = append(waiting, first, second, a);
        count = (count + (uint32_t) first + (uint32_t) second) & 0xff;
        both = (count + (uint32_t) next_first + (uint32_t) next_second) & 0xff;
        token++;
        if (both <= MOST_WAITING) {
            waiting = append(waiting, next_first, next_second, b);
            count = both;
            token++;
        }
        out = write_bytes(out, waiting, &count);
    }
    if (token < token_end && out <= out_last) {
        uint64_t first = codes->first[*token & TOKEN_MASK];
        uint64_t second = codes->second[*token >> TOKEN_SECOND_SHIFT & TOKEN_MASK];

        waiting = append(waiting, first, second, *token++);
        count = (count + (uint32_t) first + (uint32_t) second) & 0xff;
        out = write_bytes(out, waiting, &count);
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
