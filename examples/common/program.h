/* Shared by the example programs: messages, the progress bar, signals.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Include it before any system header: it selects POSIX 2008 and 64-bit file offsets. */

#ifndef PROGRAM_H
#define PROGRAM_H

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Defined by each program. Messages and names of temporary files begin with it. */
extern const char program_name[];

/* Prints the program's name, the message and a newline to stderr. Control characters become '?', so
 * that names of files cannot send commands to the terminal. */
void complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* Copies a name with control characters replaced in the same way. Returns out, which may equal
 * name. */
char *printable(char *out, size_t size, const char *name);

/* Draws the progress bar on stderr if that is a terminal, at most ten times a second. For one
 * thread at a time. */
void progress(const char *verb, uint64_t done, uint64_t total);

/* Removes the progress bar. */
void progress_end(void);

/* Seconds since a fixed time. */
double seconds(void);

/* Number of the signal that asked the program to stop, or 0. Loops check it and return an error, so
 * that temporary files are removed. */
extern volatile sig_atomic_t stop_signal;

/* Makes SIGINT, SIGTERM and SIGHUP, unless ignored, set stop_signal. Writes beyond a size limit or
 * to a closed pipe return an error instead of raising a signal. */
void set_up_signals(void);

#endif
