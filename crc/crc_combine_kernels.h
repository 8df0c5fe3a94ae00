/* Products modulo the polynomial of a CRC: types and declarations.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CRC_COMBINE_KERNELS_H
#define CRC_COMBINE_KERNELS_H

#include "crc/crc_kernels.h"

/* Returns a b mod P'. The operands have the bit order of states: x^i is bit i in normal order and
 * bit 63 - i in reflected order. The order of the kernel must be that of k. */
typedef uint64_t crc_multiply_fn(uint64_t a, uint64_t b, const struct crc_constants *k);
KERNEL_SLOT_TYPE(crc_multiply_fn);

ISALK_HIDDEN_BEGIN

crc_multiply_fn isalk_crc_multiply_norm_base, isalk_crc_multiply_refl_base;
crc_multiply_fn isalk_crc_multiply_norm_sse, isalk_crc_multiply_refl_sse;

extern crc_multiply_fn_slot isalk_crc_multiply_norm_slot, isalk_crc_multiply_refl_slot;

/* The product in the order of k. */
uint64_t isalk_crc_multiply(const struct crc_constants *k, uint64_t a, uint64_t b);

/* x^n in the order of k, for n < 64. */
static inline uint64_t crc_monomial(const struct crc_constants *k, unsigned n)
{
    return (uint64_t) 1 << (k->reflected ? 63 - n : n);
}

/* a base^n mod P'. */
uint64_t isalk_crc_multiply_power(const struct crc_constants *k, uint64_t a, uint64_t base,
                                  uint64_t n);

ISALK_HIDDEN_END

#endif
