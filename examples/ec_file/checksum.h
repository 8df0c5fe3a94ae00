/* The checksum of shard files: CRC-32C.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli: reflected, polynomial 0x1edc6f41, register inverted before and after) of len
 * bytes. crc is 0 to begin with, or the result for the bytes that come before. Thread-safe. */
uint32_t checksum(uint32_t crc, const void *data, size_t len);

#endif
