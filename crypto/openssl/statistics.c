/* Counts of the provider's work.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "crypto/openssl/statistics.h"

#include <stdio.h>

struct statistics provider_statistics;

int statistics_print(char *to, size_t room)
{
    unsigned long count[STATISTICS];

    for (int i = 0; i < STATISTICS; i++)
        count[i] = atomic_load_explicit(&provider_statistics.count[i], memory_order_relaxed);
    return snprintf(
        to, room,
        "ciphers %lu, records %lu, multiblocks %lu, digests %lu, jobs %lu, batches %lu, lanes %lu, "
        "unfilled %lu",
        count[STATISTIC_CIPHER], count[STATISTIC_RECORD], count[STATISTIC_MULTI_BLOCK],
        count[STATISTIC_DIGEST], count[STATISTIC_JOB], count[STATISTIC_BATCH],
        count[STATISTIC_LANE], count[STATISTIC_UNFILLED]);
}

void statistics_save(const char *file)
{
    char line[STATISTICS_TEXT];
    FILE *f = fopen(file, "a");

    if (!f)
        return;
    statistics_print(line, sizeof line);
    fprintf(f, "%s\n", line);
    fclose(f);
}
