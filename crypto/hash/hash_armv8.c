/* Block functions of SHA-1 and SHA-256 with the instructions of 64-bit Arm.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An instruction does four rounds. Source: Arm Architecture Reference Manual, SHA1C and
 * following. */

#include "hash_kernels.h"

#if ISALK_ARMV8

#ifndef __clang__
#pragma GCC target("+crypto")
#endif
#include <arm_neon.h>

#include "dispatch/vector.h"
#include "hash_run.h"

/* The block as big-endian words. */
ISALK_INLINE void load_message(uint32x4_t w[4], const uint8_t *data)
{
    ISALK_UNROLL
    for (int i = 0; i < 4; i++)
        w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
}

/* Rounds 4 g to 4 g + 3; w[g % 4] becomes the words of four groups later. */
#define SHA1_ROUNDS(g, select)                                                                    \
    {                                                                                             \
        uint32_t next = vsha1h_u32(vgetq_lane_u32(abcd, 0));                                      \
        uint32x4_t wk = w[(g) % 4] + vdupq_n_u32(isalk_sha1_k[(g) / 5]);                          \
        abcd = select(abcd, e, wk);                                                               \
        e = next;                                                                                 \
        if ((g) < 16)                                                                             \
            w[(g) % 4] = vsha1su1q_u32(                                                           \
                vsha1su0q_u32(w[(g) % 4], w[((g) + 1) % 4], w[((g) + 2) % 4]), w[((g) + 3) % 4]); \
    }
#define SHA1_QUARTER(q, select)      \
    SHA1_ROUNDS(5 * (q), select)     \
    SHA1_ROUNDS(5 * (q) + 1, select) \
    SHA1_ROUNDS(5 * (q) + 2, select) \
    SHA1_ROUNDS(5 * (q) + 3, select) \
    SHA1_ROUNDS(5 * (q) + 4, select)

void isalk_sha1_x1_armv8(void *state, const uint8_t *data, size_t blocks)
{
    uint32_t h[5];
    uint32x4_t sum, w[4];

    memcpy(h, state, sizeof h);
    sum = vld1q_u32(h);
    for (; blocks; blocks--, data += 64) {
        uint32x4_t abcd = sum;
        uint32_t e = h[4];

        load_message(w, data);
        SHA1_QUARTER(0, vsha1cq_u32)
        SHA1_QUARTER(1, vsha1pq_u32)
        SHA1_QUARTER(2, vsha1mq_u32)
        SHA1_QUARTER(3, vsha1pq_u32)
        sum += abcd;
        h[4] += e;
    }
    vst1q_u32(h, sum);
    memcpy(state, h, sizeof h);
}

void isalk_sha256_x1_armv8(void *state, const uint8_t *data, size_t blocks)
{
    uint32_t h[8];
    uint32x4_t sum[2], w[4];

    memcpy(h, state, sizeof h);
    sum[0] = vld1q_u32(h);
    sum[1] = vld1q_u32(h + 4);
    for (; blocks; blocks--, data += 64) {
        uint32x4_t abcd = sum[0], efgh = sum[1];

        load_message(w, data);
        for (int g = 0; g < 16; g += 4) {
            ISALK_UNROLL
            for (int i = 0; i < 4; i++) {
                uint32x4_t wk = w[i] + vld1q_u32(isalk_sha256_k + 4 * (g + i)), before = abcd;
                abcd = vsha256hq_u32(abcd, efgh, wk);
                efgh = vsha256h2q_u32(efgh, before, wk);
                if (g < 12)
                    w[i] = vsha256su1q_u32(vsha256su0q_u32(w[i], w[(i + 1) % 4]), w[(i + 2) % 4],
                                           w[(i + 3) % 4]);
            }
        }
        sum[0] += abcd;
        sum[1] += efgh;
    }
    vst1q_u32(h, sum[0]);
    vst1q_u32(h + 4, sum[1]);
    memcpy(state, h, sizeof h);
}

/* Messages one after the other: each is faster alone than in a lane of a vector. */
#define MANY(hash)                                                                              \
    size_t isalk_##hash##_many_armv8(size_t n, void *const *states, const uint8_t *const *data, \
                                     size_t blocks)                                             \
    {                                                                                           \
        static const struct hash_kernels kernels = {.best = 1, .x1 = isalk_##hash##_x1_armv8};  \
        return isalk_hash_many(&kernels, n, states, data, blocks);                              \
    }
MANY(sha1)
MANY(sha256)

#endif
