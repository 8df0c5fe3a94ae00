/* Memory routines: detection of zeros.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_MEM_ROUTINES_H
#define ISAL_MEM_ROUTINES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tests whether a buffer is all zeros, for example to avoid storing an empty block.
 *
 * mem  the buffer; any alignment; may be NULL if len is 0
 * len  bytes in the buffer
 *
 * Returns 0 if all bytes are zero or len is 0, non-zero otherwise. Nothing outside the buffer is
 * read. Thread-safe: it keeps no state. Not for secrets: it stops soon after the first non-zero
 * byte, so its time reveals the position of that byte. */
int isal_zero_detect(void *mem, size_t len);

#ifdef __cplusplus
}
#endif

#endif
