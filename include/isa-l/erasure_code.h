/* Erasure codes over GF(2^8): encode, update, decode, and their matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A code with k data shards and p parity shards is an m x k matrix a, m = k + p, whose first k rows
 * are the identity. Shard r is the sum over j of a[r][j] * data shard j. Any k shards whose rows of
 * the matrix are independent determine the data.
 *
 *     unsigned char a[M * K], tables[32 * K * P];
 *     gf_gen_cauchy1_matrix(a, M, K);
 *     ec_init_tables(K, P, &a[K * K], tables);
 *     ec_encode_data(len, K, P, tables, data, parity);
 *
 *     int lost[2] = {0, 11};                           // rebuild shards 0 and 11
 *     struct isal_ec_decode *plan = malloc(isal_ec_decode_size(K, M, 2));
 *     if (isal_ec_decode_init(plan, K, M, a, lost, 2) == ISAL_EC_OK)
 *         isal_ec_decode_data(plan, len, shards);
 *
 * Addition is XOR; multiplication is polynomial multiplication modulo x^8+x^4+x^3+x^2+1 (0x11d). A
 * coefficient is used as a 32-byte table (see gf_vect_mul.h) with one layout for every CPU and
 * function. Lengths are in bytes; a length of zero or less does nothing. Buffers may have any
 * alignment; outputs must not overlap inputs; nothing outside the given lengths is accessed. All
 * functions are thread-safe: they keep no state and allocate nothing. */

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
 * In some geometries, some choices of k rows are not invertible. doc/erasure_code.md lists the safe
 * geometries, and isal_ec_is_mds() checks one. Use gf_gen_cauchy1_matrix() unless you have to read
 * data that were written with this matrix. */
void gf_gen_rs_matrix(unsigned char *a, int m, int k);

/* Cauchy code: the identity, then a[i][j] = 1 / (i ^ j), row-major, m * k bytes, m <= 256. Every
 * choice of k rows is invertible. */
void gf_gen_cauchy1_matrix(unsigned char *a, int m, int k);

/* Writes the inverse of the n x n matrix `in` to `out`. Both are row-major, n * n bytes, and must
 * not overlap.
 *
 * Returns 0, and `in` is then the identity; or -1 if the matrix is singular, and the contents of
 * both are then undefined. n = 0 returns 0. */
int gf_invert_matrix(unsigned char *in, unsigned char *out, const int n);

/* Tests whether a code is maximum distance separable: the loss of any m - k shards can be decoded.
 * a is an m x k matrix whose first k rows are the identity, 1 <= k <= m <= 256.
 *
 * Returns 1 if it is, 0 if some loss cannot be decoded, -1 if an argument is out of range or the
 * first k rows are not the identity. Cauchy matrices are recognized immediately. Other matrices
 * take time proportional to C(m, k), the number of k-subsets of m: 0.1 to 20 ns each at 3 GHz,
 * fastest if k or m - k is small. 10^7 subsets take less than a second. Needs up to 26 KB of
 * stack. */
int isal_ec_is_mds(const unsigned char *a, int m, int k);

/* ---- Encoding ---- */

/* Expands coefficients into tables. a: rows * k bytes, the parity rows of a matrix (&a[k * k]).
 * gftbls: receives 32 * rows * k bytes, with the table of row r and source j at 32 * (r * k +
 * j). */
void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls);
void ec_init_tables_base(int k, int rows, unsigned char *a, unsigned char *gftbls);

/* coding[r][i] = sum over 0 <= j < k of (coefficient r, j) * data[j][i], for 0 <= r < rows, 0 <= i
 * < len.
 *
 * len: bytes in each buffer. data: k pointers to sources. coding: rows pointers to buffers that are
 * overwritten. gftbls: from ec_init_tables(). k, rows and len are not limited. Rows whose
 * coefficients are all 1 run as XOR. */
void ec_encode_data(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                    unsigned char **coding);
void ec_encode_data_base(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                         unsigned char **coding);

/* Adds the contribution of one source to the parity: coding[r][i] += (coefficient r, vec_i) *
 * data[i].
 *
 * data: source number vec_i of k. gftbls: all 32 * rows * k bytes of tables. If coding is zero at
 * first, one call for each source, in any order, gives the result of ec_encode_data(). To replace a
 * source, pass (old XOR new) as data. */
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
 * A plan rebuilds a given set of lost shards, data or parity, from k of the others. It takes a few
 * microseconds to build and serves any number of stripes, in any number of threads. */

/* Results of the isal_ec_decode functions. */
enum isal_ec_status {
    ISAL_EC_OK = 0,
    ISAL_EC_BAD_GEOMETRY = -1,  /* not 1 <= k <= m <= 256 */
    ISAL_EC_BAD_MATRIX = -2,    /* the first k rows of the matrix are not the identity */
    ISAL_EC_OUT_OF_RANGE = -3,  /* the number of a lost shard is not in 0 .. m-1 */
    ISAL_EC_DUPLICATE = -4,     /* a lost shard is listed twice */
    ISAL_EC_TOO_MANY_LOST = -5, /* more than m - k shards are lost */
    ISAL_EC_SINGULAR = -6,      /* this matrix cannot decode this loss */
    ISAL_EC_BAD_ARGUMENT = -7   /* a NULL pointer, or a negative length or count */
};

/* Description of a status, in English; never NULL. */
const char *isal_ec_strerror(int status);

/* A plan: opaque, isal_ec_decode_size() bytes, aligned as malloc() aligns. */
struct isal_ec_decode;

/* Size in bytes of a plan for `lost` lost shards, 1 <= k <= m <= 256 and 0 <= lost <= m - k; 0 if
 * an argument is out of range. isal_ec_decode_size(k, m, m - k) is enough for any plan of a
 * geometry. */
size_t isal_ec_decode_size(int k, int m, int lost);

/* Builds a plan.
 *
 * plan: memory of isal_ec_decode_size(k, m, nlost) bytes, with any contents.
 * a: the m x k matrix of the code; its first k rows are the identity.
 * lost: the numbers of the nlost lost shards in any order, each in 0 .. m-1; nlost may be 0.
 *
 * Returns ISAL_EC_OK, or the first error found; the plan must then not be used. ISAL_EC_SINGULAR
 * means that no choice of k remaining shards can decode the loss. */
int isal_ec_decode_init(struct isal_ec_decode *plan, int k, int m, const unsigned char *a,
                        const int *lost, int nlost);

/* Shard number of source i of the plan, 0 <= i < k; sources are in increasing order. Only the
 * sources need to be fetched. -1 if i is out of range or no shard is lost. */
int isal_ec_decode_source(const struct isal_ec_decode *plan, int i);

/* Rebuilds the lost shards of one stripe.
 *
 * len: bytes in each shard. shards: m pointers, in order of shard number. The plan reads its
 * sources and writes the lost shards; the other pointers are not used and may be NULL. Returns
 * ISAL_EC_OK or ISAL_EC_BAD_ARGUMENT. */
int isal_ec_decode_data(const struct isal_ec_decode *plan, int len, unsigned char **shards);

#if defined(__x86_64__) || defined(_M_X64)

/* ---- Functions for one instruction set, which the CPU must have ----
 *
 * Kept for programs that name them. gf_Nvect_dot_prod_ISA computes N rows into the N buffers of
 * dest, from N tables of 32 * vlen bytes; gf_Nvect_mad_ISA adds one source to N rows. */
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
