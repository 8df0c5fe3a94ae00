/* Where a block ends because the data change.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The bytes of a block so far and the bytes that follow have an entropy each. If the entropy of
 * both together exceeds the sum, separate codes save the difference on bytes that become
 * literals. */

#include "igzip/deflate/stream.h"
#include "igzip/lz77/log2.h"

enum {
    SAMPLE_STRIDE = 31, /* bytes, of which 8 are counted; a prime, unlike the sizes of records */
    MIN_GAIN = 700,     /* bits of the sample's entropy */
    MIN_BYTES = 2048    /* fewer bytes are not judged */
};

static uint64_t n_log_n(uint32_t n)
{
    return n ? (uint64_t) n * fixed_log2(n) : 0;
}

/* Counts 8 of each SAMPLE_STRIDE bytes; returns the number of bytes counted. */
static uint32_t count_sample(const uint8_t *p, size_t n, uint32_t *counts)
{
    uint32_t odd[256] = {0};

    memset(counts, 0, 256 * sizeof(*counts));
    for (size_t i = 0; i + SAMPLE_STRIDE <= n; i += SAMPLE_STRIDE) {
        uint64_t bytes = load_le64(p + i);

        for (unsigned k = 0; k < 4; k++, bytes >>= 16) {
            counts[bytes & 0xff]++;
            odd[bytes >> 8 & 0xff]++;
        }
    }
    for (unsigned i = 0; i < 256; i++)
        counts[i] += odd[i];
    return (uint32_t) (n / SAMPLE_STRIDE * 8);
}

int isalk_deflate_splits(struct deflate_block *block, const uint8_t *p, size_t n)
{
    uint32_t counts[256], *all = block->byte_counts, sampled;
    uint64_t plus = 0, minus = 0;

    if (n < MIN_BYTES)
        return 0;
    sampled = count_sample(p, n, counts);
    /* n bytes with counts c have an entropy of n log n minus the sum of c log c. The gain is the
     * entropy of all bytes minus the entropies of both parts: plus - minus. */
    if (block->bytes_counted) {
        for (unsigned i = 0; i < 256; i++)
            if (counts[i]) {
                plus += n_log_n(counts[i]) + n_log_n(all[i]);
                minus += n_log_n(counts[i] + all[i]);
            }
        plus += n_log_n(sampled + block->bytes_counted);
        minus += n_log_n(sampled) + n_log_n(block->bytes_counted);
        if (plus > minus + ((uint64_t) MIN_GAIN << LOG2_SHIFT))
            return 1;
    }
    for (unsigned i = 0; i < 256; i++)
        all[i] += counts[i];
    block->bytes_counted += sampled;
    return 0;
}
