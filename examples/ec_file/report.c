/* Prints the result of verify, and speeds.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_file.h"

#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include <isa-l.h>

#define MAX_RANGES 10

/* Prints increasing numbers, with consecutive ones as ranges: "3 7-9". */
struct ranges {
    const char *prefix; /* printed before the first */
    uint64_t first, last, count;
    int printed;
};

static void print_range(struct ranges *r)
{
    if (!r->count || ++r->printed > MAX_RANGES)
        return;
    printf("%s %" PRIu64, r->printed == 1 ? r->prefix : "", r->first);
    if (r->last != r->first)
        printf("-%" PRIu64, r->last);
}

/* Adds the numbers from first to last, which are above all previous ones. */
static void add_range(struct ranges *r, uint64_t first, uint64_t last)
{
    if (!r->count || first != r->last + 1) {
        print_range(r);
        r->first = first;
    }
    r->last = last;
    r->count += last - first + 1;
}

static void end_ranges(struct ranges *r)
{
    print_range(r);
    if (r->printed > MAX_RANGES)
        printf(" and more");
}

static int is_bad(const struct job *job, uint64_t stripe, int index)
{
    return job->bad[stripe * (uint64_t) job->set->count + (uint64_t) index];
}

static int has_bad_chunk(const struct job *job, int index)
{
    if (job->stripes < stripe_count(job->header))
        return 1;
    for (uint64_t s = 0; s < job->stripes; s++)
        if (is_bad(job, s, index))
            return 1;
    return 0;
}

int needs_repair(const struct job *job, int index)
{
    const struct shard *shard = &job->set->shard[index];

    return shard->fd < 0 || !shard->header_is_ok || shard->other_name ||
           shard->size != shard_size(job->header) || has_bad_chunk(job, index);
}

static int bad_in_stripe(const struct job *job, uint64_t stripe)
{
    int count = 0;

    for (int i = 0; i < job->set->count; i++)
        count += is_bad(job, stripe, i);
    return count;
}

int is_recoverable(const struct job *job)
{
    if (job->stripes < stripe_count(job->header))
        return 0;
    for (uint64_t s = 0; s < job->stripes; s++)
        if (bad_in_stripe(job, s) > job->header->m)
            return 0;
    return 1;
}

static void print_shard(const struct job *job, int index)
{
    const struct shard *shard = &job->set->shard[index];
    uint64_t stripes = stripe_count(job->header), size = shard_size(job->header);
    struct ranges bad = {.prefix = ", bad chunks"};
    char name[256];

    printf("%s  ", shard_name(name, index));
    if (!needs_repair(job, index)) {
        puts("ok");
        return;
    }
    if (shard->fd < 0) {
        printf("missing");
        if (shard->blocker)
            printf(", and in its place is %s", shard->blocker);
        putchar('\n');
        return;
    }
    if (shard->size < size)
        printf("truncated to %" PRIu64 " of %" PRIu64 " bytes", shard->size, size);
    else if (shard->size > size)
        printf("%" PRIu64 " bytes too long", shard->size - size);
    else
        printf("%s", shard->header_is_ok && !has_bad_chunk(job, index) ? "whole" : "damaged");
    if (!shard->header_is_ok)
        printf(", bad header");
    if (shard->other_name)
        printf(", but named %s", printable(name, sizeof name, shard->other_name));
    for (uint64_t s = 0; s < job->stripes; s++)
        if (is_bad(job, s, index))
            add_range(&bad, s, s);
    if (job->stripes < stripes)
        add_range(&bad, job->stripes, stripes - 1);
    end_ranges(&bad);
    if (bad.count)
        printf(" (%" PRIu64 " of %" PRIu64 ")", bad.count, stripes);
    putchar('\n');
}

void print_damaged(const struct job *job)
{
    for (int i = 0; i < job->set->count; i++)
        if (needs_repair(job, i))
            print_shard(job, i);
}

enum status print_report(const struct job *job, int all)
{
    const struct shard_header *h = job->header;
    struct ranges lost = {.prefix = "NOT recoverable: too few intact chunks in stripes"};
    uint64_t stripes = stripe_count(h);
    int damaged = 0;
    char name[256];

    printf("%s: %" PRIu64 " bytes in %d + %d shards, %" PRIu64 " stripes, chunks of %" PRIu32
           " bytes\n",
           printable(name, sizeof name, h->file_name), h->file_size, h->k, h->m, stripes,
           h->chunk_size);
    for (int i = 0; i < job->set->count; i++) {
        int damage = needs_repair(job, i);
        damaged += damage;
        if (damage || all)
            print_shard(job, i);
    }
    for (uint64_t s = 0; s < job->stripes; s++)
        if (bad_in_stripe(job, s) > h->m)
            add_range(&lost, s, s);
    if (job->stripes < stripes)
        add_range(&lost, job->stripes, stripes - 1);
    end_ranges(&lost);
    if (lost.count)
        printf(" (%" PRIu64 " of %" PRIu64
               "); restore any missing shard, or a good copy of a damaged one\n",
               lost.count, stripes);
    else if (damaged)
        printf("%d of %d shards are missing or damaged; nothing is lost. Run: ec_file repair %s\n",
               damaged, job->set->count, job->set->path);
    else
        printf("all %d shards are intact\n", job->set->count);
    return damaged ? STATUS_DAMAGE : STATUS_OK;
}

void print_speed(const char *verb, const struct job *job, double work, double sync)
{
    const struct shard_header *h = job->header;
    /* stripes that no shard contains were not read */
    double megabytes =
        1e-6 * (job->stripes < stripe_count(h) ? (double) job->stripes * h->k * h->chunk_size
                                               : (double) h->file_size);

    printf("%s %.1f MB in %.3f s", verb, megabytes, work);
    if (sync > 0)
        printf(" and %.3f s for the disk", sync);
    printf(" (%.0f MB/s), %d threads, kernel %s\n", megabytes / (work + sync), job->threads,
           isal_get_kernel("ec_encode_data"));
}
