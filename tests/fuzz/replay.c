/* Replays saved inputs through the fuzz harnesses, without a fuzzer.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: replay                        the inputs in $srcdir/tests/fuzz/corpus (srcdir is .. if unset)
 *        replay HARNESS FILE...        these */

#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

static struct fuzz_harness *harnesses;
static char path[4096]; /* of the input that runs */

void fuzz_register(struct fuzz_harness *harness)
{
    struct fuzz_harness **place = &harnesses;

    while (*place && strcmp((*place)->name, harness->name) < 0)
        place = &(*place)->next;
    harness->next = *place;
    *place = harness;
}

/* Says which input it was, and lets the signal take its course. */
static void crashed(int number)
{
    static const char before[] = "FAIL: the input is ";

    if (write(STDERR_FILENO, before, sizeof before - 1) < 0 ||
        write(STDERR_FILENO, path, strlen(path)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(1);
    signal(number, SIG_DFL);
    raise(number);
}

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

/* Number of files in the harness's folder. */
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

int main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    unsigned passed = 0, failed = 0;

    signal(SIGABRT, crashed);
    signal(SIGFPE, crashed);
    signal(SIGILL, crashed);
    signal(SIGSEGV, crashed);
    for (const struct fuzz_harness *h = harnesses; h; h = h->next) {
        if (argc > 1) {
            for (int i = 2; i < argc && !strcmp(h->name, argv[1]); i++) {
                snprintf(path, sizeof path, "%s", argv[i]);
                replay(h);
                passed++;
            }
            continue;
        }
        unsigned count = replay_folder(h, srcdir ? srcdir : "..");
        printf("%s: %u inputs\n", h->name, count);
        if (count)
            passed++;
        else
            failed++; /* a harness without inputs is not tested */
    }
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0 || passed == 0;
}
