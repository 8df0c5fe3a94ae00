/* Erasure code: the public functions that run kernels.
 * SPDX-License-Identifier: BSD-3-Clause */

#define ISAL_DEPRECATED_INTERNAL
#include "isa-l/erasure_code.h"

#include "ec_kernels.h"

ISAL_PUBLIC void ec_encode_data(int len, int k, int rows, unsigned char *gftbls,
                                unsigned char **data, unsigned char **coding)
{
    KERNEL_CALL(isalk_ec_encode_data_slot)(len, k, rows, gftbls, data, coding);
}

ISAL_PUBLIC void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *gftbls,
                                       unsigned char *data, unsigned char **coding)
{
    KERNEL_CALL(isalk_ec_encode_data_update_slot)(len, k, rows, vec_i, gftbls, data, coding);
}

ISAL_PUBLIC void gf_vect_dot_prod(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                                  unsigned char *dest)
{
    KERNEL_CALL(isalk_gf_vect_dot_prod_slot)(len, vlen, gftbls, src, dest);
}

ISAL_PUBLIC void gf_vect_mad(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                             unsigned char *dest)
{
    KERNEL_CALL(isalk_gf_vect_mad_slot)(len, vec, vec_i, gftbls, src, dest);
}

ISAL_PUBLIC int gf_vect_mul(int len, unsigned char *gftbl, void *src, void *dest)
{
    return KERNEL_CALL(isalk_gf_vect_mul_slot)(len, gftbl, src, dest);
}

ISAL_PUBLIC void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls)
{
    ec_init_tables_base(k, rows, a, gftbls);
}

ISAL_PUBLIC void gf_vect_mul_init(unsigned char c, unsigned char *gftbl)
{
    gf_vect_mul_init_base(c, gftbl);
}

/* ---- Functions named after an instruction set ----
 *
 * PUBLIC(suffix of the public name, tier of the kernels). Without assembly the tier is portable. */

#define ENCODE(isa, tier)                                                                    \
    ISAL_PUBLIC void ec_encode_data_##isa(int len, int k, int rows, unsigned char *gftbls,   \
                                          unsigned char **data, unsigned char **coding)      \
    {                                                                                        \
        isalk_ec_encode_data_##tier(len, k, rows, gftbls, data, coding);                     \
    }                                                                                        \
    ISAL_PUBLIC void ec_encode_data_update_##isa(int len, int k, int rows, int vec_i,        \
                                                 unsigned char *gftbls, unsigned char *data, \
                                                 unsigned char **coding)                     \
    {                                                                                        \
        isalk_ec_update_##tier(len, k, rows, vec_i, gftbls, data, coding);                   \
    }                                                                                        \
    ISAL_PUBLIC void gf_vect_dot_prod_##isa(int len, int vlen, unsigned char *gftbls,        \
                                            unsigned char **src, unsigned char *dest)        \
    {                                                                                        \
        isalk_gf_dot_prod_##tier(len, vlen, gftbls, src, dest);                              \
    }                                                                                        \
    ISAL_PUBLIC void gf_vect_mad_##isa(int len, int vec, int vec_i, unsigned char *gftbls,   \
                                       unsigned char *src, unsigned char *dest)              \
    {                                                                                        \
        isalk_gf_vect_mad_##tier(len, vec, vec_i, gftbls, src, dest);                        \
    }

/* gf_<n>vect_*: the general kernels with n rows, which are one group. */
#define ENCODE_ROWS(n, isa, tier)                                                               \
    ISAL_PUBLIC void gf_##n##vect_dot_prod_##isa(int len, int vlen, unsigned char *gftbls,      \
                                                 unsigned char **src, unsigned char **dest)     \
    {                                                                                           \
        isalk_ec_encode_data_##tier(len, vlen, n, gftbls, src, dest);                           \
    }                                                                                           \
    ISAL_PUBLIC void gf_##n##vect_mad_##isa(int len, int vec, int vec_i, unsigned char *gftbls, \
                                            unsigned char *src, unsigned char **dest)           \
    {                                                                                           \
        isalk_ec_update_##tier(len, vec, n, vec_i, gftbls, src, dest);                          \
    }

#define PUBLIC(isa, tier)     \
    ENCODE(isa, tier)         \
    ENCODE_ROWS(2, isa, tier) \
    ENCODE_ROWS(3, isa, tier) \
    ENCODE_ROWS(4, isa, tier) \
    ENCODE_ROWS(5, isa, tier) \
    ENCODE_ROWS(6, isa, tier)

#define PUBLIC_MUL(isa, tier)                                                               \
    ISAL_PUBLIC int gf_vect_mul_##isa(int len, unsigned char *gftbl, void *src, void *dest) \
    {                                                                                       \
        return isalk_gf_vect_mul_##tier(len, gftbl, src, dest);                             \
    }

ENCODE(base, base)
ISAL_PUBLIC int gf_vect_mul_base(int len, unsigned char *gftbl, unsigned char *src,
                                 unsigned char *dest)
{
    return isalk_gf_vect_mul_base(len, gftbl, src, dest) ? -1 : 0;
}

#if ISALK_ASM
PUBLIC(sse, sse)
PUBLIC(avx, avx)
PUBLIC(avx2, avx2)
PUBLIC_MUL(sse, sse)
PUBLIC_MUL(avx, avx)
#elif ISALK_X86_64
PUBLIC(sse, portable)
PUBLIC(avx, portable)
PUBLIC(avx2, portable)
PUBLIC_MUL(sse, portable)
PUBLIC_MUL(avx, portable)
#endif
