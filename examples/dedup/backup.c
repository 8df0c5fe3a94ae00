/* dedup store: divides files into chunks and adds the new ones to the store.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Files are read into one buffer, one after the other, and divided there. When the buffer is full,
 * all its chunks are hashed at once, which keeps all lanes of the multi-buffer hash busy even if
 * files are small. */

#include "snapshot.h"

#include <isa-l_crypto.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define READ_SIZE ((size_t) 1 << 18)
#define BATCH_BYTES ((size_t) 4 << 20)

struct backup {
    struct store store;
    struct stat store_info; /* identifies the store, which is not backed up */
    struct isal_chunker chunker;
    struct buffer manifest; /* the snapshot so far */
    uint64_t entries;
    enum status left_out; /* STATUS_DAMAGE if something could not be read */

    uint8_t *batch; /* chunks to be hashed, then the beginning of the next one */
    size_t batch_size, waiting;
    struct {
        size_t at, digest_at; /* in the batch, in the manifest */
        uint32_t size;
    } chunk[BATCH_CHUNKS];
    size_t chunks;

    struct totals totals;
    uint64_t new_chunks, new_bytes;
    char path[SNAPSHOT_PATH_MAX];
};

static void leave_out(struct backup *b, const char *why)
{
    complain("%s: %s; left out", b->path, why);
    b->left_out = STATUS_DAMAGE;
}

/* Hashes the chunks of the batch and adds the new ones. The bytes after them move to the front. */
static enum status flush_batch(struct backup *b)
{
    const uint8_t *data[BATCH_CHUNKS];
    uint64_t sizes[BATCH_CHUNKS];
    uint8_t digests[BATCH_CHUNKS][DIGEST_SIZE];
    size_t done = 0;

    for (size_t i = 0; i < b->chunks; i++) {
        data[i] = b->batch + b->chunk[i].at;
        sizes[i] = b->chunk[i].size;
        done = b->chunk[i].at + b->chunk[i].size;
    }
    hash_many(data, sizes, b->chunks, digests);
    for (size_t i = 0; i < b->chunks; i++) {
        memcpy(b->manifest.data + b->chunk[i].digest_at, digests[i], DIGEST_SIZE);
        count_chunk(&b->totals, b->chunk[i].size);
        if (store_find(&b->store, digests[i]))
            continue;
        if (store_add(&b->store, digests[i], data[i], b->chunk[i].size) != STATUS_OK)
            return STATUS_ERROR;
        b->new_chunks++;
        b->new_bytes += b->chunk[i].size;
    }
    memmove(b->batch, b->batch + done, b->waiting - done);
    b->waiting -= done;
    b->chunks = 0;
    return STATUS_OK;
}

/* Adds bytes start to end - 1 of the batch as a chunk of the current file. */
static void add_chunk(struct backup *b, size_t start, size_t end)
{
    b->chunk[b->chunks].at = start;
    b->chunk[b->chunks].size = (uint32_t) (end - start);
    b->chunk[b->chunks].digest_at = append(&b->manifest, NULL, DIGEST_SIZE);
    b->chunks++;
}

/* Begins an entry with body_size bytes of its body. Returns its offset in the manifest. */
static size_t add_entry(struct backup *b, char type, const struct stat *info, const void *body,
                        size_t body_size)
{
    uint8_t header[ENTRY_HEADER];
    size_t at;

    header[0] = (uint8_t) type;
    put_le(header + 1, 4, info->st_mode & 07777);
    put_le(header + 5, 8, (uint64_t) info->st_mtim.tv_sec);
    put_le(header + 13, 4, (uint64_t) info->st_mtim.tv_nsec);
    put_le(header + 17, 4, strlen(b->path));
    put_le(header + 21, 8, body_size);
    at = append(&b->manifest, header, sizeof header);
    append(&b->manifest, b->path, strlen(b->path));
    append(&b->manifest, body, body_size);
    b->entries++;
    return at;
}

/* Removes the entry of the current file and its last chunk, which starts at `start`. */
static void drop_file(struct backup *b, size_t entry, size_t start)
{
    for (; b->chunks && b->chunk[b->chunks - 1].digest_at > entry; b->chunks--)
        start = b->chunk[b->chunks - 1].at;
    b->waiting = start;
    b->manifest.len = entry;
    b->entries--;
}

static int has_changed(int fd, const struct stat *info)
{
    struct stat now;

    return fstat(fd, &now) || now.st_size != info->st_size ||
           now.st_mtim.tv_sec != info->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != info->st_mtim.tv_nsec;
}

static enum status store_file(struct backup *b, int fd, const struct stat *info)
{
    size_t entry = add_entry(b, 'f', info, NULL, 8), body = b->manifest.len - 8;
    size_t start = b->waiting; /* of the current chunk */
    uint64_t size = 0;
    ssize_t n;

