/* Adler-32: the public function.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/igzip_lib.h"

#include "crc/adler32_kernels.h"

ISAL_PUBLIC uint32_t isal_adler32(uint32_t init, const unsigned char *buf, uint64_t len)
{
    return KERNEL_CALL(isalk_adler32_slot)(init, buf, (size_t) len);
}
