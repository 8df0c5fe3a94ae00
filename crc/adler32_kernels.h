/* Type and declarations of the Adler-32 kernel.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ADLER32_KERNELS_H
#define ADLER32_KERNELS_H

#include <stdint.h>

#include "dispatch/kernel.h"

/* Adler-32 (RFC 1950, section 8.2) of the len bytes at buf, continued from init: a in the low half,
 * b in the high half. Both may have any value and are reduced modulo 65521, even if len is 0. */
typedef uint32_t adler32_fn(uint32_t init, const uint8_t *buf, size_t len);
KERNEL_SLOT_TYPE(adler32_fn);

ISALK_HIDDEN_BEGIN
adler32_fn isalk_adler32_base, isalk_adler32_portable, isalk_adler32_sse, isalk_adler32_avx2,
    isalk_adler32_avx512;
extern adler32_fn_slot isalk_adler32_slot;
ISALK_HIDDEN_END

#endif
