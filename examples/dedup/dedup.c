/* dedup: keeps folders in a store that has each chunk of data once. Options and shared helpers.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "snapshot.h"

#include <isa-l_crypto.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "dedup";

static const char usage_text[] =
    "usage: dedup store -s STORE [-n NAME] [--min SIZE] [--avg SIZE] [--max SIZE]\n"
    "                   [--wait SECONDS] DIR...\n"
    "       dedup restore -s STORE [-n NAME] -o DIR\n"
    "       dedup stats -s STORE\n"
    "       dedup -h | --help | -V | --version\n"
    "\n"
    "store     cuts the files in DIR... into chunks at places that depend on their contents, adds\n"
    "          those that STORE has not got, and records the tree as snapshot NAME (default: the\n"
    "          time). The sizes, default 4K 16K 64K, are chosen when STORE is made. Waits up to\n"
    "          SECONDS, default 60, for another process that is adding to STORE.\n"
    "restore   makes DIR, which must be empty or missing, what snapshot NAME (default: the last "
    "one\n"
    "          in alphabetical order) recorded\n"
    "stats     prints snapshots, unique and duplicate bytes and a histogram of chunk sizes\n"
    "\n"
    "exit status: 0 done; 1 store damaged, or files left out or changed meanwhile; 2 error\n";

void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);

    if (!p) {
        complain("out of memory");
        exit(STATUS_ERROR);
    }
    return p;
}

size_t append(struct buffer *b, const void *p, size_t len)
{
    size_t at = b->len;

    if (len > b->capacity - b->len) {
        size_t capacity = b->capacity > len ? 2 * b->capacity : b->len + len + 4096;
        uint8_t *data = realloc(b->data, capacity);

        if (!data || capacity < b->len + len) {
            complain("out of memory");
            exit(STATUS_ERROR);
        }
        b->data = data;
        b->capacity = capacity;
    }
    if (p && len)
        memcpy(b->data + at, p, len);
    else if (len)
        memset(b->data + at, 0, len);
    b->len += len;
    return at;
}

void hash_many(const uint8_t *const *data, const uint64_t *sizes, size_t n,
               uint8_t (*digests)[DIGEST_SIZE])
{
    if (n && isal_sha256_mb_hash((const void *const *) data, sizes, n, digests)) {
        complain("hashing failed");
        exit(STATUS_ERROR);
    }
}

/* ---- Options ---- */

static int misuse(const char *what, const char *detail)
{
    complain("%s%s; see dedup --help", what, detail);
    return STATUS_ERROR;
}

/* A size with an optional K or M; 0 if it is not one. */
static uint32_t parse_size(const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    unsigned shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' || *end == 'm' ? 20 : 0;

    if (*text < '0' || *text > '9' || end[shift != 0] || n > MAX_CHUNK >> shift)
        return 0;
    return (uint32_t) n << shift;
}

/* Parses a whole number of seconds, at most a year. Returns 0 if the text is something else. */
static int parse_seconds(const char *text, uint32_t *seconds)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || n > 366ul * 24 * 3600)
        return 0;
    *seconds = (uint32_t) n;
    return 1;
}

static int good_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/') && strlen(name) < 200;
}

static int print_help(void)
{
    fputs(usage_text, stdout);
    return fflush(stdout) ? STATUS_ERROR : STATUS_OK;
}

static int print_version(void)
{
    printf("dedup (isa-l_crypto) %s\n", isal_crypto_get_version_str());
    return fflush(stdout) ? STATUS_ERROR : STATUS_OK;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"store", required_argument, NULL, 's'},  {"name", required_argument, NULL, 'n'},
        {"output", required_argument, NULL, 'o'}, {"min", required_argument, NULL, 1},
        {"avg", required_argument, NULL, 2},      {"max", required_argument, NULL, 3},
        {"wait", required_argument, NULL, 'w'},   {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},      {NULL, 0, NULL, 0},
    };
    const char *store = NULL, *name = NULL, *target = NULL, *command = argc > 1 ? argv[1] : "";
    uint32_t sizes[3] = {4096, 16384, 65536}, wait = 60;
    int option;
    enum status status;

    if (!strcmp(command, "-h") || !strcmp(command, "--help"))
        return print_help();
    if (!strcmp(command, "-V") || !strcmp(command, "--version"))
        return print_version();
    if (strcmp(command, "store") && strcmp(command, "restore") && strcmp(command, "stats"))
        return misuse("say store, restore or stats", "");
    optind = 2;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "s:n:o:hV", options, NULL)) != -1) {
        if (option == 's') {
            store = optarg;
        } else if (option == 'n') {
            name = optarg;
        } else if (option == 'o') {
            target = optarg;
        } else if (option >= 1 && option <= 3) {
            if (!(sizes[option - 1] = parse_size(optarg)))
                return misuse("a chunk size is not a number up to 16M, such as 8K", "");
        } else if (option == 'w') {
            if (!parse_seconds(optarg, &wait))
                return misuse("how long to wait is not a whole number of seconds", "");
        } else if (option == 'h') {
            return print_help();
        } else if (option == 'V') {
            return print_version();
        } else {
            return misuse("wrong use of ", argv[optind - 1]);
        }
    }
    if (!store)
        return misuse("the store is missing: -s STORE", "");
    if (name && !good_name(name))
        return misuse("a name has no slash and does not begin with a dot", "");
    if (!strcmp(command, "store")) {
        if (optind == argc || target)
            return misuse(target ? "store has no -o" : "what to store is missing", "");
        status = command_store(store, name, sizes, wait, argv + optind, (size_t) (argc - optind));
    } else if (optind != argc) {
        return misuse("too many arguments", "");
    } else if (!strcmp(command, "restore")) {
        if (!target)
            return misuse("where to is missing: -o DIR", "");
        status = command_restore(store, name, target);
    } else {
        status = command_stats(store);
    }
    if (fflush(stdout) || ferror(stdout)) {
        complain("cannot write the report");
        return STATUS_ERROR;
    }
    return (int) status;
}
