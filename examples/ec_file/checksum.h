/* The checksum of shard files: CRC-32C.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (reflected, polynomial 0x1edc6f41, complemented before and after) of len bytes, continued
 * from crc, which is 0 for the first bytes. Thread-safe. */
uint32_t checksum(uint32_t crc, const void *data, size_t len);

#endif
