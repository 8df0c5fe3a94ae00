/* Kernels of LZ77: match finders and the hash table they share.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_KERNELS_H
#define LZ77_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"
#include "igzip/lz77/tokens.h"

/* An entry of the hash table. Low 16 bits: offset of a position. High 16 bits: a hash tag, which
 * rejects most false candidates without touching the input. */
typedef uint32_t ISALK_ALIAS deflate_entry;

/* A match finder's input, output and hash table.
 *
 * It emits tokens for the bytes from next on. The hash table has offsets from base, which is before
 * next: all are below 65536 and below the offset of next. Matches may refer to all bytes from base
 * on. So every candidate is a readable address at a distance of 1 or more.
 *
 * token has room for a token for each byte up to limit, FIND_TOKENS_OVERRUN more, and
 * FIND_TOKENS_CLEARED zeros after the last. */
struct deflate_find {
    const uint8_t *next;  /* first byte without a token */
    const uint8_t *limit; /* every token starts before it */
    const uint8_t *end;   /* end of the bytes that matches may cover; limit <= end */
    const uint8_t *base;
    uint32_t *token;          /* where the next token goes */
    uint32_t *token_end;      /* end of the room for tokens */
    deflate_entry *head;      /* hash table of 1 << hash_bits entries */
    uint32_t hash_bits;       /* 9 to 16 */
    uint32_t hash_multiplier; /* for the last four bytes hashed; 0: only four are hashed */
    uint32_t hash_shift;      /* bits from the first byte hashed to the last four: 8 to 24 */
    uint32_t window;          /* longest distance */
    uint32_t past_limit;      /* FIND_STEP - 1: the last batch reaches limit; otherwise 0 */
    uint32_t min_token_bytes; /* mean bytes of a token; below this, long matches have ended */
    uint32_t run;     /* distance at which a match of the longest length may continue, or 0 */
    uint32_t matched; /* distance of the match that ends at next, or 0 */
};

/* find_greedy and find_lazy probe every position. They work in batches of FIND_BATCH positions,
 * aligned to 8 bytes from base. The last batch is a multiple of FIND_STEP positions. It ends at
 * or before limit, and at least FIND_LOOKAHEAD bytes before end; the last match may reach past
 * it. With past_limit, it ends at limit, which is at least FIND_STEP + FIND_LOOKAHEAD bytes before
 * end; up to past_limit positions after it are inserted, too. The greedy finder accepts each match
 * it comes to. The lazy finder prefers a longer match at the next position, comparing the first
 * FIND_COMPARED bytes of both.
 *
 * find_long is for long matches: it probes only where a token begins, at this position and the
 * next, accepts the longer match, and inserts the match's last position. After a match, it skips up
 * to LONG_SKIP bytes: if LONG_REPEAT bytes that follow them repeat at the same distance, that
 * match is accepted without a probe. LONG_LOOKAHEAD bytes after its limit must be readable, and
 * its last match may start up to LONG_SKIP bytes after limit. It stops after a match of the
 * longest length, whose distance it leaves in `run`. */
typedef void deflate_find_fn(struct deflate_find *f);
KERNEL_SLOT_TYPE(deflate_find_fn);

/* Moves the base of a hash table up by delta <= 65535. Positions before the new base are clamped to
 * offset 0: a false candidate, but a readable address. */
typedef void deflate_rebase_fn(deflate_entry *head, uint32_t hash_bits, uint32_t delta);
KERNEL_SLOT_TYPE(deflate_rebase_fn);

/* Inserts n >= INSERT_MIN positions from base (offset 0) on, by the hash of five bytes, or of four
 * if the multiplier is 0. INSERT_LOOKAHEAD bytes after them are readable. */
typedef void deflate_insert_fn(deflate_entry *head, uint32_t hash_bits, const uint8_t *base,
                               uint32_t n, uint32_t hash_multiplier);
KERNEL_SLOT_TYPE(deflate_insert_fn);

enum {
    FIND_BATCH = 512,
    FIND_STEP = 16,
    FIND_LOOKAHEAD = 32,
    FIND_COMPARED = FIND_LOOKAHEAD,
    FIND_MIN_MATCH = 4,
    FIND_TOKENS_OVERRUN = 2,
    FIND_TOKENS_CLEARED = 16,
    INSERT_MIN = 8,
    INSERT_LOOKAHEAD = 8,
    LONG_REPEAT = 16,
    LONG_SKIP = 3,
    LONG_LOOKAHEAD = LONG_SKIP + DEFLATE_MAX_MATCH + FIND_COMPARED
};

/* A hash covers four to seven bytes. It is the first four times one multiplier; with more than
 * four, plus the last four times the other. */
#define HASH_MULTIPLIER_LOW 0x9e3779b1u
#define HASH_MULTIPLIER_HIGH 0x85ebca77u
#define HASH_TAG_SHIFT 12 /* moves the hash tag to the high half of an entry */

ISALK_HIDDEN_BEGIN

deflate_find_fn isalk_deflate_find_greedy_base, isalk_deflate_find_greedy_avx2;
deflate_find_fn isalk_deflate_find_lazy_base, isalk_deflate_find_lazy_avx2;
deflate_find_fn isalk_deflate_find_long_base, isalk_deflate_find_long_avx2;
deflate_rebase_fn isalk_deflate_rebase_base, isalk_deflate_rebase_avx2, isalk_deflate_rebase_avx512;
deflate_insert_fn isalk_deflate_insert_base, isalk_deflate_insert_avx2;
deflate_insert_fn isalk_deflate_insert_avx512;

extern deflate_find_fn_slot isalk_deflate_find_greedy_slot, isalk_deflate_find_lazy_slot;
extern deflate_find_fn_slot isalk_deflate_find_long_slot;
extern deflate_rebase_fn_slot isalk_deflate_rebase_slot;
extern deflate_insert_fn_slot isalk_deflate_insert_slot;

ISALK_HIDDEN_END

#endif
