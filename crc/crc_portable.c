/* The CRC kernels in C with more tables than the specification, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Slicing by 16: table s has the state after a byte and s bytes of zero, so that the lookups of 16
 * bytes do not depend on one another. Source: Kounavis and Berry, "A systematic approach to
 * building high performance software-based CRC generators", ISCC 2005. The predefined CRCs of up to
 * 32 bits have such tables, 16 KB each; other CRCs run the specification. */

#include "crc_kernels.h"

#if !ISALK_ASM

#include <string.h>

#include "dispatch/bytes.h"

#define SLICES 16

typedef const uint32_t slice[256];

/* Bytes copied at a time, which stay in the L1 cache with the tables. */
#define COPY_BYTES 4096

ISALK_HIDDEN_BEGIN
extern slice isalk_crc16_t10dif_slices[SLICES], isalk_crc32_ieee_slices[SLICES];
extern slice isalk_crc32_gzip_refl_slices[SLICES], isalk_crc32_iscsi_slices[SLICES];
ISALK_HIDDEN_END

/* The tables of a CRC, or NULL. */
static slice *slices_of(const struct crc_constants *k)
{
    static const struct {
        uint32_t width, reflected;
        uint64_t poly;
        slice *slices;
    } known[] = {
        {16, 0, 0x8bb7, isalk_crc16_t10dif_slices},
        {32, 0, 0x04c11db7, isalk_crc32_ieee_slices},
        {32, 1, 0x04c11db7, isalk_crc32_gzip_refl_slices},
        {32, 1, 0x1edc6f41, isalk_crc32_iscsi_slices},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (k->width == known[i].width && k->reflected == known[i].reflected &&
            k->poly == known[i].poly)
            return known[i].slices;
    return NULL;
}

/* The lookups of four bytes, the first in the low byte of w and in table 3. */
ISALK_INLINE uint32_t four(slice *tables, uint32_t w)
{
    return tables[3][w & 255] ^ tables[2][w >> 8 & 255] ^ tables[1][w >> 16 & 255] ^
           tables[0][w >> 24];
}

/* The same with the first byte in the high byte of w. */
ISALK_INLINE uint32_t four_norm(slice *tables, uint32_t w)
{
    return tables[3][w >> 24] ^ tables[2][w >> 16 & 255] ^ tables[1][w >> 8 & 255] ^
           tables[0][w & 255];
}

static uint64_t state_norm(uint64_t state, const uint8_t *p, slice *tables, size_t blocks)
{
    uint32_t s = (uint32_t) (state >> 32);

    for (; blocks; blocks--, p += SLICES)
        s = four_norm(tables, load_be32(p + 12)) ^ four_norm(tables + 4, load_be32(p + 8)) ^
            four_norm(tables + 8, load_be32(p + 4)) ^ four_norm(tables + 12, load_be32(p) ^ s);
    return (uint64_t) s << 32;
}

static uint64_t state_refl(uint64_t state, const uint8_t *p, slice *tables, size_t blocks)
{
    uint32_t s = (uint32_t) state;

    for (; blocks; blocks--, p += SLICES)
        s = four(tables, load_le32(p + 12)) ^ four(tables + 4, load_le32(p + 8)) ^
            four(tables + 8, load_le32(p + 4)) ^ four(tables + 12, load_le32(p) ^ s);
    return s;
}

/* Kernels of an order; the specification computes the bytes after the last block. */
#define ORDER(order)                                                                          \
    uint64_t isalk_crc_fold_##order##_portable(uint64_t state, const uint8_t *buf,            \
                                               const struct crc_constants *k, size_t len)     \
    {                                                                                         \
        slice *tables = len < SLICES ? NULL : slices_of(k);                                   \
        size_t done = tables ? len - len % SLICES : 0;                                        \
        if (tables)                                                                           \
            state = state_##order(state, buf, tables, len / SLICES);                          \
        return isalk_crc_fold_##order##_base(state, buf + done, k, len - done);               \
    }                                                                                         \
    uint64_t isalk_crc_copy_##order##_portable(uint64_t state, const uint8_t *src,            \
                                               const struct crc_constants *k, size_t len,     \
                                               uint8_t *dst)                                  \
    {                                                                                         \
        slice *tables = len < SLICES ? NULL : slices_of(k);                                   \
        size_t done = 0;                                                                      \
        while (tables && len - done >= SLICES) {                                              \
            size_t n = len - done < COPY_BYTES ? (len - done) / SLICES * SLICES : COPY_BYTES; \
            state = state_##order(state, src + done, tables, n / SLICES);                     \
            memmove(dst + done, src + done, n);                                               \
            done += n;                                                                        \
        }                                                                                     \
        return isalk_crc_copy_##order##_base(state, src + done, k, len - done, dst + done);   \
    }
ORDER(norm)
ORDER(refl)

uint32_t isalk_crc_fold_iscsi_portable(const uint8_t *buf, size_t len, uint32_t crc)
{
    return (uint32_t) isalk_crc_fold_refl_portable(crc, buf, &isalk_crc32_iscsi_k, len);
}

#endif
