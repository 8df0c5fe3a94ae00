/* Inputs to be removed when their outputs are on disk.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "removal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FILES_MAX 512
#define BYTES_MAX (64 * 1024 * 1024)       /* of inputs and outputs, which exist together */
#define BYTES_FREE (4 * (off_t) BYTES_MAX) /* with less free space, files are removed one by one */
#define OTHER_DESCRIPTORS 64

struct removal {
    struct output out;
    char *path, *name;
    struct stat st;
    int error; /* errno of a failed sync */
};

/* Changed only while the signals are blocked. */
static struct removal waiting[FILES_MAX];
static size_t count;
static off_t bytes;

/* Most files that may wait: each has a descriptor, and perhaps one of its folder. */
static size_t files_max(void)
{
    static size_t max;
    struct rlimit limit;

    if (!max) {
        max = FILES_MAX;
        if (getrlimit(RLIMIT_NOFILE, &limit))
            max = 1;
        else if (limit.rlim_cur < OTHER_DESCRIPTORS + 2 * FILES_MAX)
            max = limit.rlim_cur < OTHER_DESCRIPTORS + 2
                      ? 1
                      : ((size_t) limit.rlim_cur - OTHER_DESCRIPTORS) / 2;
    }
    return max;
}

static int is_nearly_full(int fd)
{
    struct statvfs disk;

    return !fstatvfs(fd, &disk) && disk.f_bavail < (fsblkcnt_t) BYTES_FREE / disk.f_frsize;
}

int removal_waits_for(const struct stat *st)
{
    for (size_t i = 0; i < count; i++)
        if (same_file(&waiting[i].st, st))
            return 1;
    return 0;
}

/* Shares the folder's descriptor with the previous entry if both are in the same folder. */
static void share_folder(struct output *out)
{
    struct stat st, before;
    int last = count ? waiting[count - 1].out.folder : -1;

    if (last >= 0 && !fstat(out->folder, &st) && !fstat(last, &before) && same_file(&st, &before)) {
        close(out->folder);
        out->folder = last;
    }
}

static int has_own_folder(size_t i)
{
    return !i || waiting[i].out.folder != waiting[i - 1].out.folder;
}

void removal_add(struct output *out, const char *path, const char *name, const struct stat *st)
{
    struct removal *r = &waiting[count];
    sigset_t before;
    struct stat result;

    share_folder(out);
    memset(r, 0, sizeof *r);
    r->out.fd = out->fd;
    r->out.folder = out->folder;
    r->path = strcpy(need_memory(strlen(path) + 1), path);
    r->name = strcpy(need_memory(strlen(name) + 1), name);
    r->st = *st;
    out->fd = out->folder = -1;
    bytes += st->st_size + (fstat(r->out.fd, &result) ? 0 : result.st_size);
    output_block_signals(&before);
    count++;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (count == files_max() || bytes >= BYTES_MAX || (count == 1 && is_nearly_full(r->out.fd)))
        removal_finish();
}

static void sync_all(void)
{
    int folder_error = 0;

    /* All are written while the first one is waited for. */
    for (size_t i = 0; i < count; i++)
        output_start_sync(&waiting[i].out);
    for (size_t i = 0; i < count; i++)
        waiting[i].error = output_sync_contents(&waiting[i].out) ? errno : 0;
    for (size_t i = 0; i < count; i++) {
        if (has_own_folder(i))
            folder_error = output_sync_name(&waiting[i].out) ? errno : 0;
        if (!waiting[i].error)
            waiting[i].error = folder_error;
    }
}

enum removed { REMOVED, REPLACED, NOT_REMOVED };

static enum removed remove_input(const struct removal *r)
{
    struct stat st;

    /* Another file may have the input's name by now. */
    if (lstat(r->path, &st) || (!S_ISLNK(st.st_mode) && !same_file(&st, &r->st)))
        return REPLACED;
    return unlink(r->path) ? NOT_REMOVED : REMOVED;
}

static void remove_and_report(const struct removal *r)
{
    enum removed removed;

    if (r->error) {
        error("%s: kept, because the output may not be on disk: %s", r->name, strerror(r->error));
        return;
    }
    removed = remove_input(r);
    if (removed == REPLACED)
        warning("%s: not removed, because it was replaced meanwhile", r->name);
    else if (removed == NOT_REMOVED)
        warning("%s: cannot remove: %s", r->name, strerror(errno));
}

void removal_finish_quietly(void)
{
    sync_all();
    for (size_t i = 0; i < count; i++)
        if (!waiting[i].error)
            remove_input(&waiting[i]);
}

void removal_finish(void)
{
    sigset_t before;

    output_block_signals(&before);
    sync_all();
    for (size_t i = 0; i < count; i++) {
        remove_and_report(&waiting[i]);
        close(waiting[i].out.fd);
        if (has_own_folder(i) && i)
            close(waiting[i - 1].out.folder);
        free(waiting[i].path);
        free(waiting[i].name);
    }
    if (count)
        close(waiting[count - 1].out.folder);
    count = 0;
    bytes = 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
}
