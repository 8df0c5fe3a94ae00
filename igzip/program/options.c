/* Command line.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include <ctype.h>
#include <getopt.h>
#include <isa-l/igzip_lib.h>
#include <isa-l/isal_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names.h"

#define THREADS_MAX 512
#define DEFAULT_LEVEL 2
#define GZIP_DEFAULT_LEVEL 6

struct options opt = {.level = DEFAULT_LEVEL,
                      .remove = -1,
                      .save_name = -1,
                      .save_time = -1,
                      .sparse = 1,
                      .threads = 1,
                      .suffix = ".gz"};

static const char usage[] =
    "Usage: igzip [OPTION]... [FILE]...\n"
    "Compress each FILE to FILE.gz, or decompress FILE.gz to FILE. With no FILE, or when FILE\n"
    "is -, standard input to standard output.\n"
    "\n"
    "  -c, --stdout       write to standard output, keep the files\n"
    "  -d, --decompress   decompress\n"
    "  -z, --compress     compress (the default)\n"
    "  -f, --force        overwrite files, follow links, read and write terminals\n"
    "  -h, --help         print this help\n"
    "  -k, --keep         keep the input files (the default)\n"
    "      --rm           delete the input files when the output is on disk\n"
    "  -l, --list         list the contents of compressed files\n"
    "  -L, --license      print the licence\n"
    "  -m, -M             do not save the time; save or restore it\n"
    "  -n, --no-name      do not save or restore the name and the time\n"
    "  -N, --name         save or restore the name and the time\n"
    "  -o, --output=FILE  write to FILE, keep the input\n"
    "  -q, --quiet        no warnings\n"
    "  -r, --recursive    process directories recursively\n"
    "  -S, --suffix=SUF   use suffix SUF instead of .gz\n"
    "  -t, --test         test compressed files\n"
    "  -T, --threads=N    use N threads; 0: one for each processor\n"
    "  -v, --verbose      print names and ratios\n"
    "  -V, --version      print the version\n"
    "  -0 ... -9          level: -0 is the fastest, -2 the default, -9 gives the smallest files\n"
    "      --fast, --best the same as -1 and -9\n"
    "      --bgzf         write blocked gzip (BGZF), as bgzip does\n"
    "      --indexed      write members of 512 KiB that can be decompressed in parallel\n"
    "      --rsyncable    compress equal parts of files to equal bytes\n"
    "      --no-sparse    write zeros instead of making holes\n"
    "      --synchronous  sync every output to disk, not only before deleting the input\n"
    "\n"
    "The environment variable IGZIP_OPT may hold options, which are read before the arguments.\n"
    "\n"
    "Called as gzip, gunzip, zcat or gzcat, it behaves like gzip: it deletes the input files "
    "unless\n"
    "-k, -c or -o is given, the default level is -6, -0 is invalid, and GZIP is read instead of\n"
    "IGZIP_OPT.\n";

static const char license[] =
    "igzip, a part of isa-l. SPDX-License-Identifier: BSD-3-Clause\n"
    "You may use, change and redistribute it under the terms of the BSD 3-clause licence.\n"
    "There is NO WARRANTY, to the extent permitted by law.\n";

enum { BGZF = 256, INDEXED, RSYNCABLE, NO_SPARSE, SPARSE, SYNCHRONOUS, REMOVE, FAST, BEST };

static const struct option long_options[] = {
    {"ascii", no_argument, NULL, 'a'},
    {"best", no_argument, NULL, BEST},
    {"bits", required_argument, NULL, 'b'},
    {"bgzf", no_argument, NULL, BGZF},
    {"compress", no_argument, NULL, 'z'},
    {"decompress", no_argument, NULL, 'd'},
    {"fast", no_argument, NULL, FAST},
    {"force", no_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},
    {"indexed", no_argument, NULL, INDEXED},
    {"keep", no_argument, NULL, 'k'},
    {"license", no_argument, NULL, 'L'},
    {"list", no_argument, NULL, 'l'},
    {"name", no_argument, NULL, 'N'},
    {"no-name", no_argument, NULL, 'n'},
    {"no-sparse", no_argument, NULL, NO_SPARSE},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"recursive", no_argument, NULL, 'r'},
    {"rm", no_argument, NULL, REMOVE},
    {"rsyncable", no_argument, NULL, RSYNCABLE},
    {"silent", no_argument, NULL, 'q'},
    {"sparse", no_argument, NULL, SPARSE},
    {"stdout", no_argument, NULL, 'c'},
    {"suffix", required_argument, NULL, 'S'},
    {"synchronous", no_argument, NULL, SYNCHRONOUS},
    {"test", no_argument, NULL, 't'},
    {"threads", required_argument, NULL, 'T'},
    {"to-stdout", no_argument, NULL, 'c'},
    {"uncompress", no_argument, NULL, 'd'},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static unsigned threads(const char *text)
{
    char *end;
    unsigned long n = isdigit((unsigned char) *text) ? strtoul(text, &end, 10) : (end = "?", 0UL);

    if (*end)
        die("invalid number of threads '%s'", text);
    if (n == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        n = online > 0 ? (unsigned long) online : 1;
    }
    return (unsigned) (n < THREADS_MAX ? n : THREADS_MAX);
}

static _Noreturn void print_and_exit(const char *text)
{
    exit(fputs(text, stdout) < 0 || fflush(stdout) ? STATUS_ERROR : STATUS_OK);
}

/* Sets the options that the program's name stands for. */
static void read_own_name(const char *name)
{
    static const struct {
        const char *name;
        int as_gzip, decompress, to_stdout;
    } names[] = {
        {"gzip", 1, 0, 0},       {"gunzip", 1, 1, 0}, {"ungzip", 1, 1, 0}, {"zcat", 1, 1, 1},
        {"uncompress", 1, 1, 0}, {"gzcat", 1, 1, 1},  {"igzcat", 0, 1, 1}, {"igunzip", 0, 1, 0},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(name, names[i].name)) {
            opt.as_gzip = names[i].as_gzip;
            opt.mode = names[i].decompress ? MODE_DECOMPRESS : MODE_COMPRESS;
            opt.to_stdout = names[i].to_stdout;
        }
    }
    if (opt.as_gzip)
        opt.level = GZIP_DEFAULT_LEVEL;
}

