/* Finds the shards of a set in a folder.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_file.h"

#include "shard_set.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/output.h"

enum kind {
    SHARD = HEADER_OK,
    FOREIGN = HEADER_FOREIGN,
    DAMAGED = HEADER_DAMAGED,
    NEWER = HEADER_NEWER,
    UNREADABLE,
    NOT_A_FILE,
    TEMPORARY /* of this program, possibly incomplete: never a source */
};

/* One entry of the folder. */
struct entry {
    char *name;
    enum kind kind;
    int is_used;
    int place; /* index in the name, or -1 */
    uint64_t size;
    mode_t mode;
    struct shard_header header; /* if kind is SHARD */
};

struct listing {
    struct entry *entry;
    size_t count, room;
};

static int open_entry(int folder, const char *name)
{
    /* O_NONBLOCK: do not wait for the writer of a FIFO */
    return openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* Determines what an entry is. Returns 0, or -1 with errno set if resources are lacking, whatever
 * the file is. */
static int examine(int folder, struct entry *e)
{
    unsigned char header[HEADER_SIZE] = {0};
    struct stat st;
    ssize_t got;
    int fd;

    e->kind = TEMPORARY;
    if (is_temporary(e->name))
        return 0;
    e->kind = UNREADABLE;
    if (fstatat(folder, e->name, &st, 0))
        return 0;
    e->size = (uint64_t) st.st_size;
    e->mode = st.st_mode & 0666;
    if (!S_ISREG(st.st_mode)) {
        e->kind = NOT_A_FILE;
        return 0;
    }
    fd = open_entry(folder, e->name);
    if (fd < 0)
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? -1 : 0;
    got = read_at(fd, header, sizeof header, 0);
    close(fd);
    if (got >= 0)
        e->kind = (enum kind) header_read(&e->header, header);
    else if (e->place >= 0)
        e->kind = DAMAGED; /* a bad sector: other parts may be readable */
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *) a)->name, ((const struct entry *) b)->name);
}

/* Fills in the listing from an open folder. Returns 0, or -1 with errno set. */
static int list_folder(struct listing *list, DIR *dir)
{
    struct dirent *d;

    while (errno = 0, (d = readdir(dir)) != NULL) {
        struct entry e = {0};
        if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
            continue;
        if (list->count == list->room) {
            size_t room = list->room ? 2 * list->room : 32;
            struct entry *grown = realloc(list->entry, room * sizeof *grown);
            if (!grown)
                return -1;
            list->entry = grown;
            list->room = room;
        }
        if (!(e.name = strdup(d->d_name)))
            return -1;
        e.place = shard_name_index(e.name);
        list->entry[list->count++] = e;
        if (examine(dirfd(dir), &list->entry[list->count - 1]))
            return -1;
    }
    if (errno)
        return -1;
    if (list->count)
        qsort(list->entry, list->count, sizeof *list->entry, by_name);
    return 0;
}

static void free_listing(struct listing *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entry[i].name);
    free(list->entry);
}

/* Number of different shards in the set of a header. */
static int set_population(const struct listing *list, const struct shard_header *h)
{
    char seen[MAX_SHARDS] = {0};
    int count = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct entry *e = &list->entry[i];
        if (e->kind == SHARD && same_set(&e->header, h) && !seen[e->header.index]++)
            count++;
    }
    return count;
}

static enum status choose_set(struct shard_set *set, const struct listing *list)
{
    const struct shard_header *best = NULL;
    int most = 0, tie = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct entry *e = &list->entry[i];
        int population;
        if (e->kind != SHARD || (best && same_set(&e->header, best)))
            continue;
        population = set_population(list, &e->header);
        tie = population == most || (tie && population < most);
        if (population > most) {
            best = &e->header;
            most = population;
        }
    }
    if (!best) {
        complain("%s: there is no shard with an intact header; is this the folder that was given "
                 "to encode -o?",
                 set->path);
        return STATUS_DAMAGE;
    }
    if (tie) {
        complain("%s: shards of several sets, and as many of one as of another; move those of one "
                 "set to a folder of their own",
                 set->path);
        return STATUS_DAMAGE;
    }
    set->header = *best;
    set->count = best->k + best->m;
    return STATUS_OK;
}

static int is_member(const struct shard_set *set, const struct entry *e, int index)
{
    return e->kind == SHARD && e->header.index == index && same_set(&e->header, &set->header);
}

