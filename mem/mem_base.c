/* Portable reference of zero detection.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mem/mem_kernels.h"

#include <string.h>

int isalk_zero_detect_base(const void *mem, size_t len)
{
    const unsigned char *p = mem;
    uint64_t word[4];

    for (; len >= sizeof word; len -= sizeof word, p += sizeof word) {
        memcpy(word, p, sizeof word);
        if (word[0] | word[1] | word[2] | word[3])
            return 1;
    }
    for (; len; len--, p++)
        if (*p)
            return 1;
    return 0;
}