    isal_chunker_reset(&b->chunker);
    while (1) {
        size_t at = b->waiting, end;

        n = read(fd, b->batch + at, READ_SIZE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        size += (uint64_t) n;
        b->waiting = end = at + (size_t) n;
        while (at < end) {
            size_t used;
            int cut;

            isal_chunker_next(&b->chunker, b->batch + at, end - at, &used, &cut);
            at += used;
            if (!cut)
                continue;
            add_chunk(b, start, at);
            start = at;
            if (b->chunks == BATCH_CHUNKS) {
                if (flush_batch(b) != STATUS_OK)
                    return STATUS_ERROR;
                at -= start;
                end -= start;
                start = 0;
            }
        }
        if (b->waiting > BATCH_BYTES && b->chunks) {
            size_t moved = b->chunk[b->chunks - 1].at + b->chunk[b->chunks - 1].size;

            if (flush_batch(b) != STATUS_OK)
                return STATUS_ERROR;
            start -= moved;
        }
    }
    if (n < 0) {
        leave_out(b, strerror(errno));
        drop_file(b, entry, start);
        return STATUS_OK;
    }
    if (has_changed(fd, info)) {
        complain("%s: it changed while it was read", b->path);
        b->left_out = STATUS_DAMAGE;
    }
    if (start < b->waiting)
        add_chunk(b, start, b->waiting);
    put_le(b->manifest.data + entry + 21, 8, b->manifest.len - body);
    put_le(b->manifest.data + body, 8, size);
    b->totals.files++;
    b->totals.bytes += size;
    return b->chunks == BATCH_CHUNKS ? flush_batch(b) : STATUS_OK;
}

struct folder {
    struct backup *backup;
    int fd;
};

static enum status store_entry(void *arg, const char *name);

static enum status store_link(struct backup *b, int folder, const char *name,
                              const struct stat *info)
{
    char target[SNAPSHOT_PATH_MAX];
    ssize_t n = readlinkat(folder, name, target, sizeof target - 1);

    if (n <= 0 || (size_t) n >= sizeof target - 1) {
        leave_out(b, n < 0 ? strerror(errno) : "its target is too long");
    } else {
        add_entry(b, 'l', info, target, (size_t) n);
        b->totals.links++;
    }
    return STATUS_OK;
}

/* Stores the entry `name` of a folder, whatever its type, under b->path. */
static enum status store_any(struct backup *b, int folder, const char *name)
{
    struct folder inner = {b, -1};
    struct stat info;
    enum status status = STATUS_OK;

    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW)) {
        leave_out(b, strerror(errno));
        return STATUS_OK;
    }
    if (S_ISLNK(info.st_mode))
        return store_link(b, folder, name, &info);
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        leave_out(b, "not a file, folder or link");
        return STATUS_OK;
    }
    if (info.st_dev == b->store_info.st_dev && info.st_ino == b->store_info.st_ino)
        return STATUS_OK; /* the store itself */
    inner.fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (inner.fd < 0 || fstat(inner.fd, &info)) {
        leave_out(b, strerror(errno));
    } else if (S_ISREG(info.st_mode)) {
        status = store_file(b, inner.fd, &info);
    } else if (S_ISDIR(info.st_mode)) {
        add_entry(b, 'd', &info, NULL, 0);
        b->totals.folders++;
        status = for_each_name(inner.fd, store_entry, &inner);
        if (status == STATUS_DAMAGE) {
            leave_out(b, "its contents cannot be read");
            status = STATUS_OK;
        }
    }
    if (inner.fd >= 0)
        close(inner.fd);
    return status;
}

static enum status store_entry(void *arg, const char *name)
{
    const struct folder *f = arg;
    struct backup *b = f->backup;
    size_t len = strlen(b->path);
    enum status status = STATUS_OK;

    if (len + strlen(name) + 2 > sizeof b->path) {
        leave_out(b, "a path in it is too long");
        return STATUS_OK;
    }
    snprintf(b->path + len, sizeof b->path - len, "/%s", name);
    status = store_any(b, f->fd, name);
    b->path[len] = 0;
    return status;
}

/* Stores a folder or file of the command line under the last part of its name. */
static enum status store_root(struct backup *b, const char *root)
{
    char *real = realpath(root, NULL);
    const char *name = real ? strrchr(real, '/') + 1 : NULL;
    enum status status;

    if (!real) {
        complain("%s: %s", root, strerror(errno));
        return STATUS_ERROR;
    }
    if (!*name)
        name = "root";
    snprintf(b->path, sizeof b->path, "%s", name);
    status = store_any(b, AT_FDCWD, real);
    free(real);
    return status;
}

