/* A file that gets its name only when it is complete.
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
#include "removal.h"

static const int ending_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
#define SIGNALS (sizeof ending_signals / sizeof *ending_signals)

#define PREFIX ".igzip-"
#define SUFFIX ".part"

/* gzip -r compresses every file whose suffix it does not know. It skips files with the sticky bit
 * and, even with -f, those with the set-group-ID bit. A write clears neither bit, unlike the
 * set-user-ID bit. */
#ifdef __linux__
#define UNFINISHED_MODE (S_ISGID | S_ISVTX)
#else
#define UNFINISHED_MODE 0 /* not every system allows these bits on a regular file */
#endif

/* A writable folder need not be readable. */
#ifdef O_PATH
#define FOLDER_ACCESS O_PATH
#else
#define FOLDER_ACCESS O_RDONLY
#endif

/* The temporary file. Changed only while the signals are blocked. */
static struct {
    volatile sig_atomic_t exists;
    int folder;
    char name[64];
} unfinished;

int output_is_unfinished(const char *path)
{
    const char *name = name_base(path);
    size_t n = strlen(name), prefix = strlen(PREFIX), suffix = strlen(SUFFIX);

    return n > prefix + suffix && !strncmp(name, PREFIX, prefix) &&
           !strcmp(name + n - suffix, SUFFIX);
}

void output_remove_unfinished(void)
{
    if (unfinished.exists)
        unlinkat(unfinished.folder, unfinished.name, 0);
    unfinished.exists = 0;
}

static void handle_signal(int number)
{
    output_remove_unfinished();
    removal_finish_quietly();
    signal(number, SIG_DFL);
    raise(number);
}

