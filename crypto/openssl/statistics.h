/* Counts of the provider's work.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef STATISTICS_H
#define STATISTICS_H

#include <stdatomic.h>
#include <stddef.h>

enum statistic {
    STATISTIC_CIPHER,      /* ciphers: messages begun */
    STATISTIC_RECORD,      /* TLS records of AES-CBC and, in TLS 1.2, AES-GCM */
    STATISTIC_MULTI_BLOCK, /* writes that became several records in one call */
    STATISTIC_DIGEST,      /* digests and HMACs: messages begun */
    STATISTIC_JOB,         /* requests of asynchronous jobs that joined a queue */
    STATISTIC_BATCH,       /* runs of a queue */
    STATISTIC_LANE,        /* requests in all these runs */
    STATISTIC_UNFILLED,    /* runs of a queue that had not filled */
    STATISTICS
};

struct statistics {
    int enabled;
    atomic_ulong count[STATISTICS];
};
extern struct statistics provider_statistics;

/* Adds n to a count if statistics are on. */
static inline void statistics_add(enum statistic what, unsigned long n)
{
    if (provider_statistics.enabled)
        atomic_fetch_add_explicit(&provider_statistics.count[what], n, memory_order_relaxed);
}

/* Bytes that the line of counts takes, at most. */
#define STATISTICS_TEXT 300

/* Writes the counts as a line "name count, ...". Returns its length, as snprintf(). */
int statistics_print(char *to, size_t room);

/* Appends the line to a file. */
void statistics_save(const char *file);

#endif
