/* What the example programs share: messages, the progress bar, signals.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included before any system header: it asks those for POSIX 2008 and for 64-bit file offsets. */

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

/* Each program says its name, which its messages and its temporary files begin with. */
extern const char program_name[];

/* Prints the program's name, the message and a newline to stderr. Control characters become '?':
 * names that come from a file or a folder cannot command the terminal. */
void complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* Copies a name with its control characters replaced in the same way. Returns out, which may be
 * name. */
char *printable(char *out, size_t size, const char *name);

/* Draws the progress bar on stderr if that is a terminal, at most ten times a second. For one
 * thread at a time. */
void progress(const char *verb, uint64_t done, uint64_t total);

/* Removes the progress bar. */
void progress_end(void);

/* Seconds from some fixed point. */
double seconds(void);

/* Number of the signal that asks for an end, or 0. Whoever loops looks at it, fails, and so lets
 * the temporary files be removed. */
extern volatile sig_atomic_t stop_signal;

/* From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, set stop_signal. A write beyond
 * a limit of size, or to a closed pipe, is an error like others, not a signal. */
void set_up_signals(void);

#endif
