/* Splits a file into erasure-coded shards, verifies and repairs them, and decodes the file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * This file has the command line, commands.c the commands, stripe.c the work on the data, shard.h
 * the format of the shards. shard_set.c finds shards, and output.c publishes files safely. */

#include "ec_file.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <isa-l.h>

#include "commands.h"
#include "shard.h"

#define MAX_THREADS 256

const char program_name[] = "ec_file";

static const char usage[] =
    "Usage: ec_file encode FILE -o DIR [-k 10] [-m 4] [--chunk 64K]\n"
    "       ec_file verify DIR\n"
    "       ec_file repair DIR\n"
    "       ec_file decode DIR -o FILE\n"
    "\n"
    "Splits FILE into k data shards and m parity shards. Any k of them restore it.\n"
    "\n"
    "  encode   write the k + m shards to DIR, which is created if it is missing\n"
    "  verify   list missing shards and damaged chunks\n"
    "  repair   rewrite missing and damaged shards\n"
    "  decode   restore FILE, even from damaged shards\n"
    "\n"
    "  -k, --data N        number of data shards (10)\n"
    "  -m, --parity N      number of parity shards (4); k + m is at most 255\n"
    "  -o, --output PATH   the folder or file to write\n"
    "      --chunk SIZE    bytes that are verified and repaired together, a multiple of 64;\n"
    "                      may end in K or M (64K)\n"
    "  -t, --threads N     number of threads (one for each processor)\n"
    "  -f, --force         replace existing files\n"
    "  -h, --help          print this help\n"
    "  -V, --version       print the version\n"
    "\n"
    "Exit status: 0 success; 1 verify found damage, or there is too much damage to repair or\n"
    "decode; 2 invalid arguments, or a file could not be read or written. After an error nothing\n"
    "has changed.\n";

static const struct command {
    const char *name;
    enum status (*run)(const struct options *);
    const char *allowed; /* options, in addition to those of all commands */
    int needs_output;
} commands[] = {
    {"encode", encode, "kmocf", 1},
    {"verify", verify, "", 0},
    {"repair", repair, "f", 0},
    {"decode", decode, "of", 1},
};

static enum status misuse(const char *message, const char *detail)
{
    complain("%s%s; see ec_file --help", message, detail);
    return STATUS_ERROR;
}

/* Parses a whole number up to max with an optional suffix K or M. Returns 0, or -1 if it is
 * invalid. */
static int parse_number(const char *text, uint64_t max, int suffixes, uint64_t *value)
{
    uint64_t unit = 1;
    char *end;

    if (*text < '0' || *text > '9')
        return -1;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (suffixes && *end)
        unit = *end == 'K' || *end == 'k' ? 1024 : *end == 'M' || *end == 'm' ? 1048576 : 0;
    if (errno || !unit || (*end && (unit == 1 || end[1])) || *value > max / unit)
        return -1;
    *value *= unit;
    return 0;
}

/* Parses a number from 1 to max. Returns 0 after a message. */
static int parse_count(const char *option, const char *text, int max)
{
    uint64_t value;

    if (!parse_number(text, (uint64_t) max, 0, &value) && value >= 1)
        return (int) value;
    complain("%s must be a number from 1 to %d, not '%s'", option, max, text);
    return 0;
}

static enum status check_geometry(const struct options *o)
{
    if (o->k + o->m > MAX_SHARDS) {
        complain("k + m is %d, more than %d shards", o->k + o->m, MAX_SHARDS);
        return STATUS_ERROR;
    }
    if (!geometry_is_valid((uint64_t) o->k, (uint64_t) o->m, o->chunk_size)) {
        complain("--chunk must be a multiple of %d, and with %d shards from %d to %u", CHUNK_UNIT,
                 o->k + o->m, CHUNK_UNIT,
                 MAX_STRIPE_MEMORY / (unsigned) (o->k + o->m) / CHUNK_UNIT * CHUNK_UNIT);
        return STATUS_ERROR;
    }
    return STATUS_OK;
}

static void print_version(void)
{
    printf("ec_file (isa-l) %s\n", isal_get_version_str());
}

static enum status run_command(const struct command *command, int argc, char **argv)
{
    static const struct option long_options[] = {
        {"data", required_argument, NULL, 'k'},
        {"parity", required_argument, NULL, 'm'},
        {"output", required_argument, NULL, 'o'},
        {"chunk", required_argument, NULL, 'c'},
        {"threads", required_argument, NULL, 't'},
        {"force", no_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct options o = {.k = 10, .m = 4, .chunk_size = 64 << 10};
    uint64_t number;
    int c;

    o.threads = processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (int) processors;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "k:m:o:t:fhV", long_options, NULL)) != -1) {
        if (c == '?')
            return misuse("invalid option ", argv[optind - 1]);
        if (c == 'h') {
            fputs(usage, stdout);
            return STATUS_OK;
        }
        if (c == 'V') {
            print_version();
            return STATUS_OK;
        }
        if (c != 't' && !strchr(command->allowed, c))
            return misuse("invalid option for ", command->name);
        if ((c == 'k' && !(o.k = parse_count("-k", optarg, MAX_SHARDS - 1))) ||
            (c == 'm' && !(o.m = parse_count("-m", optarg, MAX_SHARDS - 1))) ||
            (c == 't' && !(o.threads = parse_count("--threads", optarg, MAX_THREADS))))
            return STATUS_ERROR;
        if (c == 'c') {
            if (parse_number(optarg, UINT32_MAX, 1, &number))
                return misuse("--chunk must be a size such as 65536, 64K or 1M, not ", optarg);
            o.chunk_size = (uint32_t) number;
        } else if (c == 'o') {
            o.output = optarg;
        } else if (c == 'f') {
            o.force = 1;
        }
    }
    if (argc - optind != 1)
        return misuse(argc == optind ? "a name is missing after " : "too many names after ",
                      command->name);
    o.input = argv[optind];
    if (command->needs_output && (!o.output || !*o.output))
        return misuse("the output is missing: -o", "");
    if (check_geometry(&o) != STATUS_OK)
        return STATUS_ERROR;
    return command->run(&o);
}

int main(int argc, char **argv)
{
    enum status status = STATUS_ERROR;
    const char *name = argc > 1 ? argv[1] : "";
    size_t i = 0, count = sizeof commands / sizeof *commands;

    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        fputs(usage, stdout);
        status = STATUS_OK;
    } else if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
        print_version();
        status = STATUS_OK;
    } else if (!*name) {
        status = misuse("the command must be encode, verify, repair or decode", "");
    } else {
        while (i < count && strcmp(name, commands[i].name))
            i++;
        set_up_signals();
        status = i < count ? run_command(&commands[i], argc - 1, argv + 1)
                           : misuse("unknown command ", name);
    }
    if (stop_signal && status != STATUS_OK) {
        complain("stopped; nothing was changed");
        signal(stop_signal, SIG_DFL);
        raise(stop_signal);
    }
    if ((fflush(stdout) || ferror(stdout)) && status == STATUS_OK) {
        complain("cannot write to standard output");
        status = STATUS_ERROR;
    }
    return (int) status;
}
