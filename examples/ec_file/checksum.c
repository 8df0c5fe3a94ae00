/* CRC-32C, eight bytes at a time: by tables anywhere, by the CRC32 instruction on x86-64.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything else in this program calls checksum() alone, so another implementation of the same
 * CRC can take its place without a change of the file format. */

#include "checksum.h"

#include <pthread.h>
#include <string.h>

#include <isa-l.h>

#include "little_endian.h"

#define POLYNOMIAL_REFLECTED 0x82f63b78u

/* table[t][b]: the CRC register after byte b and then t zero bytes. */
static uint32_t table[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_table(void)
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL_REFLECTED : 0);
        table[0][b] = crc;
    }
    for (int t = 1; t < 8; t++)
        for (int b = 0; b < 256; b++)
            table[t][b] = table[t - 1][b] >> 8 ^ table[0][table[t - 1][b] & 255];
}

static uint32_t by_bytes(uint32_t crc, const unsigned char *p, size_t len)
{
    for (; len; len--)
        crc = crc >> 8 ^ table[0][(crc ^ *p++) & 255];
    return crc;
}

static uint32_t by_tables(uint32_t crc, const unsigned char *p, size_t len)
{
    for (; len >= 8; p += 8, len -= 8) {
        uint32_t lo = crc ^ (uint32_t) get_le(p, 4), hi = (uint32_t) get_le(p + 4, 4);
        crc = table[7][lo & 255] ^ table[6][lo >> 8 & 255] ^ table[5][lo >> 16 & 255] ^
              table[4][lo >> 24] ^ table[3][hi & 255] ^ table[2][hi >> 8 & 255] ^
              table[1][hi >> 16 & 255] ^ table[0][hi >> 24];
    }
    return by_bytes(crc, p, len);
}

#if defined(__x86_64__) && defined(__GNUC__)
/* Four times as fast as the tables: one instruction, of three cycles, for eight bytes. */
__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc,
                                                                 const unsigned char *p, size_t len)
{
    uint64_t wide = crc;

    for (; len >= 8; p += 8, len -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    return by_bytes((uint32_t) wide, p, len);
}

/* Every tier of the library above "base" includes SSE 4.2, and its cap then holds here too. */
static int has_instruction(void)
{
    return strcmp(isal_get_isa(), "base") != 0;
}
#else
#define by_instruction by_tables
#define has_instruction() 0
#endif

uint32_t checksum(uint32_t crc, const void *data, size_t len)
{
    pthread_once(&once, fill_table);
    return ~(has_instruction() ? by_instruction(~crc, data, len) : by_tables(~crc, data, len));
}
