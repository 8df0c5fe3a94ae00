/* Decompresses gzip, zlib or raw DEFLATE with buffers of fixed size, and reports where a stream is
 * damaged.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isa-l.h>

#define IN_BYTES 65536
#define OUT_BYTES 262144 /* from 64 KB on, isal_inflate() decodes in place */
#define GZIP_LEAST_HEADER 10

enum status { STATUS_OK, STATUS_BROKEN, STATUS_ERROR };

static const char usage[] =
    "Usage: inflate_stream [OPTION]... [FILE]\n"
    "\n"
    "Decompresses FILE, or standard input, to standard output.\n"
    "\n"
    "  -f, --format FORMAT      gzip, zlib or raw (default: gzip or zlib, by the header)\n"
    "  -d, --dictionary FILE    the dictionary used for compression; not for gzip\n"
    "  -o, --output FILE        write to FILE\n"
    "  -t, --test               write nothing\n"
    "  -v, --verbose            print how many bytes were read and written\n"
    "  -h, --help               print this help\n"
    "\n"
    "Decompresses all members of a gzip file. Writes the data before an error.\n"
    "\n"
    "Exit status: 0 success; 1 the input is damaged, truncated, or followed by other data;\n"
    "2 invalid arguments, or a file could not be read or written.\n";

struct job {
    const char *in_name, *out_name, *dictionary_name;
    FILE *in, *out; /* out is NULL: write nothing */
    int format;     /* inflate_state.crc_flag; -1 until it is known */
    int verbose;
    unsigned long long read, member_start, written;
};

static struct inflate_state state;
static uint8_t input[IN_BYTES], output[OUT_BYTES], dictionary[ISAL_DEF_HIST_SIZE];
static uint32_t dictionary_size;

