/* Rolling hash: a 64-bit hash of the last w bytes of a stream, and a search for given values.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The hash of the window b[0 .. w-1] is the XOR of rol(T[b[i]], w - 1 - i), where T is a table of
 * 256 random 64-bit words and rol a rotation to the left. To divide data into chunks by their
 * contents use chunker.h; these functions are for other uses of the hash.
 *
 *     struct isal_rh_state2 state;
 *     uint32_t mask, offset;
 *     int match;
 *
 *     isal_rolling_hash2_init(&state, 32);
 *     isal_rolling_hashx_mask_gen(4096, 0, &mask);         // a match every 4096 bytes on average
 *     isal_rolling_hash2_reset(&state, data);              // the first window
 *     for (at = 32; at < size; at += offset) {
 *         isal_rolling_hash2_run(&state, data + at, size - at, mask, 0, &offset, &match);
 *         if (match == ISAL_FINGERPRINT_RET_HIT)
 *             use(at + offset);                            // the window before this byte matches
 *     }
 *
 * All functions are reentrant; a state belongs to one thread at a time. Buffers may have any
 * alignment; nothing outside them is read. */

#ifndef ISAL_ROLLING_HASHX_H
#define ISAL_ROLLING_HASHX_H

#include <stdint.h>

#include "isal_crypto_api.h"
#include "types.h"

#ifndef NO_COMPAT_ISAL_CRYPTO_API_2_24
#define FINGERPRINT_RET_HIT ISAL_FINGERPRINT_RET_HIT
#define FINGERPRINT_RET_MAX ISAL_FINGERPRINT_RET_MAX
#define FINGERPRINT_RET_OTHER ISAL_FINGERPRINT_RET_OTHER
#define FINGERPRINT_MAX_WINDOW ISAL_FINGERPRINT_MAX_WINDOW
#define rh_state2 isal_rh_state2
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Results of a search. */
enum {
    ISAL_FINGERPRINT_RET_HIT = 0, /* the hash matched */
    ISAL_FINGERPRINT_RET_MAX,     /* no match in the buffer */
    ISAL_FINGERPRINT_RET_OTHER    /* never returned */
};

#define ISAL_FINGERPRINT_MAX_WINDOW 48 /* bytes */

/* State of a stream. Programs may read hash; the rest is private. */
struct isal_rh_state2 {
    uint8_t history[ISAL_FINGERPRINT_MAX_WINDOW]; /* the last w bytes, oldest first */
    uint64_t table1[256];                         /* T */
    uint64_t table2[256];                         /* T rotated left by w */
    uint64_t hash;                                /* hash of the last w bytes */
    uint32_t w;                                   /* bytes in the window */
};

/* Sets the window to w bytes, 1 to 48. Call isal_rolling_hash2_reset() next. Returns 0, or the
 * first error in this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_WINDOW_SIZE (w > 48). */
int isal_rolling_hash2_init(struct isal_rh_state2 *state, const uint32_t w);

/* Begins a stream with the w bytes at init_bytes. Returns 0, or the first error in this order:
 * ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_INIT_VAL. */
int isal_rolling_hash2_reset(struct isal_rh_state2 *state, const uint8_t *init_bytes);

/* Hashes the next bytes of the stream until (hash & mask) == trigger, at most max_len bytes. mask
 * and trigger apply to the low 32 bits of the hash; a trigger with bits outside the mask never
 * matches.
 *
 * After a match, *match is ISAL_FINGERPRINT_RET_HIT and *offset is the number of bytes hashed, up
 * to the end of the matching window. Otherwise they are ISAL_FINGERPRINT_RET_MAX and max_len. The
 * next call continues with the byte that was at buffer + *offset, at any address.
 *
 * Returns 0, or the first error in this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_SRC,
 * ISAL_CRYPTO_ERR_NULL_OFFSET, ISAL_CRYPTO_ERR_NULL_MATCH. */
int isal_rolling_hash2_run(struct isal_rh_state2 *state, const uint8_t *buffer,
                           const uint32_t max_len, const uint32_t mask, const uint32_t trigger,
                           uint32_t *offset, int *match);

/* Makes a mask that matches every `mean` bytes on average, with mean rounded down to a power of
 * two. The mask has floor(log2(mean)) one bits, at least one, rotated left by shift. Returns 0, or
 * ISAL_CRYPTO_ERR_NULL_MASK. */
int isal_rolling_hashx_mask_gen(const uint32_t mean, const uint32_t shift, uint32_t *mask);

/* The same under older names, kept for existing programs. Pointers are not checked. init returns 0,
 * or -1 if w > 48. run returns the value of *match. mask_gen returns the mask; a negative mean
 * counts as 0. */
ISAL_DEPRECATED("use isal_rolling_hash2_init")
int rolling_hash2_init(struct isal_rh_state2 *state, uint32_t w);
ISAL_DEPRECATED("use isal_rolling_hash2_reset")
void rolling_hash2_reset(struct isal_rh_state2 *state, uint8_t *init_bytes);
ISAL_DEPRECATED("use isal_rolling_hash2_run")
int rolling_hash2_run(struct isal_rh_state2 *state, uint8_t *buffer, uint32_t max_len,
                      uint32_t mask, uint32_t trigger, uint32_t *offset);
ISAL_DEPRECATED("use isal_rolling_hashx_mask_gen")
uint32_t rolling_hashx_mask_gen(long mean, int shift);

#ifdef __cplusplus
}
#endif

#endif
