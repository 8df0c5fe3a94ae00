/* Portable reference of the CRC kernels: the specification that every other variant must match.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One table lookup for each byte. Source: Sarwate, "Computation of cyclic redundancy checks via
 * table look-up", Communications of the ACM 31 (1988). */

#include "crc_kernels.h"

static uint64_t norm_byte(uint64_t state, uint8_t byte, const struct crc_constants *k)
{
    return k->table[(uint8_t) (state >> 56) ^ byte] ^ state << 8;
}

static uint64_t refl_byte(uint64_t state, uint8_t byte, const struct crc_constants *k)
{
    return k->table[(uint8_t) state ^ byte] ^ state >> 8;
}

uint64_t isalk_crc_fold_norm_base(uint64_t state, const uint8_t *buf, const struct crc_constants *k,
                                  size_t len)
{
    for (size_t i = 0; i < len; i++)
        state = norm_byte(state, buf[i], k);
    return crc_of_state(k, state);
}

uint64_t isalk_crc_fold_refl_base(uint64_t state, const uint8_t *buf, const struct crc_constants *k,
                                  size_t len)
{
    for (size_t i = 0; i < len; i++)
        state = refl_byte(state, buf[i], k);
    return crc_of_state(k, state);
}

uint32_t isalk_crc_fold_iscsi_base(const uint8_t *buf, size_t len, uint32_t crc)
{
    return (uint32_t) isalk_crc_fold_refl_base(crc, buf, &isalk_crc32_iscsi_k, len);
}

uint64_t isalk_crc_copy_norm_base(uint64_t state, const uint8_t *src, const struct crc_constants *k,
                                  size_t len, uint8_t *dst)
{
    for (size_t i = 0; i < len; i++)
        state = norm_byte(state, dst[i] = src[i], k);
    return crc_of_state(k, state);
}

uint64_t isalk_crc_copy_refl_base(uint64_t state, const uint8_t *src, const struct crc_constants *k,
                                  size_t len, uint8_t *dst)
{
    for (size_t i = 0; i < len; i++)
        state = refl_byte(state, dst[i] = src[i], k);
    return crc_of_state(k, state);
}
