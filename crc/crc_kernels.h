/* Types and declarations shared by the files of the CRC family.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every CRC of width 1 to 64 runs as a CRC of width 64. Its polynomial P of degree `width` is
 * scaled to P' = P x^(64 - width), and its register to the 64-bit state
 *
 *     normal order (most significant bit first)      state = crc << (64 - width)
 *     reflected order (least significant bit first)  state = crc
 *
 * The state after a message M of n bytes is (state x^(8n) + M x^64) mod P'.
 *
 * The predefined CRCs are those of isa-l/crc.h and isa-l/crc64.h. With their generated constants, a
 * kernel returns the CRC, so that the public function can jump to the kernel. With the constants of
 * isalk_crc_constants_init(), a kernel returns the state after the message. */

#ifndef CRC_KERNELS_H
#define CRC_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/kernel.h"

/* Rows of crc_constants.fold, by the distance in bytes over which a 16-byte block is folded. */
enum crc_fold_row {
    CRC_FOLD_128,
    CRC_FOLD_112,
    CRC_FOLD_96,
    CRC_FOLD_80,
    CRC_FOLD_64,
    CRC_FOLD_48,
    CRC_FOLD_32,
    CRC_FOLD_16,
    CRC_FOLDS
};

/* Vectors of 64 bytes that crc_wide.asm moves to the end of a message at once, and their lanes of
 * 16 bytes. */
#define CRC_WIDE_VECTORS 7
#define CRC_WIDE_LANES (4 * CRC_WIDE_VECTORS)

/* Rows of crc_constants.move: for 0 to 48 bytes after the 16-byte blocks of a message of 64
 * bytes. */
#define CRC_MOVES 49

/* Constants of one CRC. Alignment to 64 bytes is faster but not required. rev() reverses 64 bits, d
 * is 8 times the distance of a row, and Q = floor(x^192 / P'):
 *
 *                    normal order              reflected order
 *     fold[row][0]   x^d mod P'                rev(x^(d + 63) mod P')
 *     fold[row][1]   x^(d + 64) mod P'         rev(x^(d - 1) mod P')
 *     quotient[0]    bits 0..63 of Q           rev(bits 65..128 of Q)
 *     quotient[1]    bits 64..127 of Q         rev(bits 1..64 of Q)
 *     divisor[0]     bits 0..63 of P'          rev(bits 1..64 of P')
 *     divisor[1]     0                         all ones if P' is odd, else 0
 *     complement     XORed with the final state, in both elements
 *     complement_q   normal order: its product with divisor[0] has complement as its low half
 *     shift          bits from the final state down to the CRC
 *     table[b]       state after the byte b from state 0, in either order
 *
 * Kernels with 64-byte vectors multiply each lane of a vector by a constant that moves it to the
 * end of the message, and add the products. Lane i is 16 (CRC_WIDE_LANES - 1 - i) bytes before the
 * last block; with the x^64 of the state, d = 128 (CRC_WIDE_LANES - 1 - i) + 64. In messages of up
 * to 64 bytes, any number of bytes may follow a block. The loop for long messages steps by 256
 * bytes and uses reflected order for every CRC; normal order has a second loop, for shorter
 * messages.
 *
 *     wide[i]        like fold[], for lane i
 *     wide_step[0]   like fold[] in reflected order, for d = 2048
 *     wide_step[1]   like fold[], for d = 2048
 *     move[i]        like fold[], for d = 8 i + 64 */
struct crc_constants {
    uint64_t wide[CRC_WIDE_LANES][2];
    uint64_t wide_step[2][2];
    uint64_t move[CRC_MOVES][2];
    uint64_t poly;      /* without x^width, most significant bit first, as in catalogues */
    uint32_t width;     /* bits */
    uint32_t reflected; /* 1: reflected order */
    uint64_t fold[CRC_FOLDS][2];
    uint64_t quotient[2];
    uint64_t divisor[2];
    uint64_t complement[2];
    uint64_t complement_q;
    uint64_t shift;
    uint64_t table[256];
};

/* The state for a CRC of `width` bits, not complemented. */
#define CRC_STATE_norm(width, crc) ((uint64_t) (crc) << (64 - (width)))
#define CRC_STATE_refl(width, crc) ((uint64_t) (crc))

/* The lowest `width` bits of a, reversed. */
static inline uint64_t crc_reverse(uint64_t a, unsigned width)
{
    uint64_t r = 0;

    for (; width; width--, a >>= 1)
        r = r << 1 | (a & 1);
    return r;
}

