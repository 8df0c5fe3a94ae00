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
    "  -m, --mode MODE     gcm (default): any change is detected;\n"
    "                      xts: an image of sectors, whose changes are not\n"
    "  -s, --sector SIZE   bytes of a sector for xts: 512 or 4096 (default)\n"
    "  -f, --force         replace OUTPUT if it exists\n"
    "  -o, --output OUTPUT where to; it appears whole or not at all\n"
    "  -h, --help          this text\n"
    "  -V, --version       the version of the library\n"
    "\n"
    "INPUT may be - for standard input, except with xts. OUTPUT must be a file.\n"
    "\n"
    "exit status: 0 done; 1 the input is damaged; 2 error; 3 wrong key\n";

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
        complain("%s: too short to be a file that encrypt_file made", job->in_name);
        return STATUS_DAMAGE;
    }
    status = header_check(&header, job->key, job->in_name);
    if (status == STATUS_OK && header.mode == MODE_GCM) {
        status = stream_decrypt(job, &header);
    } else if (status == STATUS_OK && header.mode == MODE_XTS) {
        status = image_decrypt(job, &header);
    } else if (status == STATUS_OK) {
        complain("%s: made by a version of encrypt_file that this one does not know", job->in_name);
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
    memcpy(folder, path, (size_t) (slash - path) + 1); /* with the slash: it may be the root */
    folder[slash - path + 1] = 0;
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    return fd;
}

/* The output exists and is not to be replaced, or is no file. Looked at before any work is done. */
static enum status check_output(const struct job *job, int folder, const char *name, int force)
{
    struct stat info;

    if (!*name) {
        complain("%s: a folder", job->out_name);
        return STATUS_ERROR;
    }
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT ? STATUS_OK : output_error(job);
    if (!S_ISREG(info.st_mode)) {
        complain("%s: exists and is not a regular file", job->out_name);
        return STATUS_ERROR;
    }
    if (!force) {
        complain("%s: exists; -f replaces it", job->out_name);
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
    /* What was secret is the owner's alone, until they decide otherwise. */
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

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"key", required_argument, NULL, 'k'},    {"mode", required_argument, NULL, 'm'},
        {"sector", required_argument, NULL, 's'}, {"force", no_argument, NULL, 'f'},
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},      {NULL, 0, NULL, 0},
    };
    const char *command = argc > 1 ? argv[1] : "", *key_name = NULL;
    const char *mode = NULL, *sector = NULL;
    struct job job = {.in = STDIN_FILENO, .in_name = "standard input", .sector = 4096};
    uint8_t key[KEY_SIZE];
    int option, force = 0, encrypt = !strcmp(command, "encrypt"), xts;
    enum status status;

    if (!strcmp(command, "-h") || !strcmp(command, "--help"))
        return help();
    if (!strcmp(command, "-V") || !strcmp(command, "--version"))
        return version();
    if (!encrypt && strcmp(command, "decrypt"))
        return misuse("say encrypt or decrypt", "");
    optind = 2;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "k:m:s:fo:hV", options, NULL)) != -1) {
        if (option == 'k') {
            key_name = optarg;
        } else if (option == 'm') {
            mode = optarg;
        } else if (option == 's') {
            sector = optarg;
        } else if (option == 'f') {
            force = 1;
        } else if (option == 'o') {
            job.out_name = optarg;
        } else if (option == 'h') {
            return help();
        } else if (option == 'V') {
            return version();
        } else {
            return misuse("wrong use of ", argv[optind - 1]);
        }
    }
    xts = mode && !strcmp(mode, "xts");
    if (!key_name)
        return misuse("the key is missing: -k KEYFILE", "");
    if (!job.out_name)
        return misuse("where to is missing: -o OUTPUT", "");
    if (optind != argc - 1)
        return misuse("say one input", "");
    if (!encrypt && (mode || sector))
        return misuse("the mode of an encrypted file is written in it", "");
    if (mode && !xts && strcmp(mode, "gcm"))
        return misuse("the mode is gcm or xts", "");
    if (sector && (!xts || (strcmp(sector, "512") && strcmp(sector, "4096"))))
        return misuse("a sector, which is for xts, has 512 or 4096 bytes", "");
    if (!strcmp(job.out_name, "-"))
        return misuse("no output to standard output: all of it must be checked before it is used",
                      "");
    if (!strcmp(key_name, "-"))
        return misuse("no key from standard input", "");
    if (xts && !strcmp(argv[optind], "-"))
        return misuse("an image cannot come from standard input", "");
    if (sector)
        job.sector = strcmp(sector, "512") ? 4096 : 512;

    set_up_signals();
    if (strcmp(argv[optind], "-")) {
        job.in_name = argv[optind];
        job.in = open(job.in_name, O_RDONLY | O_CLOEXEC);
        if (job.in < 0)
            return (int) input_error(&job);
    } else if (isatty(STDIN_FILENO)) {
        return misuse("standard input is a terminal", "");
    }
    status = read_key(key, key_name);
    job.key = key;
    if (status == STATUS_OK)
        status = process(&job, encrypt, xts ? MODE_XTS : MODE_GCM, force);
    wipe(key, sizeof key);
    return (int) status;
}
