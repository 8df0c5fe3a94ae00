/* Kernels of compression: one for tiny inputs, which needs no parser, and those after the parser,
 * which count and encode tokens and expand code tables.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_KERNELS_H
#define DEFLATE_KERNELS_H

#include "dispatch/kernel.h"
#include "igzip/lz77/lz77_kernels.h"
#include "igzip/lz77/tokens.h"

/* Encoder: appends tokens from `token` on to `bits`, of which the lowest count <= 7 are valid,
 * until token == token_end or out > out_last. If there is room, it stores 8 bytes at the end:
 * the remaining bits, then zeros. */
struct deflate_encode {
    const uint32_t *token;
    const uint32_t *token_end;
    uint8_t *out;
    uint8_t *out_last; /* last address with room for 8 bytes */
    uint64_t bits;
    uint32_t count;
    const struct deflate_codes *codes;
};
typedef void deflate_encode_fn(struct deflate_encode *e);
KERNEL_SLOT_TYPE(deflate_encode_fn);

/* Adds the fields of tokens to counts. */
typedef void deflate_count_fn(struct deflate_counts *counts, const uint32_t *token,
                              const uint32_t *token_end);
KERNEL_SLOT_TYPE(deflate_count_fn);

/* Entries of len_table and dist_table in struct isal_hufftables: the low bits are the number of
 * bits, and the code is above them. */
enum { HUFFTABLE_SIZE_BITS = 5, HUFFTABLE_SIZE_MASK = (1 << HUFFTABLE_SIZE_BITS) - 1 };

/* Expands the tables of a program to codes by token field. Entries that stand for no literal,
 * length or distance are not written. */
struct isal_hufftables;
typedef void deflate_expand_fn(const struct isal_hufftables *from, struct deflate_codes *to);
KERNEL_SLOT_TYPE(deflate_expand_fn);

/* Finds matches in a whole input, which may follow a dictionary, and appends the codes of its
 * tokens to `bits`, of which the lowest count <= 7 are valid. The tokens are those that the greedy
 * parser finds for a tiny input. There is room for 15 bits for each byte, and 8 bytes more. Stops
 * before a position where a match may start if `out` is beyond out_limit. */
struct deflate_tiny {
    const uint8_t *bytes;
    uint32_t start;      /* offset of the input: bytes of the dictionary */
    uint32_t size;       /* bytes of both */
    uint32_t probed;     /* matches start before this offset: size - HASH_LOAD + 1, or 0 */
    uint32_t window;     /* longest distance */
    uint32_t hash_bits;  /* 7 to 16 */
    deflate_entry *head; /* hash table of 1 << hash_bits entries, of offsets before `start` or 0 */
    const struct isal_hufftables *tables;
    uint8_t *out;
    const uint8_t *out_limit;
    uint64_t bits;
    uint32_t count;
};
typedef void deflate_tiny_fn(struct deflate_tiny *t);
KERNEL_SLOT_TYPE(deflate_tiny_fn);

ISALK_HIDDEN_BEGIN

deflate_tiny_fn isalk_deflate_tiny_base, isalk_deflate_tiny_avx2;
deflate_expand_fn isalk_deflate_expand_base, isalk_deflate_expand_avx2, isalk_deflate_expand_avx512;
deflate_count_fn isalk_deflate_count_base, isalk_deflate_count_avx2;
deflate_encode_fn isalk_deflate_encode_base, isalk_deflate_encode_avx2;

extern deflate_expand_fn_slot isalk_deflate_expand_slot;
extern deflate_count_fn_slot isalk_deflate_count_slot;
extern deflate_encode_fn_slot isalk_deflate_encode_slot;
extern deflate_tiny_fn_slot isalk_deflate_tiny_slot;

ISALK_HIDDEN_END

#endif