/* What a kernel returns for a state, and the state for such a result. */
static inline uint64_t crc_of_state(const struct crc_constants *k, uint64_t state)
{
    return (state ^ k->complement[0]) >> k->shift;
}

static inline uint64_t state_of_crc(const struct crc_constants *k, uint64_t crc)
{
    return crc << k->shift ^ k->complement[0];
}

/* Returns crc_of_state() of the state after the len bytes at buf. Any length and alignment; nothing
 * outside the buffer is read. len is the last argument because shifts need it in rcx. The order of
 * the kernel must be that of k. */
typedef uint64_t crc_fn(uint64_t state, const uint8_t *buf, const struct crc_constants *k,
                        size_t len);

/* CRC-32C of a message, like crc32_iscsi(). */
typedef uint32_t crc_iscsi_fn(const uint8_t *buf, size_t len, uint32_t crc);
KERNEL_SLOT_TYPE(crc_iscsi_fn);

/* crc_fn that also copies src to dst. dst may equal src; any other overlap is not allowed. */
typedef uint64_t crc_copy_fn(uint64_t state, const uint8_t *src, const struct crc_constants *k,
                             size_t len, uint8_t *dst);

/* The 64-bit result of an assembly kernel has a CRC of 16 or 32 bits in its low bits. So a public
 * function that returns 16 or 32 bits can jump to the kernel, which saves 1 to 1.5 ns a call.
 * Kernels in C have assembly entries for this (crc_entries.asm); without assembly, the result is
 * converted. */
#if ISALK_ASM
typedef uint16_t crc_fn_16(uint64_t state, const uint8_t *buf, const struct crc_constants *k,
                           size_t len);
typedef uint32_t crc_fn_32(uint64_t state, const uint8_t *buf, const struct crc_constants *k,
                           size_t len);
typedef uint16_t crc_copy_fn_16(uint64_t state, const uint8_t *src, const struct crc_constants *k,
                                size_t len, uint8_t *dst);
typedef uint32_t crc_copy_fn_32(uint64_t state, const uint8_t *src, const struct crc_constants *k,
                                size_t len, uint8_t *dst);
#else
typedef crc_fn crc_fn_16, crc_fn_32;
typedef crc_copy_fn crc_copy_fn_16, crc_copy_fn_32;
#endif

typedef union {
    kernel_slot any;
    crc_fn *typed, *typed_64;
    crc_fn_16 *typed_16;
    crc_fn_32 *typed_32;
} crc_fn_slot;

typedef union {
    kernel_slot any;
    crc_copy_fn *typed, *typed_64;
    crc_copy_fn_16 *typed_16;
    crc_copy_fn_32 *typed_32;
} crc_copy_fn_slot;

ISALK_HIDDEN_BEGIN

/* Fills in k for P = x^width + poly. width: 1 to 64; poly: below 2^width. */
void isalk_crc_constants_init(struct crc_constants *k, unsigned width, uint64_t poly,
                              int reflected);

/* X(tier) for each tier above base. */
#define CRC_REFL_TIERS(X) X(portable) X(armv8) X(sse) X(avx) X(avx2_v) X(avx512) X(avx512_v)
#define CRC_NORM_TIERS(X) CRC_REFL_TIERS(X) X(avx2)

#define X(tier)                        \
    crc_fn isalk_crc_fold_norm_##tier; \
    crc_copy_fn isalk_crc_copy_norm_##tier;
X(base)
CRC_NORM_TIERS(X)
#undef X
#define X(tier)                        \
    crc_fn isalk_crc_fold_refl_##tier; \
    crc_copy_fn isalk_crc_copy_refl_##tier;
X(base)
CRC_REFL_TIERS(X)
#undef X

/* Copies with non-temporal stores, which bypass the caches. Memory limits their speed: wider
 * vectors would not help. */
#define X(tier) crc_copy_fn isalk_crc_nt_norm_##tier, isalk_crc_nt_refl_##tier;
X(sse)
X(avx)
#undef X

/* Dedicated kernels: each computes one CRC, and k must be its constants. */
#define X(tier)                                                                              \
    crc_fn isalk_crc16_t10dif_##tier, isalk_crc32_ieee_##tier, isalk_crc32_gzip_refl_##tier, \
        isalk_crc64_iso_norm_##tier, isalk_crc64_iso_refl_##tier;
