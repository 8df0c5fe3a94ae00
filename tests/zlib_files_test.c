/* The gz functions against the system's zlib: the same random calls on the same files.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/zlib_test.h"

#include <unistd.h>

enum { MAX_DATA = 100000 };

static uint8_t data[MAX_DATA], out[LIBRARIES][MAX_DATA + 1];
static char path[LIBRARIES][64];

static int same_errors(gzFile *file, const char *what)
{
    int error[LIBRARIES];
    const char *text[LIBRARIES], *tail[LIBRARIES];

    for (int i = 0; i < LIBRARIES; i++) {
        text[i] = zlib[i].gzerror(file[i], &error[i]);
        tail[i] = strchr(text[i], ':');
        tail[i] = tail[i] ? tail[i] : text[i];
    }
    return EXPECT(error[OURS] == error[PEER] && !strcmp(tail[OURS], tail[PEER]),
                  "%s: %d %s, not %d %s", what, error[OURS], text[OURS], error[PEER], text[PEER]);
}

/* Makes the same file at both paths: plain, or compressed by the system's zlib and then perhaps of
 * two members, truncated, followed by other bytes or damaged. Returns the bytes of data. */
static size_t make_file(void)
{
    static uint8_t bytes[2 * MAX_DATA];
    size_t n = test_random(4) ? test_random(5000) : test_random(MAX_DATA), size;
    unsigned kind = test_random(5);
    FILE *f;

    make_data(data, n);
    if (kind == 0) { /* not compressed */
        size = n;
        memcpy(bytes, data, n);
    } else {
        size_t first = kind == 1 ? test_random((unsigned) n + 1) : n;
        gzFile file = zlib[PEER].gzopen(path[PEER], "wb6");

        zlib[PEER].gzwrite(file, data, (unsigned) first);
        zlib[PEER].gzclose(file);
        if (first < n) {
            file = zlib[PEER].gzopen(path[PEER], "ab1");
            zlib[PEER].gzwrite(file, data + first, (unsigned) (n - first));
            zlib[PEER].gzclose(file);
        }
        f = fopen(path[PEER], "rb");
        size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        if (kind == 2) {
            test_fill_random(bytes + size, 100);
            size += test_random(100);
        } else if (kind == 3) {
            size -= test_random(test_random(2) ? 20 : (unsigned) size);
        }
        if (test_random(10) == 0)
            bytes[test_random((unsigned) size)] ^= 16;
    }
    for (int i = 0; i < LIBRARIES; i++) {
        f = fopen(path[i], "wb");
        fwrite(bytes, 1, size, f);
        fclose(f);
    }
    return n;
}

/* One call that reads, positions or asks. */
static void read_call(gzFile *file)
{
    unsigned n = test_random(3) ? test_random(300) : test_random(50000);
    int64_t offset =
        test_random(2) ? (int64_t) test_random(MAX_DATA) : (int64_t) test_random(200) - 100;
    int c = (int) test_random(256);

    switch (test_random(10)) {
    case 0: {
        BOTH(int, byte, z->gzgetc(file[i]));
        break;
    }
    case 1: {
        BOTH(int, pushed, z->gzungetc(c, file[i]));
        break;
    }
    case 2: {
        BOTH(int, line, z->gzgets(file[i], (char *) out[i], (int) n) != NULL);
        EXPECT(!line[OURS] || !line[PEER] || !strcmp((char *) out[OURS], (char *) out[PEER]),
               "line");
        break;
    }
    case 3: {
        BOTH(int64_t, at, z->gzseek64(file[i], offset, offset > 100 ? SEEK_SET : SEEK_CUR));
        break;
    }
    case 4: {
        BOTH(int, direct, z->gzdirect(file[i]));
        break;
    }
    case 5: {
        BOTH(size_t, items, z->gzfread(out[i], 7, n / 7, file[i]));
        EXPECT(items[OURS] != items[PEER] || !memcmp(out[OURS], out[PEER], 7 * items[OURS]),
               "items");
        break;
    }
    case 6:
        if (test_random(10) == 0) {
            BOTH(int, rewound, z->gzrewind(file[i]));
        } else if (test_random(10) == 0) {
            for (int i = 0; i < LIBRARIES; i++)
                zlib[i].gzclearerr(file[i]);
        }
        break;
    default: {
        BOTH(int, got, z->gzread(file[i], out[i], n));
        EXPECT(got[OURS] <= 0 || !memcmp(out[OURS], out[PEER], (size_t) got[OURS]), "bytes");
        break;
    }
    }
}

static void test_read(void)
{
    for (unsigned round = 0; round < 300 && test_state.failures == 0; round++) {
        unsigned buffer = test_random(3) ? 0 : test_random(20000);
        gzFile file[LIBRARIES];

        make_file();
        for (int i = 0; i < LIBRARIES; i++)
            file[i] = zlib[i].gzopen(path[i], test_random(2) ? "rb" : "r");
        if (buffer > 0) {
            BOTH(int, set, z->gzbuffer(file[i], buffer));
        }
        /* gzungetc() of zlib 1.2.13 needs buffers. */
        BOTH(int, plain, z->gzdirect(file[i]));
        for (unsigned calls = test_random(40); calls > 0 && test_state.failures == 0; calls--) {
            read_call(file);
            BOTH(int64_t, at, z->gztell64(file[i]));
            BOTH(int, end, z->gzeof(file[i]));
            BOTH(int64_t, offset, z->gzoffset64(file[i]));
            same_errors(file, "read");
        }
        BOTH(int, closed, z->gzclose(file[i]));
        if (test_state.failures)
            printf("round %u\n", round);
    }
}

