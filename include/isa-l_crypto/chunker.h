/* Content-defined chunking: cuts a stream at places that depend on its contents.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same bytes are cut at the same places wherever they lie in a stream, so that a deduplicating
 * store finds them again after data was inserted before them. A chunk ends after n bytes, where n
 * is the least size from `min` on at which the rolling hash of the last 48 bytes (rolling_hashx.h)
 * ends in so many zero bits, or `max` if there is none. There is one bit more than the average
 * calls for in smaller chunks and one bit less in larger ones ("normalized chunking": Xia et al.,
 * "FastCDC", USENIX ATC 2016), which keeps sizes near the average. Where the cuts are depends on
 * the sizes asked for and on the bytes since the last cut, but not on how the stream is divided
 * among calls, on the CPU, or on the version of the library.
 *
 *     struct isal_chunker chunker;
 *     size_t used;
 *     int end;
 *
 *     isal_chunker_init(&chunker, 4096, 16384, 65536);
 *     while ((n = read(fd, buffer, sizeof buffer)) > 0)
 *         for (p = buffer; n; p += used, n -= used) {
 *             isal_chunker_next(&chunker, p, n, &used, &end);
 *             append(p, used);               // to the chunk that is being collected
 *             if (end)
 *                 finish();                  // it is complete
 *         }
 *     finish();                              // the last one, if it is not empty
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

#define ISAL_CHUNKER_MIN_SIZE 64        /* the smallest min */
#define ISAL_CHUNKER_MAX_SIZE (1 << 30) /* the largest max */

/* A stream being cut. Private. */
struct isal_chunker {
    uint32_t min, max, normal; /* sizes; up to `normal` the first mask counts, then the second */
    uint32_t mask[2];
    uint32_t size;       /* of the current chunk so far */
    uint8_t history[48]; /* its last bytes */
};

/* Begins a stream that is to be cut into chunks of min to max bytes, avg on average: on random data
 * the mean comes within 2 % of avg where max is at least 4 * avg. ISAL_CHUNKER_MIN_SIZE <= min,
 * min + 32 <= avg <= max <= ISAL_CHUNKER_MAX_SIZE. Returns 0 or, in this order,
 * ISAL_CRYPTO_ERR_NULL_CTX, ISAL_CRYPTO_ERR_WINDOW_SIZE (the sizes are out of range). */
int isal_chunker_init(struct isal_chunker *chunker, uint32_t min, uint32_t avg, uint32_t max);

/* Goes on with the next len bytes of the stream. *used becomes the number of them that belong to
 * the current chunk, and *end 1 if it ends with them; the rest is for the next call. Otherwise *end
 * becomes 0 and *used len. Returns 0 or, in this order, ISAL_CRYPTO_ERR_NULL_CTX,
 * ISAL_CRYPTO_ERR_NULL_SRC (of a len that is not 0), ISAL_CRYPTO_ERR_NULL_OFFSET (used),
 * ISAL_CRYPTO_ERR_NULL_MATCH (end). */
int isal_chunker_next(struct isal_chunker *chunker, const void *data, size_t len, size_t *used,
                      int *end);

/* Begins the next stream with the same sizes. Returns 0, or ISAL_CRYPTO_ERR_NULL_CTX. */
int isal_chunker_reset(struct isal_chunker *chunker);

/* Called for each chunk, in order; returns 0 to go on. */
typedef int isal_chunk_fn(void *arg, const uint8_t *chunk, size_t size);

/* Cuts len bytes that lie in memory, and calls fn for each chunk, the last one included, which may
 * be smaller than min. The chunker begins and ends at the start of a stream. Returns 0; what fn
 * returned, at once, if that is not 0; or, in this order, ISAL_CRYPTO_ERR_NULL_CTX,
 * ISAL_CRYPTO_ERR_NULL_SRC (of a len that is not 0), ISAL_CRYPTO_ERR_NULL_DST (fn). */
int isal_chunker_split(struct isal_chunker *chunker, const void *data, size_t len,
                       isal_chunk_fn *fn, void *arg);

#ifdef __cplusplus
}
#endif

#endif
