/* The four commands: which files are opened, in which order they are published, what is printed.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_file.h"

#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <isa-l.h>

#include "../common/output.h"
#include "report.h"
#include "shard.h"
#include "shard_set.h"
#include "stripe.h"

/* Outputs for the shards of a set; shards that are not written have fd -1 and no temporary file. */
struct shard_outputs {
    struct output out[MAX_SHARDS];
};

static enum status failed(const char *what, const char *name)
{
    complain("cannot %s %s: %s; nothing was changed", what, name, strerror(errno));
    return STATUS_ERROR;
}

/* Syncs the names in a folder. */
static enum status sync_names(int folder, const char *path)
{
    if (!sync_folder(folder))
        return STATUS_OK;
    complain("cannot sync the folder of %s: %s", path, strerror(errno));
    return STATUS_ERROR;
}

static int same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* ---- Writing shards ---- */

static void discard_shards(struct shard_outputs *outputs)
{
    for (int i = 0; i < MAX_SHARDS; i++)
        output_discard(&outputs->out[i]);
}

static void no_shards(struct shard_outputs *outputs)
{
    for (int i = 0; i < MAX_SHARDS; i++)
        outputs->out[i] = (struct output){.fd = -1};
}

/* Raises the limit of open files: 255 shards exceed the default of some systems. */
static void allow_open_files(void)
{
    struct rlimit limit;

    if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < 1024) {
        limit.rlim_cur = limit.rlim_max < 1024 ? limit.rlim_max : 1024;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Creates the file of a shard with its header. */
static int open_shard(struct output *out, int folder, mode_t mode, const struct shard_header *h,
                      int index)
{
    unsigned char header[HEADER_SIZE];

    if (output_open(out, folder, mode))
        return -1;
    header_write(header, h, index);
    return output_write(out, header, sizeof header, 0);
}

static int sync_shards(struct shard_outputs *outputs)
{
    for (int i = 0; i < MAX_SHARDS; i++)
        if (outputs->out[i].fd >= 0 && output_sync(&outputs->out[i]))
            return -1;
    return 0;
}

/* ---- encode ---- */

static int random_bytes(unsigned char *out, size_t len)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, out, len);

    if (fd >= 0)
        close(fd);
    return got == (ssize_t) len ? 0 : -1;
}

/* Checks that the folder may receive `count` shards. */
static enum status check_room_for_shards(const struct options *o, int folder, int count,
                                         const struct stat *file)
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    enum status status = STATUS_OK;
    struct dirent *d;
    struct stat st;

    if (!dir) {
        failed("look through", o->output);
        if (copy >= 0)
            close(copy);
        return STATUS_ERROR;
    }
    while (status == STATUS_OK && (d = readdir(dir)) != NULL) {
        int index = shard_name_index(d->d_name);
        if (index < 0)
            continue;
        status = STATUS_ERROR;
        if (!o->force)
            complain("%s already holds %s; choose another folder, or replace it with --force",
                     o->output, d->d_name);
        else if (index >= count)
            complain("%s holds %s of a larger set; delete or move that first", o->output,
                     d->d_name);
        else if (!fstatat(folder, d->d_name, &st, 0) && same_file(&st, file))
            complain("%s is itself %s in %s, which would be replaced", o->input, d->d_name,
                     o->output);
        else
            status = STATUS_OK;
    }
    closedir(dir);
    return status;
}

/* Gives all shards their names. After an error, removes those that did not replace others. */
static enum status publish_new(struct shard_outputs *outputs, const struct options *o, int folder)
{
    char name[SHARD_NAME_SIZE];

    for (int i = 0; i < o->k + o->m; i++) {
        if (!output_publish(&outputs->out[i], shard_name(name, i), o->force))
            continue;
        failed("create", name);
        while (i-- > 0 && !o->force)
            unlinkat(folder, shard_name(name, i), 0);
        return STATUS_ERROR;
    }
    return sync_names(folder, o->output);
}

