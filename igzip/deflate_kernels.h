/* Kernels of compression: match finders and the encoder, and the tokens between them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_KERNELS_H
#define DEFLATE_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dispatch/kernel.h"
#include "igzip/deflate_format.h"

/* A token is one literal, two literals or a match. It has two fields, each of which is an index into
 * a table of counts or codes:
 *
 *     bits 0-8    a literal, or 256 + length - 3
 *     bits 9-17   0; 1 + distance symbol, for a match; or 32 + the second literal
 *     bits 19-31  extra bits of the distance, at the top, with zeros below */
#define TOKEN_SECOND_SHIFT 9
#define TOKEN_MASK 511
#define TOKEN_EXTRA_MASK 0xfff80000u
#define TOKEN_LENGTHS 256 /* first field of a match of length 3 */
#define TOKEN_FIRSTS 512
#define TOKEN_DISTANCES 1 /* second field of distance symbol 0 */
#define TOKEN_LITERALS 32 /* second field of literal 0 */
#define TOKEN_SECONDS (TOKEN_LITERALS + 256)

/* How often each value of the fields occurs. */
struct deflate_counts {
    uint32_t first[TOKEN_FIRSTS];
    uint32_t second[TOKEN_SECONDS];
};

/* What the fields are encoded as: in the low 32 bits the number of bits, extra bits included; at the
 * top the code, bit-reversed, and above it a length's extra bits, or zeros in the place of a
 * distance's. first[TOKEN_FIRSTS] is the end of block, second[0] is 0. */
struct deflate_codes {
    uint64_t first[TOKEN_FIRSTS + 1];
    uint64_t second[TOKEN_SECONDS];
};

/* Match finder: makes tokens of the bytes from next on in batches, which begin at multiples of 8 from
 * base and have FIND_BATCH positions, or fewer, a multiple of FIND_STEP, of which the last is
 * before limit and FIND_BEHIND bytes before end. The last match may end behind that. At `token` is
 * room for one for each byte to the limit, and FIND_TOKENS_BEHIND more, which become 0 behind the
 * last. If a batch has fewer than `few` tokens, the one behind it is the last.
 *
 * Entries of the hash table are offsets from base, which is before next. All bytes from there on may
 * be referred to, and all entries are below the offset of next, so that every entry is an address
 * that can be read and a distance of 1 or more. Offsets stay below 65536. */
struct deflate_find {
    const uint8_t *next;
    const uint8_t *limit; /* where the last token has to start before */
    const uint8_t *end;   /* of the bytes that matches may cover; limit <= end */
    const uint8_t *base;
    uint32_t *token;     /* where the next token goes */
    uint32_t *token_end; /* of the room for tokens */
    uint16_t *head;      /* hash table */
    uint64_t multiplier; /* of the hash: see deflate_multiplier() */
    uint32_t hash_bits;
    uint32_t window; /* the longest distance */
    uint32_t few;
};
typedef void deflate_find_fn(struct deflate_find *f);

enum {
    FIND_BATCH = 256,
    FIND_STEP = 32,
    FIND_BEHIND = 32,
    FIND_SPARSE = 512, /* bytes to the limit, at least, if there are more batches */
    FIND_TOKENS_BEHIND = 16,
    FIND_TOKENS = 128, /* room for tokens that is worth a call */
    FIND_CHUNK = 16384 /* bytes between next and limit, at most */
};

/* Hashes take this many bytes, 4 to 8, of 8 that are loaded. */
ISALK_INLINE uint64_t deflate_multiplier(unsigned bytes)
{
    return 0x9e3779b185ebca87u << (64 - 8 * bytes);
}

/* Encoder: appends the tokens from next on, one by one, to bits, of which the lowest count <= 7 are
 * valid, until next == token_end or out > out_last. Where there is room, 8 bytes are written at the
 * end: the bits that are left, and zeros. */
struct deflate_encode {
    const uint32_t *token;
    const uint32_t *token_end;
    uint8_t *out;
    uint8_t *out_last; /* the last place where 8 bytes have room */
    uint64_t bits;
    uint32_t count;
    const struct deflate_codes *codes;
};
typedef void deflate_encode_fn(struct deflate_encode *e);

ISALK_HIDDEN_BEGIN

deflate_find_fn isalk_deflate_find_fast_base, isalk_deflate_find_fast_avx2;
deflate_find_fn isalk_deflate_find_look_base, isalk_deflate_find_look_avx2;
deflate_encode_fn isalk_deflate_encode_base, isalk_deflate_encode_avx2;

extern kernel_slot isalk_deflate_find_fast_slot;
extern kernel_slot isalk_deflate_find_look_slot;
extern kernel_slot isalk_deflate_encode_slot;

/* Makes tokens up to the limit, or short of it by less than a batch unless `to_limit`, or until there
 * is no room for FIND_TOKENS more. `batches` is a match finder; next may be at base. */
void isalk_deflate_find(struct deflate_find *f, kernel_fn batches, int to_limit);

/* Hash table entries for n bytes at base. */
void isalk_deflate_insert(uint16_t *head, uint32_t hash_bits, uint64_t multiplier,
                          const uint8_t *base, uint32_t n);

/* Moves the base of a hash table up by delta. */
void isalk_deflate_rebase(uint16_t *head, uint32_t hash_bits, uint32_t delta);

/* Adds what tokens have in their fields. */
void isalk_deflate_count(struct deflate_counts *counts, const uint32_t *token,
                         const uint32_t *token_end);

ISALK_HIDDEN_END

/* ---- Bytes and bits ---- */

ISALK_INLINE uint32_t load_le32(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof(v));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    return v;
}

ISALK_INLINE uint64_t load_le64(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof(v));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

ISALK_INLINE void store_le64(uint8_t *p, uint64_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof(v));
}

/* The bits of a token, the first one lowest. */
ISALK_INLINE uint64_t token_bits(uint32_t token, const struct deflate_codes *codes, uint32_t *count)
{
    uint64_t first = codes->first[token & TOKEN_MASK];
    uint64_t second = codes->second[token >> TOKEN_SECOND_SHIFT & TOKEN_MASK];
    uint32_t first_bits = first & 0xff, second_bits = second & 0xff;
    uint64_t bits = first_bits ? first >> (64 - first_bits) : 0;

    second |= (uint64_t) (token & TOKEN_EXTRA_MASK) << 32;
    *count = first_bits + second_bits;
    return second_bits ? bits | second >> (64 - second_bits) << first_bits : bits;
}

#endif
