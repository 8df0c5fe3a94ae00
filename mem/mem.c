/* Memory routines: the public function of isa-l/mem_routines.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/mem_routines.h"

#include <string.h>

#include "mem/mem_kernels.h"

static inline uint64_t word(const unsigned char *p)
{
    uint64_t w;

    memcpy(&w, p, sizeof w);
    return w;
}

/* Buffers of a few words are done before a kernel is called: as overlapping words from both ends. */
ISAL_PUBLIC int isal_zero_detect(void *mem, size_t len)
{
    const unsigned char *p = mem, *end = p + len;

    if (len - 8 > 24)
        return KERNEL_CALL(isalk_zero_detect_slot)(mem, len);
    if (len <= 16)
        return (word(p) | word(end - 8)) != 0;
    return (word(p) | word(p + 8) | word(end - 16) | word(end - 8)) != 0;
}
