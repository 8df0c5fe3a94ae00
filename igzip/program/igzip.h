/* What the files of the igzip program share: options, exit status, messages, progress.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It must be included before any system header: it selects POSIX 2008 and 64-bit file offsets. */

#ifndef IGZIP_PROGRAM_H
#define IGZIP_PROGRAM_H

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <stddef.h>
#include <stdint.h>

enum mode { MODE_COMPRESS, MODE_DECOMPRESS, MODE_TEST, MODE_LIST };

/* How the compressed data are divided into members. */
enum format {
    FORMAT_GZIP,   /* one member */
    FORMAT_BGZF,   /* members of at most 64 KiB with their size in the header, as in htslib */
    FORMAT_INDEXED /* members of 512 KiB of data with their sizes in the header */
};

struct options {
    int as_gzip; /* called by one of gzip's names: behave as gzip */
    enum mode mode;
    enum format format;
    int level;
    int to_stdout;
    int force;
    int remove; /* remove the input when the output is on disk: 1 yes, 0 no, -1 the default */
    int recursive;
    int quiet;
    int verbose;
    int rsyncable;
    int synchronous;
    int sparse;
    int save_name; /* -n 0, -N 1, neither -1 */
    int save_time; /* -n or -m 0, -N or -M 1, none of them -1 */
    unsigned threads;
    const char *suffix;
    const char *output; /* -o */
};

extern struct options opt;

/* Reads the command line into opt; returns the index of the first file name. */
int options_read(int argc, char **argv);

/* ---- Exit status, with gzip's meaning ---- */

enum { STATUS_OK = 0, STATUS_ERROR = 1, STATUS_WARNING = 2 };

/* The worst status so far: an error is worse than a warning. */
extern int exit_status;

/* "igzip" or "gzip", for messages. */
const char *program_name(void);

/* Print the program's name and the message, with '?' for control characters, which file names may
 * contain. error() and the warnings also set exit_status. warning() prints nothing with -q;
 * loud_warning() prints even then. */
void error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void loud_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the message, removes the unfinished output and ends the program. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Replaces control characters in a name so that it cannot command the terminal. */
char *printable(char *name);

/* Allocate memory, or end the program. */
void *need_memory(size_t size);
void *need_more_memory(void *old, size_t size);

/* ---- Progress bar: on a terminal, after a second ---- */

void progress_start(const char *name, uint64_t total); /* total 0: not known */
void progress(uint64_t done);
void progress_end(void);

/* ---- Bytes ---- */

static inline uint16_t load_le16(const uint8_t *p)
{
    return (uint16_t) (p[0] | p[1] << 8);
}

static inline uint32_t load_le32(const uint8_t *p)
{
    return load_le16(p) | (uint32_t) load_le16(p + 2) << 16;
}

static inline void store_le16(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t) value;
    p[1] = (uint8_t) (value >> 8);
}

static inline void store_le32(uint8_t *p, uint32_t value)
{
    store_le16(p, value);
    store_le16(p + 2, value >> 16);
}

#endif