void output_catch_signals(void)
{
    struct sigaction action = {.sa_handler = handle_signal}, before;

    for (size_t i = 0; i < SIGNALS; i++)
        if (!sigaction(ending_signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
}

void output_block_signals(sigset_t *before)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&set, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

/* A new temporary name. If it exists, it belongs to a process with the same number on another
 * machine, or to one that was killed. */
static const char *next_name(void)
{
    static unsigned count;

    snprintf(unfinished.name, sizeof unfinished.name, PREFIX "%ld-%u" SUFFIX, (long) getpid(),
             count++);
    return unfinished.name;
}

/* A path for linkat() to a file without a name. */
struct self {
    char path[64];
};

static struct self self_path(int fd)
{
    struct self self;

    snprintf(self.path, sizeof self.path, "/proc/self/fd/%d", fd);
    return self;
}

/* Makes a file without a name. Returns -1 if it could not get a name later. */
static int open_unnamed(int folder)
{
#ifdef O_TMPFILE
    static int can_be_named;
    struct stat st, self;
    int fd = openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, S_IRUSR | S_IWUSR);

    if (fd >= 0 && !can_be_named)
        can_be_named = !fstat(fd, &st) && !stat(self_path(fd).path, &self) && same_file(&st, &self);
    if (fd < 0 || can_be_named)
        return fd;
    close(fd);
#else
    (void) folder;
#endif
    return -1;
}

static int open_named(int folder)
{
    sigset_t before;
    int fd;

    output_block_signals(&before);
    do
        fd = openat(folder, next_name(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    S_IRUSR | S_IWUSR | UNFINISHED_MODE);
    while (fd < 0 && errno == EEXIST);
    unfinished.folder = folder;
    unfinished.exists = fd >= 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

static mode_t default_mode(void)
{
    static mode_t mask = (mode_t) -1;

    if (mask == (mode_t) -1)
        umask(mask = umask(0));
    return 0666 & ~mask;
}

int output_open(struct output *out, const char *path)
{
    size_t folder = (size_t) (name_base(path) - path);

    out->fd = -1;
    out->path = need_memory(folder + 1);
    memcpy(out->path, path, folder);
    out->path[folder] = 0;
    out->mode = default_mode();
    out->folder = open(folder ? out->path : ".", FOLDER_ACCESS | O_DIRECTORY | O_CLOEXEC);
    if (out->folder < 0)
        return -1;
    out->fd = open_unnamed(out->folder);
    if (out->fd < 0)
        out->fd = open_named(out->folder);
    return out->fd < 0 ? -1 : 0;
}

void output_attributes(struct output *out, const struct stat *st)
{
    struct timespec times[2];

    out->mode = st->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    /* Only a privileged user may change the owner. If the group cannot be kept, the new group gets
     * no more rights than others have. */
    if (fchown(out->fd, st->st_uid, st->st_gid) && fchown(out->fd, (uid_t) -1, st->st_gid))
        out->mode &= (mode_t) ~S_IRWXG | (out->mode & S_IRWXO) << 3;
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

/* Reports a failed write as close() does, but keeps the file open. */
static int flush_file(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    return copy < 0 ? -1 : close(copy);
}

static int link_unnamed(const struct output *out, const char *name)
{
    return linkat(AT_FDCWD, self_path(out->fd).path, out->folder, name, AT_SYMLINK_FOLLOW);
}

/* Unlike a rename, a link never replaces a file that has appeared meanwhile. */
static int publish_new(const struct output *out, const char *name)
{
    struct stat existing;

    if (!unfinished.exists)
        return link_unnamed(out, name);
    if (!linkat(out->folder, unfinished.name, out->folder, name, 0)) {
        output_remove_unfinished();
        return 0;
    }
    if (errno == EEXIST)
        return -1;
    if (!fstatat(out->folder, name, &existing, AT_SYMLINK_NOFOLLOW)) {
        errno = EEXIST; /* the file system has no links */
        return -1;
    }
    if (renameat(out->folder, unfinished.name, out->folder, name))
        return -1;
    unfinished.exists = 0;
    return 0;
}

static int publish_over(const struct output *out, const char *name)
{
    int result = 0;

    if (!unfinished.exists) {
        do
            result = link_unnamed(out, next_name());
        while (result && errno == EEXIST);
        unfinished.folder = out->folder;
        unfinished.exists = !result;
    }
    if (!result)
        result = renameat(out->folder, unfinished.name, out->folder, name);
    if (!result)
        unfinished.exists = 0;
    return result;
}

static void set_mode(const struct output *out, const char *name, mode_t mode)
{
    if (fchmod(out->fd, mode))
        warning("%s%s: the mode could not be set: %s", out->path, name, strerror(errno));
}

int output_publish(struct output *out, const char *name, int replace)
{
    mode_t temporary = out->mode | (UNFINISHED_MODE & S_ISVTX);
    int was_temporary = unfinished.exists, result;
    sigset_t before;

    if (flush_file(out->fd))
        return -1;
    set_mode(out, name, was_temporary ? temporary : out->mode);
    output_block_signals(&before);
    result = publish_new(out, name);
    if (result && errno == EEXIST && replace) {
        was_temporary = 1;
        set_mode(out, name, temporary);
        result = publish_over(out, name);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!result && was_temporary)
        set_mode(out, name, out->mode);
    return result;
}

static int sync_file(int fd)
{
    int result;

    do
        result = fsync(fd);
    while (result && errno == EINTR);
    return result && errno != EINVAL ? -1 : 0; /* EINVAL: this kind of file cannot be synced */
}

int output_sync_contents(const struct output *out)
{
    return sync_file(out->fd);
}

int output_sync_name(const struct output *out)
{
    int fd = openat(out->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), result, error;

#ifdef __linux__
    if (fd < 0 && errno == EACCES)
        return syncfs(out->fd);
#endif
    if (fd < 0)
        return -1;
    result = sync_file(fd);
    error = errno;
    close(fd);
    errno = error;
    return result;
}

void output_start_sync(const struct output *out)
{
#ifdef SYNC_FILE_RANGE_WRITE
    sync_file_range(out->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void) out;
#endif
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