/* Describes the file that shard number `place` must not replace, or returns NULL. */
static const char *blocker(const struct shard_set *set, const struct entry *e)
{
    switch (e->kind) {
    case SHARD:
        return same_set(&e->header, &set->header) ? NULL : "a shard of another set";
    case NEWER:
        return "a shard of a newer format";
    case UNREADABLE:
        return "a file that cannot be read";
    case NOT_A_FILE:
        return "not a file";
    default:
        return NULL;
    }
}

/* Chooses the file of shard number index: the one with its name if the header fits, else any other
 * with its header, else the one with its name and a damaged header. */
static int choose_file(struct shard_set *set, struct listing *list, int index)
{
    struct shard *shard = &set->shard[index];
    struct entry *found = NULL, *named = NULL;

    for (size_t i = 0; i < list->count; i++) {
        struct entry *e = &list->entry[i];
        if (e->place == index)
            named = e;
        if (is_member(set, e, index) && (!found || e->place == index))
            found = e;
    }
    if (named)
        shard->blocker = blocker(set, named);
    if (found) {
        shard->header_is_ok = 1;
        if (found != named && !(shard->other_name = strdup(found->name)))
            return -1;
    } else if (named && (named->kind == FOREIGN || named->kind == DAMAGED)) {
        found = named;
    } else {
        return 0;
    }
    if (shard->header_is_ok)
        set->mode = found->mode;
    found->is_used = 1;
    shard->size = found->size;
    shard->fd = open_entry(set->folder, found->name);
    return shard->fd < 0 ? -1 : 0;
}

static void print_note(const struct shard_set *set, const struct entry *e)
{
    char name[256];

    printable(name, sizeof name, e->name);
    if (e->kind == TEMPORARY)
        printf("note: %s is a temporary file; if no ec_file is at work here, delete it\n", name);
    else if (e->kind == SHARD && same_set(&e->header, &set->header))
        printf("note: %s is a second copy of shard %d and not used\n", name, e->header.index);
    else if (e->kind == SHARD)
        printf("note: %s is a shard of another set and not used\n", name);
    else if (e->kind == NEWER)
        printf("note: %s is a shard of a newer format; a newer ec_file can read it\n", name);
    else if (e->kind == UNREADABLE)
        printf("note: %s cannot be read\n", name);
    else
        printf("note: %s is not a shard of this set and not changed\n", name);
}

enum status shard_set_open(struct shard_set *set, const char *path, int notes)
{
    struct listing list = {0};
    enum status status = STATUS_ERROR;
    DIR *dir = opendir(path);

    memset(set, 0, sizeof *set);
    set->path = path;
    set->folder = -1;
    for (int i = 0; i < MAX_SHARDS; i++)
        set->shard[i].fd = -1;
    if (!dir) {
        complain("cannot open the folder %s: %s", path, strerror(errno));
        return STATUS_ERROR;
    }
    set->folder = fcntl(dirfd(dir), F_DUPFD_CLOEXEC, 0);
    if (set->folder < 0 || list_folder(&list, dir)) {
        complain("cannot read the folder %s: %s", path, strerror(errno));
    } else if ((status = choose_set(set, &list)) == STATUS_OK) {
        for (int i = 0; i < set->count && status == STATUS_OK; i++)
            if (choose_file(set, &list, i)) {
                complain("cannot open shard %d in %s: %s", i, path, strerror(errno));
                status = STATUS_ERROR;
            }
        for (size_t i = 0; notes && i < list.count; i++)
            if (!list.entry[i].is_used)
                print_note(set, &list.entry[i]);
    }
    free_listing(&list);
    closedir(dir);
    return status;
}

void shard_set_close(struct shard_set *set)
{
    for (int i = 0; i < set->count; i++) {
        if (set->shard[i].fd >= 0)
            close(set->shard[i].fd);
        free(set->shard[i].other_name);
    }
    if (set->folder >= 0)
        close(set->folder);
}

uint64_t record_count(const struct shard_set *set, int index)
{
    const struct shard *shard = &set->shard[index];

    if (shard->fd < 0 || shard->size < HEADER_SIZE)
        return 0;
    if (shard->size >= shard_size(&set->header))
        return stripe_count(&set->header);
    return (shard->size - HEADER_SIZE) / (set->header.chunk_size + CHECKSUM_SIZE);
}