/* Roots with the same name would be restored to the same place. */
static enum status check_roots(char *const *roots, size_t n)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        char *a = realpath(roots[i], NULL);

        if (!a) {
            complain("%s: %s", roots[i], strerror(errno));
            return STATUS_ERROR;
        }
        for (size_t j = 0; j < i && status == STATUS_OK; j++) {
            char *b = realpath(roots[j], NULL);

            if (b && !strcmp(strrchr(a, '/'), strrchr(b, '/'))) {
                complain("%s and %s have the same name: store them one at a time", roots[j],
                         roots[i]);
                status = STATUS_ERROR;
            }
            free(b);
        }
        free(a);
    }
    return status;
}

static enum status finish_snapshot(struct backup *b, const char *name)
{
    uint8_t digest[1][DIGEST_SIZE];
    uint64_t size = b->manifest.len;

    put_le(b->manifest.data + 8, 8, b->entries);
    hash_many((const uint8_t *const[]){b->manifest.data}, &size, 1, digest);
    append(&b->manifest, digest, DIGEST_SIZE);
    return write_whole(b->store.snapshots, name, b->manifest.data, b->manifest.len);
}

static void report(const struct backup *b, const char *name, double elapsed)
{
    const struct totals *t = &b->totals;
    uint64_t duplicate = t->bytes - b->new_bytes;

    printf("snapshot         %s\n", name);
    printf("files            %" PRIu64 "\n", t->files);
    printf("bytes            %" PRIu64 "\n", t->bytes);
    printf("new bytes        %" PRIu64 "\n", b->new_bytes);
    printf("duplicate bytes  %" PRIu64 " (%.1f %%)\n", duplicate,
           t->bytes ? 100 * (double) duplicate / (double) t->bytes : 0);
    printf("chunks           %" PRIu64 ", %" PRIu64 " of them new\n", t->chunks, b->new_chunks);
    printf("seconds          %.2f (%.0f MB/s)\n", elapsed,
           elapsed > 0 ? (double) t->bytes / elapsed / 1e6 : 0);
    print_histogram("chunk sizes", t);
}

/* Checks the name and the sizes against the open store, and begins the snapshot. */
static enum status begin_snapshot(struct backup *b, const char *name)
{
    struct stat info;

    if (!fstatat(b->store.snapshots, name, &info, AT_SYMLINK_NOFOLLOW)) {
        complain("snapshot %s already exists", name);
        return STATUS_ERROR;
    }
    if (isal_chunker_init(&b->chunker, b->store.min, b->store.avg, b->store.max)) {
        complain("the chunk sizes are out of range: 64 <= MIN, MIN + 32 <= AVG <= MAX <= 16M");
        return STATUS_ERROR;
    }
    fstat(b->store.folder, &b->store_info);
    /* the bytes after which a batch is flushed, an unfinished chunk, and the data of one read */
    b->batch = allocate(BATCH_BYTES + b->store.max + 2 * READ_SIZE, 1);
    append(&b->manifest, SNAPSHOT_MAGIC, 8);
    append(&b->manifest, NULL, 8);
    return STATUS_OK;
}

/* Adds the roots to the open store as a snapshot. Returns STATUS_DAMAGE if files were left out. */
static enum status store_roots(struct backup *b, const char *name, char *const *roots, size_t n)
{
    double start = seconds(); /* without the time spent waiting for the lock */
    char now[32];
    time_t t = time(NULL);
    enum status status;

    if (!name) {
        strftime(now, sizeof now, "%Y%m%d-%H%M%S", gmtime(&t));
        name = now;
    }
    status = begin_snapshot(b, name);
    for (size_t i = 0; i < n && status == STATUS_OK; i++)
        status = store_root(b, roots[i]);
    if (status == STATUS_OK)
        status = flush_batch(b);
    if (status == STATUS_OK)
        status = store_commit(&b->store);
    if (status == STATUS_OK)
        status = finish_snapshot(b, name);
    if (status != STATUS_OK)
        return status;
    report(b, name, seconds() - start);
    return b->left_out;
}

enum status command_store(const char *store, const char *name, const uint32_t sizes[3],
                          uint32_t wait, char *const *roots, size_t n)
{
    struct backup *b = allocate(1, sizeof *b);
    enum status status = check_roots(roots, n);

    b->store.min = sizes[0];
    b->store.avg = sizes[1];
    b->store.max = sizes[2];
    b->store.wait = wait;
    if (status == STATUS_OK) {
        status = store_open(&b->store, store, 1);
        if (status == STATUS_OK)
            status = store_roots(b, name, roots, n);
        store_close(&b->store);
    }
    free(b->manifest.data);
    free(b->batch);
    free(b);
    return status;
}
