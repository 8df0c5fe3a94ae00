/* Memory routines: the public function of isa-l/mem_routines.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/mem_routines.h"

#include <string.h>

#include "mem/mem_kernels.h"

static inline uint64_t load64(const unsigned char *p)
{
    uint64_t w;

    memcpy(&w, p, sizeof w);
    return w;
}

/* Short buffers are tested here, without a kernel: as words that overlap in the middle. */
ISAL_PUBLIC int isal_zero_detect(void *mem, size_t len)
{
    const unsigned char *p = mem, *end = p + len;

    if (len - 8 > 24)
        return KERNEL_CALL(isalk_zero_detect_slot)(mem, len);
    if (len <= 16)
        return (load64(p) | load64(end - 8)) != 0;
    return (load64(p) | load64(p + 8) | load64(end - 16) | load64(end - 8)) != 0;
}
