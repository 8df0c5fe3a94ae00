/* Processes each file: which files are eligible, and what happens to the input.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compress.h"
#include "decompress.h"
#include "list.h"
#include "names.h"
#include "output.h"
#include "removal.h"

struct input {
    char *path; /* as opened, NULL for standard input */
    char *name; /* to print */
    int fd;
    struct stat st;
};

struct result {
    uint64_t in, out, overhead;
    int keep; /* the input may still be needed */
    struct decompressed decompressed;
};

static void process_path(const char *path, int in_folder);

/* ---- Conversion ---- */

static int compress(const struct input *in, struct source *source, struct sink *sink,
                    struct result *r)
{
    struct origin origin = {NULL, 0};
    struct stat now;

    if (S_ISREG(in->st.st_mode) && opt.format != FORMAT_BGZF) {
        if (opt.save_name && in->path)
            origin.name = name_base(in->path);
        if (opt.save_time && (in->st.st_mtime < 0 || (uint64_t) in->st.st_mtime > UINT32_MAX))
            warning("%s: warning: file timestamp out of range for gzip format", in->name);
        else if (opt.save_time)
            origin.time = (uint32_t) in->st.st_mtime;
    }
    if (compress_file(source, sink, &origin, &r->overhead))
        return -1;
    if (in->path && S_ISREG(in->st.st_mode) && !fstat(in->fd, &now) &&
        (now.st_size != in->st.st_size || now.st_mtime != in->st.st_mtime)) {
        warning("%s: file changed while it was read", in->name);
        r->keep = 1;
    }
    return 0;
}

/* Returns whether it was successful; errors are reported. */
static int convert(const struct input *in, struct sink *sink, struct result *r)
{
    struct source source;
    enum decoded decoded = DECODED_OK;
    int failed = 0;

    memset(r, 0, sizeof *r);
    source_open(&source, in->fd, S_ISREG(in->st.st_mode) ? (uint64_t) in->st.st_size : 0);
    progress_start(in->name, source.size);
    if (opt.mode == MODE_COMPRESS) {
        failed = compress(in, &source, sink, r);
    } else {
        int copies = opt.force && opt.mode == MODE_DECOMPRESS && sink->fd == STDOUT_FILENO;

        decoded = decompress_file(&source, sink, in->name, copies, &r->decompressed);
        r->overhead = r->decompressed.overhead;
        r->keep = decoded == DECODED_INCOMPLETE;
        if (decoded == NOT_GZIP) {
            error("%s: not in gzip format", in->name);
            decoded = DECODED_ERROR;
        }
    }
    if (!failed && decoded != DECODED_ERROR)
        failed = sink_finish(sink);
    progress_end();
    if (failed)
        error("%s: cannot write: %s", in->name, strerror(errno));
    if (source.error && decoded != DECODED_ERROR) {
        error("%s: %s", in->name, strerror(source.error));
        failed = 1;
    }
    r->in = source.offset;
    r->out = sink->total;
    source_close(&source);
    return !failed && decoded != DECODED_ERROR;
}

static void print_verbose(const struct input *in, const struct result *r, const char *outcome)
{
    int compressing = opt.mode == MODE_COMPRESS;
    double saved =
        percent_saved(compressing ? r->out : r->in, r->overhead, compressing ? r->in : r->out);

    if (!opt.verbose)
        return;
    if (in->path)
        fprintf(stderr, "%s:\t", in->name);
    if (opt.mode == MODE_TEST)
        fprintf(stderr, " OK\n");
    else
        fprintf(stderr, "%5.1f%%%s\n", saved, outcome);
}

static void list(const struct input *in, const struct result *r)
{
    const struct decompressed *d = &r->decompressed;
    char *name = in->path ? name_of_result(in->path, opt.save_name == 1 ? d->name : "") : NULL;
    struct listed line = {.name = name ? name : "stdout",
                          .compressed = r->in,
                          .uncompressed = r->out,
                          .overhead = r->overhead,
                          .crc = d->crc,
                          .time = in->st.st_mtime};

    if (name)
        printable(name);
    if (opt.save_time == 1 && d->time)
        line.time = (time_t) d->time;
    list_file(&line);
    free(name);
}

