/* encrypt_file: encrypts a file as a GCM stream or an XTS image, and decrypts it. Options, files.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "header.h"

#include "../common/output.h"

#include <isa-l_crypto.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char program_name[] = "encrypt_file";

static const char usage_text[] =
    "usage: encrypt_file encrypt -k KEYFILE [-m gcm|xts] [-s 512|4096] [-f] -o OUTPUT INPUT\n"
    "       encrypt_file decrypt -k KEYFILE [-f] -o OUTPUT INPUT\n"
    "\n"
    "  -k, --key KEYFILE   the key: a file of 32 random bytes\n"
    "  -m, --mode MODE     gcm (default): detects any change;\n"
    "                      xts: an image of sectors; does not detect changes\n"
    "  -s, --sector SIZE   bytes in a sector for xts: 512 or 4096 (default)\n"
    "  -f, --force         replace OUTPUT if it exists\n"
    "  -o, --output OUTPUT the file to write; it appears complete or not at all\n"
    "  -h, --help          print this help\n"
    "  -V, --version       print the version\n"
    "\n"
    "INPUT may be - for standard input, except with xts. OUTPUT must be a file.\n"
    "\n"
    "exit status: 0 success; 1 the input is damaged; 2 error; 3 wrong key\n";

static enum status system_error(const char *name)
{
    complain("%s: %s", name, strerror(errno));
    return STATUS_ERROR;
}

enum status input_error(const struct job *job)
{
    return system_error(job->in_name);
}

enum status output_error(const struct job *job)
{
    return system_error(job->out_name);
}

void *allocate(size_t size)
{
    void *p = malloc(size);

    if (!p) {
        complain("out of memory");
        exit(STATUS_ERROR);
    }
    return p;
}

ptrdiff_t read_input(const struct job *job, void *data, size_t len)
{
    uint8_t *p = data;
    size_t done = 0;

    while (done < len) {
        ssize_t n;

        if (stop_signal) {
            errno = EINTR;
            return -1;
        }
        n = read(job->in, p + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += (size_t) n;
    }
    return (ptrdiff_t) done;
}

/* ---- One file ---- */

static enum status decrypt(const struct job *job)
{
    struct header header;
    ptrdiff_t got = read_input(job, header.text, HEADER_SIZE);
    enum status status;

    if (got < 0)
        return input_error(job);
    if (got < HEADER_SIZE) {
        complain("%s: too short for a file made by encrypt_file", job->in_name);
        return STATUS_DAMAGE;
    }
    status = header_check(&header, job->key, job->in_name);
    if (status == STATUS_OK && header.mode == MODE_GCM) {
        status = stream_decrypt(job, &header);
    } else if (status == STATUS_OK && header.mode == MODE_XTS) {
        status = image_decrypt(job, &header);
    } else if (status == STATUS_OK) {
        complain("%s: made by an unknown version of encrypt_file", job->in_name);
        status = STATUS_DAMAGE;
    }
    wipe(&header, sizeof header);
    return status;
}

/* Splits the output's name and opens its folder. Returns a descriptor, or -1 with errno set. */
static int open_folder(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    char *folder;
    int fd;

    *name = slash ? slash + 1 : path;
    if (!slash)
        return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    folder = allocate((size_t) (slash - path) + 2);
    memcpy(folder, path, (size_t) (slash - path) + 1); /* keep the slash of the root */
    folder[slash - path + 1] = 0;
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    return fd;
}

/* Checks, before any work, that the output does not exist or may be replaced. */
static enum status check_output(const struct job *job, int folder, const char *name, int force)
{
    struct stat info;

    if (!*name) {
        complain("%s: is a folder", job->out_name);
        return STATUS_ERROR;
    }
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT ? STATUS_OK : output_error(job);
    if (!S_ISREG(info.st_mode)) {
        complain("%s: exists and is not a regular file", job->out_name);
        return STATUS_ERROR;
    }
    if (!force) {
        complain("%s: exists; use -f to replace it", job->out_name);
        return STATUS_ERROR;
    }
    return STATUS_OK;
}

static enum status process(struct job *job, int encrypt, enum mode mode, int force)
{
    struct output out = {.fd = -1};
    const char *name;
    int folder = open_folder(job->out_name, &name);
    enum status status;

    if (folder < 0)
        return output_error(job);
    status = check_output(job, folder, name, force);
    /* decrypted data are for the owner only */
    if (status == STATUS_OK && output_open(&out, folder, encrypt ? 0666 : 0600))
        status = output_error(job);
    job->out = &out;
    if (status == STATUS_OK)
        status = !encrypt           ? decrypt(job)
                 : mode == MODE_GCM ? stream_encrypt(job)
                                    : image_encrypt(job);
    if (status == STATUS_OK &&
        (output_sync(&out) || output_publish(&out, name, force) || sync_folder(folder)))
        status = output_error(job);
    output_discard(&out);
    close(folder);
    return status;
}

