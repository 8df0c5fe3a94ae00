/* Output files that are published complete or not at all, and reads and writes of exact length.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "program.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int is_temporary(const char *name)
{
    size_t n = strlen(program_name);

    return name[0] == '.' && !strncmp(name + 1, program_name, n) && name[1 + n] == '-';
}

int output_open(struct output *out, int folder, mode_t mode)
{
    static unsigned count;

    out->folder = folder;
    out->has_temporary = 0;
    /* A name may be in use by the file of a killed process with the same process number. */
    do {
        snprintf(out->temporary, sizeof out->temporary, ".%s-%ld-%u.tmp", program_name,
                 (long) getpid(), count++);
        out->fd = openat(folder, out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (out->fd < 0 && errno == EEXIST);
    out->has_temporary = out->fd >= 0;
    return out->fd < 0 ? -1 : 0;
}

int output_write(const struct output *out, const void *data, size_t len, uint64_t offset)
{
    const char *p = data;

    while (len) {
        ssize_t n = pwrite(out->fd, p, len, (off_t) offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : ENOSPC;
            return -1;
        }
        p += n;
        len -= (size_t) n;
        offset += (uint64_t) n;
    }
    return 0;
}

int output_sync(struct output *out)
{
    int fd = out->fd, result;

    do
        result = fsync(fd);
    while (result && errno == EINTR);
    if (result)
        return -1;
    out->fd = -1;
    return close(fd);
}

int output_publish(struct output *out, const char *name, int replace)
{
    struct stat existing;

    if (!replace) {
        /* Unlike a rename, a link never replaces a file that was created meanwhile. */
        if (!linkat(out->folder, out->temporary, out->folder, name, 0)) {
            output_discard(out);
            return 0;
        }
        if (errno == EEXIST)
            return -1;
        /* The file system has no links: check, then rename. */
        if (!fstatat(out->folder, name, &existing, AT_SYMLINK_NOFOLLOW)) {
            errno = EEXIST;
            return -1;
        }
    }
    if (renameat(out->folder, out->temporary, out->folder, name))
        return -1;
    out->has_temporary = 0;
    return 0;
}

void output_discard(struct output *out)
{
    int saved = errno;

    if (out->fd >= 0)
        close(out->fd);
    if (out->has_temporary)
        unlinkat(out->folder, out->temporary, 0);
    out->fd = -1;
    out->has_temporary = 0;
    errno = saved;
}

ssize_t read_at(int fd, void *data, size_t len, uint64_t offset)
{
    char *p = data;
    size_t done = 0;

    while (done < len) {
        ssize_t n = pread(fd, p + done, len - done, (off_t) (offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += (size_t) n;
    }
    return (ssize_t) done;
}

int sync_folder(int folder)
{
    /* Some file systems cannot sync a folder and say so with EINVAL. */
    return fsync(folder) && errno != EINVAL ? -1 : 0;
}
