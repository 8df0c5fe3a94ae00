/* Runs saved or random inputs through the fuzz harnesses, without a fuzzer.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: replay                        the inputs in $srcdir/tests/fuzz/corpus (default for srcdir:
 *                                      ..), and some random ones
 *        replay HARNESS FILE...        these inputs
 *        replay -n COUNT [-s SEED] HARNESS
 *                                      random inputs, most of less than 2 KB; one that fails is
 *                                      written to the file HARNESS-failed */

#define _POSIX_C_SOURCE 200809L /* getopt() */
#define _FILE_OFFSET_BITS 64    /* else readdir() of 32-bit programs fails on 64-bit kernels */

#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define RANDOM_COUNT 2000 /* of each harness, if not told otherwise */
#define RANDOM_MAX 150000
#define SETTINGS 100 /* bytes at the start of a random input that have no pattern */

static struct fuzz_harness *harnesses;
static char path[4096]; /* name of the current input */

/* The current input if it is random, else NULL. */
static uint8_t *random_input;
static size_t random_size;
static uint64_t random_state;

void fuzz_register(struct fuzz_harness *harness)
{
    struct fuzz_harness **place = &harnesses;

    while (*place && strcmp((*place)->name, harness->name) < 0)
        place = &(*place)->next;
    harness->next = *place;
    *place = harness;
}

/* Prints the name of the failed input, after writing a random one to a file. */
static void say_input(void)
{
    static const char before[] = "FAIL: the input is ";

    if (random_input) {
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

        if (fd < 0 || write(fd, random_input, random_size) < 0)
            _exit(1);
    }
    if (write(STDERR_FILENO, before, sizeof before - 1) < 0 ||
        write(STDERR_FILENO, path, strlen(path)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(1);
}

/* Reports the input, then lets the signal end the program. */
static void crashed(int number)
{
    say_input();
    signal(number, SIG_DFL);
    raise(number);
}

/* of the sanitizers, if the program has them */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static void replay(const struct fuzz_harness *harness)
{
    FILE *file = fopen(path, "rb");
    struct fuzz_input in = {NULL, 0};
    uint8_t *data = fuzz_alloc(1 << 24);

    if (!file) {
        perror(path);
        exit(1);
    }
    in.data = data;
    in.left = fread(data, 1, 1 << 24, file);
    fclose(file);
    harness->function(&in);
    free(data);
}

/* Runs the files in the folder of a harness. Returns their number. */
static unsigned replay_folder(const struct fuzz_harness *harness, const char *srcdir)
{
    unsigned count = 0;
    const struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", srcdir, harness->name);
    folder = opendir(path);
    if (!folder)
        return 0;
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s/%s", srcdir, harness->name,
                 entry->d_name);
        replay(harness);
        count++;
    }
    closedir(folder);
    return count;
}

/* ---- Random inputs ---- */

/* Returns a number from 0 to n - 1 (SplitMix64). */
static uint32_t random_number(uint32_t n)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t) (((z ^ z >> 31) >> 32) * n >> 32);
}

/* Returns a number from 1 to n, more often a small one. */
static uint32_t random_length(uint32_t n)
{
    uint32_t limit = n >> random_number(16);

    return 1 + random_number(limit ? limit : 1);
}

/* Makes an input of literals of an alphabet, runs, copies of earlier bytes, and counts. */
static void make_random(uint8_t *p, size_t size)
{
    size_t at = 0, settings = size < SETTINGS ? size : SETTINGS;
    uint32_t alphabet = 1u << random_number(9), first = random_number(256), count = 0;

    for (; at < settings; at++)
        p[at] = (uint8_t) random_number(256);
    while (at < size) {
        uint32_t left = (uint32_t) (size - at), n = random_length(2000), back, kind;

        n = n < left ? n : left;
        kind = random_number(8);
        if (kind < 3) {
            for (uint32_t i = 0; i < n; i++)
                p[at++] = (uint8_t) (first + random_number(alphabet));
        } else if (kind < 6 && at > settings) {
            back = random_length((uint32_t) (at - settings));
            for (uint32_t i = 0; i < n; i++, at++)
                p[at] = p[at - back];
        } else if (kind == 6) {
            memset(p + at, (int) random_number(256), n);
            at += n;
        } else if (left >= 16) {
            at += (size_t) snprintf((char *) p + at, 16, "%u, ", count += 1 + random_number(3));
        }
    }
}

static void run_random(const struct fuzz_harness *harness, unsigned long count)
{
    static const uint32_t sizes[] = {100, 300, 300, 1000, 1000, 2000, 4000};
    uint8_t *room = fuzz_alloc(RANDOM_MAX);

    snprintf(path, sizeof path, "%s-failed", harness->name);
    for (unsigned long i = 0; i < count; i++) {
        struct fuzz_input in;
        uint32_t most = random_number(1000) ? sizes[random_number(7)] : RANDOM_MAX - SETTINGS;

        random_size = SETTINGS + random_number(most);
        /* exact size, at the end of the allocation */
        random_input = room + RANDOM_MAX - random_size;
        make_random(random_input, random_size);
        in.data = random_input;
        in.left = random_size;
        harness->function(&in);
        if ((i + 1) % 100000 == 0) {
            printf("%s: %lu random inputs\n", harness->name, i + 1);
            fflush(stdout);
        }
    }
    random_input = NULL;
    free(room);
}

int main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    unsigned passed = 0, failed = 0;
    unsigned long random_count = 0;
    int option;

    while ((option = getopt(argc, argv, "n:s:")) != -1) {
        if (option == 'n')
            random_count = strtoul(optarg, NULL, 10);
        else if (option == 's')
            random_state = strtoull(optarg, NULL, 10);
        else
            return 2;
    }
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_input);
    signal(SIGABRT, crashed);
    signal(SIGFPE, crashed);
    signal(SIGILL, crashed);
    signal(SIGSEGV, crashed);
    for (const struct fuzz_harness *h = harnesses; h; h = h->next) {
        if (optind < argc) {
            if (random_count && !strcmp(h->name, argv[optind])) {
                run_random(h, random_count);
                passed++;
            }
            for (int i = optind + 1; i < argc && !strcmp(h->name, argv[optind]); i++) {
                snprintf(path, sizeof path, "%s", argv[i]);
                replay(h);
                passed++;
            }
            continue;
        }
        unsigned count = replay_folder(h, srcdir ? srcdir : "..");
        run_random(h, RANDOM_COUNT);
        printf("%s: %u inputs, %u random ones\n", h->name, count, RANDOM_COUNT);
        if (count)
            passed++;
        else
            failed++; /* a harness without inputs fails */
    }
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0 || passed == 0;
}
