/* Erasure codes over GF(2^8): encode, update, decode, and the matrices behind them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A code with k data shards and p parity shards is an m x k matrix, m = k + p, whose first k rows
 * are the identity: shard r is the sum over j of a[r][j] * data shard j. Any k shards that survive
 * give back the data when the matching k rows are invertible.
 *
 *     unsigned char a[M * K], tables[32 * K * P];
 *     gf_gen_cauchy1_matrix(a, M, K);
 *     ec_init_tables(K, P, &a[K * K], tables);
 *     ec_encode_data(len, K, P, tables, data, parity);
 *
 *     int lost[2] = {0, 11};
 *     struct isal_ec_decode *plan = malloc(isal_ec_decode_size(K, M, 2));
 *     if (isal_ec_decode_init(plan, K, M, a, lost, 2) == ISAL_EC_OK)
 *         isal_ec_decode_data(plan, len, shards);
 *
 * Addition is XOR, multiplication that of polynomials modulo x^8+x^4+x^3+x^2+1 (0x11d). A
 * coefficient is used as a 32-byte table (see gf_vect_mul.h) whose layout is the same on every CPU
 * and for every function here. Buffers may have any alignment; outputs must not overlap inputs;
 * nothing outside the given lengths is read or written. Lengths are in bytes; a length of zero or
 * less does nothing. All functions are thread-safe: none keeps state or allocates. */

#ifndef ISAL_ERASURE_CODE_H
#define ISAL_ERASURE_CODE_H

#include <stddef.h>

#include "gf_vect_mul.h"
#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Field and matrices ---- */

/* Product of a and b. */
unsigned char gf_mul(unsigned char a, unsigned char b);

/* Multiplicative inverse of a; 0 for 0. */
unsigned char gf_inv(unsigned char a);

/* Vandermonde code: the identity, then a[i][j] = 2^((i-k)*j), row-major, m * k bytes.
 *
 * Not every choice of k surviving rows is invertible for every geometry. doc/erasure_code.md has
 * the table of those that are safe; isal_ec_is_mds() tells for one. Prefer gf_gen_cauchy1_matrix()
 * unless data written with this matrix must be read. */
void gf_gen_rs_matrix(unsigned char *a, int m, int k);

/* Cauchy code: the identity, then a[i][j] = 1 / (i ^ j), row-major, m * k bytes, m <= 256. Every
 * choice of k surviving rows is invertible. */
void gf_gen_cauchy1_matrix(unsigned char *a, int m, int k);

/* Inverts the n x n matrix in (row-major) into out, which must be distinct.
 *
 * Returns 0, with `in` turned into the identity, or -1 if the matrix is singular, with the contents
 * of both undefined. n = 0 returns 0. */
int gf_invert_matrix(unsigned char *in, unsigned char *out, const int n);

/* Whether an m x k matrix whose first k rows are the identity survives the loss of any m - k shards
 * (is maximum distance separable), 1 <= k <= m <= 256.
 *
 * Returns 1 if it does, 0 if some loss cannot be decoded, -1 if an argument is out of range or the
 * first k rows are not the identity. Cauchy matrices are recognised at once; any other takes time
 * that grows with the number of k-subsets of m: up to C(m, k) = 10^7 it is below a second, and
 * between 0.1 and 20 ns for each subset at 3 GHz, least where k or m - k is small. */
int isal_ec_is_mds(const unsigned char *a, int m, int k);

/* ---- Encoding ---- */

/* Expands coefficients into tables: a holds rows * k bytes (the parity rows of a matrix: &a[k *
 * k]), gftbls receives 32 * rows * k bytes, the table of row r and source j at 32 * (r * k + j). */
void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls);
void ec_init_tables_base(int k, int rows, unsigned char *a, unsigned char *gftbls);

/* coding[r][i] = sum over 0 <= j < k of (coefficient r, j) * data[j][i], for 0 <= r < rows, 0 <= i
 * < len.
 *
 * len: bytes in each buffer. data: k pointers. coding: rows pointers, whose contents are
 * overwritten. gftbls: from ec_init_tables(). Any k, rows and len. Rows whose coefficients are all
 * one run as XOR. */
void ec_encode_data(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                    unsigned char **coding);
void ec_encode_data_base(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                         unsigned char **coding);

/* Adds the share of one source to parity under construction: coding[r][i] += (coefficient r, vec_i)
 * * data[i], data being source number vec_i of k and gftbls the whole table set of 32 * rows * k
 * bytes.
 *
 * From zeroed coding, one call for each source in any order gives what ec_encode_data() gives. To
 * replace a source, call it with (old XOR new). */
void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                           unsigned char *data, unsigned char **coding);
void ec_encode_data_update_base(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                                unsigned char *data, unsigned char **coding);

/* One row of ec_encode_data(): dest[i] = sum over j < vlen of (coefficient j) * src[j][i]. */
void gf_vect_dot_prod(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                      unsigned char *dest);
void gf_vect_dot_prod_base(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char *dest);

/* One row of ec_encode_data_update(): dest[i] += (coefficient vec_i of vec) * src[i]. */
void gf_vect_mad(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                 unsigned char *dest);
void gf_vect_mad_base(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char *dest);

/* ---- Decoding ----
 *
 * A plan rebuilds a given set of lost shards, data and parity alike, from k of the others. Building
 * one costs a few microseconds; it can be kept and used for any number of stripes, from several
 * threads. */

