/* Type and declarations of the zero detection kernel.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEM_KERNELS_H
#define MEM_KERNELS_H

#include "dispatch/kernel.h"

/* Returns 0 if the len bytes at mem are all 0, else 1. Any alignment and length. */
typedef int zero_detect_fn(const void *mem, size_t len);
KERNEL_SLOT_TYPE(zero_detect_fn);

ISALK_HIDDEN_BEGIN
zero_detect_fn isalk_zero_detect_base, isalk_zero_detect_portable, isalk_zero_detect_sse,
    isalk_zero_detect_avx2, isalk_zero_detect_avx512;
extern zero_detect_fn_slot isalk_zero_detect_slot;
ISALK_HIDDEN_END

#endif