/* ---- To an open descriptor ---- */

static void to_descriptor(const struct input *in, int fd)
{
    struct sink sink = {.fd = fd};
    struct result r;
    struct stat st;

    if (opt.mode == MODE_TEST || opt.mode == MODE_LIST) {
        sink.fd = -1;
    } else if (opt.mode == MODE_COMPRESS && !opt.force && isatty(fd)) {
        error("compressed data not written to a terminal. Use -f to force compression.");
        return;
    } else if (!fstat(fd, &st) && S_ISREG(st.st_mode) && same_file(&st, &in->st) &&
               (!in->path || in->st.st_size)) {
        error("%s: input file is output file", in->name);
        return;
    }
    if (!convert(in, &sink, &r))
        return;
    if (opt.mode == MODE_LIST)
        list(in, &r);
    else
        print_verbose(in, &r, "");
}

/* ---- To a new file ---- */

/* Returns whether the existing file may be replaced; asks if standard input is a terminal. */
static int may_replace(const char *path)
{
    int c, answer;

    if (opt.force)
        return 1;
    if (!isatty(STDIN_FILENO)) {
        loud_warning("%s already exists; not overwritten", path);
        return 0;
    }
    fprintf(stderr, "%s: %s already exists; do you wish to overwrite (y or n)? ", program_name(),
            path);
    answer = c = getchar();
    while (c != '\n' && c != EOF)
        c = getchar();
    if (answer == 'y' || answer == 'Y')
        return 1;
    loud_warning("%s not overwritten", path);
    return 0;
}

/* Returns whether the name of the output comes from the header. */
static int restores_name(void)
{
    return opt.mode == MODE_DECOMPRESS && opt.save_name == 1 && !opt.output;
}

/* Converts to the temporary file of `out` and gives that file the name `path`, or the name in the
 * header. */
static void finish_file(const struct input *in, struct output *out, const char *path, int replace)
{
    struct sink sink = {.fd = out->fd, .sparse = opt.sparse && opt.mode != MODE_COMPRESS};
    struct stat st = in->st;
    struct result r;
    char *stored = NULL;
    const char *verb;
    int remove;

    if (!convert(in, &sink, &r))
        return;
    remove = in->path && opt.remove && !r.keep;
    if (restores_name() && r.decompressed.name[0] && in->path) {
        stored = name_of_result(in->path, r.decompressed.name);
        if (!strcmp(stored, in->path)) {
            error("%s: the stored name is the name of this file", in->name);
            free(stored);
            return;
        }
        replace = replace && !strcmp(stored, path);
        path = stored;
    }
    if (opt.mode == MODE_DECOMPRESS && opt.save_time == 1 && r.decompressed.time) {
        struct timespec time = {.tv_sec = (time_t) r.decompressed.time};
#ifdef __APPLE__
        st.st_mtimespec = time;
#else
        st.st_mtim = time;
#endif
    }
    if (in->path && S_ISREG(st.st_mode))
        output_attributes(out, &st);
    while (output_publish(out, name_base(path), replace)) {
        if (errno != EEXIST || replace)
            error("%s: %s", path, strerror(errno));
        if (errno != EEXIST || replace || !may_replace(path)) {
            free(stored);
            return;
        }
        replace = 1;
    }
    if (opt.synchronous && (output_sync_contents(out) || output_sync_name(out))) {
        error("%s: %s", path, strerror(errno));
        free(stored);
        return;
    }
    if (remove)
        removal_add(out, in->path, in->name, &in->st);
    verb = remove ? " -- replaced with " : " -- created ";
    if (opt.verbose) {
        size_t size = strlen(verb) + strlen(path) + 1;
        char *done = need_memory(size);
        snprintf(done, size, "%s%s", verb, path);
        print_verbose(in, &r, printable(done));
        free(done);
    }
    free(stored);
}

