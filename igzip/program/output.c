/* A file that appears under its name whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names.h"

static const int ending_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
#define SIGNALS (sizeof ending_signals / sizeof *ending_signals)

/* The temporary file. Changed only while the signals are blocked. */
static struct {
    volatile sig_atomic_t exists;
    int folder;
    char name[64];
} unfinished;

void output_remove_unfinished(void)
{
    if (unfinished.exists)
        unlinkat(unfinished.folder, unfinished.name, 0);
    unfinished.exists = 0;
}

static void ending(int number)
{
    output_remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

void output_catch_signals(void)
{
    struct sigaction action = {.sa_handler = ending}, before;

    for (size_t i = 0; i < SIGNALS; i++)
        if (!sigaction(ending_signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
}

static void block_signals(sigset_t *before)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&set, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

int output_open(struct output *out, const char *path)
{
    static unsigned count;
    size_t folder = (size_t) (name_base(path) - path);
    sigset_t before;

    out->fd = -1;
    out->path = need_memory(folder + 1);
    memcpy(out->path, path, folder);
    out->path[folder] = 0;
    out->folder = open(folder ? out->path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out->folder < 0)
        return -1;
    block_signals(&before);
    /* A name in use is the leftover of a process that had the same number and was killed. */
    do {
        snprintf(unfinished.name, sizeof unfinished.name, ".igzip-%ld-%u.tmp", (long) getpid(),
                 count++);
        out->fd = openat(out->folder, unfinished.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                         S_IRUSR | S_IWUSR);
    } while (out->fd < 0 && errno == EEXIST);
    unfinished.folder = out->folder;
    unfinished.exists = out->fd >= 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return out->fd < 0 ? -1 : 0;
}

void output_attributes(const struct output *out, const struct stat *st)
{
    mode_t mode = st->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    struct timespec times[2];

    /* Only a privileged user may give files away. A group that cannot be kept must not get more
     * rights than everyone has. */
    if (fchown(out->fd, st->st_uid, st->st_gid) && fchown(out->fd, (uid_t) -1, st->st_gid))
        mode &= (mode_t) ~S_IRWXG | (mode & S_IRWXO) << 3;
    if (fchmod(out->fd, mode))
        warning("%s: the mode could not be set: %s", out->path, strerror(errno));
#ifdef __APPLE__
    times[0] = st->st_atimespec;
    times[1] = st->st_mtimespec;
#else
    times[0] = st->st_atim;
    times[1] = st->st_mtim;
#endif
    if (futimens(out->fd, times))
        warning("%s: the times could not be set: %s", out->path, strerror(errno));
}

static int sync_file(int fd)
{
    int result;

    do
        result = fsync(fd);
    while (result && errno == EINTR);
    return result && errno != EINVAL ? -1 : 0; /* EINVAL: this kind of file cannot be synced */
}

int output_publish(struct output *out, const char *name, int replace, int sync)
{
    struct stat existing;
    sigset_t before;
    int result;

    if (out->fd >= 0) {
        if (sync && sync_file(out->fd))
            return -1;
        result = close(out->fd);
        out->fd = -1;
        if (result)
            return -1;
    }
    if (!replace && !linkat(out->folder, unfinished.name, out->folder, name, 0)) {
        /* Unlike a rename, this never replaces a file that came into being meanwhile. */
        output_remove_unfinished();
        return sync ? sync_file(out->folder) : 0;
    }
    if (!replace) {
        if (errno == EEXIST)
            return -1;
        if (!fstatat(out->folder, name, &existing, AT_SYMLINK_NOFOLLOW)) {
            errno = EEXIST; /* the file system has no links */
            return -1;
        }
    }
    block_signals(&before);
    result = renameat(out->folder, unfinished.name, out->folder, name);
    if (!result)
        unfinished.exists = 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !result && sync ? sync_file(out->folder) : result;
}

void output_close(struct output *out)
{
    if (out->fd >= 0)
        close(out->fd);
    output_remove_unfinished();
    if (out->folder >= 0)
        close(out->folder);
    free(out->path);
}