static void complain(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    fputs("inflate_stream: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* The whole dictionary, of which DEFLATE uses the last 32 KB. */
static enum status read_dictionary(const char *name)
{
    FILE *file = fopen(name, "rb");
    int failed;

    if (!file) {
        complain("%s: %s", name, strerror(errno));
        return STATUS_ERROR;
    }
    dictionary_size = (uint32_t) fread(dictionary, 1, sizeof dictionary, file);
    failed = ferror(file) || (dictionary_size == sizeof dictionary && fgetc(file) != EOF);
    fclose(file);
    if (failed) {
        complain("%s: cannot be read, or is longer than %u bytes", name,
                 (unsigned) sizeof dictionary);
        return STATUS_ERROR;
    }
    return STATUS_OK;
}

/* Reads more input if all of it has been consumed. Returns whether there is any. */
static int refill(struct job *job)
{
    if (state.avail_in == 0) {
        state.next_in = input;
        state.avail_in = (uint32_t) fread(input, 1, sizeof input, job->in);
        job->read += state.avail_in;
    }
    return state.avail_in > 0;
}

/* Number of bytes that decompression has consumed. */
static unsigned long long position(const struct job *job)
{
    return job->read - state.avail_in;
}

static const char *reason(int result)
{
    switch (result) {
    case ISAL_INVALID_BLOCK:
        return "a block header is invalid";
    case ISAL_INVALID_SYMBOL:
        return "a code has no symbol";
    case ISAL_INVALID_LOOKBACK:
        return "a match begins before the data";
    case ISAL_INVALID_WRAPPER:
        return "not the header of a gzip or zlib stream";
    case ISAL_UNSUPPORTED_METHOD:
        return "the compression method is unknown";
    case ISAL_INCORRECT_CHECKSUM:
        return "the checksum or the length differs";
    case ISAL_NEED_DICT:
        return "a dictionary is needed; see --dictionary";
    default:
        return "decompression failed";
    }
}

/* Returns the format by the first two bytes, which are in the buffer: gzip or zlib, or -1. */
static int guess_format(void)
{
    const uint8_t *p = state.next_in;

    if (state.avail_in < 2)
        return -1;
    if (p[0] == 0x1f && p[1] == 0x8b)
        return ISAL_GZIP;
    return (p[0] & 15) == 8 && (256 * p[0] + p[1]) % 31 == 0 ? ISAL_ZLIB : -1;
}

/* Sets the dictionary that a zlib stream needs. */
static int answer_need(void)
{
    if (dictionary_size == 0)
        return ISAL_NEED_DICT;
    if (isal_adler32(1, dictionary, dictionary_size) != state.dict_id) {
        complain("the stream was compressed with another dictionary");
        return ISAL_NEED_DICT;
    }
    return isal_inflate_set_dict(&state, dictionary, dictionary_size);
}

/* Decompresses one stream. Returns 0 at its end, or the reason for an error. */
static enum status inflate_member(struct job *job, unsigned number)
{
    for (;;) {
        int more = refill(job), result;

        state.next_out = output;
        state.avail_out = sizeof output;
        result = isal_inflate(&state);
        if (result == ISAL_NEED_DICT)
            result = answer_need();
        job->written += (size_t) (state.next_out - output);
        if (job->out && fwrite(output, 1, (size_t) (state.next_out - output), job->out) !=
                            (size_t) (state.next_out - output)) {
            complain("%s: %s", job->out_name, strerror(errno));
            return STATUS_ERROR;
        }
        if (number > 1 && (result == ISAL_INVALID_WRAPPER ||
                           (!more && job->read - job->member_start < GZIP_LEAST_HEADER))) {
            complain("%s: from byte %llu on there is no further member", job->in_name,
                     job->member_start);
            return STATUS_BROKEN;
        }
        if (result != ISAL_DECOMP_OK) {
            complain("%s: broken at byte %llu (in member %u, after %llu bytes of output): %s",
                     job->in_name, position(job), number, job->written, reason(result));
            return STATUS_BROKEN;
        }
        if (state.block_state == ISAL_BLOCK_FINISH)
            return STATUS_OK;
        /* pending output needs no input; without any, the input is truncated */
        if (!more && state.next_out == output) {
            if (ferror(job->in)) {
                complain("%s: %s", job->in_name, strerror(errno));
                return STATUS_ERROR;
            }
            complain("%s: cut short at byte %llu (in member %u, after %llu bytes of output)",
                     job->in_name, job->read, number, job->written);
            return STATUS_BROKEN;
        }
    }
}

static enum status inflate_all(struct job *job)
{
    enum status status;
    unsigned number = 1;

    isal_inflate_init(&state);
    if (!refill(job) && !ferror(job->in)) {
        complain("%s: is empty", job->in_name);
        return STATUS_BROKEN;
    }
    if (job->format < 0 && (job->format = guess_format()) < 0 && !ferror(job->in)) {
        complain("%s: is neither gzip nor zlib; for raw DEFLATE see --format", job->in_name);
        return STATUS_BROKEN;
    }
    state.crc_flag = (uint32_t) job->format;
    if (job->format == ISAL_DEFLATE && dictionary_size)
        isal_inflate_set_dict(&state, dictionary, dictionary_size);
    status = inflate_member(job, number);
    while (status == STATUS_OK && job->format == ISAL_GZIP && refill(job)) {
        job->member_start = position(job);
        isal_inflate_reset(&state);
        status = inflate_member(job, ++number);
    }
    if (status == STATUS_OK && refill(job)) {
        complain("%s: from byte %llu on something follows the stream", job->in_name, position(job));
        status = STATUS_BROKEN;
    }
    if (status == STATUS_OK && ferror(job->in)) {
        complain("%s: %s", job->in_name, strerror(errno));
        status = STATUS_ERROR;
    }
    if (job->verbose)
        complain("%s: %llu bytes read, %u members, %llu bytes of data", job->in_name, position(job),
                 number, job->written);
    return status;
}

/* ---- Command line ---- */

static enum status misuse(const char *message, const char *detail)
{
    complain("%s%s; see inflate_stream --help", message, detail);
    return STATUS_ERROR;
}

static int format_named(const char *name)
{
    return !strcmp(name, "raw")    ? ISAL_DEFLATE
           : !strcmp(name, "zlib") ? ISAL_ZLIB
           : !strcmp(name, "gzip") ? ISAL_GZIP
                                   : -1;
}

static int is_option(const char *argument, const char *brief, const char *longer)
{
    return !strcmp(argument, brief) || !strcmp(argument, longer);
}

static enum status parse(struct job *job, int argc, char **argv, int *test)
{
    for (int i = 1; i < argc; i++) {
        const char **value = NULL, *format = NULL;

        if (is_option(argv[i], "-f", "--format")) {
            value = &format;
        } else if (is_option(argv[i], "-d", "--dictionary")) {
            value = &job->dictionary_name;
        } else if (is_option(argv[i], "-o", "--output")) {
            value = &job->out_name;
        } else if (is_option(argv[i], "-t", "--test")) {
            *test = 1;
        } else if (is_option(argv[i], "-v", "--verbose")) {
            job->verbose = 1;
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return misuse("invalid option ", argv[i]);
        } else if (job->in_name) {
            return misuse("unexpected argument ", argv[i]);
        } else {
            job->in_name = argv[i];
        }
        if (value && i + 1 == argc)
            return misuse("a value is missing after ", argv[i]);
        if (value)
            *value = argv[++i];
        if (format && (job->format = format_named(format)) < 0)
            return misuse("--format must be gzip, zlib or raw, not ", format);
    }
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    struct job job = {.in = stdin, .out = stdout, .format = -1};
    enum status status;
    int test = 0;

    for (int i = 1; i < argc; i++)
        if (is_option(argv[i], "-h", "--help")) {
            fputs(usage, stdout);
            return fflush(stdout) ? (int) STATUS_ERROR : (int) STATUS_OK;
        }
    status = parse(&job, argc, argv, &test);
    if (status)
        return (int) status;
    if (job.dictionary_name && (status = read_dictionary(job.dictionary_name)))
        return (int) status;
    if (job.in_name && strcmp(job.in_name, "-")) {
        job.in = fopen(job.in_name, "rb");
        if (!job.in) {
            complain("%s: %s", job.in_name, strerror(errno));
            return (int) STATUS_ERROR;
        }
    } else {
        job.in_name = "standard input";
    }
    if (test)
        job.out = NULL;
    else if (job.out_name && !(job.out = fopen(job.out_name, "wb"))) {
        complain("%s: %s", job.out_name, strerror(errno));
        return (int) STATUS_ERROR;
    }
    if (!job.out_name)
        job.out_name = "standard output";
    status = inflate_all(&job);
    if (job.out && (fflush(job.out) || fclose(job.out))) {
        complain("%s: %s", job.out_name, strerror(errno));
        status = STATUS_ERROR;
    }
    return (int) status;
}