/* Syncs the name of a new folder, if its parent can be opened. */
static void sync_parent(int folder)
{
    int parent = openat(folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (parent >= 0) {
        sync_folder(parent);
        close(parent);
    }
}

/* Encodes an open file into an open folder. */
static enum status encode_to(const struct options *o, int file, int folder)
{
    struct shard_outputs outputs;
    const char *base = strrchr(o->input, '/');
    struct shard_header h = {.k = o->k, .m = o->m, .chunk_size = o->chunk_size};
    struct job job = {.task = TASK_ENCODE, .header = &h, .threads = o->threads, .file = file};
    struct stat before, after;
    enum status status;
    double start = seconds(), written;

    if (fstat(file, &before))
        return failed("read", o->input);
    if (!S_ISREG(before.st_mode)) {
        complain("%s is not a regular file", o->input);
        return STATUS_ERROR;
    }
    h.file_size = (uint64_t) before.st_size;
    snprintf(h.file_name, sizeof h.file_name, "%s", base ? base + 1 : o->input);
    if (random_bytes(h.set, sizeof h.set))
        return failed("read", "/dev/urandom");
    status = check_room_for_shards(o, folder, o->k + o->m, &before);
    if (status != STATUS_OK)
        return status;

    allow_open_files();
    no_shards(&outputs);
    for (int i = 0; i < o->k + o->m && status == STATUS_OK; i++)
        if (open_shard(&outputs.out[i], folder, before.st_mode & 0666, &h, i))
            status = failed("write to", o->output);
    job.file_path = o->input;
    job.shard_out = outputs.out;
    job.out_path = o->output;
    job.stripes = stripe_count(&h);
    if (status == STATUS_OK)
        status = run_job(&job);
    written = seconds();
    if (status == STATUS_OK && (fstat(file, &after) || after.st_size != before.st_size ||
                                after.st_mtime != before.st_mtime)) {
        complain("%s was changed while it was read; nothing was changed. Run it again", o->input);
        status = STATUS_ERROR;
    }
    if (status == STATUS_OK && sync_shards(&outputs))
        status = failed("write to", o->output);
    if (status == STATUS_OK)
        status = stop_signal ? STATUS_ERROR : publish_new(&outputs, o, folder);
    discard_shards(&outputs);
    if (status == STATUS_OK)
        print_speed("encoded", &job, written - start, seconds() - written);
    return status;
}

enum status encode(const struct options *o)
{
    int is_new, file, folder;
    enum status status;

    /* O_NONBLOCK: do not wait for the writer of a FIFO */
    file = open(o->input, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return failed("open", o->input);
    is_new = !mkdir(o->output, 0777);
    folder = is_new || errno == EEXIST ? open(o->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder < 0) {
        status = failed("create the folder", o->output);
    } else {
        status = encode_to(o, file, folder);
        if (is_new && status == STATUS_OK)
            sync_parent(folder);
        close(folder);
    }
    if (is_new && status != STATUS_OK)
        rmdir(o->output);
    close(file);
    return status;
}

/* ---- verify and repair ---- */

/* Reads and checks all shards. The caller frees job->bad. */
static enum status check_set(struct job *job, const struct shard_set *set)
{
    uint64_t most = 0;

    for (int i = 0; i < set->count; i++)
        if (record_count(set, i) > most)
            most = record_count(set, i);
    job->stripes = most;
    if (most <= SIZE_MAX / MAX_SHARDS)
        job->bad = calloc(most ? (size_t) most : 1, (size_t) set->count);
    if (!job->bad) {
        complain("out of memory");
        return STATUS_ERROR;
    }
    return run_job(job);
}

enum status verify(const struct options *o)
{
    struct shard_set set;
    struct job job = {.task = TASK_VERIFY, .threads = o->threads, .set = &set};
    enum status status = shard_set_open(&set, o->input, 1);
    double start = seconds();

    job.header = &set.header;
    if (status == STATUS_OK)
        status = check_set(&job, &set);
    if (status == STATUS_OK) {
        double work = seconds() - start;
        status = print_report(&job, 1);
        print_speed("verified", &job, work, 0);
    }
    free(job.bad);
    shard_set_close(&set);
    return status;
}

/* Returns whether the file with the name of shard number index is the source of another shard, as
 * after names have been swapped. */
static int holds_another(const struct shard_set *set, int index)
{
    char name[SHARD_NAME_SIZE];

    shard_name(name, index);
    for (int i = 0; i < set->count; i++)
        if (set->shard[i].other_name && !strcmp(set->shard[i].other_name, name))
            return 1;
    return 0;
}

/* Gives the new shards their names. Files with another shard are replaced last, so that a crash
 * never increases the damage. */
static enum status publish_repaired(struct shard_outputs *outputs, const struct shard_set *set)
{
    char name[SHARD_NAME_SIZE];

    for (int last = 0; last <= 1; last++)
        for (int i = 0; i < set->count; i++)
            if (outputs->out[i].has_temporary && holds_another(set, i) == last &&
                output_publish(&outputs->out[i], shard_name(name, i), 1)) {
                complain("cannot replace %s in %s: %s", name, set->path, strerror(errno));
                return STATUS_ERROR;
            }
    return sync_names(set->folder, set->path);
}

/* Writes the shards that need repair. *repaired: their number. */
static enum status rebuild(const struct options *o, const struct shard_set *set, struct job *job,
                           int *repaired)
{
    struct shard_outputs outputs;
    enum status status = STATUS_OK;
    char name[SHARD_NAME_SIZE];

    no_shards(&outputs);
    for (int i = 0; i < set->count && status == STATUS_OK; i++) {
        if (!needs_repair(job, i))
            continue;
        ++*repaired;
        if (set->shard[i].blocker && !o->force) {
            complain(
                "%s in %s is %s; move it away, or replace it with --force; nothing was changed",
                shard_name(name, i), set->path, set->shard[i].blocker);
            status = STATUS_ERROR;
        } else if (open_shard(&outputs.out[i], set->folder, set->mode, &set->header, i)) {
            status = failed("write to", set->path);
        }
    }
    if (*repaired && status == STATUS_OK) {
        job->task = TASK_REPAIR;
        job->shard_out = outputs.out;
        job->out_path = set->path;
        status = run_job(job);
        if (status == STATUS_OK && sync_shards(&outputs))
            status = failed("write to", set->path);
        if (status == STATUS_OK)
            status = stop_signal ? STATUS_ERROR : publish_repaired(&outputs, set);
    }
    discard_shards(&outputs);
    return status;
}

enum status repair(const struct options *o)
{
    struct shard_set set;
    struct job job = {.task = TASK_VERIFY, .threads = o->threads, .set = &set};
    enum status status;
    double start = seconds();
    int repaired = 0;

    allow_open_files();
    status = shard_set_open(&set, o->input, 0);
    job.header = &set.header;
    if (status == STATUS_OK)
        status = check_set(&job, &set);
    if (status == STATUS_OK && !is_recoverable(&job))
        status = print_report(&job, 0);
    if (status == STATUS_OK) {
        print_damaged(&job);
        status = rebuild(o, &set, &job, &repaired);
    }
    if (status == STATUS_OK) {
        printf("%d of %d shards were rewritten; all are intact\n", repaired, set.count);
        print_speed("checked and repaired", &job, seconds() - start, 0);
    }
    free(job.bad);
    shard_set_close(&set);
    return status;
}

/* ---- decode ---- */

/* Checks that the target may be written. */
static enum status check_target(const struct options *o, int folder, const char *base,
                                const struct shard_set *set)
{
    struct stat target, shard;

    if (fstatat(folder, base, &target, AT_SYMLINK_NOFOLLOW)) {
        return errno == ENOENT ? STATUS_OK : failed("create", o->output);
    }
    if (!S_ISREG(target.st_mode)) {
        complain("%s exists and is not a regular file; name the file to write", o->output);
        return STATUS_ERROR;
    }
    if (!o->force) {
        complain("%s exists; choose another name, or replace it with --force", o->output);
        return STATUS_ERROR;
    }
    for (int i = 0; i < set->count; i++)
        if (set->shard[i].fd >= 0 && !fstat(set->shard[i].fd, &shard) &&
            same_file(&shard, &target)) {
            complain("%s is one of the shards; choose another name", o->output);
            return STATUS_ERROR;
        }
    return STATUS_OK;
}

/* Decodes an open set to the file `base` in an open folder. */
static enum status decode_to(const struct options *o, const struct shard_set *set, int folder,
                             const char *base)
{
    struct output out = {.fd = -1};
    struct job job = {.task = TASK_DECODE, .threads = o->threads, .set = set, .file_out = &out};
    enum status status = check_target(o, folder, base, set);
    double start = seconds(), written;

    if (status != STATUS_OK)
        return status;
    if (output_open(&out, folder, set->mode))
        return failed("create", o->output);
    job.header = &set->header;
    job.out_path = o->output;
    job.stripes = stripe_count(&set->header);
    status = run_job(&job);
    written = seconds();
    if (status == STATUS_OK && output_sync(&out))
        status = failed("write to", o->output);
    if (status == STATUS_OK && stop_signal)
        status = STATUS_ERROR;
    if (status == STATUS_OK)
        status = output_publish(&out, base, o->force) ? failed("create", o->output)
                                                      : sync_names(folder, o->output);
    output_discard(&out);
    if (status == STATUS_OK) {
        if (job.rebuilt)
            printf("%" PRIu64 " missing or damaged chunks were rebuilt; "
                   "run: ec_file repair %s\n",
                   job.rebuilt, o->input);
        print_speed("decoded", &job, written - start, seconds() - written);
    }
    return status;
}

enum status decode(const struct options *o)
{
    const char *slash = strrchr(o->output, '/'), *base = slash ? slash + 1 : o->output;
    char *path = slash ? strndup(o->output, (size_t) (slash - o->output) + 1) : strdup(".");
    struct shard_set set;
    enum status status;
    int folder;

    if (!path) {
        complain("out of memory");
        return STATUS_ERROR;
    }
    if (!*base) {
        complain("%s is a folder; name the file to write", o->output);
        free(path);
        return STATUS_ERROR;
    }
    allow_open_files();
    status = shard_set_open(&set, o->input, 0);
    if (status == STATUS_OK) {
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) {
            status = failed("open the folder", path);
        } else {
            status = decode_to(o, &set, folder, base);
            close(folder);
        }
    }
    shard_set_close(&set);
    free(path);
    return status;
}
