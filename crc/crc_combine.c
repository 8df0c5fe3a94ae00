/* Powers modulo the polynomial of a CRC, and combination of the predefined CRCs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/crc_model.h"

#include "crc/crc_combine_kernels.h"

uint64_t isalk_crc_multiply(const struct crc_constants *k, uint64_t a, uint64_t b)
{
    return k->reflected ? KERNEL_CALL(isalk_crc_multiply_refl_slot)(a, b, k)
                        : KERNEL_CALL(isalk_crc_multiply_norm_slot)(a, b, k);
}

uint64_t isalk_crc_multiply_power(const struct crc_constants *k, uint64_t a, uint64_t base,
                                  uint64_t n)
{
    for (; n; n >>= 1) {
        if (n & 1)
            a = isalk_crc_multiply(k, a, base);
        if (n > 1)
            base = isalk_crc_multiply(k, base, base);
    }
    return a;
}

/* CRC(AB) = CRC(A) x^(8 n) + CRC(B), n the length of B, whether or not the function complements:
 * with init_crc 0, the CRC of an empty message is 0. */
#define CRC_norm(width, state) ((uint##width##_t)((state) >> (64 - (width))))
#define CRC_refl(width, state) ((uint##width##_t)(state))

#define X(name, order, width, complemented, kernel, copy)                                    \
    ISAL_PUBLIC uint##width##_t isal_##name##_combine(uint##width##_t crc_a,                 \
                                                      uint##width##_t crc_b, uint64_t len_b) \
    {                                                                                        \
        const struct crc_constants *k = &isalk_##name##_k;                                   \
        uint64_t a = isalk_crc_multiply_power(k, CRC_STATE_##order(width, crc_a),            \
                                              crc_monomial(k, 8), len_b);                    \
        return (uint##width##_t)(CRC_##order(width, a) ^ crc_b);                             \
    }
CRC_PREDEFINED(X)
