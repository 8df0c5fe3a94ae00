/* Content-defined chunking: divides a stream into chunks at places that depend on its contents.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same bytes are cut at the same places anywhere in a stream, so that a deduplicating store
 * recognizes them after data have been inserted before them.
 *
 * A chunk has `min` bytes or more. It ends where the rolling hash of its last 48 bytes
 * (rolling_hashx.h) ends in a given number of zero bits, or at `max` bytes. That number is one
 * higher for small chunks and one lower for large ones, which keeps sizes near the average
 * ("normalized chunking": Xia et al., "FastCDC", USENIX ATC 2016).
 *
 * The cuts depend on the sizes given to isal_chunker_init() and on the bytes since the last cut.
 * They do not depend on how the stream is divided among calls, on the CPU, or on the version of the
 * library.
 *
 *     struct isal_chunker chunker;
 *     size_t used;
 *     int end;
 *
 *     isal_chunker_init(&chunker, 4096, 16384, 65536);
 *     while ((n = read(fd, buffer, sizeof buffer)) > 0)
 *         for (p = buffer; n; p += used, n -= used) {
 *             isal_chunker_next(&chunker, p, n, &used, &end);
 *             append(p, used);               // to the current chunk
 *             if (end)
 *                 finish();                  // the chunk is complete
 *         }
 *     finish();                              // the last chunk, unless it is empty
 *
 * All functions are reentrant; a chunker belongs to one thread at a time. */

#ifndef ISAL_CHUNKER_H
#define ISAL_CHUNKER_H

#include <stddef.h>
#include <stdint.h>

#include "isal_crypto_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISAL_CHUNKER_MIN_SIZE 64        /* smallest value of min, in bytes */
#define ISAL_CHUNKER_MAX_SIZE (1 << 30) /* largest value of max, in bytes */

/* State of a stream; private. */
struct isal_chunker {
    uint32_t min;        /* fewest bytes of a chunk, except the last of a stream */
    uint32_t max;        /* most bytes of a chunk */
    uint32_t normal;     /* size up to which mask[0] applies; then mask[1] */
    uint32_t mask[2];    /* bits of the hash that are 0 at the end of a chunk */
    uint32_t size;       /* bytes of the current chunk so far */
    uint8_t history[48]; /* last bytes of the current chunk */
};

/* Begins a stream. Chunks have min to max bytes, and avg on average: for random data and max at
 * least 4 * avg, the mean is within 2 % of avg. Limits: ISAL_CHUNKER_MIN_SIZE <= min, min + 32 <=
 * avg <= max <= ISAL_CHUNKER_MAX_SIZE.
 *
 * Returns 0, or the first error in this order: ISAL_CRYPTO_ERR_NULL_CTX,
 * ISAL_CRYPTO_ERR_WINDOW_SIZE (a size is out of range). */
int isal_chunker_init(struct isal_chunker *chunker, uint32_t min, uint32_t avg, uint32_t max);

/* Processes the next len bytes of the stream, up to the end of the current chunk. If the chunk ends
 * in them, sets *end to 1 and *used to the number of bytes up to its end; pass the remaining bytes
 * to the next call. Otherwise sets *end to 0 and *used to len.
 *
 * Returns 0, or the first error in this order: ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_SRC
 * (data is NULL and len > 0), ISAL_CRYPTO_ERR_NULL_OFFSET (used), ISAL_CRYPTO_ERR_NULL_MATCH
 * (end). */
int isal_chunker_next(struct isal_chunker *chunker, const void *data, size_t len, size_t *used,
                      int *end);

/* Begins a new stream with the same sizes. Returns 0, or ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_chunker_reset(struct isal_chunker *chunker);

/* Called for each chunk, in order. Returns 0 to continue. */
typedef int isal_chunk_fn(void *arg, const uint8_t *chunk, size_t size);

/* Divides the len bytes at data, a whole stream, and calls fn with arg for each chunk. The last
 * chunk may be smaller than min. The chunker is reset before and after.
 *
 * Returns 0; the result of fn, immediately, if it is not 0; or the first error in this order:
 * ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_NULL_SRC (data is NULL and len > 0),
 * ISAL_CRYPTO_ERR_NULL_DST (fn). */
int isal_chunker_split(struct isal_chunker *chunker, const void *data, size_t len,
                       isal_chunk_fn *fn, void *arg);

#ifdef __cplusplus
}
#endif

#endif
