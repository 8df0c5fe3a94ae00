/* Reading of snapshots, and reports.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status snapshot_load(struct snapshot *snapshot, const struct store *s, const char *name)
{
    uint8_t digest[1][DIGEST_SIZE];
    uint64_t size;

    if (read_whole(s->snapshots, name, &snapshot->data, &snapshot->size) != STATUS_OK) {
        complain("snapshot %s is missing or unreadable", name);
        return STATUS_ERROR;
    }
    if (snapshot->size >= SNAPSHOT_HEADER + DIGEST_SIZE) {
        snapshot->size -= DIGEST_SIZE;
        size = snapshot->size;
        hash_many((const uint8_t *const[]){snapshot->data}, &size, 1, digest);
        snapshot->left = get_le(snapshot->data + 8, 8);
        snapshot->at = SNAPSHOT_HEADER;
        if (!memcmp(snapshot->data, SNAPSHOT_MAGIC, 8) &&
            !memcmp(digest, snapshot->data + size, DIGEST_SIZE))
            return STATUS_OK;
    }
    complain("snapshots/%s is damaged", name);
    free(snapshot->data);
    snapshot->data = NULL;
    return STATUS_DAMAGE;
}

/* Returns whether a path is relative and has no component that is empty, "." or "..". */
static int path_is_safe(const char *path)
{
    while (1) {
        size_t n = strcspn(path, "/");

        if (n == 0 || (n == 1 && path[0] == '.') || (n == 2 && !memcmp(path, "..", 2)))
            return 0;
        if (!path[n])
            return 1;
        path += n + 1;
    }
}

int snapshot_next(struct snapshot *snapshot, struct entry *entry)
{
    const uint8_t *p = snapshot->data + snapshot->at;
    size_t left = snapshot->size - snapshot->at;
    uint64_t path_size, body_size;

    if (!snapshot->left)
        return left ? -1 : 0;
    if (left < ENTRY_HEADER)
        return -1;
    left -= ENTRY_HEADER;
    entry->type = (char) p[0];
    entry->mode = (uint32_t) get_le(p + 1, 4) & 07777;
    entry->seconds = (int64_t) get_le(p + 5, 8);
    entry->nanoseconds = (uint32_t) get_le(p + 13, 4);
    path_size = get_le(p + 17, 4);
    body_size = get_le(p + 21, 8);
    if (path_size >= SNAPSHOT_PATH_MAX || path_size > left || body_size > left - path_size)
        return -1;
    entry->body_size = (size_t) body_size;
    memcpy(entry->path, p + ENTRY_HEADER, (size_t) path_size);
    entry->path[path_size] = 0;
    entry->body = p + ENTRY_HEADER + path_size;
    if (strlen(entry->path) != path_size || !path_is_safe(entry->path) ||
        (entry->type == 'f' &&
         (entry->body_size < 8 || (entry->body_size - 8) % DIGEST_SIZE != 0)) ||
        (entry->type == 'l' && entry->body_size >= SNAPSHOT_PATH_MAX) ||
        (entry->type != 'f' && entry->type != 'l' && entry->type != 'd'))
        return -1;
    snapshot->at += ENTRY_HEADER + (size_t) path_size + entry->body_size;
    snapshot->left--;
    return 1;
}

void count_chunk(struct totals *t, uint32_t size)
{
    unsigned log = 0;

    while (size >>= 1)
        log++;
    t->histogram[log]++;
    t->chunks++;
}

void print_histogram(const char *title, const struct totals *t)
{
    unsigned first = 0, last = 31;
    uint64_t most = 1;

    if (!t->chunks)
        return;
    while (!t->histogram[first])
        first++;
    while (!t->histogram[last])
        last--;
    for (unsigned i = first; i <= last; i++)
        most = t->histogram[i] > most ? t->histogram[i] : most;
    printf("%s\n", title);
    for (unsigned i = first; i <= last; i++) {
        uint64_t n = t->histogram[i];
        int bar = (int) ((n * 40 + most - 1) / most);

        printf("  from %9" PRIu64 "  %10" PRIu64 "  %5.1f %%  %.*s\n", (uint64_t) 1 << i, n,
               100 * (double) n / (double) t->chunks, bar,
               "########################################");
    }
}
