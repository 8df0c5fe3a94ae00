/* CRCs of long buffers: sparse taps followed by folding; folding together with the crc32
 * instruction; copies with non-temporal stores.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crc/crc_kernels.h"

/* Kept out of crc.c so that the compiler does not route short messages through it. */
uint32_t isalk_crc32_iscsi_long(const uint8_t *buf, int len, uint32_t crc)
{
    if (len < 0)
        return crc;
    return (uint32_t) KERNEL_CALL(isalk_crc32_iscsi_slot)(crc, buf, &isalk_crc32_iscsi_k,
                                                          (size_t) len);
}

#if ISALK_ASM

/* Reads a prefix of the message, writes `reduced`, a shorter message with the same CRC, and returns
 * the length of the prefix; see crc_taps.asm. */
typedef size_t taps_fn(uint64_t seed, const uint8_t *buf, size_t len, uint8_t *reduced);
typedef size_t taps_copy_fn(uint64_t seed, const uint8_t *buf, size_t len, uint8_t *reduced,
                            uint8_t *dst);

ISALK_HIDDEN_BEGIN
taps_fn isalk_crc16_t10dif_ring_avx2, isalk_crc32_ring_avx2, isalk_crc64_iso_ring_avx2;
taps_fn isalk_crc16_t10dif_taps32_avx512, isalk_crc16_t10dif_taps64_avx512;
taps_fn isalk_crc32_ring_avx512, isalk_crc32_short_ring_avx512, isalk_crc64_iso_ring_avx512;
taps_copy_fn isalk_crc16_t10dif_copy32_avx512, isalk_crc16_t10dif_copy64_avx512;
#define X(tier)                            \
    crc_fn isalk_crc32_iscsi_fused_##tier; \
    crc_copy_fn isalk_crc_copy_iscsi_##tier, isalk_crc32_iscsi_fused_copy_##tier;
X(sse)
X(avx)
X(avx512)
#undef X
crc_copy_fn isalk_crc_copy_nt_norm_sse, isalk_crc_copy_nt_refl_sse;
crc_copy_fn isalk_crc_copy_nt_norm_avx, isalk_crc_copy_nt_refl_avx;
ISALK_HIDDEN_END

/* The state as the first 8 bytes of a message, in a little-endian register. */
static uint64_t seed_refl(uint64_t state)
{
    return state;
}

static uint64_t seed_norm(uint64_t state)
{
    uint64_t seed = 0;

    for (int i = 0; i < 64; i += 8)
        seed = seed << 8 | (state >> i & 0xff);
    return seed;
}

/* distance: the longest tap, in vectors of `vector` bytes. */
#define TAPS(id, order, fold, taps, distance, vector)                                     \
    static uint64_t id(uint64_t state, const uint8_t *buf, const struct crc_constants *k, \
                       size_t len)                                                        \
    {                                                                                     \
        _Alignas(64) uint8_t reduced[(distance) * (vector)];                              \
        size_t done = taps(seed_##order(state), buf, len, reduced);                       \
        state = state_of_crc(k, fold(0, reduced, k, sizeof reduced));                     \
        return fold(state, buf + done, k, len - done);                                    \
    }

TAPS(t10dif_taps32, norm, isalk_crc_fold_norm_avx512, isalk_crc16_t10dif_taps32_avx512, 18, 32)
TAPS(t10dif_taps64, norm, isalk_crc_fold_norm_avx512, isalk_crc16_t10dif_taps64_avx512, 18, 64)
TAPS(t10dif_wide, norm, isalk_crc_fold_norm_avx512_v, isalk_crc16_t10dif_taps64_avx512, 18, 64)
TAPS(t10dif_ring, norm, isalk_crc_fold_norm_avx2, isalk_crc16_t10dif_ring_avx2, 39, 32)
TAPS(crc32_norm_ring32, norm, isalk_crc_fold_norm_avx2, isalk_crc32_ring_avx2, 300, 32)
TAPS(crc32_refl_ring32, refl, isalk_crc_fold_refl_avx, isalk_crc32_ring_avx2, 300, 32)
TAPS(crc32_norm_ring64, norm, isalk_crc_fold_norm_avx512, isalk_crc32_ring_avx512, 300, 64)
TAPS(crc32_refl_ring64, refl, isalk_crc_fold_refl_avx512, isalk_crc32_ring_avx512, 300, 64)
TAPS(crc32_norm_short64, norm, isalk_crc_fold_norm_avx512, isalk_crc32_short_ring_avx512, 203, 64)
TAPS(crc32_refl_short64, refl, isalk_crc_fold_refl_avx512, isalk_crc32_short_ring_avx512, 203, 64)
TAPS(iso_norm_ring32, norm, isalk_crc_fold_norm_avx2, isalk_crc64_iso_ring_avx2, 64, 32)
TAPS(iso_refl_ring32, refl, isalk_crc_fold_refl_avx, isalk_crc64_iso_ring_avx2, 64, 32)
TAPS(iso_norm_ring64, norm, isalk_crc_fold_norm_avx512, isalk_crc64_iso_ring_avx512, 64, 64)
TAPS(iso_refl_ring64, refl, isalk_crc_fold_refl_avx512, isalk_crc64_iso_ring_avx512, 64, 64)

/* Longest message for rings, which are for data in a cache. From memory, 64-byte vectors are no
 * faster and lower the clock: there folding, which prefetches, reads 12.1 GB/s and rings 10.8. */
#define RING_MAX ((size_t) 4 << 20)

/* Bytes from which four taps are faster than five: five take more work, but leave less to fold. */
#define CRC32_FOUR_TAPS_MIN ((size_t) 96 << 10)

/* SELECT(id, fold, min, taps, max): the kernel isalk_<id>. It folds messages shorter than `min` or
 * longer than `max` bytes. From `min` on, taps are faster, measured on Skylake-SP. They need a
 * message of at least twice their longest distance. */
#define SELECT(id, fold, min, taps, max)                                                   \
    crc_fn isalk_##id;                                                                     \
    uint64_t isalk_##id(uint64_t state, const uint8_t *buf, const struct crc_constants *k, \
                        size_t len)                                                        \
    {                                                                                      \
        if (len < (min) || len > (max))                                                    \
            return isalk_crc_fold_##fold(state, buf, k, len);                              \
        return taps(state, buf, k, len);                                                   \
    }

