/* What every part of ec_file shares: exit statuses, messages, the progress bar.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included before any system header: it asks those for POSIX 2008 and for 64-bit file offsets. */

#ifndef EC_FILE_H
#define EC_FILE_H

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

/* Exit statuses, and the results of most functions here. */
enum status {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* damage was found (verify), or there is too much of it (repair, decode) */
    STATUS_ERROR = 2   /* wrong use, or the system refused something */
};

/* Number of the signal that asks for an end, or 0. Whoever loops looks at it, fails, and so lets
 * the temporary files be removed. */
extern volatile sig_atomic_t stop_signal;

/* Prints "ec_file: ", the message and a newline to stderr. */
void complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* Copies a name that came from a file or a directory, with control characters replaced by '?' so
 * that it cannot command the terminal. Returns out. */
char *printable(char *out, size_t size, const char *name);

/* Draws the progress bar on stderr if that is a terminal, at most ten times a second. */
void progress(const char *verb, uint64_t done, uint64_t total);

/* Removes the progress bar. */
void progress_end(void);

/* Seconds from some fixed point. */
double seconds(void);

#endif
