/* Messages, the progress bar, signals.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 40

static int bar_is_shown;

void complain(const char *format, ...)
{
    char text[10000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    progress_end();
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_name, printable(text, sizeof text, text));
}

char *printable(char *out, size_t size, const char *name)
{
    size_t i;

    for (i = 0; i + 1 < size && name[i]; i++) {
        unsigned char c = (unsigned char) name[i];
        out[i] = c < ' ' || c == 127 ? '?' : name[i];
    }
    out[i] = 0;
    return out;
}

double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

void progress(const char *verb, uint64_t done, uint64_t total)
{
    static const char full[] = "########################################";
    static double last;
    double now = seconds(), share = (double) done / (double) total;
    int filled = (int) (share * BAR_WIDTH);

    if (!isatty(STDERR_FILENO) || now - last < 0.1)
        return;
    last = now;
    bar_is_shown = 1;
    fprintf(stderr, "\r%s [%.*s%*s] %3d%%", verb, filled, full, BAR_WIDTH - filled, "",
            (int) (100 * share));
    fflush(stderr);
}

void progress_end(void)
{
    if (bar_is_shown)
        fputs("\r\033[K", stderr);
    bar_is_shown = 0;
}

/* ---- Signals ---- */

volatile sig_atomic_t stop_signal;

static void request_stop(int number)
{
    stop_signal = number;
}

void set_up_signals(void)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = request_stop}, old;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}