/* BY_LENGTH(id, min, shorter, longer): the taps `longer` from `min` bytes on, else `shorter`. */
#define BY_LENGTH(id, min, shorter, longer)                                               \
    static uint64_t id(uint64_t state, const uint8_t *buf, const struct crc_constants *k, \
                       size_t len)                                                        \
    {                                                                                     \
        return (len < (min) ? shorter : longer)(state, buf, k, len);                      \
    }
BY_LENGTH(t10dif_taps, 16384, t10dif_taps32, t10dif_taps64)
BY_LENGTH(crc32_norm_taps, CRC32_FOUR_TAPS_MIN, crc32_norm_short64, crc32_norm_ring64)
BY_LENGTH(crc32_refl_taps, CRC32_FOUR_TAPS_MIN, crc32_refl_short64, crc32_refl_ring64)

/* clang-format off */
SELECT(crc16_t10dif_avx2_c, norm_avx2, 4096, t10dif_ring, RING_MAX)
SELECT(crc16_t10dif_avx512_c, norm_avx512, 1536, t10dif_taps, SIZE_MAX)
SELECT(crc16_t10dif_avx512_v_c, norm_avx512_v, 12288, t10dif_wide, RING_MAX)
SELECT(crc32_ieee_avx2_c, norm_avx2, 32768, crc32_norm_ring32, RING_MAX)
SELECT(crc32_ieee_avx512_c, norm_avx512, 32768, crc32_norm_taps, RING_MAX)
SELECT(crc32_gzip_refl_avx2_c, refl_avx, 32768, crc32_refl_ring32, RING_MAX)
SELECT(crc32_gzip_refl_avx512_c, refl_avx512, 49152, crc32_refl_taps, RING_MAX)
SELECT(crc64_iso_norm_avx2, norm_avx2, 8192, iso_norm_ring32, RING_MAX)
SELECT(crc64_iso_norm_avx512, norm_avx512, 16384, iso_norm_ring64, RING_MAX)
SELECT(crc64_iso_refl_avx2, refl_avx, 8192, iso_refl_ring32, RING_MAX)
SELECT(crc64_iso_refl_avx512, refl_avx512, 16384, iso_refl_ring64, RING_MAX)
/* clang-format on */

#define COPY(id, taps, vector)                                                            \
    static uint64_t id(uint64_t state, const uint8_t *src, const struct crc_constants *k, \
                       size_t len, uint8_t *dst)                                          \
    {                                                                                     \
        _Alignas(64) uint8_t reduced[18 * (vector)];                                      \
        size_t done = taps(seed_norm(state), src, len, reduced, dst);                     \
        state = isalk_crc_fold_norm_avx512(0, reduced, k, sizeof reduced);                \
        state = state_of_crc(k, state);                                                   \
        return isalk_crc_copy_norm_avx512(state, src + done, k, len - done, dst + done);  \
    }
