/* The store: packs, their index, and files that are published complete.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PACK_MAGIC "DDPACK1\n"
#define END_MAGIC "DDPEND1\n"
#define MAGIC_SIZE 8
#define ENTRY_SIZE (DIGEST_SIZE + 4)
#define TRAILER_SIZE (8 + DIGEST_SIZE + MAGIC_SIZE) /* chunks, digest of the index, magic */

/* ---- Files ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

enum status for_each_name(int folder, enum status (*fn)(void *arg, const char *name), void *arg)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    char **names = NULL;
    size_t n = 0, capacity = 0;
    enum status status = STATUS_OK;

    if (!dir) {
        complain("cannot read a folder: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return STATUS_DAMAGE;
    }
    errno = 0;
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || !strcmp(entry->d_name, "..")))
            continue;
        if (n == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            names = realloc(names, capacity * sizeof *names);
        }
        if (!names || !(names[n++] = strdup(entry->d_name))) {
            complain("out of memory");
            exit(STATUS_ERROR);
        }
    }
    if (errno) {
        complain("cannot read a folder: %s", strerror(errno));
        status = STATUS_DAMAGE;
    }
    closedir(dir);
    if (n)
        qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++) {
        if (status == STATUS_OK)
            status = fn(arg, names[i]);
        free(names[i]);
    }
    free(names);
    return status;
}

enum status read_whole(int folder, const char *name, uint8_t **data, size_t *size)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat info;
    enum status status = STATUS_ERROR;

    *data = NULL;
    if (fd < 0)
        return STATUS_ERROR;
    if (!fstat(fd, &info)) {
        *size = (size_t) info.st_size;
        *data = allocate(*size + 1, 1);
        if (read_at(fd, *data, *size, 0) == (ssize_t) *size)
            status = STATUS_OK;
    }
    if (status != STATUS_OK) {
        free(*data);
        *data = NULL;
    }
    close(fd);
    return status;
}

enum status write_whole(int folder, const char *name, const void *data, size_t size)
{
    struct output out;

    if (!output_open(&out, folder, 0666) && !output_write(&out, data, size, 0) &&
        !output_sync(&out) && !output_publish(&out, name, 0) && !sync_folder(folder))
        return STATUS_OK;
    complain("%s: %s", name, strerror(errno));
    output_discard(&out);
    return STATUS_ERROR;
}

/* ---- The index ---- */

static struct chunk *slot_of(const struct store *s, const uint8_t *digest)
{
    size_t i = (size_t) get_le(digest, 8) & (s->capacity - 1);

    while (s->table[i].size && memcmp(s->table[i].digest, digest, DIGEST_SIZE))
        i = (i + 1) & (s->capacity - 1);
    return &s->table[i];
}

const struct chunk *store_find(const struct store *s, const uint8_t *digest)
{
    const struct chunk *chunk = slot_of(s, digest);

    return chunk->size ? chunk : NULL;
}

static void insert(struct store *s, const struct chunk *chunk)
{
    struct chunk *slot;

    if (s->count >= s->capacity / 4 * 3) {
        struct chunk *old = s->table;
        size_t n = s->capacity;

        s->capacity *= 2;
        s->table = allocate(s->capacity, sizeof *s->table);
        for (size_t i = 0; i < n; i++)
            if (old[i].size)
                *slot_of(s, old[i].digest) = old[i];
        free(old);
    }
    slot = slot_of(s, chunk->digest);
    if (slot->size) /* a copied pack may repeat chunks */
        return;
    *slot = *chunk;
    s->count++;
    s->bytes += chunk->size;
}

/* ---- Packs ---- */

static enum status bad_pack(uint32_t number, const char *what)
{
    complain("packs/%08" PRIu32 ": %s", number, what);
    return STATUS_DAMAGE;
}

/* Opens a pack and reads its trailer. Returns STATUS_OK, the descriptor, and the bytes of chunks
 * and index. */
