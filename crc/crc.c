/* CRCs: the public functions of isa-l/crc.h and isa-l/crc64.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/crc.h"
#include "isa-l/crc64.h"

#include "crc/crc_kernels.h"

#define COMPLEMENT(width, complemented, crc) \
    ((uint##width##_t)((crc) ^ (complemented ? ~(uint##width##_t) 0 : (uint##width##_t) 0)))
#define INITIAL_STATE(order, width, complemented, crc) \
    CRC_STATE_##order(width, COMPLEMENT(width, complemented, crc))

/* Calls of a kernel. The interface has 64-bit lengths, but no buffer has more than SIZE_MAX
 * bytes. */
#define PLAIN(name, order, width, complemented, kernel, crc, buf, len)             \
    ((uint##width##_t) kernel(INITIAL_STATE(order, width, complemented, crc), buf, \
                              &isalk_##name##_k, (size_t) (len)))
#define COPY(name, order, width, complemented, kernel, crc, dst, src, len)         \
    ((uint##width##_t) kernel(INITIAL_STATE(order, width, complemented, crc), src, \
                              &isalk_##name##_k, (size_t) (len), dst))

#define CALL(width, kernel) KERNEL_CALL_AS(isalk_##kernel##_slot, typed_##width)
/* The dedicated kernel of a CRC, or for a short message the kernel for any CRC. */
#define CALL_DEDICATED(width, kernel, fold, len) \
    ((len) < CRC_DEDICATED_MIN ? CALL(width, fold) : CALL(width, kernel))

/* ---- isa-l/crc.h ---- */

ISAL_PUBLIC uint16_t crc16_t10dif(uint16_t init_crc, const unsigned char *buf, uint64_t len)
{
    return PLAIN(crc16_t10dif, norm, 16, 0, CALL_DEDICATED(16, crc16_t10dif, crc_fold_norm, len),
                 init_crc, buf, len);
}

ISAL_PUBLIC uint16_t crc16_t10dif_base(uint16_t seed, uint8_t *buf, uint64_t len)
{
    return PLAIN(crc16_t10dif, norm, 16, 0, isalk_crc_fold_norm_base, seed, buf, len);
}

ISAL_PUBLIC uint16_t crc16_t10dif_copy(uint16_t init_crc, uint8_t *dst, uint8_t *src, uint64_t len)
{
    return isal_crc16_t10dif_copy(dst, src, (size_t) len, init_crc);
}

ISAL_PUBLIC uint16_t crc16_t10dif_copy_base(uint16_t init_crc, uint8_t *dst, uint8_t *src,
                                            uint64_t len)
{
    return COPY(crc16_t10dif, norm, 16, 0, isalk_crc_copy_norm_base, init_crc, dst, src, len);
}

ISAL_PUBLIC uint32_t crc32_ieee(uint32_t init_crc, const unsigned char *buf, uint64_t len)
{
    return PLAIN(crc32_ieee, norm, 32, 1, CALL_DEDICATED(32, crc32_ieee, crc_fold_norm, len),
                 init_crc, buf, len);
}

ISAL_PUBLIC uint32_t crc32_ieee_base(uint32_t seed, uint8_t *buf, uint64_t len)
{
    return PLAIN(crc32_ieee, norm, 32, 1, isalk_crc_fold_norm_base, seed, buf, len);
}

ISAL_PUBLIC uint32_t crc32_gzip_refl(uint32_t init_crc, const unsigned char *buf, uint64_t len)
{
    return PLAIN(crc32_gzip_refl, refl, 32, 1,
                 CALL_DEDICATED(32, crc32_gzip_refl, crc_fold_refl, len), init_crc, buf, len);
}

ISAL_PUBLIC uint32_t crc32_gzip_refl_base(uint32_t seed, uint8_t *buf, uint64_t len)
{
    return PLAIN(crc32_gzip_refl, refl, 32, 1, isalk_crc_fold_refl_base, seed, buf, len);
}

ISAL_PUBLIC unsigned int crc32_iscsi(unsigned char *buffer, int len, unsigned int init_crc)
{
    if ((unsigned) len >= CRC_DEDICATED_MIN_ISCSI) /* includes every negative len */
        return isalk_crc32_iscsi_long(buffer, len, init_crc);
    return KERNEL_CALL(isalk_crc_fold_iscsi_slot)(buffer, (size_t) len, init_crc);
}

ISAL_PUBLIC unsigned int crc32_iscsi_base(unsigned char *buffer, int len, unsigned int crc_init)
{
    return len <= 0
               ? crc_init
               : PLAIN(crc32_iscsi, refl, 32, 0, isalk_crc_fold_refl_base, crc_init, buffer, len);
}

/* ---- isa-l/crc64.h ---- */

#if ISALK_ASM
#define FOLD_BY8(order) isalk_crc_fold_##order##_sse
#else
#define FOLD_BY8(order) isalk_crc_fold_##order##_portable
#endif
#define CRC64(name, order, kernel)                                                              \
    ISAL_PUBLIC uint64_t name(uint64_t init_crc, const unsigned char *buf, uint64_t len)        \
    {                                                                                           \
        return PLAIN(name, order, 64, 1, kernel, init_crc, buf, len);                           \
    }                                                                                           \
    ISAL_PUBLIC uint64_t name##_base(uint64_t init_crc, const unsigned char *buf, uint64_t len) \
    {                                                                                           \
        return PLAIN(name, order, 64, 1, isalk_crc_fold_##order##_base, init_crc, buf, len);    \
    }                                                                                           \
    ISAL_PUBLIC uint64_t name##_by8(uint64_t init_crc, const unsigned char *buf, uint64_t len)  \
    {                                                                                           \
        return PLAIN(name, order, 64, 1, FOLD_BY8(order), init_crc, buf, len);                  \
    }
CRC64(crc64_ecma_norm, norm, CALL(64, crc_fold_norm))
CRC64(crc64_ecma_refl, refl, CALL(64, crc_fold_refl))
CRC64(crc64_iso_norm, norm, CALL_DEDICATED(64, crc64_iso_norm, crc_fold_norm, len))
CRC64(crc64_iso_refl, refl, CALL_DEDICATED(64, crc64_iso_refl, crc_fold_refl, len))
CRC64(crc64_jones_norm, norm, CALL(64, crc_fold_norm))
CRC64(crc64_jones_refl, refl, CALL(64, crc_fold_refl))
CRC64(crc64_rocksoft_norm, norm, CALL(64, crc_fold_norm))
CRC64(crc64_rocksoft_refl, refl, CALL(64, crc_fold_refl))

/* ---- Copies ---- */

#define X(name, order, width, complemented, kernel, copy)                                          \
    ISAL_PUBLIC uint##width##_t isal_##name##_copy(void *dst, const void *src, size_t len,         \
                                                   uint##width##_t init_crc)                       \
    {                                                                                              \
        return COPY(name, order, width, complemented, CALL(width, copy), init_crc, dst, src, len); \
    }                                                                                              \
    ISAL_PUBLIC uint##width##_t isal_##name##_copy_nt(void *dst, const void *src, size_t len,      \
                                                      uint##width##_t init_crc)                    \
    {                                                                                              \
        return COPY(name, order, width, complemented, CALL(width, crc_nt_##order), init_crc, dst,  \
                    src, len);                                                                     \
    }
CRC_PREDEFINED(X)
