/* Rolling hash: a 64-bit hash of a stream's last w bytes, and the places where it takes a value.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With rol the rotation of 64 bits to the left and T a table of 256 random words, the hash of the
 * window b[0 .. w-1] is the sum (XOR) of rol(T[b[i]], w - 1 - i). It cuts data into chunks at
 * places that depend on the contents alone, so that inserted bytes change the chunks around them
 * but no others. chunker.h does that; these functions are for other uses of the hash.
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
 *             use(at + offset);                            // just past the byte that matched
 *     }
 *
 * All functions are reentrant; a state belongs to one thread at a time. Buffers may have any
 * alignment, and nothing beyond them is read. */

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

/* What run found. */
enum {
    ISAL_FINGERPRINT_RET_HIT = 0, /* the hash matched */
    ISAL_FINGERPRINT_RET_MAX,     /* it did not in all of the buffer */
    ISAL_FINGERPRINT_RET_OTHER    /* never returned */
};

#define ISAL_FINGERPRINT_MAX_WINDOW 48

/* A stream being hashed. Private, but hash, the hash of the last w bytes, may be read. */
struct isal_rh_state2 {
    uint8_t history[ISAL_FINGERPRINT_MAX_WINDOW]; /* the last w bytes, oldest first */
    uint64_t table1[256];                         /* T */
    uint64_t table2[256];                         /* T rotated left by w */
    uint64_t hash;
    uint32_t w;
};

/* Sets the window to w bytes, 1 to 48. A reset must follow. Returns 0 or, in this order,
 * ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_WINDOW_SIZE (w > 48). */
int isal_rolling_hash2_init(struct isal_rh_state2 *state, const uint32_t w);

/* Begins a stream with the w bytes at init_bytes. Returns 0 or, in this order,
 * ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_INIT_VAL. */
int isal_rolling_hash2_reset(struct isal_rh_state2 *state, const uint8_t *init_bytes);

/* Goes on with the next bytes of the stream until (hash & mask) == trigger or max_len bytes have
 * passed; only the low 32 bits of the hash are looked at. *match becomes ISAL_FINGERPRINT_RET_HIT
 * and *offset the number of bytes up to and with the one that matched; or ISAL_FINGERPRINT_RET_MAX
 * and max_len. The next call continues at buffer + *offset, or wherever the stream's next bytes
 * lie. A trigger with bits outside the mask never matches. Returns 0 or, in this order,
 * ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_SRC, ISAL_CRYPTO_ERR_NULL_OFFSET,
 * ISAL_CRYPTO_ERR_NULL_MATCH. */
int isal_rolling_hash2_run(struct isal_rh_state2 *state, const uint8_t *buffer,
                           const uint32_t max_len, const uint32_t mask, const uint32_t trigger,
                           uint32_t *offset, int *match);

/* Makes a mask that matches once in `mean` bytes on average: as many one bits as the largest power
 * of two that is at most mean (at least 2) has zeros, rotated left by shift. Returns 0, or
 * ISAL_CRYPTO_ERR_NULL_MASK. */
int isal_rolling_hashx_mask_gen(const uint32_t mean, const uint32_t shift, uint32_t *mask);

/* The same under older names. Pointers are not checked; init returns 0, or -1 if w > 48; run
 * returns what match would be; mask_gen returns the mask, of a negative mean 1. */
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
