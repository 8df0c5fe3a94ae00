/* The scan that rules out most positions with the filter.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "rolling_kernels.h"

#if ISALK_ASM

#define BLOCK ROLLING_FILTER_BLOCK
#define WINDOW ROLLING_MAX_WINDOW

/* Bytes from which a block of the filter is faster than the plain scan. */
#define MIN_FILTER_BYTES 192

/* Positions that pass the filter in quick succession, as in runs of one byte, are scanned in steps
 * that double up to this many bytes. */
#define MAX_SCAN_STEP 4096

size_t isalk_rolling_scan_avx512_v(const uint8_t *before, const uint8_t *data, size_t len,
                                   const struct rolling_plan *plan)
{
    size_t at = 0, hit; /* at: bytes scanned without a match */
    size_t step = ROLLING_PHASES;

    if (!plan->groups || len < BLOCK)
        return isalk_rolling_scan_avx512(before, data, len, plan);
    if (before + WINDOW != data) { /* the filter needs the window directly before the data */
        hit = isalk_rolling_scan_avx512(before, data, WINDOW, plan);
        if (hit)
            return hit;
        at = WINDOW;
    }
    while (len - at >= MIN_FILTER_BYTES) {
        const uint8_t *from = data + at - WINDOW;
        size_t blocks = (len - at + WINDOW) / BLOCK, start = at, n, end;

        if (!blocks) { /* the last block overlaps scanned bytes */
            from = data + len - BLOCK;
            blocks = 1;
        }
        n = isalk_rolling_filter_avx512_v(from, blocks, plan);
        end = (size_t) (from - data) + n;
        at = end > at ? end : at;
        if (n == blocks * BLOCK)
            continue;
        step = at - start >= BLOCK ? ROLLING_PHASES : step;
        n = len - at < step ? len - at : step;
        if (n > ROLLING_PHASES)
            hit = isalk_rolling_scan_avx512(data + at - WINDOW, data + at, n, plan);
        else
            hit = isalk_rolling_scan_base(data + at - WINDOW, data + at, n, plan);
        if (hit)
            return at + hit;
        at += n;
        step = step < MAX_SCAN_STEP ? 2 * step : step;
    }
    if (at == len)
        return 0;
    hit = isalk_rolling_scan_avx512(data + at - WINDOW, data + at, len - at, plan);
    return hit ? at + hit : 0;
}

#endif
