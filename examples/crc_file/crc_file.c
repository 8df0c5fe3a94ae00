/* Prints the CRCs of files, and checks files against lists of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * This file has the command line; sum.c computes the CRC of a file, list.c reads and writes
 * lists. */

#include "crc_file.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_THREADS 256
#define DEFAULT_CRC "CRC-32/ISCSI"

const char program_name[] = "crc_file";

static const char usage[] =
    "Usage: crc_file [-a CRC] [--tag] [FILE]...\n"
    "       crc_file -c [-a CRC] [LIST]...\n"
    "       crc_file --list\n"
    "\n"
    "Prints the CRC of each FILE, or checks files against the CRCs in each LIST. Without a name, "
    "or\n"
    "with -, reads standard input.\n"
    "\n"
    "  -a, --algorithm CRC   a name from --list (" DEFAULT_CRC ")\n"
    "  -c, --check           check files against lists made by crc_file\n"
    "      --tag             print the name of the CRC in each line; --check then needs no -a\n"
    "  -t, --threads N       number of threads for a large file (one for each processor)\n"
    "  -l, --list            print the catalogue: name, width, parameters, check value\n"
    "  -h, --help            print this help\n"
    "  -V, --version         print the version\n"
    "With --check:\n"
    "  -q, --quiet           do not print OK\n"
    "  -s, --status          print nothing about files; only the exit status tells\n"
    "      --ignore-missing  skip missing files\n"
    "\n"
    "CRCs detect accidental changes. They do not protect against deliberate ones.\n"
    "\n"
    "Exit status: 0 success; 1 a file differs from its list or could not be checked; 2 invalid\n"
    "arguments, or a file could not be read or written.\n";

static int misuse(const char *message, const char *detail)
{
    complain("%s%s; see crc_file --help", message, detail);
    return STATUS_ERROR;
}

static void print_catalogue(void)
{
    const struct isal_crc_params *p;

    for (size_t i = 0; (p = isal_crc_catalogue(i)) != NULL; i++)
        printf("%-25s width=%u poly=0x%" PRIx64 " init=0x%" PRIx64 " refin=%s refout=%s"
               " xorout=0x%" PRIx64 " check=0x%" PRIx64 "\n",
               p->name, p->width, p->poly, p->init, p->refin ? "true" : "false",
               p->refout ? "true" : "false", p->xorout, p->check);
}

static enum status print_file_crc(const struct options *o, const char *name)
{
    uint64_t value;
    int error = crc_of_file(name, o->crc, o->threads, &value);

    if (error) {
        complain("%s: %s", name, strerror(error));
        return STATUS_ERROR;
    }
    print_crc(o, name, value);
    return STATUS_OK;
}

/* Returns the number of threads, or 0 if the text is invalid. */
static int parse_threads(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    return *text && !*end && value >= 1 && value <= MAX_THREADS ? (int) value : 0;
}

enum { TAG = 256, IGNORE_MISSING };
static const struct option long_options[] = {
    {"algorithm", required_argument, NULL, 'a'},
    {"check", no_argument, NULL, 'c'},
    {"tag", no_argument, NULL, TAG},
    {"threads", required_argument, NULL, 't'},
    {"list", no_argument, NULL, 'l'},
    {"quiet", no_argument, NULL, 'q'},
    {"status", no_argument, NULL, 's'},
    {"ignore-missing", no_argument, NULL, IGNORE_MISSING},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* The command line, apart from the names of files. */
struct arguments {
    struct options options;
    const char *algorithm;
    int check;
};

/* Parses the options. Returns -1, or the exit status if there is nothing more to do. */
static int parse_options(int argc, char **argv, struct arguments *a)
{
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, "a:ct:lqshV", long_options, NULL)) != -1) {
        switch (c) {
        case 'a':
            a->algorithm = optarg;
            break;
        case 'c':
            a->check = 1;
            break;
        case TAG:
            a->options.tag = 1;
            break;
        case 't':
            if (!(a->options.threads = parse_threads(optarg)))
                return misuse("--threads must be a number from 1 to 256, not ", optarg);
            break;
        case 'q':
            a->options.quiet = 1;
            break;
        case 's':
            a->options.silent = 1;
            break;
        case IGNORE_MISSING:
            a->options.ignore_missing = 1;
            break;
        case 'l':
            print_catalogue();
            return STATUS_OK;
        case 'h':
            fputs(usage, stdout);
            return STATUS_OK;
        case 'V':
            printf("crc_file (isa-l) %s\n", isal_get_version_str());
            return STATUS_OK;
        default:
            return misuse("invalid option ", argv[optind - 1]);
        }
    }
    return -1;
}

static enum status run(int argc, char **argv)
{
    static const char *const standard_input[] = {"-", NULL};
    static struct isal_crc crc;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct arguments a = {.options.crc = &crc, .algorithm = DEFAULT_CRC};
    const struct options *o = &a.options;
    const char *const *files;
    enum status status = STATUS_OK;
    int done;

    a.options.threads = processors < 1             ? 1
                        : processors > MAX_THREADS ? MAX_THREADS
                                                   : (int) processors;
    done = parse_options(argc, argv, &a);
    if (done >= 0)
        return (enum status) done;
    if (!a.check && (o->quiet || o->silent || o->ignore_missing))
        return (enum status) misuse("--quiet, --status and --ignore-missing require --check", "");
    if (a.check && o->tag)
        return (enum status) misuse("--tag cannot be used with --check", "");
    if (isal_crc_init(&crc, isal_crc_find(a.algorithm)) != ISAL_CRC_OK)
        return (enum status) misuse("unknown CRC ", a.algorithm);
    files = optind < argc ? (const char *const *) argv + optind : standard_input;
    for (; *files; files++) {
        enum status one = a.check ? check_list(o, *files) : print_file_crc(o, *files);
        if (one > status)
            status = one;
    }
    return status;
}

int main(int argc, char **argv)
{
    enum status status = run(argc, argv);

    if (fflush(stdout) || ferror(stdout)) {
        complain("cannot write to standard output");
        status = STATUS_ERROR;
    }
    return (int) status;
}