X(avx2)
X(avx512)
#undef X
crc_copy_fn isalk_crc16_t10dif_copy_avx512;
crc_fn isalk_crc32_iscsi_sse, isalk_crc32_iscsi_avx, isalk_crc32_iscsi_avx512;
crc_iscsi_fn isalk_crc_fold_iscsi_base, isalk_crc_fold_iscsi_portable, isalk_crc_fold_iscsi_armv8,
    isalk_crc_fold_iscsi_sse, isalk_crc_fold_iscsi_avx;
crc_iscsi_fn isalk_crc_fold_iscsi_avx512, isalk_crc_fold_iscsi_avx512_v;
crc_fn isalk_crc32_iscsi_avx512_v, isalk_crc16_t10dif_avx512_v;
crc_copy_fn isalk_crc_copy_iscsi_avx512_v;
crc_copy_fn isalk_crc32_iscsi_copy_sse, isalk_crc32_iscsi_copy_avx, isalk_crc32_iscsi_copy_avx512;

/* The portable kernels, with entries in assembly. */
crc_fn isalk_crc_fold_norm_base_entry, isalk_crc_fold_refl_base_entry;
crc_copy_fn isalk_crc_copy_norm_base_entry, isalk_crc_copy_refl_base_entry;

/* Bytes from which the public functions call dedicated kernels. Shorter messages go directly to
 * crc_fold_<order> or crc_fold_iscsi, which the dedicated kernels would call for them. */
#define CRC_DEDICATED_MIN 1024
#define CRC_DEDICATED_MIN_ISCSI 576

/* Bytes from which copies with CRC-16 T10 use more than folding. */
#define CRC_TAPS_COPY_MIN 1536

/* crc32_iscsi() for len >= CRC_DEDICATED_MIN_ISCSI or len < 0. */
uint32_t isalk_crc32_iscsi_long(const uint8_t *buf, int len, uint32_t crc);

/* The first six are for any CRC of their order, the others for one CRC. */
extern crc_fn_slot isalk_crc_fold_norm_slot, isalk_crc_fold_refl_slot;
extern crc_copy_fn_slot isalk_crc_copy_norm_slot, isalk_crc_copy_refl_slot;
extern crc_copy_fn_slot isalk_crc_nt_norm_slot, isalk_crc_nt_refl_slot;
extern crc_fn_slot isalk_crc16_t10dif_slot, isalk_crc32_ieee_slot, isalk_crc32_iscsi_slot;
extern crc_fn_slot isalk_crc32_gzip_refl_slot, isalk_crc64_iso_norm_slot, isalk_crc64_iso_refl_slot;
extern crc_copy_fn_slot isalk_crc16_t10dif_copy_slot, isalk_crc32_iscsi_copy_slot;
extern crc_iscsi_fn_slot isalk_crc_fold_iscsi_slot;

/* The predefined CRCs: X(name, order, width, complemented, kernel, copying kernel). */
#define CRC_PREDEFINED(X)                                             \
    X(crc16_t10dif, norm, 16, 0, crc16_t10dif, crc16_t10dif_copy)     \
    X(crc32_ieee, norm, 32, 1, crc32_ieee, crc_copy_norm)             \
    X(crc32_gzip_refl, refl, 32, 1, crc32_gzip_refl, crc_copy_refl)   \
    X(crc32_iscsi, refl, 32, 0, crc32_iscsi, crc32_iscsi_copy)        \
    X(crc64_ecma_norm, norm, 64, 1, crc_fold_norm, crc_copy_norm)     \
    X(crc64_ecma_refl, refl, 64, 1, crc_fold_refl, crc_copy_refl)     \
    X(crc64_iso_norm, norm, 64, 1, crc64_iso_norm, crc_copy_norm)     \
    X(crc64_iso_refl, refl, 64, 1, crc64_iso_refl, crc_copy_refl)     \
    X(crc64_jones_norm, norm, 64, 1, crc_fold_norm, crc_copy_norm)    \
    X(crc64_jones_refl, refl, 64, 1, crc_fold_refl, crc_copy_refl)    \
    X(crc64_rocksoft_norm, norm, 64, 1, crc_fold_norm, crc_copy_norm) \
    X(crc64_rocksoft_refl, refl, 64, 1, crc_fold_refl, crc_copy_refl)

#define X(name, order, width, complemented, kernel, copy) \
    extern const struct crc_constants isalk_##name##_k;
CRC_PREDEFINED(X)
#undef X

ISALK_HIDDEN_END

#endif
