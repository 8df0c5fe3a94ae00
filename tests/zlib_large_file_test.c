/* The gz functions on files of more than 4 GiB, which 32-bit systems have, too.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/zlib_test.h"

#include <fcntl.h>
#include <unistd.h>

#define HOLE ((int64_t) 5 << 30)

static const struct zlib *const z = &zlib[OURS];
static char path[64];

/* A file that is a hole followed by "abcd". */
static int make_file(void)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int made = fd >= 0 && pwrite(fd, "abcd", 4, (off_t) HOLE) == 4;

    close(fd);
    return made;
}

static void test_read(void)
{
    gzFile file = z->gzopen(path, "rb");
    char text[5] = "";
    int64_t at;

    if (!EXPECT(file, "gzopen"))
        return;
    EXPECT(z->gzread(file, text, 1) == 1 && z->gzdirect(file), "the start of the file");
    at = z->gzseek64(file, HOLE, SEEK_SET);
    EXPECT(at == HOLE, "gzseek64 returns %lld", (long long) at);
    EXPECT(z->gzread(file, text, 5) == 4 && !memcmp(text, "abcd", 4), "the end of the file");
    at = z->gztell64(file);
    EXPECT(at == HOLE + 4, "gztell64 returns %lld", (long long) at);
    at = z->gzoffset64(file);
    EXPECT(at == HOLE + 4, "gzoffset64 returns %lld", (long long) at);
    at = sizeof(z_off_t) == 8 ? HOLE + 4 : -1;
    EXPECT(z->gztell(file) == at && z->gzoffset(file) == at, "gztell, gzoffset");
    EXPECT(z->gzclose(file) == Z_OK, "gzclose");
}

static void test_append(void)
{
    gzFile file = z->gzopen64(path, "abT");
    char text[9] = "";
    int fd;

    if (!EXPECT(file, "gzopen64"))
        return;
    EXPECT(z->gzwrite(file, "efgh", 4) == 4 && z->gzclose(file) == Z_OK, "append");
    fd = open(path, O_RDONLY);
    EXPECT(pread(fd, text, 9, (off_t) HOLE) == 8 && !strcmp(text, "abcdefgh"), "text %s", text);
    close(fd);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");

    test_start(argc, argv);
    if (!load_ours(&zlib[OURS]))
        return 77;
    snprintf(path, sizeof path, "%.40s/zlib_large.%d", folder ? folder : "/tmp", (int) getpid());
    if (make_file()) {
        TEST(test_read);
        TEST(test_append);
    } else {
        printf("SKIP: no file of 5 GiB can be made in %s\n", folder ? folder : "/tmp");
        unlink(path);
        return 77;
    }
    unlink(path);
    return test_finish();
}
