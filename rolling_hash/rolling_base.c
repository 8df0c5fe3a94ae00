/* Portable reference of the rolling hash, and its table.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The hash is a cyclic polynomial (Cohen, "Recursive hashing functions for n-grams", 1997). The
 * word of a byte is XORed in when the byte enters the window, and again, rotated by w, when it
 * leaves. */

#include "rolling_kernels.h"

#include "rolling_table.h"

#define ROTATED(x, l) ((uint64_t) (x) >> (l) | (uint64_t) (x) << (-(l) &63))

#define WORD(x, l) ROTATED(x, l),
#define WORDS(l)               \
    {                          \
        ROLLING_TABLE(WORD, l) \
    }
_Alignas(64) const uint64_t isalk_rolling_tables[ROLLING_PHASES][256] = {
    WORDS(0), WORDS(1), WORDS(2), WORDS(3), WORDS(4), WORDS(5), WORDS(6), WORDS(7),
};

#define BYTE(x, o) (uint8_t) ROTATED(x, o),
#define BYTES(o)               \
    {                          \
        ROLLING_TABLE(BYTE, o) \
    }
#define BYTES_8(o)                                                                                \
    BYTES(o), BYTES(o + 1), BYTES(o + 2), BYTES(o + 3), BYTES(o + 4), BYTES(o + 5), BYTES(o + 6), \
        BYTES(o + 7)
#define BYTES_64                                                                             \
    BYTES_8(0), BYTES_8(8), BYTES_8(16), BYTES_8(24), BYTES_8(32), BYTES_8(40), BYTES_8(48), \
        BYTES_8(56)
_Alignas(64) const uint8_t isalk_rolling_bytes[2 * 64][256] = {BYTES_64, BYTES_64};

#define FILTER_BITS 16 /* bits of the hash that the filter tests */

/* Fewest mask bits among these, in the first and last phase, with which the filter is used: fewer
 * would let too many false positions pass. */
#define FILTER_MIN_BITS 9

static unsigned ones_16(uint32_t x)
{
    x = (x & 0x5555) + (x >> 1 & 0x5555);
    x = (x & 0x3333) + (x >> 2 & 0x3333);
    x = (x & 0x0f0f) + (x >> 4 & 0x0f0f);
    return (x + (x >> 8)) & 31;
}

/* The tested bits move up by one from phase to phase. Their range of 23 bits is centered on the
 * mask. */
static void plan_filter(struct rolling_plan *plan, size_t w, uint32_t mask, uint32_t trigger)
{
    const int range = FILTER_BITS + ROLLING_PHASES - 1;
    int low = 0, high = 31;

    plan->groups = 0;
    if ((w != 32 && w != 48) || !mask)
        return;
    while (!(mask >> low & 1))
        low++;
    while (!(mask >> high & 1))
        high--;
    plan->base = (unsigned) (high - low < range ? low - (range - 1 - (high - low)) / 2 : low) & 63;
    for (unsigned l = 0; l < ROLLING_PHASES; l++) {
        uint64_t m = rolling_rol(mask, 64 - plan->base - l);
        uint64_t t = rolling_rol(trigger, 64 - plan->base - l);

        plan->filter_mask[l][0] = (uint32_t) (m >> 8 & 0xff) * 0x01010101;
        plan->filter_mask[l][1] = (uint32_t) (m & 0xff) * 0x01010101;
        plan->filter_trigger[l][0] = (uint32_t) (t >> 8 & 0xff) * 0x01010101;
        plan->filter_trigger[l][1] = (uint32_t) (t & 0xff) * 0x01010101;
    }
    plan->bytes = isalk_rolling_bytes + ((plan->base - 48) & 63);
    if (ones_16(rolling_rol(mask, 64 - plan->base) & 0xffff) >= FILTER_MIN_BITS &&
        ones_16(rolling_rol(mask, 64 - plan->base - 7) & 0xffff) >= FILTER_MIN_BITS)
        plan->groups = w / 8;
}

void isalk_rolling_plan(struct rolling_plan *plan, size_t w, uint32_t mask, uint32_t trigger)
{
    const uint64_t identity = 0x0706050403020100, odd_lane = 0x0808080808080808;

    for (unsigned l = 0; l < ROLLING_PHASES; l++) {
        unsigned bytes = ((unsigned) w + 7 - l) / 8; /* rotation to the left */

        plan->mask[l] = rolling_rol(mask, 64 - l);
        plan->trigger[l] = rolling_rol(trigger, 64 - l);
        plan->shuffle[l] = rolling_rol(identity, 8 * bytes) | (l & 1 ? odd_lane : 0);
    }
    plan->tables = isalk_rolling_tables;
    plan->w = w;
    plan_filter(plan, w, mask, trigger);
}

/* XOR of rol(T[window[i]], w - 1 - i). The tables contain the rotations inside a group of 8 bytes;
 * the group is then rotated as a whole. */
uint64_t isalk_rolling_hash(const uint8_t *window, size_t w)
{
    uint64_t hash = 0;
    size_t i = 0;

    for (; i < w % 8; i++)
        hash = rolling_rol(hash, 1) ^ isalk_rolling_tables[0][window[i]];
    for (; i < w; i += 8) {
        uint64_t group = 0;

        for (unsigned l = 0; l < 8; l++)
            group ^= isalk_rolling_tables[l][window[i + l]];
        hash = rolling_rol(hash, 8) ^ rolling_rol(group, 7);
    }
    return hash;
}

size_t isalk_rolling_scan_base(const uint8_t *before, const uint8_t *data, size_t len,
                               const struct rolling_plan *plan)
{
    const uint64_t *table = plan->tables[0];
    const uint8_t *window = before + ROLLING_MAX_WINDOW - plan->w;
    const uint64_t mask = plan->mask[0], trigger = plan->trigger[0];
    const unsigned w = (unsigned) plan->w;
    uint64_t hash = isalk_rolling_hash(window, w);

    for (size_t i = 0; i < len; i++) {
        uint8_t out = *(i < w ? window + i : data + (i - w));

        hash = rolling_rol(hash, 1) ^ table[data[i]] ^ rolling_rol(table[out], w);
        if ((hash & mask) == trigger)
            return i + 1;
    }
    return 0;
}

size_t isalk_rolling_filter_base(const uint8_t *data, size_t blocks,
                                 const struct rolling_plan *plan)
{
    const size_t len = blocks * ROLLING_FILTER_BLOCK;

    for (size_t i = ROLLING_MAX_WINDOW; i < len; i++) {
        const unsigned l = i % ROLLING_PHASES;
        uint64_t hash = isalk_rolling_hash(data + i + 1 - plan->w, plan->w);
        uint64_t tested = rolling_rol(hash, 64 - plan->base - l);

        if ((tested >> 8 & plan->filter_mask[l][0] & 0xff) == (plan->filter_trigger[l][0] & 0xff) &&
            (tested & plan->filter_mask[l][1] & 0xff) == (plan->filter_trigger[l][1] & 0xff))
            return i - l;
    }
    return len;
}
