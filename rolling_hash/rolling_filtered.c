/* The scan that tests most positions with the filter alone.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "rolling_kernels.h"

#if ISALK_ASM

/* From this many bytes on a block of the filter is faster than the scan. */
#define WORTH_A_BLOCK 192

size_t isalk_rolling_scan_avx512_v(const uint8_t *before, const uint8_t *data, size_t len,
                                   const struct rolling_plan *plan)
{
    size_t at = 0, hit; /* at: bytes of data that do not match */

    if (!plan->groups || len < ROLLING_FILTER_BLOCK)
        return isalk_rolling_scan_avx512(before, data, len, plan);
    if (before + ROLLING_MAX_WINDOW != data) { /* the filter needs the window before the data */
        hit = isalk_rolling_scan_avx512(before, data, ROLLING_MAX_WINDOW, plan);

        if (hit)
            return hit;
        at = ROLLING_MAX_WINDOW;
    }
    while (len - at >= WORTH_A_BLOCK) {
        const uint8_t *from = data + at - ROLLING_MAX_WINDOW;
        size_t left = len - at + ROLLING_MAX_WINDOW, blocks = left / ROLLING_FILTER_BLOCK;
        size_t candidate, n;

        if (!blocks) { /* the last one overlaps what is done */
            from = data + len - ROLLING_FILTER_BLOCK;
            blocks = 1;
        }
        candidate = (size_t) (from - data) + isalk_rolling_filter_avx512_v(from, blocks, plan);
        if (candidate > at)
            at = candidate;
        if (at == len)
            return 0;
        n = len - at < ROLLING_PHASES ? len - at : ROLLING_PHASES;
        hit = isalk_rolling_scan_avx512(data + at - ROLLING_MAX_WINDOW, data + at, n, plan);
        if (hit)
            return at + hit;
        at += n;
    }
    if (at == len)
        return 0;
    hit = isalk_rolling_scan_avx512(data + at - ROLLING_MAX_WINDOW, data + at, len - at, plan);
    return hit ? at + hit : 0;
}

#endif
