/* Kernels of compression: match finders and the encoder, and the tokens between them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_KERNELS_H
#define DEFLATE_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dispatch/kernel.h"
#include "igzip/format/bytes.h"
#include "igzip/format/deflate_format.h"

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

/* An entry of the hash table: in the lower half the offset of a position, in the upper one the bits of
 * its hash, most of them behind the index, by which most positions that have no match are known
 * without a look at the bytes. The interface gives the memory other types. */
#if defined(__GNUC__)
typedef uint32_t __attribute__((may_alias)) deflate_entry;
#else
typedef uint32_t deflate_entry;
#endif

/* Match finder: makes tokens of the bytes from next on in batches, which begin at multiples of 8 from
 * base and have FIND_BATCH positions, or fewer, a multiple of FIND_STEP, of which the last is
 * before limit and FIND_BEHIND bytes before end. The last match may end behind that, and the one for
 * long matches may begin it there. At `token` is room for one for each byte to the limit and
 * FIND_TOKENS_PAST more, and for FIND_TOKENS_BEHIND, which become 0 behind the last.
 *
 * Offsets in the hash table are from base, which is before next. All bytes from there on may be
 * referred to, and all offsets are below that of next, so that each is an address that can be read
 * and a distance of 1 or more. They stay below 65536. */
struct deflate_find {
    const uint8_t *next;
    const uint8_t *limit; /* where the last token has to start before */
    const uint8_t *end;   /* of the bytes that matches may cover; limit <= end */
    const uint8_t *base;
    uint32_t *token;     /* where the next token goes */
    uint32_t *token_end; /* of the room for tokens */
    deflate_entry *head; /* hash table, of 1 << hash_bits entries */
    uint32_t hash_bits;  /* 9 to 16 */
    uint32_t window;     /* the longest distance */
    uint32_t long_least; /* bytes a token that the finder of long matches needs to go on */
    uint32_t run;        /* the distance at which a match of the longest length may go on, or 0 */
    uint32_t matched;    /* the distance of the match that ends at next, or 0 */
};

/* The greedy one takes each match that it comes to; the lazy one passes a match over if the next
 * position has a longer one, as far as the first FIND_COMPARED bytes of both tell.
 *
 * The third one is for long matches and looks up only where a token begins: this position and the next
 * one, of which it takes the longer match, and enters the match's last position. But where a match ends,
 * and after up to LONG_SKIPPED bytes that differ LONG_REPEAT bytes are again the same at its distance,
 * it takes these. Its callers see to it that LONG_BEHIND bytes behind its limit can be read. It stops
 * behind a match of the longest length, with its distance in `run`, which is 0 otherwise. */
enum deflate_parser { DEFLATE_GREEDY, DEFLATE_LAZY, DEFLATE_LONG, DEFLATE_PARSERS };
typedef void deflate_find_fn(struct deflate_find *f);
KERNEL_SLOT_TYPE(deflate_find_fn);

/* Moves the base of a hash table up by delta, at most 65535 or the result is undefined. Positions before
 * it get offset 0: a wrong guess, but one that can be read. */
typedef void deflate_rebase_fn(deflate_entry *head, uint32_t hash_bits, uint32_t delta);
KERNEL_SLOT_TYPE(deflate_rebase_fn);

/* Enters n >= INSERT_LEAST positions from base on, which has offset 0, in a hash table. INSERT_BEHIND
 * bytes behind them can be read. */
typedef void deflate_insert_fn(deflate_entry *head, uint32_t hash_bits, const uint8_t *base,
                               uint32_t n);
KERNEL_SLOT_TYPE(deflate_insert_fn);

/* Bytes of a probe. */
struct deflate_sample {
    uint32_t bytes;
    uint32_t pairs;  /* of equal bytes */
    uint32_t repeat; /* distance of the match that ended the probe, or 0 */
    uint16_t counts[256];
};

enum {
    FIND_BATCH = 512,
    FIND_STEP = 32,
    FIND_BEHIND = 32,
    FIND_COMPARED = FIND_BEHIND,
    INSERT_LEAST = 8,
    INSERT_BEHIND = 8,
    LONG_REPEAT = 16,
    LONG_SKIPPED = 3,
    LONG_BEHIND = LONG_SKIPPED + DEFLATE_MAX_MATCH + FIND_COMPARED,
    LONG_PIECE = 512, /* bytes by which to judge whether matches are still long */
    FIND_TOKENS_PAST = 2,
    FIND_TOKENS_BEHIND = 16,
    FIND_TOKENS = 128, /* room for tokens that is worth a call */
    FIND_CHUNK = 8192, /* bytes between next and limit, at most */
    PROBE_PIECE = 512,
    PROBE_LEAST = 64
};

