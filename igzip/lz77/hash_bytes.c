/* How many bytes a hash covers, by the kind of data.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The table has one candidate for a position. With a short hash it is the latest match, which is
 * near but may be short; with a long hash, an older and longer one. The more bits literals cost,
 * the shorter the matches that pay off. A match of four bytes costs about 20 bits, as much as
 * four literals of five bits each. In a short input hardly any entry is overwritten, and short
 * hashes pay off more often. They also do with level 0's codes, which are made for all kinds of
 * data and are long for literals.
 *
 * The cost of literals is estimated from the pairs of equal bytes in a sample. Among n bytes
 * that take v values with equal probability, n (n - 1) / (2 v) pairs are equal. The limits below
 * give the smallest output over the kinds of data in perf/kinds.py. */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

enum { MAX_LOADS = 31 }; /* of 8 bytes: counts fit in a byte */

struct sample {
    uint32_t bytes, pairs; /* pairs of equal bytes */
    /* The same without the most frequent byte, which is seldom a literal. */
    uint32_t other_bytes, other_pairs;
};

static struct sample count_sample(const uint8_t *p, size_t n, uint32_t loads)
{
    uint8_t counts[256] = {0};
    size_t step = (n - 8) / (loads - 1);
    struct sample s = {8 * loads, 0, 0, 0};
    uint32_t most = 0;

    for (uint32_t i = 0; i < loads; i++) {
        uint64_t bytes = load_le64(p + i * step);

        for (unsigned k = 0; k < 8; k++, bytes >>= 8) {
            uint32_t count = counts[bytes & 0xff]++;

            s.pairs += count;
            most = count >= most ? count + 1 : most;
        }
    }
    s.other_bytes = s.bytes - most;
    s.other_pairs = s.pairs - most * (most - 1) / 2;
    return s;
}

/* Returns whether n bytes with this number of equal pairs look like bytes of more than quarters / 4
 * values. */
static int has_values(uint32_t n, uint32_t pairs, uint32_t quarters)
{
    return 2 * n * n > pairs * quarters;
}

uint32_t isalk_lz77_hash_bytes(const uint8_t *p, size_t n, int is_short, int given_codes)
{
    enum { VERY_SHORT = 512, SHORT_LOADS = 16, MIN_SAMPLED = 256, MIN_OTHER = 16 };
    struct sample s;

    if (is_short && (given_codes || n < VERY_SHORT))
        return LZ77_MIN_HASH_BYTES;
    if (n < MIN_SAMPLED)
        return LZ77_HASH_BYTES;
    s = count_sample(p, n, is_short ? SHORT_LOADS : MAX_LOADS);
    if (s.other_bytes < MIN_OTHER)
        return LZ77_HASH_BYTES;
    if (given_codes)
        return has_values(s.other_bytes, s.other_pairs, 4 * 32) ? 4 : 5;
    if (is_short) {
        if (!has_values(s.other_bytes, s.other_pairs, 4 * 8))
            return 6;
        return has_values(s.other_bytes, s.other_pairs, 4 * 32) ? 4 : 5;
    }
    if (!has_values(s.other_bytes, s.other_pairs, 54)) /* 2^3.75 values */
        return 6;
    return has_values(s.bytes, s.pairs, 338) ? 4 : 5; /* 2^6.4 values */
}