COPY(t10dif_copy32, isalk_crc16_t10dif_copy32_avx512, 32)
COPY(t10dif_copy64, isalk_crc16_t10dif_copy64_avx512, 64)

/* A C kernel that ends in _c is reached from its entry in crc_entries.asm. len >=
 * CRC_TAPS_COPY_MIN. */
crc_copy_fn isalk_crc16_t10dif_copy_avx512_c;
uint64_t isalk_crc16_t10dif_copy_avx512_c(uint64_t state, const uint8_t *src,
                                          const struct crc_constants *k, size_t len, uint8_t *dst)
{
    return (len < 16384 ? t10dif_copy32 : t10dif_copy64)(state, src, k, len, dst);
}

/* ---- CRC-32C ---- */

/* Complete iterations of crc_fused.asm, then folding of the remainder. Copies have at least
 * CRC_DEDICATED_MIN_ISCSI bytes. */
#define FUSED_ITERATION 288 /* bytes */

#define ISCSI(tier)                                                                             \
    uint64_t isalk_crc32_iscsi_##tier(uint64_t state, const uint8_t *buf,                       \
                                      const struct crc_constants *k, size_t len)                \
    {                                                                                           \
        if (len >= CRC_DEDICATED_MIN_ISCSI) {                                                   \
            size_t n = len / FUSED_ITERATION;                                                   \
            state = isalk_crc32_iscsi_fused_##tier(state, buf, k, n);                           \
            buf += n * FUSED_ITERATION;                                                         \
            len -= n * FUSED_ITERATION;                                                         \
        }                                                                                       \
        return isalk_crc_fold_iscsi_##tier(buf, len, (uint32_t) state);                         \
    }                                                                                           \
    crc_copy_fn isalk_crc32_iscsi_copy_##tier##_c;                                              \
    uint64_t isalk_crc32_iscsi_copy_##tier##_c(uint64_t state, const uint8_t *src,              \
                                               const struct crc_constants *k, size_t len,       \
                                               uint8_t *dst)                                    \
    {                                                                                           \
        size_t done = len / FUSED_ITERATION * FUSED_ITERATION;                                  \
        state = isalk_crc32_iscsi_fused_copy_##tier(state, src, k, len / FUSED_ITERATION, dst); \
        return isalk_crc_copy_iscsi_##tier(state, src + done, k, len - done, dst + done);       \
    }
ISCSI(sse)
ISCSI(avx)
ISCSI(avx512)

uint64_t isalk_crc32_iscsi_avx512_v(uint64_t state, const uint8_t *buf,
                                    const struct crc_constants *k, size_t len)
{
    (void) k;
    return isalk_crc_fold_iscsi_avx512_v(buf, len, (uint32_t) state);
}

/* ---- Copies with non-temporal stores ---- */

/* Non-temporal stores for complete cache lines of the destination; ordinary copies for the bytes
 * before and after them, and for short buffers. All in bytes. */
#define NT_MIN 1024
#define NT_LINE 64
#define NT_MULTIPLE 128

#define NT(order, tier)                                                                       \
    crc_copy_fn isalk_crc_nt_##order##_##tier##_c;                                            \
    uint64_t isalk_crc_nt_##order##_##tier##_c(uint64_t state, const uint8_t *src,            \
                                               const struct crc_constants *k, size_t len,     \
                                               uint8_t *dst)                                  \
    {                                                                                         \
        if (len >= NT_MIN) {                                                                  \
            size_t head = -(uintptr_t) dst % NT_LINE;                                         \
            size_t whole = (len - head) / NT_MULTIPLE * NT_MULTIPLE;                          \
            state = isalk_crc_copy_##order##_##tier(state, src, k, head, dst);                \
            state = isalk_crc_copy_nt_##order##_##tier(state_of_crc(k, state), src + head, k, \
                                                       whole, dst + head);                    \
            state = state_of_crc(k, state);                                                   \
            src += head + whole;                                                              \
            dst += head + whole;                                                              \
            len -= head + whole;                                                              \
        }                                                                                     \
        return isalk_crc_copy_##order##_##tier(state, src, k, len, dst);                      \
    }
NT(norm, sse)
NT(refl, sse)
NT(norm, avx)
NT(refl, avx)

#endif