/* Results of the isal_ec_decode functions. */
enum isal_ec_status {
    ISAL_EC_OK = 0,
    ISAL_EC_BAD_GEOMETRY = -1,  /* not 1 <= k <= m <= 256 */
    ISAL_EC_BAD_MATRIX = -2,    /* the first k rows of the matrix are not the identity */
    ISAL_EC_OUT_OF_RANGE = -3,  /* a lost shard's number is not in 0 .. m-1 */
    ISAL_EC_DUPLICATE = -4,     /* a shard is listed as lost twice */
    ISAL_EC_TOO_MANY_LOST = -5, /* more shards lost than there is parity */
    ISAL_EC_SINGULAR = -6,      /* this matrix cannot decode this loss */
    ISAL_EC_BAD_ARGUMENT = -7   /* a NULL pointer, or a negative length or count */
};

/* What a status means, in English; never NULL. */
const char *isal_ec_strerror(int status);

/* A plan: opaque, of isal_ec_decode_size() bytes, of any alignment that malloc() gives. */
struct isal_ec_decode;

/* Bytes that a plan for `lost` lost shards takes, for 1 <= k <= m <= 256 and 0 <= lost <= m - k; 0
 * when the arguments are out of range. isal_ec_decode_size(k, m, m - k) holds any plan of a
 * geometry. */
size_t isal_ec_decode_size(int k, int m, int lost);

/* Builds a plan.
 *
 * plan: isal_ec_decode_size(k, m, nlost) bytes of the caller's, contents irrelevant.
 * a: the m x k matrix of the code, its first k rows the identity.
 * lost: the numbers of the nlost lost shards in any order, each in 0 .. m-1; nlost may be 0.
 *
 * Returns ISAL_EC_OK or the first error found, in which case the plan must not be used. A loss is
 * reported singular only if no choice of surviving shards can decode it. */
int isal_ec_decode_init(struct isal_ec_decode *plan, int k, int m, const unsigned char *a,
                        const int *lost, int nlost);

/* Number of the shard that the plan reads as its source i, for 0 <= i < k, in increasing order:
 * only these need to be fetched. -1 if i is out of range or nothing was lost. */
int isal_ec_decode_source(const struct isal_ec_decode *plan, int i);

/* Rebuilds the lost shards of one stripe.
 *
 * len: bytes in each shard. shards: m pointers by shard number. The plan's sources are read, the
 * lost shards are written, the other pointers are not used and may be NULL. Returns ISAL_EC_OK or
 * ISAL_EC_BAD_ARGUMENT. */
int isal_ec_decode_data(const struct isal_ec_decode *plan, int len, unsigned char **shards);

#if defined(__x86_64__) || defined(_M_X64)

/* ---- Functions bound to one instruction set ----
 *
 * Kept for programs that name them; the CPU must have the instruction set. gf_Nvect_dot_prod_ISA
 * computes N rows, whose tables are N groups of 32 * vlen bytes, into the N buffers of dest;
 * gf_Nvect_mad_ISA adds one source to N rows. */
ISAL_LIB_DEPRECATED("use the function without the suffix")
void ec_encode_data_sse(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                        unsigned char **coding);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void ec_encode_data_update_sse(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                               unsigned char *data, unsigned char **coding);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_vect_dot_prod_sse(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                          unsigned char *dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_vect_mad_sse(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                     unsigned char *dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_2vect_dot_prod_sse(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_2vect_mad_sse(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_3vect_dot_prod_sse(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_3vect_mad_sse(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_4vect_dot_prod_sse(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_4vect_mad_sse(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_5vect_dot_prod_sse(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_5vect_mad_sse(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_6vect_dot_prod_sse(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_6vect_mad_sse(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);

ISAL_LIB_DEPRECATED("use the function without the suffix")
void ec_encode_data_avx(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                        unsigned char **coding);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void ec_encode_data_update_avx(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                               unsigned char *data, unsigned char **coding);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_vect_dot_prod_avx(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                          unsigned char *dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_vect_mad_avx(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                     unsigned char *dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_2vect_dot_prod_avx(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_2vect_mad_avx(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_3vect_dot_prod_avx(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_3vect_mad_avx(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_4vect_dot_prod_avx(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_4vect_mad_avx(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_5vect_dot_prod_avx(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_5vect_mad_avx(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_6vect_dot_prod_avx(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_6vect_mad_avx(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char **dest);

ISAL_LIB_DEPRECATED("use the function without the suffix")
void ec_encode_data_avx2(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                         unsigned char **coding);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void ec_encode_data_update_avx2(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                                unsigned char *data, unsigned char **coding);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_vect_dot_prod_avx2(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                           unsigned char *dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_vect_mad_avx2(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                      unsigned char *dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_2vect_dot_prod_avx2(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                            unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_2vect_mad_avx2(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                       unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_3vect_dot_prod_avx2(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                            unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_3vect_mad_avx2(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                       unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_4vect_dot_prod_avx2(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                            unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_4vect_mad_avx2(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                       unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_5vect_dot_prod_avx2(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                            unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_5vect_mad_avx2(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                       unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_6vect_dot_prod_avx2(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                            unsigned char **dest);
ISAL_LIB_DEPRECATED("use the function without the suffix")
void gf_6vect_mad_avx2(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                       unsigned char **dest);

#endif

#ifdef __cplusplus
}
#endif

#endif
