/* Rolling hash: the public functions of isa-l_crypto/rolling_hashx.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#define ISAL_UNIT_TEST /* this file defines the deprecated functions */
#include "isa-l_crypto/isal_crypto_api.h"
#include "isa-l_crypto/rolling_hashx.h"

#include "rolling_kernels.h"

#include <string.h>

#include "dispatch/fips.h"

/* Bytes from which a kernel is faster than run_short(), in spite of its preparation. */
#define MIN_LONG_RUN 64

static int run_short(struct isal_rh_state2 *state, const uint8_t *data, uint32_t len, uint32_t mask,
                     uint32_t trigger, uint32_t *offset)
{
    const uint32_t w = state->w;
    uint64_t hash = state->hash;
    int result = ISAL_FINGERPRINT_RET_MAX;
    uint32_t n = 0;

    while (n < len && result != ISAL_FINGERPRINT_RET_HIT) {
        uint8_t in = data[n], out = n < w ? state->history[n] : data[n - w];

        hash = rolling_rol(hash, 1) ^ state->table1[in] ^ state->table2[out];
        n++;
        if ((hash & mask) == trigger)
            result = ISAL_FINGERPRINT_RET_HIT;
    }
    state->hash = hash;
    *offset = n;
    return result;
}

static int run_long(struct isal_rh_state2 *state, const uint8_t *data, uint32_t len, uint32_t mask,
                    uint32_t trigger, uint32_t *offset)
{
    uint8_t before[ROLLING_MAX_WINDOW] = {0};
    struct rolling_plan plan;
    size_t hit = 0;

    if (!(trigger & ~mask)) { /* otherwise nothing matches */
        memcpy(before + ROLLING_MAX_WINDOW - state->w, state->history, state->w);
        isalk_rolling_plan(&plan, state->w, mask, trigger);
        hit = KERNEL_CALL(isalk_rolling_scan_slot)(before, data, len, &plan);
    }
    *offset = hit ? (uint32_t) hit : len;
    return hit ? ISAL_FINGERPRINT_RET_HIT : ISAL_FINGERPRINT_RET_MAX;
}

ISAL_PUBLIC int rolling_hash2_init(struct isal_rh_state2 *state, uint32_t w)
{
    if (w > ISAL_FINGERPRINT_MAX_WINDOW)
        return -1;
    for (unsigned i = 0; i < 256; i++) {
        state->table1[i] = isalk_rolling_tables[0][i];
        state->table2[i] = rolling_rol(state->table1[i], w);
    }
    state->w = w;
    return 0;
}

ISAL_PUBLIC void rolling_hash2_reset(struct isal_rh_state2 *state, uint8_t *init_bytes)
{
    memcpy(state->history, init_bytes, state->w);
    state->hash = isalk_rolling_hash(init_bytes, state->w);
}

static int run(struct isal_rh_state2 *state, const uint8_t *buffer, uint32_t max_len, uint32_t mask,
               uint32_t trigger, uint32_t *offset)
{
    const uint32_t w = state->w;
    int long_run = max_len >= MIN_LONG_RUN && w;
    int result = (long_run ? run_long : run_short)(state, buffer, max_len, mask, trigger, offset);
    uint32_t n = *offset;

    /* the history becomes the last w bytes */
    if (n < w) {
        memmove(state->history, state->history + n, w - n);
        memcpy(state->history + w - n, buffer, n);
    } else {
        memcpy(state->history, buffer + (n - w), w);
    }
    if (long_run)
        state->hash = isalk_rolling_hash(state->history, w);
    return result;
}

ISAL_PUBLIC int rolling_hash2_run(struct isal_rh_state2 *state, uint8_t *buffer, uint32_t max_len,
                                  uint32_t mask, uint32_t trigger, uint32_t *offset)
{
    return run(state, buffer, max_len, mask, trigger, offset);
}

/* floor(log2(mean)) one bits, at least 1 and at most 32, rotated left by shift. */
static uint32_t mask_gen(uint64_t mean, unsigned shift)
{
    uint32_t mask = 1;

    while (mean >>= 1, mean > 1)
        mask = mask << 1 | 1;
    return mask << (shift & 31) | mask >> (-shift & 31);
}

ISAL_PUBLIC uint32_t rolling_hashx_mask_gen(long mean, int shift)
{
    return mask_gen(mean < 0 ? 0 : (uint64_t) mean, (unsigned) shift);
}

ISAL_PUBLIC int isal_rolling_hash2_init(struct isal_rh_state2 *state, const uint32_t w)
{
    REFUSE_IN_FIPS_MODE;
    if (!state)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    return rolling_hash2_init(state, w) ? ISAL_CRYPTO_ERR_WINDOW_SIZE : 0;
}

ISAL_PUBLIC int isal_rolling_hash2_reset(struct isal_rh_state2 *state, const uint8_t *init_bytes)
{
    REFUSE_IN_FIPS_MODE;
    if (!state)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!init_bytes)
        return ISAL_CRYPTO_ERR_NULL_INIT_VAL;
    memcpy(state->history, init_bytes, state->w);
    state->hash = isalk_rolling_hash(init_bytes, state->w);
    return 0;
}

ISAL_PUBLIC int isal_rolling_hash2_run(struct isal_rh_state2 *state, const uint8_t *buffer,
                                       const uint32_t max_len, const uint32_t mask,
                                       const uint32_t trigger, uint32_t *offset, int *match)
{
    REFUSE_IN_FIPS_MODE;
    if (!state)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!buffer)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (!offset)
        return ISAL_CRYPTO_ERR_NULL_OFFSET;
    if (!match)
        return ISAL_CRYPTO_ERR_NULL_MATCH;
    *match = run(state, buffer, max_len, mask, trigger, offset);
    return 0;
}

ISAL_PUBLIC int isal_rolling_hashx_mask_gen(const uint32_t mean, const uint32_t shift,
                                            uint32_t *mask)
{
    REFUSE_IN_FIPS_MODE;
    if (!mask)
        return ISAL_CRYPTO_ERR_NULL_MASK;
    *mask = mask_gen(mean, shift);
    return 0;
}
