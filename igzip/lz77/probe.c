/* Probes for incompressible data, cheaper than parsing them.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

enum {
    PROBE_MIN = 64,      /* shorter remainders are not probed */
    PROBE_LOADS = 8,     /* loads in a piece; the 8 bytes of each are counted */
    PROBE_POSITIONS = 32 /* positions of a piece that are probed; one in 32 is inserted */
};

/* The distance of a match of 8 bytes or more at one of PROBE_POSITIONS positions from p on, by the
 * hash table; or 0. */
static uint32_t find_repeat(const struct deflate_find *f, const uint8_t *p)
{
    const deflate_entry *head = f->head;
    uint32_t hash_bits = f->hash_bits, window = f->window, at = (uint32_t) (p - f->base);
    uint32_t found = 0;

    for (uint32_t i = 0; i < PROBE_POSITIONS; i++) {
        uint32_t hashed = find_hash(f, p + i), old = head[hashed >> (32 - hash_bits)];

        found |= hash_entry(hashed, at + i) - old - 1 < window;
    }
    for (uint32_t i = 0; i < PROBE_POSITIONS && found; i++) {
        uint32_t hashed = find_hash(f, p + i), old = head[hashed >> (32 - hash_bits)];
        uint32_t distance = hash_entry(hashed, at + i) - old;

        if (distance - 1 < window && load_le64(p + i) == load_le64(p + i - distance))
            return distance;
    }
    return 0;
}

/* Counts equal pairs of nearby bytes: each of the 16 from p on with each of MAX_DISTANCE after
 * it. */
static uint32_t count_near_pairs(const uint8_t *p)
{
    enum { MAX_DISTANCE = 8 };
    isalk_bytes16 bytes, after, sums = {0};
    uint64_t halves[2];

    memcpy(&bytes, p, sizeof(bytes));
    for (unsigned i = 1; i <= MAX_DISTANCE; i++) {
        memcpy(&after, p + i, sizeof(after));
        sums -= (isalk_bytes16) (bytes == after);
    }
    memcpy(halves, &sums, sizeof(halves));
    return (uint32_t) ((halves[0] + halves[1]) * 0x0101010101010101u >> 56); /* at most 128 */
}

int isalk_lz77_may_be_random(const uint8_t *p)
{
    enum { MAX_PAIRS = 5 }; /* of random bytes: 1 on average, more than 5 once in 1700 */

    return count_near_pairs(p) + count_near_pairs(p + LZ77_PROBE_BYTES / 2) <= MAX_PAIRS;
}

uint32_t isalk_lz77_near_pairs(const uint8_t *p, size_t n)
{
    enum { READ = 32 };

    if (n < READ)
        return 0;
    return count_near_pairs(p) + count_near_pairs(p + (n - READ) / 2) +
           count_near_pairs(p + n - READ);
}

int isalk_lz77_is_tiny(const uint8_t *p, size_t n)
{
    return n <= LZ77_TINY ||
           (n <= LZ77_FIRST_CHUNK && isalk_lz77_near_pairs(p, n) >= LZ77_PAIRS / 8);
}

/* Among n random bytes, n (n - 1) / 512 pairs are equal on average; the standard deviation is the
 * square root of that. Up to four deviations more count as random. */
static int is_random(uint32_t pairs, uint32_t n)
{
    return 512 * pairs <= n * (n - 1) + 96 * n + 512 * 3;
}

size_t isalk_lz77_probe(const struct deflate_find *f, struct lz77_sample *sample)
{
    const uint8_t *p = f->next;
    uint16_t *counts = sample->counts;
    uint32_t n = 0, pairs = 0;

    memset(sample, 0, sizeof(*sample));
    while (f->limit - p >= PROBE_MIN) {
        size_t piece = f->limit - p < LZ77_PROBE_BYTES ? (size_t) (f->limit - p) : LZ77_PROBE_BYTES;
        size_t step = (piece - 8) / (PROBE_LOADS - 1);

        for (unsigned i = 0; i < PROBE_LOADS; i++) {
            uint64_t bytes = load_le64(p + i * step);

            for (unsigned k = 0; k < 8; k++, bytes >>= 8)
                pairs += counts[bytes & 0xff]++;
            n += 8;
            if (!is_random(pairs, n))
                return (size_t) (p - f->next);
        }
        sample->repeat = find_repeat(f, p);
        if (sample->repeat)
            return (size_t) (p - f->next);
        p += piece;
    }
    sample->bytes = n;
    sample->pairs = pairs;
    return (size_t) (f->limit - f->next);
}

int isalk_lz77_add_sample(struct lz77_sample *all, const struct lz77_sample *more)
{
    all->pairs += more->pairs;
    all->bytes += more->bytes;
    for (unsigned i = 0; i < 256; i++) {
        all->pairs += (uint32_t) all->counts[i] * more->counts[i];
        all->counts[i] = (uint16_t) (all->counts[i] + more->counts[i]);
    }
    return is_random(all->pairs, all->bytes);
}

void isalk_lz77_insert_sparse(const struct deflate_find *f)
{
    for (const uint8_t *p = f->next; f->limit - p >= HASH_LOAD; p += PROBE_POSITIONS)
        hash_insert(f->head, f->hash_bits, 0, find_hash(f, p), (size_t) (p - f->base));
}

void isalk_lz77_begin_chunk(struct lz77 *lz, size_t n)
{
    struct deflate_find probed;

    isalk_lz77_set_table(lz, &probed);
    probed.next = lz->next;
    probed.limit = lz->next + n;
    isalk_lz77_insert_sparse(&probed);
    lz->state->long_matches = 0;
}