static void to_file(const struct input *in, const char *path)
{
    struct output out;
    struct stat st;
    int exists = !lstat(path, &st), replace = 0, fd;

    if (!exists && errno == ENAMETOOLONG && !restores_name()) {
        error("%s: %s", path, strerror(errno));
        return;
    }

    if (exists && removal_waits_for(&st)) {
        removal_finish();
        exists = !lstat(path, &st);
    }
    /* A device or a pipe is written to, not replaced. */
    if (exists && opt.output && !stat(path, &st) && !S_ISREG(st.st_mode)) {
        fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (fd < 0) {
            error("%s: %s", path, strerror(errno));
            return;
        }
        to_descriptor(in, fd);
        if (close(fd))
            error("%s: %s", path, strerror(errno));
        return;
    }
    if (exists && !restores_name()) {
        if (same_file(&st, &in->st)) {
            error("%s: input file is output file", in->name);
            return;
        }
        if (!may_replace(path))
            return;
        replace = 1;
    }
    if (output_open(&out, path))
        error("%s: cannot create a file beside it: %s", path, strerror(errno));
    else
        finish_file(in, &out, path, replace || opt.force);
    output_close(&out);
}

/* ---- Which files ---- */

static void process_input(const struct input *in)
{
    if (opt.to_stdout || (!in->path && !opt.output)) {
        to_descriptor(in, STDOUT_FILENO);
    } else if (opt.output) {
        to_file(in, opt.output);
    } else {
        char *path = name_of_result(in->path, "");
        to_file(in, path);
        free(path);
    }
}

/* Returns whether a file is to be processed and may be replaced by its result; if not, says why. */
static int is_eligible(const struct input *in, int in_folder)
{
    const char *replacement;
    size_t suffix = name_suffix(in->path, &replacement);
    unsigned long links = (unsigned long) in->st.st_nlink - 1;

    if (in_folder && output_is_unfinished(in->path)) {
        return 0;
    } else if (opt.mode == MODE_TEST || opt.mode == MODE_LIST) {
        return suffix || !in_folder;
    } else if (opt.to_stdout || opt.output) {
        return 1;
    } else if (!S_ISREG(in->st.st_mode)) {
        warning("%s is not a directory or a regular file - ignored", in->name);
    } else if (output_is_unfinished(in->path)) {
        warning("%s is unfinished output of igzip -- ignored", in->name);
    } else if (opt.mode == MODE_COMPRESS && suffix && !opt.force) {
        if (!opt.quiet && (opt.verbose || !opt.recursive))
            say("%s already has %s suffix -- unchanged", in->name,
                in->name + strlen(in->name) - suffix);
    } else if (opt.mode != MODE_COMPRESS && !suffix) {
        if (!opt.recursive)
            warning("%s: unknown suffix -- ignored", in->name);
    } else if (in->st.st_mode & S_ISUID) {
        warning("%s is set-user-ID on execution - ignored", in->name);
    } else if (in->st.st_mode & S_ISGID) {
        warning("%s is set-group-ID on execution - ignored", in->name);
    } else if (opt.force) {
        return 1;
    } else if (in->st.st_mode & S_ISVTX) {
        warning("%s has the sticky bit set - file ignored", in->name);
    } else if (links) {
        warning("%s has %lu other link%s -- file ignored", in->name, links, links > 1 ? "s" : "");
    } else {
        return 1;
    }
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* All names are read before the first file is processed, so that no result is processed again. */
static void process_folder(const char *path)
{
    size_t count = 0, capacity = 0, size;
    const struct dirent *entry;
    char **names = NULL;
    DIR *folder = opendir(path);

    if (!folder) {
        error("%s: %s", path, strerror(errno));
        return;
    }
    while ((entry = readdir(folder))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (count == capacity) {
            capacity = 2 * capacity + 64;
            names = need_more_memory(names, capacity * sizeof *names);
        }
        size = strlen(path) + strlen(entry->d_name) + 2;
        names[count] = need_memory(size);
        snprintf(names[count++], size, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
                 entry->d_name);
    }
    closedir(folder);
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) {
        process_path(names[i], 1);
        free(names[i]);
    }
    free(names);
}

