/* dedup restore and dedup stats.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH_BYTES ((size_t) 4 << 20)

struct restore {
    struct store store;
    int target;
    char folder
        [SNAPSHOT_PATH_MAX]; /* path of the last folder; contains the parents of further entries */
    uint8_t *batch;
    struct totals totals;
    enum status damage;
};

/* ---- Files ---- */

static int is_zero(const uint8_t *data, uint64_t size)
{
    return !data[0] && !memcmp(data, data + 1, (size_t) size - 1);
}

/* Writes consecutive chunks, and leaves holes for chunks of zeros. */
static int write_chunks(struct output *out, const uint8_t *const *data, const uint64_t *sizes,
                        size_t n, uint64_t at)
{
    for (size_t i = 0; i < n;) {
        uint64_t size = 0;
        size_t first = i;

        for (; i < n && !is_zero(data[i], sizes[i]); i++)
            size += sizes[i];
        if (size && output_write(out, data[first], (size_t) size, at))
            return -1;
        for (at += size; i < n && is_zero(data[i], sizes[i]); i++)
            at += sizes[i];
    }
    return 0;
}

/* Reads up to n chunks, as many as fit in the batch, verifies their digests and writes them at *at.
 * Returns the number of chunks, or 0 after a message. */
static size_t restore_chunks(struct restore *r, const struct entry *entry, const uint8_t *digests,
                             size_t n, struct output *out, uint64_t *at)
{
    const uint8_t *data[BATCH_CHUNKS];
    uint64_t sizes[BATCH_CHUNKS];
    uint8_t found[BATCH_CHUNKS][DIGEST_SIZE];
    size_t count = 0, used = 0;

    while (count < n && count < BATCH_CHUNKS) {
        const struct chunk *chunk = store_find(&r->store, digests + count * DIGEST_SIZE);

        if (!chunk) {
            complain("%s: one of its chunks is not in the store", entry->path);
            return 0;
        }
        if (count && used + chunk->size > BATCH_BYTES)
            break;
        if (store_read(&r->store, chunk, r->batch + used) != STATUS_OK)
            return 0;
        data[count] = r->batch + used;
        sizes[count++] = chunk->size;
        used += chunk->size;
    }
    hash_many(data, sizes, count, found);
    if (memcmp(found, digests, count * DIGEST_SIZE)) {
        complain("%s: one of its chunks is damaged", entry->path);
        return 0;
    }
    if (write_chunks(out, data, sizes, count, *at)) {
        complain("%s: %s", entry->path, strerror(errno));
        return 0;
    }
    *at += used;
    return count;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void set_times(int folder, const char *name, const struct entry *entry)
{
    const struct timespec times[2] = {
        {.tv_sec = (time_t) entry->seconds, .tv_nsec = (long) entry->nanoseconds},
        {.tv_sec = (time_t) entry->seconds, .tv_nsec = (long) entry->nanoseconds}};

    utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW);
}

/* Restores a file, which appears complete or not at all. */
static enum status restore_file(struct restore *r, int folder, const struct entry *entry)
{
    const uint8_t *digests = entry->body + 8;
    size_t n = (entry->body_size - 8) / DIGEST_SIZE;
    uint64_t at = 0;
    struct output out;

    if (output_open(&out, folder, 0600)) {
        complain("%s: %s", entry->path, strerror(errno));
        return STATUS_ERROR;
    }
    while (n) {
        size_t done = restore_chunks(r, entry, digests, n, &out, &at);

        if (!done) {
            output_discard(&out);
            return STATUS_DAMAGE;
        }
        digests += done * DIGEST_SIZE;
        n -= done;
    }
    if (at != get_le(entry->body, 8)) {
        complain("%s: the size of its chunks differs from its size", entry->path);
        output_discard(&out);
        return STATUS_DAMAGE;
    }
    if (ftruncate(out.fd, (off_t) at) || fchmod(out.fd, entry->mode & 0777) || output_sync(&out) ||
        output_publish(&out, last_part(entry->path), 0)) {
        complain("%s: %s", entry->path, strerror(errno));
        output_discard(&out);
        return STATUS_ERROR;
    }
    set_times(folder, last_part(entry->path), entry);
    r->totals.files++;
    r->totals.bytes += at;
    return STATUS_OK;
}

/* ---- Trees ---- */