static _Noreturn void refer_to_help(void)
{
    fprintf(stderr, "Try '%s --help' for more information.\n", program_name());
    exit(STATUS_ERROR);
}

static int is_integer(const char *text)
{
    text += *text == '-' || *text == '+';
    return *text && !text[strspn(text, "0123456789")];
}

/* Rejects a level 0 directly after the level `before`: -10 is not -1 and then -0. `word` is the
 * argument that getopt_long() had reached after `before`. */
static void check_level(int before, const char *word)
{
    const char digits[] = {(char) before, '0', 0};

    if (before >= '0' && before <= '9' && word && word[0] == '-' && word[1] != '0' &&
        strstr(word, digits)) {
        say("there is no level %s: levels are 0 to 9", digits);
        refer_to_help();
    }
}

/* Options that set one member, or two, to a value. */
static const struct {
    int option, *member, value;
} settings[] = {
    {'c', &opt.to_stdout, 1},
    {'f', &opt.force, 1},
    {'k', &opt.remove, 0},
    {REMOVE, &opt.remove, 1},
    {'m', &opt.save_time, 0},
    {'M', &opt.save_time, 1},
    {'n', &opt.save_time, 0},
    {'N', &opt.save_time, 1},
    {'n', &opt.save_name, 0},
    {'N', &opt.save_name, 1},
    {'q', &opt.quiet, 1},
    {'v', &opt.quiet, 0},
    {'q', &opt.verbose, 0},
    {'v', &opt.verbose, 1},
    {'r', &opt.recursive, 1},
    {RSYNCABLE, &opt.rsyncable, 1},
    {SPARSE, &opt.sparse, 1},
    {NO_SPARSE, &opt.sparse, 0},
    {SYNCHRONOUS, &opt.synchronous, 1},
};

static int read_setting(int option)
{
    int found = 0;

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].option == option) {
            *settings[i].member = settings[i].value;
            found = 1;
        }
    return found;
}

