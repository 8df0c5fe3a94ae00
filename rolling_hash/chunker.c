/* Content-defined chunking: the public functions of isa-l_crypto/chunker.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l_crypto/chunker.h"
#include "isa-l_crypto/isal_crypto_api.h"

#include "rolling_kernels.h"

#include <string.h>

#define WINDOW ROLLING_MAX_WINDOW

/* 2^16 * log2(x / 2^16) for 1 <= x <= 2^17, in integers, so that cuts are the same on every
 * machine: the integer part, then one bit of the fraction from each squaring. */
static int32_t log2_16(uint64_t x)
{
    int32_t result = 0;

    for (; x < 1 << 16; x <<= 1)
        result -= 1 << 16;
    for (; x >= 1 << 17; x >>= 1)
        result += 1 << 16;
    for (int32_t bit = 1 << 15; bit; bit >>= 1) {
        x = x * x >> 16;
        if (x >= 1 << 17) {
            x >>= 1;
            result += bit;
        }
    }
    return result;
}

/* The probability that a chunk ends is 1 / (2 p) at each byte from min to normal, and 2 / p at each
 * byte after that. Without max, the mean size is min + 2 p - 1.5 p r, where r = exp(-(normal - min)
 * / (2 p)) is the share of chunks that reach normal. p is the largest power of two that is at most
 * avg - min; normal is chosen so that the mean is avg. */
ISAL_PUBLIC int isal_chunker_init(struct isal_chunker *chunker, uint32_t min, uint32_t avg,
                                  uint32_t max)
{
    uint64_t reach, normal;
    uint32_t p, bits = 0;

    if (!chunker)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (min < ISAL_CHUNKER_MIN_SIZE || avg < min || avg - min < 32 || max < avg ||
        max > ISAL_CHUNKER_MAX_SIZE)
        return ISAL_CRYPTO_ERR_WINDOW_SIZE;
    for (p = avg - min; p > 1; p >>= 1)
        bits++;
    p = (uint32_t) 1 << bits;
    /* 2^16 r, where r = (2 - (avg - min) / p) / 1.5; ln 2 is 45426 / 2^16 */
    reach = (((uint64_t) 2 * p - (avg - min)) << 17) / ((uint64_t) 3 * p);
    normal = min + ((2 * (uint64_t) p * (uint64_t) -log2_16(reach ? reach : 1) >> 8) * 45426 >> 24);
    memset(chunker, 0, sizeof *chunker);
    chunker->min = min;
    chunker->max = max;
    chunker->normal = normal < max ? (uint32_t) normal : max;
    chunker->mask[0] = ((uint32_t) 1 << (bits + 1)) - 1;
    chunker->mask[1] = ((uint32_t) 1 << (bits - 1)) - 1;
    return 0;
}

ISAL_PUBLIC int isal_chunker_reset(struct isal_chunker *chunker)
{
    if (!chunker)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    chunker->size = 0;
    return 0;
}

/* Appends the n bytes at data to the history, which keeps the last WINDOW bytes. */
static void update_history(uint8_t history[WINDOW], const uint8_t *data, size_t n)
{
    if (n >= WINDOW) {
        memcpy(history, data + n - WINDOW, WINDOW);
    } else if (n) {
        memmove(history, history + n, WINDOW - n);
        memcpy(history + WINDOW - n, data, n);
    }
}

/* Searches the len bytes at data + from for the end of the chunk. Returns the number of bytes up to
 * the end, or 0 if they do not contain it. The chunk has at least WINDOW bytes before data + from:
 * `from` bytes at data, and bytes in the history before them. */
static size_t search(const struct isal_chunker *chunker, const uint8_t *data, size_t from,
                     size_t len, uint32_t mask)
{
    uint8_t window[WINDOW];
    struct rolling_plan plan;
    const uint8_t *before = window;

    if (from < WINDOW) {
        memcpy(window, chunker->history, WINDOW);
        update_history(window, data, from);
    } else {
        before = data + from - WINDOW;
    }
    isalk_rolling_plan(&plan, WINDOW, mask, 0);
    return KERNEL_CALL(isalk_rolling_scan_slot)(before, data + from, len, &plan);
}

/* Returns the number of bytes at data up to the end of the current chunk, or 0 if the chunk does
 * not end in the len bytes. chunker->size + len <= chunker->max. */
static size_t find_end(const struct isal_chunker *chunker, const uint8_t *data, size_t len)
{
    const size_t limit[2] = {chunker->normal, chunker->max};
    size_t at = 0;

    if (chunker->size < chunker->min - 1) /* no chunk ends before min */
        at = chunker->min - 1 - chunker->size;
    for (unsigned i = 0; i < 2; i++) {
        size_t remaining = limit[i] > chunker->size ? limit[i] - chunker->size : 0;
        size_t end = remaining < len ? remaining : len;

        if (at < end) {
            size_t n = search(chunker, data, at, end - at, chunker->mask[i]);

            if (n)
                return at + n;
            at = end;
        }
    }
    return chunker->size + len == chunker->max ? len : 0;
}

ISAL_PUBLIC int isal_chunker_next(struct isal_chunker *chunker, const void *data, size_t len,
                                  size_t *used, int *end)
{
    size_t n;

    if (!chunker)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!data && len)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (!used)
        return ISAL_CRYPTO_ERR_NULL_OFFSET;
    if (!end)
        return ISAL_CRYPTO_ERR_NULL_MATCH;
    if (len > chunker->max - chunker->size)
        len = chunker->max - chunker->size;
    n = find_end(chunker, data, len);
    *end = n != 0;
    *used = n ? n : len;
    if (n) {
        chunker->size = 0;
    } else {
        update_history(chunker->history, data, len);
        chunker->size += (uint32_t) len;
    }
    return 0;
}

ISAL_PUBLIC int isal_chunker_split(struct isal_chunker *chunker, const void *data, size_t len,
                                   isal_chunk_fn *fn, void *arg)
{
    const uint8_t *p = data;
    int result = 0;

    if (!chunker)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!data && len)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (!fn)
        return ISAL_CRYPTO_ERR_NULL_DST;
    while (len && !result) {
        size_t n;

        chunker->size = 0;
        n = find_end(chunker, p, len < chunker->max ? len : chunker->max);
        n = n ? n : len;
        result = fn(arg, p, n);
        p += n;
        len -= n;
    }
    chunker->size = 0;
    return result;
}