/* One call that writes; returns how many bytes of the data it wrote. */
static size_t write_call(gzFile *file, size_t at, int plain)
{
    unsigned n = test_random(3) ? test_random(300) : test_random(30000);
    int level = (int) test_random(10), flush = (int) test_random(5);

    n = n < MAX_DATA - at ? n : (unsigned) (MAX_DATA - at);
    switch (test_random(9)) {
    case 0: {
        BOTH(int, byte, z->gzputc(file[i], data[at]));
        return byte[OURS] >= 0;
    }
    case 1: {
        BOTH(int, text, z->gzprintf(file[i], "%d,%s\n", (int) n, "text"));
        return 0;
    }
    case 2: {
        BOTH(int, text, z->gzputs(file[i], "a line\n"));
        return 0;
    }
    case 3: {
        BOTH(int, flushed, z->gzflush(file[i], flush));
        return 0;
    }
    case 4: {
        if (plain) /* the system's zlib 1.2.13 would use a stream that it does not have */
            return 0;
        BOTH(int, set, z->gzsetparams(file[i], level, flush));
        return 0;
    }
    case 5: {
        BOTH(int64_t, to, z->gzseek64(file[i], (int64_t) n - 50, SEEK_CUR));
        return 0;
    }
    case 6: {
        BOTH(size_t, items, z->gzfwrite(data + at, 3, n / 3, file[i]));
        return 3 * items[OURS];
    }
    default: {
        BOTH(int, written, z->gzwrite(file[i], data + at, n));
        return n;
    }
    }
}

static void test_write(void)
{
    static const char *const modes[] = {"w",   "wb9", "wbT", "ab1", "w6f",
                                        "wbh", "wR",  "wF3", "w0",  "wxe"};

    int last_plain = 1;

    make_data(data, MAX_DATA);
    for (unsigned round = 0; round < 300 && test_state.failures == 0; round++) {
        const char *mode = modes[test_random(10)];
        int plain = last_plain;
        gzFile file[LIBRARIES];
        size_t at = 0;

        for (int i = 0; i < LIBRARIES; i++) {
            if (mode[1] == 'x' || (mode[0] == 'a' && plain))
                unlink(path[i]); /* a gzip stream after plain bytes is plain, too */
            file[i] = zlib[i].gzopen(path[i], mode);
        }
        /* With a seek before anything is written, zlib 1.2.13 writes memory that is not set. */
        last_plain = strchr(mode, 'T') != NULL;
        BOTH(int, first, z->gzputc(file[i], 'a'));
        for (unsigned calls = test_random(30); calls > 0 && at + 1 < MAX_DATA; calls--) {
            at += write_call(file, at, last_plain);
            BOTH(int64_t, tell, z->gztell64(file[i]));
            same_errors(file, "write");
        }
        BOTH(int, closed, z->gzclose(file[i]));
        /* What both wrote, read by the system's zlib. */
        for (int i = 0; i < LIBRARIES; i++)
            file[i] = zlib[PEER].gzopen(path[i], "r");
        for (int more = 1; more > 0 && test_state.failures == 0;) {
            int got[LIBRARIES];

            for (int i = 0; i < LIBRARIES; i++)
                got[i] = zlib[PEER].gzread(file[i], out[i], MAX_DATA);
            more = got[PEER];
            EXPECT(got[OURS] == more && !memcmp(out[OURS], out[PEER], (size_t) more),
                   "mode %s: %d bytes, not %d", mode, got[OURS], more);
        }
        for (int i = 0; i < LIBRARIES; i++)
            EXPECT(zlib[PEER].gzclose(file[i]) == Z_OK, "mode %s: gzclose", mode);
    }
}

static void test_open(void)
{
    static const char *const modes[] = {"", "+", "r+", "w+", "rT", "b", "9", "rb9", "wb", "wx"};
    gzFile none = NULL;

    for (unsigned k = 0; k < 10; k++) {
        gzFile file[LIBRARIES];
        BOTH(int, open, (file[i] = z->gzopen(path[i], modes[k])) != NULL);
        BOTH(int, closed, z->gzclose(file[i]));
    }
    BOTH(int, missing, z->gzopen("/nonexistent/file", "r") != NULL);
    BOTH(int, bad_fd, z->gzdopen(-1, "r") != NULL);
    BOTH(int, close_none, z->gzclose(none));
    BOTH(int, read_none, z->gzread(none, out[i], 1));
    BOTH(int, write_none, z->gzwrite(none, data, 1));
    BOTH(int, eof_none, z->gzeof(none));
    BOTH(int, getc_none, z->gzgetc(none));
    BOTH(int, putc_none, z->gzputc(none, 1));
    BOTH(int, flush_none, z->gzflush(none, 1));
    BOTH(int, print_none, z->gzprintf(none, "%d", 1));
    BOTH(int64_t, tell_none, z->gztell64(none));
    BOTH(int, error_none, z->gzerror(none, NULL) != NULL);
    BOTH(int, buffer_none, z->gzbuffer(none, 100));
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");

    test_start(argc, argv);
    if (!load_libraries())
        return 77;
    for (int i = 0; i < LIBRARIES; i++)
        snprintf(path[i], sizeof path[i], "%.40s/zlib_files.%d.%d", folder ? folder : "/tmp",
                 (int) getpid(), i);
    TEST(test_write);
    TEST(test_open);
    TEST(test_read);
    for (int i = 0; i < LIBRARIES; i++)
        unlink(path[i]);
    return test_finish();
}
