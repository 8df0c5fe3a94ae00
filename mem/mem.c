/* Memory routines: the public function of isa-l/mem_routines.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/mem_routines.h"

#include "dispatch/bytes.h"
#include "mem/mem_kernels.h"

/* Buffers of 8 to 32 bytes are tested here, as words that overlap in the middle. */
ISAL_PUBLIC int isal_zero_detect(void *mem, size_t len)
{
    const unsigned char *p = mem, *end = p + len;

    if (len - 8 > 24)
        return KERNEL_CALL(isalk_zero_detect_slot)(mem, len);
    if (len <= 16)
        return (load_le64(p) | load_le64(end - 8)) != 0;
    return (load_le64(p) | load_le64(p + 8) | load_le64(end - 16) | load_le64(end - 8)) != 0;
}
