/* Messages, the exit status and the progress bar.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "output.h"

#define BAR_WIDTH 30

int exit_status = STATUS_OK;

static struct {
    const char *name;
    uint64_t total;
    double begun, last;
    int active, shown;
} bar;

char *printable(char *name)
{
    for (char *c = name; *c; c++)
        if ((unsigned char) *c < ' ' || *c == 127)
            *c = '?';
    return name;
}

const char *program_name(void)
{
    return opt.as_gzip ? "gzip" : "igzip";
}

static void print(const char *format, va_list args)
{
    char text[8192];

    progress_end();
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "%s: %s\n", program_name(), printable(text));
}

/* Prints the arguments of a function that has `format` and any others. */
#define PRINT_ARGUMENTS()       \
    do {                        \
        va_list args;           \
        va_start(args, format); \
        print(format, args);    \
        va_end(args);           \
    } while (0)

void error(const char *format, ...)
{
    PRINT_ARGUMENTS();
    exit_status = STATUS_ERROR;
}

void warning(const char *format, ...)
{
    if (!opt.quiet)
        PRINT_ARGUMENTS();
    if (exit_status == STATUS_OK)
        exit_status = STATUS_WARNING;
}

void loud_warning(const char *format, ...)
{
    PRINT_ARGUMENTS();
    if (exit_status == STATUS_OK)
        exit_status = STATUS_WARNING;
}

void say(const char *format, ...)
{
    PRINT_ARGUMENTS();
}

void die(const char *format, ...)
{
    PRINT_ARGUMENTS();
    output_remove_unfinished();
    exit(STATUS_ERROR);
}

void *need_memory(size_t size)
{
    return need_more_memory(NULL, size);
}

void *need_more_memory(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);

    if (!p)
        die("out of memory: %zu bytes are needed", size);
    return p;
}

/* ---- Progress bar ---- */

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

void progress_start(const char *name, uint64_t total)
{
    bar.active = !opt.quiet && isatty(STDERR_FILENO) && (!opt.to_stdout || !isatty(STDOUT_FILENO));
    bar.name = name;
    bar.total = total;
    bar.begun = bar.last = bar.active ? seconds() : 0;
}

void progress(uint64_t done)
{
    static const char full[] = "##############################";
    double now, rate;
    int filled;

    if (!bar.active)
        return;
    now = seconds();
    if (now - bar.begun < 1 || now - bar.last < 0.1)
        return;
    bar.last = now;
    bar.shown = 1;
    rate = (double) done / (now - bar.begun);
    if (!bar.total || done > bar.total) {
        fprintf(stderr, "\r%.30s %.0f MB, %.0f MB/s\033[K", bar.name, (double) done / 1e6,
                rate / 1e6);
    } else {
        filled = (int) (done * BAR_WIDTH / bar.total);
        fprintf(stderr, "\r%.30s [%.*s%*s] %3d%% %.0f MB/s, %.0f s left\033[K", bar.name, filled,
                full, BAR_WIDTH - filled, "", (int) (done * 100 / bar.total), rate / 1e6,
                (double) (bar.total - done) / (rate + 1));
    }
    fflush(stderr);
}

void progress_end(void)
{
    if (bar.shown)
        fputs("\r\033[K", stderr);
    bar.shown = 0;
}
