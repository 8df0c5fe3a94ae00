/* Where a block ends because the data change.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The bytes of a block and those that follow have an entropy each. If both together have more than
 * the sum, codes of their own save the difference, as far as bytes become literals. */

#include "igzip/deflate/stream.h"
#include "igzip/lz77/log2.h"

enum {
    SAMPLE = 31,       /* bytes, of which 8 are counted; prime, unlike the sizes of records */
    SPLIT_BITS = 700,  /* least gain, in bits of the entropy of a sample */
    SPLIT_BYTES = 2048 /* fewer bytes are not counted */
};

static uint64_t n_log_n(uint32_t n)
{
    return n ? (uint64_t) n * fixed_log2(n) : 0;
}

/* Counts 8 bytes of each SAMPLE; returns their number. */
static uint32_t count_sample(const uint8_t *p, size_t n, uint32_t *counts)
{
    uint32_t odd[256] = {0};

    memset(counts, 0, 256 * sizeof(*counts));
    for (size_t i = 0; i + SAMPLE <= n; i += SAMPLE) {
        uint64_t bytes = load_le64(p + i);

        for (unsigned k = 0; k < 4; k++, bytes >>= 16) {
            counts[bytes & 0xff]++;
            odd[bytes >> 8 & 0xff]++;
        }
    }
    for (unsigned i = 0; i < 256; i++)
        counts[i] += odd[i];
    return (uint32_t) (n / SAMPLE * 8);
}

int isalk_deflate_splits(struct deflate_block *block, const uint8_t *p, size_t n)
{
    uint32_t counts[256], *all = block->byte_counts, sampled;
    uint64_t apart = 0, together = 0;

    if (n < SPLIT_BYTES)
        return 0;
    sampled = count_sample(p, n, counts);
    /* The entropy of n bytes is n log n, less that of each count. */
    if (block->bytes_counted) {
        for (unsigned i = 0; i < 256; i++)
            if (counts[i]) {
                together += n_log_n(counts[i]) + n_log_n(all[i]);
                apart += n_log_n(counts[i] + all[i]);
            }
        together += n_log_n(sampled + block->bytes_counted);
        apart += n_log_n(sampled) + n_log_n(block->bytes_counted);
        if (together > apart + ((uint64_t) SPLIT_BITS << LOG2_SHIFT))
            return 1;
    }
    for (unsigned i = 0; i < 256; i++)
        all[i] += counts[i];
    block->bytes_counted += sampled;
    return 0;
}