static void read_option(int option)
{
    if (read_setting(option))
        return;
    switch (option) {
    case 'd':
        if (opt.mode == MODE_COMPRESS) /* -t and -l have precedence wherever they are */
            opt.mode = MODE_DECOMPRESS;
        break;
    case 'z':
        opt.mode = MODE_COMPRESS;
        break;
    case 'l':
        opt.mode = MODE_LIST;
        break;
    case 't':
        if (opt.mode != MODE_LIST)
            opt.mode = MODE_TEST;
        break;
    case 'h':
        print_and_exit(usage);
    case 'L':
        print_and_exit(license);
    case 'V':
        print_and_exit("igzip " ISAL_VERSION_STR "\n");
    case 'a':
        break; /* line ends are the same on all systems that this program runs on */
    case 'b':
        if (is_integer(optarg))
            break; /* accepted as gzip does: the option is about .Z files */
        say("-b operand is not an integer");
        refer_to_help();
    case 'o':
        opt.output = optarg;
        break;
    case 'S':
        if (!*optarg || strchr(optarg, '/'))
            die("invalid suffix '%s'", optarg);
        opt.suffix = optarg;
        break;
    case 'T':
        opt.threads = threads(optarg);
        break;
    case BGZF:
    case INDEXED:
        opt.format = option == BGZF ? FORMAT_BGZF : FORMAT_INDEXED;
        break;
    case FAST:
    case BEST:
        opt.level = option == FAST ? 1 : 9;
        break;
    default:
        if (option < '0' || option > '9')
            refer_to_help();
        opt.level = option - '0';
    }
}

static const char short_options[] = "0123456789ab:cdfhklLmMnNo:qrS:tT:vVz";

static void read_arguments(int argc, char **argv)
{
    const char *allowed = short_options + opt.as_gzip, *word = NULL; /* gzip has no -0 */
    int option, before = 0;

    while ((option = getopt_long(argc, argv, allowed, long_options, NULL)) != -1) {
        if (option == '0')
            check_level(before, word);
        read_option(option);
        before = option;
        word = argv[optind];
    }
}

/* Options in GZIP may change how data are compressed, and which messages are printed. */
static void read_gzip_variable(int argc, char **argv)
{
    static const int allowed[] = {'n', 'N', 'q', 'v', FAST, BEST, RSYNCABLE};
    int option, valid;

    say("warning: the GZIP environment variable is deprecated; use an alias or script");
    while ((option = getopt_long(argc, argv, short_options + 1, long_options, NULL)) != -1) {
        valid = option >= '1' && option <= '9';
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
            valid |= option == allowed[i];
        if (!valid && option != '?') {
            say("%s: option not valid in GZIP environment variable", argv[optind - 1]);
            option = '?';
        }
        read_option(option);
    }
}

/* Options in the environment are read first, so that the command line overrides them. */
static void read_environment(char *name)
{
    const char *variable = opt.as_gzip ? "GZIP" : "IGZIP_OPT", *text = getenv(variable);
    char *words, **argv, *word;
    int argc = 1;

    if (!text || !text[strspn(text, " \t\n")])
        return;
    words = strcpy(need_memory(strlen(text) + 1), text);
    argv = need_memory((strlen(text) / 2 + 3) * sizeof *argv);
    argv[0] = name;
    for (word = strtok(words, " \t\n"); word; word = strtok(NULL, " \t\n"))
        argv[argc++] = word;
    argv[argc] = NULL;
    if (opt.as_gzip)
        read_gzip_variable(argc, argv);
    else
        read_arguments(argc, argv);
    if (optind < argc)
        die("%s contains '%s', which is not an option", variable, argv[optind]);
    free(argv);
    optind = 0; /* getopt_long() starts again */
}

int options_read(int argc, char **argv)
{
    static char igzip[] = "igzip", gzip[] = "gzip";
    char *own_name; /* for the messages of getopt_long() */

    if (argc < 1)
        return 0;
    read_own_name(name_base(argv[0]));
    own_name = opt.as_gzip ? gzip : igzip;
    read_environment(own_name);
    argv[0] = own_name;
    read_arguments(argc, argv);
    if (opt.rsyncable && opt.format != FORMAT_GZIP)
        die("--rsyncable is for plain gzip files, not for --bgzf and --indexed");
    if (opt.output && !strcmp(opt.output, "-")) {
        opt.output = NULL;
        opt.to_stdout = 1;
    }
    if (opt.output && argc - optind > 1)
        die("-o is for a single input");
    if (opt.output && opt.recursive)
        die("-o and -r exclude each other");
    if (opt.mode == MODE_TEST || opt.mode == MODE_LIST)
        opt.to_stdout = 1;
    if (opt.to_stdout)
        opt.output = NULL;
    if (opt.remove < 0)
        opt.remove = opt.as_gzip && !opt.output;
    return optind;
}
