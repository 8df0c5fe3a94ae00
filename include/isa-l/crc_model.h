/* CRCs of any polynomial, and arithmetic with CRCs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A CRC is described by the parameters of the Rocksoft model (Williams, "A painless guide to CRC
 * error detection algorithms", 1993), as catalogues give them. A descriptor, made of them once,
 * holds what the kernels need:
 *
 *     struct isal_crc crc;
 *     isal_crc_init(&crc, isal_crc_find("CRC-32/ISCSI"));
 *     value = isal_crc_compute(&crc, buf, len);
 *
 * or, when the data come in pieces,
 *
 *     state = isal_crc_begin(&crc);
 *     state = isal_crc_update(&crc, state, piece, piece_len);      as often as there are pieces
 *     value = isal_crc_finish(&crc, state);
 *
 * A value is the published CRC, in the low `width` bits. A state is for the library alone. Pieces of
 * data may also be summed up apart, in any order and by several threads, and their values combined.
 *
 * Descriptors hold no pointers but params.name, and no function changes one after isal_crc_init().
 * Every function may be called from any thread; nothing is allocated. Buffers may have any length and
 * alignment; nothing outside them is read or written; with length 0 they may be NULL. */

#ifndef ISAL_CRC_MODEL_H
#define ISAL_CRC_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters in the Rocksoft model. */
struct isal_crc_params {
    const char *name; /* as in the catalogue, or any, or NULL */
    unsigned width;   /* bits: 1 to 64 */
    int refin;        /* 1: the least significant bit of each byte is the first; 0: the most */
    int refout;      /* 1: the register is output with its bits in reverse order; mostly as refin */
    uint64_t poly;   /* without x^width, most significant bit first */
    uint64_t init;   /* register at the start, most significant bit first */
    uint64_t xorout; /* what is added to the output */
    uint64_t check;  /* the CRC of the nine bytes "123456789", for tests; not used */
};

/* A descriptor. isal_crc_init() fills it in, whatever is in it before; it may be copied. Only params
 * is to be read. Aligned to 64 bytes it is a little faster. */
struct isal_crc {
    struct isal_crc_params params;
    uint64_t opaque[512];
};

/* Results of isal_crc_init(). */
#define ISAL_CRC_OK 0
#define ISAL_CRC_ERR_WIDTH -1 /* the width is not 1 to 64 */
#define ISAL_CRC_ERR_RANGE -2 /* poly, init or xorout has bits beyond the width */
#define ISAL_CRC_ERR_NULL -3  /* params is NULL, as isal_crc_find() returns for an unknown name */

/* Makes a descriptor of *params, some 50 microseconds' work. On an error crc is unusable. A
 * polynomial of the functions in isa-l/crc.h and isa-l/crc64.h runs their own kernels. */
int isal_crc_init(struct isal_crc *crc, const struct isal_crc_params *params);

/* ---- Catalogue ---- */

/* Parameters of a published CRC by its name in Greg Cook's "Catalogue of parametrised CRC algorithms"
 * (the RevEng catalogue), such as "CRC-32/ISO-HDLC", or by a usual other name, such as "CRC-32".
 * Case does not matter. NULL if there is none. */
const struct isal_crc_params *isal_crc_find(const char *name);

/* The CRC number `index` of the catalogue, in the order of widths and names; NULL from the end on. */
const struct isal_crc_params *isal_crc_catalogue(size_t index);

/* ---- CRC of data ---- */

/* The CRC of len bytes at buf. */
uint64_t isal_crc_compute(const struct isal_crc *crc, const void *buf, size_t len);

/* The state before the first byte. */
uint64_t isal_crc_begin(const struct isal_crc *crc);

/* The state after len further bytes at buf. */
uint64_t isal_crc_update(const struct isal_crc *crc, uint64_t state, const void *buf, size_t len);

/* The same, and copies them to dst: faster than memcpy() and an update after it. dst may be src, but
 * must not overlap it otherwise. */