/* Opens `path`; to decompress, also `path` with each suffix. */
static void open_path(struct input *in, const char *path)
{
    int flags = O_RDONLY | O_NOCTTY | O_CLOEXEC, missing;
    size_t size = strlen(path) + strlen(opt.suffix) + 8;
    char *name = need_memory(size);
    const char *suffix;

    if (!opt.to_stdout && !opt.force)
        flags |= O_NOFOLLOW;
    if (!opt.to_stdout && !opt.output)
        flags |= O_NONBLOCK; /* opening a pipe would wait for a writer; here it is only examined */
    snprintf(name, size, "%s", path);
    in->fd = open(name, flags);
    missing = in->fd < 0 && errno == ENOENT && opt.mode != MODE_COMPRESS;
    for (unsigned i = 0; missing && (suffix = name_suffix_to_try(i)); i++) {
        snprintf(name, size, "%s%s", path, suffix);
        in->fd = open(name, flags);
        missing = in->fd < 0 && errno == ENOENT;
    }
    if (in->fd < 0) {
        if (missing && !name_suffix(path, &suffix))
            snprintf(name, size, "%s%s", path, opt.suffix);
        else if (missing)
            snprintf(name, size, "%s", path);
        error("%s: %s%s", name, strerror(errno),
              errno == ELOOP && (flags & O_NOFOLLOW) ? " (-f follows links)" : "");
    }
    in->path = name;
    in->name = need_memory(strlen(name) + 1);
    printable(strcpy(in->name, name));
}

static void close_input(struct input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    free(in->name);
    free(in->path);
}

static void open_input(struct input *in, const char *path)
{
    open_path(in, path);
    if (in->fd >= 0 && !fstat(in->fd, &in->st) && removal_waits_for(&in->st)) {
        /* The file is processed already. After its removal, the name is missing or belongs to
         * another file. */
        removal_finish();
        close_input(in);
        open_path(in, path);
    }
}

static void process_path(const char *path, int in_folder)
{
    struct input in;
    struct stat link;

    /* Opening a device may have an effect. */
    if (!opt.to_stdout && !opt.output && !lstat(path, &link) && !S_ISREG(link.st_mode) &&
        !S_ISDIR(link.st_mode) && !S_ISLNK(link.st_mode)) {
        warning("%s is not a directory or a regular file - ignored", path);
        return;
    }
    open_input(&in, path);
    if (in.fd >= 0 && fstat(in.fd, &in.st)) {
        error("%s: %s", in.name, strerror(errno));
    } else if (in.fd >= 0 && S_ISDIR(in.st.st_mode)) {
        /* A link inside the tree may lead back up. */
        if (opt.recursive && !(in_folder && !lstat(path, &link) && S_ISLNK(link.st_mode)))
            process_folder(path);
        else
            warning("%s is a directory -- ignored", in.name);
    } else if (in.fd >= 0 && is_eligible(&in, in_folder)) {
        process_input(&in);
    }
    close_input(&in);
}

static void process_stdin(void)
{
    char name[] = "stdin";
    struct input in = {.name = name, .fd = STDIN_FILENO};

    removal_finish(); /* standard input may take any time */
    if (fstat(in.fd, &in.st))
        error("stdin: %s", strerror(errno));
    else if (opt.mode != MODE_COMPRESS && !opt.force && isatty(in.fd))
        error("compressed data not read from a terminal. Use -f to force decompression.");
    else
        process_input(&in);
}

void process_file(const char *path)
{
    if (strcmp(path, "-"))
        process_path(path, 0);
    else
        process_stdin();
}
