/* Files as the contents of buffers, and totals and means over several files.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct perf_file file_read(const char *name, size_t limit)
{
    const size_t piece = (size_t) 1 << 20;
    const char *slash = strrchr(name, '/');
    struct perf_file f = {slash ? slash + 1 : name, NULL, 0};
    FILE *file = fopen(name, "rb");
    size_t room = 0;

    if (!file)
        perf_fail("cannot open %s", name);
    do {
        if (f.size == room) {
            room = room ? 2 * room : piece;
            f.bytes = realloc(f.bytes, room);
            if (!f.bytes)
                perf_fail("out of memory");
        }
        f.size += fread(f.bytes + f.size, 1, room - f.size, file);
    } while (f.size == room && f.size < limit);
    if (ferror(file))
        perf_fail("cannot read %s", name);
    fclose(file);
    if (f.size > limit)
        f.size = limit;
    if (!f.size)
        perf_fail("%s is empty", name);
    return f;
}

static void add_up(const struct result *results, size_t file_count, unsigned count, unsigned i,
                   struct result *sum, struct perf_case *c)
{
    double other = 0;

    *sum = results[i];
    *c = *results[i].c;
    for (size_t n = 1; n < file_count; n++) {
        const struct result *r = &results[n * count + i];
        c->size += r->c->size;
        sum->bytes += r->bytes;
        sum->thread_bytes += r->thread_bytes;
        sum->best += r->best;
        sum->median += r->median;
        sum->ghz += r->ghz;
        sum->output += r->output;
    }
    for (size_t n = 0; sum->ratio_to && n < file_count; n++)
        other += results[n * count + (unsigned) (sum->ratio_to - results[0].impl)].best;
    sum->ratio = other / sum->best;
    sum->low = sum->high = 0;
    sum->ghz /= (double) file_count;
    sum->limit = 0;
    sum->bound = "-";
    sum->file = "total";
    sum->c = c;
}

static void average(const struct result *results, size_t file_count, unsigned count, unsigned i,
                    const struct result *total, struct result *mean)
{
    double speed = 0, median = 0, ratio = 0, output = 0, files = (double) file_count;

    for (size_t n = 0; n < file_count; n++) {
        const struct result *r = &results[n * count + i];
        speed += log(r->bytes / r->best);
        median += log(r->bytes / r->median);
        ratio += log(r->ratio);
        output += log(r->output / r->thread_bytes);
    }
    *mean = *total;
    mean->best = mean->bytes / exp(speed / files);
    mean->median = mean->bytes / exp(median / files);
    mean->ratio = exp(ratio / files);
    mean->output = mean->thread_bytes * exp(output / files);
    mean->file = "geometric mean";
    mean->mean = 1;
}

void files_sum_up(const struct result *results, size_t file_count, unsigned count,
                  struct result *sums, struct perf_case *totals)
{
    for (unsigned i = 0; i < count; i++) {
        add_up(results, file_count, count, i, &sums[i], &totals[i]);
        average(results, file_count, count, i, &sums[i], &sums[count + i]);
    }
}