/* A hash is of five bytes: the first four times one multiplier and the last four times the other. */
#define FIND_MULTIPLIER_LOW 0x9e3779b1u
#define FIND_MULTIPLIER_HIGH 0x85ebca77u
#define FIND_CHECK_SHIFT 12 /* up to where its lower bits are in the upper half of an entry */

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
KERNEL_SLOT_TYPE(deflate_encode_fn);

/* Adds what tokens have in their fields. */
typedef void deflate_count_fn(struct deflate_counts *counts, const uint32_t *token,
                              const uint32_t *token_end);
KERNEL_SLOT_TYPE(deflate_count_fn);

/* The codes of tables that a program has made, by token field: all but those that stand for no
 * literal, length or distance. */
struct isal_hufftables;
typedef void deflate_expand_fn(const struct isal_hufftables *from, struct deflate_codes *to);
KERNEL_SLOT_TYPE(deflate_expand_fn);

ISALK_HIDDEN_BEGIN

deflate_find_fn isalk_deflate_find_greedy_base, isalk_deflate_find_greedy_avx2;
deflate_find_fn isalk_deflate_find_lazy_base, isalk_deflate_find_lazy_avx2;
deflate_find_fn isalk_deflate_find_long_base, isalk_deflate_find_long_avx2;
deflate_rebase_fn isalk_deflate_rebase_base, isalk_deflate_rebase_avx2, isalk_deflate_rebase_avx512;
deflate_insert_fn isalk_deflate_insert_base, isalk_deflate_insert_avx2;
deflate_expand_fn isalk_deflate_expand_base, isalk_deflate_expand_avx2, isalk_deflate_expand_avx512;
deflate_count_fn isalk_deflate_count_base, isalk_deflate_count_avx2;
deflate_encode_fn isalk_deflate_encode_base, isalk_deflate_encode_avx2;

extern deflate_find_fn_slot isalk_deflate_find_greedy_slot, isalk_deflate_find_lazy_slot;
extern deflate_find_fn_slot isalk_deflate_find_long_slot;
extern deflate_rebase_fn_slot isalk_deflate_rebase_slot;
extern deflate_insert_fn_slot isalk_deflate_insert_slot;
extern deflate_expand_fn_slot isalk_deflate_expand_slot;
extern deflate_count_fn_slot isalk_deflate_count_slot;
extern deflate_encode_fn_slot isalk_deflate_encode_slot;

/* Makes tokens up to the limit, or short of it by less than a batch unless `to_limit`, or until there
 * is no room for FIND_TOKENS more. next may be at base. Of long matches: stops also behind LONG_PIECE bytes
 * or so whose tokens stand for less than f->long_least bytes each and lead to no run, and returns 0 then. */
int isalk_deflate_find(struct deflate_find *f, enum deflate_parser parser, int to_limit);

/* Tokens for the bytes that are the same as those f->run before them, to the limit or a little
 * further, or until there is no room for FIND_TOKENS more; f->run becomes 0 if they end. No hash
 * table is used. */
void isalk_deflate_find_run(struct deflate_find *f);

/* How many bytes from next on look incompressible: to the limit, or some pieces of PROBE_PIECE. Of
 * each piece, 64 bytes are counted and a few positions looked up. Fewer than PROBE_LEAST bytes at
 * the end are not looked at. The sample is of all bytes to the limit, if they look so. */
size_t isalk_deflate_probe(const struct deflate_find *f, struct deflate_sample *sample);

/* Whether PROBE_PIECE bytes may be random, as far as bytes close to each other tell: if not, a
 * probe is not worth its time. */
int isalk_deflate_may_be_random(const uint8_t *p);

/* Adds a sample to others; returns whether all of them together still look incompressible. */
int isalk_deflate_add_sample(struct deflate_sample *all, const struct deflate_sample *more);

/* Hash table entries for a few of the bytes from next to the limit. */
void isalk_deflate_insert_sparse(const struct deflate_find *f);

/* Hash table entries for n bytes at base, but for the last few, which cannot be hashed. */
void isalk_deflate_insert(deflate_entry *head, uint32_t hash_bits, const uint8_t *base, uint32_t n);

ISALK_HIDDEN_END

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
