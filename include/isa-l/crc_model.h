/* CRCs of any polynomial, and arithmetic with CRCs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A CRC is described by the parameters of the Rocksoft model (Williams, "A painless guide to CRC
 * error detection algorithms", 1993), as catalogues list them. isal_crc_init() expands them once
 * into a descriptor with the constants of the kernels:
 *
 *     struct isal_crc crc;
 *     isal_crc_init(&crc, isal_crc_find("CRC-32/ISCSI"));
 *     value = isal_crc_compute(&crc, buf, len);
 *
 * For data in pieces:
 *
 *     state = isal_crc_begin(&crc);
 *     while ((n = fread(buf, 1, sizeof buf, file)) > 0)
 *         state = isal_crc_update(&crc, state, buf, n);
 *     value = isal_crc_finish(&crc, state);
 *
 * A value is the published CRC, in the low `width` bits. A state is private to the library. The
 * CRCs of pieces may also be computed in any order, in several threads, and then combined.
 *
 * params.name is the only pointer in a descriptor, and no function changes a descriptor after
 * isal_crc_init(): threads may share it. All functions are thread-safe and allocate nothing.
 * Lengths are in bytes. Buffers may have any length and alignment, and may be NULL for length 0;
 * nothing outside them is accessed. */

#ifndef ISAL_CRC_MODEL_H
#define ISAL_CRC_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters in the Rocksoft model. */
struct isal_crc_params {
    const char *name; /* name in the catalogue, or any other, or NULL; not used */
    unsigned width;   /* bits, 1 to 64 */
    int refin;        /* 1: least significant bit of each byte first; 0: most significant first */
    int refout;       /* 1: bits of the final register are reversed; usually equal to refin */
    uint64_t poly;    /* polynomial without x^width, most significant bit first */
    uint64_t init;    /* initial register, most significant bit first */
    uint64_t xorout;  /* XORed into the final register */
    uint64_t check;   /* CRC of the nine bytes "123456789", for tests; not used */
};

/* A descriptor, filled in by isal_crc_init(). Programs may copy it and read params. Any alignment
 * that malloc() gives will do; 64 bytes is a little faster. */
struct isal_crc {
    struct isal_crc_params params; /* as given to isal_crc_init() */
    uint64_t opaque[512];          /* private */
};

/* Results of isal_crc_init(). */
#define ISAL_CRC_OK 0
#define ISAL_CRC_ERR_WIDTH -1 /* the width is not 1 to 64 */
#define ISAL_CRC_ERR_RANGE -2 /* poly, init or xorout has bits beyond the width */
#define ISAL_CRC_ERR_NULL -3  /* params is NULL: isal_crc_find() did not know the name */

/* Fills in a descriptor from *params, in about 50 microseconds. Returns ISAL_CRC_OK or an error,
 * after which *crc must not be used. Polynomials of isa-l/crc.h and isa-l/crc64.h run the same
 * kernels as the functions there. */
int isal_crc_init(struct isal_crc *crc, const struct isal_crc_params *params);

/* ---- Catalogue ---- */

/* Parameters of a published CRC, or NULL for an unknown name. `name` is the one in Greg Cook's
 * "Catalogue of parametrised CRC algorithms" (the RevEng catalogue), such as "CRC-32/ISO-HDLC", or
 * a common alias, such as "CRC-32". Case does not matter. */
const struct isal_crc_params *isal_crc_find(const char *name);

/* Entry number `index` of the catalogue, counted from 0, sorted by width and name; NULL past the
 * last. */
const struct isal_crc_params *isal_crc_catalogue(size_t index);

/* ---- CRC of data ---- */

/* The CRC of the len bytes at buf. */
uint64_t isal_crc_compute(const struct isal_crc *crc, const void *buf, size_t len);

/* The state before the first byte. */
uint64_t isal_crc_begin(const struct isal_crc *crc);

/* The state after the next len bytes, which are at buf. */
uint64_t isal_crc_update(const struct isal_crc *crc, uint64_t state, const void *buf, size_t len);

/* isal_crc_update() that also copies the bytes from src to dst, faster than memcpy() followed by an
 * update. dst may equal src; any other overlap is not allowed. */
uint64_t isal_crc_copy(const struct isal_crc *crc, uint64_t state, void *dst, const void *src,
                       size_t len);

/* The CRC of all bytes so far. Further updates may follow. */
uint64_t isal_crc_finish(const struct isal_crc *crc, uint64_t state);

/* The inverse of isal_crc_finish(): the state after data whose CRC is `value`, to append more. */
uint64_t isal_crc_resume(const struct isal_crc *crc, uint64_t value);

/* ---- Arithmetic on CRCs, without the data ----
 *
 * A and B are any data, AB is A followed by B. All CRCs are values, all lengths are in bytes. Time
 * grows with the number of one bits in the length: 10 to 700 nanoseconds on current CPUs. */

/* CRC(AB) from CRC(A), CRC(B) and the length of B. */
uint64_t isal_crc_combine(const struct isal_crc *crc, uint64_t crc_a, uint64_t crc_b,
                          uint64_t len_b);

/* CRC(A followed by n zero bytes) from CRC(A). */
uint64_t isal_crc_append_zeros(const struct isal_crc *crc, uint64_t crc_a, uint64_t n);

/* CRC(B) from CRC(AB), CRC(A) and the length of B. */
uint64_t isal_crc_unprepend(const struct isal_crc *crc, uint64_t crc_ab, uint64_t crc_a,
                            uint64_t len_b);

/* CRC(A) from CRC(AB), CRC(B) and the length of B. If the polynomial is even, CRC(A) is not
 * determined, and the function returns 0; no published polynomial is even. */
uint64_t isal_crc_unappend(const struct isal_crc *crc, uint64_t crc_ab, uint64_t crc_b,
                           uint64_t len_b);

/* CRC(A new B) from CRC(A old B), CRC(old) and CRC(new), where old and new have the same length:
 * for example when a sector in the middle of a file is rewritten. len_b is the length of B. */
uint64_t isal_crc_replace(const struct isal_crc *crc, uint64_t crc_whole, uint64_t crc_old,
                          uint64_t crc_new, uint64_t len_b);

/* isal_crc_combine() in two steps: gen once for each length, then op, which takes about 10
 * nanoseconds, for each pair of CRCs. `op` is the value that gen returned. */
uint64_t isal_crc_combine_gen(const struct isal_crc *crc, uint64_t len_b);
uint64_t isal_crc_combine_op(const struct isal_crc *crc, uint64_t crc_a, uint64_t crc_b,
                             uint64_t op);

/* isal_crc_combine() for the functions of isa-l/crc.h and isa-l/crc64.h. crc_b is the CRC of B with
 * init_crc 0:
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
