/* Types and declarations shared by the files of the rolling hash family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ROLLING_KERNELS_H
#define ROLLING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

#define ROLLING_MAX_WINDOW 48
#define ROLLING_PHASES 8

/* What to look for. The kernels write the hash of a byte at position i, counted from the first one
 * of the data, as rotated right by i % 8 bits, so the mask and the trigger come in these 8 forms
 * too.
 *
 * In these forms the hash of the window is V(i) ^ rol(V(i - w), 8 n), where V is the hash of
 * everything so far and n = ceil((w - i % 8) / 8). `shuffle` does those rotations of the qwords of
 * a vector: indices of bytes in 16-byte lanes, for little-endian CPUs. */
struct rolling_plan {
    uint64_t mask[ROLLING_PHASES], trigger[ROLLING_PHASES];
    uint64_t shuffle[ROLLING_PHASES];
    const uint64_t (*tables)[256]; /* isalk_rolling_tables */
    size_t w;                      /* 1 to ROLLING_MAX_WINDOW */

    /* The filter, for the windows and masks that it serves. It tests 16 of the bits from `base` on
     * of the hash of a byte at position i: those from base + i % 8 on, as [i % 8][0] the upper and
     * [1] the lower 8, each 4 times over. */
    uint32_t filter_mask[ROLLING_PHASES][2], filter_trigger[ROLLING_PHASES][2];
    const uint8_t (*bytes)[256]; /* isalk_rolling_bytes[base - 48 modulo 64] */
    size_t groups;               /* the window in groups of 8 bytes, 4 or 6; 0 without the filter */
    unsigned base;
};

/* Number of bytes of data up to and with the first one at which the hash of the last w bytes meets
 * (hash & mask) == trigger; 0 if there is none in len bytes. `before` is the ROLLING_MAX_WINDOW
 * bytes that come before data; only the last w of them matter. Any alignment, any len. */
typedef size_t rolling_scan_fn(const uint8_t *before, const uint8_t *data, size_t len,
                               const struct rolling_plan *plan);
KERNEL_SLOT_TYPE(rolling_scan_fn);

/* Offset of the first group of 8 bytes, from byte ROLLING_MAX_WINDOW on, in which the hash of some
 * position has the bits that the filter tests; ROLLING_FILTER_BLOCK * blocks if there is none.
 * plan->groups is not 0. Any alignment; blocks >= 1. */
typedef size_t rolling_filter_fn(const uint8_t *data, size_t blocks,
                                 const struct rolling_plan *plan);

#define ROLLING_FILTER_BLOCK 512

ISALK_HIDDEN_BEGIN

rolling_scan_fn isalk_rolling_scan_base;
rolling_scan_fn isalk_rolling_scan_sse, isalk_rolling_scan_avx2, isalk_rolling_scan_avx512;
rolling_scan_fn isalk_rolling_scan_avx512_v;
rolling_filter_fn isalk_rolling_filter_base, isalk_rolling_filter_avx512_v;
extern rolling_scan_fn_slot isalk_rolling_scan_slot;

/* [l][b]: the table's word for byte b, rotated right by l bits. */
extern const uint64_t isalk_rolling_tables[ROLLING_PHASES][256];

/* [o][b]: bits o modulo 64 to o + 7 of the table's word for byte b. */
extern const uint8_t isalk_rolling_bytes[2 * 64][256];

/* trigger has no bits outside mask. */
void isalk_rolling_plan(struct rolling_plan *plan, size_t w, uint32_t mask, uint32_t trigger);

/* Hash of the w bytes at window. */
uint64_t isalk_rolling_hash(const uint8_t *window, size_t w);

ISALK_HIDDEN_END

static inline uint64_t rolling_rol(uint64_t x, unsigned n)
{
    return x << (n & 63) | x >> (-n & 63);
}

#endif
