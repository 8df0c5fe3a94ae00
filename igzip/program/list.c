/* The table that -l prints.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "list.h"

#include <inttypes.h>
#include <stdio.h>

static struct listed sums;
static unsigned files;

double percent_saved(uint64_t compressed, uint64_t overhead, uint64_t uncompressed)
{
    double body = (double) compressed - (double) overhead;

    return uncompressed ? 100 * ((double) uncompressed - body) / (double) uncompressed : 0;
}

static void print_line(const struct listed *f)
{
    printf("%19" PRIu64 " %19" PRIu64 " %5.1f%% %s\n", f->compressed, f->uncompressed,
           percent_saved(f->compressed, f->overhead, f->uncompressed), f->name);
}

void list_file(const struct listed *f)
{
    char date[32] = "";
    struct tm local;

    if (!files++ && !opt.quiet)
        printf("%s         compressed        uncompressed  ratio uncompressed_name\n",
               opt.verbose ? "method  crc     date  time  " : "");
    if (opt.verbose) {
        if (localtime_r(&f->time, &local))
            strftime(date, sizeof date, "%b %e %H:%M", &local);
        printf("defla %08" PRIx32 " %-12s ", f->crc, date);
    }
    print_line(f);
    sums.compressed += f->compressed;
    sums.uncompressed += f->uncompressed;
    sums.overhead += f->overhead;
}

void list_totals(void)
{
    if (files < 2 || opt.quiet)
        return;
    sums.name = "(totals)";
    if (opt.verbose)
        printf("%28s", "");
    print_line(&sums);
}
