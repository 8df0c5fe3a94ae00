/* Portable reference of the rolling hash, and its table.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The hash is a cyclic polynomial (Cohen, "Recursive hashing functions for n-grams", 1997): a byte
 * that enters the window is added, one that leaves has been rotated w times since. */

#include "rolling_kernels.h"

#include "rolling_table.h"

#define ROTATED(l)                 \
    {                              \
        ROLLING_TABLE(ROTATED_##l) \
    }
#define ROTATED_WORD(x, l) ((uint64_t) (x) >> (l) | (uint64_t) (x) << (64 - (l))),
#define ROTATED_0(x) x,
#define ROTATED_1(x) ROTATED_WORD(x, 1)
#define ROTATED_2(x) ROTATED_WORD(x, 2)
#define ROTATED_3(x) ROTATED_WORD(x, 3)
#define ROTATED_4(x) ROTATED_WORD(x, 4)
#define ROTATED_5(x) ROTATED_WORD(x, 5)
#define ROTATED_6(x) ROTATED_WORD(x, 6)
#define ROTATED_7(x) ROTATED_WORD(x, 7)

_Alignas(64) const uint64_t isalk_rolling_tables[ROLLING_PHASES][256] = {
    ROTATED(0), ROTATED(1), ROTATED(2), ROTATED(3), ROTATED(4), ROTATED(5), ROTATED(6), ROTATED(7),
};

void isalk_rolling_plan(struct rolling_plan *plan, size_t w, uint32_t mask, uint32_t trigger)
{
    const uint64_t identity = 0x0706050403020100, odd_lane = 0x0808080808080808;

    for (unsigned l = 0; l < ROLLING_PHASES; l++) {
        unsigned bytes = ((unsigned) w + 7 - l) / 8; /* the rotation, to the left */

        plan->mask[l] = rolling_rol(mask, 64 - l);
        plan->trigger[l] = rolling_rol(trigger, 64 - l);
        plan->shuffle[l] = rolling_rol(identity, 8 * bytes) | (l & 1 ? odd_lane : 0);
    }
    plan->tables = isalk_rolling_tables;
    plan->w = w;
}

uint64_t isalk_rolling_hash(const uint8_t *window, size_t w)
{
    const uint64_t *table = isalk_rolling_tables[0];
    uint64_t hash = 0;

    for (size_t i = 0; i < w; i++)
        hash = rolling_rol(hash, 1) ^ table[window[i]];
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