static enum status open_pack(const struct store *s, uint32_t number, const char *name, int *fd,
                             uint8_t trailer[TRAILER_SIZE], uint64_t *size)
{
    uint8_t magic[MAGIC_SIZE];
    struct stat info;

    *fd = openat(s->packs, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (*fd < 0 || fstat(*fd, &info)) {
        complain("packs/%s: %s", name, strerror(errno));
        return STATUS_ERROR;
    }
    *size = (uint64_t) info.st_size;
    if (*size < MAGIC_SIZE + TRAILER_SIZE || read_at(*fd, magic, MAGIC_SIZE, 0) != MAGIC_SIZE ||
        read_at(*fd, trailer, TRAILER_SIZE, *size - TRAILER_SIZE) != TRAILER_SIZE ||
        memcmp(magic, PACK_MAGIC, MAGIC_SIZE) ||
        memcmp(trailer + 8 + DIGEST_SIZE, END_MAGIC, MAGIC_SIZE))
        return bad_pack(number, "not a complete pack");
    *size -= MAGIC_SIZE + TRAILER_SIZE;
    return STATUS_OK;
}

/* Adds the n entries of an index to the table. size: bytes of the pack's chunks. */
static enum status insert_chunks(struct store *s, uint32_t number, const uint8_t *index, uint64_t n,
                                 uint64_t size)
{
    struct chunk chunk = {.pack = number, .offset = MAGIC_SIZE};

    for (; n; n--, index += ENTRY_SIZE) {
        memcpy(chunk.digest, index, DIGEST_SIZE);
        chunk.size = (uint32_t) get_le(index + DIGEST_SIZE, 4);
        if (chunk.size == 0 || chunk.size > MAX_CHUNK || chunk.size > size)
            return bad_pack(number, "its index is damaged");
        insert(s, &chunk);
        chunk.offset += chunk.size;
        size -= chunk.size;
    }
    return STATUS_OK;
}

/* Reads and verifies the index of an open pack. size: bytes of chunks and index, against which
 * every length is checked before it is used. */
static enum status load_index(struct store *s, uint32_t number, int fd, const uint8_t *trailer,
                              uint64_t size)
{
    uint8_t digest[1][DIGEST_SIZE], *index;
    uint64_t n = get_le(trailer, 8), index_size = n * ENTRY_SIZE;
    enum status status;

    if (n > size / ENTRY_SIZE || n > SIZE_MAX / 2 / ENTRY_SIZE)
        return bad_pack(number, "its index is damaged");
    size -= index_size;
    index = allocate((size_t) index_size + 1, 1);
    if (read_at(fd, index, (size_t) index_size, MAGIC_SIZE + size) != (ssize_t) index_size) {
        status = bad_pack(number, "its index cannot be read");
    } else {
        hash_many((const uint8_t *const[]){index}, &index_size, 1, digest);
        status = memcmp(digest, trailer + 8, DIGEST_SIZE)
                     ? bad_pack(number, "its index is damaged")
                     : insert_chunks(s, number, index, n, size);
    }
    free(index);
    return status;
}

static enum status load_pack(void *arg, const char *name)
{
    struct store *s = arg;
    uint8_t trailer[TRAILER_SIZE];
    uint64_t size;
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    enum status status;
    int fd;

    if (strlen(name) != 8 || *end || !number) {
        if (name[0] != '.')
            complain("packs/%s is not a pack; ignored", name);
        return STATUS_OK;
    }
    if (number > s->last_pack)
        s->last_pack = (uint32_t) number;
    status = open_pack(s, (uint32_t) number, name, &fd, trailer, &size);
    if (status == STATUS_OK)
        status = load_index(s, (uint32_t) number, fd, trailer, size);
    if (fd >= 0)
        close(fd);
    return status;
}

enum status store_add(struct store *s, const uint8_t *digest, const uint8_t *data, uint32_t size)
{
    struct chunk chunk = {.pack = s->last_pack + 1, .size = size};
    uint8_t number[4];

    if (!s->pack.has_temporary) {
        if (output_open(&s->pack, s->packs, 0666) ||
            output_write(&s->pack, PACK_MAGIC, MAGIC_SIZE, 0))
            goto failed;
        s->pack_size = MAGIC_SIZE;
        s->index.len = 0;
    }
    if (output_write(&s->pack, data, size, s->pack_size))
        goto failed;
    chunk.offset = s->pack_size;
    s->pack_size += size;
    memcpy(chunk.digest, digest, DIGEST_SIZE);
    insert(s, &chunk);
    append(&s->index, digest, DIGEST_SIZE);
    put_le(number, 4, size);
    append(&s->index, number, 4);
    return STATUS_OK;
failed:
    complain("cannot write a pack: %s", strerror(errno));
    return STATUS_ERROR;
}

enum status store_commit(struct store *s)
{
    uint8_t trailer[TRAILER_SIZE];
    uint64_t size = s->index.len;
    char name[16];

    if (!s->pack.has_temporary)
        return STATUS_OK;
    put_le(trailer, 8, size / ENTRY_SIZE);
    hash_many((const uint8_t *const[]){s->index.data}, &size, 1,
              (uint8_t(*)[DIGEST_SIZE])(trailer + 8));
    memcpy(trailer + 8 + DIGEST_SIZE, END_MAGIC, MAGIC_SIZE);
    snprintf(name, sizeof name, "%08" PRIu32, s->last_pack + 1);
    if (output_write(&s->pack, s->index.data, s->index.len, s->pack_size) ||
        output_write(&s->pack, trailer, TRAILER_SIZE, s->pack_size + s->index.len) ||
        output_sync(&s->pack) || output_publish(&s->pack, name, 0) || sync_folder(s->packs)) {
        complain("cannot write a pack: %s", strerror(errno));
        output_discard(&s->pack);
        return STATUS_ERROR;
    }
    s->last_pack++;
    return STATUS_OK;
}

enum status store_read(struct store *s, const struct chunk *chunk, uint8_t *data)
{
    char name[16];
    ssize_t n;

    if (s->open_pack < 0 || s->open_number != chunk->pack) {
        if (s->open_pack >= 0)
            close(s->open_pack);
        snprintf(name, sizeof name, "%08" PRIu32, chunk->pack);
        s->open_pack = openat(s->packs, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        s->open_number = chunk->pack;
    }
    n = s->open_pack < 0 ? -1 : read_at(s->open_pack, data, chunk->size, chunk->offset);
    if (n == (ssize_t) chunk->size)
        return STATUS_OK;
    complain("packs/%08" PRIu32 ": %s", chunk->pack, n < 0 ? strerror(errno) : "too short");
    return STATUS_DAMAGE;
}

/* ---- Opening ---- */

static enum status remove_leftover(void *arg, const char *name)
{
    if (is_temporary(name))
        unlinkat(*(int *) arg, name, 0);
    return STATUS_OK;
}

static enum status read_format(struct store *s)
{
    uint8_t *data;
    size_t size;
    unsigned version;
    enum status status = STATUS_OK;

    if (read_whole(s->folder, "format", &data, &size) != STATUS_OK) {
        complain("not a store: the file `format` is missing or unreadable");
        return STATUS_ERROR;
    }
    data[size] = 0;
    if (sscanf((char *) data, "dedup %u\nmin %" SCNu32 "\navg %" SCNu32 "\nmax %" SCNu32 "\n",
               &version, &s->min, &s->avg, &s->max) != 4 ||
        version != 1 || s->max > MAX_CHUNK) {
        complain("the format of the store is unknown to this program");
        status = STATUS_ERROR;
    }
    free(data);
    return status;
}

/* Creates the missing folders and the lock of a store. Returns 0, or -1 with errno set. */
static int create_store(struct store *s, const char *path)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return -1;
    s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->folder < 0 || (mkdirat(s->folder, "packs", 0777) && errno != EEXIST) ||
        (mkdirat(s->folder, "snapshots", 0777) && errno != EEXIST))
        return -1;
    s->lock = openat(s->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return s->lock < 0 ? -1 : 0;
}

/* Waits at most s->wait seconds for the lock. A killed process may hold it for a moment. */
static enum status lock_store(const struct store *s, const char *path)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    double begun = seconds();
    int reported = 0;

    while (flock(s->lock, LOCK_EX | LOCK_NB)) {
        double waited;

        if (errno != EWOULDBLOCK) {
            complain("cannot lock the store %s: %s", path, strerror(errno));
            return STATUS_ERROR;
        }
        waited = seconds() - begun;
        if (!reported && waited >= 1 && s->wait > 1) {
            complain("%s: waiting up to %" PRIu32 " s for another process that is adding to it",
                     path, s->wait);
            reported = 1;
        }
        if (waited >= s->wait) {
            complain("%s: another process is adding to it; --wait SECONDS waits longer than "
                     "%" PRIu32 " s",
                     path, s->wait);
            return STATUS_ERROR;
        }
        nanosleep(&pause, NULL);
    }
    return STATUS_OK;
}