uint64_t isal_crc_copy(const struct isal_crc *crc, uint64_t state, void *dst, const void *src,
                       size_t len);

/* The CRC of all bytes so far. More may follow: states and values can be taken one into the other. */
uint64_t isal_crc_finish(const struct isal_crc *crc, uint64_t state);

/* The state that finishes as `value`, to append to data whose CRC is known. */
uint64_t isal_crc_resume(const struct isal_crc *crc, uint64_t value);

/* ---- CRC of data that are not at hand ----
 *
 * A and B are any data, AB is A followed by B; all CRCs are values. The time depends on the number of
 * ones in the binary length: 10 to 700 nanoseconds on current CPUs. */

/* CRC(AB) from CRC(A), CRC(B) and the length of B. */
uint64_t isal_crc_combine(const struct isal_crc *crc, uint64_t crc_a, uint64_t crc_b,
                          uint64_t len_b);

/* CRC(A followed by n zero bytes) from CRC(A). */
uint64_t isal_crc_append_zeros(const struct isal_crc *crc, uint64_t crc_a, uint64_t n);

/* CRC(B) from CRC(AB), CRC(A) and the length of B. */
uint64_t isal_crc_unprepend(const struct isal_crc *crc, uint64_t crc_ab, uint64_t crc_a,
                            uint64_t len_b);

/* CRC(A) from CRC(AB), CRC(B) and the length of B. The polynomial has to be odd, as every useful one
 * is; otherwise CRC(A) is not determined, and the result is 0. */
uint64_t isal_crc_unappend(const struct isal_crc *crc, uint64_t crc_ab, uint64_t crc_b,
                           uint64_t len_b);

/* CRC(A new B) from CRC(A old B), CRC(old) and CRC(new), where old and new have the same length, such
 * as that of a sector which is written anew in the middle of a file, and len_b bytes follow. */
uint64_t isal_crc_replace(const struct isal_crc *crc, uint64_t crc_whole, uint64_t crc_old,
                          uint64_t crc_new, uint64_t len_b);

/* The same as isal_crc_combine() in two steps: the first once for each length, the second, of about
 * 10 nanoseconds, for each pair of CRCs. */
uint64_t isal_crc_combine_gen(const struct isal_crc *crc, uint64_t len_b);
uint64_t isal_crc_combine_op(const struct isal_crc *crc, uint64_t crc_a, uint64_t crc_b,
                             uint64_t op);

/* The same for the functions of isa-l/crc.h and isa-l/crc64.h: crc_b is that of B with init_crc 0,
 * and the result is what the function returns for B with init_crc crc_a:
 *
 *     crc32_gzip_refl(crc_a, B, len_b) = isal_crc32_gzip_refl_combine(crc_a, crc_b, len_b)
 *     with crc_b = crc32_gzip_refl(0, B, len_b) */
uint16_t isal_crc16_t10dif_combine(uint16_t crc_a, uint16_t crc_b, uint64_t len_b);
uint32_t isal_crc32_ieee_combine(uint32_t crc_a, uint32_t crc_b, uint64_t len_b);
uint32_t isal_crc32_gzip_refl_combine(uint32_t crc_a, uint32_t crc_b, uint64_t len_b);
uint32_t isal_crc32_iscsi_combine(uint32_t crc_a, uint32_t crc_b, uint64_t len_b);
uint64_t isal_crc64_ecma_norm_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);
uint64_t isal_crc64_ecma_refl_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);
uint64_t isal_crc64_iso_norm_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);
uint64_t isal_crc64_iso_refl_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);
uint64_t isal_crc64_jones_norm_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);
uint64_t isal_crc64_jones_refl_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);
uint64_t isal_crc64_rocksoft_norm_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);
uint64_t isal_crc64_rocksoft_refl_combine(uint64_t crc_a, uint64_t crc_b, uint64_t len_b);

#ifdef __cplusplus
}
#endif

#endif
