/* Types and declarations shared by the files of the rolling hash family.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ROLLING_KERNELS_H
#define ROLLING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

#define ROLLING_MAX_WINDOW 48
#define ROLLING_PHASES 8

/* A search, prepared for the kernels.
 *
 * In a kernel, the hash at position i (0 at the first byte of the data) is rotated right by the
 * phase i % 8. Masks and triggers are stored in the same 8 rotations. With V the hash of all bytes
 * so far, the hash of the window is V(i) ^ rol(V(i - w), 8 n), n = ceil((w - i % 8) / 8). `shuffle`
 * has that rotation of quadwords as byte indices in 16-byte lanes, for little-endian CPUs. */
struct rolling_plan {
    uint64_t mask[ROLLING_PHASES], trigger[ROLLING_PHASES]; /* by phase */
    uint64_t shuffle[ROLLING_PHASES];                       /* by phase */
    const uint64_t (*tables)[256];                          /* isalk_rolling_tables */
    size_t w;                                               /* 1 to ROLLING_MAX_WINDOW */

    /* The filter. It tests 16 bits of the hash, from bit base + i % 8 on. By phase: [0] the upper 8
     * of these bits, [1] the lower 8, each repeated 4 times. */
    uint32_t filter_mask[ROLLING_PHASES][2], filter_trigger[ROLLING_PHASES][2];
    const uint8_t (*bytes)[256]; /* isalk_rolling_bytes[base - 48 modulo 64] */
    size_t groups;               /* w / 8, 4 or 6; 0 if the filter does not support the search */
    unsigned base;               /* lowest bit that phase 0 tests */
};

/* Finds the first byte of data at which the hash of the last w bytes meets (hash & mask) ==
 * trigger. Returns the number of bytes up to and including it, or 0 if the len bytes have none.
 * before: the ROLLING_MAX_WINDOW bytes that precede data; only the last w are used. Any alignment,
 * any len. */
typedef size_t rolling_scan_fn(const uint8_t *before, const uint8_t *data, size_t len,
                               const struct rolling_plan *plan);
KERNEL_SLOT_TYPE(rolling_scan_fn);

/* Finds the first group of 8 bytes, from byte ROLLING_MAX_WINDOW on, in which a position passes the
 * filter. Returns its offset, or ROLLING_FILTER_BLOCK * blocks if there is none. plan->groups is
 * not 0, blocks >= 1. Any alignment. */
typedef size_t rolling_filter_fn(const uint8_t *data, size_t blocks,
                                 const struct rolling_plan *plan);

#define ROLLING_FILTER_BLOCK 512 /* bytes */

ISALK_HIDDEN_BEGIN

rolling_scan_fn isalk_rolling_scan_base;
rolling_scan_fn isalk_rolling_scan_sse, isalk_rolling_scan_avx2, isalk_rolling_scan_avx512;
rolling_scan_fn isalk_rolling_scan_avx512_v;
rolling_filter_fn isalk_rolling_filter_base, isalk_rolling_filter_avx512_v;
extern rolling_scan_fn_slot isalk_rolling_scan_slot;

/* [l][b]: T[b] rotated right by l bits. */
extern const uint64_t isalk_rolling_tables[ROLLING_PHASES][256];

/* [o][b]: bits o to o + 7, modulo 64, of T[b]. */
extern const uint8_t isalk_rolling_bytes[2 * 64][256];

/* Prepares a search. trigger has no bits outside mask. */
void isalk_rolling_plan(struct rolling_plan *plan, size_t w, uint32_t mask, uint32_t trigger);

/* Hash of the w bytes at window. */
uint64_t isalk_rolling_hash(const uint8_t *window, size_t w);

ISALK_HIDDEN_END

static inline uint64_t rolling_rol(uint64_t x, unsigned n)
{
    return x << (n & 63) | x >> (-n & 63);
}

#endif