/* Records the chunk sizes of a new store. */
static enum status write_format(const struct store *s)
{
    char text[100];
    struct stat info;
    int n;

    if (!fstatat(s->folder, "format", &info, 0))
        return STATUS_OK;
    n = snprintf(text, sizeof text, "dedup 1\nmin %" PRIu32 "\navg %" PRIu32 "\nmax %" PRIu32 "\n",
                 s->min, s->avg, s->max);
    return write_whole(s->folder, "format", text, (size_t) n);
}

enum status store_open(struct store *s, const char *path, int create)
{
    enum status status;

    s->folder = s->packs = s->snapshots = s->lock = s->open_pack = -1;
    s->pack.fd = -1;
    s->capacity = 1024;
    s->table = allocate(s->capacity, sizeof *s->table);
    if (create && create_store(s, path)) {
        complain("cannot open the store %s: %s", path, strerror(errno));
        return STATUS_ERROR;
    }
    if (create && (lock_store(s, path) != STATUS_OK || write_format(s) != STATUS_OK))
        return STATUS_ERROR;
    if (!create)
        s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->folder >= 0) {
        s->packs = openat(s->folder, "packs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        s->snapshots = openat(s->folder, "snapshots", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (s->packs < 0 || s->snapshots < 0) {
        complain("cannot open the store %s: %s", path, strerror(errno));
        return STATUS_ERROR;
    }
    if (create) {
        for_each_name(s->packs, remove_leftover, &s->packs);
        for_each_name(s->snapshots, remove_leftover, &s->snapshots);
    }
    status = read_format(s);
    return status == STATUS_OK ? for_each_name(s->packs, load_pack, s) : status;
}

void store_close(struct store *s)
{
    int *const fds[] = {&s->open_pack, &s->packs, &s->snapshots, &s->lock, &s->folder};

    output_discard(&s->pack);
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (*fds[i] >= 0)
            close(*fds[i]);
    free(s->table);
    free(s->index.data);
}