/* Opens the folder of an entry, or returns -1 after a message. It must be a folder that this run
 * has created, so that no snapshot leads out of the target, not even by links. */
static int parent_of(const struct restore *r, const struct entry *entry)
{
    char parent[SNAPSHOT_PATH_MAX];
    size_t n = (size_t) (last_part(entry->path) - entry->path);
    int fd;

    memcpy(parent, n ? entry->path : ".", n ? n : 2);
    if (n) {
        parent[n - 1] = 0;
        if (strncmp(parent, r->folder, n - 1) || (r->folder[n - 1] && r->folder[n - 1] != '/')) {
            complain("%s: its folder is not in the snapshot", entry->path);
            return -1;
        }
    }
    fd = openat(r->target, parent, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        complain("%s: %s", parent, strerror(errno));
    return fd;
}

static enum status restore_entry(struct restore *r, const struct entry *entry)
{
    const char *name = last_part(entry->path);
    int folder = parent_of(r, entry);
    enum status status = STATUS_OK;

    if (folder < 0)
        return STATUS_DAMAGE;
    if (entry->type == 'f') {
        status = restore_file(r, folder, entry);
    } else if (entry->type == 'd') {
        if (mkdirat(folder, name, 0700)) {
            complain("%s: %s", entry->path, strerror(errno));
            status = STATUS_ERROR;
        } else {
            memcpy(r->folder, entry->path, strlen(entry->path) + 1);
            r->totals.folders++;
        }
    } else {
        char link[SNAPSHOT_PATH_MAX];

        memcpy(link, entry->body, entry->body_size);
        link[entry->body_size] = 0;
        if (symlinkat(link, folder, name)) {
            complain("%s: %s", entry->path, strerror(errno));
            status = STATUS_ERROR;
        } else {
            set_times(folder, name, entry);
            r->totals.links++;
        }
    }
    close(folder);
    return status;
}

/* Sets modes and times of folders after their contents have been restored. */
static void finish_folders(struct restore *r, struct snapshot *snapshot)
{
    struct entry *entry = allocate(1, sizeof *entry);
    size_t *at = NULL, n = 0, capacity = 0;

    snapshot->left = get_le(snapshot->data + 8, 8);
    for (snapshot->at = SNAPSHOT_HEADER; snapshot->left;) {
        size_t here = snapshot->at;

        if (snapshot_next(snapshot, entry) <= 0)
            break;
        if (entry->type != 'd')
            continue;
        if (n == capacity) {
            size_t *more = allocate(capacity = 2 * capacity + 64, sizeof *more);

            if (n)
                memcpy(more, at, n * sizeof *at);
            free(at);
            at = more;
        }
        at[n++] = here;
    }
    while (n--) { /* inner folders first: the modes of outer ones may deny access */
        int fd;

        snapshot->at = at[n];
        snapshot->left = 1;
        snapshot_next(snapshot, entry);
        fd = openat(r->target, entry->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (fchmod(fd, entry->mode & 0777) || sync_folder(fd))
            complain("%s: %s", entry->path, strerror(errno));
        set_times(r->target, entry->path, entry);
        close(fd);
    }
    free(at);
    free(entry);
}

static enum status newest(void *arg, const char *name)
{
    if (name[0] != '.')
        snprintf(arg, SNAPSHOT_PATH_MAX, "%s", name);
    return STATUS_OK;
}

static enum status any_name(void *arg, const char *name)
{
    (void) arg;
    (void) name;
    return STATUS_ERROR;
}

static enum status open_target(struct restore *r, const char *target)
{
    if (mkdir(target, 0777) && errno != EEXIST) {
        complain("%s: %s", target, strerror(errno));
        return STATUS_ERROR;
    }
    r->target = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (r->target < 0) {
        complain("%s: %s", target, strerror(errno));
        return STATUS_ERROR;
    }
    if (for_each_name(r->target, any_name, NULL) != STATUS_OK) {
        complain("%s is not empty", target);
        return STATUS_ERROR;
    }
    return STATUS_OK;
}

enum status command_restore(const char *store, const char *name, const char *target)
{
    struct restore *r = allocate(1, sizeof *r);
    struct entry *entry = allocate(1, sizeof *entry);
    struct snapshot snapshot = {0};
    char chosen[SNAPSHOT_PATH_MAX] = "";
    enum status status = store_open(&r->store, store, 0);
    int more = 0;

    r->target = -1;
    if (status == STATUS_OK && !name) {
        for_each_name(r->store.snapshots, newest, chosen);
        name = chosen;
    }
    if (status == STATUS_OK && !*name) {
        complain("the store has no snapshot");
        status = STATUS_ERROR;
    }
    if (status == STATUS_OK)
        status = snapshot_load(&snapshot, &r->store, name);
    if (status == STATUS_OK)
        status = open_target(r, target);
    if (status == STATUS_OK) {
        r->batch = allocate(BATCH_BYTES + MAX_CHUNK, 1);
        while ((more = snapshot_next(&snapshot, entry)) > 0) {
            status = restore_entry(r, entry);
            if (status == STATUS_ERROR)
                break;
            if (status == STATUS_DAMAGE)
                r->damage = STATUS_DAMAGE;
        }
        if (more < 0) {
            complain("snapshots/%s is malformed", name);
            r->damage = STATUS_DAMAGE;
        }
        if (status != STATUS_ERROR) {
            finish_folders(r, &snapshot);
            sync_folder(r->target);
            status = r->damage;
            printf("restored %s: %" PRIu64 " files, %" PRIu64 " bytes%s\n", name, r->totals.files,
                   r->totals.bytes, status == STATUS_OK ? "" : "; some could not be restored");
        }
    }
    store_close(&r->store);
    if (r->target >= 0)
        close(r->target);
    free(snapshot.data);
    free(r->batch);
    free(entry);
    free(r);
    return status;
}

/* ---- Statistics ---- */

struct stats {
    struct store store;
    struct totals all;
    uint64_t snapshots;
    enum status status;
};

static enum status count_snapshot(void *arg, const char *name)
{
    struct stats *s = arg;
    struct snapshot snapshot;
    struct entry *entry;
    uint64_t files = s->all.files, bytes = s->all.bytes;
    enum status status;
    int more;

    if (name[0] == '.')
        return STATUS_OK;
    status = snapshot_load(&snapshot, &s->store, name);
    if (status != STATUS_OK) {
        s->status = STATUS_DAMAGE;
        return STATUS_OK;
    }
    entry = allocate(1, sizeof *entry);
    while ((more = snapshot_next(&snapshot, entry)) > 0) {
        if (entry->type != 'f')
            continue;
        s->all.files++;
        s->all.bytes += get_le(entry->body, 8);
        for (size_t i = 8; i < entry->body_size; i += DIGEST_SIZE)
            if (!store_find(&s->store, entry->body + i)) {
                complain("snapshots/%s: %s: a chunk is not in the store", name, entry->path);
                s->status = STATUS_DAMAGE;
            }
    }
    if (more < 0) {
        complain("snapshots/%s is malformed", name);
        s->status = STATUS_DAMAGE;
    }
    printf("  %-24s %10" PRIu64 " files %14" PRIu64 " bytes\n", name, s->all.files - files,
           s->all.bytes - bytes);
    s->snapshots++;
    free(entry);
    free(snapshot.data);
    return STATUS_OK;
}

enum status command_stats(const char *store)
{
    struct stats *s = allocate(1, sizeof *s);
    enum status status = store_open(&s->store, store, 0);

    s->status = STATUS_OK;
    if (status == STATUS_OK) {
        uint64_t unique = s->store.bytes;

        printf("snapshots\n");
        status = for_each_name(s->store.snapshots, count_snapshot, s);
        for (size_t i = 0; i < s->store.capacity; i++)
            if (s->store.table[i].size)
                count_chunk(&s->all, s->store.table[i].size);
        printf("in all           %" PRIu64 " snapshots, %" PRIu64 " files, %" PRIu64 " bytes\n",
               s->snapshots, s->all.files, s->all.bytes);
        printf("unique bytes     %" PRIu64 " in %" PRIu64 " chunks\n", unique, s->all.chunks);
        if (s->all.bytes >= unique)
            printf("duplicate bytes  %" PRIu64 " (%.1f %%)\n", s->all.bytes - unique,
                   s->all.bytes ? 100 * (double) (s->all.bytes - unique) / (double) s->all.bytes
                                : 0);
        print_histogram("chunk sizes", &s->all);
        if (status == STATUS_OK)
            status = s->status;
    }
    store_close(&s->store);
    free(s);
    return status;
}
