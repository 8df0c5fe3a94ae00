/* Memory routines: detection of zeros.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_MEM_ROUTINES_H
#define ISAL_MEM_ROUTINES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a buffer holds anything but zeros, as storage asks before it writes a block that need not
 * be stored.
 *
 * mem  the buffer; any alignment; may be NULL if len is 0
 * len  its length in bytes
 *
 * Returns 0 if all len bytes are zero, also when len is 0; non-zero otherwise. No byte outside the
 * buffer is read. Stops soon after the first byte that is not zero. Safe to call from any thread:
 * there is no state. Not for secrets: the time it takes tells where the first such byte is. */
int isal_zero_detect(void *mem, size_t len);

#ifdef __cplusplus
}
#endif

#endif
