/* The CRC kernels in C with more tables than the specification, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Slicing by 16: table s has the state after a byte and s bytes of zero, so that the lookups of 16
 * bytes do not depend on one another. Source: Kounavis and Berry, "A systematic approach to
 * building high performance software-based CRC generators", ISCC 2005. The predefined CRCs of up to
 * 32 bits have such tables, 16 KB each.
 *
 * For other CRCs, messages of 1 KB and more are divided into pieces. The lookups of one piece wait
 * for each other, those of different pieces do not. If a piece of n bytes follows, a state is
 * multiplied by x^(8n) and added to the state of that piece. */

#include "crc_combine_kernels.h"
#include "crc_kernels.h"

#if !ISALK_ASM

#include <string.h>

#include "dispatch/bytes.h"

#define SLICES 16

typedef const uint32_t slice[256];

/* Bytes of a piece: distances for which the constants have a row. */
#define LONG_PIECE ((size_t) 16 * (CRC_WIDE_LANES - 1) + 8)
#define SHORT_PIECE ((size_t) 128)

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

/* ---- Any CRC: several pieces side by side ---- */

#define CHAINS 8

/* The state one byte later. */
ISALK_INLINE uint64_t next_norm(uint64_t state, uint8_t byte, const struct crc_constants *k)
{
    return k->table[(uint8_t) (state >> 56) ^ byte] ^ state << 8;
}

ISALK_INLINE uint64_t next_refl(uint64_t state, uint8_t byte, const struct crc_constants *k)
{
    return k->table[(uint8_t) state ^ byte] ^ state >> 8;
}

/* x^d mod P', from the row of k for a distance of d bits. */
static uint64_t power_norm(const uint64_t row[2], const struct crc_constants *k)
{
    (void) k;
    return row[0];
}

static uint64_t power_refl(const uint64_t row[2], const struct crc_constants *k)
{
    return row[1] >> 1 ^ (k->table[0x80] & -(row[1] & 1)); /* x^(d - 1) times x */
}

/* The state after CHAINS pieces of `bytes` bytes each; power is x^(8 bytes) mod P'. */
#define PIECES(order)                                                                            \
    static uint64_t pieces_##order(uint64_t s0, const uint8_t *p, const struct crc_constants *k, \
                                   size_t bytes, uint64_t power)                                 \
    {                                                                                            \
        uint64_t s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;                         \
                                                                                                 \
        for (size_t i = 0; i < bytes; i++, p++) {                                                \
            s0 = next_##order(s0, p[0], k);                                                      \
            s1 = next_##order(s1, p[bytes], k);                                                  \
            s2 = next_##order(s2, p[2 * bytes], k);                                              \
            s3 = next_##order(s3, p[3 * bytes], k);                                              \
            s4 = next_##order(s4, p[4 * bytes], k);                                              \
            s5 = next_##order(s5, p[5 * bytes], k);                                              \
            s6 = next_##order(s6, p[6 * bytes], k);                                              \
            s7 = next_##order(s7, p[7 * bytes], k);                                              \
        }                                                                                        \
        s1 ^= isalk_crc_multiply_##order##_base(s0, power, k);                                   \
        s3 ^= isalk_crc_multiply_##order##_base(s2, power, k);                                   \
        s5 ^= isalk_crc_multiply_##order##_base(s4, power, k);                                   \
        s7 ^= isalk_crc_multiply_##order##_base(s6, power, k);                                   \
        power = isalk_crc_multiply_##order##_base(power, power, k);                              \
        s3 ^= isalk_crc_multiply_##order##_base(s1, power, k);                                   \
        s7 ^= isalk_crc_multiply_##order##_base(s5, power, k);                                   \
        power = isalk_crc_multiply_##order##_base(power, power, k);                              \
        return s7 ^ isalk_crc_multiply_##order##_base(s3, power, k);                             \
    }
PIECES(norm)
PIECES(refl)

/* ---- The kernels ---- */

/* advance: the state after a first part of *len bytes, without the bytes that remain in *len. The
 * specification computes those. */
#define ORDER(order)                                                                      \
    static uint64_t advance_##order(uint64_t state, const uint8_t *p,                     \
                                    const struct crc_constants *k, size_t *len)           \
    {                                                                                     \
        const struct {                                                                    \
            size_t bytes;                                                                 \
            const uint64_t *row;                                                          \
        } pieces[] = {{LONG_PIECE, k->wide[0]}, {SHORT_PIECE, k->fold[CRC_FOLD_128]}};    \
        slice *tables = *len < SLICES ? NULL : slices_of(k);                              \
        size_t blocks = *len / SLICES;                                                    \
                                                                                          \
        if (tables) {                                                                     \
            *len %= SLICES;                                                               \
            return state_##order(state, p, tables, blocks);                               \
        }                                                                                 \
        for (int i = 0; i < 2; i++) {                                                     \
            uint64_t power = power_##order(pieces[i].row, k);                             \
            size_t n = CHAINS * pieces[i].bytes;                                          \
            for (; *len >= n; *len -= n, p += n)                                          \
                state = pieces_##order(state, p, k, pieces[i].bytes, power);              \
        }                                                                                 \
        return state;                                                                     \
    }                                                                                     \
    uint64_t isalk_crc_fold_##order##_portable(uint64_t state, const uint8_t *buf,        \
                                               const struct crc_constants *k, size_t len) \
    {                                                                                     \
        size_t left = len;                                                                \
        state = advance_##order(state, buf, k, &left);                                    \
        return isalk_crc_fold_##order##_base(state, buf + (len - left), k, left);         \
    }                                                                                     \
    uint64_t isalk_crc_copy_##order##_portable(uint64_t state, const uint8_t *src,        \
                                               const struct crc_constants *k, size_t len, \
                                               uint8_t *dst)                              \
    {                                                                                     \
        for (size_t n, left; len >= SLICES; src += n, dst += n, len -= n) {               \
            n = left = len < COPY_BYTES ? len : COPY_BYTES;                               \
            state = advance_##order(state, src, k, &left);                                \
            n -= left;                                                                    \
            if (n == 0)                                                                   \
                break;                                                                    \
            memmove(dst, src, n);                                                         \
        }                                                                                 \
        return isalk_crc_copy_##order##_base(state, src, k, len, dst);                    \
    }
ORDER(norm)
ORDER(refl)

uint32_t isalk_crc_fold_iscsi_portable(const uint8_t *buf, size_t len, uint32_t crc)
{
    return (uint32_t) isalk_crc_fold_refl_portable(crc, buf, &isalk_crc32_iscsi_k, len);
}

#endif