/* ---- Options ---- */

static int misuse(const char *what, const char *detail)
{
    complain("%s%s; see encrypt_file --help", what, detail);
    return STATUS_ERROR;
}

static int help(void)
{
    fputs(usage_text, stdout);
    return fflush(stdout) ? STATUS_ERROR : STATUS_OK;
}

static int version(void)
{
    printf("encrypt_file (isa-l_crypto) %s\n", isal_crypto_get_version_str());
    return fflush(stdout) ? STATUS_ERROR : STATUS_OK;
}

static const struct option long_options[] = {
    {"key", required_argument, NULL, 'k'},    {"mode", required_argument, NULL, 'm'},
    {"sector", required_argument, NULL, 's'}, {"force", no_argument, NULL, 'f'},
    {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},      {NULL, 0, NULL, 0},
};

struct arguments {
    const char *key, *mode, *sector, *output, *input;
    int encrypt, xts, force;
};

/* Checks the options against each other. Returns -1, or the exit status after an error. */
static int check_arguments(const struct arguments *a)
{
    if (!a->key)
        return misuse("the key is missing: -k KEYFILE", "");
    if (!a->output)
        return misuse("the output is missing: -o OUTPUT", "");
    if (!a->input)
        return misuse("one input is required", "");
    if (!a->encrypt && (a->mode || a->sector))
        return misuse("decrypt reads the mode from the file: no -m or -s", "");
    if (a->mode && !a->xts && strcmp(a->mode, "gcm"))
        return misuse("the mode must be gcm or xts", "");
    if (a->sector && (!a->xts || (strcmp(a->sector, "512") && strcmp(a->sector, "4096"))))
        return misuse("the sector size, only for xts, must be 512 or 4096", "");
    if (!strcmp(a->output, "-"))
        return misuse("no output to standard output: it must be verified before it is used", "");
    if (!strcmp(a->key, "-"))
        return misuse("no key from standard input", "");
    if (a->xts && !strcmp(a->input, "-"))
        return misuse("an image cannot be read from standard input", "");
    if (!strcmp(a->input, "-") && isatty(STDIN_FILENO))
        return misuse("standard input is a terminal", "");
    return -1;
}

/* Parses the options after the command. Returns -1, or the exit status if there is nothing more to
 * do. */
static int parse_options(int argc, char **argv, struct arguments *a)
{
    int option;

    optind = 2;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "k:m:s:fo:hV", long_options, NULL)) != -1) {
        if (option == 'k')
            a->key = optarg;
        else if (option == 'm')
            a->mode = optarg;
        else if (option == 's')
            a->sector = optarg;
        else if (option == 'f')
            a->force = 1;
        else if (option == 'o')
            a->output = optarg;
        else if (option == 'h')
            return help();
        else if (option == 'V')
            return version();
        else
            return misuse("invalid option ", argv[optind - 1]);
    }
    a->input = optind == argc - 1 ? argv[optind] : NULL;
    a->xts = a->mode && !strcmp(a->mode, "xts");
    return check_arguments(a);
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    struct arguments a = {.encrypt = !strcmp(command, "encrypt")};
    struct job job = {.in = STDIN_FILENO, .in_name = "standard input", .sector = 4096};
    uint8_t key[KEY_SIZE];
    enum status status;
    int done;

    if (!strcmp(command, "-h") || !strcmp(command, "--help"))
        return help();
    if (!strcmp(command, "-V") || !strcmp(command, "--version"))
        return version();
    if (!a.encrypt && strcmp(command, "decrypt"))
        return misuse("the command must be encrypt or decrypt", "");
    done = parse_options(argc, argv, &a);
    if (done >= 0)
        return done;
    job.out_name = a.output;
    if (a.sector && !strcmp(a.sector, "512"))
        job.sector = 512;

    set_up_signals();
    if (strcmp(a.input, "-")) {
        job.in_name = a.input;
        job.in = open(job.in_name, O_RDONLY | O_CLOEXEC);
        if (job.in < 0)
            return (int) input_error(&job);
    }
    status = read_key(key, a.key);
    job.key = key;
    if (status == STATUS_OK)
        status = process(&job, a.encrypt, a.xts ? MODE_XTS : MODE_GCM, a.force);
    wipe(key, sizeof key);
    return (int) status;
}
