/* dedup: stores folders with each chunk of data only once. Options and shared helpers.
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
    "store     divides the files in DIR... into chunks at places that depend on their contents,\n"
    "          adds the chunks that are new to STORE, and records the tree as snapshot NAME\n"
    "          (default: the time). The sizes, default 4K 16K 64K, are set when STORE is created.\n"
    "          Waits up to SECONDS, default 60, for another process that is adding to STORE.\n"
    "restore   writes the tree of snapshot NAME (default: the last one in alphabetical order) to\n"
    "          DIR, which must be empty or missing\n"
    "stats     prints snapshots, unique and duplicate bytes and a histogram of chunk sizes\n"
    "\n"
    "exit status: 0 success; 1 the store is damaged, or files were left out or changed meanwhile;\n"
    "2 error\n";

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

/* Parses a size with an optional K or M. Returns 0 if the text is something else. */
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

static int is_valid_name(const char *name)
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

static const struct option long_options[] = {
    {"store", required_argument, NULL, 's'},  {"name", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'}, {"min", required_argument, NULL, 1},
    {"avg", required_argument, NULL, 2},      {"max", required_argument, NULL, 3},
    {"wait", required_argument, NULL, 'w'},   {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},      {NULL, 0, NULL, 0},
};

struct arguments {
    const char *store, *name, *target;
    uint32_t sizes[3]; /* smallest, average and largest chunk in bytes */
    uint32_t wait;     /* seconds */
};

/* Parses the options after the command. Returns -1, or the exit status if there is nothing more to
 * do. */
static int parse_options(int argc, char **argv, struct arguments *a)
{
    int option;

    optind = 2;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "s:n:o:hV", long_options, NULL)) != -1) {
        if (option == 's') {
            a->store = optarg;
        } else if (option == 'n') {
            a->name = optarg;
        } else if (option == 'o') {
            a->target = optarg;
        } else if (option >= 1 && option <= 3) {
            if (!(a->sizes[option - 1] = parse_size(optarg)))
                return misuse("a chunk size must be a number up to 16M, such as 8K", "");
        } else if (option == 'w') {
            if (!parse_seconds(optarg, &a->wait))
                return misuse("--wait must be a whole number of seconds", "");
        } else if (option == 'h') {
            return print_help();
        } else if (option == 'V') {
            return print_version();
        } else {
            return misuse("invalid option ", argv[optind - 1]);
        }
    }
    if (!a->store)
        return misuse("the store is missing: -s STORE", "");
    if (a->name && !is_valid_name(a->name))
        return misuse("a name must not contain a slash or begin with a dot", "");
    return -1;
}

static int run(const char *command, const struct arguments *a, char *const *roots, size_t n)
{
    if (!strcmp(command, "store")) {
        if (a->target)
            return misuse("store has no option -o", "");
        if (!n)
            return misuse("the folder to store is missing", "");
        return (int) command_store(a->store, a->name, a->sizes, a->wait, roots, n);
    }
    if (n)
        return misuse("too many arguments", "");
    if (!strcmp(command, "stats"))
        return (int) command_stats(a->store);
    if (!a->target)
        return misuse("the folder to restore to is missing: -o DIR", "");
    return (int) command_restore(a->store, a->name, a->target);
}

int main(int argc, char **argv)
{
    struct arguments a = {.sizes = {4096, 16384, 65536}, .wait = 60};
    const char *command = argc > 1 ? argv[1] : "";
    int status;

    if (!strcmp(command, "-h") || !strcmp(command, "--help"))
        return print_help();
    if (!strcmp(command, "-V") || !strcmp(command, "--version"))
        return print_version();
    if (strcmp(command, "store") && strcmp(command, "restore") && strcmp(command, "stats"))
        return misuse("the command must be store, restore or stats", "");
    status = parse_options(argc, argv, &a);
    if (status >= 0)
        return status;
    status = run(command, &a, argv + optind, (size_t) (argc - optind));
    if (fflush(stdout) || ferror(stdout)) {
        complain("cannot write the report");
        return STATUS_ERROR;
    }
    return status;
}
