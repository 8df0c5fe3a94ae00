/* The CRC kernels with the polynomial products and CRC instructions of 64-bit Arm.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Folding: a block of 16 bytes is moved over a distance by two products, with constants that
 * crc_kernels.h describes. Source: Gopal et al., "Fast CRC computation for generic polynomials
 * using PCLMULQDQ instruction", Intel, 2009. */

#include "crc_kernels.h"

#if ISALK_ARMV8

#ifndef __clang__
#pragma GCC target("+crypto+crc")
#endif
#include <arm_acle.h>
#include <arm_neon.h>

#include "dispatch/bytes.h"
#include "dispatch/vector.h"

#define BLOCKS 8 /* folded side by side */

/* The block at p + at as an integer whose lowest bit is the highest power (normal order: the lowest
 * power). Also copies the block unless dst is NULL. */
ISALK_INLINE uint64x2_t load_block(const uint8_t *p, uint8_t *dst, size_t at, int reflected)
{
    uint8x16_t v = vld1q_u8(p + at);

    if (dst)
        vst1q_u8(dst + at, v);
    if (!reflected) {
        v = vrev64q_u8(v);
        v = vextq_u8(v, v, 8);
    }
    return vreinterpretq_u64_u8(v);
}

ISALK_INLINE uint64x2_t fold(uint64x2_t v, const uint64_t row[2])
{
    poly64x2_t a = vreinterpretq_p64_u64(v), b = vreinterpretq_p64_u64(vld1q_u64(row));
    poly128_t low = vmull_p64(vgetq_lane_p64(a, 0), vgetq_lane_p64(b, 0));

    return vreinterpretq_u64_p128(low) ^ vreinterpretq_u64_p128(vmull_high_p64(a, b));
}

/* The state after a block that has been folded into one. */
ISALK_INLINE uint64_t state_of_block(uint64x2_t v, const struct crc_constants *k, int reflected)
{
    uint64_t first = v[!reflected], s = 0;

    for (int half = 0; half < 2; half++, first = v[reflected]) {
        s ^= first;
        for (int i = 0; i < 8; i++)
            s = reflected ? k->table[s & 255] ^ s >> 8 : k->table[s >> 56] ^ s << 8;
    }
    return s;
}

/* The instructions compute CRC-32 of gzip and CRC-32C. INSTRUCTIONS(b or cb, ...) advances the CRC
 * over the last block and up to 15 bytes. */
#define INSTRUCTIONS(name, c)                                        \
    static uint64_t name(uint64x2_t v, const uint8_t *p, size_t len) \
    {                                                                \
        uint32_t crc = __crc32##c##d(__crc32##c##d(0, v[0]), v[1]);  \
                                                                     \
        if (len & 8)                                                 \
            crc = __crc32##c##d(crc, load_le64(p)), p += 8;          \
        if (len & 4)                                                 \
            crc = __crc32##c##w(crc, load_le32(p)), p += 4;          \
        if (len & 2)                                                 \
            crc = __crc32##c##h(crc, load_le16(p)), p += 2;          \
        if (len & 1)                                                 \
            crc = __crc32##c##b(crc, *p);                            \
        return crc;                                                  \
    }
INSTRUCTIONS(end_gzip, )
INSTRUCTIONS(end_iscsi, c)

/* Folds *len >= 16 bytes at p into a block; *len becomes the number of bytes that remain. */
ISALK_INLINE uint64x2_t fold_all(uint64_t state, const uint8_t *p, const struct crc_constants *k,
                                 size_t *len, uint8_t *dst, int reflected)
{
    const size_t end = *len / 16 * 16;
    size_t at = 16;
    uint64x2_t v = load_block(p, dst, 0, reflected), block[BLOCKS];

    v ^= reflected ? (uint64x2_t){state, 0} : (uint64x2_t){0, state};
    if (end >= 16 * 2 * BLOCKS) {
        block[0] = v;
        ISALK_UNROLL
        for (size_t i = 1; i < BLOCKS; i++)
            block[i] = load_block(p, dst, 16 * i, reflected);
        for (at = 16 * BLOCKS; end - at >= 16 * BLOCKS; at += 16 * BLOCKS) {
            ISALK_UNROLL
            for (size_t i = 0; i < BLOCKS; i++)
                block[i] = fold(block[i], k->fold[CRC_FOLD_128]) ^
                           load_block(p, dst, at + 16 * i, reflected);
        }
        v = block[BLOCKS - 1];
        ISALK_UNROLL
        for (size_t i = 0; i + 1 < BLOCKS; i++)
            v ^= fold(block[i], k->fold[CRC_FOLD_112 + i]);
    }
    for (; at < end; at += 16)
        v = fold(v, k->fold[CRC_FOLD_16]) ^ load_block(p, dst, at, reflected);
    *len -= end;
    return v;
}

ISALK_INLINE uint64_t crc_norm(uint64_t state, const uint8_t *p, const struct crc_constants *k,
                               size_t *left, uint8_t *dst)
{
    return *left < 16 ? state : state_of_block(fold_all(state, p, k, left, dst, 0), k, 0);
}

ISALK_INLINE uint64_t crc_refl(uint64_t state, const uint8_t *p, const struct crc_constants *k,
                               size_t *left, uint8_t *dst)
{
    size_t len = *left;
    uint64x2_t v;

    if (len < 16)
        return state;
    v = fold_all(state, p, k, left, dst, 1);
    if (k->width == 32 && !dst && (k->poly == 0x04c11db7 || k->poly == 0x1edc6f41)) {
        size_t n = *left;
        *left = 0;
        p += len - n;
        return k->poly == 0x04c11db7 ? end_gzip(v, p, n) : end_iscsi(v, p, n);
    }
    return state_of_block(v, k, 1);
}

#define ORDER(order)                                                                   \
    uint64_t isalk_crc_fold_##order##_armv8(uint64_t state, const uint8_t *buf,        \
                                            const struct crc_constants *k, size_t len) \
    {                                                                                  \
        size_t left = len;                                                             \
        state = crc_##order(state, buf, k, &left, NULL);                               \
        return isalk_crc_fold_##order##_base(state, buf + (len - left), k, left);      \
    }                                                                                  \
    uint64_t isalk_crc_copy_##order##_armv8(uint64_t state, const uint8_t *src,        \
                                            const struct crc_constants *k, size_t len, \
                                            uint8_t *dst)                              \
    {                                                                                  \
        size_t left = len, done;                                                       \
        state = crc_##order(state, src, k, &left, dst);                                \
        done = len - left;                                                             \
        return isalk_crc_copy_##order##_base(state, src + done, k, left, dst + done);  \
    }
ORDER(norm)
ORDER(refl)

uint32_t isalk_crc_fold_iscsi_armv8(const uint8_t *buf, size_t len, uint32_t crc)
{
    return (uint32_t) isalk_crc_fold_refl_armv8(crc, buf, &isalk_crc32_iscsi_k, len);
}

#endif
